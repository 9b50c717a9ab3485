"""Every reading of movement, height and start changes some answer on some board."""

from itertools import product
from typing import Any, Literal, get_args, get_origin, get_type_hints

import pytest

from falldamage_forge.board import Board, Column, StartZone, Tile, make_board
from falldamage_forge.board.surfaces import Surface
from falldamage_forge.games.fall_damage.options import FallDamageOptions
from falldamage_forge.rules.position import Position
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
