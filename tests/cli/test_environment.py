"""The user's locale and terminal, and numbers as people write them."""

import os
import pty
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from falldamage_forge.cli import COMMANDS, cli
from falldamage_forge.cli.spoken_language import LOCALES
from falldamage_forge.languages.translator import language_of
from tests.cli.running import ROOT, fdforge
from tests.patience import PATIENCE_S

GERMAN = ("de", "DE", "De", "de_DE", "de_AT.UTF-8", "de-CH", "de_DE@euro")
ENGLISH = ("en", "EN", "en_GB.UTF-8", "en-US")


@pytest.mark.parametrize("locale", GERMAN + ENGLISH)
def test_language_option_takes_names_and_locales(locale: str) -> None:
    run = CliRunner().invoke(cli, ["--lang", locale, "--help"])
    assert run.exit_code == 0, run.output
    assert run.output.startswith("Aufruf: " if locale in GERMAN else "Usage: ")


@pytest.mark.parametrize("locale", ["", "deutsch", "fr_FR.UTF-8", "d", "C", "_de", "POSIX"])
def test_locale_of_no_language_has_none(locale: str) -> None:
    assert language_of(locale) is None


@pytest.mark.parametrize("variable", LOCALES)
def test_environment_chooses_the_language_after_option_and_settings(
    variable: str, tmp_path: Path
) -> None:
    bare = dict.fromkeys(LOCALES, "") | {"FDFORGE_CONFIG_DIR": str(tmp_path)}
    for locale, begins in (("de_DE.UTF-8", "Aufruf"), ("fr_FR", "Usage"), ("C", "Usage")):
        assert fdforge("--help", **{**bare, variable: locale}).stdout.startswith(begins), locale
    run = fdforge("--lang", "en", "--help", **{**bare, variable: "de_DE"})
    assert run.stdout.startswith("Usage")
    (tmp_path / "settings.toml").write_text('language = "en"\n')
    assert fdforge("--help", **{**bare, variable: "de_DE"}).stdout.startswith("Usage")


def test_first_variable_that_is_set_wins() -> None:
    assert fdforge("--help", LC_ALL="C", LC_MESSAGES="de_DE", LANG="de_DE").stdout[:5] == "Usage"


def on_terminal(*words: str, **env: str) -> bytes:
    """What a command writes to a terminal, on both streams."""
    ours, theirs = pty.openpty()
    plain = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
    command = [sys.executable, "-m", "falldamage_forge", *words]
    done = subprocess.Popen(
        command, stdin=theirs, stdout=theirs, stderr=theirs, cwd=ROOT, env={**plain, **env}
    )
    os.close(theirs)
    written = b""
    with suppress(OSError):  # a terminal that no process holds open reads as an error
        while part := os.read(ours, 4096):
            written += part
    done.wait(PATIENCE_S)
    os.close(ours)
    return written


@pytest.mark.parametrize(
    "words", [("show", "duel"), ("check", "nothing-like-it"), ("pieces", "duel"), ("presets",)]
)
def test_dumb_terminal_gets_no_escape_sequence(words: tuple[str, ...]) -> None:
    assert b"\x1b" not in on_terminal(*words, TERM="dumb")


def test_other_terminals_get_colours() -> None:
    assert b"\x1b[" in on_terminal("show", "duel", TERM="xterm-256color")
    assert b"\x1b[" not in on_terminal("show", "duel", TERM="xterm-256color", NO_COLOR="1")


def numbers() -> Iterator[tuple[str, str]]:
    """Yield each option that takes a number with a fraction, with its command."""
    context = click.Context(cli)
    for name in COMMANDS:
        found = cli.get_command(context, name)
        inner = found.commands if isinstance(found, click.Group) else {"": found}
        for under, command in inner.items():
            for param in command.params if command else ():
                if isinstance(param.type, click.types.FloatParamType) and param.opts:
                    yield f"{name} {under}".strip(), param.opts[0]


@pytest.mark.parametrize(("command", "option"), list(numbers()))
def test_number_with_a_comma_is_refused_with_its_right_form(command: str, option: str) -> None:
    run = CliRunner().invoke(cli, [*command.split(), option, "25,50"])
    assert run.exit_code == 2
    assert "write 25.50, with a point" in run.output


def test_options_with_fractions_are_found() -> None:
    assert ("build", "--price") in {*numbers()} and len({*numbers()}) > 8
