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
from falldamage_forge.games.spots import MIDDLE, Shift

Side = tuple[int, int]
CORNERS: tuple[Side, ...] = ((-1, -1), (-1, 1), (1, -1), (1, 1))


class Fate(NamedTuple):
    """One end: where one lies (None in a Pitfall), the inches of each fall, and its chance.

    `hurt` are those on whom one has landed: "they are also Pinned", with the same hit; `left` is
    who has gone over the edge of the battlefield.
    """

    end: Surface | None
    falls: tuple[int, ...]
    chance: Fraction
    hurt: tuple[Surface, ...] = ()
    left: bool = False

    @property
    def text(self) -> str:
        """`falls 2'', then 2'' to C4@0`."""
        told = ", then ".join(f"{inches}''" for inches in self.falls)
        if self.left:
            return f"falls {told}, then off the battlefield" if told else "off the battlefield"
        if self.end is None:
            return f"falls {told}, then into a Pitfall" if told else "falls into a Pitfall"
        on = f", on who stands on {' and '.join(map(str, self.hurt))}" if self.hurt else ""
        return f"falls {told} to {self.end}{on}" if told else f"Pinned on {self.end}"


UNHURT = Fate(None, (), Fraction(1))


class Scene(NamedTuple):
    """Who falls where: the board, the fighter, the readings, and where others stand."""

    terrain: Terrain
    fighter: Fighter
    options: Options
    taken: frozenset[Surface] = frozenset()


def over(
    terrain: Terrain,
    here: Surface,
    side: Side,
    fighter: Fighter,
    options: Options,
    taken: frozenset[Surface] = frozenset(),
) -> tuple[Fate, ...]:
    """Every end of one who goes over an edge of a surface, `taken` being where others stand."""
    scene = Scene(terrain, fighter, options, taken)
    return merged(_into(scene, here._replace(tile=here.tile.step(side)), side, UNHURT))


def _into(scene: Scene, top: Surface, side: Side, so_far: Fate) -> Iterator[Fate]:
    """One falls from a height over a tile, straight down the wall behind."""
    terrain, fighter, options, taken = scene
    if top.tile not in terrain.board:
        yield so_far._replace(left=True)
        return
    drop = bottom(terrain, top.tile, top.level, options)
    if drop == PITFALL:
        yield so_far
        return
    landed = top._replace(level=top.level - drop)
    so_far = so_far._replace(falls=(*so_far.falls, fall_inches(drop * options.level_um)))
    if landed in taken:
        so_far = so_far._replace(hurt=(*so_far.hurt, landed))
        aside = _aside(terrain, landed, taken)
        for spot in aside:
            beside = edges_beside(terrain, spot, fighter, options)
            share = so_far._replace(chance=so_far.chance / len(aside))
            yield from _prone(scene, spot, beside, "forced", share)
        if aside:
            return
    near = []
    for way in DIRECTIONS:
        lip = edge_distance_um(fighter.base_um, 0, options.tile_um)
        if way == side:
            lip = max(0, options.tile_um - fighter.base_um)
        below = drop_beside(terrain, landed, way, options)
        if below is not None:
            near.append((lip, below, way))
    yield from _prone(scene, landed, near, "forced", so_far)


def _aside(terrain: Terrain, here: Surface, taken: frozenset[Surface]) -> tuple[Surface, ...]:
    """Where one is moved who lands on another: "the shortest distance possible", to any of these.

    The free tiles of that level that are nearest, beside or else across a corner.
    """
    level = here.level
    for ring in (DIRECTIONS, CORNERS):
        found = tuple(
            Surface(tile, level)
            for way in ring
            if (tile := here.tile.step(way)) in terrain.board
            and level in terrain.standable(tile)
            and Surface(tile, level) not in taken
        )
        if found:
            return found
    return ()


def prone(
    terrain: Terrain,
    here: Surface,
    cause: Cause,
    fighter: Fighter,
    options: Options,
    taken: frozenset[Surface] = frozenset(),
    shift: Shift = MIDDLE,
) -> tuple[Fate, ...]:
    """Every end of one who becomes Prone on a spot of a surface."""
    near = edges_beside(terrain, here, fighter, options, shift)
    scene = Scene(terrain, fighter, options, taken)
    return merged(_prone(scene, here, near, cause, UNHURT))


def _prone(
    scene: Scene, here: Surface, near: Iterable[Near], cause: Cause, so_far: Fate
) -> Iterator[Fate]:
    """One lies near some edges, and may go over the nearest."""
    board = scene.terrain.board
    ways = guards.falls(board, here, near, cause, scene.fighter, scene.options)
    stays = 1 - sum((down for _, down in ways), Fraction(0))
    if stays > 0:
        yield so_far._replace(end=here, chance=so_far.chance * stays)
    for edge, down in ways:
        if down > 0:
            top = here._replace(tile=here.tile.step(edge[2]))
            yield from _into(scene, top, edge[2], so_far._replace(chance=so_far.chance * down))


def leapt(
    terrain: Terrain,
    top: Surface,
    side: Side,
    fighter: Fighter,
    options: Options,
    taken: frozenset[Surface] = frozenset(),
) -> tuple[Fate, ...]:
    """Every end of one who falls into a gap from a height over one of its tiles."""
    return merged(_into(Scene(terrain, fighter, options, taken), top, side, UNHURT))


def shoved(
    terrain: Terrain,
    end: Shoved,
    level: int,
    side: Side,
    fighter: Fighter,
    options: Options,
    taken: frozenset[Surface] = frozenset(),
) -> tuple[Fate, ...]:
    """Every end of one whom a shove along a side has left Pinned, or over the edge."""
    here = Surface(end.tile, level - end.down)
    if end.fall_levels is not None:
        return over(terrain, here, side, fighter, options, taken)
    scene = Scene(terrain, fighter, options, taken)
    return merged(_prone(scene, here, end.near, "forced", UNHURT))


def merged(fates: Iterable[Fate]) -> tuple[Fate, ...]:
    """Ends that are alike together, the likeliest first."""
    found: dict[Fate, Fraction] = {}
    for fate in fates:
        alike = fate._replace(chance=Fraction(0))
        found[alike] = found.get(alike, Fraction(0)) + fate.chance
    listed = [fate._replace(chance=chance) for fate, chance in found.items()]
    return tuple(sorted(listed, key=lambda fate: (-fate.chance, fate.text)))


def told(fates: Iterable[Fate]) -> str:
    """Ends in words, with their chances where there are several."""
    listed = tuple(fates)
    if len(listed) == 1:
        return listed[0].text
    return "; ".join(f"{fate.chance}: {fate.text}" for fate in listed)
