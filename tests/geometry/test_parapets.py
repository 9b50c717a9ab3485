"""Battlements and railings: room for a base, full walls, one body, in every style."""

import pytest
import shapely

from falldamage_forge import presets
from falldamage_forge.geometry.battlements import BEND_TOP_MM, MERLON_MM, height_mm, sides_of
from falldamage_forge.geometry.connector_standard import heads
from falldamage_forge.geometry.csg import section
from falldamage_forge.geometry.design_parameters import DesignParameters
from falldamage_forge.geometry.footprint import square
from falldamage_forge.geometry.loft import extrude
from falldamage_forge.geometry.piece_mesh import own_solid
from falldamage_forge.geometry.relief.parapet_joints import PARAPETS, parapet_joints
from falldamage_forge.geometry.relief.wall_patterns import WALLS
from falldamage_forge.lengths import PrintGrid, print_grid
from falldamage_forge.pieces.catalogue import Catalogue
from falldamage_forge.pieces.variants import variants_of
from tests.amount import some

FIT = DesignParameters()
BASE_MM = 12.5
FULL_MM = 2.0
"""Four lines of up to 0.5 mm; PrusaSlicer leaves a slit between them in a thicker wall."""


@pytest.mark.parametrize("style", some(presets.names("styles"), 3))
@pytest.mark.parametrize("key", ["battlement", "battlement-corner", "railing-1"])
def test_a_base_stands_inside_and_walls_are_full(
    style: str, key: str, catalogue: Catalogue
) -> None:
    """Every variant is one body inside its tile; between its corners each wall is four lines."""
    look = presets.load_style(style)
    far = heads(FIT).outline_mm
    x, y = FIT.grid.centre_mm(0, 0)
    base = extrude(shapely.Point(x, y).buffer(BASE_MM, quad_segs=24), 0.01, 40.0)
    tile = shapely.affinity.translate(square(far + 1e-3), x, y)
    middle = shapely.affinity.translate(
        shapely.union(shapely.box(-7, -20, 7, 20), shapely.box(-20, -7, 20, 7)), x, y
    )
    for piece in variants_of(catalogue[key]):
        solid = own_solid(piece, FIT, look)
        assert len(solid.decompose()) == 1
        assert (solid ^ base).volume() == pytest.approx(0, abs=1e-6)
        for share in (0.15, 0.33, 0.7, 0.95):
            cut = section(solid, share * height_mm(piece))
            assert tile.contains(cut)
            assert cut.intersection(middle).buffer(-FULL_MM / 2).is_empty, (piece.key, share)


def test_a_base_of_a_small_tile_keeps_its_room(catalogue: Catalogue) -> None:
    """Walls keep their thickness on other tiles, and their corners stay outside the round room."""
    piece = catalogue["battlement"].on(PrintGrid(25.4, 25.44))
    fit = FIT.on(piece.grid)
    x, y = fit.grid.centre_mm(0, 0)
    room = shapely.Point(x, y).buffer(heads(fit).outline_mm - FULL_MM, quad_segs=24)
    solid = own_solid(piece, FIT)
    assert (solid ^ extrude(room, 0.01, 20.0)).volume() == pytest.approx(0, abs=1e-6)
    assert len(sides_of(str(piece["sides"]))) == 4


def test_every_wall_but_a_plain_one_has_a_parapet_of_its_own() -> None:
    """Variants differ where joints are drawn by chance; equal seeds give equal joints."""
    assert set(PARAPETS) == set(WALLS) - {"plain"}
    assert parapet_joints("plain", "0", 14.9, 10.08) == ()
    drawn = {name: parapet_joints(name, "0", 14.9, 10.08) for name in PARAPETS}
    assert len(set(drawn.values())) >= len(PARAPETS) - 1
    assert all(parapet_joints(name, "0", 14.9, 10.08) == joints for name, joints in drawn.items())
    assert parapet_joints("ashlar", "1", 14.9, 10.08) != drawn["ashlar"]


@pytest.mark.parametrize("tile_mm", [30.0, 25.4, 40.0, 60.0])
@pytest.mark.parametrize("key", ["battlement", "battlement-corner", "battlement-1"])
def test_a_broken_parapet_keeps_a_part_of_every_merlon_and_its_legs(
    key: str, tile_mm: float
) -> None:
    """All that is printed on the bed in style stone is in a ruin too, but smaller, as one body."""
    ruin, stone = presets.load_style("ruin"), presets.load_style("stone")
    pieces = variants_of(presets.load_catalogue(print_grid(tile_mm, 30.0))[key])
    whole = own_solid(pieces[0], FIT, stone)
    crown = section(whole, 0.95 * MERLON_MM)
    bends = section(whole, BEND_TOP_MM)
    broken = [own_solid(piece, FIT, ruin) for piece in pieces]
    for solid in broken:
        assert len(solid.decompose()) == 1
        left = section(solid, 0.95 * MERLON_MM)
        assert shapely.get_num_geometries(left) == shapely.get_num_geometries(crown)
        assert left.area < crown.area
        assert section(solid, BEND_TOP_MM).area > 0.8 * bends.area
        assert section(solid, -0.5).symmetric_difference(section(whole, -0.5)).area < 1e-3
    assert len({round(solid.volume(), 3) for solid in broken}) == len(broken)
