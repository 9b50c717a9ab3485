"""What hands do on the board before it is done: red with its reason, strokes without a gap."""

import time
from collections.abc import Iterator
from itertools import pairwise

import pytest

from tests.amount import some
from tests.render.chromium import BINARY
from tests.studio.test_hands import stroke
from tests.studio.test_page import Page

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(BINARY is None, reason="no Chromium"),
]
TABLE = """forge 1
board 10x10
stack C3 height 2
stack F3 height 1
stack H3, H6 height 2
bridge H3 -> H6 level 2
"""
TIP = "document.querySelector('#tip')"
SPOKEN = "document.querySelector('#spoken').textContent"
RED = "studio.view.marks.some(({ bad }) => bad)"


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    found = Page(tmp_path_factory.mktemp("strokes"))
    yield found
    found.close()


@pytest.fixture(autouse=True)
def fresh(page: Page) -> Iterator[None]:
    """Every test begins with the same text, seen from home, and ends with an empty console."""
    page.browser.run(f"studio.app.editor.put({TABLE!r})")
    page.wait("!studio.state.sent && studio.state.whole")
    page.wait("studio.view.board.rows === 10 && studio.view.board.columns[22][0] === 2")
    page.choose("look")
    page.browser.run("studio.view.home()")
    yield
    assert page.browser.complaints() == []


def hover(page: Page, row: int, col: int, level: int) -> None:
    page.mouse("mouseMoved", page.spot(row, col, level))


@pytest.mark.parametrize(
    ("tool", "first", "last", "why"),
    [
        ("ladder", (4, 0, 0), (7, 7, 0), "does not join two neighbouring tiles"),
        ("ladder", (4, 0, 0), (4, 0, 0), "does not join two neighbouring tiles"),
        ("bridge", (2, 2, 2), (2, 5, 1), "runs into C3"),
        ("spire", None, (4, 0, 0), "stands on the bare board"),
        ("battlement", None, (4, 0, 0), "it is bare board"),
        ("tree", None, (2, 7, 2), "where the bridge ends"),
        ("raise", None, (2, 7, 2), "runs into H3"),
    ],
)
def test_what_would_break_the_map_is_red_with_its_reason_and_refused(
    page: Page,
    tool: str,
    first: tuple[int, int, int] | None,
    last: tuple[int, int, int],
    why: str,
) -> None:
    page.choose(tool)
    if first:
        page.click(*first)
        page.wait("studio.state.first")
    hover(page, *last)
    page.wait(f"{TIP}.classList.contains('bad') && {TIP}.textContent.includes({why!r})")
    assert page.browser.run(RED)
    page.click(*last)
    page.wait(f"{SPOKEN}.includes({why!r})")
    assert page.text() == TABLE
    hover(page, 9, 9, 0)
    page.choose("look")
    page.wait(f"!{RED}")


def test_a_stroke_that_would_break_the_map_is_red_under_the_hand(page: Page) -> None:
    page.choose("spire")
    spots = [page.spot(row, 4, 0) for row in (7, 8)]
    page.mouse("mouseMoved", spots[0])
    page.mouse("mousePressed", spots[0])
    page.mouse("mouseMoved", spots[1], button="left")
    page.wait(f"studio.state.ghost?.why && {RED}")
    page.mouse("mouseReleased", spots[1])
    page.wait(f"{SPOKEN}.includes('stands on the bare board')")
    assert page.text() == TABLE


def test_a_button_for_what_is_chosen_shows_that_it_would_break_the_map(page: Page) -> None:
    page.choose("choose")
    page.click(2, 7, 2)
    page.wait("studio.state.chosen.size === 1")
    x, y = page.browser.run(
        "(() => { const one = [...document.querySelectorAll('#chosen button')][0]; "
        "const r = one.getBoundingClientRect(); return [r.left + 5, r.top + 5]; })()"
    )
    page.mouse("mouseMoved", (x, y))
    page.wait(f"{SPOKEN}.includes('runs into H3') && {RED}")


@pytest.mark.parametrize(
    "ends", [((9, 0), (9, 9)), ((9, 9), (8, 0)), ((9, 1), (7, 4), (9, 8)), ((8, 0), (9, 1), (6, 0))]
)
def test_a_quick_stroke_goes_over_all_that_lies_between(
    page: Page, ends: tuple[tuple[int, int], ...]
) -> None:
    """Each leg is one event of the mouse, as when a hand is quick or the machine is slow."""
    page.choose("raise")
    stroke(page, *((row, col, 0) for row, col in ends))
    last = ends[-1][0] * 10 + ends[-1][1]
    page.wait(f"studio.view.board.columns[{last}][0] === 1")
    found = page.browser.run(
        "studio.view.board.columns.flatMap(([level], at) => "
        "level && ![22, 25, 27, 57].includes(at) ? [[Math.floor(at / 10), at % 10]] : [])"
    )
    for here, there in pairwise(ends):
        assert list(here) in found
        assert list(there) in found
    left, heap = [list(ends[0])], [tuple(one) for one in found]
    while left:  # every tile touches another one of the stroke
        row, col = left.pop()
        near = [at for at in heap if abs(at[0] - row) <= 1 and abs(at[1] - col) <= 1]
        heap = [at for at in heap if at not in near]
        left += [list(at) for at in near]
    assert heap == []
    far = sum(max(abs(a[0] - b[0]), abs(a[1] - b[1])) for a, b in pairwise(ends))
    assert len(found) <= far + 1


def test_a_line_has_no_gap(page: Page) -> None:
    wrong = page.browser.run(
        "import('/stroke.js').then(({ line }) => [...Array(324).keys()].filter((n) => { "
        "const from = [n % 2 ? 0 : 4, n % 4 > 1 ? 0 : 5], to = [Math.floor(n / 4) % 9, "
        "Math.floor(n / 36)]; let at = from; const touch = line(from, to).every((next) => { "
        "const step = Math.max(...next.map((v, i) => Math.abs(v - at[i]))); at = next; "
        "return step === 1; }); return !touch || at[0] !== to[0] || at[1] !== to[1]; }))"
    )
    assert wrong == []


KEYS = (
    *(("Escape", 27), ("Enter", 13), ("Delete", 46), ("ArrowUp", 38), ("?", 191), ("0", 48)),
    *((key, ord(key.upper())) for key in "vqrfpetswlxncbadgyohuk1234m"),
)


@pytest.mark.parametrize("tool", ["raise", "start-red", "choose", "bridge", "look", "stamp"])
def test_any_key_in_the_middle_of_a_stroke_is_survived(page: Page, tool: str) -> None:
    for key, code in some(KEYS, 7):
        page.choose(tool)
        spots = [page.spot(9, col, 0) for col in (1, 3, 5)]
        page.browser.run("document.querySelector('#board').focus()")
        page.mouse("mouseMoved", spots[0])
        page.mouse("mousePressed", spots[0])
        page.mouse("mouseMoved", spots[1], button="left")
        page.browser.key(key, code)
        page.mouse("mouseMoved", spots[2], button="left")
        page.mouse("mouseReleased", spots[2])
        page.browser.run("document.querySelector('#keys').close()")
        assert page.browser.complaints() == [], (tool, key)
        page.wait("!studio.state.sent && studio.app.wire.socket.readyState === 1")


def test_escape_lets_go_of_a_stroke(page: Page) -> None:
    page.choose("raise")
    spots = [page.spot(9, col, 0) for col in (1, 5)]
    page.browser.run("document.querySelector('#board').focus()")
    page.mouse("mouseMoved", spots[0])
    page.mouse("mousePressed", spots[0])
    page.mouse("mouseMoved", spots[1], button="left")
    page.browser.key("Escape", 27)
    page.mouse("mouseReleased", spots[1])
    page.click(9, 9, 0)
    page.wait("studio.view.board.columns[99][0] === 1")
    assert page.browser.run("studio.view.board.columns[93][0]") == 0
    assert page.browser.run("studio.state.tool.name") == "raise"


def test_erasing_on_a_bridge_takes_the_bridge_and_under_it_the_column(page: Page) -> None:
    page.browser.run(f"studio.app.editor.put({TABLE + 'stack H4 height 1' + chr(10)!r})")
    page.wait("studio.view.board.columns[37][0] === 1")
    page.choose("erase")
    hover(page, 4, 7, 2)
    page.wait(f"{TIP}.textContent.startsWith('erase one H5@2')")
    page.wait(f"{TIP}.textContent.includes('removes: bridge')")
    page.click(4, 7, 2)
    page.wait("studio.view.board.decks.length === 0")
    assert page.browser.run("studio.view.board.columns[37][0]") == 1


def test_what_was_undone_is_told(page: Page) -> None:
    page.choose("raise")
    page.click(9, 0, 0)
    page.wait(f"{SPOKEN} === 'raise A10: done'")
    page.browser.run("document.querySelector('#undo').click()")
    page.wait(f"{SPOKEN} === 'raise A10: undone'")
    page.browser.run("document.querySelector('#redo').click()")
    page.wait(f"{SPOKEN} === 'raise A10: redone'")


def test_panes_say_that_they_are_worked_out(page: Page) -> None:
    shown = page.browser.run(
        "import('/meaning.js').then(({ stale, pieces }) => { const names = ['pieces', 'plates', "
        "'totals', 'measures']; const text = () => names.map((id) => "
        "document.getElementById(id).textContent); "
        "for (const id of names) document.getElementById(id).replaceChildren(); stale(); "
        "const late = text(); pieces({ pieces: [], plates: [], totals: null }); "
        "return [late, text()]; })"
    )
    assert all("computing" in text for text in shown[0])
    assert all("when the map can be built" in text for text in shown[1][:3])


def test_the_reason_is_there_soon(page: Page) -> None:
    """One question under way at a time: a pointer on its way asks of the tile it has come to."""
    page.choose("spire")
    for col in range(10):
        hover(page, 9, col, 0)
    page.wait(f"{TIP}.classList.contains('bad') && {TIP}.textContent.includes('J10')")
    time.sleep(0.2)
    assert "J10" in page.browser.run(f"{TIP}.textContent")


def test_the_last_tile_of_a_zone_stays_and_hands_go_on(page: Page) -> None:
    page.choose("start-red")
    page.click(9, 0, 0)
    page.wait("studio.view.board.starts[0]?.places.length === 1")
    page.click(9, 0, 0)
    page.wait(f"{SPOKEN}.includes('keeps at least one tile')")
    page.choose("raise")
    page.click(9, 9, 0)
    page.wait("studio.view.board.columns[99][0] === 1")


LONG = "'# ' + 'stone '.repeat(12) + '\\n'"


def test_a_long_paste_is_one_change_and_laid_out_once(page: Page) -> None:
    """The browser's own paste goes line by line: it blocked the page for a minute."""
    counted = page.browser.run(
        "(() => { window.laid = 0; window.inputs = 0; new MutationObserver(() => { laid += 1; })"
        ".observe(document.querySelector('#numbers'), { childList: true }); "
        "const area = document.querySelector('#text'); area.focus(); "
        "area.addEventListener('input', () => { inputs += 1; }, { once: true }); "
        "area.setSelectionRange(area.value.length, area.value.length); "
        "const data = new DataTransfer(); "
        f"data.setData('text/plain', ({LONG}).repeat(4000)); "
        "const event = new ClipboardEvent('paste', { clipboardData: data, cancelable: true, "
        "bubbles: true }); area.dispatchEvent(event); return [event.defaultPrevented, "
        "area.value.length, area.scrollTop > 0]; })()"
    )
    assert counted == [True, len(TABLE) + 75 * 4000, True]
    page.wait("!studio.state.sent && studio.app.editor.judged?.length > 300000")
    page.wait("studio.state.whole")
    laid, inputs = page.browser.run("[laid, inputs]")
    assert (laid <= 3, inputs) == (True, 0)
    numbers = page.browser.run("document.querySelector('#numbers').textContent").split()
    assert len(numbers) < 100  # of a long text those that are seen
    assert "4007" in numbers
    page.browser.run("document.querySelector('#text').scrollTop = 0")
    page.wait("document.querySelector('#numbers').textContent.startsWith('1\\n2\\n')")
    assert page.text().startswith(TABLE)


def test_a_paste_takes_the_place_of_what_is_selected(page: Page) -> None:
    page.browser.run(
        "(() => { const area = document.querySelector('#text'); area.focus(); "
        "area.setSelectionRange(area.value.indexOf('C3'), area.value.indexOf('C3') + 2); "
        "const data = new DataTransfer(); data.setData('text/plain', 'C4\\r\\n# x\\r\\nstack D3'); "
        "const event = new ClipboardEvent('paste', { clipboardData: data, cancelable: true }); "
        "area.dispatchEvent(event); })()"
    )
    page.wait("studio.view.board.columns[32][0] === 0 || studio.view.board.columns[23][0] === 2")
    assert "stack C4\n# x\nstack D3 height 2\n" in page.text()
