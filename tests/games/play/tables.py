"""Maps and games that the tests of play share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from falldamage_forge.board import Board, Column, StartZone, Tile, Treasure, make_board
from falldamage_forge.games.fall_damage.play import Arena, Game, State, legal, split_options
from falldamage_forge.games.fall_damage.play.dice import Dice
from falldamage_forge.games.fall_damage.play.engine import advance, begin
from falldamage_forge.games.fall_damage.play.setup import new_state
from falldamage_forge.lang import load
from falldamage_forge.presets import load_kit, path

KIT = load_kit()
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
    chest = Treasure(middle, levels.get(middle, 0))
    return make_board(size, size, columns, treasures=[chest], starts=zones)


def arena(board: Board, options: Options | None = None) -> Arena:
    rules, readings = split_options(options or {})
    return Arena(board, rules, readings, KIT)


def game(board: Board, teams: tuple[Sequence[str], Sequence[str]], **options: Any) -> Game:
    return Game(board, KIT, {"placement": "listed", **options}, teams=teams)


def played(start: State, seed: int, most: int = 10_000) -> list[State]:
    """The states of a random game, the last first over or after so many moves."""
    dice, states = Dice(seed), [start]
    for _ in range(most):
        state = states[-1].copy()
        if state.over:
            break
        advance(state, dice.choice(legal(state)))
        states.append(state)
    return states


def new_game(table: Arena, teams: tuple[Sequence[str], Sequence[str]] | None = None) -> State:
    return begin(new_state(table, teams))
