"""Meshes of pieces between runs: made once for a piece, a style, a fit and this very code."""

from __future__ import annotations

import hashlib
import struct
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING

from falldamage_forge import cache as disk
from falldamage_forge.geometry.mesh import Mesh

if TYPE_CHECKING:
    from falldamage_forge.geometry.fits import Fit
    from falldamage_forge.geometry.style import Style
    from falldamage_forge.pieces.model import Piece

LIBRARIES = ("manifold3d", "shapely", "numpy")
_COUNTS = struct.Struct("<II")


@cache
def code_version() -> str:
    """A digest of everything that decides what a mesh becomes: our geometry and its libraries."""
    here = Path(__file__).resolve().parent
    sources = [*sorted(here.rglob("*.py")), here.parent / "lengths.py"]
    sources += sorted((here.parent / "pieces").glob("model.py"))
    digest = hashlib.sha256()
    for path in sources:
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    for name in LIBRARIES:
        digest.update(f"{name} {metadata.version(name)}\n".encode())
    return digest.hexdigest()[:16]


def key_of(piece: Piece, fit: Fit, style: Style) -> str:
    """The name of a mesh: a digest of its piece's table, its fit and its style."""
    return hashlib.sha256(repr((piece, fit, style)).encode()).hexdigest()


def kept_mesh(piece: Piece, fit: Fit, style: Style) -> Mesh | None:
    """The mesh as it was made by this code before; None when it was not, or cannot be trusted."""
    version = _version()
    data = disk.get(version, key_of(piece, fit, style)) if version else None
    return None if data is None else unpacked(data)


def is_kept(piece: Piece, fit: Fit, style: Style) -> bool:
    """Whether a mesh is kept."""
    version = _version()
    return version is not None and disk.has(version, key_of(piece, fit, style))


def keep_mesh(piece: Piece, fit: Fit, style: Style, mesh: Mesh) -> None:
    """Keep a mesh for the next run, where that can be done."""
    if version := _version():
        disk.put(version, key_of(piece, fit, style), packed(mesh))


def _version() -> str | None:
    """The code's version; None where it cannot be told, and so nothing is kept."""
    try:
        return code_version()
    except (OSError, metadata.PackageNotFoundError):
        return None


def packed(mesh: Mesh) -> bytes:
    """A mesh as bytes: two counts, corners as float32, triangles as int32, all little-endian."""
    counts = _COUNTS.pack(len(mesh.vertices), len(mesh.faces))
    corners, faces = mesh.vertices.astype("<f4"), mesh.faces.astype("<i4")
    return b"".join((counts, corners.tobytes(), faces.tobytes()))


def unpacked(data: bytes) -> Mesh | None:
    """The mesh of such bytes; None when they are none."""
    import numpy as np

    if len(data) < _COUNTS.size:
        return None
    corners, faces = _COUNTS.unpack_from(data)
    if len(data) != _COUNTS.size + 12 * (corners + faces) or not corners or not faces:
        return None
    raw = np.frombuffer(data, "<f4", 3 * corners, _COUNTS.size)
    index = np.frombuffer(data, "<i4", 3 * faces, _COUNTS.size + 12 * corners)
    if index.min() < 0 or index.max() >= corners or not np.isfinite(raw).all():
        return None
    return Mesh(raw.reshape(-1, 3).astype(np.float32), index.reshape(-1, 3).astype(np.int32))
