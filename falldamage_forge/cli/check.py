"""`fdforge check`: prove that maps are legal and playable."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from falldamage_forge import __version__
from falldamage_forge.called import map_path
from falldamage_forge.cli import complete
from falldamage_forge.cli.common import FORGE, echo_issues
from falldamage_forge.extras import missing
from falldamage_forge.folding import following
from falldamage_forge.issues import ForgeError, Issue, has_errors
from falldamage_forge.paths import resolved

if TYPE_CHECKING:
    from falldamage_forge.rules.position import Position

FORMATS = ("text", "json", "github", "sarif")


@click.command()
@click.argument("maps", nargs=-1, required=True, metavar="MAP...", shell_complete=complete.maps)
@click.option("--format", "form", type=click.Choice(FORMATS), default="text", show_default=True)
@click.option("--rules", metavar="NAME", help="Judge by a ruleset instead of each map's own.")
@click.option("--all", "whole", is_flag=True, help="Tell what follows from another fault as well.")
@click.option("--watch", is_flag=True, help="Check again whenever a file beside a map changes.")
def command(maps: tuple[str, ...], form: str, rules: str | None, whole: bool, watch: bool) -> None:
    """Prove that each MAP (a file, or a preset's name) is legal and playable.

    Every defect is reported in one run, what follows from another one with it. Exits 1 if any map
    has an error.
    """
    if watch:
        _watch(maps, form, rules, whole)
        return
    sys.exit(1 if _check_all(maps, form, rules, whole) else 0)


def _check_all(maps: tuple[str, ...], form: str, rules: str | None, whole: bool) -> bool:
    """Check and print; whether any map failed."""
    found: list[Issue] = []
    for name in maps:
        issues, texts, judged = _check_one(name, rules)
        found += issues
        if form == "text":
            echo_issues(issues, texts, whole=whole)
            errors = sum(issue.severity == "error" for issue in issues)
            warnings = sum(issue.severity == "warning" for issue in issues)
            verdict = "not playable" if errors else "playable"
            counts = f"{_count(errors, 'error')}, {_count(warnings, 'warning')}"
            more = sum(map(following, issues))
            counts += f"; {more} more follow{'s' if more == 1 else ''}" if more else ""
            later = "" if judged else "; play is judged once these are mended"
            click.echo(f"{name}: {verdict} ({counts}){later}")
    if form != "text":
        _echo_machine(found, form)
    return has_errors(found)


def _echo_machine(issues: list[Issue], form: str) -> None:
    from falldamage_forge.diagnostics import formats

    if form == "json":
        click.echo(formats.render_json(issues))
    elif form == "sarif":
        click.echo(formats.render_sarif(issues, __version__))
    elif issues:
        click.echo(formats.render_github(issues))


def _check_one(name: str, rules: str | None) -> tuple[tuple[Issue, ...], Mapping[str, str], bool]:
    """Issues of a map, the texts they speak of, and whether there was a board to play on."""
    try:
        map_ = FORGE.load(name)
        checked = FORGE.check(map_, rules, judge=_judge)
        return checked.issues, map_.texts, checked.judged
    except ForgeError as error:
        return error.issues, {}, True


def _judge(position: Position, percent: int) -> str | None:
    """Play the map for `expect fair within N%`, and tell what was found either way."""
    from falldamage_forge.playtest.fair import judge

    return judge(position, percent, lambda text: click.echo(text, err=True))


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _watch(maps: tuple[str, ...], form: str, rules: str | None, whole: bool) -> None:
    """Check now and after every change of a source beside the maps, until Ctrl-C."""
    try:
        from watchfiles import watch
    except ImportError:
        raise missing("watch", "--watch") from None
    folders: set[Path] = {resolved(map_path(name)).parent for name in maps}
    _check_all(maps, form, rules, whole)
    for changes in watch(*folders, raise_interrupt=False):
        if any(path.endswith(".forge") for _, path in changes):
            click.echo("")
            _check_all(maps, form, rules, whole)
