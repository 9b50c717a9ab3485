"""Photographs of a board: all of it, or what stands near a tile."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Literal

from falldamage_forge.board import Tile
from falldamage_forge.lengths import GRID
from falldamage_forge.render.models import SEEN_MM, bodies, models_of
from falldamage_forge.render.photo.picture import FINE, QUICK, View, photograph

if TYPE_CHECKING:
    from falldamage_forge.geometry.mesh import Mesh
    from falldamage_forge.pieces.model import Placement
    from falldamage_forge.printing.printer import Printer

SIZE_PX = (1200, 900)
PAGE_SCALE = 0.75
FAR_MM, NEAR_MM = PAGE_SCALE * SEEN_MM, 0.03
"""Details that are not seen: on a board of about ten tiles, and from near."""
_TILES_FAR, _TILES_LARGE = 10, 20
"""What is not seen of a large board is as much larger as it is: a pixel covers so much more."""
_TILES_NEAR = 1.6
"""Tiles to each side of the one that is looked at from near."""


def board_photo(
    placements: Sequence[Placement],
    meshes: Mapping[str, Mesh],
    printer: Printer,
    *,
    scale: float = 1.0,
    studio: str = "light",
    near: Tile | None = None,
    form: Literal["png", "jpeg"] = "png",
    quick: bool = False,
) -> bytes:
    """A picture of placed parts on a table; `meshes` in print pose, by piece key.

    A `quick` one has coarser shadows.
    """
    width, height = (round(side * scale) for side in SIZE_PX)
    view = View() if near is None else _near(placements, near)
    detail_mm = (_far_mm(placements) if near is None else NEAR_MM) / scale
    pieces = {placement.piece.key: placement.piece for placement in placements}
    placed = bodies(models_of(pieces, meshes, detail_mm), placements, printer)
    grain = QUICK if quick else FINE
    return photograph(placed, width, height, studio=studio, view=view, grain=grain, form=form)


def page_photo(
    placements: Sequence[Placement], meshes: Mapping[str, Mesh], printer: Printer
) -> bytes:
    """The JPEG of a finished board that reports and build sheets show."""
    return board_photo(
        placements, meshes, printer, scale=PAGE_SCALE, studio="paper", form="jpeg", quick=True
    )


def _far_mm(placements: Sequence[Placement]) -> float:
    """Details that are not seen from afar; large boards would fill the memory with them."""
    across = max((1 + max(t.row, t.col) for p in placements for t in p.tiles()), default=1)
    return FAR_MM * across / _TILES_FAR if across > _TILES_LARGE else FAR_MM


def _near(placements: Sequence[Placement], tile: Tile) -> View:
    """A view of a tile and its neighbours, up to the top of what stands there."""
    tops = [
        placement.level + placement.piece.levels
        for placement in placements
        if tile in placement.tiles()
    ]
    grid = next((placement.piece.grid for placement in placements), GRID)
    x, y = grid.centre_mm(*tile)
    top, reach = grid.height_mm(max(tops, default=0)), _TILES_NEAR * grid.pitch_mm
    low = max(0.0, top - grid.rise_mm)
    return View(frame_mm=((x - reach, y - reach, low), (x + reach, y + reach, top + 8)))
