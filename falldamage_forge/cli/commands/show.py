"""`fdforge show`: draw a map to a file or the terminal."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from falldamage_forge.cli.map_argument import FORGE, echo_issues, refusal, stop_on_errors
from falldamage_forge.cli.overlay_options import SWITCHES, OverlayRequest, requested_overlays
from falldamage_forge.cli.progress_bar import show_progress
from falldamage_forge.cli.shared_options import (
    Number,
    flag,
    map_argument,
    output_option,
    tops_option,
)
from falldamage_forge.cli.spoken_language import echo, wished_say
from falldamage_forge.cli.stock_options import own_options, owned_parts, printed_parts
from falldamage_forge.cli.stream_abilities import shows_colours
from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.presets import DEFAULT_STYLE

if TYPE_CHECKING:
    from falldamage_forge.board import Board, Tile
    from falldamage_forge.forge import Map
    from falldamage_forge.issues import Issue
    from falldamage_forge.render.overlay import Overlay


SIDES = (
    "south",
    "south-east",
    "east",
    "north-east",
    "north",
    "north-west",
    "west",
    "south-west",
)
"""Sides of the board from which a camera looks, counter-clockwise."""
PHOTOS: dict[str, Literal["png", "jpeg"]] = {".png": "png", ".jpg": "jpeg"}
"""Formats of 3D renders by file suffix."""


@dataclass(frozen=True, slots=True)
class PictureOptions:
    """Options of a picture; from `near` on they apply to the printed view."""

    view: str
    dark: bool
    scale: float
    no_legend: bool
    near: str | None
    style_name: str
    side: str | None
    turn_deg: float
    above: bool


@click.command()
@map_argument
@output_option(help="Output file: .png or .svg (printed: .png or .jpg).")
@click.option(
    "--view",
    type=click.Choice(["iso", "top", "printed"]),
    help="Drawing (default), plan view, or render of the printed parts.",
)
@flag("--dark", help="Dark background; with --view printed a dark table.")
@click.option("--scale", type=Number(0.2, 4), default=1.0, help="Scale of a PNG.")
@flag("--no-legend", help="Omit the legend.")
@click.option("--near", metavar="TILE", help="With --view printed: tile for a close-up.")
@click.option(
    "--from",
    "side",
    type=click.Choice(SIDES),
    help="Camera of the printed view: side of the board.",
)
@click.option("--top", "above", is_flag=True, help="Camera of the printed view: straight down.")
@click.option(
    "--turn",
    "turn_deg",
    type=Number(-360, 360),
    metavar="DEGREES",
    help="Camera of the printed view: further turn, counter-clockwise seen from above.",
)
@click.option(
    "--style",
    "style_name",
    default=DEFAULT_STYLE,
    help="With --view printed: style of the surfaces.",
)
@tops_option
@own_options
@click.option(
    "--reach",
    metavar="UNIT@TILE",
    help="Overlay: surfaces that a unit (or --move, --jump) reaches in one turn.",
)
@click.option("--sight", metavar="TILE", help="Overlay: surfaces in sight of a unit on this tile.")
@flag("--turns", help="Overlay: turns from the starts.")
@flag("--hazard", help="Overlay: depth of falls over the edges.")
@flag("--control", help="Overlay: side that arrives first.")
@flag("--islands", help="Overlay: surfaces that no start reaches without damage.")
@click.option("--move", type=click.IntRange(1, 30), help="Move for overlays, instead of a unit's.")
@click.option("--jump", type=click.IntRange(0, 30), help="Jump for overlays, instead of a unit's.")
def command(
    map_name: str,
    output: Path | None,
    view: str | None,
    dark: bool,
    scale: float,
    no_legend: bool,
    near: str | None,
    side: str | None,
    above: bool,
    turn_deg: float | None,
    style_name: str,
    tops: str | None,
    own: Path | None,
    kit: Path | None,
    reach: str | None,
    sight: str | None,
    move: int | None,
    jump: int | None,
    **flags: bool,
) -> None:
    """Draw MAP (a file or a preset): to a file with -o, else into the terminal.

    One overlay can be drawn. A map that cannot be built is drawn with its issues marked and
    numbered, and the command exits 1.
    """
    asked = OverlayRequest(
        tuple(name for name in SWITCHES if flags[name]), reach, sight, move, jump
    )
    camera = bool(side or above or turn_deg is not None)
    view = view or ("printed" if camera else "iso")
    look = PictureOptions(
        view, dark, scale, no_legend, near, style_name, side, turn_deg or 0.0, above
    )
    if camera and view != "printed":
        raise click.UsageError("--from, --top and --turn are for --view printed")
    _check_usage(output, look, asked)
    map_ = FORGE.load(map_name).with_tops(tops)
    issues = tuple(issue for issue in FORGE.legal(map_) if issue.severity == "error")
    if issues and view == "printed":
        stop_on_errors(issues, map_.texts)
    overlays = _faults(map_, issues) if issues else requested_overlays(map_, asked)
    if output is None:
        _to_terminal(map_.board, overlays)
    else:
        from falldamage_forge.infra.atomic_write import write_file

        owned = owned_parts(own, kit)
        write_file(output, _picture(map_, output.suffix.lower(), look, overlays, owned))
        echo(f"{output}")
    if issues:
        echo_issues(issues, map_.texts)
        raise SystemExit(1)
    refusal(map_)


def _check_usage(output: Path | None, look: PictureOptions, asked: OverlayRequest) -> None:
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
    from falldamage_forge.render.issue_overlay import issue_overlay

    return [issue_overlay(map_.board, issues)]


def _to_terminal(board: Board, overlays: list[Overlay]) -> None:
    from falldamage_forge.render.terminal import terminal

    colour = shows_colours(sys.stdout)
    click.echo(
        terminal(board, colour=colour, overlays=overlays, say=wished_say()), nl=False, color=colour
    )


def _picture(
    map_: Map,
    suffix: str,
    look: PictureOptions,
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
        tops=map_.layout.printing.tops,
        say=wished_say(),
    )
    return svg(drawing).encode() if suffix == ".svg" else png(drawing, scale=look.scale)


def _printed(map_: Map, suffix: str, look: PictureOptions, owned: dict[str, int] | None) -> bytes:
    from falldamage_forge.render.raster3d.board_scene import board_photo, camera_from

    near = _tile(map_.board, look.near) if look.near else None
    parts = printed_parts(map_, owned, look.style_name)
    show_progress("taking the picture")
    data = board_photo(
        parts.plan.placements,
        parts.meshes,
        parts.printer,
        scale=look.scale,
        studio="dark" if look.dark else "light",
        near=near,
        camera=camera_from(
            None if look.side is None else SIDES.index(look.side) * 45.0,
            look.turn_deg,
            above=look.above,
        ),
        form=PHOTOS[suffix],
        tops=map_.layout.printing.tops,
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
