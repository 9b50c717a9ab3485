"""A stamp done to its images: the same definition placed where an expected symmetry wants it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from falldamage_forge.board import Tile
from falldamage_forge.issues import has_errors
from falldamage_forge.lang import ast
from falldamage_forge.lang.edit.direct import Stamp
from falldamage_forge.lang.edit.index import index_of
from falldamage_forge.lang.edit.orbit import Image, expected, images
from falldamage_forge.lang.edit.things import Things, moved, standing, things_of
from falldamage_forge.lang.facts import Extent, turned
from falldamage_forge.lang.layout import Loaded

if TYPE_CHECKING:
    from falldamage_forge.lang.edit.engine import Editor

Turns = tuple[ast.Transform, ...]
QUARTER = ast.Transform("rotate", 90)
WAYS: tuple[Turns, ...] = (
    (ast.Transform("rotate", 180),),
    (ast.Transform("mirror", axis="x"),),
    (ast.Transform("mirror", axis="y"),),
    (QUARTER,),
    (ast.Transform("rotate", 270),),
    (ast.Transform("mirror", axis="x"), QUARTER),
    (ast.Transform("mirror", axis="y"), QUARTER),
    (),
)
"""The eight ways in which a definition can lie, the likeliest first."""


def echoed(
    editor: Editor, before: Loaded, text: str, after: Loaded, stamp: Stamp
) -> tuple[str, Loaded]:
    """The text after a stamp with the stamps of its images, as far as these can be placed."""
    board = before.layout.board
    box = Extent(board.rows, board.cols)
    new = things_of(after.layout.board) - things_of(board)
    size = _size(after, stamp, new)
    for image in images(expected(before.layout, box))[1:]:
        here = things_of(after.layout.board)
        meant = here | {moved(thing, image.move, image.swap) for thing in new}
        if meant == here:
            continue
        for other in _copies(stamp, size, image):
            written = other.written(index_of(after), text)
            loaded = editor.load(written)
            if not has_errors(loaded.issues) and things_of(loaded.layout.board) == meant:
                text, after = written, loaded
                break
    return text, after


def _copies(stamp: Stamp, size: Extent, image: Image) -> Iterator[Stamp]:
    """The stamp in each way it can lie on the image of its place."""
    there = [image.move(Tile(stamp.at.row + t.row, stamp.at.col + t.col)) for t in size.tiles()]
    corner = Tile(min(tile.row for tile in there), min(tile.col for tile in there))
    for turns in WAYS:
        yield replace(stamp, at=corner, turns=(*stamp.turns, *turns), alias="")


def _size(loaded: Loaded, stamp: Stamp, new: Things) -> Extent:
    """The room a stamp takes as it lies: that of its drawing, or of what came."""
    size = Extent(1, 1)
    for define in loaded.document.statements:
        if isinstance(define, ast.Define) and define.name == stamp.name:
            for block in define.body:
                if isinstance(block, ast.Map) and block.rows:
                    wide = max(len(row.cells) for row in block.rows)
                    size = Extent(max(size.rows, len(block.rows)), max(size.cols, wide))
    for turn in stamp.turns:
        size = turned(size, turn)
    tiles = [tile for thing in new for tile in standing(thing)]
    rows = max((tile.row - stamp.at.row + 1 for tile in tiles), default=1)
    cols = max((tile.col - stamp.at.col + 1 for tile in tiles), default=1)
    return Extent(max(size.rows, rows), max(size.cols, cols))
