"""Results of pushes on a board: the end of the pushed unit, its damage, its death.

Source: "Push", "Pushing Vertically & Obstacles" and "Fall Damage" of the rulebook, and "Castle
    Spires … can be pushed like a unit. Spire is removed after being pushed. If a Spire lands on a
    unit that unit receives 6 damage"; "The pushed unit stops at the occupied tile" of the web
    manual.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from falldamage_forge.board import DIRECTION_NAMES, DIRECTIONS, Feature, Tile
from falldamage_forge.board.surfaces import Surface, Terrain
from falldamage_forge.games.fall_damage.engine import codes as C
from falldamage_forge.games.fall_damage.engine.empty_state import crowd, open_state, rules_state
from falldamage_forge.games.fall_damage.engine.match_context import LETTERS
from falldamage_forge.games.fall_damage.engine.push import (
    front,
    other_front,
    push_direction,
    roll,
    slide,
)
from falldamage_forge.games.fall_damage.options import FallDamageOptions
from falldamage_forge.games.fall_damage.play.death import LAVA, VOID
from falldamage_forge.games.fall_damage.play.surface_number import spot_of, surface_of, tile_number
from falldamage_forge.games.fall_damage.unit_cards import ANYBODY, Push, PushTarget
from falldamage_forge.rules.answers import PushResult
from falldamage_forge.rules.json_values import surface_json
from falldamage_forge.rules.ruleset import MissingChoiceError


def push_directions(
    attacker: Surface, target: Surface, options: FallDamageOptions
) -> tuple[tuple[int, int], ...]:
    """Return the directions that an attacker may face.

    The dominant axis to the target; on an exact diagonal both, if option `push_diag` lets the
    attacker choose; none on one tile.

    Args:
        attacker: Surface of the attacker.
        target: Surface of the target.
        options: Options of the rules.

    Source: "Direction is in relation to the attacker's position."
    """
    one, other = spot_of(attacker), spot_of(target)
    ways = (other_front(rules_state(options), one, other), front(one, other))
    return tuple(DIRECTIONS[way] for way in ways if way >= 0)


def resolve_direction(
    attacker: Surface,
    target: Surface,
    options: FallDamageOptions,
    chosen: tuple[int, int] | None = None,
) -> tuple[int, int] | None:
    """Return the direction that an attacker faces; None on one tile.

    Args:
        attacker: Surface of the attacker.
        target: Surface of the target.
        options: Options of the ruleset.
        chosen: Direction as (row, col), for an exact diagonal.

    Raises:
        MissingChoiceError: If a choice is open and missing.
        ValueError: If `chosen` is not open.
    """
    return choose_way(push_directions(attacker, target, options), attacker, target, chosen)


def choose_way(
    ways: Sequence[tuple[int, int]],
    attacker: Surface,
    target: Surface,
    chosen: tuple[int, int] | None,
) -> tuple[int, int] | None:
    """Return the direction that an attacker faces; None if there is none.

    Args:
        ways: Directions that are open, as (row, col).
        attacker: Surface of the attacker.
        target: Surface of the target.
        chosen: Direction as (row, col); None if the player made no choice.

    Raises:
        MissingChoiceError: If a choice is open and missing.
        ValueError: If `chosen` is not open.
    """
    names = " or ".join(DIRECTION_NAMES[way] for way in ways)
    if chosen is not None and chosen not in ways:
        if not ways:
            raise ValueError("both units are on one tile, so there is no direction to face")
        raise ValueError(f"{attacker} faces {target} {names}")
    if chosen is None and len(ways) > 1:
        raise MissingChoiceError(
            f"{target} is on an exact diagonal of {attacker}: add a way, {names}"
        )
    return chosen or (ways[0] if ways else None)


def push_offset(
    attacker: Surface,
    target: Surface,
    push: Push,
    options: FallDamageOptions,
    chosen: tuple[int, int] | None = None,
) -> tuple[int, int] | None:
    """Return the (row, col) step of a push; None for a swap or on one tile.

    Args:
        attacker: Surface of the attacker.
        target: Surface of the target.
        push: Direction and length of the push, as on the card.
        options: Options of the rules.
        chosen: Facing as (d_row, d_col) if an exact diagonal leaves a choice.

    Raises:
        ValueError: As `resolve_direction`.
    """
    if push.direction == "F":
        return None
    front = resolve_direction(attacker, target, options, chosen)
    if front is None:
        return None
    way = push_direction(0, 0, LETTERS[push.direction], DIRECTIONS.index(front))
    return DIRECTIONS[way]


def push_unit(
    terrain: Terrain,
    attacker: Surface,
    target: Surface,
    push: Push,
    options: FallDamageOptions,
    *,
    taken: frozenset[Surface] = frozenset(),
    victim: PushTarget = ANYBODY,
    way: tuple[int, int] | None = None,
) -> PushResult:
    """Push the unit on `target`; a swap (F) exchanges both units without a fall.

    Args:
        terrain: Terrain of the board.
        attacker: Surface of the attacker.
        target: Surface of the pushed unit.
        push: Direction letter and length.
        options: Options of the ruleset.
        taken: Surfaces of all other units.
        victim: Properties of the pushed unit.
        way: Direction that the attacker faces, where `push_directions` leaves it open.

    Raises:
        ValueError: As `resolve_direction`.
    """
    if victim.no_push or push.tiles == 0:
        return PushResult(target, 0, False, ())
    if push.direction == "F":
        return PushResult(attacker, 0, False, (attacker,))
    offset = push_offset(attacker, target, push, options, way)
    if offset is None:
        return PushResult(target, 0, False, ())
    return slide_unit(
        terrain, target, offset, push.tiles, options,
        taken=taken | {attacker}, victim=victim, extra=push.extra, attacker_level=attacker.level,
    )  # fmt: skip


def slide_unit(
    terrain: Terrain,
    target: Surface,
    way: tuple[int, int],
    tiles: int,
    options: FallDamageOptions,
    *,
    taken: frozenset[Surface] = frozenset(),
    victim: PushTarget = ANYBODY,
    extra: int = 0,
    attacker_level: int | None = None,
) -> PushResult:
    """Push the unit on `target` in a given direction.

    Args:
        terrain: Terrain of the board.
        target: Surface of the pushed unit.
        way: Direction as (row, col).
        tiles: Length in tiles.
        options: Options of the ruleset.
        taken: Surfaces of all other units.
        victim: Properties of the pushed unit.
        extra: Additional damage of each fall (mages).
        attacker_level: Level of the attacker; None, as for a wind: the push never leads up.
    """
    if victim.no_push:
        return PushResult(target, 0, False, ())
    s = open_state(terrain.board, options)
    level = C.NO_LEVEL if attacker_level is None else attacker_level
    with crowd(s, taken - {target}):
        end, damage, dead = slide(
            s, C.GROUND, spot_of(target), DIRECTIONS.index(way), tiles, level,
            extra, victim.no_fall, victim.no_lava, C.YES,
        )  # fmt: skip
    path = tuple(map(surface_of, s.members[: s.slid]))
    if dead == C.IN_LAVA:
        return PushResult(None, damage, True, path, cause=LAVA, at=path[-1])
    if dead == C.OFF_BOARD:
        return PushResult(None, damage, True, path, cause=VOID, at=surface_of(end))
    return PushResult(surface_of(end), damage, False, path)


def push_spire(
    terrain: Terrain,
    attacker: Surface,
    tile: Tile,
    push: Push,
    options: FallDamageOptions,
    *,
    taken: frozenset[Surface] = frozenset(),
    way: tuple[int, int] | None = None,
) -> PushResult:
    """Push the spire on a tile.

    Args:
        terrain: Terrain of the board.
        attacker: Surface of the attacker.
        tile: Tile of the spire.
        push: Direction letter and length.
        options: Options of the ruleset.
        taken: Surfaces of units; the attacker's may be among them.
        way: Direction that the attacker faces, where `push_directions` leaves it open.

    Returns:
        The end of the spire; `extra` holds `gone` and `hit`, the surface of the unit hit.

    Raises:
        ValueError: If there is no spire, for a swap, and as `resolve_direction`.
    """
    column = terrain.board.column(tile)
    if column.feature is not Feature.SPIRE or tile in terrain.board.fixed:
        raise ValueError(f"there is no spire on {tile}")
    if push.direction == "F":
        raise ValueError("a spire cannot swap places; push it with B, R or L")
    foot = Surface(tile, column.level)
    offset = push_offset(attacker, foot, push, options, way)
    details: dict[str, Any] = {"spire": True, "gone": False, "hit": None}
    if offset is None:
        return PushResult(foot, 0, False, (), details)
    s = open_state(terrain.board, options)
    with crowd(s, taken | {attacker}):
        moved, hit = roll(s, tile_number(tile), DIRECTIONS.index(offset), push.tiles)
        struck = hit >= 0 and s.occupant[hit] >= 0
    path = tuple(map(surface_of, s.members[: s.slid]))
    details |= {"gone": moved > 0, "hit": surface_json(surface_of(hit)) if struck else None}
    return PushResult(
        None if moved else foot, s.spire_damage if struck else 0, False, path, details
    )
