"""Formulas of the chapter: lengths in integer um, probabilities as fractions."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Annotated, Literal

from falldamage_forge.games.any_angle import INCH_UM, TILE_UM
from falldamage_forge.games.gang_skirmish.options import GangSkirmishOptions, Natural
from falldamage_forge.rules.argument_types import Modifier, SignedUm, Um

HALF_INCH_UM = INCH_UM // 2
TargetRoll = Annotated[int, range(2, 8)]
"""The t of an Initiative "t+"; 7 never succeeds."""
Cause = Literal["failed_check", "forced"]
Cover = Literal["none", "partial", "full", "no_line_of_sight"]
StatedCover = Literal["by_height", "none", "partial", "full", "no_line_of_sight"]
RAIL_BONUS: dict[Cover, int] = {"none": 0, "partial": 1, "full": 2}


def initiative(target: TargetRoll, modifier: Modifier = 0, natural: Natural = "none") -> Fraction:
    """Return the probability of an Initiative check "t+" on one D6.

    Args:
        target: The t of "t+"; 7 never succeeds.
        modifier: Modifier of the roll.
        natural: Option `natural`: the effect of a natural 1 and 6.
    """
    passed = 0
    for face in range(1, 7):
        good = face + modifier >= target
        if natural in ("1fails", "both") and face == 1:
            good = False
        if natural in ("6passes", "both") and face == 6:
            good = True
        passed += good
    return Fraction(passed, 6)


def edge_distance_um(base_um: Um, tiles_between: int = 0, tile_um: Um = TILE_UM) -> Um:
    """Return the distance from the rim of a base in the middle of a tile to an edge.

    Args:
        base_um: Diameter of the base.
        tiles_between: Tiles between the tile and the edge.
        tile_um: Width of a tile.
    """
    return max(0, tile_um // 2 + tile_um * tiles_between - base_um // 2)


def is_step(height_um: SignedUm) -> bool:
    """True if a height is climbed freely, without a check.

    Source: up or down "½'' or less".
    """
    return abs(height_um) <= HALF_INCH_UM


def must_leap(gap_um: Um, base_um: Um, options: GangSkirmishOptions) -> bool:
    """True if a gap has to be leapt.

    Source: gaps "smaller than their own base" are crossed freely.

    Args:
        gap_um: Width of the gap in um.
        base_um: Diameter of the base in um.
        options: Options of the ruleset.
    """
    return gap_um > base_um or (gap_um == base_um and options.equal_gap == "leap")


def leap_rise_allowed(rise_um: SignedUm) -> bool:
    """True if the vertical part of a leap is legal.

    Source: "the total vertical distance traveled is 2'' or less".
    """
    return abs(rise_um) <= 2 * INCH_UM


def leap_cost_um(gap_um: Um, base_um: Um, rise_um: SignedUm, options: GangSkirmishOptions) -> Um:
    """Return the cost of a leap in um.

    Source: from the lip until "their base is fully on the other side of the gap".

    Args:
        gap_um: Width of the gap in um.
        base_um: Diameter of the base in um.
        rise_um: Height of the landing above the takeoff in um.
        options: Options of the ruleset.
    """
    paid = abs(rise_um) if options.leap_vertical == "paid" else 0
    return gap_um + base_um + paid


def leap_fall_um(takeoff_um: Um, landing_um: Um, floor_um: Um, options: GangSkirmishOptions) -> Um:
    """Return the height of the fall after a failed leap in um (option `leap_fall_from`).

    Args:
        takeoff_um: Height of the takeoff in um.
        landing_um: Height of the landing in um.
        floor_um: Height of the floor of the gap in um.
        options: Options of the ruleset.
    """
    top = {
        "landing": landing_um,
        "takeoff": takeoff_um,
        "higher": max(landing_um, takeoff_um),
    }[options.leap_fall_from]
    return max(0, top - floor_um)


def jump_down_cost_um(horizontal_um: Um) -> Um:
    """Return the cost of a jump down in um.

    Source: "horizontal distance traveled uses 2'' of movement for each 1''".
    """
    return 2 * horizontal_um


def jump_down_modifier(drop_um: Um) -> int:
    """Return the modifier of a jump down's check.

    Source: "a -1 penalty for each full 3'' of vertical distance".
    """
    return -(drop_um // (3 * INCH_UM))


def fall_inches(drop_um: Um) -> int:
    """Return the height of a fall in inches for the chart.

    Source: "rounding up to the nearest inch".
    """
    return -(-drop_um // INCH_UM)


def kip_allowed(rise_um: SignedUm) -> bool:
    """True if a Kip Up to a platform is legal.

    Source: a platform "no more than 3'' above".
    """
    return 0 < rise_um <= 3 * INCH_UM


def within_edge(distance_um: Um) -> bool:
    """True if a base is near an edge; exactly half an inch is near.

    Source: "within ½'' of an edge".
    """
    return distance_um <= HALF_INCH_UM


def rail_cover(height_um: Um, said: StatedCover = "by_height") -> Cover:
    """Return the cover of a railing: as stated on the map, else by its height.

    Up to ½'' hides less than half of a figure 1¼'' tall, up to 1'' most of it, and a taller railing
    all of it.

    Args:
        height_um: Height of the railing.
        said: Cover stated on the map, or `by_height`.
    """
    if said != "by_height":
        return said
    if height_um <= HALF_INCH_UM:
        return "partial"
    return "full" if height_um <= INCH_UM else "no_line_of_sight"


def rail_modifier(cover: Cover) -> int | None:
    """Return the modifier of cover to a check at an edge; None if a fall is impossible."""
    return RAIL_BONUS.get(cover)


def falls_when_prone(
    distances_um: Iterable[Um],
    target: TargetRoll,
    cause: Cause,
    options: GangSkirmishOptions,
    cover: Cover = "none",
    modifier: Modifier = 0,
) -> Fraction:
    """Return the probability that a fighter Prone near edges falls.

    After a failed check it falls at once. If it was forced Prone, it makes one check, or with
    option `edges` = `each` one per edge.

    Args:
        distances_um: Distances of the base from the edges.
        target: The t of its Initiative "t+".
        cause: Cause of being Prone.
        options: Options of the ruleset.
        cover: Cover at the edges.
        modifier: Modifier of the check.
    """
    near = [distance for distance in distances_um if within_edge(distance)]
    bonus = rail_modifier(cover)
    if not near or bonus is None:
        return Fraction(0)
    if cause == "failed_check":
        return Fraction(1)
    passed = initiative(target, bonus + modifier, options.natural)
    checks = len(near) if options.edges == "each" else 1
    return 1 - passed**checks


def check_with_rail(
    target: TargetRoll, modifier: Modifier, cover: Cover, options: GangSkirmishOptions
) -> Fraction:
    """Return the probability of a check near a railing whose failure makes Prone.

    Args:
        target: Least roll of a die that succeeds.
        modifier: Modifier of the roll.
        cover: Cover of the railing.
        options: Options of the ruleset.
    """
    bonus = rail_modifier(cover) or 0
    applies = options.rail_applies == "any_check"
    return initiative(target, modifier + (bonus if applies else 0), options.natural)


def kip_fail_falls(
    distances_um: Iterable[Um], target: TargetRoll, options: GangSkirmishOptions
) -> Fraction:
    """Return the probability of a fall after a failed Kip Up.

    Source: Pinned near an edge "they may fall".

    Args:
        distances_um: Distances to the edges near, in um.
        target: Least roll of a die that succeeds.
        options: Options of the ruleset.
    """
    return falls_when_prone(distances_um, target, kip_cause(options), options)


def kip_cause(options: GangSkirmishOptions) -> Cause:
    """Return how a failed Kip Up counts: as a failed check, or with one more check."""
    return "failed_check" if options.kip_fail == "falls" else "forced"


def lands_again(distance_um: Um, target: TargetRoll, options: GangSkirmishOptions) -> Fraction:
    """Return the probability of another fall after a landing near an edge.

    Args:
        distance_um: Distance to the edge in um.
        target: Least roll of a die that succeeds.
        options: Options of the ruleset.
    """
    return falls_when_prone((distance_um,), target, "forced", options)


def in_heavy_g(distance_um: Um, base_um: Um, options: GangSkirmishOptions) -> bool:
    """True if a fighter is in a field of 2.5'' (option `in_field`).

    Args:
        distance_um: Distance to the counter in um.
        base_um: Diameter of the base in um.
        options: Options of the ruleset.
    """
    slack = base_um // 2 if options.in_field == "base_touches" else 0
    return distance_um <= 5 * INCH_UM // 2 + slack


def heavy_g_reach_um(move_um: Um, outside_um: Um, options: GangSkirmishOptions) -> Um:
    """Return the length of a move that enters a field after `outside_um` (option `heavy_g`).

    Source: "halved (rounding down)".

    Args:
        move_um: Move of the fighter in um.
        outside_um: Length of its path outside the field, in um.
        options: Options of the ruleset.
    """
    if options.heavy_g == "whole_action":
        return move_um // INCH_UM // 2 * INCH_UM
    inside = max(0, move_um - outside_um)
    if options.heavy_g == "exact":
        return outside_um + inside // 2
    return outside_um + inside // INCH_UM // 2 * INCH_UM


def heavy_g_shove_in(distance_in: int, options: GangSkirmishOptions) -> int:
    """Return the inches of knockback inside a field; a fall is never halved.

    Args:
        distance_in: Length of the knockback in inches.
        options: Options of the ruleset.
    """
    return distance_in if options.heavy_g_involuntary == "no" else distance_in // 2


def heavy_g_modifier(direction: Literal["away", "towards", "neither"]) -> int:
    """Return the modifier of a field to a check against falling."""
    return {"away": 1, "towards": -1, "neither": 0}[direction]


def heavy_g_lasts(end_phases: int) -> Fraction:
    """Return the probability that a field remains after End Phases; a D6 of 3 or less ends it."""
    return Fraction(1, 2) ** end_phases
