"""OBJ, PLY and GLB of others, by trimesh; counts are checked before it reads them."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Mapping
from typing import Any

from falldamage_forge.issues import ForgeError
from falldamage_forge.models.triangles import (
    MAX_TRIANGLES,
    Triangles,
    damaged,
    require_few,
    too_large,
)

_PLY_COUNT = re.compile(rb"^element[ \t]+\w+[ \t]+(\S+)", re.MULTILINE)
MAX_NODES = 20_000
TITLES = {"obj": "OBJ", "ply": "PLY", "glb": "GLB"}


def read_scene(data: bytes, kind: str, name: str) -> Triangles:
    """Return the triangles of all meshes of a file where they stand.

    Args:
        data: Bytes of the file.
        kind: `obj`, `ply` or `glb`.
        name: The file's name in messages.

    Raises:
        ForgeError: FDF511 above a limit, FDF512 if the file is damaged.
    """
    import numpy as np
    import trimesh

    {"obj": _check_obj, "ply": _check_ply, "glb": _check_glb}[kind](data, name)
    try:
        with np.errstate(all="ignore"):
            scene = trimesh.load_scene(
                io.BytesIO(data), file_type=kind, process=False, skip_materials=True
            )
            points, faces, count = [], [], 0
            for node in scene.graph.nodes_geometry:
                matrix, key = scene.graph[node]
                mesh = scene.geometry[key]
                if not hasattr(mesh, "faces"):
                    continue
                own = np.asarray(mesh.vertices, np.float64)
                points.append(own @ matrix[:3, :3].T + matrix[:3, 3])
                faces.append(np.asarray(mesh.faces, np.int64) + count)
                count += len(own)
                require_few(name, sum(map(len, faces)))
    except (ForgeError, KeyboardInterrupt):
        raise
    except Exception:  # trimesh raises whatever its readers stumble over
        raise damaged(name, f"it is no valid {TITLES[kind]} file") from None
    if not points:
        return Triangles(np.zeros((0, 3)), np.zeros((0, 3), np.int64), TITLES[kind])
    corners, rows = np.concatenate(points), np.concatenate(faces)
    if kind == "glb":  # y is up there, and metres are the unit
        corners = corners[:, [0, 2, 1]] * (1.0, -1.0, 1.0)
    return Triangles(corners, rows, TITLES[kind], "m" if kind == "glb" else "")


def _check_obj(data: bytes, name: str) -> None:
    corners, faces = (data.count(b"\n" + word) for word in (b"v ", b"f "))
    require_few(name, max(faces, corners // 3))


def _check_ply(data: bytes, name: str) -> None:
    """Refuse counts that the file cannot hold: each item takes a byte."""
    head, end, _ = data[:100_000].partition(b"end_header")
    if not end:
        raise damaged(name, "its header has no end")
    for found in _PLY_COUNT.finditer(head):
        if not found[1].isdigit() or int(found[1][:20]) > len(data):
            shown = found[1][:12].decode("ascii", "replace")
            raise damaged(name, f"its header counts {shown} items, more than the file can hold")
    if len(re.findall(rb"^property", head, re.MULTILINE)) > 100:
        raise damaged(name, "its header has more than 100 properties")


def _check_glb(data: bytes, name: str) -> None:
    """Refuse counts without data, nodes with several parents, and data outside of the file."""
    size = int.from_bytes(data[12:16], "little")
    if data[16:20] != b"JSON" or size > len(data) or size > 50_000_000:
        raise damaged(name, "its first chunk is no JSON of the file's size")
    try:
        tree = json.loads(data[20 : 20 + size])
        nodes, accessors = tree.get("nodes", []), tree.get("accessors", [])
        count = sum(_held(each, tree) for each in accessors)
        children = [child for node in nodes for child in node.get("children", [])]
        meshes = [node["mesh"] for node in nodes if "mesh" in node]
    except (ValueError, KeyError, IndexError, TypeError, AttributeError, RecursionError):
        raise damaged(name, "its JSON is no valid `glTF`") from None
    if tree.get("images") and any("uri" in each for each in tree["images"]):
        raise damaged(name, "it refers to other files")
    if any("uri" in each for each in tree.get("buffers", [])):
        raise damaged(name, "it refers to other files")
    if count > 40 * MAX_TRIANGLES:
        raise too_large(name, f"{count} values")
    if len(nodes) > MAX_NODES or len(children) != len(set(children)) or len(meshes) > MAX_NODES:
        raise damaged(name, "its nodes contain one another too often")


def _held(accessor: Mapping[str, Any], tree: Mapping[str, Any]) -> int:
    """Return the number of values of an accessor; KeyError if its data cannot hold them."""
    count = accessor["count"]
    if not isinstance(count, int) or count < 0:
        raise ValueError(count)
    plain = "bufferView" in accessor and "sparse" not in accessor
    if plain and count > tree["bufferViews"][accessor["bufferView"]]["byteLength"]:
        raise KeyError("count")
    return count
