"""Constructive generation: a centrepiece, parts around it, bridges, trees, pools and chests."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from random import Random

from falldamage_forge.board import Feature, Ground
from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.search.genome import (
    MapBuilder,
    PartPlacement,
    StockBudget,
    Thing,
    fits_deck,
)
from falldamage_forge.search.mutable_board import HEADROOM, MutableBoard, Says, around
from falldamage_forge.search.style_grammar import FEATURES, LAVA, MapStyle, orientations
from falldamage_forge.search.walkability import Reachability

SYMMETRIES = ("rotate-180", "mirror-y")
TURNED_SHARE = 0.75
"""Share of maps with half-turn symmetry; others are mirrored."""
MAX_SPAN = 4
MAX_RISE = 5
PLACES = 6
"""Sites tried for each copy of a part."""
CHESTS_APART = 5
WITHOUT_THINGS = 0.06
"""Share of the board reserved for trees and pools."""


@dataclass(frozen=True, slots=True)
class MapRequirements:
    """Requirements of a map beyond its style; None leaves a value to the style.

    Attributes:
        rows: Rows of the board.
        cols: Columns of the board.
        symmetry: `rotate-180` or `mirror-y`.
        levels: Least and greatest level of the highest column.
        openness: Least and greatest share of free tiles.
        lava: Least and greatest share of tiles with lava.
        chests: Chests on the whole board.
        volume: Greatest sum of the columns' levels.
        expects: `expect` statements that the map has to meet.
    """

    rows: int = 10
    cols: int = 10
    symmetry: str | None = None
    levels: tuple[int, int] | None = None
    openness: tuple[float, float] | None = None
    lava: tuple[float, float] | None = None
    chests: int = 2
    volume: int | None = None
    expects: tuple[str, ...] = ()

    @property
    def scale(self) -> float:
        """Area of the board relative to 10 x 10."""
        return self.rows * self.cols / 100


def construct_genome(
    style: MapStyle, rng: Random, budget: StockBudget, wish: MapRequirements
) -> MapBuilder:
    """Return a new map, which may still need `repair_map`.

    Args:
        style: Style of the map.
        rng: Random numbers.
        budget: Stock for the map.
        wish: Requirements of the map.
    """
    symmetry = wish.symmetry or SYMMETRIES[rng.random() >= TURNED_SHARE]
    draft = MapBuilder.blank(style, wish.rows, wish.cols, symmetry, budget)
    grammar = style.grammar
    add_centerpiece(draft, rng)
    kinds = _some(grammar.parts, rng.randint(*grammar.kinds), rng)
    add_parts(draft, kinds, round(rng.randint(*grammar.copies) * wish.scale), rng, wish)
    add_bridges(draft, round(rng.randint(*grammar.bridges) * wish.scale), rng)
    if (
        used_share(draft.canvas) < grammar.proportions.fill[0] - WITHOUT_THINGS
        and not wish.openness
    ):
        add_parts(draft, kinds, 2, rng, wish)
    wet: list[Thing] = [Ground.WATER] * rng.randint(*grammar.water)
    hot: list[Thing] = [Ground.LAVA] * _lava(wish, rng, grammar.lava)
    trees: list[Thing] = [Feature.TREE] * round(rng.randint(*grammar.trees) * wish.scale)
    for kind in (*wet, *hot, *trees):
        add_thing(draft, kind, rng)
    add_ladders(draft, round(rng.randint(*grammar.ladders) * wish.scale), rng)
    return draft


def _lava(wish: MapRequirements, rng: Random, usual: tuple[int, int]) -> int:
    """Return the number of lava tiles for one half."""
    if wish.lava is None:
        return rng.randint(*usual)
    least, most = (round(share * wish.rows * wish.cols / 2) for share in wish.lava)
    return rng.randint(least, max(least, most))


def _some(weights: Mapping[str, int], count: int, rng: Random) -> list[str]:
    """Return different names, drawn by weight."""
    left = {name: weight for name, weight in sorted(weights.items()) if weight}
    found: list[str] = []
    while left and len(found) < count:
        name = rng.choices(list(left), list(left.values()))[0]
        del left[name]
        found.append(name)
    return found


def add_centerpiece(draft: MapBuilder, rng: Random) -> bool:
    """Place a part that is its own image in the middle; the draw may also choose none.

    Args:
        draft: Board and genome under construction; changed.
        rng: Source of the draws; advanced.
    """
    weights = dict(sorted(draft.style.grammar.hearts.items()))
    while weights:
        names = [*weights, ""]
        name = rng.choices(names, [*weights.values(), draft.style.grammar.bare])[0]
        if not name:
            return False
        shape = draft.style.parts[name].shape
        for mirrored, turns, turned in rng.sample(orientations(shape), len(orientations(shape))):
            row = (draft.sketch.rows - turned.rows) // 2
            col = (draft.sketch.cols - turned.cols) // 2
            if draft.sketch.symmetry == "mirror-y":
                col = rng.randint(0, max(draft.sketch.cols - turned.cols, 0))
            if draft.lay(PartPlacement(name, row, col, mirrored, turns), heart=True):
                return True
        del weights[name]
    return False


def add_parts(
    draft: MapBuilder, kinds: Sequence[str], copies: int, rng: Random, wish: MapRequirements
) -> None:
    """Place parts, each copy at the best of several sites.

    A kind that the stock no longer covers is replaced by another.

    Args:
        draft: The map under construction.
        kinds: Names of the parts.
        copies: Number of copies.
        rng: Random numbers.
        wish: Requirements of the map.
    """
    grammar = draft.style.grammar
    open_least = wish.openness[0] if wish.openness else 1 - grammar.proportions.fill[1]

    def affordable(name: str) -> bool:
        return _affordable(draft, name, wish)

    spare = [name for name in sorted(grammar.parts) if name not in kinds]
    rng.shuffle(spare)
    for _ in range(copies):
        if used_share(draft.canvas) > 1 - open_least - WITHOUT_THINGS:
            return
        kinds = list(filter(affordable, kinds))
        while spare and not kinds:
            kinds = list(filter(affordable, [spare.pop()]))
        best: tuple[float, PartPlacement] | None = None
        for _ in range(PLACES if kinds else 0):
            stamp, value = _try(draft, rng.choice(kinds), rng, rng.random() >= grammar.touch)
            if stamp is not None and (best is None or value > best[0]):
                best = value, stamp
        if best is not None:
            draft.lay(best[1])


def _affordable(draft: MapBuilder, name: str, wish: MapRequirements) -> bool:
    """True if stock and requirements still cover a part and its image."""
    part = draft.style.parts[name]
    levels = [level for _, _, level in part.heights]
    if wish.levels and max(levels, default=0) > wish.levels[1]:
        return False
    if wish.volume is not None and sum(draft.canvas.level) + 2 * sum(levels) > wish.volume:
        return False
    return draft.covers(part, 2)


def _try(
    draft: MapBuilder, name: str, rng: Random, gap: bool
) -> tuple[PartPlacement | None, float]:
    """Return a random site of a part, and its score."""
    ways = orientations(draft.style.parts[name].shape)
    sketch = draft.sketch
    for _ in range(8):
        mirrored, turns, shape = ways[rng.randrange(len(ways))]
        row = rng.randint(1, max(1, sketch.rows // 2))
        col = rng.randint(0, max(0, sketch.cols - shape.cols))
        room = draft.canvas.find_site(shape, row, col, gap)
        if room is not None:
            value = rng.random() + _looks(draft.canvas, room.says)
            return PartPlacement(name, row, col, mirrored, turns), value
    return None, 0.0


def _looks(canvas: MutableBoard, says: Says) -> float:
    """Return the score of a site: free surroundings, middle rows, an equal top opposite."""
    cols, rows = canvas.table.cols, canvas.table.rows
    near = around(rows, cols)
    beside = sum(any(canvas.owner[other] for other in near[tile]) for tile in says)
    middle = sum(abs(tile // cols - (rows - 1) / 2) for tile in says) / (len(says) * rows)
    return 0.9 * _faces(canvas, says) - 0.8 * beside / len(says) - middle


def _faces(canvas: MutableBoard, says: Says) -> bool:
    """True if a deck over two tiles could rest on one of the tops and another of its level."""
    cols = canvas.table.cols
    level = canvas.level
    for tile, (top, ground, feature) in says.items():
        if top < 2 or ground or feature:
            continue
        for way in range(4):
            one = canvas.table.near[tile][way]
            two = canvas.table.near[one][way] if one >= 0 else -1
            end = canvas.table.near[two][way] if two >= 0 else -1
            if end < 0 or not 0 < one // cols < canvas.table.rows - 1:
                continue
            if (says[end][0] if end in says else level[end]) == top and all(
                (says[at][0] if at in says else level[at]) < top for at in (one, two)
            ):
                return True
    return False


def used_share(canvas: MutableBoard) -> float:
    """Return the share of tiles in use between the start rows."""
    cols = canvas.table.cols
    inner = range(cols, len(canvas.level) - cols)
    decks = {tile for deck in canvas.decks for tile in deck.tiles}
    used = sum(
        1
        for tile in inner
        if canvas.level[tile] or canvas.ground[tile] or canvas.feature[tile] or tile in decks
    )
    return used / len(inner)


# -- bridges ---------------------------------------------------------------------------------------


def add_bridges(draft: MapBuilder, count: int, rng: Random) -> None:
    """Place up to `count` bridges of the greatest value, each with its image.

    Args:
        draft: Board and genome under construction; changed.
        count: Greatest number of bridges on the board, images not counted.
        rng: Source of the draws; advanced.
    """
    places = sorted(((*place, rng.random()) for place in bridge_places(draft)), key=_promise)
    for _, a, b, _ in places:
        if len(draft.sketch.bridges) >= count:
            return
        draft.bridge(a, b)


def _promise(place: tuple[float, int, int, float]) -> tuple[float, int, int]:
    value, a, b, luck = place
    return -(value + 1.5 * luck), a, b


def bridge_places(draft: MapBuilder) -> Iterable[tuple[float, int, int]]:
    """Yield value and supports of each possible deck.

    Long decks and those over water, lava or the middle rows have more value. Decks without headroom
    below lose value; decks over one tile are not listed.
    """
    canvas = draft.canvas
    rows, cols = canvas.table.rows, canvas.table.cols
    for a, level in enumerate(canvas.level):
        if level < 2 or canvas.feature[a] or canvas.ground[a]:
            continue
        row, col = divmod(a, cols)
        for step, room in ((1, cols - 1 - col), (cols, rows - 1 - row)):
            for span in range(2, min(MAX_SPAN, room - 1) + 1):
                b = a + step * (span + 1)
                tiles = canvas.between(a, b)
                if canvas.top(tiles[-1]) >= level:
                    break
                if not fits_deck(canvas, a, b, tiles) or not draft.budget.has(f"bridge-{span}"):
                    continue
                yield _deck_value(canvas, level, tiles), a, b


def _deck_value(canvas: MutableBoard, level: int, tiles: tuple[int, ...]) -> float:
    rows, cols = canvas.table.rows, canvas.table.cols
    value = 1.0 * len(tiles)
    for tile in tiles:
        value += 0.8 * bool(canvas.ground[tile])
        value += 0.5 * (abs(tile // cols - (rows - 1) / 2) < 1)
        if level - canvas.level[tile] < HEADROOM and canvas.ground[tile] != LAVA:
            value -= 1.2
    return value


# -- ladders -------------------------------------------------------------------------------------


def add_ladders(draft: MapBuilder, count: int, rng: Random) -> None:
    """Place up to `count` ladders from bare ground to the tops of walls, each with its image.

    Args:
        draft: Board and genome under construction; changed.
        count: Greatest number of ladders on the board, images not counted.
        rng: Source of the draws; advanced.
    """
    canvas = draft.canvas
    tops = [
        (foot, top)
        for foot in range(len(canvas.level))
        if canvas.plain(foot)
        for top in canvas.table.near[foot]
        if top >= 0 and 2 <= canvas.level[top] <= MAX_RISE
    ]
    for foot, top in rng.sample(tops, len(tops)):
        if len(draft.sketch.ladders) >= count:
            return
        if canvas.plain(foot) and all(foot not in (deck.a, deck.b) for deck in canvas.decks):
            draft.ladder(foot, top)


# -- trees, pools, chests --------------------------------------------------------------------------


def add_thing(draft: MapBuilder, kind: Thing, rng: Random) -> bool:
    """Place a tree on free ground, or a pool below a drop, at the best of several tiles.

    Args:
        draft: Board and genome under construction; changed.
        kind: `tree`, or the ground of a pool.
        rng: Source of the draws; advanced.
    """
    canvas = draft.canvas
    cols = canvas.table.cols
    bare = [t for t in range(cols, len(canvas.level) // 2 + cols) if canvas.plain(t)]
    under = {tile for deck in canvas.decks for tile in deck.tiles}
    if kind in FEATURES:
        bare = [tile for tile in bare if tile not in under]
    if not bare:
        return False
    sample = rng.sample(bare, min(10, len(bare)))
    value = _tree_value if kind in FEATURES else _pool_value
    ranked = sorted(sample, key=lambda tile: (-value(canvas, tile, tile in under), tile))
    return any(draft.thing(kind, tile) for tile in ranked[:4])


def _tree_value(canvas: MutableBoard, tile: int, under: bool) -> float:
    """Return the distance from everything else, at most 3 tiles."""
    row, col = divmod(tile, canvas.table.cols)
    nearest = 3.0
    for other, level in enumerate(canvas.level):
        if level or canvas.feature[other] or canvas.ground[other]:
            y, x = divmod(other, canvas.table.cols)
            nearest = min(nearest, abs(row - y) + abs(col - x))
    return nearest


def _pool_value(canvas: MutableBoard, tile: int, under: bool) -> float:
    """Return the value of a pool: below walls and bridges, beside another pool."""
    value = 2.0 * under
    for other in canvas.table.near[tile]:
        if other >= 0:
            value += min(canvas.level[other], 3) * 0.5 + 1.5 * bool(canvas.ground[other])
    return value


def add_chests(draft: MapBuilder, ways: Reachability, count: int, rng: Random) -> bool:
    """Place chests on the highest surfaces that every class reaches, near the middle and apart.

    Args:
        draft: The map under construction.
        ways: Reachable sets of the map.
        count: Number of chests.
        rng: Random numbers.

    Returns:
        True if all chests were placed.
    """
    home = ways.home(ways.tails) & ways.home(ways.plain)
    rows, cols = draft.sketch.rows, draft.sketch.cols
    image = draft.canvas.table.image
    places = []
    for number, (tile, level) in enumerate(ways.surfaces):
        row = tile // cols
        wet = draft.canvas.ground[tile] and level == draft.canvas.level[tile]
        if not home >> number & 1 or not 0 < row < rows - 1 or wet:
            continue
        value = min(level, 3) + 1.2 * rng.random() - 0.15 * abs(row - (rows - 1) / 2)
        places.append((-value, tile, level))
    places.sort()
    while count > 0 and places:
        chosen = next((p for p in places if _chest_fits(p[1], draft, count, image[p[1]])), None)
        if chosen is None or not draft.chest(*chosen[1:]):
            return False
        count -= draft.images(chosen[1])
    return count <= 0


def _chest_fits(tile: int, draft: MapBuilder, count: int, other: int) -> bool:
    """True if a chest is far enough from its image and all chests, and fits the count."""
    if count == 1 and tile != other:
        return False
    cols = draft.sketch.cols
    there = [at for at, _ in draft.canvas.chests]
    if tile != other:
        there.append(other)
    return all(
        abs(tile // cols - at // cols) + abs(tile % cols - at % cols) >= CHESTS_APART
        for at in there
    )
