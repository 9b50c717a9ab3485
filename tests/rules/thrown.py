"""Spring Traps, Catches and dives asked as a command asks them, with few words."""

from __future__ import annotations

from collections.abc import Iterable

from falldamage_forge.board.surfaces import Surface, SurfaceGraph
from falldamage_forge.games.fall_damage.abilities import ABILITIES, Scene, Standing, Use
from falldamage_forge.games.fall_damage.options import Options
from falldamage_forge.presets import load_kit, load_units

KIT, UNITS = load_kit(), load_units()
SOMEBODY = UNITS["archer"]


def _scene(
    graph: SurfaceGraph, doer: Standing, others: Iterable[Standing], options: Options
) -> Scene:
    return Scene(graph, KIT, options, (doer, *others))


def spring_landings(
    graph: SurfaceGraph,
    trap: Surface,
    options: Options,
    taken: frozenset[Surface] = frozenset(),
    *,
    no_fall: bool = False,
) -> dict[Surface, int]:
    """Where a trap throws whom to, and the damage of coming down there."""
    victim = Standing(trap, UNITS["wrestler" if no_fall else "archer"], "theirs")
    others = [Standing(at, SOMEBODY, "theirs") for at in taken - {trap}]
    found = ABILITIES["spring-trap"].use(_scene(graph, victim, others, options), victim, Use(trap))
    return {place.at: place.damage for place in found.places}


def catch(
    graph: SurfaceGraph,
    mage: Surface,
    target: Surface,
    taken: frozenset[Surface],
    options: Options,
) -> Surface | None:
    """Where a Catch puts an enemy; None when it cannot be made."""
    doer = Standing(mage, UNITS["space-mage"], "mine")
    others = [Standing(at, SOMEBODY, "theirs") for at in {target, *taken}]
    scene = _scene(graph, doer, others, options)
    try:
        (change,) = ABILITIES["catch"].use(scene, doer, Use(target)).changes
    except ValueError:
        return None
    return change.end


def top_ropes(
    graph: SurfaceGraph,
    take_off: Surface,
    target: Surface,
    enemies: frozenset[Surface],
    options: Options,
) -> tuple[Surface | None, dict[Surface, int]]:
    """Where a dive ends, None where there is none, and whom it hurts how much."""
    doer = Standing(take_off, UNITS["wrestler"], "mine")
    others = [Standing(at, SOMEBODY, "theirs") for at in enemies - {take_off}]
    scene = _scene(graph, doer, others, options)
    try:
        own, *hit = ABILITIES["top-ropes"].use(scene, doer, Use(target)).changes
    except ValueError:
        return None, {}
    return own.end, {change.who: change.damage for change in hit}
