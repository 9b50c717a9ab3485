"""What Bambu Studio 2.8 does with a project's settings, in the order of its reader.

Written from what its sources and its users tell, see docs/project-file.md; no line of it is theirs.
"""

import re
from dataclasses import dataclass, field
from typing import Any, Literal

VENDOR_MODELS = {"Bambu Lab A1 mini", "Bambu Lab A1", "Bambu Lab P1S", "Bambu Lab X1 Carbon"}
PROGRAM = (2, 8)
PER_FILAMENT = ("filament_settings_id", "filament_ids", "filament_type", "filament_map")


@dataclass(frozen=True)
class Opened:
    """How a file opens: as a project, as geometry alone, or not at all; and what is lost."""

    kind: Literal["project", "geometry", "nothing"]
    lost: frozenset[str] = field(default_factory=frozenset)


def opened(application: str, settings: dict[str, Any] | None) -> Opened:
    """How the program opens a file.

    Args:
        application: The model's metadata `Application`.
        settings: The values of `project_settings.config`; None if the file has none.
    """
    if not application.startswith("BambuStudio-"):
        return Opened("geometry")
    version = application.removeprefix("BambuStudio-")
    if not re.fullmatch(r"\d+(\.\d+)*", version):
        return Opened("nothing")
    if settings is None or any(
        not isinstance(settings.get(key, ""), str) for key in ("version", "name", "from")
    ):
        return Opened("geometry")
    read = {key: value for key, value in settings.items() if _is_text(value)}
    if not _passes_gate(read):
        return Opened("geometry")
    if read.get("filament_colour") == []:
        return Opened("nothing")
    colours = read.get("filament_colour", ["#00AE42"])
    variants = read.get("extruder_variant_list")
    if variants is not None and any(
        len(read.get(key, [])) < len(colours)
        for key in ("filament_extruder_variant", "filament_self_index")
    ):
        return Opened("nothing")
    return Opened("project", frozenset(_lost(read, version, len(colours))))


def _is_text(value: Any) -> bool:
    values = value if isinstance(value, list) else [value]
    return all(isinstance(each, str) for each in values)


def _passes_gate(read: dict[str, Any]) -> bool:
    """Since 2.8: the vendor's own printer, or a type of extruder for each nozzle."""
    nozzles = read.get("nozzle_diameter")
    typed = nozzles is not None and len(read.get("extruder_type", [])) == len(nozzles)
    return read.get("printer_model") in VENDOR_MODELS or typed


def _lost(read: dict[str, Any], version: str, filaments: int) -> list[str]:
    lost = []
    if "filament_colour" not in read:
        lost.append("colours")
    if not read.get("printer_settings_id"):
        lost.append("start code")
    if not read.get("print_settings_id"):
        lost.append("process")
    if len(read.get("filament_diameter", ["1.75"])) < filaments:
        lost.append("filaments")
    for key in PER_FILAMENT:
        if len(read.get(key, [])) != filaments:
            lost.append(key)
    if len(read.get("different_settings_to_system", [])) != filaments + 2:
        lost.append("changes")
    if "curr_bed_type" not in read:
        lost.append("bed")
    if tuple(map(int, version.split(".")))[:2] > PROGRAM:
        lost.append("silence")
    return lost
