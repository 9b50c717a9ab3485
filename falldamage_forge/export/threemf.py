"""3MF writer: each mesh once, every part an instance of it, always the same bytes.

A plate's file holds its parts where they lie on the bed; the plain project holds all plates side by
side. `bambu_project` adds the metadata of Bambu Studio and OrcaSlicer. Colours are one colour group
each, which is what these programs read of files that are not their own.

Source: 3MF Core Specification 1.2; 3MF Materials and Properties Extension 1.2.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from functools import partial
from pathlib import Path

from falldamage_forge.export.plate_meshes import slot_matrix
from falldamage_forge.export.zip_writer import CompressedSegment, Content, KeptSegment, write_zip
from falldamage_forge.geometry.mesh import Mesh
from falldamage_forge.infra import disk_cache
from falldamage_forge.infra.lazy_dataclass import FrozenDict, dataclass
from falldamage_forge.infra.version import FORGE_VERSION
from falldamage_forge.infra.visible_text import escape
from falldamage_forge.printing.estimate_model import LayerRange
from falldamage_forge.printing.plates import Plate, Slot
from falldamage_forge.printing.printer import Printer
from falldamage_forge.printing.supports import PRUSA_SUPPORTS

PLATE_STRIDE = 1.2
"""Distance between plates, in beds."""
APPLICATION = f"FallDamage Forge {FORGE_VERSION}"
MODEL = "3D/3dmodel.model"
PRUSA_CHANGES = "Metadata/Prusa_Slicer_custom_gcode_per_print_z.xml"
PRUSA_OBJECTS = "Metadata/Slic3r_PE_model.config"
PRUSA_RANGES = "Metadata/Prusa_Slicer_layer_config_ranges.xml"
STUDIO_RANGES = "Metadata/layer_config_ranges.xml"
XML = '<?xml version="1.0" encoding="UTF-8"?>\n'
RELATION = "http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel"
_FOLDER = Path(__file__).resolve().parent
_CORE = "http://schemas.microsoft.com/3dmanufacturing/core/2015/02"
_MATERIALS = "http://schemas.microsoft.com/3dmanufacturing/material/2015/02"
_PRUSA = "http://schemas.slic3r.org/3mf/2017/06"
PRUSA_VERSION: Mapping[str, str] = FrozenDict({"slic3rpe:Version3mf": "1"})
"""Metadata of PrusaSlicer's own files.

Without them it makes a new object of each further copy of a part, which lacks ranges and supports.
"""
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
THUMBNAIL = f"{_PACKAGE}/relationships/metadata/thumbnail"
_COVER = "Metadata/thumbnail.png"
_KINDS = {
    "rels": "application/vnd.openxmlformats-package.relationships+xml",
    "model": "application/vnd.ms-package.3dmanufacturing-3dmodel+xml",
    "config": "application/octet-stream",
    "xml": "application/xml",
    "png": "image/png",
}


@dataclass(frozen=True, slots=True)
class ModelInfo:
    """The words of a file about its model; empty ones are left out."""

    title: str
    designer: str = ""
    description: str = ""
    license: str = ""

    def metadata(self, application: str) -> dict[str, str]:
        """Return the metadata of a model that an application wrote, by the names of 3MF."""
        words = {
            "Title": self.title,
            "Designer": self.designer,
            "Description": self.description,
            "LicenseTerms": self.license,
        }
        return {**{name: text for name, text in words.items() if text}, "Application": application}


@dataclass(frozen=True, slots=True)
class PlateContents:
    """Contents of plates by piece key: meshes in print pose, groups, and `#RRGGBB` by group.

    `supported` holds the keys of parts that are printed with supports, `ranges` the layer ranges of
    those that have some, `pauses_mm` the top of the layer before which the print of a part pauses,
    for what is laid into it.
    """

    meshes: Mapping[str, Mesh]
    groups: Mapping[str, str]
    colours: Mapping[str, str]
    supported: frozenset[str] = frozenset()
    ranges: Mapping[str, tuple[LayerRange, ...]] = FrozenDict()
    pauses_mm: Mapping[str, float] = FrozenDict()
    _written: dict[str, CompressedSegment] = field(default_factory=dict)

    def pauses_of(self, plate: Plate) -> list[float]:
        """Return the tops of the layers before which a plate pauses, from the bed up."""
        return pauses_on(plate, self.pauses_mm)

    def mesh_xml(self, key: str) -> CompressedSegment:
        """Return the `<mesh>` of a piece with exact float32 values, deflated once and kept."""
        if key not in self._written:
            mesh = self.meshes[key]
            # A page without a server has triangles as lists, and no folder to keep anything in.
            kept = isinstance(mesh, Mesh)
            self._written[key] = _kept_segment(mesh) if kept else mesh_segment(mesh)
        return self._written[key]


def pauses_on(plate: Plate, pauses_mm: Mapping[str, float]) -> list[float]:
    """Return the tops of the layers before which a plate pauses, from the bed up.

    Args:
        plate: Plate with its parts.
        pauses_mm: The same of each part that needs a pause, by key.
    """
    return sorted({pauses_mm[key] for key in plate.counts() if key in pauses_mm})


def _kept_segment(mesh: Mesh) -> KeptSegment:
    """Return the `<mesh>` of a mesh, deflated when it was first asked for."""
    content = (mesh.digest().encode(), zlib.ZLIB_RUNTIME_VERSION.encode())

    def kept() -> bytes:
        return mesh_segment(mesh).kept()

    packed = disk_cache.get_or_compute(_FOLDER, (), "mesh of a 3MF", content, kept)
    return KeptSegment(packed, partial(_mesh_text, mesh))


def mesh_segment(mesh: Mesh) -> CompressedSegment:
    """Return the `<mesh>` of a mesh."""
    return CompressedSegment(_mesh_text(mesh))


def _mesh_text(mesh: Mesh) -> bytes:
    """Return the `<mesh>` of a mesh."""
    places, indices = mesh.numbers()
    corners = _rows('     <vertex x="%.9g" y="%.9g" z="%.9g"/>', places)
    faces = _rows('     <triangle v1="%d" v2="%d" v3="%d"/>', indices)
    return (
        f"   <mesh>\n    <vertices>\n{corners}\n    </vertices>\n"
        f"    <triangles>\n{faces}\n    </triangles>\n   </mesh>\n"
    ).encode()


def _rows(form: str, numbers: tuple[float, ...]) -> str:
    """Return rows of three numbers, a formatted line each; one operation for all is much faster."""
    return "\n".join([form] * (len(numbers) // 3)) % numbers


@dataclass(frozen=True, slots=True)
class BuildItem:
    """One part: its object's number and a 3x4 matrix of rotation and shift in mm."""

    number: int
    matrix: tuple[tuple[float, ...], ...]


def write_plate(plate: Plate, contents: PlateContents, picture: bytes | None = None) -> bytes:
    """Return one plate as 3MF, its parts where they lie on the bed.

    Args:
        plate: The plate.
        contents: Meshes, groups and colours of the pieces.
        picture: PNG of the plate; None for none.
    """
    return _with_picture(_plate_parts(plate, contents), picture)


def write_part(key: str, mesh: Mesh, ranges: tuple[LayerRange, ...]) -> bytes:
    """Return one part as 3MF, in a corner of the bed.

    Args:
        key: Its name.
        mesh: Its mesh in print pose.
        ranges: Its layer ranges.
    """
    low, high = mesh.bounds_mm()
    slot = Slot(key, 0.0, 0.0, high[0] - low[0], high[1] - low[1])
    contents = PlateContents({key: mesh}, {key: ""}, {"": "#808080"}, ranges={key: ranges})
    return write_plate(Plate(1, "", (slot,)), contents)


def _with_picture(parts: Mapping[str, Content], picture: bytes | None) -> bytes:
    if picture is None:
        return zip_package(parts)
    return zip_package({**parts, _COVER: picture}, [(THUMBNAIL, _COVER)])


def _code(z_mm: float, kind: int, colour: str, code: str) -> str:
    """Return what PrusaSlicer does before a layer: 0 changes the colour, 1 pauses."""
    return (
        f'<code print_z="{z_mm:g}" type="{kind}" extruder="1"'
        f' color="{colour}" extra="" gcode="{code}"/>'
    )


def _plate_parts(plate: Plate, contents: PlateContents) -> dict[str, tuple[CompressedSegment, ...]]:
    """Return the members of a plate: its model, and what PrusaSlicer needs beside it.

    That is its change of filament, M600 there, which a plain 3MF may hold, its pauses, M601, its
    supports, and its layer ranges.
    """
    numbers = object_numbers([plate], contents)
    items = _items(plate, numbers, contents, (0.0, 0.0))
    about = {**ModelInfo(plate.name).metadata(APPLICATION), **PRUSA_VERSION}
    parts = {
        MODEL: model_xml(about, numbers, items, contents),
        **_supports(numbers, contents),
        **ranges_member(PRUSA_RANGES, numbers, contents),
    }
    codes = {z_mm: _code(z_mm, 1, "", "M601") for z_mm in contents.pauses_of(plate)}
    if plate.change:
        z_mm = plate.change.print_z_mm
        codes[z_mm] = _code(z_mm, 0, contents.colours[plate.change.body], "M600")
    if codes:
        lines = "".join(f" {codes[z_mm]}\n" for z_mm in sorted(codes))
        text = f"""{XML}<custom_gcodes_per_print_z>
{lines} <mode value="SingleExtruder"/>
</custom_gcodes_per_print_z>
"""
        parts[PRUSA_CHANGES] = (CompressedSegment(text),)
    return parts


def _supports(
    numbers: Mapping[str, int], contents: PlateContents
) -> dict[str, tuple[CompressedSegment, ...]]:
    """Return the member in which PrusaSlicer finds the parts with supports; none without them.

    An object that it lists is made of the triangles of its volumes; others stay as they are.
    """
    objects = "".join(
        f' <object id="{number}" instances_count="1">\n'
        f'  <metadata type="object" key="name" value="{escape(key)}"/>\n'
        + "".join(
            f'  <metadata type="object" key="{name}" value="{value}"/>\n'
            for name, value in PRUSA_SUPPORTS.items()
        )
        + f'  <volume firstid="0" lastid="{len(contents.meshes[key].faces) - 1}">\n'
        f'   <metadata type="volume" key="name" value="{escape(key)}"/>\n'
        f'   <metadata type="volume" key="volume_type" value="ModelPart"/>\n'
        "  </volume>\n </object>\n"
        for key, number in numbers.items()
        if key in contents.supported
    )
    text = f"{XML}<config>\n{objects}</config>\n"
    return {PRUSA_OBJECTS: (CompressedSegment(text),)} if objects else {}


def ranges_member(
    name: str, numbers: Mapping[str, int], contents: PlateContents
) -> dict[str, tuple[CompressedSegment, ...]]:
    """Return the member with the layer ranges of the objects; none without ranges.

    PrusaSlicer, Bambu Studio and OrcaSlicer read the same text under different names. They count
    objects from 1 in the order of the file, or in that of the items; both are the same here.

    Args:
        name: Name of the member.
        numbers: Object number by key of piece, in the order of the file.
        contents: Ranges by key of piece.
    """
    objects = "".join(
        f' <object id="{place}">\n{"".join(map(_range_xml, contents.ranges[key]))} </object>\n'
        for place, key in enumerate(numbers, start=1)
        if contents.ranges.get(key)
    )
    text = f"{XML}<objects>\n{objects}</objects>\n"
    return {name: (CompressedSegment(text),)} if objects else {}


def _range_xml(own: LayerRange) -> str:
    return (
        f'  <range min_z="{own.bottom_mm:g}" max_z="{own.top_mm:g}">\n'
        '   <option opt_key="extruder">0</option>\n'
        f'   <option opt_key="layer_height">{own.layer_mm:g}</option>\n'
        "  </range>\n"
    )


def write_plain(
    about: ModelInfo,
    plates: Sequence[Plate],
    contents: PlateContents,
    printer: Printer,
    picture: bytes | None = None,
) -> bytes:
    """Return all plates side by side as 3MF: meshes, names and colours.

    Args:
        about: Title and further words.
        plates: Plates of the job.
        contents: Meshes, groups and colours of the pieces.
        printer: Gives the size of the bed.
        picture: PNG of the model; None for none.
    """
    numbers = object_numbers(plates, contents)
    items = [item for each in items_by_plate(plates, numbers, contents, printer) for item in each]
    words = {**about.metadata(APPLICATION), **PRUSA_VERSION}
    parts = {
        MODEL: model_xml(words, numbers, items, contents),
        **_supports(numbers, contents),
        **ranges_member(PRUSA_RANGES, numbers, contents),
        **ranges_member(STUDIO_RANGES, numbers, contents),
    }
    return _with_picture(parts, picture)


def plate_corner_mm(number: int, plates: int, printer: Printer) -> tuple[float, float]:
    """Return the lower left corner of a plate in a project's world.

    Args:
        number: Index of the plate, from 0.
        plates: Number of plates.
        printer: Gives the size of the bed.
    """
    columns = math.ceil(math.sqrt(plates))
    width, depth = (side * PLATE_STRIDE for side in printer.bed_mm)
    return number % columns * width, -(number // columns) * depth


def items_by_plate(
    plates: Sequence[Plate], numbers: Mapping[str, int], contents: PlateContents, printer: Printer
) -> list[list[BuildItem]]:
    """Return the parts of each plate at its place in the world.

    Args:
        plates: All plates of the file.
        numbers: Object number by key of piece.
        contents: Meshes, groups and colours.
        printer: Printer whose plates lie side by side.
    """
    return [
        _items(plate, numbers, contents, plate_corner_mm(number, len(plates), printer))
        for number, plate in enumerate(plates)
    ]


def object_numbers(plates: Iterable[Plate], contents: PlateContents) -> dict[str, int]:
    """Return object numbers of the pieces on some plates, in the order in which they are used.

    Those before are colour groups.

    Args:
        plates: Plates whose pieces are numbered.
        contents: Meshes, groups and colours.
    """
    keys = dict.fromkeys(slot.key for plate in plates for slot in plate.slots)
    first = 1 + len(groups_of(keys, contents))
    return {key: number for number, key in enumerate(keys, start=first)}


def _items(
    plate: Plate,
    numbers: Mapping[str, int],
    contents: PlateContents,
    shift_mm: tuple[float, float],
) -> list[BuildItem]:
    items = []
    for slot in plate.slots:
        x, y, z = slot_matrix(slot, contents.meshes[slot.key])
        x, y = (*x[:3], x[3] + shift_mm[0]), (*y[:3], y[3] + shift_mm[1])
        items.append(BuildItem(numbers[slot.key], (x, y, z)))
    return items


def model_xml(
    metadata: Mapping[str, str],
    numbers: Mapping[str, int],
    items: Iterable[BuildItem],
    contents: PlateContents,
    *,
    coloured: bool = True,
) -> tuple[CompressedSegment, ...]:
    """Return the model member: colours, one object per piece, one item per part.

    Args:
        metadata: Words about the model by name.
        numbers: Object number of each piece.
        items: Parts.
        contents: Meshes, groups and colours of the pieces.
        coloured: True to give each object the colour group of its filament.
    """
    groups = groups_of(numbers, contents)
    colours = "".join(
        f'  <m:colorgroup id="{number}">\n'
        f'   <m:color color="{escape(contents.colours[group].upper())}FF"/>\n'
        "  </m:colorgroup>\n"
        for number, group in enumerate(groups, start=1)
        if coloured
    )
    objects: list[str | CompressedSegment] = []
    for key, number in numbers.items():
        colour = f' pid="{1 + groups.index(contents.groups[key])}" pindex="0"' if coloured else ""
        about = f'name="{escape(key)}" type="model"{colour}'
        objects += [f'  <object id="{number}" {about}>\n', contents.mesh_xml(key), "  </object>\n"]
    build = "".join(
        f'  <item objectid="{item.number}" transform="{_transform(item)}"/>\n' for item in items
    )
    words = "".join(
        f' <metadata name="{name}">{_text(text)}</metadata>\n' for name, text in metadata.items()
    )
    spaces = f'xmlns="{_CORE}"' + (f' xmlns:m="{_MATERIALS}"' if coloured else "")
    if PRUSA_VERSION.keys() <= metadata.keys():
        spaces += f' xmlns:slic3rpe="{_PRUSA}"'
    head = (
        f'{XML}<model unit="millimeter" xml:lang="en-US" {spaces}>\n{words} <resources>\n{colours}'
    )
    return _stretches([head, *objects, f" </resources>\n <build>\n{build} </build>\n</model>\n"])


def groups_of(keys: Iterable[str], contents: PlateContents) -> list[str]:
    """Return the groups of some pieces in the order of their colours.

    Args:
        keys: Keys of pieces.
        contents: Meshes, groups and colours.
    """
    used = {contents.groups[key] for key in keys}
    return [group for group in contents.colours if group in used]


def _stretches(parts: Iterable[str | CompressedSegment]) -> tuple[CompressedSegment, ...]:
    """Join the texts between segments into one segment each."""
    found, words = [], ""
    for part in parts:
        if isinstance(part, str):
            words += part
            continue
        found += [CompressedSegment(words), part]
        words = ""
    return (*found, CompressedSegment(words))


def _transform(item: BuildItem) -> str:
    """Return twelve numbers: 3MF multiplies row vectors, so the matrix is transposed."""
    columns = zip(*item.matrix, strict=True)
    return " ".join(f"{value:.9g}" for column in columns for value in column)


def _text(text: str) -> str:
    """Return text for an element, without characters that XML forbids."""
    printable = "".join(each for each in text if each.isprintable())
    return printable.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _types(names: Iterable[str]) -> str:
    """Return `[Content_Types].xml` for the kinds of members present."""
    used = {"rels"} | {name.rpartition(".")[2] for name in names}
    lines = "".join(
        f' <Default Extension="{kind}" ContentType="{what}"/>\n'
        for kind, what in _KINDS.items()
        if kind in used
    )
    return f'{XML}<Types xmlns="{_PACKAGE}/content-types">\n{lines}</Types>\n'


def _rels(pointers: Iterable[tuple[str, str]]) -> str:
    """Return `_rels/.rels` from (type, member) pairs."""
    lines = "".join(
        f' <Relationship Target="/{part}" Id="rel-{number}" Type="{kind}"/>\n'
        for number, (kind, part) in enumerate(pointers, start=1)
    )
    return f'{XML}<Relationships xmlns="{_PACKAGE}/relationships">\n{lines}</Relationships>\n'


def _front(
    parts: Iterable[str], pointers: Sequence[tuple[str, str]] = ()
) -> dict[str, tuple[CompressedSegment, ...]]:
    """Return the members that precede the given ones: content types and relationships."""
    return {
        "[Content_Types].xml": (CompressedSegment(_types(parts)),),
        "_rels/.rels": (CompressedSegment(_rels([(RELATION, MODEL), *pointers])),),
    }


def zip_package(
    parts: Mapping[str, str | Content], pointers: Sequence[tuple[str, str]] = ()
) -> bytes:
    """Return the zip of all members, cached on disk because deflating is slow.

    Args:
        parts: Members by name.
        pointers: (type, member) relationships besides the model.
    """
    members: dict[str, Content] = {
        name: (CompressedSegment(content),) if isinstance(content, str) else content
        for name, content in {**_front(parts, pointers), **parts}.items()
    }
    # Where segments end decides the bytes of the zip too.
    about = f"3MF {zlib.ZLIB_RUNTIME_VERSION} {list(members)}"
    bodies = (
        each if isinstance(each, bytes) else b"".join(part.digest for part in each)
        for each in members.values()
    )
    return disk_cache.get_or_compute(_FOLDER, (), about, bodies, lambda: write_zip(members))
