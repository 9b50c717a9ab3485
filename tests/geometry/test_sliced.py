"""`prove --sliced`: seeded faults are found in what PrusaSlicer lays down, good parts are quiet."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from falldamage_forge import presets
from falldamage_forge.cli.sliced_proof import PartSlicer
from falldamage_forge.geometry.joint_check import make_joint
from falldamage_forge.geometry.mesh import Mesh
from falldamage_forge.geometry.piece_mesh import build
from falldamage_forge.geometry.sliced_part import SlicedPart, SlicedReport, judge_sliced
from falldamage_forge.geometry.stl import write_stl
from falldamage_forge.lengths import print_grid
from falldamage_forge.pieces.catalogue import Catalogue
from falldamage_forge.pieces.variants import variants_of
from falldamage_forge.printing import prusaslicer
from falldamage_forge.printing.printer import Printer
from falldamage_forge.printing.slicer_settings import NEUTRAL, differing_settings, told_settings
from tests.amount import EXHAUSTIVE
from tests.cli.running import typed

from .slicing import needs_slicer

pytestmark = [pytest.mark.slicer, needs_slicer]
STYLE = presets.load_style("stone")
FEW = ["tie", "ladder-1", "battlement-1", "block-1x1x1", "lava"]
SIZED, MORE = ("lava", "start-red"), ("block-1x1x1", "block-2x1x1", "bridge-2", "ladder-2", "spire")
PARTS = ("ladder-1", "block-1x1x1", "bridge-1", "spire")


def smaller(mesh: Mesh) -> Mesh:
    low, high = mesh.bounds_mm()
    middle = np.array([(low[0] + high[0]) / 2, (low[1] + high[1]) / 2, 0.0])
    return Mesh((middle + (mesh.vertices - middle) * 0.995).astype(np.float32), mesh.faces)


def turned_over(mesh: Mesh) -> Mesh:
    top = mesh.bounds_mm()[1][2]
    return Mesh((mesh.vertices * (1, -1, -1) + (0, 0, top)).astype(np.float32), mesh.faces)


def pressed_wide(part: SlicedPart) -> None:
    part.regions[0] = part.regions[0].buffer(0.2)


@dataclass(frozen=True)
class Seeded:
    """A fault: a mesh that is not the one meant, words to the slicer, or a first layer pressed.

    `unseen` are parts whose lines lie where they should in spite of it: there only the settings
    show it.
    """

    options: tuple[str, ...] = ()
    mesh: Callable[[Mesh], Mesh] = lambda mesh: mesh
    print: Callable[[SlicedPart], None] = lambda part: None
    pose: bool = False
    unseen: tuple[str, ...] = ()


WIDE = (
    "extrusion",
    "external-perimeter-extrusion",
    "perimeter-extrusion",
    "solid-infill-extrusion",
    "first-layer-extrusion",
)
FAULTS = {
    "scale 99.5 %": Seeded(mesh=smaller),
    "xy +0.10": Seeded(("--xy-size-compensation=0.1",)),
    "xy -0.10": Seeded(("--xy-size-compensation=-0.1",)),
    "elephant's foot compensated": Seeded(("--elefant-foot-compensation=0.2",), unseen=("spire",)),
    "elephant's foot printed": Seeded(print=pressed_wide),
    "nozzle 0.6": Seeded(("--nozzle-diameter=0.6", *(f"--{what}-width=0.65" for what in WIDE))),
    "classic walls": Seeded(
        ("--perimeter-generator=classic",), unseen=("block-1x1x1", "bridge-1", "spire")
    ),
    "layer 0.20": Seeded(("--layer-height=0.2", "--first-layer-height=0.2")),
    "layer 0.28": Seeded(("--layer-height=0.28", "--first-layer-height=0.28")),
    "first layer 0.20": Seeded(("--first-layer-height=0.2",)),
    "one wall": Seeded(("--perimeters=1",), unseen=PARTS),
    "flow 0.90": Seeded(("--extrusion-multiplier=0.9",)),
    "brim 3": Seeded(("--brim-width=3",)),
    "supports": Seeded(
        ("--support-material", "--support-material-auto", "--support-material-threshold=50")
    ),
    "closing radius 0.3": Seeded(("--slice-closing-radius=0.3",)),
    "vase": Seeded(
        ("--spiral-vase", "--perimeters=1", "--top-solid-layers=0", "--fill-density=0%")
    ),
    "fuzzy skin": Seeded(("--fuzzy-skin=external",)),
    "turned over": Seeded(mesh=turned_over, pose=True),
}
SEEDED = [(name, key) for name in FAULTS for key in PARTS]
QUICK = [(name, "ladder-1") for name in ("scale 99.5 %", "xy +0.10", "flow 0.90")]


def judged(
    key: str, catalogue: Catalogue, printer: Printer, fault: Seeded = Seeded()
) -> SlicedReport:
    """A part sliced with a fault, beside the mesh that was meant."""
    piece = catalogue[key]
    meant = presets.slicer_settings(printer, piece.group)
    mesh = build(piece, printer, STYLE)
    bad = fault.mesh(mesh)
    files = presets.slicer_files(printer, piece.group)
    gcode = prusaslicer.slice_file(write_stl(bad, key), ".stl", files, printer, fault.options)
    # A wrong pose shows in what hangs in the air: it is judged beside the mesh that was sliced.
    part = SlicedPart.from_gcode(bad if fault.pose else mesh, gcode, meant, printer.bed_mm)
    fault.print(part)
    return judge_sliced(key, part, differing_settings(meant, told_settings(gcode)))


@pytest.mark.parametrize(("name", "key"), SEEDED if EXHAUSTIVE else QUICK)
def test_a_seeded_fault_is_found(
    name: str, key: str, catalogue: Catalogue, printer: Printer
) -> None:
    """By default three faults of one part; with FORGE_EXHAUSTIVE all of four."""
    fault = FAULTS[name]
    report = judged(key, catalogue, printer, fault)
    assert bool(report.settings) == bool(fault.options), report.settings
    watched = {**NEUTRAL, **presets.slicer_settings(printer, catalogue[key].group)}
    changed = {words.partition(":")[0] for words in report.settings}
    asked = {word.removeprefix("--").partition("=")[0].replace("-", "_") for word in fault.options}
    assert asked & watched.keys() <= changed
    if key not in fault.unseen:
        assert report.faults, f"{name} of {key} is laid like a good part"
    assert {issue.code for issue in report.issues()} <= {"FDF475", "FDF476"}


def test_good_parts_are_quiet(catalogue: Catalogue, printer: Printer) -> None:
    """By default a few; with FORGE_EXHAUSTIVE every variant of every piece."""
    every = [part for piece in catalogue.pieces.values() for part in variants_of(piece)]
    keys = [piece.key for piece in every] if EXHAUSTIVE else FEW
    slicer = PartSlicer(printer, STYLE)
    parts = {piece.key: piece for piece in every}
    found = {}
    for key in keys:
        report = slicer.judge(parts[key])
        assert report.layers > 5
        assert 0.4 < report.solid_share < 1.05
        issues = [str(issue) for issue in report.issues()]
        found |= {key: issues} if issues else {}
    assert not found


@pytest.mark.parametrize("tile", [25.4, 40.0])
def test_good_parts_of_other_sizes_are_quiet(tile: float, printer: Printer) -> None:
    """By default two; with FORGE_EXHAUSTIVE one of each family."""
    catalogue, slicer = presets.load_catalogue(print_grid(tile, tile)), PartSlicer(printer, STYLE)
    for key in (*SIZED, *MORE) if EXHAUSTIVE else SIZED:
        assert [str(issue) for issue in slicer.judge(catalogue[key]).issues()] == []


JOINTS = {
    "good": ((), set()),
    "xy +0.10": (("--xy-size-compensation=0.1",), {"FDF430"}),
    "xy -0.10": (("--xy-size-compensation=-0.1",), {"FDF431", "FDF432"}),
}


@pytest.mark.skipif(not EXHAUSTIVE, reason="slices blocks and ladders; set FORGE_EXHAUSTIVE=1")
@pytest.mark.parametrize("name", JOINTS)
def test_a_joint_of_parts_that_are_too_wide_or_too_slim_is_found(
    name: str, catalogue: Catalogue, printer: Printer
) -> None:
    options, codes = JOINTS[name]
    slicer = PartSlicer(printer, STYLE, options)
    block, ladder = catalogue["block-1x1x1"], catalogue["ladder-1"]
    seat = ((0, 0), 0)
    made = [make_joint(block, block, seat, "skirt"), make_joint(ladder, block, seat, "hook")]
    reports = [slicer.join(joint) for joint in made]
    found = {issue.code for report, _ in reports for issue in report.issues()}
    assert bool(found) == bool(codes), found
    assert found <= codes
    if not codes:
        assert reports[0][1].click_mm == pytest.approx(printer.click_mm, abs=0.005)
        assert min(play or 1.0 for play in reports[1][1].play_mm) > 0.05


def test_the_command_judges_a_part_as_sliced() -> None:
    run = typed("prove", "tie", "--sliced", "--json")
    assert run.returncode == 0, run.stderr
    (part,) = json.loads(run.stdout)["sliced"]["pieces"]
    assert part["key"] == "tie"
    assert part["layers"] == 7
    assert part["faults"] == {}
    assert part["settings"] == []
    assert part["foot"]["contact_mm2"] == pytest.approx(147, abs=5)
    table = typed("prove", "tie", "--sliced").stdout
    assert "as drawn" in table


def test_without_a_slicer_the_command_says_so(tmp_path: Path) -> None:
    run = typed("prove", "tie", "--sliced", PATH=str(tmp_path))
    assert run.returncode == 1
    assert "FDF470" in run.stderr
    assert "--sliced" in run.stderr


def test_a_slicer_that_refuses_a_part_is_named(tmp_path: Path) -> None:
    slicer = tmp_path / "prusa-slicer"
    slicer.write_text("#!/bin/sh\necho nothing to slice >&2\nexit 1\n")
    slicer.chmod(0o755)
    run = typed("prove", "tie", "--sliced", PATH=str(tmp_path))
    assert run.returncode == 1
    assert "FDF471" in run.stderr
    assert "nothing to slice" in run.stderr
