"""`expect fair within N%`: two bots play a map until the stronger one's verdict is established.

Scores are cached on disk by board, options and code, so a map is played once.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from hashlib import sha256
from pathlib import Path

from falldamage_forge import presets
from falldamage_forge.games.fall_damage.play.play_options import PlayOptions
from falldamage_forge.games.fall_damage.play.serialization import board_json
from falldamage_forge.games.fall_damage.ruleset import FallDamage
from falldamage_forge.infra import disk_cache as disk
from falldamage_forge.playtest import score_verdict
from falldamage_forge.playtest.bot_kernels.batch_runner import is_compiled, is_usual
from falldamage_forge.playtest.game_series import (
    GameSeries,
    Runner,
    context_of,
    run_here,
    run_series,
)
from falldamage_forge.playtest.score_verdict import Estimate, Tally
from falldamage_forge.rules.expectations import UnknownExpectation
from falldamage_forge.rules.position import Position

BOTS = ("greedy", "careful")
SEED = 1
NAME = "expected to be fair"
"""Name of the series: the seeds depend on it, not on the name of the map's file."""
Counts = dict[str, dict[int, int]]
"""Blocks by half points of red, for each bot."""


def fairness_problem(
    position: Position, percent: int, on_progress: Callable[[str], object] = lambda _: None,
    runner: Runner = run_here,
) -> str | None:  # fmt: skip
    """Return the reason why a map is not proved fair; None if it is.

    Games are played until the stronger bot finds the map fair or clearly not, or the last of
    `looks`.

    Args:
        position: The map under a ruleset.
        percent: Greatest distance of a side's score from 50 %, in percentage points.
        on_progress: Callback for progress lines.
        runner: Runner of the games.

    Raises:
        UnknownExpectation: If the map is not for Fall Damage.
    """
    if not isinstance(position.game, FallDamage):
        raise UnknownExpectation("only maps of Fall Damage are played")
    within = percent / 100
    found = estimates(blocks(position, within, on_progress, runner))
    text = score_verdict.format_verdict(score_verdict.SIDE, found, within)
    if score_verdict.outcome_of(found.values(), within) != score_verdict.FAIR:
        return f"{text}, {_games(found)}"
    on_progress(f"{text}, {_games(found)}")
    return None


def verdict_after(position: Position, games: int, runner: Runner = run_here) -> str:
    """Return the verdict on a map's fairness after a number of games of each bot.

    Args:
        position: The map under Fall Damage.
        games: Games of each bot.
        runner: Runner of the games.
    """
    series = [replace(one, games=games) for one in _series(position)]
    tallies = zip(BOTS, run_series(series, runner), strict=True)
    found = estimates({bot: tally.scores(score_verdict.SIDE.key) for bot, tally in tallies})
    return f"{score_verdict.format_verdict(score_verdict.SIDE, found)}, {_games(found)}"


def _series(position: Position) -> list[GameSeries]:
    """Return a series without games for each bot."""
    board, rules = position.board, position.game.options
    return [
        GameSeries(board, rules, PlayOptions(), presets.load_kit(), (bot, bot), 0, SEED, NAME)
        for bot in BOTS
    ]


def _games(found: Mapping[str, Estimate]) -> str:
    return f"{min(one.games for one in found.values()):,} games each"


def estimates(counts: Counts) -> dict[str, Estimate]:
    """Return the estimate of each bot."""
    return {bot: score_verdict.estimate(scores) for bot, scores in counts.items()}


def blocks(
    position: Position, within: float, tell: Callable[[str], object], runner: Runner
) -> Counts:
    """Return the scores of each bot's blocks, from the cache if possible."""
    rules = position.game.options
    series = _series(position)
    ctx = context_of(series[0])
    table = json.dumps([board_json(ctx.board, ctx.land), repr(rules), within], sort_keys=True)
    key = sha256(table.encode()).hexdigest()
    stored = disk.get(code_version(), key)
    if stored is not None:
        read = json.loads(stored)
        return {bot: {int(at): n for at, n in scores.items()} for bot, scores in read.items()}
    counts = _played_on(series, within, tell, runner)
    disk.put(code_version(), key, json.dumps(counts).encode())
    return counts


def _played_on(
    series: list[GameSeries], within: float, tell: Callable[[str], object], runner: Runner
) -> Counts:
    """Play until a verdict is established, at most to the last of the looks."""
    usual = is_usual(series[0].rules, series[0].readings)
    plan, before, fast = score_verdict.looks(within), 0, is_compiled(usual)
    tell(f"playing {plan[0]:,} to {plan[-1]:,} games with each of {len(series)} bots")
    tallies = [Tally() for _ in series]
    counts: Counts = {}
    for games in plan:
        more = [replace(one, games=games, fast=fast) for one in series]
        for tally, new in zip(tallies, run_series(more, runner, before), strict=True):
            tally.add(new)
        pairs = zip(BOTS, tallies, strict=True)
        counts = {
            bot: dict(sorted(tally.scores(score_verdict.SIDE.key).items())) for bot, tally in pairs
        }
        if score_verdict.is_settled(estimates(counts).values(), within):
            break
        before = games
    return counts


@cache
def code_version() -> str:
    """Return a digest of everything that determines a game: rules, cards, bots."""
    here = Path(__file__).resolve().parents[1]
    folders = (here / "playtest", here / "games" / "fall_damage", here / "board")
    digest = sha256(repr(presets.load_kit()).encode())
    for source in sorted(path for folder in folders for path in folder.rglob("*.py")):
        digest.update(source.name.encode() + b"\0" + source.read_bytes() + b"\0")
    return f"fair-{digest.hexdigest()[:16]}"
