"""One height of layers everywhere: data, slicers, estimate, proof; and pieces made for it."""

import numpy as np
import pytest

from falldamage_forge.geometry.mesh import Mesh
from falldamage_forge.geometry.piece_mesh import build
from falldamage_forge.pieces.piece import Piece
from falldamage_forge.pieces.variants import variants_of
from falldamage_forge.presets import (
    load_catalogue,
    load_printer,
    load_process,
    names,
    set_up,
    slicer_settings,
)
from falldamage_forge.printing.estimate import rates_of
from falldamage_forge.printing.process import STANDARD_PROCESS, Process

PRINTER = load_printer("a1-mini")
CATALOGUE = load_catalogue()
PROCESSES = names("processes")
OFF_MM = 0.025
"""Solids that are joined overlap by 0.02; no slicer sees it."""
ORNAMENTS_MM = {"spire": {18.84}, "tree": {2.4, 20.4, 21.1}}
"""Level faces that nothing rests on or enters, and that may be printed a little off: a ledge of a
spire, the upper ends of a tree's legs, and its trunk under the crown."""
LEAST_MM2 = 2.0
"""Smaller level faces are ends of reliefs and steps of slopes."""


def level_heights_mm(mesh: Mesh) -> set[float]:
    """Heights of a mesh's level faces, to a thousandth."""
    corners = mesh.vertices.astype(np.float64)[mesh.faces]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    doubled = np.linalg.norm(normals, axis=1)
    level = np.abs(normals[:, 2]) > 0.9999 * doubled
    areas: dict[float, float] = {}
    for z, area in zip(corners[level, 0, 2], doubled[level] / 2, strict=True):
        areas[round(float(z), 3)] = areas.get(round(float(z), 3), 0.0) + float(area)
    return {z for z, area in areas.items() if area >= LEAST_MM2}


def off_layers_mm(heights: set[float], process: Process, group: str) -> dict[float, float]:
    """Heights that no layer ends at, with how far the nearest one is."""
    first, layer = process.first_layer_mm, process.way(group).layer_mm
    found = {}
    for z in heights:
        above = max(z - first, -first)
        nearest = 0.0 if z < first / 2 else first + layer * max(round(above / layer), 0)
        if abs(z - nearest) > OFF_MM:
            found[z] = round(z - nearest, 3)
    return found


def test_heights_are_distinguished_from_layers() -> None:
    standard = load_process("standard")
    assert off_layers_mm({0.0, 0.24, 0.48, 30.0, 0.74}, standard, "stone") == {}
    fine = load_process("fine")
    assert off_layers_mm({0.0, 0.24, 0.4, 1.2, 61.2}, fine, "tree") == {}
    assert off_layers_mm({0.4, 1.2}, standard, "tree").keys() == {0.4}
    assert off_layers_mm({0.12, 0.8, 0.36}, standard, "stone").keys() == {0.12, 0.8, 0.36}


@pytest.mark.parametrize("key", [family[0].key for family in CATALOGUE.families.values()])
def test_every_level_face_of_a_piece_ends_with_a_layer(key: str) -> None:
    heights = level_heights_mm(build(CATALOGUE[key], PRINTER))
    off = off_layers_mm(heights, PRINTER.process, CATALOGUE[key].group)
    assert set(off) <= ORNAMENTS_MM.get(key, set())


@pytest.mark.parametrize("look", variants_of(CATALOGUE["chest"]), ids=lambda look: look.key)
def test_every_level_face_of_a_treasure_ends_with_a_layer(look: Piece) -> None:
    heights = level_heights_mm(build(look, PRINTER))
    assert off_layers_mm(heights, PRINTER.process, look.group) == {}


@pytest.mark.parametrize("name", PROCESSES)
def test_levels_of_the_board_end_with_a_layer(name: str) -> None:
    process = load_process(name)
    levels = {30.0 * level for level in range(10)}
    assert off_layers_mm(levels, process, "stone") == {}
    assert off_layers_mm({0.0, 30.0}, process, process.figure_groups[0]) == {}
    assert process.first_layer_mm == process.terrain.layer_mm


@pytest.mark.parametrize("name", PROCESSES)
@pytest.mark.parametrize("printer_name", names("printers"))
def test_slicer_estimate_and_proof_have_the_layers_of_the_process(
    printer_name: str, name: str
) -> None:
    process = load_process(name)
    printer = set_up(load_printer(printer_name), name)
    for group in ("stone", *process.figure_groups):
        way = process.way(group)
        settings = slicer_settings(printer, group)
        assert float(settings["layer_height"]) == way.layer_mm
        assert float(settings["first_layer_height"]) == process.first_layer_mm
        assert settings["support_material"] == "0"
        assert settings["elefant_foot_compensation"] == "0"
        assert settings["perimeter_generator"] == way.studio.get(
            "wall_generator", process.terrain.studio.get("wall_generator", "classic")
        )
        rates = rates_of(printer, group)
        assert (rates.layer_mm, rates.first_layer_mm) == (way.layer_mm, process.first_layer_mm)
    assert printer.layer_mm == process.terrain.layer_mm


def test_printer_of_user_has_standard_process() -> None:
    standard = load_process("standard")
    for way, usual in zip(standard.ways(), STANDARD_PROCESS.ways(), strict=True):
        assert (way.name, way.layer_mm, way.settings) == (
            usual.name,
            usual.layer_mm,
            usual.settings,
        )
    assert standard.wall_mm == STANDARD_PROCESS.wall_mm
    assert standard.figure_groups == STANDARD_PROCESS.figure_groups
