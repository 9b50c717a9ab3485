"""Map of a step of the build sheets: the board from above with its new parts lettered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from falldamage_forge.board import Tile
from falldamage_forge.pieces.building_order import JOINED, TIES
from falldamage_forge.pieces.plan import seam_of
from falldamage_forge.render.build_steps import BuildStep, grid_of
from falldamage_forge.render.display_list import Drawing, Path, Pen, rectangle
from falldamage_forge.render.isometric_models import SeenModel
from falldamage_forge.render.palette import LIGHT
from falldamage_forge.render.topdown import MARGIN as MAP_MARGIN
from falldamage_forge.render.topdown import RIM, topdown

_MAP_TILE_PX = 40.0
_LETTER_PX = 16.0
_SEAM_TILES = 0.46
"""Side of the box that stands for a tie."""


def step_map(step: BuildStep, letters: Mapping[str, str], models: Sequence[SeenModel]) -> Drawing:
    """Return the map of a step, with a bold lettered outline round every new part.

    Args:
        step: The step, with the board after it.
        letters: Letter of each piece, by its key.
        models: Models that stand after it.
    """
    drawing = topdown(
        step.board, legend=False, tile_px=_MAP_TILE_PX, grid=grid_of([step]), models=models
    )
    pen = Pen(list(drawing.shapes))
    origin = MAP_MARGIN + RIM
    lettered: set[tuple[float, float]] = set()
    for placement in step.placements:
        tiles = placement.tiles() or (placement.tile,)
        colour = LIGHT.marks[1]
        if placement.piece.family in TIES:
            tiles = seam_of(placement)
            _draw_on_seam(pen, tiles, origin)
        else:
            if len(tiles) < 25:
                for tile in tiles:
                    pen.fill(_square(tile, origin, 0.04), colour, 0.24)
            for edge in _outline(tiles, origin):
                pen.line(edge, colour, 3.0)
        row = sum(tile.row for tile in tiles) / len(tiles) + 0.5
        col = sum(tile.col for tile in tiles) / len(tiles) + 0.5
        at = (origin + col * _MAP_TILE_PX, origin + row * _MAP_TILE_PX + _LETTER_PX / 2)
        if placement.piece.family in JOINED and at in lettered:
            continue  # the part that takes it has its letter there
        lettered.add(at)
        letter = letters[placement.piece.key]
        pen.text(letter, at, _LETTER_PX, "#ffffff", anchor=0.5, weight=0.5)
        pen.text(letter, at, _LETTER_PX, "#20180f", anchor=0.5, weight=0.18)
    return replace(drawing, shapes=tuple(pen.shapes))


def _draw_on_seam(pen: Pen, sides: tuple[Tile, Tile], origin: float) -> None:
    """Draw a box on the seam between two tiles, half a tile wide, so that no two boxes touch."""
    row, col = ((a + b + 1) / 2 for a, b in zip(*((t.row, t.col) for t in sides), strict=True))
    x, y = (origin + (at - _SEAM_TILES / 2) * _MAP_TILE_PX for at in (col, row))
    box = rectangle(x, y, _SEAM_TILES * _MAP_TILE_PX, _SEAM_TILES * _MAP_TILE_PX)
    pen.fill(box, LIGHT.marks[1], 0.24)
    for edge in zip(box, (*box[1:], box[0]), strict=True):
        pen.line(edge, LIGHT.marks[1], 3.0)


def _square(tile: Tile, origin: float, inset: float) -> Path:
    """Return the corners of a tile, inset by `inset` tiles: north-west, then clockwise."""
    x, y = ((origin + (at + inset) * _MAP_TILE_PX) for at in (tile.col, tile.row))
    side = (1 - 2 * inset) * _MAP_TILE_PX
    return rectangle(x, y, side, side)


def _outline(tiles: Sequence[Tile], origin: float) -> list[Path]:
    """Return the inset edges of some tiles that do not lie between two of them."""
    inside = set(tiles)
    edges: list[Path] = []
    for tile in tiles:
        a, b, c, d = _square(tile, origin, 0.05)
        for offset, edge in (
            ((-1, 0), (a, b)),
            ((0, 1), (b, c)),
            ((1, 0), (c, d)),
            ((0, -1), (d, a)),
        ):
            if tile.step(offset) not in inside:
                edges.append(edge)
    return edges
