"""Statement insertion: text and position of new statements, and equal statements to join."""

from __future__ import annotations

from falldamage_forge.board import DIRECTIONS
from falldamage_forge.elements import ELEMENTS, KINDS, column
from falldamage_forge.elements.element import Thing
from falldamage_forge.lang import ast, fitting_syntax
from falldamage_forge.lang.edit.source_index import SourceIndex
from falldamage_forge.lang.edit.text_edits import Patch

AreaStatement = ast.Stack | ast.Put
COLUMN = column.ELEMENT.word


def same_statement(index: SourceIndex, word: str, name: str) -> AreaStatement | None:
    """Return the last top-level statement that is equal but for its tiles, or None.

    Args:
        index: Statements of the text with their places.
        word: First words of the statement, such as `stack` or `field heavy-g`.
        name: Height of a stack, else the words after the tiles.
    """
    last = None
    for statement in index.top():
        match statement:
            case ast.Stack(height=height, length_um=None):
                same = (word, name) == (COLUMN, str(height))
            case ast.Put(kind=kind, name=own, sides=sides, length_um=length):
                same = (word, name) == (
                    fitting_syntax.head_of(kind, own),
                    fitting_syntax.tail_of(kind, own, sides, length),
                )
            case _:
                continue
        last = statement if same else last
    return last


def statement_head(thing: Thing) -> tuple[str, str]:
    """Return the words before a thing's tiles in its statement, and those after them."""
    element = KINDS[thing.kind]
    if element.valued:
        return thing.name, ""
    sides = (side for side in DIRECTIONS if thing.tiles[0].step(side) in thing.tiles[1:])
    length = thing.length_um or element.usual_um
    return fitting_syntax.words_of(thing.kind, thing.name, sides, length)


def statement_text(word: str, name: str, area: str) -> str:
    """Return the statement for an area.

    Args:
        word: First words of the statement, such as `stack` or `field heavy-g`.
        name: Height of a stack, else the words after the tiles.
        area: Tiles as the language writes them.
    """
    return f"{word} {area} height {name}" if word == COLUMN else f"{word} at {area}{name}"


RANKS: tuple[tuple[type[ast.Statement], ...], ...] = (
    (ast.Header, ast.Import, ast.Settings, ast.Units),
    (ast.Define, ast.ModelBlock, ast.Symmetry),
    (ast.Map, ast.Place, ast.TransformBlock),
)
"""Usual order of statements in a map, before those of elements; a new one goes to its place."""
LAST = 8
"""Rank of the statements after those of elements."""
WORDS = {"symmetry": 1, "place": 2}


def _rank(statement: ast.Statement) -> int:
    if isinstance(statement, ast.Put | ast.Span):
        return ELEMENTS[statement.kind].rank
    if isinstance(statement, ast.Stack):
        return column.ELEMENT.rank
    return next((n for n, kinds in enumerate(RANKS) if isinstance(statement, kinds)), LAST)


def insertion_point(index: SourceIndex, patch: Patch, word: str) -> tuple[int, str]:
    """Return the line (from 1) below which a new statement goes, and its indentation.

    Args:
        index: Statements of the text with their places.
        patch: Edits of the text so far; read only.
        word: First words of the statement.
    """
    word = word.partition(" ")[0]
    rank = ELEMENTS[word].rank if word in ELEMENTS else WORDS[word]
    by_rank: dict[int, ast.Statement] = {}
    for statement in index.top():
        by_rank[_rank(statement)] = statement
    for below in range(rank, -1, -1):
        if below in by_rank:
            after = by_rank[below]
            whole = after.whole if isinstance(after, ast.Block) else after.span
            line = patch.lines[whole.line - 1]
            return whole.end_line, line[: len(line) - len(line.lstrip())]
    return len(patch.lines) - 1, ""
