"""Search: candidates are played on by the careful bot, and the best are played on again.

A candidate is a unit and its first step, a step, or an answer. Each is played to the end of the
opponent's turn and counted. The best half are played again, one turn longer with other dice
(sequential halving). The dice are a hash of the position, so a search stores nothing, is the same
at both speeds, and is the same for half-turned positions. Hidden items of the enemy are left out.

Source: Z. Karnin, T. Koren and O. Somekh, "Almost optimal exploration in multi-armed bandits",
    2013.
"""

from falldamage_forge.games.fall_damage.engine import codes as C
from falldamage_forge.games.fall_damage.engine import notation, unit_stats
from falldamage_forge.games.fall_damage.engine.columns import StateColumns
from falldamage_forge.games.fall_damage.engine.decisions import chooser
from falldamage_forge.games.fall_damage.engine.hidden_items import forget_item
from falldamage_forge.games.fall_damage.engine.surface_index import apart
from falldamage_forge.games.fall_damage.engine.transition import advance
from falldamage_forge.playtest.bot_kernels import evaluation, one_ply, tie_break
from falldamage_forge.playtest.bot_kernels.bot_columns import MOST_CANDIDATES, Bots
from falldamage_forge.playtest.bot_kernels.chance import below, nth
from falldamage_forge.playtest.bot_kernels.checkpoint import put_aside, take_back

CAREFUL = 0.25
"""Fear of the careful bot, which plays on."""
STEPS, MOST_STEPS, MOST_ACTIVATIONS = 6, 200, 12
"""Candidates of a unit; moves and activations of a playout."""
WIDTH = (24, 24, 48)
PASSES = (1, 3, 8)
"""Candidates of a decision and passes over them, for each rung from `search-1` on."""
FIRST_RUNG = 3
"""Number of the bot `search-1`."""
HERE, SEEN = 0, 1
"""Slots: the position, and the position as the side sees it."""
WIN, CARRIER, HOME = 500.0, 4.0, 0.3
"""Values of a victory, of a carried prize, and of a tile that it is nearer to its goal."""
PART = 1_000


def play_on(s: StateColumns, bots: Bots, turns: int) -> None:
    """Play a position on until some turns are over; a turn ends where the other side chooses."""
    side, left, activations = s.to_act, turns, MOST_ACTIVATIONS
    for _ in range(MOST_STEPS):
        if s.phase == C.OVER or s.lost:
            return
        if s.phase == C.CHOOSE and s.n_stack == 0:
            if s.to_act != side:
                side, left = s.to_act, left - 1
            if left <= 0 or activations <= 0:
                return
            activations -= 1
        s.n_events = 0
        if chooser(s) < 0:
            key = nth(s, bots, below(s, s.n_moves))
        elif s.n_moves == 1:
            key = s.moves[0]
        else:
            key = one_ply.plan_move(s, bots, CAREFUL)
            if key < 0:
                key = tie_break.any_move(s, bots, below(s, tie_break.BITS_31))
        advance(s, key)


def worth_of(s: StateColumns, bots: Bots, side: int) -> float:
    """Return the value of a position to a side."""
    if s.phase == C.OVER:
        if s.result != C.RED_WINS and s.result != C.BLUE_WINS:
            return 0.0
        return WIN if s.result - C.RED_WINS == side else -WIN
    worth = 0.0
    for k in range(2):
        own, sign = (side, 1.0) if k == 0 else (1 - side, -1.0)
        one_ply.update_threats(s, bots, own, 0.0)
        for i in range(s.n_units):
            if s.side[i] == own and s.spot[i] >= 0:
                worth += sign * unit_worth(s, bots, i)
    return worth


def unit_worth(s: StateColumns, bots: Bots, i: int) -> float:
    """Return the value of a unit on the board: health, items, height, distances."""
    spot = s.spot[i]
    worth = s.health[i] + evaluation.KILL + 0.1 * (spot & 15)
    worth += s.attack_plus[i] + s.move_plus[i] + (1 if s.items[i] else 0)
    far = evaluation.nearest_foe(s, bots, evaluation.gait_of(s, bots, i), spot)
    worth -= 0.2 * min(far / max(evaluation.usual_move(s, bots, i), 1), 8.0)
    if s.carries[i]:
        zone = s.side[i] if s.win == C.ROYAL_ICON else 1 - s.side[i]
        first = 0 if zone == 0 else s.n_zone_red
        home = C.FAR
        for n in range(first, first + (s.n_zone_red if zone == 0 else s.n_zone_blue)):
            home = min(home, apart(spot, s.zone_spots[n]))
        worth += CARRIER - HOME * home
    return worth


# -- candidates ------------------------------------------------------------------------------------


def offer(s: StateColumns, bots: Bots, first: int, then: int, prior: float) -> None:
    """Add a candidate with its value by the one-ply bot."""
    n = bots.n_candidates
    if n >= MOST_CANDIDATES:
        return
    bots.first_key[n], bots.next_key[n], bots.prior[n] = first, then, int(prior * PART + 0.5)
    view = tie_break.seen(s, bots, first)
    if then >= 0:
        view = tie_break.scramble(view, tie_break.seen(s, bots, then))
    bots.tie_rank[n], bots.total[n] = view, 0
    bots.n_candidates = n + 1


def offer_steps(s: StateColumns, bots: Bots, chosen: int) -> None:
    """Add the best steps of the active unit.

    Args:
        s: State columns with the legal steps.
        bots: Bot columns.
        chosen: The choice of the unit, if it is a part of the candidates; -1: it is made.
    """
    i, begin = s.active, bots.n_candidates
    left = one_ply.update_threats(s, bots, s.side[i], CAREFUL)
    gait, move = evaluation.gait_of(s, bots, i), evaluation.usual_move(s, bots, i)
    stay = one_ply.place(s, bots, i, s.spot[i], 0, left, gait, move)
    fights = unit_stats.may_attack(s, i) and not s.acted[i]
    after = 0.0
    for n in range(s.n_moves):
        key = s.moves[n]
        if notation.kind_in(key) == C.K_MOVE:
            spot = notation.spot_in(key)
            worth = one_ply.place(s, bots, i, spot, s.best[spot], left, gait, move) - stay
            after = max(after, worth)
            worth += evaluation.best_attack(s, bots, i, spot) if fights else 0.0
            offer_step(s, bots, chosen, key, worth)
    for n in range(s.n_moves):
        key = s.moves[n]
        if notation.kind_in(key) == C.K_ACT:
            offer_step(s, bots, chosen, key, evaluation.action_value(s, bots, i, key) + after)
        elif notation.kind_in(key) != C.K_MOVE:
            offer_step(s, bots, chosen, key, 0.0)
    arrange(s, bots, begin, STEPS, C.YES)
    bots.n_candidates = min(bots.n_candidates, begin + STEPS)


def offer_step(s: StateColumns, bots: Bots, chosen: int, key: int, worth: float) -> None:
    """Add a step, after the choice of its unit if that is not made yet."""
    if chosen >= 0:
        offer(s, bots, chosen, key, worth)
    else:
        offer(s, bots, key, C.NONE, worth)


def offer_units(s: StateColumns, bots: Bots) -> None:
    """Add the best first steps of each unit; `SEEN` holds the position."""
    for n in range(s.n_moves):
        first = s.moves[n]
        advance(s, first)
        ready = s.phase == C.ACTIVATION and s.n_stack == 0 and not s.lost
        if ready and s.active == notation.unit_in(first):
            offer_steps(s, bots, first)
        else:
            offer(s, bots, first, C.NONE, 1.0)
        take_back(s, bots, SEEN)


def ahead(bots: Bots, a: int, b: int, by_prior: int) -> bool:
    """True if candidate `a` comes before `b`, by prior or by playouts."""
    if by_prior and bots.prior[a] != bots.prior[b]:
        return bots.prior[a] > bots.prior[b]
    if not by_prior and bots.total[a] != bots.total[b]:
        return bots.total[a] > bots.total[b]
    return bots.tie_rank[a] < bots.tie_rank[b]


def arrange(s: StateColumns, bots: Bots, begin: int, most: int, by_prior: int) -> None:
    """Bring the best `most` candidates from `begin` on to the front, in order."""
    count = bots.n_candidates
    for a in range(begin, min(begin + most, count)):
        best = a
        for b in range(a + 1, count):
            if ahead(bots, b, best, by_prior):
                best = b
        exchange(bots, a, best)


def exchange(bots: Bots, a: int, b: int) -> None:
    """Swap two candidates."""
    bots.first_key[a], bots.first_key[b] = bots.first_key[b], bots.first_key[a]
    bots.next_key[a], bots.next_key[b] = bots.next_key[b], bots.next_key[a]
    bots.prior[a], bots.prior[b] = bots.prior[b], bots.prior[a]
    bots.total[a], bots.total[b] = bots.total[b], bots.total[a]
    bots.tie_rank[a], bots.tie_rank[b] = bots.tie_rank[b], bots.tie_rank[a]


# -- search ----------------------------------------------------------------------------------------


def playout(s: StateColumns, bots: Bots, n: int, side: int, seed: int, turns: int) -> None:
    """Play a candidate on once, and add the value."""
    take_back(s, bots, SEEN)
    s.dice = seed
    advance(s, bots.first_key[n])
    then = bots.next_key[n]
    if then >= 0 and s.phase == C.ACTIVATION and s.n_stack == 0 and not s.lost:
        advance(s, then)
    play_on(s, bots, turns)
    if not s.lost:
        bots.total[n] += int(worth_of(s, bots, side) * PART)


def search_move(s: StateColumns, bots: Bots, rung: int) -> int:
    """Return the move with the best playouts.

    Args:
        s: State columns with the legal moves of a player; the position is left as it was.
        bots: Bot columns.
        rung: 0 for `search-1`; higher rungs search longer.
    """
    tie_break.look(s, bots)
    side, seed = bots.tie_side, bots.tie_salt
    put_aside(s, bots, HERE)
    for n in range(s.n_hidden - 1, -1, -1):
        if s.hidden_side[n] != side:
            forget_item(s, n)
    put_aside(s, bots, SEEN)
    bots.n_candidates = 0
    if s.n_stack > 0:
        usual = one_ply.plan_move(s, bots, CAREFUL)
        for n in range(s.n_moves):
            offer(s, bots, s.moves[n], C.NONE, 1.0 if s.moves[n] == usual else 0.0)
    elif s.phase == C.ACTIVATION:
        offer_steps(s, bots, C.NONE)
    else:
        offer_units(s, bots)
    arrange(s, bots, 0, WIDTH[rung], C.YES)
    bots.n_candidates = min(bots.n_candidates, WIDTH[rung])
    for again in range(PASSES[rung]):
        for n in range(bots.n_candidates):
            dice = tie_break.scramble(seed, again)
            playout(s, bots, n, side, dice, min(2 + again, 4))
        arrange(s, bots, 0, bots.n_candidates, C.NO)
        if again < PASSES[rung] - 1:
            bots.n_candidates = max(bots.n_candidates // 2, min(bots.n_candidates, 4))
    key = bots.first_key[0]
    take_back(s, bots, HERE)
    return key
