"""Tests wait for no other program without a bound."""

import re

from tests.cli.running import ROOT

BY_HAND = {"tests/hostile/guided.py", "tests/docs/pictures.py"}
"""Run by a person or by night; each has a bound of its own."""
OWN_BOUND = {"tests/house/test_hanging_tests.py", "tests/house/test_subjects.py"}
"""They run pytest and git, which are no commands of ours, with a bound of their own."""


def test_every_program_is_run_with_a_bound() -> None:
    texts = {
        path.relative_to(ROOT).as_posix(): path.read_text("utf-8")
        for path in (ROOT / "tests").rglob("*.py")
    }
    running = {name for name, text in texts.items() if re.search(r"\bsubprocess\.run\(", text)}
    assert running - BY_HAND == {"tests/cli/running.py", *OWN_BOUND}
    for name in running - BY_HAND:
        calls = len(re.findall(r"\bsubprocess\.run\(", texts[name]))
        assert calls <= texts[name].count("timeout="), name
    assert "timeout=PATIENCE_S" in texts["tests/cli/running.py"]


def test_no_python_runs_between_fork_and_exec() -> None:
    """Beside threads, which every worker of the tests has, it can block for ever."""
    for path in (ROOT / "tests").rglob("*.py"):
        assert not re.search("preexec[_]fn", path.read_text("utf-8")), path
