"""Terrain that is gone."""

from __future__ import annotations

from dataclasses import replace

from falldamage_forge.board import Board, Feature, Tile


def without_tree(board: Board, tile: Tile) -> Board:
    """The board after a tree has taken its 6 damage, or a spire was pushed off its tower."""
    bare = [
        replace(board.column(t), feature=None)
        if t == tile and board.column(t).feature in (Feature.TREE, Feature.SPIRE)
        else board.column(t)
        for t in board.tiles()
    ]
    return replace(board, columns=tuple(bare))
