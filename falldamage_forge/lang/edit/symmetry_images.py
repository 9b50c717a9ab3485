"""Symmetry images: the images of a gesture under the map's symmetries."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from falldamage_forge.board import Board, Tile
from falldamage_forge.board.board_model import Move
from falldamage_forge.board.coordinates import TURNS, transform_tile
from falldamage_forge.board.symmetry import asymmetric_tiles
from falldamage_forge.elements.element import SINGLE
from falldamage_forge.elements.things import Things
from falldamage_forge.lang import ast
from falldamage_forge.lang.edit.board_elements import (
    Delta,
    apply_delta,
    element_tiles,
    move_element,
)
from falldamage_forge.lang.facts import Extent, tile_transform
from falldamage_forge.lang.layout import Layout

Swap = tuple[str, str] | None
USUAL = ("red", "blue")
"""Names of the sides of a map without start zones."""


class SymmetryImage(NamedTuple):
    """A map of the board onto itself, with the two sides that it swaps, or None."""

    move: Move
    swap: Swap


def generate_group(generators: Iterable[SymmetryImage]) -> tuple[SymmetryImage, ...]:
    """Return all maps that the generators produce, the identity first; at most eight."""
    made: dict[tuple[Tile, ...], SymmetryImage] = {}
    waiting = [SymmetryImage(lambda tile: tile, None)]
    generators = tuple(generators)
    while waiting:
        image = waiting.pop(0)
        key = tuple(image.move(tile) for tile in (Tile(0, 0), Tile(0, 1), Tile(1, 0)))
        if key in made:
            continue
        made[key] = image
        waiting += (_after(image, other) for other in generators)
    return tuple(made.values())


def _after(one: SymmetryImage, other: SymmetryImage) -> SymmetryImage:
    def move(tile: Tile) -> Tile:
        return other.move(one.move(tile))

    swaps = [image.swap for image in (one, other) if image.swap]
    return SymmetryImage(move, swaps[0] if len(swaps) == 1 else None)


def written_symmetries(document: ast.Document, box: Extent) -> tuple[SymmetryImage, ...]:
    """Return the `symmetry` statements of a map.

    Args:
        document: The parsed source.
        box: Extent of the board.
    """
    return tuple(
        SymmetryImage(tile_transform(box, statement.transform), statement.swap)
        for statement in document.statements
        if isinstance(statement, ast.Symmetry)
    )


def expected_symmetries(layout: Layout, box: Extent) -> tuple[SymmetryImage, ...]:
    """Return the symmetries that a map expects and has.

    Args:
        layout: The map, with its expectations.
        box: Extent of the board.
    """
    images = []
    for expectation in layout.expects:
        name = expectation.words[1] if expectation.words[:1] == ("symmetric",) else ""
        if name in TURNS and not asymmetric_tiles(layout.board, name):
            move = transform_tile(name, box.rows, box.cols)
            images.append(SymmetryImage(move, _swapped(layout.board, move)))
    return tuple(images)


def _swapped(board: Board, move: Move) -> Swap:
    """Return the two sides that a map of the board swaps; default names if a zone is missing."""
    if len(board.starts) < len(USUAL):
        mine, theirs, *_ = dict.fromkeys((*(zone.side for zone in board.starts), *USUAL))
        return mine, theirs
    if len(board.starts) != len(USUAL):
        return None
    first, second = board.starts
    if {(move(tile), level) for tile, level in first.surfaces} == set(second.surfaces):
        return first.side, second.side
    return None


def with_images(delta: Delta, through: Iterable[SymmetryImage]) -> Delta:
    """Return a change together with its images.

    Args:
        delta: The change.
        through: Images of the board, as its symmetries make them.
    """
    gone, new = set(delta.gone), set(delta.new)
    for image in through:
        gone |= {move_element(thing, image.move, image.swap) for thing in delta.gone}
        new |= {move_element(thing, image.move, image.swap) for thing in delta.new}
    return Delta(frozenset(gone - new), frozenset(new))


def overrun(
    things: Things, delta: Delta, wanted: Delta, source: frozenset[Tile]
) -> tuple[Tile, ...]:
    """Return the tiles where images undo the change, overlap, or change the copied tiles.

    Args:
        things: Elements of the board.
        delta: The change without images.
        wanted: The change with images.
        source: Tiles that a copy must leave as they are.
    """
    meant, alone = apply_delta(things, wanted), apply_delta(things, delta)
    wrong = {x.tiles[0] for x in delta.gone & meant}
    wrong |= source.intersection(tile for x in alone ^ meant for tile in element_tiles(x))
    once = [(x.kind, x.tiles[0]) for x in wanted.new if x.kind in SINGLE]
    wrong |= {tile for (_, tile), count in Counter(once).items() if count > 1}
    return tuple(sorted(wrong))
