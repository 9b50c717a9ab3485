"""Boards as play changes them: bricks that a Brick Mage lays, and what is shot away."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from falldamage_forge.board import WAYS, Board, Tile
from falldamage_forge.rules.abilities import partition, scaffold, without_tree

USAGE = f"write `scaffold E5`, `partition E5 {next(iter(WAYS))}`, or `without E5`"


def without(board: Board, tile: Tile) -> Board:
    """The board once everything that can be destroyed on or over a tile is gone.

    Bridges and ladders: "Remove after being dealt 5 damage"; trees after 6, spires after a push.
    ValueError when there is nothing.
    """
    decks = tuple(deck for deck in board.decks if tile not in deck.tiles)
    ladders = tuple(ladder for ladder in board.ladders if tile not in (ladder.foot, ladder.top))
    left = replace(without_tree(board, tile), decks=decks, ladders=ladders)
    if left == board:
        raise ValueError(f"there is no bridge, ladder, tree or spire at {tile}")
    return left


def _partition(board: Board, tile: Tile, way: str) -> Board:
    if way not in WAYS:
        raise ValueError(f"`{way}` is no direction; say {', '.join(WAYS)}")
    return partition(board, tile, WAYS[way])


CHANGES: Mapping[str, tuple[int, Callable[..., Board]]] = {
    "scaffold": (1, scaffold),
    "partition": (2, _partition),
    "without": (1, without),
}
"""By name: how many words follow, a tile first, and what they do to a board."""


def changed(board: Board, text: str) -> Board:
    """The board after a change in words, such as `scaffold E5`; ValueError says what is wrong."""
    name, *words = text.split() or [""]
    count, change = CHANGES.get(name, (-1, scaffold))
    if len(words) != count:
        raise ValueError(USAGE)
    tile = Tile.parse(words[0])
    if tile not in board:
        raise ValueError(f"{tile} is not on the board")
    return change(board, tile, *words[1:])
