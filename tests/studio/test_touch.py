"""Fingers on the board: one draws or moves it, two turn, zoom and undo; one that rests sees."""

import io
import json
import math
from collections.abc import Iterator

import pytest
from PIL import Image, ImageChops, ImageStat

from falldamage_forge.presets import load_text
from tests.render.chromium import BINARY
from tests.studio.hands import DRAWN
from tests.studio.test_page import Page
from tests.studio.test_phone import PHONES, tap

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(BINARY is None, reason="no Chromium"),
]
DUEL = load_text("maps", "duel.forge")
NEAR_PX = 3
LENS = "document.querySelector('#lens').getBoundingClientRect()"
SEEN = "document.querySelector('#lens').checkVisibility()"
POSE = "[studio.view.yaw, studio.view.pitch, studio.view.far]"
LEAST_TURN = 0.1
"""Radians."""
HALF_PX = 16
"""Half the side of what is compared under a lens."""
LEVEL = 12.0
"""Greatest mean difference of two pictures of the same tiles, of 255."""


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    found = Page(tmp_path_factory.mktemp("touch"))
    found.browser.ask("Emulation.setTouchEmulationEnabled", enabled=True, maxTouchPoints=5)
    found.wait("matchMedia('(pointer: coarse)').matches")
    yield found
    found.close()


@pytest.fixture(autouse=True)
def fresh(page: Page) -> Iterator[None]:
    """Every test begins on the table duel, upright, and ends with an empty console."""
    page.let_go()
    page.browser.narrow(*PHONES["upright"])
    page.browser.run(f"studio.app.editor.put({json.dumps(DUEL)})")
    page.wait("studio.app.sync.idle && studio.state.whole && studio.view.board.cols === 10")
    page.choose("look")
    page.browser.run("import('./board.js').then((board) => board.forget())")
    page.browser.run("studio.view.home()")
    page.wait("!studio.view.waiting")
    yield
    page.let_go()
    assert page.browser.complaints() == []


def fingers(page: Page, *steps: tuple[tuple[float, float], ...]) -> None:
    """Fingers that lie down at the first places and go to the others."""
    page.touch("touchStart", *steps[0])
    for step in steps[1:]:
        page.touch("touchMove", *step)
    page.touch("touchEnd")
    page.browser.run(DRAWN)


def way(one: tuple[float, float], other: tuple[float, float]) -> tuple[float, float]:
    return other[0] - one[0], other[1] - one[1]


@pytest.mark.parametrize("held", PHONES)
def test_one_finger_takes_the_board_with_it(page: Page, held: str) -> None:
    page.browser.narrow(*PHONES[held])
    page.browser.run("studio.view.home()")
    before = page.resting(lambda: page.spot(9, 4, 0))
    pose = page.browser.run(POSE)
    to = before[0] + 60, before[1] - 40
    fingers(page, (before,), ((before[0] + 30, before[1] - 5),), (to,))
    assert math.dist(page.spot(9, 4, 0), to) <= NEAR_PX
    assert page.browser.run(POSE) == pose
    assert page.text() == DUEL


def test_two_fingers_zoom_where_they_are(page: Page) -> None:
    x, y = page.resting(lambda: page.spot(9, 1, 0))
    before = page.browser.run(POSE)
    fingers(
        page, ((x - 20, y), (x + 20, y)), ((x - 30, y), (x + 30, y)), ((x - 40, y), (x + 40, y))
    )
    yaw, pitch, far = page.browser.run(POSE)
    assert [yaw, pitch] == before[:2]
    assert far == pytest.approx(before[2] / 2)
    assert math.dist(page.spot(9, 1, 0), (x, y)) <= NEAR_PX


@pytest.mark.parametrize("by", [40, -40])
def test_the_board_turns_as_two_fingers_twist(page: Page, by: int) -> None:
    page.browser.run("document.querySelector('[data-view=above]').click()")
    x, y = page.resting(lambda: page.spot(4.5, 4.5, 0))
    edge = way((x, y), page.spot(4.5, 8.5, 0))

    def at(angle: float) -> tuple[tuple[float, float], tuple[float, float]]:
        far = 60 * math.cos(math.radians(angle)), 60 * math.sin(math.radians(angle))
        return (x - far[0], y - far[1]), (x + far[0], y + far[1])

    fingers(page, *(at(by * step / 8) for step in range(9)))
    now = way(page.spot(4.5, 4.5, 0), page.spot(4.5, 8.5, 0))
    turned = math.degrees(math.atan2(now[1], now[0]) - math.atan2(edge[1], edge[0]))
    assert turned == pytest.approx(by, abs=3)
    assert page.text() == DUEL


def test_two_fingers_together_tilt_and_turn(page: Page) -> None:
    yaw, pitch, far = page.browser.run(POSE)
    x, y = page.resting(lambda: page.spot(5, 5, 0))
    steps = [((x - 30 + 4 * n, y - 6 * n), (x + 30 + 4 * n, y - 6 * n)) for n in range(9)]
    fingers(page, *steps)
    now = page.browser.run(POSE)
    assert pitch - now[1] >= LEAST_TURN
    assert yaw - now[0] >= LEAST_TURN
    assert now[2] == pytest.approx(far, rel=0.02)


def test_a_pinch_leaves_the_first_end_of_a_bridge(page: Page) -> None:
    page.choose("bridge")
    tap(page, page.resting(lambda: page.spot(2, 6, 2)))
    page.wait("studio.state.first")
    x, y = page.spot(5, 5, 0)
    fingers(page, ((x - 20, y), (x + 20, y)), ((x - 40, y), (x + 40, y)))
    assert page.browser.run("studio.state.first?.tile") == [2, 6]
    assert page.text() == DUEL


# -- undo ----------------------------------------------------------------------------------------


def raised(page: Page) -> tuple[float, float]:
    """A place of the board after a gesture that can be taken back."""
    page.choose("raise")
    at = page.resting(lambda: page.spot(9, 9, 0))
    for _ in range(2):
        tap(page, at)
    page.wait("studio.view.board.columns[99][0] === 1 && studio.app.sync.idle")
    return at


def test_a_tap_of_two_fingers_undoes(page: Page) -> None:
    x, y = raised(page)
    page.touch("touchStart", (x, y))
    page.touch("touchStart", (x, y), (x - 60, y))
    page.touch("touchEnd")
    page.wait("studio.view.board.columns[99][0] === 0 && studio.app.sync.idle")
    assert page.text() == DUEL


def test_a_pinch_undoes_nothing(page: Page) -> None:
    x, y = raised(page)
    fingers(page, ((x - 60, y), (x - 90, y)), ((x - 50, y), (x - 120, y)))
    page.wait("studio.app.sync.idle")
    assert page.browser.run("studio.view.board.columns[99][0]") == 1


# -- refusals ------------------------------------------------------------------------------------


def test_a_refusal_is_felt_and_a_preview_is_not(page: Page) -> None:
    page.browser.run("navigator.vibrate = (ms) => { (window.felt ??= []).push(ms); return true; }")
    page.browser.run("window.felt = []")
    page.choose("raise")
    tap(page, page.resting(lambda: page.spot(9, 9, 0)))
    page.wait("studio.state.ghost?.known")
    assert page.browser.run("window.felt") == []
    page.choose("lower")
    tap(page, page.resting(lambda: page.spot(9, 9, 0)))
    page.wait("studio.state.ghost?.why")
    assert page.browser.run("window.felt.length") == 1
    tap(page, page.resting(lambda: page.spot(9, 9, 0)))
    page.wait("window.felt.length === 2")
    page.browser.run("delete navigator.vibrate")


# -- the lens ------------------------------------------------------------------------------------


def pictured(page: Page) -> Image.Image:
    return Image.open(io.BytesIO(page.browser.screenshot())).convert("RGB")


def around(picture: Image.Image, at: tuple[float, float], half: float) -> Image.Image:
    """A square of a picture round a point."""
    (left, right), (top, bottom) = ((round(v - half), round(v + half)) for v in at)
    return picture.crop((left, top, right, bottom))


@pytest.mark.parametrize("held", PHONES)
@pytest.mark.parametrize("tile", [(0, 0, 0), (0, 9, 0), (4, 4, 1), (9, 0, 0), (9, 9, 0)])
def test_a_finger_that_rests_sees_its_tile_beside_it(
    page: Page, held: str, tile: tuple[int, int, int]
) -> None:
    page.browser.narrow(*PHONES[held])
    page.browser.run("studio.view.home()")
    page.choose("raise")
    x, y = page.resting(lambda: page.spot(*tile))
    page.touch("touchStart", (x, y))
    page.wait(f"{SEEN} && studio.state.ghost?.known && !studio.view.waiting")
    page.browser.run(DRAWN)
    left, top, size = page.browser.run(f"[{LENS}.left, {LENS}.top, {LENS}.width]")
    width, height = PHONES[held]
    assert left >= 0 and top >= 0 and left + size <= width and top + size <= height
    assert math.dist((left + size / 2, top + size / 2), (x, y)) > size / 2, "the finger covers it"
    seen = pictured(page)
    page.browser.run("document.querySelector('#lens').style.opacity = 0")
    page.browser.run("document.querySelector('#float').style.opacity = 0")
    page.browser.run("document.querySelector('#rim').style.opacity = 0")
    larger = around(seen, (left + size / 2, top + size / 2), 2 * HALF_PX)
    under = around(pictured(page), (x, y), HALF_PX)
    for one in ("lens", "float", "rim"):
        page.browser.run(f"document.querySelector('#{one}').style.opacity = ''")
    page.touch("touchEnd")
    page.wait(f"!{SEEN}")
    coarse = [one.resize((8, 8), Image.Resampling.BOX) for one in (larger, under)]
    assert ImageStat.Stat(ImageChops.difference(*coarse).convert("L")).mean[0] < LEVEL
    assert len(coarse[0].getcolors(64) or ()) > 8, "the lens shows a tile, not one colour"
    page.wait("!document.querySelector('#offer').hidden && studio.state.ghost.tapped")
    assert page.text() == DUEL


def test_no_lens_lies_over_a_quick_stroke_or_a_tap(page: Page) -> None:
    page.browser.run(
        "window.lenses = 0; new MutationObserver(() => { window.lenses += 1; })"
        ".observe(document.querySelector('#lens'), { attributeFilter: ['style'] })"
    )
    page.choose("raise")
    tap(page, page.resting(lambda: page.spot(9, 9, 0)))
    fingers(page, (page.spot(2, 0, 0),), (page.spot(2, 1, 0),))
    page.wait("studio.view.board.columns[20][0] === 1 && studio.app.sync.idle")
    page.browser.run(DRAWN)
    assert page.browser.run("window.lenses") == 0


def test_a_lens_goes_with_the_finger_that_draws(page: Page) -> None:
    page.choose("raise")
    one, other = page.resting(lambda: page.spot(9, 6, 0)), page.spot(9, 9, 0)
    page.touch("touchStart", one)
    page.wait(f"{SEEN} && !studio.view.waiting")
    before = page.browser.run(f"{LENS}.left")
    page.touch("touchMove", other)
    page.wait(f"!studio.view.waiting && {LENS}.left > {before}")
    page.touch("touchEnd")
    page.wait("studio.view.board.columns[99][0] === 1 && studio.app.sync.idle")
    assert not page.browser.run(SEEN)
