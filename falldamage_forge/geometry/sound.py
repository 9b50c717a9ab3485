"""Is a written STL a sound solid that the printer can take? Judged on the bytes, reloaded.

A mesh can be closed in memory and broken in the file: two columns that touch along an edge become
one non-manifold edge once single precision and equal corners have welded them. So the file is the
thing that is judged, and this is the only judge: what `prove` refuses, `build` does not write.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from falldamage_forge.geometry.mesh import Mesh
from falldamage_forge.geometry.stl import read_stl
from falldamage_forge.issues import ForgeError, Issue
from falldamage_forge.printing.printer import Printer

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SMALLEST_EDGE_MM = 1e-4
"""Shorter edges are slivers of a boolean operation: slicers weld them and holes appear."""
OFF_BED_MM = 1e-3


@dataclass(frozen=True, slots=True)
class Soundness:
    """What was found in a file; `issues` is empty for a sound part."""

    triangles: int
    volume_mm3: float
    size_mm: tuple[float, float, float]
    issues: tuple[Issue, ...]


@dataclass(frozen=True, slots=True)
class Edges:
    """The sides of a mesh's triangles: `start` and `end` corners of each, triangle after triangle.

    `counts` says of each undirected edge in `first` how many sides lie on it.
    """

    start: NDArray[np.int32]
    end: NDArray[np.int32]
    order: NDArray[np.int64]
    first: NDArray[np.int64]
    counts: NDArray[np.int64]

    @classmethod
    def of(cls, mesh: Mesh) -> Edges:
        """All sides, and which of them lie on one edge."""
        import numpy as np

        start, end = mesh.faces.ravel(), mesh.faces[:, [1, 2, 0]].ravel()
        low = np.minimum(start, end).astype(np.int64)
        high = np.maximum(start, end)
        key = low * len(mesh.vertices) + high
        order = np.argsort(key, kind="stable")
        ranked = key[order]
        first = np.flatnonzero(np.concatenate([[True], ranked[1:] != ranked[:-1]]))
        counts = np.diff(np.append(first, len(ranked)))
        return cls(start, end, order, first, counts)


def prove_stl(data: bytes, printer: Printer, name: str = "the part", bodies: int = 1) -> Soundness:
    """Judge a written STL: finite, closed, outward, of so many bodies, on the bed and inside it.

    `bodies` is 1 for a piece and the number of parts for a plate. Raises ForgeError (FDF410) when
    the bytes are no STL at all; every other fault is an issue of the result.
    """
    try:
        mesh = read_stl(data, name)
    except ForgeError as error:
        if error.issues[0].code != "FDF411":
            raise
        return Soundness(0, 0.0, (0.0, 0.0, 0.0), error.issues)
    low, high = mesh.bounds_mm()
    volume_mm3 = _volume_mm3(mesh)
    issues = (
        *_shape_issues(mesh, volume_mm3, name, bodies),
        *_room_issues(low, high, printer, name),
    )
    size = (high[0] - low[0], high[1] - low[1], high[2] - low[2])
    return Soundness(len(mesh.faces), volume_mm3, size, issues)


def refuse_unsound(data: bytes, printer: Printer, name: str, bodies: int = 1) -> None:
    """ForgeError with every fault of a written STL; nothing for a sound one."""
    if issues := prove_stl(data, printer, name, bodies).issues:
        raise ForgeError(issues)


def _volume_mm3(mesh: Mesh) -> float:
    import numpy as np

    corners = mesh.vertices.astype(np.float64)[mesh.faces]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    return float(np.einsum("ij,ij->", corners[:, 0], normals) / 6.0)


def _shape_issues(mesh: Mesh, volume_mm3: float, name: str, bodies: int) -> Iterator[Issue]:
    """Faults of the surface itself."""
    import numpy as np

    edges = Edges.of(mesh)
    sides = edges.order[edges.first]
    points = mesh.vertices.astype(np.float64)
    lengths = np.linalg.norm(points[edges.end[sides]] - points[edges.start[sides]], axis=1)
    if lengths.min() < SMALLEST_EDGE_MM:
        place = points[edges.start[sides[lengths.argmin()]]]
        message = f"{name} has a sliver: an edge of {lengths.min():.1e} mm at {at(place)}"
        yield Issue("FDF412", "error", message)
    if fault := _open_place(edges, points):
        yield Issue("FDF413", "error", f"{name} is not closed: {fault}")
        return
    if volume_mm3 <= 0:
        message = f"{name} is inside out: its volume is {volume_mm3:.0f} mm³"
        yield Issue("FDF414", "error", message)
    found = _body_count(edges, len(mesh.faces))
    if found != bodies:
        yield Issue("FDF415", "error", f"{name} is {found} bodies where {bodies} should be")


def _open_place(edges: Edges, points: NDArray[np.float64]) -> str:
    """Where an edge has not exactly two sides that run against each other; empty if none."""
    import numpy as np

    bad = np.flatnonzero(edges.counts != 2)
    if len(bad):
        side = edges.order[edges.first[bad[0]]]
        middle = (points[edges.start[side]] + points[edges.end[side]]) / 2
        return f"{len(bad)} edges do not join two triangles, the first at {at(middle)}"
    pairs = edges.order.reshape(-1, 2)
    alike = np.flatnonzero(edges.start[pairs[:, 0]] == edges.start[pairs[:, 1]])
    if len(alike):
        place = points[edges.start[pairs[alike[0], 0]]]
        return f"its triangles do not all face outward, the first at {at(place)}"
    return ""


def _body_count(edges: Edges, triangles: int) -> int:
    """Shells of a closed mesh: triangles joined over edges; each is drawn to its least number."""
    import numpy as np

    pairs = edges.order.reshape(-1, 2) // 3
    root = np.arange(triangles)
    while True:
        one, other = root[pairs[:, 0]], root[pairs[:, 1]]
        apart = one != other
        if not apart.any():
            return len(np.unique(root))
        root[np.maximum(one, other)[apart]] = np.minimum(one, other)[apart]
        while not np.array_equal(root, root[root]):
            root = root[root]


def _room_issues(
    low: tuple[float, ...], high: tuple[float, ...], printer: Printer, name: str
) -> Iterator[Issue]:
    """Faults of place: on the bed, within the bed's size, below the printer's height."""
    width, depth = high[0] - low[0], high[1] - low[1]
    if abs(low[2]) > OFF_BED_MM:
        message = f"{name} does not lie on the bed: it begins at z = {low[2]:.2f} mm"
        yield Issue("FDF416", "error", message)
    bed = tuple(side - 2 * printer.margin_mm for side in printer.bed_mm)
    if width > bed[0] + 1e-6 or depth > bed[1] + 1e-6:
        message = (
            f"{name} is {width:.1f} x {depth:.1f} mm; {printer.title} prints "
            f"{bed[0]:.1f} x {bed[1]:.1f} mm inside its margins"
        )
        yield Issue("FDF417", "error", message)
    if high[2] > printer.height_mm:
        message = (
            f"{name} is {high[2]:.1f} mm tall; {printer.title} prints {printer.height_mm:.1f} mm"
        )
        yield Issue("FDF418", "error", message)


def at(place: Any) -> str:
    """A place as text: (x, y, z) to a tenth of a mm."""
    return "(" + ", ".join(f"{float(value):.1f}" for value in place) + ")"
