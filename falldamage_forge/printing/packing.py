"""Rectangles onto beds in whole numbers: MaxRects, over parts that may be several rectangles.

A part is a list of rectangles inside its bounding box; an L is two. The free room of a bed is the
list of its largest free rectangles, so a rectangle is free exactly when one of them holds it, and a
part when that is true of each of its rectangles. Corners of an L are so filled by others.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple


class Rect(NamedTuple):
    """A rectangle in packing units."""

    x: int
    y: int
    w: int
    h: int

    @property
    def right(self) -> int:
        """x of the right edge."""
        return self.x + self.w

    @property
    def top(self) -> int:
        """y of the upper edge."""
        return self.y + self.h

    def moved(self, x: int, y: int) -> Rect:
        """The same rectangle elsewhere."""
        return Rect(self.x + x, self.y + y, self.w, self.h)

    def holds(self, other: Rect) -> bool:
        """Whether the other rectangle lies inside."""
        return (
            other.x >= self.x
            and other.y >= self.y
            and other.right <= self.right
            and other.top <= self.top
        )

    def meets(self, other: Rect) -> bool:
        """Whether the two share any area."""
        return (
            other.x < self.right
            and self.x < other.right
            and other.y < self.top
            and self.y < other.top
        )


Rects = tuple[Rect, ...]


class Pose(NamedTuple):
    """A part after some counter-clockwise quarter turns: its box and its rectangles."""

    turns: int
    w: int
    h: int
    rects: Rects


@dataclass(frozen=True)
class Part:
    """One thing to pack; `rects` lie in the box (0, 0, w, h) at zero turns; it stands `tall`."""

    key: str
    w: int
    h: int
    rects: Rects
    tall: int = 0

    @cached_property
    def poses(self) -> tuple[Pose, ...]:
        """The quarter turns that make a difference, fewest first."""
        found: dict[tuple[int, int, Rects], Pose] = {}
        w, h, rects = self.w, self.h, self.rects
        for turns in range(4):
            found.setdefault((w, h, rects), Pose(turns, w, h, rects))
            rects = tuple(sorted(Rect(h - r.top, r.x, r.h, r.w) for r in rects))
            w, h = h, w
        return tuple(found.values())

    @cached_property
    def area(self) -> int:
        """What the part really takes."""
        return sum(rect.w * rect.h for rect in slabs(self.rects))


class Laid(NamedTuple):
    """A part on a bed: its pose and the lower left corner of its box."""

    part: Part
    pose: Pose
    x: int
    y: int

    def rects(self) -> Rects:
        """What it takes of the bed."""
        return tuple(rect.moved(self.x, self.y) for rect in self.pose.rects)


def slabs(rects: Iterable[Rect]) -> Rects:
    """The union of rectangles as disjoint ones, cut along every y where one begins or ends."""
    rects = tuple(rects)
    cuts = sorted({y for rect in rects for y in (rect.y, rect.top)})
    made: list[Rect] = []
    for low, high in itertools.pairwise(cuts):
        here = sorted((r.x, r.right) for r in rects if r.y <= low and r.top >= high)
        start: int | None = None
        end = 0
        for x, right in here:
            if start is not None and x > end:
                made.append(Rect(start, low, end - start, high - low))
                start = None
            if start is None:
                start, end = x, right
            end = max(end, right)
        if start is not None:
            made.append(Rect(start, low, end - start, high - low))
    return tuple(made)


Score = Callable[[Rect, Pose, int, int], tuple[int, ...]]
"""How bad a place is: free room, pose, corner. The least wins."""


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
Order = Callable[[Part], tuple[int, ...]]
ORDERS: tuple[Order, ...] = (
    lambda part: (-part.area,),
    lambda part: (-max(part.w, part.h), -min(part.w, part.h)),
    lambda part: (-min(part.w, part.h), -max(part.w, part.h)),
    lambda part: (-(part.w + part.h),),
    lambda part: (-part.w * part.h,),
    lambda part: (-len(part.rects), -part.area),
)


class Bed:
    """One bed being filled."""

    def __init__(self, w: int, h: int) -> None:
        self.laid: list[Laid] = []
        self.free: list[Rect] = [Rect(0, 0, w, h)]

    def best(self, part: Part, score: Score) -> Laid | None:
        """The best place for a part, or None when there is no room."""
        best: tuple[tuple[int, ...], int, int, int, Laid] | None = None
        for pose in part.poses:
            for room, x, y in self._places(pose):
                found = (score(room, pose, x, y), y, x, pose.turns, Laid(part, pose, x, y))
                if best is None or found[:4] < best[:4]:
                    best = found
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

    def lay(self, laid: Laid) -> None:
        """Take the room of a part."""
        self.laid.append(laid)
        for rect in laid.rects():
            self.free = _without(self.free, rect)


def _without(free: Iterable[Rect], taken: Rect) -> list[Rect]:
    """Largest free rectangles once `taken` is gone, none inside another."""
    kept: list[Rect] = []
    cut: set[Rect] = set()
    for room in free:
        if not room.meets(taken):
            kept.append(room)
            continue
        cut |= {
            Rect(room.x, room.y, taken.x - room.x, room.h),
            Rect(taken.right, room.y, room.right - taken.right, room.h),
            Rect(room.x, room.y, room.w, taken.y - room.y),
            Rect(room.x, taken.top, room.w, room.top - taken.top),
        }
    new = sorted(room for room in cut if room.w > 0 and room.h > 0)
    # What was free and whole before can only hold a new rectangle, never lie inside one.
    kept += [
        room
        for room in new
        if not any(old.holds(room) for old in kept)
        and not any(other != room and other.holds(room) for other in new)
    ]
    return kept


def fill(parts: Iterable[Part], bed: tuple[int, int], score: Score) -> list[Bed]:
    """Each part onto the first bed that has room for it. Every part must fit an empty bed."""
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
"""Beds that a bed's parts are tried on to bring them together, as shares of its sides."""


def drawn_together(bed: Bed, size: tuple[int, int]) -> Bed:
    """The parts of a bed on as small a part of it as they are found to fit: the head travels less.

    The bed itself when they fit on nothing smaller.
    """
    parts = [laid.part for laid in bed.laid]
    for share in SHRUNK:
        small = (int(size[0] * share), int(size[1] * share))
        if sum(part.area for part in parts) > small[0] * small[1]:
            continue
        if not all(any(p.w <= small[0] and p.h <= small[1] for p in part.poses) for part in parts):
            continue
        for order in ORDERS[:2]:
            beds = fill(sorted(parts, key=lambda part: (order(part), part.key)), small, _corner)
            if len(beds) == 1:
                return beds[0]
    return bed


SHUFFLES = 60
"""Further tries when orders alone miss the lower bound."""
SHUFFLED_PARTS = 6000
"""Tries times parts, so that long lists do not take long."""


def best_fill(parts: Sequence[Part], bed: tuple[int, int], least: int) -> list[Bed]:
    """The fewest beds over all orders and scores, then the emptiest last one.

    What is tall is laid first where that needs no more beds: together, tall parts share the time
    that a layer takes at least, and the head's way between them. Stops at the first packing of
    `least` beds, a lower bound of the caller. The same parts give the same packing: the shuffles'
    numbers are always the same ones.
    """
    best: list[Bed] | None = None
    for score, ordered in _tries(sorted(parts, key=lambda part: part.key)):
        beds = fill(ordered, bed, score)
        if best is None or (len(beds), len(beds[-1].laid)) < (len(best), len(best[-1].laid)):
            best = beds
        if len(best) <= least:
            break
    return best or []


def _tries(parts: Sequence[Part]) -> Iterator[tuple[Score, list[Part]]]:
    if len({part.tall for part in parts}) > 1:
        for score in SCORES:
            for order in ORDERS[:2]:
                yield score, sorted(parts, key=lambda part: (-part.tall, order(part)))
    for score in SCORES:
        for order in ORDERS:
            yield score, sorted(parts, key=order)
    chance = random.Random(len(parts))
    for number in range(min(SHUFFLES, SHUFFLED_PARTS // max(len(parts), 1))):
        weights = [part.area * chance.uniform(0.6, 1.4) for part in parts]
        ranked = sorted(range(len(parts)), key=lambda index: (-weights[index], index))
        yield SCORES[number % len(SCORES)], [parts[index] for index in ranked]
