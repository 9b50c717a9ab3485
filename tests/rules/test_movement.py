"""Movement: every worked example, and what must hold on any board."""

from typing import Any

import pytest

from falldamage_forge.board.surfaces import surface_graph
from tests.rules.asking import moves_of, one_turn
from tests.rules.cases import board_of, cases, key, occupants_of, options_of, profile_of, surface


@pytest.mark.parametrize("case", cases("reach"), ids=lambda case: case["id"])
def test_one_activation_reaches_what_the_sentence_says(case: dict[str, Any]) -> None:
    options = options_of(case)
    graph = surface_graph(board_of(case["map"]), options.terrain)
    others = occupants_of(case.get("units", []))
    moves = moves_of(graph, profile_of(case["profile"]), options, others)
    found = one_turn(moves, graph.index[surface(case["start"])])
    shown = {key(graph.surfaces[at]): [list(label) for label in found[at]] for at in found}
    assert shown == case["expect"], case["sentence"]
