"""The judge of written files: each kind of fault, put in on purpose, is found."""

import dataclasses
from io import BytesIO
from pathlib import Path

import networkx as nx
import numpy as np
import pytest
import trimesh
from hypothesis import given
from hypothesis import strategies as st
from stl.mesh import Mesh as StlMesh

from falldamage_forge import presets
from falldamage_forge.geometry import mesh_validation
from falldamage_forge.geometry.mesh import Mesh
from falldamage_forge.geometry.mesh_validation import validate_stl
from falldamage_forge.geometry.piece_mesh import build
from falldamage_forge.geometry.stl import read_stl
from falldamage_forge.infra import disk_cache
from falldamage_forge.issues import ForgeError
from falldamage_forge.models.mesh_edges import edges_of
from falldamage_forge.pieces.catalogue import Catalogue
from falldamage_forge.printing.printer import Printer
from tests.amount import some

from .conftest import mesh_of, stl_bytes

PRINTER = presets.load_printer("a1-mini")


def cube(size: float = 10.0, at: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> trimesh.Trimesh:
    box = trimesh.creation.box((size, size, size))
    box.apply_translation((at[0] + size / 2, at[1] + size / 2, at[2] + size / 2))
    return box


def codes(mesh: Mesh, printer: Printer, bodies: int = 1) -> set[str]:
    return {issue.code for issue in validate_stl(stl_bytes(mesh), printer, "it", bodies).issues}


def test_a_cube_is_sound(printer: Printer) -> None:
    found = validate_stl(stl_bytes(mesh_of(cube())), printer)
    assert found.issues == ()
    assert found.volume_mm3 == pytest.approx(1000)
    assert found.size_mm == pytest.approx((10, 10, 10))


def test_a_hole_is_found_with_its_place(printer: Printer) -> None:
    box = cube()
    box.faces = box.faces[:-1]
    (issue,) = validate_stl(stl_bytes(mesh_of(box)), printer, "it").issues
    assert issue.code == "FDF413"
    assert "3 edges" in issue.message
    assert "(" in issue.message


def test_columns_that_touch_along_an_edge_are_found(printer: Printer) -> None:
    both = trimesh.util.concatenate([cube(), cube(at=(10, 10, 0))])
    assert codes(mesh_of(both), printer, bodies=2) == {"FDF413"}


def test_a_solid_turned_inside_out_is_found(printer: Printer) -> None:
    box = cube()
    box.faces = box.faces[:, ::-1]
    assert codes(mesh_of(box), printer) == {"FDF414"}


def test_one_flipped_triangle_is_found(printer: Printer) -> None:
    box = cube()
    faces = box.faces.copy()
    faces[0] = faces[0][::-1]
    box.faces = faces
    assert codes(mesh_of(box), printer) == {"FDF413"}


def test_loose_bodies_and_closed_hollows_are_found(printer: Printer) -> None:
    both = trimesh.util.concatenate([cube(), cube(at=(20, 0, 0))])
    assert codes(mesh_of(both), printer) == {"FDF415"}
    assert codes(mesh_of(both), printer, bodies=2) == set()
    hollow = cube(4, (3, 3, 3))
    hollow.faces = hollow.faces[:, ::-1]
    assert codes(mesh_of(trimesh.util.concatenate([cube(), hollow])), printer) == {"FDF415"}


def test_non_finite_vertices_give_issue(printer: Printer) -> None:
    for bad in (np.nan, np.inf, -np.inf):
        mesh = mesh_of(cube())
        mesh.vertices[3, 1] = bad
        assert codes(mesh, printer) == {"FDF411"}


def test_a_sliver_is_found(printer: Printer) -> None:
    fine = trimesh.creation.box((10, 10, 10)).subdivide()
    fine.apply_translation((5, 5, 5))
    vertices = fine.vertices.copy()
    edge = fine.edges_unique[0]
    vertices[edge[0]] = vertices[edge[1]] + (0, 0, 2e-5)
    found = codes(Mesh(vertices.astype(np.float32), fine.faces.astype(np.int32)), printer)
    assert "FDF412" in found


@pytest.mark.parametrize(
    ("size", "code"),
    [((177, 10, 10), "FDF417"), ((10, 177, 10), "FDF417"), ((9, 9, 181), "FDF418")],
)
def test_a_part_that_does_not_fit_is_found(
    size: tuple[float, float, float], code: str, printer: Printer
) -> None:
    box = trimesh.creation.box(size)
    box.apply_translation((0, 0, size[2] / 2))
    assert codes(mesh_of(box), printer) == {code}


def test_a_part_off_the_bed_is_found(printer: Printer) -> None:
    assert codes(mesh_of(cube(at=(0, 0, 0.1))), printer) == {"FDF416"}
    assert codes(mesh_of(cube(at=(0, 0, -0.1))), printer) == {"FDF416"}


def test_the_same_part_fits_a_larger_printer(printer: Printer) -> None:
    box = trimesh.creation.box((177, 10, 10))
    box.apply_translation((0, 0, 5))
    larger = dataclasses.replace(printer, bed_mm=(256.0, 256.0))
    assert codes(mesh_of(box), larger) == set()


def test_a_file_cut_short_is_never_taken_for_a_smaller_part(
    catalogue: Catalogue, printer: Printer
) -> None:
    whole = stl_bytes(build(catalogue["ladder-1"], printer))
    assert len(read_stl(whole, "it").faces) == len(build(catalogue["ladder-1"], printer).faces)
    for length in (0, 10, 83, 84, 134, len(whole) // 2, len(whole) - 1):
        with pytest.raises(ForgeError) as caught:
            validate_stl(whole[:length], printer)
        assert caught.value.issues[0].code == "FDF410"
    with pytest.raises(ForgeError):
        validate_stl(whole + b"\0", printer)
    boast = whole[:80] + (3_000_000_000).to_bytes(4, "little") + whole[84:]
    with pytest.raises(ForgeError):
        validate_stl(boast, printer)


SIDES = {
    (0, 0, -1): ((0, 0, 0), (0, 1, 0), (1, 1, 0), (1, 0, 0)),
    (0, 0, 1): ((0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1)),
    (0, -1, 0): ((0, 0, 0), (1, 0, 0), (1, 0, 1), (0, 0, 1)),
    (0, 1, 0): ((0, 1, 0), (0, 1, 1), (1, 1, 1), (1, 1, 0)),
    (-1, 0, 0): ((0, 0, 0), (0, 0, 1), (0, 1, 1), (0, 1, 0)),
    (1, 0, 0): ((1, 0, 0), (1, 1, 0), (1, 1, 1), (1, 0, 1)),
}
"""The corners of a cube's sides, outward, by the way they face."""


def surface_of(cubes: frozenset[tuple[int, int, int]]) -> list[list[tuple[int, ...]]]:
    """The triangles between the cubes of a lattice and the air round them."""
    found = []
    for cube_at in sorted(cubes):
        for way, corners in SIDES.items():
            if tuple(map(sum, zip(cube_at, way, strict=True))) not in cubes:
                a, b, c, d = (tuple(map(sum, zip(cube_at, one, strict=True))) for one in corners)
                found += [[a, b, c], [a, c, d]]
    return found


def shells_of(triangles: list[list[tuple[int, ...]]]) -> int | None:
    """Shells that hang together over edges; None where an edge has not two sides."""
    sides: dict[frozenset[tuple[int, ...]], list[int]] = {}
    for number, corners in enumerate(triangles):
        for pair in zip(corners, corners[1:] + corners[:1], strict=True):
            sides.setdefault(frozenset(pair), []).append(number)
    if any(len(own) != 2 for own in sides.values()):
        return None
    graph = nx.Graph(sides.values())
    return nx.number_connected_components(graph)


@given(
    st.frozensets(st.tuples(*[st.integers(0, 2)] * 3), min_size=1, max_size=12),
    st.sampled_from(["whole", "hole", "flipped", "inside out"]),
    st.integers(0, 500),
)
def test_validation_agrees_with_edge_count(
    cubes: frozenset[tuple[int, int, int]], damage: str, which: int
) -> None:
    """Random heaps of cubes, some damaged: closed or not, outward or not, how many bodies."""
    triangles = surface_of(cubes)
    if damage == "hole":
        del triangles[which % len(triangles)]
    elif damage == "flipped":
        triangles[which % len(triangles)].reverse()
    elif damage == "inside out":
        triangles = [corners[::-1] for corners in triangles]
    bodies = shells_of(triangles)
    corners = sorted({corner for each in triangles for corner in each})
    mesh = Mesh(
        np.array(corners, np.float32) - [0, 0, corners[0][2]],
        np.array([[corners.index(corner) for corner in each] for each in triangles], np.int32),
    )
    mesh.vertices[:, 2] -= mesh.vertices[:, 2].min()
    wanted = {"whole": set(), "inside out": {"FDF414"}}.get(damage, {"FDF413"})
    if bodies is None:
        wanted = {"FDF413"}
    found = validate_stl(stl_bytes(mesh), PRINTER, "it", bodies or 1)
    assert {issue.code for issue in found.issues} == wanted
    if damage == "whole" and bodies is not None:
        assert found.volume_mm3 == pytest.approx(len(cubes))
        told = {
            issue.code for issue in validate_stl(stl_bytes(mesh), PRINTER, "it", bodies + 1).issues
        }
        assert told == {"FDF415"}


@pytest.mark.parametrize("style", ["plain", "stone"])
def test_third_library_confirms_every_piece(
    style: str, catalogue: Catalogue, printer: Printer
) -> None:
    for key, piece in some([*catalogue.pieces.items()], 8):
        data = stl_bytes(build(piece, printer, presets.load_style(style)))
        ours = validate_stl(data, printer, key)
        volume, _, _ = StlMesh.from_file(key, fh=BytesIO(data)).get_mass_properties()
        assert ours.issues == (), key
        assert ours.volume_mm3 == pytest.approx(volume, rel=1e-4), key


def test_valid_file_is_checked_once(
    printer: Printer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv(disk_cache.FOLDER, str(tmp_path))
    monkeypatch.delenv(disk_cache.SWITCH, raising=False)
    good, bad = stl_bytes(mesh_of(cube())), stl_bytes(mesh_of(cube(at=(0, 0, 1))))
    asked = []

    def counted(data: bytes, *rest: object) -> mesh_validation.MeshValidity:
        asked.append(data)
        return validate_stl(data, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(mesh_validation, "validate_stl", counted)
    for _ in range(2):
        mesh_validation.require_valid_stl(good, printer, "it")
        with pytest.raises(ForgeError, match="FDF416"):
            mesh_validation.require_valid_stl(bad, printer, "it")
    assert asked == [good, bad, bad]
    mesh_validation.require_valid_stl(good, dataclasses.replace(printer, height_mm=100.0), "it")
    assert asked == [good, bad, bad, good]


@given(st.data())
def test_edges_are_those_of_an_independent_library(data: st.DataObject) -> None:
    """Boxes whose triangles are turned, doubled and left out at random."""
    parts = [cube(at=(7.0 * number, 0, 0)) for number in range(data.draw(st.integers(1, 3)))]
    whole = trimesh.util.concatenate(parts)
    faces = whole.faces.copy()
    numbers = st.integers(0, len(faces) - 1)
    for number in data.draw(st.lists(numbers, max_size=3)):
        faces[number] = faces[number][::-1]
    kept = data.draw(st.one_of(st.just([*range(len(faces))]), st.lists(numbers, min_size=1)))
    mesh = Mesh(whole.vertices.astype(np.float32), faces[kept].astype(np.int32))
    seen, edges = mesh.to_trimesh(), edges_of(mesh.faces)
    assert edges.corners.tolist() == np.unique(seen.edges_sorted, axis=0).tolist()
    assert edges.uses.sum() == 3 * len(kept)
    assert (edges.corners[edges.number] == np.sort(edges.ends, axis=1)).all()
    assert edges.closed == seen.is_watertight
    assert edges.facing == (seen.is_watertight and seen.is_winding_consistent)
    if edges.facing:
        assert mesh_validation.signed_volume_mm3(mesh) == pytest.approx(seen.volume, abs=1e-6)
