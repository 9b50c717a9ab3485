"""Drawings of hands: steps for the parts of a build, each of them drawn and lifted as said."""

from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from falldamage_forge import presets
from falldamage_forge.geometry.mesh import Mesh
from falldamage_forge.geometry.piece_mesh import build_all
from falldamage_forge.infra import disk_cache
from falldamage_forge.lengths import MAGNETS
from falldamage_forge.pieces.bought import magnet_piece
from falldamage_forge.pieces.piece import Piece
from falldamage_forge.pieces.plan import plan
from falldamage_forge.render import hand_drawings
from falldamage_forge.render.hand_drawings import (
    MOVES,
    STEPS,
    _posed,
    begin_hand_pages,
    parts_of,
    steps_of,
)
from tests.render.test_pages import layout_of
from tests.render.test_sheets import pages

CATALOGUE, PRINTER = presets.load_catalogue(), presets.load_printer("a1-mini")
HELD = presets.load_catalogue(magnets="6x2-blocks")["block-1x1x1"]
BOUGHT = {one.key: one for one in map(magnet_piece, MAGNETS)}
KNOWN = {**CATALOGUE.every, HELD.key: HELD, **BOUGHT}
KEYS = {
    "dial": ("unit-archer", "stand-moon-ranger", "health-wheel"),
    "ties": ("quadrant", "tie"),
    "magnets": ("quadrant", "magnet-6x2"),
    "blocks": (HELD.key, "magnet-6x2"),
    "start": ("start-blue", "start-disc-blue"),
    "water": ("quadrant", "water"),
    "lava": ("quadrant", "lava"),
    "bridge": ("block-1x1x1", "bridge-2"),
    "arch": ("block-1x1x1", "arch-2"),
    "ladder": ("quadrant", "block-1x1x2", "ladder-2"),
    "tree": ("quadrant", "tree"),
    "spire": ("quadrant", "spire"),
    "lifter": ("lifter", "block-1x1x1"),
}
TITLES = {
    "dial": ["Stand", "Figure", "Health", "Another figure"],
    "ties": ["Ties"],
    "magnets": ["Magnets"],
    "blocks": ["Magnets of blocks"],
    "start": ["Start marker"],
    "water": ["Water"],
    "lava": ["Lava"],
    "bridge": ["Bridge"],
    "arch": ["Arch"],
    "ladder": ["Block", "Ladder"],
    "tree": ["Tree"],
    "spire": ["Spire"],
    "lifter": ["Lifter"],
}


def some(*names: str) -> dict[str, Piece]:
    return {key: KNOWN[key] for name in names for key in KEYS[name]}


@cache
def meshes() -> dict[str, Mesh]:
    return build_all(some(*KEYS), PRINTER)


@pytest.mark.parametrize("name", KEYS)
def test_steps_are_those_whose_parts_the_build_has(name: str) -> None:
    assert [step.title for step, _ in steps_of(some(name))] == TITLES[name]
    for missing in KEYS[name]:
        fewer = {key: piece for key, piece in some(name).items() if key != missing}
        left = [step.title for step, _ in steps_of(fewer)]
        assert len(left) < len(TITLES[name]) or "block" in missing
        assert set(left) <= set(TITLES[name])


def test_every_step_moves_a_part_of_the_catalogue_and_belongs_to_some_parts() -> None:
    titles = list(dict.fromkeys(step.title for step in STEPS))
    assert [step.title for step, _ in steps_of(some(*KEYS))] == titles
    assert {title for own in TITLES.values() for title in own} == {step.title for step in STEPS}
    for step in STEPS:
        assert any(part.moves for part in step.parts), step.title
        assert all(part.moves for part in step.parts if part.lift_mm or part.turn_deg), step.title


def test_lifted_parts_are_drawn_over_their_seats() -> None:
    """A lift moves the whole part up; with `over`, away from the underside."""
    for step, pieces in steps_of(some(*KEYS)):
        for part, piece in zip(step.parts, pieces, strict=True):
            mesh = meshes()[piece.key]
            drawn = _posed(part, piece, mesh, PRINTER, step.over)
            seat = replace(part, lift_mm=0.0, moves=False)
            resting = _posed(seat, piece, mesh, PRINTER, step.over)
            raised = np.asarray(drawn.triangles - resting.triangles)
            way = -part.lift_mm if step.over else part.lift_mm
            assert np.allclose(raised, (0.0, 0.0, way), atol=1e-3), step.title
            assert way >= 0 and (drawn.colour == MOVES) == part.moves


def test_pages_hold_three_steps_each_and_no_build_without_such_parts_has_any() -> None:
    assert begin_hand_pages({"die": CATALOGUE["die"]}, {}, PRINTER)() is None
    data = begin_hand_pages(some("dial"), meshes(), PRINTER)()
    assert data is not None
    written = [page for page in pages(data) if "The parts that move are red" in page]
    first, second = written
    assert [title in first for title in TITLES["dial"]] == [True, True, True, False]
    assert "Another figure" in second


def test_pages_that_are_cached_start_no_picture(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(disk_cache.FOLDER, str(tmp_path))
    monkeypatch.delenv(disk_cache.SWITCH, raising=False)
    first = begin_hand_pages(some("ties"), meshes(), PRINTER)()
    monkeypatch.delattr(hand_drawings, "submit")
    monkeypatch.delattr(hand_drawings, "photograph")
    assert first is not None and begin_hand_pages(some("ties"), meshes(), PRINTER)() == first
    with pytest.raises(NameError):
        begin_hand_pages(some("lava"), meshes(), PRINTER)()


JOINTS = {
    "tie": "Ties",
    "block": "Block",
    "water": "Water",
    "lava": "Lava",
    "bridge": "Bridge",
    "arch": "Arch",
    "ladder": "Ladder",
    "tree": "Tree",
    "spire": "Spire",
    "start-disc": "Start marker",
}
"""Title of the step of each family of a table that has a joint of its own."""


@pytest.mark.parametrize("name", [*presets.names("maps"), "sampler"])
def test_hands_show_each_joint_of_a_map_and_no_other(name: str) -> None:
    layout = layout_of(name)
    pieces = plan(layout.board, CATALOGUE).pieces()
    families = {piece.family for piece in pieces.values()}
    titles = {step.title for step, _ in steps_of(pieces)}
    assert titles == {title for family, title in JOINTS.items() if family in families}
    assert {step.title for step, _ in steps_of(parts_of(pieces))} == titles
