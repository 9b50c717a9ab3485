"""The estimate of models against a real slicer: they have infill, which our own parts have not."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from trimesh import Trimesh
from trimesh.creation import box, icosphere

from falldamage_forge.builds.part_features import features_of_mesh
from falldamage_forge.geometry.connector_standard import STANDARD
from falldamage_forge.geometry.csg import to_mesh, translate
from falldamage_forge.geometry.model_part import gap_mm, joined_model
from falldamage_forge.geometry.piece_mesh import fit_of
from falldamage_forge.geometry.stl import write_stl
from falldamage_forge.models.placed_model import ModelPose
from falldamage_forge.presets import load_printer, slicer_files
from falldamage_forge.printing.estimate import RATES, grams
from falldamage_forge.printing.estimate_model import Band, PartFeatures
from falldamage_forge.printing.prusaslicer import read_figures, slice_file
from tests.geometry.slicing import needs_slicer

PRINTER = load_printer("a1-mini")
FIT = fit_of(PRINTER)


def statue() -> Trimesh:
    made = icosphere(4, 14)
    ripples = 1 + 0.02 * np.sin(0.9 * made.vertices).sum(axis=1, keepdims=True)
    return Trimesh(made.vertices * ripples * (1, 1, 2), made.faces)


def walls() -> Trimesh:
    """Three walls of one triangle's thickness, of uneven height."""
    made = box((50, 50, 40)).subdivide().subdivide().subdivide()
    points = made.vertices.copy()
    high = points[:, 2] > 19
    points[high, 2] += 8 * np.sin(points[high, 0] / 5)
    out = (np.abs(made.face_normals[:, 2]) < 0.5) & (made.face_normals[:, 0] < 0.5)
    return Trimesh(points, made.faces[out])


MODELS = {
    "statue": (statue, 1),
    "rock": (lambda: icosphere(4, 28), 2),
    "walls": (walls, 2),
}


@needs_slicer
@pytest.mark.slicer
@pytest.mark.parametrize("name", MODELS)
def test_a_model_is_estimated_within_a_tenth(name: str, tmp_path: Path) -> None:
    make, tiles = MODELS[name]
    path = tmp_path / f"{name}.stl"
    make().export(path)
    pose = ModelPose(tiles, tiles, gap_mm=gap_mm(FIT))
    part = joined_model(path, path.name, pose, (), FIT)
    assert any("thickened" in each for each in part.placed.repair.done) is (name == "walls")
    mesh = to_mesh(translate(part.solid, 0, 0, STANDARD.skirt_mm))
    gcode = slice_file(write_stl(mesh, name), ".stl", slicer_files(PRINTER, "stone"), PRINTER)
    assert grams(features_of_mesh(mesh)) == pytest.approx(read_figures(gcode).grams, rel=0.1)


def test_infill_is_joined_along_its_outline_and_never_denser_than_full() -> None:
    def weight(outline_mm: float, infill: float = RATES.infill) -> float:
        band = Band(10, 0, 0, 0, 0, 0, sparse_mm2=100, sparse_mm=outline_mm)
        return grams(PartFeatures((band,)), replace(RATES, infill=infill))

    full = weight(0, 1.0)
    assert weight(0) < weight(40) < weight(80) < full
    assert weight(1e6) <= full * 1.001
    assert weight(80, 1.0) == full
