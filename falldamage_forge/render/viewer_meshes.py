"""Viewer meshes: the meshes of a plan, decimated, rounded and packed for a page."""

from __future__ import annotations

import base64
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from falldamage_forge.board import Board
from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.lengths import GRID
from falldamage_forge.pieces.model_keys import SHOWN_TRIANGLES, model_origin
from falldamage_forge.printing.tone_change import change_of
from falldamage_forge.render.image_cache import cached_image
from falldamage_forge.render.overlay import Overlay
from falldamage_forge.render.palette import LIGHT, channels, group_colour

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from falldamage_forge.geometry.mesh import Mesh
    from falldamage_forge.pieces.piece import Piece, Placement
    from falldamage_forge.printing.printer import Printer
    from falldamage_forge.render.raster3d.renderer import ColoredMesh

UNIT_MM = 0.05
TOLERANCE_MM = 0.22
"""Smaller details are not drawn, half a pixel of a page's picture; the printed parts have them."""
SCENE_MM = 0.5
"""The same for a page to be mailed: with six variants a piece it stays below a megabyte."""


@dataclass(frozen=True, slots=True, eq=False)
class ViewerMesh:
    """A piece to be drawn: its mesh in print pose, with fewer triangles.

    `vertices` in mm have shape (n, 3), `faces` shape (m, 3); `ground` is true for blocks.
    """

    key: str
    vertices: NDArray[np.float32]
    faces: NDArray[np.int32]
    colour: str
    ground: bool


def models_of(
    pieces: Mapping[str, Piece], meshes: Mapping[str, Mesh], tolerance_mm: float = TOLERANCE_MM
) -> dict[str, ViewerMesh]:
    """Return the viewer mesh of each piece by key, sorted.

    Args:
        pieces: Pieces by key.
        meshes: Mesh of each in print pose.
        tolerance_mm: Maximum deviation of the decimated mesh.
    """
    from falldamage_forge.geometry.simplified_mesh import few_faces, simplified

    models = {}
    for key, piece in sorted(pieces.items()):
        slim = simplified(meshes[key], tolerance_mm)
        if model_origin(piece)[1] and len(slim.faces) > SHOWN_TRIANGLES:
            slim = few_faces(meshes[key], SHOWN_TRIANGLES, TOLERANCE_MM)
        colour = group_colour(piece.group)
        models[key] = ViewerMesh(key, slim.vertices, slim.faces, colour, piece.builder == "block")
    return models


def matrix(placement: Placement, printer: Printer) -> NDArray[np.float64]:
    """Return the 4x4 transform from a piece's print pose to its place on the board, in mm.

    Args:
        placement: Piece, tile, level and turn.
        printer: Printer whose gaps the piece has.
    """
    from falldamage_forge.geometry.piece_mesh import fit_of, placement_transform, play_transform

    transform = placement_transform(placement) @ play_transform(placement.piece, fit_of(printer))
    return transform.astype("f8")


def two_tones(
    model: ViewerMesh, piece: Piece, tops: str, printer: Printer
) -> tuple[ViewerMesh, ...]:
    """Return a piece's mesh cut where its filament changes, or whole if it has one colour.

    Args:
        model: The mesh.
        piece: The piece.
        tops: Key of `tones.PALETTES`; empty for none.
        printer: Gives the layers.
    """
    import manifold3d
    import numpy as np

    change = change_of(piece, tops, piece.group, printer.process)
    if change is None:
        return (model,)
    corners = np.ascontiguousarray(model.vertices, np.float32)
    whole = manifold3d.Manifold(manifold3d.Mesh(corners, model.faces.astype(np.uint32)))
    cut = []
    for half in whole.split_by_plane((0.0, 0.0, 1.0), change.first_mm):
        mesh = half.to_mesh()
        faces = np.asarray(mesh.tri_verts, np.int32)
        cut.append((np.asarray(mesh.vert_properties, np.float32)[:, :3], faces))
    colours = (model.colour, change.tone.colour)
    return tuple(
        replace(model, vertices=vertices, faces=faces, colour=colour)
        for (vertices, faces), colour in zip(cut, colours, strict=True)
        if len(faces)
    ) or (model,)


def bodies(
    models: Mapping[str, ViewerMesh],
    placements: Iterable[Placement],
    printer: Printer,
    tops: str = "",
) -> list[ColoredMesh]:
    """Return the parts of a plan at their places on the board, for a 3D render.

    Args:
        models: Mesh of each piece by key.
        placements: Parts and their positions.
        printer: Printer whose gaps the meshes have.
        tops: Key of `tones.PALETTES` for the colours of tops; empty for none.
    """
    from falldamage_forge.render.raster3d.renderer import ColoredMesh

    placed, cut = [], dict[str, tuple[ViewerMesh, ...]]()
    for placement in placements:
        piece, at = placement.piece, matrix(placement, printer)
        if piece.key not in cut:
            cut[piece.key] = two_tones(models[piece.key], piece, tops, printer)
        for model in cut[piece.key]:
            corners = (model.vertices @ at[:3, :3].T + at[:3, 3]).astype("f4")
            placed.append(ColoredMesh(corners[model.faces], model.colour))
    return placed


def scene(
    board: Board,
    placements: Sequence[Placement],
    meshes: Mapping[str, Mesh],
    printer: Printer,
    overlays: Sequence[Overlay] = (),
    tops: str = "",
) -> dict[str, Any]:
    """Return the scene of the report's 3D view as JSON values.

    `data` is base64 of deflated arrays. Each piece's array is int16: differences of x, y and z in
    `unit_mm`, then those of the vertex indices of its triangles, modulo 65,536. The low bytes of
    all arrays precede the high ones, which deflates better.

    Args:
        board: Gives the size of the scene.
        placements: Parts and their positions.
        meshes: Mesh of each piece by key, in print pose.
        printer: Printer whose gaps the meshes have.
        overlays: Overlays that can be switched on.
        tops: Key of `tones.PALETTES` for the colours of tops; empty for none.
    """
    import numpy as np

    uses: dict[str, list[Placement]] = {}
    for placement in placements:
        uses.setdefault(placement.piece.key, []).append(placement)
    kinds = {key: places[0].piece for key, places in uses.items()}
    whole = models_of(kinds, meshes, SCENE_MM)
    models = [part for key in whole for part in two_tones(whole[key], kinds[key], tops, printer)]
    pieces = [
        {
            "key": model.key,
            "vertices": len(model.vertices),
            "faces": len(model.faces),
            "colour": [round(part / 255, 3) for part in channels(model.colour)],
            "ground": model.ground,
            "uses": [_matrix(place, printer) for place in uses[model.key]],
        }
        for model in models
    ]
    steps = np.concatenate([_steps(model.vertices, model.faces) for model in models])
    packed = steps.astype("<i2").view("u1").reshape(-1, 2).T.tobytes()
    small = cached_image("packed models", [packed], lambda: zlib.compress(packed, 7))
    grid = next((placement.piece.grid for placement in placements), GRID)
    size = (board.cols * grid.pitch_mm, board.rows * grid.pitch_mm, grid.height_mm(board.highest))
    return {
        "unit_mm": UNIT_MM,
        "pitch_mm": grid.pitch_mm,
        "rise_mm": grid.rise_mm,
        "size_mm": size,
        "pieces": pieces,
        "overlays": {overlay.key: _marks(overlay) for overlay in overlays},
        "data": base64.b64encode(small).decode(),
    }


def _steps(vertices: NDArray[np.float32], faces: NDArray[np.int32]) -> NDArray[np.int32]:
    import numpy as np

    if len(vertices) > 1 << 16:
        raise ValueError(f"{len(vertices)} corners are more than a page numbers")
    # Steps of x, y and z must not wrap: sizes stay below.
    grid = np.round(vertices / UNIT_MM).astype(np.int32)
    places = np.diff(grid, axis=0, prepend=np.zeros((1, 3), np.int32)).T
    jumps = np.diff(faces.reshape(-1), prepend=np.int32(0))
    return np.concatenate([places.reshape(-1), jumps])


def _matrix(placement: Placement, printer: Printer) -> list[float]:
    """Return the transform in column-major order, as the page needs it."""
    values = matrix(placement, printer).T.reshape(-1)
    return [round(float(value), 3) + 0.0 for value in values]


def _marks(overlay: Overlay) -> list[list[float]]:
    marks = []
    for mark in overlay.marks:
        red, green, blue = channels(overlay.colour(LIGHT, mark.tint))
        colour = [round(part / 255, 2) for part in (red, green, blue)]
        marks.append([mark.tile.row, mark.tile.col, mark.level, *colour])
    return marks
