"""Print layers of a part, and the overhangs of each layer.

The section below, grown by the maximum run of a slope in one layer, is subtracted from each layer's
section. Each remaining area is an island (nothing below it), a bridge (every line in some direction
is supported at both ends) or a cantilever (anything else).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

from falldamage_forge.geometry.csg import Solid
from falldamage_forge.infra.lazy_dataclass import dataclass

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from shapely.geometry.base import BaseGeometry

    from falldamage_forge.geometry.mesh import Mesh

Kind = Literal["bridge", "cantilever", "island"]
Place = tuple[float, float, float]

STEEPEST_DEG = 50.0
"""Slopes steeper than this from the horizontal print without supports."""
SLACK_MM = 0.02
FLAT_MM = 1e-6
"""Greatest distance of a point from an edge on which it lies."""
SPECK_MM = 0.05
"""Areas narrower than twice this are rounding errors, not overhangs."""
LINE_MM = 0.42
HELD_MM = 0.05
"""Maximum distance of a line's end from its support."""
EDGES = 6
"""Number of longest edges of an area that are tried as directions of lines."""


@dataclass(frozen=True, slots=True)
class Overhang:
    """An area of a layer with air below it.

    `reach_mm` is a bridge's span or a cantilever's length. `place` is a point of it in mm, z being
    the layer's underside.
    """

    kind: Kind
    area_mm2: float
    reach_mm: float
    place: Place


class LayerSlices:
    """Sections of a solid at the middle of each layer, computed lazily."""

    def __init__(self, solid: Solid, layer_mm: float) -> None:
        self.solid = solid
        self.layer_mm = layer_mm
        self._cut: dict[float, Any] = {}
        self._outlines: dict[float, bytes] = {}

    @cached_property
    def top_mm(self) -> float:
        """Height of the part."""
        return float(self.solid.bounding_box()[5])

    @cached_property
    def count(self) -> int:
        """Number of layers of the part."""
        return max(1, math.ceil(round(self.top_mm / self.layer_mm, 6)))

    def middle_mm(self, index: int) -> float:
        """Return the height at which a layer is cut; the last layer may be thinner."""
        low = index * self.layer_mm
        return (low + min(low + self.layer_mm, self.top_mm)) / 2

    def cut(self, z_mm: float) -> Any:
        """Return the section at a height, a manifold3d CrossSection."""
        key = round(z_mm, 5)
        if key not in self._cut:
            # A wall's triangles leave a point in the middle of each edge.
            self._cut[key] = self.solid.slice(key).simplify(FLAT_MM)
        return self._cut[key]

    def outline(self, z_mm: float) -> bytes:
        """Return the points of the section at a height; equal bytes mean an equal section."""
        key = round(z_mm, 5)
        if key not in self._outlines:
            rings = self.cut(z_mm).to_polygons()
            self._outlines[key] = b"|".join(ring.round(6).tobytes() for ring in rings)
        return self._outlines[key]

    def section(self, index: int) -> Any:
        """Return the section of a layer."""
        return self.cut(self.middle_mm(index))


def polygons(section: Any) -> BaseGeometry:
    """Return a CrossSection as shapely polygons."""
    import shapely

    shapes = []
    for part in section.decompose():
        rings = [ring for ring in part.to_polygons() if len(ring) >= 3]
        if rings:
            # Outer rings are counter-clockwise, holes clockwise; each part has one outer ring.
            rings.sort(key=lambda ring: -_doubled_area(ring))
            shapes.append(shapely.Polygon(rings[0], rings[1:]))
    return shapely.make_valid(shapely.multipolygons(shapes)) if shapes else shapely.Polygon()


def solid_parts(section: Any, speck_mm: float = SPECK_MM) -> Iterator[BaseGeometry]:
    """Yield the separate polygons of a section, without features narrower than twice `speck_mm`.

    Args:
        section: Shapely geometry in mm.
        speck_mm: Half the width of the narrowest feature.
    """
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


def leaning_layers(mesh: Mesh, layers: LayerSlices) -> list[int]:
    """Return the layers that can overhang: those crossed by a downward face of slight slope.

    Args:
        mesh: Mesh of the part in mm.
        layers: Sections of the part; layer 0 lies on the bed.
    """
    import numpy as np

    corners = mesh.vertices.astype(np.float64)[mesh.faces]
    across = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    flat = math.cos(math.radians(STEEPEST_DEG)) * np.linalg.norm(across, axis=1)
    heights = corners[-across[:, 2] > flat][:, :, 2]
    middles = np.array([layers.middle_mm(index) for index in range(layers.count)])
    # Layer i is judged against layer i - 1: a face matters if it lies between their middles.
    first = np.searchsorted(middles, heights.min(axis=1) - 1e-6)
    last = np.searchsorted(middles, heights.max(axis=1) - 1e-6)
    cut = {index for low, high in zip(first, last, strict=True) for index in range(low, high + 1)}
    return sorted(index for index in cut if 0 < index < layers.count)


def overhangs(layers: LayerSlices, indices: list[int]) -> Iterator[Overhang]:
    """Yield the overhangs of these layers, from below.

    Args:
        layers: Sections of a part, from below.
        indices: Numbers of the layers to judge.
    """
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
    """Yield each separate part of the free area with its kind."""
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
    """Return a free area beside its support; its best direction of lines decides its kind."""
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
    """Return angles of lines: along the longest edges, and multiples of 45 degrees."""
    import numpy as np
    import shapely

    steps = np.diff(shapely.get_coordinates(shapely.get_exterior_ring(shape)), axis=0)
    longest = steps[np.argsort(-np.hypot(steps[:, 0], steps[:, 1]))][:EDGES]
    turns = np.degrees(np.arctan2(longest[:, 1], longest[:, 0])) % 180
    degrees = {0.0, 45.0, 90.0, 135.0, *(float(turn) for turn in np.round(turns, 1) % 180)}
    return [math.radians(angle) for angle in sorted(degrees)]


def _jut_mm(shape: BaseGeometry, support: BaseGeometry) -> float:
    """Return the greatest distance of a free area's points from its support."""
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
    """Return the reach of unsupported lines across a free area, and the span of supported ones.

    Both in mm from the edges of the support; the span is that of the longest line.
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
