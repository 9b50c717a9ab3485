"""Mesh validation of a written STL: closed, outward, on the bed, inside the printer's volume.

A mesh can be closed in memory and broken in the file: two columns that touch along an edge become
one non-manifold edge once single precision and equal corners have welded them. So the file's bytes
are checked: its half-edges (closed, winding, volume) and, by manifold3d, the closed solid and its
number of bodies.
`build` writes no file that `fdforge prove` would reject.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from falldamage_forge.geometry.csg import GeometryError, from_mesh
from falldamage_forge.geometry.flat_triangles import flat_triangles
from falldamage_forge.geometry.mesh import Mesh
from falldamage_forge.geometry.mesh_cache import cached_entry, versions_of
from falldamage_forge.geometry.stl import read_stl
from falldamage_forge.infra.disk_cache import key_of
from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.issues import ForgeError, Issue
from falldamage_forge.models.mesh_edges import Edges, edges_of
from falldamage_forge.printing.printer import Printer

JUDGES = ("numpy-stl", "manifold3d", "numpy")
SOUND = b"sound"
SMALLEST_EDGE_MM = 1e-4
"""Shorter edges are slivers of a boolean operation: slicers weld them and holes appear."""
OFF_BED_MM = 1e-3


@dataclass(frozen=True, slots=True)
class MeshValidity:
    """Result of a validation; `issues` is empty for a valid part. An open mesh has volume 0."""

    triangles: int
    volume_mm3: float
    size_mm: tuple[float, float, float]
    issues: tuple[Issue, ...]


def signed_volume_mm3(mesh: Mesh) -> float:
    """Return the volume of a closed mesh; negative if it is inside out."""
    import numpy as np

    a, b, c = (mesh.vertices[mesh.faces[:, corner]].astype(np.float64) for corner in range(3))
    return float(np.einsum("ij,ij->", a, np.cross(b, c)) / 6)


def validate_stl(
    data: bytes, printer: Printer, name: str = "the part", bodies: int = 1
) -> MeshValidity:
    """Return the validation of a written STL.

    Args:
        data: Bytes of the file.
        printer: Printer that must hold the part.
        name: Name of the part, for messages.
        bodies: Expected number of bodies: 1 for a piece, the number of parts for a plate.

    Returns:
        Every problem as an issue, FDF411 to FDF418.

    Raises:
        ForgeError: (FDF410) If the bytes are not an STL.
    """
    try:
        mesh = read_stl(data, name)
    except ForgeError as error:
        if error.issues[0].code != "FDF411":
            raise
        return MeshValidity(0, 0.0, (0.0, 0.0, 0.0), error.issues)
    low, high = mesh.bounds_mm()
    edges = edges_of(mesh.faces)
    volume_mm3 = signed_volume_mm3(mesh) if edges.facing else 0.0
    issues = (
        *_shape_issues(mesh, edges, volume_mm3, name, bodies),
        *_room_issues(low, high, printer, name),
    )
    size = (high[0] - low[0], high[1] - low[1], high[2] - low[2])
    return MeshValidity(len(mesh.faces), volume_mm3, size, issues)


def require_valid_stl(data: bytes, printer: Printer, name: str, bodies: int = 1) -> None:
    """Raise an error unless a written STL is valid; see `validate_stl`.

    Bytes that this code and its libraries found valid before are not checked again: those of the
    presets' parts were checked before they came with the package.

    Args:
        data: Bytes of the file.
        printer: Printer that must hold the part.
        name: Name of the part, for messages.
        bodies: Expected number of bodies.

    Raises:
        ForgeError: (FDF410 to FDF418) Lists every problem.
    """

    def judged() -> bytes:
        if issues := validate_stl(data, printer, name, bodies).issues:
            raise ForgeError(issues)
        return SOUND

    cached_entry(sound_key(data, printer, bodies), judged)


def sound_key(data: bytes, printer: Printer, bodies: int = 1) -> str:
    """Return the key in the mesh cache of the fact that an STL is valid.

    Args:
        data: Bytes of the file.
        printer: Printer that holds the part.
        bodies: Number of bodies.
    """
    volume = f"{printer.bed_mm} {printer.margin_mm} {printer.height_mm}"
    return key_of(f"sound by {versions_of(JUDGES)}: {bodies} bodies in {volume}", (data,))


def _shape_issues(
    mesh: Mesh, edges: Edges, volume_mm3: float, name: str, bodies: int
) -> Iterator[Issue]:
    """Yield the issues of the surface itself."""
    import numpy as np

    one, other = (mesh.vertices[edges.corners[:, end]].astype(np.float64) for end in (0, 1))
    lengths = np.sqrt(((other - one) ** 2).sum(axis=1))
    if lengths.min() < SMALLEST_EDGE_MM:
        place = one[lengths.argmin()]
        message = f"{name} has a sliver: an edge of {lengths.min():.1e} mm at {format_point(place)}"
        yield Issue("FDF412", "error", message)
    corners = mesh.vertices[mesh.faces]
    flat = flat_triangles(corners)
    if flat.any():
        place = format_point(corners[flat][0].mean(axis=0))
        count = int(flat.sum())
        few = f"{count} triangle{'s' * (count != 1)} without area"
        message = f"{name} has {few}, the first at {place}"
        yield Issue("FDF412", "error", message)
    if problem := _open_place(mesh, edges):
        yield Issue("FDF413", "error", f"{name} is not closed: {problem}")
        return
    if volume_mm3 <= 0:
        message = f"{name} is inside out: its volume is {volume_mm3:.0f} mm³"
        yield Issue("FDF414", "error", message)
    try:
        count = len(from_mesh(mesh).decompose())
    except GeometryError as error:
        yield Issue("FDF413", "error", f"{name} is not closed: {error}")
        return
    if count != bodies:
        yield Issue("FDF415", "error", f"{name} is {count} bodies where {bodies} should be")


def _open_place(mesh: Mesh, edges: Edges) -> str:
    """Return the problem and place of the first edge without two opposite sides; empty if none."""
    if not edges.closed:
        bad = edges.corners[edges.uses != 2]
        middle = mesh.vertices[bad[0]].mean(axis=0)
        return f"{len(bad)} edges do not join two triangles, the first at {format_point(middle)}"
    if not edges.facing:
        place = mesh.vertices[edges.corners[edges.turn != 0][0, 0]]
        return f"its triangles do not all face outward, the first at {format_point(place)}"
    return ""


def _room_issues(
    low: tuple[float, ...], high: tuple[float, ...], printer: Printer, name: str
) -> Iterator[Issue]:
    """Yield the issues of position: on the bed, within its size, below the printer's height."""
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


def format_point(place: Any) -> str:
    """Return a point as text: (x, y, z) to 0.1 mm."""
    return "(" + ", ".join(f"{float(value):.1f}" for value in place) + ")"
