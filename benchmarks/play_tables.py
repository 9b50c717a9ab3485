"""The tables of docs/bots.md and docs/playtest.md, played anew.

`python -m benchmarks.play_tables --games 8000` plays each bot against the next weaker one and
against styles of play, until one is shown to be stronger, and every map and table of Fall Damage
under each bot of `RUNGS`. The numbers hang on the seed and the games alone, not on the engine or
the workers. Bots that search are slow: `--pool 0` leaves the first table as it is, `--games 0` the
second.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Mapping

from benchmarks.shared import put
from falldamage_forge import presets
from falldamage_forge.games.fall_damage.play import PlayOptions
from falldamage_forge.library.forge import Forge
from falldamage_forge.playtest import score_verdict
from falldamage_forge.playtest.game_series import (
    GameSeries,
    Runner,
    play_chunk,
    run_on,
    run_series,
)
from falldamage_forge.playtest.playtest_page import format_measure
from falldamage_forge.playtest.score_verdict import BLOCK, SIDE, Tally
from falldamage_forge.playtest.selfplay_metrics import measures
from falldamage_forge.playtest.strength import OPEN, decide, elo_of

MAPS = (
    "duel", "arena", "ashkeep", "canyon", "apple-green", "drift-sound", "dry-cut", "ember-ward",
    "helix-shell", "ivy-steps", "lion-games", "thorn-garden", "thunder-gulch", "winter-keep",
)  # fmt: skip
RUNGS = {"greedy": 1, "careful": 1, "search-1": 40}
"""Bots on every map, the weakest first, and by how much fewer games they play."""
POOL = ("duel", "ashkeep", "winter-keep")
LADDER = ("random", "greedy", "careful", "search-1", "search-2", "search-3")
STYLES = ("wary", "rusher", "hunter", "runner")
COLUMNS = {
    "first_mover_wins": "first mover wins", "rounds": "rounds", "fall_kills": "kills by falls",
    "lava_kills": "by lava", "treasure_wins": "more chests win",
}  # fmt: skip
"""Measures of careful's games, and their heads."""


def match(bot: str, other: str, most: int, fast: bool) -> tuple[Counter[int], Counter[str], float]:
    """Blocks of two bots on the maps of `POOL` in turn, until one is shown to be stronger.

    Returns the blocks by half points of the first bot, the counts of all games, and CPU seconds.
    """
    scores: Counter[int] = Counter()
    counts: Counter[str] = Counter()
    forge, begun = Forge(), time.process_time()
    tables = [(name, forge.load(name)) for name in POOL]
    for number in range(most // BLOCK):
        if decide(scores) != OPEN:
            break
        turn, at = divmod(number, len(POOL))
        name, table = tables[at]
        series = GameSeries(
            table.board, forge.game(table)[0].options, PlayOptions(), presets.load_kit(),
            (bot, other), most, 77, name, fast=fast,
        )  # fmt: skip
        found = play_chunk(series, BLOCK * turn, BLOCK).counts
        counts += found
        scores[2 * found["a_wins"] + BLOCK - found["decided"]] += 1
    return scores, counts, time.process_time() - begun


def pool(games: int, fast: bool) -> list[str]:
    """Each rung against the one below it, and the searching ones against every style."""
    lines = [
        "| bot | against | games: won, lost | score | Elo | 60 Elo stronger | ms a game |",
        "|---|---|---|---|---|---|---|",
    ]
    rungs = list(zip(LADDER[1:], LADDER, strict=False))
    crossed = [(bot, style) for bot in LADDER[3:] for style in STYLES]
    beside = [(LADDER[5], LADDER[3]), *((style, "careful") for style in STYLES)]
    for bot, other in [*reversed(rungs), *crossed, *beside]:
        scores, counts, spent = match(bot, other, games, fast)
        print(bot, other, dict(counts), dict(scores), f"{spent:.0f} s", flush=True)
        won, played, found = counts["a_wins"], counts["games"], score_verdict.estimate(scores)
        share, low, high = (value or 0.0 for value in (found.score, found.low, found.high))
        least, most = (elo_of(min(max(edge, 0.001), 0.999)) for edge in (low, high))
        cells = [
            bot,
            other,
            f"{played:,}: {won}, {counts['decided'] - won}",
            f"{100 * share:.1f} % ({100 * low:.1f} to {100 * high:.1f})",
            f"{elo_of(min(max(share, 0.001), 0.999)):+.0f} ({least:+.0f} to {most:+.0f})",
            decide(scores),
            f"{1000 * spent / played:.0f}",
        ]
        lines.append(f"| {' | '.join(cells)} |")
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


def main() -> None:
    """Play and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=8000)
    parser.add_argument("--pool", type=int, default=240, help="games of a pair of bots, at most")
    parser.add_argument("--engine", choices=("plain", "fast"), default="plain")
    parser.add_argument("--workers", type=int, default=1)
    given = parser.parse_args()
    fast, runner, begun = given.engine == "fast", run_on(given.workers), time.time()
    if given.games:
        head = f"`python -m benchmarks.play_tables --games {given.games}`"
        head = f"{head}: red's score, its verdict, and the share of undecided games."
        put("playtest.md", "results", [head, "", *maps(given.games, fast, runner)])
    if given.pool:
        put("bots.md", "bots", pool(given.pool, fast))
    print(f"{time.time() - begun:.0f} s")


if __name__ == "__main__":
    main()
