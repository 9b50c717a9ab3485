"""Battlement: merlons on the rim of a column's top."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from falldamage_forge.board import DIRECTION_NAMES, DIRECTIONS, Battlement, Board, Fitting, Tile
from falldamage_forge.board.board_model import MERLON_UM
from falldamage_forge.elements.element import TILE_UM, Element, Placed, Thing, Tool
from falldamage_forge.elements.legality_tools import (
    arch_above,
    board_error,
    hooks_into,
    top_occupant,
)
from falldamage_forge.elements.solids import Box
from falldamage_forge.infra.lazy_dataclass import FrozenDict
from falldamage_forge.issues import Issue, notes_at


def things(board: Board) -> Iterator[Thing]:
    """Yield each side of each battlement."""
    return (thing(crown.tile, side) for crown in board.battlements for side in crown.sides)


def thing(tile: Tile, side: tuple[int, int]) -> Thing:
    """Return one side of a battlement.

    Args:
        tile: Tile of the column.
        side: Side as (d_row, d_col).
    """
    return Thing("battlement", (tile, tile.step(side)))


def build(placed: Iterable[Placed]) -> Iterator[Battlement]:
    """Yield a board's battlements: one a tile, with the source of its first side."""
    rims: dict[Tile, dict[Tile, Placed]] = {}
    for x in placed:
        tile, beyond = x.tiles
        rims.setdefault(tile, {}).setdefault(beyond, x)
    for tile, rim in rims.items():
        sides = tuple(side for side in DIRECTIONS if tile.step(side) in rim)
        yield Battlement(tile, sides, next(iter(rim.values())).span)


def check_battlements(board: Board, limits: object) -> Iterator[Issue]:
    """Report battlements off plain terrain (FDF145) or where a bridge or ladder ends (FDF146).

    Args:
        board: The board to check.
        limits: Unused; every check takes the build limits.
    """
    for crown in board.battlements:
        why = top_occupant(board, crown.tile)
        if not why and board.column(crown.tile).level == 0:
            why = "it is bare board"
        if not why and arch_above(board, crown.tile):
            why = "the arch above hangs down on to it"
        if why:
            message = f"no battlement can stand on {crown.tile}: {why}"
            yield board_error("FDF145", message, crown.source, (crown.tile,))
        for what, at, source in hooks_into(board, crown):
            side = DIRECTION_NAMES[at]
            message = f"the battlement's {side} side on {crown.tile} is where {what} ends"
            notes = notes_at((source, f"{what} is here"))
            yield board_error("FDF146", message, crown.source, (crown.tile,), notes=notes)


def solids(crown: Fitting) -> Iterator[Box]:
    """Yield three merlons on each side."""
    high = MERLON_UM / TILE_UM
    for down, right in crown.sides:
        for along in (-0.36, 0.0, 0.36):
            row, col = (0.5 + 0.42 * a + along * abs(b) for a, b in ((down, right), (right, down)))
            near, far = (row - 0.08, col - 0.08, 0.0), (row + 0.08, col + 0.08, high)
            yield Box(near, far, "cliff", 1.08, "ground")


ELEMENT = Element(
    word="battlement",
    means="merlons on the rim of columns, all round or on some sides",
    field="battlements",
    edged=True,
    split=True,
    levelled=False,
    node=("BattlementStatement", FrozenDict({"area": "area", "sides": "sides"})),
    depth=2,
    synonyms=("merlon", "merlons", "parapet", "crenellation", "crenellations"),
    things=things,
    build=build,
    checks=(check_battlements,),
    solids=solids,
    families=("battlement",),
    tools=(
        Tool(
            "battlement",
            "terrain",
            "n",
            10,
            "battlement {tiles}",
            {"en": "wall", "de": "Zinnen"},
            fill="M3 20V9h4.5v3.5h2.3V9h4.4v3.5h2.3V9H21v11z",
            line="M3 16.2h18M9 16.2V20M15 16.2V20",
        ),
    ),
)
