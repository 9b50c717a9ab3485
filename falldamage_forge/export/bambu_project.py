"""Projects of named plates and process presets for Bambu Studio and OrcaSlicer.

A project names the system presets of its printer, process and filaments, so that the program prints
with its own profiles; only values in which the process differs are listed. A template, which the
user saved, replaces them. Plate i of n lies in a
grid of ceil(sqrt(n)) columns, 1.2 beds apart; a part belongs to the plate that it lies on.
`docs/project-file.md` documents the format.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from falldamage_forge.export.plate_thumbnails import ThumbnailRenderer
from falldamage_forge.export.project_template import SETTINGS, ProjectTemplate, template_settings
from falldamage_forge.export.threemf import (
    MODEL,
    STUDIO_RANGES,
    THUMBNAIL,
    XML,
    BuildItem,
    ModelInfo,
    PlateContents,
    groups_of,
    items_by_plate,
    model_xml,
    object_numbers,
    ranges_member,
    zip_package,
)
from falldamage_forge.export.zip_writer import Content
from falldamage_forge.infra.artifacts import json_bytes
from falldamage_forge.infra.visible_text import escape
from falldamage_forge.printing.plates import TOWER, Plate, plate_titles
from falldamage_forge.printing.printer import BambuPresets, Printer
from falldamage_forge.printing.process import PrintMode, Process
from falldamage_forge.printing.supports import STUDIO_SUPPORTS
from falldamage_forge.printing.tone_change import ChangeBy

CHANGES = "Metadata/custom_gcode_per_layer.xml"
CHANGE_CODES: Mapping[ChangeBy, tuple[int, str, str]] = {
    "ams": (2, "tool_change", "MultiAsSingle"),
    "pause": (1, "M400 U1", "SingleExtruder"),
}
"""Type, code and mode of a change of filament."""
MAX_PLATES = 36
"""Maximum number of plates that Bambu Studio opens in one project."""
PROJECT_VERSION = "02.00.00.00"
PROJECT_OF = f"BambuStudio-{PROJECT_VERSION}"
"""Application name of the file.

Plates are only read from files of Bambu Studio. Those of an older version get their settings
converted, those of a newer one a warning.
"""
TOWER_EDGE_MM = 5.0
"""Distance of the prime tower from the edges of the room for it."""
COVERS = (
    (THUMBNAIL, ""),
    ("http://schemas.bambulab.com/package/2021/cover-thumbnail-middle", ""),
    ("http://schemas.bambulab.com/package/2021/cover-thumbnail-small", "_small"),
)


def write_projects(
    about: ModelInfo,
    plates: Sequence[Plate],
    contents: PlateContents,
    printer: Printer,
    cover: tuple[bytes, bytes] | None = None,
    template: ProjectTemplate | None = None,
    change_by: ChangeBy = "ams",
) -> list[bytes]:
    """Return projects of at most 36 plates for Bambu Studio and OrcaSlicer; usually one.

    Args:
        about: Title and further words.
        plates: Plates of the job.
        contents: Meshes, groups and colours of the pieces.
        printer: Printer and process.
        cover: Large and small picture of the table as PNG; None takes the first plate's.
        template: Saved project whose settings are taken; None names the printer's system presets.
        change_by: Means of the change of filament on plates that have one.

    Returns:
        Bytes of each 3MF; empty for a printer with neither template nor presets in these programs.
    """
    if printer.studio is None and template is None:
        return []
    pictures = ThumbnailRenderer(contents, printer)
    return [
        _project(
            about,
            plates[start : start + MAX_PLATES],
            contents,
            printer,
            pictures,
            cover,
            template,
            change_by,
        )
        for start in range(0, len(plates), MAX_PLATES)
    ]


def _project(
    about: ModelInfo,
    plates: Sequence[Plate],
    contents: PlateContents,
    printer: Printer,
    pictures: ThumbnailRenderer,
    cover: tuple[bytes, bytes] | None,
    template: ProjectTemplate | None,
    change_by: ChangeBy,
) -> bytes:
    numbers = object_numbers(plates, contents)
    by_plate = items_by_plate(plates, numbers, contents, printer)
    items = [item for each in by_plate for item in each]
    groups = _filaments(plates, contents)
    colours = [contents.colours[group] for group in groups]
    mixed = any(len(groups_of(plate.counts(), contents)) > 1 for plate in plates)
    process = print_mode_settings(printer.process.terrain, printer.process)
    if not mixed and any(plate.change for plate in plates):
        # One change in a solid layer needs no tower, for which a full plate has no room.
        process["enable_prime_tower"] = "0"
    if template is None:
        settings = _system_settings(printer, colours, process)
    else:
        settings = template_settings(template, colours, len(plates), process)
    if mixed:
        settings |= tower_settings(plates, printer)
    words = about.metadata(PROJECT_OF if template is None else template.application)
    parts: dict[str, str | Content] = {
        MODEL: model_xml(words, numbers, items, contents, coloured=False),
        "Metadata/model_settings.config": _model_settings(
            plates, by_plate, numbers, contents, printer
        ),
        SETTINGS: json.dumps(settings, indent=4, ensure_ascii=False) + "\n",
        **ranges_member(STUDIO_RANGES, numbers, contents),
        **_changes(plates, groups, contents, change_by),
        **({} if template is None else template.presets),
    }
    for place, plate in enumerate(plates, start=1):
        large, small = pictures.of(plate)
        parts[_picture(place)], parts[_picture(place, "_small")] = large, small
    first = _picture(1).removesuffix(".png")
    if cover is not None:
        first = "Metadata/cover"
        parts[f"{first}.png"], parts[f"{first}_small.png"] = cover
    return zip_package(parts, [(kind, f"{first}{size}.png") for kind, size in COVERS])


def _filaments(plates: Sequence[Plate], contents: PlateContents) -> list[str]:
    """Return the groups of the project's filaments in the order of their colours."""
    used = {contents.groups[slot.key] for plate in plates for slot in plate.slots}
    used |= {plate.change.tone.title for plate in plates if plate.change}
    return [group for group in contents.colours if group in used]


def _changes(
    plates: Sequence[Plate], filaments: Sequence[str], contents: PlateContents, by: ChangeBy
) -> dict[str, str]:
    """Return the member with the changes of filament and pauses of each plate; none without any.

    Without an AMS the programs ignore a tool change in silence, so that a pause is needed.
    """
    entries = ""
    for number, plate in enumerate(plates, start=1):
        layers = {z_mm: _layer(z_mm, "pause", 1, "") for z_mm in contents.pauses_of(plate)}
        if change := plate.change:
            slot = filaments.index(change.body) + 1
            colour = contents.colours[change.body]
            layers[change.print_z_mm] = _layer(change.print_z_mm, by, slot, colour)
        if layers:
            mode = CHANGE_CODES[by if change else "pause"][2]
            own = "".join(layers[z_mm] for z_mm in sorted(layers))
            entries += (
                f' <plate>\n  <plate_info id="{number}"/>\n{own}'
                f'  <mode value="{mode}"/>\n </plate>\n'
            )
    text = f"{XML}<custom_gcodes_per_layer>\n{entries}</custom_gcodes_per_layer>\n"
    return {CHANGES: text} if entries else {}


def _layer(z_mm: float, by: ChangeBy, slot: int, colour: str) -> str:
    """Return what the programs do before a layer: a change of filament, or a pause."""
    kind, code, _ = CHANGE_CODES[by]
    return (
        f'  <layer top_z="{z_mm:g}" type="{kind}" extruder="{slot}" color="{colour}"'
        f' extra="" gcode="{code}"/>\n'
    )


def tower_settings(plates: Sequence[Plate], printer: Printer) -> dict[str, list[str]]:
    """Return the places of prime towers, which plates of several filaments have.

    The program's own place is off the bed of a small printer. A plate without room for a tower has
    it at the back on the left: the program then asks to move it.

    Args:
        plates: Plates of the project.
        printer: Gives bed and margins.
    """
    margin_mm = printer.margin_mm
    usual = margin_mm, printer.bed_mm[1] - margin_mm - TOWER.depth_mm
    corners = [plate.tower_mm or usual for plate in plates]
    return {
        key: [f"{corner[axis] + TOWER_EDGE_MM:g}" for corner in corners]
        for axis, key in enumerate(("wipe_tower_x", "wipe_tower_y"))
    }


def _picture(place: int, size: str = "") -> str:
    return f"Metadata/plate_{place}{size}.png"


def _model_settings(
    plates: Sequence[Plate],
    by_plate: Sequence[Sequence[BuildItem]],
    numbers: Mapping[str, int],
    contents: PlateContents,
    printer: Printer,
) -> str:
    """Return objects with names, filaments and layers, and plates with names and instances."""
    modes = {slot.key: printer.process.way(plate.group) for plate in plates for slot in plate.slots}
    first = {slot.key: p.change.tone.title for p in plates if p.change for slot in p.slots}
    groups = _filaments(plates, contents)
    lines = [f"{XML}<config>"]
    for key, number in numbers.items():
        filament = groups.index(first.get(key, contents.groups[key])) + 1
        own = object_settings(modes[key], printer.process)
        own |= STUDIO_SUPPORTS if key in contents.supported else {}
        lines += _object(key, number, filament, own)
    instances: dict[int, int] = {}
    identity = 0
    titles = plate_titles(plates)
    for place, (title, items) in enumerate(zip(titles, by_plate, strict=True), start=1):
        lines += ["  <plate>", _entry("plater_id", place, 4), _entry("plater_name", title, 4)]
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


def _object(key: str, number: int, filament: int, settings: Mapping[str, str]) -> list[str]:
    """Return an object's entry with the settings in which it differs from the project."""
    return [
        f'  <object id="{number}">',
        _entry("name", key, 4),
        _entry("extruder", filament, 4),
        *(_entry(name, value, 4) for name, value in settings.items()),
        f'    <part id="{number}" subtype="normal_part">',
        _entry("name", key, 6),
        _entry("matrix", "1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1", 6),
        "    </part>",
        "  </object>",
    ]


def _entry(key: str, value: object, indent: int) -> str:
    return f'{" " * indent}<metadata key="{key}" value="{escape(str(value))}"/>'


def print_mode_settings(mode: PrintMode, process: Process) -> dict[str, str]:
    """Return all settings of a print mode, by Bambu Studio's and OrcaSlicer's keys.

    Args:
        mode: Layers and settings of the parts.
        process: Process of the printer, with its first layer in mm.
    """
    return {
        "layer_height": f"{mode.layer_mm:g}",
        "initial_layer_print_height": f"{process.first_layer_mm:g}",
        **process.terrain.studio,
        **mode.studio,
    }


def object_settings(mode: PrintMode, process: Process) -> dict[str, str]:
    """Return the settings in which an object's print mode differs from the project.

    Args:
        mode: Print mode of the object.
        process: Process whose terrain mode is the project's.
    """
    project = print_mode_settings(process.terrain, process)
    return {
        key: value
        for key, value in print_mode_settings(mode, process).items()
        if project.get(key) != value
    }


def settings_differences(keys: Mapping[str, str], studio: BambuPresets) -> list[str]:
    """Return the keys whose values differ from the system's process preset, sorted.

    Args:
        keys: Values by key of the program.
        studio: System presets of the printer.
    """
    return sorted(key for key, value in keys.items() if studio.says.get(key) != value)


def _system_settings(
    printer: Printer, colours: Sequence[str], keys: Mapping[str, str]
) -> dict[str, str | list[str]]:
    """Return the project's settings: presets by name, a filament per colour, and differences.

    Every value is a text or a list of texts, as the program's reader requires.
    """
    studio = printer.studio
    assert studio is not None
    each = len(colours)
    width, depth = printer.bed_mm
    corners = ((0.0, 0.0), (width, 0.0), (width, depth), (0.0, depth))
    return {
        "from": "project",
        "name": "project_settings",
        "version": PROJECT_VERSION,
        "printer_technology": "FFF",
        "printer_settings_id": studio.printer,
        "print_settings_id": studio.process,
        "filament_settings_id": [studio.filament] * each,
        "filament_ids": [studio.filament_id] * each,
        "filament_colour": [*colours],
        "filament_type": ["PLA"] * each,
        "filament_diameter": ["1.75"] * each,
        "filament_map": ["1"] * each,
        "printer_model": printer.title,
        "printer_variant": f"{printer.nozzle_mm:g}",
        "nozzle_diameter": [f"{printer.nozzle_mm:g}"],
        "extruder_type": ["Direct Drive"],
        "printable_area": [f"{x:g}x{y:g}" for x, y in corners],
        "printable_height": f"{printer.height_mm:g}",
        "curr_bed_type": studio.bed,
        **keys,
        "different_settings_to_system": [
            ";".join(settings_differences(keys, studio)),
            *[""] * each,
            "",
        ],
    }


def process_preset(printer: Printer, mode: PrintMode) -> tuple[str, bytes]:
    """Return name and JSON of a process preset to import: the system's, with the differences.

    Args:
        printer: Printer with its presets in these programs.
        mode: Print mode that the preset holds.

    Raises:
        ValueError: If the printer has no presets in these programs.
    """
    studio = printer.studio
    if studio is None:
        raise ValueError(f"{printer.title} has no presets in Bambu Studio")
    suffix = studio.process.partition("@")[2]
    name = f"Forge {mode.name} {mode.layer_mm:.2f}mm @{suffix}"
    keys = print_mode_settings(mode, printer.process)
    return name, json_bytes(
        {
            "from": "User",
            "inherits": studio.process,
            "is_custom_defined": "0",
            "name": name,
            "print_settings_id": name,
            "version": PROJECT_VERSION,
            **{key: keys[key] for key in settings_differences(keys, studio)},
        }
    )
