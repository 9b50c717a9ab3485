"""Event as data: the tables, the players and the printers of an organiser's file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import field
from datetime import date, datetime, time, timedelta
from typing import Literal

from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.issues import did_you_mean
from falldamage_forge.lengths import parse_box_mm

Result = tuple[int, str, str, float]
"""Round from 1, the red player, the blue player, and the points of red: 1, 0.5 or 0."""


@dataclass(frozen=True, slots=True)
class SpoolStock:
    """`count` spools for a colour group of pieces, with `grams` of filament on each."""

    group: str
    grams: float
    count: int = 1

    def __post_init__(self) -> None:
        if self.grams <= 0 or not 1 <= self.count <= MOST_SPOOLS:
            raise ValueError(
                f"a spool should have `grams` above 0 and a `count` from 1 to {MOST_SPOOLS}"
            )


@dataclass(frozen=True, slots=True)
class PrintShop:
    """Printers and their time.

    Attributes:
        start: Day on which the first plate starts.
        ready: Day on which all plates are printed when the printers are attended again.
        printers: Number of printers.
        printer: Name or file of the printer; empty for the maps' own.
        attended: First and last time of a day at which a plate can start; it may end later.
        spools: Filament at hand; empty for enough of everything.
        price_per_kg: Price of filament; 0 omits the cost.
        currency: Three-letter code.
    """

    start: date
    ready: date
    printers: int
    printer: str = ""
    attended: tuple[time, time] = (time(8), time(22))
    spools: tuple[SpoolStock, ...] = ()
    price_per_kg: float = 0.0
    currency: str = "EUR"

    def __post_init__(self) -> None:
        if isinstance(self.start, datetime) or isinstance(self.ready, datetime):
            raise ValueError("`start` and `ready` should be days without a time: 2026-12-05")
        if self.start.year not in YEARS:
            raise ValueError(f"`start` is in the year {self.start.year}")
        if not self.start < self.ready <= self.start + LONGEST:
            raise ValueError("`ready` should be a later day than `start`, at most a year later")
        if self.price_per_kg < 0:
            raise ValueError("`price_per_kg` should be 0 or more")
        if not 1 <= self.printers <= MOST_PRINTERS:
            raise ValueError(
                f"`printers` is {self.printers}; a calendar needs from 1 to {MOST_PRINTERS}"
            )
        if self.attended[0] >= self.attended[1]:
            raise ValueError("`attended` should be two times of a day, the earlier one first")


MOST_PRINTERS = 100
MOST_SPOOLS = 1000
YEARS = range(2000, 3000)
LONGEST = timedelta(days=366)
MOST_TABLES = 100
MOST_PLAYERS = 2 * MOST_TABLES
MOST_ROUNDS = 20
LONGEST_PAGE = 300


@dataclass(frozen=True, slots=True)
class Contest:
    """Players and how they meet.

    Attributes:
        players: Names in the order of the draw.
        system: `swiss`, or `round-robin` in which each player meets each other once.
        rounds: Rounds of a Swiss contest.
        results: Games played so far.
    """

    players: tuple[str, ...]
    system: Literal["swiss", "round-robin"] = "swiss"
    rounds: int = 4
    results: tuple[Result, ...] = ()

    def __post_init__(self) -> None:
        for problem in _contest_problems(self):
            raise ValueError(problem)


def _contest_problems(contest: Contest) -> Iterator[str]:
    names = contest.players
    if len(names) < 2:
        yield "`players` should be at least two names"
    if twice := sorted(name for name, count in Counter(names).items() if count > 1):
        yield f"`players` has `{twice[0]}` twice; add an initial"
    if len(names) > MOST_PLAYERS:
        yield f"`players` has {len(names)} names; a contest has at most {MOST_PLAYERS}"
    if not all(name.strip() for name in names):
        yield "`players` has an empty name"
    most = len(names) - 1 + len(names) % 2
    if contest.system == "swiss":
        most = min(most, MOST_ROUNDS)
        if not 1 <= contest.rounds <= most:
            yield f"{len(names)} players can play from 1 to {most} rounds without a second meeting"
        most = contest.rounds
    busy: Counter[tuple[int, str]] = Counter()
    for number, red, blue, points in contest.results:
        place = f"`results`: round {number}, {red} against {blue}"
        for name in (red, blue):
            busy[number, name] += 1
            if name not in names:
                hint = did_you_mean(name, names)
                yield f"{place}: no player `{name}`" + (f"; {hint}" if hint else "")
            if busy[number, name] > 1 or red == blue:
                yield f"{place}: `{name}` has two games in this round"
        if points not in (0.0, 0.5, 1.0):
            yield f"{place}: red has 1, 0.5 or 0 points, not {points:g}"
        if not 1 <= number <= most:
            yield f"{place}: the contest has rounds 1 to {most}"


@dataclass(frozen=True, slots=True)
class EventTable:
    """An event.

    Attributes:
        title: Title on all sheets.
        tables: Maps; presets, or files beside the event's file.
        at_once: Tables that stand at the same time, any of them.
        printing: Printers, spools and days.
        contest: Players and rounds; None without pairings.
        page: Address on each table's sheet, as a QR code too; `{table}` is the map's name.
        box: Inside of a box for the whole set, such as `345x220x120`; empty for none.
        games: Games of each bot on a table that is not symmetric; 0 plays none.
        extras: Further parts beside each table by plain name, such as `hidden-item`.
    """

    title: str
    tables: tuple[str, ...]
    at_once: int
    printing: PrintShop
    contest: Contest | None = None
    page: str = ""
    box: str = ""
    games: int = 0
    extras: Mapping[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for problem in self._problems():
            raise ValueError(problem)

    def _problems(self) -> Iterator[str]:
        if not 1 <= len(self.tables) <= MOST_TABLES:
            yield f"`tables` has {len(self.tables)} maps; an event has from 1 to {MOST_TABLES}"
        if twice := sorted(name for name, count in Counter(self.tables).items() if count > 1):
            yield f"`tables` has `{twice[0]}` twice"
        if not 1 <= self.at_once <= len(self.tables):
            yield f"`at_once` should be from 1 to {len(self.tables)}, the number of tables"
        if not all(count > 0 for count in self.extras.values()):
            yield "`extras` should be counts above 0"
        if len(self.page) > LONGEST_PAGE:
            yield f"`page` should have at most {LONGEST_PAGE} letters, for a legible QR code"
        if self.box:
            try:
                parse_box_mm(self.box)
            except ValueError as error:
                yield f"`box`: {error}"
        if self.games < 0:
            yield "`games` should be 0 or more"
        if self.contest is not None and len(self.contest.players) // 2 > self.at_once:
            pairs = len(self.contest.players) // 2
            yield (
                f"{pairs} pairs of players need {pairs} tables at once, `at_once` is "
                f"{self.at_once}; raise it, or invite at most {2 * self.at_once + 1} players"
            )
