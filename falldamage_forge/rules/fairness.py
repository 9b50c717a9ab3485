"""Unfair maps: the measures that `check` turns into warnings, for a plain unit."""

from __future__ import annotations

from falldamage_forge.board import Board
from falldamage_forge.issues import Issue
from falldamage_forge.rules.arrival import contact
from falldamage_forge.rules.balance import control, treasure
from falldamage_forge.rules.ruleset import Ruleset
from falldamage_forge.rules.study import study

CODES = {"treasure": "FDF350", "control": "FDF351", "contact": "FDF352"}


def check_fairness(board: Board, ruleset: Ruleset) -> tuple[Issue, ...]:
    """A warning for each of treasure, control and contact that is judged bad."""
    subject = study(board, ruleset, (), {})
    sources = {zone.side: zone.source for zone in board.starts}
    issues = []
    for measure in (treasure, control, contact):
        for metric in measure(subject):
            if metric.verdict == "bad":
                issues.append(
                    Issue(
                        CODES[metric.name],
                        "warning",
                        f"unfair in {metric.name}: {metric.text}",
                        next(iter(sources.values()), None),
                        metric.tiles,
                        "`fdforge analyze` shows the figures",
                    )
                )
    return tuple(issues)
