"""Help of commands: each paragraph and the text of each option have a translation."""

import inspect
import re
from collections.abc import Iterator

import click
import pytest
from click.testing import CliRunner

from falldamage_forge.cli import COMMANDS, GROUPS, cli, main
from falldamage_forge.languages.translator import spoken
from tests.hostile.asked import command_of, leaves
from tests.languages.test_translator import LEFT, OTHERS

ENGLISH = {"the", "of", "and", "with", "is", "are", "to", "from", "a"}
"""Words that only a text has of which a part stayed English."""
NAMES = sorted({*leaves(), *COMMANDS})
MEANT = re.compile(r"`[^`]*`|--[a-z-]+|\b[A-Z]{3,}\b")
"""Source text, options, and words that the user replaces."""


def help_texts(command: click.Command) -> Iterator[str]:
    """Yield the texts of a command's help as they are translated."""
    for part in inspect.cleandoc(command.help or "").split("\n\n"):
        if not part.startswith("\b"):
            yield " ".join(part.split())
    for option in command.params:
        if isinstance(option, click.Option):
            yield from filter(None, (option.help or "").split("  "))


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("name", NAMES)
def test_help_of_a_command_is_translated(language: str, name: str) -> None:
    command, say = command_of(name), spoken(language)
    own = vars(command).get("texts", {}).get(language, {})
    for text in help_texts(command):
        said = own.get(text) or say(text)
        assert said != text
        assert not ENGLISH & {*re.findall(r"\w+", MEANT.sub("", said))}, said
        assert {*MEANT.findall(said)} == {*MEANT.findall(text)}, text


@pytest.mark.parametrize("language", OTHERS)
def test_overview_is_translated(language: str) -> None:
    say = spoken(language)
    texts = [*GROUPS, *COMMANDS.values(), *help_texts(cli), "Usage", "Options", "Commands"]
    assert [text for text in texts if say(text) == text] == []


@pytest.mark.parametrize(
    "words",
    [["buidl"], ["build", "--colour"], ["build"], ["los", "duel"], ["cards", "--paper", "a3"],
     ["kit", "--variants", "x"]],
)  # fmt: skip
def test_bad_usage_is_reported_in_the_language_of_the_call(
    words: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["fdforge", "--lang", "de", *words])
    with pytest.raises(SystemExit) as stopped:
        main()
    assert stopped.value.code == 2
    printed = capsys.readouterr().err
    assert "Aufruf: " in printed and "Fehler: " in printed
    assert not LEFT.search(printed)
    assert not re.search("Missing|Invalid|No such|Try", printed)


@pytest.mark.parametrize("words", [[], ["build"], ["stock"], ["stock", "add"]])
def test_help_is_shown_in_the_language_of_the_call(words: list[str]) -> None:
    english, german = (
        CliRunner().invoke(cli, [*lang, *words, "--help"]).output for lang in ([], ["--lang", "de"])
    )
    assert english.startswith("Usage: ") and german.startswith("Aufruf: ")
    assert "Zeigt diese Hilfe und endet." in german and "Show this" not in german
    assert "[default: " not in german
    assert {*re.findall(r" --\w+", english)} == {*re.findall(r" --\w+", german)}


@pytest.mark.parametrize("language", OTHERS)
def test_a_default_is_what_the_user_may_type(language: str) -> None:
    asked = ["--lang", language, "build", "--help"]
    page = " ".join(CliRunner().invoke(cli, asked).output.split())
    assert ": all]" in page and ": colour]" in page
