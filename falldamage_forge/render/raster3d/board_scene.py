"""3D renders of a board: the whole board, or the surroundings of a tile."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from falldamage_forge.board import Tile
from falldamage_forge.lengths import GRID
from falldamage_forge.render.raster3d.renderer import FINE, QUICK, Frame, ViewAngle, photograph
from falldamage_forge.render.viewer_meshes import TOLERANCE_MM, bodies, models_of

if TYPE_CHECKING:
    from falldamage_forge.geometry.mesh import Mesh
    from falldamage_forge.pieces.piece import Placement
    from falldamage_forge.printing.printer import Printer

SIZE_PX = (1200, 900)
PAGE_SCALE, BACK_SCALE = 0.75, 0.45
NEAR_MM = 0.03
"""Smallest visible detail of a close-up."""
_TILES_FAR, _TILES_LARGE = 10, 20
"""Tiles of the reference board; from `_TILES_LARGE` on the smallest visible detail grows."""
_DOWN_DEG = 89.9
_TILES_NEAR = 1.6
"""Tiles to each side of the tile in a close-up."""


def board_photo(
    placements: Sequence[Placement],
    meshes: Mapping[str, Mesh],
    printer: Printer,
    *,
    scale: float = 1.0,
    studio: str = "light",
    near: Tile | None = None,
    camera: ViewAngle = ViewAngle(),
    form: Literal["png", "jpeg"] = "png",
    quick: bool = False,
    tops: str = "",
) -> bytes:
    """Return a picture of placed parts on a table.

    Args:
        placements: Parts and their positions.
        meshes: Mesh of each piece by key, in print pose.
        printer: Printer whose gaps the meshes have.
        scale: Size relative to `SIZE_PX`.
        studio: Key of `STUDIOS`.
        near: Tile of a close-up; None for the whole board.
        camera: Direction of the camera.
        form: File format.
        quick: True for coarser shadows.
        tops: Key of `tones.PALETTES` for the colours of tops; empty for none.
    """
    width, height = (round(side * scale) for side in SIZE_PX)
    view = camera if near is None else replace(camera, frame_mm=_near_mm(placements, near))
    # Pictures that are smaller than a page's have its meshes, so that one set serves both.
    finer = PAGE_SCALE / max(scale, PAGE_SCALE)
    detail_mm = _far_mm(placements) * finer if near is None else NEAR_MM / scale
    pieces = {placement.piece.key: placement.piece for placement in placements}
    placed = bodies(models_of(pieces, meshes, detail_mm), placements, printer, tops)
    grain = QUICK if quick else FINE
    return photograph(placed, width, height, studio=studio, view=view, grain=grain, form=form)


def page_photo(
    placements: Sequence[Placement],
    meshes: Mapping[str, Mesh],
    printer: Printer,
    tops: str = "",
    *,
    behind: bool = False,
) -> bytes:
    """Return the JPEG of a finished board for reports and build sheets.

    Args:
        placements: Parts and their positions.
        meshes: Mesh of each piece by key, in print pose.
        printer: Printer whose gaps the meshes have.
        tops: Key of `tones.PALETTES` for the colours of tops; empty for none.
        behind: True for a smaller picture from the other side.
    """
    return board_photo(
        placements,
        meshes,
        printer,
        scale=BACK_SCALE if behind else PAGE_SCALE,
        studio="paper",
        camera=camera_from(None, 180.0 if behind else 0.0),
        form="jpeg",
        quick=True,
        tops=tops,
    )


def _far_mm(placements: Sequence[Placement]) -> float:
    """Return the smallest visible detail of a page's picture; finer ones would exhaust memory."""
    across = max((1 + max(t.row, t.col) for p in placements for t in p.tiles()), default=1)
    return TOLERANCE_MM * (across / _TILES_FAR if across > _TILES_LARGE else 1.0)


def camera_from(
    side_deg: float | None = None, turn_deg: float = 0.0, *, above: bool = False
) -> ViewAngle:
    """Return the direction of a camera.

    Args:
        side_deg: Side of the board: 0 south, 90 east; None for the usual one.
        turn_deg: Further turn, counter-clockwise seen from above.
        above: True to look straight down, north at the top but for the turns.
    """
    if above:
        return ViewAngle((side_deg or 0.0) + turn_deg, _DOWN_DEG)
    usual = ViewAngle()
    turned = usual.turn_deg if side_deg is None else side_deg
    return replace(usual, turn_deg=turned + turn_deg)


def _near_mm(placements: Sequence[Placement], tile: Tile) -> Frame:
    """Return the box of a tile and its neighbours, up to the top of the parts there."""
    tops = [
        placement.level + placement.piece.levels
        for placement in placements
        if tile in placement.tiles()
    ]
    grid = next((placement.piece.grid for placement in placements), GRID)
    x, y = grid.centre_mm(*tile)
    top, reach = grid.height_mm(max(tops, default=0)), _TILES_NEAR * grid.pitch_mm
    low = max(0.0, top - grid.rise_mm)
    return (x - reach, y - reach, low), (x + reach, y + reach, top + 8)
