"""Games of a series on the fast core: the plain engine's games, tallies and records."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import cache
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from falldamage_forge import cache as disk
from falldamage_forge.games.fall_damage.play.arena import Arena
from falldamage_forge.games.fall_damage.play.dice import Dice
from falldamage_forge.games.fall_damage.play.engine import (
    CHANCE,
    advance,
    chooser,
    legal,
    settle,
)
from falldamage_forge.games.fall_damage.play.state import State
from falldamage_forge.issues import ForgeError, Issue
from falldamage_forge.playtest.bots import BOTS, decide
from falldamage_forge.playtest.core.exchange import CODES, Tongue, dump, load
from falldamage_forge.playtest.core.loops import layout as L
from falldamage_forge.playtest.core.memory import Memory, fill, plays
from falldamage_forge.playtest.tally import Tally

if TYPE_CHECKING:
    from falldamage_forge.playtest.series import Setup

CORE_BOTS = {"random": 0, "greedy": 1, "careful": 2}
"""The bots the core plays itself."""
OPEN, RESUME, SEE, SURVEY, TAKE = range(5)
Do = Callable[[Memory, int], int]


@cache
def compiled() -> Do:
    """The loops as one function; ForgeError (FDF503) without numba.

    The first use on a machine compiles them, which takes a minute or two; then they are read from
    numba's cache until a source of theirs changes.
    """
    try:
        from numba import njit

        from falldamage_forge.playtest.core.loops import play
    except ImportError as error:
        hint = "pip install 'falldamage-forge[search]'"
        message = f"the fast core needs the package {error.name}"
        raise ForgeError([Issue("FDF503", "error", message, hint=hint)]) from None
    digest, door = _digest(), play.do

    def do(m: Memory, what: int) -> int:
        # The digest is what numba's cache tells sources apart by.
        return -1 if digest == "" else door(m, what)

    made: Do = njit(cache=True)(do)
    return made


def _digest() -> str:
    """What tells the loops of one version from those of another."""
    sources = sorted((Path(__file__).parent / "loops").glob("*.py"))
    return sha256(b"".join(source.read_bytes() for source in sources)).hexdigest()


def is_compiled() -> bool:
    """Whether the loops were compiled on this machine before, as far as anybody remembers."""
    return find_spec("numba") is not None and disk.get(f"core-{_digest()[:16]}", "made") is not None


class Core:
    """The core for one map; `play` plays single games, `tally` gives what they left behind."""

    def __init__(self, arena: Arena, do: Do | None = None, memory: Memory = None) -> None:
        import numpy as np

        self.arena, self.do = arena, do or compiled()
        self.m = np.zeros(L.MEMORY, np.int64) if memory is None else memory
        fill(self.m, arena)
        self.do(self.m, SURVEY)
        disk.put(f"core-{_digest()[:16]}", "made", b"yes")
        self.tongue = Tongue(arena)
        self.numbers = {name: at for at, name in enumerate(self.tongue.cards)}
        self.games: list[tuple[int, int]] = []
        self.handed = 0
        """How often the plain engine was asked."""

    def play(self, number: int, setup: Setup, bots: tuple[str, str]) -> list[tuple[str, int]]:
        """Play one game; gives moves as texts, each with how many were legal where it was made.

        LookupError when the game does not fit in memory: then it was not counted.
        """
        try:
            return self._played(number, setup, bots)
        except LookupError:
            for n in range(self.m[L.N_INCREMENTS]):
                self.m[self.m[L.INCREMENTS + n]] -= 1
            raise

    def _played(self, number: int, setup: Setup, bots: tuple[str, str]) -> list[tuple[str, int]]:
        m = self.m
        self._prepare(setup, bots)
        told: list[tuple[str, int]] = []
        result = self.do(m, OPEN)
        while result == L.HANDED:
            self._tell(told)
            self._answer(setup, bots, told)
            result = self.do(m, RESUME)
        if result == L.LOST:
            raise LookupError("the game does not fit")
        rounds = int(m[L.ROUND])
        self.games.append((number, rounds if m[L.RESULT] in (1, 2) else -rounds))
        self._tell(told)
        return told

    def _prepare(self, setup: Setup, bots: tuple[str, str]) -> None:
        m, row = self.m, L.TEAMS
        for side in (0, 1):
            mask = 0
            for card, spot in zip(setup.teams[side], setup.places[side], strict=True):
                number = self.numbers[card]
                mask |= 1 << number
                m[row], m[row + 1], m[row + 2] = side, number, spot
                row += 3
            m[L.MASK_RED + side], m[L.BOT_RED + side] = mask, CORE_BOTS[bots[side]]
        m[L.N_TEAMS] = (row - L.TEAMS) // 3
        m[L.FIRST] = m[L.FIRST_SEAT] = setup.first
        m[L.SWAPPED] = int(setup.swapped)
        m[L.DICE] = setup.seed - (setup.seed >> 63 << 64)

    def _tell(self, told: list[tuple[str, int]]) -> None:
        """Moves since the last look; told only where somebody wants them."""
        if self.tell:
            m, move = self.m, self.tongue.move
            told += [
                (str(move(int(m[L.LOG + n]))), int(m[L.LOG_COUNTS + n])) for n in range(m[L.N_LOG])
            ]
        self.m[L.N_LOG] = 0

    tell = False
    """Whether `play` gives moves; texts cost more time than the game."""

    # -- what the core leaves to the plain engine ----------------------------------------------

    def _answer(self, setup: Setup, bots: tuple[str, str], told: list[tuple[str, int]]) -> None:
        """Let the plain engine go on until the core knows all that is owed."""
        m = self.m
        self.handed += 1
        state = dump(m, self.tongue, tuple(tuple(team) for team in setup.teams))
        dice = Dice(int(m[L.DICE]) & (1 << 64) - 1)
        players = [BOTS[bot] for bot in bots]
        state.log = []
        settle(state)
        self._take(state, dice)
        while state.pending and (state.phase == "setup" or state.pending[-1][0] not in CODES):
            self.do(m, SEE)
            who, moves = chooser(state), legal(state)
            rolled = who == CHANCE
            move = dice.choice(moves) if rolled else decide(players[who], state, dice)
            if self.tell:
                told.append((str(move), len(moves)))
            advance(state, move)
            self._take(state, dice)
        if any(task[0] not in CODES for task in state.pending):
            raise LookupError("something is owed that the core does not know")

    def _take(self, state: State, dice: Dice) -> None:
        """Memory takes over a state and what happened on the way to it."""
        m = self.m
        for event in state.log or ():
            row = EVENTS[event[0]](event) if event[0] in EVENTS else None
            if row is not None:
                at = L.EVENTS + m[L.N_EVENTS] * L.EVENT
                m[at : at + L.EVENT] = row + [0] * (L.EVENT - len(row))
                m[L.N_EVENTS] += 1
        if state.log:
            state.log.clear()
        load(m, self.tongue, state)
        m[L.DICE] = dice.state - (dice.state >> 63 << 64)
        self.do(m, TAKE)

    # -- what is left behind -------------------------------------------------------------------

    def tally(self) -> Tally:
        """Everything counted so far, as plain play counts it; counting begins anew."""
        m, tally = self.m, Tally()
        found = {name: int(m[L.COUNT_ROW + n]) for n, name in enumerate(L.COUNTS)}
        tally.counts = Counter({name: count for name, count in found.items() if count})
        for n, name in enumerate(L.VALUES):
            games, total, squares = (int(v) for v in self._row(L.VALUE_ROWS + 3 * n, 3))
            if games:
                tally.values[name] = (games, total, squares)
        for name, at in SPOTS.items():
            counts = {spot: int(n) for spot, n in enumerate(self._row(at, L.SPOTS)) if n}
            if counts:
                tally.spots[name] = Counter(counts)
        for name, number in self.numbers.items():
            games, wins = (int(v) for v in self._row(L.CARD_ROWS + 2 * number, 2))
            if games:
                tally.cards[name] = (games, wins)
        rounds = self._row(L.ROUND_ROW, L.MOST_ROUNDS)
        tally.rounds = Counter({at: int(n) for at, n in enumerate(rounds) if n})
        tally.games, self.games = self.games, []
        m[L.COUNT_ROW : L.WATCH_ROW] = [0] * (L.WATCH_ROW - L.COUNT_ROW)
        for at in SPOTS.values():
            m[at : at + L.SPOTS] = [0] * L.SPOTS
        return tally

    def _row(self, at: int, size: int) -> Any:
        row = self.m[at : at + size]
        return row if isinstance(row, list) else row.tolist()


SPOTS = {"visits": L.VISITS, "deaths": L.DEATHS, "falls": L.FALLS, "treasure": L.TREASURES}
EVENTS: dict[str, Callable[[tuple[Any, ...]], list[int]]] = {
    "harm": lambda e: [L.E_HARM, e[1], e[2], L.CAUSES.index(e[3]), e[4], e[5]],
    "die": lambda e: [L.E_DIE, e[1], e[2], L.CAUSES.index(e[3]), e[4]],
    "chest": lambda e: [L.E_CHEST, e[1], e[2]],
    "activate": lambda e: [L.E_ACTIVATE, e[1]],
    "attack": lambda e: [L.E_STRIKE, e[1]],
    "area": lambda e: [L.E_STRIKE, e[1]],
    "attack_terrain": lambda e: [L.E_STRIKE, e[1]],
    "round": lambda e: [L.E_ROUND, e[1]],
}
"""Events of the plain engine's log as the core counts them."""

__all__ = ["CORE_BOTS", "Core", "compiled", "plays"]
