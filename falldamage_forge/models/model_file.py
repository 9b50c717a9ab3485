"""Model file: bytes of unknown origin to triangles, by what they are and not by their name."""

from __future__ import annotations

import re
from pathlib import Path

from falldamage_forge.infra.source_loader import read_bytes
from falldamage_forge.issues import ForgeError, refuse
from falldamage_forge.models.stl_reader import (
    is_binary_stl,
    is_text_stl,
    read_binary_stl,
    read_text_stl,
)
from falldamage_forge.models.triangles import MAX_BYTES, Triangles, require_sound, too_large

KNOWN = "STL, OBJ, PLY, 3MF and GLB"
SUFFIXES = (".stl", ".obj", ".ply", ".3mf", ".glb")
STRANGERS: tuple[tuple[bytes, str, str], ...] = (
    (b"\x89PNG", "a picture", "`fdforge new --from` makes a map of a picture"),
    (b"\xff\xd8\xff", "a picture", "`fdforge new --from` makes a map of a picture"),
    (b"%PDF", "a PDF", ""),
    (b"<!doctype html", "a web page", "download the file itself, not the page that shows it"),
    (b"<html", "a web page", "download the file itself, not the page that shows it"),
    (b"iso-10303", "a STEP file", "export it as a mesh, such as STL, from a CAD program"),
    (b"blender", "a Blender project", "export it from Blender as STL"),
    (b"kaydara", "an FBX file", "export it as STL from Blender"),
    (b"version https://git-lfs", "a pointer of Git LFS", "fetch the file: `git lfs pull`"),
    (b"rar!", "an archive", "unpack it, and name a model in it"),
    (b"7z\xbc\xaf", "an archive", "unpack it, and name a model in it"),
    (b"\x1f\x8b", "an archive", "unpack it, and name a model in it"),
    (b"; ", "G-code", "a model is wanted, not a sliced plate"),
    (b"{", "a JSON file", "export a `glTF` as one binary file, GLB"),
)
"""First bytes of files that are often taken for models: what they are, and what helps."""
_OBJ = re.compile(rb"^[ \t]*v[ \t]+[-+.\d]", re.MULTILINE)


def read_model(path: Path, name: str) -> tuple[Triangles, bytes]:
    """Return the triangles of a model file, and its bytes.

    Args:
        path: The file.
        name: Its name in messages.

    Raises:
        ForgeError: FDF294 if it cannot be read, FDF510 if it is no model, FDF511 if it is too
            large, FDF512 if it is damaged.
    """
    try:
        size = path.stat().st_size
    except OSError:
        size = 0
    if size > MAX_BYTES:
        raise too_large(name, f"{size // 1_000_000} MB")
    data = read_bytes(path, name, "write the path of a model file", MAX_BYTES)
    return triangles_of(data, name), data


def triangles_of(data: bytes, name: str) -> Triangles:
    """Return the triangles of a model file's bytes.

    Args:
        data: Bytes of the file.
        name: Its name in messages.

    Raises:
        ForgeError: FDF510 if it is no model, FDF511 if it is too large, FDF512 if it is damaged.
    """
    if not data:
        raise refuse("FDF510", f"`{name}` is empty", "download or export the model again")
    return require_sound(name, _read(data, name))


def _read(data: bytes, name: str) -> Triangles:
    if data.startswith(b"PK\x03\x04"):
        from falldamage_forge.models.threemf_reader import read_3mf_model

        return read_3mf_model(data, name)
    for kind, begins in (("glb", b"glTF"), ("ply", b"ply\n"), ("ply", b"ply\r")):
        if data.startswith(begins):
            return _scene(data, kind, name)
    if is_text_stl(data):
        return read_text_stl(data, name)
    head = data[:400].lstrip().lower()
    for begins, what, hint in STRANGERS:
        if head.startswith(begins.lower()):
            raise _no_model(name, what, hint)
    if b"\0" not in data[:4000] and _OBJ.search(data[:1_000_000]):
        return _scene(data, "obj", name)
    if is_binary_stl(data, name.lower().endswith(".stl")):
        return read_binary_stl(data, name)
    raise _no_model(name, "a file of another kind", "")


def _scene(data: bytes, kind: str, name: str) -> Triangles:
    from falldamage_forge.models.scene_reader import read_scene

    return read_scene(data, kind, name)


def _no_model(name: str, what: str, hint: str) -> ForgeError:
    return refuse(
        "FDF510", f"`{name}` is no model, but {what}", hint or f"models are {KNOWN} files"
    )
