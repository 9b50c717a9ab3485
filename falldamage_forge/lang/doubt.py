"""What a text with faults leaves open, so that no fault of it is told again as one of the board."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from falldamage_forge.board import Tile
from falldamage_forge.issues import Issue
from falldamage_forge.values import dataclass

HARMLESS = ("FDF005", "FDF107", "FDF210", "FDF211")
"""Faults of what is said about a map, not of what stands on it."""
LOCAL = ("FDF001", "FDF002", "FDF004", "FDF006", "FDF007", "FDF100", "FDF101", "FDF106", "FDF108")
"""Faults of one line. Any other may be a fault of a whole map, a definition or an import."""
ZONES = ("FDF150", "FDF151")
_TILES = re.compile(
    r"\b([A-Za-z]{1,2}[1-9][0-9]{0,2})(?:\s*\.\.\s*([A-Za-z]{1,2}[1-9][0-9]{0,2}))?"
)
_WIDE = re.compile(r"\b(row|col|ring|all|place|mirror|rotate|symmetry|map)\b|\|")

_BESIDE = re.compile(r"\s*(forge|title|author|rules|print|inventory|extras|expect|allow)\b")


@dataclass(frozen=True, slots=True)
class Doubt:
    """Where the board may be other than its author means: some tiles, all of them, the starts."""

    tiles: frozenset[Tile] = frozenset()
    everywhere: bool = False
    starts: bool = False

    def covers(self, issue: Issue) -> bool:
        """Whether an issue of the board may be gone as soon as the text is mended."""
        if self.everywhere or bool(self.tiles.intersection(issue.tiles)):
            return True
        return self.starts and issue.code in ZONES


def doubt_of(issues: Iterable[Issue], file: str, lines: Sequence[str]) -> Doubt:
    """The doubt that the faults of a text leave; `lines` are those of the file."""
    tiles: set[Tile] = set()
    everywhere = False
    starts = not any(line.partition("#")[0].strip() for line in lines)  # one error is enough
    for issue in issues:
        span = issue.span
        if issue.severity != "error" or issue.code in HARMLESS:
            continue
        if issue.code not in LOCAL or span is None or span.file != file:
            everywhere = True
            continue
        line = lines[span.line - 1].partition("#")[0] if span.line <= len(lines) else ""
        if _BESIDE.match(line):
            continue
        own = {tile for match in _TILES.finditer(line) for tile in _box(match[1], match[2])}
        tiles |= own | {Tile(*tile) for tile in issue.tiles}
        starts = starts or "start" in line or issue.code == "FDF108"
        everywhere = everywhere or bool(_WIDE.search(line)) or not own
    return Doubt(frozenset(tiles), everywhere, starts)


def _box(first: str, last: str | None) -> Iterable[Tile]:
    a, b = Tile.parse(first), Tile.parse(last or first)
    if abs(a.row - b.row) > 99 or abs(a.col - b.col) > 99:
        return
    for row in range(min(a.row, b.row), max(a.row, b.row) + 1):
        for col in range(min(a.col, b.col), max(a.col, b.col) + 1):
            yield Tile(row, col)
