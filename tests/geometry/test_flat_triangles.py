"""No file holds a triangle without area, and flips that mend a mesh move nothing of it."""

import io
import itertools
import zipfile
from xml.etree import ElementTree

import numpy as np
import pytest
import trimesh
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

import falldamage_forge as ff
from falldamage_forge import presets
from falldamage_forge.geometry.flat_triangles import without_flat
from falldamage_forge.geometry.mesh import Mesh
from falldamage_forge.geometry.mesh_validation import validate_stl
from falldamage_forge.geometry.piece_mesh import build
from falldamage_forge.geometry.stl import triangles
from falldamage_forge.pieces.catalogue import Catalogue
from falldamage_forge.printing.printer import Printer

from .conftest import mesh_of, stl_bytes

KEYS = tuple(presets.load_catalogue().pieces)
NIL_MM = 1e-5


def heights_mm(corners: NDArray[np.float32]) -> NDArray[np.float64]:
    """Height of each triangle above its longest edge; nil if it has no area."""
    a, b, c = (corners[:, corner].astype(float) for corner in range(3))
    edges = np.stack([b - a, c - b, a - c])
    longest = np.sqrt((edges**2).sum(axis=2)).max(axis=0)
    across = edges[0][:, [1, 2, 0]] * edges[1][:, [2, 0, 1]]
    across -= edges[0][:, [2, 0, 1]] * edges[1][:, [1, 2, 0]]
    heights: NDArray[np.float64] = np.sqrt((across**2).sum(axis=1)) / longest
    return heights


def flat_box(spots: list[int]) -> Mesh:
    """A box of 10 mm; corners on its edge from (0, 0, 0) to (10, 0, 0) make a fan on that line."""
    box = trimesh.creation.box(bounds=((0, 0, 0), (10, 10, 10)))
    corners = [tuple(corner) for corner in box.vertices.tolist()]
    one, two = corners.index((0.0, 0.0, 0.0)), corners.index((10.0, 0.0, 0.0))
    faces = [list(face) for face in box.faces.tolist()]
    number = next(n for n, f in enumerate(faces) if {one, two} < set(f))
    face = faces.pop(number)
    while {face[0], face[1]} != {one, two}:
        face = face[1:] + face[:1]
    a, b, d = face
    chain = [a, *range(len(corners), len(corners) + len(spots)), b]
    corners += [(float(x), 0.0, 0.0) for x in sorted(spots, reverse=corners[a][0] > 0)]
    # The edge of one side is cut at each spot; the other side keeps it whole.
    faces += [[near, far, d] for near, far in itertools.pairwise(chain)]
    faces += [[a, far, near] for near, far in itertools.pairwise(chain[1:])]
    return Mesh(np.array(corners, np.float32), np.array(faces, np.int32))


@given(st.lists(st.integers(1, 9), min_size=1, max_size=6, unique=True))
def test_flips_leave_no_flat_triangle_and_move_no_surface(spots: list[int]) -> None:
    mesh = flat_box(spots)
    before = mesh.to_trimesh()
    assert before.is_watertight and before.is_winding_consistent
    assert (heights_mm(mesh.vertices[mesh.faces]) < NIL_MM).sum() == len(spots)
    after = without_flat(mesh)
    seen = after.to_trimesh()
    assert seen.is_watertight and seen.is_winding_consistent
    assert heights_mm(after.vertices[after.faces]).min() > NIL_MM
    assert len(after.faces) == len(mesh.faces)
    assert seen.volume == pytest.approx(1000)
    assert seen.area == pytest.approx(600)


def test_a_mesh_without_flat_triangles_is_returned_as_it_is() -> None:
    mesh = mesh_of(trimesh.creation.icosphere())
    assert without_flat(mesh) is mesh


def test_a_flat_triangle_is_found_in_a_file(printer: Printer) -> None:
    issues = validate_stl(stl_bytes(flat_box([4])), printer, "it").issues
    assert [issue.code for issue in issues] == ["FDF412"]
    assert "1 triangle" in issues[0].message


@pytest.mark.parametrize("key", KEYS)
def test_no_piece_has_a_triangle_without_area(
    key: str, catalogue: Catalogue, printer: Printer
) -> None:
    mesh = build(catalogue[key], printer, presets.load_style("stone"))
    least = heights_mm(mesh.vertices[mesh.faces]).min()
    assert least > NIL_MM, f"{least} mm"


def test_no_file_of_a_build_has_a_triangle_without_area() -> None:
    nil: dict[str, int] = {}
    files = 0
    options = ff.BuildOptions(style=presets.load_style("stone"), variants=11)
    for one in ff.build(ff.load("duel"), options=options).artifacts():
        if one.path.endswith(".stl"):
            meshes = [triangles(one.data, one.path)]
        elif one.path.startswith("plates/") or one.path == "project-plain.3mf":
            meshes = list(meshes_of_3mf(one.data))
        else:
            continue
        files += 1
        nil[one.path] = sum(int((heights_mm(mesh) < NIL_MM).sum()) for mesh in meshes)
    assert files > 40
    assert not {path: count for path, count in nil.items() if count}


def meshes_of_3mf(data: bytes) -> list[NDArray[np.float32]]:
    """The corners of each mesh of a 3MF, shape (n, 3, 3)."""
    name = "{http://schemas.microsoft.com/3dmanufacturing/core/2015/02}"
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        model = ElementTree.fromstring(package.read("3D/3dmodel.model"))
    meshes = []
    for mesh in model.iter(f"{name}mesh"):
        places = [[float(v.get(a, "nan")) for a in "xyz"] for v in mesh.iter(f"{name}vertex")]
        faces = [
            [int(t.get(a, "-1")) for a in ("v1", "v2", "v3")] for t in mesh.iter(f"{name}triangle")
        ]
        meshes.append(np.array(places, np.float32)[np.array(faces)])
    assert meshes
    return meshes
