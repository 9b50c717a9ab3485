"""`fdforge kit`: find the parts that build several maps."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from falldamage_forge.cli import option
from falldamage_forge.cli.build_options import (
    BUILD,
    SLICER,
    BuildWords,
    echo_list,
    echo_notes,
    piece_table,
    read_stock_file,
    slicer_figures,
    template_of,
)
from falldamage_forge.cli.game_input import require_fall_damage
from falldamage_forge.cli.map_argument import FORGE, checked_map, file_stem
from falldamage_forge.cli.progress_bar import show_progress
from falldamage_forge.cli.spoken_language import echo, wished_say
from falldamage_forge.cli.stock_options import PrintedParts, ways_of
from falldamage_forge.infra.progress import track
from falldamage_forge.infra.source_loader import read_text
from falldamage_forge.issues import refuse
from falldamage_forge.lengths import IN_BLOCKS

if TYPE_CHECKING:
    from falldamage_forge.builds.pipeline import BuildOptions, PrintJob
    from falldamage_forge.infra.artifacts import Artifact
    from falldamage_forge.lang import Layout
    from falldamage_forge.library.forge import Map
    from falldamage_forge.pieces.catalogue import Catalogue
    from falldamage_forge.pieces.map_kit import KitTable, MapKit
    from falldamage_forge.printing.printer import Printer

SIDES = ("red", "blue")


@option.command
def command(
    names: tuple[str, ...] = option.maps("[MAP|SET]..."),
    can_build: Path | None = option.file(
        "Stock file, a CSV with piece,count: list the maps that it builds.",
        de="Bestandsdatei, ein CSV mit piece,count: nennt die Karten, die sie baut.",
    ),
    together: bool = option.TOGETHER,
    map_name: str | None = option.MAP_OPTION.but(
        "Map of the set instead of its own.", de="Karte des Sets statt seiner eigenen."
    ),
    red: str | None = option.text(
        "Red's cards, with commas: adds the whole game.",
        metavar="CARDS",
        de="Karten von Rot, mit Kommas: fügt das ganze Spiel hinzu.",
    ),
    blue: str | None = option.text(
        "Blue's cards, with commas: adds the whole game.",
        metavar="CARDS",
        de="Karten von Blau, mit Kommas: fügt das ganze Spiel hinzu.",
    ),
    all_cards: bool = option.flag(
        "Add the whole game with figures of every card for both sides.",
        "--all",
        de="Fügt das ganze Spiel hinzu, mit Figuren jeder Karte für beide Seiten.",
    ),
    output: Path | None = option.output(
        "Folder for plates, lists and build sheets.",
        writes="folder",
        de="Ordner für Platten, Listen und Bauanleitung.",
    ),
    printer_name: str | None = option.PRINTER,
    form: str = option.form("table", "csv", "json", "markdown"),
    given: BuildWords = BUILD,
) -> None:
    """Find the smallest set of parts that builds each MAP, one at a time, or print a preset SET.

    The set `night` holds all that two players need: table, figures, dials, dice and marks.

    With --can-build, list the maps (all presets, tables and MAPs) that a stock of parts can build.
    """
    from falldamage_forge.builds.pipeline import assemble_kit, replace_figures
    from falldamage_forge.infra.atomic_write import check_target

    if can_build is not None:
        _can_build(read_stock_file(can_build), names, form == "json")
        return
    if not names:
        raise click.UsageError("name maps, a set, or a stock with --can-build")
    if output is not None:
        check_target(output)
    options = replace(given.options(), template=template_of())
    wanted = _with_teams(_wanted(names, together), map_name, red, blue, all_cards)
    maps = [checked_map(name).map for name in wanted.maps]
    colours = {map_.layout.printing.tops for map_ in maps}
    if not options.tops and len(colours) == 1:
        options = replace(options, tops=colours.pop())
    catalogue = _one_size(maps)
    printer = FORGE.printer(maps[0], printer_name, given.process_name)
    kit = _kit(wanted, maps, catalogue, printer, options)
    build = assemble_kit(kit, printer, show_progress, options)
    if given.slicer:
        build = replace_figures(build, slicer_figures(build), SLICER)
    if output is not None:
        sheets = _build_sheets(build, wanted.maps, maps, kit)
        write_kit(build, wanted.title, maps[0].layout, printer, output, sheets)
    show_progress("")
    _tell(build, wanted, kit, form)


def _wanted(names: tuple[str, ...], together: bool) -> KitTable:
    """Return a set by its name or file, else the set of the named maps."""
    from falldamage_forge import presets
    from falldamage_forge.pieces.map_kit import KitTable

    if len(names) == 1 and names[0].endswith(".toml"):
        return _own_set(Path(names[0]))
    if len(names) == 1 and names[0] in presets.names("sets") and not Path(names[0]).exists():
        return presets.load_set(names[0])
    return KitTable(f"Kit for {', '.join(names)}", names, together)


def _own_set(path: Path) -> KitTable:
    """Return the set of a user's file; its maps are presets, or files relative to it."""
    from falldamage_forge.games.fall_damage.whole_game import read_teams
    from falldamage_forge.infra.toml_loader import parse_toml, read_table
    from falldamage_forge.maps.resolve import maps_beside
    from falldamage_forge.pieces.map_kit import KitTable
    from falldamage_forge.presets import load_kit

    found = read_table(KitTable, parse_toml(read_text(path, str(path)), str(path)), str(path))
    read_teams(found.teams, load_kit(), str(path))
    return replace(found, maps=maps_beside(path, found.maps))


def _with_teams(
    wanted: KitTable, map_name: str | None, red: str | None, blue: str | None, all_cards: bool
) -> KitTable:
    """Return the set with another map and with other teams, as the options say.

    Raises:
        ForgeError: FDF341 or FDF387 for cards that are no team.
    """
    from falldamage_forge.games.fall_damage.whole_game import ALL, read_teams
    from falldamage_forge.presets import load_kit

    if all_cards and (red or blue):
        raise click.UsageError("--all has every card; leave out --red and --blue")
    said = {
        side: tuple(word.strip() for word in cards.split(",") if word.strip())
        for side, cards in (("red", red), ("blue", blue))
        if cards is not None
    }
    teams = dict.fromkeys(SIDES, (ALL,)) if all_cards else {**wanted.teams, **said}
    if teams and set(teams) != set(SIDES):
        raise click.UsageError("a game has two teams: give --red and --blue")
    maps = wanted.maps if map_name is None else (map_name,)
    if len(wanted.maps) > 1 and map_name is not None:
        raise click.UsageError(f"{wanted.title} has several maps; --map takes the place of one")
    return replace(wanted, maps=maps, teams=read_teams(teams, load_kit()))


def _game(wanted: KitTable, map_: Map, catalogue: Catalogue) -> Counter[str]:
    """Return the parts of the game beside a map's table, by key; none without teams.

    Raises:
        ForgeError: FDF366 for a map of another game.
    """
    from falldamage_forge.games.fall_damage.whole_game import pieces_of_game
    from falldamage_forge.presets import load_kit, load_things

    if not wanted.teams:
        return Counter()
    require_fall_damage(map_)
    needed = pieces_of_game(wanted.teams, map_.board, load_kit(), load_things())
    return Counter(catalogue.keyed(needed))


def _one_size(maps: list[Map]) -> Catalogue:
    """Return the pieces of the maps' size; ForgeError (FDF437) if their sizes differ."""
    first, *others = [FORGE.catalogue(map_) for map_ in maps]
    for map_, other in zip(maps[1:], others, strict=True):
        if other.grid != first.grid:
            sizes = [f"{one.grid.pitch_mm:g} x {one.grid.rise_mm:g} mm" for one in (first, other)]
            titles = (maps[0].title, map_.title)
            message = " and ".join(f"{t} is of {s}" for t, s in zip(titles, sizes, strict=True))
            raise refuse("FDF437", message, "a kit is of one size: make one for each")
        if other.magnets != first.magnets:
            held = (one.magnets.replace(IN_BLOCKS, " blocks") for one in (first, other))
            joined = [f"magnets {words}" if words else "ties" for words in held]
            message = f"{maps[0].title} is joined by {joined[0]}, {map_.title} by {joined[1]}"
            raise refuse("FDF212", message, "a kit has one base: give all maps the same `magnets`")
    return first


def _kit(
    wanted: KitTable, maps: list[Map], catalogue: Catalogue, printer: Printer, options: BuildOptions
) -> MapKit:
    from falldamage_forge.builds.block_costs import block_costs
    from falldamage_forge.builds.pipeline import plan_extras, style_of
    from falldamage_forge.pieces.extras import combine_extras
    from falldamage_forge.pieces.map_kit import kit_for

    rim = options.rim or bool(wanted.teams)
    tables = [
        Counter(plan_extras(map_.layout, catalogue, rim)) + _game(wanted, map_, catalogue)
        for map_ in maps
    ]
    more = combine_extras(tables, together=wanted.together)
    show_progress("dividing columns into blocks")
    costs = block_costs(catalogue.blocks(), printer, options.minimise, style_of(options))
    return kit_for(
        [map_.board for map_ in maps],
        catalogue,
        options.owned,
        costs,
        together=wanted.together,
        extras=Counter(wanted.extras) + Counter(more),
    )


def kit_of(wanted: KitTable, printer_name: str | None = None) -> tuple[list[Map], MapKit, Printer]:
    """Return the maps of a set, its parts and the printer, for other commands.

    Args:
        wanted: Title, maps and teams of the set.
        printer_name: Name of a printer or its file; None for the first map's.
    """
    from falldamage_forge.builds.pipeline import BuildOptions

    maps = [checked_map(name).map for name in wanted.maps]
    printer = FORGE.printer(maps[0], printer_name)
    return maps, _kit(wanted, maps, _one_size(maps), printer, BuildOptions()), printer


def named_kit(names: tuple[str, ...], together: bool) -> tuple[str, MapKit, Printer]:
    """Return title, parts and printer of a set by its name or file, or of the named maps.

    Args:
        names: Name or file of a set, or names of maps.
        together: True if all maps stand on the table at once.
    """
    wanted = _wanted(names, together)
    _, kit, printer = kit_of(wanted)
    return wanted.title, kit, printer


def _build_sheets(
    build: PrintJob, names: tuple[str, ...], maps: list[Map], kit: MapKit
) -> tuple[Artifact, ...]:
    """Return `build-<map>.pdf` for each map, made for the kit's parts; once per map."""
    from falldamage_forge.infra.artifacts import Artifact
    from falldamage_forge.render.build_sheets import sheets, thumbs
    from falldamage_forge.render.isometric_models import seen_models
    from falldamage_forge.render.raster3d.board_scene import page_photo

    show_progress("drawing the parts")
    pictures = thumbs(build.pieces, build.meshes)
    files: dict[str, Artifact] = {}
    for done, (name, map_, plan) in enumerate(zip(names, maps, kit.plans, strict=True)):
        path = f"build-{file_stem(name)}.pdf"
        if path not in files:
            show_progress(f"writing the build sheets of {name}", done, len(names))
            tops = build.options.tops
            shown = (plan.placements, build.meshes, build.printer, tops)
            data = sheets(
                map_.title,
                map_.board,
                plan.placements,
                pictures,
                photo=page_photo(*shown),
                tops=tops,
                back=page_photo(*shown, behind=True),
                language=build.options.language,
                ways=ways_of(map_.board, PrintedParts(plan, build.meshes, build.printer)),
                models=seen_models(plan.placements, build.meshes, build.printer),
            )
            files[path] = Artifact(path, data)
    return tuple(files.values())


def write_kit(
    build: PrintJob,
    title: str,
    layout: Layout,
    printer: Printer,
    output: Path,
    beside: tuple[Artifact, ...],
) -> None:
    """Write a folder with the plates, lists and hands of a set, and the files `beside` them.

    Args:
        build: Job that packs and writes the plates.
        title: Title of the set.
        layout: Parts and their plates.
        printer: The printer of the plates.
        output: Folder to write; an existing one is replaced.
        beside: Further files of the folder.
    """
    from falldamage_forge.builds.output_files import artifacts
    from falldamage_forge.builds.pictures import begin_hands
    from falldamage_forge.export.slicer_profiles import slicer_profile_files
    from falldamage_forge.infra.atomic_write import write_folder

    titled = replace(layout, title=title)
    show_progress("drawing how parts go together")
    hands = begin_hands(build, printer)()
    beside = (*hands, *beside, *slicer_profile_files(printer, build.plates, say=wished_say()))
    files = artifacts(build, titled, printer, show_progress, beside)
    write_folder(output, files)


def _tell(build: PrintJob, wanted: KitTable, kit: MapKit, form: str) -> None:
    from falldamage_forge.builds.output_files import figures_note

    maps = [
        {"map": name, "parts": sum(plan.counts().values())}
        for name, plan in zip(wanted.maps, kit.plans, strict=True)
    ]
    about = {"title": wanted.title, "maps": maps, "together": wanted.together}
    about |= {"teams": dict(wanted.teams)} if wanted.teams else {}
    if echo_list(build, form, **about):
        return
    how = "all at once" if wanted.together else "one at a time"
    text = ", ".join(f"{row['map']} ({row['parts']} parts)" for row in maps)
    echo(f"{wanted.title}: builds {how} {text}")
    for side, team in wanted.teams.items():
        echo(f"{side}: {', '.join(team)}")
    click.echo()
    click.echo(piece_table(build))
    echo(f"{len(build.plates)} plates; {figures_note(build)}")
    echo_notes(build)


def _can_build(owned: dict[str, int], names: tuple[str, ...], as_json: bool) -> None:
    """Print the preset and given maps that a stock builds, then the nearest misses."""
    from falldamage_forge import presets
    from falldamage_forge.pieces.map_kit import missing_from_stock

    catalogue = presets.load_catalogue()
    found: list[tuple[str, dict[str, int]]] = []
    wanted = tuple(dict.fromkeys((*presets.map_names(), *names)))
    for name in track(wanted, "building {}", show_progress):
        map_ = checked_map(name).map
        sized = catalogue.on(map_.grid).holding(map_.layout.printing.held)
        found.append((name, missing_from_stock(map_.board, sized, owned)))
    show_progress("")
    found.sort(key=lambda item: (sum(item[1].values()), item[0]))
    if as_json:
        rows = [{"map": name, "buildable": not lacks, "lacks": lacks} for name, lacks in found]
        click.echo(json.dumps(rows, indent=2))
        return
    for name, lacks in found:
        parts = sum(lacks.values())
        text = ", ".join(f"{count} {key}" for key, count in lacks.items())
        verdict = f"lacks {parts} part{'s' * (parts != 1)}: {text}" if lacks else "can be built"
        echo(f"{name}: {verdict}")
