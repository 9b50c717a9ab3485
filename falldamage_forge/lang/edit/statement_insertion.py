"""Statement insertion: text and position of new statements, and equal statements to join."""

from __future__ import annotations

from falldamage_forge.board import DIRECTIONS
from falldamage_forge.board.fittings import FITTINGS
from falldamage_forge.lang import ast, fitting_syntax
from falldamage_forge.lang.edit.board_elements import BoardElement
from falldamage_forge.lang.edit.source_index import SourceIndex
from falldamage_forge.lang.edit.text_edits import Patch

AreaStatement = ast.Stack | ast.Put | ast.Start | ast.BattlementStatement | ast.FittingStatement
AREAS = (ast.Stack, ast.Put, ast.Start, ast.BattlementStatement, ast.FittingStatement)


def same_statement(index: SourceIndex, word: str, name: str) -> AreaStatement | None:
    """Return the last top-level statement that is equal but for its tiles, or None."""
    last = None
    for statement in index.top():
        match statement:
            case ast.Stack(height=height, length_um=None):
                same = (word, name) == ("stack", str(height))
            case ast.Put(kind=kind):
                same = word == kind
            case ast.Start(side=side):
                same = (word, name) == ("start", side)
            case ast.BattlementStatement(sides=sides):
                same = (word, name) == ("battlement", " ".join(sides))
            case ast.FittingStatement(kind=kind, name=own, sides=sides, length_um=length):
                same = (word, name) == (
                    fitting_syntax.head_of(kind, own),
                    fitting_syntax.tail_of(kind, own, sides, length),
                )
            case _:
                continue
        last = statement if same else last
    return last


def statement_head(thing: BoardElement) -> tuple[str, str]:
    """Return the first word of an element's statement, and the words that distinguish it."""
    if thing.kind in FITTINGS:
        sides = (side for side in DIRECTIONS if thing.tiles[0].step(side) in thing.tiles)
        return fitting_syntax.words_of(thing.kind, thing.name, sides, thing.length_um)
    if thing.kind in ("ground", "feature"):
        return thing.name, ""
    return thing.kind, thing.name if thing.kind == "start" else ""


def statement_text(word: str, name: str, area: str) -> str:
    """Return the statement for an area."""
    match word:
        case "stack":
            return f"stack {area} height {name}"
        case "start":
            return f"start {name} at {area}"
        case "battlement":
            return f"battlement at {area}" + (f" sides {name}" if name else "")
    tail = name if word.partition(" ")[0] in FITTINGS else ""
    return f"{word} at {area}{tail}"


RANKS: tuple[tuple[type[ast.Statement], ...], ...] = (
    (ast.Header, ast.Import, ast.Settings, ast.Units),
    (ast.Define, ast.Symmetry),
    (ast.Map, ast.Place, ast.TransformBlock),
    (ast.Stack,),
    (ast.Bridge,),
    (ast.LadderStatement,),
    (ast.Put, ast.BattlementStatement, ast.FittingStatement),
    (ast.Start,),
    (ast.Expect, ast.Allow),
)
"""Usual order of statements in a map; a new statement goes to its place in it."""
WORDS = {"symmetry": 1, "place": 2, "stack": 3, "bridge": 4, "ladder": 5, "start": 7}


def insertion_point(index: SourceIndex, patch: Patch, word: str) -> tuple[int, str]:
    """Return the line (from 1) below which a new statement goes, and its indentation."""
    rank = WORDS.get(word, 6)
    by_rank: dict[int, ast.Statement] = {}
    for statement in index.top():
        own = next(n for n, kinds in enumerate(RANKS) if isinstance(statement, kinds))
        by_rank[own] = statement
    for below in range(rank, -1, -1):
        if below in by_rank:
            after = by_rank[below]
            whole = after.whole if isinstance(after, ast.Block) else after.span
            line = patch.lines[whole.line - 1]
            return whole.end_line, line[: len(line) - len(line.lstrip())]
    return len(patch.lines) - 1, ""
