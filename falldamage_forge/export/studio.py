"""What Bambu Studio and OrcaSlicer read: a project of named plates, and process presets to import.

The project names the system presets of its printer, process and filaments, so the program prints
with its own profiles; only what a process of ours wants otherwise is listed as different. Plate
number i of n stands in a grid of ceil(sqrt(n)) columns, 1.2 beds apart: a part belongs to the plate
it lies on. Every fact is listed in docs/project-file.md.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from falldamage_forge.export.artifacts import json_bytes
from falldamage_forge.export.threemf import (
    MODEL,
    XML,
    Item,
    Stuff,
    items_by_plate,
    model_xml,
    object_numbers,
    package,
)
from falldamage_forge.export.thumbnail import Pictures
from falldamage_forge.export.zipped import Content
from falldamage_forge.printing.plates import Plate
from falldamage_forge.printing.printer import Printer, Studio
from falldamage_forge.printing.process import Process, Way
from falldamage_forge.visible import escape

MAX_PLATES = 36
"""More plates than this Bambu Studio does not open in one project."""
PROJECT_VERSION = "02.00.00.00"
PROJECT_OF = f"BambuStudio-{PROJECT_VERSION}"
"""Plates are only read from files that claim to be Bambu Studio's, with a version it can parse:
an older one has its settings converted, a newer one brings up a warning."""
COVERS = (
    ("http://schemas.openxmlformats.org/package/2006/relationships/metadata/thumbnail", ""),
    ("http://schemas.bambulab.com/package/2021/cover-thumbnail-middle", ""),
    ("http://schemas.bambulab.com/package/2021/cover-thumbnail-small", "_small"),
)


def write_projects(
    title: str, plates: Sequence[Plate], stuff: Stuff, printer: Printer
) -> list[bytes]:
    """Projects of at most 36 plates for Bambu Studio and OrcaSlicer; usually one.

    None for a printer that these programs are not told of: it would be opened with no profile.
    """
    if printer.studio is None:
        return []
    pictures = Pictures(stuff, printer)
    return [
        _project(title, plates[start : start + MAX_PLATES], stuff, printer, pictures)
        for start in range(0, len(plates), MAX_PLATES)
    ]


def _project(
    title: str, plates: Sequence[Plate], stuff: Stuff, printer: Printer, pictures: Pictures
) -> bytes:
    numbers = object_numbers(plates)
    by_plate = items_by_plate(plates, numbers, stuff, printer)
    items = [item for each in by_plate for item in each]
    parts: dict[str, str | Content] = {
        MODEL: model_xml(title, PROJECT_OF, numbers, items, stuff),
        "Metadata/model_settings.config": _model_settings(
            plates, by_plate, numbers, stuff, printer
        ),
        "Metadata/project_settings.config": _project_settings(printer, numbers, stuff),
    }
    for place, plate in enumerate(plates, start=1):
        large, small = pictures.of(plate)
        parts[_picture(place)], parts[_picture(place, "_small")] = large, small
    return package(parts, [(kind, _picture(1, size)) for kind, size in COVERS])


def _picture(place: int, size: str = "") -> str:
    return f"Metadata/plate_{place}{size}.png"


def _model_settings(
    plates: Sequence[Plate],
    by_plate: Sequence[Sequence[Item]],
    numbers: Mapping[str, int],
    stuff: Stuff,
    printer: Printer,
) -> str:
    """Objects with their names, filaments and layers; plates with their names and instances."""
    ways = {slot.key: printer.process.way(plate.group) for plate in plates for slot in plate.slots}
    groups = stuff.groups_of(numbers)
    lines = [f"{XML}<config>"]
    for key, number in numbers.items():
        lines += _object(key, number, groups.index(stuff.groups[key]) + 1, ways[key], printer)
    instances: dict[int, int] = {}
    identity = 0
    for place, (plate, items) in enumerate(zip(plates, by_plate, strict=True), start=1):
        lines += ["  <plate>", _entry("plater_id", place, 4), _entry("plater_name", plate.name, 4)]
        lines += [_entry("locked", "false", 4), _entry("thumbnail_file", _picture(place), 4)]
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


def _object(key: str, number: int, filament: int, way: Way, printer: Printer) -> list[str]:
    """An object's entry; layers are said where they are not the project's."""
    return [
        f'  <object id="{number}">',
        _entry("name", key, 4),
        _entry("extruder", filament, 4),
        *(_entry(name, value, 4) for name, value in object_keys(way, printer.process).items()),
        f'    <part id="{number}" subtype="normal_part">',
        _entry("name", key, 6),
        _entry("matrix", "1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1", 6),
        "    </part>",
        "  </object>",
    ]


def _entry(key: str, value: object, indent: int) -> str:
    return f'{" " * indent}<metadata key="{key}" value="{escape(str(value))}"/>'


def way_keys(way: Way, process: Process) -> dict[str, str]:
    """Everything a way of printing says, in Bambu Studio's and OrcaSlicer's words."""
    return {
        "layer_height": f"{way.layer_mm:g}",
        "initial_layer_print_height": f"{process.first_layer_mm:g}",
        **process.terrain.studio,
        **way.studio,
    }


def object_keys(way: Way, process: Process) -> dict[str, str]:
    """What an object printed that way says itself, because the project says otherwise."""
    project = way_keys(process.terrain, process)
    return {key: value for key, value in way_keys(way, process).items() if project[key] != value}


def differences(keys: Mapping[str, str], studio: Studio) -> list[str]:
    """The keys that the system's process preset says otherwise, sorted."""
    return sorted(key for key, value in keys.items() if studio.says.get(key) != value)


def _project_settings(printer: Printer, numbers: Mapping[str, int], stuff: Stuff) -> str:
    """The project's settings: presets by name, a filament a colour, and what is different.

    Every value is a text or a list of texts, as the program's reader wants.
    """
    studio = printer.studio
    assert studio is not None
    groups = stuff.groups_of(numbers)
    each = len(groups)
    keys = way_keys(printer.process.terrain, printer.process)
    width, depth = printer.bed_mm
    corners = ((0.0, 0.0), (width, 0.0), (width, depth), (0.0, depth))
    settings = {
        "from": "project",
        "name": "project_settings",
        "version": PROJECT_VERSION,
        "printer_technology": "FFF",
        "printer_settings_id": studio.printer,
        "print_settings_id": studio.process,
        "filament_settings_id": [studio.filament] * each,
        "filament_ids": [studio.filament_id] * each,
        "filament_colour": [stuff.colours[group] for group in groups],
        "filament_type": ["PLA"] * each,
        "filament_diameter": ["1.75"] * each,
        "filament_map": ["1"] * each,
        "printer_model": printer.title,
        "printer_variant": f"{printer.nozzle_mm:g}",
        "nozzle_diameter": [f"{printer.nozzle_mm:g}"],
        "printable_area": [f"{x:g}x{y:g}" for x, y in corners],
        "printable_height": f"{printer.height_mm:g}",
        "curr_bed_type": studio.bed,
        **keys,
        "different_settings_to_system": [
            ";".join(differences(keys, studio)),
            *[""] * each,
            "",
        ],
    }
    return json.dumps(settings, indent=4, ensure_ascii=False) + "\n"


def process_preset(printer: Printer, way: Way) -> tuple[str, bytes]:
    """Name and JSON of a process preset to import: the system's, with what ours wants otherwise.

    ValueError for a printer that these programs are not told of.
    """
    studio = printer.studio
    if studio is None:
        raise ValueError(f"{printer.title} has no presets in Bambu Studio")
    suffix = studio.process.partition("@")[2]
    name = f"Forge {way.name} {way.layer_mm:.2f}mm @{suffix}"
    keys = way_keys(way, printer.process)
    return name, json_bytes(
        {
            "from": "User",
            "inherits": studio.process,
            "is_custom_defined": "0",
            "name": name,
            "print_settings_id": name,
            "version": PROJECT_VERSION,
            **{key: keys[key] for key in differences(keys, studio)},
        }
    )
