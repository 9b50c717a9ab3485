"""The questions there are: their answers, what an answer does, whose they are."""

from falldamage_forge.playtest.core.loops import layout as L
from falldamage_forge.playtest.core.loops.choices import choose, list_choice
from falldamage_forge.playtest.core.loops.effects import (
    fall_number,
    harm,
    heal,
    kill,
    owe,
    put,
    reap,
)
from falldamage_forge.playtest.core.loops.ground import free, lava, wet, within
from falldamage_forge.playtest.core.loops.inner import loop
from falldamage_forge.playtest.core.loops.keys import (
    add,
    key_of,
    meaning,
    name_in,
    spot_in,
    unit_in,
    way_in,
    word_in,
)
from falldamage_forge.playtest.core.loops.treasure import (
    free_budget,
    heir,
    list_ends,
    result_row,
    stride,
    take_effect,
)
from falldamage_forge.playtest.core.loops.units import alive, number, unit


@loop
def list_question(m, at):
    """List the answers to the question on top; none: it falls away."""
    name, i, b = m[at], m[at + 1], m[at + 2]
    m[L.N_MOVES] = 0
    if name == L.COIN_MOVE or (name == L.FREE_COIN and alive(m, i)):
        add(m, key_of(L.K_CHANCE, L.M_COIN, word=m[L.CHANCE_WORD + 6]))
        add(m, key_of(L.K_CHANCE, L.M_COIN, word=m[L.CHANCE_WORD + 7]))
    elif name == L.ROLL or name == L.BOX:
        for n in range(6):
            add(m, key_of(L.K_CHANCE, L.M_DIE, word=m[L.CHANCE_WORD + n]))
    elif name == L.WIND:
        for other in range(m[L.N_UNITS]):
            if alive(m, other) and m[unit(other) + L.SIDE] == b:
                for way in range(4):
                    add(m, key_of(L.K_WIND, L.M_WIND, way=way))
                break
    elif not alive(m, i):
        return
    elif name == L.HAND_ON:
        to = heir(m, i, result_row(b))
        if to >= 0:
            add(m, key_of(L.K_HAND, L.M_HAND_ON, one=to))
            add(m, key_of(L.K_HAND, L.M_KEEP))
    elif name == L.ELIXIR:
        add(m, key_of(L.K_CHOICE, L.M_TOTAL))
        if m[unit(i) + L.HEALTH] < m[unit(i) + L.FULL]:
            add(m, key_of(L.K_CHOICE, L.M_HEAL))
    elif name == L.FREE_MOVE:
        list_ends(m, i, free_budget(m, i, b), L.K_FREE)
        add(m, key_of(L.K_FREE, L.M_STAY))
    elif name == L.LAND:
        list_landings(m, i, m[at + 3])
    else:
        list_choice(m, name, i, b, m[at + 3])


@loop
def list_landings(m, i, spot):
    """Surfaces a Spring Trap may throw a unit to."""
    o, apex = L.GROUND, (spot & 15) + 2
    if not free(m, o, spot >> 4, spot & 15, apex + 1):
        return
    for row in range(m[L.ROWS]):
        for col in range(m[L.COLS]):
            rows, cols = row - (spot >> 10), col - (spot >> 4 & 63)
            if not ((rows == 0 and cols == 0) or within(rows, cols, 4)):
                continue
            tile = row << 6 | col
            levels = m[o + tile * L.TILE + L.STAND]
            if m[unit(i) + L.DISCORPORATE]:
                levels |= m[o + tile * L.TILE + L.LAVA]
            for level in range(min(apex, 15) + 1):
                who = m[L.OCC + (tile << 4 | level)]
                if not levels >> level & 1 or (who >= 0 and who != i):
                    continue
                if free(m, o, tile, level, apex + 1):
                    add(m, key_of(L.K_LAND, L.M_LAND, tile << 4 | level))


@loop
def answer(m, at, key):
    """Do what an answer to the question on top says; the question is taken off before."""
    name, i, b, c = m[at], m[at + 1], m[at + 2], m[at + 3]
    word = word_in(key)
    if name == L.COIN_MOVE or name == L.FREE_COIN:
        heads = word == m[L.CHANCE_WORD + 6]
        coin = number(m, L.UNGOVERNABLE, L.A_HEADS if heads else L.A_TAILS)
        owe(m, L.BEGIN if name == L.COIN_MOVE else L.FREE_MOVE, i, coin)
    elif name == L.ROLL:
        rolled = meaning(m, word)
        if b == 0:
            owe(m, L.ROLL, i, rolled)
        else:
            owe(m, L.GAIN, i, b * 10 + rolled)
    elif name == L.BOX:
        if meaning(m, word) <= 3:
            harm(m, i, b, L.BY_OTHER, L.NONE)
            reap(m)
        else:
            owe(m, L.ELIXIR, i)
    elif name == L.WIND:
        blow_wind(m, b, way_in(key), c)
    elif name == L.HAND_ON:
        if name_in(key) == L.M_HAND_ON:
            m[unit(i) + L.ACTED] = 1
            take_effect(m, unit_in(key), result_row(b))
    elif name == L.ELIXIR:
        amount = m[L.ITEM_ROWS + L.X_ELIXIR]
        if name_in(key) == L.M_HEAL:
            heal(m, i, amount)
        else:
            m[unit(i) + L.FULL] += amount
            m[unit(i) + L.HEALTH] += amount
    elif name == L.FREE_MOVE:
        if name_in(key) == L.M_MOVE:
            stride(m, i, spot_in(key), free_budget(m, i, b))
    elif name == L.LAND:
        land(m, i, spot_in(key), c, m[at + 4])
    else:
        choose(m, name, i, b, c, key)


@loop
def blow_wind(m, side, way, tiles):
    """Everybody of a side is pushed, the farthest along the direction first."""
    shift = 10 if way == 0 or way == 2 else 4
    outward = way == 1 or way == 2
    # Owed from the nearest on, as the last owed is done first.
    for k in range(64):
        place = k if outward else 63 - k
        for i in range(m[L.N_UNITS] - 1, -1, -1):
            spot = m[unit(i) + L.SPOT]
            if spot >= 0 and m[unit(i) + L.SIDE] == side and spot >> shift & 63 == place:
                owe(m, L.PUSH, i, way, tiles, L.NO_LEVEL, 0, spot, L.NONE)


@loop
def land(m, i, goal, spot, owner):
    """Come down where a Spring Trap threw a unit."""
    at = unit(i)
    drop = (spot & 15) + 2 - (goal & 15)
    put(m, i, goal)
    if lava(m, L.GROUND, goal) and not m[at + L.DISCORPORATE]:
        kill(m, i, L.BY_LAVA, owner)
        return
    harm(m, i, fall_number(m, i, drop, wet(m, L.GROUND, goal), L.NO), L.BY_FALL, owner)
    reap(m)
    owe(m, L.REST, i, 0)


@loop
def chooser(m):
    """Who decides next: a side, or -1 for chance."""
    if m[L.N_STACK] == 0:
        return m[L.TO_ACT]
    at = L.STACK + (m[L.N_STACK] - 1) * L.TASK
    name = m[at]
    if name == L.COIN_MOVE or name == L.ROLL or name == L.BOX or name == L.FREE_COIN:
        return -1
    if name == L.WIND:
        return m[at + 1]
    if name == L.LAND:
        return m[at + 2]
    return m[unit(m[at + 1]) + L.SIDE]
