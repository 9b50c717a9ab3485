"""`fdforge conform`: run conformance cases against the engine."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from falldamage_forge.cli.map_argument import echo_issues
from falldamage_forge.cli.shared_options import FILE, json_option

if TYPE_CHECKING:
    from falldamage_forge.issues import Issue


@click.command()
@click.argument("file", metavar="FILE.json", type=FILE)
@json_option
def command(file: Path, as_json: bool) -> None:
    """Run a file of conformance cases and report where the engine's result differs.

    Exits 1 if any case differs or cannot be read; the other cases run nevertheless. docs/game.md
    defines the format.
    """
    from falldamage_forge import presets
    from falldamage_forge.games.fall_damage.options import FallDamageOptions
    from falldamage_forge.games.fall_damage.play.conformance import conform
    from falldamage_forge.infra.source_loader import read_text
    from falldamage_forge.issues import refuse

    try:
        document = json.loads(read_text(file, str(file)))
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
                click.echo(f"{verdict.name}  {verdict.title}: cannot be read")
            for difference in verdict.differences:
                click.echo(f"{verdict.name}  {verdict.title}: {difference}")
        click.echo(
            f"{agree} of {len(verdicts)} agree" + f", {unread} cannot be read" * bool(unread)
        )
    if agree < len(verdicts):
        sys.exit(1)


def _with_file(issue: Issue, file: Path) -> Issue:
    return replace(issue, message=f"`{file}`: {issue.message}")
