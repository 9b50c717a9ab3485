"""Rules of the page in a real Chromium: reasons, what was done, what is not saved."""

from collections.abc import Iterator

import pytest

from tests.render.chromium import BINARY
from tests.studio.screens import ODD_SIZES, SIZES
from tests.studio.test_overflow import WRONG
from tests.studio.test_page import Page

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(BINARY is None, reason="no Chromium"),
]
UNREASONED = (
    "[...document.querySelectorAll('button:disabled, input:disabled, select:disabled')]"
    ".filter((one) => !one.title && !one.closest('[hidden]')).map((one) => one.id)"
)
WINDOWS = {**SIZES, **ODD_SIZES}
SOUND = "forge 1\nstack C3 height 1\nstart red at B1..I1\nstart blue at B10..I10\n"
SPOKEN = "document.querySelector('#spoken').textContent"


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    found = Page(tmp_path_factory.mktemp("page"))
    yield found
    assert found.browser.complaints() == []
    found.close()


def put(page: Page, text: str) -> None:
    page.browser.run(f"studio.app.editor.put({text!r})")
    page.wait("studio.app.sync.idle && document.querySelector('#verdict').className")


def window(page: Page, name: str) -> None:
    width, height = WINDOWS[name]
    page.browser.narrow(width, height)
    page.wait(f"innerWidth === {width}")


@pytest.mark.parametrize("text", [SOUND, WRONG])
def test_no_button_is_disabled_without_its_reason(page: Page, text: str) -> None:
    put(page, text)
    page.wait(f"({UNREASONED}).length === 0")


def say(page: Page, words: str) -> None:
    page.browser.run(
        f"(() => {{ document.querySelector('#words').value = {words!r}; "
        "document.querySelector('#say').requestSubmit(); })()"
    )


def test_status_line_states_what_was_just_done(page: Page) -> None:
    put(page, SOUND)
    for _ in range(2):
        say(page, "raise D5")
        page.wait(f"{SPOKEN} === 'raise D5: done'")
        page.browser.run("document.querySelector('#undo').click()")
        page.wait(f"{SPOKEN} === 'raise D5: undone'")
    page.browser.run("document.querySelector('#redo').click()")
    page.wait(f"{SPOKEN} === 'raise D5: redone'")


@pytest.mark.parametrize("name", WINDOWS)
@pytest.mark.parametrize(("words", "kind"), [("raise D5", "good"), ("lower A5", "bad")])
def test_nothing_covers_the_preview_of_words(page: Page, name: str, words: str, kind: str) -> None:
    put(page, SOUND)
    window(page, name)
    page.browser.run("document.querySelector('#find-button').click()")
    page.browser.run(
        f"(() => {{ const at = document.querySelector('#words'); at.value = {words!r}; "
        "at.dispatchEvent(new Event('input')); })()"
    )
    page.wait(f"document.querySelector('#tip').className === '{kind}'")
    seen = (
        "(() => { const tip = document.querySelector('#tip'), r = tip.getBoundingClientRect(); "
        "return [.1, .9].every((part) => tip.contains("
        "document.elementFromPoint(r.left + r.width / 2, r.top + r.height * part))); })()"
    )
    page.browser.run("document.querySelector('#tip').style.pointerEvents = 'auto'")
    page.wait(seen)
    page.browser.run("document.querySelector('#find').close()")
    page.wait(
        "document.querySelector('#tip').textContent === '' "
        "&& document.querySelector('#tip').parentElement.id === 'float'"
    )
    window(page, "desk")


@pytest.mark.parametrize("name", WINDOWS)
def test_a_map_that_is_not_saved_says_so_at_every_width(page: Page, name: str) -> None:
    put(page, SOUND)
    window(page, name)
    hear = "import('./heard.js').then(({ HEARD, last }) => HEARD.state({ ...last.state, %s }))"
    page.browser.run(hear % "saved: false, why: 'the disk is full'")
    kept = "document.querySelector('#kept')"
    assert page.browser.run(f"{kept}.checkVisibility() && {kept}.className") == "bad"
    assert page.browser.run("document.documentElement.scrollWidth") <= WINDOWS[name][0]
    offered = page.browser.run("document.querySelector('#notice button').textContent")
    assert offered == "Save text"
    page.browser.run("import('./notes.js').then((notes) => notes.notice(''))")
    page.browser.run(hear % "saved: true, why: null")
    window(page, "desk")


def test_an_absent_studio_is_counted_in_seconds_and_edits_go_on(page: Page) -> None:
    put(page, SOUND)
    kept, wire = "document.querySelector('#kept')", "studio.app.wire"
    before = page.browser.run(f"{kept}.textContent")
    page.browser.run(f"{wire}.open = () => {{}}; {wire}.socket.close();")
    page.wait(f"/^reconnecting, [1-9]\\d* s$/.test({kept}.textContent)")
    assert page.browser.run(f"{kept}.className") == "bad"
    page.browser.run(f"studio.app.editor.put({WRONG!r})")
    page.browser.run(f"delete {wire}.open; {wire}.open();")
    page.wait(f"{kept}.textContent === {before!r} && studio.app.sync.idle")
    assert page.text() == WRONG
    page.wait("document.querySelector('#issues .error')")


def test_one_key_hides_the_panes_and_shows_them_again(page: Page) -> None:
    folded = "document.querySelectorAll('.pane.folded').length"
    page.browser.run("document.querySelector('#board').focus()")
    before = page.browser.run(folded)
    for number in (2, 0) if before < 2 else (0, 2):
        page.browser.ask("Input.dispatchKeyEvent", type="keyDown", key="\\", text="\\")
        page.browser.ask("Input.dispatchKeyEvent", type="keyUp", key="\\")
        page.wait(f"{folded} === {number}")
