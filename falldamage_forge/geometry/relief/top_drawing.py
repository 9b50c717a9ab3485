"""Drawing of a tile's top: deep strokes between stones, fine ones for cracks and grass."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import field, replace
from itertools import pairwise
from typing import TYPE_CHECKING

from falldamage_forge.geometry.relief.elements import PatternArea, Point
from falldamage_forge.infra.lazy_dataclass import dataclass

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from shapely.geometry.base import BaseGeometry

Line = Sequence[Point]


@dataclass(slots=True)
class TopDrawing:
    """A tile's top under construction.

    `keep` is the area of its pattern, `deep` and `fine` are polylines in mm about the tile's
    middle, `chips` are areas broken off stones.
    """

    keep: PatternArea
    chance: random.Random
    variant: int
    deep: list[Line] = field(default_factory=list)
    fine: list[Line] = field(default_factory=list)
    chips: list[BaseGeometry] = field(default_factory=list)

    def deep_area(self, width_mm: float) -> BaseGeometry:
        """Return the deep strokes, at most of a width."""
        return _joints(self, width_mm)

    def fine_area(self, width_mm: float, *, chips: bool = True) -> BaseGeometry:
        """Return the fine strokes at a width, with chips if asked.

        Args:
            width_mm: Width of a stroke.
            chips: True to add broken corners.
        """
        import shapely

        return shapely.union_all([_drawn(self.fine, width_mm), *(self.chips if chips else ())])

    def least_area(self, width_mm: float) -> BaseGeometry:
        """Return all strokes at one width, without chips."""
        return _drawn([*self.deep, *self.fine], width_mm)

    def into_slits(self) -> BaseGeometry:
        """Return the strips through which strokes may run into slits."""
        import shapely

        at, inner = self.keep.slit_at_mm, self.keep.slit_in_mm
        two = shapely.union_all(
            [shapely.box(x - 0.6, inner - 1.5, x + 0.6, inner + 0.5) for x in (-at, at)]
        )
        return self.keep.at_slits(two)

    @property
    def doors(self) -> tuple[Point, ...]:
        """The eight points at which strokes leave, clockwise from the north-west one."""
        at = self.keep.slit_at_mm
        doors = (self.door_of(side) for side in range(4))
        return tuple(rotate_point((x, y), k) for k, y in enumerate(doors) for x in (-at, at))

    @property
    def door_mm(self) -> float:
        """Distance from the middle at which a stroke leaves, on the sides without a bank."""
        return self.keep.tile_mm / 2 if self.keep.open_sides else self.keep.slit_in_mm + 0.1

    def door_of(self, side: int) -> float:
        """Return the distance at which a stroke leaves a side: at an open edge, or at a slit."""
        return self.door_mm if side in self.keep.open_sides else self.keep.slit_in_mm + 0.1

    def fitted(self, keep: PatternArea) -> TopDrawing:
        """Return the drawing on a tile of another size, its strokes still led into the slits."""
        if keep == self.keep:
            return self
        import numpy as np
        import shapely

        own, far = self.keep, 2 * self.keep.tile_mm
        drawn = (0.0, own.slit_at_mm, own.slit_in_mm, own.tile_mm / 2, far)
        there = (0.0, keep.slit_at_mm, keep.slit_in_mm, keep.tile_mm / 2, far)

        def moved(points: NDArray[np.float64]) -> NDArray[np.float64]:
            places: NDArray[np.float64] = np.sign(points) * np.interp(np.abs(points), drawn, there)
            return places

        def lines(of: list[Line]) -> list[Line]:
            return [[(float(x), float(y)) for x, y in moved(np.array(line))] for line in of]

        chips = [shapely.transform(chip, moved) for chip in self.chips]
        return replace(self, keep=keep, deep=lines(self.deep), fine=lines(self.fine), chips=chips)

    def jag(self, start: Point, end: Point, wobble_mm: float = 0.3, steps: int = 1) -> Line:
        """Return an irregular line, straight but for `steps` bends of up to `wobble_mm`.

        Args:
            start: First point, in mm.
            end: Last point, in mm.
            wobble_mm: Greatest distance of a bend from the straight line.
            steps: Number of bends.
        """
        points = [start]
        for index in range(1, steps + 1):
            share = index / (steps + 1)
            points.append(
                (
                    start[0] + (end[0] - start[0]) * share + self.near(wobble_mm),
                    start[1] + (end[1] - start[1]) * share + self.near(wobble_mm),
                )
            )
        return [*points, end]

    def near(self, amount: float) -> float:
        """Return a random number between minus and plus an amount."""
        return self.chance.uniform(-amount, amount)

    def chip(self, at: Point, toward: Point, size_mm: float) -> None:
        """Break a corner off a stone: a triangle at a joint's crossing.

        Args:
            at: Crossing of joints, in mm.
            toward: Point in the stone that loses the corner, in mm.
            size_mm: Length of the corner's sides.
        """
        import shapely

        angle = math.atan2(toward[1] - at[1], toward[0] - at[0])
        reach = size_mm * 1.2
        ends = [
            (at[0] + reach * math.cos(angle + turn), at[1] + reach * math.sin(angle + turn))
            for turn in (-0.8, 0.8)
        ]
        self.chips.append(shapely.Polygon([at, *ends]))


def _drawn(lines: Sequence[Line], width_mm: float) -> BaseGeometry:
    import shapely

    if not lines:
        return shapely.Polygon()
    drawn = [shapely.LineString(line) for line in lines]
    return shapely.union_all(
        shapely.buffer(drawn, width_mm / 2, cap_style="round", join_style="round", quad_segs=2)
    )


NARROWEST = 0.8
"""Least width of a joint, of its greatest: wider ones would have ceilings that need supports."""


def _joints(sketch: TopDrawing, width_mm: float) -> BaseGeometry:
    """Return strokes whose width varies along them, because worn stones have no even joints."""
    import shapely

    if sketch.keep.thin:
        return _drawn(sketch.deep, width_mm)
    chance = random.Random(f"joints {sketch.variant}")
    parts = []
    for line in sketch.deep:
        halves = [width_mm / 2 * chance.uniform(NARROWEST, 1.0) for _ in line]
        ends = [
            shapely.Point(p).buffer(half, quad_segs=3) for p, half in zip(line, halves, strict=True)
        ]
        parts += [shapely.union(a, b).convex_hull for a, b in pairwise(ends)]
    return shapely.union_all(parts)


def rotate_point(point: Point, quarter_turns: int) -> Point:
    """Return a point turned clockwise about the tile's middle.

    Args:
        point: Point (x, y) from the tile's middle, in mm.
        quarter_turns: Number of quarter turns.
    """
    x, y = point
    for _ in range(quarter_turns % 4):
        x, y = y, -x
    return x, y


def crack(sketch: TopDrawing, start: Point, steps: int, stride: float = 2.2) -> None:
    """Draw a fine line that wanders from a joint.

    Args:
        sketch: Drawing of the top.
        start: Point on a joint, in mm.
        steps: Number of pieces of the line.
        stride: Length of a piece, in mm.
    """
    angle = math.atan2(-start[1], -start[0]) + sketch.near(1.2)
    line = [start]
    for _ in range(steps):
        angle += sketch.near(0.7)
        x, y = line[-1]
        line.append((x + stride * math.cos(angle), y + stride * math.sin(angle)))
    sketch.fine.append(line)
