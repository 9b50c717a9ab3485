"""What attacks and actions are worth to a bot: `playtest.worth`, number by number."""

from falldamage_forge.games.fall_damage.engine import codes as C
from falldamage_forge.games.fall_damage.engine.columns import State
from falldamage_forge.games.fall_damage.engine.line_of_sight import open_line
from falldamage_forge.games.fall_damage.engine.notation import (
    name_in,
    spot2_in,
    spot_in,
    unit2_in,
    unit_in,
    way_in,
    word_in,
)
from falldamage_forge.games.fall_damage.engine.push import front, way_between
from falldamage_forge.games.fall_damage.engine.surface_index import in_reach, melee_near
from falldamage_forge.games.fall_damage.engine.targeting import cone_holds, in_area
from falldamage_forge.games.fall_damage.engine.unit_stats import (
    attack_number,
    has,
    height_number,
    lends,
    letter_of,
    number,
    printed,
    reach_of,
    tiles_of,
)
from falldamage_forge.playtest.core.columns import Bots
from falldamage_forge.playtest.core.lore import pushed

KILL = 6.0
CHEST = 2.5
CLOSE = 0.35
CALM_ROUND = 8
HIGH = 0.12


def hurt(s: State, bots: Bots, i: int, damage: int) -> float:
    """Worth of some damage to an enemy."""
    if damage <= 0:
        return 0.0
    return damage + KILL if damage >= s.health[i] else damage * 1.0


def strike(
    s: State, bots: Bots, i: int, target: int, spot: int, damage: int, letter: int, tiles: int
) -> float:
    """Worth of a blow on an enemy from a surface."""
    if damage >= s.health[target]:
        return hurt(s, bots, target, damage)
    there = s.spot[target]
    fall, dead = 0, C.NO
    if letter != C.NO_LETTER and letter != C.FRONT:
        way = way_between(spot, there, letter)
        fall, dead = pushed(s, bots, target, way, tiles, spot & 15, has(s, i, C.MAGE))
    if dead:
        return s.health[target] + KILL
    worth = hurt(s, bots, target, damage + fall)
    if damage > 0 and has(s, target, C.COUNTER) and melee_near(s, there, spot, 0):
        worth -= min(printed(s, target, C.A), s.health[i]) * 0.7
    if s.thorns[target] and melee_near(s, there, spot, 0):
        worth -= 3
    return worth


def best_attack(s: State, bots: Bots, i: int, spot: int) -> float:
    """Worth of the best plain Attack a unit could make from a surface."""
    best = 0.0
    reach, letter, tiles = reach_of(s, i), letter_of(s, i), tiles_of(s, i)
    sharp = reach <= 1 or s.no_sight_needed[i] == 1 or has(s, i, C.ARC)
    melee = reach <= 1
    plain = -1_000_000
    for target in range(s.n_units):
        there = s.spot[target]
        if there < 0 or s.side[target] == s.side[i]:
            continue
        if not in_reach(s, spot, there, max(reach, 1)):
            continue
        if not sharp and not open_line(s, spot, there, s.spot[i], C.NONE, C.NONE, C.NONE):
            continue
        if plain == -1_000_000:
            plain = attack_number(s, i, melee, C.NO)
        found = plain + height_number(s, spot, there, melee)
        best = max(best, strike(s, bots, i, target, spot, max(found, 0), letter, tiles))
    return best


def action_worth(s: State, bots: Bots, i: int, key: int) -> float:
    """Worth of an action that is legal now."""
    name, own = name_in(key), s.spot[i]
    if name == C.M_ATTACK or name == C.M_ROOTED:
        return attack_worth(s, bots, i, key, name == C.M_ROOTED)
    if name == C.M_BOMB or name == C.M_GRENADE or name == C.M_SPLASH:
        return area_worth(s, bots, i, name, spot_in(key))
    if name == C.M_POTION or name == C.M_BANDAGE:
        return healing_worth(s, bots, i, name, unit_in(key))
    if name == C.M_KNIFE or name == C.M_CANNON or name == C.M_CELESTIAL:
        item = C.KNIFE
        if name == C.M_CANNON:
            item = C.CANNON
        elif name == C.M_CELESTIAL:
            item = C.CELESTIAL
        return strike(
            s,
            bots,
            i,
            unit_in(key),
            own,
            s.item_attack[item],
            s.item_letter[item],
            s.item_push[item],
        )
    if name == C.M_SWAP:
        return swap_worth(s, bots, i, unit_in(key), unit2_in(key))
    if name == C.M_SCAFFOLD or name == C.M_PARTITION:
        return lift_worth(s, bots, i, name, spot_in(key))
    return flat_worth(s, bots, i, key, name)


def flat_worth(s: State, bots: Bots, i: int, key: int, name: int) -> float:
    """Worth of what is no damage at once."""
    side, own, count = s.side[i], s.spot[i], 0
    if name == C.M_POISON:
        for other in range(s.n_units):
            if s.spot[other] < 0 or s.mist[other]:
                continue
            if cone_holds(s, own, way_in(key), s.spot[other]):
                count += 1 if s.side[other] != side else -1
        return 1.6 * count
    if name == C.M_VINES:
        for other in range(s.n_units):
            if s.side[other] == side or s.vines[other] or s.activated[other]:
                continue
            if in_area(s, other, spot_in(key), number(s, C.BIND, C.A_RADIUS)):
                count += 1
        return 1.4 * count
    if name == C.M_PROMO:
        for other in range(s.n_units):
            if s.spot[other] >= 0 and s.side[other] != side:
                count += 1
        return 0.6 * count / 2
    if name == C.M_RAISE:
        return 5.0 * (2 if spot2_in(key) >= 0 else 1)
    if name == C.M_SYRINGE:
        return 4.0
    if name == C.M_WEREWOLF:
        return 2.2
    if name == C.M_SPRING:
        return 0.4
    if name == C.M_CATCH:
        return 0.5
    return 0.3 if name == C.M_QUICKSAND else 0.1


def attack_worth(s: State, bots: Bots, i: int, key: int, rooted: int) -> float:
    """Worth of a plain Attack."""
    target = unit_in(key)
    if target < 0:
        return siege_worth(s, bots, i, key)
    own, there = s.spot[i], s.spot[target]
    melee = reach_of(s, i) == 1
    found = attack_number(s, i, melee, rooted) + height_number(s, own, there, melee)
    worth = strike(s, bots, i, target, own, max(found, 0), letter_of(s, i), tiles_of(s, i))
    return worth - (0.3 if rooted else 0.0)


def siege_worth(s: State, bots: Bots, i: int, key: int) -> float:
    """Worth of shooting at terrain."""
    word = word_in(key)
    if s.word_kind[word] != C.W_DECK:
        return 0.02
    row = s.word_value[word]
    if s.deck_scar[row] + attack_number(s, i, C.NO, C.NO) < 5:
        return 0.05
    worth, level = 0.0, s.deck_level[row]
    for other in range(s.n_units):
        spot = s.spot[other]
        if spot < 0 or spot & 15 != level:
            continue
        for k in range(s.deck_count[row]):
            if s.deck_tiles[row * C.DECK_LENGTH + k] == spot >> 4:
                ground = spot >> 4
                below = s.level[ground] + s.bricks[ground]
                sign = 1 if s.side[other] != s.side[i] else -1
                worth += sign * hurt(s, bots, other, level - below)
                break
    return worth


def area_worth(s: State, bots: Bots, i: int, name: int, aim: int) -> float:
    """Worth of an area attack."""
    mage, level, side = has(s, i, C.MAGE), s.spot[i] & 15, s.side[i]
    if name == C.M_GRENADE:
        row = C.GRENADE
        radius, damage, tiles = s.item_radius[row], s.item_attack[row], s.item_push[row]
    elif name == C.M_BOMB:
        radius, tiles = number(s, C.BOMB, C.A_RADIUS), 0
        damage = number(s, C.BOMB, C.A_AMOUNT)
    else:
        lent = lends(s, i, C.SPLASH)
        card = lent if lent >= 0 else s.card[i]
        radius = number(s, C.SPLASH, C.A_RADIUS)
        damage = max(attack_number(s, i, C.NO, C.NO), 0)
        tiles = s.printed[card * C.STATS + C.P] + s.push_plus[i]
    worth = 0.0
    for other in range(s.n_units):
        if not in_area(s, other, aim, radius):
            continue
        fall, dead = 0, C.NO
        if tiles:
            way = -1 if s.spot[other] >> 4 == aim >> 4 else front(aim, s.spot[other])
            fall, dead = pushed(s, bots, other, way, tiles, level, mage)
        one = s.health[other] + KILL if dead else hurt(s, bots, other, damage + fall)
        worth += one if s.side[other] != side else -1.3 * one
    return worth


def healing_worth(s: State, bots: Bots, i: int, name: int, other: int) -> float:
    """Worth of a Medic's help."""
    amount = number(s, C.POTION if name == C.M_POTION else C.BANDAGE, C.A_AMOUNT)
    friend = s.side[other] == s.side[i]
    skeleton = s.card[other] == s.skeleton_card and name == C.M_POTION
    if not friend:
        return hurt(s, bots, other, amount)
    if skeleton:
        return -1.0 * amount
    return 0.8 * min(amount, s.max_health[other] - s.health[other])


def lift_worth(s: State, bots: Bots, i: int, name: int, spot: int) -> float:
    """Worth of bricks: who is lifted by them."""
    flat = 0.3 if name == C.M_SCAFFOLD else 0.2
    other = s.occupant[spot]
    if other < 0:
        return flat + 0.0
    high = 3.0 if name == C.M_SCAFFOLD else 2.0
    return flat + (high if s.side[other] != s.side[i] else -high)


def swap_worth(s: State, bots: Bots, i: int, one: int, other: int) -> float:
    """Friends like it high, enemies are liked low."""
    if s.side[one] == s.side[other]:
        return -0.1
    friend, foe = one, other
    if s.side[one] != s.side[i]:
        friend, foe = other, one
    rise = (s.spot[foe] & 15) - (s.spot[friend] & 15)
    return 0.4 * rise - 0.2
