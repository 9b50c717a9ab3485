"""The page in other languages, in a real Chromium: texts follow the choice.

Screens in longer words are looked at by `test_screens.py`.
"""

from collections.abc import Iterator

import pytest

from tests.render.chromium import BINARY
from tests.studio.judge import broken
from tests.studio.screens import SIZES
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
