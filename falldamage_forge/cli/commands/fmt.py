"""`fdforge fmt`: format sources."""

from __future__ import annotations

import difflib
import sys
from pathlib import Path

import click

from falldamage_forge.cli import option
from falldamage_forge.cli.map_argument import STDIN, read_stdin
from falldamage_forge.cli.rewriting import rewrite
from falldamage_forge.cli.spoken_language import echo


@option.command
def command(
    files: tuple[str, ...] = option.argument("FILE...", nargs=-1, required=True),
    check: bool = option.flag(
        "Write nothing; exit 1 if a file would change.",
        de="Schreibt nichts; endet mit 1, wenn eine Datei sich ändern würde.",
    ),
    diff: bool = option.flag(
        "Write nothing; print the changes.", de="Schreibt nichts; zeigt die Änderungen."
    ),
    force: bool = option.FORCE,
) -> None:
    """Format each FILE in the one style of the language; `-` reads standard input.

    A file with a syntax error stays unchanged. Meaning and comments never change, nor do a byte
    order mark and line ends.
    """
    failed = changed = False
    for name in files:
        before, after = _formatted(name)
        if after is None:
            failed = True
            continue
        changed = changed or before != after
        if name == "-" and not (check or diff):
            click.echo(after, nl=False)
        elif before != after:
            _tell_or_write(name, before, after, check, diff, force)
    sys.exit(1 if failed or (changed and (check or diff)) else 0)


def _formatted(name: str) -> tuple[str, str | None]:
    """Return the text before and after; None for the latter, with an error printed, if it fails."""
    from falldamage_forge.cli.map_argument import echo_issues
    from falldamage_forge.infra.source_loader import SourceLoader
    from falldamage_forge.issues import ForgeError
    from falldamage_forge.lang.formatter import format_text

    sources = SourceLoader()
    try:
        if name == "-":
            shown, text = STDIN, read_stdin()
            sources.texts[shown] = text
        else:
            shown, text = sources.read_main(Path(name))
        ends = text.replace("\r\n", "\n")  # they stay as they are: `rewrite`
        return ends, format_text(text, shown)
    except ForgeError as error:
        echo_issues(error.issues, sources.texts)
        return "", None


def _tell_or_write(
    name: str, before: str, after: str, check: bool, diff: bool, force: bool
) -> None:
    if diff:
        lines = difflib.unified_diff(
            before.splitlines(True), after.splitlines(True), name, f"{name} (formatted)"
        )
        click.echo("".join(lines), nl=False)
    elif check:
        echo(f"{name} would change")
    else:
        rewrite(Path(name), after, force)
        echo(f"{name} formatted")
