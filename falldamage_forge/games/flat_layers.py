"""Flat layers of a board, for games without climbing: tiles with the level of their floor."""

from __future__ import annotations

from falldamage_forge.board import Board, Tile
from falldamage_forge.board.surfaces import Surface, Terrain, TerrainOptions

Layer = dict[Tile, int]


def layers_of(board: Board, closed: bool) -> tuple[Layer, ...]:
    """Return the layers of a board; lava, trees and spires are in none.

    Args:
        board: The board.
        closed: True if a height change is a wall: one layer per level; else one layer of the
            highest surfaces.
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
    """Return the surface of a tile in a layer.

    Args:
        layer: Layer of the board.
        tile: Tile of the surface.
    """
    return Surface(tile, layer[tile])
