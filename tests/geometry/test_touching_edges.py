"""A solid that touches itself along an edge is written as one that does not."""

import numpy as np
import pytest
import shapely

from falldamage_forge import presets
from falldamage_forge.geometry.csg import Solid, to_mesh, union
from falldamage_forge.geometry.loft import extrude
from falldamage_forge.geometry.mesh import Mesh
from falldamage_forge.geometry.mesh_validation import signed_volume_mm3, validate_stl
from falldamage_forge.geometry.piece_mesh import build
from falldamage_forge.geometry.stl import write_stl
from falldamage_forge.geometry.touching_edges import APART_MM, parted
from falldamage_forge.pieces.variants import variants_of


def cube(low: float, high: float) -> Solid:
    """A box of 10 mm height whose corners lie on a diagonal."""
    return extrude(shapely.box(low, low, high, high), 0.0, 10.0)


def touching(turned: bool) -> Mesh:
    """Two cubes of 10 mm that share an edge, in either order."""
    cubes = [to_mesh(cube(0, 10)), to_mesh(cube(10, 20))]
    one, two = cubes[::-1] if turned else cubes
    vertices = np.concatenate([one.vertices, two.vertices])
    faces = np.concatenate([one.faces, two.faces + len(one.vertices)]).astype(np.int32)
    return Mesh(vertices, faces).in_order()


def uses(mesh: Mesh) -> set[int]:
    """How many triangles share an edge, for a reader that joins corners of one place."""
    _, place = np.unique(mesh.vertices, axis=0, return_inverse=True)
    faces = place.reshape(-1)[mesh.faces]
    edges = np.sort(np.concatenate([faces[:, [a, b]] for a, b in ((0, 1), (1, 2), (2, 0))]), axis=1)
    return {*np.unique(edges, axis=0, return_counts=True)[1].tolist()}


@pytest.mark.parametrize("turned", [False, True])
def test_edges_are_parted_by_a_hair_in_whatever_order_they_come(turned: bool) -> None:
    mesh = touching(turned)
    assert uses(mesh) == {2, 4}
    moved = parted(mesh)
    assert 0 < np.abs(moved.vertices - mesh.vertices).max() <= APART_MM
    after = moved.in_order()
    assert uses(after) == {2}
    assert signed_volume_mm3(after) == pytest.approx(2000, abs=1.0)
    assert after.digest() == parted(touching(not turned)).in_order().digest()


def test_solid_that_touches_nothing_stays_as_it_is() -> None:
    mesh = to_mesh(union([cube(0, 10), cube(11, 20)]))
    assert parted(mesh) is mesh


def test_trees_of_a_wide_nozzle_are_sound_once_written() -> None:
    """By walls of 0.62 mm a hollow of `tree-d` came to touch its outside along an edge."""
    printer = presets.set_up(presets.load_printer("a1-mini"), "quick")
    style = presets.load_style(presets.DEFAULT_STYLE)
    for tree in variants_of(presets.load_catalogue()["tree"]):
        data = write_stl(build(tree, printer, style), tree.key)
        assert validate_stl(data, printer, tree.key).issues == ()
