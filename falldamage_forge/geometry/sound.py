"""Is a written STL a sound solid that the printer can take? Judged on the bytes, reloaded.

A mesh can be closed in memory and broken in the file: two columns that touch along an edge become
one non-manifold edge once single precision and equal corners have welded them. So the file is the
thing that is judged.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from falldamage_forge.issues import ForgeError, Issue
from falldamage_forge.printing.printer import Printer

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

HEADER_BYTES, TRIANGLE_BYTES = 84, 50
MAX_TRIANGLES = 2_000_000
SMALLEST_EDGE_MM = 1e-4
"""Shorter edges are slivers of a boolean operation: slicers weld them and holes appear."""


def read_stl(data: bytes, name: str) -> NDArray[np.float32]:
    """Corners of a binary STL's triangles, float32 of shape (n, 3, 3), in mm.

    Raises ForgeError (FDF410) unless the length agrees exactly with the count in the header, so a
    file cut short is never taken for a smaller part.
    """
    import numpy as np

    count = int.from_bytes(data[80:84], "little") if len(data) >= HEADER_BYTES else -1
    if count < 0 or len(data) != HEADER_BYTES + count * TRIANGLE_BYTES:
        raise _error("FDF410", f"{name} is not a whole binary STL: {len(data)} bytes")
    if not 0 < count <= MAX_TRIANGLES:
        raise _error("FDF410", f"{name} has {count} triangles; 1 to {MAX_TRIANGLES} are allowed")
    kind = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("spare", "<u2")])
    corners: NDArray[np.float32] = np.frombuffer(data, kind, count, HEADER_BYTES)["corners"]
    return corners


def _error(code: str, message: str, hint: str | None = None) -> ForgeError:
    return ForgeError([Issue(code, "error", message, hint=hint)])


@dataclass(frozen=True, slots=True)
class Soundness:
    """What was found in a file; `issues` is empty for a sound part."""

    triangles: int
    volume_mm3: float
    size_mm: tuple[float, float, float]
    issues: tuple[Issue, ...]


def prove_stl(data: bytes, printer: Printer, name: str = "the part", bodies: int = 1) -> Soundness:
    """Judge a written STL: finite, closed, outward, of so many bodies, on the bed and inside it.

    `bodies` is 1 for a piece and the number of parts for a plate. Raises ForgeError (FDF410) when
    the bytes are no STL at all; every other fault is an issue of the result.
    """
    import numpy as np

    corners = read_stl(data, name)
    if not np.isfinite(corners).all():
        issue = Issue("FDF411", "error", f"{name} has corners that are not finite numbers")
        return Soundness(len(corners), 0.0, (0.0, 0.0, 0.0), (issue,))
    import trimesh

    welded, index = np.unique(corners.reshape(-1, 3), axis=0, return_inverse=True)
    solid = trimesh.Trimesh(welded, index.reshape(-1, 3), process=False, validate=False)
    low, high = welded.min(axis=0), welded.max(axis=0)
    size = high - low
    issues = (*_shape_issues(solid, name, bodies), *_room_issues(low, high, printer, name))
    return Soundness(
        len(corners),
        float(solid.volume),
        (float(size[0]), float(size[1]), float(size[2])),
        issues,
    )


def _shape_issues(solid: Any, name: str, bodies: int) -> Iterator[Issue]:
    """Faults of the surface itself."""
    shortest = float(solid.edges_unique_length.min())
    if shortest < SMALLEST_EDGE_MM:
        place = solid.vertices[solid.edges_unique[solid.edges_unique_length.argmin()][0]]
        yield Issue(
            "FDF412",
            "error",
            f"{name} has a sliver: an edge of {shortest:.1e} mm at {at(place)}",
        )
    if not (solid.is_watertight and solid.is_winding_consistent):
        yield Issue("FDF413", "error", f"{name} is not closed{_open_place(solid)}")
        return
    if solid.volume <= 0:
        yield Issue(
            "FDF414", "error", f"{name} is inside out: its volume is {solid.volume:.0f} mm³"
        )
    found = int(solid.body_count)
    if found != bodies:
        yield Issue("FDF415", "error", f"{name} is {found} bodies where {bodies} should be")


def _open_place(solid: Any) -> str:
    """Where an edge has not exactly two triangles, for the message."""
    import numpy as np

    edges, counts = np.unique(solid.edges_sorted, axis=0, return_counts=True)
    bad = edges[counts != 2]
    if len(bad) == 0:
        return ": its triangles do not all face outward"
    middle = solid.vertices[bad[0]].mean(axis=0)
    return f": {len(bad)} edges do not join two triangles, the first at {at(middle)}"


def _room_issues(low: Any, high: Any, printer: Printer, name: str) -> Iterator[Issue]:
    """Faults of place: on the bed, within the bed's size, below the printer's height."""
    size = high - low
    if abs(float(low[2])) > 1e-3:
        yield Issue(
            "FDF416", "error", f"{name} does not lie on the bed: it begins at z = {low[2]:.2f} mm"
        )
    bed = tuple(side - 2 * printer.margin_mm for side in printer.bed_mm)
    if size[0] > bed[0] + 1e-6 or size[1] > bed[1] + 1e-6:
        yield Issue(
            "FDF417",
            "error",
            f"{name} is {size[0]:.1f} x {size[1]:.1f} mm; {printer.title} prints "
            f"{bed[0]:.1f} x {bed[1]:.1f} mm inside its margins",
        )
    if high[2] > printer.height_mm:
        yield Issue(
            "FDF418",
            "error",
            f"{name} is {high[2]:.1f} mm tall; {printer.title} prints {printer.height_mm:.1f} mm",
        )


def at(place: Any) -> str:
    """A place as text: (x, y, z) to a tenth of a mm."""
    return "(" + ", ".join(f"{float(value):.1f}" for value in place) + ")"
