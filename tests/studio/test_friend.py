"""Two friends with two studios and two browsers play a game by links to its end."""

import json
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from falldamage_forge import presets
from falldamage_forge.games.fall_damage.play import BoardGame
from tests.amount import EXHAUSTIVE
from tests.render.chromium import BINARY, PATIENCE_S
from tests.studio import sites
from tests.studio.hands import Hands
from tests.studio.test_page import Page
from tests.studio.test_site import Hosted

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(BINARY is None, reason="no Chromium"),
]
LINKS = 60


class Player(Hands):
    """A page whose player ends each activation as soon as the rules allow it."""

    def press_id(self, name: str) -> None:
        self.browser.run(f"document.getElementById({name!r}).click()")

    def link(self) -> str:
        return str(self.browser.run("document.querySelector('#friend-link').value"))

    def open_link(self, link: str) -> None:
        """Open a link, and wait for the game or the reason for its refusal."""
        self.browser.run(
            "(() => { window.notedGame = studio.state.play?.saved ?? ''; "
            "document.querySelector('#notice').hidden = true; "
            f"location.hash = {'#' + link.partition('#')[2]!r}; }})()"
        )
        self.wait(
            "(studio.state.play && studio.state.play.saved !== notedGame) "
            "|| !document.querySelector('#notice').hidden"
        )

    def notice(self) -> str:
        return str(self.browser.run("document.querySelector('#notice').textContent"))

    def decide(self) -> None:
        """Make decisions until the friend is needed."""
        self.browser.run(
            "(async () => { const rank = ({ text }) => ['end turn', 'end', 'stay'].indexOf(text); "
            "while (studio.state.play.hand) { const game = studio.state.play; "
            "const [move] = [...game.moves].sort((a, b) => rank(b) - rank(a)); "
            "studio.app.wire.say('play', { do: 'move', values: { move: move.text } }); "
            "while (studio.state.play === game) await new Promise((go) => setTimeout(go, 5)); "
            "} })()"
        )

    def over(self) -> bool:
        return bool(self.browser.run("studio.state.play.over"))

    def reload(self) -> None:
        self.browser.run("window.older = true")
        self.browser.ask("Page.reload")
        deadline = time.monotonic() + PATIENCE_S
        while not self.browser.holds("!window.older && window.studio?.state?.play"):
            assert time.monotonic() < deadline
            time.sleep(0.05)

    def downloaded(self) -> str:
        """The text of the file that **Download the game** hands over."""
        return self.saved(lambda: self.press_id("game-download"), "*.json").decode()


class Friend(Player, Page):
    """A player at a studio."""


class Visitor(Player, Hosted):
    """A player on the site, whose page is the studio."""


@pytest.fixture(scope="module")
def friends(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Friend]]:
    found = []
    for name in ("red", "blue"):
        found.append(Friend(tmp_path_factory.mktemp(name)))
    yield found
    for friend in found:
        friend.close()


def play_by_link(red: Player, blue: Player, rounds: int) -> BoardGame:
    """The whole game: each link is refused with another last character, and one page reloads."""
    friends = red, blue
    red.browser.run(f"studio.app.editor.put({sites.TEXT!r})")
    red.wait("studio.state.sent === null && !document.querySelector('#begin').disabled")
    red.browser.run(f"document.querySelector('#friend-rounds').value = {rounds}")
    red.press_id("play")
    red.press_id("friend-begin")
    red.wait("studio.state.play?.link")
    invitation = red.link()
    assert "#game=3-" in invitation
    blue.open_link(invitation)
    red.open_link(blue.link())
    turn, reloaded = 0, False
    for _ in range(LINKS):
        me, other = friends[turn], friends[1 - turn]
        me.decide()
        link = me.link()
        assert me.browser.run("!document.querySelector('#friend-out').hidden")
        other.open_link(link[:-1] + ("A" if link[-1] != "A" else "B"))
        assert "the link is refused" in other.notice()
        if me.over() and other.over():
            break
        other.open_link(link)
        if not reloaded and not me.over():
            saved = other.browser.run("studio.state.play.saved")
            other.reload()
            reloaded = other.browser.run("studio.state.play.saved") == saved
            assert reloaded
        turn = 1 - turn
    assert red.over()
    assert blue.over()
    records = [json.loads(friend.downloaded()) for friend in friends]
    assert records[0] == records[1]
    return BoardGame.from_record(records[0], presets.load_kit())


def test_two_friends_play_to_the_end(friends: list[Friend]) -> None:
    red, blue = friends
    game = play_by_link(red, blue, 1)
    assert game.over
    red.browser.run(
        "(() => { const at = document.querySelector('#replay-at'); at.value = 3; "
        "at.dispatchEvent(new Event('input')); })()"
    )
    red.wait("studio.state.play.count === 3")
    assert red.browser.run("studio.state.play.all") == len(game.moves)
    for friend in friends:
        assert friend.browser.complaints() == []


@pytest.mark.skipif(not EXHAUSTIVE, reason="builds a site, and plays uncompiled")
def test_a_visitor_of_the_site_plays_a_friend_at_a_studio(
    tmp_path: Path, friends: list[Friend]
) -> None:
    visitor, friend = Visitor(tmp_path), friends[1]
    try:
        game = play_by_link(visitor, friend, 2)
        assert game.over
        assert visitor.browser.complaints() == friend.browser.complaints() == []
        (tmp_path / "visitor.png").write_bytes(visitor.browser.screenshot())
    finally:
        visitor.close()


def test_a_browser_that_stores_nothing_is_named(friends: list[Friend]) -> None:
    red = friends[0]
    red.browser.run("Storage.prototype.setItem = () => { throw new Error('full'); }")
    red.press_id("leave")
    red.wait("!studio.state.play")
    red.press_id("play")
    red.press_id("friend-begin")
    red.wait("studio.state.play?.link")
    assert "download" in red.notice()
    saved = json.loads(red.downloaded())
    assert saved["seat"]["side"] == 0


@pytest.fixture(autouse=True)
def folder_of_pictures(friends: list[Friend], tmp_path: Path) -> Iterator[None]:
    """A picture of each page after the test."""
    yield
    for name, friend in zip(("red", "blue"), friends, strict=True):
        (tmp_path / f"{name}.png").write_bytes(friend.browser.screenshot())
