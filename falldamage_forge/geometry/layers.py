"""A part cut into print layers, and what of each layer hangs in the air.

From each layer's section the section below is taken away, grown by what a slope of the standard
may lean out in one layer. What remains is an island (nothing below it at all), a bridge (held at
both ends of every line in some direction) or a cantilever (everything else).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

from falldamage_forge.geometry.solids import Solid

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from shapely.geometry.base import BaseGeometry

Kind = Literal["bridge", "cantilever", "island"]
Place = tuple[float, float, float]

STEEPEST_DEG = 50.0
"""Slopes steeper than this from the horizontal print without a thought."""
SLACK_MM = 0.02
SPECK_MM = 0.05
"""What is narrower than twice this is no overhang but rounding."""
LINE_MM = 0.42
HELD_MM = 0.05
"""An end of a line is held when it is this near to what lies below."""
EDGES = 6
"""So many of an area's longest edges are tried as directions to lay lines in."""


@dataclass(frozen=True, slots=True)
class Overhang:
    """A piece of a layer with air below it. `reach_mm` is a bridge's span or how far it juts out.

    `place` is a point of it in mm, z being the layer's underside.
    """

    kind: Kind
    area_mm2: float
    reach_mm: float
    place: Place


class Layers:
    """The sections of a solid, cut when they are asked for, all at the middle of their layer."""

    def __init__(self, solid: Solid, layer_mm: float) -> None:
        self.solid = solid
        self.layer_mm = layer_mm
        self._cut: dict[float, Any] = {}

    @cached_property
    def top_mm(self) -> float:
        """The part's height."""
        return float(self.solid.bounding_box()[5])

    @cached_property
    def count(self) -> int:
        """How many layers the part has."""
        return max(1, math.ceil(round(self.top_mm / self.layer_mm, 6)))

    def middle_mm(self, index: int) -> float:
        """The height at which a layer is cut; the last one may be thinner than the others."""
        low = index * self.layer_mm
        return (low + min(low + self.layer_mm, self.top_mm)) / 2

    def cut(self, z_mm: float) -> Any:
        """The section at a height, a manifold3d CrossSection."""
        key = round(z_mm, 5)
        if key not in self._cut:
            self._cut[key] = self.solid.slice(key)
        return self._cut[key]

    def section(self, index: int) -> Any:
        """The section of a layer."""
        return self.cut(self.middle_mm(index))


def polygons(section: Any) -> BaseGeometry:
    """A CrossSection as shapely polygons."""
    import shapely

    found = []
    for part in section.decompose():
        rings = [ring for ring in part.to_polygons() if len(ring) >= 3]
        if rings:
            # Outer rings are counter-clockwise, holes clockwise; each part has one outer ring.
            rings.sort(key=lambda ring: -_doubled_area(ring))
            found.append(shapely.Polygon(rings[0], rings[1:]))
    return shapely.make_valid(shapely.multipolygons(found)) if found else shapely.Polygon()


def solid_parts(section: Any, speck_mm: float = SPECK_MM) -> Iterator[BaseGeometry]:
    """The separate polygons of a section, without what is narrower than twice the speck."""
    import shapely

    for part in section.decompose():
        if part.area() > speck_mm**2:
            core = shapely.buffer(polygons(part), -speck_mm, join_style="mitre")
            whole = shapely.buffer(core, speck_mm, join_style="mitre")
            yield from (one for one in shapely.get_parts(whole) if not one.is_empty)


def _doubled_area(ring: NDArray[np.float64]) -> float:
    import numpy as np

    x, y = ring[:, 0], ring[:, 1]
    return float(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1)))


def leaning_layers(vertices: Any, faces: Any, layers: Layers) -> list[int]:
    """Layers that can overhang at all: those that a downward face of a slight slope goes through.

    `vertices` (n, 3) in mm and `faces` (m, 3) of the mesh; layer 0 lies on the bed.
    """
    import numpy as np

    corners = np.asarray(vertices, np.float64)[np.asarray(faces)]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    length = np.linalg.norm(normals, axis=1)
    leans = -normals[:, 2] > math.cos(math.radians(STEEPEST_DEG)) * np.maximum(length, 1e-12)
    heights = corners[leans][:, :, 2]
    middles = np.array([layers.middle_mm(index) for index in range(layers.count)])
    # Layer i is judged against layer i - 1: a face matters if it lies between their middles.
    first = np.searchsorted(middles, heights.min(axis=1) - 1e-6)
    last = np.searchsorted(middles, heights.max(axis=1) - 1e-6)
    found = {index for low, high in zip(first, last, strict=True) for index in range(low, high + 1)}
    return sorted(index for index in found if 0 < index < layers.count)


def overhangs(layers: Layers, indices: list[int]) -> Iterator[Overhang]:
    """Everything of these layers that hangs in the air, from below."""
    lean = layers.layer_mm / math.tan(math.radians(STEEPEST_DEG)) + SLACK_MM
    for index in indices:
        here, below = layers.section(index), layers.section(index - 1)
        free = here - _grown(below, lean)
        if free.area() < SPECK_MM**2:
            continue
        yield from _classified(free, here, below, lean, index * layers.layer_mm)


def _grown(section: Any, by_mm: float) -> Any:
    from manifold3d import JoinType

    return section.offset(by_mm, JoinType.Miter, 2.0)


def _classified(free: Any, here: Any, below: Any, lean: float, z_mm: float) -> Iterator[Overhang]:
    """What each separate part of the free area is."""
    import shapely

    support = polygons(below)
    shapely.prepare(support)
    whole = [polygons(part) for part in here.decompose()]
    for shape in solid_parts(free):
        spot = shape.representative_point()
        place = (float(spot.x), float(spot.y), z_mm)
        owner = min(whole, key=lambda body: float(body.distance(spot)))
        if not owner.intersects(support):
            yield Overhang("island", float(shape.area), 0.0, place)
            continue
        near = shapely.intersection(support, shapely.buffer(shapely.envelope(shape), 3.0))
        yield _hanging(shape, near, lean, place)


def _hanging(shape: BaseGeometry, support: BaseGeometry, lean: float, place: Place) -> Overhang:
    """A free area beside its support: the best of all directions to lay lines in decides."""
    import shapely

    area = float(shape.area)
    jut = _jut_mm(shape, support)
    if jut <= LINE_MM:
        return Overhang("cantilever", area, jut, place)
    shapely.prepare(support)
    best: tuple[float, float] | None = None
    for angle in _directions(shape):
        loose, span = _lines(shape, support, angle, lean)
        if best is None or (round(loose, 3), span) < best:
            best = (round(loose, 3), span)
    assert best is not None
    if best[0] <= LINE_MM:
        return Overhang("bridge", area, best[1], place)
    return Overhang("cantilever", area, best[0], place)


def _directions(shape: BaseGeometry) -> list[float]:
    """Angles to lay lines in: along the longest edges, as slicers do, and straight and askew."""
    import numpy as np
    import shapely

    steps = np.diff(shapely.get_coordinates(shapely.get_exterior_ring(shape)), axis=0)
    longest = steps[np.argsort(-np.hypot(steps[:, 0], steps[:, 1]))][:EDGES]
    turns = np.degrees(np.arctan2(longest[:, 1], longest[:, 0])) % 180
    found = {0.0, 45.0, 90.0, 135.0, *(float(turn) for turn in np.round(turns, 1) % 180)}
    return [math.radians(angle) for angle in sorted(found)]


def _jut_mm(shape: BaseGeometry, support: BaseGeometry) -> float:
    """How far the farthest point of a free area is from its support; its edge and its middle."""
    import numpy as np
    import shapely

    rim = shapely.get_coordinates(shapely.segmentize(shape, LINE_MM))
    (deepest,) = shapely.maximum_inscribed_circle([shape], tolerance=0.1)
    deep = shapely.get_coordinates(deepest)
    spots = shapely.points(np.concatenate([rim, deep[:1]]))
    return float(shapely.distance(spots, support).max())


def _lines(
    shape: BaseGeometry, support: BaseGeometry, angle: float, lean: float
) -> tuple[float, float]:
    """Lines laid across a free area: how far those that lack a held end reach out, and the span.

    Both in mm from the edges of what lies below; the span is that of the longest other line.
    """
    import numpy as np
    import shapely

    along = np.array([math.cos(angle), math.sin(angle)])
    across = np.array([-along[1], along[0]])
    corners = shapely.get_coordinates(shape)
    low, high = (corners @ across).min(), (corners @ across).max()
    count = max(1, math.ceil((high - low) / LINE_MM))
    offsets = low + (np.arange(count) + 0.5) * (high - low) / count
    reach = float(np.abs(corners @ along).max()) + 1.0
    ends = across * offsets[:, None]
    lines = shapely.linestrings(np.stack([ends - along * reach, ends + along * reach], axis=1))
    parts = shapely.get_parts(shapely.intersection(lines, shape))
    parts = parts[shapely.get_type_id(parts) == 1]
    if len(parts) == 0:
        return 0.0, 0.0
    lengths = shapely.length(parts)
    free = np.stack([shapely.get_point(parts, 0), shapely.get_point(parts, -1)])
    away = shapely.distance(free, support)
    held = (away <= lean * 1.6 + HELD_MM).all(axis=0)
    loose = away[:, ~held].max(initial=0.0)
    return float(loose), float(lengths[held].max(initial=0.0)) + 2 * lean
