"""Whole verdicts of small maps, looked at once by hand: every issue and every measure of each.

FORGE_ACCEPT=1 writes the verdicts anew; then read what changed.
"""

import json
import os
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from falldamage_forge.issues import Issue
from falldamage_forge.lang import load
from falldamage_forge.legality import check_legality
from falldamage_forge.pipeline import limits_for
from falldamage_forge.presets import load_catalogue, load_ruleset, load_units
from falldamage_forge.rules.analysis import analyze
from falldamage_forge.rules.checks import check_board
from falldamage_forge.rules.classes import movement_classes
from falldamage_forge.rules.fairness import check_fairness
from falldamage_forge.rules.ruleset import Ruleset, with_options
from falldamage_forge.rules.study import study

HERE = Path(__file__).parent / "plays"
PLAYS = sorted(path.stem for path in HERE.glob("*.forge"))
ACCEPT = os.environ.get("FORGE_ACCEPT") == "1"
READINGS = {"default": {}, "wild": {"gap": "any_clear", "push_fall": "hover", "edge": "void"}}


def told(issue: Issue) -> dict[str, Any]:
    table = asdict(issue)
    table["tiles"] = [str(tile) for tile in issue.tiles]
    table["span"] = issue.span and [issue.span.line, issue.span.col]
    table["notes"] = [[note.span.line, note.message] for note in issue.notes]
    return table


def verdict(name: str, rules: Ruleset) -> dict[str, Any]:
    catalogue = load_catalogue()
    loaded = load((HERE / f"{name}.forge").read_text("utf-8"), f"{name}.forge")
    board = loaded.layout.board
    assert not loaded.issues
    assert not check_legality(board, limits_for(catalogue, 2))
    units = load_units()
    subject = study(board, rules, movement_classes(units.values()), units)
    return {
        "issues": [told(issue) for issue in check_board(board, rules)],
        "fairness": [told(issue) for issue in check_fairness(board, rules)],
        "measures": [
            {
                "name": metric.name,
                "verdict": metric.verdict,
                "text": metric.text,
                "values": dict(metric.values),
                "tiles": [str(tile) for tile in metric.tiles],
            }
            for metric in analyze(subject)
        ],
    }


@pytest.mark.parametrize("name", PLAYS)
def test_the_verdict_is_the_one_that_was_looked_at(name: str) -> None:
    base = load_ruleset()
    found = {
        reading: verdict(name, with_options(base, [(k, v, None) for k, v in options.items()]))
        for reading, options in READINGS.items()
    }
    path = HERE / f"{name}.json"
    text = json.dumps(found, indent=1, ensure_ascii=False) + "\n"
    if ACCEPT:
        path.write_text(text, encoding="utf-8")
    assert json.loads(text) == json.loads(path.read_text("utf-8")), "FORGE_ACCEPT=1 takes it over"


def test_the_comparison_can_fail() -> None:
    one, other = (verdict(name, load_ruleset()) for name in ("flat", "near"))
    assert one != other
