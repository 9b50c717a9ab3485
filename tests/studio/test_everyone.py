"""The studio for everyone: by the keyboard alone, and in the colours of the system."""

import io
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from falldamage_forge.presets import load_text
from tests.render.chromium import BINARY
from tests.studio.judge import judged
from tests.studio.screens import SIZES
from tests.studio.test_page import Page

pytestmark = [
    pytest.mark.long,
    pytest.mark.browser,
    pytest.mark.skipif(BINARY is None, reason="no Chromium"),
]
CODES = {"Tab": 9, "Enter": 13, "Escape": 27, "ArrowRight": 39, "ArrowDown": 40}
TYPED = {"Enter": "\r"}
MOST_TABS = 120
"""Presses of Tab until a control of the page has the focus, at most."""
GAME = "studio.state.play"
MOVES = 60
"""Moves of a game by keys; both sides have acted by then."""
FORCED = [{"name": "forced-colors", "value": "active"}]
STILL = {"name": "prefers-reduced-motion", "value": "reduce"}


@pytest.fixture
def page(tmp_path: Path) -> Iterator[Page]:
    found = Page(tmp_path)
    found.browser.narrow(1440, 900)
    found.browser.ask("Emulation.setEmulatedMedia", features=[STILL])
    yield found
    assert found.browser.complaints() == []
    found.close()


def press(page: Page, key: str) -> None:
    """Press and release a key, as a keyboard does."""
    code = CODES.get(key, ord(key.upper()[0]))
    if key == "Enter":
        page.pictured()
    page.browser.key(key, code, TYPED.get(key, key if len(key) == 1 else ""))


def tab_to(page: Page, selector: str) -> None:
    """Press Tab until a control has the focus, and is seen to have it."""
    for _ in range(MOST_TABS):
        if page.browser.run(f"document.activeElement.matches({selector!r})"):
            break
        press(page, "Tab")
    else:
        raise AssertionError(f"{selector} is not reached by Tab")
    ring = "getComputedStyle(document.activeElement)"
    assert page.browser.run(
        f"document.activeElement.matches(':focus-visible') && {ring}.outlineStyle !== 'none'"
        f" && parseFloat({ring}.outlineWidth) >= 1"
    ), f"the focus on {selector} is not seen"


def begin(page: Page, size: str, what: str) -> None:
    """Give the window a size, and name the run."""
    page.browser.narrow(*SIZES[size])
    page.wait(f"innerWidth === {SIZES[size][0]}")
    page.run = f"keys-{what}-{size}"


@pytest.mark.parametrize("size", SIZES)
def test_from_the_open_page_to_the_files_for_the_printer_by_keys(page: Page, size: str) -> None:
    """Open a map of the gallery, raise a tile, read the verdict, and get the zip."""
    begin(page, size, "print")
    if not page.browser.run("document.querySelector('#gallery').checkVisibility()"):
        tab_to(page, "#more-button")
        press(page, "Enter")
    tab_to(page, "#gallery, #more [data-press='gallery']")
    press(page, "Enter")
    page.wait("document.querySelectorAll('#preset-list button').length > 3")
    tab_to(page, "#blank")
    press(page, "Enter")
    page.wait("!document.querySelector('#presets').open && studio.view.board?.rows === 10")
    tab_to(page, "#board")
    press(page, "r")
    for key in ("ArrowDown",) * 4 + ("ArrowRight",) * 4:
        press(page, key)
    before = page.text()
    press(page, "Enter")
    page.wait("studio.app.sync.idle && studio.state.whole")
    assert page.text() != before
    page.wait("document.querySelector('#totals dd')?.textContent")
    tab_to(page, "#print-button, nav [data-press='print-button']")
    press(page, "Enter")
    page.wait("document.querySelector('#printing').open")
    tab_to(page, "#zip")
    data = page.saved(lambda: press(page, "Enter"), "*.zip")
    names = zipfile.ZipFile(io.BytesIO(data)).namelist()
    assert any(name.endswith(".3mf") for name in names), names


@pytest.mark.parametrize("size", SIZES)
def test_a_game_of_two_sides_by_keys(page: Page, size: str) -> None:
    """Begin, activate units, move and end turns until both sides have had one."""
    begin(page, size, "game")
    page.browser.run(f"studio.app.editor.put({load_text('maps', 'duel.forge')!r})")
    page.wait("!document.querySelector('#begin').disabled")
    tab_to(page, "#play, nav [data-press='play']")
    press(page, "Enter")
    page.wait("document.querySelector('#match').open")
    page.browser.run("document.querySelector('#player-blue').value = 'hand'")
    tab_to(page, "#begin")
    press(page, "Enter")
    page.wait(f"{GAME}?.hand && !studio.view.waiting")
    sides: set[str] = set()
    for _ in range(MOVES):
        if len(sides) == 2:
            break
        count = page.browser.run(f"{GAME}.count")
        sides.add(page.browser.run(f"{GAME}.turn"))
        if page.browser.run("!!document.querySelector('.medal.may')"):
            tab_to(page, ".medal.may")
            press(page, "Enter")
        elif page.browser.run(f"{GAME}.moves.some(({{ kind }}) => kind === 'move')"):
            tab_to(page, "#board")
            press(page, "m")
            press(page, "Tab")
            press(page, "Enter")
        else:
            tab_to(page, "#board")
            press(page, "e")
        page.wait(f"{GAME}.count > {count} && studio.app.sync.idle && !studio.view.waiting")
    assert sides == {"red", "blue"}


def test_the_first_tab_leads_to_the_board(page: Page) -> None:
    """Past header and tools; there all tiles are chosen at once."""
    press(page, "Tab")
    assert page.browser.run("document.activeElement.checkVisibility()")
    assert page.browser.run("document.activeElement.getBoundingClientRect().width") > 44
    press(page, "Enter")
    page.wait("document.activeElement.id === 'board' && studio.view.board")
    page.browser.ask(
        "Input.dispatchKeyEvent", type="keyDown", key="a", modifiers=2, windowsVirtualKeyCode=65
    )
    page.wait("studio.state.chosen.size === studio.view.board.rows * studio.view.board.cols")


def test_a_screen_reader_hears_what_the_opponent_does(page: Page) -> None:
    """Until a bot has had its turn; the words are those of the record."""
    page.browser.run(f"studio.app.editor.put({load_text('maps', 'duel.forge')!r})")
    page.wait("!document.querySelector('#begin').disabled")
    page.browser.run("document.querySelector('#play').click()")
    page.browser.run("document.querySelector('#begin').click()")
    page.wait(f"{GAME}?.hand && document.querySelector('#heard').ariaLive === 'polite'")
    for _ in range(MOVES):
        before = page.browser.run(f"{GAME}.count")
        page.browser.run(
            f"studio.app.wire.say('play', {{ do: 'move', values: {{ move: {GAME}.moves[0].text }}"
            " }), true"
        )
        page.wait(f"{GAME}.count > {before} && {GAME}.hand")
        fresh = page.browser.run(f"{GAME}.log.slice({before} - {GAME}.count)")
        heard = page.browser.run("document.querySelector('#heard').textContent")
        assert heard.count("; ") == max(0, len(fresh) - 2)
        if len(fresh) > 3:
            break
    others = [line for line in fresh[1:] if not line.startswith("die ")]
    assert others and all(line in heard for line in others)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_bounds_and_small_texts_are_as_strong_as_texts_if_more_contrast_is_wished(
    page: Page, theme: str
) -> None:
    colour = "getComputedStyle(document.documentElement).getPropertyValue('--%s')"
    weak = [colour % name for name in ("line", "edge", "soft")]
    page.browser.run(f"document.documentElement.dataset.theme = {theme!r}")
    assert page.browser.run(f"[{', '.join(weak)}].every((one) => one !== {colour % 'ink'})")
    more = {"name": "prefers-contrast", "value": "more"}
    page.browser.ask("Emulation.setEmulatedMedia", features=[STILL, more])
    page.wait(f"[{', '.join(weak)}].every((one) => one === {colour % 'ink'})")
    assert judged(page.browser) == []


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_what_is_chosen_is_seen_in_the_colours_of_the_system(page: Page, theme: str) -> None:
    """Forced colours take grounds away: a chosen tool and a figure still differ from the rest."""
    scheme = {"name": "prefers-color-scheme", "value": theme}
    page.browser.ask("Emulation.setEmulatedMedia", features=[STILL, scheme, *FORCED])
    page.choose("raise")
    ground = "getComputedStyle(document.querySelector('[data-tool=%s]')).backgroundColor"
    page.wait(f"{ground % 'raise'} !== {ground % 'lower'}")
    page.browser.run(f"studio.app.editor.put({load_text('maps', 'duel.forge')!r})")
    page.wait("!document.querySelector('#begin').disabled")
    page.browser.run("document.querySelector('#play').click()")
    page.browser.run("document.querySelector('#begin').click()")
    page.wait(f"{GAME}?.hand && document.querySelector('.standee .figure')")
    for place in (".standee", ".medal"):
        fill = f"getComputedStyle(document.querySelector('{place} %s')).fill"
        page.wait(f"{fill % '.figure'} !== {fill % '.frame'}")
