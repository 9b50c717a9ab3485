"""Options of commands that plan or print a map: stock, cost, plates, printer."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from falldamage_forge.cli.map_argument import FORGE
from falldamage_forge.cli.progress_bar import show_progress
from falldamage_forge.cli.shared_options import (
    Number,
    flag,
    option_group,
    own_option,
    process_option,
    tops_option,
)
from falldamage_forge.cli.spoken_language import echo, wished_language, wished_say
from falldamage_forge.pieces.piece import MAX_VARIANTS
from falldamage_forge.presets import DEFAULT_STYLE
from falldamage_forge.printing.process import MAX_FILAMENTS

if TYPE_CHECKING:
    from falldamage_forge.builds.pipeline import BuildOptions, PrintJob
    from falldamage_forge.builds.result import BuildResult
    from falldamage_forge.cli.user_config import UserConfig
    from falldamage_forge.export.project_template import ProjectTemplate
    from falldamage_forge.infra.text_style import TextStyle
    from falldamage_forge.printing.estimate_model import PrintStatistics
    from falldamage_forge.printing.print_price import Price


def _without_cache(ctx: click.Context, param: click.Parameter, wished: bool) -> None:
    """Disable the disk cache before the command reads anything or starts a worker."""
    from falldamage_forge.infra.disk_cache import disable

    if wished and not ctx.resilient_parsing:
        disable()


VARIANTS = MAX_VARIANTS
"""Default number of looks of each piece."""
plan_options = option_group(
    own_option,
    click.option(
        "--minimise",
        type=click.Choice(["grams", "hours", "pieces"]),
        help="Cost that the cover by blocks minimises (default: about the filament).",
    ),
    flag("--bond", help="Avoid aligned seams between blocks, as in a brick bond."),
    click.option(
        "--variants",
        type=click.IntRange(1, MAX_VARIANTS),
        default=VARIANTS,
        metavar="N",
        help="Greatest number of looks of each piece; 1 for one look.",
    ),
)
"""Options that change the piece plan."""
filaments_option = click.option(
    "--filaments",
    type=click.IntRange(1, MAX_FILAMENTS),
    metavar="N",
    help="Number of filaments that you have: like colours share one, and the lists say what to "
    "load when. With 1, plates go by stage.  [default: one for each colour]",
)
build_options = option_group(
    plan_options,
    click.option(
        "--plates-by",
        "group_by",
        type=click.Choice(["colour", "stage"]),
        default="colour",
        help="Property that the parts of one plate share: colour, or stage of building, base "
        "first.",
    ),
    click.option(
        "--printers",
        type=click.IntRange(1, 100),
        default=1,
        help="Number of printers that share the plates.",
    ),
    click.option(
        "--style",
        "style_name",
        default=DEFAULT_STYLE,
        help="Style of surfaces; see `fdforge presets`.",
    ),
    process_option,
    click.option(
        "--share",
        "share_g",
        type=Number(0, 1000),
        default=0.0,
        metavar="GRAMS",
        help="Colours that need less filament than this, in grams, share plates.",
    ),
    filaments_option,
    tops_option,
    click.option(
        "--change",
        "change_by",
        type=click.Choice(["ams", "pause"]),
        default="ams",
        help="Means of the change in project.3mf: an AMS, or a pause to change the spool.",
    ),
    click.option(
        "--price",
        "price_per_kg",
        type=Number(0, 10_000, min_open=True),
        metavar="MONEY",
        help="Price of a kilogram of filament; `fdforge printer use` stores a default.",
    ),
    flag("--rim", help="Add a frame with coordinates."),
    flag(
        "--no-cache",
        is_eager=True,
        expose_value=False,
        callback=_without_cache,
        help="Make every mesh without the cache; see `fdforge cache`.",
    ),
    flag("--slicer", help="Slice each plate with PrusaSlicer and report its grams and minutes."),
)
"""Options of a build; `options_of` reads their keywords."""


def options_of(
    own: Path | None,
    style_name: str,
    price_per_kg: float | None = None,
    tops: str | None = None,
    **words: Any,
) -> BuildOptions:
    """Return the build options from the keywords of `build_options` and the user's settings.

    Args:
        own: Stock file; None uses the map's stock.
        style_name: Piece style.
        price_per_kg: Price of a kilogram of filament; None uses the settings.
        tops: Key of `PALETTES`; None takes the map's.
        **words: The other keywords, named as the fields of `BuildOptions`.
    """
    from falldamage_forge.builds.pipeline import BuildOptions
    from falldamage_forge.presets import load_style

    owned = None if own is None else read_stock_file(own)
    price = price_of(price_per_kg)
    style = load_style(style_name)
    words |= {"tops": tops or "", "language": wished_language()}
    return BuildOptions(owned=owned, style=style, price=price, **words)


def price_of(per_kg: float | None = None) -> Price | None:
    """Return the price of filament: the one given, or the one in the user's settings, or None."""
    from falldamage_forge.cli.user_config import load_settings
    from falldamage_forge.printing.print_price import Price

    wished = load_settings()
    per_unit = per_kg or wished.price_per_kg
    return Price(per_unit, wished.currency) if per_unit else None


def template_of(settings: UserConfig | None = None) -> ProjectTemplate | None:
    """Return the template in the user's saved project; None if the user has none.

    Args:
        settings: Settings that name printer and project; None reads the stored ones.

    Raises:
        ForgeError: FDF294 if the file cannot be read, FDF464 if it does not fit the printer.
    """
    from falldamage_forge.cli.user_config import load_settings

    settings = settings or load_settings()
    if not settings.project:
        return None
    from falldamage_forge.export.project_template import MAX_TEMPLATE_BYTES, read_template
    from falldamage_forge.infra.source_loader import display_name, read_bytes

    path = Path(settings.project)
    hint = "`fdforge printer use --project FILE` stores another, `printer use NAME` forgets it"
    data = read_bytes(path, display_name(path), hint, MAX_TEMPLATE_BYTES)
    return read_template(data, display_name(path), FORGE.printer(name=settings.printer))


def read_stock_file(path: Path) -> dict[str, int]:
    """Return the parts of a stock file by piece; ForgeError (FDF402, FDF403) if it is not valid."""
    from falldamage_forge.pieces.stock import read_stock
    from falldamage_forge.presets import load_catalogue

    name, text, _ = read_stock_text(path)
    return read_stock(text, name, load_catalogue().every)


def read_stock_text(path: Path) -> tuple[str, str, TextStyle]:
    """Return name, text and style of a stock file, in UTF-8 or UTF-16.

    Args:
        path: The file.

    Raises:
        ForgeError: FDF294 if it cannot be read; the hint says how one is written.
    """
    from falldamage_forge.infra.user_paths import quoted

    return read_table_text(
        path, f"`fdforge stock add PIECE COUNT --stock {quoted(path)}` writes it"
    )


def read_table_text(path: Path, hint: str) -> tuple[str, str, TextStyle]:
    """Return name, text and style of a table that a spreadsheet may have written.

    Args:
        path: The file.
        hint: The hint if there is no such file.

    Raises:
        ForgeError: FDF294 if it cannot be read.
    """
    from falldamage_forge.infra.source_loader import display_name, read_bytes
    from falldamage_forge.infra.text_style import read_style

    name = display_name(path)
    text, style = read_style(read_bytes(path, name, hint), name)
    return name, text, style


def with_slicer_figures(built: BuildResult) -> BuildResult:
    """Return the build with PrusaSlicer's statistics for every plate."""
    return built.with_figures(slicer_figures(built.build), "PrusaSlicer")


def slicer_figures(build: PrintJob) -> list[PrintStatistics]:
    """Return PrusaSlicer's statistics of each plate."""
    from falldamage_forge.printing.prusaslicer import plate_figures

    speed = build.printer.process.first_layer_mm_s
    return [plate_figures(text, speed) for text in gcodes(build)]


def gcodes(build: PrintJob) -> Iterator[str]:
    """Yield PrusaSlicer's G-code of each plate; equal plates are sliced once."""
    from falldamage_forge import presets
    from falldamage_forge.export.plate_meshes import plate_mesh
    from falldamage_forge.geometry.stl import write_stl
    from falldamage_forge.printing.prusaslicer import find_slicer, slice_plate

    find_slicer()
    known: dict[tuple[bytes, tuple[Path, ...]], str] = {}
    for done, plate in enumerate(build.plates):
        data = write_stl(plate_mesh(plate, build.meshes), "plate")
        key = (data, presets.slicer_files(build.printer, plate.group))
        if key not in known:
            show_progress(f"slicing {plate.name}", done, len(build.plates))
            known[key] = slice_plate(data, ".stl", key[1])
        yield known[key]


def echo_notes(build: PrintJob) -> None:
    """Print the quality of the cover, plates to print solid and the filament plan, if any."""
    from falldamage_forge.builds.output_files import filament_plan
    from falldamage_forge.export.filament_list import filament_text

    if note := cover_note(build):
        echo(note)
    if left := idle_broken_blocks(build):
        echo(f"blocks of the stock with broken tops that fit nowhere here: {left}")
    process = build.printer.process
    solid = [
        str(plate.index) for plate in build.plates if process.way(plate.group) == process.solid
    ]
    if solid:
        echo(f"print solid, with infill of 100 %: plate {', '.join(solid)}")
    if plan := filament_plan(build):
        click.echo(f"\n{filament_text(plan, wished_say())}")
    if build.options.change_by == "ams" and any(plate.change for plate in build.plates):
        echo("project.3mf changes filament with an AMS; `--change pause` does without one")


def idle_broken_blocks(build: PrintJob) -> int:
    """Return the number of owned blocks with broken tops for which the map has no place."""
    from falldamage_forge.pieces.stock import has_broken_top

    return sum(
        max(count - build.counts.get(key, 0), 0)
        for key, count in build.owned.items()
        if has_broken_top(key)
    )


def cover_note(build: PrintJob) -> str:
    """Return a line on the quality of the block cover; empty if it is proved optimal."""
    found = build.cover
    if found is None or found.proved:
        return ""
    if found.method == "greedy":
        return "blocks chosen greedily: the board is too large for the exact search"
    return "search for blocks stopped early: a division that prints less may exist"
