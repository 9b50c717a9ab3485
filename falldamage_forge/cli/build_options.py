"""Options that several commands share: what is owned, what to save, how plates are made."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from falldamage_forge.cli.waiting import show_progress
from falldamage_forge.presets import DEFAULT_STYLE

if TYPE_CHECKING:
    from falldamage_forge.assemble import Build, BuildOptions
    from falldamage_forge.bundle import Built
    from falldamage_forge.printing.estimate import Figures
    from falldamage_forge.printing.price import Price

Command = TypeVar("Command", bound=Callable[..., Any])

VARIANTS = 4
"""Looks in which each piece is printed where nothing else is said."""
_PLAN = (
    click.option(
        "--own",
        type=click.Path(path_type=Path),
        help="CSV of parts you own (piece,count); in place of the map's inventory.",
    ),
    click.option(
        "--minimise",
        type=click.Choice(["grams", "hours", "pieces"]),
        help="What to print least of; about the filament if not said.",
    ),
    click.option("--bond", is_flag=True, help="Prefer blocks laid like bricks, seams apart."),
    click.option(
        "--variants",
        type=click.IntRange(1, 8),
        default=VARIANTS,
        show_default=True,
        metavar="N",
        help="Print each piece in up to so many looks; 1 prints one.",
    ),
)
"""What decides which parts a map is built from."""
_OPTIONS = (
    *_PLAN,
    click.option(
        "--plates-by",
        "group_by",
        type=click.Choice(["colour", "stage"]),
        default="colour",
        show_default=True,
        help="One colour a plate, or one stage of building a plate, the base first.",
    ),
    click.option(
        "--printers",
        type=click.IntRange(1, 100),
        default=1,
        help="Share the plates among so many printers.",
    ),
    click.option(
        "--style",
        "style_name",
        default=DEFAULT_STYLE,
        show_default=True,
        help="Style of surfaces; `fdforge presets` lists them.",
    ),
    click.option(
        "--process",
        "process_name",
        help="How to print: walls and layers; `fdforge presets` lists them.  [default: standard]",
    ),
    click.option(
        "--share",
        "share_g",
        type=click.FloatRange(0, 1000),
        default=0.0,
        metavar="GRAMS",
        help="Colours that need less than so much filament share plates.",
    ),
    click.option(
        "--price",
        "price_per_kg",
        type=click.FloatRange(0, 10_000, min_open=True),
        metavar="MONEY",
        help="What a kilogram of filament costs; `fdforge printer use` remembers it.",
    ),
    click.option("--rim", is_flag=True, help="Add a frame with the coordinates."),
    click.option("--no-cache", is_flag=True, help="Make every mesh anew; see `fdforge cache`."),
    click.option("--slicer", is_flag=True, help="Take grams and minutes from PrusaSlicer."),
)


def build_options(command: Command) -> Command:
    """The options as a decorator; the command gets them as keywords for `options_of`."""
    return _with(command, _OPTIONS)


def plan_options(command: Command) -> Command:
    """Those of them that decide which parts a map is built from."""
    return _with(command, _PLAN)


def _with(command: Command, options: tuple[Callable[[Command], Command], ...]) -> Command:
    for option in reversed(options):
        command = option(command)
    return command


def options_of(
    own: Path | None,
    style_name: str,
    price_per_kg: float | None = None,
    no_cache: bool = False,
    **words: Any,
) -> BuildOptions:
    """How to build, as the options and the user's settings say; reads the stock file."""
    from falldamage_forge.assemble import BuildOptions
    from falldamage_forge.cache import switch_off
    from falldamage_forge.presets import load_style

    if no_cache:
        switch_off()
    owned = None if own is None else read_own(own)
    price = price_of(price_per_kg)
    return BuildOptions(owned=owned, style=load_style(style_name), price=price, **words)


def price_of(per_kg: float | None = None) -> Price | None:
    """The price of filament: the one given, or the one in the user's settings; None without."""
    from falldamage_forge.cli.settings import load_settings
    from falldamage_forge.printing.price import Price

    wished = load_settings()
    told = per_kg or wished.price_per_kg
    return Price(told, wished.currency) if told else None


def read_own(path: Path) -> dict[str, int]:
    """Parts owned according to a stock file; ForgeError when it cannot be trusted."""
    from falldamage_forge.files import Sources
    from falldamage_forge.pieces.stock import read_stock
    from falldamage_forge.presets import load_catalogue

    name, text = Sources().read_main(path)
    return read_stock(text, name, load_catalogue().every)


def sliced(built: Built) -> Built:
    """The build with PrusaSlicer's own figures for every plate in place of the estimates."""
    return built.with_figures(slicer_figures(built.build), "PrusaSlicer")


def slicer_figures(build: Build) -> list[Figures]:
    """What PrusaSlicer says of each plate."""
    from falldamage_forge.printing.slicer import plate_figures

    speed = build.printer.process.first_layer_mm_s
    return [plate_figures(text, speed) for text in gcodes(build)]


def gcodes(build: Build) -> Iterator[str]:
    """PrusaSlicer's G-code of every plate; equal plates are sliced once."""
    from falldamage_forge import presets
    from falldamage_forge.export.plates import plate_mesh
    from falldamage_forge.geometry.stl import write_stl
    from falldamage_forge.printing.slicer import find_slicer, slice_file

    find_slicer()
    known: dict[tuple[bytes, tuple[Path, ...]], str] = {}
    for done, plate in enumerate(build.plates):
        data = write_stl(plate_mesh(plate, build.meshes), "plate")
        key = (data, presets.slicer_files(build.printer, plate.group))
        if key not in known:
            show_progress(f"slicing {plate.name}", done, len(build.plates))
            known[key] = slice_file(data, ".stl", key[1], build.printer)
        yield known[key]


def division_note(build: Build) -> str:
    """One line on how the columns were divided; empty when that is proved least."""
    found = build.cover
    if found is None or found.proved:
        return ""
    if found.method == "greedy":
        return "blocks chosen greedily: the board is too large for the exact search"
    return f"search stopped early: at most {found.gap:.1%} might still be saved"
