"""An hour of work on the page: reasons, history, comparison, replacement, dropped files."""

import json
from collections.abc import Iterator

import pytest

from falldamage_forge.presets import load_text
from tests.render.chromium import BINARY
from tests.studio.test_page import Page
from tests.studio.test_server import TEXT

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(BINARY is None, reason="no Chromium"),
]


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    found = Page(tmp_path_factory.mktemp("page"))
    yield found
    assert found.browser.complaints() == []
    found.close()


@pytest.fixture(autouse=True)
def fresh(page: Page) -> None:
    """Every test begins with the same text."""
    page.browser.run(
        "for (const one of document.querySelectorAll('dialog[open]')) one.close();"
        f" studio.app.editor.put({TEXT!r})"
    )
    page.wait(
        "studio.app.sync.idle && studio.state.whole && studio.view.board.columns[12][0] === 1"
    )


# -- reasons -------------------------------------------------------------------------------------


def test_every_verdict_has_its_rule_and_lights_its_tiles(page: Page) -> None:
    page.browser.run(f"studio.app.editor.put({TEXT!r} + 'tree at C2, C2\\nladder E5 -> E5\\n')")
    page.wait("document.querySelectorAll('#issues .card .why').length > 0 && studio.app.sync.idle")
    assert page.browser.run(
        "[...document.querySelectorAll('#issues .card')]"
        ".every((one) => one.querySelector('.why p').textContent.length > 10)"
    )
    shown = (
        "[...document.querySelectorAll('#issues .card')].find((one) => one.querySelector('.acts')"
    )
    page.browser.run(
        f"{shown} && one.textContent.includes('Show')).querySelector('summary').click()"
    )
    page.wait("studio.state.lit.length > 0")
    page.browser.run("document.querySelector('.why[open] summary').click()")
    page.wait("studio.state.lit.length === 0")


def test_every_measure_says_its_rule(page: Page) -> None:
    page.browser.run(f"studio.app.editor.put({json.dumps(load_text('maps', 'duel.forge'))})")
    page.wait("document.querySelectorAll('#measures li').length > 3")
    assert page.browser.run(
        "[...document.querySelectorAll('#measures li')].every((one) => one.querySelector('.why p'))"
    )
