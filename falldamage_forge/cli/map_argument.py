"""Maps of commands: load and check with the shared library instance, print issues, exit."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

import click

from falldamage_forge.cli.progress_bar import show_progress
from falldamage_forge.cli.spoken_language import echo, spoken_issues, wished_say
from falldamage_forge.cli.stream_abilities import shows_colours
from falldamage_forge.infra.user_paths import quoted
from falldamage_forge.issues import ForgeError, Issue, has_errors
from falldamage_forge.library.forge import Forge
from falldamage_forge.maps.resolve import resolve_map_path

if TYPE_CHECKING:
    from falldamage_forge.library.forge import Checked, Map
    from falldamage_forge.rules.answers import Metric
    from falldamage_forge.rules.position import Position


def _usual() -> tuple[str, str]:
    """Return printer and process of the user's settings."""
    from falldamage_forge.cli.user_config import load_settings

    wished = load_settings()
    return wished.printer, wished.process


FORGE = Forge(usual=_usual)
"""The library instance of this process, with the user's default printer."""


STDIN = "<stdin>"
"""Name of standard input in messages."""


def read_stdin() -> str:
    """Return the text of standard input; ForgeError (FDF294) if it is too large or not UTF-8."""
    from falldamage_forge.infra.source_loader import MAX_SOURCE_BYTES, decode_text

    return decode_text(sys.stdin.buffer.read(MAX_SOURCE_BYTES + 1), STDIN)


def file_stem(map_name: str) -> str:
    """Return the name of a map's output files, without suffix."""
    from falldamage_forge.infra.atomic_write import safe_name

    return safe_name(resolve_map_path(map_name).stem)


def checked_map(map_name: str) -> Checked:
    """Return a map's check result under its own rules; print its issues, exit 1 on errors."""
    map_ = FORGE.load(map_name)
    checked = FORGE.check(map_)
    stop_on_errors(checked.issues, map_.texts)
    return checked


def legal_map(map_name: str) -> Map:
    """Return a map whose board can be built, playable or not; else print its errors and exit 1."""
    map_ = FORGE.load(map_name)
    stop_on_errors((i for i in FORGE.legal(map_) if i.severity == "error"), map_.texts)
    refusal(map_)
    return map_


def refusal(map_: Map, rules: str | None = None) -> tuple[Issue, ...]:
    """Return the errors that make a map unplayable, after printing their codes as a warning.

    Callers answer nevertheless; the answer is about a board that cannot be played.

    Args:
        map_: The map.
        rules: Name or file of another ruleset.
    """
    errors = tuple(i for i in FORGE.check(map_, rules).issues if i.severity == "error")
    if errors:
        counts = Counter(issue.code for issue in errors)
        text = ", ".join(f"{code} ({n})" if n > 1 else code for code, n in sorted(counts.items()))
        words = f"check {quoted(map_.name)}" + (f" --rules {quoted(rules)}" if rules else "")
        echo(f"note: `fdforge {words}` refuses this map: {text}", err=True)
    return errors


def echo_issues(
    issues: Iterable[Issue], texts: Mapping[str, str], *, err: bool = True, whole: bool = False
) -> None:
    """Print issues as text, coloured on a terminal.

    Args:
        issues: The issues.
        texts: Sources by the names in the issues' spans.
        err: True for standard error.
        whole: True to print followers, too.
    """
    from falldamage_forge.diagnostics.text_formatter import render_text

    stream = sys.stderr if err else sys.stdout
    colour = shows_colours(stream)
    found = tuple(issues)
    if not found:
        return
    say = wished_say()
    text = render_text(spoken_issues(found, say), texts, colour=colour, whole=whole, say=say)
    click.echo(text, err=err, color=colour)


def stop_on_errors(issues: Iterable[Issue], texts: Mapping[str, str]) -> None:
    """Print issues; exit 1 if any of them is an error.

    Args:
        issues: Issues to print.
        texts: Source texts by file name, from which the lines are shown.
    """
    found = tuple(issues)
    if found:
        show_progress("")
    echo_issues(found, texts)
    if has_errors(found):
        sys.exit(1)


def print_failure(error: ForgeError) -> None:
    """Print the issues of an error that no command caught."""
    show_progress("")
    echo_issues(error.issues, {})


def played_metrics(map_: Map, position: Position) -> tuple[Metric, ...]:
    """Return the verdict of bots on a map that promises to be fair, from the cache.

    Args:
        map_: The map.
        position: Its analysis.
    """
    if not map_.layout.fair_promise:
        return ()
    from falldamage_forge.playtest import fairness_check

    return fairness_check.played_metrics(position, map_.layout.fair_promise)
