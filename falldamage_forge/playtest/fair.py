"""`expect fair within N%`: two bots play a map until it is settled whether a side is better.

The blocks of games are kept on disk by the board, the readings and this code, so a map is played
once.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from hashlib import sha256
from pathlib import Path

from falldamage_forge import cache as disk
from falldamage_forge import presets
from falldamage_forge.games.fall_damage.game import FallDamage
from falldamage_forge.games.fall_damage.play.options import Readings
from falldamage_forge.games.fall_damage.play.save import board_json
from falldamage_forge.playtest.core.drive import is_compiled
from falldamage_forge.playtest.series import Runner, Series, arena_of, played, run_here
from falldamage_forge.playtest.tally import Tally
from falldamage_forge.playtest.verdict import (
    FAIR,
    SIDE,
    Estimate,
    estimate,
    is_settled,
    looks,
    outcome_of,
    told,
)
from falldamage_forge.rules.expect import Unknown
from falldamage_forge.rules.position import Position

BOTS = ("greedy", "careful")
SEED = 1
NAME = "expected to be fair"
"""The games' seeds hang on it, and not on how the map's file is called."""
Counts = dict[str, dict[int, int]]
"""Blocks by half points of red, for each bot."""


def judge(
    position: Position, percent: int, tell: Callable[[str], object] = lambda _: None,
    runner: Runner = run_here,
) -> str | None:  # fmt: skip
    """Why a map is not proved fair within some percent of one half; None: it is.

    The map is played on until every bot finds it fair, one of them does not, or the most games of
    `looks` are played: see `verdict`.

    Raises:
        Unknown: For maps of other games.
    """
    if not isinstance(position.game, FallDamage):
        raise Unknown("only maps of Fall Damage are played")
    within = percent / 100
    found = estimates(blocks(position, within, tell, runner))
    text = told(SIDE, found, within)
    if outcome_of(found.values(), within) != FAIR:
        return f"{text}, {_games(found)}"
    tell(f"{text}, {_games(found)}")
    return None


def _games(found: Mapping[str, Estimate]) -> str:
    return f"{min(one.games for one in found.values()):,} games each"


def estimates(counts: Counts) -> dict[str, Estimate]:
    """The estimate of each bot."""
    return {bot: estimate(scores) for bot, scores in counts.items()}


def blocks(
    position: Position, within: float, tell: Callable[[str], object], runner: Runner
) -> Counts:
    """The blocks of each bot, from disk where they were played before."""
    rules = position.game.options
    series = [
        Series(position.board, rules, Readings(), presets.load_kit(), (bot, bot), 0, SEED, NAME)
        for bot in BOTS
    ]
    arena = arena_of(series[0])
    table = json.dumps([board_json(arena.board, arena.land), repr(rules), within], sort_keys=True)
    key = sha256(table.encode()).hexdigest()
    kept = disk.get(code_version(), key)
    if kept is not None:
        read = json.loads(kept)
        return {bot: {int(at): n for at, n in scores.items()} for bot, scores in read.items()}
    counts = _played_on(series, within, tell, runner)
    disk.put(code_version(), key, json.dumps(counts).encode())
    return counts


def _played_on(
    series: list[Series], within: float, tell: Callable[[str], object], runner: Runner
) -> Counts:
    """Play until the question is settled, at most the last of the looks."""
    plan, before, fast = looks(within), 0, is_compiled()
    tell(f"playing {plan[0]:,} to {plan[-1]:,} games with each of {len(series)} bots")
    tallies = [Tally() for _ in series]
    counts: Counts = {}
    for games in plan:
        more = [replace(one, games=games, fast=fast) for one in series]
        for tally, new in zip(tallies, played(more, runner, before), strict=True):
            tally.add(new)
        pairs = zip(BOTS, tallies, strict=True)
        counts = {bot: dict(sorted(tally.scores(SIDE.key).items())) for bot, tally in pairs}
        if is_settled(estimates(counts).values(), within):
            break
        before = games
    return counts


@cache
def code_version() -> str:
    """A digest of everything that decides how a game goes: rules, cards, bots."""
    here = Path(__file__).resolve().parents[1]
    folders = (here / "playtest", here / "games" / "fall_damage", here / "board")
    digest = sha256(repr(presets.load_kit()).encode())
    for source in sorted(path for folder in folders for path in folder.rglob("*.py")):
        digest.update(source.name.encode() + b"\0" + source.read_bytes() + b"\0")
    return f"fair-{digest.hexdigest()[:16]}"
