"""Games of a series on the fast core: the plain engine's games, tallies and records."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from ctypes import POINTER, c_int64
from functools import cache
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from falldamage_forge.extras import missing
from falldamage_forge.games.fall_damage.play.arena import Arena
from falldamage_forge.playtest.core.exchange import RESULTS, Tongue
from falldamage_forge.playtest.core.loops import layout as L
from falldamage_forge.playtest.core.memory import Memory, fill, plays
from falldamage_forge.playtest.tally import Tally

if TYPE_CHECKING:
    from falldamage_forge.playtest.series import Setup

CORE_BOTS = {"random": 0, "greedy": 1, "careful": 2}
"""The bots the core plays itself."""
OPEN, SURVEY = range(2)
Do = Callable[[Memory, int], int]


@cache
def compiled() -> Do:
    """The loops as one function; ForgeError (FDF503) without numba.

    The first use on a machine compiles them, which takes half a minute; then they are read from
    numba's cache until a source of theirs changes.
    """
    try:
        from falldamage_forge.playtest.core.loops.inner import door
    except ImportError:
        raise missing("search", "the fast core") from None
    call = door(_door()).ctypes

    def do(m: Memory, what: int) -> int:
        return int(call(m.ctypes.data_as(POINTER(c_int64)), what))

    return do


def _door() -> Do:
    """What is compiled: the loops, and the digest by which numba's cache tells them apart."""
    from falldamage_forge.playtest.core.loops import play

    made: Do = play.marked(_digest())
    return made


@cache
def _digest() -> str:
    """What tells the loops of one version from those of another."""
    sources = sorted((Path(__file__).parent / "loops").glob("*.py"))
    return sha256(b"".join(source.read_bytes() for source in sources)).hexdigest()


@cache
def is_compiled() -> bool:
    """Whether numba's cache on this machine holds these very loops: it is asked, not a mark."""
    if find_spec("numba") is None:
        return False
    from falldamage_forge.playtest.core.loops.inner import is_kept

    return is_kept(_door())


class Core:
    """The core for one map; `play` plays single games, `tally` gives what they left behind."""

    def __init__(self, arena: Arena, do: Do | None = None, memory: Memory = None) -> None:
        import numpy as np

        self.arena, self.do = arena, do or compiled()
        self.m = np.zeros(L.MEMORY, np.int64) if memory is None else memory
        fill(self.m, arena)
        self.do(self.m, SURVEY)
        self.tongue = Tongue(arena)
        self.numbers = {name: at for at, name in enumerate(self.tongue.cards)}
        self.games: list[tuple[int, int]] = []

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
        if self.do(m, OPEN) == L.LOST:
            raise LookupError("the game does not fit")
        rounds = int(m[L.ROUND])
        self.games.append((number, rounds if m[L.RESULT] in (1, 2) else -rounds))
        return self._told() if self.tell else []

    @property
    def result(self) -> str:
        """The result of the last game."""
        return RESULTS[int(self.m[L.RESULT])]

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

    def _told(self) -> list[tuple[str, int]]:
        m, move = self.m, self.tongue.move
        return [(str(move(int(m[L.LOG + n]))), int(m[L.LOG_COUNTS + n])) for n in range(m[L.N_LOG])]

    tell = False
    """Whether `play` gives moves; texts cost more time than the game."""

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
__all__ = ["CORE_BOTS", "Core", "compiled", "plays"]
