"""Reach, area of effect, and what an attack may hit.

Sources: "Reach", "Vertical Attack" and "AOE" of the rulebook; "Ranged attacks (Reach 2+) can target
diagonally within their radius" of the web manual.
"""

from __future__ import annotations

from falldamage_forge.board import Tile
from falldamage_forge.board.surfaces import Surface
from falldamage_forge.games.fall_damage.engine import surface_index
from falldamage_forge.games.fall_damage.engine.ground_state import rules_state
from falldamage_forge.games.fall_damage.engine.unit_stats import height_number
from falldamage_forge.games.fall_damage.options import Options
from falldamage_forge.games.fall_damage.play.spots import spot_of


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
    return surface_index.within(rules_state(options), rows, cols, radius)


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
    s, one, other = rules_state(options), spot_of(attacker), spot_of(target)
    if radius <= 1:
        return radius == 1 and surface_index.melee_near(s, one, other, diagonal)
    return surface_index.in_reach(s, one, other, radius)


def height_bonus(attacker: Surface, target: Surface, radius: int, options: Options) -> int:
    """ "Downward melee is rewarded with +1 Attack", "upwards has a penalty of -1".

    To the letter the penalty is for every attack, as "inversely Attacking upwards" does not say
    melee (`literal`).
    """
    s, one, other = rules_state(options), spot_of(attacker), spot_of(target)
    return height_number(s, one, other, radius <= 1)


def area(target: Tile, radius: int, options: Options) -> frozenset[Tile]:
    """Tiles of an area of effect, the targeted one included."""
    return frozenset(
        Tile(target.row + row, target.col + col) for row, col in footprint(radius, options)
    ) | {target}
