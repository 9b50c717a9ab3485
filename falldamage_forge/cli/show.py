"""`fdforge show`: a map as a picture, in a file or in the terminal."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from falldamage_forge.cli.common import (
    Sources,
    fall_damage_of,
    load_loaded,
    printer_of,
    refuse,
    stop_on_errors,
)
from falldamage_forge.issues import ForgeError, did_you_mean, has_errors

if TYPE_CHECKING:
    from falldamage_forge.board import Board
    from falldamage_forge.lang import Layout
    from falldamage_forge.render.overlay import Overlay
    from falldamage_forge.rules.movement import Profile
    from falldamage_forge.rules.ruleset import Ruleset
    from falldamage_forge.surfaces import Surface

OVERLAYS = ("turns", "hazard", "control", "islands")


@click.command()
@click.argument("map_name", metavar="MAP")
@click.option("-o", "--output", type=click.Path(path_type=Path), help="A .png or .svg file.")
@click.option(
    "--view",
    type=click.Choice(["iso", "top", "printed"]),
    default="iso",
    help="A drawing, a map from above, or the parts as they are printed (PNG only).",
)
@click.option("--dark", is_flag=True, help="Dark background.")
@click.option("--scale", type=click.FloatRange(0.2, 4), default=1.0, help="Size of a PNG.")
@click.option("--no-legend", is_flag=True, help="Leave the legend away.")
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
    reach: str | None,
    sight: str | None,
    move: int | None,
    jump: int | None,
    **flags: bool,
) -> None:
    """Draw MAP (a file, or a preset's name): to a file with -o, else into the terminal.

    One overlay can be laid over the picture. The map must be legal, but need not be playable.
    """
    if output is not None and output.suffix.lower() not in {".png", ".svg"}:
        raise click.UsageError("write to a file that ends in .png or .svg")
    chosen = [name for name in OVERLAYS if flags[name]] + ["reach"] * (reach is not None)
    chosen += ["sight"] * (sight is not None)
    if len(chosen) > 1:
        raise click.UsageError(f"one overlay at a time: {', '.join(f'--{c}' for c in chosen)}")
    if view == "printed" and (chosen or output is None or output.suffix.lower() != ".png"):
        raise click.UsageError("--view printed is for .png files without an overlay")
    layout = load_legal(map_name)
    overlays = [_overlay(layout, chosen[0], reach, sight, move, jump)] if chosen else []
    if output is None:
        from falldamage_forge.render.terminal import terminal

        colour = sys.stdout.isatty() and "NO_COLOR" not in os.environ
        click.echo(terminal(layout.board, colour=colour, overlays=overlays), nl=False, color=colour)
        return
    from falldamage_forge.cli.write import write_file

    write_file(
        output, _picture(layout, output.suffix.lower(), view, dark, scale, no_legend, overlays)
    )
    click.echo(f"{output}")


def load_legal(map_name: str) -> Layout:
    """The layout of a legal map; prints what is wrong and exits 1 otherwise."""
    from falldamage_forge.legality import check_legality
    from falldamage_forge.pipeline import limits_for
    from falldamage_forge.presets import load_catalogue

    sources = Sources()
    loaded = load_loaded(map_name, sources)
    issues = list(loaded.issues)
    if loaded.layout is not None and not has_errors(issues):
        limits = limits_for(load_catalogue(), loaded.layout.players)
        issues += check_legality(loaded.layout.board, limits)
    stop_on_errors(tuple(issue for issue in issues if issue.severity == "error"), sources)
    assert loaded.layout is not None
    return loaded.layout


def _picture(
    layout: Layout,
    suffix: str,
    view: str,
    dark: bool,
    scale: float,
    no_legend: bool,
    overlays: list[Overlay],
) -> bytes:
    if view == "printed":
        return _printed(layout, dark, scale)
    from falldamage_forge.render.isometric import isometric
    from falldamage_forge.render.svg import png, svg
    from falldamage_forge.render.topdown import topdown

    draw = isometric if view == "iso" else topdown
    drawing = draw(
        layout.board,
        title=layout.title,
        theme="dark" if dark else "light",
        overlays=overlays,
        legend=not no_legend,
    )
    return svg(drawing).encode() if suffix == ".svg" else png(drawing, scale=scale)


def _printed(layout: Layout, dark: bool, scale: float) -> bytes:
    from falldamage_forge.geometry.build import build
    from falldamage_forge.pipeline import plan_of
    from falldamage_forge.presets import load_catalogue
    from falldamage_forge.render.raster import bodies_of, render

    printer = printer_of(layout, None)
    parts = plan_of(layout, load_catalogue())
    meshes = {key: build(piece, printer) for key, piece in parts.pieces().items()}
    bodies = bodies_of(parts.placements, meshes, printer)
    width, height = round(1000 * scale), round(860 * scale)
    return render(bodies, width, height, theme="dark" if dark else "light")


def _overlay(
    layout: Layout,
    name: str,
    reach: str | None,
    sight: str | None,
    move: int | None,
    jump: int | None,
) -> Overlay:
    from falldamage_forge.render import overlays

    ruleset, issues = fall_damage_of(layout)
    if has_errors(issues):
        raise ForgeError(issues)
    who, profile, place = _profile(ruleset, reach, move, jump)
    moves = overlays.moves_for(layout.board, ruleset, profile)
    if name == "reach":
        start = _surface(layout.board, place, moves.graph.index)
        return overlays.reach(moves, start, who)
    if name == "sight":
        viewer = _surface(layout.board, sight or "", moves.graph.index)
        return overlays.sight(moves.graph, viewer, ruleset.options)
    if name == "hazard":
        return overlays.hazard(moves.graph, ruleset.options)
    draw = {"turns": overlays.turns, "control": overlays.control, "islands": overlays.islands}
    return draw[name](moves, layout.board.starts)


def _profile(
    ruleset: Ruleset, reach: str | None, move: int | None, jump: int | None
) -> tuple[str, Profile, str]:
    """Who moves, how, and the place of `UNIT@TILE`, `TILE`, each with an optional `@LEVEL`."""
    from dataclasses import replace

    from falldamage_forge.board import Tile
    from falldamage_forge.rules.movement import Profile

    head, _, rest = (reach or "").partition("@")
    profile = Profile(ruleset.proof_move, min(ruleset.proof_jumps))
    who, place = "", reach or ""
    try:
        Tile.parse(head)
    except ValueError:
        if reach is not None:
            who, place = head, rest
            profile = _unit_profile(head)
    profile = replace(
        profile,
        move=profile.move if move is None else move,
        jump=profile.jump if jump is None else jump,
    )
    return who.capitalize() or f"Move {profile.move}, Jump {profile.jump}", profile, place


def _unit_profile(name: str) -> Profile:
    from falldamage_forge import presets

    if not presets.names("units"):
        raise refuse("FDF293", f"no unit called `{name}`", "say --move and --jump instead")
    units = presets.load_units()
    if name not in units:
        hint = did_you_mean(name, units) or f"known: {', '.join(units)}"
        raise refuse("FDF293", f"no unit called `{name}`", hint)
    profile: Profile = units[name].profile
    return profile


def _surface(board: Board, place: str, index: dict[Surface, int]) -> Surface:
    """The surface of `E5` (its highest standable one) or `E5@2`."""
    from falldamage_forge.board import Tile
    from falldamage_forge.surfaces import Surface

    name, _, level = place.partition("@")
    try:
        tile = Tile.parse(name)
        levels = [spot.level for spot in index if spot.tile == tile]
        spot = Surface(tile, int(level)) if level else Surface(tile, max(levels))
    except ValueError:
        spot = None
    if spot is None or spot not in index:
        size = f"{board.cols}x{board.rows}"
        raise click.UsageError(
            f"nobody can stand on `{place}` of the {size} board; "
            "write a tile such as E5, or E5@2 for level 2"
        )
    return spot
