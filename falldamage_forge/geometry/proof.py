"""Printability proof: does a written part print without supports, and will it come out whole?

It is judged on the bytes that are written, reloaded: sound, inside the printer, no island, no far
cantilever, no long bridge, no wall or slit thinner than the nozzle draws, its centre of mass over
what it stands on, and its lower edges drawn in against elephant's foot.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any

from falldamage_forge.geometry.layers import (
    LINE_MM,
    Layers,
    Overhang,
    Place,
    leaning_layers,
    overhangs,
    polygons,
    solid_parts,
)
from falldamage_forge.geometry.mesh import Mesh
from falldamage_forge.geometry.solids import Solid
from falldamage_forge.geometry.sound import Soundness, at, prove_stl
from falldamage_forge.geometry.standard import LAYER_MM, STANDARD
from falldamage_forge.geometry.stl import read_stl
from falldamage_forge.issues import Issue
from falldamage_forge.printing.printer import Printer

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

CANTILEVER_MM = 0.6
"""How far the edge of a layer may jut out with nothing under its end."""
BRIDGE_MM = STANDARD.bridge_mm + 0.05
WALL_MM = 0.80
WALL_SLACK_MM = 0.04
FACE_MM = STANDARD.relief_height_mm + 0.15
"""So near to a part's top or bottom its faces are engraved and drawn in, and one line is enough."""
STRIP_MM = LINE_MM - 0.04
SLIT_MM = 0.56
"""Engraved strokes are at least 0.6 mm wide; narrower slits close up."""
SPECK_MM2 = 1.2
"""Thin spots smaller than this are the tips of sharp corners and the ends of blades."""
NOTCH_MM2 = 1.5
"""Slits smaller than this are the notches where strokes meet."""
BALANCE_MM = 1.0
"""The centre of mass lies at least this far inside the outline of what touches the bed."""
RELIEF_MM = STANDARD.relief_width_mm - 0.06
SLIM_MM = 1.4
PIN_MM = 0.66
"""A blade is so thick at least, and short."""
MOST_PLACES = 5
"""Places told of each kind of fault."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault of a part at a place in print pose, in mm."""

    code: str
    message: str
    place: Place

    def issue(self, name: str) -> Issue:
        """The fault as an issue of the part of that name."""
        return Issue(self.code, "error", f"{name} {self.message} at {at(self.place)}")


@dataclass(frozen=True, slots=True)
class PrintProof:
    """What was measured of a part. Lengths in mm; `faults` have places, `issues` is everything.

    `bridge_mm` is the longest bridge, `cantilever_mm` the farthest one, `balance_mm` how far the
    centre of mass lies inside the outline on the bed.
    """

    name: str
    soundness: Soundness
    layers: int = 0
    bridge_mm: float = 0.0
    cantilever_mm: float = 0.0
    islands: int = 0
    balance_mm: float = 0.0
    faults: tuple[Fault, ...] = ()

    @property
    def issues(self) -> tuple[Issue, ...]:
        """Why it should not be printed; empty for a good part."""
        return (*self.soundness.issues, *(fault.issue(self.name) for fault in self.faults))


def prove_print(
    data: bytes, printer: Printer, name: str = "the part", layer_mm: float = LAYER_MM
) -> PrintProof:
    """Judge the bytes of a written STL; ForgeError (FDF410) when they are no STL at all.

    A part that is not sound is not cut into layers: its sections would mean nothing.
    """
    soundness = prove_stl(data, printer, name)
    if any(issue.code not in ("FDF417", "FDF418") for issue in soundness.issues):
        return PrintProof(name, soundness)
    mesh, solid = _reloaded(data, name)
    layers = Layers(solid, layer_mm)
    hanging = tuple(overhangs(layers, leaning_layers(mesh.vertices, mesh.faces, layers)))
    balance = _balance(mesh, layers)
    found = [
        *_overhang_faults(hanging),
        *_thin_faults(mesh, layers, min(WALL_MM, printer.process.wall_mm - WALL_SLACK_MM)),
        *_balance_faults(balance),
        *_relief_faults(layers),
    ]
    return PrintProof(
        name,
        soundness,
        layers.count,
        max((one.reach_mm for one in hanging if one.kind == "bridge"), default=0.0),
        max((one.reach_mm for one in hanging if one.kind == "cantilever"), default=0.0),
        sum(one.kind == "island" for one in hanging),
        balance[1],
        tuple(_few(found)),
    )


def _reloaded(data: bytes, name: str) -> tuple[Mesh, Solid]:
    """The triangles of a file with shared corners, and their solid."""
    import numpy as np
    from manifold3d import Manifold
    from manifold3d import Mesh as Triangles

    mesh = read_stl(data, name)
    return mesh, Manifold(Triangles(mesh.vertices, mesh.faces.astype(np.uint32)))


def _few(faults: list[Fault]) -> Iterator[Fault]:
    """The first places of each kind of fault, and how many more there are."""
    for code, group in groupby(sorted(faults, key=lambda fault: fault.code), lambda f: f.code):
        same = list(group)
        yield from same[:MOST_PLACES]
        if len(same) > MOST_PLACES:
            rest = same[MOST_PLACES]
            count = len(same) - MOST_PLACES
            yield Fault(code, f"has the same fault {count} times more, next", rest.place)


def _overhang_faults(hanging: tuple[Overhang, ...]) -> Iterator[Fault]:
    for one in sorted(hanging, key=lambda one: -one.reach_mm):
        if one.kind == "island":
            message = f"begins an island of {one.area_mm2:.1f} mm² in the air"
            yield Fault("FDF420", message, one.place)
        elif one.kind == "cantilever" and one.reach_mm > CANTILEVER_MM:
            message = f"juts out {one.reach_mm:.1f} mm with nothing below"
            yield Fault("FDF421", message, one.place)
        elif one.kind == "bridge" and one.reach_mm > BRIDGE_MM:
            message = f"bridges {one.reach_mm:.1f} mm; {STANDARD.bridge_mm:.0f} mm hold"
            yield Fault("FDF422", message, one.place)


def _distinct_layers(mesh: Mesh, layers: Layers) -> list[int]:
    """Layers that tell of all others: a section only bends where the part has corners."""
    import numpy as np

    heights = np.unique(np.round(mesh.vertices[:, 2].astype(np.float64), 3))
    near = (np.floor(heights / layers.layer_mm + 1e-6) + step for step in (-1, 0))
    found = {int(index) for indices in near for index in indices}
    return sorted(index for index in found if 0 <= index < layers.count)


def _opened(section: Any, by_mm: float) -> Any:
    """The section without what is narrower than twice `by_mm` (negative: slits filled)."""
    from manifold3d import JoinType

    return section.offset(-by_mm, JoinType.Miter, 2.0).offset(by_mm, JoinType.Miter, 2.0)


def _thin_faults(mesh: Mesh, layers: Layers, wall_mm: float) -> Iterator[Fault]:
    """Walls anywhere, and slits in what lies on the bed, that are too narrow to be drawn."""
    told: set[tuple[int, int]] = set()
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
            if (round(x), round(y)) not in told:  # else the same wall, some layers higher
                told.add((round(x), round(y)))
                yield Fault("FDF423", f"has a {what} mm ({area:.1f} mm²)", (x, y, z_mm))
    bed, z_mm = layers.section(0), layers.middle_mm(0)
    for x, y, area in _places(_opened(bed, -SLIT_MM / 2) - bed, NOTCH_MM2):
        message = f"has a slit narrower than 0.6 mm in its face ({area:.1f} mm²)"
        yield Fault("FDF424", message, (x, y, z_mm))


def _pins(section: Any, least_mm: float) -> Iterator[tuple[float, float, float]]:
    """Separate parts of a section that are too thin all over, however small they are."""
    for part in section.decompose():
        area = part.area()
        if 0.01 < area <= SPECK_MM2 and _opened(part, least_mm / 2).is_empty():
            x, y, right, high = part.bounds()
            yield (x + right) / 2, (y + high) / 2, float(area)


def _places(thin: Any, least_mm2: float) -> Iterator[tuple[float, float, float]]:
    """A point of each thin spot that is more than a corner's tip, and its area."""
    if thin.area() < least_mm2:
        return
    for part in solid_parts(thin, 0.04):
        if part.area > least_mm2:
            spot = part.representative_point()
            yield float(spot.x), float(spot.y), float(part.area)


def _balance(mesh: Mesh, layers: Layers) -> tuple[Place, float]:
    """The centre of mass, and how far inside the outline on the bed it lies (negative: beside)."""
    import numpy as np
    import shapely

    corners = mesh.vertices.astype(np.float64)[mesh.faces]
    cross = np.cross(corners[:, 1], corners[:, 2])
    volumes = np.einsum("ij,ij->i", corners[:, 0], cross)
    x, y, z = (corners.sum(axis=1) * volumes[:, None]).sum(axis=0) / (4 * volumes.sum())
    foot = shapely.convex_hull(polygons(layers.cut(0.01)))
    middle = shapely.Point(x, y)
    inside = float(shapely.boundary(foot).distance(middle))
    place = (float(x), float(y), float(z))
    return place, inside if foot.contains(middle) else -float(foot.distance(middle))


def _balance_faults(balance: tuple[Place, float]) -> Iterator[Fault]:
    place, inside = balance
    if inside < BALANCE_MM:
        where = f"only {inside:.1f} mm inside" if inside >= 0 else f"{-inside:.1f} mm outside"
        yield Fault("FDF425", f"topples: its centre of mass is {where} its foot", place)


def _relief_faults(layers: Layers) -> Iterator[Fault]:
    """Edges on the bed that are not drawn in."""
    import shapely

    bed, above = polygons(layers.cut(0.01)), polygons(layers.cut(STANDARD.relief_height_mm + 0.05))
    # Blades and legs are too slim to be drawn in: what they enter is wider at its mouth.
    wide = shapely.buffer(_filled(bed), -SLIM_MM / 2, join_style="mitre")
    wide = shapely.buffer(wide, SLIM_MM / 2, join_style="mitre")
    outer = shapely.difference(wide, shapely.buffer(_filled(above), -RELIEF_MM))
    for part in shapely.get_parts(outer):
        if part.area > SPECK_MM2:
            spot = part.representative_point()
            message = "has no relief against elephant's foot on its outline"
            yield Fault("FDF426", message, (float(spot.x), float(spot.y), 0.0))


def _filled(shape: BaseGeometry) -> BaseGeometry:
    import shapely

    rings = [shapely.Polygon(part.exterior) for part in shapely.get_parts(shape)]
    return shapely.union_all(rings)
