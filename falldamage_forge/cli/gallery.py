"""`fdforge gallery`: the page with pictures of all presets."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from falldamage_forge.cli.common import FORGE
from falldamage_forge.cli.printed import parts_of
from falldamage_forge.cli.waiting import show_progress
from falldamage_forge.files import read_text
from falldamage_forge.presets import DEFAULT_STYLE
from falldamage_forge.waiting import each

if TYPE_CHECKING:
    from falldamage_forge.render.gallery import Exhibit

PHOTO_SCALE = 0.9
TABLE_SCALE = 0.7
STYLES = (DEFAULT_STYLE, "plain", "brick", "rock", "ruin", "timber", "grass", "hall")
"""The styles that are shown beside each other; photographs are of the first."""


@click.command()
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("docs"),
    show_default=True,
    help="Folder of gallery.md, pieces.md and their pictures.",
)
def command(output: Path) -> None:
    """Draw every preset map and every piece, and write the pages that show them."""
    from falldamage_forge.render.gallery import page, picture
    from falldamage_forge.render.photo.board import board_photo
    from falldamage_forge.staging import write_file

    shown = exhibits()
    for done, exhibit in enumerate(shown):
        show_progress(f"drawing {exhibit.name}", done, len(shown))
        write_file(output / "pictures" / f"{exhibit.name}.png", picture(exhibit))
        parts = parts_of(FORGE.load(exhibit.name))
        shot = (parts.plan.placements, parts.meshes, parts.printer)
        photo = board_photo(*shot, scale=PHOTO_SCALE, form="jpeg")
        write_file(output / "pictures" / f"{exhibit.name}.jpg", photo)
    write_file(output / "gallery.md", page(shown).encode())
    show_progress("")
    click.echo(f"{len(shown)} maps in {output / 'gallery.md'}")
    write_tables(output)
    write_pieces(output)


def write_tables(output: Path) -> None:
    """Draw the tournament tables, and write the page that says what is so about them."""
    from falldamage_forge.render.isometric import isometric
    from falldamage_forge.render.svg import png_small
    from falldamage_forge.search import door
    from falldamage_forge.search.tables import claims, page
    from falldamage_forge.staging import write_file

    texts = door.tables()
    for name in each(texts, "drawing {}", show_progress):
        table = FORGE.load(name)
        drawing = isometric(table.board, title=table.title, grid=table.grid)
        picture = png_small(drawing, scale=TABLE_SCALE)
        write_file(output / "pictures" / "tables" / f"{name}.png", picture)
    write_file(output / "tables.md", page(claims(texts)).encode())


def exhibits() -> list[Exhibit]:
    """Every preset map, by name."""
    from falldamage_forge import presets
    from falldamage_forge.render.gallery import Exhibit

    found = []
    for name in presets.names("maps"):
        map_ = FORGE.load(name)
        found.append(Exhibit(name, map_.title, map_.board, map_.text))
    return found


def write_pieces(output: Path) -> None:
    """Draw the contact sheets, and renew the table in pieces.md if there is that page."""
    from falldamage_forge import presets
    from falldamage_forge.render import pieces
    from falldamage_forge.staging import write_file

    catalogue, printer = presets.load_catalogue(), presets.load_printer("a1-mini")
    styles = [presets.load_style(name) for name in STYLES]
    for name in each(pieces.names(), "drawing {}", show_progress):
        data = pieces.picture(name, catalogue, printer, styles)
        write_file(output / "pictures" / "pieces" / f"{name}.png", data)
    page = output / "pieces.md"
    if page.is_file():
        text = read_text(page, str(page))
        write_file(page, pieces.with_table(text, pieces.table(catalogue, printer)).encode())
    show_progress("")
    click.echo(f"{len(catalogue.pieces)} pieces on {len(pieces.names())} sheets in {output}")
