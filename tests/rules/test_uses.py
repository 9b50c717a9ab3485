"""Every ability: an aim that it lists is answered, any other is refused with words."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from falldamage_forge.board import Column, Deck, Ladder, Tile, make_board
from falldamage_forge.board.surfaces import Surface, surface_graph
from falldamage_forge.games.fall_damage.ability_queries.ability_context import (
    AbilityContext,
    AbilityUse,
    PlacedUnit,
)
from falldamage_forge.games.fall_damage.ability_queries.ability_table import ABILITIES
from falldamage_forge.games.fall_damage.engine import codes as C
from falldamage_forge.games.fall_damage.engine.hypothetical import board_state
from falldamage_forge.games.fall_damage.engine.modifiers import EFFECTS, Modifiers, parse_modifiers
from falldamage_forge.games.fall_damage.engine.unit_stats import height_number
from falldamage_forge.games.fall_damage.options import FallDamageOptions
from falldamage_forge.games.fall_damage.play.surface_number import spot_of
from falldamage_forge.issues import ForgeError
from falldamage_forge.presets import load_kit, load_rules, load_units
from falldamage_forge.rules.position import Position
from tests.rules.cases import board_of
from tests.rules.test_abilities import at, board

RULES, UNITS, KIT = FallDamageOptions(), load_units(), load_kit()
FIELD = board(
    "0 0 0 1 0 0 0", "0 1 0 0 2 0 0", "0 0 0 0 0 0 0", "2 0 0T 0 0 1 0", "0 0 0 0 0 0 0",
)  # fmt: skip
LADDER = Ladder(Tile(0, 1), 0, Tile(0, 2), 2)
GRAPH = surface_graph(FIELD, RULES.terrain)
WAY = (0, 1)
VALUES = {"": "", "count": "1", "tile": "D5"}


def scene_of(name: str) -> tuple[AbilityContext, PlacedUnit]:
    """Whoever has the ability in the middle, friends and enemies beside it and farther off."""
    cards = [unit for unit in UNITS.values() if unit.name in ABILITIES[name].of]
    card = cards[0] if cards else UNITS["knight"]
    doer = PlacedUnit(at("D3"), card, "mine")
    theirs = {"D2": "archer", "E3": "bandit", "E2@2": "bard", "G1": "gunner"}
    mine = {"C3": "medic", "D5": "samurai"}
    others = [PlacedUnit(at(place), UNITS[name], "theirs") for place, name in theirs.items()]
    others += [PlacedUnit(at(place), UNITS[name], "mine") for place, name in mine.items()]
    return AbilityContext(GRAPH, KIT, RULES, (doer, *others)), doer


@pytest.mark.parametrize("name", ABILITIES)
def test_missing_argument_is_requested(name: str) -> None:
    skill = ABILITIES[name]
    scene, doer = scene_of(name)
    if {"aim", "way"} & set(skill.needs):
        with pytest.raises(ValueError, match=r"(aim|direction) is missing"):
            skill.use(scene, doer, AbilityUse())


@pytest.mark.parametrize("name", [name for name in ABILITIES if "aim" in ABILITIES[name].needs])
def test_an_aim_on_the_list_is_answered(name: str) -> None:
    skill = ABILITIES[name]
    scene, doer = scene_of(name)
    aims = skill.aims(scene, doer)
    assert set(aims) <= set(GRAPH.surfaces)
    answered = 0
    for number, aim in enumerate(aims):
        second = aims[number - 1] if "second" in skill.needs else None
        use = AbilityUse(aim, second, WAY, 1 if "count" in skill.needs else None)
        try:
            found = skill.use(scene, doer, use)
        except ValueError:
            continue
        answered += 1
        assert found == skill.use(scene, doer, use)
    assert answered or not aims


def test_two_aims_must_be_given_and_differ() -> None:
    for name in ("swap", "eruption"):
        scene, doer = scene_of(name)
        aim = ABILITIES[name].aims(scene, doer)[0]
        for second in (None, aim):
            with pytest.raises(ValueError, match="two"):
                ABILITIES[name].use(scene, doer, AbilityUse(aim, second))


@pytest.mark.parametrize("name", ["grenade", "quicksand", "scaffold"])
def test_target_out_of_range_is_refused(name: str) -> None:
    scene, doer = scene_of(name)
    far = replace(doer, at=at("A5"))
    scene = replace(scene, standing=(far, *scene.standing[1:]))
    with pytest.raises(ValueError, match="out of reach|cannot be"):
        ABILITIES[name].use(scene, far, AbilityUse(at("G2"), None, WAY))


@pytest.mark.parametrize(
    ("name", "count", "told"),
    [
        ("dam-break", 11, "1 to 10"),
        ("dam-break", -1, "1 to 10"),
        ("tectonic-shift", -1, "cannot go"),
        ("tectonic-shift", -9, "cannot go"),
    ],
)
def test_a_count_has_bounds(name: str, count: int, told: str) -> None:
    scene, doer = scene_of(name)
    with pytest.raises(ValueError, match=told):
        ABILITIES[name].use(scene, doer, AbilityUse(at("A1"), None, WAY, count))


@pytest.mark.parametrize("text", ["wings", "boots=x", "boots=100", "quicksand", "vines=E5", "bots"])
def test_unknown_effect_is_reported(text: str) -> None:
    with pytest.raises(ValueError, match="no effect|not a count|write `"):
        parse_modifiers([text], RULES, KIT)


def test_effects_are_parsed_and_counted() -> None:
    assert parse_modifiers(["boots=2", "mist"], RULES, KIT) == Modifiers(boots=2, poison=1)
    assert parse_modifiers(["boots", "boots"], RULES, KIT) == Modifiers(boots=2)
    urn = parse_modifiers(["quicksand=D3"], RULES, KIT)
    assert urn != Modifiers() and EFFECTS["quicksand"].takes == "tile"


def test_reversal_adds_height_uphill_and_subtracts_it_downhill() -> None:
    s, low, high = board_state(board("0 0", "2 0"), RULES, KIT), at("A1"), at("A2@2")
    for attacker, target, more in ((low, high, 1), (high, low, -1), (low, at("B1"), 0)):
        s.reversal_round = s.round
        assert height_number(s, spot_of(attacker), spot_of(target), C.NO) == more
        s.reversal_round = s.round + 1
        assert height_number(s, spot_of(attacker), spot_of(target), C.NO) == 0


EXACT = ("grenade", "quicksand", "syringe", "climbing-rope")


@pytest.mark.parametrize("name", EXACT)
def test_surfaces_in_reach_are_answered_and_others_refused(name: str) -> None:
    """Within reach to the tile: every surface on the list is answered, every other refused."""
    skill = ABILITIES[name]
    scene, doer = scene_of(name)

    def answered(place: Surface) -> bool:
        try:
            skill.use(scene, doer, AbilityUse(place))
        except ValueError:
            return False
        return True

    assert set(skill.aims(scene, doer)) == {one for one in GRAPH.surfaces if answered(one)}


def test_unit_at_a_ladder_is_one_target() -> None:
    """The ladder's foot is aimed at in the same place as the unit; only the unit is asked about."""
    field = make_board(1, 3, [Column(), Column(), Column(2)], ladders=[LADDER])
    doer = PlacedUnit(at("A1"), UNITS["knight"], "mine")
    scene = AbilityContext(
        surface_graph(field), KIT, RULES, (doer, PlacedUnit(at("B1"), side="theirs"))
    )
    (change,) = ABILITIES["attack"].use(scene, doer, AbilityUse(at("B1"))).changes
    assert (change.who, change.damage) == (at("B1"), 3)


def test_units_are_pushed_in_the_given_order() -> None:
    """Two on one tile, under a bridge and on it: a game pushes them in the order of its units."""
    deck = Deck.between(Tile(0, 0), Tile(0, 3), 2)
    graph = surface_graph(board("2 0 0 2", "0 0 0 0", decks=(deck,)), RULES.terrain)
    low, high = PlacedUnit(at("B1"), side="theirs"), PlacedUnit(at("B1@2"), UNITS["archer"], "mine")
    for first, second in ((low, high), (high, low)):
        scene = AbilityContext(graph, KIT, RULES, (first, second))
        assert list(scene.moment(high)[1]) == [first.at, second.at]


@pytest.mark.parametrize("unit", [name for name in UNITS if not UNITS[name].no_push])
def test_push_kills_from_the_cards_whole_health_on(unit: str) -> None:
    card, fates = UNITS[unit], set()
    for level in range(1, 10):
        tower = Position(board_of({"heights": [[level, level, 0, 0]]}), load_rules("fall-damage"))
        for mage in (False, True):
            known = tower.push("A1", "B1", "B1", unit=unit, mage=mage)
            assert known.dead == (known.damage >= card.health)
            assert known.end == at("C1")
            assert not tower.push("A1", "B1", "B1", mage=mage).dead
            fates.add(known.dead)
    assert fates == ({False} if card.no_fall else {False, True})


@pytest.mark.parametrize(
    "effect", [f"{name}={VALUES[rule.takes]}" for name, rule in EFFECTS.items()]
)
@pytest.mark.parametrize("unit", ["knight", "archer", "samurai"])
def test_attack_reaches_alike_with_and_without_the_name_of_the_ability(
    unit: str, effect: str
) -> None:
    """An effect on the attacker counts in both."""
    p = Position(FIELD, load_rules("fall-damage"))
    for start in p.graph.surfaces[::5]:
        plain, named = (
            p.targets(unit, start, effects=[effect.removesuffix("=")], ability=ability)
            for ability in (None, "attack")
        )
        assert [row.surface for row in plain.targets] == [row.surface for row in named.targets]


@pytest.mark.parametrize("choice", [{"aim": "B3"}, {"second": "B3"}, {"way": "east"}, {"count": 1}])
def test_choice_without_an_ability_is_refused(choice: dict[str, Any]) -> None:
    p = Position(FIELD, load_rules("fall-damage"))
    with pytest.raises(ForgeError, match=f"`{next(iter(choice))}` is a choice of an ability"):
        p.targets("knight", "C3", **choice)
