"""`fdforge gallery`: the page with pictures of all presets."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from falldamage_forge.cli.common import read_text, show_progress

if TYPE_CHECKING:
    from falldamage_forge.render.gallery import Exhibit

STYLES = ("plain", "brick", "stone", "grass", "plank")
"""The styles that are shown beside each other; pockets for magnets do not show."""


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
    from falldamage_forge.cli.write import write_file
    from falldamage_forge.render.gallery import page, picture

    shown = exhibits()
    for exhibit in shown:
        show_progress(f"drawing {exhibit.name}")
        write_file(output / "pictures" / f"{exhibit.name}.png", picture(exhibit))
    write_file(output / "gallery.md", page(shown).encode())
    show_progress("")
    click.echo(f"{len(shown)} maps in {output / 'gallery.md'}")
    write_pieces(output)


def exhibits() -> list[Exhibit]:
    """Every preset map, by name."""
    from falldamage_forge import presets
    from falldamage_forge.cli.common import Sources, load_loaded
    from falldamage_forge.issues import ForgeError
    from falldamage_forge.render.gallery import Exhibit

    found = []
    for name in presets.names("maps"):
        sources = Sources()
        loaded = load_loaded(name, sources)
        if loaded.layout is None:
            raise ForgeError(loaded.issues)
        source = next(iter(sources.texts.values()))
        layout = loaded.layout
        found.append(Exhibit(name, layout.title or name, layout.board, source))
    return found


def write_pieces(output: Path) -> None:
    """Draw the contact sheets, and renew the table in pieces.md if there is that page."""
    from falldamage_forge import presets
    from falldamage_forge.cli.write import write_file
    from falldamage_forge.render import pieces

    catalogue, printer = presets.load_catalogue(), presets.load_printer("a1-mini")
    styles = [presets.load_style(name) for name in STYLES]
    for name in pieces.names():
        show_progress(f"drawing {name}")
        data = pieces.picture(name, catalogue, printer, styles)
        write_file(output / "pictures" / "pieces" / f"{name}.png", data)
    page = output / "pieces.md"
    if page.is_file():
        text = read_text(page, str(page))
        write_file(page, pieces.with_table(text, pieces.table(catalogue, printer)).encode())
    show_progress("")
    click.echo(f"{len(catalogue.pieces)} pieces on {len(pieces.names())} sheets in {output}")
