"""What is out of bounds is refused: numbers of tables, words of questions, changes of a board."""

from __future__ import annotations

from typing import Any

import pytest

from falldamage_forge.board import Board
from falldamage_forge.games.falchion.options import Creature
from falldamage_forge.games.falchion.options import FalchionOptions as Falchion
from falldamage_forge.games.gang_skirmish.options import Fighter
from falldamage_forge.games.gang_skirmish.options import GangSkirmishOptions as Gangs
from falldamage_forge.games.gatefall.options import Character
from falldamage_forge.games.gatefall.options import GatefallOptions as Gatefall
from falldamage_forge.games.registry import GAMES, read_rules
from falldamage_forge.issues import ForgeError
from falldamage_forge.presets import load_rules
from falldamage_forge.rules.position import Position
from falldamage_forge.rules.query_registry import format_result
from tests.rules.cases import board_of

BOUNDS: list[tuple[type, str, float, float]] = [
    (Fighter, "move_in", 1, 24), (Fighter, "base_mm", 10, 60), (Fighter, "initiative", 2, 7),
    (Fighter, "moves", 1, 3), (Gangs, "climb", 1, 6), (Gangs, "tile_mm", 10, 60),
    (Gangs, "rise_mm", 10, 60), (Creature, "move_ft", 5, 120), (Creature, "base_mm", 3, 180),
    (Creature, "agility", -10, 10), (Falchion, "tile_mm", 10, 60), (Character, "speed", 1, 12),
    (Character, "reach", 1, 20), (Gatefall, "gate", 1, 50),
]  # fmt: skip


@pytest.mark.parametrize(("table", "name", "low", "high"), BOUNDS)
def test_number_is_accepted_within_its_bounds(
    table: type, name: str, low: float, high: float
) -> None:
    for inside in (low, high):
        assert getattr(table(**{name: inside}), name) == inside
    for outside in (low - 1, high + 1):
        with pytest.raises(ValueError, match=f"`{name}`"):
            table(**{name: outside})


@pytest.mark.parametrize("table", [{}, {"game": 3}, {"game": "fal-damage"}, {"game": "chess"}])
def test_unknown_ruleset_is_refused(table: dict[str, Any]) -> None:
    with pytest.raises(ForgeError) as caught:
        read_rules(table, "here")
    (issue,) = caught.value.issues
    assert (issue.code, "here" in issue.message) == ("FDF365", True)
    assert any(game in str(issue.hint) for game in GAMES)


def position(game: str, **table: Any) -> Position:
    return Position(board_of({"heights": [[0] * 5] * 4, **table}), load_rules(game))


def changed(here: Position, *words: str) -> Board:
    return here.game.what_if(here.board, words).board


BAD_QUESTIONS = [
    ("fall-damage", "shove", {}, "no question called `shove`"),
    ("gatefall", "closet", {}, "no question called"),
    ("gatefall", "zzzz", {}, "no question called"),
    ("gatefall", "closest", {"won": "A1"}, "takes no `won`"),
    ("gatefall", "closest", {"one": "A1"}, "needs `targets`"),
    ("gang-skirmish", "drag", {"attacker": "A1", "start": "B2", "force": "3"}, "one row or one"),
    ("gang-skirmish", "drag", {"attacker": "A1", "start": "A1", "force": "3"}, "one row or one"),
]


@pytest.mark.parametrize(("game", "name", "given", "told"), BAD_QUESTIONS)
def test_unknown_query_or_argument_is_refused(
    game: str, name: str, given: dict[str, str], told: str
) -> None:
    with pytest.raises(ForgeError, match=told):
        position(game).ask(name, **given)


def test_a_fighter_is_dragged_until_bases_touch() -> None:
    """Two bases of 25 mm on tiles of 30 mm: from 90 mm apart it comes 65 mm at most."""
    here = position("gang-skirmish")
    for given in ({"attacker": "A1", "start": "D1"}, {"attacker": "A4", "start": "A1"}):
        rows = here.ask("drag", **given, force="9").value
        assert sum(row.chance for row in rows) == 1
        assert max(row.travelled_um for row in rows) == 65_000
    beside = here.ask("drag", attacker="A1", start="B1", force="9").value
    assert {row.travelled_um for row in beside} == {5_000}


def test_edges_beside_a_fighter_are_listed_by_direction() -> None:
    """On a tower of two levels every way but the board's edge goes down 2, 15 - 12.5 mm off."""
    heights = [[0] * 3, [0, 2, 0], [0] * 3]
    found = position("gang-skirmish", heights=heights).ask("edges", start="B2@2")
    assert set(found.value) == {"north", "east", "south", "west"}
    for edge in found.value.values():
        assert (edge["distance_um"], edge["down"]) == (2_500, 2)
    lines = list(format_result(found))
    assert len(lines) == 4 and all("distance 2.5 mm" in line for line in lines)
    flat = position("gang-skirmish").ask("edges", start="B2")
    assert flat.value == {} and list(format_result(flat)) == ["nothing"]


def test_falchion_grapples_and_fights() -> None:
    here = position("falchion")
    same = here.ask("grapple").value
    assert (same.size, same.dr) == (same.target, 12)
    chances = [here.ask("fight", dr=str(dr)).value for dr in range(2, 20)]
    assert chances == sorted(chances, reverse=True) and chances[0] > chances[-1]
    assert here.ask("fight", dr="12", hit_dice="6").value <= here.ask("fight", dr="12").value


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("scaffold Z9", "not on the board"), ("scaffold A1@x", "is not a tile or surface"),
        ("partition A1 up", "is not a direction"), ("hit A1 3", "no bridge, ladder or tree"),
        ("hit A1 x", "not a number"), ("topple A1 north 2", "no spire at A1"),
        ("eruption A1 A1", "two different tiles"), ("crumble", "there are no bricks yet"),
    ],
)  # fmt: skip
def test_impossible_change_of_the_board_is_refused(words: str, told: str) -> None:
    with pytest.raises(ValueError, match=told):
        changed(position("fall-damage"), words)


def test_element_on_a_shared_tile_is_hit_by_its_level() -> None:
    here = position("fall-damage", trees=[[1, 2]], decks=[[1, 2, 3]])
    with pytest.raises(ValueError, match="add the level"):
        changed(here, "hit C2 9")
    left = changed(here, "hit C2@0 99")
    assert all(column.feature is None for column in left.columns) and len(left.decks) == 1
    assert not changed(here, "hit C2@3 99").decks


@pytest.mark.parametrize("game", ["gang-skirmish", "falchion", "gatefall"])
def test_what_if_is_refused_by_other_rulesets(game: str) -> None:
    with pytest.raises(ValueError, match="change no terrain"):
        changed(position(game), "scaffold A1")
