"""What is shown with an answer: places of a failure, titles of units, examples of types."""

from collections.abc import Sequence
from dataclasses import fields
from fractions import Fraction
from typing import Annotated, Literal

import pytest

import falldamage_forge as ff
from falldamage_forge.board import Tile
from falldamage_forge.board.surfaces import Surface
from falldamage_forge.issues import ForgeError
from falldamage_forge.library.forge import Forge
from falldamage_forge.presets import load_rules
from falldamage_forge.rules.argument_types import UM, WAY
from falldamage_forge.rules.lead_margin import Lead
from falldamage_forge.rules.query_registry import example, format_mm, to_json_value

MAP = "forge 1\nstack C3..G3 height 4\nstart red at B1..I1\nstart blue at B10..I10\n{}"


def test_failed_metric_names_its_tiles() -> None:
    metrics = {metric.name: metric for metric in ff.analyze(ff.loads(MAP.format(""), "x")).metrics}
    failing = [name for name, metric in metrics.items() if metric.verdict in ("warn", "bad")]
    assert any(metrics[name].tiles for name in failing)
    counted = 0
    for name in failing:
        words = name if " " not in name else name.replace(" ", "-")
        found = ff.check(ff.loads(MAP.format(f"expect good {words}\n"), "x")).issues
        told = [issue for issue in found if issue.code == "FDF331"]
        counted += bool(told and told[0].tiles)
        for issue in told:
            assert metrics[name].text in issue.message and issue.tiles == metrics[name].tiles
    assert counted


@pytest.mark.parametrize("rules", ["fall-damage", "gang-skirmish", "falchion", "gatefall"])
def test_a_units_title_is_its_name_in_words(rules: str) -> None:
    first = next(iter(load_rules(rules).units))
    said = f"rules {rules}\nunits {{\n  old_iron-hand like {first}\n}}\n"
    text = f"forge 1\n{said}" + MAP.format("")[8:]
    forge = Forge()
    game, issues = forge.game(forge.loads(text))
    assert not [issue for issue in issues if issue.severity == "error"]
    unit = game.units["old_iron-hand"]
    titled = "title" in {item.name for item in fields(unit)}
    assert titled == (rules == "fall-damage")
    assert not titled or unit.title == "Old iron hand"


@pytest.mark.parametrize(
    ("hint", "shown"),
    [
        (int, "N"), (str, "WORD"), (bool, "yes|no"), (Fraction, "1/2"), (Tile, "E5"),
        (Surface, "E5@2"), (Annotated[int, "a count"], "N"), (Annotated[int, UM], "30mm"),
        (Annotated[tuple[int, int], WAY], "north|east|south|west"), (int | None, "N"),
        (Literal["a_b", "c"], "a-b|c"), (Sequence[Tile], "E5,…"), (ForgeError, "UNIT"),
    ],
)  # fmt: skip
def test_example_text_has_its_type(hint: object, shown: str) -> None:
    assert example(hint) == shown


def test_values_are_plain() -> None:
    assert to_json_value({Tile(0, 0): Fraction(1, 3), "x": {Tile(1, 1), Tile(0, 1)}}) == {
        "A1": "1/3",
        "x": ["B1", "B2"],
    }
    assert [format_mm(um) for um in (0, 1, 500, 30_000, 25_400)] == [
        "0",
        "0.001",
        "0.5",
        "30",
        "25.4",
    ]


def test_lead_is_reported_with_its_fair_margin() -> None:
    assert Lead("contact", "red", "x", 2.0, 1.0, "turns").told == "2 turns (fair: up to 1)"
    assert Lead("control", "red", "x", 0.25, 0.1, "%").told == "25% (fair: up to 10%)"
