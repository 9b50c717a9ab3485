"""Saved states and records: every key that is misspelt, missing or of another type is told."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import fields
from functools import cache
from typing import Any

import pytest

from falldamage_forge.games.fall_damage.play import BoardGame, legal_moves
from falldamage_forge.games.fall_damage.play.play_options import PlayOptions
from falldamage_forge.games.fall_damage.play.serialization import from_json, to_json
from falldamage_forge.games.fall_damage.play.split_mix import SplitMix64
from falldamage_forge.issues import ForgeError
from tests.amount import EXHAUSTIVE
from tests.cli.running import typed
from tests.games.play.goldens import golden_board
from tests.games.play.situations import situation, table_of
from tests.games.play.tables import KIT, small_board

Json = dict[str, Any]
Path = tuple[Any, ...]
OWN_NAMES = ("scars", "options", "starts")
"""Objects whose keys are names of the map's or the author's."""
FREE = ("options",)
MAY = ("map", "teams", "places", "seed", "moves", "undos", "result", "legal", "hash", "rolls")


STANDARD = [(item.name, item.default) for item in fields(PlayOptions) if type(item.default) is str]


@cache
def saved_text(seed: int) -> tuple[Any, str]:
    """A situation's arena and state, full of everything there is."""
    dice = random.Random(seed)
    table = table_of(dice, STANDARD)
    state = situation(dice, table)
    state.units[0].stats = (("A", 3),)
    state.units[0].used = ("bomb",)
    state.units[1].extra_ability = ("bomb", "gunner")
    state.units[1].promo_by = (0,)
    return table, json.dumps(to_json(state))


@cache
def record_text() -> str:
    game, dice = BoardGame(golden_board(), KIT, {"round_limit": 2}, seed=3), SplitMix64(5)
    for _ in range(90):
        game.push(dice.choice(game.legal_moves))
    return json.dumps(game.record(trace=True))


def places(value: Any, path: Path = ()) -> Iterator[Path]:
    """The place of everything in a value."""
    if path:
        yield path
    pairs: Any = ()
    if isinstance(value, dict):
        pairs = value.items()
    elif isinstance(value, list):
        pairs = enumerate(value)
    for key, item in pairs:
        yield from places(item, (*path, key))


def inside(value: Any, path: Path) -> Any:
    for step in path:
        value = value[step]
    return value


def name_of(path: Path) -> str:
    text = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path)
    return text.removeprefix(".")


def told(check: Any, document: Any) -> str:
    """What is said of a document that is refused."""
    with pytest.raises(ForgeError) as caught:
        check(document)
    return "\n".join(f"{i.code} {i.message} [{i.hint}]" for i in caught.value.issues)


def checks() -> dict[str, tuple[Any, Json]]:
    """Readers by name, each with a document it reads."""
    found: dict[str, tuple[Any, Json]] = {
        "record": (lambda x: BoardGame.from_record(x, KIT), json.loads(record_text()))
    }
    for seed in range(40 if EXHAUSTIVE else 3):
        table, text = saved_text(seed)
        found[f"state {seed}"] = (lambda x, table=table: from_json(table, x), json.loads(text))
    return found


CHECKS = checks()


def some(name: str, paths: list[Path]) -> list[Path]:
    """Places to change: of alike ones a few."""
    alike: dict[Any, list[Path]] = {}
    for path in paths:
        alike.setdefault(tuple("#" if isinstance(s, int) else s for s in path), []).append(path)
    dice = random.Random(name)
    most = 12 if EXHAUSTIVE else 2
    return [path for group in alike.values() for path in dice.sample(group, min(most, len(group)))]


def changed(document: Json, path: Path, *put: Any, into: str | None = None) -> Json:
    """A document with one thing taken out, and a value put there or the thing under another key."""
    copy: Json = json.loads(json.dumps(document))
    table = inside(copy, path[:-1])
    had = table.pop(path[-1]) if isinstance(table, dict) else table[path[-1]]
    if put or into:
        table[into or path[-1]] = put[0] if put else had
    return copy


@pytest.mark.parametrize("name", CHECKS)
def test_each_document_is_read(name: str) -> None:
    check, document = CHECKS[name]
    check(document)
    if name != "record":
        assert to_json(check(document)) == document


@pytest.mark.parametrize("name", CHECKS)
def test_misspelt_or_missing_key_is_reported_with_its_path(name: str) -> None:
    check, document = CHECKS[name]
    asked = 0
    for path in some(name, list(places(document))):
        key = path[-1]
        if isinstance(key, int) or (len(path) > 1 and path[-2] in OWN_NAMES):
            continue
        text = told(check, changed(document, path, into=f"{key}x"))
        place = name_of(path[:-1]) or "itself"
        assert f"`{place}`" in text and f"`{key}x`" in text and "known: " in text, text
        optional = key in MAY or (len(path) == 3 and path[0] == "units" and key not in NEEDED)
        if not optional:
            text = told(check, changed(document, path))
            assert f"`{place}`" in text and f"`{key}`" in text, text
        asked += 1
    assert asked > 8


NEEDED = ("side", "card", "at", "health", "max_health")
WRONG: tuple[Any, ...] = (3.5, {"no such": 1}, "no such thing", [[[]]], -7, None, True, 10**30)


@pytest.mark.parametrize("name", CHECKS)
def test_value_of_a_wrong_type_is_reported_with_its_path(name: str) -> None:
    check, document = CHECKS[name]
    for path in some(name, list(places(document))):
        if path[0] in FREE or (path[0] == "pending" and len(path) > 2):
            continue
        for wrong in WRONG[:2]:
            text = told(check, changed(document, path, wrong))
            assert f"`{name_of(path)}" in text, (path, wrong, text)


@pytest.mark.parametrize("name", CHECKS)
def test_any_stored_value_is_read_or_refused_with_a_message(name: str) -> None:
    """What is let through can be played on."""
    check, document = CHECKS[name]
    codes: set[str] = set()
    for path in some(name, list(places(document))):
        for wrong in WRONG:
            try:
                found = check(changed(document, path, wrong))
            except ForgeError as error:
                codes |= {issue.code for issue in error.issues}
            else:
                legal_moves(found.state if name == "record" else found)
    assert codes <= {"FDF381", "FDF382", "FDF384", "FDF320"}


def unit(n: int, **values: Any) -> Any:
    def change(saved: Json) -> None:
        saved["units"][n] |= values

    return change


def put(*path: Any, to: Any) -> Any:
    def change(saved: Json) -> None:
        inside(saved, path[:-1])[path[-1]] = to

    return change


CONTRADICTIONS = [
    (unit(0, card="dragon"), "units[0].card", "no card `dragon`"),
    (unit(0, items=["broom"]), "units[0].items[0]", "no item `broom`"),
    (unit(0, used=["flight"]), "units[0].used[0]", "no ability `flight`"),
    (unit(0, extra_ability=["flight", "knight"]), "units[0].extra_ability[0]", "flight"),
    (unit(0, extra_ability=["bomb", "dragon"]), "units[0].extra_ability[1]", "dragon"),
    (unit(0, promo_by=[99]), "units[0].promo_by[0]", "no unit 99"),
    (unit(0, stats=[["Q", 1]]), "units[0].stats[0][0]", "no value `Q`"),
    (unit(0, health=99), "units[0].health", "99 of at most"),
    (unit(0, health=0), "units[0].at", "no Health"),
    (unit(0, at="Z9@0"), "units[0].at", "not on a board"),
    (lambda s: s["units"][0].update(at=s["units"][1]["at"]), "units[1].at", "stands on"),
    (put("active", to=50), "active", "no unit 50"),
    (put("phase", to="over"), "result", "in the phase `over`"),
    (put("result", to="red"), "result", "`red` in the phase"),
    (put("seats", to=[1, 1]), "seats", "same seat"),
    (put("chests", to=["Z9@0"]), "chests[0]", "not on a board"),
    (put("scars", to={"deck 77": 1}), "scars", "no piece `deck 77`"),
    (put("land", "columns", to=[["0"]]), "land.columns", "1 rows and 1 columns"),
    (put("land", "columns", to=[["0"], []]), "land.columns", "not of one length"),
    (put("land", "decks", to=[None] * 39), "land.decks", "39 of them"),
    (put("pending", to=[["dance"]]), "pending[0][0]", "no task `dance`"),
    (put("pending", to=[["rest", 1]]), "pending[0]", "1 values of 2"),
    (put("pending", to=[["rest", "x", True]]), "pending[0][1]", "whole number"),
    (put("bodies", 0, "unit", to=99), "bodies[0].unit", "no unit 99"),
    (put("hidden", 0, "unit", to=99), "hidden[0].unit", "no unit 99"),
    (put("picks", to=[["dragon"], []]), "picks[0][0]", "no card `dragon`"),
]  # fmt: skip


@pytest.mark.parametrize(("change", "place", "words"), CONTRADICTIONS)
def test_contradictory_state_is_refused(change: Any, place: str, words: str) -> None:
    check, document = CHECKS["state 0"]
    copy = json.loads(json.dumps(document))
    change(copy)
    text = told(check, copy)
    assert f"`{place}`" in text and words in text


RECORDS = [
    (put("game", to=2), "game", "version 2 is not known"),
    (put("teams", to=[["dragon"], ["knight"]]), "teams[0][0]", "no card `dragon`"),
    (put("map", to="0" * 64), "map", "digest"),
    (put("board", "treasures", to=["Z9@0"]), "board.treasures[0]", "not on a board"),
    (put("places", to=[["Z9@0"], []]), "places[0][0]", "not on a board"),
    (put("board", "columns", to=[[]]), "board.columns", "not of one length"),
]


@pytest.mark.parametrize(("change", "place", "words"), RECORDS)
def test_impossible_record_is_refused(change: Any, place: str, words: str) -> None:
    check, document = CHECKS["record"]
    copy = json.loads(json.dumps(document))
    change(copy)
    text = told(check, copy)
    assert f"`{place}`" in text and words in text


@pytest.mark.parametrize("seed", [0, -1, 2**64 - 1, -(2**80)])
def test_any_whole_number_is_a_seed(seed: int) -> None:
    record = BoardGame(small_board(), KIT, seed=seed).record()
    assert BoardGame.from_record(json.loads(json.dumps(record)), KIT).record() == record


def test_all_errors_are_reported_together(tmp_path: Any) -> None:
    _, document = CHECKS["record"]
    broken = {**document, "seedd": 1, "result": "purple", "board": {**document["board"], "x": 1}}
    file = tmp_path / "game.json"
    file.write_text(json.dumps(broken), "utf-8")
    run = typed("replay", file)
    assert run.returncode == 1 and "Traceback" not in run.stderr
    said = " ".join(run.stderr.split())
    for word in ("`seedd`", "did you mean `seed`?", "`result`", "`board`", "`x`"):
        assert word in said


def test_a_state_of_another_map_is_refused() -> None:
    _, document = CHECKS["state 0"]
    game = BoardGame(small_board(), KIT)
    assert "land.columns" in told(game.resume, document)
