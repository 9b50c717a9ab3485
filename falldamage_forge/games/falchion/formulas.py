"""Formulas of the battle phase: lengths in integer um, probabilities as fractions."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from math import comb
from typing import Annotated, Literal, NamedTuple

from falldamage_forge.games.any_angle import INCH_UM, TILE_UM
from falldamage_forge.games.falchion.options import Auto, FalchionOptions
from falldamage_forge.rules.argument_types import Modifier, Um

FOOT_UM = INCH_UM // 5
"""A foot: 1'' on the table is 5'."""
Size = Annotated[int, range(6)]
"""Index of a size in `SIZES`."""
SIZES = ("Tiny", "Small", "Medium", "Large", "Huge", "Colossal")
SIZE_UM = (INCH_UM // 4, INCH_UM // 2, INCH_UM, 2 * INCH_UM, 3 * INCH_UM, 4 * INCH_UM)
MELEE_UM = 5 * FOOT_UM
AIM_UM = 10 * FOOT_UM
DR_CAP = 18
Edge = Literal["none", "advantage", "disadvantage"]


def size_of(base_um: Um, options: FalchionOptions) -> int:
    """Return the size class of a base, Tiny 0 to Colossal 5 (option `size_between`).

    Source: "4'' or more" is Colossal.

    Args:
        base_um: Diameter of the base in um.
        options: Options of the ruleset.
    """
    if base_um >= SIZE_UM[-1]:
        return 5
    if options.size_between == "floor":
        return max((n for n in range(5) if SIZE_UM[n] <= base_um), default=0)
    return min(range(5), key=lambda n: (abs(SIZE_UM[n] - base_um), -n))


def footprint_tiles(base_um: Um, tile_um: Um = TILE_UM) -> int:
    """Return the width of a base in tiles.

    Args:
        base_um: Diameter of the base in um.
        tile_um: Width of a tile in um.

    Raises:
        ValueError: If a tile has no width.
    """
    if tile_um <= 0:
        raise ValueError("a tile is wider than 0")
    return max(1, -(-base_um // tile_um))


def passes(width_um: Um, base_um: Um) -> bool:
    """True if a base fits a passage; creatures do not squeeze.

    Args:
        width_um: Width of the passage in um.
        base_um: Diameter of the base in um.
    """
    return width_um >= base_um


def distance_between_um(centres_um: Um, one_um: Um, other_um: Um, options: FalchionOptions) -> Um:
    """Return the distance of two creatures.

    Args:
        centres_um: Distance of their centres.
        one_um: Diameter of the first base.
        other_um: Diameter of the second base.
        options: Options of the ruleset; `between` chooses edges or centres.
    """
    if options.between == "centres":
        return centres_um
    return max(0, centres_um - (one_um + other_um) // 2)


def in_melee(distance_um: Um) -> bool:
    """True if a target is in melee range; 5' exactly is in range.

    Source: "Must be within 5' of target".
    """
    return distance_um <= MELEE_UM


def can_aim(distance_um: Um) -> bool:
    """True if a target is far enough for Aim; 10' exactly is too near.

    Source: "Target cannot be within 10'".
    """
    return distance_um > AIM_UM


def in_range(distance_um: Um, range_ft: int) -> bool:
    """True if a target is in a weapon's range; the range exactly is in range.

    Source: "Must be within weapon's range".

    Args:
        distance_um: Distance on the table in um.
        range_ft: Range of the weapon in feet.
    """
    return distance_um <= range_ft * FOOT_UM


def turn_feet(
    move_ft: int,
    options: FalchionOptions,
    *,
    acts: bool = False,
    prone: bool = False,
    crawls: bool = False,
) -> Fraction:
    """Return the feet that a creature gets in a turn: one Move with an action, two without.

    Args:
        move_ft: Battle Movement in feet.
        options: Options of the ruleset.
        acts: True if it takes an action.
        prone: True if it starts prone; standing up comes first.
        crawls: True if it crawls.

    Source: standing up takes "1/2 movement", crawling is "1/2 movement".
    """
    whole = Fraction(move_ft if acts else 2 * move_ft)
    if prone and not crawls:
        half = whole if options.stand_cost == "half_of_turn" else Fraction(move_ft)
        whole -= half / 2
    return whole / 2 if crawls else whole


def aims_or_loads_feet() -> int:
    """Return the feet in a turn with Aim or Load: 0.

    Source: Aim and Load "can replace movement".
    """
    return 0


def check_chance(
    ability: Modifier, dr: int, dice: Edge = "none", *, fight: bool = False, auto: Auto = "none"
) -> Fraction:
    """Return the probability that d20 + ability is at least DR.

    Args:
        ability: Bonus to the roll.
        dr: Difficulty.
        dice: Advantage or disadvantage.
        fight: True for Attack, Block and Dodge.
        auto: Option `auto`: in a fight 20 succeeds and 1 fails.
    """
    passed = 0
    for face in range(1, 21):
        good = face + ability >= dr
        if fight and auto == "attack_block_dodge":
            good = (good or face == 20) and face != 1
        passed += good
    chance = Fraction(passed, 20)
    if dice == "advantage":
        return 1 - (1 - chance) ** 2
    return chance**2 if dice == "disadvantage" else chance


class DodgeResult(NamedTuple):
    """End of a Dodge: feet moved in a straight line, and true if prone."""

    feet: int
    prone: bool


def dodge(
    success: bool, more: Literal["not_tried", "passed", "failed"], options: FalchionOptions
) -> DodgeResult:
    """Return the end of a Dodge.

    Args:
        success: True if the Dodge succeeded.
        more: Result of the check for 10' more.
        options: Options of the ruleset.

    Source: "Move 5' in any direction".
    """
    if not success and options.dodge_step == "on_success":
        return DodgeResult(0, False)
    if more == "not_tried":
        return DodgeResult(5, False)
    stays = more == "failed" and options.dodge_fail == "stays_and_prone"
    return DodgeResult(5 if stays else 15, more == "failed")


def dodge_farthest_um(feet: int, first_um: Um, options: FalchionOptions) -> tuple[int, int]:
    """Return the least and greatest distance from the start after a Dodge.

    Args:
        feet: Feet moved.
        first_um: Length of the first part before a bend.
        options: Options of the ruleset; `dodge_bend` permits a bend.
    """
    whole = feet * FOOT_UM
    if options.dodge_bend == "no":
        return whole, whole
    return abs(whole - 2 * first_um), whole


def surprised(creatures: int, options: FalchionOptions) -> dict[int, Fraction]:
    """Return the probability of each number of surprised creatures of a side.

    Source: "2:6".

    Args:
        creatures: Number of creatures of the side.
        options: Options of the ruleset.
    """
    one = Fraction(1, 3)
    if options.surprise == "side":
        found = {0: 1 - one, creatures: one}
    else:
        found = {
            n: comb(creatures, n) * one**n * (1 - one) ** (creatures - n)
            for n in range(creatures + 1)
        }
    return found


def first_round_feet(move_ft: int, is_surprised: bool, options: FalchionOptions) -> int:
    """Return the feet in the first round; surprised creatures do not move by default.

    Args:
        move_ft: Move of the creature in feet.
        is_surprised: True for a surprised creature.
        options: Options of the ruleset.
    """
    if not is_surprised:
        return 2 * move_ft
    return move_ft if options.surprised_moves == "yes" else 0


def threat(hit_dice: int, level: int, options: FalchionOptions) -> int:
    """Return the Threat Level, never negative (option `threat`).

    Args:
        hit_dice: Number of the enemy's hit dice.
        level: Level of the character.
        options: Options of the ruleset.
    """
    if options.threat == "hd":
        return hit_dice if hit_dice > level else 0
    return max(0, hit_dice - level)


def final_dr(base: int, changes: Iterable[Modifier], options: FalchionOptions) -> int:
    """Return the DR after raises and reductions (option `cap`).

    Source: "can only be raised to a maximum of 18".

    Args:
        base: DR before changes.
        changes: Raises (positive) and reductions (negative), in order.
        options: Options of the ruleset.
    """
    listed = tuple(changes)
    cap = max(DR_CAP, base)
    if options.cap == "total":
        return min(cap, base + sum(listed))
    raised = min(cap, base + sum(change for change in listed if change > 0))
    return raised + sum(change for change in listed if change < 0)


def grapple_modifier(own_size: Size, target_size: Size) -> int:
    """Return the change of a Grapple's DR by the two sizes.

    Source: "-2DR for every size larger than the target", +2 for every size smaller.

    Args:
        own_size: Size class of the creature, 0 to 5.
        target_size: Size class of its target, 0 to 5.
    """
    return 2 * (target_size - own_size)
