"""The page in other languages, in a real Chromium: texts follow the choice, controls hold them."""

from collections.abc import Iterator

import pytest

from tests.render.chromium import BINARY
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
    speak(page, "en")
    page.wait(f"({ISSUE}).includes('no statement')")
