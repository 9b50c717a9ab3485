"""Evaluation of attacks and actions for the one-ply bots, in points of health, by map knowledge."""

from falldamage_forge.games.fall_damage.engine import codes as C
from falldamage_forge.games.fall_damage.engine import (
    notation,
    targeting,
    terrain_state,
)
from falldamage_forge.games.fall_damage.engine.columns import StateColumns
from falldamage_forge.games.fall_damage.engine.falls import fall_damage, pool_of
from falldamage_forge.games.fall_damage.engine.line_of_sight import fogged, open_line
from falldamage_forge.games.fall_damage.engine.push import front, push_direction, roll, slide
from falldamage_forge.games.fall_damage.engine.surface_index import apart, in_reach, melee_near
from falldamage_forge.games.fall_damage.engine.targeting import cone_holds, in_area
from falldamage_forge.games.fall_damage.engine.unit_stats import (
    attack_number,
    has_ability,
    height_number,
    is_immovable,
    lends,
    letter_of,
    number,
    reach_of,
    tiles_of,
)
from falldamage_forge.playtest.bot_kernels.bot_columns import MOST_PIECES, Bots
from falldamage_forge.playtest.bot_kernels.distances import (
    CARRIED,
)


def push_result(
    s: StateColumns, bots: Bots, i: int, spot: int, way: int, tiles: int, level: int, mage: int
) -> tuple[int, bool]:
    """Return the damage of a push from a surface and true for death, ignoring other units.

    Args:
        s: State of the game; only work columns change.
        bots: Columns of the bots; read only.
        i: Index of the pushed unit.
        spot: Surface index.
        way: Direction of the push: 0 north, 1 east, 2 south, 3 west; negative for none.
        tiles: Length of the push in tiles.
        level: Level of the pusher.
        mage: 1 if a mage pushes, which adds to fall damage.
    """
    if way < 0 or tiles <= 0 or is_immovable(s, i):
        return 0, False
    light = has_ability(s, i, C.NO_FALL)
    extra = number(s, C.MAGE, C.A_AMOUNT) if mage else 0
    _, damage, dead = slide(s, s.base, spot, way, tiles, level, extra, light, C.NO, C.NO)
    return damage, dead != C.SURVIVES


KILL = 6.0
SURE, LATER = 1.0, 0.5
"""Parts of a fall from bricks that a unit on them counts: before its next Move, and after it."""
CALM_ROUND = 8
BEGUN = 0.5
"""Part of a bridge's worth that attacks share which leave it standing."""


def death_value(s: StateColumns, bots: Bots, i: int) -> float:
    """Return the value of a unit's death to its enemy.

    Args:
        s: State of the game; read only.
        bots: Columns of the bots; read only.
        i: Index of the unit.
    """
    return s.health[i] + KILL + (2 * CARRIED if s.carries[i] else 0.0)


def damage_value(s: StateColumns, bots: Bots, i: int, damage: int) -> float:
    """Return the value of damage to an enemy; a kill adds `KILL`.

    Args:
        s: State of the game; read only.
        bots: Columns of the bots; read only.
        i: Index of the damaged unit.
        damage: Damage; 0 and less have no value.
    """
    if damage <= 0:
        return 0.0
    if damage < s.health[i]:
        return damage * 1.0
    return death_value(s, bots, i) + damage - s.health[i]


def attack_value(
    s: StateColumns,
    bots: Bots,
    i: int,
    target: int,
    spot: int,
    damage: int,
    letter: int,
    tiles: int,
    melee: int,
) -> float:
    """Return the value of an attack on an enemy from a surface.

    Args:
        s: State of the game; only work columns change.
        bots: Columns of the bots; read only.
        i: The attacker.
        target: Index of the attacked unit.
        spot: Surface of the attacker.
        damage: Damage of the attack.
        letter: Letter of its push.
        tiles: Length of its push in tiles.
        melee: 1 if the attack is melee.
    """
    there, thorns = s.spot[target], 0
    if melee and s.thorns[target]:
        thorns = s.amounts[C.X_THORNS]
    back = bots.price * damage_value(s, bots, i, thorns) / 100
    if damage >= s.health[target]:
        return damage_value(s, bots, target, damage) - back
    if damage > 0 and melee and has_ability(s, target, C.COUNTER) and thorns < s.health[i]:
        back = bots.price * counter_value(s, bots, i, target, spot, thorns) / 100
    fall, dead = 0, C.NO
    if letter != C.NO_LETTER and letter != C.FRONT:
        way, mage = push_direction(spot, there, letter), has_ability(s, i, C.MAGE)
        fall, dead = push_result(s, bots, target, there, way, tiles, spot & 15, mage)
    if dead:
        return death_value(s, bots, target) - back
    return damage_value(s, bots, target, damage + fall) - back


def counter_value(
    s: StateColumns, bots: Bots, i: int, target: int, spot: int, before: int
) -> float:
    """Return the value to the enemy of its Counter, with the push.

    Args:
        s: State of the game; only work columns change.
        bots: Columns of the bots; read only.
        i: The attacker, which is hit by the Counter.
        target: The unit that strikes back.
        spot: Surface of the attacker.
        before: Damage to the attacker before the Counter.
    """
    there = s.spot[target]
    if not melee_near(s, there, spot, 0):
        return damage_value(s, bots, i, before)
    harm = max(attack_number(s, target, C.YES, C.NO) + height_number(s, there, spot, C.YES), 0)
    way = push_direction(there, spot, letter_of(s, target))
    fall, dead = push_result(s, bots, i, spot, way, tiles_of(s, target), there & 15, C.NO)
    if dead:
        return death_value(s, bots, i)
    return damage_value(s, bots, i, before + harm + fall)


def best_attack(s: StateColumns, bots: Bots, i: int, spot: int) -> float:
    """Return the value of the best plain Attack from a surface on the foes of `update_threats`.

    Args:
        s: State of the game; changed.
        bots: Columns of the bots; read only.
        i: Index of the attacker.
        spot: Surface index from which it would attack.
    """
    best = 0.0
    row, col = spot >> 10, spot >> 4 & 63
    reach, letter, tiles = reach_of(s, i), letter_of(s, i), tiles_of(s, i)
    sharp = reach <= 1 or s.no_sight_needed[i] == 1 or has_ability(s, i, C.ARC)
    melee = reach <= 1
    plain, far = -1_000_000, max(reach, 1)
    for n in range(bots.n_foes):
        there = bots.foe_spot[n]
        # A cheap test first: most foes are out of reach in any shape of it.
        if abs((there >> 10) - row) > far or abs((there >> 4 & 63) - col) > far:
            continue
        if not in_reach(s, spot, there, far):
            continue
        if not sharp and not open_line(s, spot, there, s.spot[i], C.NONE, C.NONE, C.NONE):
            continue
        if not melee and fogged(s, spot, there):
            continue
        if plain == -1_000_000:
            plain = attack_number(s, i, melee, C.NO)
        found = plain + height_number(s, spot, there, melee)
        worth = attack_value(s, bots, i, bots.foe[n], spot, max(found, 0), letter, tiles, melee)
        best = max(best, worth)
    best = max(best, best_siege(s, bots, i, spot)) if bots.n_pieces else best
    if s.n_bricks and s.crumble == C.CRUMBLE_ANY:
        best = max(best + crumble_value(s, bots, i, spot), 0.0)
    return best


def list_pieces(s: StateColumns, bots: Bots, side: int) -> None:
    """Record the bridges with a foe on them, and the Spires.

    Args:
        s: State of the game; read only.
        bots: Columns of the bots; changed.
        side: Side that would attack them: 0 red, 1 blue.
    """
    count = 0
    for n in range(s.n_decks):
        if s.deck_alive[n] and count < MOST_PIECES and fallen_worth(s, bots, side, n) > 0:
            bots.piece[count] = s.deck_word[n]
            count += 1
    for n in range(s.n_features):
        tile = s.feature_tiles[n]
        if s.feature[tile] == C.SPIRE and count < MOST_PIECES:
            bots.piece[count] = s.tile_word[tile]
            count += 1
    bots.n_pieces = count


def best_siege(s: StateColumns, bots: Bots, i: int, spot: int) -> float:
    """Return the value of the best plain Attack from a surface on the pieces of `list_pieces`.

    Args:
        s: State of the game; restored at the end.
        bots: Columns of the bots; read only.
        i: Index of the attacker.
        spot: Surface index from which it would attack.
    """
    best, own = 0.0, s.spot[i]
    s.spot[i] = spot
    for n in range(bots.n_pieces):
        word = bots.piece[n]
        spire = s.word_kind[word] == C.W_SPIRE
        where = s.word_value[word]
        aim = targeting.aim_at_feature(s, i, where) if spire else targeting.aim_at_deck(s, i, where)
        if aim >= 0:
            best = max(best, siege_worth(s, bots, i, word, aim))
    s.spot[i] = own
    return best


def crumble_value(s: StateColumns, bots: Bots, i: int, spot: int) -> float:
    """Return the value of the falls when a unit's bricks come down.

    Args:
        s: State of the game; read only.
        bots: Columns of the bots; read only.
        i: The unit that has laid the bricks.
        spot: Surface of the unit.

    Source: "Brick spells crumble with Brick Mage action or after 2 round starts".
    """
    worth = 0.0
    for other in range(s.n_units):
        at = spot if other == i else s.spot[other]
        row = bricks_under(s, at)
        if row >= 0 and s.brick_owner[row] == i:
            harm = damage_value(s, bots, other, brick_fall(s, other, row, at))
            worth += harm if s.side[other] != s.side[i] else -harm
    return worth


def bricks_under(s: StateColumns, spot: int) -> int:
    """Return the placement of bricks that carries a surface; -1: none.

    Args:
        s: State of the game; read only.
        spot: Surface index.
    """
    if spot < 0 or s.bricks[spot >> 4] == 0:
        return -1
    if spot & 15 != s.level[spot >> 4] + s.bricks[spot >> 4]:
        return -1
    for n in range(s.n_bricks):
        for k in range(s.brick_count[n]):
            if s.brick_tiles[n * C.BRICK_LENGTH + k] == spot >> 4:
                return n
    return -1


def brick_fall(s: StateColumns, i: int, row: int, spot: int) -> int:
    """Return the damage to a unit on a surface when the bricks under it come down.

    Args:
        s: State of the game; read only.
        i: Index of the unit.
        row: Index in the columns of bricks.
        spot: Surface index.
    """
    wet = s.kind[spot >> 4] == C.WATER
    return fall_damage(s, i, s.brick_levels[row], wet, C.YES)


def bricks_risk(s: StateColumns, bots: Bots, i: int, spot: int) -> float:
    """Return the expected loss of a unit that stays on bricks.

    Args:
        s: State of the game; read only.
        bots: Columns of the bots; read only.
        i: Index of the unit.
        spot: Surface index.
    """
    row = bricks_under(s, spot)
    if row < 0:
        return 0.0
    loss = damage_value(s, bots, i, brick_fall(s, i, row, spot))
    own = s.side[s.brick_owner[row]] == s.side[i]
    return loss * (LATER if own and s.brick_left[row] > 1 else SURE)


def action_value(s: StateColumns, bots: Bots, i: int, key: int) -> float:
    """Return the value of a legal action, and of the bricks that it brings down.

    Args:
        s: State of the game; only work columns change.
        bots: Columns of the bots; read only.
        i: Index of the unit.
        key: Number of the move.
    """
    worth = effect_value(s, bots, i, key)
    if s.n_bricks and (s.crumble == C.CRUMBLE_ANY or notation.name_in(key) == C.M_CRUMBLE):
        worth += crumble_value(s, bots, i, s.spot[i])
    return worth


def effect_value(s: StateColumns, bots: Bots, i: int, key: int) -> float:
    """Return the value of an action's own effect.

    Args:
        s: State of the game; only work columns change.
        bots: Columns of the bots; read only.
        i: Index of the unit.
        key: Number of the move.
    """
    name, own = notation.name_in(key), s.spot[i]
    if name == C.M_ATTACK or name == C.M_ROOTED:
        return attack_worth(s, bots, i, key, name == C.M_ROOTED)
    if name == C.M_BOMB or name == C.M_GRENADE or name == C.M_SPLASH:
        return area_worth(s, bots, i, name, notation.spot_in(key))
    if name == C.M_POTION or name == C.M_BANDAGE:
        return healing_worth(s, bots, i, name, notation.unit_in(key))
    if name == C.M_KNIFE or name == C.M_CANNON or name == C.M_CELESTIAL:
        item = C.KNIFE
        if name == C.M_CANNON:
            item = C.CANNON
        elif name == C.M_CELESTIAL:
            item = C.CELESTIAL
        return attack_value(
            s,
            bots,
            i,
            notation.unit_in(key),
            own,
            s.item_attack[item],
            s.item_letter[item],
            s.item_push[item],
            s.item_reach[item] <= 1,
        )
    if name == C.M_SWAP:
        return swap_worth(s, bots, i, notation.unit_in(key), notation.unit2_in(key))
    if name == C.M_SCAFFOLD or name == C.M_PARTITION:
        return lift_worth(s, bots, i, name, notation.spot_in(key))
    return flat_worth(s, bots, i, key, name)


def flat_worth(s: StateColumns, bots: Bots, i: int, key: int, name: int) -> float:
    """Return the value of an action without immediate damage.

    Args:
        s: State of the game; read only.
        bots: Columns of the bots; read only.
        i: Index of the unit.
        key: Number of the move.
        name: Name of the move, such as `codes.M_VINES`.
    """
    side, own, count = s.side[i], s.spot[i], 0
    if name == C.M_POISON:
        for other in range(s.n_units):
            if s.spot[other] < 0 or s.mist[other]:
                continue
            if cone_holds(s, own, notation.way_in(key), s.spot[other]):
                count += 1 if s.side[other] != side else -1
        return 1.6 * count
    if name == C.M_VINES:
        for other in range(s.n_units):
            if s.side[other] == side or s.vines[other] or s.activated[other]:
                continue
            if in_area(s, other, notation.spot_in(key), number(s, C.BIND, C.A_RADIUS)):
                count += 1
        return 1.4 * count
    if name == C.M_PROMO:
        for other in range(s.n_units):
            if s.spot[other] >= 0 and s.side[other] != side:
                count += 1
        return 0.6 * count / 2
    if name == C.M_RAISE:
        return 5.0 * (2 if notation.spot2_in(key) >= 0 else 1)
    if name == C.M_SYRINGE:
        return 4.0
    if name == C.M_WEREWOLF:
        return 2.2
    if name == C.M_SPRING:
        return 0.4
    if name == C.M_CATCH:
        return 0.5
    return 0.3 if name == C.M_QUICKSAND else 0.1


def attack_worth(s: StateColumns, bots: Bots, i: int, key: int, rooted: int) -> float:
    """Return the value of a plain Attack.

    Args:
        s: State of the game; only work columns change.
        bots: Columns of the bots; read only.
        i: Index of the attacker.
        key: Number of the move.
        rooted: 1 if the attack is Rooted.
    """
    target = notation.unit_in(key)
    if target < 0:
        return siege_worth(s, bots, i, notation.word_in(key), notation.spot_in(key))
    own, there = s.spot[i], s.spot[target]
    melee = reach_of(s, i) == 1
    found = attack_number(s, i, melee, rooted) + height_number(s, own, there, melee)
    letter, tiles = letter_of(s, i), tiles_of(s, i)
    worth = attack_value(s, bots, i, target, own, max(found, 0), letter, tiles, melee)
    return worth - (0.3 if rooted else 0.0)


AT_HAND = 4
"""Tiles from an enemy to a tree, a bridge or a ladder whose loss may close or open its way."""


def is_useless_shot(s: StateColumns, bots: Bots, i: int, key: int) -> bool:
    """True for an attack on a tree, a bridge or a ladder from which a side has no gain.

    Gains are an enemy that falls, and a target that is destroyed where an enemy is at hand, whose
    way it closes or whose cover it was.

    Args:
        s: State of the game; read only.
        bots: Columns of the bots; read only.
        i: Index of the attacker.
        key: Number of the move.
    """
    name = notation.name_in(key)
    if (name != C.M_ATTACK and name != C.M_ROOTED) or notation.unit_in(key) >= 0:
        return False
    word, aim = notation.word_in(key), notation.spot_in(key)
    kind, row = s.word_kind[word], s.word_value[word]
    if kind == C.W_SPIRE or (kind == C.W_DECK and fallen_worth(s, bots, s.side[i], row) > 0):
        return False
    melee = reach_of(s, i) == 1
    done = attack_number(s, i, melee, C.NO) + height_number(s, s.spot[i], aim, melee)
    if kind == C.W_TREE:
        done += s.scar[row]
    else:
        done += s.ladder_scar[row] if kind == C.W_LADDER else s.deck_scar[row]
    if done < pool_of(s, kind):
        return True
    for foe in range(s.n_units):
        if s.spot[foe] >= 0 and s.side[foe] != s.side[i] and apart(s.spot[foe], aim) <= AT_HAND:
            return False
    return True


def siege_worth(s: StateColumns, bots: Bots, i: int, word: int, aim: int) -> float:
    """Return the value of an attack on a terrain target.

    Args:
        s: State of the game; only work columns change.
        bots: Columns of the bots; read only.
        i: The attacker.
        word: Word of the target.
        aim: Surface of the target at which the attack aims.
    """
    own, row = s.spot[i], s.word_value[word]
    if s.word_kind[word] == C.W_SPIRE:
        moved, hit = roll(s, row, push_direction(own, aim, letter_of(s, i)), tiles_of(s, i))
        struck = s.occupant[hit] if moved and hit >= 0 else -1
        if struck < 0:
            return 0.02
        sign = 1 if s.side[struck] != s.side[i] else -1
        return sign * damage_value(s, bots, struck, s.spire_damage)
    if s.word_kind[word] != C.W_DECK:
        return 0.02
    melee = reach_of(s, i) == 1
    left = s.bridge_health - s.deck_scar[row]
    done = max(attack_number(s, i, melee, C.NO) + height_number(s, own, aim, melee), 0)
    worth = fallen_worth(s, bots, s.side[i], row)
    return worth if done >= left else 0.05 + max(BEGUN * worth * done / left, 0.0)


def fallen_worth(s: StateColumns, bots: Bots, side: int, row: int) -> float:
    """Return the value to a side of the falls of all units on a bridge that goes.

    Args:
        s: State of the game; read only.
        bots: Columns of the bots; read only.
        side: 0 red, 1 blue.
        row: Number of the bridge.
    """
    worth, level = 0.0, s.deck_level[row]
    for other in range(s.n_units):
        spot = s.spot[other]
        if spot < 0 or spot & 15 != level:
            continue
        for k in range(s.deck_count[row]):
            if s.deck_tiles[row * C.DECK_LENGTH + k] == spot >> 4:
                below = terrain_state.highest_below(s, C.GROUND, spot >> 4, level - 1)
                sign = 1 if s.side[other] != side else -1
                end = spot >> 4 << 4 | max(below, 0)
                if terrain_state.lava(s, C.GROUND, end) and not s.discorporate[other]:
                    worth += sign * death_value(s, bots, other)
                else:
                    worth += sign * damage_value(s, bots, other, level - max(below, 0))
                break
    return worth


def area_worth(s: StateColumns, bots: Bots, i: int, name: int, aim: int) -> float:
    """Return the value of an area attack.

    Args:
        s: State of the game; only work columns change.
        bots: Columns of the bots; read only.
        i: Index of the attacker.
        name: Name of the move: `codes.M_GRENADE`, `codes.M_BOMB` or `codes.M_SPLASH`.
        aim: Surface index in the middle of the area.
    """
    mage, level, side = has_ability(s, i, C.MAGE), s.spot[i] & 15, s.side[i]
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
            fall, dead = push_result(s, bots, other, s.spot[other], way, tiles, level, mage)
        one = damage_value(s, bots, other, damage + fall)
        if dead:
            one = death_value(s, bots, other)
        worth += one if s.side[other] != side else -1.3 * bots.price * one / 100
    return worth


def healing_worth(s: StateColumns, bots: Bots, i: int, name: int, other: int) -> float:
    """Return the value of a Medic's healing.

    Args:
        s: State of the game; read only.
        bots: Columns of the bots; read only.
        i: Index of the Medic.
        name: Name of the move: `codes.M_POTION` or `codes.M_BANDAGE`.
        other: Index of the target.
    """
    amount = number(s, C.POTION if name == C.M_POTION else C.BANDAGE, C.A_AMOUNT)
    friend = s.side[other] == s.side[i]
    skeleton = s.card[other] == s.skeleton_card and name == C.M_POTION
    if not friend:
        return damage_value(s, bots, other, amount)
    if skeleton:
        return -1.0 * amount
    return 0.8 * min(amount, s.max_health[other] - s.health[other])


def lift_worth(s: StateColumns, bots: Bots, i: int, name: int, spot: int) -> float:
    """Return the value of bricks, by the unit that they lift.

    Args:
        s: State of the game; read only.
        bots: Columns of the bots; read only.
        i: Index of the unit that places the bricks.
        name: Name of the move: `codes.M_SCAFFOLD` or `codes.M_PARTITION`.
        spot: Surface index on which the bricks are placed.
    """
    flat = 0.3 if name == C.M_SCAFFOLD else 0.2
    other = s.occupant[spot]
    if other < 0:
        return flat + 0.0
    high = 3.0 if name == C.M_SCAFFOLD else 2.0
    return flat + (high if s.side[other] != s.side[i] else -high)


def swap_worth(s: StateColumns, bots: Bots, i: int, one: int, other: int) -> float:
    """Return the value of a swap: friends gain by height, enemies lose.

    Args:
        s: State of the game; read only.
        bots: Columns of the bots; read only.
        i: Index of the unit that swaps.
        one: Index of the first swapped unit.
        other: Index of the second swapped unit.
    """
    if s.side[one] == s.side[other]:
        return -0.1
    friend, foe = one, other
    if s.side[one] != s.side[i]:
        friend, foe = other, one
    rise = (s.spot[foe] & 15) - (s.spot[friend] & 15)
    return 0.4 * rise - 0.2
