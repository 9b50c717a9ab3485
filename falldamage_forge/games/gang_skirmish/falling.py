"""What becomes of one who falls: from edge to edge, with the chance of every end.

"If a falling fighter lands within ½'' of an edge, they must make an Initiative check to see whether
they fall again": every landing is looked at, each fall is a hit of its own. A fall goes straight
over the nearest edge, the deepest of several, so that the back of the base touches the wall it came
down. Railings and fields of the map are part of every check at an edge.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import NamedTuple

from falldamage_forge.board import DIRECTIONS
from falldamage_forge.board.surfaces import Surface, Terrain
from falldamage_forge.games.gang_skirmish import guards
from falldamage_forge.games.gang_skirmish.formulas import (
    Cause,
    edge_distance_um,
    fall_inches,
)
from falldamage_forge.games.gang_skirmish.guards import Near
from falldamage_forge.games.gang_skirmish.options import Fighter, Options
from falldamage_forge.games.gang_skirmish.shove import (
    PITFALL,
    Shoved,
    bottom,
    drop_beside,
    edges_beside,
)

Side = tuple[int, int]


class Fate(NamedTuple):
    """One end: where one lies (None in a Pitfall), the inches of each fall, and its chance."""

    end: Surface | None
    falls: tuple[int, ...]
    chance: Fraction

    @property
    def text(self) -> str:
        """`falls 2'', then 2'' to C4@0`."""
        told = ", then ".join(f"{inches}''" for inches in self.falls)
        if self.end is None:
            return f"falls {told}, then into a Pitfall" if told else "falls into a Pitfall"
        return f"falls {told} to {self.end}" if told else f"Pinned on {self.end}"


def over(
    terrain: Terrain, here: Surface, side: Side, fighter: Fighter, options: Options
) -> tuple[Fate, ...]:
    """Every end of one who goes over an edge of a surface."""
    return merged(_over(terrain, here, side, fighter, options, (), Fraction(1)))


def _over(
    terrain: Terrain,
    here: Surface,
    side: Side,
    fighter: Fighter,
    options: Options,
    falls: tuple[int, ...],
    chance: Fraction,
) -> Iterator[Fate]:
    drop = bottom(terrain, here.tile.step(side), here.level, options)
    if drop == PITFALL:
        yield Fate(None, falls, chance)
        return
    landed = Surface(here.tile.step(side), here.level - drop)
    falls = (*falls, fall_inches(drop * options.level_um))
    near = []
    for way in DIRECTIONS:
        lip = edge_distance_um(fighter.base_um, 0, options.tile_um)
        if way == side:
            lip = max(0, options.tile_um - fighter.base_um)
        below = drop_beside(terrain, landed, way, options)
        if below is not None:
            near.append((lip, below, way))
    yield from _prone(terrain, landed, near, "forced", fighter, options, falls, chance)


def prone(
    terrain: Terrain, here: Surface, cause: Cause, fighter: Fighter, options: Options
) -> tuple[Fate, ...]:
    """Every end of one who becomes Prone in the middle of a surface."""
    near = edges_beside(terrain, here, fighter, options)
    return merged(_prone(terrain, here, near, cause, fighter, options, (), Fraction(1)))


def _prone(
    terrain: Terrain,
    here: Surface,
    near: Iterable[Near],
    cause: Cause,
    fighter: Fighter,
    options: Options,
    falls: tuple[int, ...],
    chance: Fraction,
) -> Iterator[Fate]:
    """One lies near some edges, and may go over the nearest."""
    edge, down = guards.falls(terrain.board, here, near, cause, fighter, options)
    if down < 1:
        yield Fate(here, falls, chance * (1 - down))
    if edge is not None and down > 0:
        yield from _over(terrain, here, edge[2], fighter, options, falls, chance * down)


def shoved(
    terrain: Terrain, end: Shoved, level: int, side: Side, fighter: Fighter, options: Options
) -> tuple[Fate, ...]:
    """Every end of one whom a shove along a side has left Pinned, or over the edge."""
    here = Surface(end.tile, level - end.down)
    if end.fall_levels is not None:
        return over(terrain, here, side, fighter, options)
    return merged(_prone(terrain, here, end.near, "forced", fighter, options, (), Fraction(1)))


def merged(fates: Iterable[Fate]) -> tuple[Fate, ...]:
    """Ends that are alike together, the likeliest first."""
    found: dict[tuple[Surface | None, tuple[int, ...]], Fraction] = {}
    for end, falls, chance in fates:
        found[end, falls] = found.get((end, falls), Fraction(0)) + chance
    listed = [Fate(end, falls, chance) for (end, falls), chance in found.items()]
    return tuple(sorted(listed, key=lambda fate: (-fate.chance, fate.text)))


def told(fates: Iterable[Fate]) -> str:
    """Ends in words, with their chances where there are several."""
    listed = tuple(fates)
    if len(listed) == 1:
        return listed[0].text
    return "; ".join(f"{fate.chance}: {fate.text}" for fate in listed)
