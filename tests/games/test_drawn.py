"""Properties of every game on boards, readings, units and words drawn by a seed.

`tests/games/test_snapshots.py` has answers in full, on boards that can be read.
"""

import json
import tomllib
from collections.abc import Callable, Mapping
from itertools import product
from pathlib import Path
from typing import Any, get_type_hints

import pytest
from shapely.geometry import LineString, Point, box

import falldamage_forge as ff
from falldamage_forge.games.any_angle import length_um, metric_cost_um, metric_offsets
from falldamage_forge.games.base_placement import candidate_offsets, covered_tiles, leg_between
from falldamage_forge.games.registry import read_rules
from falldamage_forge.issues import SourceSpan
from falldamage_forge.maps.checks import CheckContext
from falldamage_forge.metrics.metric_table import analyze
from falldamage_forge.presets import load_rules, names, path
from falldamage_forge.rules.custom_units import (
    CustomUnitSpec,
    allowed_list_values,
    properties,
    with_custom_units,
)
from falldamage_forge.rules.expectations import evaluate
from falldamage_forge.rules.playability import check_play
from falldamage_forge.rules.position import Position
from falldamage_forge.rules.ruleset import Ruleset
from falldamage_forge.rules.setup_check import check_setup
from tests.amount import EXHAUSTIVE
from tests.games.drawing import Dice, crowded, drawn, ill_set, some, words_of
from tests.rules.cases import board_of

RULES = tuple(names("rulesets"))
SEEDS = range(40 if EXHAUSTIVE else 4)
MOVING = ("boots", "crampons", "adrenal", "mist", "intimidate")


def changes_of(dice: Dice, p: ff.Position) -> dict[str, Any]:
    """Other properties of a unit, or effects on it."""
    if p.game.name != "fall-damage":
        return some(dice, type(next(iter(p.game.units.values()))), 3)
    found: dict[str, Any] = dict.fromkeys(dice.sample(MOVING, dice.randrange(3)), "1")
    return found | ({"move": dice.randint(0, 4)} if dice.random() < 0.3 else {})


def codes(question: Callable[..., Any], *args: Any, **wish: Any) -> set[str]:
    """The codes with which a question is refused."""
    try:
        question(*args, **wish)
    except ff.ForgeError as error:
        return {issue.code for issue in error.issues}
    return set()


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("rules", RULES)
def test_path_among_other_units_takes_the_turns_of_reach(rules: str, seed: int) -> None:
    """Any unit under any readings, changed or not, among friends and enemies."""
    dice = Dice(seed)
    p = drawn(dice, rules)
    for number in range(3):
        unit = p.unit(dice.choice(list(p.game.units)), **(changes_of(dice, p) if number else {}))
        start, *there = dice.sample(p.graph.surfaces, 6)
        others = {"enemies": there[:2], "friends": there[2:3]}
        if codes(unit.reach, start, **others) == {"FDF367"}:  # no room
            continue
        rows = {row.surface: row for row in unit.reach(start, **others).surfaces}
        assert rows.keys().isdisjoint(there[:2])
        for goal in there[3:]:
            row = rows.get(goal)
            if codes(unit.path, start, goal, **others) == {"FDF367"}:
                assert row is None
                continue
            way = unit.path(start, goal, **others)
            assert way.found or row is None or row.turns is None
            if way.found:
                row = rows[way.goal]
                assert (way.turns, way.chance) == (row.turns, row.chance)
                cheap = unit.path(start, goal, **others, any_damage=True)
                assert cheap.found and cheap.turns <= way.turns


@pytest.mark.parametrize("rules", RULES)
def test_every_end_of_reach_is_a_goal_of_path(rules: str) -> None:
    """Under every reading, for the unit that needs the most room."""
    game = load_rules(rules)
    hints = get_type_hints(type(game.options))
    readings = [(name, value) for name in hints for value in words_of(name, hints[name])]
    board = crowded(Dice(rules), rules, 4)
    widest = max(game.units, key=lambda name: base_of(game.units[name]))
    for name, value in readings:
        p = Position(board, game.with_options([(name, value, None)]))
        unit = p.unit(widest)
        for start in list(p.model(widest).index)[::9]:
            for row in unit.reach(start).surfaces:
                way = unit.path(start, row.surface)
                assert (way.goal, way.found) == (row.surface, row.turns is not None)


def base_of(profile: Any) -> float:
    """The size of a unit's base, in the unit of its game."""
    return float(getattr(profile, "base_mm", getattr(profile, "squares", 1)))


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("rules", RULES)
def test_metrics_of_drawn_boards_are_complete_and_name_tiles_of_the_board(
    rules: str, seed: int
) -> None:
    dice = Dice(seed + 100)
    p = drawn(dice, rules)
    found = analyze(p, "x").json()
    assert json.loads(json.dumps(found, allow_nan=False)).keys() == found.keys()
    tiles = {str(tile) for tile in p.board.tiles()}
    for row in (*found["metrics"], *found["leads"]):
        assert set(row["tiles"]) <= tiles
    for some_ in found["units"]:
        assert 0 <= some_["reached"] <= some_["surfaces"]
    ill = p.on(ill_set(dice, p.board))
    for issue in (
        *check_play(p),
        *check_setup(p, 2),
        *check_setup(ill, 3),
        *p.game.check_starts(ill),
    ):
        assert {str(tile) for tile in issue.tiles} <= tiles
        assert issue.code.startswith("FDF") and issue.message


@pytest.mark.parametrize("tile_um", [25_400, 30_000])
@pytest.mark.parametrize("radius_um", [5_000, 12_500, 15_000, 20_000, 31_000])
def test_leg_sweeps_the_tiles_that_its_shape_meets(radius_um: int, tile_um: int) -> None:
    """Against shapes of shapely, but for tiles that a base only touches."""

    def tile(row: int, col: int) -> Any:
        return box(col * tile_um, row * tile_um, (col + 1) * tile_um, (row + 1) * tile_um)

    def point(spot: tuple[int, int], row: int = 0, col: int = 0) -> tuple[float, float]:
        return ((col + 0.5) * tile_um + spot[1], (row + 0.5) * tile_um + spot[0])

    spots = [spot for group in candidate_offsets(radius_um, tile_um) for spot in group]
    for spot in spots:
        over = covered_tiles(spot, radius_um, tile_um)
        for at in product(range(-3, 4), repeat=2):
            gap = Point(point(spot)).distance(tile(*at)) - radius_um
            assert (at in over) == (gap < 0) or abs(gap) < 1
    for offset, spot in product(product(range(-1, 3), range(-2, 2)), spots):
        leg = leg_between(offset, spots[0], spot, radius_um, tile_um)
        line = LineString([point(spots[0]), point(spot, *offset)])
        for at in product(range(-4, 6), repeat=2):
            gap = line.distance(tile(*at)) - radius_um
            assert (at in leg.swept) == (gap < 0) or abs(gap) < 1
        assert line.length <= leg.cost_um < line.length + 1.001
        assert metric_cost_um("ruler", leg, tile_um) == leg.cost_um
    for metric in ("ruler", "octile", "chebyshev"):
        offsets = metric_offsets(metric, 3 * tile_um, tile_um)
        assert all(length_um(*offset, tile_um) <= 3 * tile_um for offset in offsets)
        assert {(-row, col) for row, col in offsets} == set(offsets)


def broken(dice: Dice, table: dict[str, Any]) -> str:
    """Make one thing wrong somewhere in a table; its key."""
    key = str(dice.choice(list(table)))
    if isinstance(table[key], dict) and table[key] and dice.random() < 0.7:
        return broken(dice, table[key])
    if dice.random() < 0.5:
        table[key] = dice.choice((-1, 0, 7, 1e9, "x", "none", [], ["x"], [1, 2], {}, True))
        return key
    if dice.random() < 0.5:
        del table[key]
        return key
    table[f"{key}s"] = table[key]
    return f"{key}s"


@pytest.mark.parametrize("rules", RULES)
def test_broken_ruleset_is_refused_by_file_and_key(rules: str) -> None:
    dice, refused = Dice(len(rules)), 0
    text = Path(path("rulesets", rules)).read_text("utf-8")
    usual = set(refusal_of(whole(text)))
    for _ in range(600 if EXHAUSTIVE else 60):
        table = whole(text)
        key = broken(dice, table)
        told = [one for one in refusal_of(table) if one not in usual]
        refused += bool(told)
        assert all("x.toml" in one for one in told)
        assert not told or any(key.removesuffix("s") in one for one in told), (key, told)
    assert refused > 20


def whole(text: str) -> dict[str, Any]:
    table = tomllib.loads(text)
    table.pop("cards", None)
    return table


def refusal_of(table: Mapping[str, Any]) -> list[str]:
    try:
        read_rules(dict(table), "x.toml")
    except ff.ForgeError as error:
        return [str(issue) for issue in error.issues]
    return []


WORDS = ("reachable", "connected", "no", "symmetric", "good", "fair", "treasure", "islands",
         "traps", "within", "3%", "0%", "51%", "7", "peace", "rotate-180", "mirror", "contact",
         "control", "sight", "high-ground")  # fmt: skip
TRUE_OF_SOME = ("connected", "no islands", "no traps", "good sight", "fair within 50%")


@pytest.mark.parametrize("rules", RULES)
def test_expectation_in_any_words_holds_or_fails_at_its_place(rules: str) -> None:
    dice, span = Dice(7), SourceSpan("x.forge", 3, 1, 3, 9)
    p = Position(board_of({"heights": [[0] * 5] * 5}), load_rules(rules))
    facts = CheckContext(p, lambda _, percent: f"red is {percent} ahead" if percent < 5 else None)
    held = 0
    for _ in range(400 if EXHAUSTIVE else 80):
        words = tuple(dice.sample(WORDS, dice.randint(0, 3)))
        issues = list(evaluate(words, facts, span))
        held += not issues
        assert all(issue.span == span and issue.code in {"FDF330", "FDF331"} for issue in issues)
    for text in TRUE_OF_SOME:
        held += not list(evaluate(text.split(), facts, span))
    assert held


@pytest.mark.parametrize("rules", RULES)
def test_own_units_are_read_or_refused_at_their_place(rules: str) -> None:
    """Units like others or not, with some properties, lists among them, right and wrong."""
    game, dice = load_rules(rules), Dice(11)
    known = list(game.units)
    keys = [*properties(game), *properties(game), "name", "no-such"]
    lists = {key: [*words, "no-such"] for key, words in allowed_list_values(game).items()}
    made = refused = 0
    for number in range(600 if EXHAUSTIVE else 60):
        pairs = [
            (key, value_of(dice, game.units[dice.choice(known)], key, lists), span(number, place))
            for place, key in enumerate(dice.sample(keys, dice.randint(0, min(3, len(keys)))))
        ]
        name = dice.choice(("own", "own-one", "own_two", "own_two", known[0]))
        wished = CustomUnitSpec(
            name, dice.choice((*known, *known, "", "nobdy")), pairs, span(number, 0)
        )
        lines = lines_of(game, wished)
        refused += bool(lines)
        if lines:
            assert lines == {number + 1}
            continue
        made += 1
        found = with_custom_units(game, [wished, CustomUnitSpec("last", name, ())])
        for key in {slot.replace("-", "_") for slot in properties(game)} - {"title"}:
            assert getattr(found.units[name], key) == getattr(found.units["last"], key)
        assert {one: found.units[one] for one in known} == dict(game.units)
    assert made and refused


def lines_of(game: Ruleset, wished: CustomUnitSpec) -> set[int]:
    """The lines at which a wish for a unit is refused."""
    try:
        with_custom_units(game, [wished, CustomUnitSpec("last", wished.name, ())])
    except ff.ForgeError as error:
        return {issue.span.line for issue in error.issues if issue.span}
    return set()


def value_of(dice: Dice, like: Any, key: str, lists: Mapping[str, list[str]]) -> Any:
    """A value for a property of a unit: that of another unit, or none that fits."""
    slot = key.replace("-", "_")
    if slot in lists:
        return dice.choice((",".join(dice.sample(lists[slot], 2)), "none", "no-such"))
    if dice.random() < 0.1:
        return dice.choice(("yes", 2, 300, "B2", "x,x"))
    value = getattr(like, slot, "x")
    return {True: "yes", False: "no"}.get(value, value)


def span(number: int, place: int) -> SourceSpan:
    return SourceSpan("x.forge", number + 1, place + 1, 9, 9)
