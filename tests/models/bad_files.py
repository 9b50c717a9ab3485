"""A hundred kinds of bad model files, each made from a good one."""

from __future__ import annotations

import io
import json
import struct
import zipfile
from collections.abc import Callable, Iterator

import numpy as np
from trimesh import Trimesh
from trimesh.creation import box, cylinder

MODEL = "3D/3dmodel.model"


def good() -> Trimesh:
    """A cylinder of 128 triangles."""
    return cylinder(5, 20)


def stl(mesh: Trimesh | None = None) -> bytes:
    return bytes((mesh or good()).export(file_type="stl"))


def text_stl() -> str:
    return str(good().export(file_type="stl_ascii"))


def obj() -> str:
    return str(good().export(file_type="obj"))


def ply(encoding: str = "binary") -> bytes:
    return bytes(good().export(file_type="ply", encoding=encoding))


def glb() -> bytes:
    return bytes(good().export(file_type="glb"))


def xml(mesh: Trimesh | None = None, unit: str = "millimeter") -> str:
    mesh = mesh or box((10, 10, 10))
    corners = "".join(f'<vertex x="{x}" y="{y}" z="{z}"/>' for x, y, z in mesh.vertices)
    rows = "".join(f'<triangle v1="{a}" v2="{b}" v3="{c}"/>' for a, b, c in mesh.faces)
    return (
        f'<model unit="{unit}" xmlns="http://schemas.microsoft.com/3dmanufacturing/core/2015/02">'
        f'<resources><object id="1" type="model"><mesh><vertices>{corners}</vertices>'
        f"<triangles>{rows}</triangles></mesh></object></resources>"
        '<build><item objectid="1"/></build></model>'
    )


def threemf(text: str | bytes, name: str = MODEL, **more: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as package:
        package.writestr(name, text)
        for other, data in more.items():
            package.writestr(other, data)
    return out.getvalue()


def with_corner(value: float, at: int = 5, axis: int = 1) -> bytes:
    data = bytearray(stl())
    struct.pack_into("<f", data, 84 + 50 * at + 12 + 4 * axis, value)
    return bytes(data)


def with_count(data: bytes, count: int) -> bytes:
    return data[:80] + struct.pack("<I", count) + data[84:]


def glb_of(tree: object, body: bytes = b"") -> bytes:
    text = json.dumps(tree).encode()
    text += b" " * (-len(text) % 4)
    chunks = struct.pack("<I4s", len(text), b"JSON") + text
    if body:
        chunks += struct.pack("<I4s", len(body), b"BIN\0") + body
    return b"glTF" + struct.pack("<II", 2, 12 + len(chunks)) + chunks


def tree() -> dict[str, list[dict[str, object]]]:
    data = glb()
    size = int.from_bytes(data[12:16], "little")
    return dict(json.loads(data[20 : 20 + size]))


def changed(change: Callable[[dict[str, list[dict[str, object]]]], object]) -> bytes:
    """A GLB whose JSON is changed, with the same binary chunk."""
    parsed = tree()
    change(parsed)
    data = glb()
    return glb_of(parsed, data[28 + int.from_bytes(data[12:16], "little") :])


def nested_components(depth: int) -> str:
    objects = "".join(
        f'<object id="{n}"><components><component objectid="{n - 1}"/>'
        f'<component objectid="{n - 1}"/></components></object>'
        for n in range(2, depth)
    )
    base = xml().replace("</resources>", objects + "</resources>")
    return base.replace('<item objectid="1"/>', f'<item objectid="{depth - 1}"/>')


def bad_files() -> Iterator[tuple[str, bytes]]:
    """Yield the name and the bytes of each bad file; every one is refused."""
    nan, inf = float("nan"), float("inf")
    yield "empty.stl", b""
    yield "blank.stl", b"   \n"
    yield "zeros.stl", bytes(10_000)
    for size in (1, 5, 79, 83, 84, 100, 133):
        yield f"cut-{size}.stl", stl()[:size]
    yield "no-triangles.stl", with_count(stl()[:84], 0)
    for value in (nan, inf, -inf, 1e30, -1e30, 3e38, 1e8):
        for axis in range(3):
            yield f"corner-{value}-{axis}.stl", with_corner(value, axis=axis)
    yield "all-nan.stl", stl()[:84] + np.full(1250, nan, "<f4").tobytes()
    yield (
        "flat.stl",
        stl(Trimesh([[0, 0, 0], [1, 1, 1], [2, 2, 2]], [[0, 1, 2]], process=False))[:84],
    )
    for what, word in (("words", "x y z"), ("two", "1 2"), ("four", "1 2 3 4"), ("hex", "0xq 1 2")):
        yield f"text-{what}.stl", text_stl().replace("vertex", f"vertex {word} #", 1).encode()
    yield "text-empty.stl", b"solid x\nendsolid x\n"
    yield "text-nan.stl", b"solid x\nfacet\n" + b"vertex nan nan nan\n" * 3 + b"endsolid\n"
    yield "text-big.stl", b"solid x\nfacet\n" + b"vertex 1e30 0 0\n" * 3 + b"endsolid\n"
    for name, begins in (
        ("png", b"\x89PNG\r\n\x1a\n"), ("jpg", b"\xff\xd8\xff\xe0"), ("pdf", b"%PDF-1.7\n"),
        ("html", b"<!DOCTYPE html><html>"), ("htm", b"<html><body>"), ("step", b"ISO-10303-21;\n"),
        ("blend", b"BLENDER-v300"), ("fbx", b"Kaydara FBX Binary  "), ("rar", b"Rar!\x1a\x07"),
        ("lfs", b"version https://git-lfs.github.com/spec/v1\n"), ("7z", b"7z\xbc\xaf\x27\x1c"),
        ("gz", b"\x1f\x8b\x08"), ("gcode", b"; sliced\nG28\n"), ("gltf", b'{"asset": 1}'),
        ("txt", b"a model of a tower\n"), ("elf", b"\x7fELF"),
    ):  # fmt: skip
        yield f"stranger.{name}", begins + b"\n" * 40
    yield "no-faces.obj", b"v 0 0 0\nv 1 0 0\nv 0 1 0\n"
    yield "far-face.obj", b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n"
    yield "words.obj", b"v 0 0 0\nv a b c\nv 0 1 0\nf 1 2 3\n"
    yield "face-words.obj", b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf a b c\n"
    yield "nan.obj", b"v nan 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"
    yield "big.obj", b"v 1e30 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"
    yield "many-corners.obj", b"v 0 0 0\n" * 6_100_000
    yield "many-faces.obj", b"v 0 0 0\n" + b"f 1 1 1\n" * 2_100_000
    yield "no-end.ply", ply()[:60]
    yield "lying-count.ply", ply().replace(b"element face 128", b"element face 99999999999")
    yield "negative.ply", ply().replace(b"element face 128", b"element face -5")
    yield "words.ply", ply().replace(b"element face 128", b"element face many")
    yield "more-corners.ply", ply().replace(b"element vertex 66", b"element vertex 6600")
    yield "cut.ply", ply()[:-200]
    yield "text-cut.ply", ply("ascii")[:-200]
    yield "bad-type.ply", ply().replace(b"float", b"quark")
    yield (
        "properties.ply",
        ply().replace(b"end_header", b"property float q\n" * 200 + b"end_header"),
    )
    yield (
        "no-faces.ply",
        b"ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nend_header\n1\n",
    )
    yield "cut.glb", glb()[:40]
    yield "cut-body.glb", glb()[:-400]
    yield (
        "no-json.glb",
        b"glTF" + struct.pack("<II", 2, 20) + struct.pack("<I4s", 4, b"BIN\0") + b"    ",
    )
    yield "huge-chunk.glb", glb()[:12] + struct.pack("<I", 4_000_000_000) + glb()[16:]
    yield "empty-tree.glb", glb_of({})
    yield "list.glb", glb_of([1, 2])
    yield (
        "deep.glb",
        b"glTF" + struct.pack("<II", 2, 1) + struct.pack("<I4s", 60_000, b"JSON") + b"[" * 60_000,
    )
    yield "huge-count.glb", changed(lambda t: t["accessors"][0].update(count=4_000_000_000))
    yield (
        "huge-free-count.glb",
        changed(
            lambda t: (
                t["accessors"][0].update(count=4_000_000_000),
                t["accessors"][0].pop("bufferView"),
            )
        ),
    )
    yield "negative-count.glb", changed(lambda t: t["accessors"][0].update(count=-4))
    yield "word-count.glb", changed(lambda t: t["accessors"][0].update(count="many"))
    yield "far-view.glb", changed(lambda t: t["accessors"][0].update(bufferView=99))
    yield (
        "far-accessor.glb",
        changed(
            lambda t: t["meshes"][0]["primitives"][0]["attributes"].update(POSITION=99)  # type: ignore[index,attr-defined]
        ),
    )
    yield "circle.glb", changed(lambda t: t.update(nodes=[{"children": [0, 0], "mesh": 0}]))
    yield (
        "bushy.glb",
        changed(
            lambda t: t.update(
                nodes=[{"children": [n + 1, n + 1]} for n in range(40)] + [{"mesh": 0}]
            )
        ),
    )
    yield "elsewhere.glb", changed(lambda t: t["buffers"][0].update(uri="../../etc/passwd"))
    yield "pictures.glb", changed(lambda t: t.update(images=[{"uri": "http://localhost/x.png"}]))
    yield "empty.3mf", threemf("")
    yield "no-model.3mf", threemf("x", "readme.txt")
    yield "stl-inside.3mf", threemf(stl(), "tower.stl")
    yield "cut.3mf", threemf(xml())[:-40]
    yield "cut-xml.3mf", threemf(xml()[:-100])
    yield "no-mesh.3mf", threemf("<model><resources/><build/></model>")
    yield "far-face.3mf", threemf(xml().replace('v1="0"', 'v1="999"'))
    yield "negative-face.3mf", threemf(xml().replace('v1="0"', 'v1="-3"'))
    yield "word.3mf", threemf(xml().replace('x="5.0"', 'x="five"'))
    yield "nan.3mf", threemf(xml().replace('x="5.0"', 'x="nan"'))
    yield "big.3mf", threemf(xml().replace('x="5.0"', 'x="1e30"'))
    yield "lacks.3mf", threemf(xml().replace('x="5.0"', ""))
    yield "huge-index.3mf", threemf(xml().replace('v1="0"', 'v1="' + "9" * 40 + '"'))
    yield (
        "transform.3mf",
        threemf(xml().replace('<item objectid="1"', '<item objectid="1" transform="1 2"')),
    )
    yield "far-item.3mf", threemf(xml().replace('<item objectid="1"', '<item objectid="7"'))
    yield (
        "circle.3mf",
        threemf(
            xml()
            .replace(
                "<build>",
                '<object id="8"><components><component objectid="8"/></components></object><build>',
            )
            .replace('<item objectid="1"/>', '<item objectid="8"/>')
        ),
    )
    yield "nested.3mf", threemf(nested_components(40))
    yield "bushy.3mf", threemf(nested_components(13) * 1)[:10] + b"\0" * 200
    yield (
        "entities.3mf",
        threemf(
            '<!DOCTYPE m [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>' + xml()
        ),
    )
    yield "outside.3mf", threemf(xml(), "../../evil.model")
    yield "twins.3mf", threemf(xml(), MODEL, **{MODEL.upper(): b"x"})
    yield "bomb.3mf", threemf(b"<model>" + b" " * 200_000_000)
    yield "members.3mf", threemf(xml(), MODEL, **{f"m{n}": b"" for n in range(5_100)})
    yield "latin.3mf", threemf(b"<model name='\xff\xfe'/>")
