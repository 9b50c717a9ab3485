"""Parts that a process leaves out are named before anything is made, and by what a slicer lays."""

from pathlib import Path

import pytest

from falldamage_forge import presets
from falldamage_forge.builds.pipeline import BuildOptions, assemble_parts
from falldamage_forge.cli.sliced_proof import PartSlicer
from falldamage_forge.issues import ForgeError
from falldamage_forge.printing.unprintable import is_left_out
from tests.cli.running import small_map, typed
from tests.geometry.slicing import needs_slicer

QUICK = presets.set_up(presets.load_printer("a1-mini"), "quick")
CATALOGUE = presets.load_catalogue()
PRINTED = ("block-1x1x1", "bridge-2", "ladder-2", "lava", "start-disc-blue")
LEFT_OUT = ("unit-druid",)


def assembled(*keys: str, **owned: int) -> list[str]:
    counts = dict.fromkeys(keys, 1)
    options = BuildOptions(owned={key.replace("_", "-"): n for key, n in owned.items()})
    pieces = {key: CATALOGUE[key] for key in keys}
    return list(assemble_parts(counts, pieces, QUICK, options=options).meshes)


def test_parts_that_a_process_leaves_out_are_refused_by_name() -> None:
    with pytest.raises(ForgeError, match="FDF442.*0.6 mm cannot print `unit-druid`$") as refused:
        assembled("tie", "unit-druid")
    (issue,) = refused.value.issues
    assert "--process standard" in str(issue.hint)


def test_owned_parts_are_not_refused() -> None:
    assert "tie" in assembled("tie", "unit-druid", unit_druid=1)


def test_no_process_for_the_usual_nozzle_leaves_a_part_out() -> None:
    for name in presets.processes_for(0.4):
        process = presets.load_process(name)
        assert not any(is_left_out(piece, process) for piece in CATALOGUE.pieces.values())


def test_each_pattern_names_a_part() -> None:
    for pattern in QUICK.process.left_out:
        process = presets.load_process("quick")
        assert any(
            is_left_out(piece, process)
            for piece in CATALOGUE.pieces.values()
            if piece.key.startswith(pattern.partition("*")[0])
        )


def test_commands_name_what_the_nozzle_cannot_print(tmp_path: Path) -> None:
    """`check` warns, lists and builds refuse and write nothing."""
    home = {"FDFORGE_CONFIG_DIR": str(tmp_path / "config")}
    assert typed("printer", "use", "a1-mini", "--nozzle", "0.6", **home).returncode == 0
    map_ = small_map(tmp_path / "small.forge")
    text = map_.read_text("utf-8")
    map_.write_text(f"{text}\nextras {{ unit-druid 1 }}\n", encoding="utf-8")
    run = typed("check", map_, **home)
    assert run.returncode == 0, run.stderr
    assert "warning[FDF442]" in run.stderr + run.stdout
    run = typed("pieces", map_, **home)
    assert run.returncode == 1
    assert "cannot print `unit-druid`" in run.stderr
    run = typed("build", map_, "-o", tmp_path / "out", **home)
    assert run.returncode == 1
    assert not (tmp_path / "out").exists()
    assert typed("pieces", map_, "--process", "standard", **home).returncode == 0


@needs_slicer
@pytest.mark.slicer
@pytest.mark.parametrize("key", [*PRINTED, *LEFT_OUT])
def test_the_slicer_agrees_with_the_table(key: str) -> None:
    report = PartSlicer(QUICK, presets.load_style("stone")).judge(CATALOGUE[key])
    assert bool(list(report.issues())) == is_left_out(CATALOGUE[key], QUICK.process)
