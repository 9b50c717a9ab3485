"""Accessibility of the studio by axe-core, on every view, in both themes.

`npm install axe-core`, then `FORGE_AXE=node_modules/axe-core/axe.min.js` names its script.
"""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.render.chromium import BINARY
from tests.studio.test_overflow import FORETELL
from tests.studio.test_page import Page

AXE = os.environ.get("FORGE_AXE", "")
pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(BINARY is None, reason="no Chromium"),
    pytest.mark.skipif(not Path(AXE).is_file(), reason="no axe-core: FORGE_AXE names its script"),
]
SIZES = {"wide": (1440, 900), "small": (1024, 768), "tablet": (820, 1180), "phone": (390, 844)}
TABLE = "forge 1\nboard 10x10\nstack C3 height 1\nstart red at B1..I1\nstart blue at B10..I10\n"
DIALOGS = ("presets", "find", "printing", "setting", "match", "keys")
FINDINGS = (
    "Promise.all(document.getAnimations().filter((one) => one instanceof CSSTransition)"
    ".map((one) => one.finished))"
    ".then(() => axe.run(document, { resultTypes: ['violations'] }))"
    ".then((found) => found.violations.flatMap("
    "(one) => one.nodes.map((node) => `${one.id}: ${node.html.slice(0, 200)}`)))"
)
"""Script that returns the findings of axe, after all colours have changed over."""


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    found = Page(tmp_path_factory.mktemp("axe"))
    still = {"name": "prefers-reduced-motion", "value": "reduce"}
    found.browser.ask("Emulation.setEmulatedMedia", features=[still])
    found.browser.run(Path(AXE).read_text("utf-8") + "; true")
    found.browser.run(f"studio.app.editor.put({TABLE!r})")
    found.wait("studio.state.sent === null && !document.querySelector('#play').disabled")
    found.wait("document.querySelector('#totals dd')?.textContent")
    yield found
    found.close()


def findings(page: Page) -> list[str]:
    """What axe reports, one row an element."""
    found: list[str] = page.browser.run(FINDINGS)
    return found


@pytest.fixture(params=["light", "dark"])
def theme(page: Page, request: pytest.FixtureRequest) -> None:
    now = page.browser.run("document.documentElement.dataset.theme ?? 'light'")
    if now != request.param:
        page.browser.run("document.querySelector('#theme').click()")


@pytest.mark.usefixtures("theme")
@pytest.mark.parametrize("size", SIZES)
def test_editor_has_no_finding(page: Page, size: str) -> None:
    page.browser.narrow(*SIZES[size])
    page.choose("look")
    assert findings(page) == []
    page.click(2, 2, 1)
    page.choose("erase")
    page.mouse("mouseMoved", page.spot(7, 7, 0))
    page.mouse("mouseMoved", page.spot(5, 5, 0))
    page.wait("studio.state.ghost?.known")
    assert findings(page) == []
    page.choose("choose")
    page.click(2, 2, 1)
    page.wait("studio.state.chosen.size && !document.querySelector('#knob').hidden")
    assert findings(page) == []
    page.browser.run("document.querySelector('#board').focus()")
    page.browser.key("Escape", 27)
    page.choose("stamp")
    page.wait("document.querySelector('#stamps details')")
    assert findings(page) == []


@pytest.mark.usefixtures("theme")
@pytest.mark.parametrize("dialog", DIALOGS)
def test_dialog_has_no_finding(page: Page, dialog: str) -> None:
    page.browser.narrow(*SIZES["wide"])
    page.browser.run(f"document.querySelector('#{dialog}').showModal()")
    assert findings(page) == []
    page.browser.run(f"document.querySelector('#{dialog}').close()")


@pytest.mark.usefixtures("theme")
def test_game_has_no_finding(page: Page) -> None:
    page.choose("look")
    page.browser.run(
        "document.querySelector('#player-blue').value = 'hand', "
        "document.querySelector('#play').click(), document.querySelector('#begin').click()"
    )
    page.wait("studio.state.play?.hand")
    for size in SIZES.values():
        page.browser.narrow(*size)
        assert findings(page) == []
        page.browser.run(FORETELL)
        assert findings(page) == []
    page.browser.run("document.querySelector('#leave').click()")
    page.wait("!studio.state.play")
