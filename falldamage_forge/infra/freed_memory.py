"""Freed memory: kept for the next array, instead of given back to the system.

The C library returns an array of some megabytes to the system when it is freed, and the system
clears each page of the next one. A command that draws pictures and joins meshes takes and frees
such arrays hundreds of times; it is short, and the system gets all back at its end.
"""

from __future__ import annotations

import ctypes
import sys

_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3
"""Parameters of `mallopt` of the GNU C library."""
_KEPT_BYTES = 2_000_000_000
_LARGEST_BYTES = 32 << 20
"""The library refuses to keep larger arrays."""


def keep_freed_memory() -> bool:
    """Keep the memory of freed arrays of up to 32 MB in this process and in copies of it.

    Returns:
        True if the C library of this system can.
    """
    if sys.platform != "linux":
        return False
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (OSError, AttributeError):  # another C library
        return False
    return bool(mallopt(_MMAP_THRESHOLD, _LARGEST_BYTES) and mallopt(_TRIM_THRESHOLD, _KEPT_BYTES))
