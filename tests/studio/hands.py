"""Hands on a page of the studio, wherever it comes from: the mouse, fingers, and what they hit."""

import os
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from tests.render.chromium import PATIENCE_S, Chromium

CANVAS = "document.querySelector('#board').getBoundingClientRect()"
SAYS = """['#notice', '#spoken'].map((one) => document.querySelector(one).textContent)
  .concat(['ghost', 'pin', 'at', 'whole'].map((name) => JSON.stringify(studio.state[name])))
  .join(' | ')"""
IN_VAIN_S = 5
DRAWN = """new Promise((done) => {
  requestAnimationFrame(() => requestAnimationFrame(() => done(true)));
  setTimeout(() => done(true), 500);
})"""
"""Two frames; a tab behind another one draws none."""


class Hands:
    """What a person can do to the page in a browser."""

    browser: Chromium
    patience_s: float = 60
    pressed: int = 0
    """How often the button of the mouse went down."""
    run: str = ""
    """Name of what the person does, in the names of pictures."""
    pressing: bool = False
    touching: bool = False

    def wait(self, script: str, seconds: float = 0) -> None:
        """Until a script says true.

        After a wait in vain each later one is short: a studio that hangs fails all tests of its
        file in minutes.
        """
        deadline = time.monotonic() + (seconds or self.patience_s)
        while not self.browser.holds(script):
            if time.monotonic() > deadline:
                self.patience_s = IN_VAIN_S
                raise AssertionError(f"{script}; {self.browser.run(SAYS)}; {self.text()!r}")
            time.sleep(0.02)

    def pictured(self) -> None:
        """Leave a picture of a step of the run in the folder that `FORGE_SHOW` names, if it does.

        `python -m tests.docs.pictures runs` puts them on contact sheets.
        """
        folder = os.environ.get("FORGE_SHOW")
        if folder and self.run:
            number = len([*Path(folder).iterdir()])
            Path(folder, f"{number:03}-{self.run}.png").write_bytes(self.browser.screenshot())

    def saved(self, press: Callable[[], object], pattern: str) -> bytes:
        """The file that the browser saves after a press, in its own time."""
        with tempfile.TemporaryDirectory() as folder:
            self.browser.ask("Browser.setDownloadBehavior", behavior="allow", downloadPath=folder)
            press()
            deadline = time.monotonic() + PATIENCE_S
            while not (found := [*Path(folder).glob(pattern)]):  # under its name when it is whole
                assert time.monotonic() < deadline, f"no {pattern} came"
                time.sleep(0.05)
            return found[0].read_bytes()

    def text(self) -> str:
        return str(self.browser.run("document.querySelector('#text').value"))

    def choose(self, tool: str) -> None:
        self.browser.run(f"document.querySelector('[data-tool=\"{tool}\"]').click()")

    def spot(self, row: float, col: float, level: int) -> tuple[float, float]:
        """Where the top of a tile is in the window."""
        x, y = self.browser.run(
            f"(() => {{ const r = {CANVAS}, s = studio.view.spot({row}, {col}, {level}); "
            "return [r.left + s[0], r.top + s[1]]; })()"
        )
        return x, y

    def resting(self, place: Callable[[], tuple[float, float]]) -> tuple[float, float]:
        """Where something is once it stays there while the page is drawn."""
        at, before = place(), (-1.0, -1.0)
        while at != before:
            self.browser.run(DRAWN)
            at, before = place(), at
        return at

    def mouse(
        self, kind: str, at: tuple[float, float], button: str = "none", modifiers: int = 0
    ) -> None:
        button = button if kind == "mouseMoved" else "left"
        self.pressed += kind == "mousePressed"
        self.pressing = kind == "mousePressed" or (self.pressing and kind == "mouseMoved")
        place = {"x": at[0], "y": at[1], "modifiers": modifiers}
        self.browser.ask(
            "Input.dispatchMouseEvent", type=kind, button=button, clickCount=1, **place
        )

    def touch(self, kind: str, *at: tuple[float, float]) -> None:
        points = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(at)]
        self.touching = bool(points)
        self.browser.ask("Input.dispatchTouchEvent", type=kind, touchPoints=points)

    def let_go(self) -> None:
        """Ends a drag that a test which failed has begun."""
        if self.pressing:
            self.mouse("mouseReleased", (1, 1))
        if self.touching:
            self.touch("touchCancel")

    def click(self, row: int, col: int, level: int, modifiers: int = 0) -> None:
        """A click on the top of a tile, once the view rests and no notice lies over the tile."""
        at = self.resting(lambda: self.spot(row, col, level))
        over = f"document.elementFromPoint({at[0]}, {at[1]})?.closest('#notice')"
        self.browser.run(f"{over}?.querySelector('button')?.click()")
        for kind in ("mouseMoved", "mousePressed", "mouseReleased"):
            self.mouse(kind, at, modifiers=modifiers)

    def press(self, which: str, name: str = "") -> None:
        """A click in the middle of the first such element, of that text if told, once it rests."""
        middle = (
            f"(() => {{ const one = [...document.querySelectorAll({which!r})]"
            f".find((one) => one.textContent.startsWith({name!r})); "
            "one.scrollIntoView({ block: 'nearest' }); const r = one.getBoundingClientRect(); "
            "return [r.left + r.width / 2, r.top + r.height / 2]; })()"
        )
        at = self.resting(lambda: tuple(self.browser.run(middle)))
        for kind in ("mouseMoved", "mousePressed", "mouseReleased"):
            self.mouse(kind, at)
