"""3MF of others: objects, components and build items of its model files, within limits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field
from typing import TYPE_CHECKING, Any
from xml.parsers import expat

from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.infra.package_reader import InvalidPackage, Package, open_package
from falldamage_forge.issues import refuse
from falldamage_forge.models.triangles import MAX_TRIANGLES, Triangles, damaged, require_few

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MAX_MEMBERS = 5_000
MAX_XML = 600_000_000
"""Bytes of all model files together; two million triangles take some 200 MB of XML."""
MAX_DEPTH = 12
MAX_PARTS = 20_000
"""Most uses of objects in a file."""
UNITS = {
    "micron": "micron",
    "millimeter": "mm",
    "centimeter": "cm",
    "inch": "inch",
    "foot": "foot",
    "meter": "m",
}
Key = tuple[str, str]
"""Member and number of an object."""
Use = tuple[Key, tuple[float, ...]]
"""An object with the 12 numbers of its transform, rows of 3; none stays where it is."""


@dataclass(slots=True)
class _Found:
    """Objects and items of the members read so far."""

    points: dict[Key, list[float]] = field(default_factory=dict)
    faces: dict[Key, list[int]] = field(default_factory=dict)
    uses: dict[Key, list[Use]] = field(default_factory=dict)
    items: list[Use] = field(default_factory=list)
    unit: str = "millimeter"
    triangles: int = 0


def read_3mf_model(data: bytes, name: str) -> Triangles:
    """Return the triangles of all build items of a 3MF.

    Args:
        data: Bytes of the file.
        name: Its name in messages.

    Raises:
        ForgeError: FDF510 for a zip without a model, FDF511 above a limit, FDF512 if it is damaged.
    """
    import numpy as np

    try:
        package = open_package(data, MAX_MEMBERS)
    except InvalidPackage as error:
        raise damaged(name, str(error)) from None
    members = [each for each in package.names if each.lower().endswith(".model")]
    if not members:
        inside = [each for each in package.names if each.lower().endswith((".stl", ".obj"))]
        hint = "export the model as a mesh, such as STL"
        if inside:
            hint = f"unpack it, and name a model such as `{inside[0][:60]}`"
        raise refuse("FDF510", f"`{name}` is a zip without a 3MF model", hint)
    found = _Found()
    for member in sorted(members):
        _read_member(package, member, found, name)
    shapes = {
        key: (np.array(points).reshape(-1, 3), np.array(found.faces[key], np.int64).reshape(-1, 3))
        for key, points in found.points.items()
    }
    items = found.items or [(key, ()) for key in shapes]
    points, faces, count = [], [], 0
    for own, turned in _parts(items, found.uses, shapes, name):
        points.append(turned)
        faces.append(own[1] + count)
        count += len(turned)
        require_few(name, sum(map(len, faces)))
    if not points:
        raise refuse(
            "FDF510", f"`{name}` has no triangles", "export the model as a mesh, such as STL"
        )
    unit = UNITS.get(found.unit, "mm")
    return Triangles(np.concatenate(points), np.concatenate(faces), "3MF", unit)


def _read_member(package: Package, member: str, found: _Found, name: str) -> None:
    """Add the objects and items of one member."""
    try:
        text = package.read(member, MAX_XML)
    except InvalidPackage as error:
        raise damaged(name, str(error)) from None
    current = ["0"]

    def key_of(attributes: Mapping[str, str]) -> Key:
        path = next((v for k, v in attributes.items() if k.endswith(":path")), "")
        return (path.lstrip("/") or member, attributes["objectid"])

    def start(tag: str, attributes: dict[str, str]) -> None:
        word = tag.rpartition(":")[2]
        if word == "triangle":
            own = found.faces[member, current[0]]
            own += (_index(attributes["v1"]), _index(attributes["v2"]), _index(attributes["v3"]))
            found.triangles += 1
            if found.triangles > MAX_TRIANGLES:
                require_few(name, found.triangles)
        elif word == "vertex":
            points = found.points[member, current[0]]
            points += (float(attributes["x"]), float(attributes["y"]), float(attributes["z"]))
            if len(points) > 9 * MAX_TRIANGLES:
                require_few(name, MAX_TRIANGLES + 1)
        elif word == "object":
            current[0] = attributes["id"]
        elif word == "mesh":
            found.points[member, current[0]], found.faces[member, current[0]] = [], []
        elif word == "component":
            use = (key_of(attributes), _numbers(attributes))
            found.uses.setdefault((member, current[0]), []).append(use)
        elif word == "item":
            found.items.append((key_of(attributes), _numbers(attributes)))
        elif word == "model":
            found.unit = attributes.get("unit", found.unit)

    def refuse_types(*_: object) -> None:
        raise damaged(name, f"`{member}` declares a document type")

    parser = expat.ParserCreate()
    parser.StartElementHandler = start
    parser.StartDoctypeDeclHandler = refuse_types
    try:
        parser.Parse(text, True)
    except expat.ExpatError as error:
        raise damaged(name, f"`{member}` is no valid XML: line {error.lineno}") from None
    except (KeyError, ValueError, OverflowError):
        line = parser.CurrentLineNumber
        raise damaged(name, f"line {line} of `{member}` lacks a number") from None


def _index(text: str) -> int:
    """Return the index of a corner; one that no list has stays one that no list has."""
    return min(int(text[:20]), 9 * MAX_TRIANGLES)


def _numbers(attributes: Mapping[str, str]) -> tuple[float, ...]:
    """Return the 12 numbers of a transform; none if there is no transform."""
    numbers = tuple(map(float, attributes.get("transform", "").split()))
    if len(numbers) not in (0, 12):
        raise ValueError(numbers)
    return numbers


Shape = tuple[Any, Any]


def _parts(
    items: list[Use], uses: Mapping[Key, list[Use]], shapes: Mapping[Key, Shape], name: str
) -> Iterator[tuple[Shape, NDArray[np.float64]]]:
    """Yield each use of a mesh, with its corners where they are."""
    import numpy as np

    left = [(key, [numbers], 0) for key, numbers in reversed(items)]
    count = 0
    while left:
        key, chain, depth = left.pop()
        count += 1
        if count > MAX_PARTS or depth > MAX_DEPTH:
            raise damaged(name, "its objects contain one another too often")
        if key in shapes:
            points = shapes[key][0]
            for numbers in reversed(chain):
                if numbers:
                    matrix = np.array(numbers).reshape(4, 3)
                    points = points @ matrix[:3] + matrix[3]
            yield shapes[key], points
        left += [(inner, [*chain, numbers], depth + 1) for inner, numbers in uses.get(key, ())]
