"""Habits: what units do in their own activation, and what kills them there, counted by card.

Everything is read from moves, events and positions, so programs are counted like the bots.
"""

from falldamage_forge.games.fall_damage.engine import codes as C
from falldamage_forge.games.fall_damage.engine import notation, unit_stats
from falldamage_forge.games.fall_damage.engine.columns import StateColumns
from falldamage_forge.playtest.bot_kernels.bot_columns import Bots

TIMES_AHEAD, ROUNDS_TO_FINISH = 4, 5
"""A side with this many times the health of the other should win within these rounds."""


def clear_habits(s: StateColumns, bots: Bots) -> None:
    """Reset the observations of activations at the start of a game.

    Args:
        s: State of the game; read only.
        bots: Columns of the bots; changed.
    """
    for i in range(C.MOST_UNITS):
        bots.began[i], bots.strolled[i] = -1, -1
    bots.watch[C.W_ACTOR], bots.watch[C.W_SOURCE] = -1, -1


def count_habit(s: StateColumns, bots: Bots, i: int, habit: int) -> None:
    """Count a habit of a unit's card.

    Args:
        s: State of the game; read only.
        bots: Columns of the bots; changed.
        i: Index of the unit.
        habit: The habit, such as `codes.H_IDLE`.
    """
    bots.habits[s.card[i] * len(C.HABITS) + habit] += 1


def record_choice(s: StateColumns, bots: Bots, key: int) -> None:
    """Record a move before it is made.

    Args:
        s: State of the game; read only.
        bots: Columns of the bots; changed.
        key: Number of the move.
    """
    kind, i = notation.kind_in(key), s.active
    if kind == C.K_UNIT:
        close_activation(s, bots)
        i = notation.unit_in(key)
        count_habit(s, bots, i, C.H_ACTIVATIONS)
        bots.watch[C.W_ACTOR], bots.watch[C.W_ACTED] = i, 0
        bots.watch[C.W_SOURCE] = -1
        bots.began[i] = s.spot[i]
    elif kind == C.K_MOVE:
        bots.watch[C.W_SOURCE] = -1
    elif kind == C.K_ACT:
        bots.watch[C.W_ACTED], bots.watch[C.W_SOURCE] = 1, -1
        name = notation.name_in(key)
        if (name == C.M_ATTACK or name == C.M_ROOTED) and notation.unit_in(key) < 0:
            record_shot(s, bots, i, notation.word_in(key))
    elif kind == C.K_TAKE or kind == C.K_DROP:
        bots.watch[C.W_ACTED] = 1
    elif kind == C.K_END and s.moved[i] == 0 and bots.watch[C.W_ACTED] == 0:
        count_habit(s, bots, i, C.H_IDLE)


def record_shot(s: StateColumns, bots: Bots, i: int, word: int) -> None:
    """Count an attack on a tree, a ladder, or a bridge without an enemy on it.

    Args:
        s: State of the game; read only.
        bots: Columns of the bots; changed.
        i: Index of the attacker.
        word: Word of the target.
    """
    kind, row = s.word_kind[word], s.word_value[word]
    if kind == C.W_TREE:
        count_habit(s, bots, i, C.H_TREE)
    elif kind == C.W_LADDER:
        count_habit(s, bots, i, C.H_LADDER)
    elif kind == C.W_DECK:
        for k in range(s.deck_count[row]):
            spot = s.deck_tiles[row * C.DECK_LENGTH + k] << 4 | s.deck_level[row]
            if s.occupant[spot] >= 0 and s.side[s.occupant[spot]] != s.side[i]:
                return
        count_habit(s, bots, i, C.H_BRIDGE)


def close_activation(s: StateColumns, bots: Bots) -> None:
    """Count the last activation if it only walked back to where the unit's previous one began.

    Args:
        s: State of the game; read only.
        bots: Columns of the bots; changed.
    """
    i = bots.watch[C.W_ACTOR]
    if i < 0 or s.spot[i] < 0:
        return
    here = s.spot[i] >> 4
    only_moved = bots.watch[C.W_ACTED] == 0 and here != bots.began[i] >> 4
    if only_moved and bots.strolled[i] >= 0 and bots.strolled[i] >> 4 == here:
        count_habit(s, bots, i, C.H_BACK)
    bots.strolled[i] = bots.began[i] if only_moved else -1
    bots.watch[C.W_ACTOR] = -1


def record_source(s: StateColumns, bots: Bots, kind: int, a: int) -> None:
    """Record the event that may harm the active unit next.

    Args:
        s: State of the game; read only.
        bots: Columns of the bots; changed.
        kind: Kind of the event, such as `codes.E_COUNTER`.
        a: First value of the event; the round for `codes.E_ROUND`.
    """
    if kind == C.E_COUNTER:
        bots.watch[C.W_SOURCE] = C.H_COUNTER
    elif kind == C.E_SPRUNG:
        bots.watch[C.W_SOURCE] = C.H_TRAP
    elif kind == C.E_CHEST:
        bots.watch[C.W_SOURCE] = C.H_TREASURE
    elif kind == C.E_AREA:
        bots.watch[C.W_SOURCE] = C.H_AREA
    elif kind == C.E_DESTROYED:
        bots.watch[C.W_SOURCE] = C.H_TERRAIN
    elif kind == C.E_ROUND:
        close_activation(s, bots)
        bots.watch[C.W_ACTOR] = -1
        if bots.watch[C.W_AHEAD] == 0 and far_ahead(s, bots):
            bots.watch[C.W_AHEAD] = a
        if a == bots.watch[C.W_AHEAD] + ROUNDS_TO_FINISH and is_poisoned(s, bots):
            bots.watch[C.W_POISONED] = 1


def source_of(s: StateColumns, bots: Bots, cause: int) -> int:
    """Return what harms the active unit, from `codes.H_BRICKS` on.

    Args:
        s: State of the game; read only.
        bots: Columns of the bots; read only.
        cause: Cause of the event, such as `codes.BY_FALL`.
    """
    if cause == C.BY_STEP:
        return C.H_STEP
    if cause == C.BY_SACRIFICE:
        return C.H_TREASURE
    if bots.watch[C.W_SOURCE] >= 0:
        return bots.watch[C.W_SOURCE]
    if cause == C.BY_FALL:
        return C.H_BRICKS
    return C.H_THORNS if cause == C.BY_OTHER else C.H_OTHER


def record_harm(s: StateColumns, bots: Bots, i: int, cause: int) -> None:
    """Record what has harmed the active unit.

    Args:
        s: State of the game; read only.
        bots: Columns of the bots; changed.
        i: Index of the harmed unit.
        cause: Cause of the event, such as `codes.BY_FALL`.
    """
    if i == bots.watch[C.W_ACTOR]:
        bots.watch[C.W_OWN] = source_of(s, bots, cause)


def record_death(s: StateColumns, bots: Bots, i: int, cause: int) -> None:
    """Count a death if the unit is the active one.

    Args:
        s: State of the game; read only.
        bots: Columns of the bots; changed.
        i: Index of the dead unit.
        cause: Cause of the event, such as `codes.BY_FALL`.
    """
    if i == bots.watch[C.W_ACTOR]:
        last = bots.watch[C.W_OWN] if cause == C.BY_HARM else source_of(s, bots, cause)
        count_habit(s, bots, i, last)


def far_ahead(s: StateColumns, bots: Bots) -> bool:
    """True if one side has `TIMES_AHEAD` times the health of the other.

    Args:
        s: State of the game; read only.
        bots: Columns of the bots; read only.
    """
    red, blue = side_health(s, 0), side_health(s, 1)
    return max(red, blue) >= TIMES_AHEAD * min(red, blue) > 0


def side_health(s: StateColumns, side: int) -> int:
    """Return the health of a side's units on the board.

    Args:
        s: State of the game; read only.
        side: 0 red, 1 blue.
    """
    health = 0
    for i in range(s.n_units):
        if s.spot[i] >= 0 and s.side[i] == side:
            health += s.health[i]
    return health


def is_poisoned(s: StateColumns, bots: Bots) -> bool:
    """True if each unit of the healthier side that can attack stands in a Poison Mist.

    A mist takes one of Move and Attack each round, for ever: in the end such a side wins nothing.

    Args:
        s: State of the game; read only.
        bots: Columns of the bots; read only.
    """
    side = 0 if side_health(s, 0) >= side_health(s, 1) else 1
    for i in range(s.n_units):
        ready = s.spot[i] >= 0 and s.side[i] == side and s.mist[i] == 0
        if ready and unit_stats.may_attack(s, i):
            return False
    return True


def count_finish(s: StateColumns, bots: Bots) -> None:
    """Count a game in which a side was far ahead, unless the round limit came too soon after.

    Args:
        s: State of the game; read only.
        bots: Columns of the bots; changed.
    """
    ahead = bots.watch[C.W_AHEAD]
    if ahead == 0 or ahead + ROUNDS_TO_FINISH > s.round_limit:
        return
    bots.counts[C.N_FAR_AHEAD] += 1
    decided = s.result == C.RED_WINS or s.result == C.BLUE_WINS
    if decided and s.round <= ahead + ROUNDS_TO_FINISH:
        bots.counts[C.N_FINISHED] += 1
    elif bots.watch[C.W_POISONED]:
        bots.counts[C.N_POISONED] += 1
