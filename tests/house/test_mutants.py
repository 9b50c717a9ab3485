"""The sampler of mutants asks as it says, and knows the room of every file it is set on."""

import fnmatch
import tomllib

import pytest

from tests import mutants
from tests.cli.running import ROOT

SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["mutmut"]
SOURCES = [path.relative_to(ROOT).as_posix() for path in (ROOT / mutants.PACKAGE).rglob("*.py")]


@pytest.mark.parametrize("pattern", SETTINGS["only_mutate"])
def test_every_pattern_finds_files_that_have_a_room(pattern: str) -> None:
    found = fnmatch.filter(SOURCES, pattern)
    assert found
    for path in found:
        name = path.removesuffix(".py").replace("/", ".") + ".x_function__mutmut_1"
        assert mutants.room_of(name) in mutants.ROOMS


def test_the_innermost_room_counts() -> None:
    game = f"{mutants.PACKAGE}.games.fall_damage"
    assert mutants.room_of(f"{game}.play.walk.x_f__mutmut_1") == "play"
    assert mutants.room_of(f"{game}.push.x_f__mutmut_1") == "fall-damage"
    assert mutants.room_of(f"{mutants.PACKAGE}.games.spots.x_f__mutmut_1") == "games"


def test_an_interval_holds_its_share_and_narrows() -> None:
    for killed, asked in ((0, 10), (5, 10), (10, 10), (90, 100)):
        low, high = mutants.interval(killed, asked)
        wide = mutants.interval(killed, asked)[1] - mutants.interval(killed, asked)[0]
        narrow = mutants.interval(9 * killed, 9 * asked)
        assert -1e-9 <= low <= killed / asked <= high <= 1 + 1e-9
        assert narrow[1] - narrow[0] < wide
    assert mutants.interval(90, 100) == pytest.approx((0.8256, 0.9448), abs=1e-3)


def test_every_test_is_asked_once_before_any_is_asked_twice() -> None:
    tests = {"a.py::one[1]": 0.1, "a.py::one[2]": 0.2, "a.py::two": 0.5, "b.py::slow": 2.0}
    once = ["a.py::one[1]", "a.py::two", "b.py::slow", "a.py::one[2]"]
    assert mutants.in_order(tests, 9) == once
    assert mutants.in_order({"a": 1.0, "b": 5.0, "c": 2.0}, 8) == ["a", "c"]
    assert mutants.in_order({"alone": 9.0}, 4) == ["alone"]
    assert mutants.in_order({}, 4) == []


def test_kept_answers_have_half_of_the_time_and_quick_tests_come_first() -> None:
    kept = {f"kept.py::it[{number}]": 1.0 + number / 10 for number in range(5)}
    tests = {"x.py::quick": 0.01, "x.py::slow": 3.0, **kept}
    assert mutants.in_order(tests, 8) == ["x.py::quick", *list(kept)[:3], "x.py::slow"]


def test_a_later_sample_shares_nothing_with_the_one_before(monkeypatch: pytest.MonkeyPatch) -> None:
    names = [f"{mutants.PACKAGE}.rules.engine.x_f__mutmut_{number}" for number in range(90)]
    monkeypatch.setattr(mutants, "mutants", lambda: names)
    parts = [mutants.drawn("rules", 30, after) for after in (0, 30, 60)]
    assert sorted(name for part in parts for name in part) == sorted(names)
    assert mutants.drawn("rules", 60)[30:] == parts[1]
    assert mutants.drawn("play", 30) == []


def test_what_imports_call_is_asked_of_its_folder() -> None:
    calls = mutants.Calls()
    game = f"{mutants.PACKAGE}.games.fall_damage"
    calls.tests = {f"{game}.push.x_f": {"a": 0.1}, f"{game}.play.walk.x_g": {"b": 0.2},
                   f"{mutants.PACKAGE}.rules.engine.x_h": {"c": 0.3}}  # fmt: skip
    calls.importing = {f"{game}.zones.x_made"}
    assert calls.whole() == {**calls.tests, f"{game}.zones.x_made": {"a": 0.1, "b": 0.2}}
