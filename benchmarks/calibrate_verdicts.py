"""False alarms and power of verdicts: `python -m benchmarks.calibrate_verdicts`.

It writes the tables of docs/playtest.md. Simulated series draw blocks from the counts of real
games, tilted to a true score (exponential tilting), so draws and ties within a block are as in
games. A false alarm is an interval that excludes the true score after any block. Played series are
maps whose answer is known: fair by symmetry with noise on both halves, or with a graded handicap.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import log

import numpy as np
from numpy.typing import NDArray

from benchmarks.play_tables import put, scored
from falldamage_forge import presets
from falldamage_forge.games.fall_damage.play import PlayOptions
from falldamage_forge.library.forge import Forge
from falldamage_forge.playtest import score_verdict
from falldamage_forge.playtest.game_series import GameSeries, run_here, run_series, sum_tallies
from falldamage_forge.playtest.playtest_page import format_measure
from falldamage_forge.playtest.score_verdict import (
    BLOCK,
    CONFIDENCE,
    FAIR,
    FIRST,
    MOST_POINTS,
    OPEN,
    SECOND,
    SIDE,
    STAKES,
    WITHIN,
    Scores,
    Tally,
)
from falldamage_forge.playtest.selfplay_metrics import OWN_DEATHS, exact_share, measures

BASE = """forge 1
map {{
  .  .  .  .  .  .  .  .  .  .
  .  .  .  .  .  .  .  .  .  .
  .  .  .  .  .  .  .  .  .  .
  .  1  2  1  .  .  1  2  .  .
  .  1  2  3  ~  .  .  1  .  .
  .  .  1  .  .  ~  3  2  1  .
  .  .  2  1  .  .  1  2  1  .
  .  .  .  .  .  .  .  .  .  .
  .  .  .  .  .  .  .  .  .  .
  .  .  .  .  .  .  .  .  .  .
}}
start red at B{red}..I{red}
start blue at B10..I10
treasure at E3, F{chest}
"""
"""A map that is its own image under half a turn, with red's row 1 and blue's chest in row 8."""
HANDICAPS: Mapping[str, tuple[tuple[str, dict[str, int], str], ...]] = {
    "none": (("", {}, ""),),
    "a hill before red": tuple((f"{n} levels", {}, f"stack C3..H3 height {n}") for n in (1, 2, 3)),
    "lava before blue": tuple(
        (f"{n} tiles", {}, f"lava at A9..{'ABCDEFGHIJ'[n - 1]}9") for n in (4, 7, 10)
    ),
    "red starts nearer": tuple((f"{n} rows", {"red": 1 + n}, "") for n in (1, 2)),
    "blue's chest nearer to red": tuple((f"{n} rows", {"chest": 8 - n}, "") for n in (2, 4)),
}
"""Grade, fields of `BASE`, and a statement to add."""
NOISE = (4, 8, 16)
"""Pairs of tiles at other levels: a tile of the north and its image."""
BOT, PART = "careful", 1_200
"""Bot that plays; games of a part of a series, and of a fair map."""
SHARES = (0.50, 0.51, 0.53, 0.55, 0.60)
LOOKS = score_verdict.looks(WITHIN)
SEEN_AT = (400, PART, 2_400, LOOKS[-1])
SIMULATED = (
    "true score", "false alarms", *(f"shown by {games:,} games" for games in SEEN_AT),
    "`fair`", "`favoured`", "`open`", "mean games",
)  # fmt: skip
GRADED = ("handicap", "red's score", f"shown by {PART:,} games")
WATCHED = ("duel", "ashkeep", "winter-keep", "canyon")
WATCHED_BOTS = {"greedy": 1, "careful": 1, "search-1": 4, "search-2": 20}
"""Bots that are watched, and by how much fewer games they play."""
HABIT_SHARES = (
    "finished", "finished_unpoisoned", "idle", "back_and_forth", "empty_shots", "own_deaths",
)  # fmt: skip
HABIT_HEAD = (
    "bot", "games", "won games that end", "not poisoned", "idle", "back and forth", "empty shots",
    "own deaths", "most of them",
)  # fmt: skip
SYMMETRIC = ("pairs of tiles", "found unfair", "found fair", "open")
Points = NDArray[np.int64]
Flags = NDArray[np.bool_]


def text_of(fields: Mapping[str, int], more: str = "") -> str:
    """Return the text of the base map with a handicap."""
    return BASE.format(**({"red": 1, "chest": 8} | dict(fields))) + more + "\n"


def noisy(seed: int, pairs: int) -> str:
    """Return the text of a symmetric map: bare tiles, and their images, at drawn levels."""
    dice = random.Random(f"noise {seed} {pairs}")
    rows = [line.split() for line in BASE.splitlines()[2:12]]
    bare = [(row, col) for row in range(1, 5) for col in range(10) if rows[row][col] == "."]
    stacks = [
        f"stack {'ABCDEFGHIJ'[col]}{row + 1}, {'JIHGFEDCBA'[col]}{10 - row} "
        f"height {dice.randint(1, 3)}"
        for row, col in dice.sample(bare, pairs)
    ]
    return text_of({}, "\n".join(stacks))


# -- simulated series ------------------------------------------------------------------------------


def tilted(scores: Scores, mean: float) -> NDArray[np.float64]:
    """Return the chances of half points that are nearest to counts and have a mean.

    The counts are made even between the sides first, so that one half needs no tilt.
    """
    points = np.arange(MOST_POINTS + 1)
    both = Counter(scores) + Counter(score_verdict.mirrored(scores))
    even = np.array([both[int(n)] for n in points], float)
    low, high = -5.0, 5.0
    for _ in range(60):
        middle = (low + high) / 2
        chances = even * np.exp(middle * points)
        chances /= chances.sum()
        low, high = (middle, high) if chances @ points < mean * MOST_POINTS else (low, middle)
    return np.asarray(chances)


def refuted(points: Points, mean: float, risk: float) -> Flags:
    """Return after which blocks bets have refuted that the mean score is at most `mean`.

    Args:
        points: Half points, shape (series, blocks).
        mean: Mean under test.
        risk: Probability of a wrong refutation at any block.
    """
    values = np.arange(MOST_POINTS + 1) / MOST_POINTS / mean
    logs = [np.cumsum(np.log(1 - bet + bet * values)[points], axis=1) for bet in STAKES]
    total: NDArray[np.float64] = np.logaddexp.reduce(logs)
    found: Flags = total - log(len(STAKES)) >= log(1 / risk)
    return np.logical_or.accumulate(found, axis=1)


def simulate(scores: Scores, share: float, series: int, dice: np.random.Generator) -> list[str]:
    """Return a row: a true score, how often it is shown by some game, and the outcomes.

    Args:
        scores: Blocks of real games.
        share: True score of red.
        series: Number of series.
        dice: Random numbers.
    """
    risk = (1 - CONFIDENCE) / 2
    points = dice.choice(
        MOST_POINTS + 1, p=tilted(scores, share), size=(series, LOOKS[-1] // BLOCK)
    )
    turned = MOST_POINTS - points
    wrong = refuted(points, share, risk) | refuted(turned, 1 - share, risk)
    shown = refuted(points, 0.5, risk) | refuted(turned, 0.5, risk)
    ends, games = Counter[str](), 0
    for row in points:
        for look in LOOKS:
            one = score_verdict.estimate(Counter(row[: look // BLOCK].tolist()))
            if score_verdict.is_settled([one], WITHIN):
                break
        games += look
        ends[score_verdict.outcome_of([one])] += 1
    counts = [wrong[:, -1].sum(), *(shown[:, at // BLOCK - 1].sum() for at in SEEN_AT)]
    counts += [ends[FAIR], ends[FIRST] + ends[SECOND], ends[OPEN]]
    cells = [f"{100 * count / series:.1f} %" for count in counts]
    return [f"{100 * share:.0f} %", *cells, f"{games / series:,.0f}"]


# -- played series ---------------------------------------------------------------------------------


def played(text: str, name: str, games: int) -> Tally:
    """Return the tally of compiled games of `BOT` against itself."""
    forge = Forge()
    map_ = forge.loads(text, name)
    series = GameSeries(
        map_.board, forge.game(map_)[0].options, PlayOptions(), presets.load_kit(), (BOT, BOT),
        games, 1, name, fast=True,
    )  # fmt: skip
    return run_series([series], run_here)[0]


def found(scores: Scores) -> str:
    """Return the outcome of one bot's blocks."""
    return score_verdict.outcome_of([score_verdict.estimate(scores)])


def parts(tally: Tally, blocks: int) -> Iterator[Counter[int]]:
    """Yield the scores of a series in parts of so many blocks."""
    points = [halves for _, (_, halves, _) in sorted(tally.blocks.items())]
    for first in range(0, len(points), blocks):
        yield Counter(points[first : first + blocks])


def graded(games: int) -> list[list[str]]:
    """Return a row for each grade of each handicap: its effect, and how often a part shows it."""
    rows = []
    for kind, grades in HANDICAPS.items():
        for grade, fields, more in grades:
            tally = played(text_of(fields, more), f"{kind} {grade}", games)
            ends = Counter(map(found, parts(tally, PART // BLOCK)))
            shown = f"{ends[FIRST] + ends[SECOND]} of {ends.total()}"
            rows.append([f"{kind}{grade and ', '}{grade}", scored(tally), shown])
    return rows


def symmetric(games: int, maps: int) -> list[list[str]]:
    """Return a row for each amount of noise: how many fair maps are found unfair."""
    rows = []
    for pairs in NOISE:
        ends = Counter(
            found(played(noisy(seed, pairs), str(seed), games).scores(SIDE.key))
            for seed in range(maps)
        )
        wrong = ends[FIRST] + ends[SECOND]
        rows.append([str(pairs), f"{wrong} of {maps}: {format_measure(exact_share(wrong, maps))}",
                     str(ends[FAIR]), str(ends[OPEN])])  # fmt: skip
    return rows


def habits(games: int) -> list[list[str]]:
    """Return a row for each bot: its habits against itself on the maps of `WATCHED`."""
    forge, kit, rows = Forge(), presets.load_kit(), []
    for bot, fewer in WATCHED_BOTS.items():
        maps = [(name, forge.load(name)) for name in WATCHED]
        total = sum_tallies(
            run_series(
                [
                    GameSeries(
                        map_.board, forge.game(map_)[0].options, PlayOptions(), kit, (bot, bot),
                        max(games // fewer, BLOCK), 1, name, fast=True,
                    )
                    for name, map_ in maps
                ],
                run_here,
            )
        )  # fmt: skip
        found = measures(total, [])
        deaths = Counter(
            {
                f"{card} {cause}": counts[cause]
                for card, counts in found["habits"].items()
                for cause in OWN_DEATHS
                if cause in counts
            }
        )
        most = ", ".join(f"{what} {count}" for what, count in deaths.most_common(5))
        shares = [f"{100 * (found[name]['share'] or 0):.1f} %" for name in HABIT_SHARES]
        rows.append([bot, f"{total.counts['games']:,}", *shares, most or "none"])
    return rows


def main() -> None:
    """Play or simulate what is asked, and write its tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--series", type=int, default=0, help="simulated series of a true score")
    parser.add_argument("--games", type=int, default=0, help="games on each map with a handicap")
    parser.add_argument("--maps", type=int, default=0, help="fair maps for each amount of noise")
    parser.add_argument("--habits", type=int, default=0, help="games of each map, by greedy")
    given = parser.parse_args()
    if given.habits:
        put("playtest.md", "habits", table(HABIT_HEAD, habits(given.habits)))
    if given.series:
        scores = played(text_of({}), "blocks", 8_000).scores(SIDE.key)
        dice = np.random.default_rng(1)
        put("playtest.md", "simulated", table(SIMULATED, [
            simulate(scores, share, given.series, dice) for share in SHARES
        ]))  # fmt: skip
    if given.games:
        put("playtest.md", "graded", table(GRADED, graded(given.games)))
    if given.maps:
        put("playtest.md", "symmetric", table(SYMMETRIC, symmetric(PART, given.maps)))


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """Return a Markdown table."""
    return [f"| {' | '.join(row)} |" for row in (head, ["---"] * len(head), *rows)]


if __name__ == "__main__":
    main()
