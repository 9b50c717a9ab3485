"""A real slicer's word: pieces slice inside the bed, without supports, at the weight we promise."""

from pathlib import Path

import numpy as np
import pytest
import trimesh

from falldamage_forge import presets
from falldamage_forge.export.plates import plate_mesh
from falldamage_forge.geometry import build, measure
from falldamage_forge.pieces.catalogue import Catalogue
from falldamage_forge.printing.estimate import process_of
from falldamage_forge.printing.plates import Item, pack
from falldamage_forge.printing.printer import Printer

from .conftest import EXHAUSTIVE, mesh_of
from .slicing import WITH_SUPPORTS, needs_slicer, plate_of, slice_mesh

pytestmark = [pytest.mark.slicer, needs_slicer]
FIRST = [family[0] for family in presets.load_catalogue().families.values()]
TERRAIN = tuple(piece.key for piece in FIRST if process_of(piece.group) == "terrain")
FIGURES = tuple(piece.key for piece in FIRST if process_of(piece.group) == "figures")
SMALL = tuple(key for key in TERRAIN if key not in ("quadrant", "rim-letters-a"))


@pytest.mark.parametrize(
    ("process", "keys"), [("terrain", SMALL), ("figures", FIGURES), ("terrain", ("quadrant",))]
)
def test_pieces_slice_inside_the_bed_without_supports(
    process: str, keys: tuple[str, ...], catalogue: Catalogue, printer: Printer, tmp_path: Path
) -> None:
    style = presets.load_style("brick")
    plate = plate_of([build(catalogue[key], printer, style) for key in keys], 170)
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
@pytest.mark.parametrize("style", presets.names("styles"))
def test_every_piece_in_every_style_slices_without_supports(
    style: str, catalogue: Catalogue, printer: Printer, tmp_path: Path
) -> None:
    """All pieces on packed plates, each plate with the settings that are recommended for it."""
    surfaces = presets.load_style(style)
    meshes = {key: build(piece, printer, surfaces) for key, piece in catalogue.pieces.items()}
    items = []
    for key, mesh in meshes.items():
        size = measure(mesh).size_mm
        items.append(Item(key, *size, 1, process_of(catalogue[key].group)))
    plates = pack(items, printer)
    assert sum(len(plate.slots) for plate in plates) == len(catalogue.pieces)
    for plate in plates:
        mesh = plate_mesh(plate, meshes)
        low, high = mesh.bounds_mm()
        centre = f"{(low[0] + high[0]) / 2:.3f},{(low[1] + high[1]) / 2:.3f}"
        sliced = slice_mesh(mesh, tmp_path, plate.group, WITH_SUPPORTS, centre)
        assert not sliced.supported, plate.counts()
        assert sliced.inside(printer), plate.counts()


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
