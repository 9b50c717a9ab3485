"""`fdforge event`: plan an event with several tables."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from falldamage_forge.cli import option
from falldamage_forge.cli.game_input import bots_named
from falldamage_forge.cli.map_argument import FORGE
from falldamage_forge.cli.progress_bar import show_progress
from falldamage_forge.cli.spoken_language import echo, echo_named, wished_say

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from falldamage_forge.builds.pipeline import PrintJob
    from falldamage_forge.event.event_sheets import TableSheet
    from falldamage_forge.event.event_table import EventTable
    from falldamage_forge.event.pairings import Round
    from falldamage_forge.event.print_calendar import PlannedPlate
    from falldamage_forge.infra.artifacts import Artifact
    from falldamage_forge.library.forge import Map
    from falldamage_forge.printing.print_price import Price


@option.command
def command(
    file: Path = option.argument("FILE.toml", type=option.FILE),
    output: Path | None = option.output(
        "Folder for the calendar, the sheets of tables and rounds, and the packing.",
        writes="folder",
        de="Ordner für den Kalender, die Blätter der Spieltische und Runden, und das Packen.",
    ),
    plates: bool = option.flag(
        "Write the plates and lists of the set into the folder too.",
        de="Schreibt auch die Platten und Listen des Bausatzes in den Ordner.",
    ),
    bots: str | None = option.text(
        "Bots that play the tables, as in `fdforge playtest`; the strongest decides (default: "
        "greedy, careful and those that play a table in two minutes).",
        metavar="NAMES",
        de="Bots, die die Spieltische spielen, wie in `fdforge playtest`; der stärkste "
        "entscheidet (Standard: greedy, careful und alle, die einen Spieltisch in zwei "
        "Minuten spielen).",
    ),
    paper: str = option.PAPER,
) -> None:
    """Plan the event of FILE: the set for its tables, when to print each plate, and who plays whom.

    The set builds any of the tables that stand at the same time, and no more. docs/run-an-event.md
    shows the form of the file.
    """
    from falldamage_forge.builds.pipeline import BuildOptions, assemble_kit
    from falldamage_forge.cli.build_options import VARIANTS, price_of
    from falldamage_forge.cli.commands.kit import kit_of, write_kit
    from falldamage_forge.event.pairings import rounds_of
    from falldamage_forge.event.print_calendar import PlateJob, print_calendar, require_ready
    from falldamage_forge.infra.artifacts import with_manifest
    from falldamage_forge.infra.atomic_write import check_target, write_folder
    from falldamage_forge.infra.most_at_once import most_at_once
    from falldamage_forge.pieces.map_kit import KitTable
    from falldamage_forge.presets import DEFAULT_STYLE, load_style
    from falldamage_forge.printing.print_price import Price

    if plates and output is None:
        raise click.UsageError("--plates needs a folder: -o FOLDER")
    if output is not None:
        check_target(output)
    judges = () if bots is None else bots_named(bots)
    event = _read(file)
    shop, contest = event.printing, event.contest
    rounds = rounds_of(contest, [Path(name).stem for name in event.tables]) if contest else ()
    price = Price(shop.price_per_kg, shop.currency) if shop.price_per_kg else price_of()
    options = BuildOptions(style=load_style(DEFAULT_STYLE), variants=VARIANTS, price=price)
    wanted = KitTable(event.title, event.tables, together=event.at_once > 1)
    maps, kit, printer = kit_of(wanted, shop.printer or None)
    tables = _tables(event, maps, [plan.counts() for plan in kit.plans], judges)
    parts = most_at_once([table.counts for table in tables], event.at_once)
    kit = replace(kit, parts=parts, pieces={key: FORGE.catalogue(maps[0])[key] for key in parts})
    build = assemble_kit(kit, printer, show_progress, options)
    jobs = [
        PlateJob(plate.name, plate.group, each.minutes + printer.start_minutes, each.grams)
        for plate, each in zip(build.plates, build.figures, strict=True)
    ]
    planned = print_calendar(jobs, shop)
    require_ready(planned, jobs, shop)
    machines = {one.job.name: one.printer for one in planned}
    build = replace(build, machines=tuple(machines[plate.name] for plate in build.plates))
    if output is not None:
        files = tuple(_sheets(event, tables, planned, rounds, build, parts, price, paper))
        if plates:
            write_kit(build, event.title, maps[0].layout, printer, output, files)
        else:
            write_folder(output, with_manifest(files, {"title": event.title}))
    show_progress("")
    _tell(event, tables, planned, rounds, parts, price)


def _read(file: Path) -> EventTable:
    """Return the event of a file; its maps are presets, or files beside it."""
    from falldamage_forge.event.event_table import EventTable
    from falldamage_forge.infra.source_loader import read_text
    from falldamage_forge.infra.toml_loader import parse_toml, read_table
    from falldamage_forge.maps.resolve import maps_beside

    found = read_table(EventTable, parse_toml(read_text(file, str(file)), str(file)), str(file))
    return replace(found, tables=maps_beside(file, found.tables))


def _tables(
    event: EventTable, maps: list[Map], counts: list[Mapping[str, int]], bots: tuple[str, ...]
) -> list[TableSheet]:
    """Return each table with its parts, the extra ones of the map and of the event included."""
    from falldamage_forge.builds.pipeline import plan_extras
    from falldamage_forge.event.event_sheets import TableSheet
    from falldamage_forge.pieces.extras import combine_extras, extra_parts

    def beside(map_: Map) -> Iterator[Mapping[str, int]]:
        catalogue = FORGE.catalogue(map_)
        yield plan_extras(map_.layout, catalogue)
        yield extra_parts(map_.board, catalogue, event.extras.items(), rim=False)

    return [
        TableSheet(
            map_.title,
            map_.board,
            map_.grid,
            combine_extras((own, *beside(map_)), together=True),
            _fairness(event, name, map_, bots),
            event.page.replace("{table}", Path(name).stem),
        )
        for name, map_, own in zip(event.tables, maps, counts, strict=True)
    ]


def _fairness(event: EventTable, name: str, map_: Map, bots: tuple[str, ...]) -> str:
    """Return the statement on a table's fairness."""
    from falldamage_forge.playtest.fairness_check import fairness_sentence

    show_progress(f"judging {map_.title}")
    return fairness_sentence(FORGE.analysis(map_), name, event.games, bots)


def _sheets(
    event: EventTable,
    tables: list[TableSheet],
    planned: tuple[PlannedPlate, ...],
    rounds: tuple[Round, ...],
    build: PrintJob,
    parts: Mapping[str, int],
    price: Price | None,
    paper: str,
) -> Iterator[Artifact]:
    """Yield the PDF files of an event."""
    from falldamage_forge.event.event_sheets import calendar_sheets, round_sheets, table_sheets
    from falldamage_forge.infra.artifacts import Artifact
    from falldamage_forge.lengths import parse_box_mm
    from falldamage_forge.printing.box_layers import pack_box, require_fit
    from falldamage_forge.render.build_sheets import thumbs
    from falldamage_forge.render.packing_sheets import packing_sheets

    # Each piece has a variant without a suffix, so the build holds the mesh of every design.
    pieces = {key: build.pieces[key] for key in parts}
    packed = None
    if event.box:
        sizes = {key: build.sizes[key].measure.size_mm for key in parts}
        packed = pack_box(parts, sizes, parse_box_mm(event.box))
        require_fit(packed)
    show_progress("drawing the parts")
    pictures = thumbs(pieces, build.meshes)
    show_progress("writing the sheets")
    say = wished_say()
    yield Artifact("calendar.pdf", calendar_sheets(event.title, planned, price, paper, say))
    yield Artifact("tables.pdf", table_sheets(event.title, tables, pieces, pictures, paper, say))
    if event.contest:
        yield Artifact("rounds.pdf", round_sheets(event.title, event.contest, rounds, paper, say))
    if packed:
        data = packing_sheets(event.title, packed, parts, pieces, pictures, paper, say)
        yield Artifact("packing.pdf", data)


def _tell(
    event: EventTable,
    tables: list[TableSheet],
    planned: tuple[PlannedPlate, ...],
    rounds: tuple[Round, ...],
    parts: Mapping[str, int],
    price: Price | None,
) -> None:
    from falldamage_forge.event.print_calendar import days_of
    from falldamage_forge.export.piece_list import format_minutes

    whole = sum(sum(table.counts.values()) for table in tables)
    grams = sum(one.job.grams for one in planned)
    cost = f", {price.text(grams)}" if price else ""
    minutes = format_minutes(sum(one.job.minutes for one in planned))
    echo(
        f"{event.title}: {sum(parts.values())} parts build any {event.at_once} of "
        f"{len(tables)} tables; all of them need {whole}"
    )
    echo(f"{len(planned)} plates, {grams:.0f} g{cost}, {minutes} of printing\n")
    for day, plates in days_of(planned).items():
        echo(day)
        for one in plates:
            spool = f", spool {one.spool}" if one.spool else ""
            ends = f"{one.end:%H:%M}" + f" on {one.end:%d %b}" * (one.end.date() > one.start.date())
            name = one.job.name
            echo(f"  {one.start:%H:%M}  printer {one.printer}{spool}: {name}, until {ends}")
    echo(f"\nprinted on {max(one.end for one in planned):%Y-%m-%d %H:%M}\n")
    for table in tables:
        echo_named(table.title, table.fairness)
    for each in rounds:
        echo(f"\nRound {each.number}")
        for game in each.games:
            echo(f"  {game.table}: {game.red} (red) against {game.blue} (blue)")
        if each.bye:
            echo(f"  {each.bye} sits out")
