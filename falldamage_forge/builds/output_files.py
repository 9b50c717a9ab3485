"""Files of a build as bytes: parts, plates, slicer projects, lists and the manifest."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING

from falldamage_forge.board.tones import Tone
from falldamage_forge.builds.pipeline import filament_numbers
from falldamage_forge.export.bambu_project import MAX_PLATES, write_projects
from falldamage_forge.export.filament_list import filament_json
from falldamage_forge.export.piece_list import csv_bytes, list_json
from falldamage_forge.export.plate_meshes import plate_mesh
from falldamage_forge.export.plate_thumbnails import ThumbnailRenderer
from falldamage_forge.export.print_service_order import order_csv, piece_file
from falldamage_forge.export.shopping_list import SHOPPING, shopping_csv, shopping_json
from falldamage_forge.export.threemf import (
    ModelInfo,
    PlateContents,
    pauses_on,
    write_plain,
    write_plate,
)
from falldamage_forge.geometry.lying_magnet import closed_magnet_of, pause_mm
from falldamage_forge.geometry.stl import write_stl
from falldamage_forge.infra.artifacts import Artifact, with_manifest
from falldamage_forge.infra.progress import ProgressCallback, no_progress, track
from falldamage_forge.infra.version import FORGE_VERSION
from falldamage_forge.lengths import GRID
from falldamage_forge.printing.filament_plan import (
    Filament,
    FilamentPlan,
    print_steps,
    purges_of,
)
from falldamage_forge.printing.supports import supported_keys
from falldamage_forge.printing.tone_change import COST, ToneChange, layers_at

if TYPE_CHECKING:
    from falldamage_forge.builds.pipeline import PrintJob
    from falldamage_forge.geometry.mesh import Mesh
    from falldamage_forge.lang import Layout
    from falldamage_forge.lengths import PrintGrid
    from falldamage_forge.printing.printer import Printer
    from falldamage_forge.render.svg import BoardPicture

PLAIN = "project-plain.3mf"
COVER_PIXELS = (512, 128)
"""Widths of the pictures of the board in a project."""


def plan_notes(build: PrintJob) -> dict[str, object]:
    """Return the manifest's notes on the cover's quality and the source of the print statistics."""
    found = build.cover
    sources: dict[str, object] = {"figures": build.source}
    if plan := filament_plan(build):
        sources |= filament_json(plan)
    if build.magnets:
        sources["bought"] = shopping_json(build.magnets, build.options.price)
    if found is not None:
        sources["division"] = {
            "minimise": build.options.minimise or "filament",
            "method": found.method,
            "cost": round(found.cost, 1),
            "bound": round(found.bound, 1),
            "gap": round(found.gap, 4),
            "greedy": round(found.greedy_cost, 1),
        }
    return sources


def filament_plan(build: PrintJob) -> FilamentPlan | None:
    """Return the filaments of a job and the order to load them; None if none were planned."""
    return _plan(build, build.filaments) if build.filaments else None


def any_filament_plan(build: PrintJob) -> FilamentPlan:
    """Return the same, with a filament for each group if none were planned."""
    groups = dict.fromkeys(build.pieces[key].group for p in build.plates for key in p.counts())
    return filament_plan(build) or _plan(build, tuple((group,) for group in groups))


def _plan(build: PrintJob, shared: Sequence[tuple[str, ...]]) -> FilamentPlan:
    from falldamage_forge.render.palette import group_colour

    filaments = [
        Filament(
            number,
            groups,
            group_colour(groups[0]),
            sum(row.grams - row.tops_grams for row in build.rows if row.group in groups),
        )
        for number, groups in enumerate(shared, start=1)
    ]
    tones = {tone: n for n, tone in enumerate(_tones(build), start=len(filaments) + 1)}
    for tone, number in tones.items():
        weight_g = sum(row.tops_grams for row in build.rows if row.group in tone.groups)
        filaments.append(Filament(number, (tone.title,), tone.colour, weight_g))
    spools = filament_numbers(build.pieces, shared)
    used, purges = [], 0
    for plate in build.plates:
        heights_mm: dict[int, float] = {}
        for key in plate.counts():
            high = build.sizes[key].measure.size_mm[2]
            heights_mm[spools[key]] = max(high, heights_mm.get(spools[key], 0.0))
        first = [tones[plate.change.tone]] if plate.change else []
        used.append((*first, *sorted(heights_mm)))
        layer_mm = build.printer.process.way(plate.group).layer_mm
        purges += len(first) + purges_of(heights_mm, layer_mm)
    in_turn = [plate.index for plate in build.plates if plate.change]
    steps = print_steps(used, in_turn)
    return FilamentPlan(tuple(filaments), steps, build.options.price, purges)


def _tones(build: PrintJob) -> list[Tone]:
    """Return the colours of tops in the order in which plates use them."""
    return [*dict.fromkeys(plate.change.tone for plate in build.plates if plate.change)]


def plate_colours(build: PrintJob) -> tuple[dict[str, str], dict[str, str]]:
    """Return the filament's group of each piece, and `#RRGGBB` by group in order of filaments.

    The colours of tops come last, by their titles.
    """
    from falldamage_forge.render.palette import group_colour

    heads = {group: own[0] for own in build.filaments for group in own}
    groups = {key: heads.get(piece.group, piece.group) for key, piece in build.pieces.items()}
    order = dict.fromkeys([own[0] for own in build.filaments] + sorted(groups.values()))
    colours = {group: group_colour(group) for group in order}
    return groups, colours | {tone.title: tone.colour for tone in _tones(build)}


def plate_contents(build: PrintJob, meshes: Mapping[str, Mesh] | None = None) -> PlateContents:
    """Return meshes, groups and colours of a job, its parts with supports, and layer ranges.

    Args:
        build: The print job.
        meshes: Meshes in print pose by key; None for those of the job.
    """
    return PlateContents(
        build.printed if meshes is None else meshes,
        *plate_colours(build),
        supported_keys(build.pieces),
        {key: shape.ranges for key, shape in build.shapes.items() if shape.ranges},
        plate_pauses_mm(build),
    )


def plate_pauses_mm(build: PrintJob) -> dict[str, float]:
    """Return the top of the layer before which the print of a part pauses for magnets, by key."""
    found = {}
    for key, piece in build.pieces.items():
        closed = closed_magnet_of(piece)
        if closed is not None:
            found[key] = layers_at(piece, pause_mm(closed), build.printer.process)[1]
    return found


def pause_notes(build: PrintJob) -> list[str]:
    """Return a sentence on the plates whose print pauses, for each height."""
    paused = plate_pauses_mm(build)
    by_height: dict[float, list[int]] = {}
    for plate in build.plates:
        for z_mm in pauses_on(plate, paused):
            by_height.setdefault(z_mm, []).append(plate.index)
    return [
        f"plate {', '.join(map(str, own))} pauses before the layer at {z_mm:.2f} mm: lay a magnet"
        " into each post, its dot down"
        for z_mm, own in sorted(by_height.items())
    ]


def figures_note(build: PrintJob) -> str:
    """Return a sentence on the source of the print statistics and the start time of each plate."""
    from falldamage_forge.export.piece_list import start_note

    start = start_note(len(build.plates), build.printer)
    changes = sum(plate.change is not None for plate in build.plates)
    more = (
        f"; {changes} changes below tops are in it, {COST.grams:g} g and {COST.minutes:g} min each"
    )
    return f"filament and time: {build.source}; {start}{more if changes else ''}"


def plate_table(build: PrintJob) -> list[dict[str, object]]:
    """Return the parts on each plate with its print statistics, as JSON values."""
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
            **({"change": _change(plate.change)} if plate.change else {}),
        }
        for plate, figures, machine in zip(build.plates, build.figures, build.machines, strict=True)
    ]


def _change(change: ToneChange) -> dict[str, object]:
    numbers = {"first_mm": change.first_mm, "print_z_mm": change.print_z_mm}
    return {"from": change.tone.name, "to": change.body, **numbers}


def artifacts(
    build: PrintJob,
    layout: Layout,
    printer: Printer,
    progress: ProgressCallback = no_progress,
    beside: Iterable[Artifact] = (),
    parts: Iterable[Artifact] | None = None,
) -> Iterator[Artifact]:
    """Yield every file of an export as it is made, the manifest last.

    Args:
        build: The print job; it must hold meshes.
        layout: The map's layout, for the title and the statements of the manifest.
        printer: The printer of the plates.
        progress: Progress callback.
        beside: Further files, such as pictures and pages.
        parts: Result of `part_files` if it is known already; None makes them.
    """
    about = {
        "title": layout.title,
        "tool": f"falldamage-forge {FORGE_VERSION}",
        "printer": printer.name,
        "process": printer.process.name,
        "fit_mm": printer.fit_mm,
        "seam_mm": printer.seam_mm,
        **size_of_table(build),
    }
    if parts is None:
        parts = part_files(build, layout, printer, progress)
    return with_manifest(chain(parts, _lists(build), beside), about)


def _lists(build: PrintJob) -> Iterator[Artifact]:
    price = build.options.price
    yield Artifact("pieces.csv", csv_bytes(build.rows, price))
    table = list_json(build.rows, plate_table(build), price, **plan_notes(build))
    yield Artifact("pieces.json", table)
    if build.options.formats == "all":
        yield Artifact("order.csv", order_csv(build.rows, build.sizes))
    if build.magnets:
        yield Artifact(SHOPPING, shopping_csv(build.magnets, price))


def part_files(
    build: PrintJob,
    layout: Layout,
    printer: Printer,
    progress: ProgressCallback = no_progress,
    picture: Callable[[], BoardPicture] | None = None,
) -> Iterator[Artifact]:
    """Yield the STL and 3MF files of pieces and plates.

    Each STL is validated as it will be read back; each 3MF is reopened and compared.

    Args:
        build: The print job; it must hold meshes.
        layout: The map's layout, for its title, author and picture.
        printer: The printer of the plates.
        progress: Progress callback.
        picture: Returns the result of `board_picture` if it was begun before; None draws it.
    """
    if build.options.formats == "all":
        yield from _piece_files(build, printer, progress)
    yield from _plate_files(build, layout, printer, progress, picture)


def _about(build: PrintJob, layout: Layout) -> ModelInfo:
    """Return the words of a project about its map."""
    board = layout.board
    parts = sum(row.quantity for row in build.rows)
    description = (
        f"A {board.cols}x{board.rows} table for {layout.rules}: {parts} parts on"
        f" {len(build.plates)} plates, made by FallDamage Forge."
    )
    return ModelInfo(layout.title or "A map", layout.author, description, layout.license)


def board_picture(build: PrintJob, layout: Layout) -> BoardPicture:
    """Return the picture of the board, which stands in projects, in the report, and by itself.

    Args:
        build: The print job; it must hold meshes.
        layout: The map's layout.
    """
    from falldamage_forge.languages.translator import spoken
    from falldamage_forge.render.isometric import isometric
    from falldamage_forge.render.isometric_models import seen_models
    from falldamage_forge.render.svg import BoardPicture, png

    drawing = isometric(
        layout.board,
        title=layout.title,
        grid=grid_of(build),
        tops=build.options.tops,
        say=spoken(build.options.language),
        models=seen_models(build.plan.placements, build.meshes, build.printer),
    )
    return BoardPicture(png(drawing), drawing.head, drawing.foot)


def _cover(picture: BoardPicture) -> tuple[bytes, bytes]:
    """Return the large and the small picture of the board for a project's list."""
    from falldamage_forge.render.svg import smaller

    large = smaller(picture.png, COVER_PIXELS[0], foot=picture.foot)
    return large, smaller(large, COVER_PIXELS[1])


def grid_of(build: PrintJob) -> PrintGrid:
    """Return the grid of a job's pieces."""
    return next((piece.grid for piece in build.pieces.values()), GRID)


def size_of_table(build: PrintJob) -> dict[str, float]:
    """Return tile pitch and level rise in mm if they differ from the default, else nothing."""
    grid = grid_of(build)
    return {} if grid == GRID else {"tile_mm": grid.pitch_mm, "rise_mm": grid.rise_mm}


def _piece_files(
    build: PrintJob, printer: Printer, progress: ProgressCallback
) -> Iterator[Artifact]:
    from falldamage_forge.geometry.mesh_validation import require_valid_stl

    rows = {row.piece: row for row in build.rows if row.quantity}
    for key in track(rows, "writing {}", progress):
        data = write_stl(build.printed[key], key)
        require_valid_stl(data, printer, key)
        yield Artifact(piece_file(rows[key]), data)


def _plate_files(
    build: PrintJob,
    layout: Layout,
    printer: Printer,
    progress: ProgressCallback,
    picture: Callable[[], BoardPicture] | None,
) -> Iterator[Artifact]:
    """Yield each plate as STL and 3MF, and all of them as a slicer's project; each is reopened."""
    from falldamage_forge.export.roundtrip import known_meshes, verify_3mf, verify_plate_stl

    stuff = plate_contents(build)
    known = known_meshes(stuff)
    pictures = ThumbnailRenderer(stuff, printer)
    plates = {plate.name: plate for plate in build.plates}
    for name in track(plates, "writing {}", progress):
        plate = plates[name]
        if build.options.formats == "all":
            data = write_stl(plate_mesh(plate, build.printed), plate.name)
            verify_plate_stl(data, plate, build.printed, printer)
            yield Artifact(f"plates/{plate.name}.stl", data)
        data = write_plate(plate, stuff, pictures.of(plate)[0])
        verify_3mf(data, f"{plate.name}.3mf", [plate], build.printed, known)
        yield Artifact(f"plates/{plate.name}.3mf", data)
    if not build.plates:
        return
    progress("writing the project")
    about = _about(build, layout)
    cover = _cover(picture() if picture else board_picture(build, layout))
    template = build.options.template
    if template is not None and template.printer != printer.name:
        template = None
    projects = write_projects(
        about, build.plates, stuff, printer, cover, template, build.options.change_by
    )
    for number, data in enumerate(projects, start=1):
        name = "project.3mf" if len(projects) == 1 else f"project-{number}.3mf"
        own = build.plates[(number - 1) * MAX_PLATES : number * MAX_PLATES]
        verify_3mf(data, name, own, build.printed, known)
        yield Artifact(name, data)
    data = write_plain(about, build.plates, stuff, printer, cover[0])
    verify_3mf(data, PLAIN, build.plates, build.printed, known)
    yield Artifact(PLAIN, data)
