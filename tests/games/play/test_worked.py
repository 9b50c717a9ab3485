"""Worked situations: 66 by hand, and a comparer that can say no."""

import copy
import json
from pathlib import Path

import pytest

from falldamage_forge.games.fall_damage.options import Options
from falldamage_forge.games.fall_damage.play.conform import conform
from falldamage_forge.issues import ForgeError
from tests.cli.running import typed
from tests.games.play.tables import KIT

FILE = Path(__file__).resolve().parents[2] / "data/game.json"
DOCUMENT = json.loads(FILE.read_text("utf-8"))
EXAMPLES = {example["id"]: example for example in DOCUMENT["examples"]}


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_engine_plays_as_worked_out_by_hand(name: str) -> None:
    (verdict,) = conform({"examples": [EXAMPLES[name]]}, Options(), KIT)
    assert verdict.differences == ()


def wrong(expect: dict[str, object]) -> dict[str, object]:
    """What is expected, one value of it changed."""
    changed = copy.deepcopy(expect)
    for key, value in changed.items():
        if key == "units" and isinstance(value, dict):
            unit = next(iter(value.values()))
            name = next(iter(unit))
            unit[name] = [9, 9, 9] if name in ("at", "items") else 77
        elif key in ("legal", "not_legal"):
            other = "legal" if key == "not_legal" else "not_legal"
            return {other: value}
        elif key == "dead":
            return {"units": {unit: {"health": 5} for unit in value}}  # type: ignore[attr-defined]
        else:
            changed[key] = "something else" if isinstance(value, str | bool) or not value else None
        return {key: changed[key]}
    raise AssertionError("nothing is expected")


@pytest.mark.parametrize("name", [n for n in EXAMPLES if "perft" not in EXAMPLES[n]["expect"]])
def test_a_wrong_expectation_is_found(name: str) -> None:
    example = dict(EXAMPLES[name])
    example["expect"] = wrong(example["expect"])
    if example["expect"].get("levels") or example["expect"].get("features"):
        example["expect"] = {"round": 99}
    if None in example["expect"].values():
        example["expect"] = {"round": 99}
    (verdict,) = conform({"examples": [example]}, Options(), KIT)
    assert verdict.differences


def test_the_command_counts_and_tells(tmp_path: Path) -> None:
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
def test_what_is_no_such_file_is_refused_in_words(tmp_path: Path, text: str) -> None:
    bad = tmp_path / "bad.json"
    bad.write_text(text, "utf-8")
    run = typed("conform", bad)
    assert run.returncode == 1
    assert "FDF380" in run.stderr and "Traceback" not in run.stderr


def test_options_of_an_example_hold_for_it_alone() -> None:
    example = copy.deepcopy(EXAMPLES["A01"])
    example["options"] = {"G14": "yes", "turn-size": "exactly_two", "edge": "void"}
    assert conform({"examples": [example]}, Options(), KIT)[0].differences == ()
    example["options"] = {"nonsense": "yes"}
    with pytest.raises(ForgeError, match="nonsense"):
        conform({"examples": [example]}, Options(), KIT)
