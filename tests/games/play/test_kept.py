"""What may be done in drawn situations and what comes of it, under drawn readings: as kept."""

import json
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from falldamage_forge.games.fall_damage.options import Options
from falldamage_forge.games.fall_damage.play import legal, split_options
from falldamage_forge.games.fall_damage.play.dice import seed_of
from falldamage_forge.games.fall_damage.play.engine import begin
from falldamage_forge.games.fall_damage.play.observe import glimpse, observation
from falldamage_forge.games.fall_damage.play.options import Readings
from falldamage_forge.games.fall_damage.play.spots import tile_number
from falldamage_forge.issues import ForgeError
from tests.games.play.goldens import golden_board
from tests.games.play.situations import (
    Dice,
    after,
    one_of_each,
    situation,
    standing,
    table_of,
    told,
)
from tests.games.play.tables import arena, new_game, small_board
from tests.games.play.test_engine import values
from tests.kept import is_kept

READINGS = values()
FILE = Path(__file__).resolve().parents[2] / "data/game.json"
EXAMPLES = json.loads(FILE.read_text("utf-8"))["examples"]


@pytest.mark.parametrize("seed", range(40))
def test_what_is_done_in_a_situation_is_as_kept(seed: int) -> None:
    """Units' moves of each kind, what happens, and what is asked then; and how it may go on."""
    dice = Dice(seed)
    state = situation(dice, table_of(dice, READINGS))
    found: list[Any] = [told(state)]
    for choice in one_of_each(dice, state, 6):
        chosen = after(state, choice)
        found.append(told(chosen))
        for move in one_of_each(dice, chosen, 11):
            then = after(chosen, move)
            found.append([str(move), told(then)])
            for answer in one_of_each(dice, then, 2) if then.pending else ():
                found.append([str(answer), told(after(then, answer))])
    for _ in range(30):
        if not state.over:
            moves = legal(state)
            acts = [move for move in moves if move.kind == "act"]
            state = after(state, dice.choice(acts if acts and dice.random() < 0.7 else moves))
            found.append(told(state))
    for side in (0, 1):
        found.append(list(map(str, observation(state, side).hidden)))
        assert glimpse(state, side) == observation(state, side)
    land, board = state.land, state.arena.board
    ask = (land.under_deck, land.deck_end, land.ladder_foot, land.ladder_top, land.bricks_on)
    found += [[about(tile_number(tile)) for about in ask] for tile in board.tiles()]
    assert is_kept(f"situation {seed}", found)


SETTING_UP = ("draft", "team_duplicates", "shared_cards", "side_choice", "placement", "start",
              "beast", "win")  # fmt: skip


@pytest.mark.parametrize("seed", range(8))
def test_drawn_games_are_set_up_as_kept(seed: int) -> None:
    """The coin, sides, teams, places and the first moves, under readings of these."""
    dice, found = Dice(seed + 800), []
    options = dict(pair for pair in READINGS if pair[0] in SETTING_UP and dice.random() < 0.6)
    state = new_game(arena(dice.choice((small_board(), golden_board())), options))
    for _ in range(80):
        if not state.over:
            state = after(state, dice.choice(legal(state)))
            found.append(told(state))
            found.append([state.seats, state.first, state.to_act, state.picks])
    assert is_kept(f"set up {seed}", [options, found])


def test_options_are_read_as_kept() -> None:
    """Each option with each of its words, other ways to write them, and what none may have."""
    found: list[Any] = [seed_of("a", 1, 2), seed_of("a", 12), seed_of()]
    names = [item.name for table in (Readings, Options) for item in fields(table)]
    wrong = ("", "x", "0", "7", "0.25", "-1", "2.5", "1.x", "12345678", "1+3", "four,one", " a , ")
    dice = Dice(1)
    others = [(name.replace("_", "-"), word) for name in names for word in dice.sample(wrong, 2)]
    for name, value in (*READINGS, *others):
        try:
            found.append(list(map(str, split_options({name: value}))))
        except ForgeError as error:
            found.append([[str(issue), issue.hint] for issue in error.issues])
    assert is_kept("options read", found)


@pytest.mark.parametrize("seed", range(16))
def test_what_a_chest_holds_does_as_kept(seed: int) -> None:
    """Every result of the table for one unit of a situation, and some answers to what it asks."""
    dice = Dice(seed + 500)
    state = situation(dice, table_of(dice, READINGS))
    state.owe(("open", dice.choice(standing(state))))
    state.legal = None
    begin(state)
    found: list[Any] = [told(state)]
    for result in legal(state):
        for move in one_of_each(dice, after(state, result), 3):
            then = after(after(state, result), move)
            found.append([str(result), str(move), told(then)])
            if then.pending:
                last = dice.choice(legal(then))
                found.append([str(last), told(after(then, last))])
    assert is_kept(f"chest {seed}", found)
