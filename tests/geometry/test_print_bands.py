"""Print bands: sections of plain solids against what a ruler says, and of real pieces against all
layers of theirs.
"""

import math
from itertools import pairwise

import numpy as np
import pytest

from falldamage_forge.geometry.csg import from_mesh
from falldamage_forge.geometry.mesh import Mesh
from falldamage_forge.geometry.mesh_properties import measure
from falldamage_forge.geometry.part_size import size_from, size_of
from falldamage_forge.geometry.piece_mesh import build
from falldamage_forge.geometry.print_bands import SHELL_MM, print_bands
from falldamage_forge.geometry.slicing import LayerSlices
from falldamage_forge.presets import load_catalogue, load_printer, load_style
from falldamage_forge.printing.estimate_model import FIRST_LINES, JERK_MM_S, LINES, Band

PIECES = ("block-1x1x1", "bridge-2", "arch-2", "quadrant")


def piece(key: str, style: str = "stone") -> Mesh:
    return build(load_catalogue()[key], load_printer("a1-mini"), load_style(style))


def box(wide: float, deep: float, high: float) -> Mesh:
    from manifold3d import Manifold

    mesh = Manifold.cube((wide, deep, high)).to_mesh()
    return Mesh(np.asarray(mesh.vert_properties, np.float32), np.asarray(mesh.tri_verts, np.int32))


def thickness(bands: tuple[Band, ...]) -> list[float]:
    return [b - a for a, b in pairwise([0.0, *(band.top_mm for band in bands)])]


def corner_s(side_mm: float, speed: float, slope: float) -> float:
    """What a straight line costs that begins and ends at the speed of a right angle."""
    top = min(speed, math.sqrt(JERK_MM_S**2 + slope * side_mm))
    ramp_mm = (top**2 - JERK_MM_S**2) / slope
    spent = 2 * (top - JERK_MM_S) / slope + max(side_mm - ramp_mm, 0) / top
    return spent - side_mm / speed


def test_a_box_has_four_corners_and_skins_at_both_ends() -> None:
    bands = print_bands(box(30.0, 20.0, 12.0))
    assert bands[0].top_mm == pytest.approx(0.24)
    assert bands[-1].top_mm == pytest.approx(12)
    for number, band in enumerate(bands):
        assert (band.outline_mm, band.loops) == (pytest.approx(100), 1)
        motion = LINES if number else FIRST_LINES
        expected = 2 * (corner_s(30.0, *motion) + corner_s(20.0, *motion))
        assert band.lost_s == pytest.approx(expected, rel=1e-3)
        skin = (30 - 2 * SHELL_MM) * (20 - 2 * SHELL_MM)
        assert band.solid_mm2 + band.sparse_mm2 == pytest.approx(skin, rel=0.06)
        whole = band.wall_mm2 + band.solid_mm2 + band.sparse_mm2
        assert whole == pytest.approx(600, abs=0.1)
    middle = next(band for band in bands if band.top_mm > 6)
    assert middle.solid_mm2 == 0 < middle.sparse_mm2
    assert bands[0].sparse_mm2 == bands[-1].sparse_mm2 == 0
    assert sum(band.bridged_mm2 > 0 for band in bands) == 1, "the first skin over infill"


def test_bands_of_a_turned_and_shuffled_mesh_are_the_same() -> None:
    mesh = piece("block-1x1x1")
    bands = print_bands(mesh)
    order = np.random.default_rng(1).permutation(len(mesh.faces))
    shuffled = Mesh(mesh.vertices, np.roll(mesh.faces[order], 1, axis=1))
    turned = Mesh(mesh.vertices[:, [1, 0, 2]] * np.float32([-1, 1, 1]), mesh.faces)
    for other, near in ((shuffled, 1e-3), (turned, 0.04)):
        for one, two in zip(bands, print_bands(other), strict=True):
            assert two == pytest.approx(one, rel=near, abs=0.5 if near > 0.01 else 1e-3)
    assert print_bands(mesh) == bands


@pytest.mark.parametrize("key", PIECES)
def test_bands_stand_for_all_layers_of_a_piece(key: str) -> None:
    """Volume is exact; outlines are those of the real sections, each layer cut at its middle."""
    mesh = piece(key)
    bands = print_bands(mesh)
    thick = thickness(bands)
    assert min(thick) > 0.1
    whole = [band.wall_mm2 + band.solid_mm2 + band.sparse_mm2 for band in bands]
    assert np.dot(whole, thick) == pytest.approx(measure(mesh).volume_mm3, rel=1e-3)
    layers = LayerSlices(from_mesh(mesh), 0.24)
    outline = loops = 0.0
    for index in range(layers.count):
        rings = layers.section(index).to_polygons()
        loops += len(rings)
        outline += sum(
            float(np.hypot(*(np.roll(ring, -1, axis=0) - ring).T).sum()) for ring in rings
        )
    assert np.dot([b.outline_mm for b in bands], thick) / 0.24 == pytest.approx(outline, rel=0.05)
    assert np.dot([b.loops for b in bands], thick) / 0.24 == pytest.approx(loops, rel=0.15)
    for band in bands:
        assert band.bridged_mm2 <= band.solid_mm2
        assert band.slow_lost_s >= 0 and band.lost_s >= 0


def test_a_size_is_read_back_without_loss() -> None:
    size = size_of(piece("bridge-2"))
    assert size_from(size.row()) == size
    assert size_of(piece("bridge-2")) == size
