"""What throws people about: Spring Traps, and the Wrestler's dives."""

from __future__ import annotations

from falldamage_forge.board.surfaces import Surface
from falldamage_forge.games.fall_damage.abilities.doing import Action, aim_of, surfaces_on
from falldamage_forge.games.fall_damage.abilities.reading import before, changes
from falldamage_forge.games.fall_damage.abilities.scene import (
    SOMEBODY,
    Change,
    Outcome,
    Place,
    Scene,
    Standing,
    Use,
)
from falldamage_forge.games.fall_damage.engine import codes as C
from falldamage_forge.games.fall_damage.engine.columns import State
from falldamage_forge.games.fall_damage.engine.effects import put
from falldamage_forge.games.fall_damage.engine.hidden_items import landing_damage, list_landings
from falldamage_forge.games.fall_damage.engine.hypothetical import THEIRS, stand
from falldamage_forge.games.fall_damage.engine.move_action import top_ropes
from falldamage_forge.games.fall_damage.engine.notation import spot_in
from falldamage_forge.games.fall_damage.engine.reachable import dive_end
from falldamage_forge.games.fall_damage.engine.terrain_state import lava
from falldamage_forge.games.fall_damage.play.spots import spot_of, surface_of

TRAP = Action(C.M_SPRING, ("aim",), C.SPRING)


def trap_aims(scene: Scene, doer: Standing) -> tuple[Surface, ...]:
    """Where a trap may be laid: every surface of a tile, as it lies on all of them."""
    s, _, keys = TRAP.listed(scene, doer)
    return tuple(sorted(at for key in keys for at in surfaces_on(s, spot_in(key) >> 4)))


def use_spring(scene: Scene, doer: Standing, use: Use) -> Outcome:
    """What the trap at `aim` may do to whom steps on it: all landings, or what `second` does."""
    trap = aim_of(use)
    s, numbers = scene.moment(doer)
    if trap not in numbers:
        numbers[trap] = stand(s, scene.kit, SOMEBODY, trap, THEIRS)
    found = {place.at: place for place in _landings(s, numbers[trap], trap)}
    if use.second is None:
        return Outcome(places=tuple(found[at] for at in sorted(found)))
    if use.second not in found:
        raise ValueError(f"nobody can be thrown from {trap} to {use.second}")
    place = found[use.second]
    return Outcome((Change(trap, None if place.dead else place.at, fall=place.damage),))


def _landings(s: State, i: int, trap: Surface) -> list[Place]:
    list_landings(s, i, spot_of(trap))
    found = []
    for goal in map(spot_in, s.moves[: s.n_moves]):
        if lava(s, C.GROUND, goal) and not s.discorporate[i]:
            found.append(Place(surface_of(goal), dead=True))
        else:
            found.append(Place(surface_of(goal), landing_damage(s, i, goal, spot_of(trap))))
    return found


def rope_aims(scene: Scene, doer: Standing) -> tuple[Surface, ...]:
    """Surfaces beside one's own that a dive on to hurts somebody."""
    s, numbers = scene.moment(doer)
    beside = [tile for tile in s.near[_near(doer.at) : _near(doer.at) + 4] if tile >= 0]
    ends = [at for tile in beside for at in surfaces_on(s, tile)]
    return tuple(at for at in sorted(ends) if _dive(scene, doer, at, numbers[doer.at])[1:])


def _near(at: Surface) -> int:
    return (spot_of(at) >> 4) * 4


def use_ropes(scene: Scene, doer: Standing, use: Use) -> Outcome:
    """The Wrestler drops, and hurts whom it may."""
    _, numbers = scene.moment(doer)
    found = _dive(scene, doer, aim_of(use), numbers[doer.at])
    if not found:
        raise ValueError(f"there is no dive from {doer.at} on to {use.aim}")
    return Outcome(found)


def _dive(scene: Scene, doer: Standing, goal: Surface, i: int) -> tuple[Change, ...]:
    """What a drop on to a surface does, the diver's own way first; nothing where there is none."""
    s, _ = scene.moment(doer)
    end = dive_end(s, i, spot_of(goal))
    if end < 0:
        return ()
    was = before(s)
    put(s, i, end)
    top_ropes(s, i, spot_of(goal), doer.at.level - goal.level)
    (own, *others) = changes(s, was, [i])
    return (Change(own.who, own.end, path=(surface_of(end),)), *others)
