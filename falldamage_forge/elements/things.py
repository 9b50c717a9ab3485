"""A board as the set of its things, and a board made of things."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from falldamage_forge.board import (
    DIRECTIONS,
    Board,
    Column,
    Feature,
    Fitting,
    Ground,
    Tile,
    make_board,
)
from falldamage_forge.elements import ELEMENTS, KINDS
from falldamage_forge.elements.element import Placed, Thing

Things = frozenset[Thing]


def things_of(board: Board) -> Things:
    """Return all things of a board."""
    found: list[Thing] = []
    for tile in board.tiles():
        column = board.column(tile)
        if column.level:
            found.append(Thing("level", (tile,), (column.level,)))
        if column.ground is not Ground.GROUND:
            found.append(Thing("ground", (tile,), (), str(column.ground)))
        if column.feature is not None:
            found.append(Thing("feature", (tile,), (), str(column.feature)))
    for element in ELEMENTS.values():
        found += element.things(board) if element.things else ()
    for x in board.fittings:
        tiles = (*x.ends, *sorted(map(x.tile.step, x.sides)))
        levels = (x.level, x.to_level)[: len(x.ends)]
        found.append(Thing(x.kind, tiles, levels, x.name, x.length_um))
    return frozenset(found)


def lists_of(placed: Mapping[str, Iterable[Any]]) -> dict[str, Iterable[Any]]:
    """Return the lists of a board but its columns, by name.

    Args:
        placed: Things, or facts with all levels known, by kind.
    """
    lists: dict[str, Iterable[Any]] = {}
    fittings: list[Fitting] = []
    for kind, element in KINDS.items():
        if element.build:
            lists[element.field] = dict.fromkeys(element.build(placed.get(kind, ())))
        elif element.field == "fittings":
            fittings += (_fitting(kind, x) for x in placed.get(kind, ()))
    return {**lists, "fittings": dict.fromkeys(fittings)}


def _fitting(kind: str, x: Placed) -> Fitting:
    """Return the fitting of a thing or fact."""
    if len(x.levels) > 1:
        (tile, to), (level, to_level) = x.tiles, x.levels
        return Fitting(kind, tile, level, (), x.name, x.length_um, x.span, to, to_level)
    tile, *beyond = x.tiles
    sides = tuple(side for side in DIRECTIONS if tile.step(side) in beyond)
    return Fitting(kind, tile, x.levels[0], sides, x.name, x.length_um, x.span)


def board_of(things: Things, rows: int, cols: int) -> Board:
    """Return the board of some things, without sources; the inverse of `things_of`.

    Args:
        things: The things.
        rows: Number of rows of the board.
        cols: Number of columns.
    """
    placed: dict[str, list[Thing]] = {}
    for thing in sorted(things):
        placed.setdefault(thing.kind, []).append(thing)
    levels, grounds, features = (
        {x.tiles[0]: x for x in placed.get(kind, ())} for kind in ("level", "ground", "feature")
    )
    columns = (
        Column(
            levels[at].levels[0] if at in levels else 0,
            Ground(grounds[at].name) if at in grounds else Ground.GROUND,
            Feature(features[at].name) if at in features else None,
        )
        for at in (Tile(row, col) for row in range(rows) for col in range(cols))
    )
    return make_board(rows, cols, columns, **lists_of(placed))
