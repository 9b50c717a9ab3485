"""Bots by name.

A bot is a function of an observation and a random stream. It stores nothing between two decisions,
so a game can be continued from any state.
"""

from __future__ import annotations

from collections.abc import Callable

from falldamage_forge.games.fall_damage.engine.simulator import Simulator, simulator_of
from falldamage_forge.games.fall_damage.play import legal_apply
from falldamage_forge.games.fall_damage.play.move_value import Move
from falldamage_forge.games.fall_damage.play.split_mix import SplitMix64
from falldamage_forge.games.fall_damage.play.state_value import State, shallow_observation
from falldamage_forge.playtest.bot_kernels import evaluation, one_ply, tie_break
from falldamage_forge.playtest.bot_kernels.bot_columns import Bots
from falldamage_forge.playtest.bot_kernels.evaluation import KILL

Bot = Callable[[State, SplitMix64], Move]


def random_bot(state: State, dice: SplitMix64) -> Move:
    """Return a legal move, all equally likely."""
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
    """Bot that evaluates one activation ahead; `fear` weighs threatened damage."""

    def __init__(self, fear: float) -> None:
        self.fear = fear

    def __call__(self, state: State, dice: SplitMix64) -> Move:
        """Return the move with the greatest gain within one activation."""
        moves = legal_apply.legal_moves(state)
        if len(moves) == 1:
            return moves[0]
        if state.phase == "setup":
            return dice.choice(moves)
        sim, known = _taken(state)
        sim.list()
        key = one_ply.plan_move(sim.columns, known, self.fear)
        if key < 0:
            key = tie_break.any_move(sim.columns, known, dice.below(tie_break.BITS_31))
        return sim.codec.move(key)

    def plan(self, state: State, index: int) -> float:
        """Return the gain of a unit's best activation over staying."""
        sim, known = _taken(state)
        return one_ply.plan(sim.columns, known, index, self.fear)


def action_worth(state: State, index: int, move: Move) -> float:
    """Return the value of a legal action."""
    sim, known = _taken(state)
    return evaluation.action_value(sim.columns, known, index, sim.codec.key(move))


# -- rollout bot -----------------------------------------------------------------------------------


class RolloutBot:
    """Bot that samples moves, plays each out several times, and chooses the best.

    Candidates are the moves of one-ply bots with different fear, the best few units or actions, and
    a random move.

    Args:
        plans: Number of candidate units.
        playouts: Playouts per candidate.
        ahead: Activations per playout.
    """

    def __init__(self, plans: int = 4, playouts: int = 2, ahead: int = 6) -> None:
        self.plans, self.playouts, self.ahead = plans, playouts, ahead
        self.tempers = [OnePlyBot(0.0), OnePlyBot(0.25), OnePlyBot(0.6)]
        self.player = self.tempers[1]

    def __call__(self, state: State, dice: SplitMix64) -> Move:
        """Return the candidate with the best playouts."""
        moves = legal_apply.legal_moves(state)
        if len(moves) == 1:
            return moves[0]
        if moves[0].kind not in ("unit", "move", "act"):
            return self.player(state, dice)
        side = legal_apply.current_player(state)
        best, found = -1e9, moves[0]
        for move in self.candidates(state, moves, dice):
            worth = sum(self.playout(state, move, side, dice) for _ in range(self.playouts))
            if worth > best:
                best, found = worth, move
        return found

    def candidates(self, state: State, moves: list[Move], dice: SplitMix64) -> list[Move]:
        """Return the moves to try."""
        found = [temper(state, dice) for temper in self.tempers]
        if moves[0].kind == "unit":
            units = [m for m in moves if m.kind == "unit"]
            units.sort(key=lambda m: -self.player.plan(state, m.units[0]))
            found += units[: self.plans]
        else:
            acts = [m for m in moves if m.kind == "act"]
            acts.sort(key=lambda m: -action_worth(state, state.active, m))
            found += acts[:2]
        found.append(dice.choice(moves))
        return list(dict.fromkeys(found))[: self.plans + 1]

    def playout(self, state: State, move: Move, side: int, dice: SplitMix64) -> float:
        """Return the material difference after some activations."""
        copy = state.copy()
        legal_apply.apply_move_in_place(copy, move)
        stop = self.ahead
        while not copy.over and stop:
            if legal_apply.current_player(copy) == legal_apply.CHANCE:
                legal_apply.apply_move_in_place(copy, dice.choice(legal_apply.legal_moves(copy)))
                continue
            chosen = self.player(copy, dice)
            stop -= chosen.kind == "unit"
            legal_apply.apply_move_in_place(copy, chosen)
        return material_difference(copy, side)


def material_difference(state: State, side: int) -> float:
    """Return the health and units of a side minus those of the other."""
    worth = 0.0
    for unit in state.units:
        if unit.alive:
            own = unit.health + KILL
            worth += own if unit.side == side else -own
    return worth


BOTS: dict[str, Bot] = {
    "random": random_bot,
    "greedy": OnePlyBot(0.0),
    "careful": OnePlyBot(0.25),
    "searcher": RolloutBot(),
}
"""The bots by name, the weakest first."""


def choose_move(bot: Bot, state: State, dice: SplitMix64) -> Move:
    """Return a bot's move from the observation of its side.

    Args:
        bot: The bot.
        state: State at a decision of a player.
        dice: Random stream.
    """
    if state.hidden or state.phase == "setup":
        seen = shallow_observation(state, legal_apply.current_player(state))
        return bot(seen, dice)
    return bot(state, dice)
