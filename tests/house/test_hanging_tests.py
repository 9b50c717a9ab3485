"""A test that hangs fails by its name, and the others of the run are done."""

import os
import re
import subprocess
import sys
from pathlib import Path

from tests.cli.running import ROOT

HANGING = """
import time

def test_before(): pass
def test_sleeps(): time.sleep(1000)
def test_between(): pass
def test_stays_in_compiled_code(): sum(range(10**13))
def test_after(): pass
"""
LAST = "def test_stays_to_the_end(): sum(range(10**13))\n"
QUICK = "import pytest\n@pytest.mark.parametrize('n', range(20))\ndef test_quick(n): pass\n"
TOML = """[tool.pytest.ini_options]
addopts = "{addopts} -n 2"
timeout = 2
timeout_method = "{method}"
"""


def test_hanging_tests_fail_by_name_and_the_run_ends(tmp_path: Path) -> None:
    project = (ROOT / "pyproject.toml").read_text("utf-8")
    (addopts,) = re.findall(r'^addopts = "(.*)"', project, re.MULTILINE)
    (method,) = re.findall(r'^timeout_method = "(\w+)"', project, re.MULTILINE)
    (tmp_path / "pyproject.toml").write_text(TOML.format(addopts=addopts, method=method))
    (tmp_path / "conftest.py").write_text("from tests.hanging import *\n")
    for name, text in {"a": HANGING, "b": QUICK, "c": QUICK, "z": LAST}.items():
        (tmp_path / f"test_{name}.py").write_text(text)
    own = {key: value for key, value in os.environ.items() if not key.startswith("PYTEST_")}
    own |= {"PYTHONPATH": str(ROOT), "FORGE_TEST_GRACE": "2"}
    run = subprocess.run(
        [sys.executable, "-m", "pytest"], cwd=tmp_path, env=own, capture_output=True, text=True,
        timeout=240, check=False,
    )  # fmt: skip
    assert run.returncode == 1, run.stdout
    failed = set(re.findall(r"^FAILED test_\w\.py::(\w+)", run.stdout, re.MULTILINE))
    assert failed == {"test_sleeps", "test_stays_in_compiled_code", "test_stays_to_the_end"}
    assert "3 failed, 43 passed" in run.stdout, run.stdout
