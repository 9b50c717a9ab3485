"""The engine against the reference, on random boards, over movement classes and options.

FORGE_EXHAUSTIVE=1 compares on 6,000 boards instead of some hundreds.
"""

import random
from dataclasses import replace
from pathlib import Path

import pytest

from falldamage_forge.board import EAST, NORTH, SOUTH, WEST, Board, Tile
from falldamage_forge.board.surfaces import Surface, Terrain, TerrainOptions, surface_graph
from falldamage_forge.games.fall_damage.ability_queries.ability_context import (
    SOMEBODY,
    UnitChange,
    before,
    changes,
)
from falldamage_forge.games.fall_damage.attack_area import can_attack, height_bonus
from falldamage_forge.games.fall_damage.engine import codes as C
from falldamage_forge.games.fall_damage.engine.falls import destroy, settle_land
from falldamage_forge.games.fall_damage.engine.hypothetical import board_state, stand
from falldamage_forge.games.fall_damage.options import FallDamageOptions
from falldamage_forge.games.fall_damage.push_result import push_spire, push_unit
from falldamage_forge.games.fall_damage.sight_line import has_line_of_sight, visible_sets
from falldamage_forge.games.fall_damage.unit_cards import (
    UNLIMITED,
    MovementProfile,
    Push,
    PushTarget,
)
from falldamage_forge.presets import load_kit
from falldamage_forge.rules.bitset_bfs import all_pairs_moves, multi_source_bfs
from falldamage_forge.rules.earliest_arrival import least_moves as engine_turns
from falldamage_forge.rules.unit_values import Occupants
from tests.amount import EXHAUSTIVE
from tests.rules.asking import fall_damage, moves_of
from tests.rules.asking import one_turn as engine_one_turn
from tests.rules.randomboards import random_board
from tests.rules.reference import Place, Table, Unit

KIT = load_kit()
BOARDS = 6000 if EXHAUSTIVE else 200
GROUPS = 20
T = TerrainOptions()

CLASSES = [
    Unit(3, 1),
    Unit(4, 1),
    Unit(5, 1),
    Unit(3, 2),
    Unit(4, 2),
    Unit(3, 2, no_fall=True),
    Unit(4, UNLIMITED, pass_enemies=True),
    Unit(5, UNLIMITED, vertical_counts=True),
    Unit(2, UNLIMITED, vertical_counts=True),
    Unit(3, 0, health=2),
]
"""The nine classes of the cards, and one that is in the way of nothing but its own death."""

READINGS: list[dict[str, object]] = [
    {},
    {"gap": "any_clear"},
    {"leap_over": "clear"},
    {"leap_over": "empty"},
    {"jump_scope": "turn"},
    {"voluntary_fall": "threshold"},
    {"fall_allowance": "per_turn"},
    {"fall_allowance": "per_turn", "voluntary_fall": "threshold"},
    {"leap_vertical": "none_up"},
    {"leap_vertical": "level", "gap": "any_clear"},
    {"water_cost": "leave"},
    {"bridge_cost": "inherit", "water_cost": "leave"},
    {"bridge_cost": "inherit"},
    {"ladder_cost": "height"},
    {"beast_down": "free", "ladder_cost": "height"},
    {"occupancy": "cell"},
    {"headroom": 3, "tree_height": 1},
    {"headroom": 1, "spire_height": 3},
    {"lethal_step": "yes"},
]
PUSH_READINGS: list[dict[str, object]] = [
    {},
    {"push_fall": "hover"},
    {"push_fall": "hover", "edge": "void"},
    {"push_after_fall": "stop"},
    {"edge": "void"},
    {"mage_bonus": "per_push"},
    {"headroom": 3, "tree_height": 3},
    {"push_diag": "attacker_chooses"},
    {"climb_judged": "tile"},
    {"slide_cost": "counts", "edge": "void"},
    {"slide_cost": "counts", "push_fall": "hover", "climb_judged": "tile"},
]
SIGHT_READINGS: list[dict[str, object]] = [
    {},
    {"los_own": "strict"},
    {"los_corner": "closed"},
    {"deck_thickness": "1"},
    {"deck_thickness": "0.55", "los_own": "strict", "los_corner": "closed"},
    {"tree_height": 1, "los_eye": "0.9"},
]
ATTACK_READINGS: list[dict[str, object]] = [
    {},
    {"melee_down": "unlimited"},
    {"reach_shape": "manhattan"},
    {"reach2": "line"},
    {"reach2": "line", "reach_shape": "manhattan"},
    {"height_bonus": "all"},
    {"upward": "horizontal2"},
    {"height_bonus": "literal", "own_column": "yes"},
    {"own_column": "yes", "reach2": "line", "upward": "horizontal2"},
]


def options(reading: dict[str, object]) -> FallDamageOptions:
    return fall_damage({name: str(value) for name, value in reading.items()}).options


def surface(place: Place) -> Surface:
    return Surface(Tile(*place[:2]), place[2])


def place(spot: Surface) -> Place:
    return (*spot.tile, spot.level)


def units_on(dice: random.Random, table: Table, start: Place | None = None) -> dict[Place, str]:
    """Up to six units, none where the mover starts; one a tile where a tile holds but one."""
    spots = [spot for spot in sorted(table.places) if spot != start]
    some = dice.sample(spots, min(len(spots), dice.choice((0, 0, 1, 3, 6))))
    if table.o["occupancy"] == "cell":
        some = list(
            {spot[:2]: spot for spot in some if not start or spot[:2] != start[:2]}.values()
        )
    return {spot: dice.choice(("enemy", "friend")) for spot in some}


def seeds(group: int) -> range:
    return range(group * BOARDS // GROUPS, (group + 1) * BOARDS // GROUPS)


@pytest.mark.parametrize("group", range(GROUPS))
def test_movement(group: int) -> None:
    for seed in seeds(group):
        board, dice = random_board(seed), random.Random(seed)
        reading = READINGS[seed % len(READINGS)]
        rules = options(reading)
        table, graph = Table(board, **reading), surface_graph(board, rules.terrain)
        assert {place(spot) for spot in graph.surfaces} == table.places
        if not table.places:
            continue
        for unit in dice.sample(CLASSES, 3):
            start = dice.choice(sorted(table.places))
            others = units_on(dice, table, start)
            compare_movement(board, table, graph, rules, unit, others, start)


def test_all_pairs_at_once() -> None:
    """The bit engine gives every start the turns of the reference, and of a search by itself."""
    for seed in range(BOARDS // 5):
        graph = surface_graph(random_board(seed))
        profile = CLASSES[seed % len(CLASSES)]
        moves = moves_of(graph, MovementProfile(*profile), FallDamageOptions())
        waves, table = all_pairs_moves(moves), Table(graph.board)
        for number in range(len(graph.surfaces)):
            assert waves.moves(number) == engine_turns(moves, (number,))
        for number in range(0, len(graph.surfaces), 7):
            expected = table.turns({place(graph.surfaces[number])}, profile, {})
            found = waves.moves(number).items()
            assert {place(graph.surfaces[at]): turn for at, turn in found} == expected


def compare_movement(board, table, graph, rules, unit, others, start) -> None:  # type: ignore[no-untyped-def]
    def of(side: str) -> frozenset[Surface]:
        return frozenset(surface(p) for p, s in others.items() if s == side)

    profile = MovementProfile(*unit)
    moves = moves_of(graph, profile, rules, Occupants(of("enemy"), of("friend")))
    number = graph.index[surface(start)]
    context = (board, rules, unit, others, start)
    found = engine_one_turn(moves, number)
    shown = {place(graph.surfaces[at]): list(labels) for at, labels in found.items()}
    assert shown == table.one_turn(start, unit, others), context
    expected = table.turns({start}, unit, others)
    turns = {place(graph.surfaces[at]): t for at, t in engine_turns(moves, (number,)).items()}
    assert turns == expected, context
    waves = multi_source_bfs(moves, [(number,), ()]).moves(0)
    assert {place(graph.surfaces[at]): t for at, t in waves.items()} == expected, context


@pytest.mark.parametrize("group", range(GROUPS))
def test_push(group: int) -> None:
    for seed in seeds(group):
        board, dice = random_board(seed), random.Random(seed)
        reading = PUSH_READINGS[seed % len(PUSH_READINGS)]
        rules = options(reading)
        table, terrain = Table(board, **reading), Terrain(board, rules.terrain)
        spots = sorted(table.places)
        if len(spots) < 2:
            continue
        for _ in range(12):
            attacker, target = dice.sample(spots, 2)
            others = set(units_on(dice, table)) - {attacker, target}
            letter, count = dice.choice("BBBRLF"), dice.randint(0, 4)
            mage, no_fall, no_push = (dice.random() < share for share in (0.3, 0.2, 0.1))
            axis = dice.choice(("row", "col")) if table.open(attacker, target) else ""
            expected = table.push(
                attacker, target, letter, count, others,
                mage=mage, no_fall=no_fall, no_push=no_push, axis=axis,
            )  # fmt: skip
            result = push_unit(
                terrain,
                surface(attacker),
                surface(target),
                Push.parse(f"{letter}{count}", extra=KIT.amount("mage") if mage else 0),
                rules,
                taken=frozenset(map(surface, others)),
                victim=PushTarget(no_fall, no_push),
                way=chosen(attacker, target, axis),
            )
            end = place(result.end) if result.end else None
            context = (board, reading, attacker, target, letter, count, others)
            assert (end, result.damage, result.dead) == expected, context


SPIRE_READINGS: list[dict[str, object]] = [
    {},
    {"spire_level": "hit", "spire_damage": 9},
    {"edge": "void"},
    {"push_diag": "attacker_chooses"},
]


@pytest.mark.parametrize("group", range(GROUPS))
def test_spires(group: int) -> None:
    for seed in seeds(group):
        board, dice = random_board(seed), random.Random(seed)
        reading = SPIRE_READINGS[seed % len(SPIRE_READINGS)]
        rules = options(reading)
        table, terrain = Table(board, **reading), Terrain(board, rules.terrain)
        spires = [cell for cell in table.cells if table.piece(*cell) == "spire"]
        if not spires or not table.places:
            continue
        for _ in range(8):
            attacker, cell = dice.choice(sorted(table.places)), dice.choice(spires)
            others = set(units_on(dice, table)) - {attacker}
            letter, count = dice.choice("BBRL"), dice.randint(0, 4)
            foot = (*cell, table.height(*cell))
            axis = dice.choice(("row", "col")) if table.open(attacker, foot) else ""
            expected = table.spire(attacker, cell, letter, count, others | {attacker}, axis)
            found = push_spire(
                terrain, surface(attacker), Tile(*cell), Push.parse(f"{letter}{count}"), rules,
                taken=frozenset(map(surface, others)), way=chosen(attacker, foot, axis),
            )  # fmt: skip
            told = found.extra["hit"]
            hit = told and place(Surface(Tile.parse(told["tile"]), told["level"]))
            assert (found.extra["gone"], hit, found.damage) == expected, (
                board,
                reading,
                attacker,
                cell,
            )


@pytest.mark.parametrize("group", range(GROUPS))
def test_units_on_a_destroyed_bridge_land_where_the_reference_says(group: int) -> None:
    """A bridge is shot away under everybody who stands on it."""
    for seed in seeds(group):
        board, dice = random_board(seed), random.Random(seed)
        table = Table(board)
        for number, deck in enumerate(board.decks):
            units = [surface(spot) for spot in units_on(dice, table)]
            after = replace(board, decks=tuple(one for one in board.decks if one is not deck))
            left, mage, no_fall = Table(after), dice.random() < 0.5, dice.random() < 0.2
            victims = {at: PushTarget(no_fall) for at in sorted(units)}
            found = fallen(board, number, victims, mage=mage)
            others = {place(at) for at in units if place(at) in left.places}
            for at in sorted(units):
                if place(at) in left.places:
                    assert at not in found
                    continue
                end, damage = left.lands(*place(at), others, mage=mage, no_fall=no_fall)
                fall = found[at]
                assert (place(fall.end) if fall.end else None, fall.fall) == (end, damage)
                others |= {end} if end else set()


def fallen(
    board: Board, gone: int, units: dict[Surface, PushTarget], *, mage: bool
) -> dict[Surface, UnitChange]:
    """Where those come down who lose their floor with a bridge."""
    s = board_state(board, FallDamageOptions(), KIT)
    for at, victim in units.items():
        unit = replace(SOMEBODY, no_fall=victim.no_fall)
        stand(s, KIT, unit, at, 0)
    was = before(s)
    destroy(s, C.W_DECK, gone)
    settle_land(s, mage, -1)
    return {change.who: change for change in changes(s, was)}


def chosen(attacker: Place, target: Place, axis: str) -> tuple[int, int] | None:
    """The way that goes with the reference's axis."""
    rows, cols = target[0] - attacker[0], target[1] - attacker[1]
    if axis == "row":
        return SOUTH if rows > 0 else NORTH
    return (EAST if cols > 0 else WEST) if axis else None


@pytest.mark.parametrize("group", range(GROUPS))
def test_sight_and_reach(group: int) -> None:
    for seed in seeds(group):
        board, dice = random_board(seed), random.Random(seed)
        reading = SIGHT_READINGS[seed % len(SIGHT_READINGS)]
        rules = options(reading)
        table, terrain = Table(board, **reading), Terrain(board, rules.terrain)
        spots = sorted(table.places)
        attack = ATTACK_READINGS[seed % len(ATTACK_READINGS)]
        for _ in range(min(12, len(spots) * (len(spots) - 1))):
            a, b = dice.sample(spots, 2)
            others = set(units_on(dice, table))
            taken = frozenset(map(surface, others))
            seen = has_line_of_sight(terrain, surface(a), surface(b), rules, taken=taken).visible
            assert seen == table.sees(a, b, others), (board, reading, a, b, others)
            compare_map(board, table, rules, a, b)
            compare_attack(table, attack, a, b)


def compare_map(board: Board, table: Table, rules: FallDamageOptions, a: Place, b: Place) -> None:
    graph = surface_graph(board, rules.terrain)
    seen = visible_sets(graph.board, rules)[graph.index[surface(a)]] >> graph.index[surface(b)] & 1
    assert bool(seen) == table.sees(a, b, set()), (board, rules, a, b)


def compare_attack(table: Table, reading: dict[str, object], a: Place, b: Place) -> None:
    judge, rules = Table(table.board, **reading), options(reading)
    for reach in range(1, 6):
        one, other = surface(a), surface(b)
        context = (reading, reach, a, b)
        assert can_attack(one, other, reach, rules) == judge.attacks(a, b, reach), context
        bonus = judge.bonus(a, b, reach)
        assert height_bonus(one, other, reach, rules) == bonus, context


def test_the_reference_is_a_second_opinion() -> None:
    """It shares nothing with the engine but the board."""
    from tests.rules import reference

    text = Path(reference.__file__).read_text(encoding="utf-8")
    imports = [line for line in text.splitlines() if "import" in line and "falldamage" in line]
    assert imports == ["from falldamage_forge.board import Board"]
