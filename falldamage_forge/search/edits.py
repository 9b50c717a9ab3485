"""Variants of somebody's own map: gestures, written as the smallest edits of its text.

So a variant is still the author's text: the same names, definitions, symmetry and comments.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Literal

from falldamage_forge.board import DIRECTIONS, Board, Tile
from falldamage_forge.lang.edit import (
    Edited,
    Erase,
    Gesture,
    LayBridge,
    LeanLadder,
    PutFeature,
    Question,
    Raise,
    Transfer,
    edit,
)
from falldamage_forge.search.bulk import FEATURES, GROUNDS
from falldamage_forge.search.canvas import Canvas, Rungs, Span, table

MOST_GESTURES = 3
MAX_SPAN = 4
TRIES = 12
"""Gestures thought of before a variant is given up."""
BLOCKS = ((1, 2), (2, 1), (2, 2), (2, 3), (3, 2))
"""Sizes of what is moved at once."""

Copies = Literal["all", "here"]
Thought = Callable[[Board, Random], Gesture | None]


def vary(text: str, board: Board, rng: Random) -> tuple[str, Board] | None:
    """A text one to three gestures away, and its board; None where nothing could be done.

    A gesture on a piece that is placed more than once changes all of its copies, or this one alone
    under a name of its own, as the draw says.
    """
    left = rng.randint(1, MOST_GESTURES)
    begun = text
    for _ in range(TRIES):
        thought = rng.choices(list(THOUGHTS), list(THOUGHTS.values()))[0]
        copies: Copies = "all" if rng.random() < 0.7 else "here"
        gesture = thought(board, rng)
        done = None if gesture is None else edit(text, gesture, copies=copies, judge=None)
        if isinstance(done, Question):
            done = done.all or done.here
        if isinstance(done, Edited) and done.text != text:
            text, board = done.text, done.board
            left -= 1
        if not left:
            break
    return None if text == begun else (text, board)


def _inner(board: Board, rng: Random) -> Tile:
    """A tile that is not on the start rows."""
    return Tile(rng.randrange(1, board.rows - 1), rng.randrange(board.cols))


def _rise(board: Board, rng: Random) -> Gesture | None:
    tile = _inner(board, rng)
    level = board.column(tile).level
    by = rng.choice((-1, 1, 1, 2) if level else (1, 1, 2))
    return Raise((tile,), by, bridges=True) if level + by <= 4 else None


def _feature(board: Board, rng: Random) -> Gesture | None:
    tile = _inner(board, rng)
    column = board.column(tile)
    if column.feature is not None:
        return Erase((tile,))
    what: Literal["tree", "water", "lava", "spire"] = rng.choice(("water", "spire"))
    if column.level == 0:
        what = rng.choice(("tree", "water", "lava"))
    return PutFeature(what, (tile,))


def _bridge(board: Board, rng: Random) -> Gesture | None:
    """A deck between equal tops, or one taken away with what stands under it."""
    if board.decks and rng.random() < 0.2:
        return Erase(rng.choice(board.decks).tiles)
    a = _inner(board, rng)
    level = board.column(a).level
    if level < 2:
        return None
    ends = []
    for down, right in DIRECTIONS:
        for span in range(2, MAX_SPAN + 1):
            b = Tile(a.row + down * (span + 1), a.col + right * (span + 1))
            if b not in board or board.column(b).level != level:
                continue
            way = [Tile(a.row + down * n, a.col + right * n) for n in range(1, span + 1)]
            if all(board.column(tile).level < level for tile in way):
                ends.append(b)
    return LayBridge(a, rng.choice(ends)) if ends else None


def _ladder(board: Board, rng: Random) -> Gesture | None:
    foot = _inner(board, rng)
    low = board.column(foot).level
    tops = [
        top
        for down, right in DIRECTIONS
        if (top := Tile(foot.row + down, foot.col + right)) in board
        and board.column(top).level - low in (2, 3)
    ]
    return LeanLadder(foot, rng.choice(tops)) if tops else None


def _shift(board: Board, rng: Random) -> Gesture | None:
    """A block of tiles moved by a step or two."""
    rows, cols = rng.choice(BLOCKS)
    row, col = rng.randrange(1, board.rows - rows), rng.randrange(board.cols - cols + 1)
    to = Tile(row + rng.randint(-2, 2), col + rng.randint(-2, 2))
    if not 0 < to.row < board.rows - rows or not 0 <= to.col <= board.cols - cols:
        return None
    return Transfer(Tile(row, col), Tile(row + rows - 1, col + cols - 1), to, keep=False)


THOUGHTS: dict[Thought, int] = {_rise: 40, _feature: 20, _bridge: 15, _shift: 15, _ladder: 10}
"""Kinds of gesture with how often each is thought of."""


def canvas_of(board: Board) -> Canvas:
    """A board as the plain numbers by which composition is judged."""

    def number(tile: Tile) -> int:
        return tile.row * board.cols + tile.col

    canvas = Canvas.empty(table(board.rows, board.cols, "rotate-180"))
    canvas.level[:] = [column.level for column in board.columns]
    canvas.ground[:] = [GROUNDS[column.ground] for column in board.columns]
    canvas.feature[:] = [FEATURES[column.feature] for column in board.columns]
    canvas.decks[:] = [
        Span(number(d.a), number(d.b), d.level, tuple(map(number, d.tiles))) for d in board.decks
    ]
    canvas.ladders[:] = [
        Rungs(number(x.foot), x.foot_level, number(x.top), x.top_level) for x in board.ladders
    ]
    canvas.chests[:] = [(number(chest.tile), chest.level) for chest in board.treasures]
    return canvas
