"""Every screen is looked at in Chromium, as a person looks: see `judge.js`.

By default each screen of the studio at each size, in themes, languages and hands by turns, and each
written page once or twice; with FORGE_EXHAUSTIVE all of them. Some screens have a small picture in
`tests/studio/pictures/`, for a reviewer; FORGE_ACCEPT=1 writes them again.
"""

import io
import os
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest
from PIL import Image, ImageChops, ImageStat

from tests.amount import EXHAUSTIVE
from tests.render.chromium import BINARY
from tests.studio.judge import judged
from tests.studio.screens import (
    GAMES,
    ODD_SIZES,
    SCREENS,
    SIZES,
    THEMES,
    Look,
    reach,
    studio,
    turns,
)
from tests.studio.test_page import Page
from tests.studio.written import WRITTEN, Desk, desk, every_page, pages

pytestmark = [
    pytest.mark.long,
    pytest.mark.browser,
    pytest.mark.skipif(BINARY is None, reason="no Chromium"),
]
PICTURES = Path(__file__).with_name("pictures")
SHOWN = ("design", "text", "issues", "preview", "print", "game", "target", "dice", "end", "link")
"""Screens with a picture."""
SHARE = 4
"""How many times smaller a picture is than its screen."""
LIMIT = 9.0
"""Greatest mean difference of a picture's levels, of 255, over any ninth of it."""


def looks() -> list[Look]:
    """Return every look at the studio, or one of each kind by turns."""
    if not EXHAUSTIVE:
        return turns()
    every = [Look(*one, finger=one[1] != "desk") for one in product(SCREENS, SIZES, THEMES)]
    odd = product(SCREENS, ODD_SIZES, ["light"], ("pseudo", "de"), (True, False))
    smallest = [*ODD_SIZES][-1]
    looks = [Look(*one) for one in odd]
    return [*every, *(one for one in looks if one.size != smallest or one.screen not in GAMES)]


PICTURED = {look for look in turns() if look.screen in SHOWN and look.size in ("desk", "phone")}
"""Looks with a picture."""


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    with studio() as found:
        yield found
        assert found.browser.complaints() == []


@pytest.fixture(scope="module", params=looks(), ids=str)
def look(page: Page, request: pytest.FixtureRequest) -> Look:
    """A look at the studio, with the page there."""
    found: Look = request.param
    reach(page, found)
    return found


def small(picture: bytes) -> Image.Image:
    """Return a screenshot as its reference picture."""
    image = Image.open(io.BytesIO(picture)).convert("RGB")
    return image.resize((image.width // SHARE, image.height // SHARE), Image.Resampling.BOX)


def difference(one: Image.Image, other: Image.Image) -> float:
    """Return the greatest mean difference of levels over the nine parts of two pictures.

    A mean forgives other edges of letters, as another version of a font draws them, and finds a
    control that has moved, a break in tone, or a text that is missing.
    """
    if one.size != other.size:
        return 255.0
    apart = ImageChops.difference(one, other).convert("L")
    wide, high = apart.width / 3, apart.height / 3
    boxes = [
        tuple(map(round, (x * wide, y * high, (x + 1) * wide, (y + 1) * high)))
        for x in range(3)
        for y in range(3)
    ]
    return max(ImageStat.Stat(apart.crop(box)).mean[0] for box in boxes)


def asks_axe(look: Look) -> bool:
    """True if axe, which takes seconds, looks too: at each screen once, at the sizes by turns."""
    turn = [*SCREENS, *WRITTEN].index(look.screen) % len(SIZES)
    return EXHAUSTIVE or look.size == [*SIZES][turn]


def test_person_finds_nothing_wrong_with_a_screen(page: Page, look: Look) -> None:
    assert judged(page.browser, axe=asks_axe(look)) == []


def test_screen_looks_as_its_picture(page: Page, look: Look, tmp_path: Path) -> None:
    if look not in PICTURED:
        pytest.skip("no picture is kept of it")
    now = small(page.browser.screenshot())
    path = PICTURES / f"{look.screen}-{look.size}.png"
    if "FORGE_ACCEPT" in os.environ:
        PICTURES.mkdir(exist_ok=True)
        now.quantize(64).save(path, optimize=True)
    kept = Image.open(path).convert("RGB")
    now.save(tmp_path / "now.png")
    ImageChops.difference(now, kept).save(tmp_path / "difference.png")
    assert difference(now, kept) < LIMIT, f"look at {path} beside the pictures in {tmp_path}"


@pytest.fixture(scope="module")
def reader() -> Iterator[Desk]:
    with desk() as found:
        yield found
        assert found.browser.complaints() == []


@pytest.mark.parametrize("look", every_page() if EXHAUSTIVE else pages(), ids=str)
def test_reader_finds_nothing_wrong_with_a_page(reader: Desk, look: Look) -> None:
    reader.reach(look)
    assert judged(reader.browser, rolls=WRITTEN[look.screen].rolls, axe=asks_axe(look)) == []


# -- the judge -----------------------------------------------------------------------------------

WRONG = {
    "two texts": "document.querySelector('#tool-help').style.cssText = 'position:fixed;"
    "left:40px;top:68px;z-index:9'",
    "cut": "document.querySelector('#verdict-short').style.cssText = 'height:6px;"
    "overflow:hidden;line-height:20px;align-self:start'",
    "lost": "document.querySelector('#verdict-short').style.cssText = 'display:block;width:80px;"
    "overflow:hidden;white-space:nowrap;text-indent:400px'",
    "under": "document.body.append(Object.assign(document.createElement('div'), {id: 'lid',"
    "style: 'position:fixed;inset:0;background:#fff;z-index:99'}))",
    "spilt": "document.querySelector('#build').parentElement.hidden = false;"
    "document.querySelector('#build').style.cssText = 'width:44px;min-width:0;padding:0;"
    "white-space:nowrap;letter-spacing:9px'",
    "wider than its box": "document.querySelector('footer').style.overflowX = 'auto';"
    "document.querySelector('#tool-help').style.cssText = 'white-space:nowrap'",
    "small": "document.querySelector('#undo').style.cssText = 'min-width:20px;min-height:20px;"
    "width:20px;height:20px;padding:0'",
    "covered": "document.querySelector('#places').style.cssText = 'position:fixed;bottom:60px;"
    "left:0;right:0'",
    "off the screen": "document.querySelector('#redo').style.cssText = 'position:fixed;left:420px'",
    "larger than the window": "document.querySelector('footer').style.minWidth = '700px'",
    "of another mode": "document.querySelector('#doom').textContent = 'dies';"
    "document.querySelector('#doom').hidden = false",
    "no viewport": "document.querySelector('meta[name=viewport]').name = 'none'",
}
"""Faults of a page, each with a script that makes it on a phone."""
MENDED = """
for (const one of document.querySelectorAll('[style]'))
  if (!one.closest('#stage > *')) one.removeAttribute('style');
document.querySelector('#offer').hidden = true;
document.querySelector('#doom').textContent = '';
document.querySelector('#lid')?.remove();
document.querySelector('meta[name]').name = 'viewport';
"""


@pytest.mark.parametrize("fault", WRONG)
def test_fault_of_a_page_is_found(page: Page, fault: str) -> None:
    reach(page, Look("design", "phone"))
    page.browser.run(WRONG[fault])
    found = judged(page.browser, axe=False)
    page.browser.run(MENDED)
    assert any(line.startswith(fault) for line in found), found


def test_picture_with_a_moved_control_is_found() -> None:
    page = Image.new("RGB", (390, 844), "white")
    page.paste("black", (20, 20, 120, 60))
    moved = Image.new("RGB", (390, 844), "white")
    moved.paste("black", (200, 20, 300, 60))
    assert difference(page, moved) > LIMIT
    assert difference(page, page) == 0
