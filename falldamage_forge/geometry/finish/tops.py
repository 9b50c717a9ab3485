"""Tops by name: paving, boards and turf that lead into the slits at a tile's edges."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from functools import cache
from typing import TYPE_CHECKING

from falldamage_forge.geometry.finish import earth, ground, paving
from falldamage_forge.geometry.finish.model import DRAWN_MM, Groove, Keep
from falldamage_forge.geometry.finish.sketch import Sketch

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

DEEP_MM, FINE_MM = 1.0, 0.62
"""Width of a stroke of two layers, and of one that is a layer deep."""
LEDGE_MM = 0.26
"""The second layer of a stroke is so much narrower on either side. What is wide gets one, too."""
THINNEST_MM = 0.6
"""No part of a stroke is narrower than this at the top."""
SPECK_MM2 = 0.7
"""Less than this of a top between strokes is no stone."""
AROUND_SLIT_MM = 0.4
"""Strokes that do not run into a slit stay so far from it."""


def top_pattern(name: str, variant: int, keep: Keep) -> tuple[Groove, ...]:
    """The grooves of a tile's top, about its middle; empty for a bare one.

    Equal arguments give equal grooves, other variants other ones. A groove of two layers is two:
    the lower one is narrower, since what is flat and wide looks to slicers as if it needed support.
    In a thin skin there is one, right through: a slicer would lay its second layer all over as a
    bridge over strokes that end in it, at a quarter of the speed.
    Raises KeyError for a name that is not in TOPS.
    """
    sketch = Sketch(keep.drawn(), random.Random(f"{name} {variant}"), variant)
    TOPS[name](sketch)
    return _grooves(sketch.fitted(keep))


VARIETY = 8
"""How many drawings of a top lie beside one another on large pieces."""


def tile_pattern(name: str, variant: int, row: int, col: int, keep: Keep) -> tuple[Groove, ...]:
    """The grooves of one tile of a piece: other ones than those of the tiles beside it."""
    return _drawing(name, _number(variant, row, col), keep)


@cache
def _drawing(name: str, number: int, keep: Keep) -> tuple[Groove, ...]:
    return top_pattern(name, number, keep)


@cache
def _number(variant: int, row: int, col: int) -> int:
    """Which drawing lies on a tile: any that its northern and its western neighbour do not show."""
    if row == col == 0:
        return 2 * variant % VARIETY
    beside = {
        _number(variant, *near) for near in ((row - 1, col), (row, col - 1)) if min(near) >= 0
    }
    free = [number for number in range(VARIETY) if number not in beside]
    return random.Random(f"{variant} {row} {col}").choice(free)


def _grooves(sketch: Sketch) -> tuple[Groove, ...]:
    import shapely

    keep = sketch.keep
    inside = shapely.difference(
        shapely.box(-keep.half_mm, -keep.half_mm, keep.half_mm, keep.half_mm),
        keep.slits(AROUND_SLIT_MM),
    )
    inside = shapely.union(inside, sketch.into_slits())
    if keep.thin:
        lines = shapely.union(sketch.deep_area(FINE_MM), sketch.fine_area(FINE_MM, chips=False))
        return _some(Groove(_drawable(shapely.intersection(lines, inside), keep), 2 * keep.step_mm))
    drawn = shapely.union(sketch.deep_area(DEEP_MM), sketch.fine_area(FINE_MM))
    upper = _drawable(shapely.intersection(drawn, inside), keep)
    lower = _opened(shapely.buffer(upper, -LEDGE_MM, quad_segs=2), 0.12, 0.1)
    step = keep.step_mm
    return _some(Groove(upper, step), Groove(lower, 2 * step))


def _some(*grooves: Groove) -> tuple[Groove, ...]:
    return tuple(groove for groove in grooves if not groove.outline.is_empty)


def _drawable(area: BaseGeometry, keep: Keep) -> BaseGeometry:
    """Without what a nozzle cannot draw: thin ends, and strips of top between two strokes."""
    import shapely

    closed = shapely.buffer(shapely.buffer(area, 0.2, quad_segs=2), -0.2, quad_segs=2)
    whole = closed if keep.tile_mm == DRAWN_MM else _without_specks(closed)
    return _opened(whole, THINNEST_MM / 2 - 0.005, 0.9)


def _without_specks(area: BaseGeometry) -> BaseGeometry:
    """Strokes that were fitted to a tile, and between them no more top than a nozzle lays down."""
    import shapely

    parts = []
    for part in shapely.get_parts(area):
        rings = [shapely.Polygon(ring) for ring in part.interiors]
        parts += [part, *(ring for ring in rings if ring.area < SPECK_MM2)]
    return shapely.union_all(parts)


def _opened(area: BaseGeometry, by_mm: float, least_mm2: float) -> BaseGeometry:
    import shapely

    opened = shapely.buffer(shapely.buffer(area, -by_mm, quad_segs=2), by_mm, quad_segs=2)
    smooth = shapely.simplify(opened, 0.02)
    parts = [part for part in shapely.get_parts(smooth) if part.area >= least_mm2]
    return shapely.MultiPolygon(parts)


TOPS: Mapping[str, Callable[[Sketch], None]] = {
    "bare": lambda sketch: None,
    "flags": paving.flags,
    "slabs": paving.slabs,
    "cobbles": paving.cobbles,
    "bricks": paving.bricks,
    "planks": paving.planks,
    "turf": earth.turf,
    "gravel": earth.gravel,
    "crazy": earth.crazy,
    "cracks": earth.cracks,
    "inlay": paving.inlay,
    "lava": ground.lava,
    "water": ground.water,
    "sun": ground.sun,
    "moon": ground.moon,
}
"""Who draws what, by the names that styles use."""
