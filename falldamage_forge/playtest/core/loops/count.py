"""What a game leaves behind: the same whole numbers as `tally` counts."""

from falldamage_forge.playtest.core.loops import layout as L
from falldamage_forge.playtest.core.loops.inner import loop
from falldamage_forge.playtest.core.loops.units import unit


@loop
def more(m, at, count=1):
    """Count something at a place in memory, so that a lost game can be taken back."""
    if m[L.N_INCREMENTS] >= L.MOST_INCREMENTS:
        m[L.HAND] = L.LOST
        return
    m[L.INCREMENTS + m[L.N_INCREMENTS]] = at
    m[L.N_INCREMENTS] += 1
    m[at] += count


@loop
def clear_watch(m):
    """Nothing has been seen of a game yet."""
    for k in range(L.WATCH):
        m[L.WATCH_ROW + k] = 0
    m[L.WATCH_ROW + L.W_BLOOD], m[L.WATCH_ROW + L.W_HIGHER_3] = -1, -1
    m[L.N_INCREMENTS], m[L.N_EVENTS], m[L.N_VISITED] = 0, 0, 0


@loop
def see(m):
    """Who stands where at a decision."""
    for i in range(m[L.N_UNITS]):
        spot = m[unit(i) + L.SPOT]
        if spot >= 0 and m[L.VISITED + spot] != m[L.GAME]:
            m[L.VISITED + spot] = m[L.GAME]
            m[L.VISIT_LIST + m[L.N_VISITED]] = spot
            m[L.N_VISITED] += 1


@loop
def read(m):
    """Take in what happened since the last look."""
    w = L.WATCH_ROW
    for n in range(m[L.N_EVENTS]):
        at = L.EVENTS + n * L.EVENT
        kind, a, b = m[at], m[at + 1], m[at + 2]
        if kind == L.E_HARM:
            read_harm(m, a, b, m[at + 3], m[at + 4], m[at + 5])
        elif kind == L.E_DIE:
            if m[w + L.W_BLOOD] < 0:
                m[w + L.W_BLOOD] = m[unit(a) + L.SIDE]
            cause = m[at + 3]
            if cause == L.BY_HARM:
                last = m[unit(a) + L.LAST_CAUSE]
                cause = last if last >= 0 else L.BY_OTHER
            m[w + L.W_KILLS + cause] += 1
            more(m, L.DEATHS + b)
        elif kind == L.E_CHEST:
            m[w + L.W_CHESTS_RED + m[unit(a) + L.SIDE]] += 1
            if m[w + L.W_CHEST_ROUND] == 0:
                m[w + L.W_CHEST_ROUND] = m[L.ROUND]
            more(m, L.TREASURES + b)
        elif kind == L.E_ACTIVATE:
            m[w + L.W_ACTIVATIONS] += 1
        elif kind == L.E_STRIKE:
            m[w + L.W_STRIKES] += 1
        elif kind == L.E_ROUND and a == 3:
            m[w + L.W_HIGHER_3] = higher(m)
    m[L.N_EVENTS] = 0


@loop
def read_harm(m, i, amount, cause, by, spot):
    """Health that was lost: by whom, where from."""
    w = L.WATCH_ROW
    m[unit(i) + L.LAST_CAUSE] = cause
    if cause == L.BY_FALL:
        more(m, L.FALLS + spot)
    if by < 0 or m[unit(by) + L.SIDE] == m[unit(i) + L.SIDE]:
        return
    if m[w + L.W_HIT_ROUND] == 0:
        m[w + L.W_HIT_ROUND] = m[L.ROUND]
    there = m[unit(by) + L.SPOT]
    if there >= 0:
        which = L.W_LOW
        if there & 15 > spot & 15:
            which = L.W_HIGH
        elif there & 15 == spot & 15:
            which = L.W_SAME
        m[w + which] += amount


@loop
def higher(m):
    """The side that stands higher on average; -1: neither."""
    red, reds, blue, blues = 0, 0, 0, 0
    for i in range(m[L.N_UNITS]):
        spot = m[unit(i) + L.SPOT]
        if spot < 0:
            continue
        if m[unit(i) + L.SIDE] == 0:
            red, reds = red + (spot & 15), reds + 1
        else:
            blue, blues = blue + (spot & 15), blues + 1
    one, other = red * L.PART // max(reds, 1), blue * L.PART // max(blues, 1)
    if one == other:
        return -1
    return 1 if other > one else 0


@loop
def value(m, which, number):
    """One more value of a measure."""
    at = L.VALUE_ROWS + which * 3
    m[at] += 1
    m[at + 1] += number
    m[at + 2] += number * number


@loop
def count_game(m):
    """Put a finished game into the counts."""
    w, c = L.WATCH_ROW, L.COUNT_ROW
    result = m[L.RESULT]
    m[c + L.N_GAMES] += 1
    m[c + result] += 1
    m[c + L.N_LAID] += m[L.LAID]
    m[c + L.N_OPENED] += m[w + L.W_CHESTS_RED] + m[w + L.W_CHESTS_BLUE]
    m[c + L.N_OPENED_RED] += m[w + L.W_CHESTS_RED]
    kills = 0
    for cause in range(8):
        kills += m[w + L.W_KILLS + cause]
    if kills:
        strikes = m[w + L.W_KILLS + L.BY_ATTACK] + m[w + L.W_KILLS + L.BY_DIVE]
        value(m, L.V_FALL, m[w + L.W_KILLS + L.BY_FALL] * L.PART // kills)
        value(m, L.V_LAVA, m[w + L.W_KILLS + L.BY_LAVA] * L.PART // kills)
        value(m, L.V_ATTACK, strikes * L.PART // kills)
    if m[w + L.W_HIT_ROUND]:
        value(m, L.V_FIRST_DAMAGE, m[w + L.W_HIT_ROUND])
    if m[w + L.W_CHEST_ROUND]:
        value(m, L.V_FIRST_CHEST, m[w + L.W_CHEST_ROUND])
    value(m, L.V_STRIKES, m[w + L.W_STRIKES] * L.PART // max(m[w + L.W_ACTIVATIONS], 1))
    dealt = m[w + L.W_HIGH] + m[w + L.W_SAME] + m[w + L.W_LOW]
    if dealt:
        value(m, L.V_FROM_ABOVE, m[w + L.W_HIGH] * L.PART // dealt)
    for n in range(m[L.N_VISITED]):
        m[L.VISITS + m[L.VISIT_LIST + n]] += 1
    if result == L.RED_WINS or result == L.BLUE_WINS:
        count_decided(m, result - 1)
    first = result == m[L.FIRST_SEAT] + 1
    m[c + L.N_FIRST_WINS] += 1 if first else 0
    a_wins = result == (L.BLUE_WINS if m[L.SWAPPED] else L.RED_WINS)
    m[c + L.N_A_WINS] += 1 if a_wins else 0


@loop
def count_decided(m, winner):
    """What only games that one side won tell."""
    w, c = L.WATCH_ROW, L.COUNT_ROW
    m[c + L.N_DECIDED] += 1
    m[L.ROUND_ROW + m[L.ROUND]] += 1
    value(m, L.V_ROUNDS, m[L.ROUND])
    if m[w + L.W_BLOOD] >= 0:
        m[c + L.N_BLED] += 1
        m[c + L.N_COMEBACKS] += 1 if m[w + L.W_BLOOD] == winner else 0
    red, blue = m[w + L.W_CHESTS_RED], m[w + L.W_CHESTS_BLUE]
    if red != blue:
        m[c + L.N_RICHER] += 1
        m[c + L.N_RICHER_WON] += 1 if (1 if blue > red else 0) == winner else 0
    if m[w + L.W_HIGHER_3] >= 0:
        m[c + L.N_HIGHER] += 1
        m[c + L.N_HIGHER_WON] += 1 if m[w + L.W_HIGHER_3] == winner else 0
    for card in range(L.MOST_CARDS):
        has_red, has_blue = m[L.MASK_RED] >> card & 1, m[L.MASK_BLUE] >> card & 1
        if has_red != has_blue:
            m[L.CARD_ROWS + card * 2] += 1
            m[L.CARD_ROWS + card * 2 + 1] += 1 if has_blue == winner else 0
