"""Outcomes of falls: from edge to edge, with the probability of each outcome.

Every landing is checked and each fall is a hit of its own. A fall goes straight over the nearest
edge, the deepest of several, so that the back of the base touches the wall. Railings and fields
apply to every check at an edge.

Source: "If a falling fighter lands within ½'' of an edge, they must make an Initiative check to see
    whether they fall again".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import NamedTuple

from falldamage_forge.board import DIRECTIONS
from falldamage_forge.board.surfaces import Surface, Terrain
from falldamage_forge.games.base_placement import MIDDLE, Shift
from falldamage_forge.games.gang_skirmish import cover_and_fields
from falldamage_forge.games.gang_skirmish.base_clearance import standing_offsets
from falldamage_forge.games.gang_skirmish.drops import (
    PITFALL,
    Near,
    Side,
    drop_beside,
    drop_levels,
    edges_beside,
)
from falldamage_forge.games.gang_skirmish.formulas import (
    Cause,
    edge_distance_um,
    fall_inches,
)
from falldamage_forge.games.gang_skirmish.knockback_result import (
    KnockbackEnd,
    pinned,
    shove,
    shove_distances,
    touching_um,
)
from falldamage_forge.games.gang_skirmish.options import Fighter, GangSkirmishOptions

CORNERS: tuple[Side, ...] = ((-1, -1), (-1, 1), (1, -1), (1, 1))


class FallOutcome(NamedTuple):
    """One outcome of a fall.

    Attributes:
        end: Surface on which the fighter lies; None in a Pitfall.
        falls: Height of each fall in inches.
        chance: Probability.
        hurt: Surfaces of fighters on whom it landed: "they are also Pinned", with the same hit.
        left: True if it left the battlefield.
    """

    end: Surface | None
    falls: tuple[int, ...]
    chance: Fraction
    hurt: tuple[Surface, ...] = ()
    left: bool = False

    @property
    def text(self) -> str:
        """The outcome in words: `falls 2'', then 2'' to C4@0`."""
        falls = ", then ".join(f"{inches}''" for inches in self.falls)
        if self.left:
            return f"falls {falls}, then off the battlefield" if falls else "off the battlefield"
        if self.end is None:
            return f"falls {falls}, then into a Pitfall" if falls else "falls into a Pitfall"
        on = f", on the fighter on {' and '.join(map(str, self.hurt))}" if self.hurt else ""
        return f"falls {falls} to {self.end}{on}" if falls else f"Pinned on {self.end}"


NO_FALL = FallOutcome(None, (), Fraction(1))


class FallContext(NamedTuple):
    """Board, fighter, options, and the surfaces of other fighters."""

    terrain: Terrain
    fighter: Fighter
    options: GangSkirmishOptions
    taken: frozenset[Surface] = frozenset()


def fall_over_edge(
    terrain: Terrain,
    here: Surface,
    side: Side,
    fighter: Fighter,
    options: GangSkirmishOptions,
    taken: frozenset[Surface] = frozenset(),
) -> tuple[FallOutcome, ...]:
    """Return every outcome of a fighter that goes over an edge of a surface.

    Args:
        terrain: Terrain of the board.
        here: Surface.
        side: Direction of the edge.
        fighter: The fighter.
        options: Options of the ruleset.
        taken: Surfaces of other fighters.
    """
    scene = FallContext(terrain, fighter, options, taken)
    return merge_outcomes(_into(scene, here._replace(tile=here.tile.step(side)), side, NO_FALL))


def _into(
    scene: FallContext, top: Surface, side: Side, so_far: FallOutcome
) -> Iterator[FallOutcome]:
    """Yield the outcomes of a fall from a height over a tile, along the wall behind."""
    terrain, fighter, options, taken = scene
    if top.tile not in terrain.board:
        yield so_far._replace(left=True)
        return
    drop = drop_levels(terrain, top.tile, top.level, options)
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
    """Return the free surfaces nearest to a landing on a fighter, at the same level.

    Adjacent ones come before diagonal ones.

    Source: "the shortest distance possible".
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


def become_prone(
    terrain: Terrain,
    here: Surface,
    cause: Cause,
    fighter: Fighter,
    options: GangSkirmishOptions,
    taken: frozenset[Surface] = frozenset(),
    shift: Shift = MIDDLE,
) -> tuple[FallOutcome, ...]:
    """Return every outcome of a fighter that becomes Prone on a surface.

    Args:
        terrain: Terrain of the board.
        here: Surface.
        cause: Cause of being Prone.
        fighter: The fighter.
        options: Options of the ruleset.
        taken: Surfaces of other fighters.
        shift: Offset from the middle of the tile.
    """
    near = edges_beside(terrain, here, fighter, options, shift)
    scene = FallContext(terrain, fighter, options, taken)
    return merge_outcomes(_prone(scene, here, near, cause, NO_FALL))


def _prone(
    scene: FallContext, here: Surface, near: Iterable[Near], cause: Cause, so_far: FallOutcome
) -> Iterator[FallOutcome]:
    """Yield the outcomes of a prone fighter near edges."""
    board = scene.terrain.board
    ways = cover_and_fields.falls_while_prone(
        board, here, near, cause, scene.fighter, scene.options
    )
    stays = 1 - sum((down for _, down in ways), Fraction(0))
    if stays > 0:
        yield so_far._replace(end=here, chance=so_far.chance * stays)
    for edge, down in ways:
        if down > 0:
            top = here._replace(tile=here.tile.step(edge[2]))
            yield from _into(scene, top, edge[2], so_far._replace(chance=so_far.chance * down))


def fall_from_leap(
    terrain: Terrain,
    top: Surface,
    side: Side,
    fighter: Fighter,
    options: GangSkirmishOptions,
    taken: frozenset[Surface] = frozenset(),
) -> tuple[FallOutcome, ...]:
    """Return every outcome of a fighter that falls into a gap from a height.

    Args:
        terrain: Board with its levels and railings.
        top: Surface from which it leaps.
        side: Direction of the leap as a step (row, column).
        fighter: Profile of the fighter.
        options: Options of the ruleset.
        taken: Surfaces on which others stand.
    """
    return merge_outcomes(_into(FallContext(terrain, fighter, options, taken), top, side, NO_FALL))


def resolve_knockback_end(
    terrain: Terrain,
    end: KnockbackEnd,
    level: int,
    side: Side,
    fighter: Fighter,
    options: GangSkirmishOptions,
    taken: frozenset[Surface] = frozenset(),
) -> tuple[FallOutcome, ...]:
    """Return every outcome of a fighter that knockback has left Pinned, or over the edge.

    Args:
        terrain: Board with its levels and railings.
        end: End of the knockback.
        level: Level on which it began.
        side: Direction of the knockback as a step (row, column).
        fighter: Profile of the fighter.
        options: Options of the ruleset.
        taken: Surfaces on which others stand.
    """
    here = Surface(end.tile, level - end.down)
    if end.fall_levels is not None:
        return fall_over_edge(terrain, here, side, fighter, options, taken)
    scene = FallContext(terrain, fighter, options, taken)
    return merge_outcomes(_prone(scene, here, end.near, "forced", NO_FALL))


def merge_outcomes(fates: Iterable[FallOutcome]) -> tuple[FallOutcome, ...]:
    """Return outcomes with equal ones merged, the likeliest first."""
    found: dict[FallOutcome, Fraction] = {}
    for fate in fates:
        alike = fate._replace(chance=Fraction(0))
        found[alike] = found.get(alike, Fraction(0)) + fate.chance
    listed = [fate._replace(chance=chance) for fate, chance in found.items()]
    return tuple(sorted(listed, key=lambda fate: (-fate.chance, fate.text)))


def format_outcomes(fates: Iterable[FallOutcome]) -> str:
    """Return outcomes in words, with their probabilities if there are several."""
    listed = tuple(fates)
    if len(listed) == 1:
        return listed[0].text
    return "; ".join(f"{fate.chance}: {fate.text}" for fate in listed)


def knockback_outcomes(
    terrain: Terrain,
    start: Surface,
    side: tuple[int, int],
    force: int,
    fighter: Fighter,
    options: GangSkirmishOptions,
    taken: frozenset[Surface] = frozenset(),
) -> tuple[FallOutcome, ...]:
    """Return every outcome of a fighter on a surface after a hit with a force.

    Several equally near placements are equally likely.

    Args:
        terrain: Terrain of the board.
        start: Surface of the fighter.
        side: Direction of the hit as (d_row, d_col).
        force: Strength of the attack.
        fighter: Base, stature and strength of the fighter.
        options: Options of the rules.
        taken: Surfaces with other fighters.
    """
    spots = standing_offsets(terrain, start, fighter, options) or (MIDDLE,)
    return merge_outcomes(
        fate._replace(chance=fate.chance / len(spots))
        for shift in spots
        for fate in knocked_from(terrain, start, side, force, fighter, options, shift, taken)
    )


def knocked_from(
    terrain: Terrain,
    start: Surface,
    side: tuple[int, int],
    force: int,
    fighter: Fighter,
    options: GangSkirmishOptions,
    shift: Shift,
    taken: frozenset[Surface] = frozenset(),
) -> tuple[FallOutcome, ...]:
    """Return the outcomes from one placement.

    Args:
        terrain: Terrain of the board.
        start: Surface of the fighter.
        side: Direction of the hit as (d_row, d_col).
        force: Strength of the attack.
        fighter: Base, stature and strength of the fighter.
        options: Options of the rules.
        shift: Offset of the base from the middle of the tile in µm.
        taken: Surfaces with other fighters.
    """
    found: list[FallOutcome] = []
    stop_um = touching_um(start, side, fighter, options, taken, shift)
    for inches, chance in shove_distances(force, fighter.strength).items():
        ends: tuple[FallOutcome, ...] = (FallOutcome(start, (), Fraction(1)),)
        if pinned(inches, options):
            end = shove(terrain, start, side, inches, fighter, options, stop_um, shift)
            ends = resolve_knockback_end(terrain, end, start.level, side, fighter, options, taken)
        found += (fate._replace(chance=fate.chance * chance) for fate in ends)
    return merge_outcomes(found)
