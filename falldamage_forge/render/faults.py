"""What is wrong with a map, to be drawn over it: numbers on tiles, sentences in the legend."""

from __future__ import annotations

from collections.abc import Sequence

from falldamage_forge.board import Board, Tile
from falldamage_forge.issues import Issue
from falldamage_forge.render.overlay import Mark, Overlay

KEY = "faults"
MOST = 24
"""Faults with a number of their own; a picture of more says nothing."""
_ERROR, _WARNING = 1, 4


def faults(board: Board, issues: Sequence[Issue]) -> Overlay:
    """Every issue with its number; those of several tiles mark each of them.

    A fault of the text alone has no tile: the legend tells its line.
    """
    shown = issues[:MOST]
    numbers: dict[Tile, list[int]] = {}
    for number, issue in enumerate(shown, start=1):
        for row, col in issue.tiles:
            tile = Tile(row, col)
            if tile in board and number not in numbers.setdefault(tile, []):
                numbers[tile].append(number)
    marks = tuple(
        Mark(tile, max(board.tops(tile)), _tint(shown, own), _words(own))
        for tile, own in sorted(numbers.items())
    )
    legend = [
        (_ERROR if issue.severity == "error" else _WARNING, f"{number}  {_sentence(issue)}")
        for number, issue in enumerate(shown, start=1)
    ]
    count = len(issues)
    if count > MOST:
        legend.append((_ERROR, f"and {count - MOST} more: `fdforge check` lists them all"))
    title = "1 fault" if count == 1 else f"{count} faults"
    return Overlay(KEY, title, marks, tuple(legend), "marks", pins=True)


def _tint(issues: Sequence[Issue], numbers: Sequence[int]) -> int:
    errors = any(issues[number - 1].severity == "error" for number in numbers)
    return _ERROR if errors else _WARNING


def _words(numbers: Sequence[int]) -> str:
    return ",".join(map(str, numbers[:2])) + ("+" if len(numbers) > 2 else "")


def _sentence(issue: Issue) -> str:
    place = f" (line {issue.span.line})" if issue.span and not issue.tiles else ""
    return f"{issue.message}{place}"
