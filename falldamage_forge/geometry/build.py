"""From a piece to its mesh in print pose, and from there onto the board.

A builder makes the solid as it stands on the table; `build` lays it on the bed as its pose says.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Literal

from falldamage_forge.geometry import (
    base,
    battlements,
    blocks,
    caps,
    decks,
    features,
    ladders,
    tokens,
    tools,
)
from falldamage_forge.geometry.fits import Fit
from falldamage_forge.geometry.kept import is_kept, keep_mesh, kept_mesh
from falldamage_forge.geometry.mesh import Mesh
from falldamage_forge.geometry.scale import unmade
from falldamage_forge.geometry.solids import GeometryError, Solid, made, to_mesh
from falldamage_forge.geometry.standard import STANDARD, places
from falldamage_forge.geometry.style import PLAIN, Finish, Style
from falldamage_forge.lengths import GRID, Grid
from falldamage_forge.pieces.model import Piece, Placement, Pose
from falldamage_forge.pool import begin
from falldamage_forge.printing.printer import Printer
from falldamage_forge.waiting import Progress, each, quiet

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

WORTH_GIVING = 4
"""To make fewer pieces than these is quicker than to start another process."""
Datum = Callable[[Piece, Fit], float]
"""The height (upright, upside-down) or depth (on-front) of the face that lies on the bed."""


@dataclass(frozen=True, slots=True)
class Builder:
    """A registered shape: the function that makes it and the face it is printed on."""

    make: Callable[[Piece, Fit, Finish], Solid]
    bed: Datum = lambda piece, fit: 0.0


def _top(piece: Piece, fit: Fit) -> float:
    return fit.grid.height_mm(piece.levels)


def _front(piece: Piece, fit: Fit) -> float:
    return -(ladders.BACK_MM + STANDARD.ladder_mm)


def _lifter(piece: Piece, fit: Fit) -> float:
    return -(fit.grid.pitch_mm + tools.WIDE_MM) / 2


BUILDERS: Mapping[str, Builder] = {
    "quadrant": Builder(base.quadrant),
    "tie": Builder(base.tie, lambda piece, fit: -STANDARD.base_mm),
    "rim-strip": Builder(base.rim_strip),
    "block": Builder(blocks.block, _top),
    "step": Builder(blocks.step, lambda piece, fit: places(fit).step_mm),
    "plank-bridge": Builder(decks.plank_bridge),
    "arch-bridge": Builder(decks.arch_bridge),
    "ladder": Builder(ladders.ladder, _front),
    "cap": Builder(caps.cap, lambda piece, fit: STANDARD.cap_mm),
    "battlement": Builder(battlements.battlement, lambda piece, fit: battlements.height_mm(piece)),
    "spire": Builder(features.spire, lambda piece, fit: -STANDARD.skirt_mm),
    "tree": Builder(features.tree, lambda piece, fit: -STANDARD.skirt_mm),
    "chest": Builder(features.chest, lambda piece, fit: features.CHEST_MM),
    "token": Builder(tokens.token, lambda piece, fit: tokens.TOKEN_MM),
    "stand": Builder(tokens.stand),
    "lifter": Builder(tools.lifter, _lifter),
}
"""Builders by the name that catalogue tables use."""


def fit_of(printer: Printer, grid: Grid = GRID) -> Fit:
    """The gaps and the click of a printer, walls and skins of its process, on a table's grid."""
    process = printer.process
    return Fit(
        printer.fit_mm,
        printer.seam_mm,
        process.wall_mm,
        printer.click_mm,
        grid,
        cap_skin_mm=process.cap_skin_mm,
    )


@lru_cache(maxsize=512)
def own_solid(piece: Piece, fit: Fit, style: Style = PLAIN) -> Solid:
    """The solid in the piece's own frame, as it stands.

    GeometryError for an unknown builder, and for a piece that has no room at its size.
    """
    builder = BUILDERS.get(piece.builder)
    if builder is None:
        raise GeometryError(f"no builder called `{piece.builder}`")
    if why := unmade(piece.builder, piece.levels, piece.grid):
        raise GeometryError(f"no `{piece.key}` can be made: {why}")
    return made(builder.make(piece, fit.on(piece.grid), style.finish(piece.group)))


def build_solid(piece: Piece, fit: Fit, style: Style = PLAIN) -> Solid:
    """The solid in print pose, resting on z = 0."""
    return own_solid(piece, fit, style).transform(play_to_print(piece, fit)[:3].tolist())


@lru_cache(maxsize=512)
def _build(piece: Piece, fit: Fit, style: Style) -> Mesh:
    builder = BUILDERS.get(piece.builder)
    # The cache's version covers this room only, so a builder from elsewhere is made each time.
    ours = builder is not None and builder.make.__module__.startswith(f"{__package__}.")
    mesh = kept_mesh(piece, fit, style) if ours else None
    if mesh is None:
        mesh = to_mesh(build_solid(piece, fit, style))
        if ours:
            keep_mesh(piece, fit, style, mesh)
    return mesh


def build(piece: Piece, printer: Printer, style: Style | Literal["plain"] = PLAIN) -> Mesh:
    """The piece's mesh in mm as it is printed: resting on z = 0, its own frame's x and y.

    The result is shared between callers: do not write into its arrays.
    Raises GeometryError if the shape is not a finite, closed, outward solid.
    """
    return _build(piece, fit_of(printer), PLAIN if style == "plain" else style)


def build_all(
    pieces: Mapping[str, Piece],
    printer: Printer,
    style: Style | Literal["plain"] = PLAIN,
    progress: Progress = quiet,
) -> dict[str, Mesh]:
    """The mesh of each piece by key, as `build` makes it; several processors may make them."""
    fit, style = fit_of(printer), PLAIN if style == "plain" else style
    new = [key for key, piece in pieces.items() if not is_kept(piece, fit, style)]
    given = new if len(new) >= WORTH_GIVING else []
    tasks = {key: begin(partial(_build, pieces[key], fit, style)) for key in given}
    made = {key: tasks[key].result() for key in each(given[::-1], "making {}", progress)}
    left = [key for key in pieces if key not in made]
    made |= {key: _build(pieces[key], fit, style) for key in each(left, "making {}", progress)}
    return {key: made[key] for key in pieces}


def play_to_print(piece: Piece, fit: Fit | None = None) -> NDArray[np.float64]:
    """4x4: from the piece's own frame on the table to its print pose; always a rotation."""
    import numpy as np

    fit = (fit or Fit()).on(piece.grid)
    bed = BUILDERS[piece.builder].bed(piece, fit)
    matrix = np.eye(4)
    rotations: dict[Pose, list[list[float]]] = {
        "upright": [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
        "upside-down": [[1, 0, 0], [0, -1, 0], [0, 0, -1]],
        "on-front": [[1, 0, 0], [0, 0, -1], [0, 1, 0]],
    }
    matrix[:3, :3] = rotations[piece.pose]
    # The face that lies on the bed has z = 0 afterwards.
    matrix[2, 3] = bed if piece.pose == "upside-down" else -bed
    return matrix


def play_transform(piece: Piece, fit: Fit | None = None) -> NDArray[np.float64]:
    """4x4: from print pose back to how the piece stands on the table, in its own frame."""
    import numpy as np

    return np.linalg.inv(play_to_print(piece, fit)).astype(np.float64)


def placement_transform(placement: Placement) -> NDArray[np.float64]:
    """4x4: from a piece's own frame to the board: turned clockwise, corner kept, at its tile."""
    import numpy as np

    grid = placement.piece.grid
    footprint = placement.piece.footprint or ((0, 0),)
    rows = max(row for row, _ in footprint) + 1
    cols = max(col for _, col in footprint) + 1
    matrix: NDArray[np.float64] = np.eye(4)
    for _ in range(placement.quarter_turns % 4):
        # (x, y) -> (y, -x), then the corner back to (0, 0).
        turn = np.array(
            [[0, 1, 0, rows * grid.pitch_mm], [-1, 0, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]
        )
        matrix = (turn @ matrix).astype(np.float64)
        rows, cols = cols, rows
    x, y = grid.corner_mm(*placement.tile)
    matrix[:3, 3] += (x, y, grid.height_mm(placement.level) + placement.raised_mm)
    return matrix


def standing(placement: Placement, fit: Fit, style: Style = PLAIN) -> Solid:
    """The solid of a placement as it stands on the board, in the board's mm."""
    solid = own_solid(placement.piece, fit, style)
    return solid.transform(placement_transform(placement)[:3].tolist())


def place(mesh: Mesh, placement: Placement, printer: Printer) -> Mesh:
    """A printed mesh standing on the board, in the board's mm."""
    import numpy as np

    matrix = placement_transform(placement) @ play_transform(placement.piece, fit_of(printer))
    moved = mesh.vertices.astype(np.float64) @ matrix[:3, :3].T + matrix[:3, 3]
    return Mesh(np.ascontiguousarray(moved, dtype=np.float32), mesh.faces)
