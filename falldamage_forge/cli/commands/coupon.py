"""`fdforge coupon`: measure the clearances of a printer with a test print."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from falldamage_forge.cli import option
from falldamage_forge.cli.map_argument import FORGE
from falldamage_forge.cli.progress_bar import show_progress
from falldamage_forge.cli.spoken_language import echo, wished_say
from falldamage_forge.infra.source_loader import read_text
from falldamage_forge.issues import refuse

if TYPE_CHECKING:
    from falldamage_forge.printing.printer import Printer

HOWTO = """FallDamage Forge fit coupon for {title}

1. Print coupon.3mf (File > Open Project in Bambu Studio and OrcaSlicer) or coupon.stl as it lies,
   with the settings for terrain, in the filament you build with.
2. Lay each frame over the stone. The smallest number that goes on without force is your fit.
3. Lower each pair of blades into the stone's edge. Keep the smallest number that goes in.
4. Lay each tie into the pocket from below, one end first. Keep the smallest number that goes in.
5. Press each block on to the stone and turn the stone over. The smallest number that stays on is
   your click.
6. Store the answers, here those of a printer without deviation:

   fdforge coupon --set {fit} --blade {blade} --tie {tie} --click {click} \\
     --printer {name} -o my-printer.toml

7. Build with it: fdforge build MAP --printer my-printer.toml
   or let every command take it: fdforge printer use my-printer.toml
"""


_gap = partial(option.number, None, None, metavar="MM")


@option.command
def command(
    output: Path | None = option.output(
        "Folder of the coupon, or with --set or --report the file.  [default: exports/coupon, "
        "my-printer.toml, print-report.toml]",
        writes="any",
    ),
    printer_name: str | None = option.PRINTER,
    fit_mm: float | None = _gap("Best fit clearance in mm.", "--set"),
    others: dict[str, Any] = option.table(
        blade_mm=_gap("Best clearance of blades in mm (default: follows --set).", "--blade"),
        tie_mm=_gap("Best clearance of ties in mm (default: follows --set).", "--tie"),
        click_mm=_gap("Best snap-fit clearance in mm.", "--click"),
        seam_mm=_gap("Best seam clearance in mm (default: follows --set).", "--seam"),
    ),
    replace: bool = option.flag(
        "With --set or --report: overwrite the file.",
        de="Mit --set oder --report: überschreibt die Datei.",
    ),
    report: bool = option.flag(
        "Write a report of your prints to fill in, instead of the coupon.",
        de="Schreibt statt des Probestücks einen Bericht über deine Drucke zum Ausfüllen.",
    ),
) -> None:
    """Write a test print with steps of each joint, or with --set store the best clearances.

    The coupon uses the geometry of the pieces. --set writes a printer file; use it in every command
    as --printer my-printer.toml. --report writes a form for what your printer answered and what
    broke; `prove --tolerance --from` reads it.
    """
    from falldamage_forge.cli.user_config import load_settings

    printer_name = printer_name or load_settings().printer
    if report:
        if fit_mm is not None or any(gap is not None for gap in others.values()):
            raise click.UsageError("--report takes no clearances: fill them in")
        target = option.output_path(output, Path("print-report.toml"))
        _keep_safe(target, replace)
        _write_report(target, printer_name)
    elif fit_mm is None:
        if replace or any(gap is not None for gap in others.values()):
            raise click.UsageError("--blade, --tie, --click, --seam and --replace need --set")
        target = option.output_path(output, Path("exports") / "coupon", "folder")
        _write_coupon(target, printer_name)
    else:
        target = option.output_path(output, Path("my-printer.toml"))
        _keep_safe(target, replace)
        _write_printer(target, printer_name, fit_mm, others)


def _keep_safe(target: Path, replace: bool) -> None:
    """Raise FDF295 if a file that people write to exists and may not be overwritten."""
    if target.exists() and not replace:
        hint = "--replace writes over it, -o writes another"
        raise refuse("FDF295", f"`{target}` exists already and was not changed", hint)


def _write_coupon(target: Path, printer_name: str) -> None:
    from falldamage_forge.builds.part_features import features_of_mesh
    from falldamage_forge.export.bambu_project import write_projects
    from falldamage_forge.export.piece_list import format_minutes
    from falldamage_forge.export.plate_meshes import plate_mesh
    from falldamage_forge.export.roundtrip import verify_3mf
    from falldamage_forge.export.threemf import ModelInfo, PlateContents, write_plain
    from falldamage_forge.geometry.fit_coupon import coupon, label
    from falldamage_forge.geometry.piece_mesh import fit_of
    from falldamage_forge.geometry.print_report import EXPECTED_MM
    from falldamage_forge.geometry.printability import check_printability
    from falldamage_forge.geometry.stl import write_stl
    from falldamage_forge.infra.artifacts import Artifact, manifest
    from falldamage_forge.infra.atomic_write import write_folder
    from falldamage_forge.issues import ForgeError
    from falldamage_forge.printing.estimate import estimate_plate
    from falldamage_forge.printing.plates import PackItem, pack
    from falldamage_forge.render.palette import group_colour

    printer = FORGE.printer(name=printer_name)
    show_progress("making the coupon")
    meshes = coupon(fit_of(printer))
    files, items = [], []
    for name, mesh in meshes.items():
        data = write_stl(mesh, name)
        faults = check_printability(data, printer, name).issues
        if faults:
            raise ForgeError(faults)
        low, high = mesh.bounds_mm()
        width, depth, height = (b - a for a, b in zip(low, high, strict=True))
        items.append(PackItem(name, width, depth, height, 1))
        files.append(Artifact(f"parts/{name}.stl", data))
    plates = pack(items, printer)
    for plate in plates:
        name = "coupon" if len(plates) == 1 else f"coupon-{plate.index}"
        files.append(Artifact(f"{name}.stl", write_stl(plate_mesh(plate, meshes), name)))
    colours = {"base": group_colour("base")}
    stuff = PlateContents(meshes, dict.fromkeys(meshes, "base"), colours)
    about = ModelInfo(f"Fit coupon for {printer.label}")
    projects = write_projects(about, plates, stuff, printer)
    data = projects[0] if projects else write_plain(about, plates, stuff, printer)
    verify_3mf(data, "coupon.3mf", plates, meshes)
    files.append(Artifact("coupon.3mf", data))
    answers = {key: label(gap_mm) for key, gap_mm in EXPECTED_MM.items()}
    howto = wished_say()(HOWTO).format(title=printer.label, name=printer_name, **answers)
    files.append(Artifact("coupon.txt", howto.encode()))
    files.append(manifest(files, {"kind": "coupon", "printer": printer.name}))
    write_folder(target, files)
    show_progress("")
    shapes = {name: features_of_mesh(mesh) for name, mesh in meshes.items()}
    figures = [estimate_plate(plate, shapes, printer) for plate in plates]
    grams = sum(figure.grams for figure in figures)
    time = format_minutes(sum(figure.minutes for figure in figures))
    echo(
        f"{len(meshes)} parts for {printer.label} in {target}: about {grams:.0f} g and {time};"
        " coupon.txt has the instructions"
    )


def _write_report(target: Path, printer_name: str) -> None:
    from falldamage_forge.geometry.print_report import report_template
    from falldamage_forge.infra.atomic_write import write_file
    from falldamage_forge.infra.version import FORGE_VERSION

    printer = FORGE.printer(name=printer_name)
    text = report_template(
        printer.name, printer.nozzle_mm, printer.process.name, FORGE_VERSION, target.name
    )
    write_file(target, text.encode())
    echo(f"fill in {target}; fdforge prove MAP --tolerance --from {target} reads it")


def _write_printer(
    target: Path, printer_name: str, fit_mm: float, others: Mapping[str, float | None]
) -> None:
    """Write the printer file with other clearances; a clearance out of range writes nothing."""
    from falldamage_forge.infra.atomic_write import write_file
    from falldamage_forge.infra.toml_loader import parse_toml
    from falldamage_forge.printing.printer import printer_from_table

    if target.suffix != ".toml":
        raise refuse("FDF293", f"`{target}` should end in .toml, so that --printer takes it")
    printer = FORGE.printer(name=printer_name)
    seam_mm = round(printer.seam_mm + fit_mm - printer.fit_mm, 3)
    measured = {key: gap for key, gap in others.items() if gap is not None}
    gaps = {"fit_mm": fit_mm, "seam_mm": seam_mm, "click_mm": printer.click_mm} | measured
    text = _with_gaps(_text_of(printer_name), printer, gaps)
    own = printer_from_table(parse_toml(text, str(target)), target.stem, str(target))
    write_file(target, text.encode())
    echo(
        f"{own.title} with a fit of {own.fit_mm:g} mm, a click of {own.click_mm:g} mm"
        f" and seams of {own.seam_mm:g} mm:"
    )
    echo(f"use it with --printer {target}")


def _text_of(printer_name: str) -> str:
    """Return the table of a printer, of a preset or a user's file."""
    from falldamage_forge import presets

    own = printer_name.endswith(".toml") or "/" in printer_name
    path = Path(printer_name) if own else presets.path("printers", printer_name)
    return read_text(path, printer_name)


def _with_gaps(text: str, printer: Printer, gaps: Mapping[str, float]) -> str:
    """Return a printer's table with other clearances; the rest, comments included, is unchanged."""
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
