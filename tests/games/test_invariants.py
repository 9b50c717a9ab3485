"""What must hold for every game on every board."""

import os
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from falldamage_forge.board import Board, Tile
from falldamage_forge.games.engine import Model, connected, path, reach, search, way
from falldamage_forge.games.registry import GAMES
from falldamage_forge.games.setting import Setting
from falldamage_forge.presets import load_rules, names
from falldamage_forge.rules.ruleset import Ruleset
from falldamage_forge.surfaces import Surface
from tests.rules.cases import board_of

EXAMPLES = 200 if os.environ.get("FORGE_EXHAUSTIVE") == "1" else 12
OTHERS = [name for name in names("rulesets") if not isinstance(load_rules(name), Ruleset)]

boards = st.integers(2, 5).flatmap(
    lambda cols: st.lists(
        st.lists(st.sampled_from([0, 0, 0, 1, 1, 2, 3]), min_size=cols, max_size=cols),
        min_size=2,
        max_size=5,
    )
)


def setting_of(name: str) -> Setting:
    rules = load_rules(name)
    assert isinstance(rules, Setting)
    return rules


def with_profile(setting: Setting, unit: str, **changes: Any) -> Setting:
    units = {**setting.profiles, unit: replace(setting.profiles[unit], **changes)}
    table: dict[str, Any] = {"units": units}
    return replace(setting, **table)


def turns_of(model: Model, start: int) -> dict[Surface, int]:
    return {row.surface: row.turns for row in reach(model, start)}


def test_every_ruleset_names_a_game_and_every_game_has_a_ruleset() -> None:
    assert len(OTHERS) == len(GAMES) - 1


@pytest.mark.parametrize("name", OTHERS)
@settings(max_examples=EXAMPLES, deadline=None)
@given(boards)
def test_chances_are_chances_and_ways_add_up(name: str, heights: list[list[int]]) -> None:
    setting = setting_of(name)
    for unit in setting.profiles:
        model = setting.model(board_of({"heights": heights}), unit)
        for edge in (edge for edges in model.edges for edge in edges):
            assert 0 < edge.chance <= 1
            assert edge.cost > 0
        if not model.index:
            continue
        start = min(model.index.values())
        for labels in search(model, (start,)).values():
            for label in labels:
                chance = 1
                for step in way(label):
                    assert step.edge is not None
                    chance *= step.edge.chance
                    assert step.used <= model.move
                assert chance == label.chance
        assert set(search(model, (start,))) == connected(model, (start,))


@pytest.mark.parametrize(
    ("name", "unit", "field"),
    [
        ("gang-skirmish", "ganger", "move_in"),
        ("falchion", "drifter", "move_ft"),
        ("gatefall", "fighter", "speed"),
        ("gatefall", "brog", "speed"),
    ],
)
@settings(max_examples=EXAMPLES, deadline=None)
@given(boards, st.integers(1, 3))
def test_more_movement_never_reaches_less(
    name: str, unit: str, field: str, heights: list[list[int]], more: int
) -> None:
    setting = setting_of(name)
    board = board_of({"heights": heights})
    better = with_profile(setting, unit, **{field: getattr(setting.profiles[unit], field) + more})
    slow, fast = setting.model(board, unit), better.model(board, unit)
    for start in list(slow.index.values())[:2]:
        before, after = turns_of(slow, start), turns_of(fast, start)
        assert before.keys() <= after.keys()
        assert all(after[at] <= turns for at, turns in before.items())


def mirrored(board: Board) -> Board:
    columns = tuple(
        board.column(Tile(row, board.cols - 1 - col))
        for row in range(board.rows)
        for col in range(board.cols)
    )
    return replace(board, columns=columns)


@pytest.mark.parametrize("name", OTHERS)
@settings(max_examples=EXAMPLES, deadline=None)
@given(boards)
def test_a_mirrored_board_has_mirrored_reach(name: str, heights: list[list[int]]) -> None:
    setting = setting_of(name)
    unit = setting.proof_units[0]
    board = board_of({"heights": heights})
    one, other = setting.model(board, unit), setting.model(mirrored(board), unit)

    def image(surface: Surface) -> Surface:
        return Surface(Tile(surface.tile.row, board.cols - 1 - surface.tile.col), surface.level)

    start = min(one.index, default=None)
    if start is None:
        return
    here = reach(one, one.index[start])
    there = {row.surface: row for row in reach(other, other.index[image(start)])}
    assert len(here) == len(there)
    for row in here:
        twin = there[image(row.surface)]
        assert (twin.turns, twin.chance, twin.now) == (row.turns, row.chance, row.now)


@pytest.mark.parametrize("name", OTHERS)
@settings(max_examples=EXAMPLES, deadline=None)
@given(boards)
def test_a_path_is_what_reach_promises(name: str, heights: list[list[int]]) -> None:
    setting = setting_of(name)
    model = setting.model(board_of({"heights": heights}), setting.proof_units[0])
    for start in list(model.index.values())[:1]:
        for row in reach(model, start):
            label = path(model, (start,), (row.surface,))
            assert label is not None
            turns = model.clock.turns(label.moves)
            assert (turns, label.chance) == (row.turns, row.chance)
            again = path(model, (start,), (row.surface,), row.chance)
            assert again is not None
            assert again.chance >= row.chance
