"""`fdforge slicer`: write settings files for slicers."""

from __future__ import annotations

from pathlib import Path

import click

from falldamage_forge.cli.map_argument import FORGE
from falldamage_forge.cli.shared_options import (
    output_folder_option,
    output_path,
    printer_option,
    process_option,
)
from falldamage_forge.cli.spoken_language import echo


@click.command()
@printer_option
@process_option
@output_folder_option(help="Output folder.")
def command(printer_name: str | None, process_name: str | None, output: Path | None) -> None:
    """Write a printer's settings for PrusaSlicer (.ini), Bambu Studio and OrcaSlicer (.json).

    `build` and `kit` write the same files into the folder `settings` of their output.
    """
    from dataclasses import replace

    from falldamage_forge.export.slicer_profiles import slicer_profile_files
    from falldamage_forge.infra.artifacts import manifest
    from falldamage_forge.infra.atomic_write import safe_name, write_folder

    printer = FORGE.printer(name=printer_name, process=process_name)
    default = Path("exports") / safe_name(f"settings-{printer.name}")
    target = output_path(output, default, "folder")
    files = [
        replace(file, path=file.path.removeprefix("settings/"))
        for file in slicer_profile_files(printer)
    ]
    about = {"kind": "settings", "printer": printer.name, "process": printer.process.name}
    write_folder(target, [*files, manifest(files, about)])
    echo(f"{len(files)} files for {printer.title}, process {printer.process.name}: {target}")
