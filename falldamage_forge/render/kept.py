"""Pictures between runs: drawn once for what they show and for this very code."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from falldamage_forge import cache

LIBRARIES = ("manifold3d", "numpy", "pillow", "reportlab", "resvg_py")
_HERE = Path(__file__).resolve().parent


def remembered(what: str, content: Iterable[bytes], make: Callable[[], bytes]) -> bytes:
    """What `make` draws, which `content` and this room's code decide; see `cache.remembered`."""
    return cache.remembered(_HERE, LIBRARIES, what, content, make)


def remembered_page(what: str, content: Iterable[bytes], make: Callable[[], bytes]) -> bytes:
    """The same for what asks boards and plans too: all of the forge's code decides it."""
    return cache.remembered(_HERE.parent, LIBRARIES, what, content, make)
