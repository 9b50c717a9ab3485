"""Line of sight: "connecting a straight line through space from attacker to target".

Exact, in fractions. A unit's eye and heart are the middle of its voxel (option `los_eye`); a solid
blocks when the line meets its inside in any tile crossed, so grazing a face, an edge or a corner
leaves the line open. What each end stands on never blocks: that alone is looked through, not what
lies further down in the same tile.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from math import lcm

from falldamage_forge.board import Tile
from falldamage_forge.board.surfaces import Surface, Terrain
from falldamage_forge.games.fall_damage.options import Options
from falldamage_forge.rules.answers import Sight


def sees(
    terrain: Terrain,
    viewer: Surface,
    target: Surface,
    options: Options,
    *,
    taken: frozenset[Surface] = frozenset(),
    fog: frozenset[Tile] = frozenset(),
) -> Sight:
    """Whether one surface's unit sees another's; `taken` are the other units' surfaces.

    A line that meets the inside of a tile of `fog` is closed at any height, its ends included
    ("Fog block LOS Attacks except melee": melee does not ask this).
    """
    others = taken - {viewer, target}
    for tile, enter, leave in crossed(
        viewer.tile, target.tile, closed=options.los_corner == "closed"
    ):
        if tile in fog and enter < leave:
            return Sight(False, f"fog at {tile}")
        low, high = _heights(viewer, target, enter, leave, options)
        for what, bottom, top in _terrain_solids(terrain, tile, options):
            if _spared(tile, top, viewer, target, options):
                continue
            if low < top and (bottom is None or high > bottom):
                return Sight(False, f"{what} at {tile}")
        for level in sorted(unit.level for unit in others if unit.tile == tile):
            if low < level + 1 and high > level:
                return Sight(False, f"a unit at {tile}")
    return Sight(True)


def _heights(
    viewer: Surface, target: Surface, enter: Fraction, leave: Fraction, options: Options
) -> tuple[Fraction, Fraction]:
    """Least and greatest height of the line between two points of its way."""
    start = viewer.level + options.los_eye_exact
    rise = target.level - viewer.level
    ends = (start + rise * enter, start + rise * leave)
    return min(ends), max(ends)


def _spared(tile: Tile, top: Fraction, viewer: Surface, target: Surface, options: Options) -> bool:
    """The support right under its feet does not block, unless another end is in the same tile."""
    if options.los_own == "strict":
        return False
    here = [end for end in (viewer, target) if end.tile == tile]
    return bool(here) and all(top == end.level for end in here)


def _terrain_solids(
    terrain: Terrain, tile: Tile, options: Options
) -> Iterator[tuple[str, Fraction | None, Fraction]]:
    """Solids over a tile as (what, bottom, top); terrain has no bottom."""
    column = terrain.board.column(tile)
    top = terrain.top(tile)
    what = f"the {column.feature}" if column.feature else "terrain"
    yield what, None, Fraction(top)
    thickness = options.deck_thickness_exact
    for deck in terrain.decks(tile):
        yield "the bridge", deck - thickness, Fraction(deck)


Crossing = tuple[int, int, int, int]
"""Row and column offset of a tile, where the line enters and leaves it in parts of the way."""


@lru_cache(maxsize=20_000)
def crossings(rows: int, cols: int, closed: bool) -> tuple[int, tuple[Crossing, ...]]:
    """Tiles crossed by the line between two tiles' middles that lie `rows` and `cols` apart.

    Gives the number of parts the way is counted in, and the tiles row by row. A tile whose inside
    is not met is left out, also one that is only touched at a corner, unless `closed`.
    """
    parts = 2 * lcm(abs(rows) or 1, abs(cols) or 1)
    spans_of_cols = [(col, _inside(cols, col, parts)) for col in _between(cols)]
    found = []
    for row in _between(rows):
        first, last = _inside(rows, row, parts)
        for col, (begin, end) in spans_of_cols:
            enter, leave = max(first, begin), min(last, end)
            if enter < leave or (closed and enter == leave):
                found.append((row, col, enter, leave))
    return parts, tuple(found)


def _between(delta: int) -> range:
    return range(min(delta, 0), max(delta, 0) + 1)


def _inside(delta: int, cell: int, parts: int) -> tuple[int, int]:
    """The parts of the way, out of `parts`, on which 1/2 + way * delta lies in [cell, cell + 1]."""
    if delta == 0:
        return 0, parts
    ends = ((2 * cell - 1) * parts // (2 * delta), (2 * cell + 1) * parts // (2 * delta))
    return max(min(ends), 0), min(max(ends), parts)


def crossed(a: Tile, b: Tile, *, closed: bool = False) -> Iterator[tuple[Tile, Fraction, Fraction]]:
    """The tiles between two tiles as `crossings` gives them, with positions from 0 at `a` to 1."""
    parts, tiles = crossings(b.row - a.row, b.col - a.col, closed)
    for row, col, enter, leave in tiles:
        yield Tile(a.row + row, a.col + col), Fraction(enter, parts), Fraction(leave, parts)
