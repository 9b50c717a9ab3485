"""Models of others on the page: they stand where their parts do, and are stamped like others."""

import json
import zlib
from pathlib import Path

import numpy as np
import pytest

from falldamage_forge.geometry.piece_mesh import placement_transform
from falldamage_forge.pieces.model_keys import SHOWN_TRIANGLES
from falldamage_forge.presets import load_printer
from falldamage_forge.studio.mesh_service import bake
from falldamage_forge.studio.part_instances import parts, placements
from falldamage_forge.studio.part_places import model_triangles
from falldamage_forge.studio.session import Session
from falldamage_forge.studio.stamp_library import stamps

RUIN = Path(__file__).resolve().parents[2] / "docs" / "models" / "ruin.obj"
TURNS = ((1, 0), (0, -1), (-1, 0), (0, 1))
BLOCK = 'model ruin "ruin.obj" {\n  tiles 2x1\n  scale fit\n  levels { 1 . }\n}\n'
TEXT = f"""forge 1
board 10x10
{BLOCK}
stack E5..F6 height 1
"""
PLACED = [
    f"place ruin at {tile}{turn}{mirror}"
    for tile, turn in (
        ("C3", ""),
        ("E5", " rotate 90"),
        ("H8", " rotate 180"),
        ("C7", " rotate 270"),
    )
    for mirror in ("", " mirror x")
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / RUIN.name).write_bytes(RUIN.read_bytes())
    return tmp_path


@pytest.mark.parametrize("placed", PLACED)
def test_a_model_is_seen_where_its_part_stands_and_where_its_stamp_was_shown(
    folder: Path, placed: str
) -> None:
    before = Session(TEXT, str(folder / "mine.forge"), folder)
    shown = before.preview(placed.replace("place", "stamp"))["models"]
    session = Session(f"{TEXT}{placed}\n", str(folder / "mine.forge"), folder)
    (found,) = [part for part in parts(session)["parts"] if part["model"]]
    ((x, y, z, turns, tiles),) = found["places"]
    assert json.loads(json.dumps(shown)) == [[found["key"], x, y, z, turns]]
    (wanted,) = [one for one in placements(session) if one.piece.key == found["key"]]
    c, s = TURNS[turns]
    matrix = [[c, -s, 0, x], [s, c, 0, y], [0, 0, 1, z], [0, 0, 0, 1]]
    assert np.allclose(placement_transform(wanted), matrix)
    assert sorted(map(tuple, tiles)) == sorted(wanted.tiles())


def test_one_more_model_seldom_changes_all_meshes_and_never_exceeds_the_most() -> None:
    most = [model_triangles(count) for count in range(1, 200)]
    assert all(one * count <= SHOWN_TRIANGLES for count, one in enumerate(most, 1))
    assert len(set(most)) <= 9


def test_the_mesh_of_a_model_has_at_most_the_triangles_asked_for(folder: Path) -> None:
    session = Session(f"{TEXT}{PLACED[0]}\n", str(folder / "mine.forge"), folder)
    (piece,) = {one.piece for one in placements(session) if one.piece.builder == "model"}
    for most in (SHOWN_TRIANGLES, 300):
        data = bake(piece, load_printer("a1-mini"), "stone", most)
        assert data
        assert 0 < np.frombuffer(zlib.decompress(data)[:8], "<u4")[1] <= most


def test_each_model_of_a_map_has_an_address_before_it_is_placed(folder: Path) -> None:
    told = parts(
        Session(TEXT, str(folder / "mine.forge"), folder), lambda piece, most: f"{piece.key} {most}"
    )
    assert told["models"] == {
        key: f"{key} {SHOWN_TRIANGLES}" for key in ("model-ruin", "model-ruin-mirrored")
    }


@pytest.mark.parametrize("root", [True, False])
def test_a_model_without_a_file_leaves_the_rest_of_the_page(tmp_path: Path, root: bool) -> None:
    session = Session(
        f"{TEXT}{PLACED[0]}\n", str(tmp_path / "mine.forge"), tmp_path if root else None
    )
    told = parts(session)
    assert told["models"] == {}
    assert not [part for part in told["parts"] if part["model"]]
    assert session.preview("stamp ruin at A1")["models"] == []


def test_models_are_stamps_of_the_map() -> None:
    own = [one for one in stamps(TEXT)["stamps"] if not one["book"]]
    assert own == [
        {
            "name": "ruin",
            "book": "",
            "cells": [[[1, "ground", None], [0, "ground", "spire"]]],
            "model": True,
        }
    ]
