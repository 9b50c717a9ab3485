"""Rubble walls: cells lie apart on the unrolled wall, and go round its corners in one piece."""

import random

import pytest
import shapely

from falldamage_forge.geometry.design_parameters import DesignParameters
from falldamage_forge.geometry.footprint import outline
from falldamage_forge.geometry.relief.rubble_walls import CLEAR_MM, cells
from falldamage_forge.geometry.relief.wall_patterns import run_of
from falldamage_forge.geometry.relief.wall_zones import WallZone

RUN = run_of(outline(((0, 0),), DesignParameters()))
GAP_MM = 0.8


@pytest.mark.parametrize("seed", range(3))
def test_cells_fill_the_wall_apart_from_each_other_and_round_corners(seed: int) -> None:
    zone = WallZone(3.0, 23.0, 0)
    drawn = list(cells(RUN, zone, random.Random(seed), (9.0, 6.5), GAP_MM, 0.6))
    assert drawn == list(cells(RUN, zone, random.Random(seed), (9.0, 6.5), GAP_MM, 0.6))
    sides: dict[int, list[shapely.Polygon]] = {side: [] for side in range(4)}
    corners = set()
    for parts in drawn:
        for side, points in parts:
            area, length = shapely.Polygon(points), RUN.lengths_mm[side]
            assert area.is_valid and area.exterior.is_ccw
            left, low, right, high = area.bounds
            assert -1e-6 <= left < right <= length + 1e-6
            assert zone.low_mm - 1e-6 <= low < high <= zone.high_mm + 1e-6
            sides[side].append(area)
        if len(parts) == 2:
            (before, first), (after, second) = parts
            assert after == (before + 1) % 4
            corners.add(after)
            length = RUN.lengths_mm[before]
            ends = [sorted(round(v, 6) for u, v in first if u == pytest.approx(length))]
            ends += [sorted(round(v, 6) for u, v in second if u == pytest.approx(0, abs=1e-6))]
            assert ends[0] == ends[1] and len(ends[0]) == 2
            near = [length - u for u, _ in first] + [u for u, _ in second]
            assert all(away < 1e-6 or away > CLEAR_MM - 1e-6 for away in near)
    assert corners == {0, 1, 2, 3}
    for side, areas in sides.items():
        apart = [a.distance(b) for n, a in enumerate(areas) for b in areas[:n]]
        assert min(apart) > GAP_MM / 2
        share = sum(area.area for area in areas) / (RUN.lengths_mm[side] * 20.0)
        assert 0.5 < share < 0.95
