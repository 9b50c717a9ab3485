"""Options that several commands share: what is owned, what to save, how plates are made."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from falldamage_forge.cli.common import Sources, show_progress

if TYPE_CHECKING:
    from falldamage_forge.assemble import Build, Wishes

Command = TypeVar("Command", bound=Callable[..., Any])

_OPTIONS = (
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
        default="plain",
        show_default=True,
        help="Style of surfaces; `fdforge presets` lists them.",
    ),
    click.option("--slicer", is_flag=True, help="Take grams and minutes from PrusaSlicer."),
)


def wish_options(command: Command) -> Command:
    """The options as a decorator; the command gets them as keywords for `wishes_of`."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def wishes_of(sources: Sources, own: Path | None, style_name: str, **words: Any) -> Wishes:
    """The wishes that the options say; reads the stock file."""
    from falldamage_forge.assemble import Wishes
    from falldamage_forge.presets import load_style

    owned = None if own is None else read_own(own, sources)
    return Wishes(owned=owned, style=load_style(style_name), **words)


def read_own(path: Path, sources: Sources) -> dict[str, int]:
    """Parts owned according to a stock file; ForgeError when it cannot be trusted."""
    from falldamage_forge.pieces.stock import read_stock
    from falldamage_forge.presets import load_catalogue

    name, text = sources.read_main(path)
    return read_stock(text, name, load_catalogue().pieces)


def sliced(build: Build) -> Build:
    """The build with PrusaSlicer's own figures for every plate in place of the estimates."""
    from falldamage_forge.assemble import with_figures
    from falldamage_forge.cli.slicer import find_slicer, read_figures, slice_file
    from falldamage_forge.export.plates import plate_mesh
    from falldamage_forge.export.stl import write_stl
    from falldamage_forge.printing.estimate import process_of

    find_slicer()
    figures, known = [], {}
    for plate in build.plates:
        data = write_stl(plate_mesh(plate, build.meshes), "plate")
        key = (data, process_of(plate.group))
        if key not in known:
            show_progress(f"slicing {plate.name}")
            known[key] = read_figures(
                slice_file(data, ".stl", build.printer, process_of(plate.group))
            )
        figures.append(known[key])
    return with_figures(build, figures, "PrusaSlicer")


def division_note(build: Build) -> str:
    """One line on how the columns were divided; empty when that is proved least."""
    found = build.cover
    if found is None or found.proved:
        return ""
    if found.method == "greedy":
        return "blocks chosen greedily: the board is too large for the exact search"
    return f"search stopped early: at most {found.gap:.1%} might still be saved"
