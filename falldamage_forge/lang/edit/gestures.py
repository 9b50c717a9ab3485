"""Gestures: what one does to a board with one movement, and the words that say it.

Each gesture knows what it means for the things on a board; how a text says that is not its matter.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from falldamage_forge.board import MAX_LEVEL, Tile
from falldamage_forge.lang.ast import Transform
from falldamage_forge.lang.edit.things import (
    FOLLOW,
    Delta,
    Thing,
    Things,
    deck,
    level_of,
    levels_of,
    moved,
    spanned,
    standing,
)
from falldamage_forge.lang.facts import Extent, Kind, mover, turned


class Impossible(Exception):
    """A gesture that means nothing on this board; the text says why."""


@dataclass(frozen=True, slots=True)
class Raise:
    """Columns `by` levels higher, or lower below zero, with what stands on their tops.

    With `bridges` the decks that end on them go along, and with these their other supports.
    """

    tiles: tuple[Tile, ...]
    by: int = 1
    bridges: bool = False

    def delta(self, things: Things, box: Extent) -> Delta:
        """What changes; Impossible below level 0 and above the highest."""
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
    """Columns of one level."""

    tiles: tuple[Tile, ...]
    level: int

    def delta(self, things: Things, box: Extent) -> Delta:
        """What changes."""
        return _levelled(things, dict.fromkeys(self.tiles, self.level))


@dataclass(frozen=True, slots=True)
class PutFeature:
    """A tree, spire, lava, water or step on each tile, in the place of what is there."""

    what: Literal["tree", "spire", "lava", "water", "step"]
    tiles: tuple[Tile, ...]

    def delta(self, things: Things, box: Extent) -> Delta:
        """What changes: a tile has one of these."""
        kind: Kind = "step" if self.what == "step" else "ground"
        if self.what in ("tree", "spire"):
            kind = "feature"
        name = "" if self.what == "step" else self.what
        new = {Thing(kind, (tile,), (), name) for tile in self.tiles}
        kinds = ("ground", "feature", "step")
        gone = {x for x in things if x.kind in kinds and x.tiles[0] in self.tiles}
        return Delta(frozenset(gone - new), frozenset(new - things))


@dataclass(frozen=True, slots=True)
class PutBattlement:
    """A battlement on the named sides of each tile; (d_row, d_col) offsets."""

    tiles: tuple[Tile, ...]
    sides: tuple[tuple[int, int], ...]

    def delta(self, things: Things, box: Extent) -> Delta:
        """What changes: the tiles have these sides afterwards and no others."""
        new = {Thing("battlement", (t, t.step(side))) for t in self.tiles for side in self.sides}
        gone = {x for x in things if x.kind == "battlement" and x.tiles[0] in self.tiles}
        return Delta(frozenset(gone - new), frozenset(new - things))


@dataclass(frozen=True, slots=True)
class LayBridge:
    """A deck between two supports; at the lower of their levels where none is given."""

    a: Tile
    b: Tile
    level: int | None = None
    arch: bool = False

    def delta(self, things: Things, box: Extent) -> Delta:
        """What changes: a deck between the same supports at that level is replaced."""
        level = self.level
        if level is None:
            level = min(level_of(things, self.a), level_of(things, self.b))
        if not 0 < level <= MAX_LEVEL:
            raise Impossible(f"a bridge at level {level} cannot be built")
        if self.a == self.b:
            raise Impossible("a bridge needs two supports")
        new = deck(self.a, self.b, level, arch=self.arch)
        gone = {x for x in things if x.kind == "deck" and x[1:3] == new[1:3]} - {new}
        return Delta(frozenset(gone), frozenset({new} - things))


@dataclass(frozen=True, slots=True)
class LeanLadder:
    """A ladder from the top of one column, or a given level, to that of its neighbour."""

    foot: Tile
    top: Tile
    foot_level: int | None = None
    top_level: int | None = None

    def delta(self, things: Things, box: Extent) -> Delta:
        """What changes."""
        low = level_of(things, self.foot) if self.foot_level is None else self.foot_level
        high = level_of(things, self.top) if self.top_level is None else self.top_level
        return _added(things, Thing("ladder", (self.foot, self.top), (low, high)))


@dataclass(frozen=True, slots=True)
class PutChest:
    """Treasure on a tile's top, or at a given level."""

    tile: Tile
    level: int | None = None

    def delta(self, things: Things, box: Extent) -> Delta:
        """What changes."""
        level = level_of(things, self.tile) if self.level is None else self.level
        return _added(things, Thing("treasure", (self.tile,), (level,)))


@dataclass(frozen=True, slots=True)
class CarryChest:
    """The treasure on a tile, carried to the top of another."""

    tile: Tile
    to: Tile

    def delta(self, things: Things, box: Extent) -> Delta:
        """What changes; Impossible where no treasure is."""
        gone = {x for x in things if x.kind == "treasure" and x.tiles[0] == self.tile}
        if not gone:
            raise Impossible(f"there is no treasure on {self.tile}")
        new = {Thing("treasure", (self.to,), (level_of(things, self.to),))}
        return Delta(frozenset(gone - new), frozenset(new - things))


@dataclass(frozen=True, slots=True)
class SetStart:
    """The start zone of a side: these tiles and no others."""

    side: str
    tiles: tuple[Tile, ...]

    def delta(self, things: Things, box: Extent) -> Delta:
        """What changes; other sides give up the tiles."""
        levels = levels_of(things)
        new = {Thing("start", (t,), (levels.get(t, 0),), self.side) for t in self.tiles}
        taken = {x.tiles[0] for x in new}
        starts = {x for x in things if x.kind == "start"}
        gone = {x for x in starts if x.name == self.side or x.tiles[0] in taken}
        return Delta(frozenset(gone - new), frozenset(new - things))


@dataclass(frozen=True, slots=True)
class Erase:
    """Everything that stands on the tiles, ends there or passes over, and the columns themselves.

    Of `surfaces`, tiles with a level, only what is at that level goes: a bridge with what stands on
    it, or the column. Start tiles stay, because a side needs its number of them.
    """

    tiles: tuple[Tile, ...]
    surfaces: tuple[tuple[Tile, int], ...] = ()

    def delta(self, things: Things, box: Extent) -> Delta:
        """What changes; Impossible where a level has no surface."""
        levels = levels_of(things)
        low = {tile for tile, level in self.surfaces if level == levels.get(tile, 0)}
        cleared = low.union(self.tiles)
        decks = {x: spanned(x) for x in things if x.kind == "deck"}
        hit = {x for x in decks if set(self.tiles) & set(decks[x])}
        for tile, level in self.surfaces:
            own = {x for x in decks if x.levels == (level,) and tile in decks[x]}
            if not own and tile not in low:
                raise Impossible(f"there is nothing at level {level} on {tile}")
            hit |= own
        bare = {(tile, x.levels[0]) for x in hit for tile in decks[x]}
        gone = frozenset(
            x
            for x in things
            if x.kind != "start"
            and (cleared.intersection(standing(x)) or x in hit or _upon(x, bare))
        )
        flat = _levelled(things - gone, dict.fromkeys(cleared, 0), gone)
        return Delta(gone | flat.gone, flat.new)


@dataclass(frozen=True, slots=True)
class Transfer:
    """The content of a rectangle, moved or copied so that its north-west corner lies on `to`.

    `turns` are done first, about the rectangle itself. What stands at the new place goes.
    """

    corner: Tile
    last: Tile
    to: Tile
    keep: bool
    turns: tuple[Transform, ...] = ()

    def _part(self) -> tuple[Tile, Extent]:
        """The rectangle: its north-west corner and its size."""
        at = Tile(min(self.corner.row, self.last.row), min(self.corner.col, self.last.col))
        end = Tile(max(self.corner.row, self.last.row), max(self.corner.col, self.last.col))
        return at, Extent(end.row - at.row + 1, end.col - at.col + 1)

    def source(self) -> frozenset[Tile]:
        """The tiles that are copied and stay as they are."""
        at, part = self._part()
        return frozenset(_back(tile, at) for tile in part.tiles()) if self.keep else frozenset()

    def delta(self, things: Things, box: Extent) -> Delta:
        """What changes; Impossible where the content would lie off the board."""
        at, part = self._part()
        content = {
            x
            for x in things
            if x.kind != "start" and all(_shifted(tile, at) in part for tile in standing(x))
        }
        placed = {moved(x, lambda tile: _shifted(tile, at)) for x in content}
        shape = part
        for turn in self.turns:
            move, shape = mover(shape, turn), turned(shape, turn)
            placed = {moved(x, move) for x in placed}
        there = tuple(_back(tile, self.to) for tile in shape.tiles())
        if not all(tile in box for tile in there):
            raise Impossible(f"there is no room for it at {self.to}")
        placed = {moved(x, lambda tile: _back(tile, self.to)) for x in placed}
        left = () if self.keep else tuple(_back(tile, at) for tile in part.tiles())
        cleared = {*there, *left}
        gone = frozenset(
            x for x in things if x.kind != "start" and cleared.intersection(standing(x))
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
    """Whether a deck ends on the top of one of the columns."""
    return thing.kind == "deck" and any(
        tile in tiles and levels.get(tile, 0) == thing.levels[0] for tile in thing.tiles
    )


def _upon(thing: Thing, places: set[tuple[Tile, int]]) -> bool:
    """Whether a thing stands or ends on a surface."""
    return thing.kind in FOLLOW and not places.isdisjoint(
        zip(standing(thing), thing.levels, strict=False)
    )


def _shifted(tile: Tile, by: Tile) -> Tile:
    return Tile(tile.row - by.row, tile.col - by.col)


def _back(tile: Tile, by: Tile) -> Tile:
    return Tile(tile.row + by.row, tile.col + by.col)


def _added(things: Things, thing: Thing) -> Delta:
    return Delta(frozenset(), frozenset({thing} - things))


def _levelled(things: Things, targets: Mapping[Tile, int], gone: Things = frozenset()) -> Delta:
    """Columns at other levels, with what stood on their tops. Decks keep their level.

    `gone` was there before: its columns count as what the rest stood on.
    """
    out, new = set(), set()
    levels = levels_of(things | gone)
    for tile, target in targets.items():
        if not 0 <= target <= MAX_LEVEL:
            far = "is bare board already" if target < 0 else f"cannot rise above level {MAX_LEVEL}"
            raise Impossible(f"{tile} {far}")
    for thing in things:
        levelled = _after(thing, levels, targets)
        if levelled != thing:
            out.add(thing)
            new |= {levelled} if levelled.kind != "level" else set()
    new |= {Thing("level", (tile,), (level,)) for tile, level in targets.items() if level}
    return Delta(frozenset(out - new), frozenset(new - things))


def _after(thing: Thing, levels: Mapping[Tile, int], targets: Mapping[Tile, int]) -> Thing:
    """A thing after its columns changed: what stood on a top still does."""
    if thing.kind == "level" and thing.tiles[0] in targets:
        return thing._replace(levels=(targets[thing.tiles[0]],))
    if thing.kind not in FOLLOW:
        return thing
    moved_to = tuple(
        targets[tile] if tile in targets and level == levels.get(tile, 0) else level
        for tile, level in zip(thing.tiles, thing.levels, strict=False)
    )
    return thing._replace(levels=moved_to)
