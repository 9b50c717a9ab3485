"""CONTRIBUTING's "Add to the commands", walked as it stands; every step left out is told."""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.cli.running import ROOT, run
from tests.games.play.test_add_to_the_game import WALKS as OF_THE_GAME
from tests.games.play.test_add_to_the_game import Step, step_of


def walks() -> dict[str, tuple[Step, ...]]:
    """The steps of each walk by its heading."""
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    section = text.partition("## Add to the commands\n")[2].partition("\n## ")[0]
    found = {}
    for part in section.split("\n### ")[1:]:
        blocks = re.findall(r"^   ```diff\n(.*?)^   ```$", part, re.M | re.S)
        told = (re.sub(r"^   ", "", block, flags=re.M).rstrip("\n") for block in blocks)
        found[part.partition("\n")[0]] = tuple(map(step_of, told))
    return found


WALKS = walks()
LEFT_OUT = [
    (name, n, k)
    for name, steps in WALKS.items()
    for n, step in enumerate(steps)
    for k in range(len(step.changes))
]
ROW = re.compile(r"^\| (an? [^|]+) \| (\d+) \| (\d+) \|", re.M)
"""A row of the table of files: the addition, the files once and now."""
ASKED: Mapping[str, tuple[tuple[str, ...], ...]] = {
    "An export format": (
        ("--lang", "de", "export", "--help"),
        ("--lang", "de", "export", "duel", "--to", "xyz", "--output", "corners.xyz"),
    ),
    "An issue code": (
        ("--lang", "de", "explain", "FDF406"),
        ("--lang", "de", "stock", "show", "--stock", "stock.csv"),
    ),
    "An option": (("--lang", "de", "presets", "--help"), ("presets", "--counts")),
}
TOLD: Mapping[str, tuple[str, ...]] = {
    "An export format": ("xyz (MeshLab)", "die Ecken aller Teile, in Millimetern"),
    "An issue code": (
        "eine Anzahl mit einem Leerzeichen",
        "in `1 0` steht ein Leerzeichen",
    ),
    "An option": ("Zeigt, wie viele es von jeder Art gibt.", "processes: 4"),
}


def missing(root: Path, name: str, without: tuple[int, int] | None = None) -> list[str]:
    """What commands in a copy do not say after the steps of a walk, one of them left out."""
    for folder in ("falldamage_forge", "presets"):
        shutil.copytree(ROOT / folder, root / folder, ignore=shutil.ignore_patterns("__pycache__"))
    for n, step in enumerate(WALKS[name]):
        file = root / step.file
        text = file.read_text("utf-8")
        for k, (old, new) in enumerate(step.changes):
            assert text.count(old) == 1, f"{step.file} has not one `{old}`"
            if (n, k) != without:
                text = text.replace(old, new)
        file.write_text(text, "utf-8")
    (root / "stock.csv").write_text("piece,count\nquadrant,1 0\n", "utf-8")
    env = {**os.environ, "PYTHONPATH": str(root), "FDFORGE_CACHE_DIR": str(root / "cache")}
    command = [sys.executable, "-m", "falldamage_forge"]
    runs = [run([*command, *words], cwd=root, env=env) for words in ASKED[name]]
    said = " ".join(" ".join(f"{one.stdout} {one.stderr}" for one in runs).split())
    return [text for text in TOLD[name] if text not in said]


def test_contributing_has_steps_for_each_kind_of_addition() -> None:
    assert list(WALKS) == list(ASKED) == list(TOLD)


def test_contributing_counts_the_files_of_each_walk() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    table = text.partition("## What an addition touches\n")[2].partition("\n## ")[0]
    told = {row[1].strip().split(" ", 1)[1]: int(row[3]) for row in ROW.finditer(table)}
    steps = {**WALKS, **{name: walk.steps for name, walk in OF_THE_GAME.items()}}
    files = {
        name.split(" ", 1)[1]: len({step.file for step in walk}) for name, walk in steps.items()
    }
    assert told == {
        "element of the board": 1,
        "unit with its German text": files["card"],
        "treasure with its German text, of an effect that there is": 1,
        "ability with its German text": files["ability"],
        "export format": files["export format"],
        "issue code with its German text": files["issue code"],
        "option of a command": files["option"],
    }


@pytest.mark.parametrize("name", WALKS)
def test_all_steps_make_it_part_of_the_commands(tmp_path: Path, name: str) -> None:
    assert missing(tmp_path, name) == []


@pytest.mark.parametrize(("name", "step", "change"), LEFT_OUT)
def test_missing_step_is_seen_in_what_commands_say(
    tmp_path: Path, name: str, step: int, change: int
) -> None:
    assert missing(tmp_path, name, (step, change)) != []
