"""Every command that a page names exists, with its options; nothing is run."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import cast

import click
import pytest

from falldamage_forge.cli import cli
from tests.cli.running import ROOT
from tests.docs.pages import PAGES

ENDS = {"|", ">", ">>", "&&", "&", ";"}


def listings(text: str) -> Iterator[str]:
    """The commands of a page's listings, each as one line."""
    for block in re.findall(r"```(?:sh|console)\n(.*?)```", text, re.DOTALL):
        for line in block.replace("\\\n", " ").splitlines():
            yield from re.findall(r"^(?:\$ )?(?:\w+=\S+ )*(?:.* && )?fdforge\b ?(.*)", line)


def spans(text: str) -> Iterator[str]:
    """The commands within sentences, often without their arguments."""
    sentences = re.sub(r"```.*?```", "", text, flags=re.DOTALL)
    yield from re.findall(r"`fdforge ([^`]+)`", sentences)


def words_of(line: str) -> list[str]:
    """The words of a command up to a pipe or the next one."""
    words = shlex.split(line, comments=True)
    end = next((n for n, word in enumerate(words) if word in ENDS), len(words))
    return words[:end]


def parse(words: list[str]) -> None:
    """Parse a command as it is typed; click.UsageError if it is not one."""
    name, command = "fdforge", cast(click.Command, cli)
    context: click.Context | None = None
    while True:
        context = command.make_context(name, words, parent=context)
        rest = [*context._protected_args, *context.args]
        if not isinstance(command, click.Group) or not rest:
            return
        found, inner, words = command.resolve_command(context, rest)
        assert found is not None and inner is not None
        name, command = found, inner


def wrong(line: str, *, whole: bool) -> str | None:
    """The reason why a command cannot be typed so; None if it can.

    Args:
        line: The command without `fdforge`.
        whole: True if it has all its arguments, none of them a placeholder.
    """
    try:
        parse(words_of(line))
    except click.exceptions.Exit:  # of --help and --version
        return None
    except click.NoSuchOption as error:
        return error.format_message()
    except click.BadParameter as error:
        return error.format_message() if whole and "does not exist" not in str(error) else None
    except click.UsageError as error:
        unknown = "No such command" in error.message
        return error.format_message() if whole or unknown else None
    return None


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_page_names_commands_and_options_that_exist(page: Path) -> None:
    text = page.read_text("utf-8")
    faults = [(line, why) for line in listings(text) if (why := wrong(line, whole=True))]
    faults += [(line, why) for line in spans(text) if (why := wrong(line, whole=False))]
    assert faults == []


def test_scripts_that_pages_name_exist() -> None:
    text = "".join(page.read_text("utf-8") for page in PAGES)
    named = set(re.findall(r"\b((?:tests|benchmarks)/[\w/]+\.py)\b", text))
    modules = re.findall(r"-m ((?:tests|benchmarks)(?:\.\w+)+)", text)
    named |= {f"{name.replace('.', '/')}.py" for name in modules}
    assert len(named) > 5
    assert {name for name in named if not (ROOT / name).exists()} == set()


@pytest.mark.parametrize(
    "line", ["chekc duel", "check duel --fast", "path duel --from", "stock ad", "show --view round"]
)
def test_command_that_cannot_be_typed_is_found(line: str) -> None:
    assert wrong(line, whole=True)


def test_pages_have_listings() -> None:
    assert sum(len(list(listings(page.read_text("utf-8")))) for page in PAGES) > 100
