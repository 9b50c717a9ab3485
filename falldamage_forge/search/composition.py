"""Composition score: how far a map's proportions are from its style's.

The bands come from a review of many maps. Values inside a band cost nothing, so styles stay varied.
"""

from __future__ import annotations

from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.search.constructive import CHESTS_APART, MapRequirements
from falldamage_forge.search.genome import MapBuilder
from falldamage_forge.search.mutable_board import HEADROOM, MutableBoard
from falldamage_forge.search.style_grammar import LAVA, SPIRE, CompositionTarget


@dataclass(frozen=True, slots=True)
class CompositionFeatures:
    """Proportions of a map.

    Attributes:
        fill: Share of tiles between the start rows that are in use.
        bare: Tiles of the largest empty rectangle there.
        pegs: Single columns without a spire.
        drops: Edges between tiles of 2 levels or more.
        apart: Tiles between the nearest chests.
        spans: Tiles under bridges.
        short: Bridges over one tile.
        under: Tiles under a bridge that are walkable or deadly.
        highest: Level of the highest column.
        heap: Share of the largest group of columns in all columns.
        ladders: Number of ladders.
        kinds: Number of different parts.
        lava: Share of tiles with lava.
        middle: Share of columns near the middle rows.
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


def composition_features(draft: MapBuilder) -> CompositionFeatures:
    """Return the proportions of a map under construction."""
    return composition_features_of(draft.canvas, len({stamp.part for stamp in draft.sketch.stamps}))


def composition_features_of(canvas: MutableBoard, kinds: int) -> CompositionFeatures:
    """Return the proportions of a board.

    Args:
        canvas: The board.
        kinds: Number of different parts on it.
    """
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
    return CompositionFeatures(
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
    """Return the tiles of the largest empty rectangle between the start rows."""
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


def _pegs(canvas: MutableBoard) -> int:
    return sum(
        level > 0
        and canvas.feature[tile] != SPIRE
        and all(near < 0 or not canvas.level[near] for near in canvas.table.near[tile])
        for tile, level in enumerate(canvas.level)
    )


def _drops(canvas: MutableBoard) -> int:
    """Return edges between tiles whose levels differ by two or more."""
    count = 0
    for tile, (_, east, south, _) in enumerate(canvas.table.near):
        for other in (east, south):
            count += other >= 0 and abs(canvas.level[tile] - canvas.level[other]) >= 2
    return count


def _heaps(canvas: MutableBoard) -> list[int]:
    """Return the number of tiles of each group of adjacent columns."""
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
    """Return the Manhattan distance of the two nearest tiles; 99 if there are fewer than two."""
    return min(
        (
            abs(a // cols - b // cols) + abs(a % cols - b % cols)
            for number, a in enumerate(tiles)
            for b in tiles[:number]
        ),
        default=99,
    )


def band(value: float, least: float, most: float, width: float) -> float:
    """Return 0 inside a band, falling to -1 at `width` beyond it.

    Args:
        value: The value to judge.
        least: Lower bound of the band.
        most: Upper bound of the band.
        width: Distance beyond a bound at which the result is -1.
    """
    if value < least:
        return max(-1.0, (value - least) / width)
    return max(-1.0, (most - value) / width) if value > most else 0.0


def composition_score(draft: MapBuilder, wish: MapRequirements) -> float:
    """Return the distance from the style's and the requirements' proportions; 0 is best.

    Args:
        draft: The map under construction.
        wish: Requirements of the map.
    """
    return score_features(composition_features(draft), draft.style.grammar.proportions, wish)


def score_features(
    features: CompositionFeatures, proportions: CompositionTarget, wish: MapRequirements
) -> float:
    """Return the composition score of proportions; 0 is best.

    Args:
        features: Proportions of the map.
        proportions: Proportions of the style.
        wish: Requirements of the map.
    """
    scale = wish.scale
    fill = (
        proportions.fill if wish.openness is None else (1 - wish.openness[1], 1 - wish.openness[0])
    )
    levels = wish.levels or proportions.levels
    score = 2.0 * band(features.fill, *fill, 0.15)
    score += 1.5 * band(features.bare, 0, 12 * scale, 8 * scale)
    score += 1.0 * band(features.pegs, 0, 2 * scale, 4)
    score += 1.0 * band(features.drops, 16 * scale, 60 * scale, 16 * scale)
    score += 1.5 * band(features.apart, CHESTS_APART, 99, 4)
    score += 0.8 * band(features.short, 0, 0, 2) + 0.8 * band(features.spans, 4, 99, 4)
    score += 0.7 * band(features.under, 2, 99, 2)
    score += 1.5 * band(features.highest, *levels, 1)
    score += 1.0 * band(features.heap, 0.1, 0.6, 0.3)
    score += 0.6 * band(features.ladders, 0, 4, 4) + 0.5 * band(features.kinds, 2, 4, 2)
    score += 0.8 * band(features.middle, 0.35, 0.8, 0.2)
    if wish.lava is not None:
        score += 2.0 * band(features.lava, *wish.lava, 0.05)
    return score


def meets_requirements(features: CompositionFeatures, wish: MapRequirements) -> bool:
    """True if the proportions meet the requirements exactly.

    Args:
        features: Proportions of a board.
        wish: Required levels, openness and lava; a requirement of None is met.
    """
    if wish.levels and not wish.levels[0] <= features.highest <= wish.levels[1]:
        return False
    if wish.openness and not wish.openness[0] <= 1 - features.fill <= wish.openness[1]:
        return False
    return not wish.lava or wish.lava[0] <= features.lava <= wish.lava[1]
