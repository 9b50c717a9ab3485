"""Setup step by step: coin, sides, draft, placement, Skeletons."""

from falldamage_forge.games.fall_damage.engine import codes as C
from falldamage_forge.games.fall_damage.engine import notation
from falldamage_forge.games.fall_damage.engine.columns import StateColumns
from falldamage_forge.games.fall_damage.engine.effects import push_task, put
from falldamage_forge.games.fall_damage.engine.revival import in_zone, new_unit
from falldamage_forge.games.fall_damage.engine.surface_index import apart, before


def add_pick(s: StateColumns, side: int, card: int) -> None:
    """Add a card to a side's picks.

    Args:
        s: State of the game; changed.
        side: 0 red, 1 blue.
        card: Number of the card.
    """
    s.picks[side * C.MOST_PICKS + s.n_picks[side]] = card
    s.n_picks[side] += 1


def setup_task(s: StateColumns, name: int, a: int) -> None:
    """Resolve a setup task.

    Args:
        s: State of the game; changed.
        name: The task, from `codes.DRAFT_NEXT` to `codes.SETTLE_ALL`, or `codes.START`.
        a: First value of the task: a side, a unit, or 1 if places are given.
    """
    if name == C.DRAFT_NEXT:
        draft_next(s)
    elif name == C.PLACE_NEXT:
        place_next(s, a)
    elif name == C.SKELETONS:
        for i in range(s.n_units):
            if s.side[i] == a and s.spot[i] >= 0 and s.card[i] == s.necromancer_card:
                for _ in range(s.party):
                    push_task(s, C.SKELETON, i)
    elif name == C.SKELETON:
        if skeleton_spot(s, a) >= 0:
            if s.skeleton_place:
                push_task(s, C.STAND_UP, a)
            else:
                new_unit(s, s.side[a], s.skeleton_card, skeleton_spot(s, a), 1)
    elif name == C.SETTLE_ALL:
        for i in range(s.n_units - 1, -1, -1):
            if s.spot[i] >= 0:
                push_task(s, C.REST, i, 0)
    else:
        s.phase, s.to_act, s.left_in_turn = C.CHOOSE, s.first, s.turn_units
        push_task(s, C.FIRST_TURN)
        push_task(s, C.JUDGE)


def draft_next(s: StateColumns) -> None:
    """Stack the next pick: one side after the other, or alternating (option `draft`)."""
    lacks_red = s.n_picks[0] < s.n_team[0]
    lacks_blue = s.n_picks[1] < s.n_team[1]
    if not lacks_red and not lacks_blue:
        return
    first = s.first
    side = first if (lacks_red if first == 0 else lacks_blue) else 1 - first
    if s.draft == C.DRAFT_ALTERNATE and lacks_red and lacks_blue:
        side = 1 - first if s.n_picks[first] > s.n_picks[1 - first] else first
    push_task(s, C.DRAFT_NEXT)
    push_task(s, C.PICK, side)


def may_pick(s: StateColumns, side: int, card: int) -> bool:
    """True if a side may draft a card.

    Args:
        s: State of the game; read only.
        side: 0 red, 1 blue.
        card: Number of the card.
    """
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
    return alike < s.class_cards


def place_next(s: StateColumns, placed: int) -> None:
    """Place the teams: on given surfaces, in list order, or one decision per unit.

    Args:
        s: State of the game; changed.
        placed: 1 if the places of both teams are given.
    """
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
    push_task(s, C.PLACE_NEXT, 0)
    for i in range(s.n_units):
        if s.side[i] == side and s.spot[i] < 0:
            push_task(s, C.PLACE, i)
            return


def place_all(s: StateColumns, placed: int) -> None:
    """Place each side's units in order, on given surfaces or on its start zone.

    Args:
        s: State of the game; changed.
        placed: 1 if the places are given; 0 for the start zones.
    """
    for side in range(2):
        at = 0
        for i in range(s.n_units):
            if s.side[i] != side:
                continue
            spot = given_spot(s, side, at) if placed else start_spot(s, side, at)
            if spot >= 0:
                put(s, i, spot)
            at += 1


def given_spot(s: StateColumns, side: int, at: int) -> int:
    """Return the surface given for the unit number `at` of a side; -1: none.

    Args:
        s: State of the game; read only.
        side: 0 red, 1 blue.
        at: Place of the unit in the list of its side, from 0.
    """
    for n in range(s.n_spots):
        if s.spot_side[n] == side:
            if at == 0:
                return s.team_spot[n]
            at -= 1
    return -1


def start_spot(s: StateColumns, side: int, at: int) -> int:
    """Return surface number `at` of a side's start zone; -1: the zone is smaller.

    Args:
        s: State of the game; read only.
        side: 0 red, 1 blue.
        at: Place in the zone, from 0.
    """
    count = s.n_zone_red if side == 0 else s.n_zone_blue
    return s.zone_spots[(0 if side == 0 else s.n_zone_red) + at] if at < count else -1


def lacking(s: StateColumns, side: int) -> int:
    """Return the number of a side's units that are not placed.

    Args:
        s: State of the game; read only.
        side: 0 red, 1 blue.
    """
    count = 0
    for i in range(s.n_units):
        count += 1 if s.side[i] == side and s.spot[i] < 0 else 0
    return count


def skeleton_spot(s: StateColumns, i: int) -> int:
    """Return the free surface nearest to a Necromancer and outside the start zones; -1: none.

    Args:
        s: State of the game; read only.
        i: Index of the Necromancer.
    """
    own, found = s.spot[i], -1
    for n in range(s.n_surfaces):
        spot = s.surfaces[n]
        if s.occupant[spot] >= 0 or in_zone(s, spot):
            continue
        if found < 0 or before(spot, own, found, s.side[i]):
            found = spot
    return found


# -- decisions of the setup ------------------------------------------------------------------------


def list_setup(s: StateColumns, name: int, a: int) -> None:
    """List the answers to a setup decision.

    Args:
        s: State of the game; only work columns change.
        name: The decision, such as `codes.PICK`.
        a: First value of the decision: a side or a unit.
    """
    if name == C.TOSS:
        notation.append_move(s, notation.key_of(C.K_CHANCE, C.M_COIN, word=s.chance_words[6]))
        notation.append_move(s, notation.key_of(C.K_CHANCE, C.M_COIN, word=s.chance_words[7]))
    elif name == C.CHOOSE_SIDE:
        notation.append_move(s, notation.key_of(C.K_SIDE, C.M_SIDE, word=s.side_words[0]))
        notation.append_move(s, notation.key_of(C.K_SIDE, C.M_SIDE, word=s.side_words[1]))
    elif name == C.PICK:
        for word in range(s.n_words):
            if s.word_kind[word] == C.W_CARD and may_pick(s, a, notation.decode_word(s, word)):
                notation.append_move(s, notation.key_of(C.K_DRAFT, C.M_DRAFT, word=word))
    elif name == C.PLACE:
        for n in range(s.n_zone_red if s.side[a] == 0 else s.n_zone_blue):
            spot = start_spot(s, s.side[a], n)
            if s.occupant[spot] < 0:
                notation.append_move(s, notation.key_of(C.K_PLACE, C.M_PLACE, spot, one=a))
    else:
        nearest = skeleton_spot(s, a)
        for n in range(s.n_surfaces):
            spot = s.surfaces[n]
            near = apart(spot, s.spot[a]) == apart(nearest, s.spot[a])
            if near and s.occupant[spot] < 0 and not in_zone(s, spot):
                notation.append_move(s, notation.key_of(C.K_PLACE, C.M_PLACE_SKELETON, spot, one=a))


def answer_setup(s: StateColumns, name: int, a: int, key: int) -> None:
    """Resolve the answer to a setup decision.

    Args:
        s: State of the game; changed.
        name: The decision, such as `codes.PICK`.
        a: First value of the decision: a side or a unit.
        key: Number of the answer.
    """
    word = notation.word_in(key)
    if name == C.TOSS:
        tails = 1 if word == s.chance_words[7] else 0
        if s.side_choice:
            push_task(s, C.CHOOSE_SIDE, tails)
        else:
            s.first = s.to_act = tails
    elif name == C.CHOOSE_SIDE:
        side = 0 if word == s.side_words[0] else 1
        s.seats[side], s.seats[1 - side] = a, 1 - a
        s.first = s.to_act = 1 - side
    elif name == C.PICK:
        add_pick(s, a, notation.decode_word(s, word))
    elif name == C.PLACE:
        put(s, a, notation.spot_in(key))
    else:
        new_unit(s, s.side[a], s.skeleton_card, notation.spot_in(key), 1)
