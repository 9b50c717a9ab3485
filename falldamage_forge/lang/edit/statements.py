"""Statements to add: how they are written, where they go, and which say the same already."""

from __future__ import annotations

from falldamage_forge.board import DIRECTIONS
from falldamage_forge.board.fittings import FITTINGS
from falldamage_forge.lang import ast, fittings
from falldamage_forge.lang.edit.index import Index
from falldamage_forge.lang.edit.text import Patch
from falldamage_forge.lang.edit.things import Thing

AreaStatement = ast.Stack | ast.Put | ast.Start | ast.BattlementStatement | ast.FittingStatement
AREAS = (ast.Stack, ast.Put, ast.Start, ast.BattlementStatement, ast.FittingStatement)


def same_statement(index: Index, word: str, name: str) -> AreaStatement | None:
    """The last statement outside all blocks that says the same of other tiles."""
    found = None
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
                    fittings.head_of(kind, own),
                    fittings.tail_of(kind, own, sides, length),
                )
            case _:
                continue
        found = statement if same else found
    return found


def words_of(thing: Thing) -> tuple[str, str]:
    """What a thing's statement begins with, and what else tells it from others of its word."""
    if thing.kind in FITTINGS:
        sides = (side for side in DIRECTIONS if thing.tiles[0].step(side) in thing.tiles)
        return fittings.words_of(thing.kind, thing.name, sides, thing.length_um)
    if thing.kind in ("ground", "feature"):
        return thing.name, ""
    return thing.kind, thing.name if thing.kind == "start" else ""


def said(word: str, name: str, area: str) -> str:
    """The statement of an area."""
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
    (ast.Header, ast.Import, ast.Settings),
    (ast.Define, ast.Symmetry),
    (ast.Map, ast.Place, ast.TransformBlock),
    (ast.Stack,),
    (ast.Bridge,),
    (ast.LadderStatement,),
    (ast.Put, ast.BattlementStatement, ast.FittingStatement),
    (ast.Start,),
    (ast.Expect, ast.Allow),
)
"""The order in which people write a map; a new statement goes where it belongs in it."""
WORDS = {"symmetry": 1, "place": 2, "stack": 3, "bridge": 4, "ladder": 5, "start": 7}


def slot(index: Index, patch: Patch, word: str) -> tuple[int, str]:
    """The line below which a new statement goes, and its indentation."""
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
