"""The judge of written files: each kind of fault, put in on purpose, is found."""

import dataclasses
from io import BytesIO

import numpy as np
import pytest
import trimesh

from falldamage_forge import presets
from falldamage_forge.geometry import Mesh, build, prove_stl, read_stl
from falldamage_forge.issues import ForgeError
from falldamage_forge.pieces.catalogue import Catalogue
from falldamage_forge.printing.printer import Printer

from .conftest import mesh_of, stl_bytes


def cube(size: float = 10.0, at: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> trimesh.Trimesh:
    box = trimesh.creation.box((size, size, size))
    box.apply_translation((at[0] + size / 2, at[1] + size / 2, at[2] + size / 2))
    return box


def codes(mesh: Mesh, printer: Printer, bodies: int = 1) -> set[str]:
    return {issue.code for issue in prove_stl(stl_bytes(mesh), printer, "it", bodies).issues}


def test_a_cube_is_sound(printer: Printer) -> None:
    found = prove_stl(stl_bytes(mesh_of(cube())), printer)
    assert found.issues == ()
    assert found.volume_mm3 == pytest.approx(1000)
    assert found.size_mm == pytest.approx((10, 10, 10))


def test_a_hole_is_found_with_its_place(printer: Printer) -> None:
    box = cube()
    box.faces = box.faces[:-1]
    (issue,) = prove_stl(stl_bytes(mesh_of(box)), printer, "it").issues
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


def test_numbers_that_are_none_are_found(printer: Printer) -> None:
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
            prove_stl(whole[:length], printer)
        assert caught.value.issues[0].code == "FDF410"
    with pytest.raises(ForgeError):
        prove_stl(whole + b"\0", printer)
    boast = whole[:80] + (3_000_000_000).to_bytes(4, "little") + whole[84:]
    with pytest.raises(ForgeError):
        prove_stl(boast, printer)


@pytest.mark.parametrize("style", ["plain", "stone"])
def test_another_library_has_the_same_opinion_of_every_piece(
    style: str, catalogue: Catalogue, printer: Printer
) -> None:
    for key, piece in catalogue.pieces.items():
        data = stl_bytes(build(piece, printer, presets.load_style(style)))
        ours, theirs = prove_stl(data, printer, key), trimesh.load_mesh(BytesIO(data), "stl")
        assert ours.issues == (), key
        assert theirs.is_watertight and theirs.is_winding_consistent and theirs.body_count == 1, key
        assert ours.volume_mm3 == pytest.approx(theirs.volume, rel=1e-5)
