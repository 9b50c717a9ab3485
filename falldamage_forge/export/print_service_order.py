"""Order list for a print service: pieces, quantities, volumes and sizes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from falldamage_forge.export.piece_list import ListRow, csv_table
from falldamage_forge.geometry.part_size import PartSize
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
MATERIAL = "PLA"


def piece_file(row: ListRow) -> str:
    """Return the path of a piece's STL in the export, with its quantity."""
    return f"pieces/{row.piece}_x{row.quantity}.stl"


def order_csv(rows: Iterable[ListRow], sizes: Mapping[str, PartSize]) -> bytes:
    """Return one CSV line per printed piece: volume and bounding box of one part in print pose.

    If there are models of others, two columns more name their files and the files' SHA-256.

    Args:
        rows: Lines of the piece list.
        sizes: Size of each piece by key.
    """
    rows = [row for row in rows if row.quantity]
    origins = any(row.sha256 for row in rows)
    lines = []
    for row in rows:
        size = sizes[row.piece].measure
        lines.append(
            (
                row.piece,
                safe_text(row.title),
                piece_file(row),
                str(row.quantity),
                f"{size.volume_mm3 / 1000:.2f}",
                *(f"{side:.1f}" for side in size.size_mm),
                MATERIAL,
                row.group,
                *((safe_text(row.model), row.sha256) if origins else ()),
            )
        )
    return csv_table((*COLUMNS, *(("model", "sha256") if origins else ())), lines)
