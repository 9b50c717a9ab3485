"""Hands on the page: strokes, lasso, stamps, overlays, editor; each gives the text it must."""

import json
import time
from collections.abc import Iterator
from typing import Any

import pytest

from falldamage_forge.elements import FITTINGS
from falldamage_forge.lang.fitting_syntax import head_of
from falldamage_forge.lang.lower import load
from falldamage_forge.presets import load_text
from falldamage_forge.studio.message_tables import board_table
from tests.render.chromium import BINARY
from tests.studio.test_page import TEXT, Page

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(BINARY is None, reason="no Chromium"),
]


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    found = Page(tmp_path_factory.mktemp("hands"))
    yield found
    found.close()


@pytest.fixture(autouse=True)
def fresh(page: Page) -> Iterator[None]:
    """Every test begins with the same text, seen from home, and ends with an empty console.

    What another test pressed is let go and where it looked from is left, so that a test that fails
    leaves nothing to the next ones.
    """
    page.let_go()
    page.browser.run(f"studio.app.editor.put({TEXT!r})")
    page.choose("look")
    page.wait("studio.state.sent === null && studio.state.whole")
    page.wait("studio.view.board.cols === 5 && studio.view.board.columns[12][0] === 1")
    page.browser.run("document.querySelector('#notice:not([hidden]) button')?.click()")
    page.browser.run("studio.view.home()")
    page.wait("!studio.view.waiting")
    yield
    assert page.browser.complaints() == []


def stroke(page: Page, *places: tuple[float, float, int], touch: bool = False) -> None:
    """A drag with the left button, or of one finger, over tops of tiles."""
    spots = [page.spot(*place) for place in places]
    if touch:
        page.touch("touchStart", spots[0])
        for spot in spots[1:]:
            page.touch("touchMove", spot)
        page.touch("touchEnd")
        return
    page.mouse("mouseMoved", spots[0])
    page.mouse("mousePressed", spots[0])
    for spot in spots[1:]:
        page.mouse("mouseMoved", spot, button="left")
    page.mouse("mouseReleased", spots[-1])


SHIFT = 8
ROW = [(4, 0, 0), (4, 1, 0), (4, 2, 0)]


def test_a_stroke_is_one_gesture_on_its_tiles(page: Page) -> None:
    page.choose("raise")
    stroke(page, *ROW)
    page.wait("[20, 21, 22].every((at) => studio.view.board.columns[at][0] === 1)")
    assert page.text().count("\n") <= TEXT.count("\n") + 1
    page.browser.run("document.querySelector('#undo').click()")
    page.wait_text(TEXT)


def test_quick_hands_lose_no_gesture(page: Page) -> None:
    page.choose("raise")
    for _ in range(3):
        page.click(4, 0, 0)
    page.wait("studio.view.board.columns[20][0] === 3")


def test_a_finger_draws_with_a_tool_and_moves_the_board_with_look(page: Page) -> None:
    before = page.browser.run("studio.view.aim")
    page.choose("water")
    stroke(page, *ROW, touch=True)
    page.wait("[20, 21, 22].every((at) => studio.view.board.columns[at][1] === 'water')")
    assert page.browser.run("studio.view.aim") == before
    drawn = page.text()
    page.choose("look")
    stroke(page, *ROW, touch=True)
    page.wait(f"String(studio.view.aim) !== String({before})")
    assert page.text() == drawn


def test_a_second_finger_ends_a_stroke_and_draws_nothing(page: Page) -> None:
    page.choose("water")
    one, other, third = (page.spot(*place) for place in ROW)
    page.touch("touchStart", one)
    page.touch("touchMove", other)
    page.touch("touchStart", other, third)
    page.touch("touchMove", other, page.spot(4, 4, 0))
    page.touch("touchEnd")
    page.wait("!studio.state.stroke && !studio.state.ghost")
    page.wait("studio.app.sync.idle")
    assert page.text() == TEXT


def test_two_fingers_pinch(page: Page) -> None:
    before = page.browser.run("studio.view.far")
    x, y = page.spot(2, 2, 1)
    page.touch("touchStart", (x - 20, y), (x + 20, y))
    page.touch("touchMove", (x - 60, y), (x + 60, y))
    page.touch("touchEnd")
    assert page.browser.run("studio.view.far") < before
    assert page.text() == TEXT
    page.browser.run("studio.view.home()")


def test_what_the_lasso_chose_is_carried_to_another_place(page: Page) -> None:
    page.choose("choose")
    corners = [(3.55, 0.55), (3.55, 2.45), (4.45, 2.45), (4.45, 0.55), (3.55, 0.55)]
    stroke(page, *((row, col, 0) for row, col in corners))
    page.wait("studio.state.chosen.size > 0")
    assert page.browser.run("[...studio.state.chosen].sort()") == [4001, 4002]
    page.browser.run("studio.state.chosen = new Set([2002])")
    page.browser.run("document.querySelector('#board').focus()")
    page.browser.ask(
        "Input.dispatchKeyEvent", type="keyDown", key="x", modifiers=2, windowsVirtualKeyCode=88
    )
    page.wait("studio.state.carry?.verb === 'move'")
    page.click(0, 4, 0)
    page.wait("studio.view.board.columns[4][0] === 1 && studio.view.board.columns[12][0] === 0")
    assert page.browser.run("studio.state.carry") is None


def test_what_hangs_on_the_pointer_is_turned_and_mirrored(page: Page) -> None:
    page.browser.run(f"studio.app.editor.put({TEXT.replace('C3', 'C3..D3') + chr(10)!r})")
    page.wait("studio.view.board.columns[13][0] === 1 && studio.state.sent === null")
    page.choose("tree")
    page.click(2, 3, 1)
    page.wait("studio.view.board.columns[13][2] === 'tree'")
    page.choose("choose")
    page.click(2, 2, 1)
    page.click(2, 3, 1, SHIFT)
    page.wait("[...studio.state.chosen].sort().join() === '2002,2003'")
    page.press("#chosen button", "Copy")
    page.press("#chosen button", "Turn (,)")
    page.click(0, 4, 0)
    page.wait("studio.view.board.columns[4][0] === 1 && studio.view.board.columns[9][2] === 'tree'")
    page.browser.run("document.querySelector('#board').focus()")
    page.browser.key(".", 190)
    page.browser.key("m", 77)
    page.click(4, 0, 0)
    page.wait(
        "studio.view.board.columns[20][0] === 1 && studio.view.board.columns[21][2] === 'tree'"
    )
    assert page.browser.run("studio.view.board.columns[20][2]") is None
    page.press("#chosen button", "Deselect")
    page.wait("studio.state.carry === null")


def test_a_zone_takes_and_gives_tiles(page: Page) -> None:
    page.choose("start-red")
    stroke(page, *ROW)
    page.wait("studio.view.board.starts[0]?.places.length === 3")
    page.click(4, 1, 0)
    page.wait("studio.view.board.starts[0].places.length === 2")


def test_a_stamp_of_the_library_is_set_down(page: Page) -> None:
    page.choose("stamp")
    page.wait("document.querySelector('[data-stamp=\"castle.turret\"]')")
    page.browser.run("document.querySelector('[data-stamp=\"castle.turret\"]').click()")
    page.click(3, 0, 0)
    page.wait("studio.app.editor.area.value.includes('place turret at A4')")
    page.wait("document.querySelector('[data-stamp=\"turret\"]')")
    assert "define turret {" in page.text()


@pytest.mark.parametrize("kind", ["farther", "sight", "push", "path"])
def test_an_overlay_follows_the_pointer(page: Page, kind: str) -> None:
    page.browser.run(
        f"(() => {{ const s = document.querySelector('#overlay'); s.value = {kind!r}; "
        "s.dispatchEvent(new Event('change')); })()"
    )
    page.click(4, 0, 0)
    page.mouse("mouseMoved", page.spot(4, 4, 0))
    page.wait("studio.state.cover.marks.length > 0")
    assert page.browser.run("document.querySelector('#spoken').textContent")
    if kind in ("push", "path"):
        assert page.browser.run("studio.state.cover.arrows.length") > 0
    page.browser.run(
        "(() => { const s = document.querySelector('#overlay'); s.value = ''; "
        "s.dispatchEvent(new Event('change')); })()"
    )


def test_words_are_completed_and_faults_mended_by_keys(page: Page) -> None:
    page.browser.run(
        "(() => { const a = studio.app.editor.area; a.focus(); "
        "a.setSelectionRange(a.value.length, a.value.length); })()"
    )
    page.browser.ask("Input.insertText", text="tre")
    page.wait("!document.querySelector('#words-list').hidden")
    page.browser.key("Enter", 13)
    assert page.text() == TEXT + "tree"
    page.browser.ask("Input.insertText", text=" at A1\nstak A2 height 1\n")
    page.wait("studio.app.editor.issues.some((one) => one.message.includes('`stak`'))")
    page.browser.key("F8", 119)
    page.wait("document.querySelector('#hint').textContent.includes('did you mean')")
    page.browser.ask(
        "Input.dispatchKeyEvent", type="keyDown", key=".", modifiers=2, windowsVirtualKeyCode=190
    )
    page.wait("studio.state.whole && studio.view.board.columns[5][0] === 1")
    assert "stack A2 height 1" in page.text()


def test_the_colours_are_the_same_text(page: Page) -> None:
    page.browser.run("studio.app.editor.put('forge 1\\nboard 5x5 # a note\\ntitle \"x\"\\n')")
    page.wait("studio.state.whole && studio.state.sent === null")
    shown = page.browser.run("document.querySelector('#colours').textContent")
    assert shown.rstrip("\n") == page.text().rstrip("\n")
    assert (
        page.browser.run("document.querySelector('#colours .typed-comment').textContent")
        == "# a note"
    )


def test_a_text_of_a_million_signs_is_refused_and_the_page_lives(page: Page) -> None:
    page.browser.run("studio.app.editor.put('# ' + 'x'.repeat(70) + '\\n'.repeat(1) "
                     "+ ('# ' + 'y'.repeat(70) + '\\n').repeat(16000))")  # fmt: skip
    page.wait("!document.querySelector('#notice').hidden")
    assert "longer" in page.browser.run("document.querySelector('#notice').textContent")
    assert page.browser.run("studio.state.sent !== null")  # nobody has it but this page


def test_printed_parts_stand_on_the_board(page: Page) -> None:
    page.browser.run("studio.view.timed = 0; studio.view.look(true)")
    page.wait("studio.view.parts.list.length && !studio.view.parts.waiting")
    page.wait("studio.view.mixed && studio.view.drawnTiles.size === 0")
    assert page.browser.run("studio.view.parts.triangles") > 100
    frames = page.browser.run("studio.view.frames")
    time.sleep(0.3)
    page.wait("studio.view.frames >= 0")
    assert page.browser.run("studio.view.frames") <= frames + 3  # on demand, never a busy loop
    page.browser.run("studio.view.look(false)")


def solids(word: str) -> dict[str, Any]:
    """Shapes and places of one element, as the page gets them."""
    head = head_of(word, "red")
    written = f"forge 1\nrules gang-skirmish\nboard 5x5\n{head} at B2\n"
    told = board_table(load(written, "x").layout.board)
    return {key: told[key] for key in ("shapes", "things")}


def test_fittings_are_tools_where_the_game_knows_them_and_drawn_at_once(page: Page) -> None:
    shown = "[...document.querySelectorAll('[data-tool]:not([hidden])')].map((x) => x.dataset.tool)"
    page.wait(f"!{shown}.includes('railing')")
    known = TEXT.replace("forge 1\n", "forge 1\nrules gang-skirmish\n", 1)
    page.browser.run(f"studio.app.editor.put({known!r})")
    page.wait(f"studio.state.sent === null && {shown}.includes('railing')")
    assert not page.browser.run(f"{shown}.includes('gate')")
    for tool, tile in (("railing", (2, 2, 1)), ("obstruction", (4, 0, 0)), ("field", (4, 4, 0))):
        page.choose(tool)
        page.click(*tile)
        page.wait(f"studio.view.board.fittings.some((x) => x.kind === {tool!r})")
    assert "railing at C3" in page.text()
    assert "obstruction at A5" in page.text()
    page.choose("look")
    drawn = [solids(word) for word in FITTINGS]
    grown = (
        "import('/shapes.js').then(({ meshOf }) => { const { board } = studio.view; "
        "const none = meshOf({ ...board, shapes: [], things: [] }).length; return "
        f"{json.dumps(drawn)}.map((own) => meshOf({{ ...board, ...own }}).length - none); }})"
    )
    assert all(more > 0 for more in page.browser.run(grown))


def test_every_text_is_said_in_every_language(page: Page) -> None:
    lacking = page.browser.run(
        "import('/texts.js').then(({ TEXTS }) => Object.values(TEXTS).flatMap((one) => "
        "Object.keys(TEXTS.en).filter((name) => !one[name]).concat("
        "Object.keys(one).filter((name) => !TEXTS.en[name]))))"
    )
    assert lacking == []
    holes = page.browser.run(
        "import('/texts.js').then(({ TEXTS }) => Object.keys(TEXTS.en).filter((name) => "
        "Object.values(TEXTS).some((one) => (one[name].match(/{\\w+}/g) ?? []).sort().join() !== "
        "(TEXTS.en[name].match(/{\\w+}/g) ?? []).sort().join())))"
    )
    assert holes == []
    choose = (
        "(() => { const s = document.querySelector('#language'); s.value = %r; "
        "s.dispatchEvent(new Event('change')); })()"
    )
    page.browser.run(choose % "de")
    assert page.browser.run("document.querySelector('#gallery').textContent") == "Galerie"
    assert page.browser.run("document.documentElement.lang") == "de"
    page.browser.run(choose % "en")
    assert page.browser.run("document.querySelector('#gallery').textContent") == "Maps"


def test_a_game_is_played_by_clicks_on_what_is_lit(page: Page) -> None:
    duel = load_text("maps", "duel.forge")
    page.browser.run(f"studio.app.editor.put({duel!r})")
    page.wait("studio.view.board.rows === 10 && !document.querySelector('#begin').disabled")
    page.browser.run("document.querySelector('#play').click()")
    page.browser.run("document.querySelector('#begin').click()")
    page.wait("studio.state.play?.hand")
    alive = "studio.state.play.units.filter((one) => one.place).length"
    assert page.browser.run(f"studio.view.figures.length === {alive} && {alive} > 8")
    drawn = "[...document.querySelectorAll('.standee .figure')]"
    page.wait(f"{drawn}.length === {alive} && {drawn}.every((one) => one.getAttribute('d'))")
    page.wait("document.querySelectorAll('#moves button').length > 1")
    count = page.browser.run("studio.state.play.count")
    page.browser.run("document.querySelector('#advise').click()")
    page.wait("document.querySelectorAll('#moves .hinted').length === 1", 180)
    assert page.browser.run("studio.state.play.count") == count, "a hint makes no move"
    page.browser.run("document.querySelector('#moves button').click()")
    page.wait(f"studio.state.play.count > {count} && studio.state.play.hand")
    lit = page.browser.run(
        "studio.state.play.moves.filter((one) => one.kind === 'move').map((one) => one.place)"
        ".find(([r, c, l]) => { const s = studio.view.spot(r, c, l), u = studio.view.under(...s);"
        " return u && u.tile[0] === r && u.tile[1] === c && u.level === l; }) ?? null"
    )
    if lit is not None:
        count = page.browser.run("studio.state.play.count")
        page.click(*lit)
        page.wait(f"studio.state.play.count > {count} || document.querySelector('#question').open")
        page.browser.run("document.querySelector('#question').close()")
    page.browser.run("document.querySelector('#leave').click()")
    page.wait("!studio.state.play && studio.view.figures.length === 0")
    assert page.text() == duel


WALLED = """forge 1
board 10x10
stack B3..I3, B8..I8 height 4
start red at B1..I1
start blue at B10..I10
"""
BEHIND = (
    "studio.state.play.moves.find(({ place: [r, c, l] }) => "
    "studio.view.under(...studio.view.spot(r, c, l))?.level !== l)"
)


def test_a_figure_behind_a_wall_is_chosen_by_a_click_on_it(page: Page) -> None:
    page.browser.run(f"studio.app.editor.put({WALLED!r})")
    page.wait("studio.view.board.columns[21]?.[0] === 4")
    page.wait("!document.querySelector('#begin').disabled")
    page.browser.run("document.querySelector('#player-blue').value = 'hand'")
    page.browser.run("window.drawn = Math.random, true")
    for seed in range(20):
        page.browser.run(f"Math.random = () => {seed / 20}")
        page.browser.run("document.querySelector('#play').click()")
        page.browser.run("document.querySelector('#begin').click()")
        page.wait("studio.state.play?.hand && !studio.view.waiting")
        if page.browser.run("studio.state.play.turn === 'red'"):
            break
        page.browser.run("document.querySelector('#leave').click()")
        page.wait("!studio.state.play")
    page.browser.run("Math.random = window.drawn, true")
    hidden = page.browser.run(BEHIND)
    x, y = page.spot(*hidden["place"])
    for kind in ("mouseMoved", "mousePressed", "mouseReleased"):
        page.mouse(kind, (x, y - 10))
        if kind == "mouseMoved":
            page.wait("document.querySelector('#unit-card').textContent.includes('Move')")
    page.wait(f"`unit ${{studio.state.play.active}}` === {hidden['text']!r}")
    page.browser.run("document.querySelector('#leave').click()")
    page.wait("!studio.state.play")


KNOB = "document.querySelector('#knob')"
OFFER = "document.querySelector('#offer')"
BUILD = "document.querySelector('#build')"


def middle(page: Page, script: str) -> tuple[float, float]:
    """Where the middle of an element is in the window, once it rests and a pointer meets it."""
    place = (
        f"(() => {{ const r = {script}.getBoundingClientRect(); "
        "return [r.left + r.width / 2, r.top + r.height / 2]; })()"
    )
    page.wait(f"{script}.contains(document.elementFromPoint(...{place}))")

    def now() -> tuple[float, float]:
        x, y = page.browser.run(place)
        return x, y

    return page.resting(now)


def level_px(page: Page) -> float:
    """Pixels that a level of C3 is seen high."""
    return page.spot(2, 2, 0)[1] - page.spot(2, 2, 1)[1]


@pytest.mark.parametrize("touch", [False, True])
def test_a_knob_pulls_the_column_that_was_clicked(page: Page, touch: bool) -> None:
    page.click(2, 2, 1)
    x, y = middle(page, KNOB)
    high = y - 2 * level_px(page)
    if touch:
        page.touch("touchStart", (x, y))
        page.touch("touchMove", (x, high))
        page.wait("studio.state.ghost?.words === 'raise C3 by 2'")
        page.touch("touchEnd")
    else:
        page.mouse("mouseMoved", (x, y))
        page.mouse("mousePressed", (x, y))
        page.mouse("mouseMoved", (x, high), button="left")
        page.wait("studio.state.ghost?.words === 'raise C3 by 2'")
        page.mouse("mouseReleased", (x, high))
    page.wait_text(TEXT.replace("height 1", "height 3"))
    page.wait(f"{KNOB}.ariaValueNow === '3'")


def test_a_knob_lowers_what_is_chosen_by_an_arrow_key(page: Page) -> None:
    page.choose("choose")
    page.click(2, 2, 1)
    middle(page, KNOB)
    page.browser.run(f"{KNOB}.focus()")
    page.browser.key("ArrowUp", 38)
    page.wait("studio.view.board.columns[12][0] === 2")
    page.browser.key("ArrowDown", 40)
    page.wait("studio.view.board.columns[12][0] === 1")
    page.browser.run("document.querySelector('#board').focus()")
    page.browser.key("Escape", 27)
    page.wait(f"{KNOB}.hidden")


def tap(page: Page, at: tuple[float, float]) -> None:
    page.touch("touchStart", at)
    page.touch("touchEnd")


def test_a_tap_shows_and_a_button_builds(page: Page) -> None:
    page.choose("raise")
    tap(page, page.spot(4, 0, 0))
    page.wait(f"!{OFFER}.hidden && !{BUILD}.disabled")
    assert page.text() == TEXT
    tap(page, middle(page, BUILD))
    page.wait("studio.view.board.columns[20][0] === 1")
    page.wait(f"{OFFER}.hidden")
    tap(page, page.spot(4, 1, 0))
    page.wait(f"!{OFFER}.hidden")
    before = page.text()
    tap(page, middle(page, "document.querySelector('#refuse')"))
    page.wait(f"{OFFER}.hidden")
    assert page.text() == before
    assert page.browser.run("studio.state.ghost") is None


def test_further_taps_on_a_tile_build_again(page: Page) -> None:
    page.choose("raise")
    tap(page, page.spot(4, 0, 0))
    page.wait("studio.state.ghost?.known")
    assert page.text() == TEXT
    for level in (1, 2, 3):
        tap(page, page.resting(lambda level=level: page.spot(4, 0, level - 1)))
        page.wait(f"studio.view.board.columns[20][0] === {level}")
        page.wait(f"studio.state.ghost === null && {OFFER}.hidden")
        assert page.browser.run("document.querySelector('#tip').className") == ""


def test_a_tap_that_is_refused_builds_nothing_but_the_nearest(page: Page) -> None:
    page.choose("lower")
    tap(page, page.spot(4, 0, 0))
    page.wait(f"studio.state.ghost?.why && !{OFFER}.hidden")
    assert page.browser.run(f"{BUILD}.disabled")
    page.choose("ladder")
    tap(page, page.spot(2, 2, 1))
    page.wait("studio.state.first")
    tap(page, page.spot(4, 4, 0))
    page.wait(f"studio.state.ghost?.near && {BUILD}.textContent.includes(studio.state.ghost.near)")
    tap(page, middle(page, BUILD))
    page.wait("studio.view.board.ladders.length === 1")
