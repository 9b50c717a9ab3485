"""Boards as flat layers, for games that know no climbing: tiles with the level one stands at."""

from __future__ import annotations

from falldamage_forge.board import Board, Tile
from falldamage_forge.board.surfaces import Surface, Terrain, TerrainOptions

Layer = dict[Tile, int]


def layers_of(board: Board, closed: bool) -> tuple[Layer, ...]:
    """One layer of the highest surfaces; or, when a height change is a wall, one for each level.

    Lava, trees and spires are in no layer: nobody stands there.
    """
    terrain = Terrain(board, TerrainOptions())
    if not closed:
        tops = {tile: max(terrain.standable(tile), default=None) for tile in board.tiles()}
        return ({tile: level for tile, level in tops.items() if level is not None},)
    by_level: dict[int, Layer] = {}
    for tile in board.tiles():
        for level in terrain.standable(tile):
            by_level.setdefault(level, {})[tile] = level
    return tuple(layer for _, layer in sorted(by_level.items()))


def anchor(layer: Layer, tile: Tile) -> Surface:
    """The surface of a tile in a layer."""
    return Surface(tile, layer[tile])
