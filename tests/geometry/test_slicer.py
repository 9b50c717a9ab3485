"""A real slicer's word: pieces slice inside the bed, without supports, at the weight we promise."""

from pathlib import Path

import numpy as np
import pytest
import trimesh

from falldamage_forge import presets
from falldamage_forge.geometry import build
from falldamage_forge.pieces.catalogue import Catalogue
from falldamage_forge.printing.printer import Printer

from .conftest import EXHAUSTIVE, mesh_of
from .slicing import WITH_SUPPORTS, needs_slicer, plate_of, slice_mesh

pytestmark = [pytest.mark.slicer, needs_slicer]
SMALL = ("block-1x1x1", "bridge-1", "ladder-1", "water", "start-marker")
FIGURES = ("spire", "tree", "chest", "dowel")


@pytest.mark.parametrize(
    ("process", "keys"), [("terrain", SMALL), ("figures", FIGURES), ("terrain", ("quadrant",))]
)
def test_pieces_slice_inside_the_bed_without_supports(
    process: str, keys: tuple[str, ...], catalogue: Catalogue, printer: Printer, tmp_path: Path
) -> None:
    plate = plate_of([build(catalogue[key], printer) for key in keys], 170)
    sliced = slice_mesh(plate, tmp_path, process, WITH_SUPPORTS)
    assert not sliced.supported
    assert sliced.inside(printer)
    low, high = plate.bounds_mm()
    for axis in range(2):
        found = sliced.high_mm[axis] - sliced.low_mm[axis]
        assert found == pytest.approx(high[axis] - low[axis], abs=1.2)


def test_the_slicer_does_flag_an_overhang_and_our_bounds_check_can_fail(
    printer: Printer, tmp_path: Path
) -> None:
    table = trimesh.util.concatenate(
        [
            trimesh.creation.box(bounds=((0, 0, 0), (4, 4, 10))),
            trimesh.creation.box(bounds=((-12, -12, 10), (16, 16, 12))),
        ]
    )
    assert slice_mesh(mesh_of(table), tmp_path, "terrain", WITH_SUPPORTS).supported
    wide = trimesh.creation.box(bounds=((0, 0, 0), (178, 12, 2)))
    sliced = slice_mesh(mesh_of(wide), tmp_path, "terrain", centre="95,90")
    assert not sliced.inside(printer)


@pytest.mark.skipif(not EXHAUSTIVE, reason="slices the whole catalogue; set FORGE_EXHAUSTIVE=1")
@pytest.mark.parametrize("key", tuple(presets.load_catalogue().pieces))
@pytest.mark.parametrize("process", ["terrain", "figures"])
def test_every_piece_slices_without_supports(
    key: str, process: str, catalogue: Catalogue, printer: Printer, tmp_path: Path
) -> None:
    sliced = slice_mesh(build(catalogue[key], printer), tmp_path, process, WITH_SUPPORTS)
    assert not sliced.supported
    assert sliced.inside(printer)


@pytest.mark.skipif(not EXHAUSTIVE, reason="slices four plates; set FORGE_EXHAUSTIVE=1")
def test_four_quadrants_and_sixty_blocks_stay_in_their_budget(
    catalogue: Catalogue, printer: Printer, tmp_path: Path
) -> None:
    block = build(catalogue["block-1x1x1"], printer)
    quadrant = slice_mesh(build(catalogue.quadrant, printer), tmp_path, "terrain")
    plates = [slice_mesh(plate_of([block] * n, 162, 3), tmp_path, "terrain") for n in (25, 10)]
    grams = 4 * quadrant.grams + 2 * plates[0].grams + plates[1].grams
    minutes = 4 * quadrant.minutes + 2 * plates[0].minutes + plates[1].minutes
    assert grams <= 500
    assert minutes <= 16 * 60
    assert np.isfinite(grams)
