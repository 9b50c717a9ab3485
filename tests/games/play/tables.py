"""Maps and games that the tests of play share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from falldamage_forge.board import Board, Chest, Column, StartZone, Tile, make_board
from falldamage_forge.games.fall_damage.play import (
    BoardGame,
    MatchContext,
    State,
    legal_moves,
    split_options,
)
from falldamage_forge.games.fall_damage.play.legal_apply import (
    advance_to_first_node,
    apply_move_in_place,
)
from falldamage_forge.games.fall_damage.play.split_mix import SplitMix64
from falldamage_forge.games.fall_damage.play.state_value import new_state
from falldamage_forge.lang import load
from falldamage_forge.presets import load_kit, path

NAMED = (
    "apothecary", "arbalist", "archer", "assassin", "bandit", "bard", "beast", "brick-mage",
    "druid", "force-mage", "gunner", "knight", "medic", "necromancer", "samurai", "shield-bearer",
    "skeleton", "space-mage", "spearman", "splash-mage", "tinkerer", "werewolf", "wrestler",
)  # fmt: skip
WHOLE = load_kit()
KIT = replace(WHOLE, cards={name: WHOLE.cards[name] for name in NAMED})
"""The cards of these tests, by name: one more in a table changes no drawn game."""
Options = Mapping[str, Any]


@cache
def preset(name: str) -> Board:
    return load(Path(path("maps", name)).read_text("utf-8"), f"{name}.forge").layout.board


def small_board(size: int = 5, start: int = 3, hills: bool = True) -> Board:
    """A board of few tiles: hills, a chest in the middle, start zones along two rims."""
    levels = {(1, 1): 2, (1, 2): 1, (2, 3): 1, (3, 3): 3, (2, 2): 1} if hills else {}
    columns = [Column(levels.get((r, c), 0)) for r in range(size) for c in range(size)]
    middle = Tile(size // 2, size // 2)
    zones = [
        StartZone(side, tuple((Tile(row, col), 0) for col in range(1, 1 + start)))
        for side, row in (("red", 0), ("blue", size - 1))
    ]
    chest = Chest(middle, levels.get(middle, 0))
    return make_board(size, size, columns, treasures=[chest], starts=zones)


def long_board(rows: int, cols: int = 9) -> Board:
    """A board of any number of rows whose teams stand in the last ones, with hills between."""
    last = rows - 1
    columns = [
        Column((3 * r + 5 * c) % 4 if r < last else c % 2) for r in range(rows) for c in range(cols)
    ]
    blue = max(last - 2, 0)
    most = 8 if rows > 1 else 3
    places = [("red", last, range(most)), ("blue", blue, range(cols - most, cols))]
    zones = [
        StartZone(side, tuple((Tile(row, col), columns[row * cols + col].level) for col in found))
        for side, row, found in places
    ]
    chests = [Chest(Tile(row, 3), columns[row * cols + 3].level) for row in sorted({0, blue, last})]
    return make_board(rows, cols, columns, treasures=chests, starts=zones)


def ctx(board: Board, options: Options | None = None) -> MatchContext:
    rules, readings = split_options(options or {})
    return MatchContext(board, rules, readings, KIT)


def game(board: Board, teams: tuple[Sequence[str], Sequence[str]], **options: Any) -> BoardGame:
    return BoardGame(board, KIT, {"placement": "listed", **options}, teams=teams)


def played(start: State, seed: int, most: int = 10_000) -> list[State]:
    """The states of a random game, the last first over or after so many moves."""
    dice, states = SplitMix64(seed), [start]
    for _ in range(most):
        state = states[-1].copy()
        if state.over:
            break
        apply_move_in_place(state, dice.choice(legal_moves(state)))
        states.append(state)
    return states


def new_game(
    table: MatchContext, teams: tuple[Sequence[str], Sequence[str]] | None = None
) -> State:
    return advance_to_first_node(new_state(table, teams))
