"""3D renderer: an image of bodies on a table.

The camera takes four samples of each pixel. Each sample receives a quarter of the light's rays, so
that a pixel has the mean of all of them at a quarter of the cost.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from falldamage_forge.geometry.mesh import extent
from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.render.image_cache import cached_image
from falldamage_forge.render.raster3d.camera import Camera, fit_camera
from falldamage_forge.render.raster3d.depth_buffer import rasterize_depth
from falldamage_forge.render.raster3d.lighting import (
    CLEAR_CELLS,
    LightReceiver,
    accumulate_light,
    lamp,
    receiver,
    sample_points,
    sky,
    subsample_points,
)
from falldamage_forge.render.raster3d.material import color_noise, edge_wear, tints
from falldamage_forge.render.raster3d.scene_settings import STUDIOS, SceneSettings
from falldamage_forge.render.raster3d.table_plane import ground_of, seen_table, table

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

JPEG_QUALITY = 88
SMOOTH = 2
"""Samples for each pixel and direction."""
SKY_THINNER = 3
"""Points of the lamp's cloud for one of the sky's, whose light is smooth."""
LEAST_CELL_MM = 0.15
"""Minimum cell size of the lamp's shadow maps."""


class RenderQuality(NamedTuple):
    """Quality of light: rays to the sky and to the lamp, cell size of the lamp's maps in pixels."""

    sky: int
    lamp: int
    cell_px: float


FINE = RenderQuality(72, 24, 1.6)
QUICK = RenderQuality(32, 12, 3.2)
"""Sufficient for a small picture."""


@dataclass(frozen=True, slots=True, eq=False)
class ColoredMesh:
    """Triangles in mm, shape (n, 3, 3), x east, y north, z up, and their colour."""

    triangles: NDArray[np.float32]
    colour: str


Frame = tuple[tuple[float, float, float], tuple[float, float, float]]
"""Low and high corner of a box in mm."""


@dataclass(frozen=True, slots=True)
class ViewAngle:
    """Direction of the camera: turn 0 is south, 90 east; `angle_deg` is its angle of view.

    `frame_mm` is the box that fills the picture; None for all bodies.
    """

    turn_deg: float = 38.0
    tilt_deg: float = 36.0
    angle_deg: float = 24.0
    frame_mm: Frame | None = None


@dataclass(frozen=True, slots=True, eq=False)
class _VisibleSamples:
    """Samples that the camera sees.

    `hit` has shape (samples of a pixel, rows, columns) and is true where a body is seen; the other
    arrays hold the hits in that order, so that `parts` are slices with one sample of every pixel
    each. `pixels` are indices into the picture. Arrays of shape (n, 3) are stored axis by axis,
    which is much faster to compute with.
    """

    hit: NDArray[np.bool_]
    places: Floats
    normals: Floats
    owners: NDArray[np.int64]
    pixels: NDArray[np.int64]
    parts: tuple[slice, ...]


def photograph(
    bodies: Sequence[ColoredMesh],
    width: int,
    height: int,
    *,
    studio: str = "light",
    clear: bool = False,
    view: ViewAngle = ViewAngle(),
    grain: RenderQuality = FINE,
    form: Literal["png", "jpeg"] = "png",
) -> bytes:
    """Return an image of bodies on a table.

    Args:
        bodies: Meshes in mm.
        width: Pixels.
        height: Pixels.
        studio: Key of `STUDIOS`.
        clear: True for no table: a transparent ground, or white paper in a JPEG.
        view: Camera.
        grain: Quality of light.
        form: File format.

    Raises:
        KeyError: If the studio is unknown.
        ValueError: If there are no triangles.
    """
    if not any(len(body.triangles) for body in bodies):
        raise ValueError("there are no triangles to render")
    room = STUDIOS[studio]
    # The lamp goes with the camera, so that the side that is looked at is lit.
    lit = replace(room, key_turn_deg=room.key_turn_deg + view.turn_deg - ViewAngle().turn_deg)
    about = repr((width, height, studio, clear, view, grain, form))
    content = (part for body in bodies for part in (body.triangles.tobytes(), body.colour.encode()))
    return cached_image(
        f"photograph {about}",
        content,
        lambda: _encoded(_taken(bodies, width, height, lit, view, grain, clear=clear), form),
    )


def _taken(
    bodies: Sequence[ColoredMesh],
    width: int,
    height: int,
    room: SceneSettings,
    view: ViewAngle,
    grain: RenderQuality,
    *,
    clear: bool,
) -> NDArray[np.uint8]:
    import numpy as np

    triangles = np.concatenate([body.triangles for body in bodies]).astype(np.float32)
    owners = np.repeat(np.arange(len(bodies)), [len(body.triangles) for body in bodies])
    camera = _camera(bodies, (width, height), view)
    sight = _look(triangles, owners, camera)
    cover = sight.hit.mean(axis=0, dtype=np.float32)[..., None]
    bare = cover[..., 0] < 1
    ground = None if clear else ground_of(triangles, camera.footprint_mm * SMOOTH * 2.5)
    seen = None if ground is None else seen_table(ground, room, camera, bare)
    places = None if ground is None or seen is None else ground.places[seen.used]
    skies, keys = _lights(room, grain, triangles, sight, camera, places)
    tint = tints([body.colour for body in bodies])
    factor = _uneven(sight, camera)
    picture = np.empty((height, width, 3), np.float32)
    for channel, light in enumerate(_shaded(sight, tint, factor, skies, keys, room, camera)):
        whole = np.zeros(sight.hit.shape, np.float32)
        whole[sight.hit] = light
        picture[..., channel] = whole.mean(axis=0)
    if ground is not None and seen is not None:
        fallen = (skies[-1].light, keys[-1].light)
        picture[bare] += (1 - cover[bare]) * table(ground, seen, fallen, room)
    return _screen(picture, cover, room, clear=clear)


def _camera(bodies: Sequence[ColoredMesh], size: tuple[int, int], view: ViewAngle) -> Camera:
    """Return a camera that sees the boxes round all bodies, or the frame."""
    import numpy as np

    boxes = [view.frame_mm] if view.frame_mm is not None else []
    if not boxes:
        for body in bodies:
            low, high = extent(body.triangles.reshape(-1, 3))
            boxes.append((tuple(low), tuple(high)))
    corners = [[box[i >> axis & 1][axis] for axis in range(3)] for box in boxes for i in range(8)]
    return fit_camera(
        np.array(corners, np.float32),
        (size[0] * SMOOTH, size[1] * SMOOTH),
        turn_deg=view.turn_deg,
        tilt_deg=view.tilt_deg,
        view_deg=view.angle_deg,
    )


def _look(triangles: Floats, owners: NDArray[np.int64], camera: Camera) -> _VisibleSamples:
    """Return the visible samples; triangles that face away are skipped, as bodies are closed."""
    import numpy as np

    spots = camera.spots(triangles)
    x, y, near = spots.T
    one_x, one_y, two_x, two_y = x[1] - x[0], y[1] - y[0], x[2] - x[0], y[2] - y[0]
    front = np.flatnonzero((one_x * two_y < one_y * two_x) & (near > 0).all(axis=0))
    facing = spots.T[..., front].T
    faces, depth = (_by_part(each) for each in rasterize_depth(facing, camera.wide, camera.high))
    hit, width = faces >= 0, camera.wide // SMOOTH
    pixels = [np.flatnonzero(part).astype(np.int32) for part in hit]
    where = [np.divmod(own, np.int32(width)) for own in pixels]
    rays = [
        camera.rays(rows * SMOOTH + number // SMOOTH, cols * SMOOTH + number % SMOOTH)
        for number, (rows, cols) in enumerate(where)
    ]
    places = (np.concatenate(rays).T / depth[hit] + camera.eye_mm.astype(np.float32)[:, None]).T
    own = front[faces[hit]]
    seen = np.zeros(len(triangles), bool)
    seen[own] = True
    corner = triangles[seen].astype(np.float64)
    normals = np.cross(corner[:, 1] - corner[:, 0], corner[:, 2] - corner[:, 0])
    normals /= np.maximum(np.linalg.norm(normals, axis=1), 1e-12)[:, None]
    which = (np.cumsum(seen) - 1)[own]
    looking = np.take(np.ascontiguousarray(normals.T, np.float32), which, axis=1).T
    ends = np.cumsum([len(own) for own in pixels]).tolist()
    parts = tuple(slice(start, end) for start, end in zip([0, *ends[:-1]], ends, strict=True))
    return _VisibleSamples(hit, places, looking, owners[own], np.concatenate(pixels), parts)


def _by_part(samples: NDArray[Any]) -> NDArray[Any]:
    """Return samples, shape (high, wide), as (samples of a pixel, rows, columns)."""
    import numpy as np

    steps = range(SMOOTH)
    return np.stack([samples[row::SMOOTH, col::SMOOTH] for row in steps for col in steps])


def _lights(
    room: SceneSettings,
    grain: RenderQuality,
    triangles: Floats,
    sight: _VisibleSamples,
    camera: Camera,
    ground: Floats | None,
) -> tuple[list[LightReceiver], list[LightReceiver]]:
    """Return the light of the sky and of the lamp on each part and, last, on places of the ground.

    `ground` are these places, shape (m, 3); None for none.
    """
    import numpy as np

    above = sky(grain.sky, room.sky_deg, room.sky_lean)
    beam = lamp(grain.lamp, room.key_turn_deg, room.key_high_deg, room.key_half_deg)
    wanted = max(LEAST_CELL_MM, grain.cell_px * SMOOTH * camera.footprint_mm)
    fine, fine_mm = sample_points(triangles, wanted)
    coarse, coarse_mm = subsample_points(fine, SKY_THINNER), fine_mm * SKY_THINNER**0.5
    by_light = []
    for rays, points, cell_mm in ((above, coarse, coarse_mm), (beam, fine, fine_mm)):
        lits = []
        places = sight.places + sight.normals * np.float32(CLEAR_CELLS * cell_mm)
        for first, own in enumerate(sight.parts):
            lits.append(receiver(places[own], sight.normals[own], first, len(sight.parts)))
        if ground is not None:
            up = np.broadcast_to(np.array([0, 0, 1], np.float32), ground.shape)
            lits.append(receiver(ground, up))
        accumulate_light(rays, points, cell_mm, lits)
        by_light.append(lits)
    return by_light[0], by_light[1]


def _uneven(sight: _VisibleSamples, camera: Camera) -> Floats:
    """Return the brightness of each hit sample relative to its body's colour, shape (n,)."""
    import numpy as np

    own, size = sight.parts[0], (camera.high // SMOOTH) * (camera.wide // SMOOTH)
    shape = (3, camera.high // SMOOTH, camera.wide // SMOOTH)
    places = np.full((3, size), np.nan, np.float32)
    places[:, sight.pixels[own]] = sight.places[own].T
    normals = np.zeros((3, size), np.float32)
    normals[:, sight.pixels[own]] = sight.normals[own].T
    factor = edge_wear(places.reshape(shape), normals.reshape(shape), SMOOTH * camera.footprint_mm)
    return color_noise(sight.places) * factor.reshape(-1)[sight.pixels]


def _shaded(
    sight: _VisibleSamples,
    tint: Floats,
    factor: Floats,
    skies: Sequence[LightReceiver],
    keys: Sequence[LightReceiver],
    room: SceneSettings,
    camera: Camera,
) -> Floats:
    """Return the light from each hit sample to the camera, shape (3, n).

    `tint` are the bodies' colours, `factor` the brightness of each sample.
    """
    import numpy as np

    out = np.empty((3, len(factor)), np.float32)
    eye = camera.eye_mm.astype(np.float32)
    axis = lamp(1, room.key_turn_deg, room.key_high_deg, 0).towards[0]
    for own, soft, hard in zip(sight.parts, skies, keys, strict=False):
        openness = soft.light / np.maximum(soft.open, 1e-6)
        back = openness * (0.5 - 0.5 * soft.normals[:, 2])
        hidden = np.float32(0.4) * (soft.open - soft.light)
        shine = hard.light / np.maximum(hard.open, 1e-6)
        gleam = np.float32(0.10) * _gleam(sight.places[own].T, soft.normals.T, eye, axis) * shine
        for channel in range(3):
            key, above, below = (np.float32(c[channel]) for c in (room.key, room.sky, room.bounce))
            mine = tint[sight.owners[own], channel] * factor[own]
            # What the sky does not reach is lit by what stands before it, much of it of a kind.
            light = (soft.light + mine * hidden) * above + hard.light * key + back * below
            out[channel, own] = mine * light + gleam * key
    return out


def _gleam(places: Floats, normals: Floats, eye: Floats, axis: Floats) -> Floats:
    """Return the specular reflection of the lamp at each place, shape (3, n): 1 at its maximum."""
    import numpy as np

    x, y, z = (at - place for at, place in zip(eye, places, strict=True))
    away = 1 / np.sqrt(x * x + y * y + z * z)
    x, y, z = (part * away + along for part, along in zip((x, y, z), axis, strict=True))
    facing = x * normals[0] + y * normals[1] + z * normals[2]
    facing /= np.sqrt(x * x + y * y + z * z)
    gleam: Floats = np.clip(facing, 0, 1) ** 22
    return gleam


def _screen(
    picture: Floats, cover: Floats, room: SceneSettings, *, clear: bool
) -> NDArray[np.uint8]:
    """Return linear light exposed, with its highlights compressed, in the sRGB curve."""
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

    stream, picture = io.BytesIO(), Image.fromarray(data)
    if form == "jpeg" and picture.mode == "RGBA":
        paper = Image.new("RGB", picture.size, "white")
        paper.paste(picture, mask=picture)
        picture = paper
    picture.save(stream, form, quality=JPEG_QUALITY)
    return stream.getvalue()
