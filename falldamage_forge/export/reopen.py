"""Written files opened again as a stranger would, within bounds, and compared with what was meant.

The reader trusts nothing: sizes are limited before anything is unpacked, XML may not declare
entities, names may not leave the package, every number has to be finite.
"""

from __future__ import annotations

import io
import math
import struct
import xml.parsers.expat
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from falldamage_forge.export.stl import MAX_TRIANGLES, read_stl
from falldamage_forge.export.threemf import MODEL
from falldamage_forge.geometry.mesh import Mesh
from falldamage_forge.issues import ForgeError, Issue
from falldamage_forge.printing.plates import Plate
from falldamage_forge.printing.printer import Printer

if TYPE_CHECKING:
    from numpy.typing import NDArray

MAX_MEMBERS = 64
MAX_MODEL_BYTES = 200_000_000
MAX_RATIO = 100
"""A model's text shrinks to about an eighth; a bomb to a thousandth."""
NAME_LIMIT = 200


@dataclass(slots=True)
class Opened:
    """What a 3MF holds: meshes by name, and how often each is used."""

    meshes: dict[str, Mesh] = field(default_factory=dict)
    uses: Counter[str] = field(default_factory=Counter)


def read_3mf(data: bytes, name: str) -> Opened:
    """The meshes of a 3MF's model and how often each stands in it.

    ForgeError (FDF463) for anything doubtful: no zip, members outside of it, more than it says,
    entities, indices without a vertex, numbers that are not finite.
    """
    try:
        text = _member(data, MODEL)
        return _Model().parse(text)
    except _Doubt as doubt:
        why = str(doubt)
    except xml.parsers.expat.ExpatError as error:
        why = f"its model is no XML: {error}"
    except _BROKEN_ZIP:
        why = "it is no sound zip"
    raise ForgeError([Issue("FDF463", "error", f"`{name}` is not a sound 3MF: {why}")])


class _Doubt(Exception):
    """Why a file is not trusted."""


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
"""What zipfile raises on damaged directories, odd methods and passwords."""


def _member(data: bytes, wanted: str) -> bytes:
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        members = package.infolist()
        if len(members) > MAX_MEMBERS:
            raise _Doubt(f"it has {len(members)} members")
        names = [member.filename for member in members]
        if len({name.lower() for name in names}) != len(names):
            raise _Doubt("two members have one name")
        for path in names:
            if not _stays_inside(path):
                raise _Doubt(f"a member is called `{path[:60]}`")
        if wanted not in names:
            raise _Doubt(f"it has no `{wanted}`")
        about = package.getinfo(wanted)
        most = min(MAX_MODEL_BYTES, MAX_RATIO * max(about.compress_size, 1))
        with package.open(about) as stream:
            text = stream.read(most + 1)
    if len(text) > most:
        raise _Doubt("its model unpacks to more than is believable")
    return text


def _stays_inside(path: str) -> bool:
    parts = path.split("/")
    return (
        0 < len(path) <= NAME_LIMIT
        and "\\" not in path
        and ":" not in path
        and not path.startswith("/")
        and ".." not in parts
    )


class _Model:
    """Gathers meshes and items while expat walks through the text."""

    def __init__(self) -> None:
        self.names: dict[str, str] = {}
        self.meshes: dict[str, Mesh] = {}
        self.uses: Counter[str] = Counter()
        self.corners: list[tuple[float, float, float]] = []
        self.faces: list[tuple[int, int, int]] = []
        self.current = ""

    def parse(self, text: bytes) -> Opened:
        parser = xml.parsers.expat.ParserCreate()
        parser.StartElementHandler = self.start
        parser.EndElementHandler = self.end
        parser.StartDoctypeDeclHandler = self.refuse
        parser.Parse(text, True)
        opened = Opened(uses=self.uses)
        for number, mesh in self.meshes.items():
            opened.meshes[self.names[number]] = mesh
        return opened

    def refuse(self, *_: object) -> None:
        raise _Doubt("it declares entities")

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        try:
            self._start(tag, attributes)
        except (KeyError, ValueError):
            raise _Doubt(f"`{tag}` is not as it should be") from None

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        if tag == "vertex":
            corner = float(attributes["x"]), float(attributes["y"]), float(attributes["z"])
            if not all(map(math.isfinite, corner)):
                raise _Doubt("a vertex is not a finite number")
            self.corners.append(corner)
        elif tag == "triangle":
            face = int(attributes["v1"]), int(attributes["v2"]), int(attributes["v3"])
            if min(face) < 0 or max(face) >= len(self.corners):
                raise _Doubt("a triangle names a vertex that is not there")
            self.faces.append(face)
            if len(self.faces) > MAX_TRIANGLES:
                raise _Doubt("it has too many triangles")
        elif tag == "object":
            self.current = attributes["id"]
            if self.current in self.names or attributes["name"] in self.names.values():
                raise _Doubt("two objects are called alike")
            self.names[self.current] = attributes["name"]
        elif tag == "item":
            numbers = [float(word) for word in attributes["transform"].split()]
            if len(numbers) != 12 or not all(map(math.isfinite, numbers)):
                raise _Doubt("a part's place is not twelve finite numbers")
            self.uses[self.names[attributes["objectid"]]] += 1
        elif tag == "model" and attributes.get("unit") != "millimeter":
            raise _Doubt("its unit is not the millimetre")

    def end(self, tag: str) -> None:
        if tag == "object":
            self.meshes[self.current] = _mesh(self.corners, self.faces)
            self.corners, self.faces = [], []


def _mesh(corners: list[tuple[float, float, float]], faces: list[tuple[int, int, int]]) -> Mesh:
    import numpy as np

    vertices: NDArray[np.float32] = np.array(corners, np.float32).reshape(-1, 3)
    return Mesh(vertices, np.array(faces, np.int32).reshape(-1, 3))


def verify_3mf(data: bytes, name: str, plates: Iterable[Plate], meshes: Mapping[str, Mesh]) -> None:
    """ForgeError (FDF463) unless the file holds just the plates' parts, number for number."""
    import numpy as np

    opened = read_3mf(data, name)
    wanted: Counter[str] = Counter()
    for plate in plates:
        wanted.update(plate.counts())
    same = all(
        np.array_equal(opened.meshes[key].vertices, meshes[key].vertices.astype(np.float32))
        and np.array_equal(opened.meshes[key].faces, meshes[key].faces)
        for key in opened.meshes.keys() & meshes.keys()
    )
    if opened.uses != wanted or opened.meshes.keys() != wanted.keys() or not same:
        why = "read back, it does not hold the parts of its plates"
        raise ForgeError([Issue("FDF463", "error", f"`{name}` was not written: {why}")])


def verify_plate_stl(
    data: bytes, plate: Plate, meshes: Mapping[str, Mesh], printer: Printer
) -> None:
    """ForgeError (FDF461) unless a plate's STL holds every triangle of its parts, on the bed."""
    mesh = read_stl(data, plate.name)
    wanted = sum(len(meshes[key].faces) * count for key, count in plate.counts().items())
    (left, front, bottom), (right, back, top) = mesh.bounds_mm()
    width, depth = printer.bed_mm
    inside = min(left, front) >= 0 and right <= width and back <= depth
    if len(mesh.faces) != wanted or not inside or abs(bottom) > 1e-3 or top > printer.height_mm:
        why = "read back, it does not hold its parts on the bed"
        raise ForgeError([Issue("FDF461", "error", f"`{plate.name}` was not written: {why}")])
