"""Every ability that can be asked about, by name: whom it may aim at, and what it then does.

A command or a game asks `ABILITIES[name].aims(scene, doer)` and `.use(scene, doer, Use(…))`. What
cannot be is a ValueError with a sentence to print. Nothing here changes the scene.
"""

from __future__ import annotations

from collections.abc import Mapping

from falldamage_forge.board.surfaces import Surface
from falldamage_forge.games.fall_damage.abilities import traps, treasure
from falldamage_forge.games.fall_damage.abilities.doing import (
    FAR,
    Action,
    Met,
    Need,
    Skill,
    Tiles,
    aim_of,
    land_tiles,
    nobody,
)
from falldamage_forge.games.fall_damage.abilities.scene import Outcome, Scene, Standing, Use
from falldamage_forge.games.fall_damage.engine import codes as C
from falldamage_forge.games.fall_damage.engine.area_attacks import within_area
from falldamage_forge.games.fall_damage.engine.columns import State
from falldamage_forge.games.fall_damage.engine.notation import spot_in, way_in
from falldamage_forge.games.fall_damage.engine.surface_index import apart
from falldamage_forge.games.fall_damage.engine.targeting import cone_holds, in_area, strikes
from falldamage_forge.games.fall_damage.engine.unit_stats import may_attack, number
from falldamage_forge.games.fall_damage.play.spots import spot_of

BRICKS = f"{FAR}, or bricks cannot rise there"


def radius_of(s: State, ability: int, item: int) -> int:
    """The radius of an area."""
    return s.item_radius[item] if item else number(s, ability, C.A_RADIUS)


def in_the_area(ability: int = -1, item: int = 0, *, enemies: bool = False) -> Met:
    """Whom an area takes in, the farthest from its aim first."""

    def met(s: State, i: int, key: int) -> list[int]:
        aim, radius = spot_in(key), radius_of(s, ability, item)
        found = [
            other
            for other in range(s.n_units)
            if in_area(s, other, aim, radius) and not (enemies and s.side[other] == s.side[i])
        ]
        return sorted(found, key=lambda other: -apart(s.spot[other], aim))

    return met


def area_tiles(ability: int = -1, item: int = 0) -> Tiles:
    """The tiles of an area."""

    def tiles(s: State, i: int, key: int) -> list[int]:
        del i
        aim, radius = spot_in(key), radius_of(s, ability, item)
        return [tile for tile in land_tiles(s) if within_area(s, aim, tile << 4, radius)]

    return tiles


def in_the_cone(s: State, i: int, key: int) -> list[int]:
    """Whom a Poison Mist takes in."""
    way, own = way_in(key), s.spot[i]
    return [n for n in range(s.n_units) if n != i and cone_holds(s, own, way, s.spot[n])]


def cone_tiles(s: State, i: int, key: int) -> list[int]:
    """The tiles of a Poison Mist."""
    way, own = way_in(key), s.spot[i]
    return [tile for tile in land_tiles(s) if cone_holds(s, own, way, tile << 4 | own & 15)]


def attack_aims(scene: Scene, doer: Standing) -> tuple[Surface, ...]:
    """Surfaces that the plain Attack reaches and sees, but friends' own."""
    s, numbers = scene.moment(doer)
    i = numbers[doer.at]
    if not may_attack(s, i):
        return ()
    free = (at for at in scene.graph.surfaces if not is_friend(scene, doer, at))
    return tuple(at for at in free if strikes(s, i, spot_of(at)))


def is_friend(scene: Scene, doer: Standing, at: Surface) -> bool:
    """Whether one of its own side stands there."""
    return at in scene.by_place and scene.by_place[at].side == doer.side


ATTACK = Action(C.M_ATTACK, ("aim",))


def use_attack(scene: Scene, doer: Standing, use: Use) -> Outcome:
    """The card's Attack; nothing happens where nobody stands."""
    aim = aim_of(use)
    if aim not in scene.by_place and aim in attack_aims(scene, doer):
        return Outcome()
    return ATTACK.use(scene, doer, use)


def skill(says: str, of: str, action: Action) -> Skill:
    """A skill that is one action of the engine; `of` is a card, or "treasure"."""
    return Skill(says, action.needs, (of,) if of else (), action.aims, action.use)


AIM: tuple[Need, ...] = ("aim",)
BOMB = Action(C.M_BOMB, AIM, C.BOMB, met=in_the_area(C.BOMB), tiles=area_tiles(C.BOMB))
SPLASH = Action(C.M_SPLASH, AIM, C.SPLASH, met=in_the_area(C.SPLASH), tiles=area_tiles(C.SPLASH))
VINES = Action(
    C.M_VINES, AIM, C.BIND, met=in_the_area(C.BIND, enemies=True), tiles=area_tiles(C.BIND)
)
GRENADE = Action(
    C.M_GRENADE, AIM, item=C.GRENADE,
    met=in_the_area(item=C.GRENADE), tiles=area_tiles(item=C.GRENADE),
)  # fmt: skip
URN = Action(C.M_QUICKSAND, AIM, item=C.URN, met=nobody, tiles=area_tiles(item=C.URN))
CATCH = Action(
    C.M_CATCH, AIM, C.CATCH, why=f"{FAR}, or there is no free place behind the one who catches"
)
CANNON = Action(C.M_CANNON, AIM, item=C.CANNON, why=f"{FAR}, and a Cannon attacks uphill only")
MIST = Action(C.M_POISON, ("way",), C.POISON, met=in_the_cone, tiles=cone_tiles)
SCAFFOLD = Action(C.M_SCAFFOLD, AIM, C.SCAFFOLD, met=nobody, why=BRICKS)
PARTITION = Action(C.M_PARTITION, ("aim", "way"), C.PARTITION, met=nobody, why=BRICKS)
TREASURE = "treasure"

ABILITIES: Mapping[str, Skill] = {
    "attack": Skill("the card's own attack and push", AIM, (), attack_aims, use_attack),
    "shove": skill(
        "the attack, and every adjacent enemy back 1", "shield-bearer",
        Action(C.M_ATTACK, AIM, C.SHOVE),
    ),
    "bomb": skill("2 damage to all in AOE 1", "tinkerer", BOMB),
    "spring-trap": Skill(
        "throws who steps on it 2 up and up to 4 away", ("aim", "second"), ("tinkerer",),
        traps.trap_aims, traps.use_spring,
    ),
    "splash": skill("pushes all in AOE 1 outwards", "splash-mage", SPLASH),
    "swap": skill(
        "two units change places", "space-mage", Action(C.M_SWAP, ("aim", "second"), C.SWAP)
    ),
    "catch": skill("an enemy to the same distance behind the mage", "space-mage", CATCH),
    "scaffold": skill("a tile rises by 3", "brick-mage", SCAFFOLD),
    "partition": skill("three tiles in line rise by 2", "brick-mage", PARTITION),
    "vines": skill("enemies in AOE 1 lose their next Move", "druid", VINES),
    "promo": skill(
        "enemies within 4: Attack - 1", "wrestler", Action(C.M_PROMO, (), C.PROMOTE)
    ),
    "top-ropes": Skill(
        "a drop hurts enemies on and next to its tile twice the levels", AIM, ("wrestler",),
        traps.rope_aims, traps.use_ropes,
    ),
    "throw-potion": skill(
        "heals 3 within 3, or hurts an enemy skeleton", "medic", Action(C.M_POTION, AIM, C.POTION)
    ),
    "bandage": skill("heals 5 within 1", "medic", Action(C.M_BANDAGE, AIM, C.BANDAGE)),
    "poison-mist": skill("a cone: Move - 1, Attack - 1 at every round start", "apothecary", MIST),
    "syringe": skill(
        "an enemy within 1 loses 2 at every round start", "apothecary",
        Action(C.M_SYRINGE, AIM, C.STAB),
    ),
    "grenade": skill("2 damage and push 1 in AOE 2, within 3, no sight", TREASURE, GRENADE),
    "cannon": skill("5 damage and B3 uphill within 5", TREASURE, CANNON),
    "celestial-cannon": skill(
        "B4 within 3", TREASURE, Action(C.M_CELESTIAL, AIM, item=C.CELESTIAL)
    ),
    "assassins-knife": skill(
        "7 damage within 1, no push", TREASURE, Action(C.M_KNIFE, AIM, item=C.KNIFE)
    ),
    "quicksand-urn": skill("tiles in AOE 2 within 3 cost 2", TREASURE, URN),
    "climbing-rope": Skill(
        "friends in 3x3 around a tile are not pushed", AIM, (TREASURE,),
        treasure.rope_aims, treasure.use_rope,
    ),
    "southern-wind": Skill(
        "all enemies pushed 1", ("way",), (TREASURE,),
        treasure.own_place, treasure.gale("southern-wind"),
    ),
    "northern-wind": Skill(
        "all friends pushed 1", ("way",), (TREASURE,),
        treasure.own_place, treasure.gale("northern-wind"),
    ),
    "eruption": Skill(
        "two tiles become lava", ("aim", "second"), (TREASURE,),
        treasure.lava_aims, treasure.use_eruption,
    ),
    "dam-break": Skill(
        "a line of up to 10 tiles becomes water", ("aim", "way", "count"), (TREASURE,),
        treasure.dam_aims, treasure.use_dam,
    ),
    "tectonic-shift": Skill(
        "a bare tile one level up, or down with count -1", ("aim", "count"), (TREASURE,),
        treasure.shift_aims, treasure.use_shift,
    ),
}  # fmt: skip
"""By name, as cards and treasure name them, in lower case with hyphens."""
