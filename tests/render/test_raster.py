"""The mesh rasteriser: what is nearer hides what is farther, and nothing depends on the order."""

import io
import random

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from falldamage_forge.presets import load_printer
from falldamage_forge.render.models import UNIT_MM, scene
from falldamage_forge.render.palette import group_colour
from falldamage_forge.render.raster import Body, bodies_of, render
from tests.render.boards import preset
from tests.render.test_sheets import plan_of


def box(low: tuple[float, float, float], high: tuple[float, float, float]) -> NDArray[np.float64]:
    """The twelve triangles of a box, outward."""
    corners = np.array([[(low, high)[i >> axis & 1][axis] for axis in range(3)] for i in range(8)])
    quads = [(0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5)]
    faces = [face for a, b, c, d in quads for face in ((a, b, c), (a, c, d))]
    return corners[np.array(faces)]


def pixels(data: bytes) -> NDArray[np.int64]:
    return np.asarray(Image.open(io.BytesIO(data)).convert("RGBA")).astype(int)


def reds(data: bytes) -> int:
    picture = pixels(data)
    return int(((picture[..., 0] > 60) & (picture[..., 1] < 30) & (picture[..., 3] > 200)).sum())


SLAB = Body(box((0, 0, 0), (100, 100, 2)), "#2020ff")


def test_a_box_shows_three_tones_on_a_clear_ground() -> None:
    picture = pixels(render([Body(box((0, 0, 0), (10, 10, 10)), "#808080")], 120, 120, clear=True))
    assert picture[0, 0, 3] == 0
    solid = picture[picture[..., 3] == 255][:, 0]
    tones = [tone for tone in range(256) if (solid == tone).sum() > 300]
    assert len(tones) == 3
    # Light falls from the south-west: the left face is brighter than the right, the top brightest.
    assert picture[20, 60, 0] > picture[80, 40, 0] > picture[80, 80, 0]


def test_the_nearer_hides_the_farther_whatever_the_order() -> None:
    near = Body(box((90, 0, 2), (100, 10, 60)), "#20ff20")
    behind = Body(box((60, 30, 2), (62, 32, 10)), "#ff0000")
    beside = Body(box((10, 90, 2), (12, 92, 10)), "#ff0000")
    assert reds(render([SLAB, behind], 200, 200)) > 0
    whole = render([SLAB, near, behind], 200, 200)
    assert reds(whole) < reds(render([SLAB, near, beside], 200, 200))
    shuffled = [SLAB, near, behind]
    random.Random(1).shuffle(shuffled)
    assert pixels(render(shuffled, 200, 200)).tolist() == pixels(whole).tolist()


def test_triangles_of_every_size_are_drawn() -> None:
    for size in (1, 3, 10, 40, 99):
        dot = Body(box((0, 0, 2), (size, size, 2 + size)), "#ff0000")
        assert reds(render([SLAB, dot], 160, 160)) > 0, size


@pytest.fixture(scope="module")
def built():
    from falldamage_forge.geometry.build import build

    printer, parts = load_printer("a1-mini"), plan_of("duel")
    meshes = {key: build(piece, printer) for key, piece in parts.pieces().items()}
    return parts, meshes, printer


def test_the_parts_of_a_board_stand_where_the_plan_says(built) -> None:
    parts, meshes, printer = built
    bodies = bodies_of(parts.placements, meshes, printer)
    board = preset("duel").board
    assert len(bodies) == len(parts.placements)
    points = np.concatenate([body.triangles.reshape(-1, 3) for body in bodies])
    low, high = points.min(axis=0), points.max(axis=0)
    assert low[:2] == pytest.approx([-8, -30 * board.rows - 8], abs=10)
    assert high[:2] == pytest.approx([30 * board.cols + 8, 8], abs=10)
    assert high[2] >= 30 * board.highest
    assert bodies[0].colour == group_colour("base")


def test_the_viewer_gets_the_same_parts(built) -> None:
    """Unpacks the scene as the page does and compares sizes with the meshes."""
    import base64
    import zlib

    parts, meshes, printer = built
    packed = scene(preset("duel").board, parts.placements, meshes, printer)
    data = zlib.decompress(base64.b64decode(packed["data"]))
    assert {piece["key"] for piece in packed["pieces"]} == set(parts.counts())
    at = 0
    for piece in packed["pieces"]:
        assert len(piece["uses"]) == parts.counts()[piece["key"]]
        count, faces = piece["vertices"], piece["faces"]
        steps = np.frombuffer(data, "<i2", count * 3, at).reshape(3, count)
        at += -(-count * 6 // 4) * 4
        jumps = np.frombuffer(data, "<i4", faces * 3, at)
        at += faces * 12
        places = np.cumsum(steps, axis=1, dtype=np.int64).T * UNIT_MM
        corners = np.cumsum(jumps)
        assert 0 <= corners.min() <= corners.max() < count
        low, high = meshes[piece["key"]].bounds_mm()
        assert places.min(axis=0) == pytest.approx(low, abs=0.5)
        assert places.max(axis=0) == pytest.approx(high, abs=0.5)
    assert at == len(data)
