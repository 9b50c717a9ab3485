"""The page in other languages, in a real Chromium: texts follow the choice, controls hold them."""

import json
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest

from falldamage_forge.languages.translator import read_language
from tests.render.chromium import BINARY, WEBGL, Chromium
from tests.studio.test_page import Page
from tests.studio.test_server import Studio

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(BINARY is None, reason="no Chromium"),
]
WRONG = "forge 1\nstak D4 height 3\nstart red at B1..I1\nstart blue at B10..I10\n"
SOUND = "forge 1\nstack C3 height 1\nstart red at B1..I1\nstart blue at B10..I10\n"
ISSUE = "document.querySelector('#issues li')?.textContent ?? ''"


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    found = Page(tmp_path_factory.mktemp("page"))
    yield found
    assert found.browser.complaints() == []
    found.close()


def speak(page: Page, language: str) -> None:
    page.browser.run(
        f"(() => {{ const at = document.querySelector('#language'); at.value = {language!r}; "
        "at.dispatchEvent(new Event('change')); })()"
    )


def test_issues_follow_the_language_of_the_page(page: Page) -> None:
    page.browser.run(f"studio.app.editor.put({WRONG!r})")
    page.wait(f"({ISSUE}).includes('no statement')")
    speak(page, "de")
    page.wait(f"({ISSUE}).includes('keine Anweisung')")
    assert "meinst du" in page.browser.run(ISSUE)
    assert page.text() == WRONG
    page.wait("studio.app.sync.idle")
    speak(page, "en")
    page.wait(f"({ISSUE}).includes('no statement')")


def test_pseudo_texts_are_longer_and_keep_their_values(page: Page) -> None:
    short, spoilt = page.browser.run(
        "import('/texts.js').then(({ TEXTS, pseudo }) => { const all = Object.values(TEXTS.en); "
        "const values = (text) => (text.match(/{\\w+}/g) ?? []).join(); return ["
        "all.filter((text) => pseudo(text).length < 1.4 * text.length), "
        "all.filter((text) => values(pseudo(text)) !== values(text))]; })"
    )
    assert short == [] and spoilt == []


WINDOWS = {
    "a desk": (1440, 900),
    "a small window": (1024, 768),
    "a tablet": (820, 1180),
    "a phone": (390, 844),
    "a desk at 200 %": (720, 450),
    "a small window at 200 %": (512, 384),
}
LONGEST = sorted(read_language("de").sentences.values(), key=len)[-12:]
TELL = """import('./notes.js').then((notes) => { const text = %s;
  notes.notice(text, [[text.slice(0, 40), () => {}]]);
  notes.tip(text, 'bad', [['+', text]], text);
  notes.speak(text);
  notes.question(text, [[text.slice(0, 60), () => {}]]); })"""
FORETELL = """Promise.all(['forecast', 'unit_card', 'decision']
  .map((name) => import(`./${name}.js`))).then(([forecast, card, { SIGNS }]) => {
    const { units, moves } = studio.state.play;
    const effects = Object.keys(SIGNS).map((kind) => (
      { kind, words: units[0].title, unit: 0, figure: '-12', place: [0, 0, 0] }));
    forecast.foretell([{ ...moves[0], kind: 'move', effects, health: [[0, 1]] }], units);
    for (const unit of units) card.show(unit);
    document.querySelector('#all-moves').open = true;
    return document.querySelector('#forecast').childElementCount > 3; })"""
"""Shows a forecast of everything that can happen, a card, and all moves."""
DIALOGS = ("setting", "keys", "presets", "find", "printing", "match")
SPILT = """(() => {
  const seen = (one) => one.checkVisibility({ visibilityProperty: true })
    && !one.closest('.unseen') && one.getBoundingClientRect().width > 1;
  const of = (one) => {
    const text = document.createRange();
    text.selectNodeContents(one);
    return [one.getBoundingClientRect(), text.getBoundingClientRect()];
  };
  const over = (one) => { const [box, text] = of(one);
    return text.width && (text.right > box.right + 1 || text.left < box.left - 1
      || text.bottom > box.bottom + 2); };
  const wide = [...document.querySelectorAll('html, dialog[open], .pane, #meaning, #table, header, '
    + '#notice, #tip, #strip, #acts, #forecast, #unit-card, footer')]
    .filter((one) => seen(one) && one.scrollWidth > one.clientWidth + 1);
  const spilt = [...document.querySelectorAll('button, select, label, summary, dt, dd, h2, h3')]
    .filter((one) => seen(one) && over(one));
  return [...wide, ...spilt].map((one) => `${one.tagName}#${one.id} ${one.textContent.trim()}`);
})()"""


def spilt(page: Page) -> dict[str, list[str]]:
    """The controls that do not hold their texts: of the page, and of each dialog."""
    found = {"the page": page.browser.run(SPILT)}
    for name in DIALOGS:
        page.browser.run(f"document.querySelector('#{name}').showModal()")
        found[name] = page.browser.run(SPILT)
        page.browser.run(f"document.querySelector('#{name}').close()")
    return {name: texts for name, texts in found.items() if texts}


def test_the_search_for_spilt_texts_can_fail(page: Page) -> None:
    page.browser.run("document.querySelector('#setting').showModal()")
    assert page.browser.run(SPILT) == []
    page.browser.run("document.querySelector('#setting h2').style.width = '9px'")
    assert any("setting-title" in one for one in page.browser.run(SPILT))
    page.browser.run("document.querySelector('#setting h2').style.width = ''")
    page.browser.run("document.querySelector('#setting').close()")


class Spoken(Page):
    """A page in a language, in a window of some size."""

    def __init__(self, folder: Path, language: str, window: tuple[int, int]) -> None:
        self.studio = Studio(folder)
        self.browser = Chromium(folder / "profile", *WEBGL)
        self.browser.narrow(*window)
        url = self.studio.url.replace("/#", f"/?quality=low&lang={language}#")
        self.browser.open(url, "window.studio && studio.view.frames > 0")


@pytest.mark.parametrize(("language", "window"), [*product(["pseudo"], WINDOWS), ("de", "a phone")])
def test_every_control_holds_its_text(tmp_path: Path, language: str, window: str) -> None:
    page = Spoken(tmp_path, language, WINDOWS[window])
    try:
        page.wait("studio.state.revision >= 0")
        page.browser.run(f"studio.app.editor.put({SOUND!r})")
        page.wait("!document.querySelector('#play').disabled")
        page.wait("document.querySelectorAll('#measures li').length > 3")
        assert spilt(page) == {}
        page.browser.run("document.querySelector('#play').click()")
        page.browser.run("document.querySelector('#begin').click()")
        page.wait("studio.state.play?.hand")
        assert page.browser.run(SPILT) == []
        assert page.browser.run(FORETELL), "the forecast is shown"
        assert page.browser.run(SPILT) == []
        for text in (*LONGEST, "x" * 90):
            page.browser.run(TELL % json.dumps(text))
            assert page.browser.run(SPILT) == [], text
            page.browser.run("document.querySelector('#question').close()")
    finally:
        page.close()
