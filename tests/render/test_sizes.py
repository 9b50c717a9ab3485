"""Pictures of tables of other sizes: levels as high as they are, fields as far as they reach."""

import pytest

from falldamage_forge.lengths import GRID, PrintGrid
from falldamage_forge.library.forge import Forge
from falldamage_forge.render.isometric import isometric
from falldamage_forge.render.svg import svg
from falldamage_forge.render.topdown import topdown

FORGE = Forge()
TABLE = """forge 1
rules gang-skirmish
{sizes}
stack C3..D4 height 4
field heavy-g at G7 radius 3in
railing at C3..D3 sides north height 1in
start red at B1..I1
start blue at B10..I10
"""
LOW = PrintGrid(25.4, 12.72)


def board_of(sizes: str = ""):
    return FORGE.loads(TABLE.format(sizes=sizes))


def test_low_levels_are_drawn_low() -> None:
    map_ = board_of("print { tile 1in  rise 1/2in }")
    assert map_.grid == LOW
    tall, low = (isometric(map_.board, grid=grid, legend=False) for grid in (GRID, LOW))
    assert low.height < tall.height
    assert low.width == tall.width
    assert map_._repr_svg_() == svg(isometric(map_.board, title=map_.title, grid=LOW))


def test_cubes_of_an_inch_are_drawn_as_cubes() -> None:
    plain = FORGE.loads("forge 1\nstack C3..D4 height 4\n").board
    inch = PrintGrid(25.4, 25.44)
    assert svg(isometric(plain, grid=inch)) == svg(isometric(plain))
    assert svg(topdown(plain, grid=inch)) == svg(topdown(plain))


@pytest.mark.parametrize("draw", [isometric, topdown])
def test_fields_reach_as_far_as_they_do(draw) -> None:  # type: ignore[no-untyped-def]
    board = board_of().board
    assert svg(draw(board, grid=PrintGrid(25.4, 30.0))) != svg(draw(board))


def test_a_step_is_seen() -> None:
    board, bare = (FORGE.loads(f"forge 1\n{more}\n").board for more in ("step at E5", ""))
    assert svg(isometric(board)) != svg(isometric(bare))
