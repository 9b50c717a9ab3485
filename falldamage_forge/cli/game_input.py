"""Input of the commands that play: a map's board under rules, options by name, records."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from falldamage_forge.cli import option
from falldamage_forge.cli.progress_bar import show_progress

if TYPE_CHECKING:
    from falldamage_forge.board import Board
    from falldamage_forge.games.fall_damage.options import FallDamageOptions
    from falldamage_forge.games.fall_damage.ruleset import FallDamage
    from falldamage_forge.library.forge import Map
    from falldamage_forge.playtest.game_series import GameSeries, Runner
    from falldamage_forge.playtest.score_verdict import Tally
    from falldamage_forge.rules.ruleset import Ruleset

RULE_OPTIONS = option.RULE_OPTIONS.but(
    "Option of the rules: `edge=void`, `turn-size=exactly-two`, `G07=exactly_two`; repeatable.",
    de="Option der Regeln: `edge=void`, `turn-size=exactly-two`, `G07=exactly_two`; wiederholbar.",
)
CLOCK = option.number(
    *(0.01, 3600, "Time of a program for an answer; a later one loses the game."),
    default=5.0,
    metavar="SECONDS",
)

BOT_ALIASES = {"cautious": "careful", "searcher": "search-1", "rollout": "search-1"}
"""Bots by names of what they do; records and reports have the earlier ones."""


def parse_options(texts: Iterable[str]) -> dict[str, str]:
    """Return options by name from `NAME=VALUE` texts; UsageError without an equals sign."""
    found = {}
    for text in texts:
        name, sign, value = text.partition("=")
        if not sign:
            raise click.UsageError(f"write --option NAME=VALUE, not `{text}`")
        found[name.strip()] = value.strip()
    return found


def bots_named(words: str) -> tuple[str, ...]:
    """Return the bots of a list with commas, the weakest first.

    Raises:
        UsageError: If a bot is unknown, or fewer than two are named.
    """
    from falldamage_forge.issues import did_you_mean
    from falldamage_forge.playtest.bots import BOTS

    named = (word.strip() for word in words.split(",") if word.strip())
    names = {BOT_ALIASES.get(name, name) for name in named}
    for name in sorted(names - BOTS.keys()):
        hint = did_you_mean(name, BOTS) or f"known: {', '.join(BOTS)}"
        raise click.UsageError(f"no bot called `{name}`; {hint}")
    if len(names) < 2:
        raise click.UsageError(
            "name at least two bots: a result of one bot may be its own weakness"
        )
    return tuple(sorted(names, key=list(BOTS).index))


def today() -> str:
    """Return the present day, as `2026-12-05`."""
    return date.today().isoformat()


def with_progress(runner: Runner) -> Runner:
    """Return a runner of games that shows its progress."""

    def run(work: list[tuple[GameSeries, int, int]]) -> Iterator[Tally]:
        show_progress("playing", 0, len(work))
        for done, tally in enumerate(runner(work), start=1):
            show_progress("playing", done, len(work))
            yield tally

    return run


def is_program(command: str) -> bool:
    """True if a command line begins with a program that is found here."""
    import shlex
    from shutil import which

    try:
        words = shlex.split(command)
    except ValueError:
        return False
    return bool(words) and which(words[0]) is not None


def open_board(map_name: str) -> tuple[Board, FallDamageOptions]:
    """Return a map's board and the options of its rules; exit 1 on errors.

    Raises:
        ForgeError: FDF366 for a map of another game.
    """
    from falldamage_forge.cli.map_argument import checked_map

    map_ = checked_map(map_name).map
    return map_.board, require_fall_damage(map_).options


def require_fall_damage(map_: Map, rules: Ruleset | None = None) -> FallDamage:
    """Return rules, by default a map's; ForgeError (FDF366) if they are of another game.

    Args:
        map_: Map whose rules are the default.
        rules: Rules of a game; None for the map's.
    """
    from falldamage_forge.cli.map_argument import FORGE
    from falldamage_forge.games.fall_damage.ruleset import FallDamage
    from falldamage_forge.issues import refuse

    rules = rules or FORGE.game(map_)[0]
    if not isinstance(rules, FallDamage):
        message = f"the map is for `{rules.name}`; only Fall Damage is played here"
        raise refuse("FDF366", message, "`fdforge compare` and `analyze` speak of every game")
    return rules


def read_json(file: Path, code: str) -> dict[str, Any]:
    """Return the object of a JSON file; ForgeError with the given code if it is none.

    Args:
        file: Path of the file.
        code: Code of the issue, such as `FDF403`.
    """
    from falldamage_forge.infra.plain_text import parse_json
    from falldamage_forge.infra.source_loader import read_text
    from falldamage_forge.issues import refuse

    try:
        found = parse_json(read_text(file, str(file)), str(file))
    except (ValueError, RecursionError) as error:
        raise refuse(code, f"`{file}` is not valid JSON: {error}") from None
    if not isinstance(found, dict):
        raise refuse(code, f"`{file}` holds no JSON object")
    return found
