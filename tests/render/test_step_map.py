"""Map of a step: the box that stands for a tie lies on the seam that the tie crosses."""

from itertools import combinations

import pytest
import shapely

from falldamage_forge.board import DIRECTIONS, Tile
from falldamage_forge.render.display_list import Pen
from falldamage_forge.render.palette import LIGHT
from falldamage_forge.render.step_map import _MAP_TILE_PX, _draw_on_seam

ORIGIN = 17.0


def square(tile: Tile) -> shapely.Polygon:
    x, y = (ORIGIN + at * _MAP_TILE_PX for at in (tile.col, tile.row))
    return shapely.box(x, y, x + _MAP_TILE_PX, y + _MAP_TILE_PX)


def on_seam(one: Tile, other: Tile) -> tuple[shapely.Polygon, Pen]:
    pen = Pen()
    _draw_on_seam(pen, (one, other), ORIGIN)
    filled = [shape for shape in pen.shapes if shape.fill]
    assert len(filled) == 1
    return shapely.Polygon(filled[0].paths[0]), pen


@pytest.mark.parametrize("way", DIRECTIONS)
def test_box_on_a_seam_lies_half_on_each_tile_in_the_middle_of_their_edge(
    way: tuple[int, int],
) -> None:
    one = Tile(3, 5)
    other = one.step(way)
    box, pen = on_seam(one, other)
    seam = square(one).intersection(square(other))
    assert box.centroid.distance(seam.centroid) == pytest.approx(0)
    assert box.intersection(square(one)).area == pytest.approx(box.area / 2)
    assert box.intersection(square(other)).area == pytest.approx(box.area / 2)
    assert box.area > (0.4 * _MAP_TILE_PX) ** 2, "large enough for its letter"
    drawn = shapely.union_all([shapely.LineString(s.paths[0]) for s in pen.shapes if s.stroke])
    assert drawn.equals(box.exterior)


def test_box_on_a_seam_is_marked_like_the_other_new_parts() -> None:
    """The map shines through it; its outline is solid."""
    _, pen = on_seam(Tile(1, 1), Tile(1, 2))
    fill, *edges = pen.shapes
    assert (fill.fill, {edge.stroke for edge in edges}) == (LIGHT.marks[1], {LIGHT.marks[1]})
    assert fill.opacity < 0.5
    assert {(edge.width, edge.opacity) for edge in edges} == {(3.0, 1.0)}


def test_boxes_on_the_four_seams_of_a_tile_do_not_touch() -> None:
    boxes = [on_seam(Tile(1, 1), Tile(1, 1).step(way))[0] for way in DIRECTIONS]
    assert all(one.distance(other) > 1 for one, other in combinations(boxes, 2))
