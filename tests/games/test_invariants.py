"""What must hold for every game on every board."""

import pickle
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from falldamage_forge.board import Board, Tile
from falldamage_forge.board.surfaces import Surface
from falldamage_forge.games.registry import GAMES
from falldamage_forge.presets import load_rules, names
from falldamage_forge.rules.bitset_bfs import all_pairs_moves, multi_source_bfs
from falldamage_forge.rules.earliest_arrival import least_moves
from falldamage_forge.rules.movement_graph import MovementGraph
from falldamage_forge.rules.pathfinding import label_path, pareto_labels, reachable_places
from falldamage_forge.rules.position import Position
from falldamage_forge.rules.ruleset import Ruleset
from tests.amount import EXHAUSTIVE
from tests.rules.cases import board_of

EXAMPLES = 200 if EXHAUSTIVE else 12
NAMES = names("rulesets")

boards = st.integers(2, 5).flatmap(
    lambda cols: st.lists(
        st.lists(st.sampled_from([0, 0, 0, 1, 1, 2, 3]), min_size=cols, max_size=cols),
        min_size=2,
        max_size=5,
    )
)


def positions(name: str, heights: list[list[int]]) -> Position:
    return Position(board_of({"heights": heights}), load_rules(name))


def some_units(game: Ruleset) -> list[str]:
    """Every unit of a small table, some of a large one."""
    return list(game.units)[:4]


def turns_of(position: Position, unit: Any, start: Surface) -> dict[Surface, int | None]:
    from falldamage_forge.rules.unit_on_board import BoardUnit

    return {row.surface: row.turns for row in BoardUnit(position, "x", unit).reach(start).surfaces}


def test_every_ruleset_names_a_game_and_every_game_has_a_ruleset() -> None:
    assert len(NAMES) == len(GAMES)
    assert len({type(load_rules(name)) for name in NAMES}) == len(GAMES)


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=EXAMPLES, deadline=None)
@given(boards)
def test_costs_and_probabilities_of_paths_add_up(name: str, heights: list[list[int]]) -> None:
    position = positions(name, heights)
    for unit in some_units(position.game):
        model = position.model(unit)
        for edge in (edge for edges in model.edges for edge in edges):
            assert 0 < edge.chance <= 1
            assert edge.cost > 0
        if not model.index:
            continue
        start = min(model.index.values())
        for labels in pareto_labels(model, (start,)).values():
            for label in labels:
                chance, harm, spent = 1, 0, 0
                for step in label_path(label):
                    assert step.edge is not None
                    chance *= step.edge.chance
                    harm += step.edge.harm
                    spent += step.edge.cost
                    assert step.used <= model.move
                assert (chance, harm, spent) == (label.chance, label.harm, label.spent)
        unhurt = pareto_labels(model, (start,), max_harm=0)
        assert set(unhurt) == reachable_places(model, (start,))
        for goal in list(unhurt)[:3]:
            assert start in reachable_places(model, (goal,), reverse=True)


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=EXAMPLES, deadline=None)
@given(boards)
def test_movement_graphs_compare_hash_and_pickle(name: str, heights: list[list[int]]) -> None:
    """They compare, hash and pickle, so that another process can be sent one."""
    one, other = positions(name, heights), positions(name, heights)
    for unit in some_units(one.game):
        model = one.model(unit)
        assert model == other.model(unit)
        assert hash(model) == hash(other.model(unit))
        again: MovementGraph = pickle.loads(pickle.dumps(model))
        assert again == model
        assert again.index == model.index


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=EXAMPLES, deadline=None)
@given(boards)
def test_bitset_search_equals_shortest_paths(name: str, heights: list[list[int]]) -> None:
    """The fast road of plain models gives every start the moves of a search by itself."""
    position = positions(name, heights)
    for unit in some_units(position.game):
        model = position.model(unit)
        waves = all_pairs_moves(model)
        for start in range(0, len(model.places), 3):
            assert waves.moves(start) == least_moves(model, (start,))
        some = range(0, len(model.places), 4)
        assert multi_source_bfs(model, [some]).moves(0) == least_moves(model, some)


@pytest.mark.parametrize(
    ("name", "unit", "field"),
    [
        ("gang-skirmish", "ganger", "move_in"),
        ("falchion", "drifter", "move_ft"),
        ("gatefall", "fighter", "speed"),
        ("gatefall", "brog", "speed"),
        ("fall-damage", "knight", "move"),
    ],
)
@settings(max_examples=EXAMPLES, deadline=None)
@given(boards, st.integers(1, 3))
def test_more_movement_reaches_no_fewer_surfaces(
    name: str, unit: str, field: str, heights: list[list[int]], more: int
) -> None:
    slow = positions(name, heights)
    _, better = slow.game.changed(unit, {field: getattr(slow.game.units[unit], field) + more})
    for start in list(slow.model(unit).index)[:2]:
        before, after = turns_of(slow, unit, start), turns_of(slow, better, start)
        assert before.keys() <= after.keys()
        for at, turns in before.items():
            later = after[at]
            assert turns is None or (later is not None and later <= turns)


def mirrored(board: Board) -> Board:
    columns = tuple(
        board.column(Tile(row, board.cols - 1 - col))
        for row in range(board.rows)
        for col in range(board.cols)
    )
    return replace(board, columns=columns)


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=EXAMPLES, deadline=None)
@given(boards)
def test_a_mirrored_board_has_mirrored_reach(name: str, heights: list[list[int]]) -> None:
    one = positions(name, heights)
    board = one.board
    other = one.on(mirrored(board))

    def image(surface: Surface) -> Surface:
        return Surface(Tile(surface.tile.row, board.cols - 1 - surface.tile.col), surface.level)

    start = min(one.model(one.plain).index, default=None)
    if start is None:
        return
    here = one.reach(one.plain, start).surfaces
    there = {row.surface: row for row in other.reach(one.plain, image(start)).surfaces}
    assert len(here) == len(there)
    for row in here:
        twin = there[image(row.surface)]
        assert (twin.turns, twin.chance, twin.now) == (row.turns, row.chance, row.now)


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=EXAMPLES, deadline=None)
@given(boards)
def test_path_agrees_with_reach(name: str, heights: list[list[int]]) -> None:
    position = positions(name, heights)
    unit = position.unit(position.plain)
    for start in list(position.model(position.plain).index)[:1]:
        for row in unit.reach(start).surfaces:
            way = unit.path(start, row.surface)
            assert way.found == (row.turns is not None)
            if not way.found:
                continue
            assert (way.turns, way.chance) == (row.turns, row.chance)
            again = unit.path(start, row.surface, chance=row.chance)
            assert again.found
            assert again.chance >= row.chance
