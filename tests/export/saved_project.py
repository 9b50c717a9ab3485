"""A project as Bambu Studio saves it, with a value of each kind of key."""

import io
import json
import zipfile
from typing import Any

from falldamage_forge.export.project_template import SETTINGS, project_keys
from falldamage_forge.export.threemf import MODEL
from falldamage_forge.presets import load_printer

Settings = dict[str, Any]
PRINTER = load_printer("a1-mini")
SAVED_BY = "BambuStudio-02.07.01.62"
PRIVATE = {
    "print_host": "10.0.0.7",
    "printhost_apikey": "secret",
    "printhost_password": "secret",
    "print_host_webui": "http://10.0.0.7",
    "host_type": "octoprint",
    "post_process": ["/home/me/upload.sh"],
    "printer_notes": "secret",
    "process_notes": "secret",
    "filament_notes": ["secret", "secret"],
    "extruder_ams_count": ["1#0|4#0", ""],
}
NEVER_STRETCHED = {
    "machine_max_speed_x": ["500", "200"],
    "printer_extruder_variant": ["Direct Drive Standard", "Direct Drive High Flow"],
    "start_end_points": ["30x-3", "54x245"],
    "retraction_length": ["0.8", "0.8"],
    "upward_compatible_machine": ["Bambu Lab A1 0.4 nozzle", "Bambu Lab P1S 0.4 nozzle"],
}


def saved_settings(filaments: int = 2, variants: int = 1) -> Settings:
    """What the program saves: each list has its own length, which others have by chance."""
    keys = project_keys()
    settings: Settings = {
        **{key: [f"{key} {n}" for n in range(filaments)] for key in keys["filament"]},
        **{key: [f"{key} {n}" for n in range(filaments * variants)] for key in keys["variant"]},
        **{key: [f"{key} {n}" for n in range(filaments * 3)] for key in keys["even"]},
        **{key: ["9"] * filaments for key in keys["always"]},
        **{key: ["15"] for key in keys["plate"]},
        **dict.fromkeys(keys["number"], "2"),
        **{key: ["process", *["filament"] * filaments, "printer"] for key in keys["preset"]},
        "filament_self_index": [str(n + 1) for n in range(filaments) for _ in range(variants)],
        "from": "project",
        "name": "project_settings",
        "version": "02.07.00.55",
        "printer_settings_id": "My A1 mini",
        "print_settings_id": "My process",
        "printer_model": PRINTER.title,
        "nozzle_diameter": ["0.4"],
        "extruder_type": ["Direct Drive"],
        "printable_area": ["0x0", "180x0", "180x180", "0x180"],
        "printable_height": "180",
        "curr_bed_type": "Cool Plate",
        "filament_colour": ["#FF0000"] * filaments,
        "filament_multi_colour": ["#FF0000"] * filaments,
        "filament_diameter": ["1.75"] * filaments,
        "filament_type": ["PETG"] * filaments,
        "flush_volumes_matrix": ["140"] * filaments**2,
        "flush_volumes_vector": ["140"] * filaments * 2,
        "layer_height": "0.2",
        "sparse_infill_density": "33%",
        "outer_wall_speed": ["77"],
        "a_number": 7,
        **NEVER_STRETCHED,
        **PRIVATE,
    }
    settings["different_settings_to_system"][0] = "sparse_infill_density;print_host;process_notes"
    return settings


def saved(settings: object = None, application: str = SAVED_BY, **members: bytes) -> bytes:
    """The bytes of a project as the program saves it, with other settings and members."""
    model = f'<?xml version="1.0"?><model><metadata name="Application">{application}</metadata>'
    text = json.dumps(saved_settings() if settings is None else settings)
    contents = {MODEL: model.encode(), SETTINGS: text.encode(), **members}
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as package:
        for name, data in contents.items():
            package.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)
    return stream.getvalue()
