"""The piece list: one table of rows, written as CSV, JSON, Markdown or text."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from falldamage_forge.export.artifacts import json_bytes

COLUMNS = ("piece", "title", "group", "quantity", "grams_each", "grams", "minutes", "plates")


@dataclass(frozen=True, slots=True)
class ListRow:
    """One piece of a list. `minutes` is the quantity's share of its plates' printing time."""

    piece: str
    title: str
    group: str
    quantity: int
    grams_each: float
    minutes: float
    plates: tuple[int, ...]

    @property
    def grams(self) -> float:
        """Of all copies."""
        return self.grams_each * self.quantity


def _cells(row: ListRow) -> tuple[str, ...]:
    return (
        row.piece,
        row.title,
        row.group,
        str(row.quantity),
        f"{row.grams_each:.2f}",
        f"{row.grams:.1f}",
        f"{row.minutes:.1f}",
        " ".join(map(str, row.plates)),
    )


def totals(rows: Sequence[ListRow]) -> tuple[int, float, float]:
    """Parts, grams and minutes of a list."""
    return (
        sum(row.quantity for row in rows),
        sum(row.grams for row in rows),
        sum(row.minutes for row in rows),
    )


def csv_bytes(rows: Iterable[ListRow]) -> bytes:
    """RFC 4180 with a header row; numbers with a decimal point whatever the locale."""
    stream = io.StringIO(newline="")
    writer = csv.writer(stream, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    writer.writerows(map(_cells, rows))
    return stream.getvalue().encode()


def list_json(rows: Sequence[ListRow], plates: Sequence[dict[str, object]]) -> bytes:
    """The list with its totals and what stands on each plate."""
    parts, grams, minutes = totals(rows)
    return json_bytes(
        {
            "pieces": [
                {
                    "piece": row.piece,
                    "title": row.title,
                    "group": row.group,
                    "quantity": row.quantity,
                    "grams_each": round(row.grams_each, 2),
                    "grams": round(row.grams, 1),
                    "minutes": round(row.minutes, 1),
                    "plates": list(row.plates),
                }
                for row in rows
            ],
            "plates": list(plates),
            "total": {"parts": parts, "grams": round(grams, 1), "minutes": round(minutes, 1)},
        }
    )


def text_table(rows: Sequence[ListRow]) -> str:
    """A table for a terminal, with totals."""
    parts, grams, minutes = totals(rows)
    body = [
        (
            row.piece,
            str(row.quantity),
            f"{row.grams:.0f} g",
            hours(row.minutes),
            " ".join(map(str, row.plates)),
        )
        for row in rows
    ]
    body.append(("total", str(parts), f"{grams:.0f} g", hours(minutes), ""))
    head = ("piece", "quantity", "filament", "time", "plates")
    widths = [max(len(line[col]) for line in (head, *body)) for col in range(len(head))]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if col in (0, 4) else cell.rjust(width)
            for col, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in (head, *body)
    )


def markdown_table(rows: Sequence[ListRow]) -> str:
    """A table for a README or a forum."""
    parts, grams, minutes = totals(rows)
    lines = ["| piece | quantity | filament | time | plates |", "|---|--:|--:|--:|---|"]
    lines += [
        f"| {row.piece} | {row.quantity} | {row.grams:.0f} g | {hours(row.minutes)} "
        f"| {' '.join(map(str, row.plates))} |"
        for row in rows
    ]
    lines.append(f"| **total** | {parts} | {grams:.0f} g | {hours(minutes)} | |")
    return "\n".join(lines)


def hours(minutes: float) -> str:
    """`1 h 05 min`, `12 min`."""
    whole = round(minutes)
    return f"{whole // 60} h {whole % 60:02d} min" if whole >= 60 else f"{whole} min"
