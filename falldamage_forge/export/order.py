"""The list a print service asks for: what, how many, how much plastic, how large."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from falldamage_forge.export.lists import ListRow, csv_table
from falldamage_forge.geometry.mesh import Mesh
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


def order_csv(rows: Iterable[ListRow], meshes: Mapping[str, Mesh], material: str = "PLA") -> bytes:
    """One line a printed piece: volume and bounding box of one part as it lies on the bed."""
    from falldamage_forge.geometry.measure import measure

    lines = []
    for row in rows:
        if not row.quantity:
            continue
        size = measure(meshes[row.piece])
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
