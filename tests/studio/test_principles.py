"""Rules of the page in a real Chromium: targets, reasons, what was done, what is not saved."""

import json
from collections.abc import Iterator

import pytest

from tests.render.chromium import BINARY
from tests.studio.test_overflow import DIALOGS, SOUND, WINDOWS, WRONG
from tests.studio.test_page import Page

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(BINARY is None, reason="no Chromium"),
]
TARGET_PX, FINGER_PX = 24, 44
"""Least size of what is pressed: of WCAG 2.2 by a mouse, and by a finger."""
SMALL = """(() => {
  const rest = (one) => one.closest('label') ?? one;
  const size = (one) => { const { width, height } = rest(one).getBoundingClientRect();
    return Math.min(width, height); };
  return [...document.querySelectorAll('button, select, input, summary')]
    .filter((one) => one.checkVisibility({ visibilityProperty: true }) && size(one) > 1)
    .filter((one) => size(one) < LEAST - .5)
    .map((one) => `${one.tagName}#${one.id} ${one.ariaLabel ?? one.textContent} ${size(one)}`);
})()"""
UNREASONED = (
    "[...document.querySelectorAll('button:disabled, input:disabled, select:disabled')]"
    ".filter((one) => !one.title && !one.closest('[hidden]')).map((one) => one.id)"
)
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


def window(page: Page, name: str, finger: bool) -> None:
    width, height = WINDOWS[name]
    page.browser.narrow(width, height)
    page.browser.ask("Emulation.setTouchEmulationEnabled", enabled=finger)
    page.wait(
        f"innerWidth === {width}"
        f" && matchMedia('(pointer: coarse)').matches === {json.dumps(finger)}"
    )


@pytest.mark.parametrize("finger", [False, True])
@pytest.mark.parametrize("name", WINDOWS)
def test_what_is_pressed_is_large_enough(page: Page, name: str, finger: bool) -> None:
    put(page, WRONG)
    window(page, name, finger)
    small = SMALL.replace("LEAST", str(FINGER_PX if finger else TARGET_PX))
    found = {"the page": page.browser.run(small)}
    for one in DIALOGS:
        page.browser.run(f"document.querySelector('#{one}').showModal()")
        found[one] = page.browser.run(small)
        page.browser.run(f"document.querySelector('#{one}').close()")
    for one in ("text", "result"):
        page.browser.run(f"import('./panes.js').then((panes) => panes.open('{one}'))")
        found[one] = page.browser.run(small)
    page.browser.run("document.querySelector('#more').showPopover()")
    found["more"] = page.browser.run(small)
    page.browser.run("document.querySelector('#more').hidePopover()")
    window(page, "a desk", False)
    assert {one: small for one, small in found.items() if small} == {}


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
    window(page, name, False)
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
    window(page, "a desk", False)


@pytest.mark.parametrize("name", WINDOWS)
def test_a_map_that_is_not_saved_says_so_at_every_width(page: Page, name: str) -> None:
    put(page, SOUND)
    window(page, name, False)
    hear = "import('./heard.js').then(({ HEARD, last }) => HEARD.state({ ...last.state, %s }))"
    page.browser.run(hear % "saved: false, why: 'the disk is full'")
    kept = "document.querySelector('#kept')"
    assert page.browser.run(f"{kept}.checkVisibility() && {kept}.className") == "bad"
    assert page.browser.run("document.documentElement.scrollWidth") <= WINDOWS[name][0]
    offered = page.browser.run("document.querySelector('#notice button').textContent")
    assert offered == "Save text"
    page.browser.run("import('./notes.js').then((notes) => notes.notice(''))")
    page.browser.run(hear % "saved: true, why: null")
    window(page, "a desk", False)


COVERED = """(() => {
  const { left, top } = document.querySelector('#board').getBoundingClientRect();
  const { rows, cols, columns } = studio.view.board;
  const places = Array.from({ length: rows * cols }, (_, at) =>
    studio.view.spot(Math.floor(at / cols), at % cols, columns[at][0]));
  return places.map(([x, y]) => document.elementFromPoint(left + x, top + y))
    .filter((one) => one?.id !== 'board')
    .map((one) => one?.closest('[id]')?.id ?? 'outside');
})()"""


@pytest.mark.parametrize("name", WINDOWS)
def test_nothing_that_floats_covers_a_tile(page: Page, name: str) -> None:
    put(page, SOUND)
    window(page, name, False)
    page.browser.run(
        "import('./panes.js').then((panes) => { for (const one of ['text', 'result']) "
        "if (!document.querySelector(`#${one}-pane`).classList.contains('folded') "
        "&& innerWidth < 1024) document.querySelector(`.fold[data-pane=${one}]`).click(); })"
    )
    page.browser.run("studio.view.home()")
    notes = "import('./notes.js').then((notes) => notes.%s)"
    page.browser.run(
        notes % "notice('a notice that is long enough to wrap', [['Save text', () => {}]])"
    )
    page.wait(f"!studio.view.waiting && ({COVERED}).length === 0")
    page.browser.run(notes % "notice('')")
    window(page, "a desk", False)


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
