"""Where the things of a board are written: the statement or map cell behind each of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from falldamage_forge.board import Tile
from falldamage_forge.lang import ast
from falldamage_forge.lang.cells import Meaning, read_legend
from falldamage_forge.lang.edit.things import Thing, levels_of, things_of
from falldamage_forge.lang.facts import Extent, Fact
from falldamage_forge.lang.layout import Loaded


class Written(NamedTuple):
    """A statement, the blocks around it from outside in, and the cell if it is one of a map's."""

    statement: ast.Statement
    parents: tuple[ast.Block, ...]
    cell: ast.Cell | None = None

    @property
    def background(self) -> bool:
        """Whether its map is the board's own, where a bare cell claims nothing."""
        return not any(isinstance(parent, ast.Define) for parent in self.parents)


@dataclass(slots=True)
class Index:
    """A loaded map with an index from things to what says them."""

    loaded: Loaded
    box: Extent
    written: dict[tuple[int, int], Written]
    cells: dict[Tile, Written]
    facts: dict[Thing, list[Fact]]
    legend: dict[str, Meaning]

    def of(self, fact: Fact) -> Written | None:
        """What says a fact in the map's own file; None for what another file says."""
        if fact.span is None or fact.span.file != self.loaded.document.file:
            return None
        return self.written.get((fact.span.line, fact.span.col))

    def top(self) -> Iterator[ast.Statement]:
        """The statements outside all blocks."""
        return iter(self.loaded.document.statements)


def index_of(loaded: Loaded) -> Index:
    """The index of a map without errors."""
    board = loaded.layout.board
    written: dict[tuple[int, int], Written] = {}
    cells: dict[Tile, Written] = {}
    for found, tile in _walk(loaded.document.statements, ()):
        span = found.cell.span if found.cell else found.statement.span
        written[span.line, span.col] = found
        if found.cell and tile is not None and not found.parents:
            cells.setdefault(tile, found)
    legend: dict[str, Meaning] = {}
    for statement in loaded.document.statements:
        if isinstance(statement, ast.Settings) and statement.kind == "legend":
            legend |= read_legend(statement, [])
    levels = levels_of(things_of(board))
    facts: dict[Thing, list[Fact]] = {}
    for fact in loaded.facts:
        if not fact.weak:
            facts.setdefault(_thing(fact, levels), []).append(fact)
    return Index(loaded, Extent(board.rows, board.cols), written, cells, facts, legend)


def _thing(fact: Fact, levels: dict[Tile, int]) -> Thing:
    """What a fact comes to on the board."""
    known = tuple(
        levels.get(tile, 0) if level is None else level
        for tile, level in zip(fact.tiles, fact.levels, strict=False)
    )
    tiles = tuple(sorted(fact.tiles)) if fact.kind == "deck" else fact.tiles
    if fact.kind == "railing":
        tiles = (tiles[0], *sorted(tiles[1:]))
    return Thing(fact.kind, tiles, known, fact.name, fact.length_um)


def _walk(
    statements: tuple[ast.Statement, ...], parents: tuple[ast.Block, ...]
) -> Iterator[tuple[Written, Tile | None]]:
    for statement in statements:
        yield Written(statement, parents), None
        if isinstance(statement, ast.Map):
            for row, line in enumerate(statement.rows):
                for col, cell in enumerate(line.cells):
                    yield Written(statement, parents, cell), Tile(row, col)
        elif isinstance(statement, ast.Define | ast.TransformBlock):
            yield from _walk(statement.body, (*parents, statement))


def raised(fact: Fact) -> int:
    """By how many levels a fact was raised on its way to the board."""
    return sum(via.raised for via in fact.chain)
