"""Queries of the gang skirmish by name."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Annotated, Any, Literal, NamedTuple

from falldamage_forge.board import DIRECTION_NAMES, Board, Tile
from falldamage_forge.board.surfaces import Surface, Terrain
from falldamage_forge.games.base_placement import MIDDLE, Shift
from falldamage_forge.games.gang_skirmish import (
    cover_and_fields,
    fall_outcomes,
    formulas,
    knockback_result,
)
from falldamage_forge.games.gang_skirmish.base_clearance import along, standing_offsets
from falldamage_forge.games.gang_skirmish.drops import edges_beside
from falldamage_forge.games.gang_skirmish.options import Fighter, GangSkirmishOptions
from falldamage_forge.rules.argument_types import Modifier, Way

Phases = Annotated[int, range(101)]
Inches = Annotated[int, range(61)]
MapCover = Literal["map", "none", "partial", "full", "no_line_of_sight"]
"""Cover of the map's railings, or one cover for all edges."""


class KnockbackOutcome(NamedTuple):
    """One distance of a Knockback or Drag, its probability and its end.

    Attributes:
        inches: Distance.
        chance: Probability.
        travelled_um: Distance travelled.
        tile: Tile of the end.
        pinned: True if the fighter is Pinned.
        hit: Strength of the hit by an obstruction; None for no hit.
        engaged: Tile of the enemy in base contact; None for none.
        ends: The end in words.
    """

    inches: int
    chance: Fraction
    travelled_um: int
    tile: str
    pinned: bool
    hit: int | None
    engaged: str | None
    ends: str


def knockback(
    terrain: Terrain,
    options: GangSkirmishOptions,
    attacker: Surface,
    start: Surface,
    force: Inches,
    fighter: Fighter,
    enemies: frozenset[Surface] = frozenset(),
) -> tuple[KnockbackOutcome, ...]:
    """Return the outcomes of a Knockback, straight away from an attacker.

    Args:
        terrain: Terrain of the board.
        options: Options of the ruleset.
        attacker: Surface of the attacker.
        start: Surface of the target.
        force: Strength of the attack.
        fighter: The target.
        enemies: Surfaces of other fighters with bases of the same size, which block, are fallen
            upon, and engage.
    """
    rows = start.tile.row - attacker.tile.row
    cols = start.tile.col - attacker.tile.col
    way = _straight(rows, cols)
    return tuple(_moved(terrain, start, way, force, fighter, options, enemies))


def drag(
    terrain: Terrain,
    options: GangSkirmishOptions,
    attacker: Surface,
    start: Surface,
    force: Inches,
    fighter: Fighter,
    attacker_unit: Fighter,
    enemies: frozenset[Surface] = frozenset(),
) -> tuple[KnockbackOutcome, ...]:
    """Return the outcomes of Drag (force), straight towards an attacker until the bases touch.

    Args:
        terrain: Terrain of the board.
        options: Options of the ruleset.
        attacker: Surface of the attacker.
        start: Surface of the target.
        force: The X of Drag (X).
        fighter: The target.
        attacker_unit: The attacker, whose base stops the target.
        enemies: Surfaces of other fighters, as for a Knockback.
    """
    rows = attacker.tile.row - start.tile.row
    cols = attacker.tile.col - start.tile.col
    way = _straight(rows, cols)
    return tuple(
        _moved(
            terrain, start, way, force, fighter, options, enemies, (attacker, attacker_unit.base_um)
        )
    )


def _straight(rows: int, cols: int) -> tuple[int, int]:
    if (rows == 0) == (cols == 0):
        raise ValueError("`attacker` and `start` are in one row or one column, on different tiles")
    return ((rows > 0) - (rows < 0), (cols > 0) - (cols < 0))


def _moved(
    terrain: Terrain,
    start: Surface,
    way: tuple[int, int],
    force: int,
    fighter: Fighter,
    options: GangSkirmishOptions,
    enemies: frozenset[Surface],
    puller: tuple[Surface, int] | None = None,
) -> Iterator[KnockbackOutcome]:
    spots = standing_offsets(terrain, start, fighter, options) or (MIDDLE,)
    rows: dict[KnockbackOutcome, Fraction] = {}
    for inches, chance in knockback_result.shove_distances(force, fighter.strength).items():
        for shift in spots:
            row = _row(terrain, start, way, inches, fighter, options, enemies, puller, shift)
            rows[row] = rows.get(row, Fraction(0)) + chance / len(spots)
    return (row._replace(chance=chance) for row, chance in rows.items())


def _row(
    terrain: Terrain,
    start: Surface,
    way: tuple[int, int],
    inches: int,
    fighter: Fighter,
    options: GangSkirmishOptions,
    enemies: frozenset[Surface],
    puller: tuple[Surface, int] | None,
    shift: Shift,
) -> KnockbackOutcome:
    """Return one distance from one placement, without its probability."""
    stops = [knockback_result.touching_um(start, way, fighter, options, enemies, shift)]
    if puller:
        by, base_um = puller
        stops.append(
            knockback_result.touching_um(
                start, way, fighter, options, frozenset((by,)), shift, base_um
            )
        )
    stop_um = min((stop for stop in stops if stop is not None), default=None)
    end = knockback_result.shove(terrain, start, way, inches, fighter, options, stop_um, shift)
    level, text, engaged = start.level - end.down, "stands", None
    pins = knockback_result.pinned(inches, options)
    if pins:
        if end.fall_levels is None:
            at = cover_and_fields.middle_um(start.tile, options, shift)
            point = (at[0] + way[0] * end.travelled_um, at[1] + way[1] * end.travelled_um)
            end, engaged = knockback_result.into_contact(
                terrain, end, point, level, fighter, options, enemies - {start}
            )
        fates = fall_outcomes.resolve_knockback_end(
            terrain, end, start.level, way, fighter, options, enemies
        )
        text = fall_outcomes.format_outcomes(fates)
    with_whom = str(engaged) if engaged else None
    tile = str(end.tile)
    return KnockbackOutcome(
        inches, Fraction(0), end.travelled_um, tile, pins, end.wall, with_whom, text
    )


def edges(
    terrain: Terrain, options: GangSkirmishOptions, start: Surface, fighter: Fighter
) -> dict[str, dict[str, int | str]]:
    """Return every edge beside a fighter on a surface: distance, levels down and cover.

    -1 level is a Pitfall, -2 the edge of the battlefield if it can be left.

    Args:
        terrain: Board with its levels and railings.
        options: Options of the ruleset.
        start: Surface of the fighter.
        fighter: Profile of the fighter.
    """
    found: dict[str, dict[str, int | str]] = {}
    for shift in standing_offsets(terrain, start, fighter, options) or (MIDDLE,):
        for lip, drop, way in edges_beside(terrain, start, fighter, options, shift):
            name, cover = DIRECTION_NAMES[way], cover_and_fields.cover(terrain.board, start, way)
            known = found.setdefault(name, {"distance_um": lip, "down": drop, "cover": cover})
            known["distance_um"] = min(lip, int(known["distance_um"]))
    return found


def shove_outcome(
    terrain: Terrain,
    options: GangSkirmishOptions,
    start: Surface,
    direction: Way,
    inches: Inches,
    fighter: Fighter,
) -> knockback_result.KnockbackEnd:
    """Return the end of knockback over a distance, before any check.

    Of several placements, the first along the direction is used.

    Args:
        terrain: Board with its levels and railings.
        options: Options of the ruleset.
        start: Surface of the fighter.
        direction: Direction of the knockback.
        inches: Length of the knockback.
        fighter: Profile of the fighter.
    """
    spots = standing_offsets(terrain, start, fighter, options) or (MIDDLE,)
    first = max(spots, key=lambda spot: along(spot, direction))
    return knockback_result.shove(terrain, start, direction, inches, fighter, options, shift=first)


def fall_chances(
    terrain: Terrain,
    options: GangSkirmishOptions,
    start: Surface,
    direction: Way,
    force: Inches,
    fighter: Fighter,
) -> dict[int, Fraction]:
    """Return the probability of each first fall in inches after a hit with a force.

    0 is no fall, -1 a Pitfall, -2 leaving the battlefield (option `battlefield_edge`).

    Args:
        terrain: Board with its levels and railings.
        options: Options of the ruleset.
        start: Surface of the fighter.
        direction: Direction of the knockback.
        force: Strength of the attack in inches.
        fighter: Profile of the fighter.
    """
    return knockback_result.fall_chances(terrain, start, direction, force, fighter, options)


def pinned_falls(
    terrain: Terrain,
    options: GangSkirmishOptions,
    start: Surface,
    fighter: Fighter,
    cause: formulas.Cause = "forced",
    cover: MapCover = "map",
    modifier: Modifier = 0,
) -> Fraction:
    """Return the probability that a fighter that becomes Prone falls off an edge beside it.

    Args:
        terrain: Terrain of the board.
        options: Options of the ruleset.
        start: Surface of the fighter.
        fighter: The fighter.
        cause: Cause of being Prone.
        cover: `map` for the map's railings, or the cover of all edges.
        modifier: Modifier of the check.
    """
    chances = []
    for shift in standing_offsets(terrain, start, fighter, options) or (MIDDLE,):
        near = edges_beside(terrain, start, fighter, options, shift)
        if cover == "map":
            ways = cover_and_fields.falls_while_prone(
                terrain.board, start, near, cause, fighter, options, modifier
            )
            falls = sum((chance for _, chance in ways), Fraction(0))
        else:
            apart = [distance for distance, _, _ in near]
            target = fighter.initiative
            falls = formulas.falls_when_prone(apart, target, cause, options, cover, modifier)
        chances.append(falls)
    return sum(chances, Fraction(0)) / len(chances)


class RailingInfo(NamedTuple):
    """Railing on a side of a surface; `modifier` None means that a fall is impossible."""

    cover: formulas.Cover
    modifier: int | None
    height_um: int
    climbed: bool
    stops: bool


def rail(board: Board, options: GangSkirmishOptions, start: Surface, direction: Way) -> RailingInfo:
    """Return the railing on a side of a surface: its cover, its modifier, what it blocks.

    Args:
        board: Board of the map.
        options: Options of the ruleset.
        start: Surface of the fighter.
        direction: Direction of the railing.
    """
    there = board.rails.get((start.tile, start.level, direction))
    cover = cover_and_fields.cover(board, start, direction)
    return RailingInfo(
        cover,
        formulas.rail_modifier(cover),
        there.length_um if there else 0,
        cover_and_fields.blocks_step(board, start, direction),
        cover_and_fields.blocks_knockback(board, start, direction, options),
    )


def in_field(
    board: Board, options: GangSkirmishOptions, start: Surface, fighter: Fighter
) -> tuple[Tile, ...]:
    """Return the counters of the Heavy-G fields in which a fighter is.

    Args:
        board: Board of the map.
        options: Options of the ruleset.
        start: Surface of the fighter.
        fighter: Profile of the fighter.
    """
    return cover_and_fields.in_fields(board, start.tile, fighter, options)


def field_pull(
    board: Board, options: GangSkirmishOptions, start: Surface, direction: Way, fighter: Fighter
) -> int:
    """Return the modifier of the map's fields to a check against falling over a side.

    Args:
        board: Board of the map.
        options: Options of the ruleset.
        start: Surface of the fighter.
        direction: Direction of the fall.
        fighter: Profile of the fighter.
    """
    return cover_and_fields.field_modifier(board, start, direction, fighter, options)


def lying(
    terrain: Terrain,
    options: GangSkirmishOptions,
    start: Surface,
    fighter: Fighter,
    cause: formulas.Cause = "forced",
    enemies: frozenset[Surface] = frozenset(),
) -> tuple[fall_outcomes.FallOutcome, ...]:
    """Return every outcome of a fighter that becomes Prone, with chained falls and probabilities.

    Args:
        terrain: Terrain of the board.
        options: Options of the ruleset.
        start: Surface of the fighter.
        fighter: The fighter.
        cause: Cause of being Prone.
        enemies: Surfaces of all other fighters, friends too, on whom it may land.
    """
    spots = standing_offsets(terrain, start, fighter, options) or (MIDDLE,)
    return fall_outcomes.merge_outcomes(
        fate._replace(chance=fate.chance / len(spots))
        for shift in spots
        for fate in fall_outcomes.become_prone(
            terrain, start, cause, fighter, options, enemies, shift
        )
    )


def knocked(
    terrain: Terrain,
    options: GangSkirmishOptions,
    start: Surface,
    direction: Way,
    force: Inches,
    fighter: Fighter,
    enemies: frozenset[Surface] = frozenset(),
) -> tuple[fall_outcomes.FallOutcome, ...]:
    """Return every outcome of a fighter hit by a Knockback along a direction.

    Args:
        terrain: Terrain of the board.
        options: Options of the rules.
        start: Surface of the fighter.
        direction: Direction of the hit as (d_row, d_col).
        force: Strength of the attack.
        fighter: Base, stature and strength of the fighter.
        enemies: Surfaces with other fighters.
    """
    return fall_outcomes.knockback_outcomes(
        terrain, start, direction, force, fighter, options, enemies
    )


def heavy_g_lasts(end_phases: Phases) -> Fraction:
    """Return the probability that a field remains after End Phases; a D6 of 3 or less ends it."""
    return formulas.heavy_g_lasts(end_phases)


QUESTIONS: dict[str, Callable[..., Any]] = {
    "initiative": formulas.initiative,
    "is-step": formulas.is_step,
    "must-leap": formulas.must_leap,
    "leap-rise-allowed": formulas.leap_rise_allowed,
    "leap-cost": formulas.leap_cost_um,
    "leap-fall": formulas.leap_fall_um,
    "jump-down-cost": formulas.jump_down_cost_um,
    "jump-down-modifier": formulas.jump_down_modifier,
    "fall-inches": formulas.fall_inches,
    "kip-allowed": formulas.kip_allowed,
    "kip-fail-falls": formulas.kip_fail_falls,
    "edge-distance": formulas.edge_distance_um,
    "within-edge": formulas.within_edge,
    "edges": edges,
    "falls-when-prone": formulas.falls_when_prone,
    "pinned-falls": pinned_falls,
    "lying": lying,
    "knocked": knocked,
    "rail": rail,
    "rail-cover": formulas.rail_cover,
    "check-with-rail": formulas.check_with_rail,
    "lands-again": formulas.lands_again,
    "knockback": knockback,
    "drag": drag,
    "shove-outcome": shove_outcome,
    "fall-chances": fall_chances,
    "shove-distances": knockback_result.shove_distances,
    "pinned": knockback_result.pinned,
    "wall-strength": knockback_result.wall_strength,
    "ends-engaged": knockback_result.ends_engaged,
    "in-field": in_field,
    "field-pull": field_pull,
    "in-heavy-g": formulas.in_heavy_g,
    "heavy-g-reach": formulas.heavy_g_reach_um,
    "heavy-g-shove-in": formulas.heavy_g_shove_in,
    "heavy-g-modifier": formulas.heavy_g_modifier,
    "heavy-g-lasts": heavy_g_lasts,
}
"""Queries by their names in `fdforge ask`."""
