"""Fit proof: every joint of the catalogue holds, one that does not is found out, none is missing.

Which joints there should be is read from the catalogue and the connectors of its builders, and the
connectors from the solids: whatever is not declared to mate must be seen not to hold.
"""

import dataclasses
from collections.abc import Iterable

import pytest

from falldamage_forge import presets
from falldamage_forge.board import Tile
from falldamage_forge.geometry.build import BUILDERS, standing
from falldamage_forge.geometry.connectors import STANDARD
from falldamage_forge.geometry.fits import Fit
from falldamage_forge.geometry.joints import (
    CONNECTORS,
    Connectors,
    Joint,
    connectors_of,
    joints,
    mated,
    prove_joint,
    smallest,
)
from falldamage_forge.pieces.catalogue import Catalogue
from falldamage_forge.pieces.model import Piece, Placement

from .conftest import EXHAUSTIVE

ALL = tuple(joints(presets.load_catalogue(), Fit()))


def _sampled() -> tuple[Joint, ...]:
    """Every pair of families at least once, every seam, and a ninth of the rest."""
    if EXHAUSTIVE:
        return ALL
    pairs = {(j.a.piece.builder, j.b.piece.builder, j.gap_mm): j for j in reversed(ALL)}
    first = {joint.name for joint in pairs.values()}
    seams = {joint.name for joint in ALL if joint.b.piece.builder in ("quadrant", "rim-strip")}
    return tuple(
        joint for index, joint in enumerate(ALL) if joint.name in first | seams or index % 9 == 0
    )


@pytest.mark.parametrize("joint", _sampled(), ids=lambda joint: joint.name)
def test_a_joint_is_free_when_seated_has_its_gap_and_holds(joint: Joint) -> None:
    assert not list(prove_joint(joint, Fit()).issues())


def unproved(catalogue: Catalogue, found: Iterable[Joint]) -> set[str]:
    """What has a connector, or a builder that says nothing of them, and yet has no joint.

    Keys of pieces that nothing enters or that enter nothing, and `kind on builder` of mates that
    never meet.
    """
    found = tuple(found)
    entered = {joint.b.piece.key for joint in found}
    taken = {joint.a.piece.key for joint in found}
    met = {(connectors_of(joint.b.piece).enters, joint.a.piece.builder) for joint in found}
    missing = set()
    for piece in catalogue.pieces.values():
        own = CONNECTORS.get(piece.builder, Connectors("unsaid"))
        if (own.enters and piece.key not in entered) or (own.takes and piece.key not in taken):
            missing.add(piece.key)
        missing |= {f"{kind} on {piece.builder}" for kind in own.takes} - {
            f"{kind} on {builder}" for kind, builder in met
        }
    return missing


def test_every_piece_with_a_connector_has_joints_with_all_that_it_mates(
    catalogue: Catalogue,
) -> None:
    assert not unproved(catalogue, ALL)
    assert set(CONNECTORS) == set(BUILDERS)
    assert len({joint.name for joint in ALL}) == len(ALL)


@pytest.mark.parametrize("builder", [name for name in CONNECTORS if CONNECTORS[name].enters])
def test_a_missing_joint_is_noticed(builder: str, catalogue: Catalogue) -> None:
    fewer = [joint for joint in ALL if joint.b.piece.builder != builder]
    keys = {piece.key for piece in catalogue.pieces.values() if piece.builder == builder}
    assert unproved(catalogue, fewer) >= keys


def test_a_builder_that_does_not_say_its_connectors_is_noticed(
    catalogue: Catalogue, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(CONNECTORS, "token")  # type: ignore[arg-type]
    fewer = tuple(joints(catalogue, Fit()))
    assert unproved(catalogue, fewer) == {"hidden-item", "push-token", "spring-trap"}


def _males(pieces: Iterable[Piece]) -> dict[str, Piece]:
    """The smallest piece of each kind that enters from above; of those that enter nothing, one."""
    found = {connectors_of(piece).enters: piece for piece in reversed(smallest(list(pieces)))}
    return {kind: piece for kind, piece in found.items() if kind != "seam"}


@pytest.mark.parametrize("builder", BUILDERS)
def test_what_is_not_said_to_mate_does_not(builder: str, catalogue: Catalogue) -> None:
    """So no connector is left out of the table: what fits and holds must stand there."""
    pieces = catalogue.pieces.values()
    (top,) = smallest([piece for piece in pieces if piece.builder == builder])
    east = (0, max((col for _, col in top.footprint), default=0))
    for kind, male in _males(pieces).items():
        if kind in CONNECTORS[builder].takes:
            continue
        seat = (east, 1) if kind == "knobs" else ((0, 0), 0)
        joint = mated(male, top, seat, Fit())
        low_mm = standing(joint.b, Fit()).bounding_box()[2] + joint.rise_mm
        # At a base's edge a deck would hang where the table is.
        lies = builder != "quadrant" or low_mm >= -STANDARD.base_mm
        assert not lies or list(prove_joint(joint, Fit()).issues()), joint.name


def test_that_test_would_find_a_connector_that_is_left_out(
    catalogue: Catalogue, monkeypatch: pytest.MonkeyPatch
) -> None:
    for kind in CONNECTORS["step"].takes:
        fewer = tuple(other for other in CONNECTORS["step"].takes if other != kind)
        monkeypatch.setitem(CONNECTORS, "step", Connectors("peg", fewer))  # type: ignore[arg-type]
        with pytest.raises(AssertionError, match="on step at"):
            test_what_is_not_said_to_mate_does_not("step", catalogue)
        monkeypatch.undo()


@pytest.mark.parametrize("fit", [Fit(0.08, 0.12), Fit(0.25, 0.3)], ids=["tight", "loose"])
def test_the_gap_follows_the_printer(fit: Fit, catalogue: Catalogue) -> None:
    """One joint of every kind that a builder enters by, and a seam."""
    found = {joint.b.piece.builder: joint for joint in joints(catalogue, fit)}
    assert set(found) == {name for name, own in CONNECTORS.items() if own.enters}
    for joint in found.values():
        proof = prove_joint(joint, fit)
        assert not list(proof.issues())
        # A plug is straight for a fifth of a millimetre only.
        near = 0.05 if connectors_of(joint.b.piece).enters == "plug" else 0.01
        assert proof.gap_mm == pytest.approx(joint.gap_mm, abs=near)


def _codes(joint: Joint) -> set[str]:
    return {issue.code for issue in prove_joint(joint, Fit()).issues()}


def test_faulty_joints_are_caught(catalogue: Catalogue) -> None:
    cell = catalogue["block-1x1x1"]
    good = mated(cell, catalogue.quadrant, ((1, 1), 0), Fit())
    assert not _codes(good)
    pressed = dataclasses.replace(good, rise_mm=-1.0)
    assert "FDF430" in _codes(pressed)
    hanging = dataclasses.replace(good, rise_mm=5.0)
    assert _codes(hanging) >= {"FDF431", "FDF432"}
    tighter = dataclasses.replace(good, gap_mm=0.3)
    assert _codes(tighter) == {"FDF431"}
    upward = dataclasses.replace(good, pulls=((0.0, 0.0, 1.0),))
    assert _codes(upward) == {"FDF432"}
    beside = Joint(
        "two blocks side by side",
        Placement(cell, Tile(0, 0), 0),
        Placement(cell, Tile(0, 1), 0),
        0.2,
        ((1.0, 0.0, 0.0),),
    )
    assert _codes(beside) == {"FDF432"}
