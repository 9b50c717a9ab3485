"""Round-trip check: written files are read back by an independent reader and compared.

The reader trusts nothing: sizes are limited before anything is unpacked, XML may not declare
entities, names may not leave the package, every number must be finite. `build` writes no file that
fails.
"""

from __future__ import annotations

import hashlib
import math
import re
import xml.parsers.expat
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import field
from functools import cache, partial
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from falldamage_forge.export.threemf import MODEL, PlateContents
from falldamage_forge.export.zip_writer import CompressedSegment
from falldamage_forge.geometry.mesh import Mesh, extent
from falldamage_forge.geometry.mesh_cache import cached_entry, versions_of
from falldamage_forge.geometry.stl import MAX_TRIANGLES, triangles
from falldamage_forge.infra import disk_cache
from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.infra.package_reader import InvalidPackage, open_package
from falldamage_forge.issues import ForgeError, Issue
from falldamage_forge.printing.plates import Plate
from falldamage_forge.printing.printer import Printer

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

LIBRARIES = ("numpy",)
"""Libraries by which files are read back."""
MAX_MEMBERS = 128
"""A project of 36 plates has two pictures for each."""
MAX_MODEL_BYTES = 200_000_000


@dataclass(slots=True)
class ThreeMFContent:
    """Content of a 3MF: meshes by name, and the number of uses of each."""

    meshes: dict[str, Mesh] = field(default_factory=dict)
    uses: Counter[str] = field(default_factory=Counter)


Known = Mapping[bytes, Mesh]
"""Meshes by the SHA-256 of their exact XML text."""


def read_3mf(data: bytes, name: str, known: Known = MappingProxyType({})) -> ThreeMFContent:
    """Return the meshes of a 3MF's model and the number of uses of each.

    Args:
        data: Bytes of the file.
        name: File name for messages.
        known: Texts that were verified before and are not parsed again.

    Raises:
        ForgeError: (FDF463) If the file is not a valid 3MF: not a zip, unsafe member names, too
            large, entities, missing vertices, numbers that are not finite.
    """
    try:
        text = open_package(data, MAX_MEMBERS).read(MODEL, MAX_MODEL_BYTES)
        if known and _STANDS_FOR.encode() in text:
            raise InvalidPackage("it contains the reserved element `known-mesh`")
        text = _abridged(text, known)
        return _ModelParser(tuple(known.values())).parse(text)
    except InvalidPackage as error:
        why = str(error)
    except xml.parsers.expat.ExpatError as error:
        why = f"its model is not XML: {error}"
    raise ForgeError([Issue("FDF463", "error", f"`{name}` is not a valid 3MF file: {why}")])


_STANDS_FOR = "known-mesh"
_MESH, _END = b"   <mesh>\n", b"   </mesh>\n"


def _abridged(text: bytes, known: Known) -> bytes:
    """Return a model's text with each known mesh replaced by a placeholder element."""
    numbers = {each: number for number, each in enumerate(known)}
    view, at = memoryview(text), 0
    parts: list[bytes | memoryview] = []
    while (start := text.find(_MESH, at)) >= 0 and (end := text.find(_END, start)) >= 0:
        end += len(_END)
        number = numbers.get(hashlib.sha256(view[start:end]).digest()) if numbers else None
        if number is not None:
            parts += [view[at:start], b'<%b n="%d"/>' % (_STANDS_FOR.encode(), number)]
        else:
            parts.append(view[at:end])
        at = end
    return b"".join([*parts, view[at:]])


class _ModelParser:
    """Collects meshes and items from expat's events."""

    def __init__(self, known: tuple[Mesh, ...] = ()) -> None:
        self.known = known
        self.names: dict[str, str] = {}
        self.meshes: dict[str, Mesh] = {}
        self.uses: Counter[str] = Counter()
        self.corners: list[tuple[float, float, float]] = []
        self.faces: list[tuple[int, int, int]] = []
        self.current = ""

    def parse(self, text: bytes) -> ThreeMFContent:
        parser = xml.parsers.expat.ParserCreate()
        parser.StartElementHandler = self.start
        parser.EndElementHandler = self.end
        parser.StartDoctypeDeclHandler = self.refuse
        parser.Parse(text, True)
        opened = ThreeMFContent(uses=self.uses)
        for number, mesh in self.meshes.items():
            opened.meshes[self.names[number]] = mesh
        return opened

    def refuse(self, *_: object) -> None:
        raise InvalidPackage("it declares entities")

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        try:
            self._start(tag, attributes)
        except (KeyError, ValueError):
            raise InvalidPackage(f"`{tag}` has missing or invalid attributes") from None

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        if tag == "vertex":
            corner = float(attributes["x"]), float(attributes["y"]), float(attributes["z"])
            if not all(map(math.isfinite, corner)):
                raise InvalidPackage("a vertex is not a finite number")
            self.corners.append(corner)
        elif tag == "triangle":
            face = int(attributes["v1"]), int(attributes["v2"]), int(attributes["v3"])
            if min(face) < 0 or max(face) >= len(self.corners):
                raise InvalidPackage("a triangle refers to a missing vertex")
            self.faces.append(face)
            if len(self.faces) > MAX_TRIANGLES:
                raise InvalidPackage("it has too many triangles")
        elif tag == "object":
            self.current = attributes["id"]
            if self.current in self.names or attributes["name"] in self.names.values():
                raise InvalidPackage("two objects share a name or id")
            self.names[self.current] = attributes["name"]
        elif tag == "item":
            numbers = [float(word) for word in attributes["transform"].split()]
            if len(numbers) != 12 or not all(map(math.isfinite, numbers)):
                raise InvalidPackage("a transform is not twelve finite numbers")
            self.uses[self.names[attributes["objectid"]]] += 1
        elif tag == _STANDS_FOR and self.known:
            self.meshes[self.current] = self.known[int(attributes["n"])]
        elif tag == "model" and attributes.get("unit") != "millimeter":
            raise InvalidPackage("its unit is not the millimetre")

    def end(self, tag: str) -> None:
        if tag == "object":
            if self.current not in self.meshes:
                self.meshes[self.current] = _mesh(self.corners, self.faces)
            self.corners, self.faces = [], []


def _mesh(corners: list[tuple[float, float, float]], faces: list[tuple[int, int, int]]) -> Mesh:
    import numpy as np

    vertices: NDArray[np.float32] = np.array(corners, np.float32).reshape(-1, 3)
    return Mesh(vertices, np.array(faces, np.int32).reshape(-1, 3))


SAME = b"same"
"""Answer of a reader that found what was written."""


def reading(segment: CompressedSegment, mesh: Mesh) -> bytes:
    """Return `SAME` if a segment's text describes a mesh, number for number.

    Args:
        segment: The `<mesh>` of a 3MF.
        mesh: What it should describe.
    """
    import numpy as np

    text = segment.data
    if hashlib.sha256(text).digest() != segment.digest:
        return b"other"
    parsed = Mesh(
        _numbers(text, b"vertex", b"x", b"y", b"z").astype(np.float32),
        _numbers(text, b"triangle", b"v1", b"v2", b"v3").astype(np.int32),
    )
    return SAME if _alike(parsed, mesh) else b"other"


def _numbers(text: bytes, tag: bytes, *names: bytes) -> NDArray[np.float64]:
    """Return the attributes of all elements of a tag, one row per element."""
    import numpy as np

    form = b" ".join(b'%b="([^"]*)"' % name for name in names)
    return np.array(re.findall(b"<%b %b/>" % (tag, form), text), np.float64).reshape(-1, len(names))


def known_meshes(contents: PlateContents) -> Known:
    """Return each mesh by the digest of its XML text, verified to describe exactly that mesh.

    Results are cached on disk.

    Raises:
        ForgeError: (FDF463) If a text does not describe its mesh.
    """
    known = {}
    for key, mesh in contents.meshes.items():
        segment = contents.mesh_xml(key)
        if cached_entry(reading_key(segment, mesh), partial(reading, segment, mesh)) != SAME:
            raise _unlike(key)
        known[segment.digest] = mesh
    return known


def reading_key(segment: CompressedSegment, mesh: Mesh) -> str:
    """Return the key in the mesh cache of the answer of `reading`."""
    about = _source(), versions_of(LIBRARIES).encode()
    return disk_cache.key_of("reading", (*about, segment.digest, mesh.digest().encode()))


@cache
def _source() -> bytes:
    """Return the digest of this module, whose answers are kept."""
    return hashlib.sha256(Path(__file__).read_bytes()).digest()


def _kept(what: str, content: Iterable[bytes], read: Callable[[], bytes]) -> bytes:
    """Return the answer of a reader, from the disk cache if this code has read the same before."""
    package = Path(__file__).resolve().parent
    return disk_cache.get_or_compute(package, LIBRARIES, what, content, read)


def _unlike(name: str) -> ForgeError:
    why = "read back, it does not hold the parts of its plates"
    return ForgeError([Issue("FDF463", "error", f"`{name}` was not written: {why}")])


def verify_3mf(
    data: bytes,
    name: str,
    plates: Iterable[Plate],
    meshes: Mapping[str, Mesh],
    known: Known = MappingProxyType({}),
) -> None:
    """Check that a file holds exactly the plates' parts, number for number.

    The same bytes with the same parts are read once; that they passed is cached on disk.

    Args:
        data: Bytes of the file.
        name: File name for messages.
        plates: Plates that it should hold.
        meshes: Mesh of each piece by key.
        known: Texts verified by `known_meshes`.

    Raises:
        ForgeError: (FDF463) If it does not.
    """
    wanted: Counter[str] = Counter()
    for plate in plates:
        wanted.update(plate.counts())
    own = {key: meshes[key] for key in sorted(wanted.keys() & meshes)}
    about = repr((sorted(wanted.items()), [mesh.digest() for mesh in own.values()]))

    def read() -> bytes:
        opened = read_3mf(data, name, known)
        same = opened.uses == wanted and opened.meshes.keys() == wanted.keys() == own.keys()
        return SAME if same and all(_alike(opened.meshes[key], own[key]) for key in own) else b""

    if _kept("package", (data, about.encode()), read) != SAME:
        raise _unlike(name)


def _alike(one: Mesh, other: Mesh) -> bool:
    import numpy as np

    return one is other or (
        np.array_equal(one.vertices, other.vertices.astype(np.float32))
        and np.array_equal(one.faces, other.faces)
    )


def verify_plate_stl(
    data: bytes, plate: Plate, meshes: Mapping[str, Mesh], printer: Printer
) -> None:
    """Check that a plate's STL holds every triangle of its parts, on the bed.

    Args:
        data: Bytes of the file.
        plate: Plate that it should hold.
        meshes: Mesh of each piece by key.
        printer: Gives bed and height.

    Raises:
        ForgeError: (FDF461) If it does not.
    """
    import numpy as np

    corners = triangles(data, plate.name)
    wanted = sum(len(meshes[key].faces) * count for key, count in plate.counts().items())
    (left, front, bottom), (right, back, top) = extent(corners.reshape(-1, 3))
    width, depth = printer.bed_mm
    # A comparison with what is no number is false, so such corners are refused too.
    inside = min(left, front) >= 0 and right <= width and back <= depth
    lies = abs(bottom) <= 1e-3 and top <= printer.height_mm
    if len(corners) != wanted or not (inside and lies and np.isfinite(corners).all()):
        why = "read back, it does not hold its parts on the bed"
        raise ForgeError([Issue("FDF461", "error", f"`{plate.name}` was not written: {why}")])
