"""The real meshes of a plan, small enough for a page: simplified, rounded, packed."""

from __future__ import annotations

import base64
import zlib
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from falldamage_forge.board import Board
from falldamage_forge.lengths import GRID
from falldamage_forge.render.overlay import Overlay
from falldamage_forge.render.palette import LIGHT, channels, group_colour

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from falldamage_forge.geometry.mesh import Mesh
    from falldamage_forge.pieces.model import Placement
    from falldamage_forge.printing.printer import Printer

UNIT_MM = 0.05
TOLERANCE_MM = 0.25
"""Details smaller than this are not drawn; the printed parts keep them."""


def scene(
    board: Board,
    placements: Sequence[Placement],
    meshes: Mapping[str, Mesh],
    printer: Printer,
    overlays: Sequence[Overlay] = (),
) -> dict[str, Any]:
    """What the viewer of the report draws: JSON values, `data` being base64 of deflated arrays.

    `meshes` are in print pose, by piece key. Each piece's array is int16 steps of x, y and z in
    `unit_mm`, padded to four bytes, then int32 steps of the corners of its triangles.
    """
    uses: dict[str, list[Placement]] = {}
    for placement in placements:
        uses.setdefault(placement.piece.key, []).append(placement)
    packed, pieces = [], []
    for key, places in sorted(uses.items()):
        vertices, faces = simple(meshes[key])
        packed.append(_pack(vertices, faces))
        group = places[0].piece.group
        colour = channels(group_colour(group))
        pieces.append(
            {
                "key": key,
                "vertices": len(vertices),
                "faces": len(faces),
                "colour": [round(part / 255, 3) for part in colour],
                "ground": places[0].piece.builder == "block",
                "uses": [_matrix(place, printer) for place in places],
            }
        )
    size = (board.cols * GRID.pitch_mm, board.rows * GRID.pitch_mm, GRID.height_mm(board.highest))
    return {
        "unit_mm": UNIT_MM,
        "pitch_mm": GRID.pitch_mm,
        "rise_mm": GRID.rise_mm,
        "size_mm": size,
        "pieces": pieces,
        "overlays": {overlay.key: _marks(overlay) for overlay in overlays},
        "data": base64.b64encode(zlib.compress(b"".join(packed), 9)).decode(),
    }


def simple(mesh: Mesh) -> tuple[NDArray[np.float32], NDArray[np.int32]]:
    """A mesh with fewer triangles; the mesh itself where it cannot be simplified."""
    import manifold3d
    import numpy as np

    whole = manifold3d.Manifold(
        manifold3d.Mesh(
            np.array(mesh.vertices, dtype=np.float32), np.array(mesh.faces, dtype=np.uint32)
        )
    )
    if whole.status() != manifold3d.Error.NoError or whole.is_empty():
        return mesh.vertices, mesh.faces
    slim = whole.simplify(TOLERANCE_MM).to_mesh()
    return (
        np.asarray(slim.vert_properties, dtype=np.float32)[:, :3],
        np.asarray(slim.tri_verts, dtype=np.int32),
    )


def _pack(vertices: NDArray[np.float32], faces: NDArray[np.int32]) -> bytes:
    import numpy as np

    # Steps of int16 wrap, and so does the viewer's sum only if they do not: sizes stay below.
    grid = np.round(vertices / UNIT_MM).astype(np.int32)
    steps = np.diff(grid, axis=0, prepend=np.zeros((1, 3), np.int32)).astype("<i2")
    places = np.ascontiguousarray(steps.T).tobytes()
    jumps = np.diff(faces.reshape(-1), prepend=np.int32(0)).astype("<i4").tobytes()
    return places + b"\0" * (-len(places) % 4) + jumps


def _matrix(placement: Placement, printer: Printer) -> list[float]:
    """Column-major 4x4 from print pose to the board."""
    from falldamage_forge.geometry.build import fit_of, placement_transform, play_transform

    matrix = placement_transform(placement) @ play_transform(placement.piece, fit_of(printer))
    return [round(float(value), 3) + 0.0 for value in matrix.T.reshape(-1)]


def _marks(overlay: Overlay) -> list[list[float]]:
    marks = []
    for mark in overlay.marks:
        red, green, blue = channels(overlay.colour(LIGHT, mark.tint))
        colour = [round(part / 255, 2) for part in (red, green, blue)]
        marks.append([mark.tile.row, mark.tile.col, mark.level, *colour])
    return marks
