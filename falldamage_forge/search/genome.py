"""Genomes: a map as its parts, the map builder that decodes one to a board, and its stock budget.

A genome describes one half; the symmetry adds the other. Tiles are numbered row by row.

A bill is a multiset of owned blocks that fills a part's columns. Parts share no column, so bills
add up. The budget holds the sums of bills that the stock covers; a part may be placed while one is
left. This is sufficient to build the map, not necessary: blocks that span two parts are not
considered.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import field, replace
from typing import Any, NamedTuple

from falldamage_forge.elements import ELEMENTS
from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.pieces.block_candidates import orientations
from falldamage_forge.pieces.catalogue import Catalogue
from falldamage_forge.pieces.piece import Piece
from falldamage_forge.search.mutable_board import MutableBoard, table
from falldamage_forge.search.style_grammar import (
    FEATURES,
    GROUNDS,
    LAVA,
    MapPart,
    MapStyle,
    orient_shape,
)

Heights = tuple[tuple[int, int, int], ...]
"""(row, col, level) of columns."""

BITS = 8
MOST = (1 << (BITS - 1)) - 1
"""Bound of the copies of one block, more than any board needs."""
MAX_BILLS = 64
MAX_SUMS = 600
MAX_STATES = 20_000


@dataclass
class BlockCounts:
    """The owned blocks as digits of one integer, and a cache of bills."""

    pieces: tuple[Piece, ...]
    limit: int
    high: int
    known: dict[Heights, tuple[int, ...]] = field(default_factory=dict)

    @classmethod
    def of(cls, owned: Mapping[str, int], blocks: Iterable[Piece]) -> BlockCounts:
        """Return the counts of the owned blocks, the largest block first.

        Args:
            owned: Number of owned parts by key.
            blocks: Blocks of the catalogue.
        """
        have = sorted(
            (block for block in blocks if owned.get(block.key, 0) > 0),
            key=lambda block: (-len(block.footprint) * block.levels, block.key),
        )
        limit = sum(min(owned[b.key], MOST) << BITS * n for n, b in enumerate(have))
        high = sum(1 << BITS * n + BITS - 1 for n in range(len(have)))
        return cls(tuple(have), limit, high)

    def enough(self, counts: int) -> bool:
        """True if no digit exceeds the stock's, also for the sum of two covered counts."""
        return not (((self.limit | self.high) - counts) & self.high) ^ self.high

    def bills(self, heights: Heights) -> tuple[int, ...]:
        """Return multisets of owned blocks that fill columns, at most `MAX_BILLS`; empty: none.

        Blocks may be turned, and no block is chiral, so a part's orientation does not matter.
        """
        if heights not in self.known:
            self.known[heights] = self._search(heights)
        return self.known[heights]

    def _search(self, heights: Heights) -> tuple[int, ...]:
        voxels = sorted((up, row, col) for row, col, level in heights for up in range(level))
        number = {voxel: n for n, voxel in enumerate(voxels)}
        uses = [self._uses(voxel, number) for voxel in voxels]
        states: dict[int, set[int]] = {(1 << len(voxels)) - 1: {0}}
        done = 0
        # Voxels are filled in order, so a state is the set of voxels that are still empty.
        for _ in voxels:
            following: dict[int, set[int]] = {}
            for left, sums in states.items():
                if not left:
                    following.setdefault(0, set()).update(sums)
                    continue
                for block, mask in uses[(left & -left).bit_length() - 1]:
                    if mask & left == mask:
                        more = {total for one in sums if self.enough(total := one + block)}
                        if more:
                            following.setdefault(left ^ mask, set()).update(more)
            states = {left: _smallest(sums) for left, sums in following.items()}
            done += len(states)
            if done > MAX_STATES:
                return ()
        return tuple(sorted(states.get(0, ())))

    def _uses(
        self, voxel: tuple[int, int, int], number: Mapping[tuple[int, int, int], int]
    ) -> list[tuple[int, int]]:
        """Return (digit, filled voxels) of every block whose first voxel is this one."""
        up, row, col = voxel
        found = []
        for place, block in enumerate(self.pieces):
            for _, footprint in orientations(block.footprint):
                y, x = footprint[0]
                filled = [
                    number.get((up + level, row + r - y, col + c - x))
                    for level in range(block.levels)
                    for r, c in footprint
                ]
                mask = 0
                for each in filled:
                    if each is None:
                        break
                    mask |= 1 << each
                else:
                    found.append((1 << BITS * place, mask))
        return found


def _smallest(sums: set[int]) -> set[int]:
    """Return the least sums: large blocks are the low digits, so these use few small blocks."""
    return sums if len(sums) <= MAX_BILLS else set(sorted(sums)[:MAX_BILLS])


@dataclass(frozen=True)
class StockBudget:
    """Remaining stock: possible sums of used blocks, and other parts by key.

    If `blocks` is None, the stock is unlimited.
    """

    blocks: BlockCounts | None = None
    sums: frozenset[int] = frozenset((0,))
    things: Mapping[str, int] = field(default_factory=dict)
    needs: Mapping[str, Mapping[str, int]] = field(default_factory=dict)

    def build(self, heights: Heights, copies: int) -> StockBudget | None:
        """Return the budget after filling columns `copies` times; None if it does not suffice.

        Args:
            heights: Row, column and level of each column.
            copies: Times that the columns are filled: 2 with an image.
        """
        if self.blocks is None or not heights:
            return self
        bills = self.blocks.bills(heights)
        sums: Iterable[int] = self.sums
        enough = self.blocks.enough
        for _ in range(copies):
            sums = {total for one in sums for bill in bills if enough(total := one + bill)}
        least = sorted(sums)[:MAX_SUMS]
        return replace(self, sums=frozenset(least)) if least else None

    def use(self, wanted: Mapping[str, int]) -> StockBudget | None:
        """Return the budget after taking parts such as `tree` or `bridge-2`; None if lacking."""
        if self.blocks is None or not wanted:
            return self
        things = dict(self.things)
        for key, count in wanted.items():
            for need, each in {key: 1, **self.needs.get(key, {})}.items():
                things[need] = things.get(need, 0) - count * each
                if things[need] < 0:
                    return None
        return replace(self, things=things)

    def has(self, key: str, count: int = 1) -> bool:
        """True if `count` copies of a part are left.

        Args:
            key: Key of the part.
            count: Number of copies.
        """
        return self.use({key: count}) is not None


def budget_of(owned: Mapping[str, int], catalogue: Catalogue) -> StockBudget:
    """Return the budget of a stock.

    Args:
        owned: Number of parts by key.
        catalogue: Catalogue of the pieces.
    """
    blocks = catalogue.blocks()
    names = {block.key for block in blocks}
    return StockBudget(
        BlockCounts.of(owned, blocks),
        frozenset((0,)),
        {key: count for key, count in owned.items() if key not in names},
        catalogue.needs,
    )


Thing = str
"""Word of a ground or feature: a key of `GROUNDS` or `FEATURES`."""


class PartPlacement(NamedTuple):
    """A placed part: its north-west corner after mirroring along x and turning.

    `turns` counts quarter turns clockwise.
    """

    part: str
    row: int
    col: int
    mirrored: bool = False
    turns: int = 0


class BridgeGene(NamedTuple):
    """A deck by its supports and its level."""

    a: int
    b: int
    level: int


@dataclass(frozen=True, slots=True)
class MapGenome:
    """One map of a style. `heart`, the centrepiece, is its own image.

    Attributes:
        symmetry: `rotate-180` or `mirror-y`.
        stamps: Placed parts.
        steps: Single columns as (tile, level).
        ladders: Foot and top tiles.
        things: Features and grounds as (kind, tile).
        chests: Tile and level.
    """

    style: str
    rows: int
    cols: int
    symmetry: str
    heart: PartPlacement | None = None
    stamps: tuple[PartPlacement, ...] = ()
    bridges: tuple[BridgeGene, ...] = ()
    steps: tuple[tuple[int, int], ...] = ()
    ladders: tuple[tuple[int, int], ...] = ()
    things: tuple[tuple[Thing, int], ...] = ()
    chests: tuple[tuple[int, int], ...] = ()


@dataclass
class MapBuilder:
    """A map under construction: genome, board and remaining stock stay consistent.

    Each method adds one thing with its image and returns true; if it does not fit or the stock
    lacks it, it returns false and changes nothing.
    """

    style: MapStyle
    sketch: MapGenome
    canvas: MutableBoard
    budget: StockBudget
    start: StockBudget

    @classmethod
    def blank(
        cls, style: MapStyle, rows: int, cols: int, symmetry: str, budget: StockBudget
    ) -> MapBuilder:
        """Return a builder of an empty board.

        Args:
            style: Parts and weights of the style.
            rows: Rows of the board.
            cols: Columns of the board.
            symmetry: `rotate-180` or `mirror-y`.
            budget: Parts that may be used.
        """
        sketch = MapGenome(style.grammar.name, rows, cols, symmetry)
        return cls(style, sketch, MutableBoard.empty(table(rows, cols, symmetry)), budget, budget)

    def copy(self) -> MapBuilder:
        """Return an independent copy."""
        return MapBuilder(self.style, self.sketch, self.canvas.copy(), self.budget, self.start)

    def images(self, tile: int) -> int:
        """Return the number of tiles of a tile and its image: 1 or 2."""
        return 1 if self.canvas.table.image[tile] == tile else 2

    def part(self, name: str) -> MapPart | None:
        """Return a part of the style by name."""
        return self.style.parts.get(name)

    def covers(self, part: MapPart, copies: int) -> bool:
        """True if the stock covers a number of copies of a part.

        Args:
            part: A part of the style.
            copies: Number of copies: 2 with an image.
        """
        return self._after(part, copies) is not None

    def _after(self, part: MapPart, copies: int) -> StockBudget | None:
        """Return the stock left after copies of a part; None if it does not suffice."""
        after = self.budget.use(_wants(part, copies))
        return after and after.build(part.heights, copies)

    # -- additions ---------------------------------------------------------------------------------

    def _spend(self, after: StockBudget | None, **genes: Any) -> bool:
        """Take the budget that is left, and the genes that it pays; False if it pays none."""
        if after is None:
            return False
        self.budget, self.sketch = after, replace(self.sketch, **genes)
        return True

    def lay(self, stamp: PartPlacement, *, gap: bool = False, heart: bool = False) -> bool:
        """Place a part and its image.

        Args:
            stamp: The placement.
            gap: True to keep a tile free around columns of other parts.
            heart: True for the centrepiece, which must be its own image.
        """
        part = self.part(stamp.part)
        if part is None:
            return False
        shape = orient_shape(part.shape, stamp.mirrored, stamp.turns)
        room = self.canvas.find_site(shape, stamp.row, stamp.col, gap)
        if room is None or (heart and room.copies != 1):
            return False
        genes = {"heart": stamp} if heart else {"stamps": (*self.sketch.stamps, stamp)}
        if not self._spend(self._after(part, room.copies), **genes):
            return False
        self.canvas.stamp(shape, stamp.row, stamp.col, room)
        return True

    def bridge(self, a: int, b: int) -> bool:
        """Place a deck between equal tops, apart from all other decks, and its image.

        Args:
            a: Tile at one end, counted row by row from 0.
            b: Tile at the other end, in the same row or column.
        """
        canvas, image = self.canvas, self.canvas.table.image
        level = canvas.level[a]
        tiles = canvas.between(a, b)
        both = {*tiles, *(image[tile] for tile in tiles)}
        copies = 1 if len(both) == len(tiles) else 2
        if not fits_deck(canvas, a, b, tiles) or len(both) != copies * len(tiles):
            return False
        covered = {tile for deck in canvas.decks for tile in deck.tiles}
        feet = {ladder.foot for ladder in canvas.ladders}
        if both & (covered | feet):
            return False
        bridges = (*self.sketch.bridges, BridgeGene(a, b, level))
        if not self._spend(self.budget.use({f"bridge-{len(tiles)}": copies}), bridges=bridges):
            return False
        canvas.deck(a, b, level)
        return True

    def ladder(self, foot: int, top: int) -> bool:
        """Place a ladder between columns, and its image.

        Args:
            foot: Tile at the foot, counted row by row from 0.
            top: Tile of the column that it leans on.
        """
        canvas = self.canvas
        rise = canvas.level[top] - canvas.level[foot]
        if rise < 2 or canvas.feature[foot] or canvas.ground[foot] == LAVA or canvas.feature[top]:
            return False
        if any(
            foot in deck.tiles or canvas.table.image[foot] in deck.tiles for deck in canvas.decks
        ):
            return False
        if any(foot == ladder.foot for ladder in canvas.ladders):
            return False
        ladders = (*self.sketch.ladders, (foot, top))
        capped = canvas.ground[foot] or any(foot in side for side in canvas.table.starts)
        key = f"ladder-{rise}{'-low' if capped else ''}"
        if not self._spend(self.budget.use({key: self.images(foot)}), ladders=ladders):
            return False
        canvas.ladder(foot, top)
        return True

    def step(self, tile: int, level: int = 1) -> bool:
        """Place a single column on a free tile, and its image.

        Args:
            tile: Tile, counted row by row from 0.
            level: Level of the column.
        """
        canvas = self.canvas
        row = tile // canvas.table.cols
        if not 0 < row < canvas.table.rows - 1 or not canvas.plain(tile):
            return False
        if any(deck.level <= level for deck in canvas.decks if tile in deck.tiles):
            return False
        if any(tile == ladder.foot for ladder in canvas.ladders):
            return False
        after = self.budget.build(((0, 0, level),), self.images(tile))
        if not self._spend(after, steps=(*self.sketch.steps, (tile, level))):
            return False
        canvas.set_tile(tile, level=level)
        return True

    def thing(self, kind: Thing, tile: int) -> bool:
        """Place a tree, spire, water or lava on a free column, and its image.

        Args:
            kind: `tree`, `spire`, `water` or `lava`.
            tile: Tile, counted row by row from 0.
        """
        canvas = self.canvas
        row = tile // canvas.table.cols
        level = canvas.level[tile]
        if not 0 < row < canvas.table.rows - 1 or canvas.feature[tile] or canvas.ground[tile]:
            return False
        if any(tile in (ladder.foot, ladder.top) for ladder in canvas.ladders):
            return False
        for deck in canvas.decks:
            if tile in (deck.a, deck.b) and deck.level == level:
                return False
            if tile in deck.tiles and kind in FEATURES and deck.level <= level + 2:
                return False
        if level < ELEMENTS[kind].least:
            return False
        things = (*self.sketch.things, (kind, tile))
        if not self._spend(self.budget.use({kind: self.images(tile)}), things=things):
            return False
        ground, feature = GROUNDS.get(kind, 0), FEATURES.get(kind, 0)
        canvas.set_tile(tile, level=level, ground=ground, feature=feature)
        return True

    def chest(self, tile: int, level: int) -> bool:
        """Place a chest on a surface, and its image.

        Args:
            tile: Tile, counted row by row from 0.
            level: Level of the surface.
        """
        chests = (*self.sketch.chests, (tile, level))
        if not self._spend(self.budget.use({"chest": self.images(tile)}), chests=chests):
            return False
        self.canvas.chest(tile, level)
        return True


def _wants(part: MapPart, copies: int) -> dict[str, int]:
    """Return the parts other than blocks that copies of a part need, by key."""
    wanted: dict[str, int] = {}

    def want(key: str) -> None:
        wanted[key] = wanted.get(key, 0) + copies

    levels = {(cell.row, cell.col): cell.level for cell in part.shape.cells}
    for cell in part.shape.cells:
        for kind, number in GROUNDS.items():
            if cell.ground == number:
                want(kind)
        for kind, number in FEATURES.items():
            if cell.feature == number:
                want(kind)
    for a, b, c, d in part.shape.ladders:
        want(f"ladder-{levels.get((c, d), 0) - levels.get((a, b), 0)}")
    for a, b, c, d, _ in part.shape.decks:
        want(f"bridge-{abs(a - c) + abs(b - d) - 1}")
    for _ in part.shape.chests:
        want("chest")
    return wanted


def fits_deck(canvas: MutableBoard, a: int, b: int, tiles: tuple[int, ...]) -> bool:
    """True if a deck fits between two columns: plain tops of one level, all between lower.

    Args:
        canvas: The board.
        a: Tile at one end, counted row by row from 0.
        b: Tile at the other end.
        tiles: Tiles between them.
    """
    level = canvas.level[a]
    if not tiles or canvas.level[b] != level or level < 1:
        return False
    ends = (a, b)
    if any(canvas.feature[end] or canvas.ground[end] for end in ends):
        return False
    rows, cols = canvas.table.rows, canvas.table.cols
    if any(not 0 < tile // cols < rows - 1 for tile in tiles):
        return False
    return all(canvas.top(tile) < level for tile in tiles)


def decode_genome(
    sketch: MapGenome,
    style: MapStyle,
    budget: StockBudget,
    first: Callable[[MapBuilder], object] | None = None,
) -> MapBuilder:
    """Return the builder of a genome; genes that no longer fit are left out.

    Args:
        sketch: The genome.
        style: Its style.
        budget: Stock for the map.
        first: Callback that replaces the centrepiece on the empty board.
    """
    draft = MapBuilder.blank(style, sketch.rows, sketch.cols, sketch.symmetry, budget)
    if first is not None:
        first(draft)
    elif sketch.heart is not None:
        draft.lay(sketch.heart, heart=True)
    for stamp in sketch.stamps:
        draft.lay(stamp)
    for tile, level in sketch.steps:
        draft.step(tile, level)
    for bridge in sketch.bridges:
        if draft.canvas.level[bridge.a] == bridge.level:
            draft.bridge(bridge.a, bridge.b)
    for kind, tile in sketch.things:
        draft.thing(kind, tile)
    for foot, top in sketch.ladders:
        draft.ladder(foot, top)
    for tile, level in sketch.chests:
        draft.chest(tile, level)
    return draft
