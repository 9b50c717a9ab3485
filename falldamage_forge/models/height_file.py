"""Height file: pictures, tables, voxels, tile maps and landscapes as a grid of heights."""

from __future__ import annotations

import csv
import io
import json
import math
import struct
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from pathlib import PurePath
from typing import TYPE_CHECKING, Any
from xml.parsers import expat

from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.issues import ForgeError, refuse

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MAX_BYTES = 50_000_000
MAX_SIDE = 8_000
MAX_PIXELS = 40_000_000
WATER, LAVA = "~", "!"
WALL_LEVEL = 2.0
"""Height of walls of a virtual table's map."""
COLOURS: Mapping[str, tuple[int, int, int]] = {WATER: (45, 105, 200), LAVA: (225, 75, 20)}
"""Colours of grounds in pictures, for pixels with a hue."""
HUE = 70
"""Least difference of a pixel's channels from which it has a hue."""


@dataclass(frozen=True, slots=True, eq=False)
class HeightGrid:
    """Heights of others, north first.

    Attributes:
        heights: Heights in any unit, float64 of shape (rows, columns).
        grounds: Ground of each cell, `~` water or `!` lava; empty for plain, or None for none.
        levels: True if heights are levels already, and are not stretched.
    """

    heights: NDArray[np.float64]
    grounds: NDArray[np.str_] | None = None
    levels: bool = False


def _wrong(name: str, why: str, hint: str) -> ForgeError:
    return refuse("FDF516", f"no map can be made of `{name}`: {why}", hint)


def height_grid(data: bytes, name: str) -> HeightGrid:
    """Return the heights of a file.

    Args:
        data: Bytes of the file.
        name: Its name, whose suffix gives the format.

    Raises:
        ForgeError: FDF510 to FDF512 for a bad landscape, FDF516 for any other file that cannot be
            read.
    """
    suffix = PurePath(name).suffix.lower()
    reader = READERS.get(suffix)
    if reader is None:
        raise _wrong(name, f"`{suffix}` is unknown", f"write one of {', '.join(READERS)}")
    if len(data) > MAX_BYTES:
        raise _wrong(name, "it is larger than 50 MB", "choose a smaller one")
    try:
        grid = reader(data, name)
        rows, cols = grid.heights.shape
    except ForgeError:
        raise
    except (
        *(ValueError, KeyError, IndexError, TypeError, AttributeError, OverflowError),
        *(struct.error, expat.ExpatError, RecursionError, OSError, csv.Error, SyntaxError),
    ):
        raise _wrong(name, f"it is no valid {suffix} file", "export it again") from None
    import numpy as np

    if not rows or not cols or max(rows, cols) > MAX_SIDE or not np.isfinite(grid.heights).all():
        raise _wrong(name, f"it has {cols} x {rows} cells", f"1 to {MAX_SIDE} of finite numbers")
    return grid


def _table(data: bytes, name: str) -> HeightGrid:
    import numpy as np

    text = data.decode("utf-8-sig")
    mark = max(";\t,", key=text[:4000].count)
    rows = [row for row in csv.reader(io.StringIO(text), delimiter=mark) if any(row)]
    return HeightGrid(np.array([[float(cell) for cell in row] for row in rows]), levels=True)


def _picture(data: bytes, name: str) -> HeightGrid:
    import numpy as np
    from PIL import Image

    try:
        picture = Image.open(io.BytesIO(data))
        if picture.width * picture.height > MAX_PIXELS:
            raise _wrong(name, "it has more than 40 million pixels", "choose a smaller one")
        deep = picture.mode.startswith("I")
        plain = np.asarray(picture, np.float64) if deep else None
        colours = np.asarray(picture.convert("RGB"), np.int64)
    except Image.DecompressionBombError:
        raise _wrong(name, "it has too many pixels", "choose a smaller one") from None
    if plain is not None:
        return HeightGrid(plain)
    grey = colours @ np.array([0.299, 0.587, 0.114])
    grounds = np.full(grey.shape, "", dtype="<U1")
    hue = np.ptp(colours, axis=2) > HUE
    apart = {
        sign: np.abs(colours - np.array(colour)).sum(axis=2) for sign, colour in COLOURS.items()
    }
    for sign, own in apart.items():
        nearest = np.minimum.reduce(list(apart.values())) == own
        grounds[hue & nearest & (own < 200)] = sign
    grey[grounds != ""] = grey.min()
    return HeightGrid(grey, grounds)


def _voxels(data: bytes, name: str) -> HeightGrid:
    """Read MagicaVoxel: chunks `SIZE` and `XYZI`; y grows north."""
    import numpy as np

    if data[:4] != b"VOX ":
        raise ValueError("no voxels")
    at, size, heights = 8, (0, 0, 0), None
    while at + 12 <= len(data):
        kind, own, _ = struct.unpack_from("<4sII", data, at)
        body, at = at + 12, at + 12 + (own if kind != b"MAIN" else 0)
        if kind == b"SIZE":
            size = struct.unpack_from("<III", data, body)
            if max(size) > 256:
                raise ValueError("too large")
        elif kind == b"XYZI" and heights is None:
            (count,) = struct.unpack_from("<I", data, body)
            voxels = np.frombuffer(data, np.uint8, 4 * count, body + 4).reshape(-1, 4).astype(int)
            heights = np.zeros((size[1], size[0]))
            np.maximum.at(heights, (size[1] - 1 - voxels[:, 1], voxels[:, 0]), voxels[:, 2] + 1.0)
    if heights is None:
        raise ValueError("no voxels")
    return HeightGrid(heights, levels=True)


def _layers(cols: int, rows: int, layers: Iterable[Sequence[int]]) -> HeightGrid:
    """Return the number of the highest layer with a tile, of each cell."""
    import numpy as np

    if not 0 < cols * rows <= MAX_PIXELS:
        raise ValueError("no size")
    heights = np.zeros((rows, cols))
    for number, layer in enumerate(layers):
        heights[np.array(layer).reshape(rows, cols) > 0] = number
    return HeightGrid(heights, levels=True)


def _tiled_json(data: bytes, name: str) -> HeightGrid:
    tree = json.loads(data)
    layers = [one["data"] for one in tree["layers"] if one.get("type") == "tilelayer"]
    return _layers(int(tree["width"]), int(tree["height"]), layers)


def _tiled(data: bytes, name: str) -> HeightGrid:
    """Read Tiled's XML; layers encoded as CSV."""
    size: list[int] = []
    layers: list[str] = []
    inside = [False]

    def start(tag: str, about: dict[str, str]) -> None:
        if tag == "map":
            size.extend((int(about["width"]), int(about["height"])))
        elif tag == "data":
            if about.get("encoding") != "csv":
                hint = "set Tile Layer Format to CSV in the map's properties, and save it again"
                raise _wrong(name, "its layers are not stored as CSV", hint)
            inside[0] = True
            layers.append("")

    def end(tag: str) -> None:
        inside[0] = False

    def text(part: str) -> None:
        if inside[0]:
            layers[-1] += part

    def refuse_types(*_: object) -> None:
        raise ValueError("a document type")

    parser = expat.ParserCreate()
    parser.StartElementHandler, parser.EndElementHandler = start, end
    parser.CharacterDataHandler, parser.StartDoctypeDeclHandler = text, refuse_types
    parser.Parse(data, True)
    numbers = [[int(cell) for cell in layer.split(",")] for layer in layers]
    return _layers(size[0], size[1], numbers)


def _virtual_table(data: bytes, name: str) -> HeightGrid:
    """Read Universal VTT: tiles that a wall runs through are columns."""
    import numpy as np

    tree: dict[str, Any] = json.loads(data)
    about = tree["resolution"]
    cols, rows = (int(about["map_size"][axis]) for axis in ("x", "y"))
    x0, y0 = (float(about.get("map_origin", {}).get(axis, 0)) for axis in ("x", "y"))
    if not 0 < cols * rows <= 1_000_000:
        raise ValueError("no size")
    heights = np.zeros((rows, cols))
    for line in tree.get("line_of_sight", ()):
        points = [(float(one["x"]) - x0, float(one["y"]) - y0) for one in line]
        for (ax, ay), (bx, by) in pairwise(points):
            steps = min(int(4 * math.hypot(bx - ax, by - ay)) + 1, 20_000)
            for step in range(steps + 1):
                x, y = ax + (bx - ax) * step / steps, ay + (by - ay) * step / steps
                col, row = int(min(max(x, 0), cols - 1)), int(min(max(y, 0), rows - 1))
                heights[row, col] = WALL_LEVEL
    return HeightGrid(heights, levels=True)


def _landscape(data: bytes, name: str) -> HeightGrid:
    """Return the highest surface over a grid of 200 cells along a landscape's longer side."""
    import numpy as np

    from falldamage_forge.models.model_file import triangles_of

    found = triangles_of(data, name)
    corners = found.points[found.faces]
    low, size = found.points.min(axis=0), np.ptp(found.points, axis=0)
    cell = max(float(size[:2].max()) / 200, 1e-9)
    cols, rows = (max(1, math.ceil(side / cell)) for side in size[:2])
    heights = np.full((rows, cols), -np.inf)
    shares = [(i, j, 6 - i - j) for i in range(7) for j in range(7 - i)]
    for share in shares:
        points = np.einsum("k,nkc->nc", np.array(share) / 6, corners) - low
        col = np.clip((points[:, 0] / cell).astype(int), 0, cols - 1)
        row = np.clip(rows - 1 - (points[:, 1] / cell).astype(int), 0, rows - 1)
        np.maximum.at(heights, (row, col), points[:, 2])
    return HeightGrid(np.where(np.isfinite(heights), heights, 0.0))


READERS: Mapping[str, Callable[[bytes, str], HeightGrid]] = {
    ".png": _picture,
    ".jpg": _picture,
    ".jpeg": _picture,
    ".csv": _table,
    ".vox": _voxels,
    ".tmx": _tiled,
    ".tmj": _tiled_json,
    ".uvtt": _virtual_table,
    ".dd2vtt": _virtual_table,
    ".stl": _landscape,
}
"""Reader of each format by the suffix of its files."""
