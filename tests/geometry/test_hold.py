"""How fast things stand: the model against formulas, meshes and the figures that are promised."""

from dataclasses import replace

import pytest

from falldamage_forge import presets
from falldamage_forge.geometry.connector_standard import STANDARD, heads
from falldamage_forge.geometry.design_parameters import DesignParameters
from falldamage_forge.geometry.joint_check import make_joint
from falldamage_forge.geometry.piece_mesh import fit_of, own_solid
from falldamage_forge.geometry.snap_fit import (
    YOUNG_N_MM2,
    RetentionResult,
    SnapFit,
    Spring,
    check_retention,
    click_of,
    deflection_mm,
    flange_spring,
    pull_off_force_n,
    snap_fit_retention,
    wall_spring,
)
from falldamage_forge.pieces.catalogue import Catalogue
from falldamage_forge.printing.printer import Printer

FIT = DesignParameters()
STONE = presets.load_style("stone")


def set_up(process: str) -> Printer:
    return replace(presets.load_printer("a1-mini"), process=presets.load_process(process))


@pytest.fixture(scope="module")
def table(catalogue: Catalogue) -> dict[str, RetentionResult]:
    def volume(piece: object) -> float:
        return float(own_solid(piece, FIT).volume())  # type: ignore[arg-type]

    return {one.name: one for one in check_retention(catalogue.pieces.values(), FIT, volume)}


def test_retention_meets_documented_minimum(table: dict[str, RetentionResult]) -> None:
    assert table["block-1x1x3"].tip_gf >= 110
    assert table["4 of block-1x1x1"].tip_gf >= 80
    assert table["spire"].tip_gf >= 30
    assert all(not list(one.issues()) for one in table.values())


def test_thinner_walls_meet_documented_retention(catalogue: Catalogue) -> None:
    fit = fit_of(set_up("economy"))
    keys = ("block-1x1x1", "block-1x1x3", "spire", "water")
    pieces = [catalogue[key] for key in keys]
    found = check_retention(pieces, fit, lambda piece: float(own_solid(piece, fit).volume()))
    table = {one.name: one for one in found}
    assert table["block-1x1x3"].tip_gf >= 80
    assert table["4 of block-1x1x1"].tip_gf >= 60
    assert table["spire"].tip_gf >= 30


def test_thin_cap_matches_thick_cap_and_is_closed(catalogue: Catalogue) -> None:
    thin, thick = (fit_of(set_up(name)) for name in ("economy", "standard"))
    assert thin.cap_skin_mm < thick.cap_skin_mm
    for key in ("water", "lava", "start-red", "start-blue"):
        light, heavy = (own_solid(catalogue[key], fit, STONE) for fit in (thin, thick))
        # At the top and a layer deeper, seen from above, they are one drawing.
        for below in (0.12, 0.36):
            z = STANDARD.cap_mm - below
            apart = light.slice(z) - heavy.slice(z)
            assert apart.area() < 0.02 * heavy.slice(z).area(), key
        assert light.project().area() == pytest.approx(heavy.project().area(), rel=1e-3)
        skin_mm3 = (thick.cap_skin_mm - thin.cap_skin_mm) * heavy.project().area()
        assert heavy.volume() - light.volume() > 0.55 * skin_mm3, "strokes take the rest"


def test_a_hand_can_undo_every_click(table: dict[str, RetentionResult]) -> None:
    """A finger and a thumb pull two and a half kilograms."""
    assert all(2.0 <= one.lift_n <= 25.0 for one in table.values())


def test_retention_covers_every_piece_on_a_tile(
    catalogue: Catalogue, table: dict[str, RetentionResult]
) -> None:
    standing = {"block", "step", "cap", "spire", "tree", "battlement"}
    keys = {piece.key for piece in catalogue.pieces.values() if piece.builder in standing}
    assert keys == {name for name in table if " of " not in name}
    assert click_of(catalogue.chest, FIT) is None


def stiffness(height_mm: float, wall_mm: float, width_mm: float) -> float:
    return wall_spring(height_mm, wall_mm, width_mm).stiffness_n_mm


def test_walls_are_stiffer_when_thicker_narrower_and_beside_the_head() -> None:
    wall = stiffness(27.0, 0.84, 28.96)
    assert stiffness(27.0, 0.6, 28.96) < wall
    assert stiffness(27.0, 0.84, 20.0) > wall
    assert stiffness(9.0, 0.84, 28.96) > wall
    # A finite element model of the same folded walls gave 9.5 N/mm.
    assert wall == pytest.approx(9.5, rel=0.15)


def test_a_flange_is_a_cantilever() -> None:
    inertia = 5.0 * 0.84**3 / 12
    spring = flange_spring(5.0, 4.0)
    assert spring.stiffness_n_mm == pytest.approx(3 * YOUNG_N_MM2 * inertia / 4.0**3)
    moment = spring.stiffness_n_mm * 4.0
    assert spring.strain_per_mm == pytest.approx(moment * 0.84 / 2 / inertia / YOUNG_N_MM2)


def test_the_bead_bends_by_what_it_overlaps(catalogue: Catalogue) -> None:
    """Bent by the whole click beside the face, free above: as the meshes say."""
    reach = heads(FIT).bead_mm
    assert deflection_mm(reach, 0.0, FIT) == pytest.approx(0, abs=1e-6)
    assert deflection_mm(reach, 0.4, FIT) == pytest.approx(FIT.click_mm, abs=1e-6)
    assert deflection_mm(reach, 1.5, FIT) == 0
    joint = make_joint(catalogue["block-1x1x1"], catalogue["block-1x1x1"], ((0, 0), 0), "skirt")
    below = own_solid(joint.a.piece, FIT)
    above = own_solid(joint.b.piece, FIT).translate((0, 0, 30))
    for lift in (0.2, 0.4, 0.6, 0.75, 1.5):
        shared = (below ^ above.translate((0, 0, lift))).volume()
        assert (shared > 1e-3) == (deflection_mm(reach, lift, FIT) > 0.01), lift


def test_weight_alone_tips_by_the_lever() -> None:
    nothing = SnapFit(((15.0, -15.0),), heads(FIT).skirt_mm, Spring(0.0, 0.0), 0.0)
    found = snap_fit_retention("it", nothing, ((0, 0),), 90.0, 10.0, FIT)
    assert found.tip_gf == pytest.approx(10.0 * heads(FIT).top_mm / 90.0, rel=1e-6)
    assert [issue.code for issue in found.issues()] == ["FDF436"]


def test_more_click_holds_more(catalogue: Catalogue) -> None:
    pulls = []
    for click in (0.17, 0.25, 0.32, 0.44):
        fit = DesignParameters(click_mm=click)
        own = click_of(catalogue["block-1x1x1"], fit)
        assert own is not None
        pulls.append(pull_off_force_n(own, fit))
    assert pulls == sorted(pulls)
