"""Masonry: courses of stones or bricks between long and short quoins, about openings."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence

from falldamage_forge.geometry.relief import wall_zones as lay
from falldamage_forge.geometry.relief.elements import ReliefElement, WallPath
from falldamage_forge.geometry.relief.wall_zones import Span, WallZone
from falldamage_forge.infra.lazy_dataclass import dataclass

Fields = Callable[
    [WallPath, int, Span, Sequence[ReliefElement], random.Random], Iterator[ReliefElement]
]
"""Callback that draws a side between two heights, about its openings: `bays.Bays.on`."""
SIDE_GAP_MM = 0.45
"""Joint between two stones of a course."""
BAY_GAP_MM = 0.05
"""A bay begins so much above the course below it, which so stays whole."""
SHORTEST_MM = 2.7
"""Shorter rests of a course beside an opening remain mortar."""
LEAST_COURSE_MM = 2.3
"""Height at which a quoin has room for two flanks, which slope, and for its wear."""


@dataclass(frozen=True, slots=True)
class Bond:
    """A masonry bond; lengths in mm.

    `heights` are the proportions of the courses of a level, `widths_mm` the bounds of a stone's
    length, `quoins_mm` the long and the short side of a corner stone. Corners wear by `wear_mm`;
    faces lie up to `back_mm` behind the plane and lean by up to `lean_mm`. `tall` is the chance of
    a stone through two courses on a side, `lost` that of a missing stone, `through` that of a quoin
    that reaches across a side of one tile to the next quoin, `whole` that of one stone across such
    a side. In a bay, stones stand `stands_mm` out of its ground. Each upright joint stops the
    nozzle in every layer, outside and in the cavity: long stones print fast.
    """

    heights: tuple[float, ...]
    widths_mm: Span
    quoins_mm: Span
    wear_mm: Span
    back_mm: float
    lean_mm: float
    tall: float
    lost: float = 0.0
    through: float = 0.0
    whole: float = 0.0
    stands_mm: float = 0.45


def masonry(
    bond: Bond, fields: Fields | None = None
) -> Callable[
    [WallPath, WallZone, random.Random, tuple[ReliefElement, ...]], Iterator[ReliefElement]
]:
    """Return a function that draws a zone of a wall in a bond, with bays on its tiles.

    Args:
        bond: Bond of the wall.
        fields: Bays that leave the first and the last course free; None for none.
    """

    def draw(
        run: WallPath, zone: WallZone, chance: random.Random, holes: tuple[ReliefElement, ...]
    ) -> Iterator[ReliefElement]:
        heights = list(bond.heights)
        if fields is None:
            chance.shuffle(heights)
        rows = _courses(zone, heights)
        for side, length in enumerate(run.lengths_mm):
            own = [hole for hole in holes if hole.side == side]
            if fields:
                heights_mm = (rows[1][0] + BAY_GAP_MM, zone.high_mm)
                drawn = tuple(fields(run, side, heights_mm, own, chance))
                yield from drawn
                own += drawn
            taken = [_extent(hole) for hole in own]
            ends = [
                _reaching(_quoin_ends(run, side, row, bond.quoins_mm), length, span, taken)
                for row, span in enumerate(rows)
            ]
            ends = [
                pair
                if any(_meets(at, span) for _, at in taken)
                else _through(pair, length, run.grid.pitch_mm, bond, chance)
                for pair, span in zip(ends, rows, strict=True)
            ]
            for row, span in enumerate(rows):
                yield from _quoins(side, length, ends[row], span, bond, chance)
            tall = _tall(rows, length, ends, taken, chance) if chance.random() < bond.tall else None
            if tall:
                yield _stone(side, *tall, bond, chance)
                taken.append(tall)
            for row, span in enumerate(rows):
                left, right = ends[row]
                free = _free((left, length - right), span, taken)
                for room in free:
                    yield from course(side, room, span, bond, chance)

    return draw


def _courses(zone: WallZone, heights: Sequence[float]) -> list[Span]:
    """Return the courses of a zone, without the lowest where a level has no room for all."""
    rows = lay.stack_courses(zone, heights)
    lowest = min(range(len(rows)), key=lambda row: heights[row])
    if len(rows) == 1 or rows[lowest][1] - rows[lowest][0] >= LEAST_COURSE_MM:
        return rows
    return _courses(zone, [*heights[:lowest], *heights[lowest + 1 :]])


Area = tuple[Span, Span]


def _extent(stone: ReliefElement) -> Area:
    us, vs = zip(*stone.outline, strict=True)
    return (min(us), max(us)), (min(vs), max(vs))


def _reaching(ends: Span, length: float, v: Span, taken: Sequence[Area]) -> Span:
    """Return a course's quoins, which end at an opening that they would meet or nearly meet."""
    left, right = ends
    least = SHORTEST_MM + 2 * SIDE_GAP_MM
    for (start, end), at in taken:
        if not _meets(at, v):
            continue
        left = start - SIDE_GAP_MM if start < left + least else left
        right = length - end - SIDE_GAP_MM if length - end < right + least else right
    return left, right


def _meets(at: Span, v: Span) -> bool:
    """True if an element at these heights reaches into a course."""
    return at[1] >= v[0] - lay.GAP_MM and at[0] <= v[1] + lay.GAP_MM


def _through(ends: Span, length: float, tile_mm: float, bond: Bond, chance: random.Random) -> Span:
    """Return the quoins of a course, one of which may be longer than usual."""
    left, right = ends
    share = chance.random()
    if share > bond.whole + bond.through:
        return ends
    if length > tile_mm + lay.GAP_MM:
        more = chance.uniform(*bond.widths_mm) * 0.6
        return (left + more, right) if chance.random() < 0.5 else (left, right + more)
    if share < bond.whole:
        return length, 0.0
    if chance.random() < 0.5:
        return length - right - SIDE_GAP_MM, right
    return left, length - left - SIDE_GAP_MM


def _free(u: Span, v: Span, taken: Sequence[Area]) -> list[Span]:
    """Return the free spans of a course between elements that reach into it, less gaps."""
    rooms = [(u[0] + SIDE_GAP_MM, u[1] - SIDE_GAP_MM)]
    for (left, right), at in taken:
        if not _meets(at, v):
            continue
        rooms = [
            part
            for a, b in rooms
            for part in ((a, min(b, left - SIDE_GAP_MM)), (max(a, right + SIDE_GAP_MM), b))
        ]
    return [(a, b) for a, b in rooms if b - a >= SHORTEST_MM]


def course(
    side: int, u: Span, v: Span, bond: Bond, chance: random.Random
) -> Iterator[ReliefElement]:
    """Yield stones between two places of a course."""
    at = u[0]
    low, high = (width + SIDE_GAP_MM for width in bond.widths_mm)
    for width in lay.split(u[1] - u[0] + SIDE_GAP_MM, low, high, chance):
        if chance.random() >= bond.lost:
            yield _stone(side, (at, at + width - SIDE_GAP_MM), v, bond, chance)
        at += width


def _stone(side: int, u: Span, v: Span, bond: Bond, chance: random.Random) -> ReliefElement:
    outline = lay.chipped_rectangle(u, v, chance, bond.wear_mm)
    back = chance.uniform(0.0, bond.back_mm)
    return ReliefElement(
        side, outline, back, chance.uniform(-1.0, 1.0) * min(bond.lean_mm, 2 * back)
    )


def _tall(
    rows: Sequence[Span],
    length: float,
    ends: Sequence[Span],
    taken: Sequence[Area],
    chance: random.Random,
) -> Area | None:
    """Return a place through two courses with clearance to openings; None if there is none."""
    row = chance.randrange(len(rows) - 1)
    left = max(ends[row][0], ends[row + 1][0]) + 5.0
    right = length - max(ends[row][1], ends[row + 1][1]) - 5.0
    width = chance.uniform(5.4, 7.0)
    if right - left < width:
        return None
    start = chance.uniform(left, right - width)
    area = (start, start + width), (rows[row][0], rows[row + 1][1])
    clear = all(b + 4.0 < start or a - 4.0 > start + width for (a, b), _ in taken)
    return area if clear else None


def _quoin_ends(run: WallPath, side: int, row: int, sizes: Span) -> Span:
    """Return the lengths of the quoins at the start and at the end of a course."""
    count = len(run.corners)
    return sizes[(row + side) % 2], sizes[(row + (side + 1) % count + 1) % 2]


def _quoins(
    side: int, length: float, ends: Span, v: Span, bond: Bond, chance: random.Random
) -> Iterator[ReliefElement]:
    """Yield a course's two quoins as seen on this side, or the one stone across it."""
    left, right = ends
    if not right:
        yield ReliefElement(side, lay.box((0.0, length), v), 0.0)
        return
    wear = (bond.wear_mm[0], bond.wear_mm[1] * 0.7)
    yield ReliefElement(side, lay.chipped_rectangle((0.0, left), v, chance, wear, "bc"), 0.0)
    yield ReliefElement(
        side, lay.chipped_rectangle((length - right, length), v, chance, wear, "da"), 0.0
    )
