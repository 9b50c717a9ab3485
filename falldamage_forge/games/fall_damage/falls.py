"""Who loses its footing: where it comes down, and what becomes of all when the board changes.

Sources: "Fall Damage is 1 damage per 1 vertical tile", "Bridges & Ladders can be targeted &
destroyed", "Units on effected tile are lifted/[receive] Fall Damage", "Mages give bonus 2 damage
for Fall Damage".
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from falldamage_forge.board import Board, Ground, Tile, Treasure
from falldamage_forge.board.surfaces import Surface, Terrain
from falldamage_forge.games.fall_damage.push import ANYBODY, MAGE_BONUS, Victim
from falldamage_forge.values import dataclass


@dataclass(frozen=True, slots=True)
class Fall:
    """Where a unit comes to rest that did not move itself; no `end` when it dies of it."""

    end: Surface | None
    damage: int = 0

    @property
    def dead(self) -> bool:
        """Whether the way down killed it, whatever its health (lava, or nowhere to be)."""
        return self.end is None


def is_lava(terrain: Terrain, tile: Tile, level: int) -> bool:
    """Whether the top at this level is bare lava."""
    column = terrain.board.column(tile)
    return column.ground is Ground.LAVA and column.feature is None and column.level == level


def is_water(terrain: Terrain, surface: Surface) -> bool:
    """Whether a surface is the top of a water column."""
    column = terrain.board.column(surface.tile)
    return column.ground is Ground.WATER and column.level == surface.level


def fall_damage_to(
    terrain: Terrain, level: int, landing: Surface, victim: Victim, *, mage: bool = False
) -> int:
    """Damage of an involuntary fall from a level: 1 each, and a mage's 2; none into water."""
    drop = level - landing.level
    if drop <= 0 or victim.no_fall or is_water(terrain, landing):
        return 0
    return drop + (MAGE_BONUS if mage else 0)


def rest(
    terrain: Terrain, tile: Tile, level: int, taken: frozenset[Surface] = frozenset()
) -> Surface | None:
    """The nearest free surface at or below a level: by tiles, then the highest, row and column."""
    free = (
        spot
        for near in terrain.board.tiles()
        for standable in terrain.standable(near)
        if standable <= level and (spot := Surface(near, standable)) not in taken
    )

    def distance(spot: Surface) -> tuple[int, int, Tile]:
        return (
            abs(spot.tile.row - tile.row) + abs(spot.tile.col - tile.col),
            -spot.level,
            spot.tile,
        )

    return min(free, key=distance, default=None)


def come_down(
    terrain: Terrain,
    tile: Tile,
    level: int,
    *,
    taken: frozenset[Surface] = frozenset(),
    victim: Victim = ANYBODY,
    mage: bool = False,
) -> Fall:
    """A unit whose floor is gone: straight down, into death on lava; if that place is taken or
    cannot be stood on, to where `rest` says.
    """
    below = terrain.highest_below(tile, level)
    lava = below is not None and is_lava(terrain, tile, below)
    if lava and not victim.no_lava:
        return Fall(None)
    end: Surface | None = None
    if below is not None and (lava or below in terrain.standable(tile)):
        end = Surface(tile, below)
    if end is None or end in taken:
        end = rest(terrain, tile, level, taken)
    if end is None:
        return Fall(None)
    return Fall(end, fall_damage_to(terrain, level, end, victim, mage=mage))


def settled(
    before: Terrain,
    after: Terrain,
    units: Mapping[Surface, Victim],
    *,
    mage: bool = False,
) -> dict[Surface, Fall]:
    """What becomes of everybody when the board changes: only who is moved, by its old surface.

    Who stands on a column that rises is lifted with it, unhurt. Who has nothing under its feet any
    more falls, in the order given; nobody comes down on another.
    """
    lifted = {
        at: Surface(at.tile, risen)
        for at in units
        if (risen := after.board.column(at.tile).level) > before.board.column(at.tile).level
        and before.board.column(at.tile).level == at.level
    }
    falling = [at for at in units if at not in lifted and at.level not in after.standable(at.tile)]
    taken = frozenset(lifted.get(at, at) for at in units if at not in falling)
    found = {at: Fall(end) for at, end in lifted.items()}
    for at in falling:
        fall = come_down(after, at.tile, at.level, taken=taken, victim=units[at], mage=mage)
        found[at] = fall
        if fall.end is not None:
            taken |= {fall.end}
    return found


def with_chests(before: Board, after: Board) -> Board:
    """The later board with its chests where they came to: lifted with a column, down with a deck.

    A chest that comes down on lava is lost.
    """
    chests = []
    for chest in before.treasures:
        old, new = before.column(chest.tile).level, after.column(chest.tile).level
        level = new if chest.level == old else chest.level
        if level not in after.tops(chest.tile):
            level = max((top for top in after.tops(chest.tile) if top <= level), default=new)
        sunk = level == new and after.column(chest.tile).ground is Ground.LAVA
        if not sunk:
            chests.append(Treasure(chest.tile, level, chest.source))
    return replace(after, treasures=tuple(sorted(chests, key=lambda c: (c.tile, c.level))))
