"""`fdforge sheets`: printable instructions for building a map at the table."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from falldamage_forge.cli.common import map_path, printer_of, show_progress

if TYPE_CHECKING:
    from falldamage_forge.lang import Layout


@click.command()
@click.argument("map_name", metavar="MAP")
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), help="<map>-build.pdf if not said."
)
@click.option("--paper", type=click.Choice(["a4", "letter"]), default="a4", show_default=True)
def command(map_name: str, output: Path | None, paper: str) -> None:
    """Write build instructions for MAP: the parts needed, then step by step where each one goes."""
    from falldamage_forge.cli.show import load_legal
    from falldamage_forge.cli.write import safe_name, write_file

    layout = load_legal(map_name)
    data = build_sheets(layout, paper)
    stem = safe_name(map_path(map_name).stem)
    target = output or Path(f"{stem}-build.pdf")
    write_file(target, data)
    show_progress("")
    click.echo(f"{target}")


def build_sheets(layout: Layout, paper: str) -> bytes:
    """The PDF of a legal layout."""
    from falldamage_forge.geometry.build import build
    from falldamage_forge.pipeline import plan_of
    from falldamage_forge.presets import load_catalogue
    from falldamage_forge.render.sheets import sheets, thumbs

    printer = printer_of(layout, None)
    parts = plan_of(layout, load_catalogue())
    pieces = parts.pieces()
    meshes = {}
    for key, piece in pieces.items():
        show_progress(f"drawing {key}")
        meshes[key] = build(piece, printer)
    pictures = thumbs(pieces, meshes)
    return sheets(layout.title or "A map", layout.board, parts.placements, pictures, paper)
