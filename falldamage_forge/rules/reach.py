"""Reach, area of effect, and what an attack may hit.

Sources: "Reach", "Vertical Attack" and "AOE" of the rulebook; "Ranged attacks (Reach 2+) can target
diagonally within their radius" of the web manual.
"""

from __future__ import annotations

from falldamage_forge.board import Tile
from falldamage_forge.rules.ruleset import Options
from falldamage_forge.surfaces import Surface

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


def can_attack(attacker: Surface, target: Surface, radius: int, options: Options) -> bool:
    """Whether the target is within reach and height; sight is another matter."""
    rows = target.tile.row - attacker.tile.row
    cols = target.tile.col - attacker.tile.col
    rise = target.level - attacker.level
    if radius <= 1:
        if abs(rows) + abs(cols) != 1 or rise > 1:
            return False
        return rise >= -1 or options.melee_down == "unlimited"
    if (rows, cols) == (0, 0):
        return False
    if not within(rows, cols, radius, options):
        return False
    if options.upward == "horizontal2" and rise > 0:
        return within(rows, cols, 2, options)
    return rise <= UPWARD_LEVELS


def height_bonus(attacker: Surface, target: Surface, radius: int, options: Options) -> int:
    """ "Downward melee is rewarded with +1 Attack", "upwards has a penalty of -1"."""
    if radius > 1 and options.height_bonus == "melee":
        return 0
    rise = target.level - attacker.level
    return -1 if rise > 0 else int(rise < 0)


def area(target: Tile, radius: int, options: Options) -> frozenset[Tile]:
    """Tiles of an area of effect, the targeted one included."""
    return frozenset(
        Tile(target.row + row, target.col + col) for row, col in footprint(radius, options)
    ) | {target}
