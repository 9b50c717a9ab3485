"""What is about as wide as a line: ribs are one with their walls, and all is laid down whole."""

import numpy as np
import pytest
import shapely

from falldamage_forge import presets
from falldamage_forge.export.threemf import write_part
from falldamage_forge.geometry.connector_standard import BULB, LAYER_MM, SHALLOW_BULB
from falldamage_forge.geometry.csg import from_mesh, section
from falldamage_forge.geometry.piece_mesh import build, fit_of
from falldamage_forge.geometry.sliced_part import SlicedPart, judge_sliced, swept
from falldamage_forge.geometry.stud import SUNK_MM, keyholes
from falldamage_forge.pieces.family_roles import role_of
from falldamage_forge.pieces.variants import part_named
from falldamage_forge.printing.gcode import read_layers
from falldamage_forge.printing.layer_ranges import layer_ranges
from falldamage_forge.printing.printer import Printer
from falldamage_forge.printing.prusaslicer import slice_file
from tests.amount import EXHAUSTIVE
from tests.geometry.slicing import needs_slicer

STYLES = presets.names("styles") if EXHAUSTIVE else ("stone", "ruin", "desert")
CATALOGUE = presets.load_catalogue()


def printer_for(process: str) -> Printer:
    """An A1 mini that is set up for a process."""
    return presets.set_up(presets.load_printer("a1-mini"), process)


@pytest.mark.parametrize("process", ["standard", "fine", "economy", "quick"])
@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("key", ["block-2x2x1", "block-3x3x1"])
def test_every_layer_between_the_joints_is_one_piece(process: str, style: str, key: str) -> None:
    """Where stones lie outmost, a rib began beside its wall, which ends earlier there."""
    piece, printer = CATALOGUE[key], printer_for(process)
    mesh = build(piece, printer, presets.load_style(style))
    solid, (low, high) = from_mesh(mesh), mesh.bounds_mm()
    joints = role_of(piece.family).joints_mm
    assert joints is not None
    for height in np.arange(low[2] + joints[0], high[2] - joints[1], 0.8):
        layer = section(solid, float(height))
        assert layer.geom_type == "Polygon", f"{height:.2f} mm"


@pytest.mark.parametrize("process", presets.names("processes"))
@pytest.mark.parametrize("shallow", [False, True])
def test_keyholes_have_walls_like_their_shells(process: str, *, shallow: bool) -> None:
    """Two lines and two layers, or one of each in shells of one line; nowhere is a hole."""
    process_lines = presets.load_process(process)
    fit = fit_of(printer_for(process))
    one_line = process_lines.wall_mm < 2 * process_lines.line_mm - 0.2
    wall, floor = (fit.wall_mm, LAYER_MM) if one_line else (0.84, 2 * LAYER_MM)
    bosses, cuts = keyholes([((0, 0), 0)], fit, shallow=shallow)
    bulb = SHALLOW_BULB if shallow else BULB
    assert bosses.bounding_box()[2] == pytest.approx(-bulb[-1][0] - floor)
    for depth, half in bulb[:-1]:
        height = LAYER_MM / 2 - depth
        boss, cut = section(bosses, height), section(cuts, height)
        if height < -SUNK_MM:
            left, right = boss.bounds[0], cut.bounds[0]
            assert right - left == pytest.approx(wall, abs=0.02), f"{half} wide at {height:.2f}"


@needs_slicer
@pytest.mark.slicer
def test_no_line_lies_loose_where_grooves_of_a_base_meet() -> None:
    """Between the two lines of a rib lay a third one, half a millimetre long, over the void."""
    printer, piece = printer_for("standard"), CATALOGUE["quadrant"]
    mesh = build(piece, printer, presets.load_style("brick"))
    files = presets.slicer_files(printer, piece.group)
    text = slice_file(write_part("quadrant", mesh, ()), ".3mf", files, printer)
    skin, ribs = read_layers(text, presets.slicer_settings(printer, piece.group))[1:3]
    assert ribs.top_mm == pytest.approx(0.72)
    below = swept(skin.of_part())
    shapely.prepare(below)
    parts = shapely.get_parts(swept(ribs.of_part()))
    assert len(parts) > 20
    assert [part.centroid for part in parts if not part.intersects(below)] == []


@needs_slicer
@pytest.mark.slicer
@pytest.mark.parametrize(
    ("process", "key", "style"),
    [
        ("quick", "block-3x3x1", "stone"),
        ("quick", "block-2x2x3-b", "stone"),
        ("economy", "block-2x2x1", "stone"),
        ("economy", "ladder-1", "stone"),
        ("quick", "ladder-1", "stone"),
        ("economy", "unit-shield-bearer", "stone"),
        ("economy", "poison", "stone"),
        ("economy", "rim-numbers-1", "stone"),
        ("standard", "round-track", "stone"),
        ("quick", "block-1x1x1", "brick"),
        ("quick", "block-2x1x1", "desert"),
        ("quick", "block-l-1", "grass"),
        ("quick", "quadrant", "brick"),
        ("quick", "spire", "desert"),
        ("standard", "quadrant", "brick"),
        ("standard", "battlement-corner", "ruin"),
        ("standard", "spire", "rock"),
    ],
)
def test_what_is_about_as_wide_as_a_line_is_laid_down(process: str, key: str, style: str) -> None:
    """PrusaSlicer left out ribs, and the hooks of ladders, in layers in which they met a wall.

    By lines of 0.6 mm it began features of figures in the air, and a skin lacked over a number; the
    sun of the track of rounds was half a millimetre from its edge. Walls beside the heads of arches
    were thicker than one line and thinner than two; tips and necks of stone in a first layer, ends
    of ribs and rims in the middle of a layer were laid late, or not.
    """
    printer, piece = printer_for(process), part_named(key, CATALOGUE)
    mesh = build(piece, printer, presets.load_style(style))
    low, high = mesh.bounds_mm()
    ranges = layer_ranges(piece, high[2] - low[2], printer.process)
    data, files = write_part(key, mesh, ranges), presets.slicer_files(printer, piece.group)
    text = slice_file(data, ".3mf", files, printer)
    meant = presets.slicer_settings(printer, piece.group)
    part = SlicedPart.from_gcode(mesh, text, meant, printer.bed_mm, ranges)
    assert not judge_sliced(key, part).faults
