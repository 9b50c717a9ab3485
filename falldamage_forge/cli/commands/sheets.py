"""`fdforge sheets`: write build sheets of a map."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from falldamage_forge.cli import option
from falldamage_forge.cli.map_argument import file_stem, legal_map
from falldamage_forge.cli.progress_bar import show_progress
from falldamage_forge.cli.spoken_language import echo, wished_language
from falldamage_forge.cli.stock_options import (
    OWNED,
    PrintedParts,
    owned_parts,
    printed_parts,
    ways_of,
)

if TYPE_CHECKING:
    from falldamage_forge.library.forge import Map


@option.command
def command(
    map_name: str = option.MAP,
    output: Path | None = option.output(
        "Output file, a PDF (default: <map>-build.pdf).",
        de="Ausgabedatei, ein PDF (Standard: <map>-build.pdf).",
    ),
    paper: str = option.PAPER,
    looks: bool = option.flag(
        "Name the look of each part, not its design alone.",
        de="Nennt die Variante jedes Teils, nicht nur seine Form.",
    ),
    tops: str | None = option.TOPS,
    owned: dict[str, Any] = OWNED,
) -> None:
    """Write build sheets for MAP: the parts needed, then the place of each part, step by step.

    With --kit or --own they are made for these parts.
    """
    from falldamage_forge.infra.atomic_write import write_file

    target = option.output_path(output, Path(f"{file_stem(map_name)}-build.pdf"))
    map_ = legal_map(map_name).with_tops(tops)
    data = build_sheets(map_, printed_parts(map_, owned_parts(**owned)), paper, looks)
    write_file(target, data)
    show_progress("")
    echo(f"{target}")


def build_sheets(map_: Map, parts: PrintedParts, paper: str = "a4", looks: bool = False) -> bytes:
    """Return the PDF of a legal map.

    Args:
        map_: The map.
        parts: Its parts.
        paper: `a4` or `letter`.
        looks: True to name the look of each part.
    """
    from falldamage_forge.render.build_sheets import first_looks, sheets, thumbs
    from falldamage_forge.render.isometric_models import seen_models
    from falldamage_forge.render.raster3d.board_scene import page_photo

    show_progress("drawing the parts")
    placed = parts.plan.placements
    pieces = parts.plan.pieces()
    pictures = thumbs(pieces if looks else first_looks(pieces), parts.meshes)
    tops = map_.layout.printing.tops
    shown = (placed, parts.meshes, parts.printer, tops)
    show_progress("taking pictures")
    photo, back = page_photo(*shown), page_photo(*shown, behind=True)
    show_progress("writing the build sheets")
    return sheets(
        map_.title,
        map_.board,
        placed,
        pictures,
        paper,
        photo,
        looks,
        tops=tops,
        back=back,
        language=wished_language(),
        ways=ways_of(map_.board, parts),
        models=seen_models(placed, parts.meshes, parts.printer),
    )
