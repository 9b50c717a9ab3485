"""Printers as data: every one takes every piece, has slicer settings, and may be one's own."""

import math
import re
from pathlib import Path

import pytest

from falldamage_forge import presets
from falldamage_forge.geometry.mesh_properties import measure
from falldamage_forge.geometry.piece_mesh import build
from falldamage_forge.infra import presets_folder
from falldamage_forge.issues import ForgeError
from falldamage_forge.maps.resolve import resolve_printer
from falldamage_forge.pieces.catalogue import Catalogue
from falldamage_forge.printing.printer import Printer, printer_from_table
from falldamage_forge.printing.prusaslicer import slice_file
from tests.cli.running import small_map, typed

from .conftest import stl_bytes
from .slicing import needs_slicer, slice_mesh

NAMES = presets.names("printers")
LARGEST = ("quadrant", "block-3x3x3", "ladder-5", "bridge-4", "rim-letters-a")


def test_documented_printers_exist() -> None:
    assert set(NAMES) >= {"a1-mini", "a1", "p1s", "prusa-mini", "mk4", "ender-3"}


@pytest.mark.parametrize("name", NAMES)
def test_the_largest_pieces_fit_inside_the_margins(name: str, catalogue: Catalogue) -> None:
    printer = presets.load_printer(name)
    for key in LARGEST:
        size = measure(build(catalogue[key], printer)).size_mm
        assert max(size[:2]) <= min(printer.bed_mm) - 2 * printer.margin_mm
        assert size[2] <= printer.height_mm


@pytest.mark.parametrize("name", NAMES)
def test_slicer_settings_have_the_bed_of_their_printer(name: str) -> None:
    """Every printer has a machine's file for PrusaSlicer, and the two say the same."""
    printer = presets.load_printer(name)
    text = (presets_folder.root() / "slicer" / f"{name}.ini").read_text(encoding="utf-8")
    settings = dict(re.findall(r"^(\w+) = (.*)$", text, re.M))
    right, back = (f"{side:g}" for side in printer.bed_mm)
    assert settings["bed_shape"] == f"0x0,{right}x0,{right}x{back},0x{back}"
    assert float(settings["max_print_height"]) == printer.height_mm
    assert float(settings["nozzle_diameter"]) == printer.nozzle_mm
    assert "support_material" not in settings


@pytest.mark.parametrize("name", presets.names("processes"))
def test_print_modes_keep_settings_that_meshes_need(name: str) -> None:
    """Supports off, no second relief, lines that fill the process's walls."""
    process = presets.load_process(name)
    printer = presets.set_up(presets.load_printer("a1-mini"), name)
    for group in ("stone", "tree"):
        settings = presets.slicer_settings(printer, group)
        assert settings["support_material"] == "0"
        assert settings["elefant_foot_compensation"] == "0"
        width = float(settings["external_perimeter_extrusion_width"])
        two_lines = process.wall_mm == pytest.approx(2 * width)
        assert two_lines or settings["perimeter_generator"] == "arachne"


@needs_slicer
@pytest.mark.slicer
def test_a_machine_file_is_taken_by_the_slicer(catalogue: Catalogue, tmp_path: Path) -> None:
    printer = presets.load_printer("ender-3")
    mesh = build(catalogue["start-red"], printer)
    sliced = slice_mesh(mesh, tmp_path, "terrain", centre="110,110", machine="ender-3")
    assert sliced.inside(printer)
    assert sliced.grams > 0


def laid_mm(layer: str) -> float:
    """How long the lines of a layer's G-code are."""
    place, length = (0.0, 0.0), 0.0
    for line in layer.splitlines():
        words = dict(re.findall(r"([XYE])(-?[\d.]+)", line)) if line.startswith("G1 ") else {}
        after = (float(words.get("X", place[0])), float(words.get("Y", place[1])))
        if float(words.get("E", 0)) > 0:
            length += math.dist(place, after)
        place = after
    return length


@pytest.mark.parametrize("name", NAMES)
def test_every_process_has_its_nozzle_on_every_preset_printer(name: str) -> None:
    for process in presets.names("processes"):
        printer = presets.set_up(presets.load_printer(name), process)
        low, high = printer.process.nozzles_mm
        assert low <= printer.nozzle_mm <= high
        assert process in presets.processes_for(printer.nozzle_mm)
        if printer.studio is not None:
            assert f"{printer.nozzle_mm:g} nozzle" in printer.studio.printer
        widths = {float(x["nozzle_diameter"]) for x in slicer_settings_of(printer)}
        assert widths == {printer.nozzle_mm}
        assert (printer.label == printer.title) == (printer.nozzle_mm == 0.4)


def slicer_settings_of(printer: Printer) -> list[dict[str, str]]:
    """The settings of each print mode for PrusaSlicer."""
    groups = ("stone", printer.process.figure_groups[0], printer.process.solid_groups[0])
    return [presets.slicer_settings(printer, group) for group in groups]


def test_layers_and_lines_are_what_the_nozzle_can_lay() -> None:
    """By the limits of its machine's file, and lines of one to twice its width."""
    for process in presets.names("processes"):
        printer = presets.set_up(presets.load_printer("a1-mini"), process)
        for mode, settings in zip(printer.process.ways(), slicer_settings_of(printer), strict=True):
            low, high = (float(settings[f"{end}_layer_height"]) for end in ("min", "max"))
            layers = {mode.layer_mm, mode.plain_layer_mm or mode.layer_mm}
            assert all(low <= layer <= high for layer in layers)
            widths = [float(x) for key, x in settings.items() if key.endswith("extrusion_width")]
            assert all(1 <= width / printer.nozzle_mm <= 2 for width in widths)


@needs_slicer
@pytest.mark.slicer
@pytest.mark.parametrize("process", ["economy", "quick"])
def test_thin_walls_are_one_line_all_round_in_every_layer(
    process: str, catalogue: Catalogue
) -> None:
    """Neither left out nor drawn twice, which is why the process brings a generator along."""
    printer = presets.set_up(presets.load_printer("a1-mini"), process)
    data = stl_bytes(build(catalogue["step"], printer))
    gcode = slice_file(data, ".stl", presets.slicer_files(printer, "stone"), printer)
    layers = [laid_mm(part) for part in gcode.split(";LAYER_CHANGE")[1:]]
    round_mm = 4 * (29.8 - printer.process.wall_mm)
    assert layers[24:48] == pytest.approx([round_mm] * 24, rel=0.04)


OWN = 'title = "Mine"\nbed_mm = [200, 200]\nheight_mm = 180\nfit_mm = 0.21\n'


def test_printer_file_of_user_is_loaded(tmp_path: Path) -> None:
    path = tmp_path / "my-printer.toml"
    path.write_text(OWN, encoding="utf-8")
    printer = resolve_printer(str(path))
    assert (printer.name, printer.title, printer.fit_mm) == ("my-printer", "Mine", 0.21)
    assert printer.seam_mm == 0.2
    run = typed("pieces", small_map(tmp_path / "small.forge"), "--printer", path)
    assert run.returncode == 0, run.stderr


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (OWN.replace("fit_mm", "fit_nm"), "did you mean `fit_mm`?"),
        (OWN.replace("0.21", "2.1"), "`fit_mm` should be from 0.1 to 0.34 mm"),
        (OWN.replace("0.21", "nan"), "`fit_mm`"),
        (OWN.replace("[200, 200]", "[20, 200]"), "`bed_mm` should be two sides"),
        (OWN + "nozzle_mm = 0.8\n", "`nozzle_mm`"),
        (OWN + "nozzle_mm = 0.8\n", "lines of up to 0.84 mm; a wider nozzle"),
        (OWN + '[nozzles."wide"]\n', "`nozzles` should name widths in mm"),
        ('title = "Mine"\n', "`bed_mm` is missing"),
        ("title = \n", "not valid TOML"),
    ],
)
def test_invalid_printer_file_raises_error(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ForgeError) as caught:
        resolve_printer(str(path))
    said = " ".join(f"{issue.message} {issue.hint}" for issue in caught.value.issues)
    assert message in said


def test_unknown_printer_raises_error() -> None:
    with pytest.raises(ForgeError, match="no preset called `a1-maxi`"):
        resolve_printer("a1-maxi")
    with pytest.raises(ForgeError, match="no such file"):
        resolve_printer("nowhere/mine.toml")
    with pytest.raises(ForgeError):
        printer_from_table({}, "x", "printer x")
