"""What printed plastic looks like: a colour a body, a little uneven, worn at its edges."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from falldamage_forge.render.palette import channels

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]


def tints(colours: Sequence[str]) -> Floats:
    """The linear colour of each body, shape (n, 3), a little its own."""
    import numpy as np

    base = np.array([channels(colour) for colour in colours], np.float32) / 255
    number = np.arange(len(colours))
    shift = 0.94 + 0.12 * ((number * 0.6180339887) % 1.0)
    warm = 0.985 + 0.03 * ((number * 0.7548776662) % 1.0)
    out = base**2.2 * shift[:, None]
    out[:, 0] *= warm
    out[:, 2] /= warm
    return out.astype(np.float32)


def mottle(places: Floats) -> Floats:
    """Plastic is nowhere quite even: a factor near 1 for places, shape (n,)."""
    import numpy as np

    x, y, z = places.T
    wave = np.sin(x * 0.21 + 1.7 * np.sin(y * 0.13 + z * 0.1)) + np.sin(
        y * 0.37 + 1.3 * np.sin(z * 0.29 + x * 0.17)
    )
    factor: Floats = (1 + 0.018 * wave).astype(np.float32)
    return factor


def worn(places: Floats, normals: Floats, pixel_mm: float) -> Floats:
    """Edges a little lighter and hollows a little darker, as handled plastic is.

    `places` and `normals` have shape (3, rows, columns), places nan where there is nothing; the
    factors have shape (rows, columns). Neighbours more than a few pixels away tell nothing.
    """
    import numpy as np

    bend = np.zeros(places.shape[1:], np.float32)
    for axis in (0, 1):
        for step in (-1, 1):
            x, y, z = (np.roll(part, step, axis=axis) - part for part in places)
            far = np.sqrt(x * x + y * y + z * z)
            rise = x * normals[0] + y * normals[1] + z * normals[2]
            rise /= np.maximum(far, np.float32(1e-6))
            bend += np.where(far < 4 * pixel_mm, rise, 0)
    bend = np.clip(bend, -1.2, 1.6)
    return np.where(bend > 0, 1 - 0.30 * bend, 1 - 0.16 * bend).astype(np.float32)
