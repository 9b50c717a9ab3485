"""Sight between all surfaces at once: the same answers as `sight.sees` without units, much faster.

The tiles that a line crosses depend only on the offset between its ends, so they are worked out
once an offset, in whole numbers over a common denominator.
"""

from __future__ import annotations

from functools import lru_cache
from math import lcm

from falldamage_forge.board import Tile
from falldamage_forge.rules.ruleset import Options
from falldamage_forge.rules.sight import crossed
from falldamage_forge.surfaces import SurfaceGraph

Crossing = tuple[int, int, int, int]
"""Row and column offset of a tile, where the line enters and leaves it in parts of the way."""


@lru_cache(maxsize=20_000)
def crossings(rows: int, cols: int, closed: bool) -> tuple[int, tuple[Crossing, ...]]:
    """Denominator and crossed tiles of a line over an offset."""
    found = list(crossed(Tile(0, 0), Tile(rows, cols), closed=closed))
    parts = lcm(*(position.denominator for _, *ends in found for position in ends))
    return parts, tuple(
        (tile.row, tile.col, int(enter * parts), int(leave * parts)) for tile, enter, leave in found
    )


def visible_sets(graph: SurfaceGraph, options: Options) -> tuple[int, ...]:
    """For each surface a bit mask of the surfaces seen from it, itself left out."""
    count = len(graph.surfaces)
    solids = _solids(graph, options)
    masks = [0] * count
    spared_mode = options.los_own != "strict"
    closed = options.los_corner == "closed"
    for a in range(count):
        tile_a, level_a = graph.surfaces[a]
        for b in range(a + 1, count):
            tile_b, level_b = graph.surfaces[b]
            parts, tiles = crossings(tile_b.row - tile_a.row, tile_b.col - tile_a.col, closed)
            if _open(tile_a, level_a, tile_b, level_b, parts, tiles, solids, spared_mode):
                masks[a] |= 1 << b
                masks[b] |= 1 << a
    return tuple(masks)


def _solids(
    graph: SurfaceGraph, options: Options
) -> dict[tuple[int, int], tuple[tuple[int, int], ...]]:
    """Bottom and top of every solid over each tile, in tenths of a level; ground has no bottom."""
    terrain = graph.terrain
    table = {}
    for tile in graph.board.tiles():
        own = [(-1_000_000, 10 * terrain.top(tile))]
        own += [(10 * d - options.deck_thickness_tenths, 10 * d) for d in terrain.decks(tile)]
        table[(tile.row, tile.col)] = tuple(own)
    return table


def _open(
    tile_a: Tile,
    level_a: int,
    tile_b: Tile,
    level_b: int,
    parts: int,
    tiles: tuple[Crossing, ...],
    solids: dict[tuple[int, int], tuple[tuple[int, int], ...]],
    spared_mode: bool,
) -> bool:
    """Whether no solid meets the line; heights are in tenths of a level times `parts`."""
    start, rise = (10 * level_a + 5) * parts, 10 * (level_b - level_a)
    for row, col, enter, leave in tiles:
        place = (tile_a.row + row, tile_a.col + col)
        low, high = start + rise * enter, start + rise * leave
        if low > high:
            low, high = high, low
        for bottom, top in solids[place]:
            if low >= top * parts or high <= bottom * parts:
                continue
            if spared_mode:
                at_a, at_b = place == tile_a, place == tile_b
                if (
                    (at_a or at_b)
                    and (not at_a or top <= 10 * level_a)
                    and (not at_b or top <= 10 * level_b)
                ):
                    continue
            return False
    return True
