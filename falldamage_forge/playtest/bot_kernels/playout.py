"""Playouts: the loop from one decision to the next, and counters of events.

The sums of the counters are those of `Tally`.
"""

from falldamage_forge.games.fall_damage.engine import codes as C
from falldamage_forge.games.fall_damage.engine.columns import StateColumns
from falldamage_forge.games.fall_damage.engine.decisions import chooser
from falldamage_forge.games.fall_damage.engine.transition import advance, open_game
from falldamage_forge.playtest.bot_kernels import habits
from falldamage_forge.playtest.bot_kernels.bot_columns import Bots
from falldamage_forge.playtest.bot_kernels.chance import below, nth
from falldamage_forge.playtest.bot_kernels.one_ply import plan_move
from falldamage_forge.playtest.bot_kernels.search import FIRST_RUNG, search_move
from falldamage_forge.playtest.bot_kernels.tie_break import BITS_31, any_move


def clear_watch(s: StateColumns, bots: Bots) -> None:
    """Reset the observations of the current game.

    Args:
        s: State of the game; only work columns change.
        bots: Columns of the bots; changed.
    """
    for k in range(C.WATCH):
        bots.watch[k] = 0
    for i in range(C.MOST_UNITS):
        bots.last_cause[i] = -1
    bots.watch[C.W_BLOOD], bots.watch[C.W_HIGHER_3] = -1, -1
    habits.clear_habits(s, bots)
    s.n_events, bots.n_visited = 0, 0


def record_positions(s: StateColumns, bots: Bots) -> None:
    """Record the surface of each unit at a decision.

    Args:
        s: State of the game; read only.
        bots: Columns of the bots; changed.
    """
    for i in range(s.n_units):
        spot = s.spot[i]
        if spot >= 0 and bots.visited[spot] != bots.game:
            bots.visited[spot] = bots.game
            bots.visit_list[bots.n_visited] = spot
            bots.n_visited += 1


def record_events(s: StateColumns, bots: Bots) -> None:
    """Count the events since the previous call.

    Args:
        s: State of the game; only work columns change.
        bots: Columns of the bots; changed.
    """
    for n in range(s.n_events):
        kind, a, b = s.event[n], s.event_a[n], s.event_b[n]
        habits.record_source(s, bots, kind, a)
        if kind == C.E_HARM:
            read_harm(s, bots, a, b, s.event_c[n], s.event_d[n], s.event_e[n])
        elif kind == C.E_DIE:
            habits.record_death(s, bots, a, s.event_c[n])
            if bots.watch[C.W_BLOOD] < 0:
                bots.watch[C.W_BLOOD] = s.side[a]
            cause = s.event_c[n]
            if cause == C.BY_HARM:
                last = bots.last_cause[a]
                cause = last if last >= 0 else C.BY_OTHER
            bots.watch[C.W_KILLS + cause] += 1
            bots.deaths[b] += 1
        elif kind == C.E_CHEST:
            bots.watch[C.W_CHESTS_RED + s.side[a]] += 1
            if bots.watch[C.W_CHEST_ROUND] == 0:
                bots.watch[C.W_CHEST_ROUND] = s.round
            bots.treasure[b] += 1
        elif kind == C.E_ACTIVATE:
            bots.watch[C.W_ACTIVATIONS] += 1
        elif kind == C.E_ATTACK or kind == C.E_SIEGE or kind == C.E_AREA:
            bots.watch[C.W_STRIKES] += 1
        elif kind == C.E_ROUND and a == 3:
            bots.watch[C.W_HIGHER_3] = higher(s, bots)
    s.n_events = 0


def read_harm(
    s: StateColumns, bots: Bots, i: int, amount: int, cause: int, by: int, spot: int
) -> None:
    """Count lost health by cause, attacker and height.

    Args:
        s: State of the game; read only.
        bots: Columns of the bots; changed.
        i: Index of the harmed unit.
        amount: Health lost.
        cause: Cause of the event, such as `codes.BY_FALL`.
        by: Index of the unit that caused it; -1 for none.
        spot: Surface index of the harmed unit.
    """
    bots.last_cause[i] = cause
    habits.record_harm(s, bots, i, cause)
    if cause == C.BY_FALL:
        bots.falls[spot] += 1
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


def higher(s: StateColumns, bots: Bots) -> int:
    """Return the side with the greater average level; -1: neither.

    Args:
        s: State of the game; read only.
        bots: Columns of the bots; read only.
    """
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


def value(s: StateColumns, bots: Bots, which: int, number: int) -> None:
    """Add a value of a metric: count, sum and sum of squares.

    Args:
        s: State of the game; read only.
        bots: Columns of the bots; changed.
        which: The metric, such as `codes.V_ROUNDS`.
        number: Value to add; shares are in parts of `codes.PART`.
    """
    at = which * 3
    bots.values[at] += 1
    bots.values[at + 1] += number
    bots.values[at + 2] += number * number


def count_game(s: StateColumns, bots: Bots) -> None:
    """Add a finished game to the counts.

    Args:
        s: State of the game; read only.
        bots: Columns of the bots; changed.
    """
    result = s.result
    habits.close_activation(s, bots)
    habits.count_finish(s, bots)
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


def count_decided(s: StateColumns, bots: Bots, winner: int) -> None:
    """Add a game that one side has won to the counts.

    Args:
        s: State of the game; read only.
        bots: Columns of the bots; changed.
        winner: 0 red, 1 blue.
    """
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


def pick(s: StateColumns, bots: Bots) -> int:
    """Return the current player's move; during the setup it is random.

    Args:
        s: State of the game; changed.
        bots: Columns of the bots; changed.
    """
    side = chooser(s)
    bot = 0 if side < 0 else bots.bot[side]
    if bot == 0 or s.phase == C.SETUP:
        return nth(s, bots, below(s, s.n_moves))
    if s.n_moves == 1:
        return s.moves[0]
    if bot >= FIRST_RUNG:
        return search_move(s, bots, bot - FIRST_RUNG)
    key = plan_move(s, bots, bot - 1)
    return key if key >= 0 else any_move(s, bots, below(s, BITS_31))


def play_until_stop(s: StateColumns, bots: Bots) -> int:
    """Play until the game is over or a list is full; return `codes.PLAYED` or `codes.LOST`.

    Args:
        s: State of the game; changed.
        bots: Columns of the bots; changed.
    """
    while s.phase != C.OVER:
        record_positions(s, bots)
        if bots.n_log >= C.MOST_LOG:
            s.lost = C.LOST
        legal, key = s.n_moves, pick(s, bots)
        if s.lost:
            return s.lost
        bots.log[bots.n_log] = key
        bots.log_counts[bots.n_log] = legal
        bots.n_log += 1
        habits.record_choice(s, bots, key)
        advance(s, key)
        if s.lost:
            return s.lost
        record_events(s, bots)
    count_game(s, bots)
    return C.PLAYED


OPEN = 0


def run_command(s: StateColumns, bots: Bots, what: int) -> int:
    """Play a game from its setup to its end; the one entry point that is compiled.

    Args:
        s: State of the game with the setup; changed.
        bots: Columns of the bots; changed.
        what: `OPEN`.

    Returns:
        `codes.PLAYED`, or `codes.LOST` if a list was full.
    """
    bots.game += 1
    bots.n_log = 0
    clear_watch(s, bots)
    open_game(s, bots.first_seat)
    return play_until_stop(s, bots) if s.lost == 0 else s.lost
