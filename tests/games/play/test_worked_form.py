"""The form of worked situations: each key that is misspelt, missing or of another type is told."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from falldamage_forge.games.fall_damage.options import FallDamageOptions
from falldamage_forge.games.fall_damage.play import case_form
from falldamage_forge.games.fall_damage.play.conformance import CaseResult, conform
from falldamage_forge.games.fall_damage.play.json_form import Form
from falldamage_forge.games.fall_damage.play.state_value import Unit
from falldamage_forge.issues import ForgeError
from tests.amount import EXHAUSTIVE
from tests.cli.running import typed
from tests.games.play.tables import KIT

Json = dict[str, Any]
Path_ = tuple[Any, ...]

CONDITION = {
    **dict.fromkeys(case_form.COUNTS, 1), **dict.fromkeys(case_form.FLAGS, False),
    "items": ["knife"],
    "used": [], "promo_by": ["b"], "extra_ability": None,
}  # fmt: skip
STEPS: list[Json] = [
    {"unit": "a"}, {"move": [0, 1, 0]}, {"end": True}, {"end_turn": True}, {"wind": "east"},
    {"trap_landing": [0, 0, 0]}, {"treasure": "a"}, {"hand_on": "b"}, {"hand_on": None},
    {"say": "end"},
    {"action": "attack", "target": "b", "targets": ["b"], "at": [0, 1], "direction": "north",
     "terrain": [0, 1], "bodies": [[1, 0, 0]]},
    {"action": "attack", "terrain": "deck 0", "at": [0, 1, 0]},
]  # fmt: skip
FULL: Json = {
    "id": "full", "title": "every key", "note": "", "rule": "", "sentence": "", "why": "",
    "options": {"auto_end": "no"},
    "map": {
        "heights": [[0, 0, 3, 3], [0, 0, 0, 3]],
        "lava": [[1, 0]], "water": [[1, 1]], "trees": [[1, 2]], "spires": [], "treasures": [[0, 1]],
        "decks": [{"a": [0, 2], "b": [0, 3], "level": 3, "damage": 1}],
        "ladders": [{"foot": [0, 1], "top": [0, 2, 3]}],
    },
    "units": [
        {"id": "a", "side": "red", "card": "knight", "at": [0, 0, 0], **CONDITION},
        {"id": "b", "side": "blue", "card": "archer", "at": [0, 1, 0]},
    ],
    "state": {
        "round": 1, "first": "red", "to_act": "red", "activations_this_round": 0,
        "hidden": [{"side": "red", "kind": "spring", "tile": [1, 1]}],
        "bodies": [[1, 0, 0], {"at": [1, 1, 0], "card": "medic", "side": "blue"}],
        "force_treasure": "a",
    },
    "chance": [{"coin": "heads"}, {"die": 1}],
    "do": STEPS,
    "expect": {
        "legal": STEPS[:2], "not_legal": [STEPS[-1]],
        "units": {"a": {"at": [0, 0, 0], "card": "knight", "side": "red", **CONDITION}},
        "dead": ["b"], "bodies": [[1, 0, 0], {"at": [1, 1, 0], "card": "medic", "side": "blue"}],
        "new_units": [{"side": "red", "card": "skeleton", "at": [0, 0, 0], "health": 4}],
        "chests": [[0, 1, 0]], "hidden": [{"side": "red", "kind": "aid", "tile": [1, 1]}],
        "levels": {"0,1": 0}, "features": {"1,2": "tree"}, "decks": [3],
        "ladders": [{"foot": [0, 1], "top": [0, 2, 3]}], "round": 1, "to_act": "red",
        "first": "red", "over": False, "winner": None, "perft": [1],
    },
}  # fmt: skip
OWN_NAMES = {("options",), ("expect", "units"), ("expect", "levels"), ("expect", "features")}
"""Objects whose keys are names, not keys of the format."""


def form_of(path: Path_, value: Json) -> Form | None:
    """The form of an object of FULL by its place; None where its keys are names."""
    if path in OWN_NAMES:
        return None
    if path[:2] == ("expect", "units"):
        return case_form.UNIT_THEN
    if path and isinstance(path[-1], int):
        name = path[-2]
        if name in ("do", "legal", "not_legal", "chance"):
            forms = (case_form.CHANCE if name == "chance" else case_form.STEP).forms
            return next(form for kind, form in forms.items() if kind in value)
        return {
            "units": case_form.UNIT, "decks": case_form.DECK, "ladders": case_form.LADDER,
            "hidden": case_form.HIDDEN, "bodies": case_form.BODY, "new_units": case_form.NEW_UNIT,
        }[name]  # fmt: skip
    return {
        (): case_form.EXAMPLE, ("map",): case_form.MAP, ("state",): case_form.STATE,
        ("expect",): case_form.EXPECT,
    }[path]  # fmt: skip


def objects(value: Any, path: Path_ = ()) -> Iterator[tuple[Path_, Json]]:
    """Every object in a value, with its path."""
    if isinstance(value, dict):
        yield path, value
    pairs = value.items() if isinstance(value, dict) else enumerate(value)
    for key, item in pairs:
        if isinstance(item, dict | list):
            yield from objects(item, (*path, key))


def changed(path: Path_, key: str, *put: Any, into: str | None = None) -> Json:
    """FULL with one key taken out, and a value put in its place or under another key."""
    found: Json = json.loads(json.dumps(FULL))
    table: Any = found
    for step in path:
        table = table[step]
    had = table.pop(key)
    if put or into:
        table[into or key] = put[0] if put else had
    return found


def judged(example: Json) -> CaseResult:
    (verdict,) = conform({"examples": [example]}, FallDamageOptions(), KIT)
    return verdict


def told(example: Json) -> str:
    """What is said of an example that cannot be read."""
    verdict = judged(example)
    assert verdict.issues and not verdict.agrees and not verdict.differences
    return "\n".join(f"{issue.message} [{issue.hint}]" for issue in verdict.issues)


def name_of(path: Path_) -> str:
    """A path as messages write it."""
    text = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path)
    return text.removeprefix(".")


def label(value: Any) -> str:
    """Part of a test's name."""
    return name_of(value) or "top" if isinstance(value, tuple) else str(value)


KEYS = [(path, key) for path, value in objects(FULL) for key in value]


def test_sample_document_has_every_key() -> None:
    assert case_form.problems(FULL, KIT) == ()
    seen: dict[int, set[str]] = defaultdict(set)
    forms: dict[int, Form] = {}
    for path, value in objects(FULL):
        form = form_of(path, value)
        if form is not None:
            forms[id(form)] = form
            seen[id(form)] |= set(value)
    for at, form in forms.items():
        assert seen[at] == {*form.must, *form.may}, form.what
    known = {id(form) for form in vars(case_form).values() if isinstance(form, Form)}
    known |= {id(form) for one in (case_form.STEP, case_form.CHANCE) for form in one.forms.values()}
    assert known == set(forms)
    assert all(hasattr(Unit(0, "knight"), key) for key in case_form.CONDITION)


@pytest.mark.parametrize(("path", "key"), KEYS, ids=label)
def test_misspelt_key_is_reported_with_path_and_known_keys(path: Path_, key: str) -> None:
    wrong = f"{key}x"
    text = told(changed(path, key, into=wrong))
    assert f"`{wrong}`" in text or wrong in text
    if path == ("options",):
        return
    assert name_of(path) in text
    if path not in OWN_NAMES:
        assert "known: " in text and key in text.partition("known: ")[2]


@pytest.mark.parametrize(("path", "key"), KEYS, ids=label)
def test_value_of_another_type_is_reported_with_its_path(path: Path_, key: str) -> None:
    for wrong in (3.5, {"no such": 1}):
        text = told(changed(path, key, wrong))
        assert "options" in (*path, key) or name_of((*path, key)) in text


NEEDED = [(path, key) for path, value in objects(FULL) if (form := form_of(path, value))
          for key in form.must]  # fmt: skip


@pytest.mark.parametrize(("path", "key"), NEEDED, ids=label)
def test_missing_key_is_reported(path: Path_, key: str) -> None:
    text = told(changed(path, key))
    assert key in re.findall(r"\w+", text) and name_of(path) in text


WRONG_NAMES = [
    (("units", 0), "card", "dragon", "no card `dragon`"),
    (("units", 1), "id", "a", "two units have the id `a`"),
    (("do", 0), "unit", "z", "no unit `z`"),
    (("do", 10), "target", "z", "no unit `z`"),
    (("do", 10), "targets", ["b", "z"], "no unit `z`"),
    (("expect",), "dead", ["z"], "no unit `z`"),
    (("state",), "force_treasure", "z", "no unit `z`"),
    (("units", 0), "at", [0, 9, 0], "is not on the map"),
    (("map",), "trees", [[7, 0]], "is not on the map"),
    (("expect",), "levels", {"7,0": 1}, "is not on the map"),
    (("map",), "heights", [[0], [0, 0]], "not of one length"),
    (("map",), "heights", [], "not of one length"),
    ((), "expect", {}, "nothing is expected"),
]


@pytest.mark.parametrize(("path", "key", "value", "words"), WRONG_NAMES)
def test_reference_to_a_missing_unit_is_reported(
    path: Path_, key: str, value: Any, words: str
) -> None:
    assert words in told(changed(path, key, value))


# -- the rest goes on ------------------------------------------------------------------------------

GOOD: Json = {
    "id": "good", "map": {"heights": [[0, 0, 0]]},
    "units": [{"id": "k", "side": "red", "card": "knight", "at": [0, 0, 0]},
              {"id": "b", "side": "blue", "card": "bandit", "at": [0, 1, 0]}],
    "do": [{"unit": "k"}, {"action": "attack", "target": "b"}],
    "expect": {"units": {"b": {"health": 2}}},
}  # fmt: skip


@pytest.mark.parametrize("at", range(3))
def test_unreadable_example_does_not_stop_the_others(tmp_path: Path, at: int) -> None:
    examples: list[Any] = [GOOD, {**GOOD, "expect": {"units": {"b": {"health": 4}}}}]
    examples.insert(at, {**GOOD, "id": "mine", "expect": {"roundd": 2}})
    file = tmp_path / "cases.json"
    file.write_text(json.dumps({"examples": examples}), "utf-8")
    run = typed("conform", file)
    assert run.returncode == 1
    assert run.stdout.endswith("1 of 3 agree, 1 cannot be read\n")
    assert "b: health is 2, expected 4" in run.stdout and "mine  : cannot be read" in run.stdout
    for word in ("FDF380", str(file), "mine", "`expect`", "`roundd`", "did you mean `round`?"):
        assert word in run.stderr.replace("\n", " ")
    document = json.loads(typed("conform", file, "--json").stdout)
    assert (document["agree"], document["of"], document["unreadable"]) == (1, 3, 1)
    assert [bool(one["problems"]) for one in document["examples"]].index(True) == at


def test_unknown_option_is_reported_for_its_example_only() -> None:
    verdicts = conform({"examples": [{**GOOD, "options": {"nonsense": "yes"}}, GOOD]},
                       FallDamageOptions(), KIT)  # fmt: skip
    assert [one.agrees for one in verdicts] == [False, True]
    assert {issue.code for issue in verdicts[0].issues} == {"FDF320"}
    assert "example good" in verdicts[0].issues[0].message


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 99) | st.floats(allow_nan=False)
    | st.sampled_from(("a", "b", "red", "knight", "0,1", "tree", "attack", "")),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(st.sampled_from([key for _, key in KEYS]), inner, max_size=3),
    max_leaves=6,
)  # fmt: skip


@settings(max_examples=2000 if EXHAUSTIVE else 150)
@given(st.sampled_from(KEYS), JSON)
def test_no_document_raises_an_exception(place: tuple[Path_, str], value: Any) -> None:
    assert isinstance(judged(changed(*place, value)), CaseResult)
    assert judged(value).issues or isinstance(value, dict)


@given(JSON)
def test_a_document_without_examples_is_refused(value: Any) -> None:
    with pytest.raises(ForgeError, match="examples"):
        conform(value if isinstance(value, dict) else {"examples": None}, FallDamageOptions(), KIT)


# -- keys that were unknown ------------------------------------------------------------------------


@pytest.mark.parametrize(("to", "plus"), [("k", {"m": 0, "k": 3}), (None, {"m": 0, "k": 0})])
def test_unusable_item_is_passed_on_or_lost(to: str | None, plus: dict[str, int]) -> None:
    """ "then it can go to the nearest applicable teammate as an Action on pickup" """
    example = {
        "map": {"heights": [[0, 0, 0, 0, 0]], "treasures": [[0, 1]]},
        "units": [{"id": "m", "side": "red", "card": "medic", "at": [0, 0, 0]},
                  {"id": "k", "side": "red", "card": "knight", "at": [0, 3, 0]},
                  {"id": "x", "side": "blue", "card": "archer", "at": [0, 4, 0]}],
        "chance": [{"die": 1}, {"die": 1}],
        "do": [{"unit": "m"}, {"move": [0, 1, 0]}, {"hand_on": to}],
        "expect": {"units": {name: {"attack_plus": n} for name, n in plus.items()}, "chests": []},
    }  # fmt: skip
    assert judged(example).differences == () and judged(example).agrees
    example["do"][-1] = {"hand_on": "x"}  # type: ignore[index]
    assert judged(example).differences == ("hand_on x is not legal",)


@pytest.mark.parametrize(
    ("expected", "agrees"),
    [
        ([[0, 1, 0], [0, 2, 0]], True), ([[0, 2, 0], [0, 1, 0]], True), ([[0, 1, 0]], False),
        ([{"at": [0, 1, 0], "card": "medic"}, [0, 2, 0]], True),
        ([{"at": [0, 1, 0], "card": "knight"}, [0, 2, 0]], False),
        ([{"at": [0, 1, 0], "side": "blue"}, {"at": [0, 2, 0], "card": "knight"}], True),
        ([{"at": [0, 1, 0], "side": "red"}, [0, 2, 0]], False),
    ],
)  # fmt: skip
def test_bodies_have_a_card_and_a_side(expected: list[Any], agrees: bool) -> None:
    bodies = [{"at": [0, 1, 0], "card": "medic", "side": "blue"}, [0, 2, 0]]
    units = [GOOD["units"][0], {**GOOD["units"][1], "at": [0, 3, 0]}]
    example = {"map": {"heights": [[0] * 4]}, "units": units, "state": {"bodies": bodies},
               "expect": {"bodies": expected}}  # fmt: skip
    assert judged(example).agrees is agrees
    assert not judged(example).issues


@pytest.mark.parametrize(
    ("expected", "agrees"),
    [
        ([{"foot": [0, 1], "top": [0, 2]}], True), ([], False),
        ([{"foot": [0, 1, 0], "top": [0, 2, 3]}], True),
        ([{"foot": [0, 1, 1], "top": [0, 2, 3]}], False),
        ([{"foot": [0, 2], "top": [0, 1]}], False),
    ],
)  # fmt: skip
def test_expectation_may_list_ladders(expected: list[Any], agrees: bool) -> None:
    example = {
        **GOOD, "do": [], "expect": {"ladders": expected},
        "map": {"heights": [[0, 0, 3]], "ladders": [{"foot": [0, 1], "top": [0, 2]}]},
    }  # fmt: skip
    assert judged(example).agrees is agrees
    assert not judged(example).issues
