"""`fdforge coupon`: find out how tight joints come out on a printer, and keep the answer."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from falldamage_forge.cli.common import FORGE
from falldamage_forge.cli.waiting import show_progress
from falldamage_forge.files import read_text
from falldamage_forge.issues import refuse

if TYPE_CHECKING:
    from falldamage_forge.printing.printer import Printer

HOWTO = """FallDamage Forge fit coupon for {title}

1. Print coupon.3mf (File > Open Project in Bambu Studio and OrcaSlicer) or coupon.stl as it lies,
   with the settings for terrain, in the filament you build with.
2. Lay each frame over the stone. The smallest number that goes on without force is your fit.
3. Press each block on to the stone. The smallest number that holds when the stone is turned over,
   and that your hand still pulls off, is your click. With it the blades must hang in the stone's
   edge, and the tie go into its pocket from below and stay; else take the next larger fit.
4. Keep the answer (here 0.15 and 0.20):

   fdforge coupon --set 0.15 --click 0.20 --printer {name} -o my-printer.toml

5. Build with it: fdforge build MAP --printer my-printer.toml
   or let every command take it: fdforge printer use my-printer.toml
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
    help="Printer, by name or by the file of your own.  [default: yours, or a1-mini]",
)
@click.option("--set", "fit_mm", type=float, metavar="MM", help="The fit that held best.")
@click.option("--click", "click_mm", type=float, metavar="MM", help="The click that held best.")
@click.option(
    "--seam",
    "seam_mm",
    type=float,
    metavar="MM",
    help="The seam that held best; moved along with the fit if left away.",
)
@click.option("--replace", is_flag=True, help="With --set: write over a printer's file.")
def command(
    output: Path | None,
    printer_name: str | None,
    fit_mm: float | None,
    click_mm: float | None,
    seam_mm: float | None,
    replace: bool,
) -> None:
    """Write a test print in steps of fit and click, or with --set keep what held best.

    The coupon is made by the very code that makes the pieces. The file that --set writes is a
    printer of your own: every command takes it as --printer my-printer.toml.
    """
    from falldamage_forge.cli.settings import load_settings

    printer_name = printer_name or load_settings().printer
    if fit_mm is None:
        if seam_mm is not None or click_mm is not None or replace:
            raise click.UsageError("--seam, --click and --replace need --set")
        _write_coupon(output or Path("exports") / "coupon", printer_name)
    else:
        target = output or Path("my-printer.toml")
        _keep_safe(target, replace)
        _write_printer(target, printer_name, fit_mm, seam_mm, click_mm)


def _keep_safe(target: Path, replace: bool) -> None:
    """ForgeError (FDF295) for a printer's file that is there and may not be written over."""
    if target.exists() and not replace:
        hint = "--replace writes over it, -o writes another"
        raise refuse("FDF295", f"`{target}` is there already and was left as it is", hint)


def _write_coupon(target: Path, printer_name: str) -> None:
    from falldamage_forge.assemble import shape_from
    from falldamage_forge.export.artifacts import Artifact, manifest
    from falldamage_forge.export.lists import hours
    from falldamage_forge.export.plates import plate_mesh
    from falldamage_forge.export.reopen import verify_3mf
    from falldamage_forge.export.studio import write_projects
    from falldamage_forge.export.threemf import Stuff, write_plain
    from falldamage_forge.geometry.build import fit_of
    from falldamage_forge.geometry.coupon import coupon
    from falldamage_forge.geometry.proof import prove_print
    from falldamage_forge.geometry.stl import write_stl
    from falldamage_forge.issues import ForgeError
    from falldamage_forge.printing.estimate import estimate_plate
    from falldamage_forge.printing.plates import Item, pack
    from falldamage_forge.render.palette import group_colour
    from falldamage_forge.staging import write_folder

    printer = FORGE.printer(name=printer_name)
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
    colours = {"base": group_colour("base")}
    stuff = Stuff(meshes, dict.fromkeys(meshes, "base"), colours)
    title = f"Fit coupon for {printer.title}"
    projects = write_projects(title, plates, stuff, printer)
    data = projects[0] if projects else write_plain(title, plates, stuff, printer)
    verify_3mf(data, "coupon.3mf", plates, meshes)
    files.append(Artifact("coupon.3mf", data))
    howto = HOWTO.format(title=printer.title, name=printer_name)
    files.append(Artifact("coupon.txt", howto.encode()))
    files.append(manifest(files, {"kind": "coupon", "printer": printer.name}))
    write_folder(target, files)
    show_progress("")
    shapes = {name: shape_from(mesh, _like(name)) for name, mesh in meshes.items()}
    figures = [estimate_plate(plate, shapes, printer) for plate in plates]
    grams = sum(figure.grams for figure in figures)
    time = hours(sum(figure.minutes for figure in figures))
    click.echo(
        f"{len(meshes)} parts for {printer.title} in {target}: about {grams:.0f} g and {time};"
        " coupon.txt says what to do"
    )


def _like(name: str) -> str:
    """The builder of pieces that print as fast as a part of the coupon."""
    return "block" if "click" in name else "quadrant"


def _write_printer(
    target: Path,
    printer_name: str,
    fit_mm: float,
    seam_mm: float | None,
    click_mm: float | None,
) -> None:
    """The printer's file again with other gaps; a faulty gap is told and nothing written."""
    from falldamage_forge.printing.printer import printer_from_table
    from falldamage_forge.staging import write_file
    from falldamage_forge.tables import parse_toml

    if target.suffix != ".toml":
        raise refuse("FDF293", f"`{target}` should end in .toml, so that --printer takes it")
    printer = FORGE.printer(name=printer_name)
    if seam_mm is None:
        seam_mm = round(printer.seam_mm + fit_mm - printer.fit_mm, 3)
    gaps = {"fit_mm": fit_mm, "seam_mm": seam_mm, "click_mm": click_mm or printer.click_mm}
    text = _with_gaps(_text_of(printer_name), printer, gaps)
    own = printer_from_table(parse_toml(text, str(target)), target.stem, str(target))
    write_file(target, text.encode())
    click.echo(
        f"{own.title} with a fit of {own.fit_mm:g} mm, a click of {own.click_mm:g} mm"
        f" and seams of {own.seam_mm:g} mm:"
    )
    click.echo(f"use it with --printer {target}")


def _text_of(printer_name: str) -> str:
    """The table of a printer, of the forge's or of one's own."""
    from falldamage_forge import presets

    own = printer_name.endswith(".toml") or "/" in printer_name
    path = Path(printer_name) if own else presets.path("printers", printer_name)
    return read_text(path, printer_name)


def _with_gaps(text: str, printer: Printer, gaps: Mapping[str, float]) -> str:
    """A printer's table whose gaps are these; everything else stays, its comments too."""
    wanted = {key: f"{gap:g}" for key, gap in gaps.items()}
    if not printer.settings:
        wanted["settings"] = f'"{printer.name}"'
    for key, value in wanted.items():
        line = f"{key} = {value}"
        pattern = rf"(?m)^[ \t]*{key.replace('_', '[_-]')}[ \t]*=.*$"
        text, found = re.subn(pattern, line, text, count=1)
        if not found:
            text = re.sub(r"(?m)^(?=[ \t]*title\b)", line + "\n", text, count=1)
    return text
