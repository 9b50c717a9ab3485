"""Reach, area of effect, and what an attack may hit.

Sources: "Reach", "Vertical Attack" and "AOE" of the rulebook; "Ranged attacks (Reach 2+) can target
diagonally within their radius" of the web manual.
"""

from __future__ import annotations

from collections.abc import Iterable

from falldamage_forge.board import Tile
from falldamage_forge.board.surfaces import Surface
from falldamage_forge.games.fall_damage.options import Options

UPWARD_LEVELS = 2
"""Source: "Upward Attack has maximum reach of 2.\""""


def footprint(radius: int, options: Options) -> frozenset[tuple[int, int]]:
    """Offsets within a reach, the middle left out: 4, 12, 28, 48 tiles for radii 1 to 4."""
    around = range(-radius, radius + 1)
    return frozenset(
        (row, col)
        for row in around
        for col in around
        if (row, col) != (0, 0) and within(row, col, radius, options)
    )


def within(rows: int, cols: int, radius: int, options: Options) -> bool:
    """Whether an offset lies within a reach horizontally."""
    if radius == 2 and options.reach2 == "line":
        return 0 in (rows, cols) and abs(rows) + abs(cols) <= 2
    if radius <= 1 or options.reach_shape == "manhattan":
        return abs(rows) + abs(cols) <= radius
    return rows * rows + cols * cols <= radius * radius


def square(radius: int) -> frozenset[tuple[int, int]]:
    """Offsets of a grid such as "AOE 3x3" (radius 1), the middle left out."""
    around = range(-radius, radius + 1)
    return frozenset((row, col) for row in around for col in around if (row, col) != (0, 0))


def can_attack(
    attacker: Surface, target: Surface, radius: int, options: Options, *, diagonal: bool = False
) -> bool:
    """Whether the target is within reach and height; sight is another matter.

    Melee is for neighbours, on diagonals only with a Phase Sword (`diagonal`). Who is straight
    above or below on a bridge is in reach of the others when `own_column` says so: "Downward Attack
    has no vertical restriction". Reach 0 reaches nobody.
    """
    rows = target.tile.row - attacker.tile.row
    cols = target.tile.col - attacker.tile.col
    rise = target.level - attacker.level
    if radius <= 1:
        beside = abs(rows) + abs(cols) == 1 or (diagonal and abs(rows) == abs(cols) == 1)
        if not radius or not beside or rise > 1:
            return False
        return rise >= -1 or options.melee_down == "unlimited"
    if (rows, cols) == (0, 0) and (options.own_column == "no" or not rise):
        return False
    if not within(rows, cols, radius, options):
        return False
    if options.upward == "horizontal2" and rise > 0:
        return within(rows, cols, 2, options)
    return rise <= UPWARD_LEVELS


def height_bonus(attacker: Surface, target: Surface, radius: int, options: Options) -> int:
    """ "Downward melee is rewarded with +1 Attack", "upwards has a penalty of -1".

    To the letter the penalty is for every attack, as "inversely Attacking upwards" does not say
    melee (`literal`).
    """
    rise = target.level - attacker.level
    number = -1 if rise > 0 else int(rise < 0)
    if radius <= 1 or options.height_bonus == "all":
        return number
    return min(number, 0) if options.height_bonus == "literal" else 0


def area(target: Tile, radius: int, options: Options) -> frozenset[Tile]:
    """Tiles of an area of effect, the targeted one included."""
    return frozenset(
        Tile(target.row + row, target.col + col) for row, col in footprint(radius, options)
    ) | {target}


def cone(tile: Tile, way: tuple[int, int], options: Options) -> tuple[Tile, ...]:
    """Poison Mist's "cone": the tile in front, the three behind it, the five behind these.

    How many of these rows there are is option `cone`; tiles may lie off the board.
    """
    depth = {"one": 1, "four": 2, "nine": 3}[options.cone]
    side = (way[1], way[0])
    return tuple(
        tile.step(way, row + 1).step(side, across)
        for row in range(depth)
        for across in range(-row, row + 1)
    )


def area_members(
    aim: Surface, tiles: Iterable[Tile], units: Iterable[Surface], options: Options
) -> tuple[Surface, ...]:
    """Of these units those whom an area takes in, the farthest from its aim first.

    "AOE behaves the same as Reach", so up to 2 levels above the aim and any way below it; option
    `area_levels` limits it to one level both ways.
    """
    within_tiles = frozenset(tiles)

    def reached(at: Surface) -> bool:
        rise = at.level - aim.level
        return abs(rise) <= 1 if options.area_levels == "melee1" else rise <= UPWARD_LEVELS

    found = [at for at in units if at.tile in within_tiles and reached(at)]
    return tuple(sorted(found, key=lambda at: -tiles_apart(aim, at)))


def tiles_apart(one: Surface, other: Surface) -> int:
    """Rows and columns between two places, added."""
    return abs(one.tile.row - other.tile.row) + abs(one.tile.col - other.tile.col)
