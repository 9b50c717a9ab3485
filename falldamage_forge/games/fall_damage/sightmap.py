"""Sight between all surfaces at once: the same answers as `sight.sees` without units, much faster.

The tiles that a line crosses depend only on the offset between its ends, so they are worked out
once an offset, in whole numbers over a common denominator.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib.util import find_spec
from math import lcm

from falldamage_forge.board import Tile
from falldamage_forge.board.surfaces import SurfaceGraph
from falldamage_forge.games.fall_damage.engine.crossings import crossings
from falldamage_forge.games.fall_damage.options import Options
from falldamage_forge.values import dataclass

MANY = 400
"""From so many surfaces on whole offsets are looked at together, where there is numpy."""


@dataclass(frozen=True, slots=True)
class Scaled:
    """What blocks a line, and between what it runs, in whole parts of a level.

    `ends` are the surfaces, `eye` is how high above one it begins, `solids` are by tile.
    """

    ends: tuple[tuple[Tile, int], ...]
    eye: int
    solids: Mapping[tuple[int, int], tuple[tuple[int, int], ...]]
    spare: bool
    closed: bool


def visible_sets(graph: SurfaceGraph, options: Options) -> tuple[int, ...]:
    """For each surface a bit mask of the surfaces seen from it, itself left out."""
    scaled = scaled_of(graph, options)
    if len(scaled.ends) >= MANY and find_spec("numpy"):
        from falldamage_forge.games.fall_damage.sightsweep import swept

        return swept(scaled, graph.board.rows, graph.board.cols)
    return one_by_one(scaled)


def scaled_of(graph: SurfaceGraph, options: Options) -> Scaled:
    """A board's heights as whole numbers: levels times a scale that makes eyes and slabs whole."""
    eye, thickness = options.los_eye_exact, options.deck_thickness_exact
    scale = lcm(eye.denominator, thickness.denominator)
    return Scaled(
        tuple((tile, level * scale) for tile, level in graph.surfaces),
        int(eye * scale),
        _solids(graph, scale, int(thickness * scale)),
        options.los_own != "strict",
        options.los_corner == "closed",
    )


def one_by_one(scaled: Scaled) -> tuple[int, ...]:
    """The masks, line by line."""
    ends, solids, spare = scaled.ends, scaled.solids, scaled.spare
    masks = [0] * len(ends)
    for a, (tile_a, level_a) in enumerate(ends):
        for b in range(a + 1, len(ends)):
            tile_b, level_b = ends[b]
            parts, tiles = crossings(
                tile_b.row - tile_a.row, tile_b.col - tile_a.col, scaled.closed
            )
            start, rise = (level_a + scaled.eye) * parts, level_b - level_a
            for row, col, enter, leave in tiles:
                place = (tile_a.row + row, tile_a.col + col)
                low, high = start + rise * enter, start + rise * leave
                if low > high:
                    low, high = high, low
                if any(
                    low < top * parts
                    and high > bottom * parts
                    and not (spare and _spared(place, top, ends[a], ends[b]))
                    for bottom, top in solids[place]
                ):
                    break
            else:
                masks[a] |= 1 << b
                masks[b] |= 1 << a
    return tuple(masks)


def _spared(place: tuple[int, int], top: int, *ends: tuple[Tile, int]) -> bool:
    """The support right under its feet does not block, unless another end is in the same tile."""
    here = [level for tile, level in ends if tile == place]
    return bool(here) and all(top == level for level in here)


def _solids(
    graph: SurfaceGraph, scale: int, thickness: int
) -> dict[tuple[int, int], tuple[tuple[int, int], ...]]:
    """Bottom and top of every solid over each tile in scaled levels; ground has no bottom."""
    terrain = graph.terrain
    table = {}
    for tile in graph.board.tiles():
        own = [(-1_000_000, scale * terrain.top(tile))]
        own += [(scale * deck - thickness, scale * deck) for deck in terrain.decks(tile)]
        table[(tile.row, tile.col)] = tuple(own)
    return table
