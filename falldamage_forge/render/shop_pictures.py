"""Pictures of a table for a shop's page: covers, four sides, figures for size, and a turn."""

from __future__ import annotations

import io
import math
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING

from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.lengths import CAP_MM
from falldamage_forge.render.palette import LIGHT, side_colour
from falldamage_forge.render.raster3d.renderer import (
    QUICK,
    ColoredMesh,
    ViewAngle,
    photograph,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from PIL import Image

    from falldamage_forge.board import Board
    from falldamage_forge.lengths import PrintGrid

COVERS = {"1x1": (1200, 1200), "4x3": (1600, 1200), "16x9": (1600, 900)}
"""Sizes of covers in pixels by their ratio."""
SIDES = {"south": 0.0, "east": 90.0, "north": 180.0, "west": 270.0}
SIDE_PX = (1200, 900)
DETAIL_MM = 0.11
"""Smallest visible detail of a shop's pictures, which are larger than a page's."""
TURN_PX = (640, 480)
FRAMES = 36
FRAME_MS = 100
WEBP_QUALITY = 70
GIF_COLOURS = 128
_BASE_MM, _FIGURE_MM = 25.0, 32.0
"""Diameter of a figure's base and its height, as those of the game."""
_RAISED_MM = CAP_MM
"""Start tiles have a marker."""


@dataclass(frozen=True, slots=True)
class Turn:
    """A turning picture, as GIF and as WebP."""

    gif: bytes
    webp: bytes


def cover(bodies: Sequence[ColoredMesh], size_px: tuple[int, int]) -> bytes:
    """Return a JPEG of a table that fills a cover.

    Args:
        bodies: Meshes with their colours, in mm.
        size_px: Width and height of the picture.
    """
    return photograph(bodies, *size_px, form="jpeg")


def side(bodies: Sequence[ColoredMesh], turn_deg: float) -> bytes:
    """Return a JPEG of a table from one side: 0 south, 90 east.

    Args:
        bodies: Meshes with their colours, in mm.
        turn_deg: Direction of the view, in degrees.
    """
    return photograph(bodies, *SIDE_PX, view=ViewAngle(turn_deg=turn_deg), form="jpeg")


def figures(board: Board, grid: PrintGrid) -> list[ColoredMesh]:
    """Return a plain figure on each start tile, to show the size of the table.

    Args:
        board: Board with its starts.
        grid: Grid of the table.
    """
    import numpy as np

    outline = ((0.5, 0.0), (0.5, 0.12), (0.22, 0.16), (0.30, 0.62), (0.10, 0.68))
    head = tuple(
        (0.18 * math.sin(angle), 0.82 - 0.18 * math.cos(angle))
        for angle in np.linspace(0.5, math.pi, 7)
    )
    shape = _turned([(r * _BASE_MM, z * _FIGURE_MM) for r, z in (*outline, *head)])
    placed = []
    for number, zone in enumerate(reversed(board.starts)):
        colour = side_colour(LIGHT, zone.side, number)
        for tile, level in zone.surfaces:
            x, y = grid.centre_mm(*tile)
            at = np.array([x, y, grid.height_mm(level) + _RAISED_MM], np.float32)
            placed.append(ColoredMesh(shape + at, colour))
    return placed


def _turned(profile: Sequence[tuple[float, float]], around: int = 24) -> NDArray[np.float32]:
    """Return the triangles of a solid of revolution about z, shape (n, 3, 3)."""
    import numpy as np

    angles = np.linspace(0, 2 * np.pi, around, endpoint=False)
    ring = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    rows = [
        np.concatenate([radius * ring, np.full((around, 1), z)], axis=1) for radius, z in profile
    ]
    triangles = []
    for low, high in pairwise(rows):
        low_next, high_next = np.roll(low, -1, axis=0), np.roll(high, -1, axis=0)
        triangles.append(np.stack([low, low_next, high_next], axis=1))
        triangles.append(np.stack([low, high_next, high], axis=1))
    return np.concatenate(triangles).astype(np.float32)


def frames(bodies: Sequence[ColoredMesh], count: int) -> Iterator[bytes]:
    """Yield PNG pictures of a table that turns once under a camera that stays.

    Args:
        bodies: Parts of the table.
        count: Number of pictures.
    """
    import numpy as np

    corners = np.concatenate([body.triangles.reshape(-1, 3) for body in bodies])
    low, high = corners.min(axis=0), corners.max(axis=0)
    middle = np.array([*(low + high)[:2] / 2, 0], np.float32)
    reach = float(np.linalg.norm((corners - middle)[:, :2], axis=1).max()) * math.sqrt(0.5)
    frame = ((-reach, -reach, float(low[2])), (reach, reach, float(high[2])))
    view = ViewAngle(frame_mm=frame)
    for number in range(count):
        angle = 2 * math.pi * number / count
        turn = np.array(
            [
                [math.cos(angle), math.sin(angle), 0],
                [-math.sin(angle), math.cos(angle), 0],
                [0, 0, 1],
            ],
            np.float32,
        )
        turned = [
            ColoredMesh(((one.triangles - middle) @ turn).astype(np.float32), one.colour)
            for one in bodies
        ]
        yield photograph(turned, *TURN_PX, studio="paper", view=view, grain=QUICK)


def turning(pictures: Sequence[bytes]) -> Turn:
    """Return an endless GIF and WebP of pictures.

    The GIF has no dithering and one palette for all pictures, or it would be five times as large.
    The palette covers the colours of all pictures, so that a few discs of a side keep theirs.

    Args:
        pictures: PNG pictures of one size.
    """
    from PIL import Image

    seen = [Image.open(io.BytesIO(data)).convert("RGB") for data in pictures]
    palette = _stacked(seen).quantize(
        GIF_COLOURS, method=Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE, kmeans=1
    )
    flat = [picture.quantize(palette=palette, dither=Image.Dither.NONE) for picture in seen]
    save = partial(_saved, duration=FRAME_MS, loop=0, save_all=True)
    gif = save(flat[0], "GIF", append_images=flat[1:], optimize=False)
    webp = save(seen[0], "WEBP", append_images=seen[1:], quality=WEBP_QUALITY, method=4)
    return Turn(gif, webp)


def _stacked(pictures: Sequence[Image.Image]) -> Image.Image:
    """Return pictures of one size as one, each below the one before."""
    from PIL import Image

    wide, high = pictures[0].size
    whole = Image.new("RGB", (wide, high * len(pictures)))
    for number, picture in enumerate(pictures):
        whole.paste(picture, (0, number * high))
    return whole


def _saved(picture: object, form: str, **options: object) -> bytes:
    stream = io.BytesIO()
    picture.save(stream, form, **options)  # type: ignore[attr-defined]
    return stream.getvalue()
