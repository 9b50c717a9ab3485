"""Areas of effect: damage, then pushes."""

from falldamage_forge.games.fall_damage.engine import codes as C
from falldamage_forge.games.fall_damage.engine.columns import State
from falldamage_forge.games.fall_damage.engine.effect_stack import note, owe
from falldamage_forge.games.fall_damage.engine.effects import harm, reap
from falldamage_forge.games.fall_damage.engine.push import way_between
from falldamage_forge.games.fall_damage.engine.surface_index import (
    cols_between,
    nearer_piece,
    rows_between,
    within,
)
from falldamage_forge.games.fall_damage.engine.targeting import between, in_area
from falldamage_forge.games.fall_damage.engine.unit_stats import (
    attack_number,
    has,
    lends,
    number,
    tiles_of,
)


def burst(s: State, doer: int, aim: int, radius: int, damage: int, tiles: int, mage: int) -> None:
    """All damage together, deaths, then pushes from the outside in."""
    origin = s.spot[doer]
    level = origin & 15
    count, hit = 0, 0
    for i in range(s.n_units):
        if in_area(s, i, aim, radius):
            s.members[count] = i
            count, hit = count + 1, hit | 1 << i
    note(s, C.E_AREA, doer, aim, hit)
    for k in range(count):
        harm(s, s.members[k], damage, C.BY_ATTACK, doer)
    reap(s)
    # Owed from the inside out, as the last owed is done first.
    for far in range(0, 2 * 64 if tiles > 0 else 0):
        for k in range(count - 1, -1, -1):
            i = s.members[k]
            spot = s.spot[i]
            if spot < 0:
                continue
            rows, cols = rows_between(aim, spot), cols_between(aim, spot)
            if rows * rows + cols * cols != far:
                continue
            way = area_way(s, origin, aim, spot)
            owe(s, C.PUSH, i, way, tiles, level, mage, spot, doer)
        if far > radius * radius:
            break
    if s.area_terrain and damage > 0:
        owe(s, C.WEAR_AREA, doer, aim, radius, damage, mage)


def area_way(s: State, origin: int, aim: int, spot: int) -> int:
    """Where an area pushes a unit to; -1: nowhere."""
    if s.area_push == C.FROM_ATTACKER:
        return way_between(origin, spot, C.BACK)
    if spot == aim:
        return way_between(origin, aim, C.BACK) if s.area_push == C.OUTWARD_AND_BACK else -1
    return way_between(aim, spot, C.BACK)


def wear_area(s: State, doer: int, aim: int, radius: int, damage: int, mage: int) -> None:
    """Terrain in an area suffers too (option `area_terrain`); each piece once, the nearest first.

    Owed from the last on, as the last owed is done first.
    """
    level, count = aim & 15, 0
    for n in range(s.n_features):
        tile = s.feature_tiles[n]
        if s.feature[tile] == C.TREE:
            spot = tile << 4 | between(level, s.level[tile], s.top[tile] - 1)
            count = add_worn(s, count, aim, radius, spot, C.W_TREE, tile)
    for n in range(s.n_decks):
        for k in range(s.deck_count[n] if s.deck_alive[n] else 0):
            spot = s.deck_tiles[n * C.DECK_LENGTH + k] << 4 | s.deck_level[n]
            count = add_worn(s, count, aim, radius, spot, C.W_DECK, n)
    for n in range(s.n_ladders):
        if s.ladder_alive[n]:
            near = between(level, s.foot_level[n], s.head_level[n] - 1)
            spot = s.foot_tile[n] << 4 | near
            count = add_worn(s, count, aim, radius, spot, C.W_LADDER, n)
    for n in range(count - 1, -1, -1):
        kind, what = s.reached[n] >> 20, s.reached[n] & 0xFFFFF
        owe(s, C.WEAR, kind, what, damage, mage, doer)


def add_worn(s: State, count: int, aim: int, radius: int, spot: int, kind: int, what: int) -> int:
    """Sort a piece into those that an area wears, by its nearest aim; gives how many there are."""
    if not within_area(s, aim, spot, radius):
        return count
    entry = kind << 20 | what
    for n in range(count):
        if s.reached[n] == entry:
            if not nearer_piece(aim, spot, s.members[n]):
                return count
            for k in range(n, count - 1):
                s.reached[k], s.members[k] = s.reached[k + 1], s.members[k + 1]
            count -= 1
            break
    n = count
    while n > 0 and nearer_piece(aim, spot, s.members[n - 1]):
        s.reached[n], s.members[n] = s.reached[n - 1], s.members[n - 1]
        n -= 1
    s.reached[n], s.members[n] = entry, spot
    return count + 1


def within_area(s: State, aim: int, spot: int, radius: int) -> bool:
    """Whether a tile is in an area of effect, heights left aside."""
    return within(s, rows_between(aim, spot), cols_between(aim, spot), radius)


def splash(s: State, i: int, aim: int) -> None:
    """The Splash Mage's area attack."""
    card = lends(s, i, C.SPLASH)
    tiles = tiles_of(s, i)
    if card >= 0:
        tiles = s.printed[card * C.STATS + C.P] + s.push_plus[i]
    damage = max(attack_number(s, i, C.NO, C.NO), 0)
    burst(s, i, aim, number(s, C.SPLASH, C.A_RADIUS), damage, tiles, has(s, i, C.MAGE))
