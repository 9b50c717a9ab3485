"""Gestures for what only some games know, and for taking away one kind of thing.

Fittings are put, carried and cleared here; they are copied, turned and mirrored with their tiles.
"""

from __future__ import annotations

from dataclasses import dataclass

from falldamage_forge.board import Tile
from falldamage_forge.board.fittings import FITTINGS
from falldamage_forge.lang.edit import gestures
from falldamage_forge.lang.edit.gestures import Impossible
from falldamage_forge.lang.edit.things import (
    Delta,
    Thing,
    Things,
    kind_of,
    level_of,
    levels_of,
    moved,
    standing,
)
from falldamage_forge.lang.facts import Extent

CLEARED = (*FITTINGS, "tree", "spire", "lava", "water", "step", "treasure", "battlement")
"""What one clears by name; a bridge and a ladder are erased at an end."""


@dataclass(frozen=True, slots=True)
class PutFitting:
    """A fitting on each tile, on its top where no level is given, in the place of one like it.

    `sides` are (d_row, d_col) offsets of those that stand on edges. A railing takes the edge from
    its neighbour's; a square has one Base and one Gate.
    """

    kind: str
    spots: tuple[tuple[Tile, int | None], ...]
    name: str = ""
    sides: tuple[tuple[int, int], ...] = ()
    length_um: int = 0

    def delta(self, things: Things, box: Extent) -> Delta:
        """What changes."""
        levels = levels_of(things)
        new = set[Thing]()
        for tile, level in self.spots:
            high = levels.get(tile, 0) if level is None else level
            tiles = (tile, *sorted(map(tile.step, self.sides)))
            new.add(Thing(kind_of(self.kind), tiles, (high,), self.name, self.length_um))
        places = {(x.tiles[0], x.levels) for x in new}
        like = {x for x in things if x.kind == self.kind}
        gone = {x for x in like if (x.tiles[0], x.levels) in places}
        if FITTINGS[kind_of(self.kind)].edged:
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
    """The fittings of one kind on a tile, carried to the top of another."""

    kind: str
    tile: Tile
    to: Tile

    def delta(self, things: Things, box: Extent) -> Delta:
        """What changes; Impossible where none is."""
        gone = {x for x in things if x.kind == self.kind and x.tiles[0] == self.tile}
        if not gone:
            raise Impossible(f"there is no {self.kind} on {self.tile}")
        by = Tile(self.to.row - self.tile.row, self.to.col - self.tile.col)
        top = (level_of(things, self.to),)

        def carried(tile: Tile) -> Tile:
            return Tile(tile.row + by.row, tile.col + by.col)

        new = {moved(x, carried)._replace(levels=top) for x in gone}
        there = {x for x in things if x.kind == self.kind and x.tiles[0] == self.to} - gone
        return Delta(frozenset((gone | there) - new), frozenset(new - things))


@dataclass(frozen=True, slots=True)
class Clear:
    """One kind of thing taken away from tiles, and nothing else."""

    what: str
    tiles: tuple[Tile, ...]

    def delta(self, things: Things, box: Extent) -> Delta:
        """What changes; Impossible where nothing of it is."""
        cleared = set(self.tiles)
        gone = frozenset(
            x
            for x in things
            if self.what in (x.kind, x.name)
            and x.kind != "start"
            and cleared.intersection(standing(x))
        )
        if not gone:
            raise Impossible(f"there is no {self.what} there")
        return Delta(gone, frozenset())


Gesture = gestures.Gesture | PutFitting | CarryFitting | Clear
