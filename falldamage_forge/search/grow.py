"""Growing a sketch: a heart, parts round it, bridges from top to top, trees, pools and chests."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from falldamage_forge.search.budget import Budget
from falldamage_forge.search.canvas import HEADROOM, Canvas, Says, around
from falldamage_forge.search.parts import LAVA, Style, orientations
from falldamage_forge.search.sketch import Draft, Sketch, Stamp, Thing, fits_deck
from falldamage_forge.search.walk import Ways

SYMMETRIES = ("rotate-180", "mirror-y")
TURNED_SHARE = 0.75
"""How many maps are turned rather than mirrored."""
MAX_SPAN = 4
PLACES = 6
"""Places tried for each copy of a part."""
CHESTS_APART = 5
WITHOUT_THINGS = 0.06
"""Share of the board that trees and pools will take."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What is asked of a map beyond its style; None leaves it to the style.

    `levels` are the least and most of the highest column, `openness` those of the share of tiles
    where nothing stands, `lava` that of tiles with lava; `chests` are counted on the whole board;
    `volume` is the most levels that all columns have together.
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
        """How much larger the board is than the usual one."""
        return self.rows * self.cols / 100


def grow(style: Style, rng: Random, budget: Budget, wish: Wish) -> Draft:
    """A sketch that nobody has walked yet: see `mend`."""
    symmetry = wish.symmetry or SYMMETRIES[rng.random() >= TURNED_SHARE]
    draft = Draft.blank(style, wish.rows, wish.cols, symmetry, budget)
    grammar = style.grammar
    heart(draft, rng)
    kinds = _some(grammar.parts, rng.randint(*grammar.kinds), rng)
    scatter(draft, kinds, round(rng.randint(*grammar.copies) * wish.scale), rng, wish)
    add_bridges(draft, round(rng.randint(*grammar.bridges) * wish.scale), rng)
    if used_share(draft.canvas) < grammar.taste.fill[0] - WITHOUT_THINGS and not wish.openness:
        scatter(draft, kinds, 2, rng, wish)
    wet: list[Thing] = ["water"] * rng.randint(*grammar.water)
    hot: list[Thing] = ["lava"] * _lava(wish, rng, grammar.lava)
    trees: list[Thing] = ["tree"] * round(rng.randint(*grammar.trees) * wish.scale)
    for kind in (*wet, *hot, *trees):
        add_thing(draft, kind, rng)
    return draft


def _lava(wish: Wish, rng: Random, usual: tuple[int, int]) -> int:
    """Tiles of lava to lay on a half."""
    if wish.lava is None:
        return rng.randint(*usual)
    least, most = (round(share * wish.rows * wish.cols / 2) for share in wish.lava)
    return rng.randint(least, max(least, most))


def _some(weights: Mapping[str, int], count: int, rng: Random) -> list[str]:
    """Different names drawn by weight."""
    left = {name: weight for name, weight in sorted(weights.items()) if weight}
    found: list[str] = []
    while left and len(found) < count:
        name = rng.choices(list(left), list(left.values()))[0]
        del left[name]
        found.append(name)
    return found


def heart(draft: Draft, rng: Random) -> bool:
    """Something in the middle that is its own image, unless the draw says there is nothing."""
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
            if draft.lay(Stamp(name, row, col, mirrored, turns), heart=True):
                return True
        del weights[name]
    return False


def scatter(draft: Draft, kinds: Sequence[str], copies: int, rng: Random, wish: Wish) -> None:
    """Parts of some kinds, each copy at the best of a few places; kinds that the stock no longer
    covers are left for another."""
    grammar = draft.style.grammar
    open_least = wish.openness[0] if wish.openness else 1 - grammar.taste.fill[1]

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
        best: tuple[float, Stamp] | None = None
        for _ in range(PLACES if kinds else 0):
            stamp, value = _try(draft, rng.choice(kinds), rng, rng.random() >= grammar.touch)
            if stamp is not None and (best is None or value > best[0]):
                best = value, stamp
        if best is not None:
            draft.lay(best[1])


def _affordable(draft: Draft, name: str, wish: Wish) -> bool:
    """Whether stock and wish still cover a part and its image."""
    part = draft.style.parts[name]
    levels = [level for _, _, level in part.heights]
    if wish.levels and max(levels, default=0) > wish.levels[1]:
        return False
    if wish.volume is not None and sum(draft.canvas.level) + 2 * sum(levels) > wish.volume:
        return False
    return draft.covers(part, 2)


def _try(draft: Draft, name: str, rng: Random, gap: bool) -> tuple[Stamp | None, float]:
    """A random place where a part may lie, and how good it looks there."""
    ways = orientations(draft.style.parts[name].shape)
    sketch = draft.sketch
    for _ in range(8):
        mirrored, turns, shape = ways[rng.randrange(len(ways))]
        row = rng.randint(1, max(1, sketch.rows // 2))
        col = rng.randint(0, max(0, sketch.cols - shape.cols))
        room = draft.canvas.room(shape, row, col, gap)
        if room is not None:
            value = rng.random() + _looks(draft.canvas, room.says)
            return Stamp(name, row, col, mirrored, turns), value
    return None, 0.0


def _looks(canvas: Canvas, says: Says) -> float:
    """Rather where nothing is yet, rather towards the middle rows, rather facing an equal top."""
    cols, rows = canvas.table.cols, canvas.table.rows
    near = around(rows, cols)
    beside = sum(any(canvas.owner[other] for other in near[tile]) for tile in says)
    middle = sum(abs(tile // cols - (rows - 1) / 2) for tile in says) / (len(says) * rows)
    return 0.9 * _faces(canvas, says) - 0.8 * beside / len(says) - middle


def _faces(canvas: Canvas, says: Says) -> bool:
    """Whether a deck over two tiles could rest on one of the tops and another of its level."""
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


def used_share(canvas: Canvas) -> float:
    """Share of the tiles between the start rows on which something is."""
    cols = canvas.table.cols
    inner = range(cols, len(canvas.level) - cols)
    decks = {tile for deck in canvas.decks for tile in deck.tiles}
    used = sum(
        1
        for tile in inner
        if canvas.level[tile] or canvas.ground[tile] or canvas.feature[tile] or tile in decks
    )
    return used / len(inner)


# -- bridges --------------------------------------------------------------------------------------


def add_bridges(draft: Draft, count: int, rng: Random) -> None:
    """The bridges that promise most, each with its image."""
    places = sorted(((*place, rng.random()) for place in bridge_places(draft)), key=_promise)
    for _, a, b, _ in places:
        if len(draft.sketch.bridges) >= count:
            return
        draft.bridge(a, b)


def _promise(place: tuple[float, int, int, float]) -> tuple[float, int, int]:
    value, a, b, luck = place
    return -(value + 1.5 * luck), a, b


def bridge_places(draft: Draft) -> Iterable[tuple[float, int, int]]:
    """(value, support, support) of every deck worth laying: long, over water, lava or the middle.

    A tile over which a deck leaves no headroom is lost, and one-tile bridges are no bridges.
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


def _deck_value(canvas: Canvas, level: int, tiles: tuple[int, ...]) -> float:
    rows, cols = canvas.table.rows, canvas.table.cols
    value = 1.0 * len(tiles)
    for tile in tiles:
        value += 0.8 * bool(canvas.ground[tile])
        value += 0.5 * (abs(tile // cols - (rows - 1) / 2) < 1)
        if level - canvas.level[tile] < HEADROOM and canvas.ground[tile] != LAVA:
            value -= 1.2
    return value


# -- trees, pools, chests -------------------------------------------------------------------------


def add_thing(draft: Draft, kind: Thing, rng: Random) -> bool:
    """A tree where it is bare, or a pool below a drop: of some bare tiles the best."""
    canvas = draft.canvas
    cols = canvas.table.cols
    bare = [t for t in range(cols, len(canvas.level) // 2 + cols) if canvas.plain(t)]
    under = {tile for deck in canvas.decks for tile in deck.tiles}
    if kind == "tree":
        bare = [tile for tile in bare if tile not in under]
    if not bare:
        return False
    sample = rng.sample(bare, min(10, len(bare)))
    value = _tree_value if kind == "tree" else _pool_value
    ranked = sorted(sample, key=lambda tile: (-value(canvas, tile, tile in under), tile))
    return any(draft.thing(kind, tile) for tile in ranked[:4])


def _tree_value(canvas: Canvas, tile: int, under: bool) -> float:
    """Far from everything, so that it breaks what is bare."""
    row, col = divmod(tile, canvas.table.cols)
    nearest = 3.0
    for other, level in enumerate(canvas.level):
        if level or canvas.feature[other] or canvas.ground[other]:
            y, x = divmod(other, canvas.table.cols)
            nearest = min(nearest, abs(row - y) + abs(col - x))
    return nearest


def _pool_value(canvas: Canvas, tile: int, under: bool) -> float:
    """Below walls and bridges, beside a pool of its kind."""
    value = 2.0 * under
    for other in canvas.table.near[tile]:
        if other >= 0:
            value += min(canvas.level[other], 3) * 0.5 + 1.5 * bool(canvas.ground[other])
    return value


def add_chests(draft: Draft, ways: Ways, count: int, rng: Random) -> bool:
    """Chests on the highest places that every class gets to, near the middle and apart."""
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


def _chest_fits(tile: int, draft: Draft, count: int, other: int) -> bool:
    """Far enough from its image and from all chests there are; alone where one is left to lay."""
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


def without_things(sketch: Sketch, kind: Thing) -> tuple[tuple[Thing, int], ...]:
    """The things of a sketch that are not of a kind."""
    return tuple(each for each in sketch.things if each[0] != kind)
