"""Language of the command line: `--lang`, else that of the user's settings or environment."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from contextvars import ContextVar
from typing import TYPE_CHECKING

import click

from falldamage_forge.issues import ForgeError, Issue

if TYPE_CHECKING:
    from falldamage_forge.infra.report_table import Table
    from falldamage_forge.languages.translator import Say

_wished: ContextVar[str | None] = ContextVar("language", default=None)


def wish(name: str | None) -> None:
    """Choose the language of this call; None for that of the settings or the environment.

    Raises:
        click.UsageError: If there is no such language.
    """
    if name is not None:
        from falldamage_forge.languages.translator import language_names, language_of

        found = language_of(name)
        if found is None:
            known = ", ".join(language_names())
            raise click.UsageError(f"no language `{name}` for --lang; known: {known}")
        name = found
    _wished.set(name)


def wished_language() -> str:
    """Return the name of the chosen language; settings that cannot be read are ignored."""
    from falldamage_forge.cli.user_config import UserConfig, load_settings

    name = _wished.get()
    if name is None:
        settings = UserConfig()
        with suppress(ForgeError):
            settings = load_settings()
        name = _known(settings.language or _locale())
        _wished.set(name)  # every printed line asks
    return name


LOCALES = ("LC_ALL", "LC_MESSAGES", "LANG")
"""Environment variables of the locale of messages, the first that is set wins. Source: POSIX."""


def _locale() -> str:
    """Return the locale of messages; empty if the environment has none."""
    return next(filter(None, map(os.environ.get, LOCALES)), "")


def _known(locale: str) -> str:
    """Return the language of a locale; English without one, for which nothing is imported."""
    if re.match(r"(en|C|POSIX)?([^a-z]|$)", locale):
        return "en"
    from falldamage_forge.languages.translator import known_language

    return known_language(locale)


def wished_say() -> Say:
    """Return the translator of the chosen language."""
    if (name := wished_language()) == "en":
        return str  # most calls: the translator is not imported
    from falldamage_forge.languages.translator import spoken

    return spoken(name)


def echo(text: str, *, err: bool = False) -> None:
    """Print a text in the language of this call, line by line; `err` for standard error.

    Args:
        text: Lines to print.
        err: True for standard error; default: standard output.
    """
    click.echo(spoken_text(text), err=err)


def spoken_text(text: str) -> str:
    """Return a text in the language of this call, line by line."""
    say = wished_say()
    return "\n".join(spoken_line(line, say) for line in text.split("\n"))


def echo_named(name: object, text: str, **own: str) -> None:
    """Print a name, which stays, and a text in the language of this call.

    Args:
        name: A key, a number or a word of the language of maps.
        text: Text that is translated.
        **own: The text in languages, where it is not in `languages/`.
    """
    click.echo(f"{name}: {own.get(wished_language()) or wished_say()(text)}")


def echo_columns(lines: Sequence[Sequence[str]], left: Sequence[int] = (0,)) -> None:
    """Print aligned columns in the language of this call; a first cell of one word is a key.

    Args:
        lines: Cells of each line, the titles first.
        left: Indices of the columns that are aligned to the left.
    """
    from falldamage_forge.export.piece_list import columns

    say = wished_say()
    head, *body = ([spoken_line(cell, say) for cell in line] for line in lines)
    named = [
        [own[0] if " " not in own[0] else line[0], *line[1:]]
        for own, line in zip(lines[1:], body, strict=True)
    ]
    click.echo(columns([head, *named], left))


def echo_report(table: Table, rows: Iterable[object]) -> None:
    """Print the rows of a table as aligned columns in the language of this call.

    Args:
        table: Columns of the report.
        rows: One value for each row.
    """
    from falldamage_forge.infra.report_table import left_columns, text_lines

    echo_columns(text_lines(table, rows), left_columns(table))


def spoken_line(line: str, say: Say) -> str:
    """Return a line, or a cell of a table, translated behind its indentation.

    Args:
        line: A line or a cell.
        say: Translates a text to the language of this call.
    """
    words = line.lstrip()
    return line[: len(line) - len(words)] + say(words)


def spoken_issues(issues: Iterable[Issue], say: Say) -> tuple[Issue, ...]:
    """Return issues in a language.

    Args:
        issues: Issues in English.
        say: Translates a text to the language of this call.
    """
    from falldamage_forge.languages.translator import spoken_issue

    return tuple(spoken_issue(issue, say) for issue in issues)
