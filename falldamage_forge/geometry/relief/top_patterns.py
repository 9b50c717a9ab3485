"""Top patterns by name: paving, boards and soils that lead into the slits at a tile's edges."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from functools import cache
from typing import TYPE_CHECKING

from falldamage_forge.geometry.relief import natural_tops, paved_tops, special_tops
from falldamage_forge.geometry.relief.elements import Groove, PatternArea
from falldamage_forge.geometry.relief.top_drawing import TopDrawing

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

DEEP_MM, FINE_MM, HAIR_MM = 1.0, 0.62, 0.62
"""Widths of a stroke of two layers, of one that is a layer deep, and of all in a thin skin."""
LEDGE_MM = 0.26
"""Reduction of a stroke's second layer on either side; only wide strokes have one."""
THIN_LEDGE_MM = 0.1
"""The same in a thin skin, whose narrow strokes go right through: what is left is covered without
a bridge or a support."""
THINNEST_MM, LOWER_MM = 0.6, 0.13
"""Minimum width of a stroke at the top, and of its second layer."""
SPECK_MM2, STROKE_MM2 = 0.7, 0.9
"""Smaller islands of top between strokes, and smaller strokes, are removed."""
COVERED_MM, THIN_COVERED_MM = 0.335, 0.28
"""Distance from the edges of a stroke's second layer up to which the next layer covers it: 0.25 mm
as a slope, and half of the 0.3 mm that may jut out, less what smoothing and corners add. Less in a
thin skin, where it is all of a crossing that a layer covers."""
PINCHES = 3
"""Number of times that the places where strokes meet are narrowed."""
PEBBLE_MM, AROUND_PEBBLE_MM, PEBBLE_MM2 = 0.64, 0.57, 0.4
"""Minimum width of stones that are left in pits, whose ceilings would need supports, their
distance from the pits' edges, and their minimum area."""
SMOOTH_MM, THIN_SMOOTH_MM, EXACT_MM = 0.045, 0.03, 0.01
"""Allowed distance of a stroke's edge from its drawing; a round end has few edges. It adds to the
ledge: with 0.06, ends at keyholes jut out too far. Less in a thin skin, where a layer covers a
whole stroke, and while strokes are drawn."""
CORNER_MM = 0.2
"""Radius of a corner as laid: half a line."""
ACUTE_TIP_MM2 = 0.08
"""Minimum area of a tip that a round line does not reach; a corner of 45 degrees has less."""
SHARPEST = 1.5
"""Maximum length of a stone's corner, of the distance that its sides move: about 84 degrees."""


def top_pattern(name: str, variant: int, keep: PatternArea) -> tuple[Groove, ...]:
    """Return the grooves of a tile's top, about its middle; empty for a bare one.

    A groove of two layers is two: the lower one is narrower, since slicers support wide flat
    ceilings. In a thin skin both go right through it: a slicer would print a second layer over the
    first as a slow bridge.

    Args:
        name: Key of `TOPS`.
        variant: Seed of the drawing; equal arguments give equal grooves.
        keep: Area of the pattern.

    Raises:
        KeyError: If the name is unknown.
    """
    import numpy as np

    sketch = TopDrawing(keep.drawn(), random.Random(f"{name} {variant}"), variant)
    TOPS[name](sketch)
    # Where points of an outline coincide, GEOS divides by zero on its way to a right answer.
    with np.errstate(divide="ignore", invalid="ignore"):
        return _grooves(sketch.fitted(keep))


VARIETY = 8
"""Number of different drawings of a top on large pieces."""


def tile_pattern(
    name: str, variant: int, row: int, col: int, keep: PatternArea
) -> tuple[Groove, ...]:
    """Return the grooves of one tile of a piece, different from those of its neighbours.

    Args:
        name: Name of the pattern.
        variant: Number of the piece's variant.
        row: Row of the tile in the piece.
        col: Column of the tile in the piece.
        keep: Area in which strokes may lie, in mm.
    """
    return _drawing(name, _number(variant, row, col), keep)


@cache
def _drawing(name: str, number: int, keep: PatternArea) -> tuple[Groove, ...]:
    return top_pattern(name, number, keep)


@cache
def _number(variant: int, row: int, col: int) -> int:
    """Return the drawing of a tile: any that its northern and western neighbours do not show."""
    if row == col == 0:
        return (2 * variant + variant // 4) % VARIETY
    beside = {
        _number(variant, *near) for near in ((row - 1, col), (row, col - 1)) if min(near) >= 0
    }
    free = [number for number in range(VARIETY) if number not in beside]
    return random.Random(f"{variant} {row} {col}").choice(free)


def _grooves(sketch: TopDrawing) -> tuple[Groove, ...]:
    import shapely

    keep = sketch.keep
    inside = shapely.union(keep.area(keep.tip_mm), sketch.into_slits())
    if keep.thin:
        deep, fine, ledge, smooth = HAIR_MM, HAIR_MM, THIN_LEDGE_MM, THIN_SMOOTH_MM
        covered = THIN_COVERED_MM
    else:
        deep, fine, ledge, smooth = DEEP_MM, FINE_MM, LEDGE_MM, SMOOTH_MM
        covered = COVERED_MM
    drawn = shapely.union(sketch.deep_area(deep), sketch.fine_area(fine, chips=not keep.thin))
    drawn, least = (
        shapely.intersection(area, inside) for area in (drawn, sketch.least_area(THINNEST_MM))
    )
    upper = _drawable(drawn, least, 2 * (ledge + covered), smooth, keep.tip_mm)
    # Strokes run through a slit's mouth in both layers: a wall across it would start in the air.
    mouths = shapely.union(upper, keep.slits())
    # A slicer lays the corners of stones round, so the second layer is that of rounded ones.
    mouths = shapely.buffer(mouths, CORNER_MM, quad_segs=2)
    mouths = shapely.buffer(mouths, -CORNER_MM, quad_segs=2)
    lower = _simplified(_opened(_grown(mouths, -ledge), LOWER_MM / 2, 0.02), smooth)
    lower = _parts(shapely.intersection(lower, upper), 0.04)
    step = keep.step_mm
    return _some(Groove(upper, step), Groove(lower, 2 * step))


def _some(*grooves: Groove) -> tuple[Groove, ...]:
    return tuple(groove for groove in grooves if not groove.outline.is_empty)


def _drawable(
    area: BaseGeometry, least: BaseGeometry, wide_mm: float, smooth_mm: float, tip_mm: float
) -> BaseGeometry:
    """Remove features that a nozzle cannot print, and narrow the places where strokes meet.

    Tips of stones are cut last, since thin strokes that are removed leave necks of stone.
    """
    import shapely

    drawn = _without_specks(_closed(_opened(area, THINNEST_MM / 2 - 0.005, STROKE_MM2), tip_mm))
    least = shapely.intersection(least, drawn)
    for _ in range(PINCHES):
        drawn = _pinched(drawn, least, wide_mm, tip_mm)
    # Where strokes lie too close, some become narrower than they should be.
    for _ in range(PINCHES):
        drawn = _pinched(drawn, shapely.Polygon(), wide_mm + SMOOTH_MM, tip_mm)
    drawn = _parts(_simplified(drawn, smooth_mm), STROKE_MM2)
    half = PEBBLE_MM / 2
    pebbles = shapely.buffer(shapely.buffer(drawn, -AROUND_PEBBLE_MM - half), half)
    return shapely.difference(drawn, _parts(pebbles, PEBBLE_MM2))


def _pinched(
    area: BaseGeometry, least: BaseGeometry, wide_mm: float, tip_mm: float
) -> BaseGeometry:
    """Narrow strokes, to `least` at most, about the middles of the places that are wider.

    They are narrowed a tip's width around, or the stone that is added would be a tip itself.
    """
    import shapely

    cores = _parts(shapely.buffer(area, -wide_mm / 2, quad_segs=2), EXACT_MM**2)
    rims = []
    for core in shapely.get_parts(cores):
        by = 2 * core.area / core.length + 2 * EXACT_MM
        rim = shapely.difference(area, _grown(area, -by))
        near = shapely.buffer(core, wide_mm / 2 + by + tip_mm, quad_segs=2)
        rims.append(shapely.intersection(rim, near))
    if not rims:
        return area
    kept = shapely.difference(least, shapely.buffer(cores, wide_mm / 2, quad_segs=2))
    pinched = shapely.union(shapely.difference(area, shapely.union_all(rims)), kept)
    return _simplified(_closed(pinched, tip_mm), 2 * EXACT_MM)


def _closed(area: BaseGeometry, tip_mm: float) -> BaseGeometry:
    """Cut tips and necks of stone between strokes that a slicer does not lay.

    Corners stay sharp, but of an acute one a slicer lays what a round line reaches.
    """
    import shapely

    grown = _grown(area, tip_mm / 2)
    cut = _grown(grown, -tip_mm / 2)
    rounded = _sound(shapely.buffer(grown, -tip_mm / 2, quad_segs=2))
    return shapely.union(cut, _parts(shapely.difference(rounded, cut), ACUTE_TIP_MM2))


def _opened(area: BaseGeometry, by_mm: float, least_mm2: float) -> BaseGeometry:
    return _parts(_grown(_grown(area, -by_mm), by_mm), least_mm2)


def _grown(area: BaseGeometry, by_mm: float) -> BaseGeometry:
    """Return strokes grown, with round ends, or shrunk (negative), with the corners of stones kept.

    Round corners of stones would make the places where strokes meet wider.
    """
    import shapely

    if by_mm > 0:
        return shapely.buffer(area, by_mm, quad_segs=2)
    shrunk = shapely.buffer(area, by_mm, join_style="mitre", mitre_limit=SHARPEST)
    return _simplified(shrunk, EXACT_MM)


def _simplified(area: BaseGeometry, by_mm: float) -> BaseGeometry:
    """Return an area with fewer points."""
    import shapely

    return _sound(shapely.simplify(area, by_mm))


def _sound(area: BaseGeometry) -> BaseGeometry:
    """Return an area, repaired where an outline crosses itself; GEOS buffers may, too."""
    import shapely

    return area if shapely.is_valid(area) else shapely.buffer(area, 0.0)


def _without_specks(area: BaseGeometry) -> BaseGeometry:
    """Fill islands of top that are too small to print."""
    import shapely

    parts = []
    for part in shapely.get_parts(area):
        rings = [shapely.Polygon(ring) for ring in part.interiors]
        parts += [part, *(ring for ring in rings if ring.area < SPECK_MM2)]
    return shapely.union_all(parts)


def _parts(area: BaseGeometry, least_mm2: float) -> BaseGeometry:
    """Return the parts of an area that are not smaller."""
    import shapely

    return shapely.union_all([p for p in shapely.get_parts(area) if p.area >= least_mm2])


TOPS: Mapping[str, Callable[[TopDrawing], None]] = {
    "bare": lambda sketch: None,
    "flags": paved_tops.flags,
    "slabs": paved_tops.slabs,
    "cobbles": paved_tops.cobbles,
    "bricks": paved_tops.bricks,
    "planks": paved_tops.planks,
    "gangway": paved_tops.gangway,
    "turf": natural_tops.turf,
    "gravel": natural_tops.gravel,
    "crazy": natural_tops.crazy,
    "cracks": natural_tops.cracks,
    "sand": natural_tops.sand,
    "snow": natural_tops.snow,
    "inlay": paved_tops.inlay,
    "lava": special_tops.lava,
    "water": special_tops.water,
    "roundel": special_tops.roundel,
    "sun": special_tops.sun,
    "moon": special_tops.moon,
}
"""Drawing functions by the names that styles use."""
