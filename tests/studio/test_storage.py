"""Storage of the browser that is forbidden or full: told, and the text can be saved."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.render.chromium import BINARY
from tests.studio.test_page import Page
from tests.studio.test_server import TEXT

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(BINARY is None, reason="no Chromium"),
]
FORBIDDEN = {"profile": {"default_content_setting_values": {"cookies": 2}}}
"""Preferences of a browser that forbids sites to store anything."""
FULL = (
    "(() => { Storage.prototype.setItem = () => { "
    "throw new DOMException('full', 'QuotaExceededError'); }; return true; })()"
)
STORES = (
    "(() => { try { localStorage.setItem('x', 'y'); return true; } catch { return false; } })()"
)
TYPED = "# typed\n"


def type_line(page: Page) -> None:
    page.browser.run(
        f"(() => {{ const t = document.querySelector('#text'); t.value += {TYPED!r}; "
        "t.dispatchEvent(new Event('input')); })()"
    )


@pytest.fixture
def page(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Page]:
    """A page that may store nothing, or whose storage is full."""
    if request.param == "forbidden":
        settings = tmp_path / "profile" / "Default" / "Preferences"
        settings.parent.mkdir(parents=True)
        settings.write_text(json.dumps(FORBIDDEN))
    found = Page(tmp_path)
    found.wait("studio.state.whole && studio.state.sent === null")
    if request.param == "full":
        found.browser.run(FULL)
    yield found
    found.close()


@pytest.mark.parametrize("page", ["forbidden", "full"], indirect=True)
def test_a_text_that_no_storage_takes_is_told_and_can_be_saved(page: Page, tmp_path: Path) -> None:
    assert page.browser.run(STORES) is False
    page.choose("raise")
    page.click(2, 2, 1)
    raised = TEXT.replace("height 1", "height 2")
    page.wait_text(raised)
    page.wait("studio.state.sent === null")
    assert page.studio.file.read_text("utf-8") == raised  # the studio's disk is another one
    assert page.browser.complaints() == []
    page.studio.close()
    page.wait("studio.app.sync.cut")
    type_line(page)
    page.wait("document.querySelector('#notice').textContent.includes('does not store your text')")
    kept = page.saved(lambda: page.press("#notice button"), "*.forge")
    assert kept.decode() == raised + TYPED
