"""`fdforge slicer`: the settings for slicers, as files to import."""

from __future__ import annotations

from pathlib import Path

import click

from falldamage_forge.cli.common import FORGE


@click.command()
@click.option("--printer", "printer_name", help="Printer; yours if left away.")
@click.option("--process", "process_name", help="Process; `fdforge presets` lists them.")
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Folder to write into.")
def command(printer_name: str | None, process_name: str | None, output: Path | None) -> None:
    """Write a printer's settings for PrusaSlicer (.ini), Bambu Studio and OrcaSlicer (.json).

    `build` and `kit` write the same files into the folder settings of what they make.
    """
    from dataclasses import replace

    from falldamage_forge.export.artifacts import manifest
    from falldamage_forge.profiles import settings_files
    from falldamage_forge.staging import safe_name, write_folder

    printer = FORGE.printer(name=printer_name, process=process_name)
    target = output or Path("exports") / safe_name(f"settings-{printer.name}")
    files = [
        replace(file, path=file.path.removeprefix("settings/")) for file in settings_files(printer)
    ]
    about = {"kind": "settings", "printer": printer.name, "process": printer.process.name}
    write_folder(target, [*files, manifest(files, about)])
    click.echo(f"{len(files)} files for {printer.title}, process {printer.process.name}: {target}")
