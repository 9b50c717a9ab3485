"""No message about a file of a game has text of a Python exception, and each names its place.

Every key of a conformance case, a saved game and a record gets values of wrong types and names
that do not exist.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from falldamage_forge.games.fall_damage.options import FallDamageOptions
from falldamage_forge.games.fall_damage.play import BoardGame
from falldamage_forge.games.fall_damage.play.conformance import conform
from falldamage_forge.games.fall_damage.play.serialization import from_json
from falldamage_forge.games.fall_damage.play.vocabulary import names_table
from falldamage_forge.issues import ForgeError, Issue
from tests.amount import EXHAUSTIVE
from tests.cli.running import ROOT
from tests.games.play.tables import KIT
from tests.games.play.test_stored_form import changed, name_of, places, record_text, saved_text

PYTHON = re.compile(
    r"\w+(Error|Exception|Iteration)\b|Traceback|tuple|\bdict\b|\bNone\b|\bNoneType\b|<class"
    r"|object is not|object has no|not subscriptable|not iterable|unhashable|invalid literal"
    r"|out of range|unsupported operand|not supported between|unexpected keyword|positional"
    r"|too many values|not enough values|must be (an? )?(str|int|real|bytes)|__\w+__|\bint\("
)
"""Parts of Python's own messages."""
WRONG: tuple[Any, ...] = (
    None, True, -1, 3.5, 0, 7, 10**30, "", "no such name", "A1", [], [[]], [None], [-1, 0, 0],
    [99, 99, 99], {}, {"x": 1},
)  # fmt: skip
CASE: dict[str, Any] = {
    "id": "full",
    "title": "a case with every key",
    "map": {
        "heights": [[0, 0, 0, 0, 0], [0, 2, 0, 2, 0], [0, 0, 0, 0, 0], [0, 0, 0, 1, 0]],
        "water": [[0, 4]], "lava": [[2, 4]], "trees": [[2, 0]], "spires": [[3, 3]],
        "treasures": [[3, 0]],
        "decks": [{"a": [1, 1], "b": [1, 3], "level": 2, "damage": 1}],
        "ladders": [{"foot": [2, 1, 0], "top": [1, 1, 2]}],
    },
    "units": [
        {"id": "k", "side": "red", "card": "knight", "at": [0, 1, 0], "health": 5,
         "items": ["knife", "elixir"], "used": ["bomb"], "extra_ability": ["bomb", "tinkerer"],
         "attack_plus": 1, "lead_shoes": True, "activated": False},
        {"id": "b", "side": "blue", "card": "bandit", "at": [0, 2, 0], "promo_by": ["k"]},
    ],
    "options": {"edge": "void"},
    "state": {
        "round": 2, "first": "red", "to_act": "red", "activations_this_round": 0,
        "hidden": [{"side": "red", "kind": "spring", "tile": [3, 4]}],
        "bodies": [{"at": [3, 1, 0], "card": "archer", "side": "blue"}, [3, 2, 0]],
    },
    "chance": [],
    "do": [{"unit": "k"}, {"action": "attack", "target": "b"}, {"say": "end"}],
    "expect": {
        "legal": [{"unit": "b"}],
        "not_legal": [{"action": "attack", "terrain": "bridge 0"}, {"move": [0, 0, 0]}],
        "units": {"b": {"side": "blue", "at": [0, 3, 0], "promo_by": ["k"]}},
        "levels": {"1,1": 2}, "features": {"2,0": "tree"}, "decks": [2], "round": 2,
        "ladders": [{"foot": [2, 1], "top": [1, 1]}], "chests": [[3, 0, 0]],
        "hidden": [{"side": "red", "kind": "spring", "tile": [3, 4]}], "over": False,
        "winner": None,
    },
}  # fmt: skip
Read = Callable[[Any], tuple[Issue, ...]]


def case_issues(document: Any) -> tuple[Issue, ...]:
    (result,) = conform({"examples": [document]}, FallDamageOptions(), KIT)
    return result.issues


def caught(read: Callable[[Any], object]) -> Read:
    def issues(document: Any) -> tuple[Issue, ...]:
        try:
            read(document)
        except ForgeError as error:
            return error.issues
        return ()

    return issues


@cache
def readers() -> dict[str, tuple[Read, dict[str, Any]]]:
    table, saved = saved_text(0)
    return {
        "case": (case_issues, CASE),
        "saved game": (caught(lambda x: from_json(table, x)), json.loads(saved)),
        "record": (caught(lambda x: BoardGame.from_record(x, KIT)), json.loads(record_text())),
    }


def sample(name: str, document: Any) -> list[tuple[Any, ...]]:
    """Every place of a document; of the places that differ in numbers alone, a few."""
    alike: dict[Any, list[Any]] = {}
    for path in places(document):
        alike.setdefault(tuple("#" if isinstance(s, int) else s for s in path), []).append(path)
    dice, most = random.Random(name), 6 if EXHAUSTIVE or name == "case" else 1
    return [path for group in alike.values() for path in dice.sample(group, min(most, len(group)))]


@pytest.mark.parametrize("name", ["case", "saved game", "record"])
def test_no_message_about_a_wrong_value_is_of_python(name: str) -> None:
    read, document = readers()[name]
    assert read(document) == ()
    refused = 0
    for path in sample(name, document):
        for wrong in WRONG:
            for issue in read(changed(document, path, wrong)):
                refused += 1
                said = f"{issue.message} [{issue.hint or ''}]".replace(f"`{wrong}`", "")
                assert not PYTHON.search(said), (path, wrong, said)
                assert "fit together" not in said, f"no place is named: {path}, {wrong}"
    assert refused > 200


NAMES = [
    (("units", 0, "items", 0), "knif", "no item `knif`", "did you mean `knife`?"),
    (("units", 0, "used", 0), "bom", "no ability `bom`", "did you mean `bomb`?"),
    (("units", 0, "extra_ability", 0), "bom", "no ability `bom`", "did you mean `bomb`?"),
    (("units", 0, "extra_ability", 1), "tinker", "no card `tinker`", "did you mean `tinkerer`?"),
    (("units", 0, "card"), "knigt", "no card `knigt`", "did you mean `knight`?"),
    (("do", 1, "action"), "atack", "no action `atack`", "did you mean `attack`?"),
    (("do", 1, "target"), "c", "no unit `c`", "known: k, b"),
    (("expect", "not_legal", 0, "terrain"), "brige 0", "no terrain `brige 0`", "`bridge 0`?"),
    (("expect", "not_legal", 0, "terrain"), "deck 7", "no terrain `bridge 7`", "known: bridge 0"),
    (("options",), {"egde": "void"}, "egde", "did you mean `edge`?"),
    (("chance",), [{"coin": "heads"}], "`chance`: coin heads", "remove it"),
]


@pytest.mark.parametrize(("path", "value", "message", "hint"), NAMES)
def test_unknown_name_of_a_case_is_named_with_the_nearest(
    path: tuple[Any, ...], value: Any, message: str, hint: str
) -> None:
    document = changed(CASE, path, value)
    if path == ("chance",):
        document["state"] = {"force_treasure": "k"} | document["state"]
        document["chance"] = [{"die": 1}, {"coin": "heads"}]
        document["map"]["treasures"] = [[0, 1]]
    (issue,) = case_issues(document)
    assert message in issue.message and hint in str(issue.hint), (issue.message, issue.hint)
    if path not in (("options",), ("chance",)):
        assert f"`{name_of(path)}`" in issue.message


ALIASES = [
    ("knife", "assassins-knife"), ("quicksand", "quicksand-urn"),
    ("throw-potion", "throw potion"), ("attack-rooted", "attack rooted"), ("bridge 0", "deck 0"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "alias"), ALIASES)
def test_earlier_spelling_of_a_case_means_the_same(name: str, alias: str) -> None:
    from falldamage_forge.games.fall_damage.play.vocabulary import action_name, terrain_name

    read = terrain_name if " 0" in name else action_name
    assert read(alias) == read(name) == name


@pytest.mark.parametrize("piece", ["bridge 0", "deck 0"])
def test_a_move_names_a_bridge_as_the_map_does(piece: str) -> None:
    case = {key: value for key, value in CASE.items() if key not in ("state", "do", "expect")}
    case["units"] = [
        {"id": "k", "side": "red", "card": "knight", "at": [1, 1, 2]},
        {"id": "b", "side": "blue", "card": "bandit", "at": [3, 4, 0]},
    ]
    for step in ({"say": f"attack {piece} C2@2"}, {"action": "attack", "terrain": piece}):
        case["do"], case["expect"] = [{"unit": "k"}, step], {"not_legal": [step]}
        (result,) = conform({"examples": [case]}, FallDamageOptions(), KIT)
        assert result.agrees, (result.differences, result.issues)


def test_targets_and_cases_have_one_vocabulary() -> None:
    from falldamage_forge.games.fall_damage.ability_queries.ability_table import ABILITIES
    from falldamage_forge.games.fall_damage.play.vocabulary import ACTIONS, items_of

    treasure = {result.name for result in KIT.treasure.values()}
    assert ABILITIES.keys() - {"attack"} <= KIT.abilities.keys() | treasure
    assert {*items_of(KIT)} <= treasure
    assert {*ACTIONS} - {"attack", "attack-rooted"} <= KIT.abilities.keys() | treasure


def test_docs_list_the_names_of_the_tables() -> None:
    page = (ROOT / "docs" / "game.md").read_text("utf-8")
    listed = page.partition("<!-- names -->\n")[2].partition("\n<!-- end of names -->")[0]
    assert listed.strip() == names_table(KIT)
