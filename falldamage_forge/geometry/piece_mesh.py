"""Meshes of pieces in print pose, and their transforms onto the board.

A builder returns the solid as it stands on the table; `build` turns it to the pose in which it is
printed. Meshes are cached in memory and on disk.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Literal

from falldamage_forge.geometry import (
    accessories,
    baseplate,
    battlements,
    blocks,
    box_part,
    bridges,
    caps,
    dial,
    figures,
    handling_tools,
    ladders,
    magnet_pocket,
    model_part,
    seam_tie,
    sign_disc,
    terrain_features,
    turned_pieces,
)
from falldamage_forge.geometry.bed_adhesion import ears_key, make_ears, with_ears
from falldamage_forge.geometry.connector_standard import STANDARD, places
from falldamage_forge.geometry.csg import (
    GeometryError,
    Solid,
    force_evaluation,
    load_library,
    to_mesh,
)
from falldamage_forge.geometry.design_parameters import DesignParameters
from falldamage_forge.geometry.mesh import Mesh
from falldamage_forge.geometry.mesh_cache import (
    cache_key,
    encode_cached_mesh,
    has_cached_mesh,
    load_cached_mesh,
    store_entry,
    store_mesh,
)
from falldamage_forge.geometry.part_size import (
    PartSize,
    encode_size,
    measured_size,
    mesh_size_key,
    size_of,
    stored_size,
)
from falldamage_forge.geometry.piece_style import PLAIN, PieceStyle, SurfaceFinish
from falldamage_forge.geometry.relief.chests import HIGH_MM as CHEST_MM
from falldamage_forge.geometry.size_limits import size_problem
from falldamage_forge.infra import disk_cache as disk
from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.infra.process_pool import submit
from falldamage_forge.infra.progress import ProgressCallback, no_progress, track
from falldamage_forge.lengths import GRID, PrintGrid
from falldamage_forge.pieces.bought import MAGNET
from falldamage_forge.pieces.element_parts import BUILDER
from falldamage_forge.pieces.model_keys import SEAM_TIE
from falldamage_forge.pieces.piece import Piece, Placement, Pose
from falldamage_forge.printing.printer import Printer

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

WORTH_GIVING = 4
"""Fewer pieces than these are built faster here than in a new process."""
Datum = Callable[[Piece, DesignParameters], float]
"""Height (upright, upside-down) or depth (on-front, on-back) in mm of the face on the bed."""


@dataclass(frozen=True, slots=True)
class Builder:
    """A registered shape: the function that builds its solid, and the face it is printed on.

    Pieces for which `ears` is true are printed with ears that are torn off.
    """

    make: Callable[[Piece, DesignParameters, SurfaceFinish], Solid]
    bed: Datum = lambda piece, fit: 0.0
    ears: Callable[[Piece], bool] = lambda piece: False


def _alone(piece: Piece) -> bool:
    """True for a parapet on one side, a slab that stands on its edge."""
    return len(battlements.sides_of(str(piece["sides"]))) == 1


def _top(piece: Piece, fit: DesignParameters) -> float:
    return fit.grid.height_mm(piece.levels)


def _front(piece: Piece, fit: DesignParameters) -> float:
    return -(ladders.BACK_MM + STANDARD.ladder_mm)


def _foot(piece: Piece, fit: DesignParameters) -> float:
    return -STANDARD.skirt_mm


def _back(piece: Piece, fit: DesignParameters) -> float:
    return (dial.THICK_MM - fit.grid.pitch_mm) / 2


def _lifter(piece: Piece, fit: DesignParameters) -> float:
    return -(fit.grid.pitch_mm + handling_tools.WIDE_MM) / 2


BUILDERS: Mapping[str, Builder] = {
    "quadrant": Builder(baseplate.quadrant),
    MAGNET: Builder(magnet_pocket.magnet, magnet_pocket.bed_mm),
    "tie": Builder(baseplate.tie, lambda piece, fit: -STANDARD.base_mm),
    "rim-strip": Builder(baseplate.rim_strip),
    "block": Builder(blocks.block, _top),
    BUILDER: Builder(box_part.boxes, box_part.bed_mm),
    "model": Builder(model_part.model_part, _foot),
    SEAM_TIE: Builder(seam_tie.seam_tie, lambda piece, fit: seam_tie.LOW_MM),
    "step": Builder(blocks.step, lambda piece, fit: places(fit).step_mm),
    "plank-bridge": Builder(bridges.plank_bridge),
    "arch-bridge": Builder(bridges.arch_bridge),
    "ladder": Builder(ladders.ladder, _front),
    "cap": Builder(caps.cap, lambda piece, fit: STANDARD.cap_mm),
    "disc": Builder(sign_disc.disc, lambda piece, fit: STANDARD.cap_mm),
    "battlement": Builder(
        battlements.battlement, lambda piece, fit: battlements.height_mm(piece), _alone
    ),
    "spire": Builder(terrain_features.spire, _foot, lambda piece: True),
    "tree": Builder(terrain_features.tree, _foot, lambda piece: True),
    "chest": Builder(terrain_features.chest, lambda piece, fit: CHEST_MM),
    "token": Builder(accessories.token, lambda piece, fit: accessories.TOKEN_MM),
    "stand": Builder(dial.stand, lambda piece, fit: dial.TOP_MM),
    "wheel": Builder(dial.wheel, lambda piece, fit: dial.WHEEL_MM),
    "figure": Builder(figures.figure, _back),
    "lifter": Builder(handling_tools.lifter, _lifter),
    "tray": Builder(handling_tools.tray),
    "die": Builder(turned_pieces.die),
    "turned": Builder(turned_pieces.turned),
}
"""Builders by the name that catalogue tables use."""


def fit_of(printer: Printer, grid: PrintGrid = GRID) -> DesignParameters:
    """Return the design parameters of a printer and its process on a grid.

    Args:
        printer: Printer with its gaps and process.
        grid: Size of a tile and of a level, in mm.
    """
    process = printer.process
    return DesignParameters(
        printer.fit_mm,
        printer.seam_mm,
        process.wall_mm,
        printer.click_mm,
        grid,
        cap_skin_mm=process.cap_skin_mm,
        blade_mm=printer.blade_mm,
        tie_mm=printer.tie_mm,
        line_mm=process.line_mm,
        tip_mm=process.tip_mm,
    )


@lru_cache(maxsize=512)
def own_solid(piece: Piece, fit: DesignParameters, style: PieceStyle = PLAIN) -> Solid:
    """Return the solid in the piece's own frame, as it stands on the table.

    Args:
        piece: Piece with its grid and parameters.
        fit: Design parameters of the printer and grid, in mm.
        style: Looks of the kit.

    Raises:
        GeometryError: If the builder is unknown or the piece cannot be built on its grid.
    """
    builder = BUILDERS.get(piece.builder)
    if builder is None:
        raise GeometryError(f"no builder called `{piece.builder}`")
    if why := size_problem(piece.builder, piece.levels, piece.grid):
        raise GeometryError(f"no `{piece.key}` can be made: {why}")
    load_library()
    return force_evaluation(builder.make(piece, fit.on(piece.grid), style.finish(piece.group)))


def build_solid(piece: Piece, fit: DesignParameters, style: PieceStyle = PLAIN) -> Solid:
    """Return the solid in print pose, resting on z = 0.

    Args:
        piece: Piece with its grid and parameters.
        fit: Design parameters of the printer and grid, in mm.
        style: Looks of the kit.
    """
    return own_solid(piece, fit, style).transform(play_to_print(piece, fit)[:3].tolist())


@lru_cache(maxsize=512)
def _build(piece: Piece, fit: DesignParameters, style: PieceStyle) -> Mesh:
    builder = BUILDERS.get(piece.builder)
    ours = _is_cached_kind(builder)
    mesh = load_cached_mesh(piece, fit, style) if ours else None
    if mesh is None:
        mesh = to_mesh(build_solid(piece, fit, style))
        if builder and ours:
            store_mesh(piece, fit, style, mesh)
            if disk.is_enabled() and not builder.ears(piece):
                size_of(mesh)  # a process that builds meshes measures them too
    return mesh


def build(piece: Piece, printer: Printer, style: PieceStyle | Literal["plain"] = PLAIN) -> Mesh:
    """Return the piece's mesh in mm in print pose: resting on z = 0, its own frame's x and y.

    Callers share the result: do not write into its arrays.

    Args:
        piece: Piece to build, on the grid it names.
        printer: Printer whose gaps and walls apply.
        style: Relief of walls and tops.

    Raises:
        GeometryError: If the shape is not a finite, closed, outward solid.
    """
    return _build(piece, fit_of(printer), PLAIN if style == "plain" else style)


def build_all(
    pieces: Mapping[str, Piece],
    printer: Printer,
    style: PieceStyle | Literal["plain"] = PLAIN,
    progress: ProgressCallback = no_progress,
) -> dict[str, Mesh]:
    """Return the mesh of each piece by key; several processes may build them.

    Args:
        pieces: Pieces by key.
        printer: Printer whose gaps and walls apply.
        style: Relief of walls and tops.
        progress: Called with text, done and total for each mesh.
    """
    fit, style = fit_of(printer), PLAIN if style == "plain" else style
    new = [key for key, piece in pieces.items() if not has_cached_mesh(piece, fit, style)]
    sent = new if len(new) >= WORTH_GIVING else []
    tasks = {key: submit(partial(_build, pieces[key], fit, style)) for key in sent}
    made = {key: tasks[key].result() for key in track(sent[::-1], "building {}", progress)}
    rest = [key for key in pieces if key not in made]
    made |= {key: _build(pieces[key], fit, style) for key in track(rest, "building {}", progress)}
    return {key: made[key] for key in pieces}


def _is_cached_kind(builder: Builder | None) -> bool:
    """True for builders of this package: the cache's version covers no others."""
    return builder is not None and builder.make.__module__.startswith(f"{__package__}.")


def size_key(piece: Piece, printer: Printer, style: PieceStyle) -> str:
    """Return the key of a printed piece's size in the mesh cache."""
    key = cache_key(piece, fit_of(printer), style)
    return disk.key_of("size of a printed piece", [key.encode()])


def printed_sizes(
    pieces: Mapping[str, Piece],
    printer: Printer,
    style: PieceStyle | Literal["plain"] = PLAIN,
    progress: ProgressCallback = no_progress,
) -> dict[str, PartSize]:
    """Return the size of each piece as it is printed, by key; only unknown ones are built.

    Args:
        pieces: Pieces by key.
        printer: Printer whose gaps and walls apply.
        style: Relief of walls and tops.
        progress: Called with text, done and total for each mesh.
    """
    style = PLAIN if style == "plain" else style
    keys = {
        key: size_key(piece, printer, style)
        for key, piece in pieces.items()
        if _is_cached_kind(BUILDERS.get(piece.builder))
    }
    found = {key: size for key, own in keys.items() if (size := stored_size(own)) is not None}
    rest = {key: piece for key, piece in pieces.items() if key not in found}
    for key, mesh in build_all(rest, printer, style, progress).items() if rest else ():
        found[key] = size_of(as_printed(pieces[key], mesh))
        if key in keys:
            store_entry(keys[key], encode_size(found[key]))
    return {key: found[key] for key in pieces}


def entries_of(piece: Piece, printer: Printer, style: PieceStyle) -> dict[str, bytes]:
    """Return a piece's entries of the mesh cache, made without it: meshes and sizes by key."""
    mesh = to_mesh(build_solid(piece, fit_of(printer), style))
    entries = {cache_key(piece, fit_of(printer), style): encode_cached_mesh(mesh)}
    printed = mesh
    if BUILDERS[piece.builder].ears(piece):
        printed = make_ears(mesh)
        entries[ears_key(mesh)] = encode_cached_mesh(printed)
    size = encode_size(measured_size(printed))
    return entries | {mesh_size_key(printed): size, size_key(piece, printer, style): size}


def as_printed(piece: Piece, mesh: Mesh) -> Mesh:
    """Return a piece's mesh in print pose with the ears that are torn off, if it has any.

    Args:
        piece: Piece of the catalogue.
        mesh: Its mesh in print pose, in mm.
    """
    return with_ears(mesh) if BUILDERS[piece.builder].ears(piece) else mesh


def play_to_print(piece: Piece, fit: DesignParameters | None = None) -> NDArray[np.float64]:
    """Return the 4x4 transform from the piece's own frame to its print pose; always a rotation.

    Args:
        piece: Piece of the catalogue.
        fit: Design parameters, for pieces that lean; None: the default printer's.
    """
    import numpy as np

    fit = (fit or DesignParameters()).on(piece.grid)
    bed = BUILDERS[piece.builder].bed(piece, fit)
    matrix = np.eye(4)
    rotations: dict[Pose, list[list[float]]] = {
        "upright": [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
        "upside-down": [[1, 0, 0], [0, -1, 0], [0, 0, -1]],
        "on-front": [[1, 0, 0], [0, 0, -1], [0, 1, 0]],
        "on-back": [[1, 0, 0], [0, 0, 1], [0, -1, 0]],
    }
    matrix[:3, :3] = rotations[piece.pose]
    # The face that lies on the bed has z = 0 afterwards.
    matrix[2, 3] = bed if piece.pose in ("upside-down", "on-back") else -bed
    return matrix


def play_transform(piece: Piece, fit: DesignParameters | None = None) -> NDArray[np.float64]:
    """Return the 4x4 transform from print pose back to the piece's own frame on the table.

    Args:
        piece: Piece in the catalogue's pose.
        fit: Gaps of the printer; None for the defaults.
    """
    import numpy as np

    return np.linalg.inv(play_to_print(piece, fit)).astype(np.float64)


def placement_transform(placement: Placement) -> NDArray[np.float64]:
    """Return the 4x4 transform from a piece's own frame to the board in mm.

    The piece is turned clockwise about its corner, which stays at the placement's tile.
    """
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


def placed_solid(placement: Placement, fit: DesignParameters, style: PieceStyle = PLAIN) -> Solid:
    """Return the solid of a placement on the board, in the board's mm.

    Args:
        placement: Piece, tile, level and turn.
        fit: Design parameters of the printer and grid, in mm.
        style: Looks of the kit.
    """
    solid = own_solid(placement.piece, fit, style)
    return solid.transform(placement_transform(placement)[:3].tolist())


def place(mesh: Mesh, placement: Placement, printer: Printer) -> Mesh:
    """Return a printed mesh moved to its placement, in the board's mm.

    Args:
        mesh: Mesh in print pose, in mm.
        placement: Piece, tile, level and turn.
        printer: Printer whose gaps the mesh has.
    """
    import numpy as np

    matrix = placement_transform(placement) @ play_transform(placement.piece, fit_of(printer))
    moved = mesh.vertices.astype(np.float64) @ matrix[:3, :3].T + matrix[:3, 3]
    return Mesh(np.ascontiguousarray(moved, dtype=np.float32), mesh.faces)
