"""Ties: moves of equal worth in an order that favours no side.

The order is a hash of the move and of the position, both as the deciding side sees them: for blue
the board is turned by half a turn, and a unit is its rank in its team. So a game and its image
under half a turn are played alike; under every other symmetry ties are as good as random.
"""

from falldamage_forge.games.fall_damage.engine import codes as C
from falldamage_forge.games.fall_damage.engine import notation
from falldamage_forge.games.fall_damage.engine.columns import StateColumns
from falldamage_forge.games.fall_damage.engine.decisions import chooser
from falldamage_forge.games.fall_damage.engine.surface_index import half_turned
from falldamage_forge.playtest.bot_kernels.bot_columns import Bots

BITS_31 = 0x7FFF_FFFF
MARGIN = 1e-9
"""Difference of two values below which they are equal: sums over units differ by their order."""


def scramble(one: int, other: int) -> int:
    """Return two integers mixed into 31 bits.

    Args:
        one: An integer; its order with the other counts.
        other: An integer.
    """
    mixed = (one * 1_000_003 + other * 7_919 + 12_345) & BITS_31
    mixed = (mixed >> 15 ^ mixed) * 73_244_475 & BITS_31
    mixed = (mixed >> 14 ^ mixed) * 73_244_475 & BITS_31
    return mixed >> 16 ^ mixed


def seen_spot(s: StateColumns, side: int, spot: int) -> int:
    """Return a surface as a side sees it from its end of the board; negative ones are kept.

    Args:
        s: State of the game; read only.
        side: 0 red, 1 blue.
        spot: Surface index; negative for none.
    """
    return half_turned(s, spot) if side == 1 and spot >= 0 else spot


def seen_unit(s: StateColumns, side: int, i: int) -> int:
    """Return a unit's rank in its team; enemies come after 64; -1: none.

    Args:
        s: State of the game; read only.
        side: 0 red, 1 blue.
        i: Index of the unit; negative for none.
    """
    if i < 0:
        return -1
    rank = 0 if s.side[i] == side else 64
    for other in range(i):
        rank += 1 if s.side[other] == s.side[i] else 0
    return rank


def seen_word(s: StateColumns, side: int, word: int) -> int:
    """Return a move's word; a terrain target is its place as a side sees it.

    Args:
        s: State of the game; read only.
        side: 0 red, 1 blue.
        word: Index of the word.
    """
    kind, value = s.word_kind[word], s.word_value[word]
    if kind == C.W_TREE or kind == C.W_SPIRE:
        return seen_spot(s, side, value << 4)
    if kind == C.W_LADDER:
        return seen_spot(s, side, s.foot_tile[value] << 4)
    if kind == C.W_DECK:
        one, other = s.deck_a[value] << 4, s.deck_b[value] << 4
        return seen_spot(s, side, one) + seen_spot(s, side, other)
    return word


def salt_of(s: StateColumns, side: int) -> int:
    """Return a hash of the units and their surfaces as a side sees them.

    Args:
        s: State of the game; read only.
        side: 0 red, 1 blue.
    """
    salt = scramble(s.round, s.n_stack)
    for i in range(s.n_units):
        place = seen_spot(s, side, s.spot[i])
        salt += scramble(scramble(place, s.health[i]), seen_unit(s, side, i))
    return salt & BITS_31


def seen(s: StateColumns, bots: Bots, key: int) -> int:
    """Return the hash of a move as the current player sees it.

    Two spots, or two units, of a move have no order.

    Args:
        s: State of the game; read only.
        bots: Columns of the bots; read only.
        key: Number of the move.
    """
    side = bots.tie_side
    spot, spot2 = notation.spot_in(key), notation.spot2_in(key)
    word = notation.word_in(key)
    spots = scramble(seen_spot(s, side, spot), 1)
    if s.word_kind[word] == C.W_DECK:
        spots = 0  # any tile of the bridge is as good an aim
    elif notation.name_in(key) == C.M_MOVE:
        spots += spot2
    else:
        spots += scramble(seen_spot(s, side, spot2), 1)
    one, two = notation.unit_in(key), notation.unit2_in(key)
    units = scramble(seen_unit(s, side, one), 2) + scramble(seen_unit(s, side, two), 2)
    way = notation.way_in(key)
    if side == 1 and way >= 0:
        way = (way + 2) & 3
    found = scramble(notation.kind_in(key) << 6 | notation.name_in(key), bots.tie_salt)
    found = scramble(found, spots)
    found = scramble(found, units)
    return scramble(found, seen_word(s, side, word) * 8 + way)


def look(s: StateColumns, bots: Bots) -> None:
    """Take in the position for the ties of one decision.

    Args:
        s: State of the game; read only.
        bots: Columns of the bots; changed.
    """
    bots.tie_side = chooser(s)
    bots.tie_salt = salt_of(s, bots.tie_side)


def better(s: StateColumns, bots: Bots, worth: float, key: int, best: float, found: int) -> bool:
    """True if a move comes before the best one so far.

    Args:
        s: State of the game; read only.
        bots: Columns of the bots, after `look`; read only.
        worth: Value of the move.
        key: The move.
        best: Value of the best one so far.
        found: The best one so far; -1: none.
    """
    if found < 0 or worth > best + MARGIN:
        return True
    return worth >= best - MARGIN and seen(s, bots, key) < seen(s, bots, found)


def any_move(s: StateColumns, bots: Bots, draw: int) -> int:
    """Return a legal move by a random integer, and its image where the board is turned.

    Args:
        s: State of the game with the legal moves; read only.
        bots: Columns of the bots, after `look`; changed.
        draw: The random integer.
    """
    bots.tie_salt = scramble(bots.tie_salt, draw)
    found = s.moves[0]
    for n in range(1, s.n_moves):
        if seen(s, bots, s.moves[n]) < seen(s, bots, found):
            found = s.moves[n]
    return found
