"""Bots: who plays a map to judge it.

Each is a function of what its side sees and of a stream of random numbers; none keeps anything from
one decision to the next, so that a game can be taken up anywhere.
"""

from __future__ import annotations

from collections.abc import Callable

from falldamage_forge.games.fall_damage.play.dice import Dice
from falldamage_forge.games.fall_damage.play.engine import CHANCE, advance, chooser, legal
from falldamage_forge.games.fall_damage.play.moves import Move
from falldamage_forge.games.fall_damage.play.observe import glimpse
from falldamage_forge.games.fall_damage.play.state import State
from falldamage_forge.games.fall_damage.play.stats import (
    carried,
    effective_move,
    may_attack,
    reach_of,
)
from falldamage_forge.games.fall_damage.play.stride import move_ends
from falldamage_forge.playtest.worth import (
    CHEST,
    KILL,
    Arm,
    Lore,
    action_worth,
    gait_and_move,
    hurt,
    lore_of,
    pushed,
)

Bot = Callable[[State, Dice], Move]
CLOSE = 0.35
"""Worth of being one turn's walk nearer to an enemy."""
CALM_ROUND = 8
"""The round from which on fear wears off, gone eight rounds later."""
HIGH = 0.12
"""Worth of a level of height."""


def random_bot(state: State, dice: Dice) -> Move:
    """Any legal move, each as likely."""
    return dice.choice(legal(state))


class Planner:
    """A bot that looks one activation ahead; `fear` weighs what strikes back next turn."""

    def __init__(self, fear: float) -> None:
        self.fear = fear

    def __call__(self, state: State, dice: Dice) -> Move:
        """The move that gains most within one activation."""
        moves = legal(state)
        if len(moves) == 1:
            return moves[0]
        kind = moves[0].kind
        if kind == "unit":
            return self.unit(state, moves)
        if state.phase == "activation" and not state.pending:
            return self.step(state, moves)
        return self.answer(state, moves, dice)

    # -- whom ---------------------------------------------------------------------------------

    def unit(self, state: State, moves: list[Move]) -> Move:
        """The unit whose best plan gains most; the turn is never ended early."""
        best, found = -1e9, moves[0]
        for move in moves:
            if move.kind == "unit":
                worth = self.plan(state, move.units[0])
                if worth > best:
                    best, found = worth, move
        return found

    def plan(self, state: State, index: int) -> float:
        """What a unit would gain over staying where it is."""
        unit = state.units[index]
        budget = carried(state, unit, effective_move(state, index))
        state.reach = None
        ends = move_ends(state, index, budget)
        state.reach = None
        view = View(state, index, self.fear)
        here = view.place(unit.spot, 0) + view.attack(unit.spot)
        best = max((view.whole(spot, damage) for spot, (damage, _) in ends.items()), default=here)
        return max(best, here) - view.place(unit.spot, 0)

    # -- what ---------------------------------------------------------------------------------

    def step(self, state: State, moves: list[Move]) -> Move:
        """The better of acting now and walking first."""
        index = state.active
        unit = state.units[index]
        acts = [
            (action_worth(state, index, move), n)
            for n, move in enumerate(moves)
            if move.kind == "act"
        ]
        best_act, at = max(acts, key=lambda pair: (pair[0], -pair[1]), default=(0.0, -1))
        walks = [move for move in moves if move.kind == "move"]
        if not walks:
            return moves[at] if best_act > 0.05 else moves[-1]
        ends = move_ends(state, index, carried(state, unit, unit.move_now))
        view = View(state, index, self.fear)
        rest = [(view.place(m.spots[0], ends[m.spots[0]][0]), n) for n, m in enumerate(walks)]
        stay = view.place(unit.spot, 0)
        after, away = max(rest, key=lambda pair: (pair[0], -pair[1]))
        if unit.acted:
            return walks[away] if after > stay + 1e-9 else moves[-1]
        first = [(value + view.attack(walks[n].spots[0]), n) for value, n in rest]
        then, to = max(first, key=lambda pair: (pair[0], -pair[1]))
        if best_act > 0.05 and best_act + max(after, stay) >= then:
            return moves[at]
        if then > stay + 1e-9:
            return walks[to]
        return moves[at] if best_act > 0.05 else moves[-1]

    # -- questions ----------------------------------------------------------------------------

    def answer(self, state: State, moves: list[Move], dice: Dice) -> Move:
        """A sensible answer to what treasure, traps and winds ask; else any."""
        name = str(state.pending[-1][0])
        if name == "wind":
            return self._wind(state, moves)
        if name == "land":
            return self._land(state, moves)
        if name == "choose_elixir":
            unit = state.units[state.pending[-1][1]]
            lost = unit.max_health - unit.health
            return next((m for m in moves if m.name == "heal" and lost >= 4), moves[-1])
        if name == "hand_on":
            return moves[0]
        if name == "free_move":
            index = int(state.pending[-1][1])
            view = View(state, index, self.fear)
            walks = [m for m in moves if m.spots]
            return max(walks, key=lambda m: view.place(m.spots[0], 0), default=moves[-1])
        return dice.choice(moves)

    def _wind(self, state: State, moves: list[Move]) -> Move:
        _, decider, victims, tiles = state.pending[-1]

        def harm(move: Move) -> float:
            worth = 0.0
            for index in state.living(victims):
                unit = state.units[index]
                fall, dead = pushed(state, unit, move.way, tiles, 15, False)
                worth += unit.health + KILL if dead else hurt(unit, fall)
            return worth

        return max(moves, key=harm) if decider != victims else min(moves, key=harm)

    def _land(self, state: State, moves: list[Move]) -> Move:
        _, index, side, *_ = state.pending[-1]
        key = [move.spots[0] & 15 for move in moves]
        low = state.units[index].side != side
        return moves[key.index(min(key) if low else max(key))]


class View:
    """A board through one unit's eyes: what its surfaces are worth."""

    def __init__(self, state: State, index: int, fear: float) -> None:
        self.state, self.index = state, index
        # Two that fear each other would wait for ever: from round 8 on fear wears off.
        self.fear = fear * max(0.0, min(1.0, (CALM_ROUND + 8 - state.round) / 8))
        unit = state.units[index]
        self.foes = state.living(1 - unit.side)
        self.lore: Lore = lore_of(state)
        self.gait, self.move = gait_and_move(state, unit)
        self.arm = Arm(state, index, self.foes) if may_attack(state, unit) else None
        goals = frozenset(state.units[foe].spot for foe in self.foes)
        self.nearest = self.lore.nearest(self.gait, goals)
        self.threats: list[tuple[frozenset[int], float]] = []
        if self.fear:
            self.threats = [self._threat(foe) for foe in self.foes]

    def _threat(self, foe: int) -> tuple[frozenset[int], float]:
        other = self.state.units[foe]
        gait, move = gait_and_move(self.state, other)
        if not may_attack(self.state, other) or other.vines:
            return frozenset(), 0.0
        reach = max(reach_of(self.state, other), 1)
        number = max(self.state.arena.kit.cards[other.card].attack + other.attack_plus, 1)
        return self.lore.threat(gait, move, reach, other.spot), float(number)

    def place(self, spot: int, damage: int) -> float:
        """Worth of ending on a surface: near to enemies (in turns on foot, not as the crow flies),
        high, on a chest, out of their reach."""
        state = self.state
        worth = HIGH * (spot & 15) - 1.2 * damage
        if spot in state.chests:
            worth += CHEST
        if spot == state.prize:
            worth += 2 * CHEST
        worth += CLOSE * -(self.nearest[spot] / max(self.move, 1))
        if self.threats:
            danger = sum(number for spots, number in self.threats if spot in spots)
            health = state.units[self.index].health
            worth -= self.fear * (danger + (KILL if danger >= health else 0.0))
        return worth

    def attack(self, spot: int) -> float:
        """Worth of the best attack from a surface."""
        return self.arm.best(spot) if self.arm else 0.0

    def whole(self, spot: int, damage: int) -> float:
        """A surface and what can be struck from it."""
        return self.place(spot, damage) + self.attack(spot)


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
