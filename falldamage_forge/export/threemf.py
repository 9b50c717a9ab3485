"""Core 3MF written by hand: each mesh once, every part an instance of it, always the same bytes.

A plate's file holds its parts where they lie on the bed; the plain project holds all plates beside
one another. What Bambu Studio and OrcaSlicer want to know besides is in `studio`.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from falldamage_forge import __version__, cache
from falldamage_forge.export.plates import slot_matrix
from falldamage_forge.export.zipped import Content, Stretch, zipped
from falldamage_forge.geometry.mesh import Mesh
from falldamage_forge.printing.plates import Plate
from falldamage_forge.printing.printer import Printer
from falldamage_forge.visible import escape

if TYPE_CHECKING:
    from numpy.typing import NDArray

PLATE_STRIDE = 1.2
"""From plate to plate, in beds."""
APPLICATION = f"FallDamage Forge {__version__}"
MODEL = "3D/3dmodel.model"
XML = '<?xml version="1.0" encoding="UTF-8"?>\n'
RELATION = "http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel"
_ROOM = Path(__file__).resolve().parent
_CORE = "http://schemas.microsoft.com/3dmanufacturing/core/2015/02"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_KINDS = {
    "rels": "application/vnd.openxmlformats-package.relationships+xml",
    "model": "application/vnd.ms-package.3dmanufacturing-3dmodel+xml",
    "config": "application/octet-stream",
    "png": "image/png",
}


@dataclass(frozen=True, slots=True)
class Stuff:
    """What plates are made of: meshes in print pose, colour groups and `#RRGGBB`s by group."""

    meshes: Mapping[str, Mesh]
    groups: Mapping[str, str]
    colours: Mapping[str, str]
    _written: dict[str, Stretch] = field(default_factory=dict)

    def mesh_xml(self, key: str) -> Stretch:
        """The `<mesh>` of a piece, float32 exactly, written and deflated once."""
        if key not in self._written:
            mesh = self.meshes[key]
            corners = _rows('     <vertex x="%.9g" y="%.9g" z="%.9g"/>', mesh.vertices)
            faces = _rows('     <triangle v1="%d" v2="%d" v3="%d"/>', mesh.faces)
            self._written[key] = Stretch(
                f"   <mesh>\n    <vertices>\n{corners}\n    </vertices>\n"
                f"    <triangles>\n{faces}\n    </triangles>\n   </mesh>\n"
            )
        return self._written[key]

    def groups_of(self, numbers: Mapping[str, int]) -> list[str]:
        """The colour groups of some pieces, sorted."""
        return sorted({self.groups[key] for key in numbers})


def _rows(form: str, numbers: NDArray[Any]) -> str:
    """Each row of numbers in one form, a line each; all in one go, which is far quicker."""
    return "\n".join([form] * len(numbers)) % tuple(numbers.ravel().tolist())


@dataclass(frozen=True, slots=True)
class Item:
    """One part: its object's number and a 3x4 matrix of rotation and shift in mm."""

    number: int
    matrix: tuple[tuple[float, ...], ...]


def write_plate(plate: Plate, stuff: Stuff) -> bytes:
    """One plate as core 3MF, its parts where they lie on the bed."""
    numbers = object_numbers([plate])
    items = _items(plate, numbers, stuff, (0.0, 0.0))
    return package({MODEL: model_xml(plate.name, APPLICATION, numbers, items, stuff)})


def write_plain(title: str, plates: Sequence[Plate], stuff: Stuff, printer: Printer) -> bytes:
    """All plates side by side as core 3MF that any program opens: meshes, names and colours."""
    numbers = object_numbers(plates)
    items = [item for each in items_by_plate(plates, numbers, stuff, printer) for item in each]
    return package({MODEL: model_xml(title, APPLICATION, numbers, items, stuff)})


def plate_corner_mm(number: int, plates: int, printer: Printer) -> tuple[float, float]:
    """Lower left corner of plate `number` (from 0) of so many in a project's world."""
    columns = math.ceil(math.sqrt(plates))
    width, depth = (side * PLATE_STRIDE for side in printer.bed_mm)
    return number % columns * width, -(number // columns) * depth


def items_by_plate(
    plates: Sequence[Plate], numbers: Mapping[str, int], stuff: Stuff, printer: Printer
) -> list[list[Item]]:
    """The parts of each plate at its place in the world."""
    return [
        _items(plate, numbers, stuff, plate_corner_mm(number, len(plates), printer))
        for number, plate in enumerate(plates)
    ]


def object_numbers(plates: Iterable[Plate]) -> dict[str, int]:
    """Object numbers of the pieces on some plates; 1 is the list of colours."""
    keys = sorted({slot.key for plate in plates for slot in plate.slots})
    return {key: number for number, key in enumerate(keys, start=2)}


def _items(
    plate: Plate, numbers: Mapping[str, int], stuff: Stuff, shift_mm: tuple[float, float]
) -> list[Item]:
    found = []
    for slot in plate.slots:
        x, y, z = slot_matrix(slot, stuff.meshes[slot.key])
        x, y = (*x[:3], x[3] + shift_mm[0]), (*y[:3], y[3] + shift_mm[1])
        found.append(Item(numbers[slot.key], (x, y, z)))
    return found


def model_xml(
    title: str,
    application: str,
    numbers: Mapping[str, int],
    items: Iterable[Item],
    stuff: Stuff,
) -> tuple[Stretch, ...]:
    """The model part: colours, one object a piece, one item a part."""
    groups = stuff.groups_of(numbers)
    bases = "".join(
        f'   <base name="{escape(group)}" displaycolor="{escape(stuff.colours[group])}"/>\n'
        for group in groups
    )
    objects: list[str | Stretch] = []
    for key, number in numbers.items():
        colour = groups.index(stuff.groups[key])
        about = f'name="{escape(key)}" type="model" pid="1" pindex="{colour}"'
        objects += [f'  <object id="{number}" {about}>\n', stuff.mesh_xml(key), "  </object>\n"]
    build = "".join(
        f'  <item objectid="{item.number}" transform="{_transform(item)}"/>\n' for item in items
    )
    head = (
        f'{XML}<model unit="millimeter" xml:lang="en-US" xmlns="{_CORE}">\n'
        f' <metadata name="Title">{_text(title)}</metadata>\n'
        f' <metadata name="Application">{_text(application)}</metadata>\n'
        f' <resources>\n  <basematerials id="1">\n{bases}  </basematerials>\n'
    )
    return _stretches([head, *objects, f" </resources>\n <build>\n{build} </build>\n</model>\n"])


def _stretches(parts: Iterable[str | Stretch]) -> tuple[Stretch, ...]:
    """Texts that lie between stretches made one each."""
    found, words = [], ""
    for part in parts:
        if isinstance(part, str):
            words += part
            continue
        found += [Stretch(words), part]
        words = ""
    return (*found, Stretch(words))


def _transform(item: Item) -> str:
    """Twelve numbers: 3MF multiplies row vectors, so the matrix stands transposed."""
    columns = zip(*item.matrix, strict=True)
    return " ".join(f"{value:.9g}" for column in columns for value in column)


def _text(text: str) -> str:
    """Text for an element, without what XML forbids."""
    kept = "".join(each for each in text if each.isprintable())
    return kept.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _types(names: Iterable[str]) -> str:
    """`[Content_Types].xml` for the kinds of parts that are there."""
    used = {"rels"} | {name.rpartition(".")[2] for name in names}
    lines = "".join(
        f' <Default Extension="{kind}" ContentType="{what}"/>\n'
        for kind, what in _KINDS.items()
        if kind in used
    )
    return f'{XML}<Types xmlns="{_PACKAGE}/content-types">\n{lines}</Types>\n'


def _rels(pointers: Iterable[tuple[str, str]]) -> str:
    """`_rels/.rels`: (kind, part) of what a reader should find first."""
    lines = "".join(
        f' <Relationship Target="/{part}" Id="rel-{number}" Type="{kind}"/>\n'
        for number, (kind, part) in enumerate(pointers, start=1)
    )
    return f'{XML}<Relationships xmlns="{_PACKAGE}/relationships">\n{lines}</Relationships>\n'


def package(parts: Mapping[str, str | Content], pointers: Sequence[tuple[str, str]] = ()) -> bytes:
    """The zip of all parts; `pointers` are relations besides the model.

    To deflate takes long, so that packages are kept too.
    """
    front = {
        "[Content_Types].xml": _types(parts),
        "_rels/.rels": _rels([(RELATION, MODEL), *pointers]),
    }
    members: dict[str, Content] = {
        name: (Stretch(content),) if isinstance(content, str) else content
        for name, content in {**front, **parts}.items()
    }
    about = f"3MF {zlib.ZLIB_RUNTIME_VERSION} {list(members)}"
    bodies = (
        each if isinstance(each, bytes) else b"".join(part.data for part in each)
        for each in members.values()
    )
    return cache.remembered(_ROOM, (), about, bodies, lambda: zipped(members))
