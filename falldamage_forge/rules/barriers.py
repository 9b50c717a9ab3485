"""Barriers: the tiles that separate two parts of a board, and their names in messages."""

from __future__ import annotations

from collections.abc import Iterable

from falldamage_forge.board import Board, Ground, Tile, column_name
from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.issues import SourceSpan

MOST_NAMED = 4
"""Most tiles that a message lists by name."""


@dataclass(frozen=True, slots=True)
class Barrier:
    """Tiles that separate two parts of a board.

    Attributes:
        tiles: Tiles of the barrier, sorted.
        source: Statement that made them.
        words: Description such as `row 5 is a wall of 3 levels`; empty for flat ground.
    """

    tiles: tuple[Tile, ...]
    source: SourceSpan | None
    words: str


def wall_between(board: Board, inside: frozenset[Tile], beyond: frozenset[Tile]) -> Barrier | None:
    """Return the barrier at the narrowest gap between two parts of a board.

    Args:
        board: The board.
        inside: Tiles of the first part.
        beyond: Tiles of the second part.

    Returns:
        The higher side of the edge if the parts touch; None if they share a tile.
    """
    if inside & beyond:
        return None
    crossing = _crossing(board, inside, beyond)
    if crossing is None:
        return None
    between = [tile for tile in crossing if tile not in inside and tile not in beyond]
    if not between:
        first = max((crossing[0], crossing[-1]), key=lambda tile: board.column(tile).level)
        side = inside if first in inside else beyond
        other = beyond if side is inside else inside
        rim = {tile for tile in side if other.intersection(board.neighbours(tile))}
        return _wall(board, first, rim)
    return _wall(board, between[0], {t for t in board.tiles() if t not in inside | beyond})


def _crossing(board: Board, inside: frozenset[Tile], beyond: frozenset[Tile]) -> list[Tile] | None:
    """Return the shortest line of neighbouring tiles from one part to the other, ends included."""
    came: dict[Tile, Tile | None] = dict.fromkeys(sorted(inside))
    queue = list(came)
    for tile in queue:
        if tile in beyond:
            line: list[Tile] = []
            here: Tile | None = tile
            while here is not None:
                line.append(here)
                here = came[here]
            return line[::-1]
        for near in board.neighbours(tile):
            if near not in came:
                came[near] = tile
                queue.append(near)
    return None


def _wall(board: Board, first: Tile, among: set[Tile]) -> Barrier:
    """Return all connected tiles with the level, ground and feature of one tile of the barrier."""
    column = board.column(first)
    tiles, queue = {first}, [first]
    for tile in queue:
        for near in board.neighbours(tile):
            other = board.column(near)
            alike = other == column
            if near in among and near not in tiles and alike:
                tiles.add(near)
                queue.append(near)
    wall = tuple(sorted(tiles))
    where, many = _phrase(board, wall)
    if column.feature is not None:
        words = f"{where} {'are' if many else 'is'} blocked by {column.feature}s"
    elif column.ground is not Ground.GROUND:
        words = f"{where} {'are' if many else 'is'} {column.ground}"
    elif column.level:
        high = "a level" if column.level == 1 else f"{column.level} levels"
        words = f"{where} {'are' if many else 'is'} a wall of {high}"
    else:
        words = ""
    return Barrier(wall, column.source, words)


def _phrase(board: Board, tiles: Iterable[Tile]) -> tuple[str, bool]:
    """Return a phrase such as `row 5`, `rows 3 to 7` or single tiles, and True if it is plural."""
    tiles = sorted(tiles)
    rows, cols = sorted({t.row for t in tiles}), sorted({t.col for t in tiles})
    full = len(tiles) == len(rows) * len(cols)
    if full and len(cols) == board.cols:
        return _line_phrase("row", str(rows[0] + 1), str(rows[-1] + 1))
    if full and len(rows) == board.rows:
        return _line_phrase("column", column_name(cols[0]), column_name(cols[-1]))
    if len(tiles) <= MOST_NAMED:
        return " and ".join(map(str, tiles)), len(tiles) > 1
    return f"{tiles[0]} and {len(tiles) - 1} more tiles", True


def _line_phrase(word: str, first: str, last: str) -> tuple[str, bool]:
    return (f"{word} {first}", False) if first == last else (f"{word}s {first} to {last}", True)
