"""3MF written by hand: each mesh once, every part an instance of it, the same bytes every time.

A plate's file is plain core 3MF. The project file has all plates and carries besides what Bambu
Studio and OrcaSlicer need to show them apart: their names, and each part at its plate's place in
the world, where plate number i of n stands in a grid of ceil(sqrt(n)) columns, 1.2 beds apart.
"""

from __future__ import annotations

import io
import json
import math
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from xml.sax.saxutils import quoteattr

from falldamage_forge import __version__
from falldamage_forge.export.plates import slot_matrix
from falldamage_forge.geometry.mesh import Mesh
from falldamage_forge.printing.plates import Plate
from falldamage_forge.printing.printer import Printer

MAX_PLATES = 36
"""More plates than this Bambu Studio does not open in one project."""
PLATE_STRIDE = 1.2
PROJECT_VERSION = "02.00.00.00"
PROJECT_OF = f"BambuStudio-{PROJECT_VERSION}"
"""Plates are only read from files that claim to be Bambu Studio's, with a version it can parse:
an older one has its settings converted, a newer one brings up a warning."""
MODEL = "3D/3dmodel.model"
_DATE = (1980, 1, 1, 0, 0, 0)
_CORE = "http://schemas.microsoft.com/3dmanufacturing/core/2015/02"
_XML = '<?xml version="1.0" encoding="UTF-8"?>\n'
_TYPES = (
    _XML + '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">\n'
    ' <Default Extension="rels"'
    ' ContentType="application/vnd.openxmlformats-package.relationships+xml"/>\n'
    ' <Default Extension="model"'
    ' ContentType="application/vnd.ms-package.3dmanufacturing-3dmodel+xml"/>\n'
    ' <Default Extension="config" ContentType="application/octet-stream"/>\n'
    "</Types>\n"
)
_RELS = (
    _XML + '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">\n'
    f' <Relationship Target="/{MODEL}" Id="rel-1"'
    ' Type="http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel"/>\n'
    "</Relationships>\n"
)


@dataclass(frozen=True, slots=True)
class Stuff:
    """What plates are made of: meshes in print pose, colour groups and `#RRGGBB`s by group."""

    meshes: Mapping[str, Mesh]
    groups: Mapping[str, str]
    colours: Mapping[str, str]
    _written: dict[str, str]

    @classmethod
    def of(
        cls, meshes: Mapping[str, Mesh], groups: Mapping[str, str], colours: Mapping[str, str]
    ) -> Stuff:
        """Stuff that remembers each mesh's text."""
        return cls(meshes, groups, colours, {})

    def mesh_xml(self, key: str) -> str:
        """The `<mesh>` of a piece, float32 exactly, written once."""
        if key not in self._written:
            mesh = self.meshes[key]
            corners = "\n".join(
                f'     <vertex x="{x:.9g}" y="{y:.9g}" z="{z:.9g}"/>'
                for x, y, z in mesh.vertices.tolist()
            )
            faces = "\n".join(
                f'     <triangle v1="{a}" v2="{b}" v3="{c}"/>' for a, b, c in mesh.faces.tolist()
            )
            self._written[key] = (
                f"   <mesh>\n    <vertices>\n{corners}\n    </vertices>\n"
                f"    <triangles>\n{faces}\n    </triangles>\n   </mesh>\n"
            )
        return self._written[key]


@dataclass(frozen=True, slots=True)
class Item:
    """One part: its object's number and a 3x4 matrix of rotation and shift in mm."""

    number: int
    matrix: tuple[tuple[float, ...], ...]


def write_plate(plate: Plate, stuff: Stuff) -> bytes:
    """One plate as core 3MF, its parts where they lie on the bed."""
    numbers = _numbers([plate], stuff)
    items = _items(plate, numbers, stuff, (0.0, 0.0))
    application = f"FallDamage Forge {__version__}"
    return _package({MODEL: _model(plate.name, application, numbers, items, stuff)})


def write_projects(
    title: str, plates: Sequence[Plate], stuff: Stuff, printer: Printer
) -> list[bytes]:
    """Projects of at most 36 plates for Bambu Studio and OrcaSlicer; usually one."""
    return [
        _project(title, plates[start : start + MAX_PLATES], stuff, printer)
        for start in range(0, len(plates), MAX_PLATES)
    ]


def _project(title: str, plates: Sequence[Plate], stuff: Stuff, printer: Printer) -> bytes:
    numbers = _numbers(plates, stuff)
    columns = math.ceil(math.sqrt(len(plates)))
    width, depth = (side * PLATE_STRIDE for side in printer.bed_mm)
    by_plate = [
        _items(plate, numbers, stuff, (number % columns * width, -(number // columns) * depth))
        for number, plate in enumerate(plates)
    ]
    items = [item for each in by_plate for item in each]
    model = _model(title, PROJECT_OF, numbers, items, stuff)
    groups = _groups(numbers, stuff)
    return _package(
        {
            MODEL: model,
            "Metadata/model_settings.config": _settings(plates, by_plate, numbers, stuff),
            "Metadata/project_settings.config": _printer(printer, groups, stuff.colours),
        }
    )


def _numbers(plates: Iterable[Plate], stuff: Stuff) -> dict[str, int]:
    """Object numbers of the pieces on some plates; 1 is the list of colours."""
    keys = sorted({slot.key for plate in plates for slot in plate.slots})
    return {key: number for number, key in enumerate(keys, start=2)}


def _groups(numbers: Mapping[str, int], stuff: Stuff) -> list[str]:
    return sorted({stuff.groups[key] for key in numbers})


def _items(
    plate: Plate, numbers: Mapping[str, int], stuff: Stuff, shift_mm: tuple[float, float]
) -> list[Item]:
    found = []
    for slot in plate.slots:
        x, y, z = slot_matrix(slot, stuff.meshes[slot.key])
        x, y = (*x[:3], x[3] + shift_mm[0]), (*y[:3], y[3] + shift_mm[1])
        found.append(Item(numbers[slot.key], (x, y, z)))
    return found


def _model(
    title: str,
    application: str,
    numbers: Mapping[str, int],
    items: Iterable[Item],
    stuff: Stuff,
) -> str:
    groups = _groups(numbers, stuff)
    bases = "".join(
        f"   <base name={quoteattr(group)} displaycolor={quoteattr(stuff.colours[group])}/>\n"
        for group in groups
    )
    objects = "".join(
        f'  <object id="{number}" name={quoteattr(key)} type="model" pid="1"'
        f' pindex="{groups.index(stuff.groups[key])}">\n{stuff.mesh_xml(key)}  </object>\n'
        for key, number in numbers.items()
    )
    build = "".join(
        f'  <item objectid="{item.number}" transform="{_transform(item)}"/>\n' for item in items
    )
    return (
        f'{_XML}<model unit="millimeter" xml:lang="en-US" xmlns="{_CORE}">\n'
        f' <metadata name="Title">{_text(title)}</metadata>\n'
        f' <metadata name="Application">{_text(application)}</metadata>\n'
        f' <resources>\n  <basematerials id="1">\n{bases}  </basematerials>\n'
        f"{objects} </resources>\n <build>\n{build} </build>\n</model>\n"
    )


def _transform(item: Item) -> str:
    """Twelve numbers: 3MF multiplies row vectors, so the matrix stands transposed."""
    columns = zip(*item.matrix, strict=True)
    return " ".join(f"{value:.9g}" for column in columns for value in column)


def _text(text: str) -> str:
    """Text for an element, without what XML forbids."""
    kept = "".join(each for each in text if each.isprintable())
    return kept.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _settings(
    plates: Sequence[Plate],
    by_plate: Sequence[Sequence[Item]],
    numbers: Mapping[str, int],
    stuff: Stuff,
) -> str:
    """Names of objects, their filament by colour, and which instance stands on which plate."""
    groups = _groups(numbers, stuff)
    lines = [f"{_XML}<config>"]
    for key, number in numbers.items():
        filament = groups.index(stuff.groups[key]) + 1
        lines += [
            f'  <object id="{number}">',
            _entry("name", key, 4),
            _entry("extruder", filament, 4),
            f'    <part id="{number}" subtype="normal_part">',
            _entry("name", key, 6),
            _entry("matrix", "1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1", 6),
            "    </part>",
            "  </object>",
        ]
    instances: dict[int, int] = {}
    identity = 0
    for place, (plate, items) in enumerate(zip(plates, by_plate, strict=True), start=1):
        lines += ["  <plate>", _entry("plater_id", place, 4), _entry("plater_name", plate.name, 4)]
        lines.append(_entry("locked", "false", 4))
        for item in items:
            identity += 1
            instance = instances.setdefault(item.number, 0)
            instances[item.number] += 1
            lines += [
                "    <model_instance>",
                _entry("object_id", item.number, 6),
                _entry("instance_id", instance, 6),
                _entry("identify_id", identity, 6),
                "    </model_instance>",
            ]
        lines.append("  </plate>")
    return "\n".join([*lines, "</config>"]) + "\n"


def _entry(key: str, value: object, indent: int) -> str:
    return f'{" " * indent}<metadata key="{key}" value={quoteattr(str(value))}/>'


def _printer(printer: Printer, groups: Sequence[str], colours: Mapping[str, str]) -> str:
    """The printer as a slicer's project says it: model, nozzle, bed, a filament a colour."""
    width, depth = printer.bed_mm
    corners = ((0.0, 0.0), (width, 0.0), (width, depth), (0.0, depth))
    settings = {
        "filament_colour": [colours[group] for group in groups],
        "filament_type": ["PLA"] * len(groups),
        "from": "project",
        "layer_height": f"{printer.layer_mm:g}",
        "name": "project_settings",
        "nozzle_diameter": [f"{printer.nozzle_mm:g}"],
        "printable_area": [f"{x:g}x{y:g}" for x, y in corners],
        "printable_height": f"{printer.height_mm:g}",
        "printer_model": printer.title,
        "printer_variant": f"{printer.nozzle_mm:g}",
        "version": PROJECT_VERSION,
    }
    return json.dumps(settings, indent=4, ensure_ascii=False) + "\n"


def _package(parts: Mapping[str, str]) -> bytes:
    """The zip of all parts, with one fixed date."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as package:
        for name, text in {
            "[Content_Types].xml": _TYPES,
            "_rels/.rels": _RELS,
            **parts,
        }.items():
            about = zipfile.ZipInfo(name, _DATE)
            about.compress_type = zipfile.ZIP_DEFLATED
            about.create_system = 0
            package.writestr(about, text.encode())
    return stream.getvalue()
