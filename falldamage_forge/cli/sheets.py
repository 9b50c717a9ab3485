"""`fdforge sheets`: printable instructions for building a map at the table."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from falldamage_forge.cli import complete
from falldamage_forge.cli.common import legal_map
from falldamage_forge.cli.printed import Parts, own_options, owned_of, parts_of
from falldamage_forge.cli.waiting import show_progress

if TYPE_CHECKING:
    from falldamage_forge.forge import Map


@click.command()
@click.argument("map_name", metavar="MAP", shell_complete=complete.maps)
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), help="<map>-build.pdf if not said."
)
@click.option("--paper", type=click.Choice(["a4", "letter"]), default="a4", show_default=True)
@own_options
def command(
    map_name: str, output: Path | None, paper: str, own: Path | None, kit: Path | None
) -> None:
    """Write build instructions for MAP: the parts needed, then step by step where each one goes.

    With --kit or --own they are made for the parts that are there.
    """
    from falldamage_forge.called import map_path
    from falldamage_forge.staging import safe_name, write_file

    map_ = legal_map(map_name)
    data = build_sheets(map_, parts_of(map_, owned_of(own, kit)), paper)
    stem = safe_name(map_path(map_name).stem)
    target = output or Path(f"{stem}-build.pdf")
    write_file(target, data)
    show_progress("")
    click.echo(f"{target}")


def build_sheets(map_: Map, parts: Parts, paper: str = "a4") -> bytes:
    """The PDF of a legal map and the parts it is built from."""
    from falldamage_forge.render.photo.board import page_photo
    from falldamage_forge.render.sheets import sheets, thumbs

    show_progress("drawing the parts")
    placed = parts.plan.placements
    pictures = thumbs(parts.plan.pieces(), parts.meshes)
    photo = page_photo(placed, parts.meshes, parts.printer)
    return sheets(map_.title, map_.board, placed, pictures, paper, photo)
