"""Games of a series over columns, compiled or not: the same games, tallies and records."""

from __future__ import annotations

from collections import Counter
from functools import cache
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from falldamage_forge.extras import missing
from falldamage_forge.games.fall_damage.engine import codes as C
from falldamage_forge.games.fall_damage.engine.columns import State
from falldamage_forge.games.fall_damage.engine.exchange import RESULTS
from falldamage_forge.games.fall_damage.engine.jit import Compiled, Entry
from falldamage_forge.games.fall_damage.engine.match_context import new_match
from falldamage_forge.games.fall_damage.engine.rng import wrapped
from falldamage_forge.games.fall_damage.engine.tongue import Tongue
from falldamage_forge.games.fall_damage.play.arena import Arena
from falldamage_forge.issues import ForgeError, Issue
from falldamage_forge.playtest.core.columns import Bots
from falldamage_forge.playtest.core.play import OPEN, do
from falldamage_forge.playtest.tally import Tally

if TYPE_CHECKING:
    from falldamage_forge.playtest.series import Setup

CORE_BOTS = {"random": 0, "greedy": 1, "careful": 2}
"""The bots that are written over columns."""


@cache
def compiled() -> Entry:
    """`play.do` compiled, as a function of records; ForgeError (FDF503) without numba.

    The first use on a machine compiles it, which takes half a minute; then it is read from numba's
    cache until a source of it changes.
    """
    try:
        return Compiled(do, State, Bots).call()
    except ImportError:
        raise missing("search", "the fast core") from None


@cache
def is_compiled() -> bool:
    """Whether numba's cache on this machine holds this very source: it is asked, not a mark."""
    return find_spec("numba") is not None and Compiled(do, State, Bots).is_kept()


class Core:
    """One map ready for games; `play` plays single games, `tally` gives what they left behind."""

    tell = False
    """Whether `play` gives moves; texts cost more time than the game."""

    def __init__(self, arena: Arena, do: Entry | None = None) -> None:
        self.arena, self.fast = arena, do is None
        self.do = do or compiled()
        self.state: Any = new_match(arena)
        self.bots: Any = Bots()
        if do is None:
            self.state, self.bots = self.state.record(), self.bots.record()
        self.tongue = Tongue(arena)
        self.numbers = {name: at for at, name in enumerate(self.tongue.cards)}
        self.games: list[tuple[int, int]] = []

    def play(self, number: int, setup: Setup, bots: tuple[str, str]) -> list[tuple[str, int]]:
        """Play one game; gives moves as texts, each with how many were legal where it was made.

        ForgeError (FDF386) when there is more in the game than there is room for.
        """
        self.prepare(setup, bots)
        if self.do(self.state, self.bots, OPEN) == C.LOST:
            message = f"game {number} has more in it than there is room for"
            raise ForgeError([Issue("FDF386", "error", message)])
        rounds = int(self.state.round)
        self.games.append((number, rounds if self.state.result in (1, 2) else -rounds))
        return self._told() if self.tell else []

    @property
    def result(self) -> str:
        """The result of the last game."""
        return RESULTS[self.state.result]

    def prepare(self, setup: Setup, bots: tuple[str, str]) -> None:
        """Write down how a game begins."""
        s, team = self.state, 0
        s.placed = 1
        for side in (0, 1):
            mask = 0
            for card, spot in zip(setup.teams[side], setup.places[side], strict=True):
                number = self.numbers[card]
                mask |= 1 << number
                s.team_side[team], s.team_card[team], s.team_spot[team] = side, number, spot
                s.spot_side[team] = side
                team += 1
            s.n_team[side] = len(setup.teams[side])
            self.bots.mask[side], self.bots.bot[side] = mask, CORE_BOTS[bots[side]]
        s.n_teams = s.n_spots = team
        self.bots.first_seat, self.bots.swapped = setup.first, int(setup.swapped)
        s.dice = wrapped(setup.seed)

    def _told(self) -> list[tuple[str, int]]:
        moves, counts = self.bots.log, self.bots.log_counts
        return [
            (str(self.tongue.move(int(moves[n]))), int(counts[n])) for n in range(self.bots.n_log)
        ]

    # -- what is left behind -------------------------------------------------------------------

    def tally(self) -> Tally:
        """Everything counted so far, as plain play counts it; counting begins anew."""
        bots, tally = self.bots, Tally()
        tally.counts = Counter(
            {name: n for name, n in zip(C.COUNTS, listed(bots.counts), strict=False) if n}
        )
        values = listed(bots.values)
        for n, name in enumerate(C.VALUES):
            games, total, squares = values[3 * n : 3 * n + 3]
            if games:
                tally.values[name] = (games, total, squares)
        spots = listed(bots.spots)
        for name, what in SPOTS.items():
            part = listed(bots.visits) if what < 0 else spots[what * C.SPOTS : (what + 1) * C.SPOTS]
            counts = {spot: n for spot, n in enumerate(part) if n}
            if counts:
                tally.spots[name] = Counter(counts)
        for name, number in self.numbers.items():
            games, wins = listed(bots.cards[2 * number : 2 * number + 2])
            if games:
                tally.cards[name] = (games, wins)
        tally.rounds = Counter({at: n for at, n in enumerate(listed(bots.rounds)) if n})
        tally.games, self.games = self.games, []
        for column in (bots.counts, bots.values, bots.spots, bots.visits, bots.cards, bots.rounds):
            column[:] = [0] * len(column)
        return tally


def listed(column: Any) -> list[int]:
    """A column as a list, whoever holds it."""
    return column if isinstance(column, list) else column.tolist()


SPOTS = {"visits": -1, "deaths": C.DEATHS, "falls": C.FALLS, "treasure": C.TREASURES}
__all__ = ["CORE_BOTS", "Core", "compiled"]
