"""A part judged by what PrusaSlicer lays down: each layer's lines against the mesh's section there.

A layer's region is the union of its lines. What of the section it leaves out is *lost* where it
reaches the outline and a *void* between lines inside; what it has beyond the section is *added*.
Round ends of lines lose the tips of corners, so narrow strips are not counted. A wider line loses
longer and wider tips, and adds more where a part is narrower than it: widths count relative to it,
areas relative to its square. It may also jut out farther, since the same share of it is held. A
wall that is laid *twice* in the same place has neither, but plastic that has nowhere to go.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Literal

from falldamage_forge.geometry.bed_adhesion import Foot, foot_of
from falldamage_forge.geometry.csg import Solid, from_mesh
from falldamage_forge.geometry.laid_twice import laid_twice
from falldamage_forge.geometry.mesh import Mesh
from falldamage_forge.geometry.slicing import HELD_MM, LINE_MM, STEEPEST_DEG, Place, polygons
from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.issues import Issue
from falldamage_forge.printing.estimate_model import LayerRange
from falldamage_forge.printing.gcode import (
    BESIDE,
    OUTER,
    SPARSE,
    THREADS,
    WALLS,
    LaidLayer,
    read_layers,
)
from falldamage_forge.printing.layer_ranges import layer_at

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from shapely.geometry.base import BaseGeometry

LEAST_BEAD = "85%"
"""PrusaSlicer's least width of a line, of the nozzle's, where no setting gives another."""
Kind = Literal["lost", "added", "void", "jut", "bridge", "island", "twice"]

CORNER_MM = 0.065
"""Half the width of the strips that round ends of lines lose at corners."""
CLOSED_MM = 0.098
"""Width of slits that PrusaSlicer closes by its own default, twice its `slice_closing_radius`."""
RIM_MM = 0.03
"""A gap this near to the outline is lost, a gap farther in is a void."""
SPECK_MM2 = 0.1
SPARSE_MM = 0.78
"""So deep inside infill may be sparse."""
NEAR_MM = 0.3
"""Edges farther from the outline than this are no shifted outline but something else."""
SLACK_MM = 0.05
THREAD_MM = 0.8
"""Shorter lines span nothing."""
QUARTER_SEGMENTS = 6
"""Edges in a quarter of a line's round end."""

AREA_MM2: Mapping[Kind, float] = {"lost": 0.6, "added": 0.3}
"""Areas, over all layers, that may be lost or added; good parts lose 0.5 and add none."""
OFFSET_MM = 0.01
"""The outline's median distance from the mesh's; good parts have 0.001."""
SPREAD_MM = 0.09
"""95 % of the outline lie within this; battlements have 0.062."""
HEIGHT_MM = 0.005
FOOT_SHARE = 0.08
JUT_MM = 0.3
TWICE_MM = 6.0
"""So long a piece of a wall may be laid twice, 1.5 mm³ too much; parts by `quick` have 4.6 mm."""
WIDTH_MM = 0.1
"""How far outer lines may differ from the width that the settings ask for."""


@dataclass(frozen=True, slots=True)
class LayerFault:
    """Region of a layer that is not as meant.

    `wide_mm` is its width, that of a bridge its span, and that of a line laid twice its length.
    """

    kind: Kind
    area_mm2: float
    wide_mm: float
    place: Place


@dataclass(frozen=True, slots=True)
class SlicedReport:
    """A part as sliced. `offset_mm` is how far its outline lies outside the mesh's.

    `settings` are those that differ from the settings that were meant, `faults` the measures that
    are beyond their limits, with words.
    """

    name: str
    layers: int
    offset_mm: float
    spread_mm: float
    spots: tuple[LayerFault, ...]
    foot: Foot
    laid_mm3: float
    mesh_mm3: float
    settings: tuple[str, ...]
    faults: Mapping[str, str]

    def area_mm2(self, kind: Kind) -> float:
        """The area of all spots of a kind."""
        return sum(spot.area_mm2 for spot in self.spots if spot.kind == kind)

    def widest_mm(self, kind: Kind) -> float:
        """The widest spot of a kind."""
        return max((spot.wide_mm for spot in self.spots if spot.kind == kind), default=0.0)

    @property
    def solid_share(self) -> float:
        """The laid volume over the mesh's."""
        return self.laid_mm3 / self.mesh_mm3

    def issues(self) -> Iterator[Issue]:
        """Why the part should not be printed as it was sliced."""
        if self.settings:
            message = f"{self.name}: PrusaSlicer had other settings ({'; '.join(self.settings)})"
            yield Issue("FDF475", "error", message)
        for measure, words in self.faults.items():
            yield Issue("FDF476", "error", f"{self.name} as sliced: {measure} {words}")


class SlicedPart:
    """A part's mesh and the layers that were laid for it, both in print pose.

    Args:
        solid: The mesh that was meant.
        layers: What the slicer laid, from the bed up.
        meant: The settings that were meant.
        ranges: The stretches of its height that were meant to have other layers.
    """

    def __init__(
        self,
        solid: Solid,
        layers: Sequence[LaidLayer],
        meant: Mapping[str, str],
        ranges: Sequence[LayerRange] = (),
    ) -> None:
        self.solid, self.layers, self.meant = solid, tuple(layers), meant
        self.ranges = tuple(ranges)

    @classmethod
    def from_gcode(
        cls,
        mesh: Mesh,
        gcode: str,
        meant: Mapping[str, str],
        bed_mm: tuple[float, float],
        ranges: Sequence[LayerRange] = (),
    ) -> SlicedPart:
        """The part of a G-code that was sliced with the mesh's middle at the bed's.

        Args:
            mesh: Mesh that was sliced, in print pose, in mm.
            gcode: G-code of PrusaSlicer.
            meant: Settings that were meant, by key.
            bed_mm: Width and depth of the bed.
            ranges: Stretches of its height that were meant to have other layers.
        """
        low, high = mesh.bounds_mm()
        left, front = (
            side / 2 - (a + b) / 2 for side, a, b in zip(bed_mm, low, high, strict=False)
        )
        return cls(from_mesh(mesh), read_layers(gcode, meant, (left, front)), meant, ranges)

    @property
    def slabs(self) -> list[tuple[float, float, BaseGeometry]]:
        """(bottom, top, region) of each layer."""
        return [
            (layer.top_mm - layer.height_mm, layer.top_mm, region)
            for layer, region in zip(self.layers, self.regions, strict=True)
        ]

    @cached_property
    def round_end(self) -> float:
        """How far the lines along outlines round corners off, relative to `LINE_MM`; at least 1."""
        return max(float(self.meant["external_perimeter_extrusion_width"]) / LINE_MM, 1.0)

    @cached_property
    def regions(self) -> list[BaseGeometry]:
        """The area that each layer's lines cover."""
        return [swept(layer.of_part()) for layer in self.layers]

    @cached_property
    def sections(self) -> list[BaseGeometry]:
        """The mesh's section at each layer's middle."""
        return [polygons(self.solid.slice(layer.middle_mm)) for layer in self.layers]

    @cached_property
    def bodies(self) -> list[BaseGeometry]:
        """The regions, with what sparse infill fills."""
        return [
            region.union(section.buffer(-SPARSE_MM, join_style="mitre"))
            if SPARSE in layer.kinds
            else region
            for layer, region, section in zip(self.layers, self.regions, self.sections, strict=True)
        ]


def judge_sliced(name: str, part: SlicedPart, settings: Iterable[str] = ()) -> SlicedReport:
    """Judge a part by its layers; `settings` are those it was sliced with otherwise than meant.

    Args:
        name: Name of the part.
        part: The part by its layers.
        settings: Settings that were not sliced as meant.
    """
    spots = (*_outline_spots(part), *_hanging_spots(part), *_twice_spots(part))
    offset, spread = _outline_offsets(part)
    top = part.layers[-1].top_mm
    report = SlicedReport(
        name,
        len(part.layers),
        offset,
        spread,
        spots,
        foot_of(part.regions[0], top),
        sum(float(layer.of_part()[:, 5].sum()) for layer in part.layers),
        sum(
            float(section.area) * layer.height_mm
            for layer, section in zip(part.layers, part.sections, strict=True)
        ),
        tuple(settings),
        {},
    )
    return replace(report, faults=dict(_faults(report, part)))


def swept(lines: NDArray[np.float64]) -> BaseGeometry:
    """The union of lines with round ends, as shapely polygons; equal widths are joined first."""
    import numpy as np
    import shapely

    if not len(lines):
        return shapely.Polygon()
    halves = np.round(lines[:, 4] / 2, 3)
    ends = lines[:, :4].reshape(-1, 2, 2)
    parts = []
    for half in np.unique(halves):
        paths = shapely.line_merge(shapely.multilinestrings(ends[halves == half]))
        parts.append(shapely.buffer(paths, half, quad_segs=QUARTER_SEGMENTS))
    return shapely.union_all(parts)


def _opened(shape: BaseGeometry, by_mm: float, speck_mm2: float) -> list[BaseGeometry]:
    """The parts of a shape without what is narrower than twice `by_mm`, specks left out."""
    import shapely

    def parts(shape: BaseGeometry) -> list[BaseGeometry]:
        return [part for part in shapely.get_parts(shape) if part.area > speck_mm2]

    # Opening makes nothing larger, and most of a difference are slivers, slow to widen.
    large = shapely.union_all(parts(shape))
    return parts(large.buffer(-by_mm, quad_segs=3).buffer(by_mm, quad_segs=3))


def _fault(part: BaseGeometry, z_mm: float, kind: Kind) -> LayerFault:
    import shapely

    (radius,) = shapely.maximum_inscribed_circle([part], tolerance=0.02)
    at = part.representative_point()
    wide_mm = 2 * float(radius.length)
    return LayerFault(kind, float(part.area), wide_mm, (float(at.x), float(at.y), z_mm))


def _outline_spots(part: SlicedPart) -> Iterator[LayerFault]:
    """Areas of the mesh that are not laid, and areas laid beyond it."""
    corner_mm, speck_mm2 = CORNER_MM * part.round_end, SPECK_MM2 * part.round_end**2
    for layer, want, have, body in zip(
        part.layers, part.sections, part.regions, part.bodies, strict=True
    ):
        lacking = _opened(want.difference(body), corner_mm, speck_mm2)
        if lacking:
            # A slicer closes slits that are narrower; what it leaves there is no edge of the part.
            closed = want.buffer(CLOSED_MM / 2, join_style="mitre")
            rim = closed.buffer(-CLOSED_MM / 2, join_style="mitre").boundary
        for bit in lacking:
            kind: Kind = "lost" if bit.distance(rim) < RIM_MM else "void"
            yield _fault(bit, layer.top_mm, kind)
        for bit in _opened(have.difference(want), CORNER_MM, SPECK_MM2):
            yield _fault(bit, layer.top_mm, "added")


def _outline_offsets(part: SlicedPart) -> tuple[float, float]:
    """How far the laid outline lies outside the mesh's: its median, and 95 % of its size."""
    import numpy as np
    import shapely

    found = [np.zeros(1)]
    for want, have in zip(part.sections, part.regions, strict=True):
        rim = want.boundary
        shapely.prepare((rim, want))
        edge = shapely.segmentize(have.boundary, 1.0)
        points = shapely.points(shapely.get_coordinates(edge))
        away = shapely.distance(points, rim)
        signed = np.where(shapely.contains_properly(want, points), -away, away)
        found.append(signed[away < NEAR_MM])
    every = np.concatenate(found)
    return float(np.median(every)), float(np.percentile(np.abs(every), 95))


def _hanging_spots(part: SlicedPart) -> Iterator[LayerFault]:
    """Starts in the air: islands, bridges, and what juts out farther than a slope may lean."""
    import shapely

    bodies, solid = pairwise(part.bodies), part.sections[:-1]
    for (below, body), under, layer in zip(bodies, solid, part.layers[1:], strict=True):
        lean = layer.height_mm / math.tan(math.radians(STEEPEST_DEG)) + SLACK_MM
        reach = below.buffer(lean, quad_segs=4)
        # Where the part is solid below, lines cross the gaps of its infill.
        infill = under.buffer(-SPARSE_MM, quad_segs=2)
        free = _opened(body.difference(reach).difference(infill), 0.08, SPECK_MM2 / 2)
        if free:
            threads = _threads(layer)
            for bit in free:
                yield _bridged(_fault(bit, layer.top_mm, "jut"), threads, reach)
        shapely.prepare(below)
        for island in shapely.get_parts(body):
            if island.area > SPECK_MM2 / 5 and not island.intersects(below):
                yield _fault(island, layer.top_mm, "island")


def _threads(layer: LaidLayer) -> list[BaseGeometry]:
    """The lines of a layer that may span something."""
    import numpy as np
    import shapely

    ends = layer.of(*THREADS, "Solid infill")[:, :4].reshape(-1, 2, 2)
    long = np.hypot(*(ends[:, 1] - ends[:, 0]).T) > THREAD_MM
    return list(shapely.linestrings(ends[long]))


def _bridged(spot: LayerFault, threads: Sequence[BaseGeometry], reach: BaseGeometry) -> LayerFault:
    """The spot as a bridge where a line through it is held at both ends."""
    import shapely

    at = shapely.Point(spot.place[:2])
    for line in threads:
        if line.distance(at) < NEAR_MM:
            loose = shapely.get_parts(line.difference(reach))
            ends = shapely.points(shapely.get_coordinates(loose))
            span = float(shapely.length(loose).max(initial=0.0))
            if span > spot.wide_mm / 2 and (shapely.distance(ends, reach) < HELD_MM).all():
                return replace(spot, kind="bridge", wide_mm=span)
    return spot


def _twice_spots(part: SlicedPart) -> Iterator[LayerFault]:
    """Lines along outlines that lie on each other."""
    for layer in part.layers:
        walls = layer.of(*WALLS)
        for long_mm, (x, y) in laid_twice(walls):
            area_mm2 = long_mm * float(walls[:, 4].mean())
            yield LayerFault("twice", area_mm2, long_mm, (x, y, layer.top_mm))


def _faults(report: SlicedReport, part: SlicedPart) -> Iterator[tuple[str, str]]:
    """(measure, words) of each measure that is beyond its limit."""
    yield from _layer_faults(part)
    if abs(report.offset_mm) > OFFSET_MM:
        yield "outline", f"lies {report.offset_mm:+.3f} mm off the mesh's"
    if report.spread_mm > SPREAD_MM * part.round_end:
        yield "spread", f"of the outline is {report.spread_mm:.3f} mm"
    for kind, usual_mm2 in AREA_MM2.items():
        if report.area_mm2(kind) > usual_mm2 * part.round_end**2:
            worst = max(report.spots, key=lambda s: s.area_mm2 if s.kind == kind else 0.0)
            yield kind, f"{report.area_mm2(kind):.1f} mm²{_at(worst)}"
    for spot in report.spots:
        juts = spot.kind == "jut" and spot.wide_mm > JUT_MM * part.round_end
        if spot.kind == "island" or juts:
            yield spot.kind, f"of {spot.wide_mm:.1f} mm starts in the air{_at(spot)}"
    twice = [spot for spot in report.spots if spot.kind == "twice" and spot.wide_mm > TWICE_MM]
    if twice:
        worst = max(twice, key=lambda spot: spot.wide_mm)
        yield "walls", f"laid twice for {sum(s.wide_mm for s in twice):.0f} mm{_at(worst)}"


def _layer_faults(part: SlicedPart) -> Iterator[tuple[str, str]]:
    """Heights, widths, the contact, and lines that are no part of the part."""
    import numpy as np

    first, *others = part.layers
    first_mm, layer_mm = (float(part.meant[k]) for k in ("first_layer_height", "layer_height"))
    if abs(first.height_mm - first_mm) > HEIGHT_MM:
        yield "first layer", f"{first.height_mm:.2f} mm high, not {first_mm:g}"
    meant_mm = [layer_at(layer.middle_mm, layer_mm, part.ranges) for layer in others]
    for layer, high_mm in zip(others, meant_mm, strict=True):
        if abs(layer.height_mm - high_mm) > HEIGHT_MM:
            at = f"at z {layer.top_mm:.2f} mm"
            yield "layers", f"{layer.height_mm:.2f} mm high, not {high_mm:g}, {at}"
            break
    want = float(part.sections[0].area)
    more = float(part.regions[0].area) / want - 1 if want else 1.0
    if abs(more) > FOOT_SHARE:
        yield "contact", f"{more:+.0%} of the mesh's"
    widths = np.concatenate([layer.of(OUTER)[:, 4] for layer in part.layers[1:] or part.layers])
    asked = float(part.meant["external_perimeter_extrusion_width"])
    widest = max(asked + WIDTH_MM, _widest_line_mm(part.meant))
    if len(widths) and not asked - WIDTH_MM <= float(np.median(widths)) <= widest:
        yield "lines", f"{np.median(widths):.2f} mm wide, not {asked:g}"
    kinds = {str(kind) for layer in part.layers for kind in layer.kinds}
    for kind in sorted(kinds & set(BESIDE)):
        yield kind.lower(), "is laid"


def _widest_line_mm(meant: Mapping[str, str]) -> float:
    """Return the thickness up to which a wall is one line, twice the least width of a line.

    It is 0 for a generator of lines of one width.
    """
    if meant.get("perimeter_generator") != "arachne":
        return 0.0
    share = float(meant.get("min_bead_width", LEAST_BEAD).rstrip("%")) / 100
    return 2 * share * float(meant.get("nozzle_diameter", "0"))


def _at(spot: LayerFault) -> str:
    x, y, z = spot.place
    return f" at x {x:.1f}, y {y:.1f}, z {z:.2f} mm"
