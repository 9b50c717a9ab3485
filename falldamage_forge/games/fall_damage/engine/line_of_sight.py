"""Whether a line between two surfaces is open."""

from falldamage_forge.games.fall_damage.engine import codes as C
from falldamage_forge.games.fall_damage.engine.columns import State
from falldamage_forge.games.fall_damage.engine.surface_index import cols_between, rows_between
from falldamage_forge.games.fall_damage.engine.terrain_state import decks_without, lowest


def way_row(s: State, one: int, other: int) -> int:
    """Where the tiles between two spots' tiles are listed: index row of the ways."""
    rows, cols = rows_between(one, other), cols_between(one, other)
    return (rows + s.lines_high) * (2 * s.lines_wide + 1) + cols + s.lines_wide


def open_line(
    s: State, one: int, other: int, own: int, spared: int, leave_tile: int, leave_deck: int
) -> bool:
    """Whether a line is open; see `closed_by`."""
    return closed_by(s, one, other, own, spared, leave_tile, leave_deck) < 0


def closed_by(
    s: State, one: int, other: int, own: int, spared: int, leave_tile: int, leave_deck: int
) -> int:
    """What closes a line: a tile times 4 and what of it (`codes.BY_GROUND` …); -1: it is open.

    `own` may not close it (the looker who would be elsewhere), nor may units on the tile `spared`;
    a feature on `leave_tile` and deck `leave_deck` count as away.
    """
    if one > other:
        one, other = other, one
    row = way_row(s, one, other)
    first, count, parts = s.way_first[row], s.way_count[row], s.way_parts[row]
    a, b = one & 15, other & 15
    level_parts = s.sight_level
    unit = level_parts * parts
    start, rise = a * unit + s.sight_eye * parts, (b - a) * level_parts
    deck_parts = s.sight_deck * parts
    for n in range(first, first + count):
        tile = (one >> 4) + s.way_tile[n]
        low, high = start + rise * s.way_low[n], start + rise * s.way_high[n]
        if low > high:
            low, high = high, low
        support = -1
        if not s.los_own and (tile == one >> 4 or tile == other >> 4):
            if one >> 4 == other >> 4 and a != b:
                support = -1
            else:
                support = a if tile == one >> 4 else b
        peak = s.top[tile]
        if tile == leave_tile:
            peak = s.level[tile] + s.bricks[tile]
        if low < peak * unit and peak != support:
            return tile << 2 | C.BY_GROUND
        decks = s.decks[tile]
        if decks and leave_deck >= 0:
            decks = decks_without(s, tile, leave_deck)
        while decks:
            deck = lowest(decks)
            decks &= decks - 1
            if deck != support and low < deck * unit and high > deck * unit - deck_parts:
                return tile << 2 | C.BY_DECK
        for level in range(low // unit, min(high // unit, 15) + 1):
            if low < (level + 1) * unit and high > level * unit:
                spot = tile << 4 | level
                who = s.occupant[spot]
                if who >= 0 and spot != one and spot != other and spot != own and tile != spared:
                    return tile << 2 | C.BY_UNIT
    return -1


def fogged(s: State, one: int, other: int) -> bool:
    """Whether fog lies on the way."""
    if s.n_zones == 0:
        return False
    row = way_row(s, one, other)
    for n in range(s.way_first[row], s.way_first[row] + s.way_count[row]):
        tile = (one >> 4) + s.way_tile[n]
        if s.fog[tile] and s.way_low[n] != s.way_high[n]:
            return True
    return False


def in_sight(s: State, one: int, other: int) -> bool:
    """Whether a line between two surfaces is open: terrain, everybody else, fog."""
    return open_line(s, one, other, C.NONE, C.NONE, C.NONE, C.NONE) and not fogged(s, one, other)
