"""Template of projects: the settings of a project that the user saved in a slicer.

A list has an entry for each filament, each nozzle variant of a filament, or each plate, by its key;
lists of equal length have different meanings, so length decides nothing. `project_keys.toml` holds
the keys, `docs/project-file.md` documents them.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib import resources
from typing import Any

from falldamage_forge.export.threemf import MODEL
from falldamage_forge.infra.artifacts import json_bytes
from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.infra.package_reader import InvalidPackage, Package, open_package
from falldamage_forge.infra.toml_loader import parse_toml
from falldamage_forge.issues import refuse
from falldamage_forge.printing.printer import Printer

Value = str | tuple[str, ...]

MAX_TEMPLATE_BYTES = 200_000_000
MAX_MEMBERS = 4096
MAX_SETTINGS_BYTES = 2_000_000
"""A project of the program has 27 kB of settings."""
MAX_FILAMENTS = 32
"""Maximum number of filaments of a project in Bambu Studio."""
_HEAD_BYTES = 65_536
SETTINGS = "Metadata/project_settings.config"
_PRESET = re.compile(r"Metadata/(process|filament|machine)_settings_[0-9]{1,2}\.config")
_APPLICATION = re.compile(
    r'<metadata name="Application">((?:BambuStudio|OrcaSlicer)-[0-9.]{1,40})</metadata>'
)
HINT = "save a project in Bambu Studio or OrcaSlicer with your printer selected"

NEEDED: Mapping[str, type] = {
    "printer_model": str,
    "printer_settings_id": str,
    "print_settings_id": str,
    "printable_area": tuple,
    "nozzle_diameter": tuple,
    "filament_colour": tuple,
    "filament_diameter": tuple,
    "filament_ids": tuple,
    "filament_settings_id": tuple,
    "filament_type": tuple,
}
"""Keys without which the program would not open the written project whole: texts and lists."""
HEAD = ("from", "name", "version")
"""Keys that must be texts, or the program takes no settings."""
_REBUILT = frozenset({"flush_volumes_matrix", "flush_volumes_vector"})
_PRIVATE = re.compile(r"print_?host_?.*|host_type|post_process|.*_notes|extruder_ams_count")


@dataclass(frozen=True, slots=True)
class ProjectTemplate:
    """A saved project's settings without private keys.

    Attributes:
        printer: Name of the printer that it fits.
        application: Name and version of the program that saved it.
        settings: Values by key.
        presets: The user's own presets in it, as members of the package.
    """

    printer: str
    application: str
    settings: Mapping[str, Value]
    presets: Mapping[str, bytes]


def read_template(data: bytes, name: str, printer: Printer) -> ProjectTemplate:
    """Return the template in a saved project.

    Args:
        data: Bytes of the 3MF.
        name: File name for messages.
        printer: The printer that it must fit.

    Raises:
        ForgeError: (FDF464) If it is no project of Bambu Studio or OrcaSlicer, is damaged, or is of
            another printer.
    """
    try:
        package = open_package(data, MAX_MEMBERS)
        head = package.head(MODEL, _HEAD_BYTES).decode("utf-8", "replace")
        application = _APPLICATION.search(head)
        if application is None:
            raise InvalidPackage("neither Bambu Studio nor OrcaSlicer saved it")
        settings = _settings(package, SETTINGS)
        _require_whole(settings)
        _require_printer(settings, printer)
        presets = {
            member: json_bytes(_settings(package, member))
            for member in filter(_PRESET.fullmatch, package.names)
        }
    except InvalidPackage as error:
        raise refuse("FDF464", f"`{name}` cannot be a template: {error}", HINT) from None
    return ProjectTemplate(printer.name, application[1], settings, presets)


@cache
def project_keys() -> Mapping[str, Any]:
    """Return the keys by the meaning of their lists."""
    name = "project_keys.toml"
    table = parse_toml((resources.files(__package__) / name).read_text("utf-8"), name)
    return {kind: keys if kind == "always" else frozenset(keys) for kind, keys in table.items()}


def _settings(package: Package, member: str) -> dict[str, Value]:
    """Return the values of a settings file; private keys and numbers are dropped."""
    try:
        table = json.loads(package.read(member, MAX_SETTINGS_BYTES))
    except (ValueError, RecursionError):
        raise InvalidPackage(f"`{member}` is not JSON") from None
    if not isinstance(table, dict):
        raise InvalidPackage(f"`{member}` is not a JSON object")
    return {
        key: _without_private(value) if key in project_keys()["preset"] else value
        for key, value in _texts(table)
        if not _dropped(key)
    }


def _texts(table: Mapping[str, object]) -> Iterator[tuple[str, Value]]:
    for key, value in table.items():
        if isinstance(value, str):
            yield key, value
        elif isinstance(value, list) and all(isinstance(each, str) for each in value):
            yield key, tuple(value)


def _dropped(key: str) -> bool:
    return key in _REBUILT or _PRIVATE.fullmatch(key) is not None


def _without_private(value: Value) -> Value:
    """Return lists of keys without private ones: a listed key without a value would be reset."""
    if isinstance(value, str):
        return value
    return tuple(_joined(each.split(";")) for each in value)


def _joined(keys: Sequence[str]) -> str:
    return ";".join(key for key in keys if not _dropped(key))


def _require_whole(settings: Mapping[str, Value]) -> None:
    wanted = {**NEEDED, **{key: str for key in HEAD if key in settings}}
    for key, kind in wanted.items():
        value = settings.get(key)
        if not value or not isinstance(value, kind):
            raise InvalidPackage(f"its settings have no valid `{key}`")
    filaments = len(settings["filament_colour"])
    if filaments > MAX_FILAMENTS:
        raise InvalidPackage(f"it has {filaments} filaments, at most {MAX_FILAMENTS} are allowed")


def _require_printer(settings: Mapping[str, Value], printer: Printer) -> None:
    model = settings["printer_model"]
    if printer.studio is not None and model != printer.title:
        raise InvalidPackage(f"its printer is `{str(model)[:60]}`, not `{printer.title}`")
    nozzles = {_number(each) for each in settings["nozzle_diameter"]}
    if nozzles != {printer.nozzle_mm}:
        raise InvalidPackage(f"its nozzle is not of {printer.nozzle_mm:g} mm")
    corners = [tuple(map(_number, each.split("x"))) for each in settings["printable_area"]]
    if any(len(corner) != 2 for corner in corners):
        raise InvalidPackage("its bed is not a list of corners")
    sides = tuple(max(side) - min(side) for side in zip(*corners, strict=True))
    if sides != printer.bed_mm:
        bed = " x ".join(f"{side:g}" for side in sides)
        own = " x ".join(f"{side:g}" for side in printer.bed_mm)
        raise InvalidPackage(f"its bed is {bed} mm, that of {printer.title} {own} mm")


def _number(text: str) -> float:
    """Return a length in mm; no number is not equal to any length."""
    try:
        return float(text)
    except ValueError:
        return math.nan


def template_settings(
    template: ProjectTemplate, colours: Sequence[str], plates: int, process: Mapping[str, str]
) -> dict[str, str | list[str]]:
    """Return the settings of a project like the template, for other filaments and plates.

    Args:
        template: The template.
        colours: `#RRGGBB` of each filament.
        plates: Number of plates.
        process: Settings of the process that replace the template's.
    """
    count, keys = len(colours), project_keys()
    saved = len(template.settings["filament_colour"])
    variants = _list(template.settings, "filament_self_index").count("1") or 1
    settings: dict[str, str | list[str]] = {}
    for key, value in template.settings.items():
        if isinstance(value, str):
            missing = key in keys["number"] and not _number(value) <= count
            settings[key] = "0" if missing else value
        elif key in keys["filament"]:
            settings[key] = [*value[:1]] * count
        elif key in keys["variant"]:
            settings[key] = [*value[:variants]] * count
        elif key in keys["even"]:
            settings[key] = [*value[: len(value) // saved]] * count
        elif key in keys["always"]:
            settings[key] = [keys["always"][key]] * count
        elif key in keys["plate"]:
            settings[key] = [*value[:1]] * plates
        elif key in keys["preset"]:
            settings[key] = _for_presets(value, saved, count)
        else:
            settings[key] = [*value]
    if "filament_self_index" in settings:
        numbers = map(str, range(1, count + 1))
        settings["filament_self_index"] = [n for n in numbers for _ in range(variants)]
    different = _list(template.settings, "different_settings_to_system")
    own, *others = _for_presets(different, saved, count)
    listed = sorted({*own.split(";"), *process} - {""})
    colour_keys = {"filament_colour", "filament_multi_colour"} & settings.keys()
    return {
        **settings,
        **process,
        "different_settings_to_system": [";".join(listed), *others],
        "filament_map": [keys["always"]["filament_map"]] * count,
        **{key: [*colours] for key in sorted(colour_keys)},
    }


def _list(settings: Mapping[str, Value], key: str) -> tuple[str, ...]:
    value = settings.get(key, ())
    return () if isinstance(value, str) else value


def _for_presets(value: tuple[str, ...], saved: int, count: int) -> list[str]:
    """Return the entries of process, `count` filaments and printer; a wrong length means none."""
    process, filament, *_, printer = value if len(value) == saved + 2 else (*value[:1], "", "", "")
    return [process, *[filament] * count, printer]
