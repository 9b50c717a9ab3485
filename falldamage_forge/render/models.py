"""The real meshes of a plan, small enough for a page: simplified, rounded, packed."""

from __future__ import annotations

import base64
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from falldamage_forge.board import Board
from falldamage_forge.lengths import GRID
from falldamage_forge.render.kept import remembered
from falldamage_forge.render.overlay import Overlay
from falldamage_forge.render.palette import LIGHT, channels, group_colour

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from falldamage_forge.geometry.mesh import Mesh
    from falldamage_forge.pieces.model import Piece, Placement
    from falldamage_forge.printing.printer import Printer
    from falldamage_forge.render.photo.picture import Body

UNIT_MM = 0.05
TOLERANCE_MM = 0.25
"""Details smaller than this are not drawn on a page; the printed parts keep them."""
SEEN_MM = 0.11
"""The same of a small photograph."""
SCENE_MM = 0.4
"""The same of a page that must be mailed: with four looks a piece it stays below a megabyte."""


@dataclass(frozen=True, slots=True, eq=False)
class Model:
    """A piece to be drawn, made once: its mesh in print pose, with fewer triangles.

    `vertices` in mm have shape (n, 3), `faces` shape (m, 3); `ground` is what one stands on.
    """

    key: str
    vertices: NDArray[np.float32]
    faces: NDArray[np.int32]
    colour: str
    ground: bool


def models_of(
    pieces: Mapping[str, Piece], meshes: Mapping[str, Mesh], tolerance_mm: float = TOLERANCE_MM
) -> dict[str, Model]:
    """The model of each piece by key, sorted; `meshes` in print pose."""
    found = {}
    for key, piece in sorted(pieces.items()):
        vertices, faces = simple(meshes[key], tolerance_mm)
        colour = group_colour(piece.group)
        found[key] = Model(key, vertices, faces, colour, piece.builder == "block")
    return found


def matrix(placement: Placement, printer: Printer) -> NDArray[np.float64]:
    """4x4 from a piece's print pose to where it stands on the board, in mm.

    All that an edit of the map changes; the models stay.
    """
    from falldamage_forge.geometry.build import fit_of, placement_transform, play_transform

    found = placement_transform(placement) @ play_transform(placement.piece, fit_of(printer))
    return found.astype("f8")


def bodies(
    models: Mapping[str, Model], placements: Iterable[Placement], printer: Printer
) -> list[Body]:
    """The parts of a plan as they stand on the board, for a photograph."""
    from falldamage_forge.render.photo.picture import Body

    found = []
    for placement in placements:
        model, at = models[placement.piece.key], matrix(placement, printer)
        corners = (model.vertices @ at[:3, :3].T + at[:3, 3]).astype("f4")
        found.append(Body(corners[model.faces], model.colour))
    return found


def scene(
    board: Board,
    placements: Sequence[Placement],
    meshes: Mapping[str, Mesh],
    printer: Printer,
    overlays: Sequence[Overlay] = (),
) -> dict[str, Any]:
    """What the viewer of the report draws: JSON values, `data` being base64 of deflated arrays.

    `meshes` are in print pose, by piece key. Each piece's array is int16: steps of x, y and z in
    `unit_mm`, then those of the corners of its triangles, whose sums wrap at 65,536. The lower
    bytes of all arrays stand before the upper ones, which deflates better.
    """
    import numpy as np

    uses: dict[str, list[Placement]] = {}
    for placement in placements:
        uses.setdefault(placement.piece.key, []).append(placement)
    models = models_of({key: places[0].piece for key, places in uses.items()}, meshes, SCENE_MM)
    pieces = [
        {
            "key": key,
            "vertices": len(model.vertices),
            "faces": len(model.faces),
            "colour": [round(part / 255, 3) for part in channels(model.colour)],
            "ground": model.ground,
            "uses": [_matrix(place, printer) for place in uses[key]],
        }
        for key, model in models.items()
    ]
    steps = np.concatenate([_steps(model.vertices, model.faces) for model in models.values()])
    packed = steps.astype("<i2").view("u1").reshape(-1, 2).T.tobytes()
    small = remembered("packed models", [packed], lambda: zlib.compress(packed, 7))
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


def simple(
    mesh: Mesh, tolerance_mm: float = TOLERANCE_MM
) -> tuple[NDArray[np.float32], NDArray[np.int32]]:
    """A mesh with fewer triangles; the mesh itself where it cannot be simplified.

    What is coarser than a small photograph is made of that, in half the time.
    """
    from falldamage_forge.geometry.kept import packed, unpacked
    from falldamage_forge.geometry.mesh import Mesh

    if tolerance_mm > 2 * SEEN_MM:
        mesh = Mesh(*simple(mesh, SEEN_MM))
    data = packed(mesh)
    about = f"simple {tolerance_mm!r}"
    slim = unpacked(remembered(about, [data], lambda: packed(_simplified(mesh, tolerance_mm))))
    return (mesh.vertices, mesh.faces) if slim is None else (slim.vertices, slim.faces)


def _simplified(mesh: Mesh, tolerance_mm: float) -> Mesh:
    import manifold3d
    import numpy as np

    from falldamage_forge.geometry.mesh import Mesh

    whole = manifold3d.Manifold(
        manifold3d.Mesh(
            np.array(mesh.vertices, dtype=np.float32), np.array(mesh.faces, dtype=np.uint32)
        )
    )
    if whole.status() != manifold3d.Error.NoError or whole.is_empty():
        return mesh
    slim = whole.simplify(tolerance_mm).to_mesh()
    return Mesh(
        np.asarray(slim.vert_properties, dtype=np.float32)[:, :3],
        np.asarray(slim.tri_verts, dtype=np.int32),
    )


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
    """Column-major, as a page wants it."""
    values = matrix(placement, printer).T.reshape(-1)
    return [round(float(value), 3) + 0.0 for value in values]


def _marks(overlay: Overlay) -> list[list[float]]:
    marks = []
    for mark in overlay.marks:
        red, green, blue = channels(overlay.colour(LIGHT, mark.tint))
        colour = [round(part / 255, 2) for part in (red, green, blue)]
        marks.append([mark.tile.row, mark.tile.col, mark.level, *colour])
    return marks
