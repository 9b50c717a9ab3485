"""Fit proof: every joint of the family holds, and a joint that does not is found out."""

import dataclasses

import pytest

from falldamage_forge import presets
from falldamage_forge.board import Tile
from falldamage_forge.geometry.fits import Fit
from falldamage_forge.geometry.joints import Joint, joints, prove_joint
from falldamage_forge.pieces.catalogue import Catalogue
from falldamage_forge.pieces.model import Placement

from .conftest import EXHAUSTIVE

ALL = tuple(joints(presets.load_catalogue(), Fit()))


def _sampled() -> tuple[Joint, ...]:
    """Every kind of joint at every turn; of the many block tops a third, all when asked."""
    if EXHAUSTIVE:
        return ALL
    few = [joint for joint in ALL if joint.name.startswith(("chest on", "start-marker on"))]
    rest = [joint for joint in ALL if joint not in few]
    return (*rest[::3], *few[::4])


@pytest.mark.parametrize("joint", _sampled(), ids=lambda joint: joint.name)
def test_a_joint_is_free_when_seated_has_its_gap_and_holds(joint: Joint) -> None:
    assert not list(prove_joint(joint, Fit()).issues())


@pytest.mark.parametrize("fit", [Fit(0.08, 0.12), Fit(0.25, 0.3)], ids=["tight", "loose"])
def test_the_gap_follows_the_printer(catalogue: Catalogue, fit: Fit) -> None:
    wanted = ("seam, turns 1 and 2, east", "block-2x1x1 turned 1 on the base", "bridge-2's west")
    found = [joint for joint in joints(catalogue, fit) if joint.name.startswith(wanted)]
    assert len(found) >= 3
    for joint in found:
        proof = prove_joint(joint, fit)
        assert not list(proof.issues())
        assert proof.gap_mm == pytest.approx(joint.gap_mm, abs=0.01)


def _codes(joint: Joint) -> set[str]:
    return {issue.code for issue in prove_joint(joint, Fit()).issues()}


def test_faulty_joints_are_caught(catalogue: Catalogue) -> None:
    good = next(joint for joint in ALL if joint.name == "block-1x1x1 turned 0 on the base")
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
        Placement(catalogue["block-1x1x1"], Tile(0, 0), 0),
        Placement(catalogue["block-1x1x1"], Tile(0, 1), 0),
        0.2,
        ((1.0, 0.0, 0.0),),
    )
    assert _codes(beside) == {"FDF432"}
