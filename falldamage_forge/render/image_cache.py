"""Disk cache of pictures, keyed by their content and by the version of this code."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from falldamage_forge.infra import disk_cache

LIBRARIES = ("manifold3d", "numpy", "pillow", "reportlab", "resvg_py")
_HERE = Path(__file__).resolve().parent


def cached_image(what: str, content: Iterable[bytes], make: Callable[[], bytes]) -> bytes:
    """Return the cached result of `make`, keyed by `content` and the code of this package.

    Args:
        what: Name of the kind of picture, part of the key.
        content: Bytes that determine the picture.
        make: Draws the picture on a cache miss.
    """
    return disk_cache.get_or_compute(_HERE, LIBRARIES, what, content, make)


def cached_page(what: str, content: Iterable[bytes], make: Callable[[], bytes]) -> bytes:
    """Return the same for pages that also use boards and plans; all code is part of the key.

    Args:
        what: Kind of the page.
        content: Everything that the page depends on, beside the code.
        make: Returns the page.
    """
    return disk_cache.get_or_compute(_HERE.parent, LIBRARIES, what, content, make)


def is_page_cached(what: str, content: Iterable[bytes]) -> bool:
    """True if `cached_page` would most likely draw nothing; arguments as of that."""
    return disk_cache.is_stored(_HERE.parent, LIBRARIES, what, content)
