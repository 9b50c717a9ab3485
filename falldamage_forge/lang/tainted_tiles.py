"""Tainted tiles: tiles affected by syntax errors; later errors there are suppressed.

A statement with an error becomes a fact of kind `tainted` for the tiles that it names. Such facts
are placed, rotated and mirrored like all others.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from falldamage_forge.board import Tile, column_index
from falldamage_forge.elements import ELEMENTS
from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.issues import Issue
from falldamage_forge.lang import ast
from falldamage_forge.lang.facts import Extent, Fact
from falldamage_forge.lang.unparse import head_text

BESIDE = frozenset(
    (
        "forge",
        "title",
        "author",
        "license",
        "print",
        "inventory",
        "extras",
        "legend",
        "import",
        "expect",
    )
) | {"allow"}
"""Statements without tiles."""
OF_RULES = frozenset(("rules", "units"))
ABOUT_STARTS = frozenset(("", "start", "players", "symmetry", "mirror", "rotate", "board"))
"""Statements that may set or make a start zone; the empty word stands for an unknown keyword."""
LEAVES = (ast.Stack, ast.Put, ast.Span, ast.Map)
"""Statements that set tiles directly."""
WHOLE = frozenset(("map", "board", "symmetry", "mirror", "rotate"))
"""Statements about the whole board."""
ZONES = ("FDF150", "FDF151", "FDF153")
RULED = "FDF151"
"""Error from a number of the ruleset; errors about headroom also depend on it."""
ALWAYS = ("FDF130", "FDF131", "FDF136")
"""Errors of a statement that do not depend on other statements."""
USUAL_PIECE = 5
"""Width in tiles that is assumed for an unknown piece."""
_TILE = r"[A-Za-z]{1,2}[1-9][0-9]{0,2}"
_TILES = re.compile(rf"\b({_TILE})\b(?:(?:@[0-9]+)?\s*(\.\.|->)\s*({_TILE})\b)?")
_LINES = re.compile(r"\b(?:row\s+([1-9][0-9]?)|col\s+([A-Za-z]{1,2}))\b|\b(all)\b")
_SIGNS = re.escape("".join(element.glyph for element in ELEMENTS.values()))
_CELLS = re.compile(rf"[0-9._|{_SIGNS}]+(\s+[0-9._|{_SIGNS}]+)*")


@dataclass(frozen=True, slots=True)
class TaintedTiles:
    """Parts of the board that may differ from the author's intent because of errors.

    Attributes:
        tiles: Tainted tiles.
        everywhere: True if all tiles are tainted.
        starts: True if the start zones are tainted.
        rules: True if the ruleset may be another.
    """

    tiles: frozenset[Tile] = frozenset()
    everywhere: bool = False
    starts: bool = False
    rules: bool = False

    def __bool__(self) -> bool:
        return bool(self.tiles) or self.everywhere or self.starts or self.rules

    def covers(self, issue: Issue) -> bool:
        """True if an issue of the board may vanish once the syntax errors are corrected."""
        if issue.code in ALWAYS:
            return False
        if self.everywhere or self.tiles.intersection(issue.tiles):
            return True
        ruled = issue.code == RULED or "headroom" in issue.message
        return (self.starts and issue.code in ZONES) or (self.rules and ruled)


def tainted_tiles(
    facts: Iterable[Fact], issues: Iterable[Issue], box: Extent, *, everywhere: bool
) -> TaintedTiles:
    """Return the tainted parts of a board.

    Args:
        facts: Facts of the source.
        issues: Issues of the source.
        box: Extent of the board.
        everywhere: True if all tiles are tainted.
    """
    tainted = [fact for fact in facts if fact.kind == "tainted"]
    tiles = {tile for fact in tainted for tile in fact.tiles if tile in box}
    tiles |= {Tile(*tile) for issue in issues for tile in issue.tiles if issue.code == "FDF101"}
    about = {fact.name for fact in tainted}
    starts = bool(about & {"starts", "all"}) or any(issue.code == "FDF108" for issue in issues)
    return TaintedTiles(frozenset(tiles), everywhere or "all" in about, starts, "rules" in about)


def doubted(broken: ast.Broken, box: Extent) -> Iterator[Fact]:
    """Yield tainted facts for a statement with a syntax error, other than `place`.

    Args:
        broken: The statement that has no syntax.
        box: Extent of the board.
    """
    word, span = broken.word, broken.span
    if word in BESIDE:
        return
    if word in OF_RULES:
        yield Fact("tainted", (), name="rules", span=span)
        return
    tiles = tuple(sorted(named(broken.text, box)))
    cells = not broken.text or bool(_CELLS.fullmatch(broken.text))
    whole = word in WHOLE or cells or (bool(word) and not tiles and word != "players")
    if whole and word != "start":
        yield everything(box, broken)
        return
    yield Fact("tainted", tiles, name="starts" if word in ABOUT_STARTS else "", span=span)


def left_open(statement: ast.Statement, box: Extent, issues: Sequence[Issue]) -> Iterator[Fact]:
    """Yield tainted facts for a statement whose expansion had errors.

    Args:
        statement: The statement.
        box: Extent of the board.
        issues: Issues of its expansion.
    """
    if not issues or not isinstance(statement, LEAVES):
        return
    if not isinstance(statement, ast.Map):
        tiles = tuple(sorted(named(head_text(statement), box)))
        about = "starts" if getattr(statement, "kind", None) in ABOUT_STARTS else ""
        yield Fact("tainted", tiles, name=about, span=statement.span)
    elif any(issue.code not in ("FDF102", "FDF103", "FDF106") for issue in issues):
        yield everything(box, statement)
    else:
        uneven = {issue.span for issue in issues if not issue.tiles}
        rows = [n for n, line in enumerate(statement.rows) if line.span in uneven]
        tiles = tuple(Tile(row, col) for row in rows for col in range(box.cols))
        tiles += tuple(Tile(*tile) for issue in issues for tile in issue.tiles)
        yield Fact("tainted", tiles, span=statement.span)


def everything(box: Extent, statement: ast.Statement) -> Fact:
    """Return a tainted fact of all tiles and start zones of an extent.

    Args:
        box: Extent of the board.
        statement: The statement that is the reason.
    """
    return Fact("tainted", tuple(box.tiles()), name="all", span=statement.span)


def named(text: str, box: Extent) -> set[Tile]:
    """Return the tiles of an extent that a text names: tiles, rectangles, rows, columns, `all`.

    Args:
        text: Text of a statement.
        box: Extent of the board.
    """
    tiles: set[Tile] = set()
    for first, _, last in _TILES.findall(text):
        tiles |= _between(Tile.parse(first), Tile.parse(last or first), box)
    for row, col, whole in _LINES.findall(text):
        line = int(row) - 1 if row else column_index(col) if col else -1
        for tile in box.tiles():
            if whole or line == (tile.row if row else tile.col):
                tiles.add(tile)
    return tiles


def first_tile(text: str) -> Tile | None:
    """Return the first tile that a text names; None if there is none."""
    match = _TILES.search(text)
    return Tile.parse(match[1]) if match else None


def region(at: Tile, rows: int, cols: int) -> tuple[Tile, ...]:
    """Return the square of tiles that a piece of some size may cover under any rotation.

    Args:
        at: North-west corner of the piece.
        rows: Rows of the piece.
        cols: Columns of the piece.
    """
    size = max(rows, cols)
    return tuple(
        Tile(row, col)
        for row in range(at.row, at.row + size)
        for col in range(at.col, at.col + size)
    )


def _between(a: Tile, b: Tile, box: Extent) -> set[Tile]:
    low, high = Tile(min(a.row, b.row), min(a.col, b.col)), (max(a.row, b.row), max(a.col, b.col))
    last = Tile(min(high[0], box.rows - 1), min(high[1], box.cols - 1))
    return {
        Tile(row, col)
        for row in range(low.row, last.row + 1)
        for col in range(low.col, last.col + 1)
    }
