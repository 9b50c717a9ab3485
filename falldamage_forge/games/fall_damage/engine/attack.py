"""The plain Attack, step by step, with counters, shoves and swaps."""

from falldamage_forge.games.fall_damage.engine import codes as C
from falldamage_forge.games.fall_damage.engine.columns import State
from falldamage_forge.games.fall_damage.engine.effect_stack import note, owe
from falldamage_forge.games.fall_damage.engine.effects import exchange, harm, reap
from falldamage_forge.games.fall_damage.engine.notation import spot_in, word_in
from falldamage_forge.games.fall_damage.engine.push import way_between
from falldamage_forge.games.fall_damage.engine.surface_index import beside
from falldamage_forge.games.fall_damage.engine.targeting import strikes
from falldamage_forge.games.fall_damage.engine.unit_stats import (
    alive,
    attack_number,
    fixed,
    has,
    height_number,
    is_melee,
    lends,
    letter_of,
    number,
    tiles_of,
)


def begin_attack(s: State, i: int, target: int, rooted: int, counter: int, chosen: int) -> None:
    """Number and direction are fixed; then the blow."""
    spot, other = s.spot[i], s.spot[target]
    melee = is_melee(s, i, other)
    letter, tiles = letter_of(s, i), tiles_of(s, i)
    if counter:
        card = lends(s, i, C.COUNTER)
        if card >= 0:
            letter, melee = s.card_letter[card], True
            tiles = s.printed[card * C.STATS + C.P] + s.push_plus[i]
    found = attack_number(s, i, melee, rooted) + height_number(s, spot, other, melee)
    note(s, C.E_ATTACK, i, target)
    way = -1
    if letter == C.BACK or letter == C.RIGHT or letter == C.LEFTWARD:
        way = way_between(spot, other, letter, chosen)
    blow(s, i, target, max(found, 0), melee, letter, way, tiles, counter, has(s, i, C.SHOVE))


def blow(
    s: State,
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
    """The damage at once; Counter and push are owed."""
    stood, from_spot = s.spot[target], s.spot[i]
    harm(s, target, damage, C.BY_ATTACK, i)
    if melee and s.thorns[target]:
        harm(s, i, s.amounts[C.X_THORNS], C.BY_OTHER, target)
    reap(s)
    counters = melee and damage > 0 and (s.counter_chain == 1 or not counter)
    if counters and s.counter_when:
        owe(s, C.COUNTER_BLOW, target, i)
    owed = s.n_stack
    if letter == C.FRONT:
        owe(s, C.SWAP_TILES, i, target, from_spot, stood)
    elif shove:
        owe(s, C.SHOVE_ALL, i, target, stood, from_spot, way, tiles)
    elif tiles > 0 and letter != C.NO_LETTER:
        mage = 1 if has(s, i, C.MAGE) else 0
        owe(s, C.PUSH_BY, i, target, way, tiles, from_spot & 15, mage, stood)
    if s.push_optional and s.n_stack > owed:
        # The push waits below the question whether it is made.
        owe(s, C.MAY_PUSH, i)
    if counters and not s.counter_when:
        owe(s, C.COUNTER_BLOW, target, i)


def counter_blow(s: State, i: int, attacker: int) -> None:
    """Samurai: a free Attack when hit in melee."""
    if not (alive(s, i) and alive(s, attacker) and has(s, i, C.COUNTER)):
        return
    spot, other = s.spot[i], s.spot[attacker]
    own = s.card_abilities[s.card[i]] >> C.COUNTER & 1
    near = strikes(s, i, other) if own else beside(spot, other)
    if near and spot != other:
        note(s, C.E_COUNTER, i, attacker)
        begin_attack(s, i, attacker, C.NO, C.YES, C.NONE)


def swap_tiles(s: State, i: int, target: int, from_spot: int, stood: int) -> None:
    """Assassin: the two change places if both still stand where they stood."""
    if s.spot[i] != from_spot or s.spot[target] != stood or fixed(s, target):
        return
    if not (alive(s, i) and alive(s, target)):
        return
    exchange(s, i, target)
    owe(s, C.REST, max(i, target), 0)
    owe(s, C.REST, min(i, target), 0)


def shove_all(
    s: State, i: int, target: int, stood: int, from_spot: int, way: int, tiles: int
) -> None:
    """Shield Bearer: every enemy beside it goes back 1, clockwise from the north."""
    if s.spot[i] < 0 and not s.dead_pushers:
        return
    spot, level = s.spot[i] if s.spot[i] >= 0 else from_spot, from_spot & 15
    mage = 1 if has(s, i, C.MAGE) else 0
    back = number(s, C.SHOVE, C.A_PUSH)
    first = target >= 0 and s.spot[target] == stood and alive(s, target)
    order = 4
    if first:
        for side in range(4):
            if s.near[(spot >> 4) * 4 + side] == stood >> 4:
                order = side
    if first and order == 4:
        owe(s, C.PUSH, target, way, max(tiles, back), level, mage, stood, i)
    for side in range(3, -1, -1):
        near = s.near[(spot >> 4) * 4 + side]
        for other in range(s.n_units - 1, -1, -1):
            there = s.spot[other]
            if there < 0 or s.side[other] == s.side[i] or other == target:
                continue
            if there >> 4 == near and beside(spot, there):
                owe(s, C.PUSH, other, side, back, level, mage, there, i)
        if first and order == side:
            owe(s, C.PUSH, target, way, max(tiles, back), level, mage, stood, i)


def item_strike(s: State, i: int, target: int, item: int, chosen: int) -> None:
    """An item's attack: its own numbers, and only the height beside them."""
    spot, other = s.spot[i], s.spot[target]
    melee = s.item_reach[item] <= 1
    damage = s.item_attack[item]
    if melee or s.reversal_round == s.round:
        damage += height_number(s, spot, other, melee)
    letter, tiles = s.item_letter[item], s.item_push[item]
    if melee and s.knife_push:
        letter, tiles = letter_of(s, i), tiles_of(s, i)
    way = -1
    if letter == C.BACK or letter == C.RIGHT or letter == C.LEFTWARD:
        way = way_between(spot, other, letter, chosen)
    note(s, C.E_ATTACK, i, target)
    blow(s, i, target, max(damage, 0), melee, letter, way, tiles, C.NO, C.NO)


def attack_terrain(s: State, i: int, key: int, rooted: int) -> None:
    """A plain Attack on a tree, a spire, a bridge or a ladder."""
    spot, own = spot_in(key), s.spot[i]
    melee = is_melee(s, i, spot)
    found = attack_number(s, i, melee, rooted) + height_number(s, own, spot, melee)
    found = max(found, 0)
    row = word_in(key)
    note(s, C.E_SIEGE, i, word_in(key))
    if has(s, i, C.SHOVE):
        owe(s, C.SHOVE_ALL, i, C.NONE, C.NONE, own, C.NONE, 0)
    if s.word_kind[row] == C.W_SPIRE:
        way = way_between(own, spot, letter_of(s, i))
        owe(s, C.PUSH_SPIRE, spot >> 4, way, tiles_of(s, i), i)
    else:
        owe(s, C.WEAR, s.word_kind[row], s.word_value[row], found, 1 if has(s, i, C.MAGE) else 0, i)
