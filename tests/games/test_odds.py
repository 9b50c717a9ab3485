"""Failed checks and second tries: every end has its chance, and no plan beats what is told."""

from fractions import Fraction
from functools import cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from falldamage_forge.board import Tile
from falldamage_forge.board.surfaces import Surface
from falldamage_forge.games.falchion.ruleset import TwoMoveTurn
from falldamage_forge.presets import load_rules
from falldamage_forge.rules import pathfinding
from falldamage_forge.rules.movement_graph import (
    CostUnit,
    Edge,
    FailureOutcome,
    GraphNode,
    MovementGraph,
)
from falldamage_forge.rules.position import Position
from falldamage_forge.rules.success_odds import odds
from falldamage_forge.rules.turn_structure import FixedMovesTurn, TurnStructure
from tests.rules.cases import board_of

HALF = Fraction(1, 2)
chances = st.sampled_from([Fraction(1), HALF, Fraction(1, 3), Fraction(5, 6)])


@st.composite
def models(draw: st.DrawFn) -> MovementGraph:
    """Random graphs of up to four places, with checks, falls, jumps that must fail, halved ways."""
    count = draw(st.integers(2, 4))
    places = tuple(GraphNode((at := Surface(Tile(0, n), 0)), (at,)) for n in range(count))
    numbers = st.integers(0, count - 1)
    where = st.one_of(st.none(), numbers)
    halved = draw(st.sampled_from([0, 0, 2]))

    def edge(start: int) -> Edge:
        first, second = draw(where), draw(where)
        ends = tuple(
            FailureOutcome(
                None if to is None else places[to].anchor, to, HALF, draw(st.integers(0, 1)), (1,)
            )
            for to in (first, second)
        )
        cost = draw(st.integers(1, 4))
        inside = draw(st.integers(0, cost)) if halved else 0
        paid = cost - inside + 2 * -(-inside // halved) * halved if inside else cost
        to, chance = draw(numbers.filter(lambda to: to != start)), draw(chances)
        more: dict[str, Any] = {"ends": draw(st.sampled_from([(), ends])), "inside": inside}
        return Edge(to, "go", paid, chance=chance, strain=draw(st.integers(0, 2)), **more)

    edges = tuple(tuple(edge(n) for _ in range(draw(st.integers(0, 3)))) for n in range(count))
    clock: TurnStructure = draw(
        st.sampled_from(
            [FixedMovesTurn(1), FixedMovesTurn(2), TwoMoveTurn(), TwoMoveTurn(pooled_um=2)]
        )
    )
    strain = draw(st.sampled_from([None, None, 2]))
    return MovementGraph(
        "one", places, edges, 5, CostUnit("steps"), clock, strain=strain, halved=halved
    )


def best(model: MovementGraph, start: int, goal: int, turns: int) -> Fraction:
    """The same by trying every way of every move forwards, with nothing left out."""

    @cache
    def fresh(place: int, left: int) -> Fraction:
        if place == goal or not left:
            return Fraction(place == goal)
        return going(place, left, 0, 0, 0)

    @cache
    def going(place: int, left: int, used: int, strain: int, ahead: int) -> Fraction:
        found = [fresh(place, left - 1)]
        for edge in model.edges[place]:
            cost, more = edge.cost, 0
            if edge.inside:
                paid = -(-max(0, edge.inside - ahead) // model.halved) * model.halved
                alone = -(-edge.inside // model.halved) * model.halved
                cost, more = cost + 2 * (paid - alone), ahead + paid - edge.inside
            if used + cost > model.move or (
                model.strain is not None and strain + edge.strain > model.strain
            ):
                continue
            after = model.clock.after_failing(left)
            missed = sum(
                (e.chance * fresh(e.place, after) for e in edge.ends if e.place is not None),
                Fraction(0),
            )
            missed = missed if edge.ends else fresh(place, after)
            passed = going(edge.to, left, used + cost, strain + edge.strain, more)
            found.append(edge.chance * passed + (1 - edge.chance) * missed)
        return max(found)

    moves = model.clock.moves_within(turns)
    assert moves is not None
    return fresh(start, moves)


@given(models(), st.integers(1, 3))
def test_no_plan_beats_the_reported_one(model: MovementGraph, turns: int) -> None:
    found = odds(model, (0,), (1,), turns)
    told = [best(model, 0, 1, turn) for turn in range(1, turns + 1)]
    assert list(found.by_turn) == told
    assert found.by_turn == tuple(sorted(found.by_turn)), "time never lowers the chance"
    if found.ends:
        assert sum(end.chance for end in found.ends) == 1
        assert sum(end.chance for end in found.ends if end.there) == found.by_turn[-1]


def table(heights: list[list[int]], **more: Any) -> Position:
    return Position(board_of({"heights": heights, **more}), load_rules("gang-skirmish"))


heights = st.lists(st.lists(st.integers(0, 3), min_size=3, max_size=3), min_size=3, max_size=3)


@given(heights, st.integers(2, 7), st.booleans())
def test_ends_of_a_path_are_whole_and_trying_again_is_no_worse(
    rows: list[list[int]], target: int, hurts: bool
) -> None:
    unit = table(rows).unit("ganger", initiative=target)
    way = unit.path("A1", "C3", any_damage=hurts, turns=3)
    assert way.odds is not None
    if way.found:
        assert sum(end.chance for end in way.ends) == 1
        (there,) = (end for end in way.ends if end.there)
        assert (there.chance, there.hits) == (way.chance, way.harm)
        if way.turns <= 3:
            assert way.odds.by_turn[max(0, way.turns - 1)] >= way.chance
    assert sum(end.chance for end in way.odds.ends or way.ends) in (0, 1)


def test_a_second_kip_up_is_another_half() -> None:
    """One lies where one failed and stands up in a turn of one's own."""
    way = table([[0, 2]]).path("ganger", "A1", "B1", turns=5)
    assert way.odds is not None
    assert way.odds.by_turn == (HALF, HALF, 1 - HALF**2, 1 - HALF**2, 1 - HALF**3)
    assert [(end.there, end.lies, end.hits) for end in way.ends] == [
        (True, False, 0),
        (False, True, 0),
    ]


def test_unit_that_falls_on_its_way_continues_from_below() -> None:
    """Up two steps of 30 mm: the second Kip Up fails on the lip of the first, and falls."""
    way = table([[0, 1, 2]]).path("ganger", "A1", "C1", turns=1)
    assert {(str(end.at), end.lies, end.hits, end.fallen): end.chance for end in way.ends} == {
        ("C1@2", False, 0, 0): HALF**2,
        ("A1@0", True, 0, 0): HALF,
        ("A1@0", True, 1, 2): HALF**2,
    }


def test_a_jump_that_must_fail_is_a_gamble_on_where_it_ends() -> None:
    """Initiative never: from 3 levels one lands Pinned beside the next edge, and falls on."""
    position = table([[3, 1, 0, 0]])
    unit = position.unit("ganger", initiative=7)
    way = unit.path("A1", "D1", any_damage=True, turns=3)
    assert way.found
    assert way.harm == 2, "one hit for the jump, one for the fall"
    assert way.odds is not None
    assert way.odds.by_turn[-1] == 1
    sure = unit.path("A1", "D1", turns=3).odds
    assert sure is not None
    assert sure.by_turn == (0, 0, 0), "nobody is asked to hurt himself"


@pytest.mark.parametrize("fail", ["stop", "prone"])
def test_failed_ford_is_tried_again(fail: str) -> None:
    game = load_rules("falchion").with_options([("difficult_fail", fail, None)])
    board = board_of({"heights": [[0] * 6], "water": [[0, 3]]})
    way = Position(board, game).path("drifter", "A1", "F1", turns=2)
    one = Fraction(9, 20)
    assert way.odds is not None
    assert way.odds.by_turn == (one, 1 - (1 - one) ** 2)
    assert [(str(end.at), end.lies) for end in way.ends] == [
        ("F1@0", False),
        ("C1@0", fail == "prone"),
    ]


def test_cards_are_counted_where_nothing_is_checked() -> None:
    game = load_rules("gatefall")
    way = Position(board_of({"heights": [[0] * 13]}), game).path("fighter", "A1", "M1", turns=2)
    assert way.moves == 4
    assert way.odds is not None
    assert way.odds.by_turn == (HALF, 1)


def test_the_quickest_of_starts_counts() -> None:
    position = table([[0, 2, 0, 0, 0, 0]])
    model = position.model("ganger")
    at = {surface.tile.col: number for surface, number in model.index.items()}
    goals = [n for n, place in enumerate(model.places) if place.anchor.tile.col == 1]
    assert odds(model, (at[0], at[5]), goals, 1).by_turn == (HALF,)
    assert pathfinding.reachable_places(model, [at[0]]) >= set(goals) - model.lying
