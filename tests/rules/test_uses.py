"""Every ability: an aim that it lists is answered, any other is refused with words."""

from __future__ import annotations

from dataclasses import replace

import pytest

from falldamage_forge.board import Column, Ladder, Tile, make_board
from falldamage_forge.board.surfaces import Surface, surface_graph
from falldamage_forge.games.fall_damage.abilities import ABILITIES
from falldamage_forge.games.fall_damage.abilities.scene import Scene, Standing, Use
from falldamage_forge.games.fall_damage.engine.modifiers import (
    EFFECTS,
    Modifiers,
    attack_damage,
    with_effects,
)
from falldamage_forge.games.fall_damage.options import Options
from falldamage_forge.presets import load_kit, load_units
from tests.rules.test_abilities import at, board

RULES, UNITS = Options(), load_units()
FIELD = board(
    "0 0 0 1 0 0 0", "0 1 0 0 2 0 0", "0 0 0 0 0 0 0", "2 0 0T 0 0 1 0", "0 0 0 0 0 0 0",
)  # fmt: skip
LADDER = Ladder(Tile(0, 1), 0, Tile(0, 2), 2)
GRAPH = surface_graph(FIELD, RULES.terrain)
WAY = (0, 1)


def scene_of(name: str) -> tuple[Scene, Standing]:
    """Whoever has the ability in the middle, friends and enemies beside it and farther off."""
    cards = [unit for unit in UNITS.values() if unit.name in ABILITIES[name].of]
    card = cards[0] if cards else UNITS["knight"]
    doer = Standing(at("D3"), card, "mine")
    theirs = {"D2": "archer", "E3": "bandit", "E2@2": "bard", "G1": "gunner"}
    mine = {"C3": "medic", "D5": "samurai"}
    others = [Standing(at(place), UNITS[name], "theirs") for place, name in theirs.items()]
    others += [Standing(at(place), UNITS[name], "mine") for place, name in mine.items()]
    return Scene(GRAPH, load_kit(), RULES, (doer, *others)), doer


@pytest.mark.parametrize("name", ABILITIES)
def test_what_is_not_said_is_asked_for(name: str) -> None:
    skill = ABILITIES[name]
    scene, doer = scene_of(name)
    if {"aim", "way"} & set(skill.needs):
        with pytest.raises(ValueError, match=r"say (what it is aimed at|a way)"):
            skill.use(scene, doer, Use())


@pytest.mark.parametrize("name", [name for name in ABILITIES if "aim" in ABILITIES[name].needs])
def test_an_aim_on_the_list_is_answered(name: str) -> None:
    skill = ABILITIES[name]
    scene, doer = scene_of(name)
    aims = skill.aims(scene, doer)
    assert set(aims) <= set(GRAPH.surfaces)
    answered = 0
    for number, aim in enumerate(aims):
        second = aims[number - 1] if "second" in skill.needs else None
        use = Use(aim, second, WAY, 1 if "count" in skill.needs else None)
        try:
            found = skill.use(scene, doer, use)
        except ValueError:
            continue
        answered += 1
        assert found == skill.use(scene, doer, use)
    assert answered or not aims


def test_of_two_aims_both_are_wanted_and_they_differ() -> None:
    for name in ("swap", "eruption"):
        scene, doer = scene_of(name)
        aim = ABILITIES[name].aims(scene, doer)[0]
        for second in (None, aim):
            with pytest.raises(ValueError, match="two"):
                ABILITIES[name].use(scene, doer, Use(aim, second))


@pytest.mark.parametrize("name", ["grenade", "quicksand-urn", "scaffold"])
def test_what_is_too_far_off_is_refused(name: str) -> None:
    scene, doer = scene_of(name)
    far = replace(doer, at=at("A5"))
    scene = replace(scene, standing=(far, *scene.standing[1:]))
    with pytest.raises(ValueError, match="out of reach|cannot be"):
        ABILITIES[name].use(scene, far, Use(at("G2"), None, WAY))


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
        ABILITIES[name].use(scene, doer, Use(at("A1"), None, WAY, count))


@pytest.mark.parametrize("text", ["wings", "boots=x", "boots=100", "quicksand", "vines=E5", "bots"])
def test_an_effect_that_is_none_is_told(text: str) -> None:
    with pytest.raises(ValueError, match="no effect|not a count|write `"):
        with_effects([text], RULES)


def test_effects_are_counted_and_told() -> None:
    assert with_effects(["boots=2", "mist"], RULES) == Modifiers(boots=2, poison=1)
    assert with_effects(["boots", "boots"], RULES) == Modifiers(boots=2)
    urn = with_effects(["quicksand=D3"], RULES)
    assert urn != Modifiers() and EFFECTS["quicksand"].takes == "tile"


def test_under_a_reversal_up_counts_and_down_is_taken_off() -> None:
    archer, low, high = UNITS["archer"], at("A3"), at("A4@2")
    for attacker, target, more in ((low, high, 1), (high, low, -1), (low, at("B3"), 0)):
        plain = attack_damage(archer, Modifiers(), low, at("B3"), RULES)
        found = attack_damage(archer, Modifiers(), attacker, target, RULES, reversal=True)
        assert found == plain + more


EXACT = ("grenade", "quicksand-urn", "syringe", "climbing-rope")


@pytest.mark.parametrize("name", EXACT)
def test_what_is_listed_is_what_is_answered(name: str) -> None:
    """Within reach to the tile: every surface on the list is answered, every other refused."""
    skill = ABILITIES[name]
    scene, doer = scene_of(name)

    def answered(place: Surface) -> bool:
        try:
            skill.use(scene, doer, Use(place))
        except ValueError:
            return False
        return True

    assert set(skill.aims(scene, doer)) == {one for one in GRAPH.surfaces if answered(one)}


def test_who_stands_at_a_ladder_is_one_target() -> None:
    """The ladder's foot is aimed at in the same place as the unit; only the unit is asked about."""
    field = make_board(1, 3, [Column(), Column(), Column(2)], ladders=[LADDER])
    doer = Standing(at("A1"), UNITS["knight"], "mine")
    scene = Scene(
        surface_graph(field), load_kit(), RULES, (doer, Standing(at("B1"), side="theirs"))
    )
    (change,) = ABILITIES["attack"].use(scene, doer, Use(at("B1"))).changes
    assert (change.who, change.damage) == (at("B1"), 3)
