"""`fdforge kit`: one set of parts for several maps."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from falldamage_forge.cli.common import (
    Sources,
    check_map,
    printer_of,
    show_progress,
    stop_on_errors,
)
from falldamage_forge.cli.wishes import division_note, read_own, sliced, wish_options, wishes_of

if TYPE_CHECKING:
    from falldamage_forge.assemble import Build, Wishes
    from falldamage_forge.lang import Layout
    from falldamage_forge.pieces.kit import Kit, SetTable


@click.command()
@click.argument("names", metavar="[MAP|SET]...", nargs=-1)
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
@wish_options
def command(
    names: tuple[str, ...],
    can_build: Path | None,
    together: bool,
    output: Path | None,
    printer_name: str | None,
    form: str,
    own: Path | None,
    slicer: bool,
    **words: Any,
) -> None:
    """Find the smallest set of parts that builds each MAP, one at a time, or print a preset SET.

    With --can-build, tell which maps (all presets and MAPs) a stock of parts can build.
    """
    from falldamage_forge.assemble import assemble_kit

    sources = Sources()
    if can_build is not None:
        _can_build(read_own(can_build, sources), names, sources, form == "json")
        return
    if not names:
        raise click.UsageError("name maps, a set, or a stock with --can-build")
    wishes = wishes_of(sources, own, **words)
    wanted = _wanted(names, together)
    layouts = [_legal(name, sources) for name in wanted.maps]
    printer = printer_of(layouts[0], printer_name)
    kit = _kit(wanted, layouts, printer_name, wishes)
    build = assemble_kit(kit, printer, show_progress, wishes)
    if slicer:
        build = sliced(build)
    if output is not None:
        _write(build, wanted, layouts[0], printer_name, output)
    show_progress("")
    _tell(build, wanted, kit, form)


def _wanted(names: tuple[str, ...], together: bool) -> SetTable:
    """A preset set by its name alone, else the maps named."""
    from falldamage_forge import presets
    from falldamage_forge.pieces.kit import SetTable

    if len(names) == 1 and names[0] in presets.names("sets") and not Path(names[0]).exists():
        return presets.load_set(names[0])
    return SetTable(f"Kit for {', '.join(names)}", names, together)


def _legal(name: str, sources: Sources) -> Layout:
    checked = check_map(name, sources)
    stop_on_errors(checked.issues, sources)
    return checked.layout


def _kit(wanted: SetTable, layouts: list[Layout], printer_name: str | None, wishes: Wishes) -> Kit:
    from falldamage_forge.assemble import block_costs
    from falldamage_forge.pieces.kit import kit_for
    from falldamage_forge.presets import load_catalogue

    catalogue = load_catalogue()
    show_progress("dividing columns into blocks")
    costs = block_costs(catalogue.blocks(), printer_of(layouts[0], printer_name), wishes.minimise)
    return kit_for(
        [layout.board for layout in layouts],
        catalogue,
        wishes.owned,
        costs,
        together=wanted.together,
        extras=wanted.extras,
    )


def _write(
    build: Build, wanted: SetTable, layout: Layout, printer_name: str | None, output: Path
) -> None:
    from dataclasses import replace

    from falldamage_forge.assemble import artifacts
    from falldamage_forge.cli.write import write_folder

    printer = printer_of(layout, printer_name)
    files = artifacts(build, replace(layout, title=wanted.title), printer, show_progress)
    write_folder(output, files)


def _tell(build: Build, wanted: SetTable, kit: Kit, form: str) -> None:
    from falldamage_forge.assemble import about_plan, plate_table
    from falldamage_forge.export import lists

    maps = [
        {"map": name, "parts": sum(plan.counts().values())}
        for name, plan in zip(wanted.maps, kit.plans, strict=True)
    ]
    if form == "csv":
        click.echo(lists.csv_bytes(build.rows), nl=False)
    elif form == "json":
        about = {"title": wanted.title, "maps": maps, "together": wanted.together}
        data = lists.list_json(build.rows, plate_table(build), **about, **about_plan(build))
        click.echo(data, nl=False)
    elif form == "markdown":
        click.echo(lists.markdown_table(build.rows))
    else:
        how = "all at once" if wanted.together else "one at a time"
        told = ", ".join(f"{row['map']} ({row['parts']} parts)" for row in maps)
        click.echo(f"{wanted.title}: builds {how} {told}\n")
        click.echo(lists.text_table(build.rows))
        click.echo(f"{len(build.plates)} plates; filament and time: {build.source}")
        if note := division_note(build):
            click.echo(note)


def _can_build(
    owned: dict[str, int], names: tuple[str, ...], sources: Sources, as_json: bool
) -> None:
    """Which of the preset and given maps a stock builds, the nearest misses next."""
    from falldamage_forge import presets
    from falldamage_forge.pieces.kit import lacking

    catalogue = presets.load_catalogue()
    found: list[tuple[str, dict[str, int]]] = []
    for name in dict.fromkeys((*presets.names("maps"), *names)):
        show_progress(f"building {name}")
        found.append((name, lacking(_legal(name, sources).board, catalogue, owned)))
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
