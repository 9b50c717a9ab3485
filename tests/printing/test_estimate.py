"""The estimate against a real slicer: plate by plate, within 10 % of grams and 15 % of minutes."""

import json
import os
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from falldamage_forge.assemble import (
    Build,
    Wishes,
    assemble,
    assemble_parts,
    shape_of,
    with_figures,
)
from falldamage_forge.cli.slicer import read_figures, slice_file
from falldamage_forge.export.plates import plate_mesh
from falldamage_forge.export.stl import write_stl
from falldamage_forge.geometry.build import build
from falldamage_forge.issues import ForgeError
from falldamage_forge.presets import load_catalogue, load_printer, names
from falldamage_forge.printing.estimate import (
    MODEL,
    Figures,
    estimate,
    estimate_plate,
    grams,
    model_of,
    part_seconds,
    process_of,
)
from falldamage_forge.printing.process import Shape
from tests.geometry.slicing import needs_slicer
from tests.pieces.maps import MAPS, layout_of

PRINTER = load_printer("a1-mini")
DATA = json.loads((Path(__file__).parents[1] / "data" / "slicer_figures.json").read_text("utf-8"))
SHAPES = {key: Shape(*measures) for key, measures in DATA["shapes"].items()}
EXHAUSTIVE = "FORGE_EXHAUSTIVE" in os.environ


@pytest.mark.parametrize("record", DATA["plates"], ids=lambda record: record["name"])
def test_every_sliced_plate_is_estimated_closely(record: dict[str, Any]) -> None:
    found = estimate(record["counts"], SHAPES, model_of(PRINTER, record["process"]))
    assert found.grams == pytest.approx(record["grams"], rel=0.10)
    assert found.minutes == pytest.approx(record["minutes"], rel=0.15)


def test_every_builder_was_sliced_and_pieces_still_measure_about_the_same() -> None:
    """If this fails, run `python benchmarks/fit_estimate.py collect` and fit again."""
    catalogue = load_catalogue()
    builders = {piece.builder for piece in catalogue.pieces.values()}
    assert {shape.builder for shape in SHAPES.values()} == builders
    for key in set(catalogue.pieces) & set(SHAPES):
        now = shape_of(catalogue[key], build(catalogue[key], PRINTER))
        assert now.volume_mm3 == pytest.approx(SHAPES[key].volume_mm3, rel=0.05), key
        assert now.area_mm2 == pytest.approx(SHAPES[key].area_mm2, rel=0.05), key


@cache
def built(name: str) -> Build:
    return assemble(layout_of(name), load_catalogue(), PRINTER)


@needs_slicer
@pytest.mark.slicer
@pytest.mark.parametrize("name", MAPS if EXHAUSTIVE else MAPS[:1])
def test_plates_of_maps_are_estimated_closely(name: str) -> None:
    """By default the quickest plate of one map; all plates of all maps with FORGE_EXHAUSTIVE."""
    made = built(name)
    quickest = min(range(len(made.plates)), key=lambda n: made.figures[n].minutes)
    for number, plate in enumerate(made.plates):
        if EXHAUSTIVE or number == quickest:
            data = write_stl(plate_mesh(plate, made.meshes), "plate")
            sliced = read_figures(slice_file(data, ".stl", PRINTER, process_of(plate.group)))
            found = made.figures[number]
            assert found.grams == pytest.approx(sliced.grams, rel=0.10)
            assert found.minutes == pytest.approx(sliced.minutes, rel=0.15)


def test_more_parts_take_more_and_layers_have_a_least_time() -> None:
    block = SHAPES["block-1x1x1"]
    one, two = (estimate({"b": n}, {"b": block}, MODEL) for n in (1, 2))
    assert two.grams == pytest.approx(2 * one.grams)
    assert one.minutes < two.minutes < 2 * one.minutes + 1e-9
    thin = Shape(100, 400, 4, 100)
    layers = 100 / MODEL.layer_mm
    assert estimate({"t": 1}, {"t": thin}, MODEL).minutes * 60 >= layers * MODEL.least_s_per_layer
    assert estimate({}, {}, MODEL) == Figures(0, 0)
    assert grams(block) > 0 < part_seconds(block)


def test_figures_come_from_one_source_and_shares_add_up() -> None:
    made = built(MAPS[0])
    assert made.source == "estimated"
    sliced = with_figures(made, [Figures(100, 60)] * len(made.plates), "PrusaSlicer")
    assert sliced.source == "PrusaSlicer"
    assert sum(row.grams for row in sliced.rows) == pytest.approx(100 * len(made.plates))
    assert sum(row.minutes for row in sliced.rows) == pytest.approx(60 * len(made.plates))
    assert [row.quantity for row in sliced.rows] == [row.quantity for row in made.rows]


def test_a_slow_printer_takes_longer_and_printers_without_figures_use_the_a1_minis() -> None:
    made = built(MAPS[0])
    for name in names("printers"):
        printer = load_printer(name)
        assert printer.estimate, name
        found = estimate_plate(made.plates[0], made.shapes, printer)
        assert found.grams == pytest.approx(made.figures[0].grams)
        expected = made.figures[0].minutes * printer.time_factor
        assert found.minutes == pytest.approx(expected)


@needs_slicer
@pytest.mark.slicer
@pytest.mark.skipif(not EXHAUSTIVE, reason="slices for every printer; set FORGE_EXHAUSTIVE=1")
@pytest.mark.parametrize("name", names("printers"))
def test_other_printers_take_their_factor(name: str) -> None:
    printer, catalogue = load_printer(name), load_catalogue()
    counts = {"block-l-1": 1, "block-2x1x1": 3}
    pieces = {key: catalogue[key] for key in sorted(counts)}
    made = assemble_parts(counts, pieces, printer)
    data = write_stl(plate_mesh(made.plates[0], made.meshes), "plate")
    sliced = read_figures(slice_file(data, ".stl", printer, "terrain"))
    assert made.figures[0].grams == pytest.approx(sliced.grams, rel=0.10)
    assert made.figures[0].minutes == pytest.approx(sliced.minutes, rel=0.15)


def test_plates_by_stage_and_figures_are_printed_in_their_way() -> None:
    assert {process_of(group) for group in ("base", "stone", "rest", "wood")} == {"terrain"}
    assert {process_of(group) for group in ("tree", "marker")} == {"figures"}
    made = assemble(layout_of("duel"), load_catalogue(), PRINTER, wishes=Wishes(group_by="stage"))
    assert all(figures.minutes > 0 < figures.grams for figures in made.figures)


def test_gcode_without_figures_is_refused() -> None:
    good = "; filament used [g] = 12.37\n; estimated printing time (normal mode) = 1h 29m 6s\n"
    assert read_figures(good) == Figures(12.37, 89.1)
    two = good.replace("12.37", "1.5, 2.5")
    assert read_figures(two).grams == 4
    for line in good.splitlines():
        with pytest.raises(ForgeError, match="FDF471"):
            read_figures(line)
