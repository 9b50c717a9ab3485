"""Zip writer that deflates text segments shared by several files once.

A deflated stream may be cut at any byte where its compressor was flushed, and joined again from
such segments. Python's zipfile only deflates whole members, and a build would spend much of its
time on deflating the same meshes three times.

Source: RFC 1951, section 3.2.3.
"""

from __future__ import annotations

import hashlib
import struct
import zlib
from collections.abc import Callable, Iterable, Mapping
from functools import cache, cached_property

LEVEL = 4
_DAY = 1 << 5 | 1
"""1 January 1980, the earliest date in a zip: the same bytes on every day."""
_LOCAL, _CENTRAL, _END = struct.Struct("<4s5H3L2H"), struct.Struct("<4s6H3L5H2L"), "<4s4H2LH"
_KEPT = struct.Struct("<32sQL")
"""Digest, size and checksum of a segment, before its deflated bytes."""
_VERSION, _UTF8, _STORED, _DEFLATED = 20, 1 << 11, 0, 8
_LAST = b"\x03\x00"
"""An empty block that ends a stream."""
MOST_BYTES = (1 << 32) - 1


class CompressedSegment:
    """A segment of a member's content."""

    def __init__(self, content: str | bytes) -> None:
        self.data = content.encode() if isinstance(content, str) else content

    @cached_property
    def digest(self) -> bytes:
        """SHA-256 of the content."""
        return hashlib.sha256(self.data).digest()

    @cached_property
    def deflated(self) -> bytes:
        """Segment of a deflate stream that refers to no earlier bytes."""
        squeeze = zlib.compressobj(LEVEL, zlib.DEFLATED, -zlib.MAX_WBITS)
        return squeeze.compress(self.data) + squeeze.flush(zlib.Z_FULL_FLUSH)

    @property
    def size(self) -> int:
        """Length of the content in bytes."""
        return len(self.data)

    @cached_property
    def checksum(self) -> int:
        """CRC-32 of the content."""
        return zlib.crc32(self.data)

    def kept(self) -> bytes:
        """Return digest, size, checksum and deflated bytes, as `KeptSegment` takes them."""
        return _KEPT.pack(self.digest, self.size, self.checksum) + self.deflated


class KeptSegment(CompressedSegment):
    """A segment that was deflated before; its content is made when it is asked for."""

    def __init__(self, kept: bytes, make: Callable[[], bytes]) -> None:
        self._make = make
        self.digest, self._size, self.checksum = _KEPT.unpack_from(kept)
        self.deflated = kept[_KEPT.size :]

    @cached_property
    def data(self) -> bytes:  # type: ignore[override]
        """The content."""
        return self._make()

    @property
    def size(self) -> int:
        """Length of the content in bytes."""
        return int(self._size)


Content = bytes | tuple[CompressedSegment, ...]
"""A member: bytes that are stored, or segments that are deflated."""


def write_zip(members: Mapping[str, Content]) -> bytes:
    """Return a zip of members by name, in their order.

    Raises:
        ValueError: If a member is 4 GB or larger.
    """
    body, directory = [], []
    at = 0
    for name, content in members.items():
        packed, raw, size, checksum = _packed(content)
        if max(at, size) > MOST_BYTES:
            raise ValueError(f"`{name}` is too large for a zip")
        path = name.encode()
        flags = 0 if name.isascii() else _UTF8
        method = _STORED if isinstance(content, bytes) else _DEFLATED
        about = (flags, method, 0, _DAY, checksum, raw, size, len(path), 0)
        body += [_LOCAL.pack(b"PK\x03\x04", _VERSION, *about), path, *packed]
        entry = _CENTRAL.pack(b"PK\x01\x02", _VERSION, _VERSION, *about, 0, 0, 0, 0, at)
        directory += [entry, path]
        at += _LOCAL.size + len(path) + raw
    listed = b"".join(directory)
    end = struct.pack(_END, b"PK\x05\x06", 0, 0, len(members), len(members), len(listed), at, 0)
    return b"".join([*body, listed, end])


def _packed(content: Content) -> tuple[Iterable[bytes], int, int, int]:
    """Return the chunks to write, their length, the uncompressed length, and its checksum."""
    if isinstance(content, bytes):
        return [content], len(content), len(content), zlib.crc32(content)
    checksum = 0
    for part in content:
        checksum = joined_checksum(checksum, part.checksum, part.size)
    chunks = [*(part.deflated for part in content), _LAST]
    return chunks, sum(map(len, chunks)), sum(part.size for part in content), checksum


_POLYNOMIAL, _ONE = 0xEDB88320, 1 << 31
"""The polynomial of CRC-32 and the number 1, lowest powers in the highest bits."""


def joined_checksum(first: int, second: int, size: int) -> int:
    """Return the CRC-32 of two stretches of bytes from those of each.

    Args:
        first: CRC-32 of the first.
        second: CRC-32 of the second.
        size: Length of the second in bytes.
    """
    return _product(first, _power(8 * size)) ^ second


@cache
def _power(exponent: int) -> int:
    """Return a power of x modulo the polynomial."""
    found, square = _ONE, _ONE >> 1
    while exponent:
        if exponent & 1:
            found = _product(found, square)
        square = _product(square, square)
        exponent >>= 1
    return found


def _product(one: int, other: int) -> int:
    """Return the product of two polynomials modulo that of CRC-32."""
    found = 0
    for bit in range(31, -1, -1):
        if one >> bit & 1:
            found ^= other
        other = other >> 1 ^ (_POLYNOMIAL if other & 1 else 0)
    return found
