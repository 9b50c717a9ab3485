"""Push, sight, reach, abilities: every worked example."""

from typing import Any

import pytest

from falldamage_forge.board.surfaces import Surface, Terrain, surface_graph
from falldamage_forge.games.fall_damage.attack_area import can_attack, footprint
from falldamage_forge.games.fall_damage.engine.modifiers import Modifiers
from falldamage_forge.games.fall_damage.push_result import push_unit
from falldamage_forge.games.fall_damage.sight_line import has_line_of_sight
from falldamage_forge.games.fall_damage.unit_cards import Push, PushTarget
from falldamage_forge.presets import load_kit
from tests.rules.asking import move_under
from tests.rules.cases import board_of, cases, key, options_of, surface
from tests.rules.thrown import spring_landings

KIT = load_kit()
MAGE = KIT.amount("mage")


def pair(text: str) -> tuple[Surface, Surface]:
    one, other = (surface([int(n) for n in end.split(",")]) for end in text.split(">"))
    return one, other


@pytest.mark.parametrize("case", cases("push"), ids=lambda case: case["id"])
def test_push(case: dict[str, Any]) -> None:
    options, args = options_of(case), case["args"]
    result = push_unit(
        Terrain(board_of(case["map"]), options.terrain),
        surface(args["attacker"]),
        surface(args["target"]),
        Push.parse(args["spec"], extra=MAGE if args.get("mage") else 0),
        options,
        taken=frozenset(map(surface, args.get("units", ()))),
        victim=PushTarget(**args.get("victim", {})),
    )
    shown: dict[str, Any] = {"dead": result.dead, "damage": result.damage}
    shown["end"] = [*result.end.tile, result.end.level] if result.end else None
    assert {name: shown[name] for name in case["expect"]} == case["expect"], case["sentence"]


@pytest.mark.parametrize("case", cases("los"), ids=lambda case: case["id"])
def test_sight(case: dict[str, Any]) -> None:
    options = options_of(case)
    terrain = Terrain(board_of(case["map"]), options.terrain)
    taken = frozenset(map(surface, case.get("units_list", ())))
    for text, expected in case["expect"].items():
        one, other = pair(text)
        assert has_line_of_sight(terrain, one, other, options, taken=taken).visible is expected
        assert has_line_of_sight(terrain, other, one, options, taken=taken).visible is expected


@pytest.mark.parametrize("case", cases("attack"), ids=lambda case: case["id"])
def test_attack(case: dict[str, Any]) -> None:
    for text, expected in case["expect"].items():
        one, other = pair(text)
        assert can_attack(one, other, case["R"], options_of(case)) is expected


@pytest.mark.parametrize("case", cases("footprint"), ids=lambda case: case["id"])
def test_footprint(case: dict[str, Any]) -> None:
    assert len(footprint(case["args"][0], options_of(case))) == case["expect"]


@pytest.mark.parametrize("case", cases("eff_move"), ids=lambda case: case["id"])
def test_effective_move(case: dict[str, Any]) -> None:
    args = dict(case["args"])
    move = args.pop("M")
    assert move_under(move, Modifiers(**args), options_of(case)) == case["expect"]


@pytest.mark.parametrize("case", cases("spring"), ids=lambda case: case["id"])
def test_spring_trap(case: dict[str, Any]) -> None:
    options = options_of(case)
    graph = surface_graph(board_of(case["map"]), options.terrain)
    landings = spring_landings(graph, surface(case["args"]), options)
    shown = {key(place): damage for place, damage in landings.items()}
    assert shown == case["expect"]
