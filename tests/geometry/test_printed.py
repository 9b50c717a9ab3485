"""Joints as printed: what a slicer's layers leave of each click and each gap."""

from dataclasses import replace

import pytest

from falldamage_forge import presets
from falldamage_forge.geometry import blocks
from falldamage_forge.geometry.bridges import bulb_ends_mm
from falldamage_forge.geometry.connector_standard import LAYER_MM, STANDARD, heads, places
from falldamage_forge.geometry.csg import translate
from falldamage_forge.geometry.design_parameters import DesignParameters
from falldamage_forge.geometry.footprint import square
from falldamage_forge.geometry.joint_check import (
    ACROSS,
    OVERLAP_MM3,
    Joint,
    accepted_connectors,
    joints,
    near_box,
    overlap_mm3,
    top_of_mm,
)
from falldamage_forge.geometry.ladders import foot_bed_mm, hook_bed_mm
from falldamage_forge.geometry.layered_mesh import printed, printed_standing
from falldamage_forge.geometry.layered_profile import laid
from falldamage_forge.geometry.loft import extrude
from falldamage_forge.geometry.piece_mesh import fit_of, own_solid
from falldamage_forge.geometry.piece_style import PLAIN
from falldamage_forge.geometry.slicing import LayerSlices
from falldamage_forge.geometry.snap_fit import bead_laid, click_mm, click_of
from falldamage_forge.lengths import PrintGrid
from falldamage_forge.pieces.piece import Piece
from tests.amount import EXHAUSTIVE

from .probe import face_mm, reach_mm

CLOSE_MM = 0.005
"""As printed, a click is what it is told within so much."""
PLAY_MM = 0.13
"""Least room of parts from the side: to a ladder's wall, and beside the layer a deck rests on."""
CATALOGUE = presets.load_catalogue()
CLICKING = tuple(
    piece for piece in CATALOGUE.pieces.values() if click_of(piece, DesignParameters())
)
TOPS = tuple(
    p for p in CATALOGUE.pieces.values() if {"skirt", "legs"} & set(accepted_connectors(p))
)
FITS = {
    "own": DesignParameters(),
    "tight": DesignParameters(0.10, 0.05, click_mm=0.17),
    "loose": DesignParameters(0.34, 0.40, click_mm=0.44),
    "economy": fit_of(
        replace(presets.load_printer("a1-mini"), process=presets.load_process("economy"))
    ),
    "inch": DesignParameters(grid=PrintGrid(25.4, 25.44)),
}
FEW = ("block", "cap", "plank-bridge", "battlement")
"""Builders that are asked at every fit."""
SHARES = {
    "battlement": STANDARD.parapet_click,
    "spire": STANDARD.ring_click,
    "tree": STANDARD.ring_click,
}


def nominal_mm(piece: Piece, fit: DesignParameters) -> float:
    """The click that is drawn."""
    if piece.builder == "cap":
        return STANDARD.cap_click_mm
    return SHARES.get(piece.builder, 1.0) * fit.click_mm


def _some(pieces: tuple[Piece, ...], every: bool) -> list[Piece]:
    """The smallest piece of each builder, or of few; with FORGE_EXHAUSTIVE all."""
    if EXHAUSTIVE:
        return list(pieces)
    by_size = sorted(pieces, key=lambda piece: (-len(piece.footprint), -piece.levels))
    found = {piece.builder: piece for piece in by_size if every or piece.builder in FEW}
    return list(found.values())


@pytest.mark.parametrize("name", FITS)
def test_printed_click_equals_reported_click(name: str) -> None:
    """By default one piece of each builder, or of few at other fits than our own.

    Beads and heads are measured in the layers of the meshes themselves.
    """
    fit = FITS[name]
    catalogue = presets.load_catalogue(fit.grid)
    every = name == "own"
    tops = [catalogue[top.name] for top in _some(TOPS, every)]
    faces = {top.key: face_mm(top, top_of_mm(top), fit) for top in tops}
    assert max(faces.values()) - min(faces.values()) < CLOSE_MM, faces
    for one in _some(CLICKING, every):
        piece = catalogue[one.name]
        click = click_of(piece, fit)
        assert click is not None
        printed = min(faces.values()) - reach_mm(piece, click, fit)
        assert printed == pytest.approx(nominal_mm(piece, fit), abs=CLOSE_MM), piece.key
        assert click.click_mm == pytest.approx(printed, abs=CLOSE_MM), piece.key


def test_crest_between_layer_middles_changes_reported_click(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What a click is told to be follows from the layers, wherever the crest is drawn."""
    monkeypatch.setattr(blocks, "STANDARD", replace(STANDARD, bead_high_mm=1.107))
    reach = heads(DesignParameters()).bead_mm
    bead_laid.cache_clear()
    assert click_mm(reach, DesignParameters()) == pytest.approx(0.310, abs=0.001)
    bead_laid.cache_clear()


def test_a_slope_is_cut_at_the_middles_of_layers() -> None:
    slope = ((0.0, 1.0), (-0.96, 1.96))
    assert laid(slope, 0.0, -0.96)[::2] == pytest.approx(
        [pytest.approx((-0.06 - 0.24 * n, 1.12 + 0.24 * n)) for n in range(4)]
    )
    assert laid(slope, -0.2, -0.7)[::2] == pytest.approx(
        [pytest.approx((-0.06 - 0.24 * n, 1.12 + 0.24 * n)) for n in (1, 2)]
    )


def sideways() -> dict[tuple[str, str], Joint]:
    """A joint of each builder that hangs in keyholes or is pressed into pockets, by its way."""
    ways = ("blades", "hook", "foot")
    found = {
        (joint.b.piece.builder, joint.name.split()[1]): joint
        for joint in reversed(list(joints(CATALOGUE, DesignParameters())))
    }
    return {key: joint for key, joint in found.items() if key[1] in ways or key[0] == "tie"}


@pytest.mark.parametrize("joint", sideways().values(), ids=lambda joint: joint.name)
def test_blades_have_clearance_in_keyholes(joint: Joint) -> None:
    """Moved by less than its room, a printed part runs into nothing."""
    near = near_box(joint, DesignParameters(), PLAIN)
    a, b = (printed_standing(part, DesignParameters(), near) for part in (joint.a, joint.b))
    assert overlap_mm3(a, b) < OVERLAP_MM3
    for way in ACROSS:
        aside = translate(b, *(PLAY_MM * part for part in way))
        assert overlap_mm3(a, aside) < OVERLAP_MM3, way


@pytest.mark.parametrize("fit_mm", [0.10, 0.16, 0.22, 0.30, 0.34])
def test_shoulders_of_lying_blades_lie_on_layers(fit_mm: float) -> None:
    """A shoulder between two layers is drawn with the layer, and fills the keyhole."""
    fit = DesignParameters(fit_mm)
    for bed in (foot_bed_mm(fit), hook_bed_mm(fit)):
        at, gap, ends = places(fit), STANDARD.lying_along_mm, bulb_ends_mm(fit, bed)
        drawn = at.bulb_from_mm + gap, at.bulb_to_mm - gap
        for end in ends:
            layers = abs(end - bed) / LAYER_MM
            assert layers == pytest.approx(round(layers), abs=1e-6)
        assert ends[1] - ends[0] >= 2 * LAYER_MM - 1e-6
        assert ends[0] >= drawn[0] - 0.02 - 1e-9 and ends[1] <= drawn[1] + 0.02 + 1e-9


@pytest.mark.parametrize("fit_mm", [0.10, 0.16, 0.30, 0.34])
def test_a_ladder_is_one_body_at_every_fit(fit_mm: float) -> None:
    for key in ("ladder-1", "ladder-1-low", "bridge-1"):
        assert len(own_solid(CATALOGUE[key], DesignParameters(fit_mm)).decompose()) == 1


def test_a_part_that_ends_below_its_last_layers_middle_lacks_that_layer() -> None:

    for top, height in ((1.20, 1.20), (1.31, 1.20), (1.33, 1.44)):
        solid = extrude(square(2.0), 0.0, top)
        found = printed(LayerSlices(solid, LAYER_MM), (-9, -9, -9, 9, 9, 9))
        assert found.bounding_box()[5] == pytest.approx(height, abs=1e-5)
        assert found.volume() == pytest.approx(16 * height, rel=1e-5)


@pytest.mark.parametrize("key", ["health-wheel", "block-1x1x1", "ladder-1", "spire"])
def test_each_printed_layer_is_the_section_at_its_middle(key: str) -> None:
    layers = LayerSlices(own_solid(CATALOGUE[key], DesignParameters()), LAYER_MM)
    whole = printed(layers, (-99, -99, -99, 99, 99, 99))
    for index in range(layers.count):
        for share in (0.1, 0.9):
            found = whole.slice((index + share) * LAYER_MM)
            meant = layers.solid.slice((index + 0.5) * LAYER_MM)
            assert ((found - meant) + (meant - found)).area() < 1e-3, index
