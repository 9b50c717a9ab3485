"""The page on kits is run, not trusted."""

import re
import shlex
from pathlib import Path

from falldamage_forge.cli import COMMANDS
from tests.amount import EXHAUSTIVE
from tests.cli.running import ROOT, typed

PAGE = (ROOT / "docs" / "kits.md").read_text("utf-8")


def commands() -> list[list[str]]:
    blocks = re.findall(r"```console\n(.*?)```", PAGE, re.DOTALL)
    return [
        shlex.split(line.removeprefix("$ fdforge "))
        for block in blocks
        for line in block.splitlines()
        if line.startswith("$ fdforge ")
    ]


LARGE = {"siege", "exports/siege", "economy"}
"""A whole set and a second process take a minute; others of their kind are run anyway."""


def test_every_command_of_the_page_works_in_its_order(tmp_path: Path) -> None:
    found = commands()
    assert len(found) > 10
    for words in found:
        if not EXHAUSTIVE and LARGE & set(words):
            continue
        run = typed(*words, cwd=tmp_path)
        assert run.returncode == 0, (words, run.stderr)
        assert run.stdout, words
    assert (tmp_path / "exports" / "siege" / "project.3mf").exists() == EXHAUSTIVE
    assert (tmp_path / "exports" / "gatehouse" / "order.csv").exists()


def test_every_option_and_command_named_is_there() -> None:
    for name in re.findall(r"fdforge ([a-z]+)", PAGE):
        assert name in COMMANDS
    help_texts = "".join(typed(*words, "--help").stdout for words in HELPS)
    for option in set(re.findall(r"--[a-z-]+", PAGE)):
        assert option in help_texts, option


HELPS = (("pieces",), ("build",), ("kit",), ("show",), ("stock", "add"), ("stock", "show"))
