"""Queries of Falchion by name."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Annotated, Any, NamedTuple

from falldamage_forge.board.surfaces import Surface
from falldamage_forge.games.any_angle import root_up
from falldamage_forge.games.falchion import formulas
from falldamage_forge.games.falchion.options import Creature, FalchionOptions
from falldamage_forge.rules.argument_types import Modifier, Um

Count = Annotated[int, range(101)]


class DistanceResult(NamedTuple):
    """Distance of two creatures, and the attacks that it permits."""

    distance_um: Um
    feet: str
    melee: bool
    aim: bool
    in_range: bool


class GrappleResult(NamedTuple):
    """A Grapple or Break Free: sizes, DR and probability."""

    size: str
    target: str
    dr: int
    chance: Fraction


def distance(
    options: FalchionOptions,
    start: Surface,
    target: Surface,
    creature: Creature,
    other: Creature,
    range_ft: Annotated[int, range(1001)] = 30,
) -> DistanceResult:
    """Return the distance of two creatures, and whether melee, Aim and the weapon reach.

    Args:
        options: Options of the ruleset.
        start: Surface of the first creature's centre; with `wide=square` of its north-west corner.
        target: Surface of the second creature, likewise.
        creature: First creature.
        other: Second creature.
        range_ft: Range of the weapon in feet.

    Source: "within 5'" for melee, "cannot be within 10'" for Aim.
    """
    tile_um, more = options.tile_um, 0
    if options.wide == "square":
        # The middle of a square of n tiles lies n/2 tiles from its corner.
        one, two = (formulas.footprint_tiles(c.base_um, tile_um) for c in (creature, other))
        more = one - two
    rows = 2 * (start.tile.row - target.tile.row) + more
    cols = 2 * (start.tile.col - target.tile.col) + more
    apart = root_up((rows * rows + cols * cols) * (tile_um // 2) ** 2)
    between = formulas.distance_between_um(apart, creature.base_um, other.base_um, options)
    feet = -(-between * 100 // formulas.FOOT_UM)
    level = options.levels == "flat" or start.level == target.level
    return DistanceResult(
        between,
        f"{feet / 100:g}",
        level and formulas.in_melee(between),
        formulas.can_aim(between),
        formulas.in_range(between, range_ft),
    )


def surprised(creatures: Count, options: FalchionOptions) -> dict[int, Fraction]:
    """Return the probability of each number of surprised creatures of a side: "2:6".

    Args:
        creatures: Number of creatures of the side.
        options: Options of the ruleset.
    """
    return formulas.surprised(creatures, options)


def grapple(
    options: FalchionOptions,
    creature: Creature,
    other: Creature,
    dr: int = 12,
    ability: Modifier = 0,
) -> GrappleResult:
    """Return the DR and the probability of a Grapple, or of breaking free, by the two sizes.

    Args:
        options: Options of the ruleset.
        creature: Creature that grapples, or breaks free.
        other: Creature that it grapples, or that holds it.
        dr: DR before changes.
        ability: Modifier of the ability.
    """
    own, its = (formulas.size_of(one.base_um, options) for one in (creature, other))
    final = formulas.final_dr(dr, (formulas.grapple_modifier(own, its),), options)
    chance = formulas.check_chance(ability, final)
    return GrappleResult(formulas.SIZES[own], formulas.SIZES[its], final, chance)


def fight(
    options: FalchionOptions,
    dr: int = 12,
    ability: Modifier = 0,
    hit_dice: int = 0,
    level: int = 0,
    changes: Iterable[Modifier] = (),
    dice: formulas.Edge = "none",
) -> Fraction:
    """Return the probability of an Attack, Block or Dodge: Threat, the cap of 18, 20 and 1.

    Args:
        options: Options of the ruleset.
        dr: DR before changes.
        ability: Modifier of the ability.
        hit_dice: Number of the enemy's hit dice.
        level: Level of the character.
        changes: Further raises (positive) and reductions (negative).
        dice: Advantage or disadvantage of the roll.
    """
    raised = (formulas.threat(hit_dice, level, options), *changes)
    final = formulas.final_dr(dr, raised, options)
    return formulas.check_chance(ability, final, dice, fight=True, auto=options.auto)


QUESTIONS: dict[str, Callable[..., Any]] = {
    "distance": distance,
    "distance-between": formulas.distance_between_um,
    "in-melee": formulas.in_melee,
    "can-aim": formulas.can_aim,
    "in-range": formulas.in_range,
    "size-of": formulas.size_of,
    "footprint-tiles": formulas.footprint_tiles,
    "passes": formulas.passes,
    "turn-feet": formulas.turn_feet,
    "aims-or-loads-feet": formulas.aims_or_loads_feet,
    "fight": fight,
    "check-chance": formulas.check_chance,
    "threat": formulas.threat,
    "final-dr": formulas.final_dr,
    "dodge": formulas.dodge,
    "dodge-farthest": formulas.dodge_farthest_um,
    "grapple": grapple,
    "grapple-modifier": formulas.grapple_modifier,
    "surprised": surprised,
    "first-round-feet": formulas.first_round_feet,
}
"""Queries by their names in `fdforge ask`."""
