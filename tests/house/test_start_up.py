"""Commands that make no mesh import no library of meshes: what they wait for is their own work."""

import json
import runpy
import sys
from pathlib import Path

import pytest

from falldamage_forge.cli import COMMANDS
from tests.cli.running import ROOT, run

OF_MESHES = ["manifold3d", "networkx", "shapely", "stl", "trimesh"]
MAKE_MESHES = {
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
