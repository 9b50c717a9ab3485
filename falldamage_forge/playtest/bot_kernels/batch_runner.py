"""Games of a series over state columns; compiled and interpreted kernels give equal results."""

from __future__ import annotations

from collections import Counter
from functools import cache
from importlib.util import find_spec
from typing import Any

from falldamage_forge.games.fall_damage.engine import codes as C
from falldamage_forge.games.fall_damage.engine.columns import Rules, StateColumns
from falldamage_forge.games.fall_damage.engine.jit import Compiled, Entry, Tell, quiet
from falldamage_forge.games.fall_damage.engine.match_context import fill_rules, new_match
from falldamage_forge.games.fall_damage.engine.name_tables import NameTables
from falldamage_forge.games.fall_damage.options import FallDamageOptions
from falldamage_forge.games.fall_damage.play.play_options import PlayOptions
from falldamage_forge.games.fall_damage.play.state_value import MatchContext
from falldamage_forge.infra.optional_libraries import missing
from falldamage_forge.issues import ForgeError, Issue
from falldamage_forge.playtest.bot_kernels.bot_columns import Bots
from falldamage_forge.playtest.bot_kernels.chance import wrapped
from falldamage_forge.playtest.bot_kernels.one_ply import STYLES
from falldamage_forge.playtest.bot_kernels.playout import OPEN, run_command
from falldamage_forge.playtest.bot_kernels.search import RUNGS
from falldamage_forge.playtest.game_setup import GameSetup
from falldamage_forge.playtest.score_verdict import Tally

RUNG_NAMES = tuple(f"search-{rung + 1}" for rung in range(len(RUNGS)))
CORE_BOTS = {name: number for number, name in enumerate(("random", *STYLES, *RUNG_NAMES))}
"""Bots that are written over columns, and their numbers."""


def is_usual(rules: FallDamageOptions, readings: PlayOptions) -> bool:
    """True if all options are at their default, except the round limit.

    Args:
        rules: Options of the ruleset.
        readings: Options of play.
    """
    return _readings(rules, readings) == usual_readings()


@cache
def usual_readings() -> dict[str, int]:
    """Return the option columns at their default, which are compiled as constants."""
    return _readings(FallDamageOptions(), PlayOptions())


def _readings(rules: FallDamageOptions, readings: PlayOptions) -> dict[str, int]:
    s = StateColumns(dict.fromkeys(StateColumns.lengths, 0) | {"heights": 3})
    fill_rules(s, rules, readings)
    return {name: getattr(s, name) for name in Rules.lengths if name != "round_limit"}


def _door(usual: bool) -> Compiled:
    return Compiled(run_command, StateColumns, Bots, fixed=usual_readings() if usual else {})


_COMPILED: dict[bool, Entry] = {}


def load_kernels(usual: bool = True, tell: Tell = quiet) -> Entry:
    """Return `run_command` compiled, as a function of records.

    The first call on a machine compiles it in about a minute; later calls read numba's cache until
    a source changes.

    Args:
        usual: True for kernels of the default options only, which are faster.
        tell: Progress callback `(done, total)`, in functions compiled.

    Raises:
        ForgeError (FDF503): If numba is missing.
    """
    if usual not in _COMPILED:
        try:
            _COMPILED[usual] = _door(usual).call(tell)
        except ImportError:
            raise missing("search", "the fast core") from None
    return _COMPILED[usual]


@cache
def is_compiled(usual: bool = True) -> bool:
    """True if numba's cache on this machine holds the kernels of these sources.

    Args:
        usual: True for kernels of the default options only.
    """
    return find_spec("numba") is not None and _door(usual).is_kept()


class BatchRunner:
    """One map with its columns: `play` plays single games, `tally` returns their counts."""

    tell = False
    """True if `play` returns moves; their notation takes longer than the game."""

    def __init__(self, ctx: MatchContext, do: Entry | None = None) -> None:
        """Prepare a map for games.

        Args:
            ctx: Match context.
            do: Interpreted kernel; None: the compiled one.
        """
        self.ctx, self.fast = ctx, do is None
        self.do = do or load_kernels(is_usual(ctx.rules, ctx.readings))
        self.state: Any = new_match(ctx)
        self.bots: Any = Bots(Bots.sized(ctx.board.rows))
        if do is None:
            self.state, self.bots = self.state.record(), self.bots.record()
        self.codec = NameTables(ctx)
        self.numbers = {name: at for at, name in enumerate(self.codec.cards)}
        self.games: list[tuple[int, int]] = []

    def play(self, number: int, setup: GameSetup, bots: tuple[str, str]) -> list[tuple[str, int]]:
        """Play one game.

        Args:
            number: Number of the game in its series.
            setup: Setup of the game.
            bots: Bots of red and blue.

        Returns:
            If `tell` is set, each move's notation and the number of legal moves; else empty.

        Raises:
            ForgeError (FDF386): If the game exceeds the capacity of the engine.
        """
        self.prepare(setup, bots)
        if self.do(self.state, self.bots, OPEN) == C.LOST:
            message = f"game {number} exceeds the capacity of the engine"
            raise ForgeError([Issue("FDF386", "error", message)])
        rounds = int(self.state.round)
        self.games.append((number, rounds if self.state.result in (1, 2) else -rounds))
        return self._told() if self.tell else []

    @property
    def result(self) -> str:
        """The result of the last game."""
        return C.RESULTS[self.state.result]

    def prepare(self, setup: GameSetup, bots: tuple[str, str]) -> None:
        """Write the setup of a game into the columns.

        Args:
            setup: Teams, places, first side and seed of the game.
            bots: Names of red's and of blue's bot, keys of `CORE_BOTS`.
        """
        s, columns = self.state, self.bots
        cards = [[self.numbers[card] for card in team] for team in setup.teams]
        sides = [side for side, team in enumerate(cards) for _ in team]
        placed = [list(zip(*both, strict=True)) for both in zip(cards, setup.places, strict=True)]
        spots = [spot for side in placed for _, spot in side]
        s.placed, s.n_teams, s.n_spots = 1, len(sides), len(spots)
        s.team_side[: len(sides)] = s.spot_side[: len(sides)] = sides
        s.team_card[: len(sides)] = [*cards[0], *cards[1]]
        s.team_spot[: len(spots)] = spots
        s.n_team[:] = [len(team) for team in cards]
        columns.bot[:] = [CORE_BOTS[bot] for bot in bots]
        columns.first_seat, columns.swapped = setup.first, int(setup.swapped)
        s.dice = wrapped(setup.seed)

    def _told(self) -> list[tuple[str, int]]:
        moves, counts = self.bots.log, self.bots.log_counts
        return [
            (str(self.codec.move(int(moves[n]))), int(counts[n])) for n in range(self.bots.n_log)
        ]

    # -- statistics --------------------------------------------------------------------------------

    def tally(self) -> Tally:
        """Return the counts of the games since `clear`."""
        bots, tally = self.bots, Tally()
        tally.counts = Counter(
            {name: n for name, n in zip(C.COUNTS, listed(bots.counts), strict=False) if n}
        )
        values = listed(bots.values)
        for n, name in enumerate(C.VALUES):
            games, total, squares = values[3 * n : 3 * n + 3]
            if games:
                tally.values[name] = (games, total, squares)
        for name in SPOTS:
            column = listed(getattr(bots, name)[: self.state.rows << 10])
            counts = {spot: n for spot, n in enumerate(column) if n}
            if counts:
                tally.spots[name] = Counter(counts)
        tally.habits = self._habits()
        tally.rounds = Counter({at: n for at, n in enumerate(listed(bots.rounds)) if n})
        tally.games = [*self.games]
        return tally

    def _habits(self) -> dict[str, Counter[str]]:
        """Return the counts of habits by card."""
        column, width = listed(self.bots.habits), len(C.HABITS)
        rows = {card: column[at * width : at * width + width] for card, at in self.numbers.items()}
        return {
            card: Counter({name: n for name, n in zip(C.HABITS, row, strict=True) if n})
            for card, row in rows.items()
            if any(row)
        }

    def clear(self) -> None:
        """Reset the counts and the list of games."""
        self.games = []
        for name in ("counts", "values", "rounds", "habits", *SPOTS):
            clear(getattr(self.bots, name))


def listed(column: Any) -> list[int]:
    """Return a column as a list, from a list or a numpy array."""
    return column if isinstance(column, list) else column.tolist()


def clear(column: Any) -> None:
    """Fill a column with zeros, a list or a numpy array."""
    column[:] = [0] * len(column) if isinstance(column, list) else 0


SPOTS = ("visits", "deaths", "falls", "treasure")
"""Counts by surface."""
__all__ = ["CORE_BOTS", "BatchRunner", "load_kernels"]
