"""`fdforge kit`: one set of parts for several maps."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from falldamage_forge.cli import complete
from falldamage_forge.cli.build_options import (
    build_options,
    division_note,
    options_of,
    read_own,
    slicer_figures,
)
from falldamage_forge.cli.common import FORGE, checked_map
from falldamage_forge.cli.waiting import show_progress
from falldamage_forge.files import read_text
from falldamage_forge.issues import refuse
from falldamage_forge.waiting import each

if TYPE_CHECKING:
    from falldamage_forge.assemble import Build, BuildOptions
    from falldamage_forge.export.artifacts import Artifact
    from falldamage_forge.forge import Map
    from falldamage_forge.lang import Layout
    from falldamage_forge.pieces.catalogue import Catalogue
    from falldamage_forge.pieces.kit import Kit, SetTable
    from falldamage_forge.printing.printer import Printer


@click.command()
@click.argument("names", metavar="[MAP|SET]...", nargs=-1, shell_complete=complete.maps)
@click.option("--can-build", type=click.Path(path_type=Path), help="CSV of parts: which maps?")
@click.option("--together", is_flag=True, help="All maps stand at the same time.")
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Write its plates there.")
@click.option("--printer", "printer_name", help="Printer to print on.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["table", "csv", "json", "markdown"]),
    default="table",
    show_default=True,
)
@build_options
def command(
    names: tuple[str, ...],
    can_build: Path | None,
    together: bool,
    output: Path | None,
    printer_name: str | None,
    form: str,
    process_name: str | None,
    own: Path | None,
    slicer: bool,
    **words: Any,
) -> None:
    """Find the smallest set of parts that builds each MAP, one at a time, or print a preset SET.

    With --can-build, tell which maps (all presets and MAPs) a stock of parts can build.
    """
    from falldamage_forge.assemble import assemble_kit, with_figures
    from falldamage_forge.staging import check_target

    if can_build is not None:
        _can_build(read_own(can_build), names, form == "json")
        return
    if not names:
        raise click.UsageError("name maps, a set, or a stock with --can-build")
    if output is not None:
        check_target(output)
    options = options_of(own, **words)
    wanted = _wanted(names, together)
    maps = [checked_map(name).map for name in wanted.maps]
    catalogue = _one_size(maps)
    printer = FORGE.printer(maps[0], printer_name, process_name)
    kit = _kit(wanted, maps, catalogue, printer, options)
    build = assemble_kit(kit, printer, show_progress, options)
    if slicer:
        build = with_figures(build, slicer_figures(build), "PrusaSlicer")
    if output is not None:
        sheets = _build_sheets(build, wanted.maps, maps, kit)
        _write(build, wanted, maps[0].layout, printer, output, sheets)
    show_progress("")
    _tell(build, wanted, kit, form)


def _wanted(names: tuple[str, ...], together: bool) -> SetTable:
    """A preset set by its name, or one's own by its file, alone; else the maps named."""
    from falldamage_forge import presets
    from falldamage_forge.pieces.kit import SetTable

    if len(names) == 1 and names[0].endswith(".toml"):
        return _own_set(Path(names[0]))
    if len(names) == 1 and names[0] in presets.names("sets") and not Path(names[0]).exists():
        return presets.load_set(names[0])
    return SetTable(f"Kit for {', '.join(names)}", names, together)


def _own_set(path: Path) -> SetTable:
    """A set of a file of one's own; its maps are presets, or files relative to it."""
    from falldamage_forge.called import map_path
    from falldamage_forge.pieces.kit import SetTable
    from falldamage_forge.tables import parse_toml, read_table

    found = read_table(SetTable, parse_toml(read_text(path, str(path)), str(path)), str(path))
    maps = (n if map_path(n) != Path(n) else str(path.parent / n) for n in found.maps)
    return replace(found, maps=tuple(maps))


def _one_size(maps: list[Map]) -> Catalogue:
    """The pieces of the maps' size; ForgeError (FDF437) where they are not of one size."""
    first, *others = [FORGE.catalogue(map_) for map_ in maps]
    for map_, other in zip(maps[1:], others, strict=True):
        if other.grid != first.grid:
            sizes = [f"{one.grid.pitch_mm:g} x {one.grid.rise_mm:g} mm" for one in (first, other)]
            titles = (maps[0].title, map_.title)
            message = " and ".join(f"{t} is of {s}" for t, s in zip(titles, sizes, strict=True))
            raise refuse("FDF437", message, "a kit is of one size: make one for each")
    return first


def _kit(
    wanted: SetTable,
    maps: list[Map],
    catalogue: Catalogue,
    printer: Printer,
    options: BuildOptions,
) -> Kit:
    from falldamage_forge.assemble import beside_of, block_costs
    from falldamage_forge.pieces.beside import of_several
    from falldamage_forge.pieces.kit import kit_for

    tables = [beside_of(map_.layout, catalogue, options.rim) for map_ in maps]
    more = of_several(tables, together=wanted.together)
    show_progress("dividing columns into blocks")
    costs = block_costs(catalogue.blocks(), printer, options.minimise)
    return kit_for(
        [map_.board for map_ in maps],
        catalogue,
        options.owned,
        costs,
        together=wanted.together,
        extras=Counter(wanted.extras) + Counter(more),
    )


def _build_sheets(
    build: Build, names: tuple[str, ...], maps: list[Map], kit: Kit
) -> tuple[Artifact, ...]:
    """`build-<map>.pdf` for each map, made for the kit's own parts; a map named twice has one."""
    from falldamage_forge.called import map_path
    from falldamage_forge.export.artifacts import Artifact
    from falldamage_forge.render.photo.board import page_photo
    from falldamage_forge.render.sheets import sheets, thumbs
    from falldamage_forge.staging import safe_name

    show_progress("drawing the parts")
    pictures = thumbs(build.pieces, build.meshes)
    files: dict[str, Artifact] = {}
    for done, (name, map_, plan) in enumerate(zip(names, maps, kit.plans, strict=True)):
        path = f"build-{safe_name(map_path(name).stem)}.pdf"
        if path not in files:
            show_progress(f"writing the build sheets of {name}", done, len(names))
            photo = page_photo(plan.placements, build.meshes, build.printer)
            data = sheets(map_.title, map_.board, plan.placements, pictures, photo=photo)
            files[path] = Artifact(path, data)
    return tuple(files.values())


def _write(
    build: Build,
    wanted: SetTable,
    layout: Layout,
    printer: Printer,
    output: Path,
    beside: tuple[Artifact, ...],
) -> None:
    from falldamage_forge.build_files import artifacts
    from falldamage_forge.profiles import settings_files
    from falldamage_forge.staging import write_folder

    titled = replace(layout, title=wanted.title)
    beside = (*beside, *settings_files(printer))
    files = artifacts(build, titled, printer, show_progress, beside)
    write_folder(output, files)


def _tell(build: Build, wanted: SetTable, kit: Kit, form: str) -> None:
    from falldamage_forge.build_files import about_plan, figures_note, plate_table
    from falldamage_forge.export import lists

    maps = [
        {"map": name, "parts": sum(plan.counts().values())}
        for name, plan in zip(wanted.maps, kit.plans, strict=True)
    ]
    if form == "csv":
        click.echo(lists.csv_bytes(build.rows, build.options.price), nl=False)
    elif form == "json":
        about = {"title": wanted.title, "maps": maps, "together": wanted.together}
        data = lists.list_json(
            build.rows, plate_table(build), build.options.price, **about, **about_plan(build)
        )
        click.echo(data, nl=False)
    elif form == "markdown":
        click.echo(lists.markdown_table(build.rows, build.options.price))
    else:
        how = "all at once" if wanted.together else "one at a time"
        told = ", ".join(f"{row['map']} ({row['parts']} parts)" for row in maps)
        click.echo(f"{wanted.title}: builds {how} {told}\n")
        click.echo(lists.text_table(build.rows, build.options.price))
        click.echo(f"{len(build.plates)} plates; {figures_note(build)}")
        if note := division_note(build):
            click.echo(note)


def _can_build(owned: dict[str, int], names: tuple[str, ...], as_json: bool) -> None:
    """Which of the preset and given maps a stock builds, the nearest misses next."""
    from falldamage_forge import presets
    from falldamage_forge.pieces.kit import lacking

    catalogue = presets.load_catalogue()
    found: list[tuple[str, dict[str, int]]] = []
    wanted = tuple(dict.fromkeys((*presets.names("maps"), *names)))
    for name in each(wanted, "building {}", show_progress):
        map_ = checked_map(name).map
        sized = catalogue.on(map_.grid)
        found.append((name, lacking(map_.board, sized, owned)))
    show_progress("")
    found.sort(key=lambda item: (sum(item[1].values()), item[0]))
    if as_json:
        rows = [{"map": name, "buildable": not lacks, "lacks": lacks} for name, lacks in found]
        click.echo(json.dumps(rows, indent=2))
        return
    for name, lacks in found:
        parts = sum(lacks.values())
        told = ", ".join(f"{count} {key}" for key, count in lacks.items())
        verdict = f"lacks {parts} part{'s' * (parts != 1)}: {told}" if lacks else "can be built"
        click.echo(f"{name}: {verdict}")
