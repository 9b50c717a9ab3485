"""The short and the long run share the cases out, and leave no test function out."""

import re

from hypothesis import given
from hypothesis import strategies as st

from tests.selection import (
    SHORT_SECONDS,
    TABLE,
    WHOLE_SECONDS,
    chosen,
    function_of,
    read_seconds,
    unmeasured,
)

FUNCTIONS = st.dictionaries(
    st.sampled_from([f"tests/test_{letter}.py::test_it" for letter in "abcdef"]),
    st.tuples(st.integers(1, 40), st.floats(0, 20)),
    min_size=1,
)
"""Functions, each with the number of its cases and the seconds of one."""


@given(FUNCTIONS)
def test_short_and_long_runs_share_the_cases_out(functions: dict[str, tuple[int, float]]) -> None:
    nodeids = [f"{name}[{n}]" for name, (cases, _) in functions.items() for n in range(cases)]
    seconds = {name: one for name, (_, one) in functions.items()}
    short, rest = (chosen(nodeids, run, seconds) for run in ("short", "long"))
    assert not short & rest
    assert chosen(nodeids, "all", seconds) == set(nodeids) >= short | rest
    assert {function_of(case) for case in short | rest} == set(functions)
    for name, (cases, one) in functions.items():
        ran, more = (len([c for c in run if function_of(c) == name]) for run in (short, rest))
        assert ran * one <= SHORT_SECONDS
        assert ran + more == cases or (ran + more) * one <= WHOLE_SECONDS or ran + more == 1


def test_a_long_test_runs_with_every_case_in_the_long_run_alone() -> None:
    nodeids = [f"tests/test_a.py::test_it[{n}]" for n in range(9)]
    for seconds in ({}, {"tests/test_a.py::test_it": 20.0}):
        alone = {"tests/test_a.py::test_it"}
        assert chosen(nodeids, "short", seconds, alone) == set()
        assert chosen(nodeids, "long", seconds, alone) == set(nodeids)


def test_cases_marked_smoke_run_in_the_short_run_however_long() -> None:
    name = "tests/test_a.py::test_it"
    nodeids = [f"{name}[{n}]" for n in range(3)]
    for smoke in (set(nodeids), {nodeids[1]}):
        assert chosen(nodeids, "short", {name: 20.0}, smoke=smoke) == smoke
        assert not chosen(nodeids, "long", {name: 20.0}, smoke=smoke)
    assert chosen(nodeids, "short", {name: 0.25}, smoke={nodeids[2]}) == {nodeids[0], nodeids[2]}


def test_a_slow_test_without_a_line_is_named() -> None:
    known = next(iter(read_seconds()))
    cases = [("tests/a.py::test_new[1]", 9.0), ("tests/a.py::test_new[2]", 9.0), (known, 99.0)]
    assert unmeasured([*cases, ("tests/a.py::test_quick", 0.1)]) == {"tests/a.py::test_new": 18.0}


def test_table_of_seconds_names_functions_that_there_are() -> None:
    root = TABLE.parent.parent
    for function in read_seconds():
        path, *_, name = function.split("::")
        assert re.search(rf"def {name}\b", (root / path).read_text("utf-8")), (
            f"{function} is gone: take its line out of {TABLE.name}"
        )
