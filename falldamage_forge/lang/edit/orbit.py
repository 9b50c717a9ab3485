"""Where a gesture is done as well: its images under the map's symmetries."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from falldamage_forge.board import Board, Tile
from falldamage_forge.board.grid import TURNS, turn
from falldamage_forge.board.symmetry import differences
from falldamage_forge.lang import ast
from falldamage_forge.lang.edit.things import SINGLE, Delta, Move, Things, changed, moved, standing
from falldamage_forge.lang.facts import Extent, mover
from falldamage_forge.lang.layout import Layout

Swap = tuple[str, str] | None
USUAL = ("red", "blue")
"""Sides of a map that names none yet."""


class Image(NamedTuple):
    """One map of the board onto itself, and whether two sides change places under it."""

    move: Move
    swap: Swap


def images(generators: Iterable[Image]) -> tuple[Image, ...]:
    """All maps that the generators make, the identity first: eight at most."""
    made: dict[tuple[Tile, ...], Image] = {}
    waiting = [Image(lambda tile: tile, None)]
    generators = tuple(generators)
    while waiting:
        one = waiting.pop(0)
        key = tuple(one.move(tile) for tile in (Tile(0, 0), Tile(0, 1), Tile(1, 0)))
        if key in made:
            continue
        made[key] = one
        waiting += (_after(one, other) for other in generators)
    return tuple(made.values())


def _after(one: Image, other: Image) -> Image:
    def move(tile: Tile) -> Tile:
        return other.move(one.move(tile))

    swaps = [image.swap for image in (one, other) if image.swap]
    return Image(move, swaps[0] if len(swaps) == 1 else None)


def written(document: ast.Document, box: Extent) -> tuple[Image, ...]:
    """The `symmetry` statements of a map."""
    return tuple(
        Image(mover(box, statement.transform), statement.swap)
        for statement in document.statements
        if isinstance(statement, ast.Symmetry)
    )


def expected(layout: Layout, box: Extent) -> tuple[Image, ...]:
    """The symmetries that a map expects of itself and has."""
    found = []
    for expectation in layout.expects:
        name = expectation.words[1] if expectation.words[:1] == ("symmetric",) else ""
        if name in TURNS and not differences(layout.board, name):
            move = turn(name, box.rows, box.cols)
            found.append(Image(move, _swapped(layout.board, move)))
    return tuple(found)


def _swapped(board: Board, move: Move) -> Swap:
    """The two sides that change places under a map of the board; as is usual while one lacks."""
    if len(board.starts) < len(USUAL):
        mine, theirs, *_ = dict.fromkeys((*(zone.side for zone in board.starts), *USUAL))
        return mine, theirs
    if len(board.starts) != len(USUAL):
        return None
    first, second = board.starts
    if {(move(tile), level) for tile, level in first.surfaces} == set(second.surfaces):
        return first.side, second.side
    return None


def spread(delta: Delta, through: Iterable[Image]) -> Delta:
    """A change together with its images."""
    gone, new = set(delta.gone), set(delta.new)
    for image in through:
        gone |= {moved(thing, image.move, image.swap) for thing in delta.gone}
        new |= {moved(thing, image.move, image.swap) for thing in delta.new}
    return Delta(frozenset(gone - new), frozenset(new))


def overrun(
    things: Things, delta: Delta, wanted: Delta, source: frozenset[Tile]
) -> tuple[Tile, ...]:
    """Where the images in `wanted` undo a change or fall on each other, or on its `source`."""
    meant, alone = changed(things, wanted), changed(things, delta)
    wrong = {x.tiles[0] for x in delta.gone & meant}
    wrong |= source.intersection(tile for x in alone ^ meant for tile in standing(x))
    once = [(x.kind, x.tiles[0]) for x in wanted.new if x.kind in SINGLE]
    wrong |= {tile for (_, tile), count in Counter(once).items() if count > 1}
    return tuple(sorted(wrong))
