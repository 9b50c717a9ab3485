"""Commands that make no mesh import no library of meshes: what they wait for is their own work."""

import json
import runpy
import sys
from pathlib import Path
from typing import Any

import pytest

from falldamage_forge.cli import COMMANDS
from tests.cli.running import ROOT, run

OF_MESHES = ["manifold3d", "networkx", "shapely", "stl", "trimesh"]
MAKE_MESHES = {
    "adopt",
    "cards",
    "build",
    "coupon",
    "event",
    "export",
    "kit",
    "pack",
    "pieces",
    "prove",
    "publish",
    "report",
    "sheets",
    "show",
}
"""`show` takes pictures of parts when it is asked for one with --look; `cards` draws figures."""
EACH = """
import json, sys
from falldamage_forge.cli import cli
from falldamage_forge.issues import ForgeError
asked, named = json.load(sys.stdin)
for name, words in asked.items():
    try:
        cli.main([name, *words], standalone_mode=False)
    except SystemExit:
        pass
    except ForgeError as error:  # an extra that is not installed
        if {issue.code for issue in error.issues} != {"FDF503"}:
            raise
    found = sorted(set(named) & set(sys.modules))
    print(json.dumps([name, found]), file=sys.stderr)
"""


def imports_bench() -> dict[str, Any]:
    return runpy.run_path(str(ROOT / "benchmarks" / "bench_imports.py"))


def test_a_module_that_is_not_on_the_list_of_a_command_is_named() -> None:
    bench = imports_bench()
    kept = json.loads(bench["KEPT"].read_text("utf-8"))
    assert set(kept) == set(bench["COMMANDS"])
    more = {**kept, "check": [*kept["check"], "email"]}
    assert bench["compared"](more, kept) == {"check": ["email"]}
    assert bench["compared"](kept, kept) == {}


@pytest.mark.parametrize("name", ["--help", "presets", "check"])
def test_short_commands_import_what_is_on_their_lists(name: str, tmp_path: Path) -> None:
    bench = imports_bench()
    found = {name: bench["imported"](bench["COMMANDS"][name], tmp_path)}
    kept = json.loads(bench["KEPT"].read_text("utf-8"))
    assert bench["compared"](found, kept) == {}, "see benchmarks/bench_imports.py"
    assert "lark" not in found[name]


def test_commands_that_make_no_mesh_import_no_library_of_meshes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    bench = runpy.run_path(str(ROOT / "benchmarks" / "bench_commands.py"))
    examples = json.loads((ROOT / "tests" / "data" / "game.json").read_text("utf-8"))
    examples["examples"] = examples["examples"][:3]
    (tmp_path / "cases.json").write_text(json.dumps(examples), "utf-8")
    (tmp_path / "event.toml").write_text(bench["EVENT"], "utf-8")
    (tmp_path / "stock.csv").write_text("piece,count\nquadrant,4\n", "utf-8")
    (tmp_path / "kept.forge").write_text("forge 1\nboard 4x4\n", "utf-8")
    asked = {
        name: [word.replace("OUT", str(tmp_path)) for word in words]
        for name, words in bench["COMMANDS"].items()
        if name in COMMANDS and name not in MAKE_MESHES
    }
    bots = ["--red", "random", "--blue", "random", "--draw-teams"]
    asked["play"] = ["duel", *bots, "--record", str(tmp_path / "game.json")]
    done = run([sys.executable, "-c", EACH], input=json.dumps([asked, OF_MESHES]), check=True)
    told = [json.loads(line) for line in done.stderr.splitlines() if line.startswith('["')]
    assert [name for name, _ in told] == list(asked)
    assert {name: found for name, found in told if found} == {}
