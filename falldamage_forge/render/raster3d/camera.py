"""Pinhole camera: its position, and the projection of points to the picture."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from falldamage_forge.infra.lazy_dataclass import dataclass

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, eq=False)
class Camera:
    """A pinhole camera.

    `axes` is 3x3: from x east, y north, z up to right, up, towards the viewer. `eye_mm` is the
    pinhole; `focal` samples are one unit of tangent; the picture is `wide` x `high` samples.
    """

    axes: NDArray[np.float64]
    eye_mm: NDArray[np.float64]
    focal: float
    wide: int
    high: int

    def spots(self, points_mm: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return points, shape (..., 3), as x right and y down in samples, and 1 / distance.

        The third number, in 1/mm, is linear over the picture along a plane, as a depth buffer needs
        it. The result is stored axis by axis, which is much faster to compute with.
        """
        import numpy as np

        eye_mm = self.eye_mm.astype(np.float32).reshape(3, *(1,) * (points_mm.ndim - 1))
        apart = points_mm.T - eye_mm
        seen = (self.axes.astype(np.float32) @ apart.reshape(3, -1)).reshape(apart.shape)
        near = -1.0 / seen[2]
        return np.stack(
            [
                self.wide / 2 + seen[0] * near * np.float32(self.focal),
                self.high / 2 - seen[1] * near * np.float32(self.focal),
                near,
            ]
        ).T

    def rays(self, rows: NDArray[Any], cols: NDArray[Any]) -> NDArray[np.float32]:
        """Return directions through the middles of samples, shape (n, 3), 1 mm along the view each.

        A point at depth d along the view lies at eye + d * ray.

        Args:
            rows: Rows of the samples, shape (n,).
            cols: Columns of the samples, shape (n,).
        """
        import numpy as np

        x = ((cols + 0.5 - self.wide / 2) / self.focal).astype(np.float32)
        y = ((self.high / 2 - rows - 0.5) / self.focal).astype(np.float32)
        right, up, towards = self.axes.astype(np.float32)
        return np.stack([x * right[i] + y * up[i] - towards[i] for i in range(3)]).T

    @property
    def footprint_mm(self) -> float:
        """Approximate size that one sample covers in the middle of the picture."""
        import numpy as np

        return float(np.linalg.norm(self.eye_mm)) / self.focal


def axes_of(turn_deg: float, tilt_deg: float) -> NDArray[np.float64]:
    """Return 3x3 axes; turn 0 looks from the south, 90 from the east; tilt 90 from above.

    Args:
        turn_deg: Direction of the view about z, in degrees.
        tilt_deg: Angle above the table, in degrees.
    """
    import numpy as np

    turn, tilt = np.radians(turn_deg), np.radians(tilt_deg)
    right = [np.cos(turn), np.sin(turn), 0]
    towards = [np.sin(turn) * np.cos(tilt), -np.cos(turn) * np.cos(tilt), np.sin(tilt)]
    axes: NDArray[np.float64] = np.array([right, np.cross(towards, right), towards])
    return axes


def fit_camera(
    points_mm: NDArray[np.float32],
    size: tuple[int, int],
    *,
    turn_deg: float,
    tilt_deg: float,
    view_deg: float,
    margin: float = 0.03,
) -> Camera:
    """Return the nearest camera that sees all points with a margin.

    Each of the four planes of the view touches a point.

    Args:
        points_mm: Shape (n, 3).
        size: Width and height in samples.
        turn_deg: 0 from the south, 90 from the east.
        tilt_deg: 0 level, 90 from above.
        view_deg: Angle of view over the wider side.
        margin: Share of the picture on each side.
    """
    import numpy as np

    wide, high = size
    axes = axes_of(turn_deg, tilt_deg)
    focal = max(wide, high) / 2 / np.tan(np.radians(view_deg) / 2)
    x, y, z = (points_mm.astype(np.float64) @ axes.T).T
    tangents = [(1 - 2 * margin) * side / 2 / focal for side in (wide, high)]
    (right, left, across), (top, foot, along) = (
        (float((v + t * z).max()), float((-v + t * z).max()), t)
        for v, t in zip((x, y), tangents, strict=True)
    )
    away = max((right + left) / (2 * across), (top + foot) / (2 * along))
    middle = np.array([(right - left) / 2, (top - foot) / 2, away])
    return Camera(axes, middle @ axes, float(focal), wide, high)
