"""Pictures of a series, in one frame, and how drawings become text."""

from collections import Counter
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from falldamage_forge.library.forge import Forge
from falldamage_forge.render import svg as svg_module
from falldamage_forge.render.build_steps import steps
from falldamage_forge.render.isometric import PictureSeries, isometric
from falldamage_forge.render.svg import path_data
from tests.amount import some
from tests.nasty import nasty
from tests.render.boards import MAPS

COORDINATES = st.one_of(
    st.floats(-5000, 5000), st.sampled_from((-0.0, -0.04, 0.04, 10.0, -10.0, 0.96, 100.0))
)


@pytest.mark.parametrize("name", [*MAPS, *(f"nasty {seed}" for seed in some(range(60), 4))])
def test_what_stays_is_drawn_as_in_a_picture_of_its_own(name: str) -> None:
    """A series remembers shapes; a memory that forgets a cause would draw an old shadow or wall."""
    map_ = Forge().loads(nasty(int(name[6:])).text) if " " in name else Forge().load(name)
    found = steps(map_.board, Forge().plan(map_).placements)
    whole = found[-1].board
    series = PictureSeries(whole)
    for step in found:
        draw = partial(isometric, step.board, legend=False)
        assert draw(series=series) == draw(series=PictureSeries(whole))
    assert isometric(whole, series=series) == isometric(whole)


def test_boards_of_a_series_lie_at_one_place() -> None:
    map_ = Forge().load("duel")
    found = steps(map_.board, Forge().plan(map_).placements)
    sizes = {
        (drawing.width, drawing.height)
        for step in found
        for drawing in [isometric(step.board, legend=False, series=PictureSeries(map_.board))]
    }
    assert len(sizes) == 1


@given(st.lists(st.tuples(COORDINATES, COORDINATES), min_size=1, max_size=9))
def test_points_are_written_like_numbers_alone(path: list[tuple[float, float]]) -> None:
    words = " ".join(f"{_shortest(x)},{_shortest(y)}" for x, y in path)
    assert path_data([tuple(path)], closed=False) == f"M{words}"


def _shortest(value: float) -> str:
    text = f"{value:.1f}".rstrip("0").rstrip(".") if "." in f"{value:.1f}" else f"{value:.1f}"
    return "0" if text == "-0" else text


def test_no_picture_of_a_build_is_painted_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    painted = Counter[str]()
    paint = svg_module.paint

    def noted(text: str, *, with_fonts: bool = False) -> bytes:
        painted[text] += 1
        return paint(text, with_fonts=with_fonts)

    monkeypatch.setattr(svg_module, "paint", noted)
    monkeypatch.setattr(svg_module, "cached_image", lambda what, content, make: make())
    files = Forge().build(Forge().load("duel")).artifacts()
    assert {"board.png", "map.png", "report.html"} <= {file.path for file in files}
    assert painted and set(painted.values()) == {1}
