"""Worked situations: 66 by hand, and a comparer that can say no."""

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from falldamage_forge.games.fall_damage.options import FallDamageOptions
from falldamage_forge.games.fall_damage.play.conformance import conform
from tests.cli.running import typed
from tests.games.play.tables import KIT

FILE = Path(__file__).resolve().parents[2] / "data/game.json"
DOCUMENT = json.loads(FILE.read_text("utf-8"))
EXAMPLES = {example["id"]: example for example in DOCUMENT["examples"]}


@pytest.mark.parametrize("name", EXAMPLES)
def test_engine_agrees_with_worked_examples(name: str) -> None:
    (verdict,) = conform({"examples": [EXAMPLES[name]]}, FallDamageOptions(), KIT)
    assert verdict.differences == ()


def other(key: str, value: Any) -> Any:
    """Another value of the same form."""
    if key in ("to_act", "first", "winner"):
        return "blue" if value == "red" else "red"
    if key == "levels":
        return {tile: level + 1 for tile, level in value.items()}
    if key == "features":
        return {tile: "spire" if kind is None else None for tile, kind in value.items()}
    if key == "hidden":
        return [] if value else [{"side": "red", "kind": "aid", "tile": [0, 0]}]
    if key in ("bodies", "chests", "new_units"):
        return [] if value else [[0, 0, 0]]
    if key == "decks":
        return [*value, 7]
    return not value if isinstance(value, bool) else value + 77


def wrong(expect: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Each thing that is expected, alone and otherwise."""
    for key, value in expect.items():
        if key == "units":
            for unit, values in value.items():
                for name, had in values.items():
                    new = {"at": [0, 0, 0], "items": []}.get(name, 77)
                    changed = ["knife"] if name == "items" and new == had else new
                    if changed != had:
                        yield {"units": {unit: {name: changed}}}
        elif key in ("legal", "not_legal"):
            for step in value:
                yield {"legal" if key == "not_legal" else "not_legal": [step]}
        elif key == "dead":
            yield from ({"units": {unit: {"health": 5}}} for unit in value)
        else:
            yield {key: other(key, value)}


@pytest.mark.parametrize("name", [n for n in EXAMPLES if "perft" not in EXAMPLES[n]["expect"]])
def test_each_wrong_expectation_is_found(name: str) -> None:
    asked = 0
    for expect in wrong(EXAMPLES[name]["expect"]):
        (verdict,) = conform(
            {"examples": [{**EXAMPLES[name], "expect": expect}]}, FallDamageOptions(), KIT
        )
        assert verdict.differences and not verdict.issues, expect
        asked += 1
    assert asked


def test_a_wrong_number_of_lines_is_found() -> None:
    example = {**EXAMPLES[min(EXAMPLES)], "expect": {"perft": [0]}}
    (verdict,) = conform({"examples": [example]}, FallDamageOptions(), KIT)
    assert len(verdict.differences) == 1 and "expected [0]" in verdict.differences[0]


def test_conform_counts_and_lists_results(tmp_path: Path) -> None:
    run = typed("conform", FILE)
    assert (run.returncode, run.stdout) == (0, "66 of 66 agree\n")
    changed = copy.deepcopy(DOCUMENT)
    changed["examples"][8]["expect"]["units"]["b"]["health"] = 3
    mine = tmp_path / "mine.json"
    mine.write_text(json.dumps(changed), "utf-8")
    run = typed("conform", mine)
    assert run.returncode == 1
    assert "A01" in run.stdout and "b: health is 2, expected 3" in run.stdout
    assert run.stdout.endswith("65 of 66 agree\n")
    told = json.loads(typed("conform", mine, "--json").stdout)
    assert (told["agree"], told["of"]) == (65, 66)
    assert [e["id"] for e in told["examples"] if not e["agrees"]] == ["A01"]


@pytest.mark.parametrize(
    "text", ["{", "[]", "{}", '{"examples": [3]}', '{"examples": [{"map": {"heights": [[0]]}}]}',
             '{"examples": [{"id": "x", "map": {"heights": [[0]]}, "units": [{"id": "a", "side": '
             '"red", "card": "dragon", "at": [0, 0, 0]}]}]}']
)  # fmt: skip
def test_file_of_another_form_is_refused_with_a_message(tmp_path: Path, text: str) -> None:
    bad = tmp_path / "bad.json"
    bad.write_text(text, "utf-8")
    run = typed("conform", bad)
    assert run.returncode == 1
    assert "FDF380" in run.stderr and "Traceback" not in run.stderr


def test_options_of_an_example_do_not_affect_others() -> None:
    example = copy.deepcopy(EXAMPLES["A01"])
    example["options"] = {"G14": "yes", "turn-size": "exactly_two", "edge": "void"}
    assert conform({"examples": [example]}, FallDamageOptions(), KIT)[0].differences == ()
    example["options"] = {"nonsense": "yes"}
    (verdict,) = conform({"examples": [example]}, FallDamageOptions(), KIT)
    assert any("nonsense" in issue.message for issue in verdict.issues)
