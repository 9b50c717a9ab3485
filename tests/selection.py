"""Which cases of which tests a run takes, from the seconds that each was measured to take.

- `short`: what the README's command runs, for everybody after every change. A test function gets
  `SHORT_SECONDS`: it runs as many of its cases, evenly spread, as fit in. A function of which one
  case takes longer runs in the long run only, but for cases that are marked `smoke`.
- `long`: the other cases, in `.ci/run`. Short and long together give a function `WHOLE_SECONDS`,
  and one case at least. A test that is marked `long` runs there alone, with all its cases.
- `all`: every case: of files that are named, with `-k` or `-m`, and of the exhaustive run.

`tests/seconds.txt` holds the seconds of one case of each function whose cases together take longer
than `LEAST_SECONDS`. `pytest --run all --write-seconds` on an idle machine writes it, and with the
names of files the lines of those. A short run names functions that lack their line at its end.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Mapping, Sequence
from pathlib import Path

RUNS = ("short", "long", "all")
TABLE = Path(__file__).with_name("seconds.txt")
LEAST_SECONDS = 0.1
SHORT_SECONDS = 0.25
WHOLE_SECONDS = 4.0
UNNOTICED_SECONDS = 2.0
"""A function without a line in the table is named from here on; a busy machine doubles seconds."""


def function_of(nodeid: str) -> str:
    """Return the test function of a case: `tests/a/test_b.py::test_c[d]` without `[d]`."""
    return nodeid.partition("[")[0]


def read_seconds() -> dict[str, float]:
    """Return the seconds of one case by test function."""
    rows = (line.split() for line in TABLE.read_text("utf-8").splitlines())
    return {function: float(seconds) for seconds, function in rows}


def unmeasured(measured: Iterable[tuple[str, float]]) -> dict[str, float]:
    """Return functions that a short run takes for quick, as the table lacks them, and are not.

    Args:
        measured: Each case that ran, and its seconds.

    Returns:
        Seconds of all cases by function, the longest first.
    """
    known, taken = read_seconds(), Counter[str]()
    for nodeid, seconds in measured:
        taken[function_of(nodeid)] += seconds
    slow = {name: s for name, s in taken.most_common() if s > UNNOTICED_SECONDS}
    return {name: seconds for name, seconds in slow.items() if name not in known}


def write_seconds(measured: Iterable[tuple[str, float]]) -> None:
    """Write the seconds of the functions that are measured; other functions keep theirs.

    A fixture that several functions share is paid by the first that runs, which is another one in
    a short run: of two measurements the longer one stays.

    Args:
        measured: Each case that ran, and its seconds.
    """
    taken: dict[str, list[float]] = defaultdict(list)
    for nodeid, seconds in measured:
        taken[function_of(nodeid)].append(seconds)
    known = read_seconds() if TABLE.exists() else {}
    for function, each in taken.items():
        if sum(each) > LEAST_SECONDS or function in known:
            known[function] = max(sum(each) / len(each), known.get(function, 0.0))
    rows = sorted(known.items())
    TABLE.write_text("".join(f"{s:.3f} {function}\n" for function, s in rows), "utf-8")


def spread(count: int, wanted: int) -> set[int]:
    """Return evenly spread numbers below `count`, zero among them; all if more are wanted."""
    return {n * count // wanted for n in range(wanted)} if wanted < count else set(range(count))


def chosen(
    nodeids: Sequence[str],
    run: str,
    seconds: Mapping[str, float],
    alone: Container[str] = (),
    smoke: Container[str] = (),
) -> set[str]:
    """Return the cases that a run takes.

    Args:
        nodeids: All cases, in their order.
        run: One of `RUNS`.
        seconds: Seconds of one case by test function; other functions take no time.
        alone: Test functions that the long run takes alone, with every case.
        smoke: Cases that the short run takes, however long they are.
    """
    if run == "all":
        return set(nodeids)
    cases: dict[str, list[str]] = defaultdict(list)
    for nodeid in nodeids:
        cases[function_of(nodeid)].append(nodeid)
    taken: set[str] = set()
    for function, each in cases.items():
        one = seconds.get(function, 0.0)
        few, whole = (
            _fitting(SHORT_SECONDS, one, len(each)),
            _fitting(WHOLE_SECONDS, one, len(each)),
        )
        if function in alone:
            few, whole = 0, len(each)
        short = {each[n] for n in spread(len(each), few)} | {case for case in each if case in smoke}
        if run == "short":
            taken |= short
        else:
            left = [case for case in each if case not in short]
            taken |= {left[n] for n in spread(len(left), max(1, whole) - len(short))}
    return taken


def _fitting(budget: float, one: float, most: int) -> int:
    """Return how many cases of some seconds fit into a budget, at most `most`."""
    return most if one * most <= budget else int(budget / one)


def seconds_by_file(seconds: Mapping[str, float], nodeids: Iterable[str]) -> Counter[str]:
    """Return the seconds that the cases of each file take together."""
    found = Counter[str]()
    for nodeid in nodeids:
        found[nodeid.partition("::")[0]] += seconds.get(function_of(nodeid), 0.0)
    return found
