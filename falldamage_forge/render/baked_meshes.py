"""Baked piece meshes for the 3D view: few triangles, ambient occlusion per vertex, compact.

One format serves the studio's server and its static site; `page/baked.js` reads it:

- deflated; first two little-endian uint32: vertices n, triangles m;
- then byte planes, the low bytes of all numbers before their high ones, of n values each for x, y
and z in steps of 1/64 mm and for openness (0 to 255), and of 3 m vertex indices; each value is the
zigzag difference to the one before, modulo 2**16.
"""

from __future__ import annotations

import struct
import zlib
from typing import TYPE_CHECKING

from falldamage_forge.lengths import GRID
from falldamage_forge.pieces.family_roles import role_of
from falldamage_forge.render.viewer_meshes import TOLERANCE_MM

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from falldamage_forge.geometry.piece_style import PieceStyle
    from falldamage_forge.pieces.piece import Piece
    from falldamage_forge.printing.printer import Printer

    Floats = NDArray[np.float64]

VERSION = 1
STEPS_PER_MM = 64
CELL_MM = 1.25
"""Voxel size of the search for occluders."""
FAR_MM = (1.9, 3.4, 5.6, 8.8)
"""Distances from a surface at which occluders are looked for."""
WAYS = 24
MOST_VERTICES = 1 << 16


def bake_piece(piece: Piece, printer: Printer, style: PieceStyle, most: int = 0) -> bytes:
    """Return a piece in its own frame on a table of 30 mm, in the module's format.

    Args:
        piece: Piece to bake.
        printer: Printer whose gaps apply.
        style: Relief of walls and tops.
        most: Greatest number of triangles, see `few_faces`; 0 for as many as its details need.

    Raises:
        GeometryError: If the piece cannot be built.
    """
    import numpy as np

    from falldamage_forge.geometry.mesh import Mesh
    from falldamage_forge.geometry.piece_mesh import build, fit_of, play_transform
    from falldamage_forge.geometry.simplified_mesh import few_faces, simplified

    mesh = build(piece, printer, style)
    stands = play_transform(piece, fit_of(printer))
    vertices = (mesh.vertices @ stands[:3, :3].T + stands[:3, 3]).astype(np.float32)
    tolerance = TOLERANCE_MM
    whole = Mesh(vertices, mesh.faces)
    slim = few_faces(whole, most, tolerance) if most else simplified(whole, tolerance)
    slim = slim.in_order()
    while len(slim.vertices) > MOST_VERTICES:
        tolerance *= 2
        slim = simplified(whole, tolerance).in_order()
    unit = (GRID.pitch_mm / piece.grid.pitch_mm,) * 2 + (GRID.rise_mm / piece.grid.rise_mm,)
    places = np.round(slim.vertices.astype(np.float64) * unit * STEPS_PER_MM).astype(np.int32)
    open_ = ambient_occlusion(
        slim.vertices.astype(np.float64), slim.faces, role_of(piece.family).grounded
    )
    return encode_vertices(places, np.round(open_ * 255).astype(np.int32), slim.faces)


def encode_vertices(
    places: NDArray[np.int32], open_: NDArray[np.int32], faces: NDArray[np.int32]
) -> bytes:
    """Return the bytes of vertices (n, 3) in 1/64 mm, openness (n,) and triangles (m, 3).

    Args:
        places: Vertices, shape (n, 3), in 1/64 mm.
        open_: Openness of each vertex, shape (n,).
        faces: Numbers of vertices, shape (m, 3).
    """
    rows = [*places.T, open_, faces.reshape(-1)]
    head = struct.pack("<II", len(places), len(faces))
    return zlib.compress(head + b"".join(map(_planes, rows)), 9)


def _planes(values: NDArray[np.int32]) -> bytes:
    """Return zigzag differences modulo 2**16 in byte planes, low bytes first."""
    import numpy as np

    steps = np.diff(values, prepend=np.int32(0)).astype(np.int16).astype(np.int32)
    zigzag = ((steps << 1) ^ (steps >> 31)).astype(np.uint16)
    return (zigzag & 255).astype(np.uint8).tobytes() + (zigzag >> 8).astype(np.uint8).tobytes()


def ambient_occlusion(vertices: Floats, faces: NDArray[np.int32], floor: bool) -> Floats:
    """Return the share of the sky that each vertex sees past its own piece, shape (n,), 0 to 1.

    Args:
        vertices: Shape (n, 3), in mm.
        faces: Shape (m, 3).
        floor: True if everything below z = 0 is hidden.
    """
    import numpy as np

    solid, origin = voxels(vertices, faces)
    normals = _normals(vertices, faces)
    ways = _sphere(WAYS)
    lean = normals @ ways.T  # how much each way looks along the normal
    weight = np.clip(lean, 0, None)
    free = np.ones((len(vertices), len(ways)))
    start = vertices + normals * (0.75 * CELL_MM)
    for number, far in enumerate(FAR_MM):
        at = start[:, None, :] + ways[None, :, :] * far
        hit = _inside(solid, origin, at)
        if floor:
            hit |= at[:, :, 2] < 0
        free = np.where(hit, np.minimum(free, number / (len(FAR_MM) + 1)), free)
    total: Floats = (free * weight).sum(axis=1) / np.maximum(weight.sum(axis=1), 1e-9)
    return np.clip(total, 0, 1)


def voxels(vertices: Floats, faces: NDArray[np.int32]) -> tuple[NDArray[np.bool_], Floats]:
    """Return the cells of CELL_MM that are solid at their middle, shape (x, y, z); their origin.

    Args:
        vertices: Vertices, shape (n, 3), in mm.
        faces: Numbers of vertices, shape (m, 3).
    """
    import manifold3d
    import numpy as np

    origin = vertices.min(axis=0)
    size = np.ceil((vertices.max(axis=0) - origin) / CELL_MM).astype(int) + 1
    whole = manifold3d.Manifold(
        manifold3d.Mesh(vertices.astype(np.float32), faces.astype(np.uint32))
    )
    solid = np.zeros(tuple(size), np.bool_)
    for layer in range(size[2]):
        rings = whole.slice(origin[2] + (layer + 0.5) * CELL_MM).to_polygons()
        solid[:, :, layer] = _filled(rings, origin, size)
    return solid, origin


def _filled(rings: list[Floats], origin: Floats, size: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return the cells inside rings by the even-odd rule, shape (x, y)."""
    import numpy as np

    turns = np.zeros((size[0] + 1, size[1]), np.int32)
    rows = origin[1] + (np.arange(size[1]) + 0.5) * CELL_MM
    for ring in rings:
        a, b = np.asarray(ring), np.roll(np.asarray(ring), -1, axis=0)
        crosses = (a[:, 1:] <= rows) != (b[:, 1:] <= rows)  # (edges, rows)
        edge, row = np.nonzero(crosses)
        share = (rows[row] - a[edge, 1]) / (b[edge, 1] - a[edge, 1])
        x = a[edge, 0] + share * (b[edge, 0] - a[edge, 0])
        cell = np.clip(np.ceil((x - origin[0]) / CELL_MM - 0.5), 0, size[0]).astype(int)
        np.add.at(turns, (cell, row), 1)
    filled: NDArray[np.bool_] = np.cumsum(turns, axis=0)[:-1] % 2 == 1
    return filled


def _inside(solid: NDArray[np.bool_], origin: Floats, at: Floats) -> NDArray[np.bool_]:
    """Return an array that is true for each place, shape (..., 3), in a solid cell."""
    import numpy as np

    cell: NDArray[np.int64] = np.floor((at - origin) / CELL_MM).astype(np.int64)
    x, y, z = (cell[..., axis] for axis in range(3))
    within: NDArray[np.bool_] = np.logical_and.reduce((cell >= 0) & (cell < solid.shape), axis=-1)
    x, y, z = (np.where(within, each, 0) for each in (x, y, z))
    return np.logical_and(solid[x, y, z], within)


def _normals(vertices: Floats, faces: NDArray[np.int32]) -> Floats:
    """Return the normal of each vertex, shape (n, 3)."""
    import numpy as np

    a, b, c = (vertices[faces[:, corner]] for corner in range(3))
    cross = np.cross(b - a, c - a)
    cross /= np.maximum(np.linalg.norm(cross, axis=1, keepdims=True), 1e-12)
    out = np.zeros_like(vertices)
    for corner in range(3):
        np.add.at(out, faces[:, corner], cross)
    normals: Floats = out / np.maximum(np.linalg.norm(out, axis=1, keepdims=True), 1e-12)
    return normals


def _sphere(count: int) -> Floats:
    """Return evenly spread directions, shape (count, 3)."""
    import numpy as np

    k = np.arange(count) + 0.5
    z = 1 - 2 * k / count
    flat, turn = np.sqrt(1 - z * z), np.pi * (1 + 5**0.5) * k
    return np.stack([flat * np.cos(turn), flat * np.sin(turn), z], axis=1)
