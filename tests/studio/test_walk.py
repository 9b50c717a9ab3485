"""A first visit with nothing but a mouse or a finger: from the site's first page to a zip.

At each size: at most `MOST_CLICKS`, a person finds nothing wrong with what is seen (`judge.js`),
axe reports nothing in either theme, and without the host the page opens, edits and makes a zip.
"""

import http.server
import io
import threading
import zipfile
from collections.abc import Iterator
from typing import NamedTuple

import pytest

from falldamage_forge.library.forge import Forge
from tests.amount import EXHAUSTIVE
from tests.render.chromium import BINARY
from tests.studio.judge import judged
from tests.studio.test_site import Hosted

MOST_CLICKS = 40
NARROW = 600
"""Below this width the gallery is in a menu."""


REACH = """(() => {
  const one = [...document.querySelectorAll(%s)]
    .find((one) => one.checkVisibility({ visibilityProperty: true }));
  if (!one) return null;
  one.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  const r = one.getBoundingClientRect(), at = [r.left + r.width / 2, r.top + r.height / 2];
  return one.contains(document.elementFromPoint(...at)) ? at : null;
})()"""
"""The middle of a control that can be seen, or null while something lies over it."""


OUTSIDE = """(() => { const stage = document.querySelector('#stage').getBoundingClientRect();
  return [...document.querySelectorAll('#rim span:not([hidden])')].filter((one) => {
    const r = one.getBoundingClientRect();
    return r.left < stage.left || r.right > stage.right || r.bottom > stage.bottom;
  }).map((one) => one.textContent); })()"""
"""Coordinates of the rim that do not lie in the picture as a whole."""


class Size(NamedTuple):
    """A window, and whether fingers use it."""

    width: int
    height: int
    touch: bool = False


SIZES = {
    "desk": Size(1440, 900),
    "small": Size(1024, 768),
    "tablet": Size(820, 1180, touch=True),
    "phone": Size(390, 844, touch=True),
}
TESTED = SIZES if EXHAUSTIVE else ("desk", "phone")
pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(BINARY is None, reason="no Chromium"),
]


class Visitor(Hosted):
    """A person at the site who has never seen it."""

    size = SIZES["desk"]
    clicks = 0

    def arrive(self, size: Size) -> None:
        """Open the first page as a new browser does."""
        self.size, self.clicks = size, 0
        self.browser.ask(
            "Emulation.setDeviceMetricsOverride",
            width=size.width,
            height=size.height,
            deviceScaleFactor=1,
            mobile=size.touch,
        )
        self.browser.ask("Emulation.setTouchEmulationEnabled", enabled=size.touch, maxTouchPoints=5)
        self.browser.open(self.url, "document.querySelector('.primary')?.textContent")
        self.browser.run("localStorage.clear()")
        self.browser.open("about:blank", "true")
        self.browser.open(self.url, "document.querySelector('.primary')?.textContent")

    def hit(self, at: tuple[float, float]) -> None:
        """A click, or a tap, at a place of the window."""
        self.clicks += 1
        if self.size.touch:
            self.touch("touchStart", at)
            self.touch("touchEnd")
        else:
            for kind in ("mouseMoved", "mousePressed", "mouseReleased"):
                self.mouse(kind, at)

    def use(self, selector: str) -> None:
        """Press a control that can be seen and reached."""
        script = REACH % repr(selector)
        self.wait(f"{script} !== null")
        x, y = self.browser.run(script)
        self.hit((x, y))

    def build(self, row: int, col: int, level: int) -> None:
        """Use the tool on a tile: a finger sees the preview first."""
        self.hit(self.resting(lambda: self.spot(row, col, level)))
        if self.size.touch:
            self.wait("!document.querySelector('#offer').hidden")
            self.wait("!document.querySelector('#build').disabled")
            self.look(f"offer-{row}-{col}")
            self.use("#build")

    def look(self, step: str, *, axe: bool = False) -> None:
        """Check what is seen, and leave a picture of it."""
        self.pictured()
        rolls = not self.browser.run("'studio' in window")
        assert judged(self.browser, rolls=rolls, axe=axe) == [], step

    def look_in_both_themes(self) -> None:
        """Check what is seen in either theme, by axe too."""
        for _ in ("light", "dark"):
            self.browser.run("document.querySelector('#theme').click()")
            self.wait("!document.getAnimations().some((one) => one.playState === 'running')")
            theme = self.browser.run("document.documentElement.dataset.theme")
            self.look(f"theme-{theme}", axe=True)

    def cut(self) -> None:
        """End the host."""
        self.server.shutdown()
        self.server.server_close()

    def restore(self) -> None:
        """Start the host again, at the same address."""
        at, folder = self.server.server_address, self.server.RequestHandlerClass
        self.server = http.server.ThreadingHTTPServer((str(at[0]), int(at[1])), folder)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def download(self) -> dict[str, bytes]:
        """Take the zip by the button, from the board on."""
        self.use("#print-button, nav [data-press='print-button']")
        self.wait("document.querySelector('#printing').open")
        self.wait("!document.querySelector('#zip').disabled")
        self.look("print")
        data = self.saved(lambda: self.use("#zip"), "*.zip")
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return {name: archive.read(name) for name in archive.namelist()}


@pytest.fixture(scope="module")
def visitor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Visitor]:
    found = Visitor(tmp_path_factory.mktemp("walk"))
    yield found
    found.close()


@pytest.mark.parametrize("size", TESTED)
def test_a_first_visit_ends_with_a_zip(visitor: Visitor, size: str) -> None:
    level = "studio.view.board.columns[{}][0] === {}".format
    visitor.run = f"site-{size}"
    visitor.arrive(SIZES[size])
    visitor.look("home")
    visitor.use(".primary")
    visitor.wait("window.studio && document.querySelector('#ring').checkVisibility()")
    visitor.wait("document.querySelector('#verdict').textContent.includes('Playable')")
    visitor.look("first")
    if visitor.size.width < NARROW:
        visitor.use("#more-button")
    visitor.use("#gallery, #more [data-press='gallery']")
    visitor.wait("document.querySelector('#presets').open")
    visitor.look("gallery")
    visitor.use("#blank")
    visitor.wait("studio.view.board.rows === 10 && studio.view.board.starts.length === 2")
    visitor.wait("studio.state.whole && studio.state.sent === null")
    visitor.look("empty")
    assert visitor.browser.run(OUTSIDE) == []
    visitor.use("[data-tool='raise']")
    for row, col, high in ((2, 2, 0), (2, 4, 0), (2, 4, 1)):
        visitor.build(row, col, high)
        visitor.wait(level(10 * row + col, high + 1))
    visitor.wait(level(75, 2))  # its image under the symmetry
    visitor.look("raised")
    visitor.use("[data-tool='tree']")
    visitor.build(1, 6, 0)
    visitor.wait("studio.view.board.columns[16][2] === 'tree'")
    visitor.use("[data-tool='bridge']")
    visitor.look("refused" if visitor.size.touch else "bridge")
    visitor.wait("document.querySelector('#verdict').textContent.includes('Playable')")
    visitor.look_in_both_themes()
    files = visitor.download()
    visitor.look("zip")
    assert visitor.clicks <= MOST_CLICKS
    assert Forge().check(Forge().loads(files["map.forge"].decode())).ok
    assert {"README.txt", "missing.txt", "build.html", "pieces.csv"} <= set(files)
    assert any(name.startswith("plates/") for name in files)

    visitor.wait("document.documentElement.dataset.offline === 'ready'")
    visitor.cut()
    try:
        visitor.browser.open("about:blank", "true")
        visitor.open()
        visitor.wait("studio.view.board?.columns[24][0] === 2")
        visitor.use("[data-tool='lower']")
        visitor.build(2, 4, 2)
        visitor.wait(level(24, 1))
        visitor.look("offline")
        again = visitor.download()
    finally:
        visitor.restore()
    assert b"E3" in files["map.forge"] and again["map.forge"] != files["map.forge"]
    assert any(name.startswith("plates/") for name in again)
