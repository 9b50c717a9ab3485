"""What a text with faults leaves open, so that no fault of it is told again as one of the board.

What cannot be read says nothing for sure of the tiles that it names. Such a saying is a fact like
any other, of the kind `doubt`: placed, turned and mirrored with what it stands in.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from falldamage_forge.board import Tile, column_index
from falldamage_forge.issues import Issue
from falldamage_forge.lang import ast
from falldamage_forge.lang.facts import Extent, Fact
from falldamage_forge.lang.write import head_text
from falldamage_forge.values import dataclass

BESIDE = frozenset(
    ("forge", "title", "author", "print", "inventory", "extras", "legend", "import", "expect")
) | {"allow"}
"""Statements that put nothing on the board."""
OF_RULES = frozenset(("rules", "units"))
ABOUT_STARTS = frozenset(("", "start", "players", "symmetry", "mirror", "rotate", "board"))
"""Statements that may set or make a start; a word that nobody knows may mean one of them."""
LEAVES = (
    ast.Stack,
    ast.Put,
    ast.Start,
    ast.BattlementStatement,
    ast.FittingStatement,
    ast.Map,
    ast.Bridge,
    ast.LadderStatement,
)
"""Statements that say something of tiles themselves."""
WHOLE = frozenset(("map", "board", "symmetry", "mirror", "rotate"))
"""Statements that speak of the whole board."""
ZONES = ("FDF150", "FDF151", "FDF153")
RULED = "FDF151"
"""A fault by a number of the game; so is every one that speaks of headroom."""
ALWAYS = ("FDF130", "FDF131", "FDF136")
"""Faults of a statement by itself, whatever stands around it."""
USUAL_PIECE = 5
"""How wide a piece is taken to be of which nothing is known."""
_TILE = r"[A-Za-z]{1,2}[1-9][0-9]{0,2}"
_TILES = re.compile(rf"\b({_TILE})\b(?:(?:@[0-9]+)?\s*(\.\.|->)\s*({_TILE})\b)?")
_LINES = re.compile(r"\b(?:row\s+([1-9][0-9]?)|col\s+([A-Za-z]{1,2}))\b|\b(all)\b")
_CELLS = re.compile(r"[0-9._T^!~$|]+(\s+[0-9._T^!~$|]+)*")


@dataclass(frozen=True, slots=True)
class Doubt:
    """Where the board may be other than its author means: some tiles, all of them, the starts.

    `rules` where the game may be another one.
    """

    tiles: frozenset[Tile] = frozenset()
    everywhere: bool = False
    starts: bool = False
    rules: bool = False

    def __bool__(self) -> bool:
        return bool(self.tiles) or self.everywhere or self.starts or self.rules

    def covers(self, issue: Issue) -> bool:
        """Whether an issue of the board may be gone as soon as the text is mended."""
        if issue.code in ALWAYS:
            return False
        if self.everywhere or self.tiles.intersection(issue.tiles):
            return True
        ruled = issue.code == RULED or "headroom" in issue.message
        return (self.starts and issue.code in ZONES) or (self.rules and ruled)


def doubt_of(
    facts: Iterable[Fact], issues: Iterable[Issue], box: Extent, *, everywhere: bool
) -> Doubt:
    """The doubt that facts of the kind `doubt` and the faults of a board leave."""
    found = [fact for fact in facts if fact.kind == "doubt"]
    tiles = {tile for fact in found for tile in fact.tiles if tile in box}
    tiles |= {Tile(*tile) for issue in issues for tile in issue.tiles if issue.code == "FDF101"}
    about = {fact.name for fact in found}
    starts = bool(about & {"starts", "all"}) or any(issue.code == "FDF108" for issue in issues)
    return Doubt(frozenset(tiles), everywhere or "all" in about, starts, "rules" in about)


def doubted(broken: ast.Broken, box: Extent) -> Iterator[Fact]:
    """What a statement that could not be read leaves open; a `place` is not told of here."""
    word, span = broken.word, broken.span
    if word in BESIDE:
        return
    if word in OF_RULES:
        yield Fact("doubt", (), name="rules", span=span)
        return
    tiles = tuple(sorted(named(broken.text, box)))
    cells = not broken.text or bool(_CELLS.fullmatch(broken.text))
    whole = word in WHOLE or cells or (bool(word) and not tiles and word != "players")
    if whole and word != "start":
        yield everything(box, broken)
        return
    yield Fact("doubt", tiles, name="starts" if word in ABOUT_STARTS else "", span=span)


def left_open(statement: ast.Statement, box: Extent, faults: Sequence[Issue]) -> Iterator[Fact]:
    """What faults of one statement leave open of the tiles that it names."""
    if not faults or not isinstance(statement, LEAVES):
        return
    if not isinstance(statement, ast.Map):
        tiles = tuple(sorted(named(head_text(statement), box)))
        about = "starts" if isinstance(statement, ast.Start) else ""
        yield Fact("doubt", tiles, name=about, span=statement.span)
    elif any(issue.code not in ("FDF102", "FDF103", "FDF106") for issue in faults):
        yield everything(box, statement)
    else:
        uneven = {issue.span for issue in faults if not issue.tiles}
        rows = [n for n, line in enumerate(statement.rows) if line.span in uneven]
        tiles = tuple(Tile(row, col) for row in rows for col in range(box.cols))
        tiles += tuple(Tile(*tile) for issue in faults for tile in issue.tiles)
        yield Fact("doubt", tiles, span=statement.span)


def everything(box: Extent, statement: ast.Statement) -> Fact:
    """A doubt of all tiles and starts of a box."""
    return Fact("doubt", tuple(box.tiles()), name="all", span=statement.span)


def named(text: str, box: Extent) -> set[Tile]:
    """The tiles of a box that a text names: single ones, rectangles, lines, rows, columns, all."""
    found: set[Tile] = set()
    for first, _, last in _TILES.findall(text):
        found |= _between(Tile.parse(first), Tile.parse(last or first), box)
    for row, col, whole in _LINES.findall(text):
        line = int(row) - 1 if row else column_index(col) if col else -1
        for tile in box.tiles():
            if whole or line == (tile.row if row else tile.col):
                found.add(tile)
    return found


def first_tile(text: str) -> Tile | None:
    """The first tile that a text names."""
    match = _TILES.search(text)
    return Tile.parse(match[1]) if match else None


def region(at: Tile, rows: int, cols: int) -> tuple[Tile, ...]:
    """The tiles that a piece of some size covers, however it is turned."""
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
