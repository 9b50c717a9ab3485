"""Table of every ability by name, with its legal aims and its effects.

Callers use `ABILITIES[name].aims(scene, doer)` and `.use(scene, doer, AbilityUse(…))`. An illegal
use raises ValueError with a message for the user. The context is never changed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from falldamage_forge.board.surfaces import Surface
from falldamage_forge.games.fall_damage.ability_queries.ability_context import (
    SOMEBODY,
    AbilityContext,
    AbilityOutcome,
    AbilityUse,
    PlacedUnit,
    PlacementChoice,
    UnitChange,
    before,
    changes,
)
from falldamage_forge.games.fall_damage.ability_queries.ability_definition import (
    FAR,
    AbilityDefinition,
    Action,
    Need,
    Result,
    aim_of,
    answered,
    open_moves,
    surfaces_on,
    way_of_use,
)
from falldamage_forge.games.fall_damage.board_changes import dam
from falldamage_forge.games.fall_damage.engine import codes as C
from falldamage_forge.games.fall_damage.engine import targeting
from falldamage_forge.games.fall_damage.engine.columns import StateColumns
from falldamage_forge.games.fall_damage.engine.effects import push_task, put
from falldamage_forge.games.fall_damage.engine.empty_state import copy_of
from falldamage_forge.games.fall_damage.engine.hypothetical import MINE, THEIRS, stand
from falldamage_forge.games.fall_damage.engine.move_action import top_ropes
from falldamage_forge.games.fall_damage.engine.notation import spot_in
from falldamage_forge.games.fall_damage.engine.reachable import dive_end
from falldamage_forge.games.fall_damage.engine.transition import resolve_stack
from falldamage_forge.games.fall_damage.engine.unit_stats import may_attack
from falldamage_forge.games.fall_damage.play.surface_number import spot_of, surface_of, tile_number


def use_spring(scene: AbilityContext, doer: PlacedUnit, use: AbilityUse) -> AbilityOutcome:
    """Return the landings of the trap at `aim`, or the effect of the landing `second`.

    The trap is hidden in one activation and sprung in another: this asks about the second.

    Args:
        scene: Board and units of the query.
        doer: The unit that acts, with its surface.
        use: Choices of the use: aim, second, direction, count.
    """
    trap = aim_of(use)
    s, numbers = scene.moment(doer)
    i = numbers[trap] if trap in numbers else stand(s, scene.content, SOMEBODY, trap, THEIRS)
    push_task(s, C.LAND, i, MINE, spot_of(trap), C.NONE)
    resolve_stack(s)
    keys = {surface_of(spot_in(key)): key for key in open_moves(s)}
    if use.second is None:
        landed = [(at, _landed(s, i, keys[at])) for at in sorted(keys)]
        return AbilityOutcome(
            places=tuple(PlacementChoice(at, end.fall, end.dead, end.cause) for at, end in landed)
        )
    if use.second not in keys:
        raise ValueError(f"the trap at {trap} cannot throw a unit to {use.second}")
    return AbilityOutcome((_landed(s, i, keys[use.second]),))


def _landed(s: StateColumns, i: int, key: int) -> UnitChange:
    after, was = copy_of(s), before(s)
    answered(after, key)
    return changes(after, was, [i])[0]


def dive_aims(scene: AbilityContext, doer: PlacedUnit) -> tuple[Surface, ...]:
    """Return the neighbouring surfaces onto which a dive damages a unit.

    The engine has a dive as the end of a whole Move only: this asks about one drop.

    Args:
        scene: Board and units of the query.
        doer: The unit that acts, with its surface.
    """
    s, numbers = scene.moment(doer)
    beside = [tile for tile in s.near[_near(doer.at) : _near(doer.at) + 4] if tile >= 0]
    ends = [at for tile in beside for at in surfaces_on(s, tile)]
    return tuple(at for at in sorted(ends) if _dive(scene, doer, at, numbers[doer.at])[1:])


def _near(at: Surface) -> int:
    return (spot_of(at) >> 4) * 4


def use_ropes(scene: AbilityContext, doer: PlacedUnit, use: AbilityUse) -> AbilityOutcome:
    """Return the outcome of a Wrestler's dive.

    Args:
        scene: Board and units of the query.
        doer: The unit that acts, with its surface.
        use: Choices of the use: aim, second, direction, count.

    Raises:
        ValueError: If there is no dive onto the aim.
    """
    _, numbers = scene.moment(doer)
    found = _dive(scene, doer, aim_of(use), numbers[doer.at])
    if not found:
        raise ValueError(f"there is no dive from {doer.at} onto {use.aim}")
    return AbilityOutcome(found)


def _dive(scene: AbilityContext, doer: PlacedUnit, goal: Surface, i: int) -> tuple[UnitChange, ...]:
    """Return the effects of a dive onto a surface, the diver's first; empty if there is none."""
    s, _ = scene.moment(doer)
    end = dive_end(s, i, spot_of(goal))
    if end < 0:
        return ()
    was = before(s)
    put(s, i, end)
    top_ropes(s, i, spot_of(goal), doer.at.level - goal.level)
    (own, *others) = changes(s, was, [i])
    return (replace(own, damage=0, fall=0, heal=0, gains=(), path=(surface_of(end),)), *others)


def use_dam(scene: AbilityContext, doer: PlacedUnit, use: AbilityUse) -> AbilityOutcome:
    """Return the outcome of a Dam Break: a line of plain ground becomes water.

    The engine's lengths are words of a match, which a question has not: it floods as a change does.

    Args:
        scene: Board and units of the query.
        doer: The unit that acts, with its surface.
        use: Choices of the use: aim, second, direction, count.
    """
    tile, way = tile_number(aim_of(use).tile), way_of_use(use)
    s, _ = scene.moment(doer)
    was = before(s)
    dam(s, tile, way, s.amounts[C.X_DAM] if use.count is None else use.count)
    return AbilityOutcome(changes(s, was))


AIM: tuple[Need, ...] = ("aim",)
BRICKS = f"{FAR}, or bricks cannot rise there"


def attack_aims(scene: AbilityContext, doer: PlacedUnit) -> tuple[Surface, ...]:
    """Return the surfaces that the plain Attack reaches and sees, except friends' own.

    The engine lists surfaces with a unit only: a picture of the reach shows the free ones too.

    Args:
        scene: Board and units of the query.
        doer: The unit that acts, with its surface.
    """
    s, numbers = scene.moment(doer)
    i = numbers[doer.at]
    if not may_attack(s, i):
        return ()
    free = (at for at in scene.graph.surfaces if not is_friend(scene, doer, at))
    return tuple(at for at in free if targeting.can_attack_surface(s, i, spot_of(at)))


def is_friend(scene: AbilityContext, doer: PlacedUnit, at: Surface) -> bool:
    """True if a unit of its own side stands on a surface.

    Args:
        scene: Board and units of the query.
        doer: The unit that acts, with its surface.
        at: The surface.
    """
    return at in scene.by_place and scene.by_place[at].side == doer.side


ATTACK = Action(C.M_ATTACK)


def use_attack(scene: AbilityContext, doer: PlacedUnit, use: AbilityUse) -> AbilityOutcome:
    """Return the outcome of the card's Attack; it is empty on a free surface.

    Args:
        scene: Board and units of the query.
        doer: The unit that acts, with its surface.
        use: Choices of the use: aim, second, direction, count.
    """
    aim = aim_of(use)
    if aim not in scene.by_place and aim in attack_aims(scene, doer):
        return AbilityOutcome()
    return ATTACK.use(scene, doer, use)


def skill(
    says: str, of: str, move: int, needs: tuple[Need, ...] = AIM, **more: Any
) -> AbilityDefinition:
    """Return the definition of an ability that is one action of the engine.

    Args:
        says: Effect in words.
        of: Card, or "treasure".
        move: Number of its move, which gives the ability or the item.
        needs: Choices of a use.
        more: Other fields of the `Action`.
    """
    action = Action(move, needs, **more)
    return AbilityDefinition(says, needs, (of,), action.aims, action.use)


def found(
    says: str, name: str, needs: tuple[Need, ...], why: str = "{tile} cannot be chosen"
) -> AbilityDefinition:
    """Return the definition of a treasure result that is questions of the engine.

    Args:
        says: Effect in words.
        name: Name of the result.
        needs: Choices of a use.
        why: Reason that a tile is not legal, for messages.
    """
    result = Result(name, needs, why)
    return AbilityDefinition(says, needs, (TREASURE,), result.aims, result.use)


NO_PLACE = f"{FAR}, or there is no free place behind the one who catches"
UPHILL = f"{FAR}, and a Cannon attacks uphill only"
HELD = "lava cannot be placed under what is on {tile}"
DEEP = "{tile} cannot go {count:+d} from level {level}"
TREASURE = "treasure"

ABILITIES: Mapping[str, AbilityDefinition] = {
    "attack": AbilityDefinition("the card's own attack and push", AIM, (), attack_aims, use_attack),
    "shove": skill(
        "the attack, and every adjacent enemy back 1", "shield-bearer", C.M_ATTACK, lent=C.SHOVE
    ),
    "bomb": skill("2 damage to all in AOE 1", "tinkerer", C.M_BOMB),
    "spring-trap": AbilityDefinition(
        "throws who steps on it 2 up and up to 4 away", ("aim", "second"), ("tinkerer",),
        Action(C.M_SPRING).aims, use_spring,
    ),
    "splash": skill("pushes all in AOE 1 outwards", "splash-mage", C.M_SPLASH),
    "swap": skill("two units change places", "space-mage", C.M_SWAP, ("aim", "second")),
    "catch": skill(
        "an enemy to the same distance behind the mage", "space-mage", C.M_CATCH, why=NO_PLACE
    ),
    "scaffold": skill("a tile rises by 3", "brick-mage", C.M_SCAFFOLD, why=BRICKS),
    "partition": skill(
        "three tiles in line rise by 2", "brick-mage", C.M_PARTITION, ("aim", "way"), why=BRICKS
    ),
    "vines": skill(
        "enemies in AOE 1 lose their next Move", "druid", C.M_VINES, whom="enemies"
    ),
    "promo": skill("enemies within 4: Attack - 1", "wrestler", C.M_PROMO, ()),
    "top-ropes": AbilityDefinition(
        "a drop hurts enemies on and next to its tile twice the levels", AIM, ("wrestler",),
        dive_aims, use_ropes,
    ),
    "throw-potion": skill("heals 3 within 3, or hurts an enemy skeleton", "medic", C.M_POTION),
    "bandage": skill("heals 5 within 1", "medic", C.M_BANDAGE),
    "poison-mist": skill(
        "a cone: Move - 1, Attack - 1 at every round start", "apothecary", C.M_POISON, ("way",)
    ),
    "syringe": skill("an enemy within 1 loses 2 at every round start", "apothecary", C.M_SYRINGE),
    "grenade": skill(
        "2 damage and push 1 in AOE 2, within 3, no sight", TREASURE, C.M_GRENADE
    ),
    "cannon": skill("5 damage and B3 uphill within 5", TREASURE, C.M_CANNON, why=UPHILL),
    "celestial-cannon": skill("B4 within 3", TREASURE, C.M_CELESTIAL),
    "knife": skill("7 damage within 1, no push", TREASURE, C.M_KNIFE),
    "quicksand": skill("tiles in AOE 2 within 3 cost 2", TREASURE, C.M_QUICKSAND, whom="nobody"),
    "climbing-rope": found("friends in 3x3 around a tile are not pushed", "climbing-rope", AIM),
    "southern-wind": found("all enemies pushed 1", "southern-wind", ("way",)),
    "northern-wind": found("all friends pushed 1", "northern-wind", ("way",)),
    "eruption": found("two tiles become lava", "eruption", ("aim", "second"), HELD),
    "dam-break": AbilityDefinition(
        "a line of up to 10 tiles becomes water", ("aim", "way", "count"), (TREASURE,),
        Result("dam-break", AIM).aims, use_dam,
    ),
    "tectonic-shift": found(
        "a bare tile one level up, or down with count -1", "tectonic-shift", ("aim", "count"), DEEP
    ),
}  # fmt: skip
"""Abilities by the name on the card or treasure, in lower case with hyphens."""
