"""The chapter's sentences as exact functions: lengths in whole um, chances as fractions."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Literal, cast

from falldamage_forge.games.gang_skirmish.options import Options
from falldamage_forge.games.ruler import INCH_UM, TILE_UM, Um

HALF_INCH_UM = INCH_UM // 2
Cause = Literal["failed_check", "forced"]
Cover = Literal["none", "partial", "full", "no_line_of_sight"]
RAIL_BONUS: dict[Cover, int] = {"none": 0, "partial": 1, "full": 2}


def initiative(target: int, modifier: int = 0, natural: str = "none") -> Fraction:
    """Chance of an Initiative check "t+" on one D6 with a modifier to the roll."""
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
    """From the rim of a base in the middle of a tile to an edge some tiles on, never below 0."""
    return max(0, tile_um // 2 + tile_um * tiles_between - base_um // 2)


def is_step(height_um: Um) -> bool:
    """Up or down "½'' or less": free, without a check."""
    return abs(height_um) <= HALF_INCH_UM


def must_leap(gap_um: Um, base_um: Um, options: Options) -> bool:
    """Gaps "smaller than their own base" are crossed freely, larger ones leapt."""
    return gap_um > base_um or (gap_um == base_um and options.equal_gap == "leap")


def leap_rise_allowed(rise_um: Um) -> bool:
    """Whether "the total vertical distance traveled is 2'' or less"."""
    return abs(rise_um) <= 2 * INCH_UM


def leap_cost_um(gap_um: Um, base_um: Um, rise_um: Um, options: Options) -> Um:
    """From the lip until "their base is fully on the other side of the gap"."""
    paid = abs(rise_um) if options.leap_vertical == "paid" else 0
    return gap_um + base_um + paid


def leap_fall_um(takeoff_um: Um, landing_um: Um, floor_um: Um, options: Options) -> Um:
    """How far one falls who fails the check after a leap."""
    top = {
        "landing": landing_um,
        "takeoff": takeoff_um,
        "higher": max(landing_um, takeoff_um),
    }[options.leap_fall_from]
    return max(0, top - floor_um)


def jump_down_cost_um(horizontal_um: Um) -> Um:
    """ "horizontal distance traveled uses 2'' of movement for each 1''"."""
    return 2 * horizontal_um


def jump_down_modifier(drop_um: Um) -> int:
    """ "a -1 penalty for each full 3'' of vertical distance"."""
    return -(drop_um // (3 * INCH_UM))


def fall_inches(drop_um: Um) -> int:
    """How far one falls for the chart, "rounding up to the nearest inch"."""
    return -(-drop_um // INCH_UM)


def kip_allowed(rise_um: Um) -> bool:
    """A platform "no more than 3'' above"."""
    return 0 < rise_um <= 3 * INCH_UM


def within_edge(distance_um: Um) -> bool:
    """Whether a base is "within ½'' of an edge"; exactly half an inch is within."""
    return distance_um <= HALF_INCH_UM


def rail_cover(height_um: Um, said: str = "") -> Cover:
    """The cover of a railing: what is said of it, else by its height.

    Up to half an inch hides less than half of a figure that is an inch and a quarter tall, up to
    an inch most of it, and what is higher all of it.
    """
    if said:
        return cast(Cover, said.replace("-", "_"))
    if height_um <= HALF_INCH_UM:
        return "partial"
    return "full" if height_um <= INCH_UM else "no_line_of_sight"


def rail_modifier(cover: Cover) -> int | None:
    """What terrain between a fighter and an edge adds to the check; None where nobody falls."""
    return RAIL_BONUS.get(cover)


def falls_when_prone(
    distances_um: Iterable[Um],
    target: int,
    cause: Cause,
    options: Options,
    cover: Cover = "none",
    modifier: int = 0,
) -> Fraction:
    """Chance that a fighter who is Prone near edges falls.

    After a failed check one falls at once; whoever was forced Prone makes one check, or with
    `edges=each` one for each edge.
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


def check_with_rail(target: int, modifier: int, cover: Cover, options: Options) -> Fraction:
    """Chance of the check whose failure makes Prone, near a railing."""
    bonus = rail_modifier(cover) or 0
    applies = options.rail_applies == "any_check"
    return initiative(target, modifier + (bonus if applies else 0), options.natural)


def kip_fail_falls(distances_um: Iterable[Um], target: int, options: Options) -> Fraction:
    """Chance of falling after a failed Kip Up: Pinned near an edge "they may fall"."""
    return falls_when_prone(distances_um, target, kip_cause(options), options)


def kip_cause(options: Options) -> Cause:
    """How a failed Kip Up counts: as a failed check, or with one more check."""
    return "failed_check" if options.kip_fail == "falls" else "forced"


def lands_again(distance_um: Um, target: int, options: Options) -> Fraction:
    """Chance of falling once more: whoever lands within half an inch of an edge always checks."""
    return falls_when_prone((distance_um,), target, "forced", options)


def in_heavy_g(distance_um: Um, base_um: Um, options: Options) -> bool:
    """Whether one whose middle is so far from the counter is in the field of 2.5''."""
    slack = base_um // 2 if options.in_field == "base_touches" else 0
    return distance_um <= 5 * INCH_UM // 2 + slack


def heavy_g_reach_um(move_um: Um, outside_um: Um, options: Options) -> Um:
    """How far a move gets that enters a field after some of it: "halved (rounding down)"."""
    if options.heavy_g == "whole_action":
        return move_um // INCH_UM // 2 * INCH_UM
    inside = max(0, move_um - outside_um)
    if options.heavy_g == "exact":
        return outside_um + inside // 2
    return outside_um + inside // INCH_UM // 2 * INCH_UM


def heavy_g_shove_in(distance_in: int, options: Options) -> int:
    """How far a shove goes inside a field, in inches; a fall is never halved."""
    return distance_in if options.heavy_g_involuntary == "no" else distance_in // 2


def heavy_g_modifier(direction: Literal["away", "towards", "neither"]) -> int:
    """What the field adds to a check to avoid falling."""
    return {"away": 1, "towards": -1, "neither": 0}[direction]


def heavy_g_lasts(end_phases: int) -> Fraction:
    """Chance that a field is still there after some End Phases: a D6 of 3 or less ends it."""
    return Fraction(1, 2) ** end_phases
