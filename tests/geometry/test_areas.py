"""Areas of tops' patterns: slits end at the tile's edge, and none of them is in the area."""

import pytest
import shapely
from shapely import affinity

from falldamage_forge.geometry.relief.elements import DRAWN_MM, FigureEnvelope, PatternArea

AREAS = [PatternArea(), PatternArea(tile_mm=40.0, half_mm=18.2, slit_in_mm=16.0, slit_at_mm=8.0)]


@pytest.mark.parametrize("area", AREAS)
@pytest.mark.parametrize("grow_mm", [0.0, 0.3])
def test_eight_slits_lead_from_the_stone_to_the_edge(area: PatternArea, grow_mm: float) -> None:
    slits = area.slits(grow_mm)
    edge = area.tile_mm / 2
    assert len(shapely.get_parts(slits)) == 8
    assert slits.bounds == pytest.approx((-edge, -edge, edge, edge))
    one = shapely.box(
        area.slit_at_mm - area.slit_half_mm - grow_mm, area.slit_in_mm - grow_mm,
        area.slit_at_mm + area.slit_half_mm + grow_mm, edge,
    )  # fmt: skip
    assert slits.contains(one.buffer(-1e-9))
    assert slits.area == pytest.approx(8 * one.area)
    for turn in (90, 180, 270):
        assert affinity.rotate(slits, turn, origin=(0, 0)).equals_exact(slits, 1e-9, normalize=True)


@pytest.mark.parametrize("area", AREAS)
def test_area_is_its_square_without_the_slits(area: PatternArea) -> None:
    half = area.half_mm
    square = shapely.box(-half, -half, half, half)
    inside = area.slits().intersection(square).area
    assert inside > 0
    assert area.area().area == pytest.approx(square.area - inside)
    drawn = area.drawn()
    assert drawn.tile_mm == DRAWN_MM and drawn.drawn() is drawn
    assert drawn.tile_mm / 2 - drawn.half_mm == pytest.approx(area.tile_mm / 2 - half)
    assert drawn.tile_mm / 2 - drawn.slit_in_mm == pytest.approx(area.tile_mm / 2 - area.slit_in_mm)


def test_heights_of_a_figure_fill_its_room() -> None:
    for room in (FigureEnvelope(14.9, 60.0, 0.84), FigureEnvelope(19.9, 50.0, 0.84, 4 / 3)):
        heights = [room.z(drawn) for drawn in (0.0, 7.8, 15.6, 37.8, 60.0)]
        assert heights[0] == 0.0 and heights[-1] == pytest.approx(room.top_mm)
        assert heights[1:3] == pytest.approx([7.8 * room.wide, 15.6 * room.wide])
        assert heights[3] == pytest.approx((heights[2] + heights[4]) / 2)
    assert FigureEnvelope(9.0, 60.0, 0.8, 0.5).crown == 0.5
    assert FigureEnvelope(9.0, 60.0, 0.8, 2.0).crown == 1.0
    assert FigureEnvelope(9.0, 60.0, 0.8, 2.0).thick_mm == 1.6
    assert FigureEnvelope(9.0, 60.0, 0.8, 0.5).thick_mm == 0.8
