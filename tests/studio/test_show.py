"""A map of one's own, made with the mouse alone, from the empty board to the zip."""

import io
import zipfile
from pathlib import Path

import pytest

import falldamage_forge as ff
from tests.amount import EXHAUSTIVE
from tests.render.chromium import BINARY
from tests.studio.test_page import Page

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(BINARY is None, reason="no Chromium"),
    pytest.mark.skipif(not EXHAUSTIVE, reason="builds a whole table"),
]


class Hand:
    """A mouse and nothing else."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def press(self, selector: str) -> None:
        box = f"document.querySelector({selector!r}).getBoundingClientRect()"
        x, y, w, h = self.page.browser.run(
            f"(() => {{ const b = {box}; return [b.x, b.y, b.width, b.height]; }})()"
        )
        for kind in ("mouseMoved", "mousePressed", "mouseReleased"):
            self.page.mouse(kind, (x + w / 2, y + h / 2))

    def tool(self, name: str) -> None:
        self.press(f'[data-tool="{name}"]')

    def stroke(self, *places: tuple[int, int, int]) -> None:
        spots = [self.page.spot(*place) for place in places]
        self.page.mouse("mouseMoved", spots[0])
        self.page.mouse("mousePressed", spots[0])
        for spot in spots[1:]:
            self.page.mouse("mouseMoved", spot)
        self.page.mouse("mouseReleased", spots[-1])

    def look(self) -> None:
        self.page.pictured()

    def take(self) -> None:
        """Press the button of the zip, and see it through."""
        self.press("#zip")
        self.page.wait("!document.querySelector('#making').hidden")
        self.look()
        self.page.wait(
            "document.querySelector('#spoken').textContent.includes('.zip')", seconds=300
        )
        self.look()

    def level(self, row: int, col: int, level: int) -> None:
        self.page.wait(f"studio.view.board.columns[{row * 10 + col}][0] === {level}")


def test_a_map_is_made_with_the_mouse_alone(tmp_path: Path) -> None:
    page = Page(tmp_path)
    page.run = "mouse-desk"
    hand = Hand(page)
    try:
        page.browser.narrow(1400, 850)
        hand.press("#gallery")
        page.wait("document.querySelector('#presets').open")
        hand.press("#blank")
        page.wait("studio.view.board.rows === 10 && studio.state.whole")
        hand.look()
        page.wait("studio.view.board.starts.length === 2")
        hand.tool("raise")
        hand.stroke(*[(4, col, 0) for col in range(2, 6)])
        hand.level(5, 7, 1)  # its image under the symmetry
        hand.stroke((4, 2, 1), (4, 3, 1))
        hand.level(4, 3, 2)
        hand.look()
        hand.tool("stamp")
        page.wait("document.querySelector('#stamps details')")
        hand.press("#stamps details:nth-of-type(3) summary")
        page.wait("document.querySelector('#stamps details:nth-of-type(3)').open")
        hand.press('[data-stamp="castle.turret"]')
        page.click(1, 1, 0)
        page.wait("studio.app.editor.area.value.includes('place turret')")
        hand.look()
        hand.tool("tree")
        page.click(7, 0, 0)
        hand.tool("lava")
        page.click(3, 0, 0)
        hand.tool("treasure")
        page.click(4, 2, 2)
        page.wait("studio.view.board.chests.length")
        page.wait("!document.querySelector('#zip').disabled")
        hand.look()
        page.browser.run("studio.view.timed = 0; document.querySelector('#printed').click()")
        page.wait("studio.view.mixed && studio.view.drawnTiles.size === 0")
        page.wait("document.querySelector('#plates figure')")
        hand.look()
        hand.press("#print-button")
        page.wait("document.querySelector('#printing').open")
        data = page.saved(hand.take, "*.zip")
    finally:
        page.close()
    names = zipfile.ZipFile(io.BytesIO(data)).namelist()
    assert {"board.png", "build.pdf", "pieces.csv", "project.3mf"} <= set(names)
    made = ff.load(tmp_path / "mine.forge")
    assert ff.check(made).ok
    assert made.title == "A new table"
