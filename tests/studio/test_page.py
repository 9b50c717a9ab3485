"""The page in a real Chromium: what a mouse does is what the text says."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

import falldamage_forge as ff
from tests.render.chromium import BINARY, WEBGL, Chromium
from tests.studio.hands import DRAWN, Hands
from tests.studio.test_server import TEXT, Studio

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(BINARY is None, reason="no Chromium"),
]


class Page(Hands):
    """The studio's page with hands."""

    def __init__(self, folder: Path) -> None:
        self.studio = Studio(folder)
        self.browser = Chromium(folder / "profile", *WEBGL)
        self.browser.narrow(1300, 700)
        url = self.studio.url.replace("/#", "/?quality=low#")
        self.browser.open(url, "window.studio && studio.view.frames > 0")

    def wait_text(self, text: str) -> None:
        self.wait(f"document.querySelector('#text').value === {json.dumps(text)}")

    def close(self) -> None:
        self.browser.close()
        self.studio.close()


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    found = Page(tmp_path_factory.mktemp("page"))
    yield found
    found.close()


@pytest.fixture(autouse=True)
def fresh(page: Page) -> Iterator[None]:
    """Every test begins with the same text and ends with an empty console."""
    page.browser.run(f"studio.app.editor.put({TEXT!r})")
    page.wait("studio.state.sent === null && studio.state.whole")
    page.wait("studio.view.board.columns[12][0] === 1")
    yield
    assert page.browser.complaints() == []


@pytest.mark.smoke
def test_a_click_is_the_edit_that_it_means_and_is_undone(page: Page) -> None:
    page.choose("raise")
    page.click(2, 2, 1)
    raised = TEXT.replace("height 1", "height 2")
    page.wait_text(raised)
    page.wait("studio.view.board.columns[12][0] === 2")
    assert page.studio.file.read_text("utf-8") == raised
    page.browser.run("document.querySelector('#undo').click()")
    page.wait_text(TEXT)
    page.browser.run("document.querySelector('#redo').click()")
    page.wait_text(raised)


def test_a_tool_puts_what_it_is_called(page: Page) -> None:
    page.choose("tree")
    page.click(4, 0, 0)
    page.wait("studio.view.board.columns[20][2] === 'tree'")
    assert "tree" in page.text()
    assert "A5" in page.text()


def test_what_cannot_be_is_refused_with_its_reason(page: Page) -> None:
    page.choose("lower")
    page.click(0, 0, 0)
    page.wait("document.querySelector('#tip').classList.contains('bad')")
    assert page.browser.run("document.querySelector('#tip').textContent")
    assert page.text() == TEXT


def test_the_keyboard_does_what_the_mouse_does(page: Page) -> None:
    page.browser.run("document.querySelector('#board').focus(); studio.state.at = null;")
    for key, code in (("t", 84), ("ArrowRight", 39), ("ArrowRight", 39), ("Enter", 13)):
        page.browser.key(key, code)
    page.wait("studio.view.board.columns.some((one) => one[2] === 'tree')")


def test_what_another_program_writes_comes_onto_the_board(page: Page) -> None:
    page.studio.file.write_text(TEXT.replace("height 1", "height 3"), "utf-8")
    page.wait("studio.view.board.columns[12][0] === 3")
    page.browser.run("document.querySelector('#undo').click()")
    page.wait_text(TEXT)


def test_a_faulty_text_keeps_the_last_board_and_says_where(page: Page) -> None:
    page.browser.run(
        "(() => { const t = document.querySelector('#text'); t.value += 'stak\\n'; "
        "t.dispatchEvent(new Event('input')); })()"
    )
    page.wait("!studio.state.whole")
    page.wait("document.querySelector('#numbers .error')")
    assert page.browser.run("studio.view.board.columns[12][0]") == 1
    page.wait("document.querySelector('.fix')")
    page.browser.run("document.querySelector('.fix').click()")
    page.wait("!document.querySelector('#text').value.includes('stak\\n')")


ONE_SIDE = "forge 1\nstart red at B1..I1\n"
PLAYABLE = f"{ONE_SIDE}start blue at B10..I10\n"
CURES = {
    "Add start blue": ONE_SIDE,
    "Remove it": f'{PLAYABLE}allow FDF310 "none"\n',
    "Add ladder": f"{PLAYABLE}stack C4 height 3\ntreasure at C4\n",
}


@pytest.mark.parametrize("name", CURES)
def test_a_button_of_an_issue_adds_or_removes_a_line(page: Page, name: str) -> None:
    page.browser.run(f"studio.app.editor.put({CURES[name]!r})")
    found = (
        "[...document.querySelectorAll('#issues .fix')]"
        f".find((one) => one.textContent.startsWith({name!r}))"
    )
    page.wait(f"{found} && studio.state.sent === null")
    issues = "document.querySelectorAll('#issues li').length"
    before = page.browser.run(issues)
    page.browser.run(f"{found}.click()")
    page.wait(f"!{found} && {issues} < {before}")


def test_it_stands_on_a_small_screen(page: Page) -> None:
    """Also at once, with a tip that was set where the small screen has no more room."""
    page.mouse("mouseMoved", (1, 1))
    page.browser.run("document.querySelector('#board').focus(); studio.state.at = null;")
    for key, code in (("t", 84), *[("ArrowRight", 39)] * 9):
        page.browser.key(key, code)
    tip = "document.querySelector('#tip').getBoundingClientRect()"
    page.wait(f"{tip}.right > 390")
    page.browser.narrow(390, 844)
    assert page.browser.run("document.documentElement.scrollWidth") <= 390
    page.wait(f"{tip}.width > 0 && {tip}.right <= 390")
    page.browser.narrow(1300, 700)


def test_nothing_is_asked_for_elsewhere_and_all_has_a_name(page: Page) -> None:
    assert all(page.studio.host in url for url in page.browser.requests())
    nameless = (
        "[...document.querySelectorAll('button, input, textarea, canvas, section')]"
        ".filter((one) => !one.closest('[aria-hidden=true]'))"
        ".filter((one) => !(one.ariaLabel || one.textContent.trim() || one.labels?.length)).length"
    )
    assert page.browser.run(nameless) == 0


def test_signs_that_are_drawn_again_are_not_asked_for_again(page: Page) -> None:
    def asked() -> int:
        return sum(
            event["params"]["response"]["url"].endswith("icons.svg")
            and not event["params"]["response"]["fromDiskCache"]
            for event in page.browser.seen
            if event["method"] == "Network.responseReceived"
        )

    before = asked()
    for tool in ("raise", "tree", "water", "look", "raise"):
        page.choose(tool)
        page.browser.run(DRAWN)
    page.click(2, 2, 1)
    page.wait("studio.view.board.columns[12][0] === 2")
    assert 1 <= before == asked()


def test_what_is_said_of_the_board_covers_no_dialog(page: Page) -> None:
    said = "document.querySelector('#spoken').textContent"
    page.browser.run(
        "document.querySelector('#gallery').click(), localStorage.clear(), studio.view.onslow(9e9)"
    )
    page.wait("document.querySelector('#presets').open")
    page.browser.run(DRAWN)
    assert page.browser.run("document.querySelector('#presets #spoken')") is None
    assert not page.browser.run(said).startswith("Drawing is slow")
    page.browser.run("document.querySelector('#presets').close()")
    page.wait(f"{said}.startsWith('Drawing is slow')")


def test_text_and_board_show_each_other(page: Page) -> None:
    page.choose("look")
    page.click(2, 2, 1)
    selected = (
        "(() => { const t = document.querySelector('#text'); "
        "return t.value.slice(t.selectionStart, t.selectionEnd); })()"
    )
    page.wait(f"{selected}.includes('C3')")
    page.browser.run(
        "(() => { const t = document.querySelector('#text'); t.focus(); "
        "t.setSelectionRange(0, 0); })()"
    )
    page.wait("studio.state.lit.length === 0")
    page.browser.run(f"document.querySelector('#text').setSelectionRange({len(TEXT) - 3}, 40)")
    page.wait("studio.state.lit.join() === '2,2'")


def test_a_link_brings_its_map_along(page: Page) -> None:
    link = page.browser.run(
        "import('/share.js').then(async (m) => "
        "[await m.packed('forge 1 é'), await m.unpacked(await m.packed('forge 1 é'))])"
    )
    assert link[1] == "forge 1 é"
    assert link[0].replace("-", "").replace("_", "").isalnum()


@pytest.mark.parametrize("word", ["%%%", "AAAA", "é", "_", "A" * 5000, "__proto__", "7cEB"])
def test_a_hostile_link_is_told_and_changes_nothing(page: Page, word: str) -> None:
    page.browser.run(f"location.hash = {'map=' + word!r}, true")
    page.wait("document.querySelector('#notice').textContent.includes('link cannot be read')")
    assert page.text() == TEXT
    page.browser.run("document.querySelector('#notice button').click()")
    page.wait("document.querySelector('#notice').hidden && location.hash === ''")


def test_a_rebound_name_and_another_origin_get_nothing(tmp_path: Path, page: Page) -> None:
    host, port = page.studio.host, page.studio.port
    browser = Chromium(tmp_path, "--host-resolver-rules=MAP evil.test 127.0.0.1")
    try:
        browser.open(f"http://evil.test:{port}/", "true")
        assert "not your page" in browser.run("document.body.textContent")
        for address in (f"ws://{host}/live", f"ws://evil.test:{port}/live"):
            told = browser.run(
                "new Promise((done) => { try { const s = new WebSocket("
                f"'{address}'); s.onopen = () => done('open'); s.onerror = () => done('no'); "
                "} catch { done('no'); } })"
            )
            assert told == "no"
        assert browser.run(f"fetch('http://{host}/').then(() => 'read', () => 'no')") == "no"
    finally:
        browser.close()


def test_a_gesture_in_words_is_done(page: Page) -> None:
    page.browser.run(
        "(() => { document.querySelector('#words').value = 'move C3 to A1'; "
        "document.querySelector('#say').requestSubmit(); })()"
    )
    page.wait("studio.view.board.columns[0][0] === 1 && studio.view.board.columns[12][0] === 0")
    assert page.browser.run("document.querySelector('#words').value") == ""


def test_panes_fold_take_a_width_and_keep_both(page: Page) -> None:
    wide = "Math.round(document.querySelector('#text-pane').getBoundingClientRect().width)"
    before = page.browser.run(wide)
    page.browser.run("document.querySelector('.divider[data-pane=text]').focus()")
    page.browser.key("ArrowRight", 39)
    page.wait(f"{wide} > {before}")
    page.press("#text-pane .fold")
    page.wait(f"{wide} < 60 && localStorage.getItem('studio.fold.text') === 'true'")
    page.browser.run("document.querySelector('#board').focus()")
    page.browser.key("\\", 220)  # one is folded already: the other one folds, too
    page.wait("document.querySelectorAll('.pane.folded').length === 2")
    page.browser.key("\\", 220)
    page.wait(f"document.querySelectorAll('.pane.folded').length === 0 && {wide} > {before}")
    assert page.browser.run("+localStorage.getItem('studio.width.text')") > before


def test_views_by_key_show_the_whole_board(page: Page) -> None:
    page.browser.run("document.querySelector('#board').focus()")
    inside = (
        "[[0, 0], [0, 4], [4, 0], [4, 4]].every(([r, c]) => { const [x, y] = "
        "studio.view.spot(r, c, 0), s = studio.view.canvas; return x > 0 && y > 0 && "
        "x < s.clientWidth && y < s.clientHeight; })"
    )
    page.browser.key("9", 57)
    page.wait(f"studio.view.pitch > 1.5 && {inside}")
    page.browser.key("[", 219)
    page.browser.key("0", 48)
    page.wait(f"studio.view.pitch < 1 && {inside}")
    page.browser.key("8", 56)
    page.wait("studio.view.glass && studio.view.behind === null")
    page.mouse("mouseMoved", page.spot(0, 4, 0))
    page.wait("studio.view.behind?.join() === '0,4,0'")
    page.browser.key("8", 56)
    page.wait("!studio.view.glass && studio.view.behind === null")


def test_the_tile_under_the_pointer_lights_its_coordinates(page: Page) -> None:
    page.mouse("mouseMoved", page.spot(3, 1, 0))
    lit = "[...document.querySelectorAll('#rim .on')].map((one) => one.textContent)"
    page.wait(f"new Set({lit}).size === 2")
    assert set(page.browser.run(lit)) == {"B", "4"}
    assert page.browser.run("document.querySelector('#chip').textContent") == "B4 · 0"
    assert "B4" in page.browser.run("document.querySelector('#where').textContent")


def test_an_action_is_found_by_its_name(page: Page) -> None:
    page.press("#find-button")
    page.wait("document.querySelector('#find').open")
    page.browser.ask("Input.insertText", text="tree")
    page.wait("document.querySelector('#found button')?.textContent.startsWith('tree')")
    page.browser.run("document.querySelector('#found button').click()")
    page.wait("studio.state.tool.name === 'tree' && !document.querySelector('#find').open")
    page.browser.run("document.querySelector('#words').value = ''")
    page.choose("look")


def test_a_ladder_is_set_by_the_side_of_its_column(page: Page) -> None:
    page.choose("ladder")
    x, y = page.browser.run(
        "(() => { const r = document.querySelector('#board').getBoundingClientRect(), "
        "s = studio.view.point([2.5, 0.5, 3]); return [r.left + s[0], r.top + s[1]]; })()"
    )
    for kind in ("mouseMoved", "mousePressed", "mouseReleased"):
        page.mouse(kind, (x, y))
    page.wait("studio.view.board.ladders.length === 1")
    assert "ladder C4 -> C3" in page.text()
    page.choose("look")


def open_stock(page: Page, text: str) -> None:
    """Open a stock as the dialog of the system does."""
    page.browser.run(
        "(() => { const at = document.querySelector('#stock-file'), held = new DataTransfer(); "
        f"held.items.add(new File([{json.dumps(text)}], 'mine.csv')); at.files = held.files; "
        "at.dispatchEvent(new Event('change')); })()"
    )


def test_gallery_says_what_the_opened_stock_builds(page: Page) -> None:
    parts = ff.plan(ff.load("duel")).counts()
    whole = "piece,count\n" + "".join(f"{key},{count}\n" for key, count in parts.items())
    name, why = (f"document.querySelector('#stock-{one}')?.textContent" for one in ("name", "why"))
    card = "document.querySelector('[data-preset=duel] .stock')?.textContent"
    mine = f"My stock: {sum(parts.values())} pieces"
    page.press("#gallery")
    open_stock(page, whole)
    page.wait(f"{name} === {mine!r}")
    page.wait(f"{card} === 'your stock builds all of it'")
    open_stock(page, "piece,count\ntree,1\ntre,2\n")
    page.wait(f"{why}.includes('Line 3 · no piece called `tre` · did you mean `tree`?')")
    open_stock(page, "")
    page.wait(f"{why}.includes('stock.csv has no column `piece`')")
    assert page.browser.run(name) == mine
    assert page.text() == TEXT
    page.browser.run("window.old = true")
    page.browser.ask("Page.reload")
    page.wait(f"!window.old && {name} === {mine!r}")
    open_stock(page, "piece,count\nquadrant,1\n")
    page.press("#gallery")
    page.wait(f"{card}.startsWith('from your stock: 1, to print: ')")
    page.press("#stock-away")
    page.wait(f"{name} === '' && {card} === ''")
    page.browser.run("document.querySelector('#presets').close()")


def test_enter_makes_the_nearest_legal_act(page: Page) -> None:
    page.choose("ladder")
    page.click(2, 2, 1)
    page.wait("studio.state.first")
    page.mouse("mouseMoved", page.spot(4, 2, 0))
    page.wait("studio.state.ghost?.near && document.querySelector('#tip').className === 'bad'")
    page.click(4, 2, 0)
    page.wait("document.querySelector('#spoken').textContent.includes('does not join')")
    assert page.text() == TEXT  # a click on red writes nothing
    page.click(2, 2, 1)
    page.mouse("mouseMoved", page.spot(4, 2, 0))
    page.wait("studio.state.ghost?.near")
    page.browser.run("document.querySelector('#board').focus()")
    page.browser.key("Enter", 13)
    page.wait("studio.view.board.ladders.length === 1")
    page.choose("look")
