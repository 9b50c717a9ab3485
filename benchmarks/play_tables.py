"""The tables of docs/playtest.md, played anew: `python -m benchmarks.play_tables --games 8000`.

Each bot against every weaker one, and every map and table of Fall Damage under each bot of `RUNGS`.
The numbers hang on the seed and the games alone, not on the engine or the workers. Bots that search
are slow: `--pool 0` leaves the table of bots as it is, `--games 0` those of the maps.
"""

from __future__ import annotations

import argparse
import itertools
import re
import time
from collections.abc import Mapping
from pathlib import Path

from falldamage_forge import presets
from falldamage_forge.forge import Forge
from falldamage_forge.games.fall_damage.play import PlayOptions
from falldamage_forge.playtest import score_verdict
from falldamage_forge.playtest.bot_kernels.batch_runner import CORE_BOTS
from falldamage_forge.playtest.game_series import (
    GameSeries,
    Runner,
    run_on,
    run_series,
    sum_tallies,
)
from falldamage_forge.playtest.playtest_page import format_measure
from falldamage_forge.playtest.score_verdict import SIDE, Tally
from falldamage_forge.playtest.selfplay_metrics import measures, wilson_share

PAGE = Path(__file__).resolve().parents[1] / "docs/playtest.md"
MAPS = (
    "duel", "arena", "ashkeep", "canyon", "apple-green", "drift-sound", "dry-cut", "ember-ward",
    "helix-shell", "ivy-steps", "lion-games", "thorn-garden", "thunder-gulch", "winter-keep",
)  # fmt: skip
RUNGS = {"greedy": 1, "careful": 1, "search-1": 20, "search-2": 40}
"""Bots on every map, the weakest first, and by how much fewer games they play."""
POOL = ("duel", "ashkeep", "winter-keep")
COLUMNS = {
    "first_mover_wins": "first mover wins", "rounds": "rounds", "fall_kills": "kills by falls",
    "lava_kills": "by lava", "treasure_wins": "more chests win",
}  # fmt: skip
"""Measures of careful's games, and their heads."""


def pool(games: int, fast: bool, runner: Runner) -> list[str]:
    """Every bot against every weaker one, on the maps of `POOL` together."""
    forge = Forge()
    tables = {name: forge.load(name) for name in POOL}
    lines = ["| bot | against | wins, of decided games | ms a game |", "|---|---|---|---|"]
    for weaker, bot in reversed([*itertools.combinations(CORE_BOTS, 2)]):
        begun = time.process_time()
        series = [
            GameSeries(
                table.board, forge.game(table)[0].options, PlayOptions(), presets.load_kit(),
                (bot, weaker), games, 5, name, fast=fast,
            )
            for name, table in tables.items()
        ]  # fmt: skip
        tally = sum_tallies(run_series(series, runner))
        wins, decided = tally.counts["a_wins"], tally.counts["decided"]
        told = f"{wins} of {decided}: {format_measure(wilson_share(wins, decided))}"
        spent = 1000 * (time.process_time() - begun) / tally.counts["games"]
        lines.append(f"| {bot} | {weaker} | {told} | {spent:.0f} |")
    return lines


def maps(games: int, fast: bool, runner: Runner) -> list[str]:
    """Every map under each bot of `RUNGS`."""
    forge, found = Forge(), {}
    for name in MAPS:
        table = forge.load(name)
        series = [
            GameSeries(
                table.board, forge.game(table)[0].options, PlayOptions(), presets.load_kit(),
                (bot, bot), games // fewer, 1, name, fast=fast,
            )
            for bot, fewer in RUNGS.items()
        ]  # fmt: skip
        found[name] = dict(zip(RUNGS, run_series(series, runner), strict=True))
    return rows_of(found)


def rows_of(found: Mapping[str, Mapping[str, Tally]]) -> list[str]:
    """Red's score and the undecided games of each map and bot, then measures of careful's games."""
    games = next(iter(found.values()))
    head = [f"{bot}, {tally.counts['games']:,} games" for bot, tally in games.items()]
    lines = [f"| map | {' | '.join(head)} |", f"|---{'|---' * len(head)}|"]
    for name, tallies in found.items():
        lines.append(f"| {name} | {' | '.join(map(judged, tallies.values()))} |")
    lines += ["", f"| map | {' | '.join(COLUMNS.values())} |", f"|---{'|---' * len(COLUMNS)}|"]
    for name, tallies in found.items():
        values = measures(tallies["careful"], [])
        lines.append(f"| {name} | {' | '.join(format_measure(values[key]) for key in COLUMNS)} |")
    return lines


def judged(tally: Tally) -> str:
    """Red's score, and the share of undecided games."""
    undecided = 1 - tally.counts["decided"] / tally.counts["games"]
    return f"{scored(tally)}; {100 * undecided:.0f} %"


def scored(tally: Tally) -> str:
    """Red's score with its interval, and the outcome."""
    one = score_verdict.estimate(tally.scores(SIDE.key))
    score, low, high = (100 * (value or 0.0) for value in (one.score, one.low, one.high))
    outcome = score_verdict.as_json(SIDE, {"": one})["outcome"]
    return f"{score:.1f} % ({low:.1f} to {high:.1f}): {outcome}"


def put(text: str, name: str, lines: list[str]) -> str:
    """The page with what stands between two marks replaced."""
    begin, end = f"<!-- {name} -->", f"<!-- end of {name} -->"
    pattern = re.compile(re.escape(begin) + r".*?" + re.escape(end), re.DOTALL)
    assert pattern.search(text), f"{PAGE} has no {begin}"
    return pattern.sub(lambda _: "\n".join([begin, *lines, end]), text)


def main() -> None:
    """Play and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=8000)
    parser.add_argument("--pool", type=int, default=20, help="games of a pair of bots on a map")
    parser.add_argument("--engine", choices=("plain", "fast"), default="plain")
    parser.add_argument("--workers", type=int, default=1)
    given = parser.parse_args()
    fast, runner, begun = given.engine == "fast", run_on(given.workers), time.time()
    text = PAGE.read_text("utf-8")
    if given.games:
        head = f"`python -m benchmarks.play_tables --games {given.games}`"
        head = f"{head}: red's score, its verdict, and the share of undecided games."
        text = put(text, "results", [head, "", *maps(given.games, fast, runner)])
    if given.pool:
        text = put(text, "bots", pool(given.pool, fast, runner))
    PAGE.write_text(text, "utf-8")
    print(f"{time.time() - begun:.0f} s")


if __name__ == "__main__":
    main()
