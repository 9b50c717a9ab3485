"""Where a Wrestler ends who comes down on an enemy, on drawn boards full of towers and units."""

from __future__ import annotations

import pytest

from falldamage_forge.board import Board, Column, make_board
from falldamage_forge.games.fall_damage.engine.surface_index import apart
from falldamage_forge.games.fall_damage.play import State, apply_move, legal_moves
from falldamage_forge.games.fall_damage.play.legal_apply import (
    advance_to_first_node,
    apply_move_in_place,
)
from falldamage_forge.games.fall_damage.play.move_value import Move
from falldamage_forge.games.fall_damage.play.split_mix import SplitMix64
from falldamage_forge.games.fall_damage.play.state_value import Unit
from tests.amount import EXHAUSTIVE
from tests.games.play.columns import surfaces
from tests.games.play.tables import ctx

WANTED = 2_000 if EXHAUSTIVE else 25


def towers(dice: SplitMix64) -> Board:
    """A small board of columns up to six levels high."""
    return make_board(4, 5, [Column(dice.choice((0, 0, 0, 1, 2, 4, 6))) for _ in range(20)])


def crowd(dice: SplitMix64, levels: str) -> State:
    """A Wrestler to move among many enemies and friends."""
    table = ctx(towers(dice), {"top_ropes_levels": levels})
    state = State(table, land=table.land, phase="choose_unit")
    spots = dice.shuffled(surfaces(state))[: 6 + dice.below(11)]
    for number, spot in enumerate(spots):
        friend = number == 0 or dice.below(4) == 0
        card = "wrestler" if number == 0 else "knight"
        health = state.ctx.content.cards[card].health
        state.units.append(Unit(0 if friend else 1, card, health=health, max_health=health))
        state.place_unit(number, spot)
    state = advance_to_first_node(state)
    apply_move_in_place(state, next(move for move in legal_moves(state) if move.units == (0,)))
    return state


def is_beside(spot: int, other: int, levels: str) -> bool:
    """Whether two surfaces are next to each other, as Top Ropes means it."""
    rise = abs((spot & 15) - (other & 15))
    return apart(spot, other) <= 1 and (levels == "any" or rise <= 1)


def dives(state: State) -> list[Move]:
    """The moves that come down on an enemy."""
    ends = [move for move in legal_moves(state) if move.kind == "move"]
    return [move for move in ends if move.spots[0] in state.occupied]


@pytest.mark.parametrize("levels", ["one", "any"])
def test_dive_onto_an_enemy_ends_beside_it(levels: str) -> None:
    seen, dice = 0, SplitMix64(len(levels))
    while seen < WANTED:
        state = crowd(dice, levels)
        free = [spot for spot in surfaces(state) if spot not in state.occupied]
        for move in dives(state):
            end, enemy = apply_move(state, move).units[0].spot, move.spots[0]
            near = [spot for spot in free if is_beside(spot, enemy, levels)]
            assert end in near, f"{move}: {state.units}"
            seen += 1
