"""The end of a game: who won, what is left, and one more game with a press."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from falldamage_forge.playtest.bots import BOTS
from falldamage_forge.studio.link_play import saved_text
from falldamage_forge.studio.match_value import HAND
from tests.render.chromium import BINARY
from tests.studio.judge import broken
from tests.studio.screens import MATCH, Look, finished_game, reach, say, studio
from tests.studio.test_page import Page

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(BINARY is None, reason="no Chromium"),
]
GAME = "studio.state.play"
SIZES = ("desk", "phone", "phone on its side")
BOT = "greedy"


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    with studio() as found:
        yield found
        assert found.browser.complaints() == []


def close_result(page: Page, size: str) -> None:
    """Fold the result where it lies over the board."""
    if size != "desk":
        page.press("#result-pane .fold")
        page.wait("document.getAnimations().length === 0 && !studio.view.waiting")


@pytest.mark.parametrize("size", SIZES)
def test_the_end_tells_who_won_and_what_is_left(page: Page, size: str) -> None:
    reach(page, Look("end", size))
    game = finished_game()
    told = page.browser.run("document.querySelector('#ending').innerText").split("\n")
    head, *sides = filter(None, told)
    assert head == f"{game.result} wins in round {game.state.round}"
    assert page.browser.run("document.querySelector('#turn').textContent") == head
    for number, (side, line) in enumerate(zip(("red", "blue"), sides, strict=True)):
        own = [unit for unit in game.state.units if unit.side == number and unit.card]
        left = sum(unit.spot >= 0 for unit in own)
        assert line == f"{side}: {left} of {len(own)} standing"
    assert not page.browser.run("document.querySelector('#advise').checkVisibility()")
    assert not page.browser.run("document.querySelector('#exchange').checkVisibility()")


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("size", SIZES)
def test_no_word_of_an_act_or_a_card_is_broken(page: Page, size: str, language: str) -> None:
    reach(page, Look("end", size, language=language))
    close_result(page, size)
    assert page.browser.run("document.querySelectorAll('#acts span').length") > 2
    assert broken(page.browser, "#acts span, #unit-card dt") == []


@pytest.mark.parametrize("size", SIZES)
def test_one_more_begins_a_game_of_the_same_players(page: Page, size: str) -> None:
    reach(page, Look("end", size))
    close_result(page, size)
    page.press("#again")
    page.wait(f"{GAME}.hand && !{GAME}.over && {GAME}.drawn")
    assert page.browser.run(f"{GAME}.players") == [HAND, HAND]
    for gone in ("#again", "#ending"):
        assert not page.browser.run(f"document.querySelector('{gone}').checkVisibility()")
    assert page.browser.run("document.querySelector('#advise').checkVisibility()")


def test_sides_are_changed_for_one_more(page: Page) -> None:
    assert BOT in BOTS
    reach(page, Look("end", "desk"))
    moves = tuple(map(str, finished_game().moves))
    say(page, "resume", saved=saved_text(replace(MATCH, blue=BOT, moves=moves)))
    page.wait(f"{GAME}.over && {GAME}.players[1] === '{BOT}'")
    page.press("#exchange")
    page.wait(f"!{GAME}.over && {GAME}.players[0] === '{BOT}'")
    assert page.browser.run(f"{GAME}.players") == [BOT, HAND]
