"""Terrain that abilities change: bricks that rise and crumble, lava, water, one block more or less.

Sources: the Brick Mage's card; "Gaia's Gifts".
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from falldamage_forge.board import MAX_LEVEL, Board, Column, Ground, Tile
from falldamage_forge.games.fall_damage.falls import with_chests
from falldamage_forge.games.fall_damage.push import MAGE_BONUS

SCAFFOLD_LEVELS, PARTITION_LEVELS, PARTITION_TILES = 3, 2, 3
DAM_TILES = 10
"""Source: "up to 10 tiles worth of Water"."""


@dataclass(frozen=True, slots=True)
class Laid:
    """Bricks on one tile, and the column that is under them."""

    tile: Tile
    levels: int
    under: Column


def raised_board(board: Board, tiles: Iterable[Tile], levels: int) -> Board:
    """The board with columns raised by bricks; units and chests on them are lifted with them.

    Bricks stand on ground only: ValueError off the board, where there is a tree, a spire or lava,
    where a ladder stands, where bricks lie, or where a deck leaves no room above.
    """
    raised = set(tiles)
    for tile in sorted(raised):
        fault = brick_fault(board, tile, levels)
        if fault:
            raise ValueError(f"bricks cannot rise at {tile}: {fault}")
    columns = [
        replace(board.column(tile), level=board.column(tile).level + levels, ground=Ground.GROUND)
        if tile in raised
        else board.column(tile)
        for tile in board.tiles()
    ]
    laid = replace(board, columns=tuple(columns), bricks=board.bricks | raised)
    return with_chests(board, laid)


def brick_fault(board: Board, tile: Tile, levels: int) -> str | None:
    """Why bricks of so many levels cannot rise on a tile, in words; None where they can."""
    if tile not in board:
        return "that is not on the board"
    column = board.column(tile)
    if column.feature:
        return f"a {column.feature} stands there"
    if column.ground is Ground.LAVA:
        return "lava carries none"
    if tile in board.bricks:
        return "bricks lie there"
    if any(d <= column.level + levels + 1 for d in board.deck_levels.get(tile, ())):
        return "the bridge above leaves no room"
    if any(ladder.foot == tile and ladder.foot_level == column.level for ladder in board.ladders):
        return "a ladder stands there"
    return None


def scaffold(board: Board, tile: Tile) -> Board:
    """Brick Mage: "Creates 1x1x3 tower"; ValueError where bricks cannot rise."""
    return raised_board(board, [tile], SCAFFOLD_LEVELS)


def partition_tiles(tile: Tile, offset: tuple[int, int]) -> tuple[Tile, ...]:
    """The three tiles of a wall, from a tile along an offset."""
    return tuple(tile.step(offset, count) for count in range(PARTITION_TILES))


def partition(board: Board, tile: Tile, offset: tuple[int, int]) -> Board:
    """Brick Mage: "Creates 3x1x2 wall", from a tile along an offset; ValueError past the rim."""
    return raised_board(board, partition_tiles(tile, offset), PARTITION_LEVELS)


def laid_between(before: Board, after: Board) -> tuple[Laid, ...]:
    """The bricks that one board has more than another."""
    return tuple(
        Laid(tile, risen, before.column(tile))
        for tile in before.tiles()
        if (risen := after.column(tile).level - before.column(tile).level) > 0
    )


def crumbled(board: Board, laid: Iterable[Laid]) -> Board:
    """The board once bricks are gone again, whatever was under them back on top."""
    under = {one.tile: one.under for one in laid}
    columns = tuple(under.get(tile, board.column(tile)) for tile in board.tiles())
    bare = replace(board, columns=columns, bricks=board.bricks - under.keys())
    return with_chests(board, bare)


def crumble_damage(levels: int, *, no_fall: bool = False, mage: bool = True) -> int:
    """Damage to a unit on bricks that vanish under it: an involuntary fall, a mage's doing."""
    return 0 if no_fall or not levels else levels + (MAGE_BONUS if mage else 0)


# -- Gaia's Gifts --------------------------------------------------------------------------------


def erupted(board: Board, tiles: Iterable[Tile]) -> Board:
    """Eruption: "Select any two tiles and place Lava". ValueError where one cannot be taken."""
    chosen = set(tiles)
    for tile in sorted(chosen):
        if tile not in board:
            raise ValueError(f"{tile} is not on the board")
        column = board.column(tile)
        busy = (
            bool(column.feature)
            or any(ladder.foot == tile for ladder in board.ladders)
            or any((chest.tile, chest.level) == (tile, column.level) for chest in board.treasures)
        )
        if busy:
            raise ValueError(f"lava cannot be placed under what is on {tile}")
    return _with_ground(board, chosen, Ground.LAVA)


def dammed(board: Board, tile: Tile, offset: tuple[int, int], count: int) -> Board:
    """Dam Break: "In a straight line … up to 10 tiles worth of Water, 1 wide".

    Trees, spires and lava stay; ValueError past the rim or for more tiles than there may be.
    """
    if not 1 <= count <= DAM_TILES:
        raise ValueError(f"a dam breaks over 1 to {DAM_TILES} tiles")
    line = [tile.step(offset, number) for number in range(count)]
    if not all(one in board for one in line):
        raise ValueError(f"{count} tiles from {tile} do not fit on the board")
    wet = {
        one
        for one in line
        if board.column(one).feature is None and board.column(one).ground is Ground.GROUND
    }
    return _with_ground(board, wet, Ground.WATER)


def _with_ground(board: Board, tiles: set[Tile], ground: Ground) -> Board:
    columns = tuple(
        replace(board.column(tile), ground=ground) if tile in tiles else board.column(tile)
        for tile in board.tiles()
    )
    return replace(board, columns=columns)


def shifted(board: Board, tile: Tile, levels: int) -> Board:
    """Tectonic shift: "Remove or Place one standard terrain piece", so many levels up or down.

    ValueError where it touches something else: "must not impact any other adjacent tile".
    """
    if tile not in board:
        raise ValueError(f"{tile} is not on the board")
    column = board.column(tile)
    linked = (
        tile in board.deck_levels
        or any(tile in (deck.a, deck.b) for deck in board.decks)
        or any(tile in (ladder.foot, ladder.top) for ladder in board.ladders)
    )
    if linked or column.feature or column.ground is not Ground.GROUND:
        raise ValueError(f"{tile} carries or touches something; a bare tile can be shifted")
    if not 0 <= column.level + levels <= MAX_LEVEL:
        raise ValueError(f"{tile} cannot go {levels:+d} from level {column.level}")
    columns = tuple(
        replace(column, level=column.level + levels) if one == tile else board.column(one)
        for one in board.tiles()
    )
    return with_chests(board, replace(board, columns=columns))
