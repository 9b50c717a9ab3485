"""Source index: the statement or map cell behind each element of a board."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from falldamage_forge.board import Tile
from falldamage_forge.elements import KINDS
from falldamage_forge.elements.element import Thing
from falldamage_forge.elements.things import things_of
from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.lang import ast
from falldamage_forge.lang.edit.board_elements import levels_of
from falldamage_forge.lang.facts import Extent, Fact
from falldamage_forge.lang.layout import LoadResult
from falldamage_forge.lang.map_block import Meaning, read_legend


class SourceRef(NamedTuple):
    """A statement, the blocks around it from outside in, and the cell if it is one of a map."""

    statement: ast.Statement
    parents: tuple[ast.Block, ...]
    cell: ast.Cell | None = None

    @property
    def background(self) -> bool:
        """True if its map is the board's own, where a bare cell is level 0."""
        return not any(isinstance(parent, ast.Define) for parent in self.parents)


@dataclass(slots=True)
class SourceIndex:
    """A loaded map with an index from its elements to their source.

    Attributes:
        loaded: The layout with its AST.
        box: Extent of the board.
        written: Statements and cells by (line, column), from 1.
        cells: Cells of the board's map by tile.
        facts: Facts by element.
        legend: Meanings of the legend's glyphs.
    """

    loaded: LoadResult
    box: Extent
    written: dict[tuple[int, int], SourceRef]
    cells: dict[Tile, SourceRef]
    facts: dict[Thing, list[Fact]]
    legend: dict[str, Meaning]

    def of(self, fact: Fact) -> SourceRef | None:
        """Return the statement or cell of a fact; None if it is in another file."""
        if fact.span is None or fact.span.file != self.loaded.document.file:
            return None
        return self.written.get((fact.span.line, fact.span.col))

    def top(self) -> Iterator[ast.Statement]:
        """Return the statements outside all blocks."""
        return iter(self.loaded.document.statements)


def index_of(loaded: LoadResult) -> SourceIndex:
    """Return the index of a map without errors."""
    board = loaded.layout.board
    written: dict[tuple[int, int], SourceRef] = {}
    cells: dict[Tile, SourceRef] = {}
    for ref, tile in _walk(loaded.document.statements, ()):
        span = ref.cell.span if ref.cell else ref.statement.span
        written[span.line, span.col] = ref
        if ref.cell and tile is not None and not ref.parents:
            cells.setdefault(tile, ref)
    legend: dict[str, Meaning] = {}
    for statement in loaded.document.statements:
        if isinstance(statement, ast.Settings) and statement.kind == "legend":
            legend |= read_legend(statement, [])
    levels = levels_of(things_of(board))
    facts: dict[Thing, list[Fact]] = {}
    for fact in loaded.facts:
        if not fact.weak:
            facts.setdefault(_thing(fact, levels), []).append(fact)
    return SourceIndex(loaded, Extent(board.rows, board.cols), written, cells, facts, legend)


def _thing(fact: Fact, levels: dict[Tile, int]) -> Thing:
    """Return the element that a fact describes."""
    known = tuple(
        levels.get(tile, 0) if level is None else level
        for tile, level in zip(fact.tiles, fact.levels, strict=False)
    )
    tiles = KINDS[fact.kind].canonical(fact.tiles)
    return Thing(fact.kind, tiles, known, fact.name, fact.length_um)


def _walk(
    statements: tuple[ast.Statement, ...], parents: tuple[ast.Block, ...]
) -> Iterator[tuple[SourceRef, Tile | None]]:
    for statement in statements:
        yield SourceRef(statement, parents), None
        if isinstance(statement, ast.Map):
            for row, line in enumerate(statement.rows):
                for col, cell in enumerate(line.cells):
                    yield SourceRef(statement, parents, cell), Tile(row, col)
        elif isinstance(statement, ast.Define | ast.TransformBlock):
            yield from _walk(statement.body, (*parents, statement))


def levels_raised(fact: Fact) -> int:
    """Return the levels that the expansion added to a fact."""
    return sum(via.raised for via in fact.chain)
