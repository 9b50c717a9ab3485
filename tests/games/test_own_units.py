"""Units that a map brings: read like the game's table, asked like its own, told where wrong."""

from dataclasses import fields
from typing import Any

import pytest

from falldamage_forge import presets
from falldamage_forge.infra.toml_loader import slug
from falldamage_forge.issues import ForgeError
from falldamage_forge.lang.flatten import flatten
from falldamage_forge.lang.formatter import format_text
from falldamage_forge.library.forge import Forge
from falldamage_forge.rules.custom_units import properties
from falldamage_forge.studio.board_overlays import units
from falldamage_forge.studio.session import Session
from tests.cli.running import typed

GAMES = presets.names("rulesets")
STARTS = "start red at B1..I1\nstart blue at B10..I10\n"
FORGE = Forge()


def text(rules: str, *lines: str) -> str:
    said = "".join(f"  {line}\n" for line in lines)
    return f"forge 1\nrules {rules}\nunits {{\n{said}}}\n{STARTS}"


def written(value: Any) -> str:
    if isinstance(value, tuple):
        return ", ".join(slug(one.name) for one in value) or "none"
    shown = {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)
    return f'"{shown}"' if " " in shown or not shown else shown.replace("_", "-")


def codes(source: str) -> list[tuple[str, str]]:
    """Codes of what is wrong, each with the text its place marks."""
    rows = source.splitlines()
    found = FORGE.check(FORGE.loads(source)).issues
    return [
        (i.code, rows[i.span.line - 1][i.span.col - 1 : i.span.end_col - 1])
        for i in found
        if i.span and i.severity == "error"
    ]


@pytest.mark.parametrize("rules", GAMES)
def test_every_unit_of_a_table_can_be_written_in_a_map(rules: str) -> None:
    game = presets.load_rules(rules)
    keys = [key.replace("-", "_") for key in properties(game)]
    lines = []
    for name, unit in game.units.items():
        unsaid = {item.name for item in fields(unit) if getattr(unit, item.name) == item.default}
        said = (f"{key} {written(getattr(unit, key))}" for key in keys if key not in unsaid)
        lines.append(f"own-{name} {{ {'  '.join(said)} }}")
    found, issues = FORGE.game(FORGE.loads(text(rules, *lines)))
    assert issues == ()
    for name, unit in game.units.items():
        own = found.units[f"own-{name}"]
        assert {key: named(own, key) for key in keys} == {key: named(unit, key) for key in keys}


def named(unit: Any, key: str) -> Any:
    """A property; of a list the names, because two cards may have one name for two abilities."""
    value = getattr(unit, key)
    return [one.name for one in value] if isinstance(value, tuple) else value


@pytest.mark.parametrize("rules", GAMES)
def test_like_copies_all_properties_except_the_stated(rules: str) -> None:
    game = presets.load_rules(rules)
    name, unit = next(iter(game.units.items()))
    source = text(rules, f"first like {name}", "second like first")
    map_ = FORGE.loads(source)
    found, issues = FORGE.game(map_)
    assert issues == ()
    told = {item.name for item in fields(unit)} - {"name", "title"}
    for own in (found.units["first"], found.units["second"]):
        assert {key: getattr(own, key) for key in told} == {key: getattr(unit, key) for key in told}
    again = FORGE.loads(flatten(map_.layout))
    assert again.layout.units == map_.layout.units
    assert FORGE.game(again)[0] == found
    assert units(Session(source))["names"][-2:] == ["first", "second"]


CHANGED = {
    "fall-damage": ("knight", "move", "5"),
    "gang-skirmish": ("ganger", "move-in", "8"),
    "falchion": ("drifter", "move-ft", "45"),
    "gatefall": ("archer", "speed", "4"),
}


@pytest.mark.parametrize("rules", GAMES)
def test_maps_own_unit_reaches_like_the_changed_unit(rules: str) -> None:
    like, key, value = CHANGED[rules]
    map_ = FORGE.loads(text(rules, f"mine like {like} {{ {key} {value} }}"))
    position = FORGE.position(map_)
    changed = position.unit(like, **{key.replace("-", "_"): int(value)})
    assert position.reach("mine", "B1").surfaces == changed.reach("B1").surfaces
    assert "mine" in {name for group in position.classes for name in group.units}


def test_every_error_of_own_units_is_reported_once_at_its_line() -> None:
    assert codes(text("gang-skirmish", "a like scout { move-inn 8 }")) == [("FDF369", "move-inn")]
    assert codes(text("gang-skirmish", "a { base-mm 900 }")) == [("FDF369", "base-mm")]
    assert codes(text("gang-skirmish", "a like scot")) == [("FDF369", "a like scot")]
    assert codes(text("gang-skirmish", "scout { }")) == [("FDF369", "scout")]
    assert codes(text("gang-skirmish", "a { }", "a { }")) == [("FDF107", "a")]
    assert codes(text("gang-skirmish", "a { moves 2 moves 2 }")) == [("FDF107", "moves")]
    assert codes(text("gang-skirmish", "a b { moves 2 }")) == [("FDF001", "a b")]
    assert codes(text("fall-damage", "a like knight { abilities 2 }")) == [("FDF369", "abilities")]
    twice = "a like knight { abilities bomb, bomb }"
    assert codes(text("fall-damage", twice)) == [("FDF369", "abilities")]
    for cut in ("abilities bomb,", "abilities ,bomb", "abilities bomb,, shove"):
        assert codes(text("fall-damage", f"a like knight {{ {cut} }}"))[0][0] == "FDF001"
    assert codes(text("fall-damage", "a { move 2 }"))[0] == ("FDF369", "a")


def test_own_units_are_ignored_by_another_ruleset(tmp_path: Any) -> None:
    file = tmp_path / "own.forge"
    file.write_text(text("gatefall", "scout like archer { reach 6 }"))
    assert "scout from B1" in typed("reach", file, "--unit", "scout", "--from", "B1").stdout
    with pytest.raises(ForgeError, match="no unit called `scout`"):
        FORGE.position(FORGE.load(file), "falchion").unit("scout")
    assert "\nscout" in typed("analyze", file).stdout


def test_lists_are_read_with_commas_or_refused() -> None:
    said = "abilities bomb ,shove,  spring-trap"
    source = text(
        "fall-damage", f"a like knight {{ {said}  move 2 }}", "b like a { abilities none }"
    )
    map_ = FORGE.loads(source)
    game, issues = FORGE.game(map_)
    assert issues == ()
    assert [one.name for one in game.units["a"].abilities] == ["Bomb", "Shove", "Spring Trap"]
    assert (game.units["a"].move, game.units["b"].abilities) == (2, ())
    neat = format_text(source, "x")
    assert "abilities bomb, shove, spring-trap" in neat
    assert format_text(neat, "x") == neat
    again = FORGE.loads(flatten(map_.layout))
    assert again.layout.units == map_.layout.units == FORGE.loads(neat).layout.units
    faults = FORGE.check(FORGE.loads(text("fall-damage", "a like knight { abilities bom }"))).issues
    (issue,) = (issue for issue in faults if issue.code == "FDF369")
    assert issue.hint is not None
    assert "`bomb`" in issue.hint


def test_a_listed_ability_is_that_of_the_cards() -> None:
    game = FORGE.game(FORGE.loads(text("fall-damage", "own like bard { abilities bomb }")))[0]
    (bomb,) = game.units["own"].abilities
    assert bomb in game.units["tinkerer"].abilities
    assert game.units["own"] != game.units["bard"]
