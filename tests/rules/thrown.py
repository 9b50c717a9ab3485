"""Spring Traps, Catches and dives asked as a command asks them, with few words."""

from __future__ import annotations

from collections.abc import Iterable

from falldamage_forge.board.surfaces import Surface, SurfaceGraph
from falldamage_forge.games.fall_damage.ability_queries.ability_context import (
    AbilityContext,
    AbilityUse,
    PlacedUnit,
)
from falldamage_forge.games.fall_damage.ability_queries.ability_table import ABILITIES
from falldamage_forge.games.fall_damage.options import FallDamageOptions
from falldamage_forge.presets import load_kit, load_units

KIT, UNITS = load_kit(), load_units()
SOMEBODY = UNITS["archer"]


def _scene(
    graph: SurfaceGraph, doer: PlacedUnit, others: Iterable[PlacedUnit], options: FallDamageOptions
) -> AbilityContext:
    return AbilityContext(graph, KIT, options, (doer, *others))


def spring_landings(
    graph: SurfaceGraph,
    trap: Surface,
    options: FallDamageOptions,
    taken: frozenset[Surface] = frozenset(),
    *,
    no_fall: bool = False,
) -> dict[Surface, int]:
    """Where a trap throws whom to, and the damage of coming down there."""
    victim = PlacedUnit(trap, UNITS["wrestler" if no_fall else "archer"], "theirs")
    others = [PlacedUnit(at, SOMEBODY, "theirs") for at in taken - {trap}]
    found = ABILITIES["spring-trap"].use(
        _scene(graph, victim, others, options), victim, AbilityUse(trap)
    )
    return {place.at: place.damage for place in found.places}


def catch(
    graph: SurfaceGraph,
    mage: Surface,
    target: Surface,
    taken: frozenset[Surface],
    options: FallDamageOptions,
) -> Surface | None:
    """Where a Catch puts an enemy; None when it cannot be made."""
    doer = PlacedUnit(mage, UNITS["space-mage"], "mine")
    others = [PlacedUnit(at, SOMEBODY, "theirs") for at in {target, *taken}]
    scene = _scene(graph, doer, others, options)
    try:
        (change,) = ABILITIES["catch"].use(scene, doer, AbilityUse(target)).changes
    except ValueError:
        return None
    return change.end


def top_ropes(
    graph: SurfaceGraph,
    take_off: Surface,
    target: Surface,
    enemies: frozenset[Surface],
    options: FallDamageOptions,
) -> tuple[Surface | None, dict[Surface, int]]:
    """Where a dive ends, None where there is none, and whom it hurts how much."""
    doer = PlacedUnit(take_off, UNITS["wrestler"], "mine")
    others = [PlacedUnit(at, SOMEBODY, "theirs") for at in enemies - {take_off}]
    scene = _scene(graph, doer, others, options)
    try:
        own, *hit = ABILITIES["top-ropes"].use(scene, doer, AbilityUse(target)).changes
    except ValueError:
        return None, {}
    return own.end, {change.who: change.damage for change in hit}
