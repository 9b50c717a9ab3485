"""Bin packing of parts of several rectangles onto beds, in whole numbers: MaxRects.

A part is a list of rectangles inside its bounding box; an L has two. The free area of a bed is the
list of its maximal free rectangles: a rectangle is free exactly if one of them holds it, and a part
if each of its rectangles is free. So other parts fill the corners of an L. `plates` calls it.

Source: J. Jylänki, "A thousand ways to pack the bin".
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from falldamage_forge.infra.lazy_dataclass import dataclass


class Rect(NamedTuple):
    """A rectangle in packing units; (x, y) is its lower left corner."""

    x: int
    y: int
    w: int
    h: int

    @property
    def right(self) -> int:
        """The x of the right edge."""
        return self.x + self.w

    @property
    def top(self) -> int:
        """The y of the upper edge."""
        return self.y + self.h

    def moved(self, x: int, y: int) -> Rect:
        """Return the rectangle shifted by (x, y).

        Args:
            x: Shift to the right, in packing units.
            y: Shift to the back, in packing units.
        """
        return Rect(self.x + x, self.y + y, self.w, self.h)

    def holds(self, other: Rect) -> bool:
        """True if the other rectangle lies inside."""
        return (
            other.x >= self.x
            and other.y >= self.y
            and other.right <= self.right
            and other.top <= self.top
        )

    def meets(self, other: Rect) -> bool:
        """True if the two share any area."""
        return (
            other.x < self.right
            and self.x < other.right
            and other.y < self.top
            and self.y < other.top
        )


Rects = tuple[Rect, ...]


def _turned(rects: Iterable[Rect], height: int) -> Rects:
    """Return rectangles of a box of this height after a counter-clockwise quarter turn."""
    return tuple(sorted(Rect(height - r.top, r.x, r.h, r.w) for r in rects))


class Pose(NamedTuple):
    """A part after counter-clockwise quarter turns: its box and its rectangles."""

    turns: int
    w: int
    h: int
    rects: Rects


@dataclass(frozen=True)
class PackPart:
    """A part to pack: `rects` lie in the box (0, 0, w, h) at zero turns; `tall` is its height."""

    key: str
    w: int
    h: int
    rects: Rects
    tall: int = 0

    @cached_property
    def poses(self) -> tuple[Pose, ...]:
        """Quarter turns that give different outlines, fewest first."""
        found: dict[tuple[int, int, Rects], Pose] = {}
        w, h, rects = self.w, self.h, self.rects
        for turns in range(4):
            found.setdefault((w, h, rects), Pose(turns, w, h, rects))
            rects = _turned(rects, h)
            w, h = h, w
        return tuple(found.values())

    @cached_property
    def area(self) -> int:
        """Area of the union of the rectangles."""
        return sum(rect.w * rect.h for rect in disjoint_rectangles(self.rects))


class PlacedPart(NamedTuple):
    """A part on a bed: its pose and the lower left corner of its box."""

    part: PackPart
    pose: Pose
    x: int
    y: int

    def rects(self) -> Rects:
        """Return its rectangles on the bed."""
        return tuple(rect.moved(self.x, self.y) for rect in self.pose.rects)


def disjoint_rectangles(rects: Iterable[Rect]) -> Rects:
    """Return the union of rectangles as disjoint ones, cut along every y where one begins."""
    rects = tuple(rects)
    cuts = sorted({y for rect in rects for y in (rect.y, rect.top)})
    pieces: list[Rect] = []
    for low, high in itertools.pairwise(cuts):
        here = sorted((r.x, r.right) for r in rects if r.y <= low and r.top >= high)
        start: int | None = None
        end = 0
        for x, right in here:
            if start is not None and x > end:
                pieces.append(Rect(start, low, end - start, high - low))
                start = None
            if start is None:
                start, end = x, right
            end = max(end, right)
        if start is not None:
            pieces.append(Rect(start, low, end - start, high - low))
    return tuple(pieces)


Score = Callable[[Rect, Pose, int, int], tuple[int, ...]]
"""Cost of a place from free rectangle, pose and corner; the least wins."""


def _short_side(room: Rect, pose: Pose, x: int, y: int) -> tuple[int, ...]:
    left = sorted((room.w - pose.w, room.h - pose.h))
    return left[0], left[1]


def _best_area(room: Rect, pose: Pose, x: int, y: int) -> tuple[int, ...]:
    return room.w * room.h - pose.w * pose.h, min(room.w - pose.w, room.h - pose.h)


def _low_left(room: Rect, pose: Pose, x: int, y: int) -> tuple[int, ...]:
    return y + pose.h, x


def _corner(room: Rect, pose: Pose, x: int, y: int) -> tuple[int, ...]:
    return max(x + pose.w, y + pose.h), y + pose.h + x + pose.w


SCORES: tuple[Score, ...] = (_short_side, _low_left, _corner, _best_area)
Order = Callable[[PackPart], tuple[int, ...]]
ORDERS: tuple[Order, ...] = (
    lambda part: (-part.area,),
    lambda part: (-max(part.w, part.h), -min(part.w, part.h)),
    lambda part: (-min(part.w, part.h), -max(part.w, part.h)),
    lambda part: (-(part.w + part.h),),
    lambda part: (-part.w * part.h,),
    lambda part: (-len(part.rects), -part.area),
)


class Bed:
    """A bed being filled: its placed parts and its maximal free rectangles."""

    def __init__(self, w: int, h: int) -> None:
        self.laid: list[PlacedPart] = []
        self.free: list[Rect] = [Rect(0, 0, w, h)]

    def best(self, part: PackPart, score: Score) -> PlacedPart | None:
        """Return the best place for a part, or None if it does not fit.

        Args:
            part: Part with its poses.
            score: Rates a room and a pose; the least wins.
        """
        best: tuple[tuple[int, ...], int, int, int, PlacedPart] | None = None
        for pose in part.poses:
            for room, x, y in self._places(pose):
                rated = (score(room, pose, x, y), y, x, pose.turns, PlacedPart(part, pose, x, y))
                if best is None or rated[:4] < best[:4]:
                    best = rated
        return best[-1] if best else None

    def _places(self, pose: Pose) -> Iterator[tuple[Rect, int, int]]:
        if len(pose.rects) == 1:
            for room in self.free:
                if pose.w <= room.w and pose.h <= room.h:
                    yield room, room.x, room.y
            return
        for room in self.free:
            for rect in pose.rects:
                if rect.w > room.w or rect.h > room.h:
                    continue
                for x in dict.fromkeys((room.x - rect.x, room.right - rect.right)):
                    for y in dict.fromkeys((room.y - rect.y, room.top - rect.top)):
                        if self._has_room(pose, x, y):
                            yield room, x, y

    def _has_room(self, pose: Pose, x: int, y: int) -> bool:
        return all(any(room.holds(rect.moved(x, y)) for room in self.free) for rect in pose.rects)

    def lay(self, laid: PlacedPart) -> None:
        """Place a part and update the free rectangles."""
        self.laid.append(laid)
        for rect in laid.rects():
            self.free = _without(self.free, rect)


def _without(free: Iterable[Rect], taken: Rect) -> list[Rect]:
    """Return the maximal free rectangles after `taken` is removed, none inside another."""
    largest: list[Rect] = []
    cut: set[Rect] = set()
    for room in free:
        if not room.meets(taken):
            largest.append(room)
            continue
        cut |= {
            Rect(room.x, room.y, taken.x - room.x, room.h),
            Rect(taken.right, room.y, room.right - taken.right, room.h),
            Rect(room.x, room.y, room.w, taken.y - room.y),
            Rect(room.x, taken.top, room.w, room.top - taken.top),
        }
    new = sorted(room for room in cut if room.w > 0 and room.h > 0)
    # What was free and whole before can only hold a new rectangle, never lie inside one.
    largest += [
        room
        for room in new
        if not any(old.holds(room) for old in largest)
        and not any(other != room and other.holds(room) for other in new)
    ]
    return largest


def pack_first_fit(parts: Iterable[PackPart], bed: tuple[int, int], score: Score) -> list[Bed]:
    """Place each part on the first bed that has room for it.

    Args:
        parts: Parts in order; every one must fit an empty bed.
        bed: Width and depth in packing units.
        score: Cost of a place.
    """
    beds: list[Bed] = []
    full: set[tuple[str, int]] = set()
    for part in parts:
        for number in range(len(beds) + 1):
            if number == len(beds):
                beds.append(Bed(*bed))
            if (part.key, number) in full:
                continue
            place = beds[number].best(part, score)
            if place is not None:
                beds[number].lay(place)
                break
            full.add((part.key, number))
    return beds


SHRUNK = tuple(share / 20 for share in range(4, 20))
"""Shares of a bed's sides on which its parts are repacked to bring them together."""


def compact_bed(bed: Bed, size: tuple[int, int]) -> Bed:
    """Return the parts of a bed on the smallest part of it that they fit, so the head travels less.

    The bed itself is returned if no smaller area is found.

    Args:
        bed: Bed with its parts.
        size: Width and depth of the bed in packing units.
    """
    parts = [laid.part for laid in bed.laid]
    for share in SHRUNK:
        small = (int(size[0] * share), int(size[1] * share))
        if sum(part.area for part in parts) > small[0] * small[1]:
            continue
        if not all(any(p.w <= small[0] and p.h <= small[1] for p in part.poses) for part in parts):
            continue
        for order in ORDERS[:2]:
            beds = pack_first_fit(
                sorted(parts, key=lambda part: (order(part), part.key)), small, _corner
            )
            if len(beds) == 1:
                return beds[0]
    return bed


SHUFFLES = 60
"""Random orders tried if all others miss the lower bound."""
SHUFFLED_PARTS = 6000
"""Limit on random orders times parts, which bounds the time of long lists."""
CELLS = range(2, 13)
"""Numbers of cells along the shorter side of a bed that are tried for parts of whole cells."""


def best_fill(parts: Sequence[PackPart], bed: tuple[int, int], least: int) -> list[Bed]:
    """Return the fewest beds over all orders and scores, then the emptiest last one.

    Orders with tall parts first are tried first: together, tall parts share the minimum time of a
    layer and the head's travel. Random orders have a fixed seed, so the same parts give the same
    packing.

    Args:
        parts: Parts to place.
        bed: Width and depth in packing units.
        least: Lower bound; the search stops at a packing of that many beds.
    """
    best: list[Bed] | None = None
    for beds in _packings(sorted(parts, key=lambda part: part.key), bed):
        if best is None or (len(beds), len(beds[-1].laid)) < (len(best), len(best[-1].laid)):
            best = beds
        if len(best) <= least:
            break
    return best or []


def _packings(parts: Sequence[PackPart], bed: tuple[int, int]) -> Iterator[list[Bed]]:
    for score, ordered in _sorted_tries(parts):
        yield pack_first_fit(ordered, bed, score)
    yield from _cell_packings(parts, bed)
    for score, ordered in _shuffled_tries(parts):
        yield pack_first_fit(ordered, bed, score)


Try = tuple[Score, list[PackPart]]


def _sorted_tries(parts: Sequence[PackPart]) -> Iterator[Try]:
    if len({part.tall for part in parts}) > 1:
        for score in SCORES:
            for order in ORDERS[:2]:
                yield score, sorted(parts, key=lambda part: (-part.tall, order(part)))
    for score in SCORES:
        for order in ORDERS:
            yield score, sorted(parts, key=order)


def _shuffled_tries(parts: Sequence[PackPart]) -> Iterator[Try]:
    chance = random.Random(len(parts))
    for number in range(min(SHUFFLES, SHUFFLED_PARTS // max(len(parts), 1))):
        weights = [part.area * chance.uniform(0.6, 1.4) for part in parts]
        ranked = sorted(range(len(parts)), key=lambda index: (-weights[index], index))
        yield SCORES[number % len(SCORES)], [parts[index] for index in ranked]


class _CellPart(NamedTuple):
    """A part made of whole square cells, and the corner of the real part's box in its own."""

    cells: PackPart
    real: PackPart
    x: int
    y: int

    def placed(self, laid: PlacedPart) -> PlacedPart:
        """Return the real part where its cells were placed.

        Args:
            laid: Place of the cells.
        """
        box, rects = Rect(self.x, self.y, self.real.w, self.real.h), self.real.rects
        height, width = self.cells.h, self.cells.w
        for _ in range(laid.pose.turns):
            rects = _turned(rects, box.h)
            (box,) = _turned((box,), height)
            height, width = width, height
        pose = Pose(laid.pose.turns, box.w, box.h, rects)
        return PlacedPart(self.real, pose, laid.x + box.x, laid.y + box.y)


def _cell_packings(parts: Sequence[PackPart], bed: tuple[int, int]) -> Iterator[list[Bed]]:
    """Yield packings of parts that each take whole cells of the grid that wastes least.

    Parts of whole tiles fill a bed to its last cell: their notches and neighbours are in line.
    """
    known = {part.key: part for part in parts}
    grids: list[tuple[float, tuple[int, int], Mapping[str, _CellPart]]] = []
    for side in (min(bed) // count for count in CELLS):
        room = (bed[0] // side * side, bed[1] // side * side)
        grid = {key: _in_cells(part, side) for key, part in known.items()}
        if all(Bed(*room).best(own.cells, _low_left) for own in grid.values()):
            area = sum(grid[part.key].cells.area for part in parts)
            grids.append((area / (room[0] * room[1]), room, grid))
    if not grids:
        return
    _, room, best = min(grids, key=lambda one: one[0])
    for order in ORDERS:
        ordered = [best[part.key].cells for part in sorted(parts, key=order)]
        yield [_real_bed(own, bed, best) for own in pack_first_fit(ordered, room, _low_left)]


def _real_bed(cells: Bed, size: tuple[int, int], grid: Mapping[str, _CellPart]) -> Bed:
    """Return a bed with the real parts in the places of their cells."""
    real = Bed(*size)
    for laid in cells.laid:
        real.lay(grid[laid.part.key].placed(laid))
    return real


def _in_cells(part: PackPart, side: int) -> _CellPart:
    """Return the part on the fewest cells, over all its places with an edge on the grid."""
    across = sorted({0} | {-edge % side for rect in part.rects for edge in (rect.x, rect.right)})
    up = sorted({0} | {-edge % side for rect in part.rects for edge in (rect.y, rect.top)})
    places = [(_cells(part, side, x, y), x, y) for x in across for y in up]
    cells, x, y = min(places, key=lambda place: (len(place[0]), *place[1:]))
    w, h = (1 + max(place) for place in zip(*cells, strict=True))
    rects = disjoint_rectangles(Rect(c * side, r * side, side, side) for c, r in cells)
    return _CellPart(PackPart(part.key, w * side, h * side, rects, part.tall), part, x, y)


def _cells(part: PackPart, side: int, x: int, y: int) -> frozenset[tuple[int, int]]:
    """Return column and row of each cell that the part at (x, y) touches."""
    return frozenset(
        cell
        for rect in (rect.moved(x, y) for rect in part.rects)
        for cell in itertools.product(
            range(rect.x // side, -(-rect.right // side)),
            range(rect.y // side, -(-rect.top // side)),
        )
    )
