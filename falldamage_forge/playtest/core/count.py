"""What a game leaves behind: the same whole numbers as `tally` counts."""

from falldamage_forge.games.fall_damage.engine import codes as C
from falldamage_forge.games.fall_damage.engine.columns import State
from falldamage_forge.playtest.core.columns import Bots


def more(s: State, bots: Bots, what: int, spot: int) -> None:
    """Count something on a surface."""
    bots.spots[what * C.SPOTS + spot] += 1


def clear_watch(s: State, bots: Bots) -> None:
    """Nothing has been seen of a game yet."""
    for k in range(C.WATCH):
        bots.watch[k] = 0
    for i in range(C.MOST_UNITS):
        bots.last_cause[i] = -1
    bots.watch[C.W_BLOOD], bots.watch[C.W_HIGHER_3] = -1, -1
    s.n_events, bots.n_visited = 0, 0


def see(s: State, bots: Bots) -> None:
    """Who stands where at a decision."""
    for i in range(s.n_units):
        spot = s.spot[i]
        if spot >= 0 and bots.visited[spot] != bots.game:
            bots.visited[spot] = bots.game
            bots.visit_list[bots.n_visited] = spot
            bots.n_visited += 1


def read(s: State, bots: Bots) -> None:
    """Take in what happened since the last look."""
    for n in range(s.n_events):
        kind, a, b = s.event[n], s.event_a[n], s.event_b[n]
        if kind == C.E_HARM:
            read_harm(s, bots, a, b, s.event_c[n], s.event_d[n], s.event_e[n])
        elif kind == C.E_DIE:
            if bots.watch[C.W_BLOOD] < 0:
                bots.watch[C.W_BLOOD] = s.side[a]
            cause = s.event_c[n]
            if cause == C.BY_HARM:
                last = bots.last_cause[a]
                cause = last if last >= 0 else C.BY_OTHER
            bots.watch[C.W_KILLS + cause] += 1
            more(s, bots, C.DEATHS, b)
        elif kind == C.E_CHEST:
            bots.watch[C.W_CHESTS_RED + s.side[a]] += 1
            if bots.watch[C.W_CHEST_ROUND] == 0:
                bots.watch[C.W_CHEST_ROUND] = s.round
            more(s, bots, C.TREASURES, b)
        elif kind == C.E_ACTIVATE:
            bots.watch[C.W_ACTIVATIONS] += 1
        elif kind == C.E_ATTACK or kind == C.E_SIEGE or kind == C.E_AREA:
            bots.watch[C.W_STRIKES] += 1
        elif kind == C.E_ROUND and a == 3:
            bots.watch[C.W_HIGHER_3] = higher(s, bots)
    s.n_events = 0


def read_harm(s: State, bots: Bots, i: int, amount: int, cause: int, by: int, spot: int) -> None:
    """Health that was lost: by whom, where from."""
    bots.last_cause[i] = cause
    if cause == C.BY_FALL:
        more(s, bots, C.FALLS, spot)
    if by < 0 or s.side[by] == s.side[i]:
        return
    if bots.watch[C.W_HIT_ROUND] == 0:
        bots.watch[C.W_HIT_ROUND] = s.round
    there = s.spot[by]
    if there >= 0:
        which = C.W_LOW
        if there & 15 > spot & 15:
            which = C.W_HIGH
        elif there & 15 == spot & 15:
            which = C.W_SAME
        bots.watch[which] += amount


def higher(s: State, bots: Bots) -> int:
    """The side that stands higher on average; -1: neither."""
    red, reds, blue, blues = 0, 0, 0, 0
    for i in range(s.n_units):
        spot = s.spot[i]
        if spot < 0:
            continue
        if s.side[i] == 0:
            red, reds = red + (spot & 15), reds + 1
        else:
            blue, blues = blue + (spot & 15), blues + 1
    one, other = red * C.PART // max(reds, 1), blue * C.PART // max(blues, 1)
    if one == other:
        return -1
    return 1 if other > one else 0


def value(s: State, bots: Bots, which: int, number: int) -> None:
    """One more value of a measure."""
    at = which * 3
    bots.values[at] += 1
    bots.values[at + 1] += number
    bots.values[at + 2] += number * number


def count_game(s: State, bots: Bots) -> None:
    """Put a finished game into the counts."""
    result = s.result
    bots.counts[C.N_GAMES] += 1
    bots.counts[result] += 1
    bots.counts[C.N_LAID] += s.laid
    bots.counts[C.N_OPENED] += bots.watch[C.W_CHESTS_RED] + bots.watch[C.W_CHESTS_BLUE]
    bots.counts[C.N_OPENED_RED] += bots.watch[C.W_CHESTS_RED]
    kills = 0
    for cause in range(8):
        kills += bots.watch[C.W_KILLS + cause]
    if kills:
        strikes = bots.watch[C.W_KILLS + C.BY_ATTACK] + bots.watch[C.W_KILLS + C.BY_DIVE]
        value(s, bots, C.V_FALL, bots.watch[C.W_KILLS + C.BY_FALL] * C.PART // kills)
        value(s, bots, C.V_LAVA, bots.watch[C.W_KILLS + C.BY_LAVA] * C.PART // kills)
        value(s, bots, C.V_ATTACK, strikes * C.PART // kills)
    if bots.watch[C.W_HIT_ROUND]:
        value(s, bots, C.V_FIRST_DAMAGE, bots.watch[C.W_HIT_ROUND])
    if bots.watch[C.W_CHEST_ROUND]:
        value(s, bots, C.V_FIRST_CHEST, bots.watch[C.W_CHEST_ROUND])
    value(
        s,
        bots,
        C.V_STRIKES,
        bots.watch[C.W_STRIKES] * C.PART // max(bots.watch[C.W_ACTIVATIONS], 1),
    )
    dealt = bots.watch[C.W_HIGH] + bots.watch[C.W_SAME] + bots.watch[C.W_LOW]
    if dealt:
        value(s, bots, C.V_FROM_ABOVE, bots.watch[C.W_HIGH] * C.PART // dealt)
    for n in range(bots.n_visited):
        bots.visits[bots.visit_list[n]] += 1
    if result == C.RED_WINS or result == C.BLUE_WINS:
        count_decided(s, bots, result - 1)
    first = result == bots.first_seat + 1
    bots.counts[C.N_FIRST_WINS] += 1 if first else 0
    a_wins = result == (C.BLUE_WINS if bots.swapped else C.RED_WINS)
    bots.counts[C.N_A_WINS] += 1 if a_wins else 0


def count_decided(s: State, bots: Bots, winner: int) -> None:
    """What only games that one side won tell."""
    bots.counts[C.N_DECIDED] += 1
    bots.rounds[s.round] += 1
    value(s, bots, C.V_ROUNDS, s.round)
    if bots.watch[C.W_BLOOD] >= 0:
        bots.counts[C.N_BLED] += 1
        bots.counts[C.N_COMEBACKS] += 1 if bots.watch[C.W_BLOOD] == winner else 0
    red, blue = bots.watch[C.W_CHESTS_RED], bots.watch[C.W_CHESTS_BLUE]
    if red != blue:
        bots.counts[C.N_RICHER] += 1
        bots.counts[C.N_RICHER_WON] += 1 if (1 if blue > red else 0) == winner else 0
    if bots.watch[C.W_HIGHER_3] >= 0:
        bots.counts[C.N_HIGHER] += 1
        bots.counts[C.N_HIGHER_WON] += 1 if bots.watch[C.W_HIGHER_3] == winner else 0
    for card in range(C.MOST_CARDS):
        has_red, has_blue = bots.mask[0] >> card & 1, bots.mask[1] >> card & 1
        if has_red != has_blue:
            bots.cards[card * 2] += 1
            bots.cards[card * 2 + 1] += 1 if has_blue == winner else 0
