"""What every command shares: asking the library, printing issues, leaving with the right code."""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

import click

from falldamage_forge.cli.waiting import show_progress
from falldamage_forge.forge import Forge
from falldamage_forge.issues import ForgeError, Issue, has_errors
from falldamage_forge.paths import quoted

if TYPE_CHECKING:
    from falldamage_forge.forge import Checked, Map


def _usual() -> tuple[str, str]:
    """The printer and the process of the user's settings."""
    from falldamage_forge.cli.settings import load_settings

    wished = load_settings()
    return wished.printer, wished.process


FORGE = Forge(usual=_usual)
"""The library's memory of this process; it knows what the user has."""


def checked_map(map_name: str) -> Checked:
    """Load and check a map under its own rules; prints what is wrong and exits 1 on errors."""
    map_ = FORGE.load(map_name)
    checked = FORGE.check(map_)
    stop_on_errors(checked.issues, map_.texts)
    return checked


def legal_map(map_name: str) -> Map:
    """The map of a table that can be built, playable or not; else prints errors and exits 1."""
    map_ = FORGE.load(map_name)
    stop_on_errors((i for i in FORGE.legal(map_) if i.severity == "error"), map_.texts)
    refusal(map_)
    return map_


def refusal(map_: Map, rules: str | None = None) -> tuple[Issue, ...]:
    """The errors for which `check` refuses a map; they are named on standard error.

    For commands that answer nevertheless: the answer is of a table that is not to be played.
    """
    errors = tuple(i for i in FORGE.check(map_, rules).issues if i.severity == "error")
    if errors:
        counts = Counter(issue.code for issue in errors)
        told = ", ".join(f"{code} ({n})" if n > 1 else code for code, n in sorted(counts.items()))
        words = f"check {quoted(map_.name)}" + (f" --rules {quoted(rules)}" if rules else "")
        click.echo(f"note: `fdforge {words}` refuses this map: {told}", err=True)
    return errors


def echo_issues(
    issues: Iterable[Issue], texts: Mapping[str, str], *, err: bool = True, whole: bool = False
) -> None:
    """Print issues in the pretty form, coloured on a terminal; `texts` are the sources by name.

    With `whole` what follows from an issue is printed too.
    """
    from falldamage_forge.diagnostics.text import render_text

    stream = sys.stderr if err else sys.stdout
    colour = stream.isatty() and "NO_COLOR" not in os.environ
    text = render_text(tuple(issues), texts, colour=colour, whole=whole)
    if text:
        click.echo(text, err=err, color=colour)


def stop_on_errors(issues: Iterable[Issue], texts: Mapping[str, str]) -> None:
    """Print issues; exit 1 if any of them is an error."""
    found = tuple(issues)
    if found:
        show_progress("")
    echo_issues(found, texts)
    if has_errors(found):
        sys.exit(1)


def print_failure(error: ForgeError) -> None:
    """The last resort of `main`: issues that no command caught."""
    show_progress("")
    echo_issues(error.issues, {})
