"""Lines that lie on each other are found in a layer, and no others."""

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from falldamage_forge import presets
from falldamage_forge.cli.sliced_proof import PartSlicer
from falldamage_forge.geometry.laid_twice import NEAR_MM, OWN_MM, STEP_MM, laid_twice
from falldamage_forge.geometry.sliced_part import TWICE_MM
from falldamage_forge.pieces.catalogue import Catalogue
from falldamage_forge.printing.gcode import read_layers

from .slicing import needs_slicer

Line = tuple[float, float, float, float]
LONG_MM = 20.0
FREE: dict[str, tuple[Line, ...]] = {
    "two lines of a wall": ((0, 0, LONG_MM, 0), (LONG_MM, 0.4, 0, 0.4)),
    "a nose": ((0, 0, 9, 0), (9, 0, 9, 0.41), (9, 0.41, 0, 0.41)),
    "a cross": ((0, 0, LONG_MM, 0), (10, -10, 10, 10)),
    "a loop": ((0, 0, 9, 0), (9, 0, 9, 9), (9, 9, 0, 9), (0, 9, 0, 0)),
    "two parts of a line": ((0, 0, 9, 0), (9, 0, LONG_MM, 0)),
}


def around(count: int, radius: float) -> list[Line]:
    at = [
        (radius * math.cos(2 * math.pi * k / count), radius * math.sin(2 * math.pi * k / count))
        for k in range(count + 1)
    ]
    return [(*a, *b) for a, b in pairwise(at)]


@pytest.mark.parametrize("name", FREE)
def test_lines_beside_each_other_are_not_laid_twice(name: str) -> None:
    assert sum(run for run, _ in laid_twice(np.array(FREE[name]))) < 2 * STEP_MM


@given(
    st.floats(3, 60),
    st.floats(0, 2 * math.pi),
    st.floats(-0.4, 0.4),
    st.booleans(),
    st.floats(1, 9),
)
def test_a_line_laid_there_and_back_is_one_run(
    long: float, turn: float, aside: float, back: bool, apart: float
) -> None:
    """Wherever it lies and whichever way the second line goes, with another one in between."""
    there = np.array([math.cos(turn), math.sin(turn)]) * long
    off = np.array([-math.sin(turn), math.cos(turn)]) * aside * NEAR_MM
    ends = (off + there, off) if back else (off, off + there)
    between = np.array([-math.sin(turn), math.cos(turn)]) * apart
    rows = [(0, 0, *there), (*(there + between), *between), (*ends[0], *ends[1])]
    ((run, middle),) = laid_twice(np.array(rows))
    lost = OWN_MM if back else 0.0
    assert long - lost - 2 * STEP_MM < run < long + STEP_MM
    assert np.dot(middle, there) / long == pytest.approx(long / 2, abs=long / 2 + STEP_MM)


def test_rings_of_short_lines_are_laid_twice_too() -> None:
    once, again = around(90, 10.0), around(77, 10.0)
    assert not laid_twice(np.array(once))
    ((run, _),) = laid_twice(np.array(once + again))
    assert run == pytest.approx(2 * math.pi * 10, abs=OWN_MM + STEP_MM)


def test_a_run_of_a_micrometre_has_the_width_of_the_line_before_it() -> None:
    """Its length is rounded in G-code, so filament by length is no width."""
    moves = ("X10 E.5", "X10.001 E.0004", "X20 E.5")
    text = "G1 X0 Y0 Z.2 F3000\n;TYPE:External perimeter\n" + "".join(f"G1 {m}\n" for m in moves)
    (layer,) = read_layers(text, {})
    assert len(layer.lines) == len(moves)
    assert np.ptp(layer.lines[:, 4]) < 0.01


LAID: dict[str, tuple[tuple[str, ...], bool]] = {
    "as the presets ask": ((), False),
    "one line between two counts as two": (
        ("--min-bead-width=70%", "--wall-transition-filter-deviation=50%"),
        True,
    ),
}


@pytest.mark.slicer
@needs_slicer
@pytest.mark.parametrize("name", LAID)
def test_a_wall_that_the_slicer_lays_twice_is_found(name: str, catalogue: Catalogue) -> None:
    """The arm of an angle between two ribs, by a nozzle of 0.6 mm: 29 mm of each side."""
    options, twice = LAID[name]
    printer = presets.set_up(presets.load_printer("a1-mini"), "quick")
    slicer = PartSlicer(printer, presets.load_style("stone"), options)
    report = slicer.judge(catalogue["block-l-1"])
    assert set(report.faults) == ({"walls"} if twice else set())
    assert (report.widest_mm("twice") > 4 * TWICE_MM) == twice
