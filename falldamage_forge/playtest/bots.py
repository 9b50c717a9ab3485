"""Bots: who plays a map to judge it.

Each is a function of what its side sees and of a stream of random numbers; none keeps anything from
one decision to the next, so that a game can be taken up anywhere.
"""

from __future__ import annotations

from collections.abc import Callable

from falldamage_forge.games.fall_damage.engine.desk import Desk, desk_of
from falldamage_forge.games.fall_damage.play.dice import Dice
from falldamage_forge.games.fall_damage.play.engine import CHANCE, advance, chooser, legal
from falldamage_forge.games.fall_damage.play.moves import Move
from falldamage_forge.games.fall_damage.play.observe import glimpse
from falldamage_forge.games.fall_damage.play.state import State
from falldamage_forge.playtest.core import planner, worths
from falldamage_forge.playtest.core.columns import Bots
from falldamage_forge.playtest.core.worths import KILL

Bot = Callable[[State, Dice], Move]


def random_bot(state: State, dice: Dice) -> Move:
    """Any legal move, each as likely."""
    return dice.choice(legal(state))


def _taken(state: State) -> tuple[Desk, Bots]:
    """A state's desk with the state on it, and what bots know of its map."""
    desk = desk_of(state.arena)
    desk.take(state)
    known: Bots | None = vars(desk).get("_bots")
    if known is None:
        known = desk.__dict__["_bots"] = Bots()
    return desk, known


class Planner:
    """A bot that looks one activation ahead; `fear` weighs what strikes back next turn."""

    def __init__(self, fear: float) -> None:
        self.fear = fear

    def __call__(self, state: State, dice: Dice) -> Move:
        """The move that gains most within one activation."""
        moves = legal(state)
        if len(moves) == 1:
            return moves[0]
        if state.phase == "setup":
            return dice.choice(moves)
        desk, known = _taken(state)
        desk.list()
        key = planner.plan_move(desk.columns, known, self.fear)
        return desk.tongue.move(key) if key >= 0 else dice.choice(moves)

    def plan(self, state: State, index: int) -> float:
        """What a unit would gain over staying where it is."""
        desk, known = _taken(state)
        return planner.plan(desk.columns, known, index, self.fear)


def action_worth(state: State, index: int, move: Move) -> float:
    """Worth of an action that is legal now."""
    desk, known = _taken(state)
    return worths.action_worth(desk.columns, known, index, desk.tongue.key(move))


# -- a bot that searches ---------------------------------------------------------------------------


class Searcher:
    """Samples plans of whole activations, plays each on a few times, keeps the best.

    A plan is a unit with its first steps as several planners of other tempers would make them:
    candidates differ in what is done, not in who does it alone.
    """

    def __init__(self, plans: int = 4, playouts: int = 2, ahead: int = 6) -> None:
        self.plans, self.playouts, self.ahead = plans, playouts, ahead
        self.tempers = [Planner(0.0), Planner(0.25), Planner(0.6)]
        self.player = self.tempers[1]

    def __call__(self, state: State, dice: Dice) -> Move:
        """The candidate after which play-outs end best."""
        moves = legal(state)
        if len(moves) == 1:
            return moves[0]
        if moves[0].kind not in ("unit", "move", "act"):
            return self.player(state, dice)
        side = chooser(state)
        best, found = -1e9, moves[0]
        for move in self.candidates(state, moves, dice):
            worth = sum(self.playout(state, move, side, dice) for _ in range(self.playouts))
            if worth > best:
                best, found = worth, move
        return found

    def candidates(self, state: State, moves: list[Move], dice: Dice) -> list[Move]:
        """Moves worth trying: each temper's, the best few units', and any one."""
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

    def playout(self, state: State, move: Move, side: int, dice: Dice) -> float:
        """Health and units ahead after some activations played on."""
        copy = state.copy()
        advance(copy, move)
        stop = self.ahead
        while not copy.over and stop:
            if chooser(copy) == CHANCE:
                advance(copy, dice.choice(legal(copy)))
                continue
            chosen = self.player(copy, dice)
            stop -= chosen.kind == "unit"
            advance(copy, chosen)
        return material(copy, side)


def material(state: State, side: int) -> float:
    """Health and units of a side less those of the other."""
    worth = 0.0
    for unit in state.units:
        if unit.alive:
            own = unit.health + KILL
            worth += own if unit.side == side else -own
    return worth


BOTS: dict[str, Bot] = {
    "random": random_bot,
    "greedy": Planner(0.0),
    "careful": Planner(0.25),
    "searcher": Searcher(),
}
"""The bots by name, the weakest first."""


def decide(bot: Bot, state: State, dice: Dice) -> Move:
    """A bot's move from what its side sees."""
    if state.hidden or state.phase == "setup":
        seen = glimpse(state, chooser(state))
        return bot(seen, dice)
    return bot(state, dice)
