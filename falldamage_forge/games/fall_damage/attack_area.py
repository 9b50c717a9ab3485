"""Reach and areas of effect as sets of tiles.

Source: "Reach", "Vertical Attack" and "AOE" of the rulebook; "Ranged attacks (Reach 2+) can target
    diagonally within their radius" of the web manual.
"""

from __future__ import annotations

from falldamage_forge.board import Tile
from falldamage_forge.board.surfaces import Surface
from falldamage_forge.games.fall_damage.engine import surface_index
from falldamage_forge.games.fall_damage.engine.empty_state import rules_state
from falldamage_forge.games.fall_damage.engine.unit_stats import height_number
from falldamage_forge.games.fall_damage.options import FallDamageOptions
from falldamage_forge.games.fall_damage.play.surface_number import spot_of


def footprint(radius: int, options: FallDamageOptions) -> frozenset[tuple[int, int]]:
    """Return the offsets within a reach, without (0, 0).

    Args:
        radius: Reach in tiles; 1 to 4 hold 4, 12, 28 and 48 offsets by default.
        options: Options of the ruleset.
    """
    around = range(-radius, radius + 1)
    return frozenset(
        (row, col)
        for row in around
        for col in around
        if (row, col) != (0, 0) and in_reach_offset(row, col, radius, options)
    )


def in_reach_offset(rows: int, cols: int, radius: int, options: FallDamageOptions) -> bool:
    """True if an offset lies within a reach, ignoring height.

    Args:
        rows: Rows from the attacker to the tile.
        cols: Columns from the attacker to the tile.
        radius: Reach in tiles.
        options: Options of the rules.
    """
    return surface_index.within(rules_state(options), rows, cols, radius)


def square(radius: int) -> frozenset[tuple[int, int]]:
    """Return the offsets of a square, without (0, 0): radius 1 is "AOE 3x3"."""
    around = range(-radius, radius + 1)
    return frozenset((row, col) for row in around for col in around if (row, col) != (0, 0))


def can_attack(
    attacker: Surface,
    target: Surface,
    radius: int,
    options: FallDamageOptions,
    *,
    diagonal: bool = False,
) -> bool:
    """True if the target is within reach and height; line of sight is a separate check.

    Args:
        attacker: Surface of the attacker.
        target: Surface of the target.
        radius: Reach in tiles; 1 is melee, 0 reaches no surface.
        options: Options of the ruleset; `own_column` allows targets above and below on one tile.
        diagonal: True if melee reaches diagonally (Phase Sword).

    Source: "Downward Attack has no vertical restriction. Upward Attack has maximum reach of 2."
    """
    s, one, other = rules_state(options), spot_of(attacker), spot_of(target)
    if radius <= 1:
        return radius == 1 and surface_index.melee_near(s, one, other, diagonal)
    return surface_index.in_reach(s, one, other, radius)


def height_bonus(
    attacker: Surface, target: Surface, radius: int, options: FallDamageOptions
) -> int:
    """Return the modifier of an Attack by height (option `height_bonus`).

    Args:
        attacker: Surface of the attacker.
        target: Surface of the target.
        radius: Reach in tiles; 1 is melee.
        options: Options of the ruleset.

    Source: "Downward melee is rewarded with +1 Attack", "inversely Attacking upwards has a penalty
        of -1".
    """
    s, one, other = rules_state(options), spot_of(attacker), spot_of(target)
    return height_number(s, one, other, radius <= 1)


def area(target: Tile, radius: int, options: FallDamageOptions) -> frozenset[Tile]:
    """Return the tiles of an area of effect, with the targeted one, on or off the board.

    Args:
        target: Tile in the middle.
        radius: Radius in tiles.
        options: Options of the ruleset.
    """
    return frozenset(
        Tile(target.row + row, target.col + col) for row, col in footprint(radius, options)
    ) | {target}
