"""A base with magnets: its pockets print and hold, and opposite faces meet at every turn."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from falldamage_forge import presets
from falldamage_forge.board import Tile
from falldamage_forge.geometry.connector_standard import LAYER_MM
from falldamage_forge.geometry.csg import Solid, section, translate
from falldamage_forge.geometry.design_parameters import DesignParameters
from falldamage_forge.geometry.footprint import SIDES, offset_polygon, outline
from falldamage_forge.geometry.joint_check import check_joint, joints
from falldamage_forge.geometry.loft import extrude
from falldamage_forge.geometry.magnet_pocket import (
    FLOOR_MM,
    RECESS_MM,
    magnet_base_mm,
    magnet_gap_mm,
    magnet_pockets,
    magnet_solids,
)
from falldamage_forge.geometry.piece_mesh import build, fit_of, own_solid, placement_transform
from falldamage_forge.geometry.printability import check_printability
from falldamage_forge.geometry.stl import write_stl
from falldamage_forge.geometry.stud import LINES_MM
from falldamage_forge.lengths import GAPS_MM, GRID, MAGNETS, MagnetSize, PrintGrid, print_grid
from falldamage_forge.pieces.piece import Placement
from tests.amount import EXHAUSTIVE

PRINTER = presets.load_printer("a1-mini")
FIT = fit_of(PRINTER)
LEAST, MOST = print_grid(25.0, 12.7), print_grid(40.0, 40.0)
ASKED = list(MAGNETS) if EXHAUSTIVE else ["6x2", "8x3"]
OPPOSITE = {"+": "-", "-": "+"}
EDGES = (5, 5, 5, 5)
HAIR_MM = 0.01


def centre(solid: Solid) -> tuple[float, float, float]:
    """The middle of a solid's bounding box, rounded."""
    x0, y0, z0, x1, y1, z1 = solid.bounding_box()
    return round((x0 + x1) / 2, 3), round((y0 + y1) / 2, 3), round((z0 + z1) / 2, 3)


def discs(magnet: MagnetSize, fit: DesignParameters, where: Placement) -> dict[str, list[Solid]]:
    """The magnets of a quadrant on the board, by sign."""
    matrix = placement_transform(where)[:3].tolist()
    return {
        sign: [one.transform(matrix) for one in own]
        for sign, own in magnet_solids(EDGES, magnet, fit).items()
    }


@pytest.mark.parametrize("name", ASKED)
@pytest.mark.parametrize("grid", [GRID, LEAST, MOST] if EXHAUSTIVE else [GRID, LEAST])
def test_a_base_with_magnets_prints_without_supports(name: str, grid: PrintGrid) -> None:
    catalogue = presets.load_catalogue(grid, name)
    for piece in (catalogue.quadrant, catalogue["rim-letters-a"], catalogue["rim-numbers-6"]):
        proof = check_printability(write_stl(build(piece, PRINTER), "part"), PRINTER, piece.key)
        assert not proof.issues
        assert proof.bridge_mm <= 3.0


@pytest.mark.parametrize("name", ASKED)
def test_a_pocket_has_walls_of_two_lines_and_squeezes_its_magnet(name: str) -> None:
    import shapely

    piece, magnet = presets.load_catalogue(magnets=name).quadrant, MAGNETS[name]
    solid, low = own_solid(piece, FIT), -magnet_base_mm(magnet)
    _, room = magnet_pockets(EDGES, magnet, FIT)
    at = -FLOOR_MM - magnet.diameter_mm / 2
    inside = offset_polygon(outline(piece.footprint, FIT), -HAIR_MM)
    plan = section(room, at)
    ring = shapely.difference(shapely.buffer(plan, LINES_MM - HAIR_MM), plan)
    wanted = shapely.intersection(ring, inside)
    assert shapely.difference(wanted, section(solid, at)).area < 0.01
    # Two layers and more close it above, under the groove too.
    above = translate(room, z_mm=2 * LAYER_MM) ^ extrude(inside, -FLOOR_MM + HAIR_MM, 0.0)
    assert (above - solid).volume() < 0.01
    for disc in (one for own in magnet_solids(EDGES, magnet, FIT).values() for one in own):
        squeezed = (disc ^ solid).volume()
        assert 0.05 < squeezed < 0.02 * disc.volume()
        assert disc.bounding_box()[2] >= low + LAYER_MM - HAIR_MM
        # It goes straight up from below, and ribs alone are in its way.
        way = extrude(shapely.box(*plan_of(disc)), low - 1.0, at)
        assert (way ^ solid).volume() < 0.2 * magnet.diameter_mm


def plan_of(disc: Solid) -> tuple[float, float, float, float]:
    """The plan of a magnet on its rim."""
    x0, y0, _, x1, y1, _ = disc.bounding_box()
    return x0, y0, x1, y1


@pytest.mark.parametrize("name", MAGNETS)
@pytest.mark.parametrize("grid", [GRID, LEAST, MOST])
@pytest.mark.parametrize("side", range(4))
@pytest.mark.parametrize("turns", range(4))
def test_opposite_faces_meet_at_every_turn(
    name: str, grid: PrintGrid, side: int, turns: int
) -> None:
    catalogue = presets.load_catalogue(grid, name)
    fit, magnet, piece = fit_of(PRINTER, catalogue.grid), MAGNETS[name], catalogue.quadrant
    row, col = SIDES[side]
    beside = Placement(piece, Tile(5 * row, 5 * col), 0, turns)
    here, there = (discs(magnet, fit, one) for one in (Placement(piece, Tile(0, 0), 0), beside))
    step = magnet.height_mm + magnet_gap_mm(fit)
    met = []
    for sign, own in here.items():
        others = {centre(one): mark for mark, far in there.items() for one in far}
        for x, y, z in map(centre, own):
            facing = others.get((round(x + col * step, 3), round(y - row * step, 3), z))
            met += [(sign, facing)] if facing else []
    assert sorted(met) == [("+", "-"), ("-", "+")]


@pytest.mark.parametrize("name", MAGNETS)
def test_a_strip_of_the_rim_meets_a_quadrant(name: str) -> None:
    catalogue, magnet = presets.load_catalogue(magnets=name), MAGNETS[name]
    strip = own_solid(catalogue["rim-letters-a"], FIT)
    long = 5 * GRID.pitch_mm
    step = magnet.height_mm + magnet_gap_mm(FIT)
    own = {
        centre(one): sign
        for sign, discs_of in magnet_solids((5, 0, 0, 0), magnet, FIT).items()
        for one in (disc.rotate((0, 0, 180)).translate((long, 0.0, 0.0)) for disc in discs_of)
        if (one ^ strip).volume() < 0.02 * one.volume()
    }
    edges = magnet_solids(EDGES, magnet, FIT)
    north = {centre(one): sign for sign, far in edges.items() for one in far}
    met = [(sign, own.get((x, round(y + step, 3), z))) for (x, y, z), sign in north.items()]
    assert sorted(pair for pair in met if pair[1]) == [("+", "-"), ("-", "+")]


@given(st.floats(*GAPS_MM["seam_mm"]))
def test_faces_are_near_at_every_seam(seam_mm: float) -> None:
    gap = magnet_gap_mm(DesignParameters(seam_mm=seam_mm))
    assert gap == pytest.approx(seam_mm + 2 * RECESS_MM)
    assert magnet_gap_mm(FIT) <= 0.6 + 1e-9


@settings(max_examples=30)
@given(st.sampled_from(sorted(MAGNETS)), st.floats(0.10, 0.34), st.floats(0.17, 0.46))
def test_the_groove_stays_off_the_pockets_at_every_fit(name: str, fit: float, click: float) -> None:
    from falldamage_forge.geometry.stud import tops

    gaps, magnet = DesignParameters(fit_mm=fit, click_mm=click), MAGNETS[name]
    cells = ((0, 0),)
    _, room = magnet_pockets((1, 1, 0, 0), magnet, gaps)
    inside = extrude(offset_polygon(outline(cells, gaps), -HAIR_MM), -FLOOR_MM + HAIR_MM, 0.0)
    above = translate(room, z_mm=2 * LAYER_MM) ^ inside
    assert (above - tops(cells, gaps)).volume() < 0.01


@pytest.mark.parametrize("name", ["6x2"])
def test_quadrants_with_magnets_fit_at_every_turn(name: str) -> None:
    catalogue = presets.load_catalogue(magnets=name)
    seams = [joint for joint in joints(catalogue, FIT) if joint.b.piece.builder == "quadrant"]
    assert len(seams) == 16
    assert not any("tie" in joint.name for joint in joints(catalogue, FIT))
    for joint in seams:
        assert not list(check_joint(joint, FIT).issues())


def test_without_magnets_nothing_changes() -> None:
    plain = presets.load_catalogue()
    assert plain.holding("") is plain
    held = plain.holding("6x2")
    for key, piece in plain.pieces.items():
        changed = piece.builder in ("quadrant", "rim-strip")
        assert (held[key] != piece) is changed
        assert held[held[key].key] == held[key]
    assert not plain.quadrant.magnets
    either = plain.on(LEAST).holding("6x2").quadrant, held.on(LEAST).quadrant
    assert len({(one.key, one.params, one.grid) for one in either}) == 1
    assert held.on(LEAST).quadrant.key == "quadrant@magnets-6x2@25x12.72"
    assert held["rim-letters-k"].key == "rim-letters-k@magnets-6x2"
