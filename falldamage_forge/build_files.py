"""The files of a build as bytes: parts, plates, projects, lists and the manifest."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import TYPE_CHECKING

from falldamage_forge import __version__
from falldamage_forge.export.artifacts import Artifact, with_manifest
from falldamage_forge.export.lists import csv_bytes, list_json
from falldamage_forge.export.order import order_csv, piece_file
from falldamage_forge.export.plates import plate_mesh
from falldamage_forge.export.studio import MAX_PLATES, write_projects
from falldamage_forge.export.threemf import Stuff, write_plain, write_plate
from falldamage_forge.geometry.stl import write_stl
from falldamage_forge.lengths import GRID
from falldamage_forge.waiting import Progress, each, quiet

if TYPE_CHECKING:
    from falldamage_forge.assemble import Build
    from falldamage_forge.lang import Layout
    from falldamage_forge.printing.printer import Printer

PLAIN = "project-plain.3mf"


def about_plan(build: Build) -> dict[str, object]:
    """How well the columns were divided, and where the figures come from."""
    found = build.cover
    told: dict[str, object] = {"figures": build.source}
    if found is not None:
        told["division"] = {
            "minimise": build.options.minimise or "filament",
            "method": found.method,
            "cost": round(found.cost, 1),
            "bound": round(found.bound, 1),
            "gap": round(found.gap, 4),
            "greedy": round(found.greedy_cost, 1),
        }
    return told


def figures_note(build: Build) -> str:
    """Where figures come from, and what the start of each plate takes beyond them."""
    from falldamage_forge.export.lists import start_note

    return f"filament and time: {build.source}; {start_note(len(build.plates), build.printer)}"


def plate_table(build: Build) -> list[dict[str, object]]:
    """What stands on each plate, with its figures."""
    return [
        {
            "plate": plate.index,
            "name": plate.name,
            "group": plate.group,
            "pieces": plate.counts(),
            "grams": round(figures.grams, 1),
            "minutes": round(figures.minutes, 1),
            "start_minutes": round(build.printer.start_minutes, 1),
            "printer": machine,
        }
        for plate, figures, machine in zip(build.plates, build.figures, build.machines, strict=True)
    ]


def artifacts(
    build: Build,
    layout: Layout,
    printer: Printer,
    progress: Progress = quiet,
    beside: Iterable[Artifact] = (),
    parts: Iterable[Artifact] | None = None,
) -> Iterator[Artifact]:
    """Every file of an export, one by one as they are made, the manifest last.

    `beside` are pictures and pages that go along, `parts` what `part_files` gave beforehand.
    """
    about = {
        "title": layout.title,
        "tool": f"falldamage-forge {__version__}",
        "printer": printer.name,
        "process": printer.process.name,
        "fit_mm": printer.fit_mm,
        "seam_mm": printer.seam_mm,
        **size_of_table(build),
    }
    if parts is None:
        parts = part_files(build, layout.title, printer, progress)
    return with_manifest(chain(parts, _lists(build), beside), about)


def _lists(build: Build) -> Iterator[Artifact]:
    price = build.options.price
    yield Artifact("pieces.csv", csv_bytes(build.rows, price))
    table = list_json(build.rows, plate_table(build), price, **about_plan(build))
    yield Artifact("pieces.json", table)
    yield Artifact("order.csv", order_csv(build.rows, build.sizes))


def part_files(
    build: Build, title: str, printer: Printer, progress: Progress = quiet
) -> Iterator[Artifact]:
    """Pieces and plates, to be printed. Each STL is judged as it will be read back."""
    yield from _piece_files(build, printer, progress)
    yield from _plate_files(build, title, printer, progress)


def size_of_table(build: Build) -> dict[str, float]:
    """How large tiles and levels are printed, where that is not ours."""
    grid = next((piece.grid for piece in build.pieces.values()), GRID)
    return {} if grid == GRID else {"tile_mm": grid.pitch_mm, "rise_mm": grid.rise_mm}


def _piece_files(build: Build, printer: Printer, progress: Progress) -> Iterator[Artifact]:
    from falldamage_forge.geometry.sound import refuse_unsound

    rows = {row.piece: row for row in build.rows if row.quantity}
    for key in each(rows, "writing {}", progress):
        data = write_stl(build.meshes[key], key)
        refuse_unsound(data, printer, key)
        yield Artifact(piece_file(rows[key]), data)


def _plate_files(
    build: Build, title: str, printer: Printer, progress: Progress
) -> Iterator[Artifact]:
    """Each plate as STL and 3MF, and all of them as a slicer's project; each reopened."""
    from falldamage_forge.export.reopen import known_meshes, verify_3mf, verify_plate_stl
    from falldamage_forge.render.palette import group_colour

    groups = {key: piece.group for key, piece in build.pieces.items()}
    stuff = Stuff(build.meshes, groups, {group: group_colour(group) for group in groups.values()})
    known = known_meshes(stuff)
    plates = {plate.name: plate for plate in build.plates}
    for name in each(plates, "writing {}", progress):
        plate = plates[name]
        data = write_stl(plate_mesh(plate, build.meshes), plate.name)
        verify_plate_stl(data, plate, build.meshes, printer)
        yield Artifact(f"plates/{plate.name}.stl", data)
        data = write_plate(plate, stuff)
        verify_3mf(data, f"{plate.name}.3mf", [plate], build.meshes, known)
        yield Artifact(f"plates/{plate.name}.3mf", data)
    if not build.plates:
        return
    progress("writing the project")
    projects = write_projects(title, build.plates, stuff, printer)
    for number, data in enumerate(projects, start=1):
        name = "project.3mf" if len(projects) == 1 else f"project-{number}.3mf"
        own = build.plates[(number - 1) * MAX_PLATES : number * MAX_PLATES]
        verify_3mf(data, name, own, build.meshes, known)
        yield Artifact(name, data)
    data = write_plain(title, build.plates, stuff, printer)
    verify_3mf(data, PLAIN, build.plates, build.meshes, known)
    yield Artifact(PLAIN, data)
