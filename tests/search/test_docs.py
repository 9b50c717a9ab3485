"""The page on search names what is there."""

import re

from falldamage_forge.cli import COMMANDS
from falldamage_forge.search import adapter
from falldamage_forge.search.archive import AXES
from falldamage_forge.search.style_grammar import read_parts
from tests.cli.running import ROOT, typed

PAGE = (ROOT / "docs" / "search.md").read_text("utf-8")
HELPS = (("generate",), ("search",), ("search", "show"), ("search", "merge"), ("kit",), ("pieces",))


def test_every_command_and_option_named_is_there() -> None:
    for name in re.findall(r"fdforge ([a-z]+)", PAGE):
        assert name in COMMANDS
    helps = "".join(typed(*words, "--help").stdout for words in HELPS)
    for option in set(re.findall(r"--[a-z][a-z-]*", PAGE)):
        assert option in helps, option


def test_page_lists_every_style_and_axis() -> None:
    for name in (*adapter.styles(), *AXES):
        assert name in PAGE


def test_part_of_the_page_is_readable() -> None:
    (text,) = re.findall(r"```forge\n(.*?)```", PAGE, re.DOTALL)
    assert set(read_parts(text, "page")) == {"gallows"}
