"""In a real browser: hands, kills, tabs, other programs; every text that was typed is there."""

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.amount import EXHAUSTIVE
from tests.render.chromium import BINARY, WEBGL, Chromium
from tests.studio.hands import Hands
from tests.studio.test_server import Studio

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(BINARY is None, reason="no Chromium"),
]
CLICKS = 100 if EXHAUSTIVE else 10
KEYS = 200 if EXHAUSTIVE else 40
KILLS = 12 if EXHAUSTIVE else 2
MAP = "# \nforge 1\nboard 10x10\n# one\n# two\n# three\n# four\n# five\n# six\n# seven\n"
NOTE = 2
SAVED = "document.querySelector('#kept').textContent"
NOTICE = "document.querySelector('#notice').textContent"


class Tab(Hands):
    """A tab with the studio's page in it, and a person before it."""

    def __init__(self, studio: Studio, browser: Chromium) -> None:
        self.studio, self.browser = studio, browser
        self.browser.narrow(1300, 700)
        self.open(studio.url.replace("/#", "/?quality=low#"))

    def open(self, url: str) -> None:
        self.browser.open(url, "window.studio && studio.view.frames > 0 && studio.state.board")

    def caret(self, at: int) -> None:
        self.browser.run(
            "(() => { const t = document.querySelector('#text'); t.focus(); "
            f"t.setSelectionRange({at}, {at}); }})()"
        )

    def keys(self, word: str) -> None:
        """Each sign as a key."""
        for sign in word:
            self.browser.ask("Input.dispatchKeyEvent", type="char", text=sign)

    def rests(self) -> None:
        """Until the studio has all that this tab has."""
        self.wait("studio.state.sent === null")

    def has(self, *words: str) -> None:
        """Until the words are in its text."""
        self.wait(f"{json.dumps(words)}.every((w) => studio.app.editor.area.value.includes(w))")


class Desk:
    """A studio on a file and one browser."""

    def __init__(self, folder: Path) -> None:
        self.studio = Studio(folder)
        self.browser = Chromium(folder / "profile", *WEBGL)
        self.tabs: list[Tab] = []

    def new(self) -> Tab:
        """Another tab."""
        self.tabs.append(Tab(self.studio, self.browser.tab()))
        self.tabs[-1].caret(NOTE)
        return self.tabs[-1]

    def begin(self) -> None:
        """One tab with the map as it was."""
        self.studio.file.write_text(MAP, "utf-8")
        self.tab = self.new()
        self.tab.wait(f"studio.app.editor.area.value === {MAP!r} && studio.state.sent === null")
        self.tab.caret(NOTE)

    def end(self) -> None:
        """No tab, and no complaint but of a studio that was killed."""
        while self.tabs:
            self.tabs.pop().browser.crash()
        told = self.browser.complaints()
        self.browser.seen.clear()
        dead = ("WebSocket connection", "net::ERR_CONNECTION")
        assert [one for one in told if not any(word in one for word in dead)] == []

    def file(self) -> str:
        return self.studio.file.read_text("utf-8")


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    found = Desk(tmp_path_factory.mktemp("lossless"))
    yield found
    found.browser.close()
    found.studio.close()


@pytest.fixture
def desk(opened: Desk) -> Iterator[Desk]:
    opened.begin()
    yield opened
    opened.end()


def test_a_key_and_a_click_at_once_lose_neither(desk: Desk) -> None:
    tab, typed = desk.tab, ""
    tab.choose("raise")
    tab.wait("studio.view.board.rows === 10")
    for number in range(CLICKS):
        typed += chr(ord("a") + number % 26)
        tab.caret(NOTE + number)
        tab.keys(typed[-1])
        tab.click(number // 10, number % 10, 0)
    tab.rests()
    tab.wait(f"studio.view.board.columns.filter((one) => one[0] === 1).length === {CLICKS}")
    assert f"# {typed}\n" in tab.text()
    assert desk.file() == tab.text()


def test_two_tabs_type_two_whole_texts(desk: Desk) -> None:
    one, other = desk.tab, desk.new()
    # Both begin at the very same place.
    words = ["".join(f"{sign}{number}," for number in range(KEYS))[:KEYS] for sign in "xy"]
    for signs in zip(*words, strict=True):
        for tab, sign in zip((one, other), signs, strict=True):
            tab.keys(sign)
    one.rests()
    other.rests()
    for tab in (one, other):
        tab.has(*words)
    assert one.text() == other.text() == desk.file()
    assert len(one.text()) == len(MAP) + 2 * KEYS


def test_a_kill_in_mid_typing_loses_nothing_in_old_tab_and_new(desk: Desk) -> None:
    old, typed = desk.tab, "typed before, while it was dead, and after"
    old.keys(typed[:20])
    desk.studio.kill()
    old.keys(typed[20:30])
    desk.studio.begin()
    old.keys(typed[30:])
    new = desk.new()
    old.rests()
    for tab in (old, new):
        tab.has(typed)
    assert desk.file() == old.text() == MAP.replace("# \n", f"# {typed}\n")
    old.wait(f"!{NOTICE}")


def test_kills_again_and_again_lose_nothing_of_two_tabs(desk: Desk) -> None:
    one, other = desk.tab, desk.new()
    other.caret(MAP.index("# six") + 5)
    words = ["", ""]

    def type_on() -> None:
        for number, (tab, sign) in enumerate(((one, "a"), (other, "b"))):
            words[number] += (word := f"{sign}{len(words[number])}.")
            tab.keys(word)

    for number in range(KILLS):
        type_on()
        time.sleep(0.05 * (number % 5))  # the kill comes before, while and after it is sent
        desk.studio.kill()
        type_on()
        desk.studio.begin()
        type_on()
    for tab in (one, other):
        tab.rests()
    for tab in (one, other):
        tab.has(f"# {words[0]}\n", f"# six{words[1]}\n")
    assert desk.file() == one.text() == other.text()


def test_a_tab_that_dies_with_the_studio_is_offered_its_text_in_the_next(desk: Desk) -> None:
    old, typed = desk.tab, "nobody has this yet"
    desk.studio.kill()
    old.keys(typed)
    desk.tabs.remove(old)
    old.browser.crash()
    desk.studio.begin()
    new = desk.new()
    new.wait(f"{NOTICE}.includes('never came to the studio')")
    assert typed not in new.text()
    new.press("#notice button", "Bring it in")
    new.has(typed)
    new.rests()
    assert desk.file() == MAP.replace("# \n", f"# {typed}\n")
    new.wait("!Object.keys(localStorage).some((key) => key.startsWith('fdforge-unsent:'))")


def test_a_tab_with_a_token_of_before_comes_back_when_the_new_address_is_opened(
    desk: Desk,
) -> None:
    old, port = desk.tab, desk.studio.port
    desk.studio.kill()
    desk.studio.forget_address()
    old.keys("typed meanwhile")
    desk.studio.begin("--port", str(port))
    old.wait(f"{NOTICE}.includes('open the address')")
    new = desk.new()
    old.rests()
    for tab in (old, new):
        tab.has("typed meanwhile")


def test_what_another_program_saves_meanwhile_is_joined_line_by_line(desk: Desk) -> None:
    tab = desk.tab
    tab.wait("studio.app.sync.idle")
    tab.browser.run("window.own = studio.app.sync.go; studio.app.sync.go = () => {}, true")
    tab.keys("mine")  # on its way for as long as it takes
    desk.studio.file.write_text(MAP.replace("# five", "# theirs"), "utf-8")
    tab.wait("studio.app.editor.area.value.includes('# theirs')")  # joined without `go`
    tab.browser.run("studio.app.sync.go = window.own, studio.app.sync.go()")
    both = MAP.replace("# five", "# theirs").replace("# \n", "# mine\n")
    tab.wait(f"studio.app.editor.area.value === {both!r}")
    tab.rests()
    assert desk.file() == both
    tab.browser.run("document.querySelector('#undo').click()")
    tab.wait(
        f"studio.app.editor.area.value === {MAP.replace('# ' + chr(10), '# mine' + chr(10))!r}"
    )


@pytest.mark.parametrize("keep", ["Keep mine", "Take theirs"])
def test_what_another_program_saves_in_the_same_line_is_asked_about(desk: Desk, keep: str) -> None:
    tab = desk.tab
    tab.keys("mine")
    desk.studio.file.write_text(MAP.replace("# \n", "# theirs\n"), "utf-8")
    tab.wait(f"{NOTICE}.includes('until you choose')")
    assert "# mine\n" in tab.text()
    assert "# theirs\n" in desk.file()
    tab.press("#notice button", keep)
    word = "mine" if keep == "Keep mine" else "theirs"
    tab.has(f"# {word}\n")
    tab.wait(f"{SAVED}.endsWith('· saved')")
    assert f"# {word}\n" in desk.file()
    if word == "theirs":
        tab.browser.run("document.querySelector('#undo').click()")
        tab.has("# mine\n")


def test_a_file_that_is_renamed_away_is_told_and_written_anew_with_the_next_change(
    desk: Desk,
) -> None:
    tab, path = desk.tab, desk.studio.file
    path.rename(path.with_name("away.forge"))
    tab.wait(f"{SAVED}.endsWith('not saved') && {NOTICE}.includes('renamed')")
    path.with_name("away.forge").rename(path)
    tab.wait(f"{SAVED}.endsWith('· saved')")
    path.unlink()
    tab.wait(f"{SAVED}.endsWith('not saved')")
    tab.keys("more")
    tab.wait(f"{SAVED}.endsWith('· saved')")
    assert desk.file() == MAP.replace("# \n", "# more\n")


def test_who_leaves_with_a_text_that_nobody_has_is_asked(desk: Desk) -> None:
    tab = desk.tab
    tab.press("#text")
    tab.caret(NOTE)
    desk.studio.kill()
    tab.keys("x")
    tab.browser.seen.clear()
    tab.browser.run("setTimeout(() => location.reload()), true")

    def asked() -> list[dict[str, Any]]:
        return [e for e in tab.browser.seen if e["method"] == "Page.javascriptDialogOpening"]

    deadline = time.monotonic() + 30
    while not asked():
        assert time.monotonic() < deadline
        tab.browser._next(deadline)
    assert asked()[0]["params"]["type"] == "beforeunload"
    tab.browser.ask("Page.handleJavaScriptDialog", accept=False)
    desk.studio.begin()
    tab.rests()
    assert "x" in tab.text()
