"""The tables of docs/playtest.md, played anew: `python -m benchmarks.play_tables --games 2400`.

Each bot against the one below it, and every map of Fall Damage under two bots. The numbers hang on
the seed and the games alone, not on the engine or the workers. The searcher is slow: with
`--searched 0` its row stays as it is.
"""

from __future__ import annotations

import argparse
import re
import time
from pathlib import Path

from falldamage_forge import presets
from falldamage_forge.forge import Forge
from falldamage_forge.games.fall_damage.play import PlayOptions
from falldamage_forge.games.fall_damage.ruleset import FallDamage
from falldamage_forge.playtest.game_series import GameSeries, Runner, run_on, run_series
from falldamage_forge.playtest.playtest_page import format_measure
from falldamage_forge.playtest.runner import PlaytestRequest, run_playtest
from falldamage_forge.playtest.selfplay_metrics import wilson_share

PAGE = Path(__file__).resolve().parents[1] / "docs/playtest.md"
MAPS = ("duel", "arena", "ashkeep", "canyon")
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


def ladder(games: int, searched: int, fast: bool, runner: Runner) -> list[str]:
    """Each bot against the one below it, on duel."""
    board, rules = boards()["duel"]
    lines = ["| on `duel`, teams and sides crossed | wins, of decided games |", "|---|---|"]
    for pair in (("greedy", "random"), ("careful", "greedy"), ("searcher", "careful")):
        count = searched if "searcher" in pair else games
        if count:
            series = GameSeries(
                board, rules, PlayOptions(), presets.load_kit(), pair, count, 1, "duel", fast=fast
            )
            (tally,) = run_series([series], runner)
            wins, decided = tally.counts["a_wins"], tally.counts["decided"]
            told = f"{wins} of {decided}: {format_measure(wilson_share(wins, decided))}"
            lines.append(f"| {pair[0]} against {pair[1]} | {told} |")
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
    parser.add_argument("--searched", type=int, default=24, help="games of the searcher; 0: none")
    parser.add_argument("--engine", choices=("plain", "fast"), default="plain")
    parser.add_argument("--workers", type=int, default=1)
    given = parser.parse_args()
    fast, runner, begun = given.engine == "fast", run_on(given.workers), time.time()
    table = maps(given.games, fast, runner)
    head = f"`python -m benchmarks.play_tables --games {given.games}`: {given.games:,} games a bot."
    text = put(PAGE.read_text("utf-8"), "results", [head, "", *table])
    slow = [line for line in text.splitlines() if line.startswith("| searcher against")]
    rows = ladder(given.games, given.searched, fast, runner)
    text = put(text, "bots", rows if given.searched else rows + slow)
    PAGE.write_text(text, "utf-8")
    print(f"{time.time() - begun:.0f} s")


if __name__ == "__main__":
    main()
