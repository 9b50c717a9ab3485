"""Questions of Falchion by name."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Annotated, NamedTuple

from falldamage_forge.board.surfaces import Surface
from falldamage_forge.games.falchion import formulas
from falldamage_forge.games.falchion.options import Creature, Options
from falldamage_forge.games.ruler import Um, root_up
from falldamage_forge.rules.questions import named

Count = Annotated[int, range(101)]


class Apart(NamedTuple):
    """How far two creatures are from each other, and what that allows."""

    distance_um: Um
    feet: str
    melee: bool
    aim: bool
    in_range: bool


class Grappled(NamedTuple):
    """A Grapple or Break Free: sizes, the DR and the chance."""

    size: str
    target: str
    dr: int
    chance: Fraction


def distance(
    options: Options,
    start: Surface,
    target: Surface,
    creature: Creature,
    other: Creature,
    range_ft: Annotated[int, range(1001)] = 30,
) -> Apart:
    """How far one creature is from another, whose middles stand on two places.

    With `wide=square` their north-west corners stand there. Tells melee ("within 5'"), whether one
    may Aim ("cannot be within 10'"), and the weapon's range.
    """
    tile_um, more = options.tile_um, 0
    if options.wide == "square":
        # The middle of a square of n tiles lies n/2 tiles from its corner.
        one, two = (formulas.footprint_tiles(it.base_um, tile_um) for it in (creature, other))
        more = one - two
    rows = 2 * (start.tile.row - target.tile.row) + more
    cols = 2 * (start.tile.col - target.tile.col) + more
    apart = root_up((rows * rows + cols * cols) * (tile_um // 2) ** 2)
    between = formulas.distance_between_um(apart, creature.base_um, other.base_um, options)
    feet = -(-between * 100 // formulas.FOOT_UM)
    level = options.levels == "flat" or start.level == target.level
    return Apart(
        between,
        f"{feet / 100:g}",
        level and formulas.in_melee(between),
        formulas.can_aim(between),
        formulas.in_range(between, range_ft),
    )


def surprised(creatures: Count, options: Options) -> dict[int, Fraction]:
    """Chance of each number of surprised creatures of a side: "2:6"."""
    return formulas.surprised(creatures, options)


def grapple(
    options: Options, creature: Creature, other: Creature, dr: int = 12, ability: int = 0
) -> Grappled:
    """The DR of a Grapple, or of breaking free from `other`, by the two sizes, and its chance."""
    own, its = (formulas.size_of(one.base_um, options) for one in (creature, other))
    final = formulas.final_dr(dr, (formulas.grapple_modifier(own, its),), options)
    chance = formulas.check_chance(ability, final)
    return Grappled(formulas.SIZES[own], formulas.SIZES[its], final, chance)


def fight(
    options: Options,
    dr: int = 12,
    ability: int = 0,
    hit_dice: int = 0,
    level: int = 0,
    changes: Iterable[int] = (),
    dice: formulas.Edge = "none",
) -> Fraction:
    """Chance of an Attack, Block or Dodge against a creature: Threat, the cap of 18, 20 and 1."""
    raised = (formulas.threat(hit_dice, level, options), *changes)
    final = formulas.final_dr(dr, raised, options)
    return formulas.check_chance(ability, final, dice, fight=True, auto=options.auto)


QUESTIONS = named(
    (
        distance,
        formulas.distance_between_um,
        formulas.in_melee,
        formulas.can_aim,
        formulas.in_range,
        formulas.size_of,
        formulas.footprint_tiles,
        formulas.passes,
        formulas.turn_feet,
        formulas.aims_or_loads_feet,
        fight,
        formulas.check_chance,
        formulas.threat,
        formulas.final_dr,
        formulas.dodge,
        formulas.dodge_farthest_um,
        grapple,
        formulas.grapple_modifier,
        surprised,
        formulas.first_round_feet,
    )
)
