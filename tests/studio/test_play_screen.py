"""The play screen in Chromium: strip, acts, forecast, skulls and cards say what the game is."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from falldamage_forge.presets import load_text
from tests.render.chromium import BINARY
from tests.studio.screens import say
from tests.studio.test_page import Page

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(BINARY is None, reason="no Chromium"),
]
SIZES = {"wide": (1440, 900), "small": (1024, 768), "tablet": (820, 1180), "phone": (390, 844),
         "in a browser": (390, 664)}  # fmt: skip
GAME = "studio.state.play"
SEED = 0.3
"""Draws teams of which a unit can be pushed and hit after some moves."""
APPROACH = """(() => { const { units, turn, moves, count } = studio.state.play;
  const foes = units.filter((unit) => unit.side !== turn && unit.place);
  const far = ([row, col]) => Math.min(...foes.map(
    ({ place: [r, c] }) => Math.abs(r - row) + Math.abs(c - col)));
  const hit = moves.find(({ kind, health }) => kind === 'attack' && health.length);
  const [near] = moves.filter(({ kind }) => kind === 'move')
    .sort((a, b) => far(a.place) - far(b.place));
  const { text } = hit ?? near ?? moves[(count * 7) % moves.length];
  studio.app.wire.say('play', { do: 'move', values: { move: text } }); return true; })()"""
"""Makes a move: hits whom it hurts, or goes to the nearest enemy."""
DEADLY = (
    f"({GAME}.moves.find(({{ effects, place }}) => effects.some(({{ kind }}) => kind === 'die') "
    f"&& {GAME}.moves.filter((one) => `${{one.place}}` === `${{place}}`).length === 1) ?? null)"
)
"""A move by which a unit dies, the only one to its tile; null: none."""


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    found = Page(tmp_path_factory.mktemp("screen"))
    still = {"name": "prefers-reduced-motion", "value": "reduce"}
    found.browser.ask("Emulation.setEmulatedMedia", features=[still])
    found.browser.narrow(*SIZES["wide"])
    found.browser.run(f"studio.app.editor.put({load_text('maps', 'duel.forge')!r})")
    found.wait("studio.view.board.rows === 10 && !document.querySelector('#begin').disabled")
    yield found
    found.close()


@pytest.fixture(autouse=True)
def game(page: Page) -> Iterator[None]:
    """Each test begins with the same new game of two people."""
    resize(page, "wide")
    page.browser.run(
        f"document.querySelector('#player-blue').value = 'hand', window.drawn ??= Math.random, "
        f"Math.random = () => {SEED}, document.querySelector('#play').click(), "
        "document.querySelector('#begin').click(), Math.random = window.drawn, true"
    )
    page.wait(f"{GAME}?.hand && !studio.view.waiting")
    yield
    page.let_go()
    page.browser.run("document.querySelector('#question').close()")
    page.browser.run("document.querySelector('#leave').click()")
    page.wait(f"!{GAME}")
    assert page.browser.complaints() == []


def go_on(page: Page, until: str) -> Any:
    """Make moves until a script returns something; return it."""
    for _ in range(200):
        if (found := page.browser.run(until)) is not None:
            return found
        count = page.browser.run(f"{GAME}.count")
        page.browser.run(APPROACH)
        page.wait(f"{GAME}.count > {count} && {GAME}.hand")
    raise AssertionError(f"no game comes to {until}")


def begin_activation(page: Page) -> None:
    """Choose the first unit that may be chosen."""
    count = page.browser.run(f"{GAME}.count")
    page.press(".medal.may")
    page.wait(f"{GAME}.count > {count} && {GAME}.active !== null && {GAME}.active >= 0")


def resize(page: Page, size: str) -> None:
    """Give the window a size, and wait until panes and board have theirs."""
    width, height = SIZES[size]
    page.browser.narrow(width, height)
    page.wait(
        f"innerWidth === {width} && document.querySelector('#result-pane').classList"
        f".contains('folded') === {str(width < 1024).lower()}"
    )
    page.browser.run("new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go)))")
    page.wait("!studio.view.waiting")


def hover(page: Page, place: list[int]) -> None:
    page.mouse("mouseMoved", (5, 5))
    page.mouse("mouseMoved", page.spot(*place))


def key(page: Page, name: str, shift: bool = False) -> None:
    """Press a key while the board has the focus."""
    page.browser.run(
        "document.querySelector('#board').focus(), document.querySelector('#board').dispatchEvent("
        f"new KeyboardEvent('keydown', {{ key: {name!r}, shiftKey: {str(shift).lower()},"
        " bubbles: true, cancelable: true }))"
    )


@pytest.mark.parametrize("size", SIZES)
def test_step_after_which_dice_fell_is_not_taken_back(page: Page, size: str) -> None:
    """**Take back** says why in the status line; the board keeps its place and size."""
    resize(page, size)
    say(page, "begin", red="hand", blue="hand", seed=4, draw=True)
    page.wait(f"{GAME}.count === 1")
    for move, count in (("unit 3", 2), ("move D4@3", 6)):
        say(page, "move", move=move)
        page.wait(f"{GAME}.count === {count}")
    board = "Object.values(document.querySelector('#board').getBoundingClientRect().toJSON())"
    before = page.browser.run(board)
    page.press("#back")
    spoken = "document.querySelector('footer #spoken')"
    page.wait(f"{spoken}.textContent.includes('since your last step')")
    assert page.browser.run(f"{GAME}.count") == 6
    assert page.browser.run(f"{spoken}.getBoundingClientRect().height") > 10
    assert page.browser.run(f"{spoken}.scrollWidth <= {spoken}.clientWidth + 1")
    assert page.browser.run(board) == pytest.approx(before, abs=6)


@pytest.mark.parametrize("size", SIZES)
def test_figure_that_climbs_the_highest_column_is_seen_whole(page: Page, size: str) -> None:
    """The view that stays in a game leaves room for a figure and its name on each column."""
    resize(page, size)
    say(page, "begin", red="hand", blue="hand", seed=4, draw=True)
    page.wait(f"{GAME}.count === 1")
    page.browser.run("studio.view.home()")
    for move, count in (("unit 3", 2), ("move D4@3", 6)):
        say(page, "move", move=move)
        page.wait(f"{GAME}.count === {count}")
    page.wait("document.querySelector('.standee.active .figure') && !studio.view.waiting")
    page.browser.run("new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go)))")
    above, beside = page.browser.run(
        "(() => { const stage = document.querySelector('#stage').getBoundingClientRect(); "
        "const boxes = [...document.querySelectorAll('.standee.active :is(b, svg)')]"
        ".map((one) => one.getBoundingClientRect()); "
        "return [Math.min(...boxes.map(({ top }) => top)) - stage.top, "
        "Math.min(...boxes.map(({ left }) => left)) - stage.left]; })()"
    )
    assert above >= 0 and beside >= 0


AT = "[...studio.state.at.tile, studio.state.at.level]"
PLACES = f"""[...new Map({GAME}.moves.filter(({{ place }}) => place)
  .map(({{ place }}) => [`${{place}}`, place])).values()]"""


def test_keys_go_through_units_and_targets_and_press_acts(page: Page) -> None:
    """Tab visits each place that is offered once, then leaves the board; M and A press acts."""
    assert "1 of 2" in page.browser.run("document.querySelector('#turn').textContent")
    places = page.browser.run(PLACES)
    assert len(places) > 4
    page.browser.run("studio.state.at = null, true")
    for place in places:
        key(page, "Tab")
        assert page.browser.run(AT) == place
    key(page, "Tab", shift=True)
    assert page.browser.run(AT) == places[-2]
    key(page, "Enter")
    page.wait(f"{GAME}.active !== null && {GAME}.active >= 0")
    key(page, "m")
    lit = page.browser.run("document.querySelector('#act-list [aria-pressed=true]').dataset.act")
    assert lit == "move"
    key(page, "Tab")
    assert page.browser.run(AT) in page.browser.run(PLACES)
    count = page.browser.run(f"{GAME}.count")
    key(page, "Enter")
    page.wait(f"{GAME}.count > {count} && {GAME}.hand")
    key(page, "e")
    page.wait("document.querySelector('#turn').textContent.includes('2 of 2')")


def test_the_strip_shows_each_unit_of_both_sides(page: Page) -> None:
    begin_activation(page)
    page.browser.run(APPROACH)
    go_on(page, f"{GAME}.units.some(({{ done }}) => done) || null")
    for side in ("red", "blue"):
        rows = page.browser.run(
            f"{GAME}.units.filter((unit) => unit.side === '{side}').map((unit) => ["
            f"unit.title, `${{unit.health}}`, unit.done, unit.number === {GAME}.active])"
        )
        shown = page.browser.run(
            f"[...document.querySelectorAll('.side.{side} .medal')].map((one) => ["
            "one.getAttribute('aria-label'), one.querySelector('span').textContent, "
            "one.getAttribute('aria-current') === 'true'])"
        )
        assert len(rows) == len(shown) > 0
        for (title, health, done, active), (label, badge, current) in zip(rows, shown, strict=True):
            assert title in label and badge.split()[0] == health
            assert current == active
            assert ("✓" in badge) == ("has acted" in label) == (done and not active)
    frames = page.browser.run(
        "['red', 'blue'].map((side) => "
        "document.querySelector(`.side.${side} .frame`).getAttribute('d'))"
    )
    assert frames[0] != frames[1], "sides differ in shape, not in colour alone"
    undrawn = (
        "[...document.querySelectorAll('.medal .figure')].filter((one) => !one.getAttribute('d'))"
    )
    page.wait(f"{undrawn}.length === 0")


def test_a_medal_lights_its_tile_and_begins_the_turn_of_its_unit(page: Page) -> None:
    text = page.browser.run(f"{GAME}.moves.find(({{ kind }}) => kind === 'unit').text")
    unit = page.browser.run(f"{GAME}.units[{text.removeprefix('unit ')}]")
    medal = (
        f"[...document.querySelectorAll('.side.{unit['side']} .medal')]"
        f"[{GAME}.units.filter(({{ side }}) => side === '{unit['side']}')"
        f".findIndex(({{ number }}) => number === {unit['number']})]"
    )
    x, y = page.browser.run(
        f"(() => {{ const r = {medal}.getBoundingClientRect(); "
        "return [r.left + r.width / 2, r.top + r.height / 2]; })()"
    )
    page.mouse("mouseMoved", (x, y))
    page.wait(f"`${{studio.state.lit}}` === '{unit['place'][0]},{unit['place'][1]}'")
    page.wait(f"document.querySelector('#unit-card b').textContent === {unit['title']!r}")
    page.mouse("mouseMoved", (5, 5))
    page.wait("studio.state.lit.length === 0")
    for kind in ("mouseMoved", "mousePressed", "mouseReleased"):
        page.mouse(kind, (x, y))
    page.wait(f"{GAME}.active === {unit['number']}")


LIT = "studio.state.cover.marks.filter(([,,, colour]) => colour === '#0a5c5c').length"


def test_a_chosen_act_lights_and_does_its_moves_alone(page: Page) -> None:
    kinds = "[...new Set(studio.state.play.moves.map(({ kind }) => kind))]"
    go_on(page, f"({kinds}.includes('move') && {kinds}.includes('attack')) || null")
    shown = "[...document.querySelectorAll('#act-list button')].map((one) => one.dataset.act)"
    assert page.browser.run(f"`${{{shown}}}` === `${{{kinds}}}`")
    places = (
        "new Set(studio.state.play.moves.filter(({{ kind, place }}) => place && {})"
        ".map(({{ place }}) => `${{place}}`)).size"
    ).format
    assert page.browser.run(f"{LIT} === {places('true')}")
    page.press("[data-act='attack']")
    page.wait("document.querySelector(\"[data-act='attack']\").ariaPressed === 'true'")
    kind = "kind === 'attack'"
    assert page.browser.run(f"{LIT} === {places(kind)} && {LIT} < {places('true')}")
    other = page.browser.run(
        f"{GAME}.moves.find(({{ kind, place: [r, c, l] }}) => kind === 'move' && "
        "studio.view.under(...studio.view.spot(r, c, l))?.level === l && "
        f"!{GAME}.units.some(({{ place }}) => `${{place}}` === `${{[r, c, l]}}`)).place"
    )
    count = page.browser.run(f"{GAME}.count")
    page.browser.run(
        f"import('/play.js').then((play) => {{ play.clicked({{ tile: {other[:2]}, "
        f"level: {other[2]} }}); return true; }})"
    )
    page.wait("document.querySelector('#spoken').textContent === 'no legal move here'")
    assert page.browser.run(f"{GAME}.count") == count
    page.press("[data-act='attack']")
    page.wait(f"{LIT} === {places('true')}")
    page.press("[data-act='end']")
    page.wait(f"{GAME}.count > {count}")
    assert page.browser.run(f"{GAME}.active") in (None, -1)


@pytest.mark.parametrize("size", SIZES)
def test_a_forecast_has_the_figures_of_the_engine_and_a_skull(page: Page, size: str) -> None:
    move = go_on(page, DEADLY)
    resize(page, size)
    hover(page, move["place"])
    page.browser.run(
        f"import('/play.js').then((play) => {{ play.pointed({{ tile: {move['place'][:2]}, "
        f"level: {move['place'][2]} }}); return true; }})"
    )
    figures = page.browser.run(
        "[...document.querySelectorAll('#forecast .cause b')].map((one) => one.textContent)"
    )
    told = [one["figure"] for one in move["effects"] if one["figure"]]
    assert [figure.replace("−", "-") for figure in figures] == told and told
    rows = page.browser.run("[...document.querySelectorAll('#forecast .cause')].length")
    assert rows == sum(one["kind"] != "die" for one in move["effects"])
    deaths = [one for one in move["effects"] if one["kind"] == "die"]
    outcome = page.browser.run("document.querySelector('#forecast .out').textContent")
    assert all(one["words"] in outcome for one in deaths)
    page.wait("!studio.view.waiting")
    skulls = page.browser.run(
        "[...document.querySelectorAll('#doom span')]"
        ".map(({ style }) => [parseFloat(style.left), parseFloat(style.top)])"
    )
    spots = page.browser.run(
        f"{[one['place'] for one in deaths]}.map((place) => studio.view.spot(...place))"
    )
    assert len(skulls) == len(spots) > 0
    for skull, spot in zip(sorted(skulls), sorted(spots), strict=True):
        assert skull == pytest.approx(spot, abs=0.1)
    x, y = page.spot(*move["place"])
    left, right, top = page.browser.run(
        "(() => { const { left, right, top } = document.querySelector('#forecast')"
        ".getBoundingClientRect(); return [left, right, top]; })()"
    )
    assert x < left or x > right or y < top, "the card covers what it is about"
    page.browser.run("import('/play.js').then((play) => { play.pointed(null); return true; })")
    assert page.browser.run("document.querySelectorAll('#doom span, #forecast *').length") == 0


@pytest.mark.parametrize("size", ["wide", "phone"])
def test_the_card_of_a_unit_that_is_pointed_at_has_its_abilities(page: Page, size: str) -> None:
    resize(page, size)
    able = False
    for unit in page.browser.run(f"{GAME}.units.filter(({{ place }}) => place)"):
        page.browser.run(
            f"import('/play.js').then((play) => {{ play.pointed({{ tile: {unit['place'][:2]}, "
            f"level: {unit['place'][2]} }}); return true; }})"
        )
        card = page.browser.run("document.querySelector('#unit-card').textContent")
        assert unit["title"] in card and f"{unit['health']}/{unit['most']}" in card
        assert all(name in card and text in card for name, text in unit["abilities"])
        able |= bool(unit["abilities"])
        beside = page.browser.run("Boolean(document.querySelector('#sheet #unit-card'))")
        assert beside == (size == "phone")
        assert page.browser.run("document.querySelector('#unit-card').checkVisibility()")
    assert able


@pytest.mark.parametrize("size", SIZES)
def test_every_unit_and_act_can_be_reached_and_lies_beside_the_board(page: Page, size: str) -> None:
    begin_activation(page)
    resize(page, size)
    hidden = page.browser.run(
        "[...document.querySelectorAll('.medal, #act-list button, #advise, #back')]"
        ".filter((one) => { const r = one.getBoundingClientRect(); return !one.contains("
        "document.elementFromPoint(r.left + r.width / 2, r.top + r.height / 2)); })"
        ".map((one) => one.ariaLabel ?? one.textContent)"
    )
    assert hidden == []
    covered = page.browser.run(
        "(() => { const { rows, cols } = studio.view.board, found = []; "
        "const stage = document.querySelector('#stage').getBoundingClientRect(); "
        "for (let row = 0; row < rows; row += 1) for (let col = 0; col < cols; col += 1) { "
        "const [x, y] = studio.view.spot(row, col, 0); "
        "const at = document.elementFromPoint(stage.left + x, stage.top + y); "
        "if (at?.closest('#acts, #strip')) found.push([row, col]); } return found; })()"
    )
    assert covered == [], "what floats covers no tile"


def test_a_tap_shows_and_a_second_one_or_the_button_does(page: Page) -> None:
    resize(page, "phone")
    for again in ("the tile", "the button"):
        begin_activation(page)
        place = page.browser.run(
            f"{GAME}.moves.find(({{ kind, place: [r, c, l] }}) => kind === 'move' && "
            "[0, -6, -12].every((up) => { const [x, y] = studio.view.spot(r, c, l); "
            "const at = studio.view.under(x, y); return at?.level === l "
            "&& `${at.tile}` === `${[r, c]}`; })).place"
        )
        count = page.browser.run(f"{GAME}.count")
        page.touch("touchStart", page.spot(*place))
        page.touch("touchEnd")
        page.wait(f"`${{studio.state.tap?.place}}` === '{','.join(map(str, place))}'")
        page.wait("document.querySelector('#build').textContent === 'Move'")
        assert page.browser.run(f"{GAME}.count") == count, "the first tap only shows"
        if again == "the tile":
            page.touch("touchStart", page.spot(*place))
            page.touch("touchEnd")
        else:
            page.press("#build")
        page.wait(f"{GAME}.count > {count}")
        page.wait("document.querySelector('#offer').hidden")
        chosen = f"{GAME}.moves.some(({{ kind }}) => kind === 'unit')"
        if not page.browser.run(chosen):
            page.press("[data-act='end']")
            page.wait(chosen)


def test_bot_that_decides_shows_that_it_thinks(page: Page) -> None:
    """The answer is held back, as that of a slow bot is."""
    page.browser.run(
        f"window.own = studio.app.wire.say, {GAME}.players = ['hand', 'search-3'],"
        " studio.app.wire.say = () => true,"
        " document.querySelector('#moves button').click()"
    )
    page.wait("document.querySelector('#strip').classList.contains('thinking')")
    assert page.browser.run("document.querySelector('#spoken').textContent") == "the bot thinks …"
    page.browser.run(
        "studio.app.wire.say = window.own,"
        " studio.app.wire.say('play', { do: 'next', values: {} }), true"
    )
    page.wait("!document.querySelector('#strip').classList.contains('thinking')")


SHOVE = (
    f"({GAME}.moves.find(({{ effects }}) => effects.some(({{ kind, place, unit }}) => "
    f"kind === 'pushed' && place && {GAME}.units[unit]?.place)) ?? null)"
)
"""A move that pushes a unit to another tile; null: none."""
CHOSEN_SPEED = (
    "document.querySelector('#speed').value = '{}', "
    "document.querySelector('#speed').dispatchEvent(new Event('change'))"
)
FILMED = """(async (move) => {
  const { unit } = move.effects.find(({ kind }) => kind === 'pushed');
  const spots = () => [...document.querySelectorAll('.standee')].map(({ style }) => style);
  const seen = [], before = studio.state.play.count;
  const place = () => { const s = spots()[unit]; return s ? `${s.left} ${s.top}` : null; };
  const first = place();
  studio.app.wire.say('play', { do: 'move', values: { move: move.text } });
  for (let frame = 0; frame < 900; frame += 1) {
    await new Promise(requestAnimationFrame);
    const at = place();
    if (at?.trim() && at !== first && at !== seen.at(-1)) seen.push(at);
    if (studio.state.play.count > before && frame > 120) break;
  }
  return seen;
})"""


@pytest.mark.parametrize("speed", ["slow", "none"])
def test_a_push_is_seen_as_motion_unless_none_is_wanted(page: Page, speed: str) -> None:
    move = go_on(page, SHOVE)
    page.browser.run(CHOSEN_SPEED.format(speed))
    seen = page.browser.run(f"{FILMED}({json.dumps(move)})")
    page.browser.run(CHOSEN_SPEED.format("none"))
    assert len(seen) == 1 if speed == "none" else len(seen) > 3
