"""Every screen of the studio is looked at in Chromium, as a person looks: see `screens.JUDGE`.

By default each screen in the hand, and those that differ most on a desk; with FORGE_EXHAUSTIVE all
of them at every size in both themes. Some have a small picture in `tests/studio/pictures/`, for a
reviewer; FORGE_ACCEPT=1 writes them again.
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
from tests.studio.screens import JUDGE, SCREENS, SIZES, THEMES, dressed, reach, studio
from tests.studio.test_axe import AXE, FINDINGS
from tests.studio.test_page import Page

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(BINARY is None, reason="no Chromium"),
]
PICTURES = Path(__file__).with_name("pictures")
SHOWN = ("design", "text", "issues", "preview", "print", "game", "target")
"""Screens with a picture."""
SHARE = 4
"""How many times smaller a picture is than its screen."""
LIMIT = 9.0
"""Greatest mean difference of a picture's levels, of 255, over any ninth of it."""
SERIOUS = FINDINGS.replace(
    "found.violations.flatMap",
    "found.violations.filter(({ impact }) => ['serious', 'critical'].includes(impact)).flatMap",
)
ALL = [(theme, size, screen) for theme, size, screen in product(THEMES, SIZES, SCREENS)]
ASKED = [
    (theme, size, screen)
    for theme, size, screen in ALL
    if EXHAUSTIVE
    or (theme == "light" and (size == "phone" or screen in SHOWN))
    or (theme == "dark" and size == "desk" and screen in ("design", "issues", "target"))
]
DIFFERENT_TEAMS = {"game", "target"}
"""Screens whose units are drawn by lot: their pictures are compared outside the board alone."""


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    with studio() as found:
        yield found
        assert found.browser.complaints() == []


@pytest.mark.parametrize(("theme", "size", "screen"), ASKED)
def test_person_finds_nothing_wrong(page: Page, theme: str, size: str, screen: str) -> None:
    dressed(page, theme)
    reach(page, screen, size)
    assert page.browser.run(JUDGE) == []


@pytest.mark.parametrize("screen", SCREENS)
@pytest.mark.skipif(not Path(AXE).is_file(), reason="no axe-core: FORGE_AXE names its script")
def test_axe_has_no_finding_in_the_hand(page: Page, screen: str) -> None:
    dressed(page, "light")
    reach(page, screen, "phone")
    page.browser.run(Path(AXE).read_text("utf-8") + "; true")
    assert page.browser.run(SERIOUS) == []


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


@pytest.mark.parametrize(("size", "screen"), [*product(("desk", "phone"), SHOWN)])
def test_screen_looks_as_its_picture(page: Page, size: str, screen: str, tmp_path: Path) -> None:
    dressed(page, "light")
    reach(page, screen, size)
    now = small(page.browser.screenshot())
    path = PICTURES / f"{screen}-{size}.png"
    if "FORGE_ACCEPT" in os.environ:
        PICTURES.mkdir(exist_ok=True)
        now.quantize(64).save(path, optimize=True)
    kept = Image.open(path).convert("RGB")
    if screen in DIFFERENT_TEAMS:
        hidden = page.browser.run(
            "['#board-pane', '#result-pane', 'footer'].map((one) => { const r = "
            "document.querySelector(one).getBoundingClientRect(); "
            "return [r.left, r.top, r.right, r.bottom]; })"
        )
        for box in hidden:
            for image in (now, kept):
                image.paste("grey", tuple(round(edge / SHARE) for edge in box))
    now.save(tmp_path / "now.png")
    ImageChops.difference(now, kept).save(tmp_path / "difference.png")
    assert difference(now, kept) < LIMIT, f"look at {path} beside the pictures in {tmp_path}"


WRONG = {
    "two texts": "document.querySelector('#tool-help').style.cssText = 'position:fixed;"
    "left:40px;top:68px;z-index:9'",
    "cut": "document.querySelector('#verdict-short').style.cssText = 'height:6px;"
    "overflow:hidden;line-height:20px;align-self:start'",
    "small": "document.querySelector('#undo').style.cssText = 'min-width:20px;min-height:20px;"
    "width:20px;height:20px;padding:0'",
    "covered": "document.querySelector('#places').style.cssText = 'position:fixed;bottom:60px;"
    "left:0;right:0'",
    "off the screen": "document.querySelector('#redo').style.cssText = 'position:fixed;left:420px'",
    "larger than the window": "document.querySelector('footer').style.minWidth = '700px'",
}
"""Faults of a page, each with a script that makes it on a phone."""


@pytest.mark.parametrize("fault", WRONG)
def test_fault_of_a_page_is_found(page: Page, fault: str) -> None:
    dressed(page, "light")
    reach(page, "design", "phone")
    page.browser.run(WRONG[fault])
    found = page.browser.run(JUDGE)
    page.browser.run(
        "for (const one of document.querySelectorAll('[style]')) "
        "if (!one.closest('#stage')) one.removeAttribute('style')"
    )
    assert any(line.startswith(fault) for line in found), found


def test_picture_with_a_moved_control_is_found() -> None:
    page = Image.new("RGB", (390, 844), "white")
    page.paste("black", (20, 20, 120, 60))
    moved = Image.new("RGB", (390, 844), "white")
    moved.paste("black", (200, 20, 300, 60))
    assert difference(page, moved) > LIMIT
    assert difference(page, page) == 0
