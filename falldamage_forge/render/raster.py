"""Meshes as shaded pictures: a small depth buffer in numpy, no GPU and no display."""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from falldamage_forge.render.palette import PALETTES, channels, group_colour

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np
    from numpy.typing import NDArray

    from falldamage_forge.geometry.mesh import Mesh
    from falldamage_forge.pieces.model import Placement
    from falldamage_forge.printing.printer import Printer

SMOOTH = 2
"""Samples for each pixel and direction."""
_CHUNK = 3_000_000
"""Samples judged at once."""
_LIGHT = (-0.55, -0.40, 0.85)


@dataclass(frozen=True, slots=True, eq=False)
class Body:
    """Triangles in mm, shape (n, 3, 3), x east, y north, z up, and the colour of all of them."""

    triangles: NDArray[np.float64]
    colour: str


def render(
    bodies: Sequence[Body],
    width: int,
    height: int,
    *,
    theme: str = "light",
    clear: bool = False,
    turn_deg: float = 45.0,
    tilt_deg: float = 40.0,
) -> bytes:
    """PNG bytes of bodies seen from the south-east, as large as they fit; `clear` has no ground."""
    import numpy as np
    from PIL import Image

    palette = PALETTES[theme]
    triangles = np.concatenate([body.triangles for body in bodies])
    owners = np.repeat(np.arange(len(bodies)), [len(body.triangles) for body in bodies])
    seen = triangles @ _camera(turn_deg, tilt_deg).T
    normals = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    length = np.linalg.norm(normals, axis=1)
    flat = seen[:, :, :2]
    one, two = flat[:, 1] - flat[:, 0], flat[:, 2] - flat[:, 0]
    facing = one[:, 0] * two[:, 1] - one[:, 1] * two[:, 0] > 0
    keep = (length > 1e-9) & facing
    wide, high = width * SMOOTH, height * SMOOTH
    spots = _fitted(seen[keep], seen, wide, high)
    faces, depth = _nearest(spots, wide, high)
    normals = normals[keep] / length[keep][:, None]
    colours = np.array([channels(body.colour) for body in bodies], float)[owners[keep]]
    light = np.array(_LIGHT) / np.linalg.norm(_LIGHT)
    shine = 0.50 + 0.20 * (0.5 + 0.5 * normals[:, 2]) + 0.42 * np.clip(normals @ light, 0, None)
    painted = np.clip(colours * shine[:, None], 0, 255)
    ground = np.array([*channels(palette.paper), 0 if clear else 255], float)
    picture = np.tile(ground, (high, wide, 1))
    hit = faces >= 0
    picture[hit, :3] = painted[faces[hit]]
    picture[hit, 3] = 255
    picture[..., :3] *= _outlines(depth, hit)[..., None]
    small = picture.reshape(height, SMOOTH, width, SMOOTH, 4).mean(axis=(1, 3))
    image = Image.fromarray(np.round(small).astype(np.uint8), "RGBA")
    stream = io.BytesIO()
    (image if clear else image.convert("RGB")).save(stream, "PNG", optimize=True)
    return stream.getvalue()


def bodies_of(
    placements: Iterable[Placement], meshes: Mapping[str, Mesh], printer: Printer
) -> list[Body]:
    """The parts of a plan as they stand on the board; `meshes` in print pose by piece key."""
    import numpy as np

    from falldamage_forge.geometry.build import place

    bodies = []
    for placement in placements:
        mesh = place(meshes[placement.piece.key], placement, printer)
        triangles = mesh.vertices[mesh.faces].astype(np.float64)
        bodies.append(Body(triangles, group_colour(placement.piece.group)))
    return bodies


def _camera(turn_deg: float, tilt_deg: float) -> NDArray[np.float64]:
    """3x3: from x, y, z of the table to right, up, towards the viewer."""
    import numpy as np

    turn, tilt = np.radians(turn_deg), np.radians(tilt_deg)
    right = [np.cos(turn), np.sin(turn), 0]
    towards = [np.sin(turn) * np.cos(tilt), -np.cos(turn) * np.cos(tilt), np.sin(tilt)]
    up = np.cross(towards, right)
    camera: NDArray[np.float64] = np.array([right, up, towards])
    return camera


def _fitted(
    spots: NDArray[np.float64], whole: NDArray[np.float64], wide: int, high: int
) -> NDArray[np.float64]:
    """Triangles in samples, y down, with a margin of 4 % around all of them."""
    import numpy as np

    low, top = whole.reshape(-1, 3).min(axis=0), whole.reshape(-1, 3).max(axis=0)
    size = np.maximum(top - low, 1e-9)
    scale = 0.92 * min(wide / size[0], high / size[1])
    middle = (low + top) / 2
    moved = (spots - middle) * scale
    out: NDArray[np.float64] = moved.copy()
    out[..., 0] = wide / 2 + moved[..., 0]
    out[..., 1] = high / 2 - moved[..., 1]
    return out


def _nearest(
    spots: NDArray[np.float64], wide: int, high: int
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """The nearest triangle of each sample (-1 for none) and its depth, shape (high, wide) each.

    Triangles are judged in groups of one size, all samples of their boxes at once.
    """
    import numpy as np

    faces = np.full(wide * high, -1, np.int64)
    depth = np.full(wide * high, -np.inf)
    low = np.floor(spots[:, :, :2].min(axis=1)).astype(int)
    size = (np.ceil(spots[:, :, :2].max(axis=1)).astype(int) - low).max(axis=1)
    for box in _boxes(size):
        members = np.flatnonzero((size <= box) & (size > box // 2))
        count = max(1, _CHUNK // (box * box))
        for start in range(0, len(members), count):
            _judge(spots, members[start : start + count], low, box, (wide, high), faces, depth)
    return faces.reshape(high, wide), depth.reshape(high, wide)


def _boxes(size: NDArray[np.int64]) -> Iterable[int]:
    largest, box = int(size.max(initial=1)), 1
    while True:
        yield box
        if box >= largest:
            return
        box *= 2


def _judge(
    spots: NDArray[np.float64],
    members: NDArray[np.int64],
    low: NDArray[np.int64],
    box: int,
    paper: tuple[int, int],
    faces: NDArray[np.int64],
    depth: NDArray[np.float64],
) -> None:
    """Write the samples that some triangles cover nearer than anything before."""
    import numpy as np

    wide, high = paper
    a, b, c = (spots[members, corner] for corner in range(3))
    steps = np.arange(box)
    x = low[members, 0][:, None, None] + steps[None, None, :]
    y = low[members, 1][:, None, None] + steps[None, :, None]
    px, py = x + 0.5, y + 0.5

    def edge(p: NDArray[np.float64], q: NDArray[np.float64]) -> NDArray[np.float64]:
        dx, dy = (q - p)[:, 0, None, None], (q - p)[:, 1, None, None]
        found: NDArray[np.float64] = dx * (py - p[:, 1, None, None]) - dy * (
            px - p[:, 0, None, None]
        )
        return found

    wa, wb, wc = edge(b, c), edge(c, a), edge(a, b)
    area = wa + wb + wc
    inside = (wa <= 0) & (wb <= 0) & (wc <= 0) & (area < 0)
    inside &= (x >= 0) & (x < wide) & (y >= 0) & (y < high)
    which, row, col = np.nonzero(inside)
    total = area[which, row, col]
    z = (
        wa[which, row, col] * a[which, 2]
        + wb[which, row, col] * b[which, 2]
        + wc[which, row, col] * c[which, 2]
    ) / total
    at = (low[members[which], 1] + row) * wide + low[members[which], 0] + col
    nearer = z > depth[at]
    at, z, which = at[nearer], z[nearer], which[nearer]
    order = np.lexsort((members[which], z))
    # Of equal places the last written stays: the nearest.
    depth[at[order]] = z[order]
    faces[at[order]] = members[which[order]]


def _outlines(depth: NDArray[np.float64], hit: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Darker where the depth jumps: silhouettes and edges of things before others."""
    import numpy as np

    flat = np.where(hit, depth, depth[hit].min() - 200 if hit.any() else 0.0)
    jump = np.zeros_like(flat)
    for axis in (0, 1):
        bend = np.abs(np.diff(flat, n=2, axis=axis))
        cut = [slice(None), slice(None)]
        cut[axis] = slice(1, -1)
        jump[tuple(cut)] = np.maximum(jump[tuple(cut)], bend)
    return np.where(hit, 1.0 - 0.45 * np.clip((jump - 3.0) / 9.0, 0, 1), 1.0)
