"""Mirrored stamps: place a definition also where an expected symmetry requires its image."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from falldamage_forge.board import Tile
from falldamage_forge.elements.things import Things, things_of
from falldamage_forge.issues import has_errors
from falldamage_forge.lang import ast
from falldamage_forge.lang.edit.board_elements import element_tiles, move_element
from falldamage_forge.lang.edit.loaded_text import Editor, LoadedText
from falldamage_forge.lang.edit.refactorings import StampEdit
from falldamage_forge.lang.edit.symmetry_images import (
    SymmetryImage,
    expected_symmetries,
    generate_group,
)
from falldamage_forge.lang.facts import Extent, transformed_extent
from falldamage_forge.lang.layout import LoadResult

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
"""The eight orientations of a definition, the most frequent first."""


def add_mirrored_stamps(
    editor: Editor, before: LoadResult, after: LoadedText, stamp: StampEdit
) -> LoadedText:
    """Return the text after a stamp and the stamps of its images, as far as these can be placed.

    Args:
        editor: The source to edit.
        before: Layout before the stamp.
        after: Text with the stamp.
        stamp: The stamp.
    """
    board = before.layout.board
    box = Extent(board.rows, board.cols)
    new = after.things - things_of(board)
    size = _size(after.loaded, stamp, new)
    for image in generate_group(expected_symmetries(before.layout, box))[1:]:
        meant = after.things | {move_element(thing, image.move, image.swap) for thing in new}
        if meant == after.things:
            continue
        for other in _copies(stamp, size, image):
            tried = editor.load(other.written(after.index, after.text))
            if not has_errors(tried.loaded.issues) and tried.things == meant:
                after = tried
                break
    return after


def _copies(stamp: StampEdit, size: Extent, image: SymmetryImage) -> Iterator[StampEdit]:
    """Yield the stamp in each orientation on the image of its place."""
    there = [image.move(Tile(stamp.at.row + t.row, stamp.at.col + t.col)) for t in size.tiles()]
    corner = Tile(min(tile.row for tile in there), min(tile.col for tile in there))
    for turns in WAYS:
        yield replace(stamp, at=corner, turns=(*stamp.turns, *turns), alias="")


def _size(loaded: LoadResult, stamp: StampEdit, new: Things) -> Extent:
    """Return the extent of a stamp: that of its map block, or of the elements that it added."""
    size = Extent(1, 1)
    for define in loaded.document.statements:
        if isinstance(define, ast.Define) and define.name == stamp.name:
            for block in define.body:
                if isinstance(block, ast.Map) and block.rows:
                    wide = max(len(row.cells) for row in block.rows)
                    size = Extent(max(size.rows, len(block.rows)), max(size.cols, wide))
    for turn in stamp.turns:
        size = transformed_extent(size, turn)
    tiles = [tile for thing in new for tile in element_tiles(thing)]
    rows = max((tile.row - stamp.at.row + 1 for tile in tiles), default=1)
    cols = max((tile.col - stamp.at.col + 1 for tile in tiles), default=1)
    return Extent(max(size.rows, rows), max(size.cols, cols))
