"""Push, sight, reach, abilities: every worked example."""

from typing import Any

import pytest

from falldamage_forge.board.surfaces import Surface, Terrain, surface_graph
from falldamage_forge.games.fall_damage.attack import can_attack, footprint
from falldamage_forge.games.fall_damage.engine.modifiers import Modifiers, effective_move
from falldamage_forge.games.fall_damage.push import Push, Victim, push_unit
from falldamage_forge.games.fall_damage.sight import sees
from tests.rules.cases import board_of, cases, key, options_of, surface
from tests.rules.thrown import spring_landings


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
        Push.parse(args["spec"], mage=args.get("mage", False)),
        options,
        taken=frozenset(map(surface, args.get("units", ()))),
        victim=Victim(**args.get("victim", {})),
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
        assert sees(terrain, one, other, options, taken=taken).visible is expected
        assert sees(terrain, other, one, options, taken=taken).visible is expected


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
    assert effective_move(move, Modifiers(**args), options_of(case)) == case["expect"]


@pytest.mark.parametrize("case", cases("spring"), ids=lambda case: case["id"])
def test_spring_trap(case: dict[str, Any]) -> None:
    options = options_of(case)
    graph = surface_graph(board_of(case["map"]), options.terrain)
    landings = spring_landings(graph, surface(case["args"]), options)
    shown = {key(place): damage for place, damage in landings.items()}
    assert shown == case["expect"]
