"""`fdforge show`: a map as a picture, in a file or in the terminal."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from falldamage_forge.cli import complete
from falldamage_forge.cli.common import FORGE, echo_issues, refusal, stop_on_errors
from falldamage_forge.cli.overlay import SWITCHES, Asked, overlays_asked
from falldamage_forge.cli.printed import own_options, owned_of, parts_of
from falldamage_forge.cli.waiting import show_progress
from falldamage_forge.presets import DEFAULT_STYLE

if TYPE_CHECKING:
    from falldamage_forge.board import Board, Tile
    from falldamage_forge.forge import Map
    from falldamage_forge.issues import Issue
    from falldamage_forge.render.overlay import Overlay


PHOTOS: dict[str, Literal["png", "jpeg"]] = {".png": "png", ".jpg": "jpeg"}
"""Formats of photographs by the end of a file's name."""


@dataclass(frozen=True, slots=True)
class Look:
    """How the picture is to look; `near` and `style_name` are for the printed view."""

    view: str
    dark: bool
    scale: float
    no_legend: bool
    near: str | None
    style_name: str


@click.command()
@click.argument("map_name", metavar="MAP", shell_complete=complete.maps)
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), help="A .png or .svg file (printed: .jpg)."
)
@click.option(
    "--view",
    type=click.Choice(["iso", "top", "printed"]),
    default="iso",
    help="A drawing, a map from above, or the parts as they are printed.",
)
@click.option("--dark", is_flag=True, help="Dark background; a dark table for the printed parts.")
@click.option("--scale", type=click.FloatRange(0.2, 4), default=1.0, help="Size of a PNG.")
@click.option("--no-legend", is_flag=True, help="Leave the legend away.")
@click.option("--near", metavar="TILE", help="With --view printed: look at a tile from near.")
@click.option(
    "--style",
    "style_name",
    default=DEFAULT_STYLE,
    show_default=True,
    help="With --view printed: style of the surfaces.",
)
@own_options
@click.option("--reach", metavar="UNIT@TILE", help="Where a unit (or --move, --jump) gets to.")
@click.option("--sight", metavar="TILE", help="What a unit on a tile sees.")
@click.option("--turns", is_flag=True, help="Turns from the starts.")
@click.option("--hazard", is_flag=True, help="How deep one falls over the edges.")
@click.option("--control", is_flag=True, help="Which side is there first.")
@click.option("--islands", is_flag=True, help="What no start reaches without damage.")
@click.option("--move", type=click.IntRange(1, 30), help="Move for overlays, instead of a unit's.")
@click.option("--jump", type=click.IntRange(0, 30), help="Jump for overlays, instead of a unit's.")
def command(
    map_name: str,
    output: Path | None,
    view: str,
    dark: bool,
    scale: float,
    no_legend: bool,
    near: str | None,
    style_name: str,
    own: Path | None,
    kit: Path | None,
    reach: str | None,
    sight: str | None,
    move: int | None,
    jump: int | None,
    **flags: bool,
) -> None:
    """Draw MAP (a file, or a preset's name): to a file with -o, else into the terminal.

    One overlay can be laid over the picture. A map that cannot be built is drawn with its faults
    marked and numbered, and exits 1.
    """
    asked = Asked(tuple(name for name in SWITCHES if flags[name]), reach, sight, move, jump)
    look = Look(view, dark, scale, no_legend, near, style_name)
    _check_usage(output, look, asked)
    map_ = FORGE.load(map_name)
    issues = tuple(issue for issue in FORGE.legal(map_) if issue.severity == "error")
    if issues and view == "printed":
        stop_on_errors(issues, map_.texts)
    overlays = _faults(map_, issues) if issues else overlays_asked(map_, asked)
    if output is None:
        _to_terminal(map_.board, overlays)
    else:
        from falldamage_forge.staging import write_file

        owned = owned_of(own, kit)
        write_file(output, _picture(map_, output.suffix.lower(), look, overlays, owned))
        click.echo(f"{output}")
    if issues:
        echo_issues(issues, map_.texts)
        raise SystemExit(1)
    refusal(map_)


def _check_usage(output: Path | None, look: Look, asked: Asked) -> None:
    suffixes = PHOTOS if look.view == "printed" else (".png", ".svg")
    if output is not None and output.suffix.lower() not in suffixes:
        raise click.UsageError(f"write to a file that ends in {' or '.join(suffixes)}")
    if len(asked.names) > 1:
        names = ", ".join(f"--{name}" for name in asked.names)
        raise click.UsageError(f"one overlay at a time: {names}")
    if look.view == "printed" and (asked.names or output is None):
        raise click.UsageError("--view printed is for files (-o) without an overlay")
    if look.near is not None and look.view != "printed":
        raise click.UsageError("--near is for --view printed")


def _faults(map_: Map, issues: tuple[Issue, ...]) -> list[Overlay]:
    from falldamage_forge.render.faults import faults

    return [faults(map_.board, issues)]


def _to_terminal(board: Board, overlays: list[Overlay]) -> None:
    from falldamage_forge.render.terminal import terminal

    colour = sys.stdout.isatty() and "NO_COLOR" not in os.environ
    click.echo(terminal(board, colour=colour, overlays=overlays), nl=False, color=colour)


def _picture(
    map_: Map,
    suffix: str,
    look: Look,
    overlays: list[Overlay],
    owned: dict[str, int] | None,
) -> bytes:
    if look.view == "printed":
        return _printed(map_, suffix, look, owned)
    from falldamage_forge.render.isometric import isometric
    from falldamage_forge.render.svg import png, svg
    from falldamage_forge.render.topdown import topdown

    draw = isometric if look.view == "iso" else topdown
    drawing = draw(
        map_.board,
        title=map_.layout.title,
        theme="dark" if look.dark else "light",
        overlays=overlays,
        legend=not look.no_legend,
        grid=map_.grid,
    )
    return svg(drawing).encode() if suffix == ".svg" else png(drawing, scale=look.scale)


def _printed(map_: Map, suffix: str, look: Look, owned: dict[str, int] | None) -> bytes:
    from falldamage_forge.render.photo.board import board_photo

    near = _tile(map_.board, look.near) if look.near else None
    parts = parts_of(map_, owned, look.style_name)
    show_progress("taking the picture")
    data = board_photo(
        parts.plan.placements,
        parts.meshes,
        parts.printer,
        scale=look.scale,
        studio="dark" if look.dark else "light",
        near=near,
        form=PHOTOS[suffix],
    )
    show_progress("")
    return data


def _tile(board: Board, name: str) -> Tile:
    from falldamage_forge.board import Tile

    try:
        tile = Tile.parse(name)
    except ValueError:
        tile = None
    if tile is None or tile not in board:
        raise click.UsageError(f"there is no tile `{name}` on the {board.cols}x{board.rows} board")
    return tile
