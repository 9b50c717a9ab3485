"""`fdforge check`: check that maps are legal and playable."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from falldamage_forge.cli import option
from falldamage_forge.cli.game_input import today, with_progress
from falldamage_forge.cli.map_argument import FORGE, STDIN, echo_issues, read_stdin
from falldamage_forge.cli.progress_bar import show_progress
from falldamage_forge.cli.spoken_language import echo, spoken_issues, wished_say
from falldamage_forge.diagnostics.issue_folding import following
from falldamage_forge.infra.optional_libraries import missing
from falldamage_forge.infra.user_paths import resolved
from falldamage_forge.infra.version import FORGE_VERSION
from falldamage_forge.issues import ForgeError, Issue, has_errors
from falldamage_forge.maps.resolve import resolve_map_path

if TYPE_CHECKING:
    from falldamage_forge.library.forge import Map
    from falldamage_forge.maps.checks import Judge
    from falldamage_forge.rules.expectations import FairnessFinding
    from falldamage_forge.rules.position import Position

FORMATS = ("text", "json", "github", "sarif")


@option.command
def command(
    maps: tuple[str, ...] = option.maps("MAP...", required=True),
    form: str = option.form(*FORMATS),
    rules: str | None = option.RULES.but(
        "Ruleset to use instead of each map's own.", de="Regelwerk, das das jeder Karte ersetzt."
    ),
    play: bool = option.flag(
        "Let bots play maps with `expect fair`, until each is decided.",
        de="Bots spielen Karten mit `expect fair`, bis jede entschieden ist.",
    ),
    whole: bool = option.flag(
        "Print issues that follow from another issue, too.",
        "--all",
        de="Zeigt auch Meldungen, die aus einer anderen folgen.",
    ),
    watch: bool = option.flag(
        "Check again whenever a source beside a map changes.",
        de="Prüft erneut, sobald sich ein Quelltext neben einer Karte ändert.",
    ),
) -> None:
    """Check that each MAP (a file, a preset, or `-` for standard input) is legal and playable.

    All issues are reported in one run; those that follow from another one are counted with it.
    `expect fair` is answered by symmetry, or by the games of `fdforge playtest`. Exits 1 if any map
    has an error.
    """
    judge = _played if play else _known
    if watch and "-" in maps:
        raise click.UsageError("`--watch` needs files: standard input does not change")
    if watch:
        _watch(maps, lambda: _check_all(maps, form, rules, whole, judge))
        return
    sys.exit(1 if _check_all(maps, form, rules, whole, judge) else 0)


def _check_all(
    maps: tuple[str, ...], form: str, rules: str | None, whole: bool, judge: Judge
) -> bool:
    """Check the maps and print their issues; True if any map has an error."""
    found: list[Issue] = []
    for name in maps:
        issues, texts, judged = _check_one(name, rules, judge)
        found += issues
        if form == "text":
            echo_issues(issues, texts, whole=whole)
            errors = sum(issue.severity == "error" for issue in issues)
            warnings = sum(issue.severity == "warning" for issue in issues)
            verdict = "not playable" if errors else "playable"
            counts = f"{_count(errors, 'error')}, {_count(warnings, 'warning')}"
            more = sum(map(following, issues))
            counts += f"; {more} more follow{'s' if more == 1 else ''}" if more else ""
            later = "" if judged else "; play is checked once these are corrected"
            echo(f"{name}: {wished_say()(f'{verdict} ({counts}){later}')}")
    if form != "text":
        _echo_machine(spoken_issues(found, wished_say()), form)
    return has_errors(found)


def _echo_machine(issues: tuple[Issue, ...], form: str) -> None:
    from falldamage_forge.diagnostics import machine_formatters

    if form == "json":
        click.echo(machine_formatters.render_json(issues))
    elif form == "sarif":
        click.echo(machine_formatters.render_sarif(issues, FORGE_VERSION))
    elif issues:
        click.echo(machine_formatters.render_github(issues))


def _check_one(
    name: str, rules: str | None, judge: Judge
) -> tuple[tuple[Issue, ...], Mapping[str, str], bool]:
    """Return a map's issues, its sources by name, and True if play was checked."""
    try:
        map_ = FORGE.loads(read_stdin(), STDIN, Path.cwd()) if name == "-" else FORGE.load(name)
        checked = FORGE.check(map_, rules, judge=judge)
        left_out = _left_out(map_) if checked.ok else ()
        return (*checked.issues, *left_out), map_.texts, checked.judged
    except ForgeError as error:
        return error.issues, {}, True


def _left_out(map_: Map) -> tuple[Issue, ...]:
    """Return a warning that names the parts which the user's printer and process cannot print."""
    from falldamage_forge.cli.user_config import UserConfig, load_settings

    if load_settings().process == UserConfig().process:
        return ()
    printer = FORGE.printer(map_)
    if not printer.process.left_out:
        return ()
    from falldamage_forge.builds.pipeline import BuildOptions, pieces_of
    from falldamage_forge.printing.unprintable import left_out

    pieces = pieces_of(map_.layout, FORGE.catalogue(map_), printer, BuildOptions())
    issue = left_out(pieces.values(), printer)
    return () if issue is None else (replace(issue, severity="warning"),)


def _known(position: Position, percent: int) -> FairnessFinding:
    """Return what symmetry and stored games tell of `expect fair within N%`."""
    from falldamage_forge.playtest.fairness_check import known_fairness

    return known_fairness(position, percent)


def _played(position: Position, percent: int) -> FairnessFinding:
    """Play the map for `expect fair within N%`."""
    from falldamage_forge.playtest.fairness_check import played_fairness
    from falldamage_forge.playtest.game_series import run_here

    try:
        return played_fairness(
            position, percent, today(), lambda text: echo(text, err=True), with_progress(run_here)
        )
    finally:
        show_progress("")


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _watch(maps: tuple[str, ...], check: Callable[[], object]) -> None:
    """Check now and after every change of a source beside the maps, until Ctrl-C."""
    try:
        from watchfiles import watch
    except ImportError:
        raise missing("watch", "--watch") from None
    folders: set[Path] = {resolved(resolve_map_path(name)).parent for name in maps}
    check()
    for changes in watch(*folders, raise_interrupt=False):
        if any(path.endswith(".forge") for _, path in changes):
            echo("")
            check()
