"""Printability check: does a written part print without supports, and completely?

It reads the written bytes back and checks: valid mesh, inside the printer, no island, no long
cantilever or bridge, no wall or slit thinner than the nozzle prints, centre of mass over the
contact area, lower edges chamfered against elephant's foot. `fdforge prove` and the tests of every
piece run it.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import TYPE_CHECKING, Any

from falldamage_forge.geometry.bed_adhesion import Foot, foot_of
from falldamage_forge.geometry.connector_standard import LAYER_MM, STANDARD
from falldamage_forge.geometry.csg import from_mesh
from falldamage_forge.geometry.mesh import Mesh
from falldamage_forge.geometry.mesh_validation import MeshValidity, format_point, validate_stl
from falldamage_forge.geometry.slicing import (
    LINE_MM,
    LayerSlices,
    Overhang,
    Place,
    leaning_layers,
    overhangs,
    polygons,
    solid_parts,
)
from falldamage_forge.geometry.stl import read_stl
from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.issues import Issue
from falldamage_forge.printing.printer import Printer

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

CANTILEVER_MM = 0.6
"""Maximum overhang of a layer's edge without anything below its end."""
BRIDGE_MM = STANDARD.bridge_mm + 0.05
WALL_MM = 0.80
WALL_SLACK_MM = 0.04
FACE_MM = STANDARD.relief_height_mm + 0.15
"""Within this distance of a part's top or bottom, faces are engraved and one line is enough."""
STRIP_MM = LINE_MM - 0.04
SLIT_MM = 0.56
"""Engraved strokes are at least 0.6 mm wide; narrower slits close up."""
SPECK_MM2 = 1.2
"""Smaller thin spots are the tips of sharp corners and the ends of blades."""
NOTCH_MM2 = 1.5
"""Smaller slits are the notches where strokes meet."""
BALANCE_MM = 1.0
"""Minimum distance of the centre of mass from the outline of the contact area."""
RELIEF_MM = STANDARD.relief_width_mm - 0.06
SLIM_MM = 1.7
PIN_MM = 0.66
"""Minimum thickness of a blade, which is short."""
MOST_PLACES = 5
"""Places reported of each kind of problem."""


@dataclass(frozen=True, slots=True)
class PrintFault:
    """A problem of a part at a place in print pose, in mm."""

    code: str
    message: str
    place: Place

    def issue(self, name: str) -> Issue:
        """Return the problem as an issue of a part."""
        return Issue(self.code, "error", f"{name} {self.message} at {format_point(self.place)}")


@dataclass(frozen=True, slots=True)
class PrintabilityReport:
    """Measurements of a part, lengths in mm.

    `bridge_mm` is the longest bridge, `cantilever_mm` the longest cantilever, `balance_mm` the
    distance of the centre of mass inside the outline on the bed (negative: outside). `faults` have
    places; `issues` adds those of the mesh. `foot` is the contact with the bed.
    """

    name: str
    soundness: MeshValidity
    layers: int = 0
    bridge_mm: float = 0.0
    cantilever_mm: float = 0.0
    islands: int = 0
    balance_mm: float = 0.0
    faults: tuple[PrintFault, ...] = ()
    foot: Foot | None = None

    @property
    def issues(self) -> tuple[Issue, ...]:
        """Reasons not to print the part; empty for a good part."""
        return (*self.soundness.issues, *(fault.issue(self.name) for fault in self.faults))


def check_printability(
    data: bytes, printer: Printer, name: str = "the part", layer_mm: float = LAYER_MM
) -> PrintabilityReport:
    """Return the printability of a written STL.

    A part whose mesh is invalid is not cut into layers.

    Args:
        data: Bytes of the file.
        printer: Printer that must print it.
        name: Name of the part, for messages.
        layer_mm: Layer height.

    Raises:
        ForgeError: (FDF410) If the bytes are not an STL.
    """
    soundness = validate_stl(data, printer, name)
    if any(issue.code not in ("FDF417", "FDF418") for issue in soundness.issues):
        return PrintabilityReport(name, soundness)
    mesh = read_stl(data, name)
    seen, layers = mesh.to_trimesh(), LayerSlices(from_mesh(mesh), layer_mm)
    hanging = tuple(overhangs(layers, leaning_layers(mesh, layers)))
    balance = _balance(seen.center_mass.tolist(), layers)
    faults = [
        *_overhang_faults(hanging),
        *_thin_faults(mesh, layers, min(WALL_MM, printer.process.wall_mm - WALL_SLACK_MM)),
        *_balance_faults(balance),
        *_relief_faults(layers),
    ]
    return PrintabilityReport(
        name,
        soundness,
        layers.count,
        max((one.reach_mm for one in hanging if one.kind == "bridge"), default=0.0),
        max((one.reach_mm for one in hanging if one.kind == "cantilever"), default=0.0),
        sum(one.kind == "island" for one in hanging),
        balance[1],
        tuple(_few(faults)),
        foot_of(polygons(layers.section(0)), layers.top_mm),
    )


def _few(faults: list[PrintFault]) -> Iterator[PrintFault]:
    """Yield the first places of each kind of problem, and the number of further ones."""
    for code, group in groupby(sorted(faults, key=lambda fault: fault.code), lambda f: f.code):
        same = list(group)
        yield from same[:MOST_PLACES]
        if len(same) > MOST_PLACES:
            rest = same[MOST_PLACES]
            count = len(same) - MOST_PLACES
            yield PrintFault(code, f"has the same problem {count} more times, next", rest.place)


def _overhang_faults(hanging: tuple[Overhang, ...]) -> Iterator[PrintFault]:
    for one in sorted(hanging, key=lambda one: -one.reach_mm):
        if one.kind == "island":
            message = f"begins an island of {one.area_mm2:.1f} mm² in the air"
            yield PrintFault("FDF420", message, one.place)
        elif one.kind == "cantilever" and one.reach_mm > CANTILEVER_MM:
            message = f"juts out {one.reach_mm:.1f} mm with nothing below"
            yield PrintFault("FDF421", message, one.place)
        elif one.kind == "bridge" and one.reach_mm > BRIDGE_MM:
            message = f"bridges {one.reach_mm:.1f} mm; {STANDARD.bridge_mm:.0f} mm hold"
            yield PrintFault("FDF422", message, one.place)


def _distinct_layers(mesh: Mesh, layers: LayerSlices) -> list[int]:
    """Return the layers that stand for all others: sections only change shape at vertices."""
    import numpy as np

    heights = np.unique(np.round(mesh.vertices[:, 2].astype(np.float64), 3))
    near = (np.floor(heights / layers.layer_mm + 1e-6) + step for step in (-1, 0))
    indices_near = {int(index) for indices in near for index in indices}
    return sorted(index for index in indices_near if 0 <= index < layers.count)


def _opened(section: Any, by_mm: float) -> Any:
    """Return the section without features narrower than twice `by_mm` (negative: slits filled)."""
    from manifold3d import JoinType

    return section.offset(-by_mm, JoinType.Miter, 2.0).offset(by_mm, JoinType.Miter, 2.0)


def _thin_faults(mesh: Mesh, layers: LayerSlices, wall_mm: float) -> Iterator[PrintFault]:
    """Yield walls, and slits in the face on the bed, that are too narrow to be printed."""
    reported: set[tuple[int, int]] = set()
    for index in _distinct_layers(mesh, layers):
        section, z_mm = layers.section(index), layers.middle_mm(index)
        face = min(z_mm, layers.top_mm - z_mm) < FACE_MM
        least = STRIP_MM if face else wall_mm
        what = f"strip narrower than {LINE_MM}" if face else f"wall thinner than {wall_mm:.2f}"
        spots = [
            *_places(section - _opened(section, least / 2), SPECK_MM2),
            *_pins(section, min(least, PIN_MM)),
        ]
        for x, y, area in spots:
            if (round(x), round(y)) not in reported:  # else the same wall, some layers higher
                reported.add((round(x), round(y)))
                yield PrintFault("FDF423", f"has a {what} mm ({area:.1f} mm²)", (x, y, z_mm))
    bed, z_mm = layers.section(0), layers.middle_mm(0)
    for x, y, area in _places(_opened(bed, -SLIT_MM / 2) - bed, NOTCH_MM2):
        message = f"has a slit narrower than 0.6 mm in its face ({area:.1f} mm²)"
        yield PrintFault("FDF424", message, (x, y, z_mm))


def _pins(section: Any, least_mm: float) -> Iterator[tuple[float, float, float]]:
    """Yield separate parts of a section that are too thin all over, however small they are."""
    for part in section.decompose():
        area = part.area()
        if 0.01 < area <= SPECK_MM2 and _opened(part, least_mm / 2).is_empty():
            x, y, right, high = part.bounds()
            yield (x + right) / 2, (y + high) / 2, float(area)


def _places(thin: Any, least_mm2: float) -> Iterator[tuple[float, float, float]]:
    """Yield a point and the area of each thin spot that is more than a corner's tip."""
    if thin.area() < least_mm2:
        return
    for part in solid_parts(thin, 0.04):
        if part.area > least_mm2:
            spot = part.representative_point()
            yield float(spot.x), float(spot.y), float(part.area)


def _balance(centre: Place, layers: LayerSlices) -> tuple[Place, float]:
    """Return the centre of mass, and its distance inside the outline on the bed."""
    import shapely

    foot = shapely.convex_hull(polygons(layers.cut(0.01)))
    middle = shapely.Point(centre[:2])
    inside = float(shapely.boundary(foot).distance(middle))
    return centre, inside if foot.contains(middle) else -float(foot.distance(middle))


def _balance_faults(balance: tuple[Place, float]) -> Iterator[PrintFault]:
    place, inside = balance
    if inside < BALANCE_MM:
        where = f"only {inside:.1f} mm inside" if inside >= 0 else f"{-inside:.1f} mm outside"
        yield PrintFault("FDF425", f"topples: its centre of mass is {where} its foot", place)


def _relief_faults(layers: LayerSlices) -> Iterator[PrintFault]:
    """Yield edges on the bed without a chamfer."""
    import shapely

    bed, above = polygons(layers.cut(0.01)), polygons(layers.cut(STANDARD.relief_height_mm + 0.05))
    # Blades and legs are too slim to be drawn in: what they enter is wider at its mouth.
    foot = _filled(bed)
    wide = shapely.buffer(foot, -SLIM_MM / 2, join_style="mitre")
    wide = shapely.buffer(wide, SLIM_MM / 2, join_style="mitre")
    # A mitre reaches past the tip of what tapers.
    inside = shapely.buffer(_filled(above), -RELIEF_MM)
    outer = shapely.difference(shapely.intersection(wide, foot), inside)
    for part in shapely.get_parts(outer):
        if part.area > SPECK_MM2:
            spot = part.representative_point()
            message = "has no relief against elephant's foot on its outline"
            yield PrintFault("FDF426", message, (float(spot.x), float(spot.y), 0.0))


def _filled(shape: BaseGeometry) -> BaseGeometry:
    import shapely

    rings = [shapely.Polygon(part.exterior) for part in shapely.get_parts(shape)]
    return shapely.union_all(rings)
