"""Disk cache of meshes and their sizes, keyed by all they follow from and this code's version.

Entries that came with the package are read where the disk has none.
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Callable
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING

from falldamage_forge.geometry import shipped_parts
from falldamage_forge.geometry.mesh import Mesh
from falldamage_forge.infra import disk_cache as disk

if TYPE_CHECKING:
    from falldamage_forge.geometry.design_parameters import DesignParameters
    from falldamage_forge.geometry.piece_style import PieceStyle
    from falldamage_forge.pieces.piece import Piece

SOURCES = (
    *(
        "lengths.py",
        "pieces/element_parts.py",
        "pieces/lost_corners.py",
        "pieces/model_keys.py",
        "pieces/piece.py",
    ),
    *("pieces/start_signs.py", "pieces/variants.py"),
    "printing/estimate_model.py",
    *(
        f"models/{name}.py"
        for name in ("mesh_edges", "model_repair", "model_scale", "placed_model", "scene_reader")
    ),
    *(f"models/{name}.py" for name in ("model_file", "stl_reader", "threemf_reader", "triangles")),
)
"""Modules outside of geometry that determine a mesh or its size."""
LIBRARIES = ("manifold3d", "shapely", "numpy")
_COUNTS = struct.Struct("<II")
_SMALL_BYTES = 1024
"""Entries of the package below this size are as quick to unpack as to read."""


@cache
def sources_version() -> str:
    """Return a digest of the sources that make meshes and measure them."""
    here = Path(__file__).resolve().parent
    sources = [*sorted(here.rglob("*.py")), *(here.parent / name for name in SOURCES)]
    digest = hashlib.sha256()
    for path in sources:
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


@cache
def code_version() -> str:
    """Return a digest of all that determines a mesh: sources of geometry and library versions."""
    digest = hashlib.sha256(sources_version().encode())
    for name, version in library_versions().items():
        digest.update(f"{name} {version}\n".encode())
    return digest.hexdigest()[:16]


def library_versions() -> dict[str, str]:
    """Return the version of each library that makes meshes, by name."""
    return {name: metadata.version(name) for name in LIBRARIES}


@cache
def versions_of(names: tuple[str, ...]) -> str:
    """Return names and versions of libraries, for keys; of a missing one its name alone.

    Args:
        names: Names of distributions.
    """
    return ", ".join(map(_with_version, names))


def _with_version(name: str) -> str:
    try:
        return f"{name} {metadata.version(name)}"
    except metadata.PackageNotFoundError:
        return name


def cache_key(piece: Piece, fit: DesignParameters, style: PieceStyle) -> str:
    """Return the cache key of a mesh: a digest of its piece, fit and style.

    Args:
        piece: Piece with its grid and parameters.
        fit: Design parameters of the printer and grid, in mm.
        style: Looks of the kit.
    """
    return hashlib.sha256(repr((piece, fit, style)).encode()).hexdigest()


def load_cached_mesh(piece: Piece, fit: DesignParameters, style: PieceStyle) -> Mesh | None:
    """Return the cached mesh; None if there is none or it is damaged.

    Args:
        piece: Piece with its grid and parameters.
        fit: Design parameters of the printer and grid, in mm.
        style: Looks of the kit.
    """
    data = load_entry(cache_key(piece, fit, style))
    return None if data is None else decode_cached_mesh(data)


def has_cached_mesh(piece: Piece, fit: DesignParameters, style: PieceStyle) -> bool:
    """True if the mesh is cached, or came with the package.

    Args:
        piece: Piece with its grid and parameters.
        fit: Design parameters of the printer and grid, in mm.
        style: Looks of the kit.
    """
    version, key = cache_version(), cache_key(piece, fit, style)
    if version is None or not disk.is_enabled():
        return False
    return disk.has(version, key) or shipped_parts.has(sources_version(), key)


def load_entry(key: str) -> bytes | None:
    """Return an entry of the cache, or one that came with the package; None if there is none.

    A large one that came with the package is kept unpacked: to unpack it takes longer than to read
    it.
    """
    version = cache_version()
    if version is None or not disk.is_enabled():
        return None
    found = disk.get(version, key)
    if found is None:
        found = shipped_parts.entry(sources_version(), key)
        if found is not None and len(found) >= _SMALL_BYTES:
            disk.put(version, key, found)
    return found


def store_entry(key: str, body: bytes) -> None:
    """Store an entry in the cache, if the cache is usable."""
    if version := cache_version():
        disk.put(version, key, body)


def store_mesh(piece: Piece, fit: DesignParameters, style: PieceStyle, mesh: Mesh) -> None:
    """Store a mesh in the cache, if the cache is usable.

    Args:
        piece: Piece with its grid and parameters.
        fit: Design parameters of the printer and grid, in mm.
        style: Looks of the kit.
        mesh: Mesh in print pose, in mm.
    """
    store_entry(cache_key(piece, fit, style), encode_cached_mesh(mesh))


def cached_entry(key: str, make: Callable[[], bytes]) -> bytes:
    """Return an entry; compute and store it on a cache miss.

    Args:
        key: Digest of all values that determine it.
        make: Computes it.
    """
    found = load_entry(key)
    if found is None:
        found = make()
        if disk.is_enabled():
            store_entry(key, found)
    return found


def cached_shape(key: str, make: Callable[[], Mesh]) -> Mesh:
    """Return the mesh of an entry; compute and store it on a cache miss.

    Args:
        key: Digest of all values that determine the mesh.
        make: Computes the mesh.
    """
    if not disk.is_enabled():
        return make()
    data = load_entry(key)
    found = None if data is None else decode_cached_mesh(data)
    if found is None:
        found = make()
        store_entry(key, encode_cached_mesh(found))
    return found


def cache_version() -> str | None:
    """Return the code's version; None if it is unknown, which disables the cache."""
    try:
        return code_version()
    except (OSError, metadata.PackageNotFoundError):
        return None


def encode_cached_mesh(mesh: Mesh) -> bytes:
    """Return a mesh as bytes, little-endian: two counts, corners as float32, triangles as int32.

    Both are stored axis by axis, and triangles as steps: from the first corner of the triangle
    before to the first, and from the first to each of the others. Small steps pack well.
    """
    import numpy as np

    counts = _COUNTS.pack(len(mesh.vertices), len(mesh.faces))
    first, second, third = mesh.faces.astype(np.int32).T
    steps = np.stack([np.diff(first, prepend=np.int32(0)), second - first, third - first])
    return b"".join(
        (counts, mesh.vertices.T.astype("<f4").tobytes(), steps.astype("<i4").tobytes())
    )


def decode_cached_mesh(data: bytes) -> Mesh | None:
    """Return the mesh of `encode_cached_mesh`; None if the bytes are invalid."""
    import numpy as np

    if len(data) < _COUNTS.size:
        return None
    corners, faces = _COUNTS.unpack_from(data)
    if len(data) != _COUNTS.size + 12 * (corners + faces) or not corners or not faces:
        return None
    places = np.frombuffer(data, "<f4", 3 * corners, _COUNTS.size).reshape(3, -1)
    steps = np.frombuffer(data, "<i4", 3 * faces, _COUNTS.size + 12 * corners).reshape(3, -1)
    first = np.cumsum(steps[0], dtype=np.int32)
    index = np.stack([first, first + steps[1], first + steps[2]])
    if index.min() < 0 or index.max() >= corners or not np.isfinite(places).all():
        return None
    return Mesh(np.ascontiguousarray(places.T, np.float32), np.ascontiguousarray(index.T, np.int32))
