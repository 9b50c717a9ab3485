"""Abilities, destruction and readings: each worked example of `tests/data/ability_cases.json`.

Rows of a map are cells of a level and perhaps `T` tree, `^` spire, `~` water or `!` lava; places
are names such as B1@2, level 0 when none is said.
"""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

import pytest

from falldamage_forge.board import (
    WAYS,
    Board,
    Column,
    Deck,
    Feature,
    Ground,
    Ladder,
    Tile,
    make_board,
)
from falldamage_forge.board.surfaces import Surface, SurfaceGraph, surface_graph
from falldamage_forge.games.fall_damage.ability_queries.ability_context import (
    AbilityContext,
    AbilityUse,
    PlacedUnit,
    auras,
    outcome_json,
)
from falldamage_forge.games.fall_damage.ability_queries.ability_table import ABILITIES
from falldamage_forge.games.fall_damage.attack_area import can_attack
from falldamage_forge.games.fall_damage.board_changes import apply_changes
from falldamage_forge.games.fall_damage.engine.drafting import skeleton_spot
from falldamage_forge.games.fall_damage.engine.hypothetical import (
    board_state,
    effective_unit,
    stand,
)
from falldamage_forge.games.fall_damage.engine.modifiers import parse_modifiers
from falldamage_forge.games.fall_damage.options import FallDamageOptions
from falldamage_forge.games.fall_damage.play.surface_number import spot_of, surface_of
from falldamage_forge.games.fall_damage.push_result import push_spire, push_unit
from falldamage_forge.games.fall_damage.queries import in_reach
from falldamage_forge.games.fall_damage.sight_line import has_line_of_sight
from falldamage_forge.games.fall_damage.unit_cards import (
    UNLIMITED,
    MovementProfile,
    Push,
    PushTarget,
)
from falldamage_forge.presets import load_kit, load_units
from tests.rules.asking import fall_damage, moves_of, one_turn

Case = dict[str, Any]
FILE = Path(__file__).parents[1] / "data" / "ability_cases.json"
CASES: list[Case] = json.loads(FILE.read_text(encoding="utf-8"))
UNITS, KIT = load_units(), load_kit()
SIGNS = {"T": Feature.TREE, "^": Feature.SPIRE}
GROUNDS = {"~": Ground.WATER, "!": Ground.LAVA}


def at(name: str) -> Surface:
    tile, _, level = name.partition("@")
    return Surface(Tile.parse(tile), int(level or 0))


def name(place: Surface | None) -> str | None:
    return None if place is None else str(place)


def board_of(case: Case) -> Board:
    rows = [row.split() for row in (*case["rows"], *case.get("more", ()))]
    columns = [
        Column(int(cell[0]), GROUNDS.get(cell[1:], Ground.GROUND), SIGNS.get(cell[1:]))
        for row in rows
        for cell in row
    ]
    decks = [Deck(Tile.parse(a), Tile.parse(b), z) for a, b, z in case.get("decks", ())]
    ladders = [Ladder(*at(foot), *at(top)) for foot, top in case.get("ladders", ())]
    return make_board(len(rows), len(rows[0]), columns, decks=decks, ladders=ladders)


def options_of(case: Case) -> FallDamageOptions:
    return fall_damage(case.get("options", {})).options


def graph_of(case: Case) -> SurfaceGraph:
    return surface_graph(board_of(case), options_of(case).terrain)


def standing(entry: dict[str, Any], options: FallDamageOptions) -> PlacedUnit:
    return PlacedUnit(
        at(entry["at"]),
        UNITS[entry["unit"]],
        entry["side"],
        parse_modifiers(entry.get("with", ()), options, KIT),
        entry.get("health"),
        entry.get("silent", False),
    )


def scene_of(case: Case) -> tuple[AbilityContext, PlacedUnit]:
    options = options_of(case)
    doer = standing(case["doer"], options)
    others = [standing(entry, options) for entry in case["units"]]
    return AbilityContext(graph_of(case), KIT, options, (doer, *others)), doer


def ask_push(case: Case) -> Any:
    attacker, target, text = case["args"]
    result = push_unit(
        graph_of(case).terrain, at(attacker), at(target),
        Push.parse(text, extra=KIT.amount("mage") if case.get("mage") else 0), options_of(case),
        way=WAYS[case["way"]] if "way" in case else None,
    )  # fmt: skip
    shown = {"end": name(result.end), "damage": result.damage, "dead": result.dead}
    return {key: shown[key] for key in case["expect"] if key in shown}


def ask_spire(case: Case) -> Any:
    attacker, tile, text = case["args"]
    result = push_spire(
        graph_of(case).terrain, at(attacker), Tile.parse(tile), Push.parse(text),
        options_of(case), taken=frozenset(map(at, case.get("units", ()))),
    )  # fmt: skip
    path = [str(place) for place in result.path]
    hit = result.extra["hit"] and _spot(result.extra["hit"])
    return {"gone": result.extra["gone"], "hit": hit, "damage": result.damage, "path": path}


def ask_structures(case: Case) -> Any:
    place, reach = case["args"]
    unit = replace(UNITS["knight"], reach=reach, needs_sight=case.get("sight", True))
    doer = PlacedUnit(at(place), unit)
    _, found = in_reach(AbilityContext(graph_of(case), KIT, options_of(case), (doer,)), doer)
    return [
        [t["kind"], f"{t['tile']}@{t['level']}", t["pool"], _spot(t["aim"]), t["bonus"]]
        for t in found
    ]


def ask_played(case: Case) -> Any:
    victim = PushTarget(**case.get("victim", {}))
    units = {at(place): victim for place in case.get("units", ())}
    state = apply_changes(board_of(case), case["changes"], KIT, options_of(case), units)
    terrain = surface_graph(state.board, options_of(case).terrain).terrain
    cells = {str(tile): tile for tile in state.board.tiles()}

    def told(of: Any) -> dict[str, Any]:
        return {cell: of(tile) for cell, tile in cells.items()}

    shown = {
        "falls": {str(a): [name(fall.end), fall.fall] for a, fall in state.falls.items()},
        "hurt": {str(a): damage for a, damage in state.hurt.items()},
        "notes": list(state.notes),
        "decks": len(state.board.decks),
        "ladders": len(state.board.ladders),
        "standable": told(lambda tile: list(terrain.standable(tile))),
        "features": told(lambda tile: state.board.column(tile).feature),
        "grounds": told(lambda tile: str(state.board.column(tile).ground)),
        "levels": told(lambda tile: state.board.column(tile).level),
    }
    by_cell = ("standable", "features", "grounds", "levels")
    return {
        key: {cell: shown[key][cell] for cell in wanted} if key in by_cell else shown[key]
        for key, wanted in case["expect"].items()
    }


def ask_ability(case: Case) -> Any:
    scene, doer = scene_of(case)
    given = case["use"]
    skill = ABILITIES[case["name"]]
    use = AbilityUse(
        at(given["aim"]) if "aim" in given else None,
        at(given["second"]) if "second" in given else None,
        WAYS[given["way"]] if "way" in given else None,
        given.get("count"),
    )
    table = outcome_json(skill.use(scene, doer, use))
    shown = {_spot(row["from"]): row for row in table["units"]}
    for row in shown.values():
        row["end"] = row["end"] and _spot(row["end"])
    return {
        place: {key: row[key] for key in case["expect"].get(place, row)}
        for place, row in shown.items()
    }


def _spot(table: dict[str, Any]) -> str:
    return f"{table['tile']}@{table['level']}"


def ask_attack(case: Case) -> Any:
    one, other, reach = case["args"]
    return can_attack(at(one), at(other), reach, options_of(case))


def ask_effects(case: Case) -> Any:
    options = options_of(case)
    unit = effective_unit(
        UNITS[case["unit"]], parse_modifiers(case["with"], options, KIT), options, KIT
    )
    shown = {key: getattr(unit, key) for key in ("move", "jump", "attack", "reach", "push")}
    shown["jump"] = "any" if unit.jump >= UNLIMITED else unit.jump
    return {key: shown[key] for key in case["expect"]}


def ask_auras(case: Case) -> Any:
    scene, doer = scene_of(case)
    found = auras(scene, doer)
    return {"bard": found.bard, "intimidated": found.intimidated}


def ask_los(case: Case) -> Any:
    one, other = map(at, case["args"])
    fog = frozenset(map(Tile.parse, case.get("fog", ())))
    terrain = graph_of(case).terrain
    there = has_line_of_sight(terrain, one, other, options_of(case), fog=fog).visible
    assert has_line_of_sight(terrain, other, one, options_of(case), fog=fog).visible == there
    return there


def ask_party(case: Case) -> Any:
    """Where the skeletons stand that come with a Necromancer, one after the other."""
    (necromancer,) = case["args"]
    s = board_state(board_of(case), options_of(case), KIT)
    stand(s, KIT, UNITS["necromancer"], at(necromancer), 0)
    for place in case["units"]:
        stand(s, KIT, UNITS["knight"], at(place), 0)
    s.n_zone_red = len(case["zones"])
    s.zone_spots[: s.n_zone_red] = [spot_of(at(place)) for place in case["zones"]]
    found = []
    for _ in range(2):
        spot = skeleton_spot(s, 0)
        if spot >= 0:
            found.append(str(surface_of(spot)))
            stand(s, KIT, UNITS["skeleton"], surface_of(spot), 0)
    return found


def ask_ghost(case: Case) -> Any:
    place, move, jump = case["args"]
    moves = moves_of(graph_of(case), MovementProfile(move, jump, ghost=True), options_of(case))
    found = one_turn(moves, moves.index[at(place)])
    return {str(moves.places[n].anchor): labels[0][0] for n, labels in found.items()}


ASK = {key[4:]: value for key, value in dict(globals()).items() if key.startswith("ask_")}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_worked_example(case: Case) -> None:
    ask, expected = ASK[case["query"]], case["expect"]
    if isinstance(expected, dict) and "fault" in expected:
        with pytest.raises(ValueError, match=expected["fault"]):
            ask(case)
        return
    assert ask(case) == expected, case["sentence"]


def answer(case: Case) -> Any:
    """What a case answers, a refusal included."""
    try:
        return ASK[case["query"]](case)
    except ValueError as error:
        return str(error)


AIMED = [
    case for case in CASES
    if case["query"] == "ability" and "aim" in case["use"] and "fault" not in case["expect"]
    and case["name"] != "spring-trap"  # laid in one activation, sprung in another
]  # fmt: skip


@pytest.mark.parametrize("case", AIMED, ids=lambda case: case["id"])
def test_chosen_aim_is_among_the_listed_aims(case: Case) -> None:
    """`idle` examples may be done and would do nothing."""
    scene, doer = scene_of(case)
    if case["use"]["aim"] != case["doer"]["at"]:
        found = ABILITIES[case["name"]].aims(scene, doer)
        assert (at(case["use"]["aim"]) in found) is not case.get("idle", False)


READINGS = [case for case in CASES if "options" in case]
MOVEMENT = {
    "headroom", "tree_height", "spire_height", "jump_scope", "voluntary_fall", "fall_allowance",
    "lethal_step", "leap_vertical", "leap_over", "leap_pass", "gap", "water_cost", "bridge_cost",
    "ladder_cost",
    "beast_down", "occupancy", "treasure_trigger", "move_split", "start",
    "deck_thickness", "los_eye",
}  # fmt: skip
"""What changes where one stands, walks or starts is shown elsewhere; the last two are numbers."""


@pytest.mark.parametrize("case", READINGS, ids=lambda case: case["id"])
def test_a_reading_changes_the_answer(case: Case) -> None:
    """Every example of an option answers differently without it, or the option has no effect."""
    plain = {key: value for key, value in case.items() if key != "options"}
    assert (answer(plain) == answer(case)) is case.get("same", False)


def test_every_reading_beyond_movement_is_shown_to_matter() -> None:
    shown = {(key, value) for case in READINGS for key, value in case["options"].items()}
    wanted = {
        (key, value)
        for key, kind in get_type_hints(FallDamageOptions).items()
        if key not in MOVEMENT and get_origin(kind) is Literal
        for value in get_args(kind)[1:]
    }
    assert wanted <= shown


def test_every_example_has_a_sentence_and_a_number_of_its_own() -> None:
    assert all(case["sentence"] for case in CASES)
    assert len({case["id"] for case in CASES}) == len(CASES) >= 150


def test_every_ability_has_a_worked_example_or_is_a_zone() -> None:
    shown = {case["name"] for case in CASES if case["query"] == "ability"}
    by_words = {"eruption", "dam-break", "tectonic-shift", "partition"}
    zones = {"quicksand", "climbing-rope"}
    assert shown | by_words | zones == set(ABILITIES)
