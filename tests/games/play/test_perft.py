"""Counts of the ways to play on: two by hand (among the worked situations), more on 5x5 boards.

Where an engine differs, `fdforge play … --perft N --divide` shows under which move.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from falldamage_forge.games.fall_damage.play.legal_apply import divide, perft
from tests.cli.running import typed
from tests.games.play.tables import ctx, new_game, small_board

FILE = Path(__file__).resolve().parents[2] / "data/perft.json"
TEAMS = {
    "knights": (["knight"], ["knight"]),
    "samurai and bandit": (["samurai"], ["bandit"]),
    "archer and assassin": (["archer"], ["assassin"]),
    "beast and wrestler": (["beast"], ["wrestler"]),
    "splash mage and tinkerer": (["splash-mage"], ["tinkerer"]),
    "brick mage and druid": (["brick-mage"], ["druid"]),
    "bard and spearman, space mage": (["bard", "spearman"], ["space-mage"]),
    "medic and gunner, apothecary": (["medic", "gunner"], ["apothecary"]),
}
DEPTH = 4


def start(name: str):  # type: ignore[no-untyped-def]
    return new_game(ctx(small_board(), {"placement": "listed"}), TEAMS[name])


def counted(name: str) -> list[int]:
    return [perft(start(name), depth) for depth in range(1, DEPTH + 1)]


if "FORGE_ACCEPT" in os.environ:
    FILE.write_text(json.dumps({name: counted(name) for name in TEAMS}, indent=1) + "\n", "utf-8")
COUNTS = json.loads(FILE.read_text("utf-8"))


@pytest.mark.parametrize("name", TEAMS)
def test_perft_counts_equal_the_stored_counts(name: str) -> None:
    assert counted(name) == COUNTS[name]


def test_divided_counts_add_up() -> None:
    for name in ("knights", "beast and wrestler"):
        state = start(name)
        for depth in (1, 2, 3):
            assert sum(divide(state, depth).values()) == perft(state, depth)


def test_the_command_counts() -> None:
    words = ("play", "duel", "--draw-teams", "--perft", 2)
    whole, parts = typed(*words), typed(*words, "--divide")
    assert whole.returncode == parts.returncode == 0
    lines = parts.stdout.splitlines()
    assert lines[-1] == f"in all: {whole.stdout.strip()}"
    assert [line.split(":")[0] for line in lines[:-1]] == ["coin heads", "coin tails"]
