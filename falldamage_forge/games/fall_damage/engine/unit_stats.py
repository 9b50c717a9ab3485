"""Current values of a unit: card, treasure, statuses and auras together."""

from falldamage_forge.games.fall_damage.engine import codes as C
from falldamage_forge.games.fall_damage.engine.columns import StateColumns
from falldamage_forge.games.fall_damage.engine.line_of_sight import in_sight
from falldamage_forge.games.fall_damage.engine.surface_index import around, in_reach, melee_near


def printed_stat(s: StateColumns, i: int, stat: int) -> int:
    """Return a value as printed on the card, or as swapped by a Botched Ritual.

    Args:
        s: State of the game; read only.
        i: Index of the unit.
        stat: `codes.M` to `codes.P`.
    """
    own = s.own[i * C.STATS + stat]
    return own if own >= 0 else s.printed[s.card[i] * C.STATS + stat]


def has_ability(s: StateColumns, i: int, ability: int) -> bool:
    """True if a unit has an ability, by its card or by the Mime's Gloves.

    Args:
        s: State of the game; read only.
        i: Index of the unit.
        ability: Number of the ability, such as `codes.BOMB`.
    """
    if s.extra[i] == ability:
        return True
    return s.card_abilities[s.card[i]] >> ability & 1 == 1


def lends(s: StateColumns, i: int, ability: int) -> int:
    """Return the number of the card that lends a unit an ability; -1: its own.

    Args:
        s: State of the game; read only.
        i: Index of the unit.
        ability: Number of the ability, such as `codes.BOMB`.
    """
    if s.card_abilities[s.card[i]] >> ability & 1 or s.extra[i] < 0:
        return -1
    other = s.extra_card[i]
    return -1 if other == s.card[i] else other


def number(s: StateColumns, ability: int, what: int) -> int:
    """Return a number of an ability's table.

    Args:
        s: State of the game; read only.
        ability: Ability, such as `codes.BOMB`.
        what: Column of the table, such as `codes.A_REACH`.
    """
    return s.numbers[ability * C.ABILITY + what]


def alive(s: StateColumns, i: int) -> bool:
    """True if a unit is on the board.

    Args:
        s: State of the game; read only.
        i: Index of the unit.
    """
    return s.spot[i] >= 0


def reach_of(s: StateColumns, i: int) -> int:
    """Return the reach of a unit's plain Attack in tiles.

    Args:
        s: State of the game; read only.
        i: Index of the unit.
    """
    return printed_stat(s, i, C.R) + s.reach_plus[i]


def reach_with(s: StateColumns, i: int, ability: int) -> int:
    """Return the reach of an ability: its own, or the card's with treasure.

    Args:
        s: State of the game; read only.
        i: Index of the unit.
        ability: Number of the ability, such as `codes.BOMB`.
    """
    own = number(s, ability, C.A_REACH)
    if own:
        return own
    other = lends(s, i, ability)
    base = printed_stat(s, i, C.R) if other < 0 else s.printed[other * C.STATS + C.R]
    return base + s.reach_plus[i]


def letter_of(s: StateColumns, i: int) -> int:
    """Return the letter of a unit's Push.

    Args:
        s: State of the game; read only.
        i: Index of the unit.
    """
    return s.card_letter[s.card[i]]


def tiles_of(s: StateColumns, i: int) -> int:
    """Return the length of a unit's Push in tiles.

    Args:
        s: State of the game; read only.
        i: Index of the unit.
    """
    letter = letter_of(s, i)
    if letter == C.NO_LETTER:
        return 0
    return 1 if letter == C.FRONT else printed_stat(s, i, C.P) + s.push_plus[i]


def jump_of(s: StateColumns, i: int) -> int:
    """Return a unit's Jump in levels, at most `codes.UNLIMITED`.

    Args:
        s: State of the game; read only.
        i: Index of the unit.
    """
    if has_ability(s, i, C.CRAWL) or has_ability(s, i, C.HOOK):
        return C.UNLIMITED
    return min(printed_stat(s, i, C.J) + s.jump_plus[i], C.UNLIMITED)


def is_immovable(s: StateColumns, i: int) -> bool:
    """True if a unit cannot be pushed.

    Args:
        s: State of the game; read only.
        i: Index of the unit.

    Source: "Cannot be Pushed", "Lead Shoes: This unit can no longer be pushed".
    """
    if s.lead_shoes[i] or has_ability(s, i, C.ROOTED):
        return True
    rope = s.rope[s.spot[i] >> 4]
    return s.n_zones > 0 and rope >> s.side[i] & 1 == 1


def may_attack(s: StateColumns, i: int) -> bool:
    """True if a unit has a plain Attack.

    Args:
        s: State of the game; read only.
        i: Index of the unit.
    """
    if not s.card_own_reach[s.card[i]] or s.card_abilities[s.card[i]] >> C.SPLASH & 1:
        return False
    if s.zero_attack or printed_stat(s, i, C.A) + s.attack_plus[i] > 0:
        return True
    return tiles_of(s, i) > 0


def hears_song(s: StateColumns, i: int) -> bool:
    """True if a friend's Song reaches a unit now.

    Args:
        s: State of the game; read only.
        i: Index of the unit.

    Source: "Buffs all friendly units in Reach with +1 Move +1 Attack".
    """
    side, spot = s.side[i], s.spot[i]
    for other in range(s.n_units):
        if s.spot[other] < 0 or s.side[other] != side or other == i or s.song_off[other]:
            continue
        if has_ability(s, other, C.SONG):
            reach = max(reach_with(s, other, C.SONG), 1)
            near = in_reach(s, s.spot[other], spot, reach)
            if near and (not s.aura_los or in_sight(s, s.spot[other], spot)):
                return True
    return False


def intimidators(s: StateColumns, i: int) -> int:
    """Return the number of adjacent enemies that intimidate a unit.

    Args:
        s: State of the game; read only.
        i: Index of the unit.

    Source: "Adjacent (including diagonal) enemies suffer -1 Move".
    """
    side, spot, found = s.side[i], s.spot[i], 0
    for foe in range(s.n_units):
        if s.spot[foe] < 0 or s.side[foe] == side or not has_ability(s, foe, C.INTIMIDATE):
            continue
        near = s.intimidate_levels == 1 or abs((s.spot[foe] & 15) - (spot & 15)) <= 1
        if near and around(s.spot[foe], spot) == 1:
            found += 1
    return found


def poisoned(s: StateColumns, i: int) -> int:
    """Return how often a Poison Mist reduces a unit's values.

    Args:
        s: State of the game; read only.
        i: Index of the unit.
    """
    return min(s.mist_rounds[i], 1) if s.poison_stack else s.mist_rounds[i]


def is_first(s: StateColumns, i: int) -> bool:
    """True if a Vanguard is the first to act: of the round, or of its side.

    Args:
        s: State of the game; read only.
        i: Index of the unit.

    Source: "If Knight is activated first in a round, Gain +1 Move".
    """
    if s.vanguard == 0:
        return s.activations_this_round == 0
    for other in range(s.n_units):
        if s.side[other] == s.side[i] and s.activated[other]:
            return False
    return True


def halve_if_carrying(s: StateColumns, i: int, move: int) -> int:
    """Return a Move in tiles, halved for the carrier of the Icon or the Bomb.

    Args:
        s: State of the game; read only.
        i: Index of the unit.
        move: Move in tiles.

    Source: "Move speed halved for the unit carrying the Treasure".
    """
    if not s.carries[i]:
        return move
    return (move + 1) // 2 if s.carry_round else move // 2


def is_melee(s: StateColumns, i: int, spot: int) -> bool:
    """True if an Attack on a surface is melee (option `melee_is`).

    Args:
        s: State of the game; read only.
        i: Index of the unit.
        spot: Surface index.
    """
    if s.melee_is == C.MELEE_ADJACENT:
        return melee_near(s, s.spot[i], spot, s.diagonal[i])
    if s.melee_is == C.MELEE_CARD:
        return printed_stat(s, i, C.R) == 1
    return reach_of(s, i) == 1


def effective_move(s: StateColumns, i: int, coin: int) -> int:
    """Return a unit's Move at the start of an activation.

    Args:
        s: State of the game; read only.
        i: Index of the unit.
        coin: The Beast's Move by its coin; -1 for none.
    """
    base = printed_stat(s, i, C.M) if coin < 0 else coin
    if base >= C.UNLIMITED:
        base = number(s, C.UNGOVERNABLE, C.A_TAILS)
    first = has_ability(s, i, C.VANGUARD) and is_first(s, i)
    return move_with(s, i, base, first, hears_song(s, i), intimidators(s, i))


def move_with(s: StateColumns, i: int, base: int, first: bool, song: bool, several: int) -> int:
    """Return a Move with all modifiers, at least 0.

    Args:
        s: State of the game; read only.
        i: Index of the unit.
        base: Move before modifiers.
        first: True if Vanguard applies.
        song: True if a Song applies.
        several: Number of intimidating enemies.
    """
    if s.vines[i]:
        return 0
    if first:
        base += number(s, C.VANGUARD, C.A_AMOUNT)
    if song:
        base += number(s, C.SONG, C.A_AMOUNT)
    less = number(s, C.INTIMIDATE, C.A_AMOUNT) * (several if s.stack else min(several, 1))
    less += poisoned(s, i) * number(s, C.POISON, C.A_AMOUNT)
    return max(base + s.move_plus[i] - less, 0)


def attack_number(s: StateColumns, i: int, melee: int, rooted: int) -> int:
    """Return a unit's Attack with all modifiers except height.

    Args:
        s: State of the game; read only.
        i: Index of the unit.
        melee: 1 if the attack is melee.
        rooted: 1 if Rooted applies.
    """
    own = s.active == i and s.aura_when == 0
    song = s.song_now[i] == 1 if own else hears_song(s, i)
    found = printed_stat(s, i, C.A) + s.attack_plus[i]
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


def height_number(s: StateColumns, attacker: int, target: int, melee: int) -> int:
    """Return the modifier of an Attack by height.

    Args:
        s: State of the game; read only.
        attacker: Surface of the attacker.
        target: Surface of the target.
        melee: 1 if the attack is melee.

    Source: "Downward melee is rewarded with +1 Attack", "inversely Attacking upwards has a penalty
        of -1 total damage".
    """
    rise = (target & 15) - (attacker & 15)
    if rise == 0:
        return 0
    if s.reversal_round == s.round:
        return 1 if rise > 0 else -1
    if melee or s.height_bonus == C.HEIGHT_ALL:
        return -1 if rise > 0 else 1
    return -1 if s.height_bonus == C.HEIGHT_LITERAL and rise > 0 else 0
