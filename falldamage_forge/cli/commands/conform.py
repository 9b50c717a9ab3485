"""`fdforge conform`: run conformance cases against the engine, or test another program."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from falldamage_forge.cli import option
from falldamage_forge.cli.game_input import CLOCK, is_program
from falldamage_forge.cli.map_argument import echo_issues
from falldamage_forge.cli.spoken_language import echo

if TYPE_CHECKING:
    from falldamage_forge.issues import Issue


@option.command
def command(
    file: Path | None = option.argument("[FILE.json]", type=option.FILE, required=False),
    bot: str | None = option.text(
        "Command line of a bot to test, such as ./mybot.",
        metavar="COMMAND",
        de="Befehlszeile eines Bots zum Testen, wie ./mybot.",
    ),
    engine: str | None = option.text(
        "Command line of an engine to test.",
        metavar="COMMAND",
        de="Befehlszeile einer Engine zum Testen.",
    ),
    games: int = option.whole(
        1,
        10000,
        "Games of the test of a bot or an engine.",
        default=8,
        de="Spiele des Tests eines Bots oder einer Engine.",
    ),
    clock: float = CLOCK,
    seed: int = option.SEED,
    as_json: bool = option.JSON,
) -> None:
    """Run a file of conformance cases and report where the engine's result differs.

    With --bot or --engine, test another program instead: it plays or follows drawn games.

    Exits 1 if any case or answer differs or cannot be read; the others run nevertheless.
    docs/game.md defines the format of a file, docs/bots.md the requests to a program.
    """
    if [file, bot, engine].count(None) != 2:
        raise click.UsageError("name one of FILE.json, --bot and --engine")
    if file is not None:
        _run_file(file, as_json)
    elif bot is not None:
        _run_program(bot, "bot", games, clock, seed, as_json)
    elif engine is not None:
        _run_program(engine, "engine", games, clock, seed, as_json)


def _run_program(
    program: str, role: str, games: int, clock: float, seed: int, as_json: bool
) -> None:
    """Print the result of `ff.game_test`; exit 1 if the program fails."""
    from falldamage_forge.library.conformance_run import game_test

    if not is_program(program):
        raise click.UsageError(f"no program `{program}` is found here")
    result = game_test(program, role, games=games, clock=clock, seed=seed)
    if as_json:
        click.echo(json.dumps({"ok": result.ok} | asdict(result), indent=2, ensure_ascii=False))
    else:
        for failure in result.failures:
            echo(str(failure))
        passed = result.games - len(result.failures)
        echo(
            f"{program}: {passed} of {result.games} games passed, {result.answers:,} answers "
            f"right, the slowest in {result.slowest_ms:,} ms"
        )
    if not result.ok:
        sys.exit(1)


def _run_file(file: Path, as_json: bool) -> None:
    """Print where the engine differs from a file of cases; exit 1 if it does."""
    from falldamage_forge import presets
    from falldamage_forge.games.fall_damage.options import FallDamageOptions
    from falldamage_forge.games.fall_damage.play.conformance import conform
    from falldamage_forge.infra.plain_text import parse_json
    from falldamage_forge.infra.source_loader import read_text
    from falldamage_forge.issues import refuse

    try:
        document = parse_json(read_text(file, str(file)), str(file))
    except (ValueError, RecursionError) as error:
        raise refuse("FDF380", f"`{file}` is not valid JSON: {error}") from None
    if not isinstance(document, dict):
        raise refuse("FDF380", f"`{file}` holds no object", "`docs/game.md` shows the form")
    verdicts = conform(document, FallDamageOptions(), presets.load_kit())
    agree = sum(verdict.agrees for verdict in verdicts)
    unread = sum(bool(verdict.issues) for verdict in verdicts)
    issues = [_with_file(issue, file) for verdict in verdicts for issue in verdict.issues]
    if as_json:
        examples = [
            {"id": v.name, "title": v.title, "agrees": v.agrees,
             "differences": list(v.differences),
             "problems": [issue.message for issue in v.issues]}
            for v in verdicts
        ]  # fmt: skip
        result = {"agree": agree, "of": len(verdicts), "unreadable": unread, "examples": examples}
        click.echo(json.dumps(result, indent=2, ensure_ascii=False))
    else:
        echo_issues(issues, {})
        for verdict in verdicts:
            if verdict.issues:
                echo(f"{verdict.name}  {verdict.title}: cannot be read")
            for difference in verdict.differences:
                echo(f"{verdict.name}  {verdict.title}: {difference}")
        echo(f"{agree} of {len(verdicts)} agree" + f", {unread} cannot be read" * bool(unread))
    if agree < len(verdicts):
        sys.exit(1)


def _with_file(issue: Issue, file: Path) -> Issue:
    return replace(issue, message=f"`{file}`: {issue.message}")
