"""Gestures: edit commands on a board. Each one returns its change of the board's elements.

`edit_synthesis` finds the text edit for the change.
"""

from __future__ import annotations

from collections.abc import Mapping

from falldamage_forge.board import MAX_LEVEL, Tile
from falldamage_forge.elements import (
    ELEMENTS,
    FOLLOW,
    KINDS,
    battlement,
    bridge,
    ladder,
    start,
    treasure,
)
from falldamage_forge.elements.element import Thing
from falldamage_forge.elements.things import Things
from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.lang.ast import Transform
from falldamage_forge.lang.edit.board_elements import (
    Delta,
    element_tiles,
    is_start,
    level_of,
    levels_of,
    move_element,
    spanned,
)
from falldamage_forge.lang.facts import Extent, tile_transform, transformed_extent


class InvalidGesture(Exception):
    """A gesture that cannot be done on this board; the message says why."""


@dataclass(frozen=True, slots=True)
class Raise:
    """Raise or lower columns with the elements on their tops.

    Attributes:
        tiles: Tiles of the columns.
        by: Levels to add; negative to lower.
        bridges: True to move the decks that end on the columns, and their other supports.
    """

    tiles: tuple[Tile, ...]
    by: int = 1
    bridges: bool = False

    def delta(self, things: Things, box: Extent) -> Delta:
        """Return the change of a board.

        Args:
            things: Elements of the board before the edit.
            box: Extent of the board.

        Raises:
            InvalidGesture: If a column would pass level 0 or the highest level.
        """
        levels = levels_of(things)
        tiles, decks = set(self.tiles), set[Thing]()
        while self.bridges:
            more = {x for x in things if _rests(x, tiles, levels)} - decks
            if not more:
                break
            decks |= more
            tiles |= {tile for x in more for tile in x.tiles}
        flat = _levelled(things, {tile: levels.get(tile, 0) + self.by for tile in tiles})
        high = {x._replace(levels=(x.levels[0] + self.by,)) for x in decks}
        return Delta((flat.gone | decks) - high, (flat.new | high) - things)


@dataclass(frozen=True, slots=True)
class Paint:
    """Set columns to one level."""

    tiles: tuple[Tile, ...]
    level: int

    def delta(self, things: Things, box: Extent) -> Delta:
        """Return the change of a board.

        Args:
            things: Elements of the board before the edit.
            box: Extent of the board.
        """
        return _levelled(things, dict.fromkeys(self.tiles, self.level))


@dataclass(frozen=True, slots=True)
class PutFeature:
    """Put a tree, lava, a step or another such element on each tile, in place of what is there."""

    what: str
    tiles: tuple[Tile, ...]

    def delta(self, things: Things, box: Extent) -> Delta:
        """Return the change of a board; a tile has one of these.

        Args:
            things: Elements of the board before the edit.
            box: Extent of the board.
        """
        element = ELEMENTS[self.what]
        name = self.what if element.valued else ""
        new = {Thing(element.fact, (tile,), (), name) for tile in self.tiles}
        gone = {x for x in things if KINDS[x.kind].on_top and x.tiles[0] in self.tiles}
        return Delta(frozenset(gone - new), frozenset(new - things))


@dataclass(frozen=True, slots=True)
class PutBattlement:
    """Put an element such as a battlement on some sides, as (d_row, d_col), of each tile."""

    tiles: tuple[Tile, ...]
    sides: tuple[tuple[int, int], ...]
    kind: str = battlement.ELEMENT.word

    def delta(self, things: Things, box: Extent) -> Delta:
        """Return the change of a board; the tiles have only these sides afterwards.

        Args:
            things: Elements of the board before the edit.
            box: Extent of the board.
        """
        new = {Thing(self.kind, (t, t.step(side))) for t in self.tiles for side in self.sides}
        gone = {x for x in things if x.kind == self.kind and x.tiles[0] in self.tiles}
        return Delta(frozenset(gone - new), frozenset(new - things))


@dataclass(frozen=True, slots=True)
class LayBridge:
    """Lay a deck between two supports; a level of None is the lower of theirs."""

    a: Tile
    b: Tile
    level: int | None = None
    arch: bool = False

    def delta(self, things: Things, box: Extent) -> Delta:
        """Return the change of a board; a deck between the same supports at that level is replaced.

        Args:
            things: Elements of the board before the edit.
            box: Extent of the board.

        Raises:
            InvalidGesture: If the level cannot be built, or both supports are one tile.
        """
        level = self.level
        if level is None:
            level = min(level_of(things, self.a), level_of(things, self.b))
        if not 0 < level <= MAX_LEVEL:
            raise InvalidGesture(f"a bridge at level {level} cannot be built")
        if self.a == self.b:
            raise InvalidGesture("a bridge needs two supports")
        new = bridge.thing(self.a, self.b, level, arch=self.arch)
        gone = {x for x in things if x.kind == "deck" and x[1:3] == new[1:3]} - {new}
        return Delta(frozenset(gone), frozenset({new} - things))


@dataclass(frozen=True, slots=True)
class LeanLadder:
    """Put an element with two ends, such as a ladder; a level of None is the top of the column."""

    foot: Tile
    top: Tile
    foot_level: int | None = None
    top_level: int | None = None
    kind: str = ladder.ELEMENT.word

    def delta(self, things: Things, box: Extent) -> Delta:
        """Return the change of a board.

        Args:
            things: Elements of the board before the edit.
            box: Extent of the board.
        """
        low = level_of(things, self.foot) if self.foot_level is None else self.foot_level
        high = level_of(things, self.top) if self.top_level is None else self.top_level
        return _added(things, Thing(self.kind, (self.foot, self.top), (low, high)))


@dataclass(frozen=True, slots=True)
class PutChest:
    """Put a chest on a tile; a level of None is the top of its column."""

    tile: Tile
    level: int | None = None

    def delta(self, things: Things, box: Extent) -> Delta:
        """Return the change of a board.

        Args:
            things: Elements of the board before the edit.
            box: Extent of the board.
        """
        level = level_of(things, self.tile) if self.level is None else self.level
        return _added(things, treasure.thing(self.tile, level))


@dataclass(frozen=True, slots=True)
class CarryChest:
    """Move the chest of a tile to the top of another."""

    tile: Tile
    to: Tile

    def delta(self, things: Things, box: Extent) -> Delta:
        """Return the change of a board.

        Args:
            things: Elements of the board before the edit.
            box: Extent of the board.

        Raises:
            InvalidGesture: If the tile has no chest.
        """
        gone = {x for x in things if KINDS[x.kind].field == "treasures" and x.tiles[0] == self.tile}
        if not gone:
            raise InvalidGesture(f"there is no treasure on {self.tile}")
        new = {treasure.thing(self.to, level_of(things, self.to))}
        return Delta(frozenset(gone - new), frozenset(new - things))


@dataclass(frozen=True, slots=True)
class SetStart:
    """Set the start zone of a side to exactly some tiles."""

    side: str
    tiles: tuple[Tile, ...]

    def delta(self, things: Things, box: Extent) -> Delta:
        """Return the change of a board; other sides lose the tiles.

        Args:
            things: Elements of the board before the edit.
            box: Extent of the board.
        """
        levels = levels_of(things)
        new = {start.thing(self.side, t, levels.get(t, 0)) for t in self.tiles}
        taken = {x.tiles[0] for x in new}
        starts = {x for x in things if is_start(x)}
        gone = {x for x in starts if x.name == self.side or x.tiles[0] in taken}
        return Delta(frozenset(gone - new), frozenset(new - things))


@dataclass(frozen=True, slots=True)
class Erase:
    """Erase columns and all elements that stand on them, end there or pass over.

    Start tiles stay, because a side needs its number of them.

    Attributes:
        tiles: Tiles to erase.
        surfaces: (tile, level) pairs of which only that level is erased: a bridge with what stands
            on it, or the column.
    """

    tiles: tuple[Tile, ...]
    surfaces: tuple[tuple[Tile, int], ...] = ()

    def delta(self, things: Things, box: Extent) -> Delta:
        """Return the change of a board.

        Args:
            things: Elements of the board before the edit.
            box: Extent of the board.

        Raises:
            InvalidGesture: If a level of `surfaces` has no surface.
        """
        levels = levels_of(things)
        low = {tile for tile, level in self.surfaces if level == levels.get(tile, 0)}
        cleared = low.union(self.tiles)
        decks = {x: spanned(x) for x in things if x.kind == "deck"}
        hit = {x for x in decks if set(self.tiles) & set(decks[x])}
        for tile, level in self.surfaces:
            own = {x for x in decks if x.levels == (level,) and tile in decks[x]}
            if not own and tile not in low:
                raise InvalidGesture(f"there is nothing at level {level} on {tile}")
            hit |= own
        bare = {(tile, x.levels[0]) for x in hit for tile in decks[x]}
        gone = frozenset(
            x
            for x in things
            if not is_start(x)
            and (cleared.intersection(element_tiles(x)) or x in hit or _upon(x, bare))
        )
        flat = _levelled(things - gone, dict.fromkeys(cleared, 0), gone)
        return Delta(gone | flat.gone, flat.new)


@dataclass(frozen=True, slots=True)
class Transfer:
    """Move or copy the content of a rectangle, in place of what is there.

    Attributes:
        corner: One corner of the rectangle.
        last: The opposite corner.
        to: North-western corner of the new place.
        keep: True to copy.
        turns: Transforms of the content, about the rectangle, before it moves.
    """

    corner: Tile
    last: Tile
    to: Tile
    keep: bool
    turns: tuple[Transform, ...] = ()

    def _part(self) -> tuple[Tile, Extent]:
        """Return the rectangle's north-western corner and its size."""
        at = Tile(min(self.corner.row, self.last.row), min(self.corner.col, self.last.col))
        end = Tile(max(self.corner.row, self.last.row), max(self.corner.col, self.last.col))
        return at, Extent(end.row - at.row + 1, end.col - at.col + 1)

    def source(self) -> frozenset[Tile]:
        """Return the tiles that a copy leaves as they are; empty for a move."""
        at, part = self._part()
        return frozenset(_back(tile, at) for tile in part.tiles()) if self.keep else frozenset()

    def delta(self, things: Things, box: Extent) -> Delta:
        """Return the change of a board.

        Args:
            things: Elements of the board before the edit.
            box: Extent of the board.

        Raises:
            InvalidGesture: If the content would be off the board.
        """
        at, part = self._part()
        content = {
            x
            for x in things
            if not is_start(x) and all(_shifted(tile, at) in part for tile in element_tiles(x))
        }
        placed = {move_element(x, lambda tile: _shifted(tile, at)) for x in content}
        shape = part
        for turn in self.turns:
            move, shape = tile_transform(shape, turn), transformed_extent(shape, turn)
            placed = {move_element(x, move) for x in placed}
        there = tuple(_back(tile, self.to) for tile in shape.tiles())
        if not all(tile in box for tile in there):
            raise InvalidGesture(f"there is no room for it at {self.to}")
        placed = {move_element(x, lambda tile: _back(tile, self.to)) for x in placed}
        left = () if self.keep else tuple(_back(tile, at) for tile in part.tiles())
        cleared = {*there, *left}
        gone = frozenset(
            x for x in things if not is_start(x) and cleared.intersection(element_tiles(x))
        )
        levels = levels_of(placed)
        flat = _levelled(things - gone, {tile: levels.get(tile, 0) for tile in cleared}, gone)
        after = placed | flat.new
        return Delta((gone | flat.gone) - after, frozenset(after) - things)


Gesture = (
    Raise
    | Paint
    | PutFeature
    | PutBattlement
    | LayBridge
    | LeanLadder
    | PutChest
    | CarryChest
    | SetStart
    | Erase
    | Transfer
)


def _rests(thing: Thing, tiles: set[Tile], levels: Mapping[Tile, int]) -> bool:
    """True if a deck ends on the top of one of the columns."""
    return thing.kind == "deck" and any(
        tile in tiles and levels.get(tile, 0) == thing.levels[0] for tile in thing.tiles
    )


def _upon(thing: Thing, places: set[tuple[Tile, int]]) -> bool:
    """True if an element stands or ends on a surface."""
    return thing.kind in FOLLOW and not places.isdisjoint(
        zip(element_tiles(thing), thing.levels, strict=False)
    )


def _shifted(tile: Tile, by: Tile) -> Tile:
    return Tile(tile.row - by.row, tile.col - by.col)


def _back(tile: Tile, by: Tile) -> Tile:
    return Tile(tile.row + by.row, tile.col + by.col)


def _added(things: Things, thing: Thing) -> Delta:
    return Delta(frozenset(), frozenset({thing} - things))


def _levelled(things: Things, targets: Mapping[Tile, int], gone: Things = frozenset()) -> Delta:
    """Return the change of columns to other levels, with the elements on their tops.

    Decks keep their level. Columns of `gone` still count as tops on which elements stood.
    """
    out, new = set(), set()
    levels = levels_of(things | gone)
    for tile, target in targets.items():
        if not 0 <= target <= MAX_LEVEL:
            far = "is bare board already" if target < 0 else f"cannot rise above level {MAX_LEVEL}"
            raise InvalidGesture(f"{tile} {far}")
    for thing in things:
        levelled = _after(thing, levels, targets)
        if levelled != thing:
            out.add(thing)
            new |= {levelled} if levelled.kind != "level" else set()
    new |= {Thing("level", (tile,), (level,)) for tile, level in targets.items() if level}
    return Delta(frozenset(out - new), frozenset(new - things))


def _after(thing: Thing, levels: Mapping[Tile, int], targets: Mapping[Tile, int]) -> Thing:
    """Return an element after its columns changed level."""
    if thing.kind == "level" and thing.tiles[0] in targets:
        return thing._replace(levels=(targets[thing.tiles[0]],))
    if thing.kind not in FOLLOW:
        return thing
    moved_to = tuple(
        targets[tile] if tile in targets and level == levels.get(tile, 0) else level
        for tile, level in zip(thing.tiles, thing.levels, strict=False)
    )
    return thing._replace(levels=moved_to)
