"""Fit proof: every joint of the catalogue holds, one that does not is found out, none is missing.

Which joints there should be is read from the catalogue and the connectors of its builders.
"""

import dataclasses
from collections.abc import Iterable

import pytest

from falldamage_forge import presets
from falldamage_forge.board import Tile
from falldamage_forge.builds.model_pieces import BUILDER as MODEL
from falldamage_forge.geometry.design_parameters import DesignParameters
from falldamage_forge.geometry.joint_check import (
    CONNECTORS,
    DEEP,
    Connectors,
    Joint,
    accepted_connectors,
    check_joint,
    inserted_connectors,
    joints,
    make_joint,
)
from falldamage_forge.geometry.piece_mesh import BUILDERS
from falldamage_forge.pieces.bought import MAGNET
from falldamage_forge.pieces.catalogue import Catalogue
from falldamage_forge.pieces.element_parts import BUILDER
from falldamage_forge.pieces.model_keys import SEAM_TIE
from falldamage_forge.pieces.piece import Placement
from tests.amount import EXHAUSTIVE, some

ALL = tuple(joints(presets.load_catalogue(), DesignParameters()))


def _sampled() -> tuple[Joint, ...]:
    """Every builder by every way at least once on either side, every tie, a part of the rest."""
    if EXHAUSTIVE:
        return ALL
    met: set[tuple[str, str, bool]] = set()
    found = []
    for index, joint in enumerate(ALL):
        kind = joint.name.split()[1]
        ends = {(joint.a.piece.builder, kind, True), (joint.b.piece.builder, kind, False)}
        if ends - met or joint.b.piece.builder in ("quadrant", "tie") or index % 997 == 0:
            found.append(joint)
            met |= ends
    return tuple(found)


@pytest.mark.parametrize("joint", _sampled(), ids=lambda joint: joint.name)
def test_a_joint_is_free_when_seated_rests_and_holds(joint: Joint) -> None:
    assert not list(check_joint(joint, DesignParameters()).issues())


def unproved(catalogue: Catalogue, found: Iterable[Joint]) -> set[str]:
    """What has a connector, or a builder that says nothing of them, and yet has no joint.

    Keys of pieces that nothing enters or that enter nothing, and `kind on builder` of mates that
    never meet.
    """
    found = tuple(found)
    entered = {joint.b.piece.key for joint in found}
    taken = {joint.a.piece.key for joint in found}
    met = {(joint.name.split()[1], joint.a.piece.builder) for joint in found}
    missing = set()
    for piece in catalogue.pieces.values():
        said = piece.builder in CONNECTORS
        if not said or (inserted_connectors(piece) and piece.key not in entered):
            missing.add(piece.key)
        if accepted_connectors(piece) and piece.key not in taken:
            missing.add(piece.key)
        kinds = set(accepted_connectors(piece)) - {"tie"}
        missing |= {
            f"{kind} on {piece.builder}" for kind in kinds if (kind, piece.builder) not in met
        }
    return missing


def test_every_piece_with_a_connector_has_joints_with_all_that_it_mates(
    catalogue: Catalogue,
) -> None:
    assert not unproved(catalogue, ALL)
    assert set(CONNECTORS) == set(BUILDERS) - {BUILDER, MODEL, SEAM_TIE, MAGNET}
    assert len({joint.name for joint in ALL}) == len(ALL)


@pytest.mark.parametrize("builder", ["block", "cap", "plank-bridge", "ladder", "battlement", "tie"])
def test_a_missing_joint_is_noticed(builder: str, catalogue: Catalogue) -> None:
    fewer = [joint for joint in ALL if joint.b.piece.builder != builder]
    keys = {piece.key for piece in catalogue.pieces.values() if piece.builder == builder}
    assert unproved(catalogue, fewer) >= keys


def test_a_builder_that_does_not_say_its_connectors_is_noticed(
    catalogue: Catalogue, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(CONNECTORS, "token")  # type: ignore[arg-type]
    fewer = tuple(joints(catalogue, DesignParameters()))
    tokens = {piece.key for piece in catalogue.pieces.values() if piece.builder == "token"}
    assert unproved(catalogue, fewer) == tokens
    assert "hidden-item" in tokens


@pytest.mark.parametrize(
    ("male", "kind", "female"),
    [
        ("block-1x1x1", "skirt", "bridge-2"),  # a deck's planks run over the groove
        ("ladder-1", "hook", "quadrant"),  # the base's keyholes are shallow
        ("bridge-1", "blades", "quadrant"),
    ],
)
def test_unlisted_connectors_do_not_mate(
    male: str, kind: str, female: str, catalogue: Catalogue
) -> None:
    assert kind not in accepted_connectors(catalogue[female])
    joint = make_joint(catalogue[male], catalogue[female], ((0, 0), 0), kind)
    assert list(check_joint(joint, DesignParameters()).issues())


@pytest.mark.parametrize(
    "fit",
    some(
        [DesignParameters(0.10, 0.12, click_mm=0.17), DesignParameters(0.34, 0.3, click_mm=0.44)], 1
    ),
    ids=lambda fit: f"{fit.click_mm:g}",
)
def test_joints_of_every_kind_hold_at_other_gaps(
    fit: DesignParameters, catalogue: Catalogue
) -> None:
    found = {(j.b.piece.builder, j.name.split()[1]): j for j in joints(catalogue, fit)}
    assert {kind for _, kind in found} >= {*DEEP, "tongue"}
    for joint in found.values():
        assert not list(check_joint(joint, fit).issues()), joint.name


def _codes(joint: Joint) -> set[str]:
    return {issue.code for issue in check_joint(joint, DesignParameters()).issues()}


def test_broken_joints_give_issues(catalogue: Catalogue) -> None:
    cell = catalogue["block-1x1x1"]
    good = make_joint(cell, catalogue.quadrant, ((1, 1), 0), "skirt")
    assert not _codes(good)
    pressed = dataclasses.replace(good, b=dataclasses.replace(good.b, raised_mm=-0.3))
    assert "FDF430" in _codes(pressed)
    hanging = dataclasses.replace(good, b=dataclasses.replace(good.b, raised_mm=2.0))
    assert _codes(hanging) == {"FDF431", "FDF432", "FDF435"}
    upward = dataclasses.replace(good, pulls=((0.0, 0.0, 3.0),))
    assert _codes(upward) == {"FDF432"}
    ladder = make_joint(catalogue["ladder-1"], catalogue.quadrant, ((1, 1), 0), "foot")
    assert _codes(dataclasses.replace(ladder, clicks=True)) == {"FDF435"}
    beside = Joint(
        "two blocks side by side",
        Placement(cell, Tile(0, 0), 0),
        Placement(cell, Tile(0, 1), 0),
        ((1.0, 0.0, 0.0),),
        rests=False,
    )
    assert _codes(beside) == {"FDF432"}


def test_connectors_are_listed_once() -> None:
    for own in CONNECTORS.values():
        assert isinstance(own, Connectors)
        assert len(set(own.takes)) == len(own.takes)
