"""`fdforge gallery`: the page with pictures of all presets."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from falldamage_forge.cli.common import show_progress

if TYPE_CHECKING:
    from falldamage_forge.render.gallery import Exhibit


@click.command()
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("docs"),
    show_default=True,
    help="Folder of gallery.md and its pictures.",
)
def command(output: Path) -> None:
    """Draw every preset map and write the page that shows them."""
    from falldamage_forge.cli.write import write_file
    from falldamage_forge.render.gallery import page, picture

    shown = exhibits()
    for exhibit in shown:
        show_progress(f"drawing {exhibit.name}")
        write_file(output / "pictures" / f"{exhibit.name}.png", picture(exhibit))
    write_file(output / "gallery.md", page(shown).encode())
    show_progress("")
    click.echo(f"{len(shown)} maps in {output / 'gallery.md'}")


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
