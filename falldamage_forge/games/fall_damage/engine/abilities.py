"""What an action does."""

from falldamage_forge.games.fall_damage.engine import codes as C
from falldamage_forge.games.fall_damage.engine.area_attacks import burst, splash
from falldamage_forge.games.fall_damage.engine.attack import (
    attack_terrain,
    begin_attack,
    item_strike,
)
from falldamage_forge.games.fall_damage.engine.columns import State
from falldamage_forge.games.fall_damage.engine.effect_stack import note, owe
from falldamage_forge.games.fall_damage.engine.effects import drink, exchange, harm, heal, put, reap
from falldamage_forge.games.fall_damage.engine.hidden_items import hide, take_up
from falldamage_forge.games.fall_damage.engine.legal_moves import list_actions
from falldamage_forge.games.fall_damage.engine.notation import (
    name_in,
    spot_in,
    unit2_in,
    unit_in,
    way_in,
    word_in,
)
from falldamage_forge.games.fall_damage.engine.revival import raise_bodies
from falldamage_forge.games.fall_damage.engine.targeting import (
    behind,
    cone_holds,
    in_area,
    promoted,
)
from falldamage_forge.games.fall_damage.engine.terrain_changes import add_zone, crumble, lay
from falldamage_forge.games.fall_damage.engine.unit_stats import has, number


def act(s: State, i: int, key: int, changed: int) -> None:
    """Do an action. Where bricks came down just before it, it must still be possible."""
    if s.spot[i] < 0:
        return
    if changed:
        s.acted[i], s.n_moves = 0, 0
        list_actions(s, i)
        s.acted[i] = 1
        possible = False
        for n in range(s.n_moves):
            possible = possible or s.moves[n] == key
        if not possible:
            return
    name = name_in(key)
    if name == C.M_ATTACK or name == C.M_ROOTED:
        rooted = name == C.M_ROOTED
        if rooted:
            s.moved[i] = 2
        if unit_in(key) >= 0:
            begin_attack(s, i, unit_in(key), rooted, C.NO, way_in(key))
        else:
            attack_terrain(s, i, key, rooted)
    elif name == C.M_GRENADE or name == C.M_QUICKSAND or name == C.M_KNIFE:
        use_item(s, i, key)
    elif name == C.M_CANNON or name == C.M_CELESTIAL or name == C.M_ELIXIR:
        use_item(s, i, key)
    elif name == C.M_CRUMBLE:
        crumble(s, i)
    else:
        note(s, C.E_ABILITY, i, key)
        use_ability(s, i, key, name)


def use_item(s: State, i: int, key: int) -> None:
    """Use one item up."""
    name = name_in(key)
    item = C.URN
    if name == C.M_GRENADE:
        item = C.GRENADE
    elif name == C.M_KNIFE:
        item = C.KNIFE
    elif name == C.M_CANNON:
        item = C.CANNON
    elif name == C.M_CELESTIAL:
        item = C.CELESTIAL
    elif name == C.M_ELIXIR:
        item = C.ELIXIR_ITEM
    shift = 0
    while s.items[i] >> shift & 15 != item:
        shift += 4
    low = s.items[i] & ((1 << shift) - 1)
    s.items[i] = low | s.items[i] >> (shift + 4) << shift
    note(s, C.E_ITEM, i, item)
    if item == C.ELIXIR_ITEM:
        drink(s, i, word_in(key) == s.heal_word)
    elif item == C.URN:
        add_zone(s, C.SAND_ZONE, C.NONE, spot_in(key) >> 4)
    elif item == C.GRENADE:
        mage, radius = has(s, i, C.MAGE), s.item_radius[item]
        burst(s, i, spot_in(key), radius, s.item_attack[item], s.item_push[item], mage)
    else:
        item_strike(s, i, unit_in(key), item, way_in(key))


def use_ability(s: State, i: int, key: int, name: int) -> None:
    """Do what an ability does."""
    other = unit_in(key)
    if name == C.M_BOMB:
        amount = number(s, C.BOMB, C.A_AMOUNT)
        burst(s, i, spot_in(key), number(s, C.BOMB, C.A_RADIUS), amount, 0, C.NO)
    elif name == C.M_SPLASH:
        splash(s, i, spot_in(key))
    elif name == C.M_SPRING:
        take_up(s, i)
        hide(s, i, C.SPRING_ITEM, spot_in(key))
    elif name == C.M_SWAP:
        exchange(s, other, unit2_in(key))
        owe(s, C.REST, unit2_in(key), 0)
        owe(s, C.REST, other, 0)
    elif name == C.M_CATCH:
        end = behind(s, i, other)
        if end >= 0:
            put(s, other, end)
            if s.catch_level == C.CATCH_FALL:
                owe(s, C.DROP_UNIT, other, 1 if has(s, i, C.MAGE) else 0, i)
            else:
                owe(s, C.REST, other, 0)
    elif name == C.M_SCAFFOLD:
        lay(s, i, spot_in(key) >> 4, C.NONE, 1, number(s, C.SCAFFOLD, C.A_AMOUNT))
    elif name == C.M_PARTITION:
        count, levels = number(s, C.PARTITION, C.A_TILES), number(s, C.PARTITION, C.A_AMOUNT)
        lay(s, i, spot_in(key) >> 4, way_in(key), count, levels)
    elif name == C.M_VINES:
        for foe in range(s.n_units):
            if s.side[foe] != s.side[i]:
                if in_area(s, foe, spot_in(key), number(s, C.BIND, C.A_RADIUS)):
                    s.vines[foe] = 1
    elif name == C.M_WEREWOLF:
        s.card[i] = s.werewolf_card
        s.own[i * C.STATS + C.A], s.own[i * C.STATS + C.R] = -1, -1
    elif name == C.M_RAISE:
        raise_bodies(s, i, key, s.skeleton_card)
    elif name == C.M_PROMO:
        for foe in range(s.n_units):
            if promoted(s, i, foe):
                s.promo[foe] |= 1 << i
    elif name == C.M_POTION:
        if s.card[other] == s.skeleton_card:
            harm(s, other, number(s, C.POTION, C.A_AMOUNT), C.BY_OTHER, i)
            reap(s)
        else:
            heal(s, other, number(s, C.POTION, C.A_AMOUNT))
    elif name == C.M_BANDAGE:
        heal(s, other, number(s, C.BANDAGE, C.A_AMOUNT))
    elif name == C.M_POISON:
        for foe in range(s.n_units):
            spot = s.spot[foe]
            if spot >= 0 and cone_holds(s, s.spot[i], way_in(key), spot):
                s.mist[foe] = 1
    elif name == C.M_SYRINGE:
        s.syringe[other] = 1
