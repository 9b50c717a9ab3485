"""The formulas behind a hold, each against another way to the same figure."""

import math

import pytest

from falldamage_forge.geometry.baseplate import tie_gap_mm
from falldamage_forge.geometry.battlements import BEND_TOP_MM, TONGUE_MM
from falldamage_forge.geometry.connector_standard import STANDARD, heads
from falldamage_forge.geometry.design_parameters import DesignParameters
from falldamage_forge.geometry.snap_fit import (
    FRICTION,
    GRAM_N,
    LEAST_GF,
    MOST_MM,
    MOST_STRAIN,
    POISSON,
    STEP_MM,
    YOUNG_N_MM2,
    RetentionResult,
    SnapFit,
    Spring,
    bead_force_n,
    cap_spring,
    check_retention,
    click_of,
    deflection_mm,
    flange_spring,
    grams_of,
    pull_off_force_n,
    snap_fit_retention,
    standing_mm,
    tie_bend,
    wall_spring,
)
from falldamage_forge.pieces.catalogue import Catalogue

FIT = DesignParameters()
SIZES = heads(FIT)
STEPS = round(MOST_MM / STEP_MM)
HALF_MM = 15.12
"""A step's height: half a level of our own size, in whole layers."""


@pytest.mark.parametrize(
    ("height", "wall", "width", "n_mm"),
    [(27.0, 0.84, 28.96, 8.436711), (87.0, 0.84, 58.0, 1.480015), (9.0, 1.2, 20.0, 54.50008)],
)
def test_wall_stiffness_equals_recorded_values(
    height: float, wall: float, width: float, n_mm: float
) -> None:
    assert wall_spring(height, wall, width).stiffness_n_mm == pytest.approx(n_mm, rel=1e-5)


def test_cap_stiffness_is_that_of_a_skin_strip() -> None:
    """Force 1 at an arm turns a root of 9.5 mm, 4.5 mm long, of a plate with Poisson's ratio."""
    arm = STANDARD.cap_mm - STANDARD.skin_mm / 2 + STANDARD.under_depth_mm
    bending = 9.5 * YOUNG_N_MM2 * STANDARD.skin_mm**3 / (12 * (1 - POISSON**2))
    turn_for_each_n = arm * 4.5 / bending
    assert cap_spring().stiffness_n_mm == pytest.approx(1 / (turn_for_each_n * arm))
    # The strip is bent to an even curve, which turns it by the wanted angle over its length.
    assert cap_spring().strain_per_mm == pytest.approx(STANDARD.skin_mm / 2 / arm / 4.5)


@pytest.mark.parametrize("key", ["block-1x1x1", "block-2x1x2", "cap", "spire", "tree", "step"])
def test_beads_are_symmetric_about_the_middle(key: str, catalogue: Catalogue) -> None:
    piece = next(x for x in catalogue.pieces.values() if x.builder == key or x.key.startswith(key))
    click = click_of(piece, FIT)
    assert click is not None
    x0 = sum(x for x, _ in click.places_mm) / len(click.places_mm)
    y0 = sum(y for _, y in click.places_mm) / len(click.places_mm)
    centres = [FIT.grid.centre_mm(*cell) for cell in piece.footprint]
    assert x0 == pytest.approx(sum(x for x, _ in centres) / len(centres))
    assert y0 == pytest.approx(sum(y for _, y in centres) / len(centres))
    turned = {(round(2 * x0 - x, 6), round(2 * y0 - y, 6)) for x, y in click.places_mm}
    assert turned == {(round(x, 6), round(y, 6)) for x, y in click.places_mm}
    for x, y in click.places_mm:
        far = min(max(abs(x - cx), abs(y - cy)) for cx, cy in centres)
        assert far == pytest.approx(click.reach_mm)


def test_legs_overlap_the_stud_face_by_their_click(catalogue: Catalogue) -> None:
    seen = set()
    for piece in catalogue.pieces.values():
        click = click_of(piece, FIT)
        if click is None or piece.builder in ("block", "step"):
            continue
        seen.add(piece.builder)
        cap = piece.builder == "cap"
        shares = {
            "battlement": STANDARD.parapet_click,
            "spire": STANDARD.ring_click,
            "tree": STANDARD.ring_click,
        }
        wanted = STANDARD.cap_click_mm if cap else shares[piece.builder] * FIT.click_mm
        assert click.click_mm == pytest.approx(wanted)
        assert click.reach_mm == pytest.approx(SIZES.face_mm - wanted)
        if piece.builder in ("spire", "tree"):
            length = STANDARD.leg_free_mm + STANDARD.under_depth_mm
            narrow = flange_spring(2 * STANDARD.bead_half_mm, length).stiffness_n_mm
            assert narrow < click.spring.stiffness_n_mm < 3 * narrow
        if piece.builder == "battlement":
            length = BEND_TOP_MM + STANDARD.under_depth_mm
            assert click.spring == flange_spring(TONGUE_MM, length)
        if cap:
            assert click.spring == cap_spring()
    assert seen == {"cap", "spire", "tree", "battlement"}


def test_a_tie_pressed_in_one_end_first_keeps_its_pocket_whole() -> None:
    """Worked out by hand: a wall of 0.84 mm, 1.44 mm from the pocket's bottom to its lip."""
    way_mm, strain = tie_bend()
    assert way_mm == pytest.approx(0.55 - 2 * 0.27)
    assert strain == pytest.approx(1.5 * 0.84 / 1.44**2 * 0.01, rel=1e-6)
    assert strain < MOST_STRAIN / 2
    both = (STANDARD.tie_lip_mm - tie_gap_mm(FIT)) * strain / way_mm
    assert both > MOST_STRAIN, "one end first would not matter"


def test_bead_force_is_deflection_times_flank_slope() -> None:
    click = SnapFit(
        ((15.0, 0.0), (-15.0, 0.0), (0.0, 15.0)), SIZES.bead_mm, Spring(7.0, 0.01), FIT.click_mm
    )
    pulls = []
    for step in range(STEPS):
        lift = step * STEP_MM
        here, after = (deflection_mm(SIZES.bead_mm, lift + d, FIT) for d in (0.0, STEP_MM))
        steep = math.atan((after - here) / STEP_MM) + math.atan(FRICTION)
        wanted = 7.0 * here * math.tan(steep)
        pulls.append(bead_force_n(click, lift, FIT))
        if steep < 1.2:
            assert pulls[-1] == pytest.approx(wanted, abs=1e-9)
    assert pull_off_force_n(click, FIT) == pytest.approx(3 * max(pulls))
    assert max(pulls) > 0 == bead_force_n(click, MOST_MM, FIT)


def test_tilt_work_equals_lift_work_of_beads() -> None:
    """However long the lever, a bead is lifted by its arm, and goes the whole way out once."""
    spring = Spring(5.0, 0.01)
    one = SnapFit(((1.0, 0.0),), SIZES.bead_mm, spring, FIT.click_mm)
    pulls = [bead_force_n(one, step * STEP_MM, FIT) for step in range(STEPS)]
    lift, most = sum(max(pull, 0.0) for pull in pulls) * STEP_MM, max(pulls)
    x, y = FIT.grid.centre_mm(0, 0)
    for arm in (0.0, 6.0, -9.0):
        one = SnapFit(((x + arm, y),), SIZES.bead_mm, spring, FIT.click_mm)
        found = snap_fit_retention("it", one, ((0, 0),), 60.0, 0.0, FIT)
        # The nearer edge is the lesser lever.
        lever = SIZES.top_mm - abs(arm)
        assert found.tip_gf == pytest.approx(most * lever / 60.0 / GRAM_N, rel=1e-6)
        assert found.knock_mj == pytest.approx(lift, rel=1e-2)
        assert found.lift_n == pytest.approx(most)


def test_weight_resists_tilt_by_half_the_seat_width() -> None:
    nothing = SnapFit(((15.0, -15.0),), SIZES.skirt_mm, Spring(0.0, 0.0), 0.0)
    for cells, half in ((((0, 0),), SIZES.top_mm), (((0, 0), (0, 1)), SIZES.top_mm),
                        (((0, 0), (1, 0), (0, 1), (1, 1)), SIZES.top_mm + 15.0)):  # fmt: skip
        found = snap_fit_retention("it", nothing, cells, 120.0, 25.0, FIT)
        assert found.tip_gf == pytest.approx(25.0 * half / 120.0, rel=1e-6)
        assert found.lift_n == pytest.approx(25.0 * GRAM_N)


def test_tip_force_below_minimum_gives_issue() -> None:
    for tip, told in ((LEAST_GF, []), (LEAST_GF - 0.1, ["FDF436"])):
        assert [one.code for one in RetentionResult("it", 1, 1, 1, tip, 1, 0).issues()] == told


def test_strain_above_limit_gives_issue() -> None:
    for strain, told in ((MOST_STRAIN, []), (MOST_STRAIN + 1e-4, ["FDF439"])):
        found = RetentionResult("it", 1, 1, 1, LEAST_GF, 1, strain)
        assert [one.code for one in found.issues()] == told


def test_strain_of_a_wide_wall_is_that_of_a_plate() -> None:
    """Moment of the stiff seat aside, a wall strains less than a flange of its height would."""
    wall = wall_spring(27.0, 0.84, 28.96)
    low, high = (flange_spring(28.96, length).strain_per_mm for length in (27.0, 6.0))
    assert low < wall.strain_per_mm < high


@pytest.mark.parametrize("wall_mm", [0.6, 0.84])
def test_walls_of_every_piece_strain_less_than_printed_pla_bears(
    wall_mm: float, catalogue: Catalogue
) -> None:
    fit = DesignParameters(wall_mm=wall_mm)
    clicks = [click_of(piece, fit) for piece in catalogue.pieces.values()]
    assert max(one.strain for one in clicks if one) < 0.6 * MOST_STRAIN


def test_tower_has_height_and_mass_of_its_blocks(catalogue: Catalogue) -> None:
    table = {
        one.name: one for one in check_retention(catalogue.pieces.values(), FIT, lambda _: 1000.0)
    }
    one = table["block-1x1x1"]
    assert one.grams == grams_of(1000.0) == pytest.approx(1000 * 1.24e-3 * 0.85)
    for count in (2, 3, 4):
        tower = table[f"{count} of block-1x1x1"]
        assert tower.height_mm == count * one.height_mm == count * 30.0
        assert tower.grams == pytest.approx(count * one.grams)
    for piece in catalogue.pieces.values():
        if piece.builder == "block":
            assert standing_mm(piece) == 30.0 * piece.levels
        if piece.builder in ("step", "cap"):
            assert standing_mm(piece) == {"step": HALF_MM, "cap": STANDARD.cap_mm}[piece.builder]
