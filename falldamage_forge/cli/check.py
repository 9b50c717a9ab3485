"""`fdforge check`: prove that maps are legal and playable."""

from __future__ import annotations

import sys

import click

from falldamage_forge.cli.common import Sources, check_map, echo_issues
from falldamage_forge.issues import ForgeError, Issue, has_errors


@click.command()
@click.argument("maps", nargs=-1, required=True, metavar="MAP...")
def command(maps: tuple[str, ...]) -> None:
    """Prove that each MAP (a file, or a preset's name) is legal and playable.

    Every defect is reported in one run. Exits 1 if any map has an error.
    """
    failed = False
    for name in maps:
        sources = Sources()
        issues = _check_one(name, sources)
        echo_issues(issues, sources)
        errors = sum(issue.severity == "error" for issue in issues)
        warnings = sum(issue.severity == "warning" for issue in issues)
        verdict = "not playable" if errors else "playable"
        click.echo(f"{name}: {verdict} ({_count(errors, 'error')}, {_count(warnings, 'warning')})")
        failed = failed or has_errors(issues)
    sys.exit(1 if failed else 0)


def _check_one(name: str, sources: Sources) -> tuple[Issue, ...]:
    try:
        return check_map(name, sources).issues
    except ForgeError as error:
        return error.issues


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
