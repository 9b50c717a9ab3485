"""Search: candidates are played on, and the best are played on again.

A candidate is a unit and its first step, a step, or an answer. Each is played on by the careful bot
to the end of the opponent's turn and counted. The best half are played again, one turn longer with
other dice (sequential halving). The best of the higher rungs are played on once more, the next
decisions of both sides by a small search of their own (nested rollouts), so that the second
activation of a turn completes what the first one prepares. The dice are a hash of the position, so
a search stores nothing, is the same at both speeds, and is the same for half-turned positions.
Hidden items of the enemy are left out.

Sources: Z. Karnin, T. Koren and O. Somekh, "Almost optimal exploration in multi-armed bandits",
    2013; T. Cazenave, "Nested Monte-Carlo search", 2009.
"""

from falldamage_forge.games.fall_damage.engine import codes as C
from falldamage_forge.games.fall_damage.engine import notation, unit_stats
from falldamage_forge.games.fall_damage.engine.columns import StateColumns
from falldamage_forge.games.fall_damage.engine.decisions import chooser
from falldamage_forge.games.fall_damage.engine.hidden_items import forget_item
from falldamage_forge.games.fall_damage.engine.transition import advance
from falldamage_forge.playtest.bot_kernels import distances, evaluation, one_ply, tie_break
from falldamage_forge.playtest.bot_kernels.bot_columns import MOST_CANDIDATES, Bots
from falldamage_forge.playtest.bot_kernels.chance import below, nth
from falldamage_forge.playtest.bot_kernels.checkpoint import put_aside, take_back

CAREFUL = one_ply.CAREFUL
"""The style that plays on."""
FEAR, GOAL = (one_ply.WEIGHTS[CAREFUL][weight] for weight in (one_ply.FEAR, one_ply.GOAL))
MOST_STEPS, MOST_ACTIVATIONS = 200, 12
"""Moves and activations of a playout."""
RUNGS = (
    # candidates of a unit, of a decision, passes over them; best ones searched on, for some turns
    (6, 24, 1, 0, 0),
    (6, 24, 3, 0, 0),
    (16, 64, 2, 8, 1),
)
"""Budgets, from `search-1` on."""
STEPS, WIDTH, PASSES, BEST, TURNS = range(5)
INNER = (4, 12, 1, 0, 0)
"""Budget of the searches that play on."""
FIRST_RUNG = 1 + len(one_ply.STYLES)
"""Number of the bot `search-1`."""
LATER = 2
"""Turns of the careful bot after those that are searched."""
HERE, SEEN, THERE = 0, 1, 2
"""Slots: the position, the position as the side sees it, and a later one that is searched."""
WIN, OPENED = 500.0, 1.5
"""Values of a victory and of a treasure, beside what it happens to hold."""
LONG_WAY = 8.0
"""Turns to a foe beyond which each counts a fifth."""
PART, EARLY = 1_000, 20
"""Parts of a value; one over the weight of what a candidate gains at once."""


def count_chests(s: StateColumns, bots: Bots) -> None:
    """Count the chests opened since the previous call.

    Args:
        s: State of the game; only work columns change.
        bots: Columns of the bots; changed.
    """
    for n in range(s.n_events):
        if s.event[n] == C.E_CHEST:
            bots.opened[s.side[s.event_a[n]]] += 1
    s.n_events = 0


def play_on(s: StateColumns, bots: Bots, turns: int) -> None:
    """Play a position on until some turns are over; a turn ends where the other side chooses.

    Args:
        s: State of the game; changed.
        bots: Columns of the bots; changed.
        turns: Turns to play.
    """
    side, left, activations = s.to_act, turns, MOST_ACTIVATIONS
    for _ in range(MOST_STEPS):
        count_chests(s, bots)
        if s.phase == C.OVER or s.lost:
            return
        if s.phase == C.CHOOSE and s.n_stack == 0:
            if s.to_act != side:
                side, left = s.to_act, left - 1
            if left <= 0 or activations <= 0:
                return
            activations -= 1
        advance(s, careful_move(s, bots))


def careful_move(s: StateColumns, bots: Bots) -> int:
    """Return the move of the careful bot, or an outcome of chance.

    Args:
        s: State of the game; changed.
        bots: Columns of the bots; changed.
    """
    if chooser(s) < 0:
        return nth(s, bots, below(s, s.n_moves))
    if s.n_moves == 1:
        return s.moves[0]
    key = one_ply.plan_move(s, bots, CAREFUL)
    return key if key >= 0 else tie_break.any_move(s, bots, below(s, tie_break.BITS_31))


def worth_of(s: StateColumns, bots: Bots, side: int) -> float:
    """Return the value of a position to a side.

    Args:
        s: State of the game; only work columns change.
        bots: Columns of the bots; changed.
        side: 0 red, 1 blue.
    """
    if s.phase == C.OVER:
        if s.result != C.RED_WINS and s.result != C.BLUE_WINS:
            return 0.0
        return WIN if s.result - C.RED_WINS == side else -WIN
    worth = OPENED * (bots.opened[side] - bots.opened[1 - side])
    for k in range(2):
        # A side that is ahead at the decision spends health and units for those of the enemy.
        own, sign = (side, 100 / bots.spends[side]) if k == 0 else (1 - side, -1.0)
        one_ply.update_threats(s, bots, own, 0.0)
        for i in range(s.n_units):
            if s.side[i] == own and s.spot[i] >= 0:
                worth += sign * unit_worth(s, bots, i)
    return worth


def unit_worth(s: StateColumns, bots: Bots, i: int) -> float:
    """Return the value of a unit on the board: health, items, ills, height, distances.

    Args:
        s: State of the game; only work columns change.
        bots: Columns of the bots; changed.
        i: Index of the unit.
    """
    spot, step_rules = s.spot[i], distances.gait_of(s, bots, i)
    move = distances.usual_move(s, bots, i)
    worth = s.health[i] + evaluation.KILL + 0.1 * (spot & 15)
    worth += s.attack_plus[i] + s.move_plus[i] + s.reach_plus[i] + (1 if s.items[i] else 0)
    worth -= min(4.0 * s.syringe[i] + 1.0 * s.blood[i], s.health[i] * 1.0) + 1.6 * s.mist[i]
    turns = one_ply.turns_to_foe(s, bots, i, step_rules, spot, move)
    turns = min(turns, LONG_WAY) + max(turns - LONG_WAY, 0.0) / 5
    worth -= 0.2 * turns * one_ply.hunt(bots.lead)
    if s.n_bricks:
        worth -= evaluation.bricks_risk(s, bots, i, spot)
    if s.carries[i]:
        worth += 2 * distances.CARRIED
    return worth + distances.goal_worth(s, bots, i, step_rules, spot, move, GOAL)


# -- candidates ------------------------------------------------------------------------------------


def offer(s: StateColumns, bots: Bots, first: int, then: int, prior: float) -> None:
    """Add a candidate with its value by the one-ply bot.

    Args:
        s: State of the game; read only.
        bots: Columns of the bots; changed.
        first: Number of the first move.
        then: Number of the step after it; -1 for none.
        prior: Value by the one-ply bot, in points of health.
    """
    n = bots.n_candidates
    if n >= MOST_CANDIDATES:
        return
    bots.first_key[n], bots.next_key[n], bots.prior[n] = first, then, int(prior * PART + 0.5)
    view = tie_break.seen(s, bots, first)
    if then >= 0:
        view = tie_break.scramble(view, tie_break.seen(s, bots, then))
    bots.tie_rank[n], bots.total[n] = view, bots.prior[n] // EARLY
    bots.n_candidates = n + 1


def offer_steps(s: StateColumns, bots: Bots, chosen: int, most: int) -> None:
    """Add the best steps of the active unit.

    Args:
        s: State of the game with the legal steps; changed.
        bots: Columns of the bots; changed.
        chosen: The choice of the unit, if it is a part of the candidates; -1: it is made.
        most: Greatest number of candidates.
    """
    i, begin = s.active, bots.n_candidates
    bots.style = CAREFUL
    left = one_ply.update_threats(s, bots, s.side[i], FEAR)
    step_rules, move = distances.gait_of(s, bots, i), distances.usual_move(s, bots, i)
    stay = one_ply.place(s, bots, i, s.spot[i], 0, left, step_rules, move)
    fights = unit_stats.may_attack(s, i) and not s.acted[i]
    after = 0.0
    for n in range(s.n_moves):
        key = s.moves[n]
        if notation.kind_in(key) == C.K_MOVE:
            spot = notation.spot_in(key)
            worth = one_ply.place(s, bots, i, spot, s.best[spot], left, step_rules, move) - stay
            after = max(after, worth)
            worth += evaluation.best_attack(s, bots, i, spot) if fights else 0.0
            offer_step(s, bots, chosen, key, worth)
    for n in range(s.n_moves):
        key = s.moves[n]
        if notation.kind_in(key) == C.K_ACT:
            if not evaluation.is_useless_shot(s, bots, i, key):
                offer_step(s, bots, chosen, key, evaluation.action_value(s, bots, i, key) + after)
        elif notation.kind_in(key) != C.K_MOVE:
            offer_step(s, bots, chosen, key, 0.0)
    keep_best(s, bots, begin, most)


def offer_step(s: StateColumns, bots: Bots, chosen: int, key: int, worth: float) -> None:
    """Add a step, after the choice of its unit if that is not made yet.

    Args:
        s: State of the game; read only.
        bots: Columns of the bots; changed.
        chosen: Number of the move that chooses the unit; negative if the unit is chosen.
        key: Number of the step.
        worth: Value by the one-ply bot, in points of health.
    """
    if chosen >= 0:
        offer(s, bots, chosen, key, worth)
    else:
        offer(s, bots, key, C.NONE, worth)


def offer_units(s: StateColumns, bots: Bots, slot: int, most: int) -> None:
    """Add the best `most` first steps of each unit; a slot holds the position.

    Args:
        s: State of the game; changed.
        bots: Columns of the bots; changed.
        slot: Slot that holds the position.
        most: Most steps of each unit.
    """
    for n in range(s.n_moves):
        first = s.moves[n]
        advance(s, first)
        ready = s.phase == C.ACTIVATION and s.n_stack == 0 and not s.lost
        if ready and s.active == notation.unit_in(first):
            offer_steps(s, bots, first, most)
        else:
            offer(s, bots, first, C.NONE, 1.0)
        take_back(s, bots, slot)


def offer_answers(s: StateColumns, bots: Bots, most: int) -> None:
    """Add the usual answer to a question, and about `most` others, drawn by their hash.

    Args:
        s: State of the game; changed.
        bots: Columns of the bots; changed.
        most: About how many other answers are added.
    """
    usual, apart = one_ply.plan_move(s, bots, CAREFUL), s.n_moves // most + 1
    for n in range(s.n_moves):
        key = s.moves[n]
        if key == usual or tie_break.seen(s, bots, key) % apart == 0:
            offer(s, bots, key, C.NONE, 1.0 if key == usual else 0.0)


def offer_all(s: StateColumns, bots: Bots, slot: int, steps: int, width: int) -> None:
    """Add the best `width` candidates of a decision, `steps` of a unit; a slot holds it.

    Args:
        s: State of the game; changed.
        bots: Columns of the bots; changed.
        slot: Slot that holds the position.
        steps: Most steps of a unit.
        width: Most candidates of the decision.
    """
    begin = bots.n_candidates
    if s.n_stack > 0:
        offer_answers(s, bots, width)
    elif s.phase == C.ACTIVATION:
        offer_steps(s, bots, C.NONE, steps)
    else:
        offer_units(s, bots, slot, steps)
    keep_best(s, bots, begin, width)


def ahead(bots: Bots, a: int, b: int, by_prior: int) -> bool:
    """True if candidate `a` comes before `b`, by prior or by playouts.

    Args:
        bots: Columns of the bots; read only.
        a: Index of the first candidate.
        b: Index of the second candidate.
        by_prior: 1 to compare by prior; 0 by playouts.
    """
    if by_prior and bots.prior[a] != bots.prior[b]:
        return bots.prior[a] > bots.prior[b]
    if not by_prior and bots.total[a] != bots.total[b]:
        return bots.total[a] > bots.total[b]
    return bots.tie_rank[a] < bots.tie_rank[b]


def keep_best(s: StateColumns, bots: Bots, begin: int, most: int) -> None:
    """Keep the best `most` candidates from `begin` on by prior, in order.

    Args:
        s: State of the game; read only.
        bots: Columns of the bots; changed.
        begin: Index of the first candidate of this decision.
        most: Most candidates that stay.
    """
    arrange(s, bots, begin, most, C.YES)
    bots.n_candidates = min(bots.n_candidates, begin + most)


def arrange(s: StateColumns, bots: Bots, begin: int, most: int, by_prior: int) -> None:
    """Bring the best `most` candidates from `begin` on to the front, in order.

    Args:
        s: State of the game; read only.
        bots: Columns of the bots; changed.
        begin: Index of the first candidate of this decision.
        most: Candidates to bring to the front.
        by_prior: 1 to order by prior; 0 by playouts.
    """
    count = bots.n_candidates
    for a in range(begin, min(begin + most, count)):
        best = a
        for b in range(a + 1, count):
            if ahead(bots, b, best, by_prior):
                best = b
        exchange(bots, a, best)


def exchange(bots: Bots, a: int, b: int) -> None:
    """Swap two candidates.

    Args:
        bots: Columns of the bots; changed.
        a: Index of the first candidate.
        b: Index of the second candidate.
    """
    bots.first_key[a], bots.first_key[b] = bots.first_key[b], bots.first_key[a]
    bots.next_key[a], bots.next_key[b] = bots.next_key[b], bots.next_key[a]
    bots.prior[a], bots.prior[b] = bots.prior[b], bots.prior[a]
    bots.total[a], bots.total[b] = bots.total[b], bots.total[a]
    bots.tie_rank[a], bots.tie_rank[b] = bots.tie_rank[b], bots.tie_rank[a]


# -- search ----------------------------------------------------------------------------------------


def set_out(s: StateColumns, bots: Bots, n: int, slot: int, seed: int) -> None:
    """Make the moves of a candidate in the position of a slot, with dice of its own.

    Args:
        s: State of the game; changed.
        bots: Columns of the bots; changed.
        n: Index of the candidate.
        slot: Slot that holds the position.
        seed: Seed of the dice.
    """
    take_back(s, bots, slot)
    s.dice, bots.opened[0], bots.opened[1] = seed, 0, 0
    advance(s, bots.first_key[n])
    then = bots.next_key[n]
    if then >= 0 and s.phase == C.ACTIVATION and s.n_stack == 0 and not s.lost:
        advance(s, then)


def count_worth(s: StateColumns, bots: Bots, n: int, side: int, turns: int) -> None:
    """Let the careful bot play on, and add the value to a candidate.

    Args:
        s: State of the game; changed.
        bots: Columns of the bots; changed.
        n: Index of the candidate.
        side: Side for which the value counts: 0 red, 1 blue.
        turns: Turns to play.
    """
    play_on(s, bots, turns)
    if not s.lost:
        bots.total[n] += int(worth_of(s, bots, side) * PART)


def refine(
    s: StateColumns, bots: Bots, begin: int, slot: int, side: int, seed: int, passes: int
) -> None:
    """Order the candidates from `begin` on by playouts; after each pass the better half stays.

    Args:
        s: State of the game; changed.
        bots: Columns of the bots; changed.
        begin: Index of the first candidate of this decision.
        slot: Slot that holds the position.
        side: Side that decides: 0 red, 1 blue.
        seed: Seed of the playouts' dice.
        passes: Passes over the candidates.
    """
    for again in range(passes):
        for n in range(begin, bots.n_candidates):
            set_out(s, bots, n, slot, tie_break.scramble(seed, again))
            count_worth(s, bots, n, side, min(2 + again, 4))
        count = bots.n_candidates - begin
        arrange(s, bots, begin, count, C.NO)
        if again < passes - 1:
            bots.n_candidates = begin + max(count // 2, min(count, 4))


def inner_move(s: StateColumns, bots: Bots) -> int:
    """Return the move of a small search within a playout, or an outcome of chance.

    Args:
        s: State of the game; changed.
        bots: Columns of the bots; changed.
    """
    if chooser(s) < 0 or s.n_moves == 1:
        return careful_move(s, bots)
    tie_break.look(s, bots)
    side, seed, begin = bots.tie_side, bots.tie_salt, bots.n_candidates
    red, blue = bots.opened[0], bots.opened[1]
    put_aside(s, bots, THERE)
    offer_all(s, bots, THERE, INNER[STEPS], INNER[WIDTH])
    refine(s, bots, begin, THERE, side, seed, INNER[PASSES])
    key = bots.first_key[begin]
    bots.n_candidates, bots.opened[0], bots.opened[1] = begin, red, blue
    take_back(s, bots, THERE)
    return key


def search_on(s: StateColumns, bots: Bots, turns: int) -> None:
    """Play a position on by small searches until some turns are over.

    Args:
        s: State of the game; changed.
        bots: Columns of the bots; changed.
        turns: Turns to play.
    """
    side, left = s.to_act, turns
    for _ in range(MOST_STEPS):
        count_chests(s, bots)
        if s.phase == C.OVER or s.lost:
            return
        if s.phase == C.CHOOSE and s.n_stack == 0 and s.to_act != side:
            side, left = s.to_act, left - 1
            if left <= 0:
                return
        advance(s, inner_move(s, bots))


def search_move(s: StateColumns, bots: Bots, rung: int) -> int:
    """Return the move with the best playouts.

    Args:
        s: State of the game with the legal moves of a player; its position is restored.
        bots: Columns of the bots; changed.
        rung: 0 for `search-1`; higher rungs search longer.
    """
    budget = RUNGS[rung]
    tie_break.look(s, bots)
    side, seed = bots.tie_side, bots.tie_salt
    for k in range(2):
        bots.spends[k] = int(100 * one_ply.hunt(one_ply.lead_of(s, k)))
    put_aside(s, bots, HERE)
    for n in range(s.n_hidden - 1, -1, -1):
        if s.hidden_side[n] != side:
            forget_item(s, n)
    put_aside(s, bots, SEEN)
    bots.n_candidates = 0
    offer_all(s, bots, SEEN, budget[STEPS], budget[WIDTH])
    refine(s, bots, 0, SEEN, side, seed, budget[PASSES])
    best = min(budget[BEST], bots.n_candidates)
    for n in range(best):
        bots.total[n] = 0
        set_out(s, bots, n, SEEN, seed)
        search_on(s, bots, budget[TURNS])
        count_worth(s, bots, n, side, LATER)
    if best > 0:
        bots.n_candidates = best
        arrange(s, bots, 0, 1, C.NO)
    key = bots.first_key[0]
    take_back(s, bots, HERE)
    return key
