"""`fdforge slicer`: write settings files for slicers."""

from __future__ import annotations

from pathlib import Path

from falldamage_forge.cli import option
from falldamage_forge.cli.map_argument import FORGE
from falldamage_forge.cli.spoken_language import echo, wished_say


@option.command
def command(
    printer_name: str | None = option.PRINTER,
    process_name: str | None = option.PROCESS,
    output: Path | None = option.output("Output folder.", writes="folder"),
) -> None:
    """Write a printer's settings for PrusaSlicer (.ini), Bambu Studio and OrcaSlicer (.json).

    `build` and `kit` write the same files into the folder `settings` of their output.
    """
    from dataclasses import replace

    from falldamage_forge.export.slicer_profiles import slicer_profile_files
    from falldamage_forge.infra.artifacts import manifest
    from falldamage_forge.infra.atomic_write import safe_name, write_folder

    printer = FORGE.printer(name=printer_name, process=process_name)
    default = Path("exports") / safe_name(f"settings-{printer.name}")
    target = option.output_path(output, default, "folder")
    files = [
        replace(file, path=file.path.removeprefix("settings/"))
        for file in slicer_profile_files(printer, say=wished_say())
    ]
    about = {"kind": "settings", "printer": printer.name, "process": printer.process.name}
    write_folder(target, [*files, manifest(files, about)])
    echo(f"{len(files)} files for {printer.label}, process {printer.process.name}: {target}")
