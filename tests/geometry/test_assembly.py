"""A table put together: the preset maps stand; a clash and a floating part are found."""

from dataclasses import replace

import pytest

from falldamage_forge import presets
from falldamage_forge.board import Tile
from falldamage_forge.cli.common import Sources, check_map
from falldamage_forge.geometry.assembly import prove_assembly
from falldamage_forge.geometry.fits import Fit
from falldamage_forge.pieces.catalogue import Catalogue
from falldamage_forge.pieces.model import Placement
from falldamage_forge.pipeline import plan_of

from .conftest import EXHAUSTIVE

MAPS = presets.names("maps") if EXHAUSTIVE else ("duel",)


@pytest.mark.parametrize("name", MAPS)
def test_preset_maps_stand(name: str, catalogue: Catalogue) -> None:
    layout = check_map(name, Sources()).layout
    found = prove_assembly(plan_of(layout, catalogue).placements, Fit())
    assert not list(found.issues())
    assert found.pairs >= len(found.placements) - 1


def _tower(catalogue: Catalogue) -> list[Placement]:
    """A block on a base, a block on that, and a bridge to another tower."""
    block, tall = catalogue["block-1x1x1"], catalogue["block-1x1x2"]
    return [
        Placement(catalogue.quadrant, Tile(0, 0), 0),
        Placement(block, Tile(1, 0), 0),
        Placement(block, Tile(1, 0), 1, 1),
        Placement(tall, Tile(1, 2), 0),
        Placement(catalogue.bridge(1), Tile(1, 1), 2),
        Placement(catalogue.start_marker, Tile(1, 0), 2),
    ]


def test_a_tower_stands(catalogue: Catalogue) -> None:
    assert not list(prove_assembly(_tower(catalogue), Fit()).issues())


def test_two_parts_in_one_place_are_found(catalogue: Catalogue) -> None:
    parts = _tower(catalogue)
    parts[3] = replace(parts[3], tile=Tile(1, 1))
    found = prove_assembly(parts, Fit())
    assert [pair[:2] for pair in found.clashes] == [(3, 4)]
    issues = list(found.issues())
    assert {issue.code for issue in issues} == {"FDF433"}
    assert set(issues[0].tiles) == {(1, 1)}
    double = prove_assembly([*_tower(catalogue), _tower(catalogue)[1]], Fit())
    assert {issue.code for issue in double.issues()} == {"FDF433"}


def test_what_hangs_in_the_air_is_found_and_all_that_it_carries(catalogue: Catalogue) -> None:
    parts = _tower(catalogue)
    without = [parts[0], *parts[2:3], *parts[5:]]
    found = prove_assembly(without, Fit())
    assert found.floating == (1, 2)
    assert {issue.code for issue in found.issues()} == {"FDF434"}
    # Half a bridge's load is held at one end, so only a bridge with neither end floats.
    assert prove_assembly([parts[0], parts[4]], Fit()).floating == (1,)
    # A part sunk into what carries it is a clash.
    sunk = [parts[0], replace(parts[1], level=0), replace(parts[2], level=0)]
    assert prove_assembly(sunk, Fit()).clashes
