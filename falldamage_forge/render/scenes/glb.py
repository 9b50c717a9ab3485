"""Binary glTF: the table for viewers and phones, without extensions.

Instances are nodes that share meshes. Meshes carry no normals, so viewers shade them flat.

Source: glTF 2.0 specification, Khronos Group.
"""

from __future__ import annotations

import json
import struct
from typing import TYPE_CHECKING, Any

from falldamage_forge.render.scenes.table_scene import PartInstance, TableScene, linear

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_FLOAT, _SHORT, _INT = 5126, 5123, 5125
_VERTICES, _INDICES = 34962, 34963
_MM_TO_METRES_Y_UP = [0.001, 0, 0, 0, 0, 0, -0.001, 0, 0, 0.001, 0, 0, 0, 0, 0, 1]
"""Transform of the root, by columns: glTF is in metres with y up."""
_UNMOVED = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]
_ROUGHNESS = 0.8


class _Buffer:
    """The binary chunk with its views and accessors."""

    def __init__(self) -> None:
        self.data = bytearray()
        self.views: list[dict[str, int]] = []
        self.accessors: list[dict[str, Any]] = []

    def add(self, values: NDArray[Any], target: int, about: dict[str, Any]) -> int:
        """Append an array at a multiple of 4; return the index of its accessor."""
        self.data += b"\0" * (-len(self.data) % 4)
        raw = values.tobytes()
        view = {"buffer": 0, "byteOffset": len(self.data), "byteLength": len(raw)}
        self.views.append({**view, "target": target})
        self.data += raw
        self.accessors.append({"bufferView": len(self.views) - 1, **about})
        return len(self.accessors) - 1

    def positions(self, vertices: NDArray[np.float32]) -> int:
        """Append vertices of shape (n, 3)."""
        return self.add(
            vertices.astype("<f4"),
            _VERTICES,
            {
                "componentType": _FLOAT,
                "type": "VEC3",
                "count": len(vertices),
                "min": vertices.min(axis=0).astype("f4").tolist(),
                "max": vertices.max(axis=0).astype("f4").tolist(),
            },
        )

    def indices(self, faces: NDArray[np.int32]) -> int:
        """Append the vertex numbers of triangles, shape (m, 3)."""
        short = int(faces.max()) < (1 << 16) - 1
        kind = _SHORT if short else _INT
        about = {"componentType": kind, "type": "SCALAR", "count": faces.size}
        return self.add(faces.astype("<u2" if short else "<u4"), _INDICES, about)


def write_glb(scene: TableScene) -> bytes:
    """Return the scene as a binary glTF file.

    Args:
        scene: The table.
    """
    buffer = _Buffer()
    colours = scene.colours()
    materials = [
        {
            "name": colour,
            "pbrMetallicRoughness": {
                "baseColorFactor": [*linear(colour), 1],
                "metallicFactor": 0,
                "roughnessFactor": _ROUGHNESS,
            },
        }
        for colour in colours
    ]
    meshes = [
        {
            "name": scene.titles[key],
            "primitives": [
                {
                    "attributes": {"POSITION": buffer.positions(mesh.vertices)},
                    "indices": buffer.indices(mesh.faces),
                    "material": colours.index(mesh.colour),
                }
                for mesh in tones
            ],
        }
        for key, tones in scene.models.items()
    ]
    numbers = {key: number for number, key in enumerate(scene.models)}
    parts = [_node(one, numbers[one.key]) for one in scene.instances]
    root = {
        "name": scene.title,
        "matrix": _MM_TO_METRES_Y_UP,
        "children": list(range(1, 1 + len(parts))),
    }
    document = {
        "asset": {"version": "2.0", "generator": "FallDamage Forge"},
        "scene": 0,
        "scenes": [{"name": scene.title, "nodes": [0]}],
        "nodes": [root, *parts],
        "meshes": meshes,
        "materials": materials,
        "accessors": buffer.accessors,
        "bufferViews": buffer.views,
        "buffers": [{"byteLength": len(buffer.data) + -len(buffer.data) % 4}],
    }
    text = json.dumps(document, separators=(",", ":")).encode()
    chunks = _chunk(b"JSON", text, b" ") + _chunk(b"BIN\0", bytes(buffer.data), b"\0")
    return struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks


def _node(one: PartInstance, mesh: int) -> dict[str, Any]:
    """Return the node of a part; the format wants no matrix that changes nothing."""
    matrix = [round(float(value), 4) + 0.0 for value in one.at.T.reshape(-1)]
    placed = {} if matrix == _UNMOVED else {"matrix": matrix}
    return {"name": one.name, "mesh": mesh, **placed, "extras": {"piece": one.key}}


def _chunk(kind: bytes, data: bytes, pad: bytes) -> bytes:
    data += pad * (-len(data) % 4)
    return struct.pack("<I4s", len(data), kind) + data
