"""The battle phase's sentences as exact functions: lengths in whole um, chances as fractions."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from math import comb
from typing import Literal, NamedTuple

from falldamage_forge.games.falchion.options import Options
from falldamage_forge.games.ruler import INCH_UM, TILE_UM, Um

FOOT_UM = INCH_UM // 5
"""1'' is 5'."""
SIZES = ("Tiny", "Small", "Medium", "Large", "Huge", "Colossal")
SIZE_UM = (INCH_UM // 4, INCH_UM // 2, INCH_UM, 2 * INCH_UM, 3 * INCH_UM, 4 * INCH_UM)
MELEE_UM = 5 * FOOT_UM
AIM_UM = 10 * FOOT_UM
DR_CAP = 18
Edge = Literal["none", "advantage", "disadvantage"]


def size_of(base_um: Um, options: Options) -> int:
    """Number of the size class of a base, Tiny 0 to Colossal 5; "4'' or more" is Colossal."""
    if base_um >= SIZE_UM[-1]:
        return 5
    if options.size_between == "floor":
        return max((n for n in range(5) if SIZE_UM[n] <= base_um), default=0)
    return min(range(5), key=lambda n: (abs(SIZE_UM[n] - base_um), -n))


def footprint_tiles(base_um: Um, tile_um: Um = TILE_UM) -> int:
    """How many tiles a base is wide.

    ValueError where tiles have no size.
    """
    if tile_um <= 0:
        raise ValueError("a tile is wider than 0")
    return max(1, -(-base_um // tile_um))


def passes(width_um: Um, base_um: Um) -> bool:
    """Whether a base fits a passage; nobody squeezes."""
    return width_um >= base_um


def distance_between_um(centres_um: Um, one_um: Um, other_um: Um, options: Options) -> Um:
    """Distance of two creatures whose middles are so far apart, from their bases' diameters."""
    if options.between == "centres":
        return centres_um
    return max(0, centres_um - (one_um + other_um) // 2)


def in_melee(distance_um: Um) -> bool:
    """ "Must be within 5' of target"; equal counts."""
    return distance_um <= MELEE_UM


def can_aim(distance_um: Um) -> bool:
    """ "Target cannot be within 10'"; equal is within."""
    return distance_um > AIM_UM


def in_range(distance_um: Um, range_ft: int) -> bool:
    """ "Must be within weapon's range"; equal counts."""
    return distance_um <= range_ft * FOOT_UM


def turn_feet(
    move_ft: int, options: Options, *, acts: bool = False, prone: bool = False, crawls: bool = False
) -> Fraction:
    """Feet a creature gets in a turn: one Move with an action, two without.

    Standing up takes "1/2 movement" first; crawling is "1/2 movement".
    """
    whole = Fraction(move_ft if acts else 2 * move_ft)
    if prone and not crawls:
        half = whole if options.stand_cost == "half_of_turn" else Fraction(move_ft)
        whole -= half / 2
    return whole / 2 if crawls else whole


def aims_or_loads_feet() -> int:
    """Aim and Load "can replace movement": whoever does so does not move."""
    return 0


def check_chance(
    ability: int, dr: int, dice: Edge = "none", *, fight: bool = False, auto: str = "none"
) -> Fraction:
    """Chance that d20 + ability is at least DR; in a fight 20 and 1 may decide by themselves."""
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


class Dodged(NamedTuple):
    """Where a Dodge leaves one: feet moved in a straight line, and whether prone."""

    feet: int
    prone: bool


def dodge(
    success: bool, more: Literal["not_tried", "passed", "failed"], options: Options
) -> Dodged:
    """ "Move 5' in any direction", and 10' more on a check: prone where that fails."""
    if not success and options.dodge_step == "on_success":
        return Dodged(0, False)
    if more == "not_tried":
        return Dodged(5, False)
    stays = more == "failed" and options.dodge_fail == "stays_and_prone"
    return Dodged(5 if stays else 15, more == "failed")


def dodge_farthest_um(feet: int, first_um: Um, options: Options) -> tuple[int, int]:
    """Least and greatest distance from the start after a Dodge whose first part is so long."""
    whole = feet * FOOT_UM
    if options.dodge_bend == "no":
        return whole, whole
    return abs(whole - 2 * first_um), whole


def surprised(creatures: int, options: Options) -> dict[int, Fraction]:
    """Chance of each number of surprised creatures of a side: "2:6"."""
    one = Fraction(1, 3)
    if options.surprise == "side":
        found = {0: 1 - one, creatures: one}
    else:
        found = {
            n: comb(creatures, n) * one**n * (1 - one) ** (creatures - n)
            for n in range(creatures + 1)
        }
    return found


def first_round_feet(move_ft: int, is_surprised: bool, options: Options) -> int:
    """Feet in the first round: the surprised take no action, and by default do not move either."""
    if not is_surprised:
        return 2 * move_ft
    return move_ft if options.surprised_moves == "yes" else 0


def threat(hit_dice: int, level: int, options: Options) -> int:
    """Threat Level, never negative: the difference; or the Hit Dice, as the example has it."""
    if options.threat == "hd":
        return hit_dice if hit_dice > level else 0
    return max(0, hit_dice - level)


def final_dr(base: int, changes: Iterable[int], options: Options) -> int:
    """DR after raises and reductions: "can only be raised to a maximum of 18"."""
    listed = tuple(changes)
    cap = max(DR_CAP, base)
    if options.cap == "total":
        return min(cap, base + sum(listed))
    raised = min(cap, base + sum(change for change in listed if change > 0))
    return raised + sum(change for change in listed if change < 0)


def grapple_modifier(own_size: int, target_size: int) -> int:
    """ "-2DR for every size larger than the target", +2 for every size smaller."""
    return 2 * (target_size - own_size)
