"""`fdforge coupon`: find out how tight joints come out on a printer, and keep the answer."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import click

from falldamage_forge.cli.common import printer_called, read_text, refuse, show_progress

if TYPE_CHECKING:
    from falldamage_forge.printing.printer import Printer

HOWTO = """FallDamage Forge fit coupon for {title}

1. Print coupon.stl as it lies, with the settings for terrain, in the filament you build with.
2. Press each peg into the tile's socket. The smallest number that goes in by hand and holds when
   the tile is turned over is your fit.
3. Press the knob into each pocket of the bar from above. The smallest number that goes in without
   force is your seam.
4. Keep the answer (here 0.15 and 0.20):

   fdforge coupon --set 0.15 --seam 0.20 --printer {name} -o my-printer.toml

5. Build with it: fdforge build MAP --printer my-printer.toml
"""


@click.command()
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    help="Folder of the coupon, or with --set the printer's file.  "
    "[default: exports/coupon, my-printer.toml]",
)
@click.option(
    "--printer",
    "printer_name",
    default="a1-mini",
    show_default=True,
    help="Printer, by name or by the file of your own.",
)
@click.option("--set", "fit_mm", type=float, metavar="MM", help="The fit that held best.")
@click.option(
    "--seam",
    "seam_mm",
    type=float,
    metavar="MM",
    help="The seam that held best; moved along with the fit if left away.",
)
def command(
    output: Path | None, printer_name: str, fit_mm: float | None, seam_mm: float | None
) -> None:
    """Write a test print with pegs and seams in steps of fit, or with --set keep what held best.

    The coupon is made by the very code that makes the pieces. The file that --set writes is a
    printer of your own: every command takes it as --printer my-printer.toml.
    """
    if fit_mm is None:
        if seam_mm is not None:
            raise click.UsageError("--seam needs --set")
        _write_coupon(output or Path("exports") / "coupon", printer_name)
    else:
        _write_printer(output or Path("my-printer.toml"), printer_name, fit_mm, seam_mm)


def _write_coupon(target: Path, printer_name: str) -> None:
    from falldamage_forge.cli.write import write_folder
    from falldamage_forge.export.artifacts import Artifact, manifest
    from falldamage_forge.export.plates import plate_mesh
    from falldamage_forge.export.stl import write_stl
    from falldamage_forge.geometry.build import fit_of
    from falldamage_forge.geometry.coupon import coupon
    from falldamage_forge.geometry.proof import prove_print
    from falldamage_forge.issues import ForgeError
    from falldamage_forge.printing.plates import Item, pack

    printer = printer_called(printer_name)
    show_progress("making the coupon")
    meshes = coupon(fit_of(printer))
    files, items = [], []
    for name, mesh in meshes.items():
        data = write_stl(mesh, name)
        faults = prove_print(data, printer, name).issues
        if faults:
            raise ForgeError(faults)
        low, high = mesh.bounds_mm()
        width, depth, height = (b - a for a, b in zip(low, high, strict=True))
        items.append(Item(name, width, depth, height, 1))
        files.append(Artifact(f"parts/{name}.stl", data))
    plates = pack(items, printer)
    for plate in plates:
        name = "coupon" if len(plates) == 1 else f"coupon-{plate.index}"
        files.append(Artifact(f"{name}.stl", write_stl(plate_mesh(plate, meshes), name)))
    howto = HOWTO.format(title=printer.title, name=printer_name)
    files.append(Artifact("coupon.txt", howto.encode()))
    files.append(manifest(files, {"kind": "coupon", "printer": printer.name}))
    write_folder(target, files)
    show_progress("")
    click.echo(f"{len(meshes)} parts for {printer.title} in {target}; coupon.txt says what to do")


def _write_printer(target: Path, printer_name: str, fit_mm: float, seam_mm: float | None) -> None:
    """The printer's file again with other gaps; a faulty gap is told and nothing written."""
    from falldamage_forge.cli.write import write_file
    from falldamage_forge.printing.printer import printer_from_table
    from falldamage_forge.tables import parse_toml

    if target.suffix != ".toml":
        raise refuse("FDF293", f"`{target}` should end in .toml, so that --printer takes it")
    printer = printer_called(printer_name)
    if seam_mm is None:
        seam_mm = round(printer.seam_mm + fit_mm - printer.fit_mm, 3)
    text = _with_gaps(_text_of(printer_name), printer, fit_mm, seam_mm)
    own = printer_from_table(parse_toml(text, str(target)), target.stem, str(target))
    write_file(target, text.encode())
    click.echo(f"{own.title} with a fit of {own.fit_mm:g} mm and seams of {own.seam_mm:g} mm:")
    click.echo(f"use it with --printer {target}")


def _text_of(printer_name: str) -> str:
    """The table of a printer, of the forge's or of one's own."""
    from falldamage_forge import presets

    own = printer_name.endswith(".toml") or "/" in printer_name
    path = Path(printer_name) if own else presets.path("printers", printer_name)
    return read_text(path, printer_name)


def _with_gaps(text: str, printer: Printer, fit_mm: float, seam_mm: float) -> str:
    """A printer's table whose gaps are these; everything else stays, its comments too."""
    wanted = {"fit_mm": f"{fit_mm:g}", "seam_mm": f"{seam_mm:g}"}
    if not printer.settings:
        wanted["settings"] = f'"{printer.name}"'
    for key, value in wanted.items():
        line = f"{key} = {value}"
        pattern = rf"(?m)^[ \t]*{key.replace('_', '[_-]')}[ \t]*=.*$"
        text, found = re.subn(pattern, line, text, count=1)
        if not found:
            text = re.sub(r"(?m)^(?=[ \t]*title\b)", line + "\n", text, count=1)
    return text
