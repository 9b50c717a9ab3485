"""Start markers and their discs: flush, free on the way in, held but at the gaps."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from falldamage_forge.board import Tile
from falldamage_forge.geometry import sign_disc
from falldamage_forge.geometry.connector_standard import STANDARD
from falldamage_forge.geometry.csg import Solid, force_evaluation, translate
from falldamage_forge.geometry.design_parameters import DesignParameters
from falldamage_forge.geometry.joint_check import (
    OVERLAP_MM3,
    Joint,
    check_joint,
    check_seated,
    joints,
    overlap_mm3,
)
from falldamage_forge.geometry.layered_mesh import printed_standing
from falldamage_forge.geometry.loft import extrude
from falldamage_forge.geometry.piece_mesh import fit_of, own_solid
from falldamage_forge.lengths import PrintGrid
from falldamage_forge.pieces.catalogue import Catalogue
from falldamage_forge.pieces.piece import Placement
from falldamage_forge.printing.printer import Printer
from tests.amount import EXHAUSTIVE

SIDES = ("red", "blue")
FITS_MM = (0.10, 0.22, 0.34)
"""The least and the greatest fit of a printer, and that of the A1 mini."""
GRIDS = (PrintGrid(25.0, 24.96), PrintGrid(30.0, 30.0), PrintGrid(40.0, 40.08))
LEAVES_MM = tuple(0.06 * step for step in range(1, 34))
"""Drops of a disc until it is out."""


def disc_joints(catalogue: Catalogue, fit: DesignParameters) -> list[Joint]:
    return [joint for joint in joints(catalogue, fit) if joint.turn_deg]


def seated(catalogue: Catalogue, fit: DesignParameters) -> tuple[Solid, Solid]:
    """A start and its disc as their layers are printed, about the middle of their tile."""
    x, y = fit.grid.centre_mm(0, 0)
    near = (x - 12, y - 12, -3.0, x + 12, y + 12, 4.0)
    parts = (Placement(catalogue[key], Tile(0, 0), 0) for key in ("start-red", "start-disc-red"))
    printed = (printed_standing(part, fit, near) for part in parts)
    start, disc = (force_evaluation(translate(part, -x, -y)) for part in printed)
    return start, disc


def caught(start: Solid, disc: Solid, turn_deg: float = 0.0) -> float:
    """The greatest mm³ that a disc meets on its way out downwards."""
    turned = disc.rotate((0, 0, turn_deg))
    return max(overlap_mm3(start, translate(turned, z_mm=-drop)) for drop in LEAVES_MM)


@pytest.mark.parametrize("fit_mm", FITS_MM)
@pytest.mark.parametrize("grid", GRIDS, ids=lambda grid: f"{grid.pitch_mm:g}")
@pytest.mark.parametrize("skin_mm", [0.48, 0.72])
def test_disc_goes_in_and_holds_on_every_printer_tile_and_process(
    fit_mm: float, grid: PrintGrid, skin_mm: float, catalogue: Catalogue, printer: Printer
) -> None:
    fit = replace(fit_of(printer), fit_mm=fit_mm, cap_skin_mm=skin_mm, grid=grid)
    found = disc_joints(catalogue.on(grid), fit)
    assert len(found) == len(SIDES)
    for joint in found:
        assert not list(check_joint(joint, fit).issues())


def test_check_refuses_a_disc_that_does_not_hold_or_does_not_go_in(
    catalogue: Catalogue, printer: Printer
) -> None:
    """Round, it falls out; wider than its gaps it does not go in; wider all round, not at all."""
    fit = fit_of(printer)
    joint = disc_joints(catalogue, fit)[0]
    x, y = fit.grid.centre_mm(0, 0)
    start, disc = (translate(part, x, y) for part in seated(catalogue, fit))

    def codes(part: Solid) -> set[str]:
        return {issue.code for issue in check_seated(joint, start, part).issues()}

    def scaled(by: float) -> Solid:
        return translate(translate(disc, -x, -y).scale((by, by, 1)), x, y)

    bore = sign_disc._circle(sign_disc.DISC_MM)
    lugless = disc ^ translate(extrude(bore, -1.0, 3.0), x, y)
    assert codes(disc) == set()
    assert codes(lugless) == {"FDF432"}
    assert codes(scaled(1.0 + 1.2 * fit.fit_mm / sign_disc.DISC_MM)) == {"FDF430"}
    every_way = disc + translate(translate(disc, -x, -y).rotate((0, 0, 60)), x, y)
    assert codes(every_way) == {"FDF430"}


def test_only_a_turn_to_the_gaps_lets_the_disc_go(catalogue: Catalogue, printer: Printer) -> None:
    start, disc = seated(catalogue, fit_of(printer))
    slack = (sign_disc.GAP_DEG - sign_disc.LUG_DEG) / 2
    for turn in range(0, 360, 3 if EXHAUSTIVE else 7):
        off = abs(turn % 120 - sign_disc.TURN_DEG)
        if off > slack + 1:
            assert caught(start, disc, turn) >= OVERLAP_MM3, turn
        elif off < slack - 1:
            assert caught(start, disc, turn) < OVERLAP_MM3, turn


@pytest.mark.parametrize("fit_mm", FITS_MM)
def test_disc_holds_however_it_lies_in_its_play(
    fit_mm: float, catalogue: Catalogue, printer: Printer
) -> None:
    start, disc = seated(catalogue, replace(fit_of(printer), fit_mm=fit_mm))
    for step in range(24):
        angle = math.tau * step / 24
        aside = translate(disc, fit_mm * math.cos(angle), fit_mm * math.sin(angle))
        assert caught(start, aside) >= OVERLAP_MM3


@pytest.mark.parametrize("side", SIDES)
def test_disc_stands_on_the_tile_and_lies_flush(
    side: str, catalogue: Catalogue, printer: Printer
) -> None:
    start, disc = (
        own_solid(catalogue[key], fit_of(printer)).bounding_box()
        for key in (f"start-{side}", f"start-disc-{side}")
    )
    assert disc[2] == pytest.approx(0.0, abs=1e-6)
    assert disc[5] == pytest.approx(STANDARD.cap_mm, abs=1e-6)
    assert start[5] == pytest.approx(STANDARD.cap_mm, abs=1e-6)


def test_disc_fits_starts_of_other_sizes(catalogue: Catalogue, printer: Printer) -> None:
    fit = fit_of(printer)
    _, disc = seated(catalogue, fit)
    for grid in GRIDS:
        start, _ = seated(catalogue.on(grid), fit.on(grid))
        assert overlap_mm3(start, disc) < OVERLAP_MM3
        assert caught(start, disc) >= OVERLAP_MM3


def test_starts_of_both_sides_are_one_stone(catalogue: Catalogue, printer: Printer) -> None:
    red, blue = (own_solid(catalogue[f"start-{side}"], fit_of(printer)) for side in SIDES)
    assert (red - blue).volume() + (blue - red).volume() < OVERLAP_MM3
    assert {catalogue[f"start-{side}"].group for side in SIDES} == {"stone"}


@pytest.mark.parametrize("side", SIDES)
def test_each_start_needs_the_disc_of_its_side(side: str, catalogue: Catalogue) -> None:
    ((disc, count),) = catalogue.companions(catalogue.start_marker(side))
    assert (disc.key, disc.group, count) == (f"start-disc-{side}", side, 1)
