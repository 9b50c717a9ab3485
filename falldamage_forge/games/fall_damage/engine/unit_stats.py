"""A unit's values as they are now."""

from falldamage_forge.games.fall_damage.engine import codes as C
from falldamage_forge.games.fall_damage.engine.columns import State
from falldamage_forge.games.fall_damage.engine.line_of_sight import in_sight
from falldamage_forge.games.fall_damage.engine.surface_index import around, in_reach, melee_near


def printed(s: State, i: int, stat: int) -> int:
    """A value as the card prints it (`L.OWN_M` to `L.OWN_P`), a botched swap counted."""
    own = s.own[i * C.STATS + stat]
    return own if own >= 0 else s.printed[s.card[i] * C.STATS + stat]


def has(s: State, i: int, ability: int) -> bool:
    """Whether a unit has an ability, by its card or by the Mime's Gloves."""
    if s.extra[i] == ability:
        return True
    return s.card_abilities[s.card[i]] >> ability & 1 == 1


def lends(s: State, i: int, ability: int) -> int:
    """The card an ability comes from, by number; -1: its own."""
    if s.card_abilities[s.card[i]] >> ability & 1 or s.extra[i] < 0:
        return -1
    other = s.extra_card[i]
    return -1 if other == s.card[i] else other


def number(s: State, ability: int, what: int) -> int:
    """A number of an ability's table."""
    return s.numbers[ability * C.ABILITY + what]


def alive(s: State, i: int) -> bool:
    """Whether a unit stands on the board."""
    return s.spot[i] >= 0


def reach_of(s: State, i: int) -> int:
    """Reach of the plain Attack."""
    return printed(s, i, C.R) + s.reach_plus[i]


def reach_with(s: State, i: int, ability: int) -> int:
    """Reach of an ability: its own, or the card's with what treasure adds."""
    own = number(s, ability, C.A_REACH)
    if own:
        return own
    other = lends(s, i, ability)
    base = printed(s, i, C.R) if other < 0 else s.printed[other * C.STATS + C.R]
    return base + s.reach_plus[i]


def letter_of(s: State, i: int) -> int:
    """The letter of a unit's Push."""
    return s.card_letter[s.card[i]]


def tiles_of(s: State, i: int) -> int:
    """The tiles of a unit's Push."""
    letter = letter_of(s, i)
    if letter == C.NO_LETTER:
        return 0
    return 1 if letter == C.FRONT else printed(s, i, C.P) + s.push_plus[i]


def jump_of(s: State, i: int) -> int:
    """How high a unit climbs in a step."""
    if has(s, i, C.CRAWL) or has(s, i, C.HOOK):
        return C.UNLIMITED
    return min(printed(s, i, C.J) + s.jump_plus[i], C.UNLIMITED)


def fixed(s: State, i: int) -> bool:
    """Whether it cannot be pushed."""
    if s.lead_shoes[i] or has(s, i, C.ROOTED):
        return True
    rope = s.rope[s.spot[i] >> 4]
    return s.n_zones > 0 and rope >> s.side[i] & 1 == 1


def may_attack(s: State, i: int) -> bool:
    """Who has a plain Attack at all."""
    if not s.card_own_reach[s.card[i]] or s.card_abilities[s.card[i]] >> C.SPLASH & 1:
        return False
    if s.zero_attack or printed(s, i, C.A) + s.attack_plus[i] > 0:
        return True
    return tiles_of(s, i) > 0


def sung_to(s: State, i: int) -> bool:
    """Whether a friend's Song reaches a unit now."""
    side, spot = s.side[i], s.spot[i]
    for other in range(s.n_units):
        if s.spot[other] < 0 or s.side[other] != side or other == i or s.song_off[other]:
            continue
        if has(s, other, C.SONG):
            reach = max(reach_with(s, other, C.SONG), 1)
            near = in_reach(s, s.spot[other], spot, reach)
            if near and (not s.aura_los or in_sight(s, s.spot[other], spot)):
                return True
    return False


def intimidators(s: State, i: int) -> int:
    """Enemies next to a unit, diagonals counted, that intimidate it."""
    side, spot, found = s.side[i], s.spot[i], 0
    for foe in range(s.n_units):
        if s.spot[foe] < 0 or s.side[foe] == side or not has(s, foe, C.INTIMIDATE):
            continue
        near = s.intimidate_levels == 1 or abs((s.spot[foe] & 15) - (spot & 15)) <= 1
        if near and around(s.spot[foe], spot) == 1:
            found += 1
    return found


def poisoned(s: State, i: int) -> int:
    """How often a Poison Mist takes away from a unit's values."""
    return min(s.mist_rounds[i], 1) if s.poison_stack else s.mist_rounds[i]


def is_first(s: State, i: int) -> bool:
    """Whether a Vanguard is the first to act: of the round, or of its side."""
    if s.vanguard == 0:
        return s.activations_this_round == 0
    for other in range(s.n_units):
        if s.side[other] == s.side[i] and s.activated[other]:
            return False
    return True


def carried(s: State, i: int, move: int) -> int:
    """Move as far as it goes with the Icon or the Bomb: half."""
    if not s.carries[i]:
        return move
    return (move + 1) // 2 if s.carry_round else move // 2


def is_melee(s: State, i: int, spot: int) -> bool:
    """Whether an Attack on a surface is melee."""
    if s.melee_is == C.MELEE_ADJACENT:
        return melee_near(s, s.spot[i], spot, s.diagonal[i])
    if s.melee_is == C.MELEE_CARD:
        return printed(s, i, C.R) == 1
    return reach_of(s, i) == 1


def effective_move(s: State, i: int, coin: int) -> int:
    """Move at the start of an activation; `coin` is the Beast's Move as it fell, or -1."""
    if s.vines[i]:
        return 0
    base = printed(s, i, C.M) if coin < 0 else coin
    if base >= C.UNLIMITED:
        base = number(s, C.UNGOVERNABLE, C.A_TAILS)
    if has(s, i, C.VANGUARD) and is_first(s, i):
        base += number(s, C.VANGUARD, C.A_AMOUNT)
    if sung_to(s, i):
        base += number(s, C.SONG, C.A_AMOUNT)
    several = intimidators(s, i)
    less = number(s, C.INTIMIDATE, C.A_AMOUNT) * (several if s.stack else min(several, 1))
    less += poisoned(s, i) * number(s, C.POISON, C.A_AMOUNT)
    return max(base + s.move_plus[i] - less, 0)


def attack_number(s: State, i: int, melee: int, rooted: int) -> int:
    """Attack with all that adds and takes but the height."""
    own = s.active == i and s.aura_when == 0
    song = s.song_now[i] == 1 if own else sung_to(s, i)
    found = printed(s, i, C.A) + s.attack_plus[i]
    found -= poisoned(s, i) * number(s, C.POISON, C.A_AMOUNT)
    if song:
        found += number(s, C.SONG, C.A_AMOUNT)
    if rooted:
        found += number(s, C.ROOTED, C.A_AMOUNT)
    if s.promo[i]:
        found -= number(s, C.PROMOTE, C.A_AMOUNT)
    if melee:
        for friend in range(s.n_units):
            if s.drum[friend] and s.spot[friend] >= 0 and s.side[friend] == s.side[i]:
                return found + s.amounts[C.X_DRUM]
    return found


def height_number(s: State, attacker: int, target: int, melee: int) -> int:
    """What the height of two surfaces adds to an Attack."""
    rise = (target & 15) - (attacker & 15)
    if rise == 0:
        return 0
    if s.reversal_round == s.round:
        return 1 if rise > 0 else -1
    if melee or s.height_bonus == C.HEIGHT_ALL:
        return -1 if rise > 0 else 1
    return -1 if s.height_bonus == C.HEIGHT_LITERAL and rise > 0 else 0
