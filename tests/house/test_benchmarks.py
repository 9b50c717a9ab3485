"""The benchmarks ask what there is to ask."""

import json
import runpy
import sys

import pytest

from falldamage_forge.cli import COMMANDS
from tests.cli.running import ROOT


@pytest.fixture(scope="module")
def bench() -> dict[str, object]:
    sys.path.insert(0, str(ROOT / "benchmarks"))
    try:
        return runpy.run_path(str(ROOT / "benchmarks" / "bench_commands.py"))
    finally:
        sys.path.pop(0)


def test_every_command_has_a_row(bench: dict[str, object]) -> None:
    asked = bench["COMMANDS"]
    assert isinstance(asked, dict)
    assert set(asked) == {"--help", *COMMANDS}


def test_the_last_release_has_a_figure_for_each_that_it_had(bench: dict[str, object]) -> None:
    kept = json.loads((ROOT / "benchmarks" / "last_release.json").read_text("utf-8"))
    assert kept["of_trimesh"]["import trimesh"] == 1
    known = {f"fdforge {name}" for name in ("--help", *COMMANDS)}
    assert set(kept["of_trimesh"]) - known == {"python -c pass", "import trimesh"}
    assert all(ratio > 0 for ratio in kept["of_trimesh"].values())
