"""Composition: how a map looks before anybody plays it, and how far that is from what looks right.

The bands come from looking at many tables; what is inside costs nothing, so a style stays free.
"""

from __future__ import annotations

from dataclasses import dataclass

from falldamage_forge.search.canvas import HEADROOM, Canvas
from falldamage_forge.search.grow import CHESTS_APART, Wish
from falldamage_forge.search.parts import LAVA, SPIRE, Taste
from falldamage_forge.search.sketch import Draft


@dataclass(frozen=True, slots=True)
class Looks:
    """Figures of a composition.

    `fill` is the share of tiles between the start rows on which something is; `bare` the tiles of
    the largest empty rectangle there; `pegs` lone columns without a spire; `drops` edges of two
    levels or more; `apart` steps between the nearest chests; `spans` tiles under bridges, `short`
    bridges over one tile, `under` tiles under a bridge that one can walk or die on; `heap` the
    share of the largest heap in what is built; `half` the share of what is built near the middle.
    """

    fill: float
    bare: int
    pegs: int
    drops: int
    apart: int
    spans: int
    short: int
    under: int
    highest: int
    heap: float
    ladders: int
    kinds: int
    lava: float
    middle: float


def looks(draft: Draft) -> Looks:
    """The figures of a draft."""
    return looks_of(draft.canvas, len({stamp.part for stamp in draft.sketch.stamps}))


def looks_of(canvas: Canvas, kinds: int) -> Looks:
    """The figures of a canvas on which there are so many kinds of part."""
    rows, cols = canvas.table.rows, canvas.table.cols
    decks = {tile: deck.level for deck in canvas.decks for tile in deck.tiles}
    size = len(canvas.level)
    used = [
        bool(canvas.level[t] or canvas.ground[t] or canvas.feature[t] or t in decks)
        for t in range(size)
    ]
    inner = range(cols, size - cols)
    fill = sum(used[tile] for tile in inner) / len(inner)
    heaps = _heaps(canvas)
    built = sum(heaps)
    mid = range((rows // 2 - 2) * cols, (rows // 2 + 2) * cols)
    spans = [len(deck.tiles) for deck in canvas.decks]
    under = sum(
        level - canvas.level[tile] >= HEADROOM or canvas.ground[tile] == LAVA
        for tile, level in decks.items()
    )
    return Looks(
        fill,
        _largest_bare(used, rows, cols),
        _pegs(canvas),
        _drops(canvas),
        _apart([tile for tile, _ in canvas.chests], cols),
        sum(spans),
        sum(span == 1 for span in spans),
        under,
        max(canvas.level),
        max(heaps, default=0) / max(built, 1),
        len(canvas.ladders),
        kinds,
        sum(ground == LAVA for ground in canvas.ground) / size,
        sum(used[tile] for tile in mid) / max(len(mid), 1),
    )


def _largest_bare(used: list[bool], rows: int, cols: int) -> int:
    """Tiles of the largest rectangle between the start rows on which nothing is."""
    best = 0
    run = [0] * cols
    for row in range(1, rows - 1):
        for col in range(cols):
            run[col] = 0 if used[row * cols + col] else run[col] + 1
        for left in range(cols):
            depth = rows
            for right in range(left, cols):
                depth = min(depth, run[right])
                if not depth:
                    break
                best = max(best, depth * (right - left + 1))
    return best


def _pegs(canvas: Canvas) -> int:
    return sum(
        level > 0
        and canvas.feature[tile] != SPIRE
        and all(near < 0 or not canvas.level[near] for near in canvas.table.near[tile])
        for tile, level in enumerate(canvas.level)
    )


def _drops(canvas: Canvas) -> int:
    """Edges between tiles whose levels differ by two or more."""
    count = 0
    for tile, (_, east, south, _) in enumerate(canvas.table.near):
        for other in (east, south):
            count += other >= 0 and abs(canvas.level[tile] - canvas.level[other]) >= 2
    return count


def _heaps(canvas: Canvas) -> list[int]:
    """Tiles of each group of columns that stand side by side."""
    left = {tile for tile, level in enumerate(canvas.level) if level}
    sizes = []
    while left:
        edge = [left.pop()]
        count = 0
        while edge:
            count += 1
            for near in canvas.table.near[edge.pop()]:
                if near in left:
                    left.remove(near)
                    edge.append(near)
        sizes.append(count)
    return sizes


def _apart(tiles: list[int], cols: int) -> int:
    """Steps between the two nearest of some tiles; far where there are not two."""
    return min(
        (
            abs(a // cols - b // cols) + abs(a % cols - b % cols)
            for number, a in enumerate(tiles)
            for b in tiles[:number]
        ),
        default=99,
    )


def band(value: float, least: float, most: float, width: float) -> float:
    """0 inside a band, falling to -1 at `width` beyond it."""
    if value < least:
        return max(-1.0, (value - least) / width)
    return max(-1.0, (most - value) / width) if value > most else 0.0


def judge(draft: Draft, wish: Wish) -> float:
    """How far a draft is from what looks right for its style and the wish; 0 is best."""
    return judged(looks(draft), draft.style.grammar.taste, wish)


def judged(seen: Looks, taste: Taste, wish: Wish) -> float:
    """The same of figures."""
    scale = wish.scale
    fill = taste.fill if wish.openness is None else (1 - wish.openness[1], 1 - wish.openness[0])
    levels = wish.levels or taste.levels
    score = 2.0 * band(seen.fill, *fill, 0.15)
    score += 1.5 * band(seen.bare, 0, 12 * scale, 8 * scale)
    score += 1.0 * band(seen.pegs, 0, 2 * scale, 4)
    score += 1.0 * band(seen.drops, 16 * scale, 60 * scale, 16 * scale)
    score += 1.5 * band(seen.apart, CHESTS_APART, 99, 4)
    score += 0.8 * band(seen.short, 0, 0, 2) + 0.8 * band(seen.spans, 4, 99, 4)
    score += 0.7 * band(seen.under, 2, 99, 2)
    score += 1.5 * band(seen.highest, *levels, 1)
    score += 1.0 * band(seen.heap, 0.1, 0.6, 0.3)
    score += 0.6 * band(seen.ladders, 0, 4, 4) + 0.5 * band(seen.kinds, 2, 4, 2)
    score += 0.8 * band(seen.middle, 0.35, 0.8, 0.2)
    if wish.lava is not None:
        score += 2.0 * band(seen.lava, *wish.lava, 0.05)
    return score


def keeps(seen: Looks, wish: Wish) -> bool:
    """Whether what the wish says in numbers is kept to the letter."""
    if wish.levels and not wish.levels[0] <= seen.highest <= wish.levels[1]:
        return False
    if wish.openness and not wish.openness[0] <= 1 - seen.fill <= wish.openness[1]:
        return False
    return not wish.lava or wish.lava[0] <= seen.lava <= wish.lava[1]
