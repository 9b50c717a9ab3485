"""Changes of the code that no test would notice: mutants of a room, each put to its tests.

Run: python -m tests.mutants ROOM [COUNT] [--after N] [--seconds S] [--run short|long|all]
(needs `pip install mutmut`). A room is a part of the package, with the tests that should notice its
changes. Its first run writes every mutant of its files (mutmut 3.8) into a copy of the repository,
`mutants/ROOM/`, and notes which of its tests call which function; what imports call is asked of all
tests that call something of its folder. Then COUNT mutants, drawn by a fixed seed after the first
N, are run, each in a copy of a process that has collected the tests. What survives that is run
again in a process that imports the package anew, so that what is built at import and what caches
keep is built by the mutant. Both ask tests that take S seconds of the processor together. Verdicts
go line by line to `mutants/ROOM/verdicts.jsonl`, and what stands there is not run again.

`--run` asks only the cases that this run of `tests/selection.py` takes; verdicts of the short and
the long run have files of their own. What the short run kills, every other run counts as killed.
The room `all` has COUNT mutants of all rooms, shared out in proportion, and every test.
"""

import argparse
import ast
import contextlib
import fnmatch
import json
import os
import random
import resource
import shutil
import signal
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from math import ceil, sqrt
from pathlib import Path
from typing import Any

from tests.selection import RUNS

PACKAGE = "falldamage_forge"
HOME = Path("mutants").resolve()
COPIED = (PACKAGE, *"tests presets docs benchmarks editors .ci pyproject.toml LICENSE".split())
ALL = "all"
ROOMS = {
    "rules": ("rules/*", "rules house/test_legality.py"),
    "fall-damage": ("games/fall_damage/*", "games !games/play"),
    "engine": ("games/fall_damage/engine/*", "games/play !{play}_core.py !{play}_playtest.py"),
    "play": ("games/fall_damage/play/*", "games/play !{play}_core.py !{play}_playtest.py"),
    "games": ("games/*", "games !games/play"),
    "metrics": ("metrics/*", "rules games/test_questions.py games/test_drawn.py"),
    "printing": ("printing/*", "printing !printing/test_slicer.py"),
    "pieces": ("pieces/*", "pieces !pieces/test_docs.py"),
    "geometry": ("geometry/*", "geometry !{fit}_slicer.py !{fit}_sliced.py !{fit}_printed.py"),
    "relief": ("geometry/relief/*", "{fit}_tops.py {fit}_finish.py {fit}_snapshots.py "
               "{fit}_openings.py {fit}_areas.py"),
    "board": ("board/*", "lang rules house/test_legality.py house/test_contracts.py "
              "diagnostics/test_codes.py"),
    "lang": ("lang/*", "lang hostile"),
    "export": ("export/*", "export printing/test_slicer.py"),
    "builds": ("builds/*", "cli/test_build.py export/test_agree.py printing/test_plates.py "
               "printing/test_job.py render/test_publish.py"),
    "render": ("render/*", "render !render/test_gallery.py"),
    "search": ("search/*", "search"),
    "suggestions": ("library/suggestions/*", "rules/test_advice.py"),
    "playtest": ("playtest/*", "{play}_playtest.py {play}_verdict.py {play}_terminal.py "
                 "{play}_playtest_page.py {play}_bots.py {play}_fair.py"),
    "studio": ("studio/*", "studio !{page}_site.py !{page}_page.py !{page}_hands.py"),
    "diagnostics": ("diagnostics/*", "diagnostics"),
    "infra": ("infra/*", "cli/test_cache.py cli/test_pool.py cli/test_write.py "
              "lang/test_layouts.py search/test_faults.py house/test_strict.py"),
    "cli": ("cli/*", "cli !cli/test_build.py !cli/test_pool.py !cli/test_cache.py "
            "!cli/test_write.py pieces/test_stock.py pieces/test_kit.py search/test_commands.py "
            "render/test_commands.py {fit}_prove_command.py {fit}_coupon.py {play}_terminal.py "
            "lang/test_format.py::test_the_command_checks_shows_writes_and_reads_standard_input "
            "lang/test_format.py::test_ast_and_expand_commands "
            "lang/test_edit.py::test_the_command_prints_asks_and_writes "
            "games/test_questions.py::test_the_command_lists_and_answers "
            "{play}_perft.py::test_the_command_counts "
            "{play}_playtest.py::test_option_say_makes_moves "
            "{play}_playtest.py::test_terminal_game_is_saved_resumed_and_replayed "
            "render/test_publish.py::test_a_photograph_that_is_none_is_refused_before_the_work"),
    "library": ("*", "lang rules/test_told.py rules/test_expect.py cli/test_queries.py "
                "house/test_library.py house/test_arguments.py house/test_contracts.py diagnostics "
                "games/play/test_library.py"),
}  # fmt: skip
"""By name: its files in the package, and its tests, without those after a `!`.

A file is of the room with the longest pattern.
"""
SHORT = {"play": "games/play/test", "fit": "geometry/test", "page": "studio/test"}
"""Beginnings of tests in the table."""
SNAPSHOTS = "test_snapshots.py"
OUTCOMES = ("survived", "killed", "snapshot")
"""By the exit code of a process: no test failed, another test did, or a snapshot alone."""
KILLED = ("killed", "snapshot", "time")
SECONDS, LEAST = 60.0, 12
WAITING = 3
"""Seconds of the clock for each of the processor, after which a process counts as hung."""
ENOUGH = 1.0
"""Seconds of the processor after which further cases of a test are not asked what they call."""
FEWEST = 4
"""Mutants of each room in a sample of all rooms."""


def room_of(path: str) -> str:
    """The room of a file, by its path in the package."""
    fitting = [
        (len(pattern), room)
        for room, (pattern, _) in ROOMS.items()
        if fnmatch.fnmatch(path, pattern)
    ]
    return max(fitting)[1]


def room_of_mutant(name: str) -> str:
    """The room of a mutant, by its name."""
    return room_of("/".join([*name.split(".")[1:-1], "__init__.py"]))


def selection(room: str) -> list[str]:
    """The words that name the tests of a room to pytest."""
    words = [""] if room == ALL else ROOMS[room][1].format(**SHORT).split()
    return [f"--ignore=tests/{word[1:]}" if word[:1] == "!" else f"tests/{word}" for word in words]


def drawn(names: list[str], count: int, after: int = 0) -> list[str]:
    """So many mutants, the same ones each time; fewer are the first of more."""
    those = sorted(names)
    random.Random(19).shuffle(those)
    return those[after : after + count]


def shares(sizes: dict[str, int], count: int) -> dict[str, int]:
    """Share a sample out: a few mutants for each room, each other one where the share is least."""
    found = dict.fromkeys(sizes, FEWEST)
    for _ in range(count - sum(found.values())):
        found[min(sizes, key=lambda room: found[room] / sizes[room])] += 1
    return found


def interval(killed: int, asked: int) -> tuple[float, float]:
    """Wilson's interval of 95 % of a share."""
    z = 1.96
    middle = (killed + z * z / 2) / (asked + z * z)
    half = z / (asked + z * z) * sqrt(killed * (asked - killed) / asked + z * z / 4)
    return max(middle - half, 0.0), middle + half


def in_order(tests: dict[str, float], seconds: float) -> list[str]:
    """Other tests, quick ones first; then snapshots, for at most half of the time.

    So a mutant that a snapshot kills is one that no other test of these killed.
    """
    snapshots = {name: took for name, took in tests.items() if SNAPSHOTS in name}
    others = {name: took for name, took in tests.items() if SNAPSHOTS not in name}
    quick = sorted((name for name, took in others.items() if took < 0.05), key=others.__getitem__)
    last = _within(snapshots, seconds / 2)
    left = seconds - sum(map(snapshots.__getitem__, last))
    return list(dict.fromkeys([*quick[:20], *_within(others, left), *last]))


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
        self.spent: dict[str, float] = defaultdict(float)
        self.importing: set[str] = set()

    def pytest_collection_finish(self) -> None:
        from mutmut.state import state

        self.importing = set(state()._stats)
        state()._stats.clear()

    def pytest_runtest_setup(self, item: Any) -> None:
        import pytest

        if self.spent[item.nodeid.partition("[")[0]] > ENOUGH:
            pytest.skip("other cases of this test were asked")
        self.began = sum(os.times()[:4])

    def pytest_runtest_makereport(self, item: Any, call: Any) -> None:
        if call.when == "call":
            took = sum(os.times()[:4]) - self.began
            self.spent[item.nodeid.partition("[")[0]] += took
            if call.excinfo is None:
                self.took[item.nodeid] = took

    def pytest_runtest_teardown(self, item: Any) -> None:
        from mutmut.state import state

        if item.nodeid in self.took:
            for function in state()._stats:
                self.tests[function][item.nodeid] = self.took[item.nodeid]
        state()._stats.clear()

    def whole(self) -> dict[str, dict[str, float]]:
        """The tests of each function, of one called by imports those of all in its folder.

        Tests that call nothing here may start processes that do: they are those of "".
        """
        here = {name for tests in self.tests.values() for name in tests}
        found = {**self.tests, "": {n: took for n, took in self.took.items() if n not in here}}
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
def _inside(room: str, mutant: str) -> Iterator[None]:
    home = HOME / room
    os.environ |= {"MUTANT_UNDER_TEST": mutant, "CI": "true", "PYTHONPATH": str(home)}
    before = Path.cwd()
    os.chdir(home)
    sys.path[:] = [str(home), *(path for path in sys.path if path not in ("", str(before)))]
    for name in [name for name in sys.modules if name.partition(".")[0] in ("tests", PACKAGE)]:
        del sys.modules[name]
    yield
    os.chdir(before)


def lines_of(text: str, functions: set[str]) -> set[int]:
    """The lines of functions in a source, by the names that mutmut gives them."""
    found: set[int] = set()
    for node in ast.parse(text).body:
        of_class = isinstance(node, ast.ClassDef)
        before = f"xǁ{node.name}ǁ" if of_class else "x_"
        for each in node.body if of_class else [node]:
            if before + getattr(each, "name", "") in functions:
                found |= {*range(each.lineno, each.end_lineno + 1)}
    return found


def mutated(path: Path, functions: set[str] | None = None) -> tuple[str, list[str]]:
    """A source with its mutants, or those of some functions alone; and their names."""
    from mutmut.mutation.file_mutation import mutate_file_contents
    from mutmut.utils.format_utils import get_mutant_name

    text = path.read_text("utf-8")
    lines = None if functions is None else lines_of(text, functions)
    made = mutate_file_contents(str(path), text, covered_lines=lines)
    return made.code, [get_mutant_name(path, name) for name in made.mutant_names]


def sample(count: int) -> list[str]:
    """Mutants of all rooms: of each room those that it draws first."""
    names: dict[str, list[str]] = defaultdict(list)
    for path in sorted(Path(PACKAGE).rglob("*.py")):
        names[room_of(path.relative_to(PACKAGE).as_posix())] += mutated(path)[1]
    parts = shares({room: len(each) for room, each in names.items()}, count)
    return [name for room, part in parts.items() for name in drawn(names[room], part)]


def write(room: str, count: int) -> list[str]:
    """Write a copy of the repository with the mutants of a room, and return their names."""
    home, listed = HOME / room, HOME / room / "names.json"
    if listed.exists():
        return list(json.loads(listed.read_text()))
    for name in (*COPIED, *map(str, Path().glob("*.md"))):
        copy = shutil.copytree if Path(name).is_dir() else shutil.copy
        copy(name, (home / name).parent / Path(name).name)
    names = sample(count) if room == ALL else []
    functions = {name.partition("__mutmut_")[0] for name in names}
    for path in sorted(Path(PACKAGE).rglob("*.py")):
        module = ".".join((path.parent if path.stem == "__init__" else path.with_suffix("")).parts)
        here = {name.rpartition(".")[2] for name in functions if name.rpartition(".")[0] == module}
        if here or room_of(path.relative_to(PACKAGE).as_posix()) == room:
            code, made = mutated(path, here or None)
            (home / path).write_text(code, "utf-8")
            names = names if room == ALL else names + made
    listed.write_text(json.dumps(names, indent=0))
    return names


def prepare(room: str, run: str) -> dict[str, dict[str, float]]:
    """Note which tests of a room, that a run takes, call which function, or return the note."""
    path = HOME / room / f"called-{run}.json"

    def ask() -> int:
        with _inside(room, "stats"):
            calls = Calls()
            _pytest([*selection(room), "--run", run], [calls])
            path.write_text(json.dumps(calls.whole(), indent=0, sort_keys=True))
        return 0

    if not path.exists():
        _forked(1e6, ask)
    return dict(json.loads(path.read_text()))


def _forked(seconds: float, ask: Callable[[], int]) -> str:
    """The outcome that a forked process finds, by its number; or that it ran out of time."""
    child = os.fork()
    if child == 0:
        limit = ceil(LEAST + 4 * seconds)
        resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
        signal.alarm(WAITING * limit)
        log = os.open(HOME / "log.txt", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        os.dup2(log, 1)
        os.dup2(log, 2)
        outcome = 1
        with contextlib.suppress(BaseException):
            outcome = ask()
        os._exit(outcome)
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        return "time"
    return OUTCOMES[min(os.waitstatus_to_exitcode(status), len(OUTCOMES) - 1)]


class Collected:
    """A plugin that puts mutants to the collected tests, each in a copy of this process."""

    def __init__(self, asked: dict[str, dict[str, float]], say: Callable[[str, str], None]) -> None:
        self.asked, self.say = asked, say

    def pytest_runtestloop(self, session: Any) -> bool:
        items = {item.nodeid: item for item in session.items}
        for mutant, tests in self.asked.items():
            chosen = [items[name] for name in tests if name in items]

            def ask(mutant: str = mutant, chosen: list[Any] = chosen) -> int:
                from _pytest.runner import runtestprotocol

                os.environ["MUTANT_UNDER_TEST"] = mutant
                for item, after in zip(chosen, [*chosen[1:], None], strict=True):
                    reports = runtestprotocol(item, log=False, nextitem=after)
                    if any(report.failed for report in reports):
                        return 2 if SNAPSHOTS in item.nodeid else 1
                return 0

            # All mutants have the same cache keys: none may find what another one wrote.
            shutil.rmtree(os.environ["FDFORGE_CACHE_DIR"], ignore_errors=True)
            verdict = _forked(sum(tests.values()), ask) if chosen else "untested"
            self.say(mutant, "warm" if verdict == "survived" else verdict)
        return True


def verdicts_of(home: Path, run: str) -> Path:
    """The file of the verdicts of a run."""
    return home / ("verdicts.jsonl" if run == "all" else f"verdicts-{run}.jsonl")


def told(home: Path, run: str = "all") -> dict[str, str]:
    """Every verdict of a room, the last one of each mutant; kills of the short run among them."""
    path = verdicts_of(home, run)
    lines = path.read_text().splitlines() if path.exists() else []
    short = told(home, "short").items() if run != "short" else ()
    return {name: verdict for name, verdict in short if verdict in KILLED} | dict(
        json.loads(line) for line in lines
    )


def run(room: str, count: int, after: int, seconds: float, taken: str = "all") -> None:
    """Put mutants to the cases that a run takes, and print what they say."""
    home = HOME / room
    names = write(room, count)
    called = prepare(room, taken)
    asked = drawn(names, count, after)
    tests: dict[str, dict[str, float]] = {}
    for name in asked:
        known = called.get(name.partition("__mutmut_")[0]) or called[""]
        tests[name] = {test: known[test] for test in in_order(known, seconds)}
    new = {name: tests[name] for name in asked if name not in told(home, taken)}

    def say(mutant: str, verdict: str) -> None:
        with verdicts_of(home, taken).open("a") as out:
            out.write(json.dumps([mutant, verdict]) + "\n")

    def collected() -> int:
        with _inside(room, ""):
            return min(_pytest([*selection(room), "-s", "--run", taken], [Collected(new, say)]), 1)

    if new:
        _forked(1e6, collected)
    for name in asked:
        if told(home, taken)[name] == "warm":

            def anew(name: str = name) -> int:
                with _inside(room, name):
                    return min(_pytest(["-x", *tests[name]], []), 1)

            say(name, _forked(sum(tests[name].values()), anew))
    verdicts = {name: told(home, taken)[name] for name in asked}
    for part in dict.fromkeys([*map(room_of_mutant, asked), room]):
        print(line(part, names, verdicts))
    for name, verdict in verdicts.items():
        if verdict not in KILLED:
            print(f"{verdict}: {name}")


def line(room: str, names: list[str], verdicts: dict[str, str]) -> str:
    """A row of a table: mutants, how many were asked, killed, killed by snapshots alone."""
    whole = [name for name in names if room in (ALL, room_of_mutant(name))]
    counts = Counter(verdicts[name] for name in whole if name in verdicts)
    killed, asked = sum(counts[verdict] for verdict in KILLED), counts.total()
    low, high = interval(killed, asked)
    cells = (room, len(whole), asked, killed, counts["snapshot"], f"{low:.0%} to {high:.0%}")
    return f"| {' | '.join(map(str, cells))} |"


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("room", choices=[*ROOMS, ALL])
    words.add_argument("count", type=int, nargs="?", default=100)
    words.add_argument("--after", type=int, default=0)
    words.add_argument("--seconds", type=float, default=SECONDS)
    words.add_argument("--run", choices=RUNS, default="all")
    given = words.parse_args()
    run(given.room, given.count, given.after, given.seconds, given.run)


if __name__ == "__main__":
    main()
