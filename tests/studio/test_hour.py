"""An hour of work on the page: reasons, history, comparison, replacement, dropped files."""

import io
import json
import re
import zipfile
from collections.abc import Iterator

import pytest

from falldamage_forge.presets import load_text
from tests.render.chromium import BINARY
from tests.studio.sites import TEXT as SMALL
from tests.studio.test_page import Page
from tests.studio.test_server import TEXT

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(BINARY is None, reason="no Chromium"),
]


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    found = Page(tmp_path_factory.mktemp("page"))
    yield found
    assert found.browser.complaints() == []
    found.close()


@pytest.fixture(autouse=True)
def fresh(page: Page) -> None:
    """Every test begins with the same text."""
    page.browser.run(
        "for (const one of document.querySelectorAll('dialog[open]')) one.close();"
        f" studio.app.editor.put({TEXT!r})"
    )
    page.wait(
        "studio.app.sync.idle && studio.state.whole && studio.view.board.columns[12][0] === 1"
    )


# -- reasons -------------------------------------------------------------------------------------


def test_every_verdict_has_its_rule_and_lights_its_tiles(page: Page) -> None:
    page.browser.run(f"studio.app.editor.put({TEXT!r} + 'tree at C2, C2\\nladder E5 -> E5\\n')")
    page.wait("document.querySelectorAll('#issues .card .why').length > 0 && studio.app.sync.idle")
    assert page.browser.run(
        "[...document.querySelectorAll('#issues .card')]"
        ".every((one) => one.querySelector('.why p').textContent.length > 10)"
    )
    shown = (
        "[...document.querySelectorAll('#issues .card')].find((one) => one.querySelector('.acts')"
    )
    page.browser.run(
        f"{shown} && one.textContent.includes('Show')).querySelector('summary').click()"
    )
    page.wait("studio.state.lit.length > 0")
    page.browser.run("document.querySelector('.why[open] summary').click()")
    page.wait("studio.state.lit.length === 0")


HEAD = "document.querySelector('#verdict-why details')"
LIT = "[...new Set(studio.state.lit.map(([row, col]) => `${row} ${col}`))].length"


def test_headline_says_its_rule_and_lights_its_tiles(page: Page) -> None:
    """A playable map lights its starts, another one the tiles of its errors, while it is open."""
    page.browser.run(f"studio.app.editor.put({json.dumps(load_text('maps', 'duel.forge'))})")
    page.wait("document.querySelector('#verdict').className === 'good' && studio.app.sync.idle")
    assert page.browser.run(f"{HEAD}.checkVisibility() && !{HEAD}.open")
    page.browser.run(f"{HEAD}.querySelector('summary').click()")
    page.wait(f"{LIT} === 16")
    assert "without certain damage" in page.browser.run(f"{HEAD}.textContent")
    page.browser.run(f"studio.app.editor.put({TEXT!r} + 'ladder E5 -> E5\\n')")
    page.wait(f"document.querySelector('#verdict').className === 'bad' && {LIT} === 1")
    rules = page.browser.run(
        "[...document.querySelectorAll('#issues .error:not(.follows) .why p')]"
        ".map((one) => one.textContent)"
    )
    told = page.browser.run(f"{HEAD}.textContent")
    assert {*rules} and all(told.count(rule) == 1 for rule in {*rules})
    page.browser.run(f"{HEAD}.querySelector('summary').click()")
    page.wait("studio.state.lit.length === 0")


def test_every_measure_says_its_rule(page: Page) -> None:
    page.browser.run(f"studio.app.editor.put({json.dumps(load_text('maps', 'duel.forge'))})")
    page.wait("document.querySelectorAll('#measures li').length > 3")
    assert page.browser.run(
        "[...document.querySelectorAll('#measures li')].every((one) => one.querySelector('.why p'))"
    )


# -- fixes ---------------------------------------------------------------------------------------


def test_fix_of_several_lines_is_one_step(page: Page) -> None:
    """The button has the words of the hint."""
    text = TEXT + "stack B3 height 2\nstack B2, B4 height 2\nbridge B2 -> B4 level 2\n"
    page.browser.run(f"studio.app.editor.put({text!r})")
    words = "Raise B2, B4 and the bridge to level 3"
    button = f"[...document.querySelectorAll('.fix')].find((o) => o.textContent === {words!r})"
    page.wait(button)
    page.browser.run(f"{button}.click()")
    page.wait(f"!({button}) && studio.app.sync.idle")
    assert "stack B2, B4 height 3\nbridge B2 -> B4 level 3" in page.text()
    page.browser.run("document.querySelector('#undo').click()")
    page.wait_text(text)


# -- find and replace ----------------------------------------------------------------------------


@pytest.mark.parametrize("finger", [False, True])
def test_tiles_alike_are_found_and_replaced(page: Page, finger: bool) -> None:
    """A second click on a chosen tile chooses all alike; a tool then changes them all."""
    trees = "stack A1, E5 height 1\nstack A5 height 2\ntree at A1, A5, E5\n"
    page.browser.run(f"studio.app.editor.put({TEXT + trees!r})")
    page.wait("studio.app.sync.idle && studio.view.board.columns[24][2] === 'tree'")

    def press() -> None:
        if not finger:
            return page.click(0, 0, 1)
        page.touch("touchStart", page.resting(lambda: page.spot(0, 0, 1)))
        return page.touch("touchEnd")

    page.choose("choose")
    press()
    page.wait("studio.state.chosen.size === 1")
    press()
    page.wait("studio.state.chosen.size === 3")
    assert page.browser.run("document.querySelector('#spoken').textContent") == "chosen tiles: 3"
    page.choose("spire")
    press()
    if finger:
        page.wait("studio.state.ghost?.tapped && studio.state.ghost.known")
        press()
    page.wait("studio.view.board.columns.filter(([, , one]) => one === 'spire').length === 3")
    page.browser.run("import('./choice.js').then((choice) => choice.pick([], false))")
    page.choose("look")


# -- what is printed -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("what", "within"), [("plates", {"plates"}), ("project", {"project", "settings"})]
)
def test_part_of_the_export_is_handed_over(page: Page, what: str, within: set[str]) -> None:
    """The dialog to print hands over plates alone, or the project, with progress meanwhile."""
    page.browser.run(f"studio.app.editor.put({SMALL!r})")
    page.wait("studio.app.sync.idle && document.querySelector('#verdict').className === 'good'")
    page.press("#print-button")
    page.browser.run(
        "window.shares = [], new MutationObserver(() => shares.push(document.querySelector("
        "'#progress').value)).observe(document.querySelector('#progress'), { attributes: true })"
    )
    data = page.saved(lambda: page.press(f"[data-make={what}]"), f"*-{what}.zip")
    page.wait(f"document.querySelector('#spoken').textContent.includes('-{what}.zip')")
    assert page.browser.run("document.querySelector('#making').hidden")
    shares = page.browser.run("shares")
    assert len(shares) > 5 and shares == sorted(shares)
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        names = archive.namelist()
    assert {re.split(r"[-./]", name)[0] for name in names} == within


# -- earlier states ------------------------------------------------------------------------------


def gesture(page: Page, words: str) -> None:
    page.browser.run(
        f"studio.app.sync.change('gesture', {{ words: '{words}', copies: 'all', brush: false }})"
    )
    page.wait("studio.app.sync.idle")


def row(name: str) -> str:
    return (
        "[...document.querySelectorAll('#past li')]"
        f".find((one) => one.textContent.startsWith('{name}'))"
    )


def press(page: Page, name: str, what: str) -> None:
    page.browser.run(
        f"[...{row(name)}.querySelectorAll('button')]"
        f".find((one) => one.textContent === '{what}').click()"
    )


def past(page: Page) -> None:
    page.browser.run("document.querySelector('#past-button').click()")
    page.wait("document.querySelector('#past-list li')")


def test_history_shows_each_state_and_leads_back_and_on(page: Page) -> None:
    for words in ("raise A1", "raise A2", "raise A3"):
        gesture(page, words)
    last = page.text()
    past(page)
    assert page.browser.run(f"{row('raise A1')}.querySelectorAll('polygon').length") >= 25
    press(page, "raise A1", "Return to it")
    page.wait("studio.app.sync.idle && studio.view.board.columns[5][0] === 0")
    assert "A1" in page.text() and "A2" not in page.text()
    past(page)
    assert page.browser.run(f"{row('raise A1')}.getAttribute('aria-current')") == "true"
    press(page, "raise A3", "Return to it")
    page.wait_text(last)


def test_comparison_marks_the_tiles_that_differ_until_it_is_closed(page: Page) -> None:
    gesture(page, "raise A1")
    gesture(page, "lower C3")
    past(page)
    press(page, "typing", "Compare")
    page.wait("studio.state.cover?.marks.length === 2")
    said = {
        (row, col): text for row, col, _, _, text in page.browser.run("studio.state.cover.marks")
    }
    assert said == {(0, 0): "+1", (2, 2): "−1"}
    assert "2 tiles" in page.browser.run("document.querySelector('#notice').textContent")
    page.browser.run("[...document.querySelectorAll('#notice button')].at(-1).click()")
    page.wait("studio.state.cover.marks.length === 0")


def test_kept_state_is_there_after_the_map_has_changed(page: Page) -> None:
    past(page)
    page.browser.run("document.querySelector('#past-keep').click()")
    page.browser.run("document.querySelector('#past').close()")
    page.browser.run("studio.app.editor.put('forge 1\\nboard 10x10\\n')")
    page.wait("studio.app.sync.idle && studio.view.board.cols === 10")
    past(page)
    page.browser.run(
        "[...document.querySelectorAll('#past-kept button')]"
        ".find((one) => one.textContent === 'Compare').click()"
    )
    page.wait("document.querySelector('#notice').textContent.includes('different sizes')")
    page.browser.run("document.querySelector('#notice button').click()")
    page.wait_text(TEXT)
    past(page)
    page.browser.run("document.querySelector('#past-kept button:last-child').click()")
    assert not page.browser.run("document.querySelector('#past-kept').childElementCount")


# -- dropped files -------------------------------------------------------------------------------

DROP = """(() => {
  const sent = new DataTransfer();
  for (const [name, text] of %s) sent.items.add(new File([text], name));
  document.querySelector('#board').dispatchEvent(
    new DragEvent('drop', { dataTransfer: sent, bubbles: true, cancelable: true }));
})()"""
OTHER = "forge 1\nboard 5x5\nstack A1 height 2\n"


def drop(page: Page, *files: tuple[str, str]) -> None:
    page.browser.run(DROP % json.dumps(files))


def test_dropped_map_is_open_and_undo_brings_the_other_back(page: Page) -> None:
    drop(page, ("other.forge", OTHER))
    page.wait_text(OTHER)
    page.wait("studio.app.sync.idle")
    page.browser.run("document.querySelector('#undo').click()")
    page.wait_text(TEXT)


def test_of_several_dropped_maps_one_is_chosen(page: Page) -> None:
    drop(page, ("one.forge", TEXT), ("notes.txt", "x"), ("two.FORGE", OTHER))
    page.wait("document.querySelector('#question').open")
    page.press("#answers button", "two.FORGE")
    page.wait_text(OTHER)


def test_folder_with_a_map_is_read_to_its_end(page: Page) -> None:
    """Entries of a folder come in several answers; a browser makes none for a test."""
    page.browser.run(
        "(() => { const file = (name, text) => ({ name, isFile: true,"
        "   file: (done) => done(new File([text], name)) });"
        " const folder = (name, ...all) => ({ name, isDirectory: true, createReader: () => ({"
        "   readEntries: (done) => done(all.splice(0, 1)) }) });"
        " const tree = folder('maps', file('.hidden.forge', ''), file('a.txt', ''),"
        f"  folder('deep', file('in.forge', {json.dumps(OTHER)})));"
        " const event = new Event('drop', { bubbles: true, cancelable: true });"
        " event.dataTransfer = { files: [1], items: [{ webkitGetAsEntry: () => tree }] };"
        " document.querySelector('#board').dispatchEvent(event); })()"
    )
    page.wait_text(OTHER)


def test_dropped_file_of_another_kind_is_refused(page: Page) -> None:
    drop(page, ("notes.txt", "x"))
    page.wait("document.querySelector('#notice').textContent.includes('.forge')")
    page.browser.run("document.querySelector('#notice button').click()")
    assert page.text() == TEXT
