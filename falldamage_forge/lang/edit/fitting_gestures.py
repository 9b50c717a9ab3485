"""Gestures for fittings, those that remove one kind of element or one element, and any change.

Gestures that copy, rotate and mirror tiles move their fittings, too.
"""

from __future__ import annotations

from falldamage_forge.board import Tile
from falldamage_forge.elements import ELEMENTS, FITTINGS, KINDS
from falldamage_forge.elements.element import Thing
from falldamage_forge.elements.things import Things
from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.lang.edit import gestures
from falldamage_forge.lang.edit.board_elements import (
    Delta,
    element_tiles,
    is_start,
    level_of,
    levels_of,
    move_element,
    spanned,
)
from falldamage_forge.lang.edit.gestures import InvalidGesture
from falldamage_forge.lang.facts import Extent


def depth_of(kind: str) -> int:
    """Return the order in which erasing takes a kind."""
    return KINDS[kind].depth or 0


_PUTS = {word: x for word, x in ELEMENTS.items() if x.form == "put" and x.depth is not None}
CLEARED = tuple(dict.fromkeys((*filter(_PUTS.__contains__, FITTINGS), *_PUTS)))
"""Kinds that can be cleared by name; elements with two ends are erased at one of them."""
UPPERMOST = tuple(sorted((k for k, x in KINDS.items() if x.depth is not None), key=depth_of))
"""Kinds of elements on a surface, from the first that `EraseOne` removes to the last."""
ON_SIDES = tuple(
    kind
    for kind in reversed(UPPERMOST)
    if KINDS[kind].edged or (KINDS[kind].form == "span" and not KINDS[kind].level)
)
"""Kinds of elements between a column and a neighbour of its tile."""


@dataclass(frozen=True, slots=True)
class PutFitting:
    """Put a fitting on each tile, in place of one of its kind.

    A railing replaces its neighbour's on the same edge; a tile has one base and one gate.

    Attributes:
        kind: Word of an element among `Board.fittings`.
        spots: Tiles with levels; a level of None means the top.
        name: Name of the fitting.
        sides: (d_row, d_col) offsets of an edged fitting.
        length_um: Height or radius in micrometres.
    """

    kind: str
    spots: tuple[tuple[Tile, int | None], ...]
    name: str = ""
    sides: tuple[tuple[int, int], ...] = ()
    length_um: int = 0

    def delta(self, things: Things, box: Extent) -> Delta:
        """Return the change of a board.

        Args:
            things: Elements of the board before the edit.
            box: Extent of the board.
        """
        levels = levels_of(things)
        new = set[Thing]()
        for tile, level in self.spots:
            high = levels.get(tile, 0) if level is None else level
            tiles = (tile, *sorted(map(tile.step, self.sides)))
            new.add(Thing(self.kind, tiles, (high,), self.name, self.length_um))
        places = {(x.tiles[0], x.levels) for x in new}
        like = {x for x in things if x.kind == self.kind}
        gone = {x for x in like if (x.tiles[0], x.levels) in places}
        if FITTINGS[self.kind].edged:
            edges = {(frozenset((x.tiles[0], far)), x.levels) for x in new for far in x.tiles[1:]}
            for rail in like - gone:
                tile, *beyond = rail.tiles
                left = [t for t in beyond if (frozenset((tile, t)), rail.levels) not in edges]
                if len(left) < len(beyond):
                    gone.add(rail)
                    new |= {rail._replace(tiles=(tile, *left))} if left else set()
        return Delta(frozenset(gone - new), frozenset(new - things))


@dataclass(frozen=True, slots=True)
class CarryFitting:
    """Move the fittings of one kind from a tile to the top of another."""

    kind: str
    tile: Tile
    to: Tile

    def delta(self, things: Things, box: Extent) -> Delta:
        """Return the change of a board.

        Args:
            things: Elements of the board before the edit.
            box: Extent of the board.

        Raises:
            InvalidGesture: If the tile has no such fitting.
        """
        gone = {x for x in things if x.kind == self.kind and x.tiles[0] == self.tile}
        if not gone:
            raise InvalidGesture(f"there is no {self.kind} on {self.tile}")
        by = Tile(self.to.row - self.tile.row, self.to.col - self.tile.col)
        top = (level_of(things, self.to),)

        def carried(tile: Tile) -> Tile:
            return Tile(tile.row + by.row, tile.col + by.col)

        new = {move_element(x, carried)._replace(levels=top) for x in gone}
        there = {x for x in things if x.kind == self.kind and x.tiles[0] == self.to} - gone
        return Delta(frozenset((gone | there) - new), frozenset(new - things))


@dataclass(frozen=True, slots=True)
class ClearKind:
    """Remove one kind of element from tiles."""

    what: str
    tiles: tuple[Tile, ...]

    def delta(self, things: Things, box: Extent) -> Delta:
        """Return the change of a board.

        Args:
            things: Elements of the board before the edit.
            box: Extent of the board.

        Raises:
            InvalidGesture: If the tiles have no such element.
        """
        cleared = set(self.tiles)
        gone = frozenset(
            x
            for x in things
            if self.what in (x.kind, x.name)
            and not is_start(x)
            and cleared.intersection(element_tiles(x))
        )
        if not gone:
            raise InvalidGesture(f"there is no {self.what} there")
        return Delta(gone, frozenset())


@dataclass(frozen=True, slots=True)
class EraseOne:
    """Remove the uppermost element of a surface; without one, the column or bridge itself.

    Attributes:
        tile: Tile of the surface.
        level: Level of the surface; None for the top of the column.
        toward: Neighbour of the tile: what is between both goes first; None for no neighbour.
    """

    tile: Tile
    level: int | None = None
    toward: Tile | None = None

    def delta(self, things: Things, box: Extent) -> Delta:
        """Return the change of a board.

        Args:
            things: Elements of the board before the edit.
            box: Extent of the board.

        Raises:
            InvalidGesture: If the surface is bare board, or does not exist.
        """
        top = level_of(things, self.tile)
        level = top if self.level is None else self.level

        def lies(x: Thing) -> bool:
            if x.levels:
                return (self.tile, level) in zip(element_tiles(x), x.levels * 2, strict=False)
            return level == top and x.tiles[0] == self.tile

        layers = [
            *({x for x in things if x.kind == kind and {*x.tiles} >= {self.tile, self.toward}}
              for kind in ON_SIDES),
            *({x for x in things if x.kind == kind and lies(x)} for kind in UPPERMOST),
        ]  # fmt: skip
        gone = next(filter(None, layers), set())
        if gone and not any(x.kind == "deck" for x in gone):
            return Delta(frozenset(gone), frozenset())
        surfaces = [(tile, x.levels[0]) for x in gone for tile in spanned(x)[:1]]
        erased = gestures.Erase((), tuple(surfaces) or ((self.tile, level),)).delta(things, box)
        if not erased:
            raise InvalidGesture(f"there is nothing to erase on {self.tile}")
        return erased


@dataclass(frozen=True, slots=True)
class Replace:
    """Put one thing on each tile that has another: a level, or an element on a top.

    Attributes:
        old: Level, or word of the element, that is looked for.
        new: Level or word in its place; of the same type as `old`.
        tiles: Tiles that are looked at.
    """

    old: int | str
    new: int | str
    tiles: tuple[Tile, ...]

    def delta(self, things: Things, box: Extent) -> Delta:
        """Return the change of a board.

        Args:
            things: Elements of the board before the edit.
            box: Extent of the board.

        Raises:
            InvalidGesture: If no tile has it.
        """
        levels = levels_of(things)
        put = {x.tiles[0] for x in things if self.old in (x.kind, x.name)}
        has = [t for t in self.tiles if levels.get(t, 0) == self.old or t in put]
        if not has:
            named = f"level {self.old}" if isinstance(self.old, int) else self.old
            raise InvalidGesture(f"no tile there has {named}")
        if isinstance(self.new, int):
            return gestures.Paint(tuple(has), self.new).delta(things, box)
        return gestures.PutFeature(self.new, tuple(has)).delta(things, box)


@dataclass(frozen=True, slots=True)
class Become:
    """Change the board into another one of its size.

    Attributes:
        meant: Elements of the other board.
    """

    meant: Things

    def delta(self, things: Things, box: Extent) -> Delta:
        """Return the change of a board.

        Args:
            things: Elements of the board before the edit.
            box: Extent of the board.
        """
        return Delta(things - self.meant, self.meant - things)


Gesture = gestures.Gesture | PutFitting | CarryFitting | ClearKind | EraseOne | Replace | Become
