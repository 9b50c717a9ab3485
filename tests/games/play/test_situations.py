"""Properties of drawn situations: whatever is done in them, the state holds and is a value.

`tests/games/play/test_snapshots.py` has some of them in full.
"""

from __future__ import annotations

import random

import pytest

from falldamage_forge.games.fall_damage.play import legal_moves
from falldamage_forge.games.fall_damage.play.legal_apply import advance_to_first_node
from falldamage_forge.games.fall_damage.play.serialization import state_hash
from falldamage_forge.games.fall_damage.play.state_value import observation, shallow_observation
from tests.amount import EXHAUSTIVE
from tests.games.play.situations import after, one_of_each, situation, standing, table_of
from tests.games.play.test_engine import check, round_trip, values

READINGS = values()
SEEDS = range(120 if EXHAUSTIVE else 12)


@pytest.mark.parametrize("seed", SEEDS)
def test_moves_of_a_situation_return_a_new_valid_state(seed: int) -> None:
    dice = random.Random(seed)
    state = situation(dice, table_of(dice, READINGS))
    before = state_hash(state)
    for choice in one_of_each(dice, state, 4):
        chosen = after(state, choice)
        for number, move in enumerate(one_of_each(dice, chosen, 9)):
            then = after(chosen, move)
            check(then)
            if number == 0:
                round_trip(then)
            if then.pending and not then.over:
                check(after(then, dice.choice(legal_moves(then))))
    assert state_hash(state) == before
    for side in (0, 1):
        assert shallow_observation(state, side) == observation(state, side)


@pytest.mark.parametrize("seed", SEEDS)
def test_every_chest_result_gives_a_valid_state(seed: int) -> None:
    dice = random.Random(seed + 500)
    state = situation(dice, table_of(dice, READINGS))
    state.push_tasks(("open", dice.choice(standing(state))))
    state.legal = None
    advance_to_first_node(state)
    for first in legal_moves(state):
        for result in legal_moves(after(state, first)):
            then = after(after(state, first), result)
            check(then)
            while then.pending and not then.over:
                then = after(then, dice.choice(legal_moves(then)))
            check(then)
