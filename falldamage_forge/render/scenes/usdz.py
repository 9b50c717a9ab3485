"""USDZ: the table for iPhones and iPads, as text in a stored zip.

Source: USD documentation, "Usdz File Format Specification"; UsdPreviewSurface specification.
"""

from __future__ import annotations

import re
import struct
import zlib
from collections.abc import Sequence
from typing import TYPE_CHECKING

from falldamage_forge.render.scenes.table_scene import PartInstance, TableScene, linear

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from falldamage_forge.render.viewer_meshes import ViewerMesh

MOST_TRIANGLES = 100_000
"""Most triangles of a model that a phone shows. Source: Apple, WWDC 2018, session 603."""
_ALIGNED = 64
"""Each file in the package begins at a multiple of this many bytes."""
_PADDING_ID = 0x1986
_ROOT_NAME = "table.usda"

_HEAD = """#usda 1.0
(
    defaultPrim = "Table"
    metersPerUnit = 1
    upAxis = "Y"
)

def Xform "Table" (
    displayName = {title}
    kind = "component"
)
{{
    matrix4d xformOp:transform = ( (0.001, 0, 0, 0), (0, 0, -0.001, 0), (0, 0.001, 0, 0), \
(0, 0, 0, 1) )
    uniform token[] xformOpOrder = ["xformOp:transform"]

    def Scope "Materials"
    {{
{materials}    }}

{instances}}}

class Scope "Parts"
{{
{parts}}}
"""
_MATERIAL = """        def Material "{name}"
        {{
            token outputs:surface.connect = </Table/Materials/{name}/Surface.outputs:surface>
            def Shader "Surface"
            {{
                uniform token info:id = "UsdPreviewSurface"
                color3f inputs:diffuseColor = {colour}
                float inputs:metallic = 0
                float inputs:roughness = 0.8
                token outputs:surface
            }}
        }}
"""
_INSTANCE = """    def Xform "{prim}" (
        displayName = {name}
        instanceable = true
        prepend references = </Parts/{part}>
    )
    {{
        matrix4d xformOp:transform = {at}
        uniform token[] xformOpOrder = ["xformOp:transform"]
    }}

"""
_PART = """    def Xform "{part}"
    {{
{meshes}    }}
"""
_MESH = """        def Mesh "Mesh_{number}" (
            prepend apiSchemas = ["MaterialBindingAPI"]
        )
        {{
            float3[] extent = [{extent}]
            int[] faceVertexCounts = [{counts}]
            int[] faceVertexIndices = [{indices}]
            point3f[] points = [{points}]
            uniform token subdivisionScheme = "none"
            rel material:binding = </Table/Materials/{material}>
        }}
"""


def write_usdz(scene: TableScene) -> bytes:
    """Return the scene as a USDZ package of one text layer.

    Args:
        scene: The table.
    """
    return _package(_ROOT_NAME, write_usda(scene).encode())


def write_usda(scene: TableScene) -> str:
    """Return the scene as a USD text layer in metres, y up.

    Args:
        scene: The table.
    """
    parts = {key: f"{_identifier(key)}_{number}" for number, key in enumerate(scene.models)}
    return _HEAD.format(
        title=_quoted(scene.title),
        materials="".join(
            _MATERIAL.format(name=_material(colour), colour=linear(colour))
            for colour in scene.colours()
        ),
        instances="".join(
            _instance(f"{_identifier(one.name)}_{number}", one, parts[one.key])
            for number, one in enumerate(scene.instances)
        ),
        parts="".join(_part(parts[key], tones) for key, tones in scene.models.items()),
    )


def _instance(prim: str, one: PartInstance, part: str) -> str:
    # Row vectors: the transpose of the matrix of column vectors.
    rows = (f"({', '.join(_number(value) for value in row)})" for row in one.at.T)
    at = f"( {', '.join(rows)} )"
    return _INSTANCE.format(prim=prim, name=_quoted(one.name), part=part, at=at)


def _part(part: str, tones: Sequence[ViewerMesh]) -> str:
    return _PART.format(part=part, meshes="".join(map(_mesh, range(len(tones)), tones)))


def _mesh(number: int, model: ViewerMesh) -> str:
    corners = model.vertices.min(axis=0), model.vertices.max(axis=0)
    return _MESH.format(
        number=number,
        extent=", ".join(_point(corner) for corner in corners),
        counts=", ".join("3" for _ in model.faces),
        indices=", ".join(map(str, model.faces.reshape(-1).tolist())),
        points=", ".join(_point(vertex) for vertex in model.vertices),
        material=_material(model.colour),
    )


def _point(values: NDArray[np.float32]) -> str:
    return f"({', '.join(_number(value) for value in values)})"


def _number(value: float) -> str:
    return f"{round(float(value), 3) + 0.0:.10g}"


def _material(colour: str) -> str:
    return f"Colour_{colour[1:]}"


def _identifier(text: str) -> str:
    """Return a prim name: letters, digits and underscores of ASCII, no digit first."""
    return "P_" + re.sub(r"[^A-Za-z0-9]", "_", text)


def _quoted(text: str) -> str:
    plain = re.sub(r"[\x00-\x1f\x7f]", " ", text).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{plain}"'


def _package(name: str, data: bytes) -> bytes:
    """Return a zip with one stored file whose data begins at a multiple of `_ALIGNED`."""
    path = name.encode()
    pad = -(30 + len(path) + 4) % _ALIGNED
    extra = struct.pack("<HH", _PADDING_ID, pad) + b"\0" * pad
    about = struct.pack(
        "<HHHHHIIIHH",
        20,  # version
        0,  # flags
        0,  # stored
        0,  # time
        33,  # 1 January 1980: the same bytes on every day
        zlib.crc32(data),
        len(data),
        len(data),
        len(path),
        len(extra),
    )
    body = b"PK\x03\x04" + about + path + extra + data
    entry = b"PK\x01\x02" + struct.pack("<H", 20) + about + struct.pack("<HHHII", 0, 0, 0, 0, 0)
    entry += path + extra
    end = struct.pack("<4sHHHHIIH", b"PK\x05\x06", 0, 0, 1, 1, len(entry), len(body), 0)
    return body + entry + end
