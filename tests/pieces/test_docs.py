"""The page on kits is run, not trusted."""

import re
import shlex
from pathlib import Path

from falldamage_forge.cli import COMMANDS
from tests.amount import EXHAUSTIVE
from tests.cli.running import ROOT, small_map, typed

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
TOWERS = {"gatehouse": "D4", "arena": "C3", "ashkeep": "E4", "canyon": "D3"}
"""The page's maps, which by default are maps of a handful of pieces under the same names."""


def by_default(words: list[str], folder: Path) -> list[str]:
    """A command of the page for the small maps, which fill one plate."""
    said = [word.replace("plate-04", "plate-01") for word in words]
    return [str(folder / f"{word}.forge") if word in TOWERS else word for word in said]


def test_every_command_of_the_page_works_in_its_order(tmp_path: Path) -> None:
    found = commands()
    assert len(found) > 10
    for name, tower in TOWERS.items():
        small_map(tmp_path / f"{name}.forge", tower)
    for words in found:
        if not EXHAUSTIVE and LARGE & set(words):
            continue
        run = typed(*(words if EXHAUSTIVE else by_default(words, tmp_path)), cwd=tmp_path)
        assert run.returncode == 0, (words, run.stderr)
        assert run.stdout, words
    assert (tmp_path / "exports" / "siege" / "project.3mf").exists() == EXHAUSTIVE
    assert (tmp_path / "exports" / "gatehouse" / "order.csv").exists()


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
