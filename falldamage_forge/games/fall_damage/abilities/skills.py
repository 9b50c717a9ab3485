"""Every ability that can be asked about, by name: whom it may aim at, and what it then does.

A command or a game asks `ABILITIES[name].aims(scene, doer)` and `.use(scene, doer, Use(…))`. What
cannot be is a ValueError with a sentence to print. Nothing here changes the scene.
"""

from __future__ import annotations

from collections.abc import Mapping

from falldamage_forge.games.fall_damage.abilities import bricks
from falldamage_forge.games.fall_damage.abilities.aims import (
    BANDAGE,
    Skill,
    anybody_in_reach,
    brick_aims,
    cannon_aims,
    catch_aims,
    enemies_in_reach,
    everywhere,
    friends_in_reach,
    own_place,
    potion_aims,
    ropes_aims,
    surfaces_in_reach,
    trap_aims,
    way_of_use,
)
from falldamage_forge.games.fall_damage.abilities.displace import (
    build,
    gale,
    two_tiles,
    use_catch,
    use_ropes,
    use_spring,
    use_swap,
)
from falldamage_forge.games.fall_damage.abilities.modifiers import quicksand_zone, rope_zone
from falldamage_forge.games.fall_damage.abilities.uses import (
    blast,
    gains,
    strike,
    use_cannon,
    use_mist,
    use_potion,
    use_promo,
    use_shove,
    zone,
)

TREASURE = ("treasure",)

ABILITIES: Mapping[str, Skill] = {
    "attack": Skill("the card's own attack and push", ("aim",), (), surfaces_in_reach(), strike()),
    "shove": Skill(
        "the attack, and every adjacent enemy back 1", ("aim",), ("shield-bearer",),
        enemies_in_reach(), use_shove,
    ),
    "bomb": Skill(
        "2 damage to all in AOE 1", ("aim",), ("tinkerer",),
        surfaces_in_reach(), blast(1, damage=2, push=0),
    ),
    "spring-trap": Skill(
        "throws who steps on it 2 up and up to 4 away", ("aim", "second"), ("tinkerer",),
        trap_aims, use_spring,
    ),
    "splash": Skill(
        "pushes all in AOE 1 outwards", ("aim",), ("splash-mage",), surfaces_in_reach(), blast(1)
    ),
    "swap": Skill(
        "two units change places", ("aim", "second"), ("space-mage",), anybody_in_reach, use_swap
    ),
    "catch": Skill(
        "an enemy to the same distance behind the mage", ("aim",), ("space-mage",),
        catch_aims, use_catch,
    ),
    "scaffold": Skill(
        "a tile rises by 3", ("aim",), ("brick-mage",), brick_aims,
        build(lambda board, aim, use: bricks.scaffold(board, aim.tile)),
    ),
    "partition": Skill(
        "three tiles in line rise by 2", ("aim", "way"), ("brick-mage",), brick_aims,
        build(lambda board, aim, use: bricks.partition(board, aim.tile, way_of_use(use))),
    ),
    "vines": Skill(
        "enemies in AOE 1 lose their next Move", ("aim",), ("druid",), surfaces_in_reach(),
        blast(1, damage=0, push=0, gain="vines", enemies_only=True),
    ),
    "promo": Skill("enemies within 4: Attack - 1", (), ("wrestler",), own_place, use_promo),
    "top-ropes": Skill(
        "a drop hurts enemies on and next to its tile twice the levels", ("aim",), ("wrestler",),
        ropes_aims, use_ropes,
    ),
    "throw-potion": Skill(
        "heals 3 within 3, or hurts an enemy skeleton", ("aim",), ("medic",),
        potion_aims, use_potion,
    ),
    "bandage": Skill(
        "heals 5 within 1", ("aim",), ("medic",), friends_in_reach(BANDAGE[0]),
        gains("", friends_in_reach(BANDAGE[0]), heal=BANDAGE[1]),
    ),
    "poison-mist": Skill(
        "a cone: Move - 1, Attack - 1 at every round start", ("way",), ("apothecary",),
        own_place, use_mist,
    ),
    "syringe": Skill(
        "an enemy within 1 loses 2 at every round start", ("aim",), ("apothecary",),
        enemies_in_reach(1), gains("syringe", enemies_in_reach(1)),
    ),
    "grenade": Skill(
        "2 damage and push 1 in AOE 2, within 3, no sight", ("aim",), TREASURE,
        surfaces_in_reach(3, sight=False), blast(2, damage=2, push=1, reach=3, sight=False),
    ),
    "cannon": Skill("5 damage and B3 uphill within 5", ("aim",), TREASURE, cannon_aims, use_cannon),
    "celestial-cannon": Skill(
        "B4 within 3", ("aim",), TREASURE, enemies_in_reach(3), strike(0, "B4", 3)
    ),
    "assassins-knife": Skill(
        "7 damage within 1, no push", ("aim",), TREASURE, enemies_in_reach(1),
        strike(7, "", 1, height=True),
    ),
    "quicksand-urn": Skill(
        "tiles in AOE 2 within 3 cost 2", ("aim",), TREASURE, surfaces_in_reach(3),
        zone(lambda tile, scene: quicksand_zone(tile, scene.options), 3),
    ),
    "climbing-rope": Skill(
        "friends in 3x3 around a tile are not pushed", ("aim",), TREASURE, everywhere,
        zone(lambda tile, scene: rope_zone(tile), None),
    ),
    "southern-wind": Skill(
        "all enemies pushed 1", ("way",), TREASURE, own_place, gale(own=False)
    ),
    "northern-wind": Skill(
        "all friends pushed 1", ("way",), TREASURE, own_place, gale(own=True)
    ),
    "eruption": Skill(
        "two tiles become lava", ("aim", "second"), TREASURE, everywhere,
        build(lambda board, aim, use: bricks.erupted(board, two_tiles(use)), sight=False),
    ),
    "dam-break": Skill(
        "a line of up to 10 tiles becomes water", ("aim", "way", "count"), TREASURE, everywhere,
        build(
            lambda board, aim, use: bricks.dammed(
                board, aim.tile, way_of_use(use), use.count or bricks.DAM_TILES
            ),
            sight=False,
        ),
    ),
    "tectonic-shift": Skill(
        "a bare tile one level up, or down with count -1", ("aim", "count"), TREASURE, everywhere,
        build(
            lambda board, aim, use: bricks.shifted(
                board, aim.tile, use.count or 1
            ),
            sight=False,
        ),
    ),
}  # fmt: skip
"""By name, as cards and treasure name them, in lower case with hyphens."""
