"""Who gets where on a canvas, by the default rules: enough to prove a map for every class.

A unit of Move 3 and Jump 1 takes the fewest moves without damage of all classes but one: whatever
joins all surfaces both ways for it does so for them. The one is the Beast on its tails (Move 2,
levels count), for whom starts and chests are asked for by themselves. The finished map is proved
again by `check`; a test compares these sets with its graphs.
"""

from __future__ import annotations

from dataclasses import dataclass

from falldamage_forge.search.canvas import HEADROOM, Canvas
from falldamage_forge.search.parts import LAVA, WATER

TAILS_MOVE = 2


@dataclass(frozen=True)
class Ways:
    """Surfaces as (tile, level) and, as sets of surface numbers, where one gets from each.

    `plain` are the moves of Jump 1 without damage, `tails` those of the Beast on its tails.
    """

    surfaces: tuple[tuple[int, int], ...]
    index: dict[tuple[int, int], int]
    plain: tuple[int, ...]
    tails: tuple[int, ...]
    starts: int

    @property
    def everything(self) -> int:
        """All surfaces."""
        return (1 << len(self.surfaces)) - 1

    def home(self, links: tuple[int, ...]) -> int:
        """Surfaces one gets to from the first start and back from."""
        first = self.starts & -self.starts
        return spread(links, first) & spread(reverse(links), first)

    def stray(self) -> int:
        """Surfaces that a plain unit cannot get to, or not back from."""
        return self.everything & ~self.home(self.plain)


def spread(links: tuple[int, ...] | list[int], first: int) -> int:
    """Everything that can be reached from a set."""
    seen = fresh = first
    while fresh:
        low = fresh & -fresh
        fresh ^= low
        new = links[low.bit_length() - 1] & ~seen
        seen |= new
        fresh |= new
    return seen


def reverse(links: tuple[int, ...]) -> list[int]:
    """For each surface those from which one gets to it."""
    back = [0] * len(links)
    for number, ahead in enumerate(links):
        bit, left = 1 << number, ahead
        while left:
            low = left & -left
            left ^= low
            back[low.bit_length() - 1] |= bit
    return back


def standable(canvas: Canvas) -> list[tuple[int, ...]]:
    """Levels at which a unit can stand on each tile, ascending."""
    over = canvas.over()
    found: list[tuple[int, ...]] = []
    for tile, level in enumerate(canvas.level):
        ground = () if canvas.ground[tile] == LAVA or canvas.feature[tile] else (level,)
        decks = over.get(tile)
        if decks is None:
            found.append(ground)
        else:
            found.append(
                tuple(
                    low
                    for low in (*ground, *decks)
                    if not any(low < deck < low + HEADROOM for deck in decks)
                )
            )
    return found


def walk(canvas: Canvas) -> Ways:
    """The surfaces of a canvas, and who gets from one to another."""
    levels = standable(canvas)
    over = canvas.over()
    tops = [canvas.top(tile) for tile in range(len(levels))]
    near = canvas.table.near
    surfaces = tuple((tile, level) for tile, here in enumerate(levels) for level in here)
    index = {surface: number for number, surface in enumerate(surfaces)}
    plain, tails = [0] * len(surfaces), [0] * len(surfaces)

    def free(tile: int, low: int, high: int) -> bool:
        if tops[tile] > low:
            return False
        decks = over.get(tile)
        return decks is None or not any(low < deck <= high for deck in decks)

    for number, (tile, level) in enumerate(surfaces):
        for way, beside in enumerate(near[tile]):
            if beside < 0:
                continue
            for target in levels[beside]:
                rise = target - level
                wet = canvas.ground[beside] == WATER and target == canvas.level[beside]
                if rise > 1 or (rise < -1 and not wet):
                    continue
                high = max(level, target) + 1
                if free(tile, level, high) and free(beside, target, high):
                    bit = 1 << index[beside, target]
                    plain[number] |= bit
                    if 1 + wet + abs(rise) <= TAILS_MOVE:
                        tails[number] |= bit
            far = near[beside][way]
            if far < 0 or not levels[far] or tops[beside] >= level:
                continue
            if any(deck == level for deck in over.get(beside, ())):
                continue
            for target in levels[far]:
                rise = target - level
                wet = canvas.ground[far] == WATER and target == canvas.level[far]
                if rise > 1 or (rise < -1 and not wet):
                    continue
                high = max(level, target) + 1
                if (
                    free(beside, level, high)
                    and free(tile, level, high)
                    and free(far, target, high)
                ):
                    bit = 1 << index[far, target]
                    plain[number] |= bit
                    if not (wet or rise):
                        tails[number] |= bit
    for foot, low, top, high in canvas.ladders:
        a, b = index.get((foot, low)), index.get((top, high))
        if a is not None and b is not None and free(foot, low, high + 1):
            plain[a] |= 1 << b
            plain[b] |= 1 << a
    starts = 0
    for zone in canvas.table.starts:
        for tile in zone:
            starts |= 1 << index[tile, 0]
    return Ways(surfaces, index, tuple(plain), tuple(tails), starts)
