"""Photographs: what is nearer hides, what hides darkens, and nothing depends on the order."""

import io
import random
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from PIL import Image

from falldamage_forge.presets import load_printer
from falldamage_forge.render.palette import group_colour
from falldamage_forge.render.raster3d import renderer
from falldamage_forge.render.raster3d.board_scene import camera_from
from falldamage_forge.render.raster3d.camera import fit_camera
from falldamage_forge.render.raster3d.depth_buffer import rasterize_depth
from falldamage_forge.render.raster3d.lighting import (
    accumulate_light,
    lamp,
    receiver,
    sample_points,
    sky,
)
from falldamage_forge.render.raster3d.renderer import QUICK, ColoredMesh, ViewAngle, photograph
from falldamage_forge.render.raster3d.scene_settings import STUDIOS
from falldamage_forge.render.raster3d.table_plane import SeenTable, TablePlane
from falldamage_forge.render.viewer_meshes import UNIT_MM, bodies, models_of, scene
from tests.render.boards import preset
from tests.render.test_sheets import plan_of


def box(low: tuple[float, float, float], high: tuple[float, float, float]) -> NDArray[np.float32]:
    """The twelve triangles of a box, outward."""
    corners = np.array([[(low, high)[i >> axis & 1][axis] for axis in range(3)] for i in range(8)])
    quads = [(0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5)]
    faces = [face for a, b, c, d in quads for face in ((a, b, c), (a, c, d))]
    return corners[np.array(faces)].astype(np.float32)


def pixels(data: bytes) -> NDArray[np.int64]:
    return np.asarray(Image.open(io.BytesIO(data)).convert("RGBA")).astype(int)


def small(*shown: ColoredMesh, **words: object) -> NDArray[np.int64]:
    return pixels(photograph(shown, 160, 120, grain=QUICK, **words))


def reds(picture: NDArray[np.int64]) -> int:
    return int(((picture[..., 0] > 60) & (picture[..., 1] < 50) & (picture[..., 3] > 200)).sum())


SLAB = ColoredMesh(box((0, 0, 0), (100, 100, 2)), "#2020ff")


def test_a_clear_ground_is_clear_and_the_faces_of_a_box_differ() -> None:
    picture = small(ColoredMesh(box((0, 0, 0), (10, 10, 10)), "#808080"), clear=True)
    assert picture[0, 0, 3] == 0
    top, left, right = picture[30, 80, 0], picture[80, 60, 0], picture[70, 105, 0]
    assert top > left > right > 0


def test_the_nearer_hides_the_farther_whatever_the_order() -> None:
    near = ColoredMesh(box((90, 0, 2), (100, 10, 60)), "#20ff20")
    behind = ColoredMesh(box((70, 22, 2), (74, 26, 14)), "#ff0000")
    assert reds(small(SLAB, behind)) > 0
    whole = small(SLAB, near, behind)
    assert reds(whole) < reds(small(SLAB, behind))
    shuffled = [SLAB.triangles, near.triangles, behind.triangles]
    random.Random(1).shuffle(shuffled)
    one = fit_camera(np.concatenate(shuffled).reshape(-1, 3), (80, 60), **VIEW)
    depths = [
        rasterize_depth(one.spots(np.concatenate(each)), 80, 60)[1]
        for each in (shuffled, shuffled[::-1])
    ]
    assert np.allclose(*depths)


VIEW = {"turn_deg": 38.0, "tilt_deg": 36.0, "view_deg": 24.0}


@settings(max_examples=40, deadline=None)
@given(st.lists(st.floats(0, 30), min_size=9, max_size=9))
def test_each_sample_shows_the_triangle_that_holds_its_middle(numbers: list[float]) -> None:
    """Against the textbook: three half planes for every sample, one by one."""
    spot = np.array(numbers, np.float32).reshape(1, 3, 3)
    (ax, ay, az), (bx, by, bz), (cx, cy, cz) = spot[0].astype(float)
    area = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
    faces, depth = rasterize_depth(spot, 30, 30)
    for row, col in np.ndindex(30, 30):
        x, y = col + 0.5, row + 0.5
        parts = [
            ((qx - px) * (y - py) - (qy - py) * (x - px)) * np.sign(area)
            for (px, py), (qx, qy) in (
                ((bx, by), (cx, cy)),
                ((cx, cy), (ax, ay)),
                ((ax, ay), (bx, by)),
            )
        ]
        if min(parts) > 1e-3 and abs(area) > 1:
            assert faces[row, col] == 0
            z = np.dot(parts, (az, bz, cz)) / abs(area)
            assert depth[row, col] == pytest.approx(z, abs=0.02)
        elif min(parts) < -1e-3:
            assert faces[row, col] == -1


@pytest.mark.parametrize("turn", [0, 38, 120, 300])
def test_the_camera_sees_every_point_and_not_much_more(turn: float) -> None:
    points = box((0, -300, 0), (300, 0, 150)).reshape(-1, 3)
    camera = fit_camera(points, (400, 300), **{**VIEW, "turn_deg": turn})
    spots = camera.spots(points)
    low, high = spots[:, :2].min(axis=0), spots[:, :2].max(axis=0)
    assert (low >= 0).all()
    assert (high <= [400, 300]).all()
    wide, deep = (high - low) / [400, 300]
    assert max(wide, deep) > 0.85
    # The ray through a point's pixel meets the point at its depth.
    ray = camera.rays(spots[:, 1] - 0.5, spots[:, 0] - 0.5)
    assert camera.eye_mm + ray / spots[:, 2:] == pytest.approx(points, abs=0.05)


def light_at(places: list[list[float]], *shown: ColoredMesh) -> tuple[list[float], list[float]]:
    """What flat places get of a sky and of a lamp, as parts of what they would get alone."""
    points, cell = sample_points(np.concatenate([body.triangles for body in shown]), 0.5)
    found = []
    for rays in (sky(64, 0, 0), lamp(16, -50, 43, 3)):
        up = np.tile(np.array([0, 0, 1], np.float32), (len(places), 1))
        lit = receiver(np.array(places, np.float32), up)
        accumulate_light(rays, points, cell, [lit])
        found.append([float(a / b) for a, b in zip(lit.light, lit.open, strict=True)])
    return found[0], found[1]


def test_light_is_less_beside_a_wall_and_none_in_its_shadow() -> None:
    wall = ColoredMesh(box((48, 0, 2), (52, 100, 60)), "#808080")
    # The lamp stands in the south-west: the east of the wall lies in its shadow.
    places = [[10.0, 50, 3], [46.0, 50, 3], [56.0, 50, 3], [50.0, 50, 61]]
    (far, near, behind, above), (lit, west, east, top) = light_at(places, SLAB, wall)
    assert above == pytest.approx(1, abs=0.02)
    assert near < far < above
    assert behind == pytest.approx(near, abs=0.1)
    assert (lit, west, top) == pytest.approx((1, 1, 1), abs=0.05)
    assert east < 0.05


def test_an_open_place_has_all_the_light() -> None:
    soft, hard = light_at([[x, y, 3.0] for x in (5, 50, 95) for y in (5, 50, 95)], SLAB)
    assert min(soft) > 0.98
    assert min(hard) > 0.98


def test_studios_and_near_views() -> None:
    tower = ColoredMesh(box((40, 40, 2), (50, 50, 40)), "#ff0000")
    for studio in STUDIOS:
        far = small(SLAB, tower, studio=studio)
        frame = ViewAngle(frame_mm=((35, 35, 0), (55, 55, 40)))
        assert reds(small(SLAB, tower, studio=studio, view=frame)) > 2 * reds(far)
    with pytest.raises(ValueError, match="no triangles"):
        photograph([], 10, 10)


def test_a_camera_that_turns_with_the_bodies_takes_the_same_picture() -> None:
    """The lamp goes with the camera, so only the grain of table and bodies differs."""

    def turned(body: ColoredMesh, quarters: int) -> ColoredMesh:
        around = body.triangles - np.float32([50, 50, 0])
        for _ in range(quarters):
            around = around @ np.float32([[0, 1, 0], [-1, 0, 0], [0, 0, 1]])
        return ColoredMesh(around + np.float32([50, 50, 0]), body.colour)

    shown = [SLAB, ColoredMesh(box((20, 40, 2), (30, 50, 40)), "#ff0000")]
    pictures = []
    for quarters in range(4):
        bodies_there = [turned(body, quarters) for body in shown]
        camera = camera_from(90.0 * quarters)
        data = photograph(bodies_there, 80, 60, view=camera, clear=True)
        pictures.append(np.asarray(Image.open(io.BytesIO(data)).convert("RGB"), int))
    for picture in pictures[1:]:
        assert np.abs(picture - pictures[0]).mean() < 3


def test_the_camera_above_sees_no_wall() -> None:
    tower = ColoredMesh(box((45, 45, 2), (55, 55, 60)), "#ff0000")
    from_side = reds(small(SLAB, tower, view=camera_from(0.0)))
    assert 0 < reds(small(SLAB, tower, view=camera_from(above=True))) < from_side


def test_the_table_is_lit_only_where_it_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """The picture is the same as if all of the table were lit."""
    shown = [SLAB, ColoredMesh(box((40, 40, 2), (50, 50, 40)), "#ff0000")]
    real, counts = renderer.seen_table, list[int]()

    def whole(ground: TablePlane, *rest: Any) -> SeenTable:
        seen = real(ground, *rest)
        counts.extend((len(seen.used), len(ground.places)))
        return replace(seen, used=np.arange(len(ground.places)))

    lean = photograph(shown, 80, 60)
    monkeypatch.setattr(renderer, "seen_table", whole)
    monkeypatch.setenv("FDFORGE_CACHE", "off")
    assert photograph(shown, 80, 60) == lean
    used, every = counts
    assert 0 < used < every


def test_the_same_picture_twice() -> None:
    shown = [SLAB, ColoredMesh(box((40, 40, 2), (50, 50, 40)), "#ff0000")]
    assert photograph(shown, 80, 60) == photograph(shown, 80, 60)


@pytest.fixture(scope="module")
def built():
    from falldamage_forge.geometry.piece_mesh import build

    printer, parts = load_printer("a1-mini"), plan_of("duel")
    meshes = {key: build(piece, printer) for key, piece in parts.pieces().items()}
    return parts, meshes, printer


def test_the_parts_of_a_board_stand_where_the_plan_says(built) -> None:
    parts, meshes, printer = built
    placed = bodies(models_of(parts.pieces(), meshes), parts.placements, printer)
    board = preset("duel").board
    assert len(placed) == len(parts.placements)
    points = np.concatenate([body.triangles.reshape(-1, 3) for body in placed])
    low, high = points.min(axis=0), points.max(axis=0)
    assert low[:2] == pytest.approx([-8, -30 * board.rows - 8], abs=10)
    assert high[:2] == pytest.approx([30 * board.cols + 8, 8], abs=10)
    assert high[2] >= 30 * board.highest
    assert placed[0].colour == group_colour("base")


def test_the_viewer_gets_the_same_parts(built) -> None:
    """Unpacks the scene as the page does and compares sizes with the meshes."""
    import base64
    import zlib

    parts, meshes, printer = built
    packed = scene(preset("duel").board, parts.placements, meshes, printer)
    data = np.frombuffer(zlib.decompress(base64.b64decode(packed["data"])), "u1")
    numbers = np.ascontiguousarray(data.reshape(2, -1).T).view("<i2").reshape(-1)
    assert {piece["key"] for piece in packed["pieces"]} == set(parts.counts())
    at = 0
    for piece in packed["pieces"]:
        assert len(piece["uses"]) == parts.counts()[piece["key"]]
        count, faces = piece["vertices"], piece["faces"]
        steps = numbers[at : at + count * 3].reshape(3, count)
        at += count * 3
        jumps = numbers[at : at + faces * 3]
        at += faces * 3
        places = np.cumsum(steps, axis=1, dtype=np.int64).T * UNIT_MM
        corners = np.cumsum(jumps) % 65536
        assert 0 <= corners.min() <= corners.max() < count
        low, high = meshes[piece["key"]].bounds_mm()
        assert places.min(axis=0) == pytest.approx(low, abs=0.5)
        assert places.max(axis=0) == pytest.approx(high, abs=0.5)
    assert at == len(numbers)
