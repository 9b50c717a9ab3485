"""Files of others: good ones are read alike, bad ones are refused in time with file and remedy."""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from trimesh import Scene
from trimesh.creation import box, icosphere
from trimesh.transformations import translation_matrix

from falldamage_forge.issues import ForgeError, Issue
from falldamage_forge.models.model_file import read_model, triangles_of
from falldamage_forge.models.model_repair import Repaired, repaired
from falldamage_forge.models.triangles import MAX_BYTES, MAX_TRIANGLES
from tests.models.bad_files import (
    bad_files,
    glb,
    good,
    obj,
    ply,
    stl,
    text_stl,
    threemf,
    with_count,
    xml,
)

GOOD = {
    "a.stl": stl(),
    "text.stl": text_stl().encode(),
    "a.obj": obj().encode(),
    "a.ply": ply(),
    "text.ply": ply("ascii"),
    "a.glb": glb(),
    "a.3mf": threemf(xml(good())),
    "wrong-suffix.ply": stl(),
}


def solid_of(data: bytes, name: str) -> Repaired:
    found = triangles_of(data, name)
    return repaired(found.points, found.faces, name)


def signed_volume(corners: NDArray[np.float64]) -> float:
    """The volume inside triangles of shape (n, 3, 3); negative if they face inwards."""
    return float(
        np.einsum("ij,ij->i", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])).sum() / 6
    )


def volume(data: bytes, name: str) -> float:
    solid = solid_of(data, name)
    return signed_volume(solid.points[solid.faces])


@pytest.mark.parametrize("name", GOOD)
def test_every_format_holds_the_same_solid(name: str) -> None:
    assert volume(GOOD[name], name) == pytest.approx(good().volume, rel=1e-4)


def test_a_hundred_kinds_of_bad_files_are_refused_with_file_and_remedy() -> None:
    names = []
    for name, data in bad_files():
        with pytest.raises(ForgeError) as refused:
            solid_of(data, name)
        (issue,) = refused.value.issues
        assert f"`{name}`" in issue.message, issue
        assert issue.hint, issue
        names.append(name)
    assert len(names) == len(set(names)) >= 100


@pytest.mark.parametrize("count", [0, 1, 127, 129, 2**31, 2**32 - 1])
def test_a_wrong_count_in_a_header_is_corrected_and_said(count: int) -> None:
    found = triangles_of(with_count(stl(), count), "x.stl")
    assert len(found.faces) == 128
    assert found.said


def test_what_a_program_appends_to_an_stl_is_no_triangle() -> None:
    found = triangles_of(stl() + b"program data", "x.stl")
    assert len(found.faces) == 128
    assert not found.said


def test_files_above_the_limits_are_refused_before_they_are_read(tmp_path: Path) -> None:
    path = tmp_path / "large.stl"
    with path.open("wb") as stream:
        stream.truncate(MAX_BYTES + 1)
    with pytest.raises(ForgeError, match="FDF511"):
        read_model(path, "large.stl")
    many = bytes(80) + struct.pack("<I", MAX_TRIANGLES + 1) + bytes(50 * (MAX_TRIANGLES + 1))
    with pytest.raises(ForgeError, match="FDF511"):
        triangles_of(many, "many.stl")


@pytest.mark.parametrize(("unit", "name"), [("inch", "inch"), ("meter", "m"), ("micron", "micron")])
def test_a_3mf_states_its_unit(unit: str, name: str) -> None:
    assert triangles_of(threemf(xml(unit=unit)), "x.3mf").unit == name


@pytest.mark.parametrize(
    ("name", "unit", "size"),
    [("a.glb", "m", (1, 3, 2)), ("a.obj", "", (1, 2, 3)), ("a.ply", "", (1, 2, 3))],
)
def test_a_glb_is_in_metres_with_y_up_and_others_state_neither(
    name: str, unit: str, size: tuple[float, ...]
) -> None:
    """Source: glTF 2.0, 3.4: "glTF defines +Y as up", "The units for all linear distances are
    meters". The box stands where its node puts it, and its triangles still face outwards."""
    kind, scene = name.rpartition(".")[2], Scene()
    for number in range(3):
        place = translation_matrix((10 * number, 20, 30))
        scene.add_geometry(box((1, 2, 3)), transform=place)
    data = scene.export(file_type=kind)
    found = triangles_of(data.encode() if isinstance(data, str) else data, name)
    assert (found.kind, found.unit, len(found.faces)) == (kind.upper(), unit, 36)
    parts = np.split(found.points[found.faces], 3)
    for number, part in enumerate(sorted(parts, key=lambda part: part[..., 0].min())):
        corners = part.reshape(-1, 3)
        middle = (10 * number, *((-30, 20) if unit else (20, 30)))
        assert np.ptp(corners, axis=0) == pytest.approx(size)
        assert (corners.min(axis=0) + corners.max(axis=0)) / 2 == pytest.approx(middle)
        assert signed_volume(part) == pytest.approx(6)


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(sorted(GOOD)), st.data())
def test_damaged_bytes_are_read_or_refused(name: str, data: st.DataObject) -> None:
    raw = bytearray(GOOD[name])
    for _ in range(data.draw(st.integers(1, 6))):
        at = data.draw(st.integers(0, len(raw) - 1))
        raw[at : at + data.draw(st.integers(0, 8))] = data.draw(st.binary(max_size=8))
    issues: tuple[Issue, ...] = ()
    try:
        solid_of(bytes(raw), name)
    except ForgeError as refused:
        issues = refused.issues
    assert all(name in issue.message and issue.hint for issue in issues)


@settings(max_examples=40, deadline=None)
@given(st.floats(0.1, 500), st.floats(-900, 900), st.integers(0, 79), st.booleans(), st.booleans())
def test_repair_keeps_the_volume(
    size: float, shift: float, missing: int, inside_out: bool, shuffled: bool
) -> None:
    ball = icosphere(1, size)
    points = np.asarray(ball.vertices)[ball.faces].reshape(-1, 3) + shift
    faces = np.delete(np.arange(len(points)).reshape(-1, 3), missing, axis=0)
    if inside_out:
        faces = faces[:, ::-1]
    if shuffled:
        faces[::3] = faces[::3, ::-1]
    solid = repaired(points, faces, "ball.stl")
    corners = solid.points[solid.faces] - shift
    found = np.einsum("ij,ij->i", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])).sum() / 6
    assert found == pytest.approx(ball.volume, rel=0.02)
    assert solid.open_edges == 3
    assert any(each == "filled a hole" for each in solid.done)


def test_bodies_through_each_other_are_united_and_cavities_stay() -> None:
    one, other, inner = box((10, 10, 10)), box((10, 10, 10)), box((4, 4, 4))
    other.apply_translation((5, 0, 0))
    inner.invert()
    meshes = (one, other, inner)
    points = np.concatenate([each.vertices for each in meshes])
    faces = np.concatenate([np.asarray(each.faces) + 8 * n for n, each in enumerate(meshes)])
    solid = repaired(points, faces, "x.stl")
    corners = solid.points[solid.faces]
    found = np.einsum("ij,ij->i", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])).sum() / 6
    assert found == pytest.approx(1500 - 64)
    assert solid.overlap_mm3 == pytest.approx(500)


def test_a_sheet_is_refused_with_its_place_or_thickened() -> None:
    points = np.array([[0, 0, 0], [30, 0, 0], [30, 0, 20], [0, 0, 20], [30, 30, 0], [30, 30, 20.0]])
    faces = np.array([[0, 1, 2], [0, 2, 3], [1, 4, 5], [1, 5, 2]])
    with pytest.raises(ForgeError, match=r"FDF513.*at x .* mm"):
        repaired(points, faces, "wall.stl")
    solid = repaired(points, faces, "wall.stl", sheet_mm=1.2)
    assert np.ptp(solid.points, axis=0)[2] == pytest.approx(20)
    assert any("thickened" in each for each in solid.done)
