"""Bots by name.

A bot is a function of an observation and a random stream. It stores nothing between two decisions,
so a game can be continued from any state.
"""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic

from falldamage_forge.games.fall_damage.engine.simulator import Simulator, simulator_of
from falldamage_forge.games.fall_damage.play import legal_apply
from falldamage_forge.games.fall_damage.play.move_value import Move
from falldamage_forge.games.fall_damage.play.split_mix import SplitMix64
from falldamage_forge.games.fall_damage.play.state_value import State, shallow_observation
from falldamage_forge.playtest.bot_kernels import evaluation, one_ply, search, tie_break
from falldamage_forge.playtest.bot_kernels.bot_columns import Bots
from falldamage_forge.playtest.bot_kernels.evaluation import KILL

Bot = Callable[[State, SplitMix64], Move]


def random_bot(state: State, dice: SplitMix64) -> Move:
    """Return a legal move, all equally likely.

    Args:
        state: State before the decision.
        dice: Random numbers; they move on.
    """
    return dice.choice(legal_apply.legal_moves(state))


def _taken(state: State) -> tuple[Simulator, Bots]:
    """Return the simulator holding a state, and the bots' map knowledge."""
    sim = simulator_of(state.ctx)
    sim.take(state)
    known: Bots | None = vars(sim).get("_bots")
    if known is None:
        known = sim.__dict__["_bots"] = Bots()
    return sim, known


class OnePlyBot:
    """Bot that evaluates one activation ahead in a style of `one_ply.STYLES`."""

    def __init__(self, style: str) -> None:
        self.style = list(one_ply.STYLES).index(style)

    def __call__(self, state: State, dice: SplitMix64) -> Move:
        """Return the move with the greatest gain within one activation."""
        moves = legal_apply.legal_moves(state)
        if len(moves) == 1:
            return moves[0]
        if state.phase == "setup":
            return dice.choice(moves)
        sim, known = _taken(state)
        sim.list()
        key = one_ply.plan_move(sim.columns, known, self.style)
        if key < 0:
            key = tie_break.any_move(sim.columns, known, dice.below(tie_break.BITS_31))
        return sim.codec.move(key)

    def plan(self, state: State, index: int) -> float:
        """Return the gain of a unit's best activation over staying.

        Args:
            state: State before the activation.
            index: Number of the unit.
        """
        sim, known = _taken(state)
        known.style = self.style
        fear = one_ply.WEIGHTS[self.style][one_ply.FEAR]
        return one_ply.plan(sim.columns, known, index, fear)


def action_worth(state: State, index: int, move: Move) -> float:
    """Return the value of a legal action to a side without a lead, which spends no health for it.

    Args:
        state: State before the action.
        index: Number of the acting unit.
        move: Legal action of that unit.
    """
    sim, known = _taken(state)
    known.price = 100
    return evaluation.action_value(sim.columns, known, index, sim.codec.key(move))


class SearchBot:
    """Bot that plays candidates on and chooses the best; `rung` 0 is `search-1`."""

    def __init__(self, rung: int) -> None:
        self.rung = rung

    def __call__(self, state: State, dice: SplitMix64) -> Move:
        """Return the move with the best playouts."""
        moves = legal_apply.legal_moves(state)
        if len(moves) == 1:
            return moves[0]
        if state.phase == "setup":
            return dice.choice(moves)
        sim, known = _taken(state)
        sim.list()
        return sim.codec.move(search.search_move(sim.columns, known, self.rung))


def material_difference(state: State, side: int) -> float:
    """Return the health and units of a side minus those of the other.

    Args:
        state: State of a game.
        side: Number of the side, 0 or 1.
    """
    worth = 0.0
    for unit in state.units:
        if unit.alive:
            own = unit.health + KILL
            worth += own if unit.side == side else -own
    return worth


BOTS: dict[str, Bot] = {
    "random": random_bot,
    **{style: OnePlyBot(style) for style in one_ply.STYLES},
    **{f"search-{rung + 1}": SearchBot(rung) for rung in range(len(search.RUNGS))},
}
"""The bots by name: `random`, styles of play, and the ladder from `greedy` on, weakest first."""


SLOWER = 8
"""How many times as long as a bot the next stronger one takes, at most."""
HINT_S = 10.0
"""Seconds for a hint."""


def hint(state: State, seed: int, seconds: float = HINT_S) -> tuple[str, Move]:
    """Return the answer of the strongest bot that fits in some time, and its name.

    Bots answer one after the other, the weakest first, until the next one might exceed the time.

    Args:
        state: State at a decision of a player.
        seed: Seed of the bots.
        seconds: Time in which to answer.
    """
    begun = monotonic()
    for name, bot in BOTS.items():
        found = name, choose_move(bot, state, SplitMix64(seed))
        if SLOWER * (monotonic() - begun) > seconds:
            break
    return found


def choose_move(bot: Bot, state: State, dice: SplitMix64) -> Move:
    """Return a bot's move from the observation of its side.

    Args:
        bot: The bot.
        state: State at a decision of a player.
        dice: Random stream.
    """
    return bot(seen_by_player(state), dice)


def seen_by_player(state: State) -> State:
    """Return the observation of the current player, which may be the state itself."""
    if state.hidden or state.phase == "setup":
        return shallow_observation(state, legal_apply.current_player(state))
    return state
