"""The sampler of mutants asks as it says, and knows the room of every file and its tests."""

from collections import Counter
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests import mutants
from tests.cli.running import ROOT

PACKAGE = ROOT / mutants.PACKAGE
SOURCES = [path.relative_to(PACKAGE).as_posix() for path in PACKAGE.rglob("*.py")]


def test_every_file_has_a_room_and_every_room_files() -> None:
    assert set(map(mutants.room_of, SOURCES)) == set(mutants.ROOMS)


@pytest.mark.parametrize("room", mutants.ROOMS)
def test_every_room_names_tests_that_there_are(room: str) -> None:
    words = [word.removeprefix("--ignore=") for word in mutants.selection(room)]
    for word in words:
        file, _, test = word.partition("::")
        assert (ROOT / file).exists()
        assert not test or f"\ndef {test}(" in (ROOT / file).read_text("utf-8")
    assert words
    assert max(Counter(words).values()) == 1


def test_the_innermost_room_counts() -> None:
    assert mutants.room_of("games/fall_damage/play/walk.py") == "play"
    assert mutants.room_of("games/fall_damage/push.py") == "fall-damage"
    assert mutants.room_of("games/registry.py") == "games"
    assert mutants.room_of("forge.py") == "library"


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
    assert mutants.in_order({"a": 1.0, "b": 5.0, "c": 2.0}, 7) == ["a", "c"]
    assert mutants.in_order({"alone": 9.0}, 4) == ["alone"]
    assert mutants.in_order({}, 4) == []


def test_snapshots_come_last_in_at_most_half_of_the_time_and_quick_tests_first() -> None:
    kept = {f"{mutants.SNAPSHOTS}::it[{number}]": 1.0 + number / 10 for number in range(5)}
    tests = {"x.py::slow": 3.0, "x.py::quick": 0.01, **kept}
    assert mutants.in_order(tests, 8) == ["x.py::quick", "x.py::slow", *list(kept)[:3]]


def test_a_later_sample_shares_nothing_with_the_one_before() -> None:
    names = [f"{mutants.PACKAGE}.rules.engine.x_f__mutmut_{number}" for number in range(90)]
    parts = [mutants.drawn(names, 30, after) for after in (0, 30, 60)]
    assert sorted(name for part in parts for name in part) == sorted(names)
    assert mutants.drawn(names[::-1], 60)[30:] == parts[1]


def test_a_sample_of_all_rooms_is_in_proportion_with_a_few_of_each() -> None:
    sizes = {"small": 5, "middle": 1000, "large": 3000}
    found = mutants.shares(sizes, 84)
    assert found == {"small": mutants.FEWEST, "middle": 20, "large": 60}
    assert mutants.shares(sizes, 3) == dict.fromkeys(sizes, mutants.FEWEST)


def test_lines_of_a_function_are_found_by_its_name_in_mutmut() -> None:
    text = "def f():\n    return 1\n\n\nclass A:\n    def f(self):\n        return 2\n"
    assert mutants.lines_of(text, {"x_f"}) == {1, 2}
    assert mutants.lines_of(text, {"xǁAǁf", "x_g"}) == {6, 7}


def test_a_row_counts_the_mutants_of_its_room() -> None:
    names = [f"{mutants.PACKAGE}.{module}.x_f__mutmut_1" for module in ("rules.a", "lang.b")]
    assert [mutants.room_of_mutant(name) for name in names] == ["rules", "lang"]
    verdicts = dict(zip(names, ("killed", "survived"), strict=True))
    assert mutants.line("rules", names, {names[0]: "snapshot"}).startswith(
        "| rules | 1 | 1 | 1 | 1"
    )
    assert mutants.line(mutants.ALL, names, verdicts) == "| all | 2 | 2 | 1 | 0 | 9% to 91% |"


def test_other_runs_count_what_the_short_run_kills(tmp_path: Path) -> None:
    lines = '["a", "killed"]\n["b", "time"]\n["c", "warm"]\n["c", "survived"]\n'
    mutants.verdicts_of(tmp_path, "short").write_text(lines)
    mutants.verdicts_of(tmp_path, "long").write_text('["c", "snapshot"]\n')
    assert mutants.told(tmp_path, "short") == {"a": "killed", "b": "time", "c": "survived"}
    assert mutants.told(tmp_path, "long") == {"a": "killed", "b": "time", "c": "snapshot"}
    assert mutants.told(tmp_path) == {"a": "killed", "b": "time"}


def test_what_imports_call_is_asked_of_its_folder() -> None:
    calls = mutants.Calls()
    game = f"{mutants.PACKAGE}.games.fall_damage"
    calls.tests = {f"{game}.push.x_f": {"a": 0.1}, f"{game}.play.walk.x_g": {"b": 0.2},
                   f"{mutants.PACKAGE}.rules.engine.x_h": {"c": 0.3}}  # fmt: skip
    calls.importing = {f"{game}.zones.x_made"}
    calls.took = {"a": 0.1, "starts a process": 2.0}
    made = {f"{game}.zones.x_made": {"a": 0.1, "b": 0.2}, "": {"starts a process": 2.0}}
    assert calls.whole() == {**calls.tests, **made}


def test_further_cases_of_a_test_that_took_long_enough_are_skipped() -> None:
    calls = mutants.Calls()
    calls.spent["x.py::it"] = mutants.ENOUGH + 1
    calls.pytest_runtest_setup(SimpleNamespace(nodeid="x.py::other[1]"))
    with pytest.raises(pytest.skip.Exception):
        calls.pytest_runtest_setup(SimpleNamespace(nodeid="x.py::it[2]"))


def test_no_mutant_finds_the_cache_of_another(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    cache = tmp_path / "cache"
    found: list[bool] = []
    verdicts: dict[str, str] = {}

    def forked(_: float, __: object) -> str:
        found.append(cache.exists())
        cache.mkdir()
        return "killed"

    monkeypatch.setenv("FDFORGE_CACHE_DIR", str(cache))
    monkeypatch.setattr(mutants, "_forked", forked)
    plugin = mutants.Collected({"one": {"t": 1.0}, "two": {"t": 1.0}}, verdicts.__setitem__)
    plugin.pytest_runtestloop(SimpleNamespace(items=[SimpleNamespace(nodeid="t")]))
    assert (found, verdicts) == ([False, False], {"one": "killed", "two": "killed"})
