"""The first minute of a person with a phone: a table that is playable, three moves, a game.

Each tap is counted.
"""

import contextlib
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

import falldamage_forge as ff
from tests.render.chromium import BINARY, WEBGL, Chromium
from tests.studio.hands import DRAWN, Hands
from tests.studio.judge import judged
from tests.studio.test_phone import PHONES
from tests.studio.test_server import Studio

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(BINARY is None, reason="no Chromium"),
]
MOST_TAPS = 12
MOST_WORDS = 5
WINDOWS = {**PHONES, "tablet": (820, 1180), "desk": (1440, 900)}
SAID = "document.querySelector('#hints span')?.textContent ?? ''"
LANGUAGES = ("en", "de")
RING = """(() => {
  const one = document.querySelector('#ring'), r = one.getBoundingClientRect();
  return one.checkVisibility() ? [r.left + r.width / 2, r.top + r.height / 2] : null;
})()"""
"""The middle of what is pointed at, or null."""


class FirstVisit(Hands):
    """A browser that has never been here, at a studio without a map."""

    unknown = True

    def __init__(self, folder: Path) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]  # always the same, as the browser's storage is of a port
        self.studio = Studio(folder, "--port", str(port))
        # A page that is left hears nothing more; a cached one would hear its studio being closed.
        self.browser = Chromium(folder / "profile", *WEBGL, "--disable-back-forward-cache")
        self.browser.ask("Emulation.setTouchEmulationEnabled", enabled=True, maxTouchPoints=5)
        still = {"name": "prefers-reduced-motion", "value": "reduce"}
        self.browser.ask("Emulation.setEmulatedMedia", features=[still])

    def arrive(self, window: str, language: str = "en") -> None:
        """Open the studio; its session begins again as the browser does."""
        self.taps, self.run = 0, f"touch-{window}-{language}"
        self.browser.narrow(*WINDOWS[window])
        self.browser.open("about:blank", "true")
        self.studio.close()
        self.studio.begin()
        url = self.studio.url.replace("/#", f"/?quality=low&lang={language}#")
        with self.forgetting() if self.unknown else contextlib.nullcontext():
            self.browser.open(url, "window.studio?.view.board && studio.state.greeted")
        self.unknown = False
        self.wait("!document.querySelector('#play').disabled && studio.app.sync.idle")
        self.pictured()

    @contextlib.contextmanager
    def forgetting(self) -> Iterator[None]:
        """Clears what the browser keeps before the page begins.

        Cleared while a page is open, it may be written again by an answer on its way.
        """
        clears = "localStorage.clear(); sessionStorage.clear()"
        script = self.browser.ask("Page.addScriptToEvaluateOnNewDocument", source=clears)
        yield
        self.browser.ask("Page.removeScriptToEvaluateOnNewDocument", **script)

    def tap(self, at: tuple[float, float]) -> None:
        self.taps += 1
        self.touch("touchStart", at)
        self.touch("touchEnd")
        self.browser.run(DRAWN)
        self.pictured()

    def follow(self, words: str) -> None:
        """Tap what is pointed at, once these words say it."""
        self.wait(f"({SAID}) === {words!r} && ({RING}) !== null && !studio.view.waiting")
        assert len(words.split()) <= MOST_WORDS
        assert judged(self.browser, axe=False) == []
        x, y = self.resting(lambda: self.browser.run(RING))
        self.tap((x, y))

    def close(self) -> None:
        self.browser.close()
        self.studio.close()


@pytest.fixture(scope="module")
def visit(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FirstVisit]:
    found = FirstVisit(tmp_path_factory.mktemp("first"))
    yield found
    assert found.browser.complaints() == []
    found.close()


@pytest.fixture(autouse=True)
def forgotten(visit: FirstVisit) -> Iterator[None]:
    """Every test is a first visit."""
    visit.unknown = True
    yield
    visit.let_go()


WORDS = {
    "en": ("Take the marked tool", "Raise the marked tile", "Build it", "Begin a bridge here",
           "End it here", "Now play on it"),
    "de": ("Nimm das markierte Werkzeug", "Erhöhe das markierte Feld", "Baue es",
           "Beginne hier eine Brücke", "Hier endet sie", "Spiele jetzt darauf"),
}  # fmt: skip


def legal(visit: FirstVisit) -> bool:
    return not ff.check(ff.loads(visit.text())).issues


@pytest.mark.parametrize("window", WINDOWS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_three_moves_lead_to_an_own_table_and_a_game(
    visit: FirstVisit, window: str, language: str
) -> None:
    tool, tile, build, one, other, play = WORDS[language]
    visit.arrive(window, language)
    assert not visit.browser.run("document.querySelector('dialog[open]')?.id")
    assert legal(visit)
    begun = visit.text()
    for words in (tool, tile, build):
        visit.follow(words)
    visit.wait("studio.view.board.columns[85][0] === 1 && studio.app.sync.idle")
    for words in (tool, one, other, build):
        visit.follow(words)
    visit.wait("studio.view.board.decks.length === 3 && studio.app.sync.idle")
    assert visit.text() != begun
    assert legal(visit)
    assert visit.taps <= MOST_TAPS
    visit.follow(play)
    visit.wait(
        "document.querySelector('#match').open && !document.querySelector('#begin').disabled"
    )
    if window in PHONES:
        finish(visit)
    else:
        visit.tap(middle(visit, "#begin"))
        visit.wait("studio.state.play?.hand")
    print(visit.run, visit.taps)
    visit.wait("document.querySelector('#hints').hidden")
    assert visit.taps <= MOST_TAPS
    visit.arrive(window, language)
    assert visit.browser.run("document.querySelector('#hints').hidden")
    assert visit.browser.run("document.querySelector('#ring').hidden")


def finish(visit: FirstVisit) -> None:
    """From the dialog of a game to its first move."""
    visit.browser.run("Math.random = () => 0.5")  # every run draws the same units
    visit.tap(middle(visit, "#begin"))
    visit.wait("studio.state.play?.hand && document.querySelectorAll('.standee').length > 8")
    count = visit.browser.run("studio.state.play.count")
    visit.tap(middle(visit, ".medal.may"))
    visit.wait(f"studio.state.play.count > {count} && !studio.view.waiting")
    count = visit.browser.run("studio.state.play.count")
    visit.browser.run(DRAWN)
    place = visit.browser.run(
        "studio.state.play.moves.map(({ kind, place }) => kind !== 'unit' && place)"
        ".find((at, _, all) => at && all.filter((one) => String(one) === String(at)).length === 1"
        " && String(studio.view.under(...studio.view.spot(...at))?.tile)"
        " === String(at.slice(0, 2)))"
    )
    visit.tap(visit.resting(lambda: visit.spot(*place)))
    visit.wait("!document.querySelector('#offer').hidden")
    visit.tap(middle(visit, "#build"))
    visit.wait(f"studio.state.play.count > {count}")


def middle(visit: FirstVisit, selector: str) -> tuple[float, float]:
    x, y = visit.browser.run(
        f"(() => {{ const r = document.querySelector('{selector}').getBoundingClientRect(); "
        "return [r.left + r.width / 2, r.top + r.height / 2]; })()"
    )
    return x, y


def test_the_way_straight_to_a_game_is_short(visit: FirstVisit) -> None:
    visit.arrive("upright")
    visit.tap(middle(visit, "#places [data-press=play]"))
    visit.wait(
        "document.querySelector('#match').open && !document.querySelector('#begin').disabled"
    )
    finish(visit)
    print(visit.run, visit.taps)
    assert visit.taps <= MOST_TAPS // 2


@pytest.mark.parametrize("window", PHONES)
def test_moves_of_a_first_visit_can_be_closed_for_good(visit: FirstVisit, window: str) -> None:
    visit.arrive(window)
    visit.wait(f"({RING}) !== null")
    visit.tap(middle(visit, "#hints button"))
    visit.wait("document.querySelector('#hints').hidden && document.querySelector('#ring').hidden")
    visit.arrive(window)
    visit.wait("document.querySelector('#presets').open")
    assert visit.browser.run("document.querySelector('#ring').hidden")


def test_a_move_of_the_own_choice_counts_too(visit: FirstVisit) -> None:
    visit.arrive("upright")
    visit.choose("raise")
    for _ in range(2):
        visit.tap(visit.resting(lambda: visit.spot(9, 0, 0)))
    visit.wait("studio.view.board.columns[90][0] === 1")
    visit.wait(f"({SAID}) === 'Take the marked tool'")
    ring = visit.resting(lambda: visit.browser.run(RING))
    assert ring == pytest.approx(middle(visit, "[data-tool=bridge]"))


def test_a_screen_reader_hears_each_move(visit: FirstVisit) -> None:
    visit.arrive("upright")
    assert visit.browser.run("document.querySelector('#hints').ariaLive") == "polite"
    assert visit.browser.run("document.querySelector('#ring').ariaHidden") == "true"
    assert visit.browser.run("document.querySelector('#hints button').ariaLabel") == "Close"
