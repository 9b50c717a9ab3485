"""Repair: the triangles of a file to one closed solid, with a sentence for each correction.

Corners are merged, windings aligned, holes filled, sheets thickened, bodies united by manifold3d.
A mesh that stays open is refused with the place of its first open edge.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from falldamage_forge.infra.interrupts import interrupts_deferred
from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.issues import ForgeError, refuse
from falldamage_forge.models.mesh_edges import (
    Edges,
    areas,
    component_numbers,
    edges_of,
    loops,
    merged,
    signed_volumes,
    wound_alike,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Points = NDArray[np.float64]
    Faces = NDArray[np.int64]

COARSE_BITS = (17, 14)
"""Coarser grids on which corners are merged while edges are open; see `merged`."""
MOST_OPEN = 200_000
"""Most open edges of a mesh whose holes are filled."""
MOST_TORN = 2_000
"""Most separate surfaces with holes."""
SMALL_HOLE = 0.15
"""Greatest size of a hole that need not be flat, as a share of the mesh's."""
FLAT = 0.02
"""Greatest distance of a flat hole's corners from its plane, as a share of its size."""
SHEET = 0.004
"""Mean thickness below which a body is a sheet, as a share of the mesh's size."""


@dataclass(frozen=True, slots=True, eq=False)
class Repaired:
    """A closed mesh that winds outwards, and how it became one.

    Attributes:
        points: Corners in mm, float64 of shape (n, 3).
        faces: Indices of corners, int64 of shape (m, 3).
        open_edges: Open edges of the file, its coinciding corners merged.
        bodies: Separate closed surfaces before they were united.
        overlap_mm3: Volume that two bodies shared.
        done: What was corrected, one sentence each.
    """

    points: Points
    faces: Faces
    open_edges: int
    bodies: int
    overlap_mm3: float
    done: tuple[str, ...]


def repaired(points: Points, faces: Faces, name: str, sheet_mm: float = 0.0) -> Repaired:
    """Return the closed solid of some triangles.

    Args:
        points: Corners in mm, of shape (n, 3).
        faces: Indices of shape (m, 3).
        name: Name of the file in messages.
        sheet_mm: Thickness that walls of one triangle get; 0 refuses them.

    Raises:
        ForgeError: FDF513 if the mesh cannot be closed, or has no volume.
    """
    done: list[str] = []
    whole = len(faces)
    middle = (points.min(axis=0) + points.max(axis=0)) / 2
    points, faces = merged(points - middle, faces)
    if not len(faces):
        raise _refused(name, "all of its triangles are flat", None)
    if whole - len(faces):
        done.append(f"left out {whole - len(faces)} flat or repeated triangles")
    edges = edges_of(faces)
    found = len(edges.open)
    points, faces, edges = _welded(points, faces, edges, done)
    if edges.twisted:
        faces = wound_alike(points, faces)
        edges = edges_of(faces)
        done.append("turned triangles that faced the wrong way")
    if len(edges.open) > MOST_OPEN:
        at = points[edges.open[0, 0]] + middle
        raise _refused(name, f"{len(edges.open)} of its edges are open", at)
    if len(edges.open):
        points, faces = _closed(points, faces, edges, middle, name, sheet_mm, done)
        edges = edges_of(faces)
    if len(edges.unbalanced):
        at = points[edges.unbalanced[0]].mean(axis=0) + middle
        raise _refused(name, "more than two of its surfaces meet at an edge, or it is open", at)
    if signed_volumes(points, faces).sum() < 0:
        faces = faces[:, ::-1]
        done.append("turned it inside out: its triangles faced inwards")
    points, faces, bodies, overlap = _united(points, faces, middle, name, done)
    return Repaired(points + middle, faces, found, bodies, overlap, tuple(done))


def _refused(name: str, why: str, at: Points | None) -> ForgeError:
    where = "" if at is None else f", at x {at[0]:.1f}, y {at[1]:.1f}, z {at[2]:.1f} mm"
    tools = "Make Manifold of Blender's 3D print tools, or the slicer's repair"
    hint = f"repair it in its program: {tools}"
    return refuse("FDF513", f"`{name}` is no closed solid: {why}{where}", hint)


def _welded(
    points: Points, faces: Faces, edges: Edges, done: list[str]
) -> tuple[Points, Faces, Edges]:
    """Merge corners on coarser grids as long as that closes edges."""
    for bits in COARSE_BITS:
        if not len(edges.open):
            break
        near_points, near_faces = merged(points, faces, bits)
        near = edges_of(near_faces)
        if len(near.open) < len(edges.open) // 2 and len(near_faces) > 0.9 * len(faces):
            done.append(
                f"joined corners that nearly met: {len(edges.open)} open edges to {len(near.open)}"
            )
            points, faces, edges = near_points, near_faces, near
    return points, faces, edges


def _closed(
    points: Points,
    faces: Faces,
    edges: Edges,
    middle: Points,
    name: str,
    sheet_mm: float,
    done: list[str],
) -> tuple[Points, Faces]:
    """Return the mesh with filled holes; components that enclose nothing become sheets."""
    import numpy as np

    size = float(np.linalg.norm(np.ptp(points, axis=0)))
    number = component_numbers(faces, len(points))
    torn = np.unique(number[np.isin(faces, edges.open).any(axis=1)])
    if len(torn) > MOST_TORN:
        at = points[edges.open[0, 0]] + middle
        raise _refused(name, f"it has {len(torn)} loose scraps", at)
    parts, filled, sheets, shifted = [faces[~np.isin(number, torn)]], 0, 0, [points]
    count = len(points)
    for own in (faces[number == each] for each in torn.tolist()):
        fill = _filling(points, own, size)
        if fill is None:
            if not sheet_mm:
                at = points[edges_of(own).open[0]].mean(axis=0) + middle
                raise _refused(name, "a hole is too large and too crooked to be filled", at)
            extra, rows = _thickened(points, own, sheet_mm, count)
            sheets += 1
        else:
            extra, rows, holes = fill
            rows = np.where(rows < 0, count - 1 - rows, rows)
            filled += holes
        shifted.append(extra)
        count += len(extra)
        parts.append(rows)
    if filled:
        done.append("filled a hole" if filled == 1 else f"filled {filled} holes")
    if sheets:
        word = "a wall" if sheets == 1 else f"{sheets} walls"
        done.append(f"thickened {word} of one triangle's thickness")
    return np.concatenate(shifted), np.concatenate(parts)


def _filling(points: Points, faces: Faces, size: float) -> tuple[Points, Faces, int] | None:
    """Return new corners, the triangles of a component with its filling, and the number of holes.

    A new corner i has the index -1 - i. None: the component is a sheet, or has holes that are
    neither small nor flat.
    """
    import numpy as np

    rings = list(loops(edges_of(faces).open))
    new: list[Points] = []
    rows = [faces]
    flat: list[tuple[Points, Points, list[int]]] = []
    for ring in rings:
        corners = points[ring]
        at, normal, depth, wide = _plane(corners)
        if depth <= FLAT * max(wide, 1e-9) and len(ring) > 3:
            flat.append((at, normal, ring))
        elif wide <= SMALL_HOLE * size or len(ring) <= 4:
            rows.append(_fan(ring, len(new)))
            new.append(corners.mean(axis=0))
        else:
            return None
    for group in _coplanar(flat, size):
        cap = _cap(points, group)
        if cap is None:
            for _, _, ring in group:
                rows.append(_fan(ring, len(new)))
                new.append(points[ring].mean(axis=0))
        else:
            rows.append(cap)
    extra = np.array(new).reshape(-1, 3)
    both = np.concatenate(rows)
    solid = np.where(both < 0, len(points) - 1 - both, both)
    corners = np.concatenate((points, extra))
    thick = 2 * abs(signed_volumes(corners, solid).sum()) / max(areas(corners, solid).sum(), 1e-12)
    return None if thick < SHEET * size else (extra, both, len(rings))


def _plane(corners: Points) -> tuple[Points, Points, float, float]:
    """Return the middle and normal of a loop's plane, its greatest distance, and its size."""
    import numpy as np

    middle = corners.mean(axis=0)
    around = corners - middle
    normal = np.cross(around, np.roll(around, -1, axis=0)).sum(axis=0)
    length = float(np.linalg.norm(normal))
    normal = normal / length if length else np.array([0.0, 0.0, 1.0])
    wide = float(np.linalg.norm(np.ptp(corners, axis=0)))
    return middle, normal, float(np.abs(around @ normal).max()), wide


def _fan(ring: Sequence[int], extra: int) -> Faces:
    """Return triangles from a loop's edges to a new corner."""
    import numpy as np

    one = np.array(ring)
    return np.stack((one, np.roll(one, -1), np.full(len(one), -1 - extra)), axis=1)


def _coplanar(
    rings: Iterable[tuple[Points, Points, list[int]]], size: float
) -> list[list[tuple[Points, Points, list[int]]]]:
    """Return flat loops grouped by their planes, whichever side they face."""
    groups: list[list[tuple[Points, Points, list[int]]]] = []
    for ring in rings:
        for group in groups:
            at, normal, _ = group[0]
            alike = abs(float(normal @ ring[1])) > 1 - FLAT
            if alike and abs(float((ring[0] - at) @ normal)) < SHEET * size:
                group.append(ring)
                break
        else:
            groups.append([ring])
    return groups


def _cap(points: Points, group: Sequence[tuple[Points, Points, list[int]]]) -> Faces | None:
    """Return the triangles between the loops of one plane; None if they cross."""
    import numpy as np

    with interrupts_deferred():
        from manifold3d import triangulate

    normal = np.sum([n * _area(points[ring], n) for _, n, ring in group], axis=0)
    normal = normal / max(float(np.linalg.norm(normal)), 1e-12)
    across = np.cross(normal, np.eye(3)[int(np.abs(normal).argmin())])
    across /= np.linalg.norm(across)
    axes = np.stack((across, np.cross(normal, across)), axis=1)
    polygons = [np.ascontiguousarray(points[ring] @ axes) for _, _, ring in group]
    index = np.concatenate([np.array(ring) for _, _, ring in group])
    try:
        rows = np.asarray(triangulate(polygons))
    except (ValueError, RuntimeError):
        return None
    edges = sum(map(len, polygons))
    if len(rows) != edges - 2 + 2 * (len(group) - 1) and len(rows) < edges - 2 * len(group):
        return None
    faces: Faces = index[rows]
    return faces


def _area(corners: Points, normal: Points) -> float:
    import numpy as np

    around = corners - corners.mean(axis=0)
    return abs(float(np.cross(around, np.roll(around, -1, axis=0)).sum(axis=0) @ normal)) / 2


def _thickened(points: Points, faces: Faces, sheet_mm: float, count: int) -> tuple[Points, Faces]:
    """Return the corners and triangles of a sheet with a thickness; new ones count from `count`."""
    import numpy as np

    used, local = np.unique(faces, return_inverse=True)
    local = local.reshape(-1, 3)
    corners = points[used]
    a, b, c = (corners[local[:, k]] for k in range(3))
    across = np.cross(b - a, c - a)
    normals = np.zeros_like(corners)
    for k in range(3):
        np.add.at(normals, local[:, k], across)
    length = np.linalg.norm(normals, axis=1, keepdims=True)
    normals = np.divide(normals, length, out=np.zeros_like(normals), where=length > 0)
    outer, inner = corners + normals * (sheet_mm / 2), corners - normals * (sheet_mm / 2)
    rim = edges_of(local).open
    n = len(corners)
    sides = np.concatenate(
        (
            np.stack((rim[:, 1], rim[:, 0], rim[:, 0] + n), axis=1),
            np.stack((rim[:, 1], rim[:, 0] + n, rim[:, 1] + n), axis=1),
        )
    )
    rows = np.concatenate((local, local[:, ::-1] + n, sides))
    return np.concatenate((outer, inner)), rows + count


def _united(
    points: Points, faces: Faces, middle: Points, name: str, done: list[str]
) -> tuple[Points, Faces, int, float]:
    """Return the union of all bodies less their cavities, the number of bodies, their overlap."""
    import numpy as np

    with interrupts_deferred():
        from manifold3d import Manifold, OpType

    solid = _kernel_solid(points, faces)
    if solid.is_empty():
        why = str(solid.status()).rsplit(".", 1)[-1]
        raise _refused(name, f"its surface crosses itself ({why})", None)
    bodies: list[Any] = [each for each in solid.decompose() if not each.is_empty()]
    full = [each for each in bodies if each.volume() > 0]
    holes = [each for each in bodies if each.volume() < 0]
    total = sum(each.volume() for each in full)
    overlap = 0.0
    if len(full) > 1:
        solid = Manifold.batch_boolean(full, OpType.Add)
        overlap = max(total - solid.volume(), 0.0)
        if overlap > 1e-6 * total:
            done.append(f"united {len(full)} bodies that pass through each other")
        if holes:
            solid = Manifold.batch_boolean(
                [solid, *(_turned(each) for each in holes)], OpType.Subtract
            )
    if solid.is_empty() or solid.volume() <= 0:
        raise _refused(name, "it encloses no volume", None)
    raw = solid.to_mesh()
    corners = np.asarray(raw.vert_properties, np.float64)[:, :3]
    return corners, np.asarray(raw.tri_verts, np.int64), len(bodies), overlap


def _turned(body: Any) -> Any:
    """Return the solid that a cavity's surface encloses."""
    import numpy as np

    raw = body.to_mesh()
    return _kernel_solid(np.asarray(raw.vert_properties)[:, :3], np.asarray(raw.tri_verts)[:, ::-1])


def _kernel_solid(points: NDArray[Any], faces: NDArray[Any]) -> Any:
    """Return the kernel's solid of a mesh; it is empty if the mesh is none."""
    import numpy as np
    from manifold3d import Manifold
    from manifold3d import Mesh as Kernel

    corners = np.array(points, np.float32, order="C")  # the kernel takes no read-only views
    return Manifold(Kernel(corners, np.array(faces, np.uint32, order="C")))
