"""Every reading of movement, height and start changes some answer on some board."""

from itertools import product
from typing import Any, Literal, get_args, get_origin, get_type_hints

import pytest

import falldamage_forge as ff
from falldamage_forge.board import Board, Column, StartZone, Tile, make_board
from falldamage_forge.board.surfaces import Surface
from falldamage_forge.games.fall_damage.options import FallDamageOptions
from falldamage_forge.rules.position import Position
from tests.cli.running import ROOT
from tests.games.play.tables import KIT
from tests.rules.asking import position
from tests.rules.randomboards import random_board
from tests.rules.test_worked import MOVEMENT

NUMBERS = {
    "headroom": 1,
    "tree_height": 1,
    "spire_height": 4,
    "deck_thickness": "1",
    "los_eye": "1",
}
ELSEWHERE = {"move_split"}
"""What a command of its own answers: `fdforge play` splits a Move around the action."""
READINGS = [
    (key, value)
    for key, kind in get_type_hints(FallDamageOptions).items()
    if key in MOVEMENT - ELSEWHERE
    for value in (get_args(kind)[1:] if get_origin(kind) is Literal else (NUMBERS[key],))
]
UNITS = ("assassin", "beast-heads", "archer", "M3 J0", "M3 J1")


def answers(p: Position) -> list[Any]:
    """What `reach`, `path`, `los` and `check` say of a board."""
    spots = p.graph.surfaces
    told: list[Any] = [spots]
    for unit, start in product(UNITS, spots[:: max(1, len(spots) // 3)]):
        among = {"friends": spots[1:2], "enemies": spots[3:4]}
        others = {k: [s for s in v if s != start] for k, v in among.items()}
        told.append(p.unit(unit).reach(start, **others))
    told += [p.sees(a, b) for a, b in zip(spots, spots[2:], strict=False)]
    return told


@pytest.mark.parametrize(
    ("key", "value"), [r for r in READINGS if r[0] not in ("start", "treasure_trigger")]
)
def test_a_reading_changes_an_answer(key: str, value: object) -> None:
    assert any(
        answers(position(board)) != answers(position(board, {key: value}))
        for board in map(random_board, range(400))
    )


def zoned(red: str, blue: str) -> Board:
    zones = [
        StartZone(side, tuple(sorted((Tile.parse(name), 0) for name in names.split())))
        for side, names in (("red", red), ("blue", blue))
    ]
    return make_board(10, 10, [Column()] * 100, starts=zones)


SIDES = zoned("B1 C1 D1 E1 F1 G1 H1 I1", "A10 B10 C10 D10 E10 F10 G10 H10")
CORNERS = zoned("A1 A2 A3 B1 B2 C1 A4 B3", "J10 J9 J8 I10 I9 H10 J7 I8")
MIDDLE = zoned("C4 D4 E4 F4 C5 D5 E5 F5", "C6 D6 E6 F6 C7 D7 E7 F7")
MIXED = zoned("B1 C1 D1 E1 F1 G1 H1 I1", "J10 J9 J8 I10 I9 H10 J7 I8")
CROOKED = zoned("B1 C1 D1 E1 F1 G1 H1 I1", "J2 J3 J4 J5 J6 J7 J8 J9")


@pytest.mark.parametrize(
    ("board", "fits"),
    [(SIDES, {"either", "side", "list"}), (CORNERS, {"either", "corner", "list"}),
     (MIDDLE, {"list"}), (CROOKED, {"list"}), (MIXED, {"list"})],
)  # fmt: skip
def test_start_zones_are_what_the_option_says(board: Board, fits: set[str]) -> None:
    found = set()
    for reading in ("either", "side", "corner", "list"):
        p = position(board, {"start": reading})
        codes = [issue.code for issue in p.game.check_starts(p)]
        assert set(codes) <= {"FDF155"}
        if board is CORNERS and reading == "side":
            assert [issue.message.split()[0] for issue in p.game.check_starts(p)] == [
                zone.side for zone in board.starts
            ]
        found |= set() if codes else {reading}
    assert found == fits


def test_places_can_be_surfaces_too() -> None:
    p = position(SIDES)
    assert p.place(Surface(Tile(0, 0), 0)) == p.place("A1") == p.place("a1@0")


LEVEL = """forge 1
board 10x10
tree at C3
spire at C5
stack C7 height 1
stack D9 height 2
ladder E9 -> D9
"""


@pytest.mark.parametrize("eye", [0, 0.25, 0.5, 1])
@pytest.mark.parametrize("tree", [1, 2])
def test_whatever_stands_between_two_units_hides_at_every_height_of_the_eyes(
    eye: float, tree: int
) -> None:
    """ "If no other unit or terrain blocks this line", "Trees block LOS." """
    options = {"los_eye": eye, "tree_height": max(tree, 1 if eye < 1 else 2)}
    p = ff.position(ff.loads(LEVEL), options=options)
    assert p.sees("B3", "D3").blocked_by == "the tree at C3"
    assert p.sees("B5", "D5").blocked_by == "the spire at C5"
    assert p.sees("B1", "D1")
    assert p.sees("B1", "D1", ["C1"]).blocked_by == "a unit at C1"
    assert p.sees("D1", "B1", ["C1"]).blocked_by == "a unit at C1"
    assert p.sees("B1", "F1", ["C2", "G1", "A1"])


@pytest.mark.parametrize("jump", [1, 2])
def test_a_ladder_forbids_no_step_and_no_drop_beside_it(jump: int) -> None:
    p = ff.position(ff.loads(LEVEL), options={"ladder_cost": "height"})
    up, down = p.path(f"M3 J{jump}", "E9", "D9"), p.path(f"M3 J{jump}", "D9", "E9")
    kind, cost = ("step", 1) if jump == 2 else ("ladder", 2)
    assert [(step.kind, step.cost) for step in up.steps] == [(kind, cost)]
    assert [(step.kind, step.cost) for step in down.steps] == [(kind, cost)]
    now = {row.surface: row.now for row in p.reach("M3 J1", "D9").surfaces}
    assert (1, 1) in {(way.cost, way.harm) for way in now[p.place("E9")]}, "a drop of 2 at Jump 1"


@pytest.mark.parametrize("kind", ["unit", "tree", "spire", "nothing"])
def test_tiles_crossed_in_the_air_are_tiles_of_the_push(kind: str) -> None:
    """ "The number representing total tiles Pushed": hover flies over what lies below."""
    text = "forge 1\nstack A5 height 4\nstack B5 height 4\n"
    text += f"{kind} at C5\n" if kind in ("tree", "spire") else ""
    below = ["C5@0"] if kind == "unit" else []
    p = {
        falls: ff.position(ff.loads(text), options={"push_fall": falls})
        for falls in ("immediate", "hover")
    }
    for tiles in (2, 3):
        end = p["hover"].push("A5", "B5", f"B{tiles}", occupied=below).end
        assert str(end) == f"{'ABCDEFG'[1 + tiles]}5@0"
    last = p["hover"].push("A5", "B5", "B1", occupied=below)
    assert str(last.end) == ("C5@0" if kind == "nothing" else "D5@0"), "at its end it slides on"
    falls = p["immediate"].push("A5", "B5", "B2", occupied=below)
    assert str(falls.end) == ("D5@0" if kind == "nothing" else "E5@0"), "there a slide is free"


def test_readings_of_cards_and_treasure_without_a_page() -> None:
    """docs/game.md states them."""
    mages = {name for name, card in KIT.cards.items() if "mage" in card.abilities}
    assert mages == {"brick-mage", "force-mage", "space-mage", "splash-mage"}
    page = (ROOT / "docs" / "game.md").read_text("utf-8")
    for title in ("Unholy Deal", "Magic Mirror, Pink Slip", "Fog", "Geomagnetic Reversal"):
        assert f"| {title} |" in page
    assert "| Druid | a Werewolf has no bonus" in page
