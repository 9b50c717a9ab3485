"""A photograph of bodies on a table.

The camera sees each pixel in four samples; every sample takes a quarter of the light's rays, so
that a pixel has the mean of all of them at a quarter of the work.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple

from falldamage_forge.render.kept import remembered
from falldamage_forge.render.photo.buffer import nearest
from falldamage_forge.render.photo.camera import Camera, aimed, extent
from falldamage_forge.render.photo.light import (
    CLEAR_CELLS,
    Lit,
    cloud,
    lamp,
    receiver,
    shine,
    sky,
    thinned,
)
from falldamage_forge.render.photo.plastic import mottle, tints, worn
from falldamage_forge.render.photo.studio import STUDIOS, Studio
from falldamage_forge.render.photo.table import Ground, ground_of, table

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

JPEG_QUALITY = 88
SMOOTH = 2
"""Samples for each pixel and direction."""
SKY_THINNER = 3
"""Points of the lamp's cloud for one of the sky's, whose light is even enough."""
LEAST_CELL_MM = 0.15
"""The least side of a cell of the lamp's maps."""


class Grain(NamedTuple):
    """How fine the light is: rays to the sky and to the lamp, a cell of the lamp's maps in px."""

    sky: int
    lamp: int
    cell_px: float


FINE = Grain(72, 24, 1.6)
QUICK = Grain(32, 12, 3.2)
"""Enough for a small picture."""


@dataclass(frozen=True, slots=True, eq=False)
class Body:
    """Triangles in mm, shape (n, 3, 3), x east, y north, z up, and the colour of all of them."""

    triangles: NDArray[np.float32]
    colour: str


@dataclass(frozen=True, slots=True)
class View:
    """Where the camera stands. Turn 0 is south, 90 east; `angle_deg` is its view across.

    `frame_mm` is the box (low and high corner) that fills the picture; None for all bodies.
    """

    turn_deg: float = 38.0
    tilt_deg: float = 36.0
    angle_deg: float = 24.0
    frame_mm: tuple[tuple[float, float, float], tuple[float, float, float]] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class _Seen:
    """What the camera sees: of each sample whether a body is hit, and of the hits all else.

    `parts` are the hits as often as a pixel has samples, one of every pixel in each.
    """

    hit: NDArray[np.bool_]
    places: Floats
    normals: Floats
    owners: NDArray[np.int64]
    rows: NDArray[np.int64]
    cols: NDArray[np.int64]
    parts: tuple[NDArray[np.int64], ...]


def photograph(
    bodies: Sequence[Body],
    width: int,
    height: int,
    *,
    studio: str = "light",
    clear: bool = False,
    view: View = View(),
    grain: Grain = FINE,
    form: Literal["png", "jpeg"] = "png",
) -> bytes:
    """A picture of bodies on a table, as bytes; `clear` (PNG only) has no table, a clear ground.

    KeyError for an unknown studio; ValueError without a triangle.
    """
    if not any(len(body.triangles) for body in bodies):
        raise ValueError("there is nothing to photograph")
    room = STUDIOS[studio]
    about = repr((width, height, studio, clear, view, grain, form))
    content = (part for body in bodies for part in (body.triangles.tobytes(), body.colour.encode()))
    return remembered(
        f"photograph {about}",
        content,
        lambda: _encoded(_taken(bodies, width, height, room, view, grain, clear=clear), form),
    )


def _taken(
    bodies: Sequence[Body],
    width: int,
    height: int,
    room: Studio,
    view: View,
    grain: Grain,
    *,
    clear: bool,
) -> NDArray[np.uint8]:
    import numpy as np

    triangles = np.concatenate([body.triangles for body in bodies]).astype(np.float32)
    owners = np.repeat(np.arange(len(bodies)), [len(body.triangles) for body in bodies])
    camera = _camera(bodies, (width, height), view)
    sight = _look(triangles, owners, camera)
    ground = None if clear else ground_of(triangles, camera.footprint_mm * SMOOTH * 2.5)
    skies, keys = _lights(room, grain, triangles, sight, camera, ground)
    tint = tints([body.colour for body in bodies])[sight.owners]
    tint *= _uneven(sight, camera)[:, None]
    shape = (height, SMOOTH, width, SMOOTH)
    whole = np.zeros((height * SMOOTH, width * SMOOTH, 3), np.float32)
    whole[sight.hit] = _shaded(sight, tint, skies, keys, room, camera)
    picture = whole.reshape(*shape, 3).mean(axis=(1, 3))
    cover = sight.hit.reshape(shape).mean(axis=(1, 3))[..., None].astype(np.float32)
    if ground is not None:
        bare = cover[..., 0] < 1
        light = (skies[-1].light, keys[-1].light)
        picture[bare] += (1 - cover[bare]) * table(ground, light, room, camera, bare)
    return _screen(picture, cover, room, clear=clear)


def _camera(bodies: Sequence[Body], size: tuple[int, int], view: View) -> Camera:
    """A camera that sees the boxes round all bodies, or the frame."""
    import numpy as np

    boxes = [view.frame_mm] if view.frame_mm is not None else []
    if not boxes:
        for body in bodies:
            low, high = extent(body.triangles.reshape(-1, 3))
            boxes.append((tuple(low), tuple(high)))
    corners = [[box[i >> axis & 1][axis] for axis in range(3)] for box in boxes for i in range(8)]
    return aimed(
        np.array(corners, np.float32),
        (size[0] * SMOOTH, size[1] * SMOOTH),
        turn_deg=view.turn_deg,
        tilt_deg=view.tilt_deg,
        view_deg=view.angle_deg,
    )


def _look(triangles: Floats, owners: NDArray[np.int64], camera: Camera) -> _Seen:
    """What of the triangles is to be seen; only those that face the camera are, bodies are shut."""
    import numpy as np

    spots = camera.spots(triangles)
    one, two = spots[:, 1, :2] - spots[:, 0, :2], spots[:, 2, :2] - spots[:, 0, :2]
    facing = (one[:, 0] * two[:, 1] - one[:, 1] * two[:, 0] < 0) & (spots[..., 2] > 0).all(axis=1)
    front = np.flatnonzero(facing)
    faces, depth = nearest(spots[front], camera.wide, camera.high)
    hit = faces >= 0
    rows, cols = np.nonzero(hit)
    eye = camera.eye_mm.astype(np.float32)
    places = eye + camera.rays(rows, cols) / depth[hit][:, None]
    own = front[faces[hit]]
    used, back = np.unique(own, return_inverse=True)
    corner = triangles[used].astype(np.float64)
    normals = np.cross(corner[:, 1] - corner[:, 0], corner[:, 2] - corner[:, 0])
    normals /= np.maximum(np.linalg.norm(normals, axis=1), 1e-12)[:, None]
    part = rows % SMOOTH * SMOOTH + cols % SMOOTH
    parts = tuple(np.flatnonzero(part == number) for number in range(SMOOTH * SMOOTH))
    lit = normals.astype(np.float32)[back]
    return _Seen(hit, places, lit, owners[own], rows, cols, parts)


def _lights(
    room: Studio,
    grain: Grain,
    triangles: Floats,
    sight: _Seen,
    camera: Camera,
    ground: Ground | None,
) -> tuple[list[Lit], list[Lit]]:
    """What each part and, last, the ground get of the sky and of the lamp."""
    import numpy as np

    above = sky(grain.sky, room.sky_deg, room.sky_lean)
    beam = lamp(grain.lamp, room.key_turn_deg, room.key_high_deg, room.key_half_deg)
    wanted = max(LEAST_CELL_MM, grain.cell_px * SMOOTH * camera.footprint_mm)
    fine, fine_mm = cloud(triangles, wanted)
    coarse, coarse_mm = thinned(fine, SKY_THINNER), fine_mm * SKY_THINNER**0.5
    found = []
    for rays, points, cell_mm in ((above, coarse, coarse_mm), (beam, fine, fine_mm)):
        lits = []
        for first, own in enumerate(sight.parts):
            normals = np.ascontiguousarray(sight.normals[own])
            lifted = sight.places[own] + normals * np.float32(CLEAR_CELLS * cell_mm)
            # x, y and z are read one after the other, so each lies in one stretch of memory.
            places = np.asfortranarray(lifted)
            lits.append(receiver(places, normals, first, len(sight.parts)))
        if ground is not None:
            up = np.broadcast_to(np.array([0, 0, 1], np.float32), ground.places.shape)
            lits.append(receiver(ground.places, up))
        shine(rays, points, cell_mm, lits)
        found.append(lits)
    return found[0], found[1]


def _uneven(sight: _Seen, camera: Camera) -> Floats:
    """How much lighter or darker than its body's colour each hit sample is, shape (n,)."""
    import numpy as np

    own = sight.parts[0]
    shape = (camera.high // SMOOTH, camera.wide // SMOOTH)
    rows, cols = sight.rows // SMOOTH, sight.cols // SMOOTH
    places = np.full((*shape, 3), np.nan, np.float32)
    places[rows[own], cols[own]] = sight.places[own]
    normals = np.zeros((*shape, 3), np.float32)
    normals[rows[own], cols[own]] = sight.normals[own]
    factor = worn(places, normals, SMOOTH * camera.footprint_mm)
    return mottle(sight.places) * factor[rows, cols]


def _shaded(
    sight: _Seen,
    tint: Floats,
    skies: Sequence[Lit],
    keys: Sequence[Lit],
    room: Studio,
    camera: Camera,
) -> Floats:
    """The light that comes from each hit sample to the camera, shape (n, 3)."""
    import numpy as np

    out = np.empty_like(tint)
    eye = camera.eye_mm.astype(np.float32)
    axis = lamp(1, room.key_turn_deg, room.key_high_deg, 0).towards[0]
    key, above, below = (np.array(c, np.float32) for c in (room.key, room.sky, room.bounce))
    for own, soft, hard in zip(sight.parts, skies, keys, strict=False):
        normals, mine = soft.normals, tint[own]
        openness = soft.light / np.maximum(soft.open, 1e-6)
        # What the sky does not reach is lit by what stands before it, much of it of a kind.
        within = mine * (0.4 * (soft.open - soft.light))[:, None]
        back = (openness * (0.5 - 0.5 * normals[:, 2]))[:, None] * below
        light = (soft.light[:, None] + within) * above + hard.light[:, None] * key + back
        view = eye - sight.places[own]
        half = view / np.linalg.norm(view, axis=1)[:, None] + axis
        half /= np.linalg.norm(half, axis=1)[:, None]
        gleam = 0.10 * np.clip((normals * half).sum(axis=1), 0, 1) ** 22
        gleam *= hard.light / np.maximum(hard.open, 1e-6)
        out[own] = mine * light + gleam[:, None] * key
    return out


def _screen(picture: Floats, cover: Floats, room: Studio, *, clear: bool) -> NDArray[np.uint8]:
    """Linear light exposed, rolled off at its brightest, in the screen's own curve."""
    import numpy as np

    x = picture * room.exposure
    if clear:
        x /= np.maximum(cover, 1e-6)
    rolled = x * (1 + x / 4.0) / (1 + x)
    screen = np.where(rolled > 0.0031308, 1.055 * rolled ** (1 / 2.4) - 0.055, 12.92 * rolled)
    data: NDArray[np.uint8] = np.round(np.clip(screen, 0, 1) * 255).astype(np.uint8)
    if clear:
        alpha = np.round(cover * 255).astype(np.uint8)
        data = np.concatenate([data, alpha], axis=2)
    return data


def _encoded(data: NDArray[np.uint8], form: str) -> bytes:
    from PIL import Image

    stream = io.BytesIO()
    Image.fromarray(data).save(stream, form, quality=JPEG_QUALITY)
    return stream.getvalue()
