"""The page in a hand: the board's share of a small screen, what is seen of tools, and modes."""

import json
from collections.abc import Iterator

import pytest

from falldamage_forge.presets import load_text
from tests.render.chromium import BINARY
from tests.studio.judge import judged
from tests.studio.screens import ODD_SIZES
from tests.studio.screens import SIZES as WINDOWS
from tests.studio.test_page import Page
from tests.studio.test_play_screen import SEED

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(BINARY is None, reason="no Chromium"),
]
PHONES = {"upright": (390, 844), "on its side": (844, 390), "in a browser": (390, 664)}
SIZES = {**WINDOWS, **ODD_SIZES, "a desk with little height": (1280, 600)}
LEAST_SHARE = 0.8
FILLED = """(() => {
  const { view } = studio, { rows, cols, columns } = view.board;
  const rim = [[0, 0, 0], [cols, 0, 0], [cols, 0, rows], [0, 0, rows]];
  const tops = columns.map(([level], at) => (
    [(at % cols) + 0.5, view.height(Math.floor(at / cols), at % cols, level),
      Math.floor(at / cols) + 0.5]));
  const stage = document.querySelector('#stage').getBoundingClientRect();
  const boxes = [...document.querySelectorAll('#rim span, .standee')]
    .filter((one) => one.checkVisibility()).map((one) => one.getBoundingClientRect());
  const high = [...[...rim, ...tops].map((at) => view.point(at)[1]),
    ...boxes.flatMap(({ top, bottom }) => [top - stage.top, bottom - stage.top])];
  return [(Math.max(...high) - Math.min(...high)) / stage.height,
    Math.min(...high), stage.height - Math.max(...high)];
})()"""
"""Share of the stage's height that board and coordinates fill, and what is left above and below."""
ACROSS = """(() => {
  const { view } = studio, { rows, cols } = view.board;
  const wide = [[0, 0, rows], [cols, 0, rows]].map((at) => view.point(at)[0]);
  return (wide[1] - wide[0]) / view.canvas.clientWidth;
})()"""
"""Share of the stage's width that the near side of the board fills."""
FREE = """(() => {
  const high = (one) => one.getBoundingClientRect().height;
  const acts = studio.state.play ? ['#strip', '#act-list', '#camera'] : [];
  const bars = ['header', '#result-pane .head', 'footer', '#bar', '#places', ...acts]
    .map((one) => document.querySelector(one)).filter((one) => one.checkVisibility())
    .filter((one) => one.getBoundingClientRect().width > innerWidth / 2);
  const taken = bars.reduce((sum, one) => sum + high(one), 0);
  return high(document.querySelector('#board')) / (innerHeight - taken);
})()"""
"""Share of the board's picture of the height that the bars across the window leave.

In a game these are the units, the acts, and the row of the last acts and the camera.
"""
OVER_CAMERA = """(() => {
  const camera = document.querySelector('#camera').getBoundingClientRect();
  return [...document.querySelectorAll('.standee, #rim span:not([hidden])')]
    .filter((one) => one.checkVisibility())
    .filter((one) => { const r = one.getBoundingClientRect();
      return r.left < camera.right && r.right > camera.left
        && r.top < camera.bottom && r.bottom > camera.top; })
    .map((one) => one.textContent);
})()"""
SEEN = """((one) => {
  const { left, right, top, bottom } = one.getBoundingClientRect();
  const at = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
  const row = one.closest('#tools').getBoundingClientRect();
  return left >= row.left && left >= 0 && right <= innerWidth && top >= 0 && bottom <= innerHeight
    && (at === one || one.contains(at));
})"""
LEFT_OF_DESIGN = """(() => {
  const { ghost, first, stroke, carry, chosen, at, tap, lit } = studio.state;
  const shown = ['#tip', '#chip'].filter((one) => document.querySelector(one).textContent);
  const open = ['#offer', '#chosen', '#stamps', '#knob']
    .filter((one) => !document.querySelector(one).hidden);
  const boxes = studio.view.marks.filter(({ box, frame }) => box || frame).length;
  return [...Object.entries({ ghost, first, stroke, carry, at, tap }).filter(([, one]) => one)
    .map(([name]) => name), ...(chosen.size ? ['chosen'] : []), ...(lit.length ? ['lit'] : []),
    ...(boxes ? ['marks'] : []), ...shown, ...open];
})()"""
"""What a mode has left behind, by name."""


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    found = Page(tmp_path_factory.mktemp("page"))
    found.browser.ask("Emulation.setTouchEmulationEnabled", enabled=True)
    found.wait("matchMedia('(pointer: coarse)').matches")
    yield found
    assert found.browser.complaints() == []
    found.close()


@pytest.fixture
def duel(page: Page) -> Iterator[Page]:
    """A page with the table duel in design, which a test may take into a game."""
    page.browser.narrow(*PHONES["upright"])
    page.browser.run(f"studio.app.editor.put({json.dumps(load_text('maps', 'duel.forge'))})")
    page.wait("studio.app.sync.idle && studio.state.whole && studio.view.board.cols === 10")
    page.wait("!document.querySelector('#play').disabled")
    page.choose("look")
    page.browser.run(
        "studio.view.home(); import('./choice.js').then((choice) => choice.pick([], false))"
    )
    yield page
    page.let_go()
    if page.browser.run("Boolean(studio.state.play)"):
        page.browser.run("document.querySelector('#leave').click()")
        page.wait("!studio.state.play")


def tap(page: Page, at: tuple[float, float]) -> None:
    page.touch("touchStart", at)
    page.touch("touchEnd")


def play(page: Page) -> None:
    """Begin a game of the same teams each time, whose first decision is to choose a unit."""
    page.wait("!document.querySelector('#begin').disabled")  # its verdict came
    page.browser.run(
        f"Math.random = () => {SEED},"
        " document.querySelector('#play').click(), document.querySelector('#begin').click()"
    )
    page.wait("studio.state.play?.hand && document.querySelectorAll('.standee').length > 8")


@pytest.mark.parametrize("held", PHONES)
@pytest.mark.parametrize("game", [False, True])
def test_board_fills_the_height_that_is_free(duel: Page, held: str, game: bool) -> None:
    duel.browser.narrow(*PHONES[held])
    if game:
        play(duel)
    duel.browser.run("studio.view.home()")
    duel.wait(f"!studio.view.waiting && ({FILLED})[0] >= {LEAST_SHARE}")
    assert duel.browser.run(OVER_CAMERA) == []


@pytest.mark.parametrize("size", [(600, 960), (820, 1180)])
@pytest.mark.parametrize("game", [False, True])
def test_an_upright_window_sees_the_board_as_a_phone_does(
    duel: Page, size: tuple[int, int], game: bool
) -> None:
    duel.browser.narrow(*size)
    if game:
        play(duel)
    duel.browser.run("studio.view.home()")
    duel.wait(f"!studio.view.waiting && ({ACROSS}) >= {LEAST_SHARE}")
    assert duel.browser.run(OVER_CAMERA) == []
    assert judged(duel.browser, axe=False) == []


@pytest.mark.parametrize("held", PHONES)
def test_board_has_the_height_that_bars_leave(duel: Page, held: str) -> None:
    duel.browser.narrow(*PHONES[held])
    duel.choose("raise")
    duel.wait(f"innerWidth === {PHONES[held][0]} && ({FREE}) >= {LEAST_SHARE}")


def begin_unit(page: Page) -> None:
    """Begin the activation of a unit, so that all its acts are there."""
    page.wait("document.querySelector('.medal.may')")
    count = page.browser.run("studio.state.play.count")
    page.browser.run("document.querySelector('.medal.may').click()")
    page.wait(f"studio.state.play.count > {count} && document.querySelector('#act-list button')")


@pytest.mark.parametrize("held", PHONES)
def test_board_of_a_game_has_the_height_that_bars_leave(duel: Page, held: str) -> None:
    duel.browser.narrow(*PHONES[held])
    play(duel)
    duel.wait(f"innerWidth === {PHONES[held][0]} && ({FREE}) >= {LEAST_SHARE}")
    begin_unit(duel)
    duel.wait(f"({FREE}) >= {LEAST_SHARE}")


STATED = """(() => { const head = document.querySelector('#turn').textContent, found = [];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    const range = document.createRange();
    range.selectNodeContents(node);
    const { left, right, top, bottom, width } = range.getBoundingClientRect();
    const at = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    if (node.data === head && width > 2 && node.parentElement.contains(at)
      && node.parentElement.getBoundingClientRect().width > 2) found.push([top, bottom]);
  }
  return head ? found : []; })()"""
"""Where the line about the turn is seen."""


@pytest.mark.parametrize("size", SIZES)
def test_state_of_a_game_is_seen_once(duel: Page, size: str) -> None:
    duel.browser.narrow(*SIZES[size])
    play(duel)
    duel.wait(f"innerWidth === {SIZES[size][0]} && ({STATED}).length === 1")
    begin_unit(duel)
    duel.wait("document.querySelector('#turn').textContent.includes(' with ')")
    assert len(duel.browser.run(STATED)) == 1
    duel.browser.run("document.querySelector('#leave').click()")
    duel.wait("!studio.state.play && !document.querySelector('#turn').checkVisibility()")


COVERED = """(() => {
  const { board } = studio.view, found = [];
  const stage = document.querySelector('#board').getBoundingClientRect();
  board.columns.forEach(([level], at) => {
    const [x, y] = studio.view.spot(Math.floor(at / board.cols), at % board.cols, level);
    const over = document.elementFromPoint(stage.left + x, stage.top + y);
    if (!over?.closest('#board, #knob')) found.push([at, over?.id ?? '']); });
  return found; })()"""
"""Tiles over which something lies, but for the knob of a tile that was chosen."""


@pytest.mark.parametrize("held", PHONES)
def test_acts_of_chosen_tiles_lie_over_no_tile(duel: Page, held: str) -> None:
    duel.browser.narrow(*PHONES[held])
    duel.choose("choose")
    duel.browser.run("studio.view.home()")
    tap(duel, duel.resting(lambda: duel.spot(4, 4, 1)))
    duel.wait("document.querySelector('#chosen').checkVisibility() && !studio.view.waiting")
    assert duel.browser.run(COVERED) == []


@pytest.mark.parametrize("size", [name for name, (wide, _) in SIZES.items() if wide >= 600])
def test_stamps_lie_beside_the_board(duel: Page, size: str) -> None:
    duel.browser.narrow(*SIZES[size])
    duel.choose("stamp")
    duel.wait("document.querySelector('#stamps details')?.checkVisibility()")
    duel.browser.run("studio.view.home()")
    duel.wait(f"innerWidth === {SIZES[size][0]} && !studio.view.waiting && ({FILLED})[2] >= -2")
    assert duel.browser.run(COVERED) == []
    duel.choose("look")


@pytest.mark.parametrize("held", PHONES)
def test_dialog_to_print_is_seen_whole(duel: Page, held: str) -> None:
    duel.browser.narrow(*PHONES[held])
    duel.wait("!document.querySelector('#zip').disabled")
    duel.browser.run("document.querySelector('#print-button').click()")
    size = "(({ scrollHeight, clientHeight }) => [scrollHeight, clientHeight])"
    high, seen = duel.browser.run(f"{size}(document.querySelector('#printing'))")
    duel.browser.run("document.querySelector('#printing').close()")
    assert high <= seen


BOARD_HEIGHT = "document.querySelector('#board').getBoundingClientRect().height"


@pytest.mark.parametrize("held", PHONES)
def test_stamps_beside_the_board_lead_back_to_the_tools(duel: Page, held: str) -> None:
    duel.browser.narrow(*PHONES[held])
    duel.choose("bridge")  # its help has one line, as that of stamps
    duel.wait(f"innerWidth === {PHONES[held][0]}")
    height = duel.browser.run(BOARD_HEIGHT)
    duel.choose("stamp")
    duel.wait("document.querySelector('#stamps .back')?.checkVisibility()")
    duel.browser.run("studio.view.home()")
    duel.wait(f"!studio.view.waiting && ({FREE}) >= {LEAST_SHARE}")
    assert duel.browser.run(BOARD_HEIGHT) == height
    assert duel.browser.run(COVERED) == []
    duel.browser.run("document.querySelector('#stamps .back').click()")
    duel.wait(f"{SEEN}(document.querySelector('[data-tool=raise]'))")


@pytest.mark.parametrize("held", PHONES)
def test_stamp_is_chosen_and_set_down_by_fingers(duel: Page, held: str) -> None:
    """A book stays open while its stamps are set down; each is seen whole under a finger."""
    duel.browser.narrow(*PHONES[held])
    duel.browser.run(
        "studio.state.stamp = null, document.querySelector('#stamps').textContent = ''"
    )
    duel.choose("stamp")
    duel.wait("document.querySelector('[data-book=castle]:not([open])')?.checkVisibility()")
    middle = (
        "(() => {{ const one = document.querySelector('{}');"
        " one.scrollIntoView({{ block: 'nearest' }});"
        " const {{ left, right, top, bottom }} = one.getBoundingClientRect();"
        " return [(left + right) / 2, (top + bottom) / 2]; }})()"
    ).format
    for target in ("[data-book=castle] summary", '[data-stamp="castle.turret"]'):
        tap(duel, duel.resting(lambda at=target: tuple(duel.browser.run(middle(at)))))
    duel.wait("studio.state.stamp?.name === 'castle.turret'")
    duel.browser.run("studio.view.home()")
    for _ in range(2):
        tap(duel, duel.resting(lambda: duel.spot(7, 7, 0)))
        duel.wait("studio.app.sync.idle && (!studio.state.ghost || studio.state.ghost.known)")
    duel.wait("studio.app.editor.area.value.includes('define turret')")
    duel.wait("document.querySelectorAll('#stamps details[open]').length === 2")
    duel.choose("look")


@pytest.mark.parametrize("size", SIZES)
def test_no_coordinate_is_cut_at_home(duel: Page, size: str) -> None:
    duel.browser.narrow(*SIZES[size])
    duel.browser.run("studio.view.home()")
    duel.wait(f"innerWidth === {SIZES[size][0]} && !studio.view.waiting && ({FILLED})[2] >= -2")
    assert duel.browser.run(f"({FILLED})[1]") >= -2


@pytest.mark.parametrize("held", PHONES)
def test_words_of_a_preview_leave_tiles_and_coordinates_free(duel: Page, held: str) -> None:
    duel.browser.narrow(*PHONES[held])
    duel.browser.run("studio.view.home()")
    duel.choose("raise")
    tap(duel, duel.resting(lambda: duel.spot(9, 9, 0)))
    duel.wait("document.querySelector('#tip').className === 'good' && !studio.view.waiting")
    covered = duel.browser.run(
        "(() => { const tip = document.querySelector('#tip').getBoundingClientRect(); "
        "const stage = document.querySelector('#stage').getBoundingClientRect(); "
        "const meets = (r) => r.left < tip.right && r.right > tip.left && r.top < tip.bottom; "
        "const names = [...document.querySelectorAll('#rim span:not([hidden])')]"
        ".filter((one) => meets(one.getBoundingClientRect())).map((one) => one.textContent); "
        "const tiles = [0, 1, 2, 3].map((at) => [at % 2 * 9, (at >> 1) * 9]).filter((at) => { "
        "const [x, y] = studio.view.spot(...at, 0); return meets({ left: stage.left + x, "
        "right: stage.left + x, top: stage.top + y }); }); return [names, tiles]; })()"
    )
    assert covered == [[], []]


@pytest.mark.parametrize("held", PHONES)
@pytest.mark.parametrize("game", [False, True])
def test_no_control_lies_over_a_tile(duel: Page, held: str, game: bool) -> None:
    duel.browser.narrow(*PHONES[held])
    if game:
        play(duel)
        begin_unit(duel)
    duel.browser.run("studio.view.home()")
    duel.wait("!studio.view.waiting")
    covered = duel.browser.run(
        "(() => { const { board } = studio.view, found = []; "
        "const stage = document.querySelector('#board').getBoundingClientRect(); "
        "board.columns.forEach(([level], at) => { "
        "const [x, y] = studio.view.spot(Math.floor(at / board.cols), at % board.cols, level); "
        "const over = document.elementFromPoint(stage.left + x, stage.top + y); "
        "if (over?.id !== 'board') found.push([at, over?.id ?? '']); }); return found; })()"
    )
    assert covered == []


@pytest.mark.parametrize("size", SIZES)
def test_page_fits_the_window_and_shows_whether_tools_mirror(duel: Page, size: str) -> None:
    duel.browser.narrow(*SIZES[size])
    width, height = SIZES[size]
    duel.wait(f"innerWidth === {width} && document.documentElement.clientWidth === {width}")
    root = "document.documentElement"
    assert duel.browser.run(f"[{root}.scrollWidth, {root}.scrollHeight]") == [width, height]
    assert duel.browser.run(f"{SEEN}(document.querySelector('#mirrors'))")
    assert duel.browser.run(f"{SEEN}(document.querySelector('#tools [aria-pressed=true]'))")


@pytest.mark.parametrize("size", SIZES)
def test_tool_that_is_armed_is_seen(duel: Page, size: str) -> None:
    duel.browser.narrow(*SIZES[size])
    duel.wait(f"innerWidth === {SIZES[size][0]}")
    names = duel.browser.run(
        "[...document.querySelectorAll('#tools [data-tool]:not([hidden])')]"
        ".map((one) => one.dataset.tool)"
    )
    assert len(names) > 18
    for tool in [*names, *reversed(names)]:
        duel.browser.run(
            f"import('./toolbar.js').then(({{ choose }}) => import('./tools.js')"
            f".then(({{ TOOLS }}) => choose(TOOLS.find(({{ name }}) => name === '{tool}'))))"
        )
        assert duel.browser.run(f"{SEEN}(document.querySelector('#tools [aria-pressed=true]'))")
        assert duel.browser.run(f"{SEEN}(document.querySelector('#mirrors'))")
        if tool == "level":
            assert duel.browser.run(f"{SEEN}(document.querySelector('#to-level'))")


@pytest.mark.parametrize("held", PHONES)
def test_all_tools_are_under_a_thumb(duel: Page, held: str) -> None:
    duel.browser.narrow(*PHONES[held])
    duel.wait(f"innerWidth === {PHONES[held][0]}")
    tools = "[...document.querySelectorAll('#tools button:not([hidden]), #mirrors')]"
    assert duel.browser.run(f"{tools}.length") > 18
    assert duel.browser.run(f"{tools}.filter((one) => !{SEEN}(one)).map((one) => one.id)") == []


def test_first_tap_answers_about_the_tile(duel: Page) -> None:
    tap(duel, duel.resting(lambda: duel.spot(4, 4, 1)))
    duel.wait("document.querySelector('#spoken').textContent === 'E5, level 1'")
    tap(duel, duel.resting(lambda: duel.spot(5, 4, 0)))
    duel.wait("document.querySelector('#spoken').textContent === 'E6, level 0, water'")
    tap(duel, duel.resting(lambda: duel.spot(9, 9, 0)))
    duel.wait("document.querySelector('#spoken').textContent === 'J10, level 0'")


def test_preview_of_a_mirrored_tap_shows_both_tiles(duel: Page) -> None:
    duel.choose("raise")
    tap(duel, duel.resting(lambda: duel.spot(0, 0, 0)))
    duel.wait("studio.state.ghost?.known")
    tiles = duel.browser.run("studio.state.ghost.tiles.map(([row, col]) => [row, col])")
    assert [0, 0] in tiles
    assert [9, 9] in tiles


def test_help_of_a_tool_speaks_of_fingers(duel: Page) -> None:
    helps = duel.browser.run(
        "[...document.querySelectorAll('#tools [data-tool]')].map((one) => one.title)"
    )
    assert len(helps) > 18
    for text in helps:
        assert not any(word in text for word in ("click", "Shift", "drag")), text


BEGUN = {
    "a preview": ("raise", [(0, 0, 0)]),
    "one end of a bridge": ("bridge", [(2, 6, 2)]),
    "a tile that was looked at": ("look", [(4, 4, 1)]),
    "a tile that was chosen": ("choose", [(4, 4, 1)]),
    "stamps": ("stamp", []),
}


@pytest.mark.parametrize("begun", BEGUN)
def test_nothing_of_design_is_left_in_a_game(duel: Page, begun: str) -> None:
    tool, taps = BEGUN[begun]
    duel.choose(tool)
    for row, col, level in taps:
        tap(duel, duel.resting(lambda at=(row, col, level): duel.spot(*at)))
    duel.wait(f"({LEFT_OF_DESIGN}).length > 0")
    play(duel)
    assert duel.browser.run(LEFT_OF_DESIGN) == []
    duel.browser.run("document.querySelector('#leave').click()")
    duel.wait("!studio.state.play")
    duel.wait(f"({LEFT_OF_DESIGN}).filter((one) => one !== '#stamps').length === 0")
    assert duel.browser.run("document.querySelectorAll('.standee').length") == 0


def test_nothing_of_a_stroke_is_left_in_a_game(duel: Page) -> None:
    duel.choose("raise")
    places = [duel.spot(2, col, 0) for col in (0, 1)]
    duel.touch("touchStart", places[0])
    duel.touch("touchMove", places[1])
    duel.touch("touchEnd")
    duel.wait("studio.view.board.columns[20][0] === 1 && studio.app.sync.idle")
    assert duel.browser.run(LEFT_OF_DESIGN) == []
    duel.browser.run("document.querySelector('#undo').click()")
    duel.wait("studio.view.board.columns[20][0] === 0")
    assert duel.browser.run(LEFT_OF_DESIGN) == []
    play(duel)
    assert duel.browser.run(LEFT_OF_DESIGN) == []


def test_offer_of_a_tool_goes_with_it(duel: Page) -> None:
    duel.choose("raise")
    tap(duel, duel.resting(lambda: duel.spot(0, 0, 0)))
    duel.wait("!document.querySelector('#offer').hidden")
    for tool in ("start-red", "erase", "tree"):
        duel.choose(tool)
        duel.wait("document.querySelector('#offer').hidden && !studio.state.ghost")
