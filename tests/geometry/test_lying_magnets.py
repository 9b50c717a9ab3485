"""Magnets that hold blocks: they fit their pockets, meet at every turn, and print."""

import re

import pytest

from falldamage_forge import presets
from falldamage_forge.board import Tile
from falldamage_forge.builds.output_files import pause_notes, plate_contents
from falldamage_forge.builds.pipeline import PrintJob, assemble_parts
from falldamage_forge.export.threemf import write_plate
from falldamage_forge.geometry.csg import Solid, revolve, translate
from falldamage_forge.geometry.joint_check import check_joint, joints
from falldamage_forge.geometry.lying_magnet import (
    COVER_MM,
    FOOT_MM,
    foot_room_mm,
    lying_gap_mm,
    pause_mm,
)
from falldamage_forge.geometry.piece_mesh import build, fit_of, own_solid, placement_transform
from falldamage_forge.geometry.printability import check_printability
from falldamage_forge.geometry.stl import write_stl
from falldamage_forge.lengths import (
    GRID,
    IN_BLOCKS,
    LAYER_MM,
    MAGNETS,
    MagnetSize,
    PrintGrid,
    print_grid,
)
from falldamage_forge.pieces.catalogue import Catalogue
from falldamage_forge.pieces.piece import Piece, Placement
from falldamage_forge.printing.prusaslicer import slice_file
from tests.amount import EXHAUSTIVE
from tests.geometry.slicing import needs_slicer

PRINTER = presets.load_printer("a1-mini")
LEAST, MOST = print_grid(25.0, 12.7), print_grid(40.0, 40.0)
ASKED = list(MAGNETS) if EXHAUSTIVE else ["6x2", "8x3"]
HAIR_MM = 0.01


def catalogue(name: str, grid: PrintGrid = GRID) -> Catalogue:
    """All pieces for magnets that hold blocks."""
    return presets.load_catalogue(grid, f"{name}{IN_BLOCKS}")


def disc(magnet: MagnetSize, low_mm: float) -> Solid:
    """A magnet that lies at (0, 0), from a height up."""
    radius, high = magnet.diameter_mm / 2, magnet.height_mm
    section = [(0.0, 0.0), (radius, 0.0), (radius, high), (0.0, high)]
    return translate(revolve(section, 64), z_mm=low_mm)


def magnets_of(piece: Piece, magnet: MagnetSize) -> dict[str, list[Solid]]:
    """The magnets under the studs of a piece and at its feet, in its frame."""
    top = 0.0 if piece.builder == "quadrant" else piece.grid.height_mm(piece.levels)
    studs, feet = [], []
    for cell in piece.footprint:
        x, y = piece.grid.centre_mm(*cell)
        studs.append(translate(disc(magnet, top - COVER_MM - magnet.height_mm), x, y))
        foot = FOOT_MM + foot_room_mm(magnet) - magnet.height_mm
        feet.append(translate(disc(magnet, foot), x, y))
    return {"studs": studs, "feet": [] if piece.builder == "quadrant" else feet}


@pytest.mark.parametrize("name", ASKED)
@pytest.mark.parametrize("key", ["block-1x1x1", "block-2x2x2", "block-l-1", "quadrant"])
@pytest.mark.parametrize("grid", [GRID, LEAST, MOST] if EXHAUSTIVE else [GRID, LEAST])
def test_parts_with_magnets_print_without_supports(name: str, key: str, grid: PrintGrid) -> None:
    piece = catalogue(name, grid)[key]
    proof = check_printability(write_stl(build(piece, PRINTER), "part"), PRINTER, piece.key)
    assert not proof.issues
    assert proof.bridge_mm <= MAGNETS[name].diameter_mm


@pytest.mark.parametrize("name", MAGNETS)
@pytest.mark.parametrize("key", ["block-1x1x1", "block-2x1x2", "quadrant"])
def test_pockets_squeeze_their_magnets_and_let_them_in(name: str, key: str) -> None:
    piece, magnet = catalogue(name)[key], MAGNETS[name]
    solid = own_solid(piece, fit_of(PRINTER))
    for where, own in magnets_of(piece, magnet).items():
        for one in own:
            squeezed = (one ^ solid).volume()
            assert 0.005 * one.volume() < squeezed < 0.03 * one.volume()
            # From the open side alone the flats are in its way: below, but as it lies in a block's
            # stud the print is open above, up to the pause.
            down = magnet.height_mm if where == "studs" and key != "quadrant" else 20.0
            x0, y0, z0, x1, y1, _ = one.bounding_box()
            shaft = disc(MagnetSize(magnet.diameter_mm, down), z0 - down)
            way = translate(shaft, (x0 + x1) / 2, (y0 + y1) / 2)
            if where == "studs" and key != "quadrant":
                assert (way ^ solid).volume() > 0.2 * way.volume(), "a lid closes it"
            else:
                assert (way ^ solid).volume() < 0.03 * one.volume()


@pytest.mark.parametrize("name", MAGNETS)
@pytest.mark.parametrize("grid", [GRID, LEAST, MOST])
@pytest.mark.parametrize("turns", range(4))
@pytest.mark.parametrize("below", ["quadrant", "block-2x2x2"])
def test_a_foot_meets_a_stud_at_every_turn(
    name: str, grid: PrintGrid, turns: int, below: str
) -> None:
    parts, magnet = catalogue(name, grid), MAGNETS[name]
    lower, upper = Placement(parts[below], Tile(0, 0), 0), parts["block-2x1x1"]
    level = 0 if below == "quadrant" else 2
    above = Placement(upper, Tile(0, 0), level, turns)

    def seen(where: Placement, which: str) -> set[tuple[float, ...]]:
        matrix = placement_transform(where)[:3].tolist()
        own = [one.transform(matrix) for one in magnets_of(where.piece, magnet)[which]]
        boxes = [one.bounding_box() for one in own]
        return {
            (round((b[0] + b[3]) / 2, 2), round((b[1] + b[4]) / 2, 2), round(b[z], 2))
            for b in boxes
            for z in ((5,) if which == "studs" else (2,))
        }

    studs = {(x, y): z for x, y, z in seen(lower, "studs")}
    feet = seen(above, "feet")
    assert len(feet) == 2
    for x, y, z in feet:
        assert z - studs[(x, y)] == pytest.approx(lying_gap_mm(magnet), abs=0.02)


@pytest.mark.parametrize("name", MAGNETS)
def test_a_foot_stays_off_the_stud_below_it(name: str) -> None:
    magnet = MAGNETS[name]
    out = magnet.height_mm - foot_room_mm(magnet)
    assert 0.0 <= out < LAYER_MM
    assert FOOT_MM - out >= 0.1
    assert lying_gap_mm(magnet) <= COVER_MM + FOOT_MM


@pytest.mark.parametrize("name", ["6x2"])
def test_blocks_with_magnets_fit(name: str) -> None:
    parts = catalogue(name)
    every = joints(parts, fit_of(PRINTER))
    asked = [joint for joint in every if joint.a.piece.key.startswith("block-1x1x1@")]
    assert asked
    for joint in asked:
        assert not list(check_joint(joint, fit_of(PRINTER)).issues())


def test_other_parts_stay_as_they_are() -> None:
    plain, edges = presets.load_catalogue(), presets.load_catalogue(magnets="6x2")
    held = catalogue("6x2")
    for key, piece in plain.pieces.items():
        changed = {"quadrant", "rim-strip", "block"}
        assert (held[key] != piece) is (piece.builder in changed)
        assert (edges[key] != piece) is (piece.builder in changed - {"block"})
    counts = {key: (held[key].edge_magnets, held[key].lying_magnets) for key in plain.pieces}
    assert counts["quadrant"] == (8, 25)
    assert counts["block-2x2x1"] == (0, 8)
    assert counts["tree"] == (0, 0)


def job() -> PrintJob:
    """Two blocks with magnets and a marker of their colour."""
    parts = catalogue("6x2")
    keys = [parts[name].key for name in ("block-1x1x1", "block-1x1x3", "start-red")]
    return assemble_parts(dict.fromkeys(keys, 1), {key: parts[key] for key in keys}, PRINTER)


@needs_slicer
@pytest.mark.slicer
def test_the_slicer_pauses_while_the_pockets_are_open() -> None:
    made = job()
    (plate,) = [own for own in made.plates if any("block" in key for key in own.counts())]
    (note,) = pause_notes(made)
    assert f"plate {plate.index}" in note and "3.36 mm" in note
    data = write_plate(plate, plate_contents(made))
    text = slice_file(data, ".3mf", presets.slicer_files(PRINTER, plate.group), PRINTER)
    before, *after = re.split(r"^M601\b", text, flags=re.M)
    assert len(after) == 1, "one pause"
    below = [float(z) for z in re.findall(r";Z:([\d.]+)", before)]
    # The layer that closes the pockets is announced, and not begun.
    assert sorted(set(below))[-2] == pytest.approx(pause_mm(MAGNETS["6x2"]))
    assert not re.search(r"^G1 X.*E[\d.]", before.rpartition(";Z:")[2], re.M)
