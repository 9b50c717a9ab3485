"""What stands between two parts of a board that no way joins, and how it is called."""

from __future__ import annotations

from collections.abc import Iterable

from falldamage_forge.board import Board, Ground, Tile, column_name
from falldamage_forge.issues import SourceSpan
from falldamage_forge.values import dataclass

MOST_NAMED = 4
"""Tiles that are named one by one."""


@dataclass(frozen=True, slots=True)
class Wall:
    """Tiles that part a board, the statement that puts them there, and what they are in words."""

    tiles: tuple[Tile, ...]
    source: SourceSpan | None
    words: str


def wall_between(board: Board, inside: frozenset[Tile], beyond: frozenset[Tile]) -> Wall | None:
    """The wall at its thinnest place; None where the two parts have a tile in common.

    Where they touch, it is the higher side of the edge between them.
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
    """The shortest line of neighbouring tiles from one part to the other, ends included."""
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


def _wall(board: Board, first: Tile, among: set[Tile]) -> Wall:
    """All of the wall that one of its tiles belongs to, as far as it is alike."""
    column = board.column(first)
    tiles, queue = {first}, [first]
    for tile in queue:
        for near in board.neighbours(tile):
            other = board.column(near)
            alike = (other.level, other.ground) == (column.level, column.ground)
            if near in among and near not in tiles and alike:
                tiles.add(near)
                queue.append(near)
    found = tuple(sorted(tiles))
    where, many = _called(board, found)
    if column.ground is not Ground.GROUND:
        words = f"{where} {'are' if many else 'is'} {column.ground}"
    elif column.level:
        high = "a level" if column.level == 1 else f"{column.level} levels"
        words = f"{where} {'are' if many else 'is'} a wall of {high}"
    else:
        words = ""
    return Wall(found, column.source, words)


def _called(board: Board, tiles: Iterable[Tile]) -> tuple[str, bool]:
    """`row 5`, `column E`, `rows 3 to 7`, `A5 to J6` or single tiles; whether that is many."""
    tiles = sorted(tiles)
    rows, cols = sorted({t.row for t in tiles}), sorted({t.col for t in tiles})
    full = len(tiles) == len(rows) * len(cols)
    if full and len(cols) == board.cols:
        return _lines("row", str(rows[0] + 1), str(rows[-1] + 1))
    if full and len(rows) == board.rows:
        return _lines("column", column_name(cols[0]), column_name(cols[-1]))
    if len(tiles) <= MOST_NAMED:
        return " and ".join(map(str, tiles)), len(tiles) > 1
    return f"{tiles[0]} and {len(tiles) - 1} more tiles", True


def _lines(word: str, first: str, last: str) -> tuple[str, bool]:
    return (f"{word} {first}", False) if first == last else (f"{word}s {first} to {last}", True)
