"""`expect fair within N%`: two bots play a map, and the sides are compared.

What was played is kept on disk by the board, the readings and this code, so a map is played once.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from falldamage_forge import cache as disk
from falldamage_forge import presets
from falldamage_forge.games.fall_damage.game import FallDamage
from falldamage_forge.games.fall_damage.play.options import Readings
from falldamage_forge.games.fall_damage.play.save import board_json
from falldamage_forge.playtest.core.drive import is_compiled
from falldamage_forge.playtest.measures import share
from falldamage_forge.playtest.series import Runner, Series, arena_of, played, run_here
from falldamage_forge.rules.expect import Unknown
from falldamage_forge.rules.position import Position

BOTS = ("greedy", "careful")
SEED = 1
NAME = "expected to be fair"
"""The games' seeds hang on it, and not on how the map's file is called."""
Shares = dict[str, dict[str, Any]]


def games_for(percent: int) -> int:
    """Games for an interval of so many percent either way at 95 %, in fours."""
    return 4 * -(-(98**2) // (4 * percent**2))


def judge(
    position: Position, percent: int, tell: Callable[[str], object] = lambda _: None,
    runner: Runner = run_here,
) -> str | None:  # fmt: skip
    """Why a map is not fair within some percent of one half each; None: nothing was found.

    A difference counts where both bots agree in sign, each interval excludes one half, and even
    the smaller of the two is beyond the percent. Unknown (ValueError) for maps of other games.
    """
    if not isinstance(position.game, FallDamage):
        raise Unknown("only maps of Fall Damage are played")
    games = games_for(percent)
    found = red_wins(position, games, tell, runner)
    text = ", ".join(_shown(bot, measure) for bot, measure in found.items())
    if _differs(found, percent / 100):
        return f"{text}, {games:,} games each"
    tell(f"fair within {percent}%: no difference found ({text}; {games:,} games each)")
    return None


def _shown(bot: str, measure: dict[str, Any]) -> str:
    if measure["share"] is None:
        return f"nobody wins with {bot}"
    low, high = 100 * measure["low"], 100 * measure["high"]
    return f"red wins {100 * measure['share']:.1f} % ({low:.1f} to {high:.1f}) with {bot}"


def _differs(found: Shares, most: float) -> bool:
    told = [m for m in found.values() if m["share"] is not None]
    if len(told) < len(found):
        return False
    above = all(m["low"] > 0.5 for m in told)
    below = all(m["high"] < 0.5 for m in told)
    return (above or below) and min(abs(m["share"] - 0.5) for m in told) > most


def red_wins(
    position: Position, games: int, tell: Callable[[str], object], runner: Runner
) -> Shares:
    """Red's share of decided games for each bot, from disk where it was played before."""
    rules = position.game.options
    series = [
        Series(
            position.board, rules, Readings(), presets.load_kit(), (bot, bot), games, SEED, NAME,
        )
        for bot in BOTS
    ]  # fmt: skip
    arena = arena_of(series[0])
    table = json.dumps([board_json(arena.board, arena.land), repr(rules), games], sort_keys=True)
    key = sha256(table.encode()).hexdigest()
    kept = disk.get(code_version(), key)
    if kept is not None:
        counts = json.loads(kept)
    else:
        tell(f"playing {len(BOTS)} times {games:,} games to see whether the map is fair")
        fast = is_compiled()
        tallies = played([replace(one, fast=fast) for one in series], runner)
        counts = {
            bot: [tally.counts["red"], tally.counts["decided"]]
            for bot, tally in zip(BOTS, tallies, strict=True)
        }
        disk.put(code_version(), key, json.dumps(counts).encode())
    return {bot: share(*counts[bot]) for bot in BOTS}


@cache
def code_version() -> str:
    """A digest of everything that decides how a game goes: rules, cards, bots."""
    here = Path(__file__).resolve().parents[1]
    folders = (here / "playtest", here / "games" / "fall_damage", here / "board")
    digest = sha256(repr(presets.load_kit()).encode())
    for source in sorted(path for folder in folders for path in folder.rglob("*.py")):
        digest.update(source.name.encode() + b"\0" + source.read_bytes() + b"\0")
    return f"fair-{digest.hexdigest()[:16]}"
