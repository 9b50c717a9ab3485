"""Shares of failing tables against the normal distributions they are drawn from."""

import math
from dataclasses import astuple
from statistics import NormalDist

import pytest

from falldamage_forge.geometry.baseplate import tie_gap_mm
from falldamage_forge.geometry.connector_standard import CORNER_MM, STANDARD, heads
from falldamage_forge.geometry.design_parameters import DesignParameters
from falldamage_forge.geometry.snap_fit import GRAM_N, LEAST_GF, MOST_STRAIN, Spring
from falldamage_forge.geometry.tolerance_analysis import (
    BLADES,
    HARDEST_N,
    PRESS_MM,
    JointKind,
    blade_room,
    rest_mm,
    tolerance,
)

FIT = DesignParameters()
WALL, GRIP = Spring(8.8, 0.02), 2.1
MANY = 20_000
SURE = 0.012
"""Three standard errors of a share of so many tables, and a little."""


def below(limit_mm: float, spread_mm: float) -> float:
    """A difference of two dimensions, each within its spread in 19 of 20 cases, below a limit."""
    return NormalDist(0, math.sqrt(2) * spread_mm / 2).cdf(limit_mm)


def failures(kind: JointKind, spread_mm: float, fit: DesignParameters = FIT) -> dict[str, float]:
    found = tolerance([kind], fit, spread_mm, MANY)
    assert all(name.startswith(f"{kind.name}: ") for name in found.failures)
    return {name.partition(": ")[2]: share for name, share in found.failures.items()}


@pytest.mark.parametrize("spread", [0.05, 0.2, 0.4])
def test_a_tie_is_too_tight_or_falls_out(spread: float) -> None:
    found, gap = failures(JointKind("tie in its pockets", 1), spread), tie_gap_mm(FIT)
    assert found.get("too tight", 0) == pytest.approx(
        below(CORNER_MM - PRESS_MM - gap, spread), abs=SURE
    )
    wanted = 1 - below(STANDARD.tie_lip_mm - gap, spread)
    assert found.get("falls out", 0) == pytest.approx(wanted, abs=SURE)


ROOM = {
    # Worked out by hand from the steps at the middles of layers, 0.12 and 0.36 deep: side of the
    # bulb, of the stem, along the blade, and what its half width reaches behind the neck.
    "bridge's blades in keyholes": (0.24, 0.24, 0.29, 0.30),
    "ladder's hook": (0.29, 0.29, 0.22, 0.25),
    "ladder's foot": (0.31, 0.30, 0.32, None),
}


@pytest.mark.parametrize("name", ROOM)
def test_blades_have_the_room_of_their_printed_layers(name: str) -> None:
    found = blade_room(name, FIT)
    for value, wanted in zip(astuple(found), ROOM[name], strict=True):
        assert value == (None if wanted is None else pytest.approx(wanted, abs=1e-6))


@pytest.mark.parametrize("name", ROOM)
@pytest.mark.parametrize("fit_mm", [0.10, 0.22, 0.34])
@pytest.mark.parametrize("spread", [0.1, 0.3])
def test_a_blade_is_too_tight_or_slips_out(name: str, fit_mm: float, spread: float) -> None:
    fit = DesignParameters(fit_mm)
    found, room = failures(JointKind(name, 1), spread, fit), blade_room(name, fit)
    wanted = 0.0 if room.catch_mm is None else below(-0.02 - room.catch_mm, spread)
    assert found.get("slips out", 0) == pytest.approx(wanted, abs=SURE)
    lies = name != BLADES
    each = [
        below(CORNER_MM * lies - PRESS_MM / 2 - gap, spread) for gap in (room.side_mm, room.stem_mm)
    ]
    # Layers lie along a ladder's blade: only its keyhole deviates, a half size of its own.
    own = spread / math.sqrt(2) if lies else spread
    each.append(below(-PRESS_MM / 2 - room.along_mm, own))
    assert max(each) - SURE <= found.get("too tight", 0) <= sum(each) + SURE


@pytest.mark.parametrize("blade_mm", [None, 0.12, 0.36])
@pytest.mark.parametrize("spread", [0.1, 0.2])
def test_a_bridge_lies_a_layer_off_beyond_its_ledge_or_its_gap(
    blade_mm: float | None, spread: float
) -> None:
    fit = DesignParameters(blade_mm=blade_mm)
    lowest, ledge = rest_mm(fit)
    # A keyhole narrows by this from one layer to the next, at bulb and neck alike.
    assert lowest + ledge == pytest.approx(0.27)
    assert lowest == pytest.approx((blade_mm or 0.24) - 0.10)
    found = tolerance([JointKind(BLADES, 1)], fit, spread, MANY).uneven
    wanted = below(-PRESS_MM / 2 - lowest, spread) + below(-ledge, spread)
    assert found == pytest.approx(wanted, abs=SURE)


@pytest.mark.parametrize("spread", [0.1, 0.2, 0.4])
def test_a_click_goes_on_comes_off_and_holds(spread: float) -> None:
    kind = JointKind("block on a tile", 1, WALL, 2, 0.2, GRIP, 60.0)
    found = failures(kind, spread)
    wanted = below(-PRESS_MM - FIT.fit_mm, spread)
    assert found.get("does not go on", 0) == pytest.approx(wanted, abs=SURE)
    n_for_each_mm = GRIP * 2 * 8.8
    need = LEAST_GF * GRAM_N * 60.0 / heads(FIT).top_mm
    tips = below(need / n_for_each_mm - 0.2, spread)
    assert found.get("tips too easily", 0) == pytest.approx(tips, abs=SURE)
    hard = 1 - below(HARDEST_N / n_for_each_mm - 0.2, spread)
    assert found.get("cannot be pulled off", 0) == pytest.approx(hard, abs=SURE)
    far = 1 - below(MOST_STRAIN / WALL.strain_per_mm - 0.2, spread)
    assert found.get("bends too far", 0) == pytest.approx(far, abs=SURE)


def test_stiff_beads_are_too_hard_to_pull_and_soft_ones_break() -> None:
    for spring, limit, why in (
        (Spring(60.0, 0.0), HARDEST_N / (GRIP * 2 * 60.0), "cannot be pulled off"),
        (Spring(1.0, 0.03), MOST_STRAIN / 0.03, "bends too far"),
    ):
        found = failures(JointKind("block on a tile", 1, spring, 2, limit, GRIP), 0.1)
        assert found[why] == pytest.approx(0.5, abs=SURE)


def test_a_cap_cannot_tip() -> None:
    kind = JointKind("cap's legs", 1, Spring(5.0, 0.01), 2, 0.2, GRIP)
    assert "tips too easily" not in failures(kind, 0.1)


def test_joints_of_a_table_share_most_deviation() -> None:
    """Two normal numbers with 0.8² in common are both above their middle in 1/4 + asin/2π."""
    need = LEAST_GF * GRAM_N * 60.0 / heads(FIT).top_mm
    middle = need / (GRIP * 2 * 8.8)
    for count, good in ((1, 0.5), (2, 0.25 + math.asin(0.64) / (2 * math.pi))):
        found = failures(JointKind("block on a tile", count, WALL, 2, middle, GRIP, 60.0), 0.02)
        assert 1 - found["tips too easily"] == pytest.approx(good, abs=SURE)


def test_failures_are_sorted_and_counted_once_per_table() -> None:
    block = JointKind("block on a tile", 9, WALL, 2, 0.2, GRIP, 90.0)
    kinds = [block, JointKind("tie in its pockets", 9)]
    found = tolerance(kinds, FIT, 0.3, 2000)
    assert list(found.failures.values()) == sorted(found.failures.values(), reverse=True)
    assert found.first == next(iter(found.failures))
    assert max(found.failures.values()) <= 1 - found.share <= sum(found.failures.values())
    assert tolerance(kinds, FIT, 0.3, 2000) == found != tolerance(kinds, FIT, 0.3, 2000, seed=2)
