"""The page in other languages, in a real Chromium: texts follow the choice.

Screens in longer words are looked at by `test_screens.py`.
"""

import re
from collections.abc import Iterator

import pytest

from tests.render.chromium import BINARY
from tests.studio.judge import broken
from tests.studio.screens import ODD_SIZES, SIZES
from tests.studio.test_page import Page

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(BINARY is None, reason="no Chromium"),
]
WRONG = "forge 1\nstak D4 height 3\nstart red at B1..I1\nstart blue at B10..I10\n"
ISSUE = "document.querySelector('#issues li')?.textContent ?? ''"


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    found = Page(tmp_path_factory.mktemp("page"))
    yield found
    assert found.browser.complaints() == []
    found.close()


def speak(page: Page, language: str) -> None:
    page.browser.run(
        f"(() => {{ const at = document.querySelector('#language'); at.value = {language!r}; "
        "at.dispatchEvent(new Event('change')); })()"
    )


def test_issues_follow_the_language_of_the_page(page: Page) -> None:
    page.browser.run(f"studio.app.editor.put({WRONG!r})")
    page.wait(f"({ISSUE}).includes('no statement')")
    speak(page, "de")
    page.wait(f"({ISSUE}).includes('keine Anweisung')")
    assert "meinst du" in page.browser.run(ISSUE)
    assert page.text() == WRONG
    page.wait("studio.app.sync.idle")
    speak(page, "en")
    page.wait(f"({ISSUE}).includes('no statement')")


def test_what_is_done_and_when_is_said_in_the_language_of_the_page(page: Page) -> None:
    page.browser.run(f"studio.app.editor.put({WRONG.replace('stak', 'stack')!r})")
    page.wait("studio.app.sync.idle && studio.state.whole && studio.view.board.cols === 10")
    speak(page, "de")
    page.choose("raise")
    page.mouse("mouseMoved", page.resting(lambda: page.spot(4, 4, 0)))
    page.wait("document.querySelector('#tip b')?.textContent === 'heben E5'")
    page.click(4, 4, 0)
    page.wait("document.querySelector('#spoken').textContent === 'heben E5: getan'")
    page.wait("document.querySelector('#undo').title.endsWith('heben E5')")
    page.browser.run("document.querySelector('#past-button').click()")
    page.wait("document.querySelectorAll('#past-list li').length > 1")
    page.browser.run("document.querySelector('#past-keep').click()")
    kept = page.browser.run("document.querySelector('#past-kept b').textContent")
    assert re.search(r"\d\.\d+\.\d{4}, \d+:\d\d", kept), kept
    page.browser.run("document.querySelector('#past').close()")
    page.choose("look")
    speak(page, "en")


@pytest.mark.parametrize("size", {**SIZES, **ODD_SIZES})
def test_page_fits_the_window_with_many_issues(page: Page, size: str) -> None:
    """What a screen reader alone hears lies in the pane, too."""
    width, height = {**SIZES, **ODD_SIZES}[size]
    page.browser.narrow(width, height)
    page.browser.run(f"studio.app.editor.put({WRONG + 'ladder E4 -> E4' + chr(10)!r}.repeat(3))")
    page.wait(
        f"innerWidth === {width} && document.querySelectorAll('#issues li').length > 3"
        " && studio.app.sync.idle"
    )
    page.browser.run("import('./panes.js').then((panes) => panes.open('result'))")
    root = "document.documentElement"
    found = page.browser.run(f"[{root}.scrollWidth, {root}.scrollHeight]")
    page.browser.narrow(1280, 800)
    assert found == [width, height]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("language", ["en", "de"])
def test_no_name_of_a_tool_is_broken(page: Page, size: str, language: str) -> None:
    page.browser.narrow(*SIZES[size])
    speak(page, language)
    page.wait(
        f"innerWidth === {SIZES[size][0]} && document.documentElement.lang === '{language}'"
        " && document.querySelectorAll('#tools button span').length > 18"
    )
    assert broken(page.browser, "#tools button span, #mirrors span, #places span") == []
    speak(page, "en")


def test_pseudo_texts_are_longer_and_keep_their_values(page: Page) -> None:
    short, spoilt = page.browser.run(
        "import('/texts.js').then(({ TEXTS, pseudo }) => { const all = Object.values(TEXTS.en); "
        "const values = (text) => (text.match(/{\\w+}/g) ?? []).join(); return ["
        "all.filter((text) => pseudo(text).length < 1.4 * text.length), "
        "all.filter((text) => values(pseudo(text)) !== values(text))]; })"
    )
    assert short == [] and spoilt == []
