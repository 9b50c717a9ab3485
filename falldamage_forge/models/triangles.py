"""Triangles of a file of unknown origin, the limits of such a file, and how it is refused."""

from __future__ import annotations

from typing import TYPE_CHECKING

from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.issues import ForgeError, refuse

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MAX_BYTES = 200_000_000
MAX_TRIANGLES = 2_000_000
MAX_NUMBER = 1e7
"""Greatest coordinate; 10 km in millimetres. Greater ones leave float32 no hundredth."""
LIMITS = f"at most {MAX_BYTES // 1_000_000} MB and {MAX_TRIANGLES // 1_000_000} million triangles"


@dataclass(frozen=True, slots=True, eq=False)
class Triangles:
    """Triangles as a file has them, in its own unit.

    Attributes:
        points: Corners, float64 of shape (n, 3).
        faces: Indices of corners, int64 of shape (m, 3).
        kind: Name of the format, such as `STL`.
        unit: Name of the unit in `UNITS_MM`, for formats that state it; empty for others.
        said: What the reader had to correct, one sentence each.
    """

    points: NDArray[np.float64]
    faces: NDArray[np.int64]
    kind: str
    unit: str = ""
    said: tuple[str, ...] = ()


def too_large(name: str, what: str) -> ForgeError:
    """Return the error for a file above the limits (FDF511).

    Args:
        name: The file's name.
        what: Its size, such as `3000000 triangles`.
    """
    hint = f"reduce the model in its program: {LIMITS}"
    return refuse("FDF511", f"`{name}` is too large: {what}", hint)


def damaged(name: str, why: str) -> ForgeError:
    """Return the error for a file that its format does not allow (FDF512).

    Args:
        name: The file's name.
        why: The defect.
    """
    hint = "export the model again, as a binary STL in millimetres"
    return refuse("FDF512", f"`{name}` is damaged: {why}", hint)


def require_few(name: str, triangles: int) -> None:
    """Refuse more triangles than the limit (FDF511).

    Args:
        name: The file's name.
        triangles: Number of triangles.
    """
    if triangles > MAX_TRIANGLES:
        raise too_large(name, f"{triangles} triangles")


def require_sound(name: str, found: Triangles) -> Triangles:
    """Return triangles with finite corners and valid indices.

    Args:
        name: The file's name.
        found: Triangles as read.

    Raises:
        ForgeError: FDF510 without triangles, FDF511 for too many, FDF512 for numbers that are no
            coordinates.
    """
    import numpy as np

    if not len(found.faces):
        raise refuse(
            "FDF510", f"`{name}` has no triangles", "export the model as a mesh, such as STL"
        )
    require_few(name, len(found.faces))
    if found.faces.min() < 0 or found.faces.max() >= len(found.points):
        bad = int(((found.faces < 0) | (found.faces >= len(found.points))).any(axis=1).argmax())
        raise damaged(name, f"triangle {bad + 1} has a corner that does not exist")
    with np.errstate(invalid="ignore"):
        wrong = np.logical_not((np.abs(found.points) <= MAX_NUMBER).all(axis=1, keepdims=True))[
            :, 0
        ]
    if wrong.any():
        bad = int(wrong[found.faces].any(axis=1).argmax())
        if wrong[found.faces[bad]].any():
            raise damaged(name, f"triangle {bad + 1} has a coordinate that is no number below 1e7")
    return found
