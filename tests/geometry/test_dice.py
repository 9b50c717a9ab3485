"""The die is fair: its centre of mass is its middle, as drawn and as PrusaSlicer lays it."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
import shapely
from numpy.typing import NDArray

from falldamage_forge import presets
from falldamage_forge.geometry import turned_pieces
from falldamage_forge.geometry.csg import from_mesh, section, to_mesh
from falldamage_forge.geometry.design_parameters import DesignParameters
from falldamage_forge.geometry.mesh import Mesh
from falldamage_forge.geometry.piece_mesh import build, build_solid
from falldamage_forge.geometry.stl import write_stl
from falldamage_forge.geometry.turned_pieces import DIE_MM, FACES, PIPS
from falldamage_forge.pieces.catalogue import Catalogue
from falldamage_forge.printing.gcode import LaidLayer, read_layers
from falldamage_forge.printing.prusaslicer import slice_file
from tests.amount import EXHAUSTIVE

from .slicing import needs_slicer

FAIR_MM = 0.05
"""The centre of mass may be so far from the middle."""


def centre_of_mass_mm(mesh: Mesh) -> NDArray[np.float64]:
    corners = mesh.vertices.astype(np.float64)[mesh.faces]
    volumes = np.einsum("ij,ij->i", corners[:, 0], np.cross(corners[:, 1], corners[:, 2]))
    moment = (volumes[:, None] * corners.sum(axis=1) / 4).sum(axis=0)
    return np.asarray(moment / volumes.sum(), np.float64)


def centre_of_filament_mm(layers: Sequence[LaidLayer]) -> NDArray[np.float64]:
    """The middle of all lines, weighed by their volume."""
    laid = [(layer.middle_mm, layer.of_part()) for layer in layers]
    lines = np.concatenate([rows for _, rows in laid])
    heights = np.concatenate([np.full(len(rows), z) for z, rows in laid])
    middles = np.column_stack([lines[:, [0, 2]].mean(1), lines[:, [1, 3]].mean(1), heights])
    return np.asarray(np.average(middles, axis=0, weights=lines[:, 5]), np.float64)


def middle_mm(mesh: Mesh) -> NDArray[np.float64]:
    return np.asarray(np.mean(mesh.bounds_mm(), axis=0), np.float64)


@pytest.fixture
def mesh(catalogue: Catalogue) -> Mesh:
    return build(catalogue["die"], presets.load_printer("a1-mini"))


def test_centre_of_mass_of_the_drawn_die_is_its_middle(mesh: Mesh) -> None:
    assert centre_of_mass_mm(mesh) == pytest.approx(middle_mm(mesh), abs=0.005)


def test_pips_of_one_size_move_the_centre(
    catalogue: Catalogue, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(turned_pieces, "pip_radius_mm", lambda count: 1.5)
    solid = build_solid(replace(catalogue["die"], key="plain"), DesignParameters())
    plain = to_mesh(solid)
    assert np.abs(centre_of_mass_mm(plain) - middle_mm(plain)).max() > 0.01


@pytest.mark.parametrize("number", range(1, 7))
def test_each_face_shows_its_number_and_opposite_faces_add_up_to_seven(
    mesh: Mesh, number: int
) -> None:
    x, y, _ = FACES[number]
    middled = from_mesh(mesh).translate(tuple(-middle_mm(mesh)))
    upright = middled.rotate((-x, 0, 0)).rotate((0, -y, 0))
    for side, shown in ((1, number), (-1, 7 - number)):
        face = section(upright, side * (DIE_MM / 2 - 0.3))
        assert shapely.get_num_interior_rings(face) == len(PIPS[shown]) == shown


def filament_off_mm(printer_name: str, mesh: Mesh, group: str) -> float:
    printer = presets.load_printer(printer_name)
    files = presets.slicer_files(printer, group)
    gcode = slice_file(write_stl(mesh, "die"), ".stl", files, printer)
    bed = printer.bed_mm[0] / 2, printer.bed_mm[1] / 2
    layers = read_layers(gcode, presets.slicer_settings(printer, group), bed)
    middle = (0.0, 0.0, DIE_MM / 2)
    return float(np.abs(centre_of_filament_mm(layers) - middle).max())


@pytest.mark.slicer
@needs_slicer
@pytest.mark.parametrize("printer", presets.names("printers") if EXHAUSTIVE else ["a1-mini"])
def test_centre_of_filament_is_within_the_bound(
    printer: str, mesh: Mesh, catalogue: Catalogue
) -> None:
    assert filament_off_mm(printer, mesh, catalogue["die"].group) <= FAIR_MM


@pytest.mark.slicer
@needs_slicer
def test_a_die_printed_as_terrain_is_not_fair(mesh: Mesh) -> None:
    assert filament_off_mm("a1-mini", mesh, "stone") > FAIR_MM


def test_only_the_die_is_printed_solid(catalogue: Catalogue) -> None:
    process = presets.load_process("standard")
    solid = {
        piece.key for piece in catalogue.pieces.values() if process.way(piece.group).name == "solid"
    }
    assert solid == {"die"}
    settings = presets.slicer_settings(presets.load_printer("a1-mini"), "die")
    assert settings["fill_density"] == "100%"
