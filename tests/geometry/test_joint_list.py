"""Which joints are listed: every piece at every turn, every seat of every top, none twice."""

import dataclasses
from collections import defaultdict

import pytest

from falldamage_forge.board import Tile
from falldamage_forge.geometry.connector_standard import STANDARD
from falldamage_forge.geometry.design_parameters import DesignParameters
from falldamage_forge.geometry.footprint import SIDES
from falldamage_forge.geometry.joint_check import (
    DEEP,
    EDGED,
    OVERLAP_MM3,
    Joint,
    JointReport,
    accepted_connectors,
    connectors_of,
    inserted_connectors,
    joints,
    make_joint,
    seats_of,
    smallest,
    top_of_mm,
)
from falldamage_forge.pieces.catalogue import Catalogue

STEP_MM = 15.12
"""Half a level of our own size, in whole layers."""


@pytest.fixture(scope="module")
def listed(catalogue: Catalogue) -> tuple[Joint, ...]:
    return tuple(joints(catalogue, DesignParameters()))


def test_every_piece_enters_at_every_turn(catalogue: Catalogue, listed: tuple[Joint, ...]) -> None:
    """A deck's two ends at four sides lie in four ways; a tongue fits one way."""
    turns: dict[tuple[str, str], set[int]] = defaultdict(set)
    for joint in listed:
        kind = joint.name.split()[1]
        turns[joint.b.piece.key, kind].add(joint.b.quarter_turns)
    for piece in catalogue.pieces.values():
        for kind in set(inserted_connectors(piece)) & {*DEEP, "tongue"}:
            assert turns[piece.key, kind] == ({0} if kind == "tongue" else {0, 1, 2, 3})


def test_wide_pieces_stand_in_the_middle_of_the_largest_top(listed: tuple[Joint, ...]) -> None:
    largest = max(len(joint.a.piece.footprint) for joint in listed)
    wide = [j for j in listed if j.name.split()[1] == "skirt" and len(j.b.piece.footprint) > 1]
    on_large = {joint.b.piece.key for joint in wide if len(joint.a.piece.footprint) == largest}
    assert on_large == {joint.b.piece.key for joint in wide}


def test_every_top_takes_something_at_every_seat(
    catalogue: Catalogue, listed: tuple[Joint, ...]
) -> None:
    taken: dict[tuple[str, str], set[str]] = defaultdict(set)
    for joint in listed:
        taken[joint.a.piece.key, joint.name.split()[1]].add(joint.name.rpartition(" ")[2])
    for top in catalogue.pieces.values():
        for kind in set(accepted_connectors(top)) - {"tie"}:
            seats = seats_of(top, kind)
            assert seats and {str(Tile(*cell)) for cell, _ in seats} <= taken[top.key, kind]
            assert len(set(seats)) == len(seats)
            if kind not in EDGED:
                assert {side for _, side in seats} == {0}


def test_seats_of_squares_are_their_corners_rims_and_middle(catalogue: Catalogue) -> None:
    """Of 3 x 3 tiles all nine lie differently; of 1 x 1 one does, with four sides to enter."""
    sizes = {1: 1, 2: 2, 4: 4, 9: 9}
    for block in catalogue.blocks():
        count = len(block.footprint)
        if count in sizes:
            assert len(seats_of(block, "skirt")) == sizes[count]
        if count == 1:
            assert [side for _, side in seats_of(block, "foot")] == [0, 1, 2, 3]


def test_a_ladder_has_a_foot_or_a_slot_and_a_hook_or_none(catalogue: Catalogue) -> None:
    ways = {
        "whole": ("foot", "hook"), "lower": ("foot",), "middle": ("tongue",),
        "upper": ("tongue", "hook"),
    }  # fmt: skip
    seen = set()
    for piece in catalogue.pieces.values():
        if piece.builder != "ladder":
            kind = connectors_of(piece).enters
            assert inserted_connectors(piece) == ((kind,) if kind else ())
            continue
        part = str(piece["part"])
        seen.add(part)
        assert inserted_connectors(piece) == ways[part]
        assert accepted_connectors(piece) == (("tongue",) if part in ("lower", "middle") else ())
    assert seen == set(ways)


def test_the_smallest_of_each_builder_come_first(catalogue: Catalogue) -> None:
    found = smallest(list(catalogue.pieces.values()))
    assert len({piece.builder for piece in found}) == len(found)
    for one in found:
        size = (max(1, len(one.footprint)), one.levels)
        for piece in catalogue.pieces.values():
            if piece.builder == one.builder:
                assert size <= (max(1, len(piece.footprint)), piece.levels)


def test_joint_places_male_on_or_beside_female(catalogue: Catalogue) -> None:
    block = catalogue["block-1x1x1"]
    raised = {"step": STEP_MM, "cap": STANDARD.cap_mm, "block": 30.0}
    for piece in smallest([p for p in catalogue.pieces.values() if accepted_connectors(p)]):
        wanted = raised.get(piece.builder, 0.0)
        assert top_of_mm(piece) == wanted
        if "skirt" in accepted_connectors(piece):
            joint = make_joint(block, piece, ((0, 0), 0), "skirt")
            assert (joint.b.raised_mm, joint.b.level, joint.clicks) == (wanted, 0, True)
    ladder = next(
        p for p in catalogue.pieces.values() if inserted_connectors(p) == ("foot", "hook")
    )
    for side, beside in enumerate(SIDES):
        hooked = make_joint(ladder, block, ((0, 0), side), "hook")
        assert (hooked.b.tile.row, hooked.b.tile.col) == beside
        assert (hooked.b.level, hooked.clicks) == (-ladder.levels, False)
        stands = make_joint(ladder, block, ((0, 0), side), "foot")
        assert len(stands.pulls) == 3 and len(hooked.pulls) == 4


def test_joint_issues_begin_at_least_overlap(catalogue: Catalogue) -> None:
    joint = make_joint(catalogue["block-1x1x1"], catalogue.quadrant, ((1, 1), 0), "skirt")
    good = {"overlap_mm3": 0.0, "sunk_mm3": 9.0, "held_mm3": 9.0, "click_mm3": 9.0}
    assert not list(JointReport(joint, **good).issues())
    faults = {"overlap_mm3": "FDF430", "sunk_mm3": "FDF431", "held_mm3": "FDF432",
              "click_mm3": "FDF435", "entry_mm3": "FDF430"}  # fmt: skip
    for key, code in faults.items():
        shared = key in ("overlap_mm3", "entry_mm3")
        least = OVERLAP_MM3 if shared else OVERLAP_MM3 * 0.999
        (issue,) = JointReport(joint, **{**good, key: least}).issues()
        assert (issue.code, issue.severity) == (code, "error")
        assert issue.message.startswith(f"{joint.name}: ")
        other = OVERLAP_MM3 * 0.999 if shared else OVERLAP_MM3
        assert not list(JointReport(joint, **{**good, key: other}).issues())
    loose = dataclasses.replace(joint, rests=False, pulls=(), clicks=False)
    assert not list(JointReport(loose, 0.0, 0.0, 0.0, 0.0).issues())
