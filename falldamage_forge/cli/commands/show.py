"""`fdforge show`: draw a map to a file or the terminal."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from falldamage_forge.cli import option
from falldamage_forge.cli.map_argument import FORGE, echo_issues, refusal, stop_on_errors
from falldamage_forge.cli.overlay_options import OVERLAY, OverlayRequest, requested_overlays
from falldamage_forge.cli.progress_bar import show_progress
from falldamage_forge.cli.spoken_language import echo, wished_say
from falldamage_forge.cli.stock_options import OWNED, owned_parts, printed_parts
from falldamage_forge.cli.stream_abilities import shows_colours
from falldamage_forge.infra.lazy_dataclass import dataclass

if TYPE_CHECKING:
    from falldamage_forge.board import Board, Tile
    from falldamage_forge.issues import Issue
    from falldamage_forge.library.forge import Map
    from falldamage_forge.render.isometric_models import SeenModel
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

    view: str | None = option.choice(
        ["iso", "top", "printed"],
        "Drawing (default), plan view, or render of the printed parts.",
        de="Zeichnung (Standard), Plan, oder Bild der gedruckten Teile.",
    )
    dark: bool = option.flag(
        "Dark background; with --view printed a dark table.",
        de="Dunkler Hintergrund; mit --view printed ein dunkler Tisch.",
    )
    scale: float = option.number(
        0.2, 4, "Scale of a PNG.", default=1.0, de="Vergrößerung eines PNG."
    )
    no_legend: bool = option.flag("Omit the legend.", de="Lässt die Legende weg.")
    near: str | None = option.text(
        "With --view printed: tile for a close-up.",
        metavar="TILE",
        de="Mit --view printed: Feld für eine Nahaufnahme.",
    )
    side: str | None = option.choice(
        SIDES,
        "Camera of the printed view: side of the board.",
        "--from",
        de="Kamera der gedruckten Ansicht: Seite des Bretts.",
    )
    above: bool = option.flag(
        "Camera of the printed view: straight down.",
        "--top",
        de="Kamera der gedruckten Ansicht: senkrecht von oben.",
    )
    turn_deg: float | None = option.number(
        -360,
        360,
        "Camera of the printed view: further turn, counter-clockwise seen from above.",
        "--turn",
        metavar="DEGREES",
        de="Kamera der gedruckten Ansicht: weitere Drehung, von oben gesehen gegen den "
        "Uhrzeigersinn.",
    )
    style_name: str = option.STYLE.but(
        "With --view printed: style of the surfaces.",
        de="Mit --view printed: Stil der Oberflächen.",
    )


@option.command
def command(
    map_name: str = option.MAP,
    output: Path | None = option.output(
        "Output file: .png or .svg (printed: .png or .jpg).",
        de="Ausgabedatei: .png oder .svg (gedruckt: .png oder .jpg).",
    ),
    look: PictureOptions = option.group(PictureOptions),
    tops: str | None = option.TOPS,
    owned: dict[str, Any] = OWNED,
    asked: OverlayRequest = OVERLAY,
) -> None:
    """Draw MAP (a file or a preset): to a file with -o, else into the terminal.

    One overlay can be drawn. A map that cannot be built is drawn with its issues marked and
    numbered, and the command exits 1.
    """
    camera = bool(look.side or look.above or look.turn_deg is not None)
    look = replace(look, view=look.view or ("printed" if camera else "iso"))
    if camera and look.view != "printed":
        raise click.UsageError("--from, --top and --turn are for --view printed")
    _check_usage(output, look, asked)
    map_ = FORGE.load(map_name).with_tops(tops)
    issues = tuple(issue for issue in FORGE.legal(map_) if issue.severity == "error")
    if issues and look.view == "printed":
        stop_on_errors(issues, map_.texts)
    overlays = _faults(map_, issues) if issues else requested_overlays(map_, asked)
    if output is None:
        _to_terminal(map_.board, overlays)
    else:
        from falldamage_forge.infra.atomic_write import write_file

        own = owned_parts(**owned)
        models = () if issues or look.view == "printed" else _models(map_)
        write_file(output, _picture(map_, output.suffix.lower(), look, overlays, own, models))
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


def _models(map_: Map) -> tuple[SeenModel, ...]:
    """Return the models of a map as they are drawn."""
    if not map_.layout.models:
        return ()
    from falldamage_forge.builds.model_pieces import drawn_models

    return drawn_models(map_.board, FORGE.catalogue(map_), FORGE.printer(map_))


def _picture(
    map_: Map,
    suffix: str,
    look: PictureOptions,
    overlays: list[Overlay],
    owned: dict[str, int] | None,
    models: tuple[SeenModel, ...],
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
        models=models,
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
            look.turn_deg or 0.0,
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
