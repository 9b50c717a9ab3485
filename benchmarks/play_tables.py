"""The tables of docs/bots.md and docs/playtest.md, played anew.

`python -m benchmarks.play_tables --games 2400` plays each bot against the next weaker one and
against styles of play, until one is shown to be stronger, and every map of Fall Damage under two
bots. The numbers hang on the seed and the games alone, not on the engine or the workers. Bots that
search are slow: `--pool 0` leaves the first table as it is, `--games 0` the second.
"""

from __future__ import annotations

import argparse
import re
import time
from collections import Counter
from pathlib import Path

from falldamage_forge import presets
from falldamage_forge.forge import Forge
from falldamage_forge.games.fall_damage.play import PlayOptions
from falldamage_forge.games.fall_damage.ruleset import FallDamage
from falldamage_forge.playtest.game_series import GameSeries, Runner, play_chunk, run_on
from falldamage_forge.playtest.playtest_page import format_measure
from falldamage_forge.playtest.runner import PlaytestRequest, run_playtest
from falldamage_forge.playtest.score_verdict import BLOCK
from falldamage_forge.playtest.selfplay_metrics import wilson_share
from falldamage_forge.playtest.strength import OPEN, decide, elo_of

DOCS = Path(__file__).resolve().parents[1] / "docs"
MAPS = ("duel", "arena", "ashkeep", "canyon")
POOL = ("duel", "ashkeep", "winter-keep")
LADDER = ("random", "greedy", "careful", "search-1", "search-2", "search-3")
STYLES = ("wary", "rusher", "hunter")
COLUMNS = ("red_wins", "first_mover_wins", "undecided", "rounds", "fall_kills", "lava_kills")


def boards() -> dict[str, tuple[object, object]]:
    """The presets' maps of the game, with their own rules."""
    forge, found = Forge(), {}
    for name in MAPS:
        loaded = forge.load(name)
        game, _ = forge.game(loaded)
        assert isinstance(game, FallDamage)
        found[name] = (loaded.board, game.options)
    return found


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
        "| bot | against | wins, of decided games | Elo | 60 Elo stronger | ms a game |",
        "|---|---|---|---|---|---|",
    ]
    rungs = list(zip(LADDER[1:], LADDER, strict=False))
    crossed = [(bot, style) for bot in LADDER[3:] for style in STYLES]
    for bot, other in [*reversed(rungs), *crossed]:
        scores, counts, spent = match(bot, other, games, fast)
        wins, decided = counts["a_wins"], counts["decided"]
        share = wilson_share(wins, decided)
        low, high = (elo_of(min(max(edge, 0.001), 0.999)) for edge in (share["low"], share["high"]))
        cells = [
            bot,
            other,
            f"{wins} of {decided}: {format_measure(share)}",
            f"{low:+.0f} to {high:+.0f}",
        ]
        cells += [decide(scores), f"{1000 * spent / counts['games']:.0f}"]
        lines.append(f"| {' | '.join(cells)} |")
    return lines


def maps(games: int, fast: bool, runner: Runner) -> list[str]:
    """Every map under two bots."""
    tables = boards()
    order = PlaytestRequest(
        {name: board for name, (board, _) in tables.items()},
        {name: rules for name, (_, rules) in tables.items()},
        PlayOptions(), presets.load_kit(), ("greedy", "careful"), games, 1, fast=fast,
    )  # fmt: skip
    lines = [
        "| map | bot | red wins | first mover | undecided | rounds | kills by falls | by lava |",
        "|---|---|---|---|---|---|---|---|",
    ]
    verdicts = []
    for outcome in run_playtest(order, runner):
        name = outcome.result["map"]
        for bot, measures in outcome.result["bots"].items():
            cells = " | ".join(format_measure(measures[key]) for key in COLUMNS)
            lines.append(f"| {name} | {bot} | {cells} |")
        verdicts += [f"* {name}: {line}" for line in outcome.result["verdicts"]]
    return [*lines, "", *verdicts]


def put(page: str, name: str, lines: list[str]) -> None:
    """Replace what stands between two marks of a page."""
    text = (DOCS / page).read_text("utf-8")
    begin, end = f"<!-- {name} -->", f"<!-- end of {name} -->"
    pattern = re.compile(re.escape(begin) + r".*?" + re.escape(end), re.DOTALL)
    assert pattern.search(text), f"no {begin}"
    text = pattern.sub(lambda _: "\n".join([begin, *lines, end]), text)
    (DOCS / page).write_text(text, "utf-8")


def main() -> None:
    """Play and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=2400)
    parser.add_argument("--pool", type=int, default=240, help="games of a pair of bots, at most")
    parser.add_argument("--engine", choices=("plain", "fast"), default="plain")
    parser.add_argument("--workers", type=int, default=1)
    given = parser.parse_args()
    fast, runner, begun = given.engine == "fast", run_on(given.workers), time.time()
    if given.games:
        head = f"`python -m benchmarks.play_tables --games {given.games}`"
        head = f"{head}: {given.games:,} games a bot."
        put("playtest.md", "results", [head, "", *maps(given.games, fast, runner)])
    if given.pool:
        put("bots.md", "bots", pool(given.pool, fast))
    print(f"{time.time() - begun:.0f} s")


if __name__ == "__main__":
    main()
