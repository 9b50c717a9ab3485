"""The tables of docs/playtest.md, played anew: `python -m benchmarks.play_tables --games 2400`.

Each bot against every weaker one, and every map of Fall Damage under two bots. The numbers hang on
the seed and the games alone, not on the engine or the workers. Bots that search are slow:
`--pool 0` leaves the first table as it is, `--games 0` the second.
"""

from __future__ import annotations

import argparse
import itertools
import re
import time
from pathlib import Path

from falldamage_forge import presets
from falldamage_forge.forge import Forge
from falldamage_forge.games.fall_damage.play import PlayOptions
from falldamage_forge.games.fall_damage.ruleset import FallDamage
from falldamage_forge.playtest.bot_kernels.batch_runner import CORE_BOTS
from falldamage_forge.playtest.game_series import (
    GameSeries,
    Runner,
    run_on,
    run_series,
    sum_tallies,
)
from falldamage_forge.playtest.playtest_page import format_measure
from falldamage_forge.playtest.runner import PlaytestRequest, run_playtest
from falldamage_forge.playtest.selfplay_metrics import wilson_share

PAGE = Path(__file__).resolve().parents[1] / "docs/playtest.md"
MAPS = ("duel", "arena", "ashkeep", "canyon")
POOL = ("duel", "ashkeep", "winter-keep")
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


def put(text: str, name: str, lines: list[str]) -> str:
    """The page with what stands between two marks replaced."""
    begin, end = f"<!-- {name} -->", f"<!-- end of {name} -->"
    pattern = re.compile(re.escape(begin) + r".*?" + re.escape(end), re.DOTALL)
    assert pattern.search(text), f"{PAGE} has no {begin}"
    return pattern.sub(lambda _: "\n".join([begin, *lines, end]), text)


def main() -> None:
    """Play and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=2400)
    parser.add_argument("--pool", type=int, default=20, help="games of a pair of bots on a map")
    parser.add_argument("--engine", choices=("plain", "fast"), default="plain")
    parser.add_argument("--workers", type=int, default=1)
    given = parser.parse_args()
    fast, runner, begun = given.engine == "fast", run_on(given.workers), time.time()
    text = PAGE.read_text("utf-8")
    if given.games:
        head = f"`python -m benchmarks.play_tables --games {given.games}`"
        head = f"{head}: {given.games:,} games a bot."
        text = put(text, "results", [head, "", *maps(given.games, fast, runner)])
    if given.pool:
        text = put(text, "bots", pool(given.pool, fast, runner))
    PAGE.write_text(text, "utf-8")
    print(f"{time.time() - begun:.0f} s")


if __name__ == "__main__":
    main()
