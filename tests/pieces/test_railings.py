"""Railings as parts: a piece on the rim of a column, or a word on why there is none."""

from collections import Counter

import pytest

from falldamage_forge.board import DIRECTION_NAMES
from falldamage_forge.elements.railing import railings
from falldamage_forge.lang.lower import load
from falldamage_forge.pieces.plan import plan
from falldamage_forge.presets import load_catalogue

CATALOGUE = load_catalogue()
HEAD = "forge 1\nstack D4..E5 height 2\n"


def laid(body: str) -> Counter[str]:
    parts = plan(load(HEAD + body, "x").layout.board, CATALOGUE).placements
    return Counter(part.piece.key for part in parts if part.piece.family == "railing")


@pytest.mark.parametrize(
    ("body", "pieces"),
    [
        ("railing at D4 sides north\n", {"railing-1": 1}),
        ("railing at D4 sides north height 1/4in\n", {"railing-1": 1}),
        ("railing at D4 sides north height 13mm\n", {"railing-tall-1": 1}),
        ("railing at D4 sides north west\n", {"railing-corner": 1}),
        ("railing at D4 sides north\nrailing at D4 sides west\n", {"railing-corner": 1}),
        ("railing at D4 sides north south\n", {"railing-1": 2}),
        ("railing at D4 sides north west south height 1in\n", {"railing-tall-3": 1}),
        ("railing at D4\n", {"railing": 1}),
        ("railing at D4..E4\n", {"railing": 1, "railing-3": 1}),
        ("railing at D4 sides east\nrailing at E4 sides west\n", {"railing-1": 1}),
        ("railing at D4..D5 sides west\n", {"railing-1": 2}),
        ("railing at D4 sides north height 1in\nrailing at D4 sides west\n", {"railing-tall-1": 1}),
        (
            "railing at D4 sides north height 1in\nrailing at D4 sides south\n",
            {"railing-tall-1": 1, "railing-1": 1},
        ),
    ],
)
def test_a_railing_is_laid_in_the_piece_of_its_sides_and_height(
    body: str, pieces: dict[str, int]
) -> None:
    assert laid(body) == pieces


@pytest.mark.parametrize(
    ("body", "side", "why"),
    [
        ("railing at D4 sides north height 2in\n", "north", "an inch high"),
        ("railing at B2 sides north\n", "north", "bare board"),
        ("stack D7 height 2\nbridge D5 -> D7 level 2\nrailing at D6@2\n", "north", "a bridge has"),
        ("stack D7 height 2\nbridge D5 -> D7 level 2\nrailing at D5\n", "south", "D5 -> D7 ends"),
        ("ladder C4 -> D4\nrailing at D4\n", "west", "the ladder C4 -> D4 ends"),
        ("spire at D4\nrailing at D4\n", "north", "a spire stands there"),
        ("battlement at D4 sides south\nrailing at D4\n", "north", "a battlement"),
        ("step at D4\nrailing at D4\n", "north", "a step"),
        ("railing at D4 sides north height 1in\nrailing at D4 sides west\n", "west", "the corner"),
    ],
)
def test_unprinted_railing_is_reported(body: str, side: str, why: str) -> None:
    board = load(HEAD + body, "x").layout.board
    told = {DIRECTION_NAMES[at]: text for _, at, text in railings(board) if text}
    assert why in told[side]
    parts = [x for x in plan(board, CATALOGUE).placements if x.piece.family == "railing"]
    sides = sum(len(str(part.piece["sides"])) for part in parts)
    assert sides + len(told) == sum(len(rail.sides) for rail in board.fitted("railing"))
