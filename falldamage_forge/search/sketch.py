"""A sketch: a map as its parts. What is searched and kept is this; boards and texts come of it.

Everything is said once, for one half; the symmetry says the rest. Tiles are numbered row by row.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

from falldamage_forge.search.budget import Budget
from falldamage_forge.search.canvas import Canvas, table
from falldamage_forge.search.parts import LAVA, SPIRE, TREE, WATER, Part, Style, turned

Thing = Literal["tree", "spire", "water", "lava"]


class Stamp(NamedTuple):
    """A part laid on the board: its north-west corner after mirroring along x and turning."""

    part: str
    row: int
    col: int
    mirrored: bool = False
    turns: int = 0


class Bridge(NamedTuple):
    """A deck by its supports."""

    a: int
    b: int
    level: int


@dataclass(frozen=True, slots=True)
class Sketch:
    """One map of a style. `heart` lies on its own image; all else has one elsewhere, or is its own.

    `steps` are single columns as (tile, level), `ladders` (foot, top), `things` (kind, tile).
    """

    style: str
    rows: int
    cols: int
    symmetry: str
    heart: Stamp | None = None
    stamps: tuple[Stamp, ...] = ()
    bridges: tuple[Bridge, ...] = ()
    steps: tuple[tuple[int, int], ...] = ()
    ladders: tuple[tuple[int, int], ...] = ()
    things: tuple[tuple[Thing, int], ...] = ()
    chests: tuple[tuple[int, int], ...] = ()


@dataclass
class Draft:
    """A sketch being drawn: the canvas it makes, and the budget that is left of the one at first.

    Every method says one thing if it can be said and paid, and tells whether it was.
    """

    style: Style
    sketch: Sketch
    canvas: Canvas
    budget: Budget
    start: Budget

    @classmethod
    def blank(cls, style: Style, rows: int, cols: int, symmetry: str, budget: Budget) -> Draft:
        """A bare board."""
        sketch = Sketch(style.grammar.name, rows, cols, symmetry)
        return cls(style, sketch, Canvas.empty(table(rows, cols, symmetry)), budget, budget)

    def copy(self) -> Draft:
        """One to try something on."""
        return Draft(self.style, self.sketch, self.canvas.copy(), self.budget, self.start)

    def images(self, tile: int) -> int:
        """How many tiles a tile and its image are."""
        return 1 if self.canvas.table.image[tile] == tile else 2

    def part(self, name: str) -> Part | None:
        """A part of the style."""
        return self.style.parts.get(name)

    def covers(self, part: Part, copies: int) -> bool:
        """Whether the budget still covers so many copies of a part."""
        return self._after(part, copies) is not None

    def _after(self, part: Part, copies: int) -> Budget | None:
        """The budget left by so many copies of a part."""
        after = self.budget.use(_wants(part, copies))
        return after and after.build(part.heights, copies)

    # -- saying things ----------------------------------------------------------------------------

    def lay(self, stamp: Stamp, *, gap: bool = False, heart: bool = False) -> bool:
        """A part and its image; a heart is its own."""
        part = self.part(stamp.part)
        if part is None:
            return False
        shape = turned(part.shape, stamp.mirrored, stamp.turns)
        room = self.canvas.room(shape, stamp.row, stamp.col, gap)
        if room is None or (heart and room.copies != 1):
            return False
        after = self._after(part, room.copies)
        if after is None:
            return False
        self.budget = after
        self.canvas.stamp(shape, stamp.row, stamp.col, room)
        if heart:
            self.sketch = replace(self.sketch, heart=stamp)
        else:
            self.sketch = replace(self.sketch, stamps=(*self.sketch.stamps, stamp))
        return True

    def bridge(self, a: int, b: int) -> bool:
        """A deck between two equal tops, clear of all other decks, and its image."""
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
        after = self.budget.use({f"bridge-{len(tiles)}": copies})
        if after is None:
            return False
        self.budget = after
        canvas.deck(a, b, level)
        bridges = (*self.sketch.bridges, Bridge(a, b, level))
        self.sketch = replace(self.sketch, bridges=bridges)
        return True

    def ladder(self, foot: int, top: int) -> bool:
        """A ladder between columns, and its image."""
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
        after = self.budget.use({f"ladder-{rise}": self.images(foot)})
        if after is None:
            return False
        self.budget = after
        canvas.ladder(foot, top)
        self.sketch = replace(self.sketch, ladders=(*self.sketch.ladders, (foot, top)))
        return True

    def step(self, tile: int, level: int = 1) -> bool:
        """A single column on bare board, and its image."""
        canvas = self.canvas
        row = tile // canvas.table.cols
        if not 0 < row < canvas.table.rows - 1 or not canvas.plain(tile):
            return False
        if any(deck.level <= level for deck in canvas.decks if tile in deck.tiles):
            return False
        if any(tile == ladder.foot for ladder in canvas.ladders):
            return False
        after = self.budget.build(((0, 0, level),), self.images(tile))
        if after is None:
            return False
        self.budget = after
        canvas.put(tile, level=level)
        self.sketch = replace(self.sketch, steps=(*self.sketch.steps, (tile, level)))
        return True

    def thing(self, kind: Thing, tile: int) -> bool:
        """A tree, spire, water or lava on a column that carries nothing, and its image."""
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
            if tile in deck.tiles and kind in ("tree", "spire") and deck.level <= level + 2:
                return False
        if kind == "spire" and not level:
            return False
        after = self.budget.use({kind: self.images(tile)})
        if after is None:
            return False
        self.budget = after
        ground = {"water": WATER, "lava": LAVA}.get(kind, 0)
        feature = {"tree": TREE, "spire": SPIRE}.get(kind, 0)
        canvas.put(tile, level=level, ground=ground, feature=feature)
        self.sketch = replace(self.sketch, things=(*self.sketch.things, (kind, tile)))
        return True

    def chest(self, tile: int, level: int) -> bool:
        """A chest on a surface, and its image."""
        after = self.budget.use({"chest": self.images(tile)})
        if after is None:
            return False
        self.budget = after
        self.canvas.chest(tile, level)
        self.sketch = replace(self.sketch, chests=(*self.sketch.chests, (tile, level)))
        return True


def _wants(part: Part, copies: int) -> dict[str, int]:
    """Things that are no blocks of so many copies of a part, by key."""
    wanted: dict[str, int] = {}

    def want(key: str) -> None:
        wanted[key] = wanted.get(key, 0) + copies

    levels = {(cell.row, cell.col): cell.level for cell in part.shape.cells}
    for cell in part.shape.cells:
        for kind, number in (("water", WATER), ("lava", LAVA)):
            if cell.ground == number:
                want(kind)
        for kind, number in (("tree", TREE), ("spire", SPIRE)):
            if cell.feature == number:
                want(kind)
    for a, b, c, d in part.shape.ladders:
        want(f"ladder-{levels.get((c, d), 0) - levels.get((a, b), 0)}")
    for a, b, c, d, _ in part.shape.decks:
        want(f"bridge-{abs(a - c) + abs(b - d) - 1}")
    for _ in part.shape.chests:
        want("chest")
    return wanted


def fits_deck(canvas: Canvas, a: int, b: int, tiles: tuple[int, ...]) -> bool:
    """Whether a deck can rest on two columns: plain tops of one level, everything between lower."""
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


def redraw(
    sketch: Sketch, style: Style, budget: Budget, first: Callable[[Draft], object] | None = None
) -> Draft:
    """The draft of a sketch. What cannot be said any more, after a change, is left out.

    `first` is done on the bare board, in place of the heart.
    """
    draft = Draft.blank(style, sketch.rows, sketch.cols, sketch.symmetry, budget)
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
