"""Small random boards for comparing engine and reference: everything crowded, nothing tidy."""

from __future__ import annotations

import random

from falldamage_forge.board import (
    DIRECTIONS,
    Board,
    Column,
    Deck,
    Feature,
    Ground,
    Ladder,
    StartZone,
    Tile,
    make_board,
)

KINDS: list[tuple[Ground, Feature | None]] = [
    (Ground.GROUND, None),
    (Ground.WATER, None),
    (Ground.LAVA, None),
    (Ground.GROUND, Feature.TREE),
    (Ground.GROUND, Feature.SPIRE),
]
"""What a column's top may be."""


def random_board(seed: int, rows: int | None = None, cols: int | None = None) -> Board:
    """The same board for the same seed: levels, water, lava, trees, spires, decks and ladders."""
    dice = random.Random(seed)
    rows = rows or dice.randint(1, 5)
    cols = cols or dice.randint(3, 6)
    highest = dice.choice((1, 2, 3, 3, 5))
    plain = dice.choice((2, 6, 20))
    weights = (plain, 2, 1, 1, 1)
    columns = [
        Column(dice.randint(0, highest), ground, feature)
        for ground, feature in dice.choices(KINDS, weights, k=rows * cols)
    ]
    board = make_board(rows, cols, columns)
    decks = _decks(dice, board)
    board = make_board(rows, cols, columns, decks=decks)
    return make_board(
        rows, cols, columns, decks=decks, ladders=_ladders(dice, board), starts=_starts(board)
    )


def _decks(dice: random.Random, board: Board) -> list[Deck]:
    """Up to four slabs anywhere above their columns, some one above the other."""
    decks: list[Deck] = []
    used: set[tuple[Tile, int]] = set()
    for _ in range(dice.randint(0, 4)):
        a = Tile(dice.randrange(board.rows), dice.randrange(board.cols))
        offset, span = dice.choice(((0, 1), (1, 0))), dice.randint(1, 3)
        over = [a.step(offset, n) for n in range(1, span + 1)]
        end = a.step(offset, span + 1)
        if not all(tile in board for tile in (*over, end)):
            continue
        tops = [board.column(t).level + (2 if board.column(t).feature else 0) for t in over]
        deck = Deck.between(a, end, max(tops) + dice.randint(1, 3))
        if not any((tile, deck.level) in used for tile in over):
            used.update((tile, deck.level) for tile in over)
            decks.append(deck)
    return decks


def _ladders(dice: random.Random, board: Board) -> list[Ladder]:
    ladders = {}
    for _ in range(dice.randint(0, 4)):
        foot = Tile(dice.randrange(board.rows), dice.randrange(board.cols))
        top = foot.step(dice.choice(DIRECTIONS))
        if top not in board:
            continue
        low, high = dice.choice(board.tops(foot)), dice.choice(board.tops(top))
        if low < high:
            ladders[foot, top] = Ladder(foot, low, top, high)
    return list(ladders.values())


def _starts(board: Board) -> tuple[StartZone, ...]:
    """The north-west and south-east tiles."""
    last = Tile(board.rows - 1, board.cols - 1)
    return tuple(
        StartZone(side, ((tile, board.column(tile).level),))
        for side, tile in (("red", Tile(0, 0)), ("blue", last))
    )
