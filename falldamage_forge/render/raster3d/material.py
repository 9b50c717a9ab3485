"""Material of printed plastic: a colour per body, slight unevenness, wear at edges."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from falldamage_forge.render.palette import channels

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]


def tints(colours: Sequence[str]) -> Floats:
    """Return the linear colour of each body, shape (n, 3), slightly varied."""
    import numpy as np

    base = np.array([channels(colour) for colour in colours], np.float32) / 255
    number = np.arange(len(colours))
    shift = 0.94 + 0.12 * ((number * 0.6180339887) % 1.0)
    warm = 0.985 + 0.03 * ((number * 0.7548776662) % 1.0)
    out = base**2.2 * shift[:, None]
    out[:, 0] *= warm
    out[:, 2] /= warm
    return out.astype(np.float32)


def color_noise(places: Floats) -> Floats:
    """Return a factor near 1 for places, shape (n,): plastic is slightly uneven."""
    import numpy as np

    x, y, z = places.T
    wave = np.sin(x * 0.21 + 1.7 * np.sin(y * 0.13 + z * 0.1)) + np.sin(
        y * 0.37 + 1.3 * np.sin(z * 0.29 + x * 0.17)
    )
    factor: Floats = (1 + 0.018 * wave).astype(np.float32)
    return factor


def edge_wear(places: Floats, normals: Floats, pixel_mm: float) -> Floats:
    """Return factors that lighten edges and darken hollows, as on handled plastic.

    Args:
        places: Shape (3, rows, columns), nan where no body is seen.
        normals: Shape (3, rows, columns).
        pixel_mm: Size of a pixel; neighbours more than 4 pixels away are ignored.

    Returns:
        Shape (rows, columns).
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
