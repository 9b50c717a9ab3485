"""STL of others: binary with any count in its header, or text."""

from __future__ import annotations

import re

from falldamage_forge.models.triangles import MAX_TRIANGLES, Triangles, damaged, require_few

_HEAD, _RECORD = 84, 50
_CHUNK = 8_000_000
_CORNER = re.compile(rb"vertex([^\r\n]*)", re.IGNORECASE)


def is_text_stl(data: bytes) -> bool:
    """True for an STL of text; binary ones may begin with `solid` too."""
    if not data[:400].lstrip().lower().startswith(b"solid"):
        return False
    whole = len(data) >= _HEAD and len(data) == _HEAD + _RECORD * _count(data)
    head = data[:4000].lower()
    return not whole and (b"facet" in head or b"endsolid" in head) and b"\0" not in data[:400]


def is_binary_stl(data: bytes, ends_so: bool) -> bool:
    """True for a binary STL: its size follows from its count, or its name says so.

    Args:
        data: Bytes of the file.
        ends_so: True if the file's name ends with `.stl`.
    """
    if len(data) < _HEAD + _RECORD:
        return False
    return ends_so or len(data) == _HEAD + _RECORD * _count(data)


def _count(data: bytes) -> int:
    return int.from_bytes(data[80:84], "little")


def read_binary_stl(data: bytes, name: str) -> Triangles:
    """Return the triangles of a binary STL; the size of the file beats a wrong count.

    Args:
        data: Bytes of the file.
        name: Its name in messages.

    Raises:
        ForgeError: FDF511 for too many triangles.
    """
    import numpy as np

    count, held = _count(data), (len(data) - _HEAD) // _RECORD
    said: tuple[str, ...] = ()
    if 0 < count < held and (len(data) - _HEAD) % _RECORD:
        held = count  # what follows the triangles is the program's own
    elif count != held:
        said = (f"the header counts {count} triangles, the file holds {held}",)
    require_few(name, held)
    record = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])
    rows = np.frombuffer(data, record, held, _HEAD)
    points = rows["corners"].reshape(-1, 3).astype(np.float64)
    return Triangles(points, np.arange(3 * held).reshape(-1, 3), "STL", said=said)


def read_text_stl(data: bytes, name: str) -> Triangles:
    """Return the triangles of an STL of text.

    Args:
        data: Bytes of the file.
        name: Its name in messages.

    Raises:
        ForgeError: FDF511 for too many triangles, FDF512 for corners that are no numbers.
    """
    import numpy as np

    if len(re.findall(rb"vertex", data[: 9 * MAX_TRIANGLES], re.IGNORECASE)) > 3 * MAX_TRIANGLES:
        require_few(name, MAX_TRIANGLES + 1)
    parts, at = [], 0
    while at < len(data):
        end = data.find(b"\n", at + _CHUNK)
        end = len(data) if end < 0 else end
        rows = _CORNER.findall(data, at, end)
        try:
            numbers = np.array(b" ".join(rows).split(), dtype=np.float64)
        except ValueError:
            raise damaged(name, "a corner is not three numbers") from None
        if len(numbers) != 3 * len(rows):
            raise damaged(name, "a corner is not three numbers")
        parts.append(numbers.reshape(-1, 3))
        require_few(name, sum(map(len, parts)) // 3)
        at = end
    points = np.concatenate(parts) if parts else np.zeros((0, 3))
    said: tuple[str, ...] = ()
    if left := len(points) % 3:
        points, said = (
            points[: len(points) - left],
            ("the last triangle is incomplete, and left out",),
        )
    return Triangles(points, np.arange(len(points)).reshape(-1, 3), "STL of text", said=said)
