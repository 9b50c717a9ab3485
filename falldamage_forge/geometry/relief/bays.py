"""Bays: deep fields of a wall, one on each tile, between plinth, corners, piers and cornice.

A bay lies 1.5 to 2.4 mm behind the outline. Its head is flat and throws a shadow; its foot slopes,
because it hangs in print.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from falldamage_forge.geometry.relief import wall_zones as lay
from falldamage_forge.geometry.relief.elements import Outline, ReliefElement, WallPath
from falldamage_forge.geometry.relief.masonry import Bond, course
from falldamage_forge.geometry.relief.stone_profiles import RUN, WIDEST_MM, outer_profile
from falldamage_forge.geometry.relief.wall_zones import Span, WallZone
from falldamage_forge.infra.lazy_dataclass import dataclass

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

LEAST_WIDE_MM, LEAST_TALL_MM = 9.0, 8.0
"""Smaller bays are not drawn."""
CLEAR_MM = 0.2
"""Distance of what stands in a bay from the edge of its ground."""
ARCH_LIFT_MM = 1.1
"""Room over an arch in its field, for the bump's flank in the cavity."""
JAMB_MM = 0.5
"""Least upright side of an arched outline."""
BREACH_STEEP, BREACH_SHIFT = (0.9, 1.4), (0.0, 0.25)
"""Height of a breach's edge, as shares of the field: gain across it, and height at its low end."""
BREAK_MM = 9.4
"""Distance of a bay from a point over which the top has fallen away: no fin is left between."""
LIFT_MM = 0.2
"""How much higher a bay may reach than the course that it ends in."""

Fill = Callable[["Bay", random.Random], ReliefElement]
"""Draws what a bay holds."""


@dataclass(frozen=True, slots=True)
class Bay:
    """A rectangle of a side, sunk from `edge_mm` to `ground_mm` behind the outline."""

    side: int
    u: Span
    v: Span
    edge_mm: float
    ground_mm: float

    @property
    def field(self) -> tuple[Span, Span]:
        """The flat part of its ground."""
        beside = WIDEST_MM + 2 * CLEAR_MM
        foot = (self.ground_mm - self.edge_mm) / RUN + 2 * CLEAR_MM
        return (self.u[0] + beside, self.u[1] - beside), (self.v[0] + foot, self.v[1] - beside)

    def element(self, outline: Outline | None = None) -> ReliefElement:
        """Return the empty bay."""
        return ReliefElement(self.side, outline or lay.box(self.u, self.v), self.ground_mm)


@dataclass(frozen=True, slots=True)
class Bays:
    """Places of bays on a side: `end_mm` from its ends, `pier_mm` between two of them."""

    end_mm: float
    pier_mm: float
    edge_mm: float
    ground_mm: float
    fill: Fill

    def on(
        self,
        run: WallPath,
        side: int,
        v: Span,
        holes: Sequence[ReliefElement],
        chance: random.Random,
    ) -> Iterator[ReliefElement]:
        """Yield the bays of a side between two heights, except where an opening is.

        Args:
            run: Foot of the wall.
            side: Number of the side.
            v: Lowest and highest point of the zone that they may fill.
            holes: Openings of this side.
            chance: Source of random numbers.
        """
        length = run.lengths_mm[side]
        tiles = run.tiles(length)
        # In the cavity a bay is a bump, whose upper flank slopes and reaches higher.
        high = v[1] + LIFT_MM - (self.ground_mm - self.edge_mm) / RUN + WIDEST_MM
        for tile in range(tiles):
            ends = (length * tile / tiles, length * (tile + 1) / tiles)
            piers = [BREAK_MM if run.is_broken(side, end) else None for end in ends]
            left = ends[0] + (piers[0] or (self.pier_mm / 2 if tile else self.end_mm))
            last = tile == tiles - 1
            right = ends[1] - (piers[1] or (self.end_mm if last else self.pier_mm / 2))
            taken = any(left < u < right for hole in holes for u, _ in hole.outline)
            small = right - left < LEAST_WIDE_MM or high - v[0] < LEAST_TALL_MM
            if not taken and not small:
                bay = Bay(side, (left, right), (v[0], high), self.edge_mm, self.ground_mm)
                yield self.fill(bay, chance)


def holding(
    bay: ReliefElement, edge_mm: float, elements: Iterable[ReliefElement], *, soft: bool = False
) -> ReliefElement:
    """Return a bay with the elements that stand whole on its ground and have room for their flanks.

    Args:
        bay: A field that is sunk into a surface.
        edge_mm: Inset of that surface.
        elements: What may stand on the ground.
        soft: True for a bay in the wall itself; False for one in an element.
    """
    import shapely

    drawn = outer_profile(bay, edge_mm, math.inf, soft)
    if drawn is None:
        return bay
    room: BaseGeometry = shapely.buffer(shapely.Polygon(drawn[1]), -CLEAR_MM)
    on = []
    for one in elements:
        area = shapely.Polygon(one.outline)
        if room.contains(area) and outer_profile(one, bay.inset_mm, math.inf, False) is not None:
            room = shapely.difference(room, shapely.buffer(area, CLEAR_MM))
            on.append(one)
    return replace(bay, on=tuple(on))


def courses_in(bay: Bay, bond: Bond, chance: random.Random) -> Iterator[ReliefElement]:
    """Yield courses of stones that stand on a bay's ground."""
    across, up = bay.field
    heights = list(bond.heights)
    chance.shuffle(heights)
    for row in lay.stack_courses(WallZone(*up, 0), heights):
        for stone in course(bay.side, across, row, bond, chance):
            yield replace(stone, inset_mm=stone.inset_mm + bay.ground_mm - bond.stands_mm)


def coursed(bond: Bond) -> Fill:
    """Return a function that fills a bay with courses."""

    def fill(bay: Bay, chance: random.Random) -> ReliefElement:
        stones = courses_in(bay, bond, chance)
        return holding(bay.element(), bay.edge_mm, stones, soft=True)

    return fill


def breached(bond: Bond) -> Fill:
    """Return a function that fills a bay with courses, broken off in steps down to one side."""

    def fill(bay: Bay, chance: random.Random) -> ReliefElement:
        (left, right), (low, high) = bay.field
        falling = chance.random() < 0.5
        steep, shift = chance.uniform(*BREACH_STEEP), chance.uniform(*BREACH_SHIFT)

        def stands(stone: ReliefElement) -> bool:
            count = len(stone.outline)
            across = (sum(u for u, _ in stone.outline) / count - left) / (right - left)
            up = (sum(v for _, v in stone.outline) / count - low) / (high - low)
            return up < shift + steep * (1.0 - across if falling else across)

        stones = filter(stands, courses_in(bay, bond, chance))
        return holding(bay.element(), bay.edge_mm, stones, soft=True)

    return fill


def arched(order_mm: float) -> Fill:
    """Return a function that fills a bay with a blind arch in a field `order_mm` behind."""

    def fill(bay: Bay, chance: random.Random) -> ReliefElement:
        field = replace(bay, ground_mm=order_mm)
        u, (low, high) = field.field
        arch = bay.element(round_arch(u, (low, high - ARCH_LIFT_MM)))
        return holding(field.element(), bay.edge_mm, [arch], soft=True)

    return fill


def round_arch(u: Span, v: Span, steps: int = 7) -> Outline:
    """Return an upright outline under half a circle, or under a flatter arch if it is too low."""
    middle, half = (u[0] + u[1]) / 2, (u[1] - u[0]) / 2
    rise = min(half, v[1] - v[0] - JAMB_MM)
    spring = v[1] - rise
    turns = [math.pi * step / steps for step in range(steps + 1)]
    head = [(middle + half * math.cos(a), spring + rise * math.sin(a)) for a in turns]
    return ((u[0], v[0]), (u[1], v[0]), *head)
