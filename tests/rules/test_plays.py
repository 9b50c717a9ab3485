"""Whole verdicts of small maps, looked at once by hand: every issue and every measure of each.

FORGE_ACCEPT=1 writes the verdicts anew; then read what changed.
"""

import json
import os
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from falldamage_forge.board.legality import check_legality
from falldamage_forge.checks import limits_of
from falldamage_forge.issues import Issue
from falldamage_forge.lang import load
from falldamage_forge.measures.table import analyze, check_fairness
from falldamage_forge.presets import load_catalogue
from falldamage_forge.rules.proofs import check_play
from tests.rules.asking import position

HERE = Path(__file__).parent / "plays"
PLAYS = sorted(path.stem for path in HERE.glob("*.forge"))
ACCEPT = os.environ.get("FORGE_ACCEPT") == "1"
READINGS: dict[str, dict[str, str]] = {
    "default": {},
    "wild": {"gap": "any_clear", "push_fall": "hover", "edge": "void"},
}


def told(issue: Issue) -> dict[str, Any]:
    table = asdict(issue)
    assert (table.pop("count"), table.pop("followers")) == (1, ())  # what follows is folded later
    table["tiles"] = [str(tile) for tile in issue.tiles]
    table["span"] = issue.span and [issue.span.line, issue.span.col]
    table["notes"] = [[note.span.line, note.message] for note in issue.notes]
    return table


def verdict(name: str, options: dict[str, str]) -> dict[str, Any]:
    loaded = load((HERE / f"{name}.forge").read_text("utf-8"), f"{name}.forge")
    board = loaded.layout.board
    assert not loaded.issues
    p = position(board, options)
    assert not check_legality(board, limits_of(load_catalogue(), p))
    return {
        "issues": [told(issue) for issue in check_play(p)],
        "fairness": [told(issue) for issue in check_fairness(p)],
        "measures": [metric.json() for metric in analyze(p).metrics],
    }


@pytest.mark.parametrize("name", PLAYS)
def test_the_verdict_is_the_one_that_was_looked_at(name: str) -> None:
    found = {reading: verdict(name, options) for reading, options in READINGS.items()}
    path = HERE / f"{name}.json"
    text = json.dumps(found, indent=1, ensure_ascii=False) + "\n"
    if ACCEPT:
        path.write_text(text, encoding="utf-8")
    assert json.loads(text) == json.loads(path.read_text("utf-8")), "FORGE_ACCEPT=1 takes it over"


def test_the_comparison_can_fail() -> None:
    one, other = (verdict(name, {}) for name in ("flat", "near"))
    assert one != other
