"""Mutation: parts of a genome are moved, turned, exchanged, added and removed; a text is edited.

A user's map is changed by random gestures, written as the smallest edits of its text, so a variant
keeps the author's names, definitions, symmetry and comments.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from random import Random
from typing import Literal

from falldamage_forge.board import DIRECTIONS, Board, Feature, Tile
from falldamage_forge.elements import ELEMENTS
from falldamage_forge.lang.edit import (
    AmbiguousEdit,
    CarryChest,
    EditResult,
    Erase,
    Gesture,
    LayBridge,
    LeanLadder,
    PutFeature,
    Raise,
    Transfer,
    edit,
)
from falldamage_forge.search import constructive
from falldamage_forge.search.genome import (
    MapBuilder,
    MapGenome,
    PartPlacement,
    StockBudget,
    decode_genome,
)
from falldamage_forge.search.style_grammar import ON_BASE, ON_COLUMNS, MapStyle

MOST_GESTURES = 3
MAX_SPAN = 4
TRIES = 12
"""Gestures tried before a variant is abandoned."""
BLOCKS = ((1, 2), (2, 1), (2, 2), (2, 3), (3, 2))
"""Sizes of a moved block."""

Copies = Literal["all", "here"]
Thought = Callable[[Board, Random], Gesture | None]


def mutate_text(
    text: str, board: Board, rng: Random, owned: Mapping[str, int] | None = None
) -> tuple[str, Board] | None:
    """Return a text one to three gestures away, and its board; None if no gesture applied.

    A gesture on a definition placed several times changes all copies, or this copy under a new
    name.

    Args:
        text: The map's text.
        board: Its board.
        rng: Random numbers.
        owned: Stock by part key, for new bridges; None: unlimited.
    """
    left = rng.randint(1, MOST_GESTURES)
    begun = text
    for _ in range(TRIES):
        thought = rng.choices(list(THOUGHTS), list(THOUGHTS.values()))[0]
        copies: Copies = "all" if rng.random() < 0.7 else "here"
        gesture = thought(board, rng)
        if isinstance(gesture, LayBridge) and owned is not None:
            gesture = gesture if owned.get(f"bridge-{_span(gesture)}") else None
        done = None if gesture is None else edit(text, gesture, copies=copies, judge=None)
        if isinstance(done, AmbiguousEdit):
            done = done.all or done.here
        if isinstance(done, EditResult) and done.text != text:
            text, board = done.text, done.board
            left -= 1
        if not left:
            break
    return None if text == begun else (text, board)


def _span(bridge: LayBridge) -> int:
    """Return the number of tiles between the ends of a bridge."""
    return abs(bridge.a.row - bridge.b.row) + abs(bridge.a.col - bridge.b.col) - 1


def _inner(board: Board, rng: Random) -> Tile:
    """Return a random tile outside the start rows."""
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
    what = rng.choice(ON_COLUMNS)
    if column.level == 0:
        what = rng.choice(ON_BASE)
    return PutFeature(what, (tile,))


def _bridge(board: Board, rng: Random) -> Gesture | None:
    """Return a deck between equal tops, or the removal of a deck."""
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


def _chest(board: Board, rng: Random) -> Gesture | None:
    """Return the move of a chest to the top of another column."""
    to = _inner(board, rng)
    chests = [chest.tile for chest in board.treasures]
    if not chests or to in chests or board.column(to).feature is not None:
        return None
    return CarryChest(rng.choice(chests), to)


def _shift(board: Board, rng: Random) -> Gesture | None:
    """Return the move of a block by one or two tiles."""
    rows, cols = rng.choice(BLOCKS)
    row, col = rng.randrange(1, board.rows - rows), rng.randrange(board.cols - cols + 1)
    to = Tile(row + rng.randint(-2, 2), col + rng.randint(-2, 2))
    if not 0 < to.row < board.rows - rows or not 0 <= to.col <= board.cols - cols:
        return None
    return Transfer(Tile(row, col), Tile(row + rows - 1, col + cols - 1), to, keep=False)


THOUGHTS: dict[Thought, int] = {
    _rise: 40, _feature: 20, _bridge: 15, _shift: 15, _ladder: 10, _chest: 8,
}  # fmt: skip
"""Kinds of gesture with their weights."""


Change = Callable[[MapGenome, MapStyle, Random], MapGenome]
MOST_CHANGES = 3


def mutate_genome(
    sketch: MapGenome,
    style: MapStyle,
    budget: StockBudget,
    wish: constructive.MapRequirements,
    rng: Random,
) -> MapBuilder:
    """Return a builder a few mutations away, without the additions of a repair.

    Args:
        sketch: The genome.
        style: Its style.
        budget: Stock for the map.
        wish: Requirements of the map.
        rng: Random numbers.
    """
    symmetry = sketch.symmetry
    sketch = replace(
        sketch,
        steps=(),
        ladders=(),
        chests=(),
        things=tuple(each for each in sketch.things if not ELEMENTS[each[0]].least),
    )
    additions = 0
    fresh_heart = False
    for _ in range(rng.randint(1, MOST_CHANGES)):
        name = rng.choices(list(CHANGES), [weight for weight, _ in CHANGES.values()])[0]
        additions += name == "add"
        fresh_heart = fresh_heart or name == "heart"
        change = CHANGES[name][1]
        if change is not None:
            sketch = change(sketch, style, rng)
    if wish.symmetry:
        sketch = replace(sketch, symmetry=symmetry)
    draft = decode_genome(
        sketch,
        style,
        budget,
        partial(constructive.add_centerpiece, rng=rng) if fresh_heart else None,
    )
    kinds = sorted({stamp.part for stamp in sketch.stamps}) or sorted(style.grammar.parts)
    if additions:
        others = sorted(style.grammar.parts)
        constructive.add_parts(draft, [*kinds, rng.choice(others)], additions, rng, wish)
    least, most = style.grammar.bridges
    if len(draft.sketch.bridges) < most:
        constructive.add_bridges(draft, rng.randint(max(least, 1), max(most, 1)), rng)
    if not draft.sketch.things:
        for _ in range(rng.randint(*style.grammar.trees)):
            constructive.add_thing(draft, Feature.TREE, rng)
    return draft


def _one(sketch: MapGenome, rng: Random) -> int:
    return rng.randrange(len(sketch.stamps))


def _with(sketch: MapGenome, at: int, stamp: PartPlacement | None) -> MapGenome:
    stamps = [*sketch.stamps]
    stamps[at : at + 1] = [stamp] if stamp else []
    return replace(sketch, stamps=tuple(stamps))


def _move(sketch: MapGenome, style: MapStyle, rng: Random) -> MapGenome:
    if not sketch.stamps:
        return sketch
    at = _one(sketch, rng)
    stamp = sketch.stamps[at]
    row, col = stamp.row + rng.randint(-2, 2), stamp.col + rng.randint(-2, 2)
    return _with(sketch, at, stamp._replace(row=row, col=col))


def _turn(sketch: MapGenome, style: MapStyle, rng: Random) -> MapGenome:
    if not sketch.stamps:
        return sketch
    at = _one(sketch, rng)
    turned = sketch.stamps[at]._replace(mirrored=rng.random() < 0.5, turns=rng.randrange(4))
    return _with(sketch, at, turned)


def _swap(sketch: MapGenome, style: MapStyle, rng: Random) -> MapGenome:
    if not sketch.stamps:
        return sketch
    weights = dict(sorted(style.grammar.parts.items()))
    name = rng.choices(list(weights), list(weights.values()))[0]
    at = _one(sketch, rng)
    return _with(sketch, at, sketch.stamps[at]._replace(part=name))


def _remove(sketch: MapGenome, style: MapStyle, rng: Random) -> MapGenome:
    return _with(sketch, _one(sketch, rng), None) if len(sketch.stamps) > 1 else sketch


def _heartless(sketch: MapGenome, style: MapStyle, rng: Random) -> MapGenome:
    return replace(sketch, heart=None)


def _symmetry(sketch: MapGenome, style: MapStyle, rng: Random) -> MapGenome:
    return replace(sketch, symmetry=rng.choice(constructive.SYMMETRIES), heart=None)


def _features(sketch: MapGenome, style: MapStyle, rng: Random) -> MapGenome:
    return replace(sketch, bridges=(), things=())


CHANGES: dict[str, tuple[int, Change | None]] = {
    "move": (28, _move),
    "add": (22, None),
    "turn": (14, _turn),
    "swap": (14, _swap),
    "remove": (8, _remove),
    "heart": (6, _heartless),
    "features": (5, _features),
    "symmetry": (3, _symmetry),
}
"""Kinds of mutation with their weights; new parts are placed after all other genes."""
