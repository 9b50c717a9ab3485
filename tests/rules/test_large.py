"""The largest boards are asked as small ones: the same hills in another corner answer alike."""

from __future__ import annotations

import pickle
import re
from collections import Counter
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

import falldamage_forge as ff
from falldamage_forge.board import MAX_BOARD, Board, Column, Deck, Ladder, Tile, make_board
from falldamage_forge.board.surfaces import Surface
from falldamage_forge.games.fall_damage.ability_queries.ability_table import ABILITIES
from falldamage_forge.infra import process_pool
from falldamage_forge.metrics.metric_table import analyze
from falldamage_forge.presets import load_rules
from falldamage_forge.rules.position import Position
from tests.amount import some
from tests.rules.randomboards import random_board
from tests.snapshot import asked as answer

NAME = re.compile(r"\b[A-Z]{1,2}[0-9]{1,2}\b")
NEAR, FAR, SIZE = 8, 34, 6
"""Where the hills lie, rows from 34 to 39 among them; how large they are."""


def hills(seed: int, at: int) -> Board:
    """A drawn board of 6x6 on bare ground of 50x50."""
    small = random_board(seed, SIZE, SIZE)
    columns = [Column()] * MAX_BOARD**2
    for tile in small.tiles():
        columns[(tile.row + at) * MAX_BOARD + tile.col + at] = small.column(tile)
    decks = [Deck(moved(d.a, at), moved(d.b, at), d.level) for d in small.decks]
    ladders = [
        Ladder(moved(x.foot, at), x.foot_level, moved(x.top, at), x.top_level)
        for x in small.ladders
    ]
    return make_board(MAX_BOARD, MAX_BOARD, columns, decks=decks, ladders=ladders)


def moved(tile: Tile, by: int) -> Tile:
    return Tile(tile.row + by, tile.col + by)


def home(answer: Any, at: int) -> Any:
    """An answer with its tiles moved to the corner of the board."""
    if isinstance(answer, dict):
        return {key: home(value, at) for key, value in answer.items()}
    if isinstance(answer, list | tuple):
        return [home(value, at) for value in answer if not far_off(value, at)]
    if not isinstance(answer, str):
        return answer
    return NAME.sub(lambda found: str(moved(Tile.parse(found[0]), -at)), answer)


def far_off(value: Any, at: int) -> bool:
    """Whether an entry is of a tile that lies in the one board only."""
    if not isinstance(value, dict) or "tile" not in value:
        return False
    tile = Tile.parse(value["tile"])
    return not all(at - NEAR <= one < at + SIZE + NEAR for one in (tile.row, tile.col))


def asked(seed: int, at: int, name: str) -> list[Any]:
    p = Position(hills(seed, at), load_rules("fall-damage"))
    spots = [
        Surface(moved(tile, at), level)
        for tile in (Tile(r, c) for r in range(SIZE) for c in range(SIZE))
        for level in p.graph.terrain.standable(moved(tile, at))
    ]
    here, others = spots[len(spots) // 2], spots[:: max(1, len(spots) // 6)]
    unit = next((card for card in ABILITIES[name].of if card in p.game.units), "knight")
    enemies = [one for one in others if one != here]
    wish: dict[str, Any] = {"ability": name, "enemies": enemies}
    found = [answer(p.targets, unit, here), answer(p.targets, unit, here, **wish)]
    for number, aim in enumerate(spots[::3]):
        way, second = ("north", "east", "south", "west")[number % 4], spots[number * 2]
        found.append(
            answer(p.targets, unit, here, **wish, aim=aim, second=second, way=way, count=1)
        )
        found.append(answer(p.push, here, aim, "B2", occupied=enemies))
        found.append(answer(p.sees, here, aim, enemies))
    return [home(one, at) for one in found]


@pytest.mark.parametrize("name", some(list(ABILITIES), 6))
def test_far_corners_answer_as_near_ones(name: str) -> None:
    near, far = asked(3, NEAR, name), asked(3, FAR, name)
    assert near == far
    assert any(isinstance(answer, dict) for answer in near)


@pytest.mark.parametrize("name", ["duel", "arena"])
def test_a_board_is_hashed_a_few_times_and_not_for_each_question(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Caches ask for the hash of a board, whose columns are as many as it has tiles."""
    board = ff.load(name).board
    hashed, count = Column.__hash__, Counter[str]()

    def counted(column: Column) -> int:
        count["columns"] += 1
        return hashed(column)

    monkeypatch.setattr(Column, "__hash__", counted)
    analyze(Position(replace(board), load_rules("fall-damage")))
    assert board.rows * board.cols <= count["columns"] <= 20 * board.rows * board.cols


def test_hash_of_a_board_stays_in_its_process() -> None:
    """Words have another hash in each process, and so has a board."""
    board = ff.load("duel").board
    own = hash(board)
    copy = pickle.loads(pickle.dumps(board))
    assert (copy, hash(copy)) == (board, own)
    helper = process_pool.Helper()
    try:
        assert helper.ask(partial(_is_its_own, board))
    finally:
        helper.close()


def _is_its_own(board: Board) -> bool:
    return hash(board) == hash(replace(board))
