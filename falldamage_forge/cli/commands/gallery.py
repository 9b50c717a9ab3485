"""`fdforge gallery`: write the documentation's pages with pictures of all presets."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from falldamage_forge.cli import option
from falldamage_forge.cli.map_argument import FORGE
from falldamage_forge.cli.progress_bar import show_progress
from falldamage_forge.cli.spoken_language import echo
from falldamage_forge.cli.stock_options import printed_parts
from falldamage_forge.infra.progress import track
from falldamage_forge.infra.source_loader import read_text
from falldamage_forge.presets import DEFAULT_STYLE

if TYPE_CHECKING:
    from falldamage_forge.render.gallery_page import GalleryMap

PHOTO_SCALE = 0.9
TABLE_SCALE = 0.7
STYLES = (
    *(DEFAULT_STYLE, "plain", "brick", "rock", "ruin", "timber"),
    *("grass", "hall", "desert", "winter"),
)
"""Styles shown side by side; renders use the first."""
COVER = ("ashkeep", "ruin", "forest")
"""Map, style and tops of the picture on the first page."""


@option.command
def command(
    output: Path = option.output(
        "Folder of gallery.md, pieces.md and their pictures.",
        writes="inside",
        default=Path("docs"),
        de="Ordner von gallery.md, pieces.md und ihren Bildern.",
    ),
) -> None:
    """Draw every preset map and every piece, and write the pages that show them."""
    from falldamage_forge.infra.atomic_write import write_file
    from falldamage_forge.render.gallery_page import page, picture

    shown = exhibits()
    for done, exhibit in enumerate(shown):
        show_progress(f"drawing {exhibit.name}", done, len(shown))
        write_file(output / "pictures" / f"{exhibit.name}.png", picture(exhibit))
        write_file(output / "pictures" / f"{exhibit.name}.jpg", _photo(exhibit.name))
    show_progress("drawing the cover")
    write_file(output / "pictures" / "cover.jpg", _photo(*COVER))
    write_file(output / "gallery.md", page(shown).encode())
    show_progress("")
    echo(f"{len(shown)} maps in {output / 'gallery.md'}")
    write_tables(output)
    write_pieces(output)


def _photo(name: str, style: str = DEFAULT_STYLE, tops: str = "") -> bytes:
    """Return a photograph of a preset map from its printed parts."""
    from falldamage_forge.render.raster3d.board_scene import board_photo

    parts = printed_parts(FORGE.load(name), style_name=style)
    shot = (parts.plan.placements, parts.meshes, parts.printer)
    return board_photo(*shot, scale=PHOTO_SCALE, form="jpeg", tops=tops)


def write_tables(output: Path) -> None:
    """Draw the tournament tables and write their page."""
    from falldamage_forge.infra.atomic_write import write_file
    from falldamage_forge.render.isometric import isometric
    from falldamage_forge.render.svg import png_small
    from falldamage_forge.search import adapter
    from falldamage_forge.search.tournament_tables import claims, page

    texts = adapter.tables()
    for name in track(texts, "drawing {}", show_progress):
        table = FORGE.load(name)
        drawing = isometric(table.board, title=table.title, grid=table.grid)
        picture = png_small(drawing, scale=TABLE_SCALE)
        write_file(output / "pictures" / "tables" / f"{name}.png", picture)
    write_file(output / "tables.md", page(claims(texts)).encode())


def exhibits() -> list[GalleryMap]:
    """Return every preset map, by name."""
    from falldamage_forge import presets
    from falldamage_forge.render.gallery_page import GalleryMap

    found = []
    for name in presets.names("maps"):
        map_ = FORGE.load(name)
        found.append(GalleryMap(name, map_.title, map_.board, map_.text))
    return found


def write_pieces(output: Path) -> None:
    """Draw the contact sheets, and update the table in pieces.md if the page exists."""
    from falldamage_forge import presets
    from falldamage_forge.infra.atomic_write import write_file
    from falldamage_forge.render import contact_sheets

    catalogue, printer = presets.load_catalogue(), presets.load_printer("a1-mini")
    styles = [presets.load_style(name) for name in STYLES]
    for name in track(contact_sheets.names(), "drawing {}", show_progress):
        data = contact_sheets.picture(name, catalogue, printer, styles)
        write_file(output / "pictures" / "pieces" / f"{name}.png", data)
    page = output / "pieces.md"
    if page.is_file():
        text = read_text(page, str(page))
        write_file(
            page, contact_sheets.with_table(text, contact_sheets.table(catalogue, printer)).encode()
        )
    show_progress("")
    echo(f"{len(catalogue.pieces)} pieces on {len(contact_sheets.names())} sheets in {output}")
