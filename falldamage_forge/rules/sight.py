"""Line of sight: "connecting a straight line through space from attacker to target".

Exact, in fractions. A unit's eye and heart are the middle of its voxel (option `los_eye`); a solid
blocks when the line meets its inside in any tile crossed, so grazing a face, an edge or a corner
leaves the line open. What each end stands on never blocks.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from falldamage_forge.board import Tile
from falldamage_forge.rules.ruleset import Options
from falldamage_forge.surfaces import Surface, Terrain


@dataclass(frozen=True, slots=True)
class Sight:
    """Whether the line is open, and what closes it, in words, first from the viewer's side."""

    visible: bool
    blocked_by: str | None = None


def sees(
    terrain: Terrain,
    viewer: Surface,
    target: Surface,
    options: Options,
    *,
    taken: frozenset[Surface] = frozenset(),
) -> Sight:
    """Whether one surface's unit sees another's; `taken` are the other units' surfaces."""
    others = taken - {viewer, target}
    for tile, enter, leave in crossed(
        viewer.tile, target.tile, closed=options.los_corner == "closed"
    ):
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
    """What an end stands on does not block, unless it is above the other end in the same tile."""
    if options.los_own == "strict":
        return False
    here = [end for end in (viewer, target) if end.tile == tile]
    return bool(here) and all(top <= end.level for end in here)


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


def crossed(a: Tile, b: Tile, *, closed: bool = False) -> Iterator[tuple[Tile, Fraction, Fraction]]:
    """Tiles that the line between two tiles' middles crosses, with where it enters and leaves.

    Positions run from 0 at `a` to 1 at `b`. A tile whose inside is not met is left out, also one
    that is only touched at a corner, unless `closed`.
    """
    rows, cols = b.row - a.row, b.col - a.col
    for row in range(min(a.row, b.row), max(a.row, b.row) + 1):
        for col in range(min(a.col, b.col), max(a.col, b.col) + 1):
            span = _overlap(
                _inside(a.row, rows, row), _inside(a.col, cols, col), Fraction(0), Fraction(1)
            )
            if span is None:
                continue
            enter, leave = span
            if enter < leave or closed or (rows, cols) == (0, 0):
                yield Tile(row, col), enter, leave


def _inside(start: int, delta: int, cell: int) -> tuple[Fraction, Fraction] | None:
    """Where start + 1/2 + t * delta lies within [cell, cell + 1]; None for never, all if always."""
    if delta == 0:
        return (Fraction(0), Fraction(1)) if start == cell else None
    first = Fraction(2 * (cell - start) - 1, 2 * delta)
    second = Fraction(2 * (cell - start) + 1, 2 * delta)
    return min(first, second), max(first, second)


def _overlap(
    one: tuple[Fraction, Fraction] | None,
    other: tuple[Fraction, Fraction] | None,
    low: Fraction,
    high: Fraction,
) -> tuple[Fraction, Fraction] | None:
    if one is None or other is None:
        return None
    enter, leave = max(one[0], other[0], low), min(one[1], other[1], high)
    return (enter, leave) if enter <= leave else None
