"""Attacks, as tasks on the effect stack: damage, Counter, push, swap and shove.

Area attacks damage all units in the area, then push from the outside in.
"""

from falldamage_forge.games.fall_damage.engine import codes as C
from falldamage_forge.games.fall_damage.engine import effects, surface_index, unit_stats
from falldamage_forge.games.fall_damage.engine.columns import StateColumns
from falldamage_forge.games.fall_damage.engine.notation import spot_in, word_in
from falldamage_forge.games.fall_damage.engine.push import push_direction
from falldamage_forge.games.fall_damage.engine.targeting import can_attack_surface, clamp, in_area


def begin_attack(
    s: StateColumns, i: int, target: int, rooted: int, counter: int, chosen: int
) -> None:
    """Fix the damage and the push direction of an Attack, then resolve it.

    Args:
        s: State of the game; changed.
        i: The attacker.
        target: Index of the attacked unit.
        rooted: 1 if the attacker has not moved and uses Rooted.
        counter: 1 for a Samurai's Counter.
        chosen: Facing that the player chose on an exact diagonal; -1 for none.
    """
    spot, other = s.spot[i], s.spot[target]
    melee = unit_stats.is_melee(s, i, other)
    letter, tiles = unit_stats.letter_of(s, i), unit_stats.tiles_of(s, i)
    if counter:
        card = unit_stats.lends(s, i, C.COUNTER)
        if card >= 0:
            letter, melee = s.card_letter[card], True
            tiles = s.printed[card * C.STATS + C.P] + s.push_plus[i]
    found = unit_stats.attack_number(s, i, melee, rooted) + unit_stats.height_number(
        s, spot, other, melee
    )
    effects.emit_event(s, C.E_ATTACK, i, target)
    way = -1
    if letter == C.BACK or letter == C.RIGHT or letter == C.LEFTWARD:
        way = push_direction(spot, other, letter, chosen)
    resolve_attack(
        s,
        i,
        target,
        max(found, 0),
        melee,
        letter,
        way,
        tiles,
        counter,
        unit_stats.has_ability(s, i, C.SHOVE),
    )


def resolve_attack(
    s: StateColumns,
    i: int,
    target: int,
    damage: int,
    melee: int,
    letter: int,
    way: int,
    tiles: int,
    counter: int,
    shove: int,
) -> None:
    """Deal the damage of a resolved attack; stack its Counter and its push.

    Args:
        s: State of the game; changed.
        i: Index of the attacker.
        target: Index of the attacked unit.
        damage: Damage, at least 0.
        melee: 1 if the attack is melee, which Thorns and Counter answer.
        letter: Letter of the push, such as `codes.BACK`; `codes.NO_LETTER` for none.
        way: Direction of the push from 0 (north) to 3 (west); -1 for none.
        tiles: Length of the push in tiles.
        counter: 1 if the attack is itself a Counter.
        shove: 1 if a Shield Bearer pushes all adjacent enemies instead.
    """
    stood, from_spot = s.spot[target], s.spot[i]
    effects.deal_damage(s, target, damage, C.BY_ATTACK, i)
    if melee and s.thorns[target]:
        effects.deal_damage(s, i, s.amounts[C.X_THORNS], C.BY_OTHER, target)
    effects.remove_dead(s)
    counters = melee and damage > 0 and (s.counter_chain == 1 or not counter)
    if counters and s.counter_when:
        effects.push_task(s, C.COUNTER_BLOW, target, i)
    owed = s.n_stack
    if letter == C.FRONT:
        effects.push_task(s, C.SWAP_TILES, i, target, from_spot, stood)
    elif shove:
        effects.push_task(s, C.SHOVE_ALL, i, target, stood, from_spot, way, tiles)
    elif tiles > 0 and letter != C.NO_LETTER:
        mage = 1 if unit_stats.has_ability(s, i, C.MAGE) else 0
        effects.push_task(s, C.PUSH_BY, i, target, way, tiles, from_spot & 15, mage, stood)
    if s.push_optional and s.n_stack > owed:
        # The push waits below the question whether it is made.
        effects.push_task(s, C.MAY_PUSH, i)
    if counters and not s.counter_when:
        effects.push_task(s, C.COUNTER_BLOW, target, i)


def counter_blow(s: StateColumns, i: int, attacker: int) -> None:
    """Resolve a Samurai's Counter: a free Attack after a melee hit.

    Args:
        s: State of the game; changed.
        i: Index of the unit that counters.
        attacker: Index of the unit that attacked it.
    """
    if not (
        unit_stats.alive(s, i)
        and unit_stats.alive(s, attacker)
        and unit_stats.has_ability(s, i, C.COUNTER)
    ):
        return
    spot, other = s.spot[i], s.spot[attacker]
    own = s.card_abilities[s.card[i]] >> C.COUNTER & 1
    near = can_attack_surface(s, i, other) if own else surface_index.is_adjacent(spot, other)
    if near and spot != other:
        effects.emit_event(s, C.E_COUNTER, i, attacker)
        begin_attack(s, i, attacker, C.NO, C.YES, C.NONE)


def swap_tiles(s: StateColumns, i: int, target: int, from_spot: int, stood: int) -> None:
    """Swap an Assassin and its target, if both still stand where they stood.

    Args:
        s: State of the game; changed.
        i: Index of the Assassin.
        target: Index of the attacked unit.
        from_spot: Surface index of the Assassin at the attack.
        stood: Surface index of the target at the attack.

    Source: "F = Forward [Attacker & Target swap tiles]".
    """
    if s.spot[i] != from_spot or s.spot[target] != stood or unit_stats.is_immovable(s, target):
        return
    if not (unit_stats.alive(s, i) and unit_stats.alive(s, target)):
        return
    effects.exchange(s, i, target)
    effects.push_task(s, C.REST, max(i, target), 0)
    effects.push_task(s, C.REST, min(i, target), 0)


def shove_all(
    s: StateColumns, i: int, target: int, stood: int, from_spot: int, way: int, tiles: int
) -> None:
    """Push every enemy adjacent to a Shield Bearer, clockwise from the north.

    Args:
        s: State of the game; changed.
        i: Index of the Shield Bearer.
        target: Index of the attacked unit, which is pushed by `way` and `tiles`; -1 for none.
        stood: Surface index of the target at the attack.
        from_spot: Surface index of the Shield Bearer at the attack.
        way: Direction in which the target is pushed.
        tiles: Length of the target's push in tiles; the ability's own push is the least.

    Source: "On Attack, Push all adjacent enemies Back 1".
    """
    if s.spot[i] < 0 and not s.dead_pushers:
        return
    spot, level = s.spot[i] if s.spot[i] >= 0 else from_spot, from_spot & 15
    mage = 1 if unit_stats.has_ability(s, i, C.MAGE) else 0
    back = unit_stats.number(s, C.SHOVE, C.A_PUSH)
    first = target >= 0 and s.spot[target] == stood and unit_stats.alive(s, target)
    order = 4
    if first:
        for side in range(4):
            if s.near[(spot >> 4) * 4 + side] == stood >> 4:
                order = side
    if first and order == 4:
        effects.push_task(s, C.PUSH, target, way, max(tiles, back), level, mage, stood, i)
    for side in range(3, -1, -1):
        near = s.near[(spot >> 4) * 4 + side]
        for other in range(s.n_units - 1, -1, -1):
            there = s.spot[other]
            if there < 0 or s.side[other] == s.side[i] or other == target:
                continue
            if there >> 4 == near and surface_index.is_adjacent(spot, there):
                effects.push_task(s, C.PUSH, other, side, back, level, mage, there, i)
        if first and order == side:
            effects.push_task(s, C.PUSH, target, way, max(tiles, back), level, mage, stood, i)


def item_strike(s: StateColumns, i: int, target: int, item: int, chosen: int) -> None:
    """Attack with an item: the item's own values and the height modifier only.

    Args:
        s: State of the game; changed.
        i: Index of the attacker.
        target: Index of the attacked unit.
        item: Number of the item, such as `codes.KNIFE`.
        chosen: Facing that the player chose on an exact diagonal; -1 for none.
    """
    spot, other = s.spot[i], s.spot[target]
    melee = s.item_reach[item] <= 1
    damage = s.item_attack[item]
    if melee or s.reversal_round == s.round:
        damage += unit_stats.height_number(s, spot, other, melee)
    letter, tiles = s.item_letter[item], s.item_push[item]
    if melee and s.knife_push:
        letter, tiles = unit_stats.letter_of(s, i), unit_stats.tiles_of(s, i)
    way = -1
    if letter == C.BACK or letter == C.RIGHT or letter == C.LEFTWARD:
        way = push_direction(spot, other, letter, chosen)
    effects.emit_event(s, C.E_ATTACK, i, target)
    resolve_attack(s, i, target, max(damage, 0), melee, letter, way, tiles, C.NO, C.NO)


def attack_terrain(s: StateColumns, i: int, key: int, rooted: int) -> None:
    """Resolve a plain Attack on a tree, a spire, a bridge or a ladder.

    Args:
        s: State of the game; changed.
        i: Index of the attacker.
        key: Number of the move, which holds the target as a word and a surface.
        rooted: 1 if the attack is Rooted.
    """
    spot, own = spot_in(key), s.spot[i]
    melee = unit_stats.is_melee(s, i, spot)
    found = unit_stats.attack_number(s, i, melee, rooted) + unit_stats.height_number(
        s, own, spot, melee
    )
    found = max(found, 0)
    row = word_in(key)
    effects.emit_event(s, C.E_SIEGE, i, word_in(key))
    if unit_stats.has_ability(s, i, C.SHOVE):
        effects.push_task(s, C.SHOVE_ALL, i, C.NONE, C.NONE, own, C.NONE, 0)
    if s.word_kind[row] == C.W_SPIRE:
        way = push_direction(own, spot, unit_stats.letter_of(s, i))
        effects.push_task(s, C.PUSH_SPIRE, spot >> 4, way, unit_stats.tiles_of(s, i), i)
    else:
        effects.push_task(
            s,
            C.WEAR,
            s.word_kind[row],
            s.word_value[row],
            found,
            1 if unit_stats.has_ability(s, i, C.MAGE) else 0,
            i,
        )


def resolve_area_attack(
    s: StateColumns, doer: int, aim: int, radius: int, damage: int, tiles: int, mage: int
) -> None:
    """Deal the area's damage at once, remove the dead, then push from the outside in.

    Units at the same distance are pushed in order, those of the doer's side first.

    Args:
        s: State of the game; changed.
        doer: The unit that attacks.
        aim: Surface in the middle of the area.
        radius: Radius in tiles.
        damage: Damage to each unit in the area.
        tiles: Push in tiles; 0 for no push.
        mage: 1 if the doer is a mage, whose pushes add fall damage.

    Source: "originates from the targeted tile", "Pushes Multiple units out in a + shape".
    """
    origin = s.spot[doer]
    level = origin & 15
    count, hit = 0, 0
    for k in range(2):
        for i in range(s.n_units):
            if (s.side[i] == s.side[doer]) == (k == 0) and in_area(s, i, aim, radius):
                s.members[count] = i
                count, hit = count + 1, hit | 1 << i
    effects.emit_event(s, C.E_AREA, doer, aim, hit)
    for k in range(count):
        effects.deal_damage(s, s.members[k], damage, C.BY_ATTACK, doer)
    effects.remove_dead(s)
    # Stacked from the inside out: the last task is resolved first.
    for far in range(0, 2 * 64 if tiles > 0 else 0):
        for k in range(count - 1, -1, -1):
            i = s.members[k]
            spot = s.spot[i]
            if spot < 0:
                continue
            rows, cols = (
                surface_index.rows_between(aim, spot),
                surface_index.cols_between(aim, spot),
            )
            if rows * rows + cols * cols != far:
                continue
            way = area_way(s, origin, aim, spot)
            effects.push_task(s, C.PUSH, i, way, tiles, level, mage, spot, doer)
        if far > radius * radius:
            break
    if s.area_terrain and damage > 0:
        effects.push_task(s, C.WEAR_AREA, doer, aim, radius, damage, mage)


def area_way(s: StateColumns, origin: int, aim: int, spot: int) -> int:
    """Return the direction in which an area pushes a unit; -1: it does not (option `area_push`).

    Args:
        s: State of the game; read only.
        origin: Surface index of the attacker.
        aim: Surface index in the middle of the area.
        spot: Surface index of the pushed unit.
    """
    if s.area_push == C.FROM_ATTACKER:
        return push_direction(origin, spot, C.BACK)
    if spot == aim:
        return push_direction(origin, aim, C.BACK) if s.area_push == C.OUTWARD_AND_BACK else -1
    return push_direction(aim, spot, C.BACK)


def wear_area(s: StateColumns, doer: int, aim: int, radius: int, damage: int, mage: int) -> None:
    """Damage each terrain target in an area once, the nearest first (option `area_terrain`).

    Tasks are stacked from the last target on, because the last task is resolved first.

    Args:
        s: State of the game; changed.
        doer: Index of the unit that attacks.
        aim: Surface index in the middle of the area.
        radius: Radius in tiles.
        damage: Damage to each target.
        mage: 1 if the doer is a mage, whose falls cost more.
    """
    level, count = aim & 15, 0
    for n in range(s.n_features):
        tile = s.feature_tiles[n]
        if s.feature[tile] == C.TREE:
            spot = tile << 4 | clamp(level, s.level[tile], s.top[tile] - 1)
            count = add_worn(s, count, aim, radius, spot, C.W_TREE, tile)
    for n in range(s.n_decks):
        for k in range(s.deck_count[n] if s.deck_alive[n] else 0):
            spot = s.deck_tiles[n * C.DECK_LENGTH + k] << 4 | s.deck_level[n]
            count = add_worn(s, count, aim, radius, spot, C.W_DECK, n)
    for n in range(s.n_ladders):
        if s.ladder_alive[n]:
            near = clamp(level, s.foot_level[n], s.head_level[n] - 1)
            spot = s.foot_tile[n] << 4 | near
            count = add_worn(s, count, aim, radius, spot, C.W_LADDER, n)
    for n in range(count - 1, -1, -1):
        kind, what = s.reached[n] >> 20, s.reached[n] & 0xFFFFF
        effects.push_task(s, C.WEAR, kind, what, damage, mage, doer)


def add_worn(
    s: StateColumns, count: int, aim: int, radius: int, spot: int, kind: int, what: int
) -> int:
    """Insert a terrain target into the sorted list of an area; return the list's length.

    Args:
        s: State of the game; only work columns change.
        count: Number of targets in the list.
        aim: Surface index in the middle of the area.
        radius: Radius in tiles.
        spot: Surface index of the target's nearest part.
        kind: Kind of the target, such as `codes.W_TREE`.
        what: Tile of a tree; number of a bridge or a ladder.
    """
    if not within_area(s, aim, spot, radius):
        return count
    entry = kind << 20 | what
    for n in range(count):
        if s.reached[n] == entry:
            if not surface_index.nearer_piece(aim, spot, s.members[n]):
                return count
            for k in range(n, count - 1):
                s.reached[k], s.members[k] = s.reached[k + 1], s.members[k + 1]
            count -= 1
            break
    n = count
    while n > 0 and surface_index.nearer_piece(aim, spot, s.members[n - 1]):
        s.reached[n], s.members[n] = s.reached[n - 1], s.members[n - 1]
        n -= 1
    s.reached[n], s.members[n] = entry, spot
    return count + 1


def within_area(s: StateColumns, aim: int, spot: int, radius: int) -> bool:
    """True if a tile is within an area's radius, ignoring height.

    Args:
        s: State of the game; read only.
        aim: Surface index in the middle of the area.
        spot: Surface index on the tile.
        radius: Radius in tiles.
    """
    return surface_index.within(
        s, surface_index.rows_between(aim, spot), surface_index.cols_between(aim, spot), radius
    )


def splash(s: StateColumns, i: int, aim: int) -> None:
    """Resolve the Splash Mage's area attack.

    Args:
        s: State of the game; changed.
        i: Index of the Splash Mage.
        aim: Surface index in the middle of the area.
    """
    card = unit_stats.lends(s, i, C.SPLASH)
    tiles = unit_stats.tiles_of(s, i)
    if card >= 0:
        tiles = s.printed[card * C.STATS + C.P] + s.push_plus[i]
    damage = max(unit_stats.attack_number(s, i, C.NO, C.NO), 0)
    resolve_area_attack(
        s,
        i,
        aim,
        unit_stats.number(s, C.SPLASH, C.A_RADIUS),
        damage,
        tiles,
        unit_stats.has_ability(s, i, C.MAGE),
    )
