"""Contact sheets of the catalogue: every piece, rendered from its mesh.

The command `pieces` writes them for the documentation.
"""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.pieces.family_roles import by_sheet
from falldamage_forge.pieces.variants import variants_of
from falldamage_forge.render.palette import LIGHT, channels, group_colour
from falldamage_forge.render.raster3d.renderer import (
    ColoredMesh,
    RenderQuality,
    ViewAngle,
    photograph,
)

if TYPE_CHECKING:
    from PIL.Image import Image

    from falldamage_forge.geometry.mesh import Mesh
    from falldamage_forge.geometry.piece_style import PieceStyle
    from falldamage_forge.pieces.catalogue import Catalogue
    from falldamage_forge.pieces.piece import Piece
    from falldamage_forge.printing.printer import Printer

SHEETS: Mapping[str, tuple[str, ...]] = by_sheet()
"""Families by the sheet that shows them; every family is on one."""
BELOW = ("quadrant", "block-2x1x1", "bridge-2", "step", "water", "spire")
STYLED = ("block-2x2x1", "battlement", "arch-1", "spire")
VARIED = ("step", "arch-1", "bridge-1", "ladder-1", "chest")
COLUMNS = {"base": 3, "below": 3, "variants": 4}
"""Cells in a row, if not five."""
_GRAIN = RenderQuality(40, 24, 1.6)
WIDTH_PX, LABEL_PX, GLYPH_PX = 1050, 22, 9.0
TABLE_START, TABLE_END = "<!-- table of pieces -->\n", "<!-- end of the table -->"


@dataclass(frozen=True, slots=True)
class SheetCell:
    """One cell of a sheet: a mesh as it is shown, its label and its colour."""

    label: str
    mesh: Mesh
    colour: str


def names() -> tuple[str, ...]:
    """Return the name of every sheet."""
    return (*SHEETS, "below", "variants", "styles", "coupon")


def shots(
    name: str, catalogue: Catalogue, printer: Printer, styles: Sequence[PieceStyle]
) -> list[SheetCell]:
    """Return the cells of a sheet.

    Args:
        name: One of `names`.
        catalogue: Pieces to show.
        printer: Printer whose gaps apply.
        styles: The first is that of every sheet but `styles`, which shows all.
    """
    from falldamage_forge.geometry.fit_coupon import coupon
    from falldamage_forge.geometry.piece_mesh import fit_of

    if name == "below":
        return [_turned(_standing(catalogue[key], printer, styles[0])) for key in BELOW]
    if name == "variants":
        pieces = [piece for key in VARIED for piece in variants_of(catalogue[key])]
        return [_standing(piece, printer, styles[0]) for piece in pieces]
    if name == "styles":
        pairs = [(catalogue[key], style) for key in STYLED for style in styles]
        return [_standing(piece, printer, style, style.name) for piece, style in pairs]
    if name == "coupon":
        colour = group_colour("base")
        parts = coupon(fit_of(printer)).items()
        return [
            _turned(SheetCell(key.removeprefix("coupon-"), mesh, colour)) for key, mesh in parts
        ]
    pieces = [piece for family in SHEETS[name] for piece in catalogue.family(family)]
    return [_standing(piece, printer, styles[0]) for piece in pieces]


def _standing(piece: Piece, printer: Printer, style: PieceStyle, label: str = "") -> SheetCell:
    """Return a piece as it stands on the table."""
    import numpy as np

    from falldamage_forge.geometry.mesh import Mesh
    from falldamage_forge.geometry.piece_mesh import build, fit_of, play_transform

    mesh = build(piece, printer, style)
    matrix = play_transform(piece, fit_of(printer))
    points = mesh.vertices.astype(np.float64) @ matrix[:3, :3].T + matrix[:3, 3]
    moved = Mesh(points.astype(np.float32), mesh.faces)
    return SheetCell(label or piece.key, moved, group_colour(piece.group))


def _turned(shot: SheetCell) -> SheetCell:
    """Return the cell with its mesh upside down."""
    import numpy as np

    from falldamage_forge.geometry.mesh import Mesh

    points = shot.mesh.vertices * np.array([1, -1, -1], np.float32)
    return SheetCell(shot.label, Mesh(points, shot.mesh.faces), shot.colour)


def sheet(cells: Sequence[SheetCell], columns: int = 5) -> bytes:
    """Return a PNG of cells in rows, each piece as large as its cell, its label below.

    Args:
        cells: Pictures with their labels.
        columns: Number of cells in a row.
    """
    from PIL import Image

    rows = -(-len(cells) // columns)
    cell_px = WIDTH_PX // columns
    high = cell_px + LABEL_PX
    pictures = [_picture(shot, cell_px) for shot in cells]
    # The sheet is of the same paper that the pieces stand on.
    paper = pictures[0].getpixel((0, 0))
    whole = Image.new("RGB", (columns * cell_px, rows * high), paper)
    for index, (shot, piece) in enumerate(zip(cells, pictures, strict=True)):
        x, y = index % columns * cell_px, index // columns * high
        whole.paste(piece, (x, y))
        _write(whole, shot.label, (x + cell_px / 2, y + cell_px + LABEL_PX / 2 - 3))
    few = whole.quantize(256, method=Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE, kmeans=1)
    stream = io.BytesIO()
    few.save(stream, "PNG", optimize=True)
    return stream.getvalue()


def _picture(shot: SheetCell, side_px: int) -> Image:
    from PIL import Image

    body = ColoredMesh(shot.mesh.vertices[shot.mesh.faces], shot.colour)
    view = ViewAngle(turn_deg=30.0)
    data = photograph([body], side_px, side_px, studio="paper", view=view, grain=_GRAIN)
    return Image.open(io.BytesIO(data))


def _write(picture: Image, label: str, middle: tuple[float, float]) -> None:
    """Draw a label in the stroke font of the pieces, so that no font file is needed."""
    from PIL import ImageDraw

    from falldamage_forge.geometry.engraved_text import text_lines

    draw = ImageDraw.Draw(picture)
    for line in text_lines(label, GLYPH_PX):
        points = [(middle[0] + x, middle[1] - y) for x, y in line]
        draw.line(points, fill=channels(LIGHT.ink), width=1)


def picture(
    name: str, catalogue: Catalogue, printer: Printer, styles: Sequence[PieceStyle]
) -> bytes:
    """Return the PNG of a sheet by its name.

    Args:
        name: One of `names`.
        catalogue: Pieces to show.
        printer: Printer whose gaps apply.
        styles: The first is that of every sheet but `styles`, which shows all.
    """
    return sheet(shots(name, catalogue, printer, styles), COLUMNS.get(name, 5))


def table(catalogue: Catalogue, printer: Printer) -> str:
    """Return a Markdown table of every piece: size in print pose, volume of walls, print mode.

    Args:
        catalogue: Catalogue of all pieces.
        printer: Printer whose gaps the pieces have.
    """
    from falldamage_forge.geometry.mesh_properties import measure
    from falldamage_forge.geometry.piece_mesh import as_printed, build

    lines = ["| piece | title | size on the bed, mm | volume | settings |"]
    lines.append("|---|---|---|---|---|")
    for key, piece in catalogue.pieces.items():
        properties = measure(as_printed(piece, build(piece, printer)))
        size = " x ".join(f"{side:.1f}" for side in properties.size_mm)
        volume = f"{properties.volume_mm3 / 1000:.1f} cm³"
        process = printer.process.way(piece.group).name
        lines.append(f"| `{key}` | {piece.title} | {size} | {volume} | {process} |")
    return "\n".join(lines) + "\n"


def with_table(page: str, fresh: str) -> str:
    """Return a page with the table between its two marks replaced; ValueError without marks.

    Args:
        page: Markdown text with two marks.
        fresh: Table to put between them.
    """
    before, mark, rest = page.partition(TABLE_START)
    _, end, after = rest.partition(TABLE_END)
    if not mark or not end:
        raise ValueError("the page has no marks of its table")
    return before + mark + fresh + end + after
