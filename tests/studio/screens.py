"""Every screen of the studio as data.

`python -m tests.studio.screens FOLDER` takes a picture of each screen at each size, light and dark.
`python -m tests.studio.screens --play` plays the game anew that some of the screens show.
"""

import json
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from itertools import product
from pathlib import Path

from falldamage_forge.games.fall_damage.play import BoardGame
from falldamage_forge.languages.translator import read_language
from falldamage_forge.playtest.bots import BOTS, choose_move
from falldamage_forge.presets import load_text
from falldamage_forge.studio.link_play import saved_text
from falldamage_forge.studio.match_value import HAND, PlayMatch
from falldamage_forge.studio.play_match import started
from falldamage_forge.studio.session import Session
from tests.studio.hands import DRAWN
from tests.studio.judge import judged
from tests.studio.test_page import Page

SIZES = {"desk": (1440, 900), "small": (1024, 768), "phone": (390, 844)}
"""Windows in which every screen is looked at."""
ODD_SIZES = {
    "tablet": (820, 1180),
    "phone on its side": (844, 390),
    "desk at 200 %": (720, 450),
    "small window at 200 %": (512, 384),
}
THEMES = ("light", "dark")
LANGUAGES = ("en", "de", "pseudo")
DUEL = load_text("maps", "duel.forge")
WRONG = DUEL.replace("ladder E4 -> D4", "ladder E4 -> E4").replace("players 2", "playrs 2")
SEED = 4
"""Draws the teams of each game, so that every run sees the same units."""
Reach = Callable[[Page], None]


@dataclass(frozen=True)
class Look:
    """A screen as a person has it before the eyes."""

    screen: str
    size: str
    theme: str = "light"
    language: str = "en"
    finger: bool = True

    def __str__(self) -> str:
        hand = "finger" if self.finger else "mouse"
        return f"{self.screen}-{self.size}-{self.theme}-{self.language}-{hand}"


def _press(selector: str) -> Reach:
    """Return a press of a control by its script, as from a menu or a key."""
    return lambda page: page.browser.run(f"document.querySelector({selector!r}).click()")


def _dialog(name: str) -> Reach:
    return lambda page: page.browser.run(f"document.querySelector('#{name}').showModal()")


def _gallery(page: Page) -> None:
    _press("#gallery")(page)
    page.wait("document.querySelectorAll('#preset-list img').length > 12")
    page.browser.run(
        "for (const one of document.querySelectorAll('#preset-list img')) one.loading = 'eager'"
    )
    page.wait(
        "[...document.querySelectorAll('#preset-list img')]"
        ".every((one) => one.complete && one.naturalWidth)"
        " && [...document.querySelectorAll('#preset-list small')].length > 12"
    )


def _armed(tool: str, *taps: tuple[int, int, int]) -> Reach:
    """Return a tool with taps, or clicks, on tops of tiles: (row, column, level)."""

    def reach(page: Page) -> None:
        page.choose(tool)
        for row, col, level in taps:
            at = page.resting(lambda row=row, col=col, level=level: page.spot(row, col, level))  # type: ignore[misc]
            page.touch("touchStart", at)
            page.touch("touchEnd")
        page.wait("studio.app.sync.idle && (!studio.state.ghost || studio.state.ghost.known)")

    return reach


def _stamps(page: Page) -> None:
    page.choose("stamp")
    page.wait("document.querySelector('#stamps details')")


def _text(page: Page) -> None:
    page.browser.run("import('./panes.js').then((panes) => panes.open('text'))")


def _result(page: Page) -> None:
    page.browser.run("import('./panes.js').then((panes) => panes.open('result'))")
    page.wait("document.querySelectorAll('#measures li').length > 3")


def _issues(page: Page) -> None:
    page.browser.run(f"studio.app.editor.put({json.dumps(WRONG)})")
    page.wait("document.querySelectorAll('#issues .error').length === 2 && studio.app.sync.idle")
    page.browser.run("import('./panes.js').then((panes) => panes.open('result'))")


def _more(page: Page) -> None:
    page.browser.run("document.querySelector('#more').showPopover()")


def _past(page: Page) -> None:
    """Reach the history after two steps, with a state that is kept."""
    page.browser.run(
        "studio.app.sync.change('gesture', { words: 'raise A1', copies: 'all', brush: true }), true"
    )
    page.wait("studio.app.sync.idle && studio.view.board.columns[0][0] === 1")
    _press("#past-button")(page)
    page.wait("document.querySelectorAll('#past-list li').length > 1")
    page.browser.run(
        "document.querySelector('#past-kept').childElementCount"
        " || document.querySelector('#past-keep').click()"
    )


def _shared(page: Page) -> None:
    """Reach the link of a site with its code."""
    page.browser.run(
        "document.head.insertAdjacentHTML('beforeend',"
        " '<link rel=canonical href=\"https://example.org/forge/studio.html\">')"
    )
    _press("#share")(page)
    page.wait(
        "document.querySelector('#sharing').open"
        " && document.querySelector('#qr path').getAttribute('d')"
    )
    page.browser.run("document.querySelector('link[rel=canonical]').remove()")


MESSAGE = 160
"""Characters of a long message: the longest of issues and refusals."""
SENTENCES = [text for text in read_language("de").sentences.values() if len(text) <= MESSAGE]
LONGEST = max(SENTENCES, key=len)
TELL = """import('./notes.js').then((notes) => { const text = %s;
  notes.notice(text, [[text.slice(0, 40), () => {}]]);
  notes.speak(text); })"""


def _told(page: Page) -> None:
    """Reach a long notice with a choice, and a long spoken line."""
    page.browser.run(TELL % json.dumps(LONGEST + " " + "x" * 90))


def _question(page: Page) -> None:
    ways = json.dumps([LONGEST[:60], "x" * 90])
    page.browser.run(
        f"import('./notes.js').then((notes) => notes.question({json.dumps(LONGEST)},"
        f" {ways}.map((name) => [name, () => {{}}])))"
    )


def _match(page: Page) -> None:
    page.wait("!document.querySelector('#play').disabled")
    _press("#play")(page)
    page.wait("document.querySelector('#match').open")


# -- games ---------------------------------------------------------------------------------------

STOOD = "document.querySelectorAll('.standee .figure').length > 12"
SIGNS = """[...document.querySelectorAll('.figure, use')].every((one) => (
  !one.checkVisibility() || one.getAttribute('d') || one.getBBox().width))"""
"""True if the outlines of cards and icons, which come in files of their own, are there."""
FITTED = """Math.abs(studio.view.canvas.width / studio.view.canvas.clientWidth
  - studio.view.canvas.height / studio.view.canvas.clientHeight) < 0.02"""
"""True if the board was drawn for the size that it has now."""
FORETELL = """Promise.all(['forecast', 'unit_card', 'decision', 'texts']
  .map((name) => import(`./${name}.js`))).then(([forecast, card, { CAUSES }, { TEXTS }]) => {
    const { units, moves } = studio.state.play;
    const figure = (kind) => (`effect-${kind}` in TEXTS.en ? '-12' : '');
    const kinds = Object.keys(CAUSES).filter((kind) => figure(kind) || kind === 'die');
    const effects = kinds.map((kind) => (
      { kind, words: units[0].title, unit: 0, figure: figure(kind), place: [0, 0, 0] }));
    forecast.foretell([{ ...moves[0], kind: 'move', effects, health: [[0, 1]] }], units);
    for (const unit of units) card.show(unit);
    document.querySelector('#all-moves').open = true;
    return document.querySelector('#forecast').childElementCount > 3; })"""
"""Shows a forecast of everything that can happen, a card, and all moves."""


MATCH = PlayMatch(DUEL, "duel.forge", HAND, HAND, 3, draw=True)
MOVES = Path(__file__).parent / "finished_game.txt"
"""Moves of a game, a line each. Kept, so that no screen depends on how a bot plays today."""


@cache
def finished_game() -> BoardGame:
    """Return a game on the table that a side has won, move by move as it was once played."""
    game = started(Session(DUEL, "duel.forge"), MATCH)
    for move in MOVES.read_text("utf-8").splitlines():
        game.push(move)
    assert game.record()["result"] in ("red", "blue"), "play it anew, as the head of this file says"
    return game


def _play_anew() -> None:
    """Write the moves of a game in which a bot plays both sides."""
    game = started(Session(DUEL, "duel.forge"), MATCH)
    while not game.over:
        if game.turn == "chance":
            game.roll()
        else:
            game.push(choose_move(BOTS["careful"], game.state, game.bot_dice))
    MOVES.write_text("".join(f"{move}\n" for move in game.moves), "utf-8")


def _resume(page: Page, last: int) -> None:
    """Open the saved game of two people, up to a number of its moves."""
    moves = tuple(map(str, finished_game().moves))[:last]
    say(page, "resume", saved=saved_text(replace(MATCH, moves=moves)))


def say(page: Page, do: str, **values: object) -> None:
    values_json = json.dumps(values)
    page.browser.run(f"studio.app.wire.say('play', {{ do: '{do}', values: {values_json} }}), true")


def _game(page: Page) -> None:
    """Reach the first choice of a game of two people on the table."""
    page.wait("!document.querySelector('#begin').disabled")
    say(page, "begin", red=HAND, blue=HAND, seed=SEED, draw=True)
    page.wait(f"studio.state.play?.hand && {STOOD}")


def _chosen_unit(page: Page) -> None:
    """Reach the choice of what a unit does."""
    _game(page)
    count = page.browser.run("studio.state.play.count")
    page.browser.run("document.querySelector('.medal.may').click()")
    page.wait(
        f"studio.state.play.count > {count} && document.querySelector('#act-list button')"
        f" && {STOOD}"
    )


def _target(page: Page) -> None:
    """Reach the forecast of a move with everything that can happen, and a card."""
    _game(page)
    page.wait("!studio.view.waiting && studio.app.sync.idle")
    page.browser.run(DRAWN)
    page.browser.run(FORETELL)
    assert page.browser.run("document.querySelector('#forecast').textContent")


def _dice(page: Page) -> None:
    """Reach a roll of dice over the board, which stays there."""
    moves = list(map(str, finished_game().moves))
    _resume(page, next(at for at, move in enumerate(moves, 1) if move.startswith("die ")))
    page.wait(f"studio.state.play?.hand && {STOOD}")
    page.browser.run(
        "import('./dice.js').then((dice) => { const own = window.setTimeout;"
        " window.setTimeout = () => 0;"
        " dice.roll([{ sign: '⚃', value: '4' }, { sign: '⚀', value: '1' }]);"
        " window.setTimeout = own; })"
    )
    page.wait("document.querySelector('#rolling').checkVisibility()")


def _end(page: Page) -> None:
    """Reach the end of a game, with its slider."""
    _resume(page, len(finished_game().moves))
    page.wait("studio.state.play?.over && document.querySelector('.standee .figure')")
    page.browser.run("import('./panes.js').then((panes) => panes.open('result'))")


def _link(page: Page) -> None:
    """Reach the invitation of a friend to a game by link."""
    page.wait("!document.querySelector('#begin').disabled")
    say(page, "offer", rounds=6)
    page.wait("studio.state.play?.link && !document.querySelector('#friend-out').hidden")
    page.browser.run("import('./panes.js').then((panes) => panes.open('result'))")


SCREENS: Mapping[str, Reach] = {
    "design": lambda page: None,
    "gallery": _gallery,
    "text": _text,
    "result": _result,
    "issues": _issues,
    "more": _more,
    "share": _shared,
    "find": _dialog("find"),
    "settings": _dialog("setting"),
    "keys": _dialog("keys"),
    "print": _press("#print-button"),
    "preview": _armed("raise", (9, 9, 0)),
    "preview far away": _armed("raise", (0, 0, 0)),
    "refusal": _armed("lower", (9, 9, 0), (9, 9, 0)),
    "bridge": _armed("bridge", (2, 6, 2)),
    "chosen": _armed("choose", (4, 4, 1)),
    "stamps": _stamps,
    "looked": _armed("look", (4, 4, 1)),
    "told": _told,
    "question": _question,
    "match": _match,
    "game": _game,
    "acts": _chosen_unit,
    "target": _target,
    "dice": _dice,
    "end": _end,
    "link": _link,
    "past": _past,
}
"""Each screen by its name, with the way to it from an open table."""
GAMES = ("game", "acts", "target", "dice", "end", "link")
"""Screens of a game, which the smallest odd window cuts: its reader scrolls the page."""


def turns() -> list[Look]:
    """Each screen once at each size, and once more in an odd window and in longer words."""
    found = []
    for number, screen in enumerate(SCREENS):
        for turn, size in enumerate(SIZES):
            theme = THEMES[(number + turn) % 2]
            found.append(Look(screen, size, theme, finger=size != "desk"))
        odd = [*ODD_SIZES][number % (3 if screen in GAMES else 4)]
        language = ("pseudo", "de")[number // 4 % 2]
        found.append(Look(screen, odd, THEMES[number % 2], language, finger="%" not in odd))
    return found


# -- a page --------------------------------------------------------------------------------------


@contextmanager
def studio() -> Iterator[Page]:
    """Yield a page of a studio that stands still."""
    with tempfile.TemporaryDirectory() as folder:
        page = Page(Path(folder))
        try:
            still = {"name": "prefers-reduced-motion", "value": "reduce"}
            page.browser.ask("Emulation.setEmulatedMedia", features=[still])
            yield page
        finally:
            page.close()


def _dress(page: Page, look: Look) -> None:
    """Put a page into a theme, a language and a hand."""
    now = "(document.documentElement.dataset.theme ?? 'light')"
    if page.browser.run(now) != look.theme:
        _press("#theme")(page)
    page.browser.ask("Emulation.setTouchEmulationEnabled", enabled=look.finger)
    page.wait(
        f"{now} === '{look.theme}'"
        f" && matchMedia('(pointer: coarse)').matches === {json.dumps(look.finger)}"
    )
    if page.browser.run("document.documentElement.lang") != look.language:
        page.browser.run(
            "(() => { const at = document.querySelector('#language');"
            f" if (![...at.options].some(({{ value }}) => value === '{look.language}'))"
            f" at.append(new Option('{look.language}'));"
            f" at.value = '{look.language}'; at.dispatchEvent(new Event('change')); }})()"
        )
        page.wait(f"document.documentElement.lang === '{look.language}' && studio.app.sync.idle")


def _home(page: Page, size: tuple[int, int]) -> None:
    """Leave any screen for the open table as it is first seen in a window of a size."""
    page.let_go()
    page.browser.run(
        "for (const one of document.querySelectorAll('dialog[open]')) one.close();"
        " document.querySelector('#more').hidePopover();"
        " if (studio.state.play) document.querySelector('#leave').click()"
    )
    page.wait("!studio.state.play")
    page.browser.narrow(*size)
    page.wait(f"innerWidth === {size[0]} && innerHeight === {size[1]}")
    page.browser.run(
        "import('./notes.js').then((notes) => { notes.notice(''); notes.speak(''); });"
        " import('./board.js').then((board) => board.forget());"
        " import('./choice.js').then((choice) => choice.pick([], false));"
        " for (const key of Object.keys(localStorage)) if (key.startsWith('fdforge-game:'))"
        " localStorage.removeItem(key);"
    )
    page.choose("look")
    # Panes as they are when the page opens.
    page.browser.run(
        "studio.state.pin = null; for (const [name, least] of [['text', 1280], ['result', 1024]])"
        " if (document.querySelector(`#${name}-pane`).classList.contains('folded')"
        " !== innerWidth < least)"
        " document.querySelector(`.fold[data-pane=${name}]`).click()"
    )
    if page.text() != DUEL:
        page.browser.run(f"studio.app.editor.put({json.dumps(DUEL)})")
    page.wait(
        "studio.app.sync.idle && studio.state.whole && studio.view.board?.cols === 10"
        " && !document.querySelector('#play').disabled"
        " && document.querySelector('#totals dd')?.textContent"
        " && document.querySelectorAll('#measures li').length > 3"
    )
    page.browser.run("studio.view.home()")


def reach(page: Page, look: Look) -> None:
    """Go to a screen, and wait until everything on it rests."""
    _dress(page, look)
    _home(page, {**SIZES, **ODD_SIZES}[look.size])
    SCREENS[look.screen](page)
    page.wait(f"!studio.view.waiting && document.getAnimations().length === 0 && {SIGNS}")
    page.wait(f"!studio.view.gl || {FITTED}")
    page.browser.run(DRAWN)


def main(folder: Path) -> None:
    """Write a picture of each screen, and print what is wrong with it."""
    folder.mkdir(parents=True, exist_ok=True)
    with studio() as page:
        for theme, size, screen in product(THEMES, SIZES, SCREENS):
            reach(page, Look(screen, size, theme, finger=size != "desk"))
            path = folder / f"{screen}-{size}-{theme}.png"
            path.write_bytes(page.browser.screenshot())
            print(path, *judged(page.browser, axe=theme == "light"), sep="\n  ", flush=True)


if __name__ == "__main__":
    if sys.argv[1] == "--play":
        _play_anew()
    else:
        main(Path(sys.argv[1]))
