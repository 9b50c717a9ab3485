"""A table put together: the preset maps stand; a clash and a floating part are found."""

from dataclasses import replace

import pytest

import falldamage_forge as ff
from falldamage_forge import presets
from falldamage_forge.board import Tile
from falldamage_forge.geometry.assembly import prove_assembly
from falldamage_forge.geometry.fits import Fit
from falldamage_forge.pieces.catalogue import Catalogue
from falldamage_forge.pieces.model import Placement
from tests.amount import EXHAUSTIVE

MAPS = presets.names("maps") if EXHAUSTIVE else ("duel",)


@pytest.mark.parametrize("name", MAPS)
def test_preset_maps_stand(name: str, catalogue: Catalogue) -> None:
    found = prove_assembly(ff.plan(ff.load(name)).placements, Fit())
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
        Placement(catalogue.start_marker("red"), Tile(1, 0), 2),
    ]


def test_a_tower_stands(catalogue: Catalogue) -> None:
    assert not list(prove_assembly(_tower(catalogue), Fit()).issues())


def test_two_parts_in_one_place_are_found(catalogue: Catalogue) -> None:
    parts = _tower(catalogue)
    parts[3] = replace(parts[3], tile=Tile(1, 1))
    found = prove_assembly(parts, Fit())
    assert [pair[:2] for pair in found.clashes] == [(3, 4)]
    issues = list(found.issues())
    # The bridge lost its eastern support to the clash.
    assert [issue.code for issue in issues] == ["FDF433", "FDF434"]
    assert set(issues[0].tiles) == {(1, 1)}
    double = prove_assembly([*_tower(catalogue), _tower(catalogue)[1]], Fit())
    assert {issue.code for issue in double.issues()} == {"FDF433"}


def test_what_hangs_in_the_air_is_found_and_all_that_it_carries(catalogue: Catalogue) -> None:
    parts = _tower(catalogue)
    without = [parts[0], *parts[2:3], *parts[5:]]
    found = prove_assembly(without, Fit())
    assert found.floating == (1, 2)
    assert {issue.code for issue in found.issues()} == {"FDF434"}
    assert prove_assembly([parts[0], parts[4]], Fit()).floating == (1,)
    # A part sunk into what carries it is a clash.
    sunk = [parts[0], replace(parts[1], level=0), replace(parts[2], level=0)]
    assert prove_assembly(sunk, Fit()).clashes


@pytest.mark.parametrize("turned", [0, 1], ids=["west to east", "north to south"])
@pytest.mark.parametrize("family", ["bridge", "arch"])
def test_a_deck_that_lacks_one_support_is_found(
    family: str, turned: int, catalogue: Catalogue
) -> None:
    def at(along: int) -> Tile:
        return Tile(along, 1) if turned else Tile(1, along)

    block, deck = catalogue["block-1x1x1"], catalogue[f"{family}-2"]
    ends = [Placement(block, at(0), 0), Placement(block, at(3), 0)]
    parts = [Placement(catalogue.quadrant, Tile(0, 0), 0), Placement(deck, at(1), 1, turned)]
    assert not list(prove_assembly([*parts, *ends], Fit()).issues())
    for one in ends:
        found = prove_assembly([*parts, one], Fit())
        (issue,) = found.issues()
        assert found.floating == (1,)
        assert issue.code == "FDF434"
        assert issue.message.startswith(f"nothing holds an end of {deck.key} at ")
        # What lies on it floats with it.
        load = Placement(catalogue.chest, at(1), 1)
        assert prove_assembly([*parts, one, load], Fit()).floating == (1, 3)


def test_a_deck_may_hang_on_the_sides_of_decks(catalogue: Catalogue) -> None:
    """Two bridges over towers at four corners, and a third between their middles."""
    block = catalogue["block-1x1x1"]
    towers = [Placement(block, Tile(row, col), 0) for row in (0, 2) for col in (0, 4)]
    sides = [Placement(catalogue.bridge(3), Tile(row, 1), 1) for row in (0, 2)]
    between = Placement(catalogue.bridge(1), Tile(1, 2), 1, 1)
    parts = [Placement(catalogue.quadrant, Tile(0, 0), 0), *towers, *sides, between]
    assert not list(prove_assembly(parts, Fit()).issues())
    fewer = [part for part in parts if part is not towers[0]]
    assert prove_assembly(fewer, Fit()).floating == (4, 6)
