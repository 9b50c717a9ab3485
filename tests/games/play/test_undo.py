"""Undo: dice belong to the position, and the record tells undos."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import click
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from falldamage_forge.cli.play_console import PlayConsole
from falldamage_forge.games.fall_damage.play import BoardGame
from falldamage_forge.games.fall_damage.play.board_game import Undo
from falldamage_forge.games.fall_damage.play.serialization import ROLLS
from falldamage_forge.issues import ForgeError
from falldamage_forge.playtest.bots import BOTS
from falldamage_forge.playtest.playtest_page import frames
from falldamage_forge.presets import load_text
from falldamage_forge.studio.link_play import read_match, saved_text
from falldamage_forge.studio.play_match import game_of
from falldamage_forge.studio.play_mode import play
from falldamage_forge.studio.session import Session
from tests.amount import EXHAUSTIVE
from tests.cli.running import typed
from tests.games.play.goldens import teams_of
from tests.games.play.tables import KIT, preset

DRAWS = 400 if EXHAUSTIVE else 25
MOVES = 24


@cache
def start() -> BoardGame:
    options = {"placement": "listed", "auto_end": "no"}
    return BoardGame(preset("duel"), KIT, options, teams=teams_of(1), seed=3)


def decide(game: BoardGame, number: int) -> None:
    """Make the decision that belongs to the number of moves so far, and roll at chance."""
    if game.turn == "chance":
        game.roll()
    else:
        moves = game.legal_moves
        game.push(moves[number * 7919 % len(moves)])


def played(numbers: list[int]) -> BoardGame:
    game = start().copy()
    for number in numbers:
        decide(game, number)
    return game


numbers = st.lists(st.integers(0, 200), min_size=MOVES, max_size=MOVES)


@settings(max_examples=DRAWS, deadline=None)
@given(numbers, st.lists(st.tuples(st.integers(0, MOVES - 1), st.integers(1, MOVES), st.data())))
def test_undos_do_not_change_where_a_game_ends(chosen: list[int], undos: Any) -> None:
    plain, game = played(chosen), start().copy()
    for number in range(MOVES):
        decide(game, chosen[number])
        for at, most, data in undos:
            if at == number:
                other = data.draw(numbers)
                back = min(most, len(game.moves))
                for _ in range(back):
                    game.pop()
                for wrong in other[:back]:
                    decide(game, wrong)
                for _ in range(back):
                    game.pop()
                for again in range(number + 1 - back, number + 1):
                    decide(game, chosen[again])
    assert game.moves == plain.moves, "the same moves after an undo meet the same dice"
    assert game.hash == plain.hash


@settings(max_examples=DRAWS, deadline=None)
@given(numbers)
def test_another_move_after_an_undo_meets_the_same_draw(chosen: list[int]) -> None:
    """Whatever is decided, the n-th roll of n outcomes is the same outcome."""
    drawn: dict[tuple[int, int], int] = {}
    for way in (chosen, [*reversed(chosen)]):
        game, rolls = start().copy(), 0
        for number in way:
            outcomes, chance = game.legal_moves, game.turn == "chance"
            decide(game, number)
            if chance:
                found = outcomes.index(game.moves[-1])
                assert drawn.setdefault((rolls, len(outcomes)), found) == found
                rolls += 1


@settings(max_examples=DRAWS, deadline=None)
@given(numbers, st.integers(0, MOVES - 1))
def test_saved_and_resumed_games_meet_the_same_dice(chosen: list[int], at: int) -> None:
    plain = played(chosen)
    half = played(chosen[:at])
    recorded = BoardGame.from_record(json.loads(json.dumps(half.record())), KIT)
    resumed = start().copy()
    resumed.resume(json.loads(json.dumps(half.save())))
    for number in chosen[at:]:
        decide(recorded, number)
        decide(resumed, number)
    assert recorded.hash == resumed.hash == plain.hash


def test_a_record_tells_each_undo_and_its_place() -> None:
    game = played([0] * 9)
    for _ in range(3):
        game.pop()
    decide(game, 1)
    game.pop()
    decide(game, 2)
    record = game.record()
    assert record["undos"] == [{"at": 6, "moves": 3}, {"at": 6, "moves": 1}]
    again = BoardGame.from_record(record, KIT)
    assert again.record() == record, "a resumed game keeps its undos"
    told = [frame["events"] for frame in frames(record, KIT)]
    assert told[6][-2:] == ["3 moves are taken back here", "1 move is taken back here"]


def test_games_of_earlier_versions_are_read() -> None:
    game = played([0] * 9)
    record, saved = game.record(), game.save()
    del record["undos"], saved[ROLLS]
    assert BoardGame.from_record(record, KIT).hash == game.hash
    other = start().copy()
    other.resume(saved)
    assert other.hash == game.hash


@pytest.mark.parametrize("undos", [3, [3], [{"at": -1, "moves": 1}], [{"at": 1}], {"at": 1}])
def test_wrong_undos_of_a_record_are_refused(undos: object) -> None:
    with pytest.raises(ForgeError, match="undo") as caught:
        BoardGame.from_record({**start().record(), "undos": undos}, KIT)
    assert {issue.code for issue in caught.value.issues} == {"FDF384"}


@pytest.mark.parametrize("undo", [[-1, 1], [1, 0], ["1", 1], [1, "1"], [True, 1], [1], [1, 1, 1]])
def test_wrong_undos_of_a_saved_match_are_refused(undo: list[object]) -> None:
    text = load_text("maps", "duel.forge")
    table = {"text": text, "red": "hand", "blue": "random", "seed": 3, "draw": True, "moves": []}
    assert read_match(json.dumps({**table, "undos": [[6, 3]]})).undos == (Undo(6, 3),)
    with pytest.raises(ForgeError, match="cannot be read"):
        read_match(json.dumps({**table, "undos": [undo]}))


def test_undo_at_the_terminal_meets_the_same_dice_and_bots(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A player takes a decision back until the dice please; they never change."""
    ends, keys = set[str](), list[str]()
    monkeypatch.setattr(click, "prompt", lambda *_, **__: keys.pop(0) if keys else "quit")
    for undos in (0, 1, 4):
        game = start().copy()
        keys += [*["1"] * 12, *["undo", "1"] * undos]
        console = PlayConsole(game, {"red": None, "blue": BOTS["random"]}, "mine")
        console.play()
        ends.add(game.hash)
        assert len(game.undos) == undos
    assert len(ends) == 1
    record = tmp_path / "game.json"
    console.record(str(record))
    assert "4, moves taken back: " in typed("replay", record, "--check").stdout
    assert typed("replay", record).stdout.count("taken back here") == 4
    assert len(json.loads(typed("replay", record, "--json").stdout)["undos"]) == 4


def test_undo_in_the_studio_meets_the_same_dice_and_is_recorded() -> None:
    session = Session(load_text("maps", "duel.forge"), "duel.forge")
    session, _ = play(session, "begin", {"red": "hand", "blue": "random", "seed": 3})
    ends = set[tuple[str, ...]]()
    for undos in range(3):
        here = session
        for step in range(8 + 2 * undos):
            back = step >= 8 and step % 2 == 0
            assert here.match is not None
            first = str(game_of(here.match).legal_moves[0])
            here, told = play(here, "back" if back else "move", {"move": first})
            assert told["type"] == "game", told
        assert here.match is not None and len(here.match.undos) == undos
        ends.add(here.match.moves)
        assert read_match(saved_text(here.match)).undos == here.match.undos
        record = json.loads(play(here, "record", {})[1]["text"])
        assert len(record["undos"]) == undos
    assert len(ends) == 1
