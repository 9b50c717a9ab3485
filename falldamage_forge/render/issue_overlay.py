"""Overlay of a map's issues: numbers on tiles, messages in the legend."""

from __future__ import annotations

from collections.abc import Sequence

from falldamage_forge.board import Board, Tile
from falldamage_forge.issues import Issue
from falldamage_forge.render.overlay import Overlay, OverlayMark

KEY = "faults"
MOST = 24
"""Maximum number of issues with a number; more would be unreadable."""
_ERROR, _WARNING = 1, 4


def issue_overlay(board: Board, issues: Sequence[Issue]) -> Overlay:
    """Return an overlay with a number for each issue; an issue of several tiles marks each.

    An issue without a tile has its line in the legend.

    Args:
        board: Board of the map.
        issues: Issues in the order of their numbers.
    """
    shown = issues[:MOST]
    numbers: dict[Tile, list[int]] = {}
    for number, issue in enumerate(shown, start=1):
        for row, col in issue.tiles:
            tile = Tile(row, col)
            if tile in board and number not in numbers.setdefault(tile, []):
                numbers[tile].append(number)
    marks = tuple(
        OverlayMark(tile, max(board.tops(tile)), _tint(shown, own), _words(own))
        for tile, own in sorted(numbers.items())
    )
    legend = [
        (_ERROR if issue.severity == "error" else _WARNING, f"{number}  {_sentence(issue)}")
        for number, issue in enumerate(shown, start=1)
    ]
    count = len(issues)
    if count > MOST:
        legend.append((_ERROR, f"and {count - MOST} more: `fdforge check` lists them all"))
    title = "1 issue" if count == 1 else f"{count} issues"
    return Overlay(KEY, title, marks, tuple(legend), "marks", pins=True)


def _tint(issues: Sequence[Issue], numbers: Sequence[int]) -> int:
    errors = any(issues[number - 1].severity == "error" for number in numbers)
    return _ERROR if errors else _WARNING


def _words(numbers: Sequence[int]) -> str:
    return ",".join(map(str, numbers[:2])) + ("+" if len(numbers) > 2 else "")


def _sentence(issue: Issue) -> str:
    place = f" (line {issue.span.line})" if issue.span and not issue.tiles else ""
    return f"{issue.message}{place}"
