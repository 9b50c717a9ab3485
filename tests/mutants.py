"""Changes of the code that no test would notice: mutants of a room, each put to its tests.

Run: python -m tests.mutants prepare; python -m tests.mutants ROOM COUNT [--after N] [--seconds S]
`prepare` writes every mutant of the files that `[tool.mutmut]` names below `mutants/` (mutmut 3.8,
`pip install mutmut`) and asks which tests call which function; what imports call is asked of all
tests that call something of its folder. Then COUNT mutants of a room, drawn by a fixed seed after
the first N, are run, each in a copy of a process that has collected the tests. What survives that
is run again in a process that imports the package anew, so that what is built at import and what
caches keep is built by the mutant. Both ask tests that take S seconds of the processor together.
Verdicts go line by line to `mutants/verdicts.jsonl`, and what stands there is not run again.
"""

import argparse
import contextlib
import fnmatch
import json
import os
import random
import resource
import sys
import time
import tomllib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from math import ceil, sqrt
from pathlib import Path
from typing import Any

PACKAGE = "falldamage_forge"
HOME = Path("mutants").resolve()
CALLED = Path("called.json")
VERDICTS = HOME / "verdicts.jsonl"
ROOMS = {
    "rules": "rules.*",
    "fall-damage": "games.fall_damage.*",
    "play": "games.fall_damage.play.*",
    "games": "games.*",
    "measures": "measures.*",
    "packing": "printing.*",
    "decomposition": "pieces.*",
    "fit": "geometry.*",
}
"""Rooms by the modules in them; a module is of the room with the longest pattern."""
SECONDS = 60.0
LEAST = 12


def room_of(mutant: str) -> str:
    fitting = [
        (len(pattern), room)
        for room, pattern in ROOMS.items()
        if fnmatch.fnmatch(mutant, f"{PACKAGE}.{pattern}")
    ]
    return max(fitting)[1]


def mutants() -> list[str]:
    """Every mutant there is."""
    found: list[str] = []
    for path in sorted(HOME.rglob("*.meta")):
        found += json.loads(path.read_text())["exit_code_by_key"]
    return found


def drawn(room: str, count: int, after: int = 0) -> list[str]:
    """So many mutants of a room, the same ones each time; fewer are the first of more."""
    those = sorted(name for name in mutants() if room_of(name) == room)
    random.Random(19).shuffle(those)
    return those[after : after + count]


def interval(killed: int, asked: int) -> tuple[float, float]:
    """Wilson's interval of 95 % of a share."""
    z = 1.96
    middle = (killed + z * z / 2) / (asked + z * z)
    half = z / (asked + z * z) * sqrt(killed * (asked - killed) / asked + z * z / 4)
    return middle - half, middle + half


def in_order(tests: dict[str, float], seconds: float) -> list[str]:
    """Some quick ones, then kept answers for half of the time, the others for the other half."""
    quick = sorted((name for name, took in tests.items() if took < 0.05), key=tests.__getitem__)
    kept = {name: took for name, took in tests.items() if "kept" in name}
    others = {name: took for name, took in tests.items() if "kept" not in name}
    return list(
        dict.fromkeys([*quick[:20], *_within(kept, seconds / 2), *_within(others, seconds / 2)])
    )


def _within(tests: dict[str, float], seconds: float) -> list[str]:
    """One case of every test, then their second cases, …, quick ones first, as time allows."""
    seen: Counter[str] = Counter()
    ranked = []
    for name, took in sorted(tests.items(), key=lambda item: (item[1], item[0])):
        function = name.partition("[")[0]
        ranked.append((seen[function], took, name))
        seen[function] += 1
    chosen, spent = [], 0.0
    for _, took, name in sorted(ranked):
        if not chosen or spent + took <= seconds:
            chosen.append(name)
            spent += took
    return chosen


class Calls:
    """A plugin that notes what every passed test called, and its seconds of the processor."""

    def __init__(self) -> None:
        self.tests: dict[str, dict[str, float]] = defaultdict(dict)
        self.took: dict[str, float] = {}
        self.began = 0.0
        self.importing: set[str] = set()

    def pytest_collection_finish(self) -> None:
        from mutmut.state import state

        self.importing = set(state()._stats)
        state()._stats.clear()

    def pytest_runtest_setup(self, item: Any) -> None:
        del item
        self.began = time.process_time()

    def pytest_runtest_makereport(self, item: Any, call: Any) -> None:
        if call.when == "call" and call.excinfo is None:
            self.took[item.nodeid] = time.process_time() - self.began

    def pytest_runtest_teardown(self, item: Any) -> None:
        from mutmut.state import state

        if item.nodeid in self.took:
            for function in state()._stats:
                self.tests[function][item.nodeid] = self.took[item.nodeid]
        state()._stats.clear()

    def whole(self) -> dict[str, dict[str, float]]:
        """The tests of each function, of one called by imports those of all in its folder."""
        found = dict(self.tests)
        for function in self.importing:
            folder = function.rsplit(".", 2)[0]
            near = (tests for name, tests in self.tests.items() if name.startswith(f"{folder}."))
            found[function] = {name: took for tests in near for name, took in tests.items()}
        return found


def _pytest(args: list[str], plugins: list[Any]) -> int:
    import pytest

    always = ["-q", "-n", "0", "-p", "no:cacheprovider", "--rootdir=.", "--tb=short"]
    return int(pytest.main([*always, *args], plugins=plugins))


@contextlib.contextmanager
def _inside(mutant: str) -> Iterator[None]:
    os.environ |= {"MUTANT_UNDER_TEST": mutant, "CI": "true", "PYTHONPATH": str(HOME)}
    before = Path.cwd()
    os.chdir(HOME)
    sys.path[:] = [str(Path.cwd()), *(path for path in sys.path if path not in ("", str(before)))]
    for name in [name for name in sys.modules if name.partition(".")[0] in ("tests", PACKAGE)]:
        del sys.modules[name]
    yield
    os.chdir(before)


def _selection() -> list[str]:
    settings = tomllib.loads(Path("pyproject.toml").read_text())["tool"]["mutmut"]
    return list(settings["pytest_add_cli_args_test_selection"])


def prepare() -> None:
    from mutmut import __main__ as mutmut

    HOME.mkdir(exist_ok=True)
    mutmut.copy_src_dir()
    mutmut.copy_also_copy_files()
    mutmut.create_mutants(1)
    with _inside("stats"):
        calls = Calls()
        _pytest(_selection(), [calls])
        CALLED.write_text(json.dumps(calls.whole(), indent=0, sort_keys=True))


def _forked(seconds: float, passes: Callable[[], bool]) -> str:
    """Killed, or out of time, or what a forked process says that passes."""
    child = os.fork()
    if child == 0:
        limit = ceil(LEAST + 4 * seconds)
        resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
        nothing = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nothing, 1)
        os.dup2(nothing, 2)
        passed = False
        with contextlib.suppress(BaseException):
            passed = passes()
        os._exit(0 if passed else 1)
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        return "time"
    return "survived" if os.waitstatus_to_exitcode(status) == 0 else "killed"


def _say(mutant: str, verdict: str) -> None:
    with VERDICTS.open("a") as out:
        out.write(json.dumps([mutant, verdict]) + "\n")


class Collected:
    """A plugin that puts mutants to the collected tests, each in a copy of this process."""

    def __init__(self, asked: dict[str, dict[str, float]]) -> None:
        self.asked = asked

    def pytest_runtestloop(self, session: Any) -> bool:
        items = {item.nodeid: item for item in session.items}
        for mutant, tests in self.asked.items():
            chosen = [items[name] for name in tests if name in items]

            def passes(mutant: str = mutant, chosen: list[Any] = chosen) -> bool:
                from _pytest.runner import runtestprotocol

                os.environ["MUTANT_UNDER_TEST"] = mutant
                for item, after in zip(chosen, [*chosen[1:], None], strict=True):
                    reports = runtestprotocol(item, log=False, nextitem=after)
                    if any(report.failed for report in reports):
                        return False
                return True

            verdict = _forked(sum(tests.values()), passes) if chosen else "untested"
            _say(mutant, "warm" if verdict == "survived" else verdict)
        return True


def told() -> dict[str, str]:
    """Every verdict there is, the last one of each mutant."""
    if not VERDICTS.exists():
        return {}
    return dict(json.loads(line) for line in VERDICTS.read_text().splitlines())


def run(room: str, count: int, after: int, seconds: float) -> None:
    called = json.loads((HOME / CALLED).read_text())
    asked = drawn(room, count, after)
    tests: dict[str, dict[str, float]] = {}
    for name in asked:
        known = called.get(name.partition("__mutmut_")[0], {})
        tests[name] = {test: known[test] for test in in_order(known, seconds)}
    new = {name: tests[name] for name in asked if name not in told()}

    def collected() -> bool:
        with _inside(""):
            return _pytest([*_selection(), "-s"], [Collected(new)]) == 0

    if new:
        _forked(1e6, collected)
    for name in asked:
        if told()[name] == "warm":

            def anew(name: str = name) -> bool:
                with _inside(name):
                    return _pytest(["-x", *tests[name]], []) == 0

            _say(name, _forked(sum(tests[name].values()), anew))
    verdicts = Counter(told()[name] for name in asked)
    killed = verdicts["killed"] + verdicts["time"]
    low, high = interval(killed, len(asked))
    every = len(drawn(room, sys.maxsize))
    print(f"| {room} | {every} | {len(asked)} | {killed} | {low:.1%} to {high:.1%} |")


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("room", choices=[*ROOMS, "prepare"])
    words.add_argument("count", type=int, nargs="?", default=100)
    words.add_argument("--after", type=int, default=0)
    words.add_argument("--seconds", type=float, default=SECONDS)
    given = words.parse_args()
    if given.room == "prepare":
        prepare()
    else:
        run(given.room, given.count, given.after, given.seconds)


if __name__ == "__main__":
    main()
