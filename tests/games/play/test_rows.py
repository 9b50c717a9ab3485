"""A game is played on any board that can be drawn: every number of rows, moves, words and saves."""

from __future__ import annotations

import pytest

from falldamage_forge.board.board_model import MAX_BOARD
from falldamage_forge.games.fall_damage.engine import codes as C
from falldamage_forge.games.fall_damage.engine.notation import (
    key_of,
    kind_in,
    name_in,
    spot2_in,
    spot_in,
    unit2_in,
    unit_in,
    way_in,
    word_in,
)
from falldamage_forge.games.fall_damage.engine.simulator import Simulator
from falldamage_forge.games.fall_damage.play import BoardGame, legal_moves, serialization
from falldamage_forge.games.fall_damage.play.split_mix import SplitMix64
from tests.amount import EXHAUSTIVE, some
from tests.games.play import tables
from tests.games.play.tables import KIT

ROWS = sorted({1, 2, 31, 32, MAX_BOARD, *some(range(1, MAX_BOARD + 1), 5)})
TEAMS = (("archer", "wrestler"), ("necromancer", "brick-mage"))


def test_capacity_fits_the_largest_board() -> None:
    assert C.MOST_ROWS == MAX_BOARD <= C.MOST_COLS
    assert C.MOST_SURFACES >= MAX_BOARD**2 + C.MOST_DECKS * C.DECK_LENGTH
    assert C.MOST_ENDS >= C.MOST_SURFACES


@pytest.mark.parametrize("rows", ROWS)
def test_a_game_is_played_written_down_and_saved(rows: int) -> None:
    """At each moment: every move is a number of its own, in order, and the state comes back."""
    table = tables.ctx(tables.long_board(rows), {"round_limit": 4})
    states = tables.played(tables.new_game(table, TEAMS), rows, 150)
    sim, reached = Simulator(table), 0
    assert len(states) > 30
    for state in states if EXHAUSTIVE else SplitMix64(rows).shuffled(states)[:25]:
        sim.take(serialization.from_json(table, serialization.to_json(state)))
        sim._held = None
        assert sim.read() == state
        moves = sim.moves()
        assert moves == sorted(moves, key=lambda move: move.order) == legal_moves(state)
        keys = [sim.codec.key(move) for move in moves]
        assert keys == sorted(set(keys))
        assert all(0 <= key < 2**63 for key in keys)
        assert [sim.codec._read(key) for key in keys] == moves
        reached = max([reached, *(unit.spot >> 10 for unit in state.units)])
    assert reached == rows - 1


@pytest.mark.parametrize("rows", some([MAX_BOARD, 1, 32, 40], 1))
def test_record_is_replayed(rows: int) -> None:
    game = BoardGame(tables.long_board(rows), KIT, {"round_limit": 1}, teams=TEAMS, seed=rows)
    dice = SplitMix64(rows)
    while not game.over:
        game.push(dice.choice(list(game.legal_moves)))
    assert BoardGame.from_record(game.record(), KIT).hash == game.hash


def test_fields_of_a_packed_move_do_not_overlap() -> None:
    """Each part at its ends beside the others at theirs."""
    dice, far = SplitMix64(1), (MAX_BOARD - 1) << 10 | 63 << 4 | 15
    for _ in range(2_000):
        kind, name = dice.choice([0, 15]), dice.choice([0, len(C.NAMES) - 1])
        where, second = dice.choice([-16, 0, far]), dice.choice([-1, 0, far])
        word = dice.choice([0, 1, C.MOST_WORDS - 1])
        one = dice.choice([-1, 0, C.MOST_UNITS - 1])
        two = -1 if word else dice.choice([-1, 0, C.MOST_UNITS - 1])
        way = dice.choice([-1, 0, 3])
        key = key_of(kind, name, where, second, word, one, two, way)
        found = (kind_in(key), name_in(key), spot_in(key), spot2_in(key), word_in(key),
                 unit_in(key), unit2_in(key), way_in(key))  # fmt: skip
        assert found == (kind, name, where, second, word, one, two, way)
