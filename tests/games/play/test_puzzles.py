"""Drawn tactical puzzles, which a bot that searches solves within its turn."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from falldamage_forge.games.fall_damage.options import FallDamageOptions
from falldamage_forge.games.fall_damage.play import MatchContext, PlayOptions, State, legal_apply
from falldamage_forge.games.fall_damage.play.conformance import board_of, situation
from falldamage_forge.games.fall_damage.play.split_mix import SplitMix64
from falldamage_forge.playtest.bots import BOTS, choose_move
from tests.amount import EXHAUSTIVE
from tests.games.play.tables import KIT

SIZE, FAR = 7, 6
DRAWN = 10 if EXHAUSTIVE else 2
SOLVED = 0.9
SOLVER = "search-2"
Example = dict[str, Any]


def example(
    heights: list[list[int]], units: list[tuple[str, str, list[int]]], **more: Any
) -> Example:
    """A position before red's turn; the first unit is red's, the second one is the victim."""
    listed = [
        {"id": str(n), "side": side, "card": card, "at": at}
        for n, (side, card, at) in enumerate(units)
    ]
    return {"map": {"heights": heights, **more}, "units": listed}


def flat(level: int = 0) -> list[list[int]]:
    return [[level] * SIZE for _ in range(SIZE)]


def push_off(row: int, shift: int) -> Example:
    """A Force Mage and a unit at the rim of a cliff."""
    heights = [[5] * 4 + [0] * 3 for _ in range(SIZE)]
    units = [("red", "force-mage", [row, shift, 5]), ("blue", "bandit", [row, 3, 5])]
    return example(heights, [*units, ("blue", "knight", [FAR, FAR, 0])])


def push_into_lava(row: int, shift: int) -> Example:
    """A Knight, and lava behind a unit that it cannot kill."""
    units = [("red", "knight", [row, shift, 0]), ("blue", "bard", [row, 3, 0])]
    units += [("blue", "medic", [FAR - row, FAR, 0])]
    return example(flat(), units, lava=[[row, 4]])


def start(puzzle: Example) -> State:
    board, _ = board_of(puzzle["map"])
    ctx = MatchContext(board, FallDamageOptions(), PlayOptions(), KIT)
    ids = {unit["id"]: n for n, unit in enumerate(puzzle["units"])}
    return situation(ctx, puzzle, ids)


def after_the_turn(state: State, bot: str, dice: SplitMix64) -> State:
    """The position after red's turn."""
    state = legal_apply.advance_to_first_node(state)
    while not state.over and (state.phase != "choose_unit" or state.to_act == 0 or state.pending):
        if state.round > 1:
            break
        if legal_apply.current_player(state) == legal_apply.CHANCE:
            move = dice.choice(legal_apply.legal_moves(state))
        else:
            move = choose_move(BOTS[bot], state, dice)
        legal_apply.apply_move_in_place(state, move)
    return state


@pytest.mark.parametrize("family", [push_off, push_into_lava])
def test_search_solves_drawn_puzzles(family: Callable[[int, int], Example]) -> None:
    dice, solved = SplitMix64(7), 0
    for _ in range(DRAWN):
        row, shift = dice.choice((0, 1, 2, 4, 5, 6)), dice.below(3)
        state = after_the_turn(start(family(row, shift)), SOLVER, dice)
        solved += not state.units[1].alive
    assert solved >= SOLVED * DRAWN
