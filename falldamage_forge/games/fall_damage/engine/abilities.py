"""Actions of an activation: attacks, items and abilities, resolved by name."""

from falldamage_forge.games.fall_damage.engine import (
    attack,
    effects,
    notation,
    targeting,
    terrain_changes,
)
from falldamage_forge.games.fall_damage.engine import codes as C
from falldamage_forge.games.fall_damage.engine.columns import StateColumns
from falldamage_forge.games.fall_damage.engine.hidden_items import hide, take_up
from falldamage_forge.games.fall_damage.engine.legal_moves import list_actions
from falldamage_forge.games.fall_damage.engine.revival import raise_bodies
from falldamage_forge.games.fall_damage.engine.unit_stats import has_ability, number


def act(s: StateColumns, i: int, key: int, changed: int) -> None:
    """Resolve an action, unless an earlier effect has made it impossible.

    Args:
        s: State of the game; changed.
        i: The unit that acts; nothing happens if it is off the board.
        key: The move.
        changed: 1 if bricks have crumbled since the move was listed; the move is then listed again.
    """
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
    name = notation.name_in(key)
    if name == C.M_ATTACK or name == C.M_ROOTED:
        rooted = name == C.M_ROOTED
        if rooted:
            s.moved[i] = 2
        if notation.unit_in(key) >= 0:
            attack.begin_attack(s, i, notation.unit_in(key), rooted, C.NO, notation.way_in(key))
        else:
            attack.attack_terrain(s, i, key, rooted)
    elif C.ITEM_OF[name] > 0:
        use_item(s, i, key, C.ITEM_OF[name])
    elif name == C.M_CRUMBLE:
        terrain_changes.remove_bricks(s, i)
    else:
        effects.emit_event(s, C.E_ABILITY, i, key)
        use_ability(s, i, key, name)


def use_item(s: StateColumns, i: int, key: int, item: int) -> None:
    """Resolve a single-use item and remove it from the unit.

    Args:
        s: State of the game; changed.
        i: Index of the unit that uses it.
        key: Number of the move, which holds the target.
        item: Number of the item, such as `codes.KNIFE`; the unit has it.
    """
    shift = 0
    while s.items[i] >> shift & 15 != item:
        shift += 4
    low = s.items[i] & ((1 << shift) - 1)
    s.items[i] = low | s.items[i] >> (shift + 4) << shift
    effects.emit_event(s, C.E_ITEM, i, item)
    if item == C.ELIXIR_ITEM:
        effects.gain_max_health(s, i, notation.word_in(key) == s.heal_word)
    elif item == C.URN:
        terrain_changes.add_zone(s, C.SAND_ZONE, C.NONE, notation.spot_in(key) >> 4)
    elif item == C.GRENADE:
        mage, radius = has_ability(s, i, C.MAGE), s.item_radius[item]
        attack.resolve_area_attack(
            s, i, notation.spot_in(key), radius, s.item_attack[item], s.item_push[item], mage
        )
    else:
        attack.item_strike(s, i, notation.unit_in(key), item, notation.way_in(key))


def use_ability(s: StateColumns, i: int, key: int, name: int) -> None:
    """Resolve an ability that takes the Action.

    Args:
        s: State of the game; changed.
        i: Index of the unit that uses it.
        key: Number of the move, which holds the target.
        name: Name of the move, such as `codes.M_BOMB`.
    """
    other = notation.unit_in(key)
    if name == C.M_BOMB:
        amount = number(s, C.BOMB, C.A_AMOUNT)
        attack.resolve_area_attack(
            s, i, notation.spot_in(key), number(s, C.BOMB, C.A_RADIUS), amount, 0, C.NO
        )
    elif name == C.M_SPLASH:
        attack.splash(s, i, notation.spot_in(key))
    elif name == C.M_SPRING:
        take_up(s, i)
        hide(s, i, C.SPRING_ITEM, notation.spot_in(key))
    elif name == C.M_SWAP:
        effects.exchange(s, other, notation.unit2_in(key))
        effects.push_task(s, C.REST, notation.unit2_in(key), 0)
        effects.push_task(s, C.REST, other, 0)
    elif name == C.M_CATCH:
        end = targeting.behind(s, i, other)
        if end >= 0:
            effects.put(s, other, end)
            if s.catch_level == C.CATCH_FALL:
                effects.push_task(s, C.DROP_UNIT, other, 1 if has_ability(s, i, C.MAGE) else 0, i)
            else:
                effects.push_task(s, C.REST, other, 0)
    elif name == C.M_SCAFFOLD:
        terrain_changes.place_bricks(s, i, C.SCAFFOLD, notation.spot_in(key) >> 4, C.NONE)
    elif name == C.M_PARTITION:
        terrain_changes.place_bricks(
            s, i, C.PARTITION, notation.spot_in(key) >> 4, notation.way_in(key)
        )
    elif name == C.M_VINES:
        for foe in range(s.n_units):
            if s.side[foe] != s.side[i]:
                if targeting.in_area(s, foe, notation.spot_in(key), number(s, C.BIND, C.A_RADIUS)):
                    s.vines[foe] = 1
    elif name == C.M_WEREWOLF:
        s.card[i] = s.werewolf_card
        s.own[i * C.STATS + C.A], s.own[i * C.STATS + C.R] = -1, -1
    elif name == C.M_RAISE:
        raise_bodies(s, i, key, s.skeleton_card)
    elif name == C.M_PROMO:
        for foe in range(s.n_units):
            if targeting.promo_reaches(s, i, foe):
                s.promo[foe] |= 1 << i
    elif name == C.M_POTION:
        if s.card[other] == s.skeleton_card:
            effects.deal_damage(s, other, number(s, C.POTION, C.A_AMOUNT), C.BY_OTHER, i)
            effects.remove_dead(s)
        else:
            effects.heal(s, other, number(s, C.POTION, C.A_AMOUNT))
    elif name == C.M_BANDAGE:
        effects.heal(s, other, number(s, C.BANDAGE, C.A_AMOUNT))
    elif name == C.M_POISON:
        for foe in range(s.n_units):
            spot = s.spot[foe]
            if spot >= 0 and targeting.cone_holds(s, s.spot[i], notation.way_in(key), spot):
                s.mist[foe] = 1
    elif name == C.M_SYRINGE:
        s.syringe[other] = 1
