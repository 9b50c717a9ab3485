"""Tables printed a little wrong: what the model says of good, bad and other printers."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import falldamage_forge as ff
from falldamage_forge import presets
from falldamage_forge.geometry.design_parameters import DesignParameters
from falldamage_forge.geometry.snap_fit import Spring
from falldamage_forge.geometry.tolerance_analysis import (
    SHARED_AFTER_COUPON,
    JointKind,
    kinds_of,
    tolerance,
    tolerance_by_fit,
)
from falldamage_forge.lengths import GAPS_MM
from falldamage_forge.pieces.piece import Placement
from tests.cli.running import typed


@pytest.fixture(scope="module")
def parts() -> tuple[Placement, ...]:
    return ff.plan(ff.load("duel")).placements


def test_zero_spread_gives_no_failure(parts: tuple[Placement, ...]) -> None:
    found = tolerance(kinds_of(parts, DesignParameters()), DesignParameters(), 1e-6)
    assert found.share == 1.0
    assert found.first == ""
    assert not found.failures


def test_default_fit_tolerates_spread_of_good_printer(parts: tuple[Placement, ...]) -> None:
    """Within ±0.05 nearly every table, within ±0.10 most; the coupon is for all others."""
    kinds = kinds_of(parts, DesignParameters())
    assert tolerance(kinds, DesignParameters(), 0.05).share >= 0.99
    assert tolerance(kinds, DesignParameters(), 0.10).share >= 0.96
    assert tolerance(kinds, DesignParameters(), 0.15).share >= 0.65


@pytest.mark.parametrize("name", presets.names("maps"))
def test_every_preset_map_tolerates_what_is_told(name: str) -> None:
    """By geometry alone, and with a coupon; `docs/pieces.md` has the same shares."""
    found = ff.plan(ff.load(name)).placements
    fit = DesignParameters(grid=found[0].piece.grid)
    kinds = kinds_of(found, fit)
    assert tolerance(kinds, fit, 0.10).share >= 0.99
    assert 0.82 <= tolerance(kinds, fit, 0.15).share <= 0.915
    assert tolerance(kinds, fit, 0.15, shared=SHARED_AFTER_COUPON).share >= 0.985


def test_default_fit_is_best_of_neighbouring_fits(parts: tuple[Placement, ...]) -> None:
    others = [
        DesignParameters(fit, click_mm=click)
        for fit in (0.17, 0.22, 0.27)
        for click in (0.29, 0.34, 0.39)
    ]
    found = {fit: one.share for fit, one in tolerance_by_fit(parts, others, 0.10)}
    assert max(found.values()) <= found[DesignParameters()] + 0.02


@settings(max_examples=20, deadline=None)
@given(st.floats(0.02, 0.2), st.floats(1.1, 2.0))
def test_larger_spread_never_gives_more_good_tables(spread: float, worse: float) -> None:
    kinds = [
        JointKind("block on a tile", 20, Spring(8.8, 0.012), 2, 0.32, 2.1, 60.0),
        JointKind("tie in its pockets", 8),
    ]
    near, far = (
        tolerance(kinds, DesignParameters(), each, 800) for each in (spread, spread * worse)
    )
    assert far.share <= near.share + 0.03
    assert all(0 < share <= 1 for share in far.failures.values())


@pytest.mark.parametrize(
    ("fit", "why"),
    [
        (DesignParameters(GAPS_MM["fit_mm"][0]), "does not go on"),
        (DesignParameters(click_mm=GAPS_MM["click_mm"][0]), "tips too easily"),
        (DesignParameters(GAPS_MM["fit_mm"][1]), "falls out"),
    ],
)
def test_first_failure_depends_on_fit(
    fit: DesignParameters, why: str, parts: tuple[Placement, ...]
) -> None:
    assert any(name.endswith(why) for name in tolerance(kinds_of(parts, fit), fit, 0.15).failures)


def test_prove_tolerance_prints_share_of_good_tables() -> None:
    run = typed("prove", "duel", "--tolerance")
    assert run.returncode == 0, run.stderr
    assert "±0.10 mm" in run.stdout
    found = json.loads(typed("prove", "duel", "--tolerance", "--json").stdout)
    assert [one["spread_mm"] for one in found["tolerance"]["duel"]] == [0.05, 0.1, 0.15, 0.2]
    assert 0 < found["tolerance"]["duel"][1]["uneven"] < 0.05
    assert typed("prove", "--tolerance").returncode == 2
