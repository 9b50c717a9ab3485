"""The page on kits names what is there."""

import re

from falldamage_forge.cli import COMMANDS
from tests.cli.running import ROOT, typed

PAGE = (ROOT / "docs" / "kits.md").read_text("utf-8")


def test_every_option_and_command_named_is_there() -> None:
    for name in re.findall(r"fdforge ([a-z]+)", PAGE):
        assert name in COMMANDS
    help_texts = "".join(typed(*words, "--help").stdout for words in HELPS)
    for option in set(re.findall(r"--[a-z][a-z-]*", PAGE)):
        assert option in help_texts, option


HELPS = (
    ("pieces",),
    ("build",),
    ("kit",),
    ("pack",),
    ("sheets",),
    ("show",),
    ("stock", "add"),
    ("stock", "show"),
)
