"""Meshes of pieces: sound after the file is read back, of the right size, and where they belong."""

import numpy as np
import pytest

from falldamage_forge import presets
from falldamage_forge.board import Tile
from falldamage_forge.builds.model_pieces import BUILDER as MODEL
from falldamage_forge.geometry.baseplate import RIM_WIDTH_MM
from falldamage_forge.geometry.connector_standard import STANDARD
from falldamage_forge.geometry.csg import GeometryError
from falldamage_forge.geometry.mesh_properties import measure
from falldamage_forge.geometry.mesh_validation import validate_stl
from falldamage_forge.geometry.piece_mesh import (
    BUILDERS,
    build,
    fit_of,
    own_solid,
    place,
    play_to_print,
)
from falldamage_forge.pieces.bought import MAGNET
from falldamage_forge.pieces.catalogue import Catalogue
from falldamage_forge.pieces.element_parts import BUILDER
from falldamage_forge.pieces.model_keys import SEAM_TIE
from falldamage_forge.pieces.piece import Piece, Placement
from falldamage_forge.printing.printer import Printer
from tests.cli.running import python

from .conftest import stl_bytes

KEYS = tuple(presets.load_catalogue().pieces)


@pytest.mark.parametrize("key", KEYS)
def test_every_piece_is_sound_once_written(
    key: str, catalogue: Catalogue, printer: Printer
) -> None:
    mesh = build(catalogue[key], printer)
    found = validate_stl(stl_bytes(mesh), printer, key)
    assert not found.issues
    assert found.volume_mm3 == pytest.approx(measure(mesh).volume_mm3, rel=1e-4)
    assert measure(mesh).volume_mm3 == pytest.approx(
        own_solid(catalogue[key], fit_of(printer)).volume(), rel=1e-4
    )
    assert mesh.vertices.dtype == np.float32
    assert mesh.faces.dtype == np.int32


@pytest.mark.parametrize("key", KEYS)
def test_every_piece_stands_on_the_board_as_it_was_drawn(
    key: str, catalogue: Catalogue, printer: Printer
) -> None:
    """Back from the bed, a piece stays in its tiles but for its connectors, and has its height."""
    piece = catalogue[key]
    low, high = place(build(piece, printer), Placement(piece, Tile(2, 3), 1), printer).bounds_mm()
    if piece.family == "rim":  # a strip lies outside the base, along the edge of five tiles
        assert low[1] >= -60
        assert high[1] == pytest.approx(-60 + RIM_WIDTH_MM)
        assert low[0] >= 90
        assert high[0] <= 90 + 150
        return
    if piece.builder == "tray" or dict(piece.params).get("form") in {"gauge", "track"}:
        return  # they lie beside the board
    footprint = piece.footprint or ((0, 0),)
    rows = 1 + max(row for row, _ in footprint)
    cols = 1 + max(col for _, col in footprint)
    blade = STANDARD.bulb_from_mm
    across = blade if piece.builder in ("plank-bridge", "arch-bridge") else 0.0
    along = {"ladder": blade, "tie": STANDARD.tie_reach_mm}.get(piece.builder, 0.0)
    assert low[0] >= 90 - across
    assert high[0] <= 90 + 30 * cols + across
    assert high[1] <= -60 + along + 1e-4
    assert low[1] >= -60 - 30 * rows
    tongue = 3.4 if piece.builder == "ladder" and piece["part"] in ("lower", "middle") else 0.0
    if piece.levels:
        assert high[2] == pytest.approx(30 + 30 * piece.levels + tongue, abs=2e-3)
    below = 30 - low[2]
    assert below <= (30 if piece.family == "arch" else max(STANDARD.deck_mm, STANDARD.base_mm))


def test_every_builder_is_registered_and_used(catalogue: Catalogue) -> None:
    assert {piece.builder for piece in catalogue.pieces.values()} == set(BUILDERS) - {
        BUILDER,
        MODEL,
        SEAM_TIE,
        MAGNET,
    }


def test_an_unknown_builder_is_refused(printer: Printer) -> None:
    with pytest.raises(GeometryError, match="no builder called `pyramid`"):
        build(Piece("pyramid", "pyramid", "Pyramid", "pyramid"), printer)


@pytest.mark.parametrize("key", KEYS)
def test_play_to_print_is_rotation_and_lift(
    key: str, catalogue: Catalogue, printer: Printer
) -> None:
    matrix = play_to_print(catalogue[key], fit_of(printer))
    assert np.linalg.det(matrix[:3, :3]) == pytest.approx(1.0)
    assert np.allclose(matrix[:3, :3] @ matrix[:3, :3].T, np.eye(3))
    assert build(catalogue[key], printer).bounds_mm()[0][2] == pytest.approx(0.0, abs=2e-3)


def test_a_turned_piece_covers_the_tiles_that_its_placement_says(
    catalogue: Catalogue, printer: Printer
) -> None:
    for key in ("block-l-1", "block-3x1x1", "block-2x2x1"):
        piece = catalogue[key]
        for turns in range(4):
            placement = Placement(piece, Tile(3, 4), 0, turns)
            mesh = place(build(piece, printer), placement, printer)
            top = mesh.vertices[mesh.faces].astype(float)
            flat = top[np.isclose(top[:, :, 2], 30.0, atol=1e-3).all(axis=1)]
            middles = flat.mean(axis=1)
            covered = {Tile(int(-y // 30), int(x // 30)) for x, y, _ in middles}
            assert covered == set(placement.tiles())


def test_one_quadrant_fits_the_smallest_bed(catalogue: Catalogue, printer: Printer) -> None:
    size = measure(build(catalogue.quadrant, printer)).size_mm
    assert size[0] == pytest.approx(150 - printer.seam_mm, abs=0.01)
    assert size[0] == pytest.approx(size[1])
    assert size[0] <= min(printer.bed_mm) - 2 * printer.margin_mm


def test_measure_returns_properties_of_cube() -> None:
    import trimesh

    from .conftest import mesh_of

    cube = mesh_of(trimesh.creation.box((2, 3, 4)))
    found = measure(cube)
    assert found.volume_mm3 == pytest.approx(24)
    assert found.area_mm2 == pytest.approx(52)
    assert found.size_mm == pytest.approx((2, 3, 4))


SCRIPT = """
import hashlib
from falldamage_forge import presets
from falldamage_forge.geometry.piece_mesh import build
found = hashlib.sha256()
printer = presets.load_printer("a1-mini")
catalogue = presets.load_catalogue()
for key in ("block-2x2x1", "bridge-2", "ladder-2", "spire", "tree", "water"):
    mesh = build(catalogue[key], printer)
    found.update(mesh.vertices.tobytes() + mesh.faces.tobytes())
print(found.hexdigest())
"""


def test_two_processes_make_the_same_bytes() -> None:
    assert python("-c", SCRIPT) == python("-c", SCRIPT)
