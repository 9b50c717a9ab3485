"""Tables printed a little wrong: what the model says of good, bad and other printers."""

import json
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import falldamage_forge as ff
from falldamage_forge.geometry.fits import Fit
from falldamage_forge.geometry.tolerance import SPREADS_MM, Kind, kinds_of, shares, tolerance
from falldamage_forge.lengths import GAPS_MM
from falldamage_forge.pieces.model import Placement
from tests.cli.running import ROOT, typed


@pytest.fixture(scope="module")
def parts() -> tuple[Placement, ...]:
    return ff.plan(ff.load("duel")).placements


def test_a_perfect_printer_fails_nowhere(parts: tuple[Placement, ...]) -> None:
    found = tolerance(kinds_of(parts, Fit()), Fit(), 1e-6)
    assert found.share == 1.0
    assert found.first == ""
    assert not found.failures


def test_the_defaults_bear_what_a_good_printer_does(parts: tuple[Placement, ...]) -> None:
    """Within ±0.05 nearly every table, within ±0.10 most; the coupon is for all others."""
    kinds = kinds_of(parts, Fit())
    assert tolerance(kinds, Fit(), 0.05).share >= 0.99
    assert tolerance(kinds, Fit(), 0.10).share >= 0.75


def test_the_page_tells_what_the_command_does(parts: tuple[Placement, ...]) -> None:
    page = (ROOT / "docs" / "pieces.md").read_text("utf-8")
    table = page.partition("<!-- tolerance of duel -->")[2].partition("\n\n")[0]
    told = {float(a): int(b) for a, b in re.findall(r"±([\d.]+) mm \| (\d+) %", table)}
    assert tuple(told) == SPREADS_MM
    kinds = kinds_of(parts, Fit())
    for spread, share in told.items():
        assert share == round(100 * tolerance(kinds, Fit(), spread).share)


def test_the_defaults_are_the_best_of_their_neighbours(parts: tuple[Placement, ...]) -> None:
    others = [
        Fit(fit, click_mm=click) for fit in (0.10, 0.15, 0.20) for click in (0.15, 0.20, 0.25)
    ]
    found = {fit: one.share for fit, one in shares(parts, others, 0.10)}
    assert max(found.values()) <= found[Fit()] + 0.02


@settings(max_examples=20, deadline=None)
@given(st.floats(0.02, 0.2), st.floats(1.1, 2.0))
def test_a_worse_printer_never_does_better(spread: float, worse: float) -> None:
    kinds = [Kind("block on a tile", 20, 8.8, 2, 0.25, 60.0), Kind("tie in its pockets", 8)]
    near, far = (tolerance(kinds, Fit(), each, 800) for each in (spread, spread * worse))
    assert far.share <= near.share + 0.03
    assert all(0 < share <= 1 for share in far.failures.values())


@pytest.mark.parametrize(
    ("fit", "why"),
    [
        (Fit(GAPS_MM["fit_mm"][0]), "does not go on"),
        (Fit(click_mm=GAPS_MM["click_mm"][0]), "tips too easily"),
        (Fit(GAPS_MM["fit_mm"][1]), "falls out"),
    ],
)
def test_what_fails_first_follows_the_fit(fit: Fit, why: str, parts: tuple[Placement, ...]) -> None:
    assert any(name.endswith(why) for name in tolerance(kinds_of(parts, fit), fit, 0.15).failures)


def test_the_command_tells_it() -> None:
    run = typed("prove", "duel", "--tolerance")
    assert run.returncode == 0, run.stderr
    assert "±0.10 mm" in run.stdout
    found = json.loads(typed("prove", "duel", "--tolerance", "--json").stdout)
    assert [one["spread_mm"] for one in found["tolerance"]["duel"]] == [0.05, 0.1, 0.15, 0.2]
    assert typed("prove", "--tolerance").returncode == 2
