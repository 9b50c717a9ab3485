"""Openings of walls: each element lies on the one that it stands on, within its own size."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from falldamage_forge.geometry.csg import load_library
from falldamage_forge.geometry.design_parameters import DesignParameters
from falldamage_forge.geometry.footprint import outline
from falldamage_forge.geometry.relief.elements import ReliefElement
from falldamage_forge.geometry.relief.openings import OPENINGS, arch
from falldamage_forge.geometry.relief.wall_patterns import WALLS, run_of, wall_pattern
from falldamage_forge.geometry.relief.wall_solid import wall_column
from falldamage_forge.lengths import print_grid
from tests.amount import some


def pairs(below: ReliefElement) -> Iterator[tuple[ReliefElement, ReliefElement]]:
    """Each element with each of those on it."""
    for above in below.on:
        yield below, above
        yield from pairs(above)


@pytest.mark.parametrize("name", OPENINGS)
@settings(max_examples=20)
@given(st.floats(0, 90), st.floats(0, 30), st.floats(0, 12))
def test_elements_of_an_opening_lie_one_on_another(
    name: str, middle: float, low: float, more: float
) -> None:
    draw, wide, _, least = OPENINGS[name]
    high = low + max(least, 22.0 if name == "door" else 0.0) + more
    frame = draw(3, middle, low, high)
    assert shapely.Polygon(frame.outline).bounds == pytest.approx(
        (middle - wide / 2, low, middle + wide / 2, high)
    )
    own = list(pairs(frame))
    assert frame.inset_mm == 0 and own
    for below, above in own:
        area, room = shapely.Polygon(above.outline), shapely.Polygon(below.outline)
        assert area.is_valid and area.exterior.is_ccw and area.area > 0
        assert room.contains(area), (name, below.inset_mm, above.inset_mm)
        assert above.side == below.side == 3
        assert above.inset_mm > 0
    for below in {id(below): below for below, _ in own}.values():
        areas = [shapely.Polygon(above.outline) for above in below.on]
        apart = [a.distance(b) for n, a in enumerate(areas) for b in areas[:n]]
        assert min(apart, default=1.0) > 0.3, "no two of them touch"


@pytest.mark.parametrize(("high", "count"), [(23.6, 4), (23.8, 6)])
def test_door_has_two_straps_with_seams_between_and_above_them(high: float, count: int) -> None:
    (opening,) = OPENINGS["door"][0](0, 15.0, 0.0, high).on
    (leaf,) = opening.on
    straps, seams = ([x for x in leaf.on if x.inset_mm == inset] for inset in (1.2, 1.7))
    assert (len(straps), len(seams)) == (2, count)
    assert straps[0].inset_mm < leaf.inset_mm < seams[0].inset_mm


@given(
    st.integers(-9, 9), st.integers(1, 9), st.integers(0, 9), st.integers(0, 9), st.integers(1, 6)
)
def test_pointed_arch_is_symmetric_and_as_high_as_seven_tenths_of_its_width(
    left: int, wide: int, low: int, upright: int, steps: int
) -> None:
    high = low + upright + 0.7 * wide + 0.1
    points = arch((left, left + wide), (low, high), steps)
    middle = left + wide / 2
    mirrored = {(round(2 * middle - x, 6), round(y, 6)) for x, y in points}
    assert mirrored == {(round(x, 6), round(y, 6)) for x, y in points}
    assert max(y for _, y in points) == pytest.approx(high)
    assert [y for x, y in points if x == left] == pytest.approx([low, high - 0.7 * wide])
    assert len(points) == 2 * steps + 4 - 1


@pytest.mark.parametrize("name", sorted(WALLS))
@pytest.mark.parametrize("size", [(25.0, 24.0), (25.4, 12.72), (40.0, 30.0)])
def test_walls_of_any_size_are_closed_and_so_are_their_cavities(
    name: str, size: tuple[float, float]
) -> None:
    load_library()
    fit = DesignParameters().on(print_grid(*size))
    for cells in (((0, 0),), ((0, 0), (0, 1)), ((0, 0), (1, 0), (1, 1))):
        run = run_of(outline(cells, fit), fit.grid)
        for number in some(range(4), 2):
            wall = wall_pattern(name, number, run, 2.64, fit.grid.height_mm(2) - 4.8)
            outside, cavity = wall_column(wall), wall_column(wall, fit.wall_mm)
            assert 0.0 < cavity.volume() < outside.volume()


@pytest.mark.parametrize("number", range(4))
def test_beams_of_timber_stand_two_mm_before_the_plaster(number: int) -> None:
    run = run_of(outline(((0, 0), (0, 1)), DesignParameters()))
    wall = wall_pattern("timber", number, run, 2.64, 25.2)
    fields = [stone for stone in wall.stones if len(stone.on) > 2]
    assert len(fields) >= len(run.corners)
    for field in fields:
        assert min(panel.inset_mm for panel in field.on) - field.inset_mm >= 1.5
