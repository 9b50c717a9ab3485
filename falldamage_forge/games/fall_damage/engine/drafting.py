"""Setting up, step by step: the coin, sides, cards, places, Skeletons."""

from falldamage_forge.games.fall_damage.engine import codes as C
from falldamage_forge.games.fall_damage.engine.columns import State
from falldamage_forge.games.fall_damage.engine.effect_stack import owe
from falldamage_forge.games.fall_damage.engine.effects import put
from falldamage_forge.games.fall_damage.engine.notation import (
    add,
    key_of,
    meaning,
    spot_in,
    word_in,
)
from falldamage_forge.games.fall_damage.engine.revival import in_zone, new_unit
from falldamage_forge.games.fall_damage.engine.surface_index import apart, before


def add_pick(s: State, side: int, card: int) -> None:
    """A side has one card more."""
    s.picks[side * C.MOST_PICKS + s.n_picks[side]] = card
    s.n_picks[side] += 1


def setup_task(s: State, name: int, a: int) -> None:
    """A step of setting up."""
    if name == C.DRAFT_NEXT:
        draft_next(s)
    elif name == C.PLACE_NEXT:
        place_next(s, a)
    elif name == C.SKELETONS:
        for i in range(s.n_units):
            if s.side[i] == a and s.spot[i] >= 0 and s.card[i] == s.necromancer_card:
                for _ in range(C.PARTY):
                    owe(s, C.SKELETON, i)
    elif name == C.SKELETON:
        if skeleton_spot(s, a) >= 0:
            if s.skeleton_place:
                owe(s, C.STAND_UP, a)
            else:
                new_unit(s, s.side[a], s.skeleton_card, skeleton_spot(s, a), 1)
    elif name == C.SETTLE_ALL:
        for i in range(s.n_units - 1, -1, -1):
            if s.spot[i] >= 0:
                owe(s, C.REST, i, 0)
    else:
        s.phase, s.to_act, s.left_in_turn = C.CHOOSE, s.first, 2
        owe(s, C.FIRST_TURN)
        owe(s, C.JUDGE)


def draft_next(s: State) -> None:
    """Who picks next: a side after the other, or card by card (option `draft`)."""
    lacks_red = s.n_picks[0] < s.n_team[0]
    lacks_blue = s.n_picks[1] < s.n_team[1]
    if not lacks_red and not lacks_blue:
        return
    first = s.first
    side = first if (lacks_red if first == 0 else lacks_blue) else 1 - first
    if s.draft == C.DRAFT_ALTERNATE and lacks_red and lacks_blue:
        side = 1 - first if s.n_picks[first] > s.n_picks[1 - first] else first
    owe(s, C.DRAFT_NEXT)
    owe(s, C.PICK, side)


def may_pick(s: State, side: int, card: int) -> bool:
    """Whether a side may draft a card."""
    alike = 0
    for other in range(2):
        for n in range(s.n_picks[other]):
            picked = s.picks[other * C.MOST_PICKS + n]
            if other == side:
                alike += 1 if s.card_class[picked] == s.card_class[card] else 0
                if picked == card and not s.team_duplicates:
                    return False
            elif picked == card and s.shared_cards:
                return False
    return alike < C.PER_CLASS


def place_next(s: State, placed: int) -> None:
    """Stand the teams up: as given, as listed, or one decision a unit."""
    count_red, count_blue = 0, 0
    for i in range(s.n_units):
        side = s.side[i]
        n = count_red if side == 0 else count_blue
        if s.card[i] < 0 and n < s.n_picks[side]:
            card = s.picks[side * C.MOST_PICKS + n]
            s.card[i] = card
            s.health[i] = s.max_health[i] = s.printed[card * C.STATS + C.H]
        count_red += 1 if side == 0 else 0
        count_blue += 1 if side == 1 else 0
    if placed or s.placement:
        place_all(s, placed)
        return
    first = s.first
    lacks_first, lacks_other = lacking(s, first), lacking(s, 1 - first)
    if lacks_first + lacks_other == 0:
        return
    side = first if lacks_first else 1 - first
    if s.draft == C.DRAFT_ALTERNATE and lacks_other:
        side = 1 - first if lacks_first < lacks_other else first
    owe(s, C.PLACE_NEXT, 0)
    for i in range(s.n_units):
        if s.side[i] == side and s.spot[i] < 0:
            owe(s, C.PLACE, i)
            return


def place_all(s: State, placed: int) -> None:
    """Each side's units in their order, on given places or its start surfaces."""
    for side in range(2):
        at = 0
        for i in range(s.n_units):
            if s.side[i] != side:
                continue
            spot = given_spot(s, side, at) if placed else start_spot(s, side, at)
            if spot >= 0:
                put(s, i, spot)
            at += 1


def given_spot(s: State, side: int, at: int) -> int:
    """The place that is given for a unit of a side; -1: none."""
    for n in range(s.n_spots):
        if s.spot_side[n] == side:
            if at == 0:
                return s.team_spot[n]
            at -= 1
    return -1


def start_spot(s: State, side: int, at: int) -> int:
    """A side's start surface by number; -1: there are not so many."""
    count = s.n_zone_red if side == 0 else s.n_zone_blue
    return s.zone_spots[(0 if side == 0 else s.n_zone_red) + at] if at < count else -1


def lacking(s: State, side: int) -> int:
    """How many units of a side stand nowhere."""
    count = 0
    for i in range(s.n_units):
        count += 1 if s.side[i] == side and s.spot[i] < 0 else 0
    return count


def skeleton_spot(s: State, i: int) -> int:
    """The free surface nearest to a Necromancer, outside both start zones; -1: none."""
    own, found = s.spot[i], -1
    for n in range(s.n_surfaces):
        spot = s.surfaces[n]
        if s.occupant[spot] >= 0 or in_zone(s, spot):
            continue
        if found < 0 or before(spot, own, found):
            found = spot
    return found


# -- what is asked ---------------------------------------------------------------------------------


def list_setup(s: State, name: int, a: int) -> None:
    """The answers to a question of setting up."""
    if name == C.TOSS:
        add(s, key_of(C.K_CHANCE, C.M_COIN, word=s.chance_words[6]))
        add(s, key_of(C.K_CHANCE, C.M_COIN, word=s.chance_words[7]))
    elif name == C.CHOOSE_SIDE:
        add(s, key_of(C.K_SIDE, C.M_SIDE, word=s.side_words[0]))
        add(s, key_of(C.K_SIDE, C.M_SIDE, word=s.side_words[1]))
    elif name == C.PICK:
        for word in range(s.n_words):
            if s.word_kind[word] == C.W_CARD and may_pick(s, a, meaning(s, word)):
                add(s, key_of(C.K_DRAFT, C.M_DRAFT, word=word))
    elif name == C.PLACE:
        for n in range(s.n_zone_red if s.side[a] == 0 else s.n_zone_blue):
            spot = start_spot(s, s.side[a], n)
            if s.occupant[spot] < 0:
                add(s, key_of(C.K_PLACE, C.M_PLACE, spot, one=a))
    else:
        nearest = skeleton_spot(s, a)
        for n in range(s.n_surfaces):
            spot = s.surfaces[n]
            near = apart(spot, s.spot[a]) == apart(nearest, s.spot[a])
            if near and s.occupant[spot] < 0 and not in_zone(s, spot):
                add(s, key_of(C.K_PLACE, C.M_PLACE_SKELETON, spot, one=a))


def answer_setup(s: State, name: int, a: int, key: int) -> None:
    """Do what an answer says."""
    word = word_in(key)
    if name == C.TOSS:
        tails = 1 if word == s.chance_words[7] else 0
        if s.side_choice:
            owe(s, C.CHOOSE_SIDE, tails)
        else:
            s.first = s.to_act = tails
    elif name == C.CHOOSE_SIDE:
        side = 0 if word == s.side_words[0] else 1
        s.seats[side], s.seats[1 - side] = a, 1 - a
        s.first = s.to_act = 1 - side
    elif name == C.PICK:
        add_pick(s, a, meaning(s, word))
    elif name == C.PLACE:
        put(s, a, spot_in(key))
    else:
        new_unit(s, s.side[a], s.skeleton_card, spot_in(key), 1)
