"""Table of every ability by name, with its legal aims and its effects.

Callers use `ABILITIES[name].aims(scene, doer)` and `.use(scene, doer, AbilityUse(…))`. An illegal
use raises ValueError with a message for the user. The context is never changed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from falldamage_forge.board import Tile
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
    Aims,
    Need,
    Using,
    aim_of,
    board_tiles,
    land_tiles,
    surfaces_on,
    way_of_use,
)
from falldamage_forge.games.fall_damage.board_changes import dam
from falldamage_forge.games.fall_damage.engine import codes as C
from falldamage_forge.games.fall_damage.engine import targeting
from falldamage_forge.games.fall_damage.engine.columns import StateColumns
from falldamage_forge.games.fall_damage.engine.decisions import answer
from falldamage_forge.games.fall_damage.engine.effects import push_task, put
from falldamage_forge.games.fall_damage.engine.hidden_items import landing_damage, list_landings
from falldamage_forge.games.fall_damage.engine.hypothetical import MINE, THEIRS, stand
from falldamage_forge.games.fall_damage.engine.move_action import top_ropes
from falldamage_forge.games.fall_damage.engine.notation import name_in, spot_in
from falldamage_forge.games.fall_damage.engine.reachable import dive_end
from falldamage_forge.games.fall_damage.engine.terrain_state import lava
from falldamage_forge.games.fall_damage.engine.transition import resolve_stack
from falldamage_forge.games.fall_damage.engine.treasure import blow_wind
from falldamage_forge.games.fall_damage.engine.unit_stats import may_attack
from falldamage_forge.games.fall_damage.play.death import FALL, LAVA
from falldamage_forge.games.fall_damage.play.surface_number import spot_of, surface_of, tile_number
from falldamage_forge.rules.ruleset import MissingChoiceError

TRAP = Action(C.M_SPRING)


def trap_aims(scene: AbilityContext, doer: PlacedUnit) -> tuple[Surface, ...]:
    """Return the surfaces of the tiles on which a trap may be hidden.

    Args:
        scene: Board and units of the query.
        doer: The unit that acts, with its surface.
    """
    s, _, keys = TRAP.listed(scene, doer)
    return tuple(sorted(at for key in keys for at in surfaces_on(s, spot_in(key) >> 4)))


def use_spring(scene: AbilityContext, doer: PlacedUnit, use: AbilityUse) -> AbilityOutcome:
    """Return the landings of the trap at `aim`, or the effect of the landing `second`.

    Args:
        scene: Board and units of the query.
        doer: The unit that acts, with its surface.
        use: Choices of the use: aim, second, direction, count.
    """
    trap = aim_of(use)
    s, numbers = scene.moment(doer)
    if trap not in numbers:
        numbers[trap] = stand(s, scene.content, SOMEBODY, trap, THEIRS)
    found = {place.at: place for place in _landings(s, numbers[trap], trap)}
    if use.second is None:
        return AbilityOutcome(places=tuple(found[at] for at in sorted(found)))
    if use.second not in found:
        raise ValueError(f"the trap at {trap} cannot throw a unit to {use.second}")
    place = found[use.second]
    end = None if place.dead and not place.damage else place.at  # lava kills without damage
    change = UnitChange(trap, end, fall=place.damage, dead=place.dead, cause=place.cause)
    return AbilityOutcome((replace(change, at=place.at if place.dead else None),))


def _landings(s: StateColumns, i: int, trap: Surface) -> list[PlacementChoice]:
    list_landings(s, i, spot_of(trap))
    found = []
    for goal in map(spot_in, s.moves[: s.n_moves]):
        if lava(s, C.GROUND, goal) and not s.discorporate[i]:
            found.append(PlacementChoice(surface_of(goal), dead=True, cause=LAVA))
        else:
            damage = landing_damage(s, i, goal, spot_of(trap))
            dead = damage >= s.health[i]
            found.append(PlacementChoice(surface_of(goal), damage, dead, FALL if dead else None))
    return found


def dive_aims(scene: AbilityContext, doer: PlacedUnit) -> tuple[Surface, ...]:
    """Return the neighbouring surfaces onto which a dive damages a unit.

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


def asked(scene: AbilityContext, doer: PlacedUnit, task: int, amount: int = 0) -> StateColumns:
    """Return the state in which a finder has to choose, with the choices listed.

    Args:
        scene: Board and units of the query.
        doer: The unit that acts, with its surface.
        task: The decision, such as `codes.ZONE`.
        amount: Second value of the decision.
    """
    s, numbers = scene.moment(doer)
    push_task(s, task, numbers[doer.at], amount)
    resolve_stack(s)
    return s


def tiles_asked(s: StateColumns, name: int = C.M_TILE) -> dict[int, int]:
    """Return the tiles that may be chosen, with the moves that choose them.

    Args:
        s: State of the game; read only.
        name: Name of the moves, such as `codes.M_TILE`.
    """
    keys = [key for key in s.moves[: s.n_moves] if name_in(key) == name]
    return {spot_in(key) >> 4: key for key in keys}


def choose(s: StateColumns, tile: Tile, name: int, why: str) -> None:
    """Choose a tile.

    Args:
        s: State of the game with the decision on top of the stack; changed.
        tile: The chosen tile.
        name: Name of the moves, such as `codes.M_TILE`.
        why: Message of the error.

    Raises:
        ValueError: If it may not be chosen; the message is `why`.
    """
    keys = tiles_asked(s, name)
    if tile_number(tile) not in keys:
        raise ValueError(why)
    s.n_stack -= 1
    answer(s, s.n_stack, keys[tile_number(tile)])
    resolve_stack(s)


def aims_of(task: int, amount: int = 0) -> Aims:
    """Return the callback of the surfaces on tiles that a finder may choose.

    Args:
        task: The decision, such as `codes.ZONE`.
        amount: Second value of the decision.
    """

    def aims(scene: AbilityContext, doer: PlacedUnit) -> tuple[Surface, ...]:
        s = asked(scene, doer, task, amount)
        tiles = sorted({spot_in(key) >> 4 for key in s.moves[: s.n_moves]})
        return tuple(at for tile in tiles for at in surfaces_on(s, tile))

    return aims


def own_surface(scene: AbilityContext, doer: PlacedUnit) -> tuple[Surface, ...]:
    """Return the unit's own surface, for effects that start there.

    Args:
        scene: Not used; all aims take it.
        doer: The unit that acts, with its surface.
    """
    del scene
    return (doer.at,)


rope_aims = aims_of(C.ZONE, C.ROPES_ZONE)
lava_aims = aims_of(C.ERUPTION, 2)
dam_aims = aims_of(C.DAM_TILE)
shift_aims = aims_of(C.TECTONIC)


def use_rope(scene: AbilityContext, doer: PlacedUnit, use: AbilityUse) -> AbilityOutcome:
    """Return the outcome of a Climbing Rope: its tiles.

    Args:
        scene: Board and units of the query.
        doer: The unit that acts, with its surface.
        use: Choices of the use: aim, second, direction, count.
    """
    tile = aim_of(use).tile
    s = asked(scene, doer, C.ZONE, C.ROPES_ZONE)
    choose(s, tile, C.M_TILE, f"{tile} cannot be chosen")
    return AbilityOutcome(tiles=board_tiles(at for at in land_tiles(s) if s.rope[at] >> MINE & 1))


def wind_ability(name: str) -> Using:
    """Return the callback of a wind that pushes all units of a side."""

    def using(scene: AbilityContext, doer: PlacedUnit, use: AbilityUse) -> AbilityOutcome:
        result = scene.content.called(name)
        s, _ = scene.moment(doer)
        way, side = way_of_use(use), MINE if result.who == "friends" else THEIRS
        was = before(s)
        blow_wind(s, side, way, result.amount)
        met = [s.task_a[n] for n in range(s.n_stack - 1, -1, -1)]
        resolve_stack(s)
        return AbilityOutcome(changes(s, was, met))

    return using


def use_eruption(scene: AbilityContext, doer: PlacedUnit, use: AbilityUse) -> AbilityOutcome:
    """Return the outcome of an Eruption: two tiles become lava.

    Args:
        scene: Board and units of the query.
        doer: The unit that acts, with its surface.
        use: Choices of the use: aim, second, direction, count.
    """
    one = aim_of(use).tile
    if use.second is None or use.second.tile == one:
        raise MissingChoiceError("an Eruption takes two different tiles")
    s = asked(scene, doer, C.ERUPTION, scene.content.called("eruption").amount)
    was = before(s)
    for tile in (one, use.second.tile):
        choose(s, tile, C.M_TILE, f"lava cannot be placed under what is on {tile}")
    return AbilityOutcome(changes(s, was))


def use_dam(scene: AbilityContext, doer: PlacedUnit, use: AbilityUse) -> AbilityOutcome:
    """Return the outcome of a Dam Break: a line of plain ground becomes water.

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


def use_shift(scene: AbilityContext, doer: PlacedUnit, use: AbilityUse) -> AbilityOutcome:
    """Return the outcome of a Tectonic Shift: a tile rises or sinks.

    Args:
        scene: Board and units of the query.
        doer: The unit that acts, with its surface.
        use: Choices of the use: aim, second, direction, count.
    """
    at, count = aim_of(use), 1 if use.count is None else use.count
    s, numbers = scene.moment(doer)
    s.standard_piece = abs(count)
    push_task(s, C.TECTONIC, numbers[doer.at])
    resolve_stack(s)
    was = before(s)
    why = f"{at.tile} cannot go {count:+d} from level {s.level[tile_number(at.tile)]}"
    choose(s, at.tile, C.M_RAISE if count > 0 else C.M_SINK, why)
    return AbilityOutcome(changes(s, was))


AIM: tuple[Need, ...] = ("aim",)
BRICKS = f"{FAR}, or bricks cannot rise there"


def attack_aims(scene: AbilityContext, doer: PlacedUnit) -> tuple[Surface, ...]:
    """Return the surfaces that the plain Attack reaches and sees, except friends' own.

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


NO_PLACE = f"{FAR}, or there is no free place behind the one who catches"
UPHILL = f"{FAR}, and a Cannon attacks uphill only"
TREASURE = "treasure"

ABILITIES: Mapping[str, AbilityDefinition] = {
    "attack": AbilityDefinition("the card's own attack and push", AIM, (), attack_aims, use_attack),
    "shove": skill(
        "the attack, and every adjacent enemy back 1", "shield-bearer", C.M_ATTACK, lent=C.SHOVE
    ),
    "bomb": skill("2 damage to all in AOE 1", "tinkerer", C.M_BOMB),
    "spring-trap": AbilityDefinition(
        "throws who steps on it 2 up and up to 4 away", ("aim", "second"), ("tinkerer",),
        trap_aims, use_spring,
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
    "climbing-rope": AbilityDefinition(
        "friends in 3x3 around a tile are not pushed", AIM, (TREASURE,),
        rope_aims, use_rope,
    ),
    "southern-wind": AbilityDefinition(
        "all enemies pushed 1", ("way",), (TREASURE,),
        own_surface, wind_ability("southern-wind"),
    ),
    "northern-wind": AbilityDefinition(
        "all friends pushed 1", ("way",), (TREASURE,),
        own_surface, wind_ability("northern-wind"),
    ),
    "eruption": AbilityDefinition(
        "two tiles become lava", ("aim", "second"), (TREASURE,),
        lava_aims, use_eruption,
    ),
    "dam-break": AbilityDefinition(
        "a line of up to 10 tiles becomes water", ("aim", "way", "count"), (TREASURE,),
        dam_aims, use_dam,
    ),
    "tectonic-shift": AbilityDefinition(
        "a bare tile one level up, or down with count -1", ("aim", "count"), (TREASURE,),
        shift_aims, use_shift,
    ),
}  # fmt: skip
"""Abilities by the name on the card or treasure, in lower case with hyphens."""
