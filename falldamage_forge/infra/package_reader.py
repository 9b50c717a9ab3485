"""Package reader: zips of unknown origin, read within limits so that none exhausts memory."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib

from falldamage_forge.infra.lazy_dataclass import dataclass

MAX_RATIO = 100
"""A member's text shrinks to about an eighth; a zip bomb to a thousandth."""
NAME_LIMIT = 200
_BROKEN_ZIP = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    EOFError,
    OSError,
    ValueError,
    LookupError,
    OverflowError,
    RuntimeError,
)
"""Exceptions of zipfile on damaged directories, unknown methods and passwords."""


class InvalidPackage(Exception):
    """Reason why a file is rejected."""


@dataclass(frozen=True, slots=True)
class Package:
    """An opened zip: `names` of its members are unlike, and stay inside the package."""

    names: tuple[str, ...]
    zip: zipfile.ZipFile

    def read(self, name: str, most: int) -> bytes:
        """Return a member's bytes.

        Args:
            name: The member.
            most: Largest size in bytes after unpacking.

        Raises:
            InvalidPackage: If it is missing, damaged or too large.
        """
        if name not in self.names:
            raise InvalidPackage(f"it has no `{name}`")
        most = min(most, MAX_RATIO * max(self.zip.getinfo(name).compress_size, 1))
        data = self.head(name, most + 1)
        if len(data) > most:
            raise InvalidPackage(f"`{name}` unpacks to more than {most} bytes")
        return data

    def head(self, name: str, most: int) -> bytes:
        """Return the first bytes of a member.

        Args:
            name: The member.
            most: Number of bytes to unpack.

        Raises:
            InvalidPackage: If it is missing or damaged.
        """
        try:
            with self.zip.open(name) as stream:
                return stream.read(most)
        except _BROKEN_ZIP:
            raise InvalidPackage(f"`{name}` is missing or damaged") from None


def open_package(data: bytes, most_members: int) -> Package:
    """Return an opened zip.

    Args:
        data: Bytes of the file.
        most_members: Largest number of members.

    Raises:
        InvalidPackage: If it is no zip, has too many members, or names that are unsafe.
    """
    try:
        package = zipfile.ZipFile(io.BytesIO(data))
    except _BROKEN_ZIP:
        raise InvalidPackage("it is not a valid zip file") from None
    names = tuple(package.namelist())
    if len(names) > most_members:
        raise InvalidPackage(f"it has {len(names)} members")
    if len({name.lower() for name in names}) != len(names):
        raise InvalidPackage("two members share a name")
    for path in names:
        if not _stays_inside(path):
            raise InvalidPackage(f"a member is called `{path[:60]}`")
    return Package(names, package)


def _stays_inside(path: str) -> bool:
    parts = path.split("/")
    return (
        0 < len(path) <= NAME_LIMIT
        and "\\" not in path
        and ":" not in path
        and not path.startswith("/")
        and ".." not in parts
    )
