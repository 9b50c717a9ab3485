"""The list a print service asks for: what, how many, how much plastic, how large."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from falldamage_forge.export.lists import ListRow, csv_table
from falldamage_forge.geometry.sizes import PartSize
from falldamage_forge.pieces.stock import safe_text

COLUMNS = (
    "piece",
    "title",
    "file",
    "quantity",
    "volume_cm3",
    "width_mm",
    "depth_mm",
    "height_mm",
    "material",
    "colour",
)


def piece_file(row: ListRow) -> str:
    """Where the export keeps a piece's STL: what it is and how many."""
    return f"pieces/{row.piece}_x{row.quantity}.stl"


def order_csv(
    rows: Iterable[ListRow], sizes: Mapping[str, PartSize], material: str = "PLA"
) -> bytes:
    """One line a printed piece: volume and bounding box of one part as it lies on the bed."""
    lines = []
    for row in rows:
        if not row.quantity:
            continue
        size = sizes[row.piece].measure
        lines.append(
            (
                row.piece,
                safe_text(row.title),
                piece_file(row),
                str(row.quantity),
                f"{size.volume_mm3 / 1000:.2f}",
                *(f"{side:.1f}" for side in size.size_mm),
                material,
                row.group,
            )
        )
    return csv_table(COLUMNS, lines)
