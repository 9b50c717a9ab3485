"""Piece list (bill of materials): rows written as CSV, JSON, Markdown or text."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from falldamage_forge.infra.artifacts import json_bytes
from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.infra.report_table import ReportColumn, Table, row_json
from falldamage_forge.pieces.stock import safe_text
from falldamage_forge.printing.colour_groups import FIRST
from falldamage_forge.printing.estimate_model import PrintStatistics
from falldamage_forge.printing.print_price import Price
from falldamage_forge.printing.printer import Printer


@dataclass(frozen=True, slots=True)
class ListRow:
    """One piece of a list: parts that the map needs, and how many of these are owned.

    `minutes` is the printed parts' share of their plates' time, `grams` their filament;
    `tops_grams` of it are in the colour of their tops; `plates` are plate numbers. `model` and
    `sha256` name the file of a model of others.
    """

    piece: str
    title: str
    group: str
    required: int
    owned: int
    grams: float
    minutes: float
    plates: tuple[int, ...]
    tops_grams: float = 0.0
    model: str = ""
    sha256: str = ""

    @property
    def quantity(self) -> int:
        """Parts to print."""
        return self.required - self.owned

    @property
    def grams_each(self) -> float:
        """Grams of one printed part; 0 if none is printed."""
        return self.grams / self.quantity if self.quantity else 0.0


class Total(NamedTuple):
    """Sums over rows."""

    required: int
    owned: int
    quantity: int
    grams: float
    minutes: float
    tops_grams: float


def sum_rows(rows: Iterable[ListRow]) -> Total:
    """Return the sums of some rows."""
    rows = tuple(rows)
    sums = {name: sum(getattr(row, name) for row in rows) for name in Total._fields}
    return Total(**sums)


def group_rank(group: str) -> tuple[int, str]:
    """Return the sort key of a group: those to print first, then by name."""
    known = FIRST.index(group) if group in FIRST else len(FIRST)
    return known, group


def by_group(rows: Iterable[ListRow]) -> dict[str, list[ListRow]]:
    """Return rows by group, groups in printing order."""
    groups: dict[str, list[ListRow]] = {}
    for row in sorted(rows, key=lambda row: (group_rank(row.group), row.piece)):
        groups.setdefault(row.group, []).append(row)
    return groups


COLUMNS = (
    ReportColumn("piece"),
    ReportColumn("title", spec=safe_text),
    ReportColumn("group"),
    ReportColumn("required"),
    ReportColumn("owned"),
    ReportColumn("quantity"),
    ReportColumn("grams_each", spec=".2f", digits=2),
    ReportColumn("grams", spec=".1f", digits=1),
    ReportColumn("minutes", spec=".1f", digits=1),
    ReportColumn(
        "plates", spec=lambda plates: " ".join(map(str, plates)), value=lambda row: [*row.plates]
    ),
)
"""Columns of the CSV and JSON files."""
ORIGIN = (ReportColumn("model", spec=safe_text), ReportColumn("sha256"))
"""Further columns of lists with models of others."""


def _origin(row: ListRow) -> dict[str, object]:
    return row_json(ORIGIN, row) if row.sha256 else {}


def model_notes(rows: Iterable[ListRow]) -> list[str]:
    """Return a line for each model of others: its piece, its file and the file's SHA-256.

    Args:
        rows: Lines of the list.
    """
    return [f"{row.piece}: {row.model}, sha256 {row.sha256}" for row in rows if row.sha256]


def _tops(sums: ListRow | Total) -> dict[str, float]:
    return {"tops_grams": round(sums.tops_grams, 1)} if sums.tops_grams else {}


def csv_table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> bytes:
    """Return a CSV file (RFC 4180) with a header row; the decimal separator is a point.

    Args:
        head: Names of the columns.
        rows: Cells of each row.
    """
    stream = io.StringIO(newline="")
    writer = csv.writer(stream, lineterminator="\r\n")
    writer.writerow(head)
    writer.writerows(rows)
    return stream.getvalue().encode()


def csv_bytes(rows: Iterable[ListRow], price: Price | None = None) -> bytes:
    """Return the piece list as CSV, with grams of tops and files of models if there are any.

    Args:
        rows: Lines of the list.
        price: Adds cost and currency to each line; None for none.
    """
    rows, table = tuple(rows), list(COLUMNS)
    if any(row.tops_grams for row in rows):
        table.append(ReportColumn("tops_grams", spec=".1f"))
    if price is not None:
        table.append(ReportColumn("cost", spec=".2f", value=lambda row: price.of(row.grams)))
        table.append(ReportColumn("currency", value=lambda _: price.currency))
    if any(row.sha256 for row in rows):
        table += ORIGIN
    lines = ([column.text(row) for column in table] for row in rows)
    return csv_table([column.key for column in table], lines)


def list_json(
    rows: Sequence[ListRow],
    plates: Sequence[Mapping[str, object]],
    price: Price | None = None,
    **about: object,
) -> bytes:
    """Return the piece list as JSON: pieces, sums by group and in total, and plates.

    Args:
        rows: Lines of the list.
        plates: Contents of each plate.
        price: Adds costs to the sums; None for none.
        about: Further keys at the top.
    """
    return json_bytes(
        {
            **about,
            "pieces": [row_json(COLUMNS, row) | _tops(row) | _origin(row) for row in rows],
            "groups": {group: _sums(own, price) for group, own in by_group(rows).items()},
            "plates": list(plates),
            "total": _sums(rows, price),
        }
    )


def _sums(rows: Iterable[ListRow], price: Price | None) -> dict[str, object]:
    sums = sum_rows(rows)
    cost = {"cost": round(price.of(sums.grams), 2), "currency": price.currency} if price else {}
    return {
        "required": sums.required,
        "owned": sums.owned,
        "parts": sums.quantity,
        "grams": round(sums.grams, 1),
        "minutes": round(sums.minutes, 1),
        **_tops(sums),
        **cost,
    }


Line = tuple[str, ...]
Say = Callable[[str], str]
"""Translates a text; `str` leaves it English."""


def _lines(
    rows: Sequence[ListRow], price: Price | None = None
) -> tuple[Line, list[tuple[bool, Line]]]:
    """Return the head, and lines for people: each group with its sums, its pieces, and the total.

    Columns of owned parts appear only if any are owned, costs only with a price, and the grams
    of tops, which are part of the filament, only if some are coloured. True marks sums.
    """
    owning, toned = any(row.owned for row in rows), any(row.tops_grams for row in rows)

    def line(name: str, sums: ListRow | Total, plates: Iterable[int] = ()) -> Line:
        stock = (str(sums.required), str(sums.owned)) if owning else ()
        filament, time = f"{sums.grams:.0f} g", format_minutes(sums.minutes)
        tops = (f"{sums.tops_grams:.0f} g",) if toned else ()
        cost = (price.text(sums.grams),) if price else ()
        plastic = (filament, *tops, *cost)
        return (name, *stock, str(sums.quantity), *plastic, time, format_ranges(plates))

    body: list[tuple[bool, Line]] = []
    for group, own in by_group(rows).items():
        body.append(
            (True, line(group, sum_rows(own), sorted({n for row in own for n in row.plates})))
        )
        body += ((False, line(row.piece, row, row.plates)) for row in own)
    body.append((True, line("total", sum_rows(rows))))
    stock = ("required", "owned", "to print") if owning else ("quantity",)
    cost = ("cost",) if price else ()
    tops = ("of it tops",) if toned else ()
    return ("piece", *stock, "filament", *tops, *cost, "time", "plates"), body


def format_ranges(numbers: Iterable[int]) -> str:
    """Return ascending numbers as text, runs of three and more as a range: `1-4 6 8`."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    texts = (f"{run[0]}-{run[-1]}" if len(run) > 2 else " ".join(map(str, run)) for run in runs)
    return " ".join(texts)


def text_table(rows: Sequence[ListRow], price: Price | None = None, say: Say = str) -> str:
    """Return a table for a terminal: pieces by group, with sums.

    `say` translates the head and the names of groups; keys of pieces stay.

    Args:
        rows: Lines of the piece list.
        price: Price of filament; None: no column of cost.
        say: Translates the head and the names of groups.
    """
    head, body = _lines(rows, price)
    lines = ((say(own[0]) if sums else f"  {own[0]}", *own[1:]) for sums, own in body)
    return columns(
        [tuple(map(say, head)), *lines],
        left=(0, len(head) - 1),
    )


def columns(lines: Sequence[Sequence[str]], left: Sequence[int] = (0,)) -> str:
    """Return lines of cells in aligned columns; `left` are flush left, others flush right.

    Args:
        lines: Cells of each line, equally many.
        left: Numbers of the columns that are flush left, from 0.
    """
    widths = [max(len(line[col]) for line in lines) for col in range(len(lines[0]))]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if col in left else cell.rjust(width)
            for col, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    )


def markdown_table(rows: Sequence[ListRow], price: Price | None = None) -> str:
    """Return a Markdown table of the piece list.

    Args:
        rows: Lines of the piece list.
        price: Price of filament; None: no column of cost.
    """
    head, body = _lines(rows, price)
    lines = [head, ("---", *["--:"] * (len(head) - 2), "---")]
    lines += [(f"**{line[0]}**", *line[1:]) if sums else line for sums, line in body]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


class FeatureRow(NamedTuple):
    """Filament and time of a line type, in grams, minutes and shares of the total."""

    feature: str
    grams: float
    minutes: float
    of_grams: float
    of_minutes: float


def feature_rows(features: Mapping[str, PrintStatistics]) -> list[FeatureRow]:
    """Return a row for each feature.

    Args:
        features: Grams and minutes by feature.
    """
    weight_g = sum(each.grams for each in features.values()) or 1
    minutes = sum(each.minutes for each in features.values()) or 1
    return [
        FeatureRow(name, own.grams, own.minutes, own.grams / weight_g, own.minutes / minutes)
        for name, own in features.items()
    ]


def total_row(rows: Iterable[FeatureRow]) -> FeatureRow:
    """Return the sum of rows of features."""
    return FeatureRow("total", *map(sum, zip(*(row[1:] for row in rows), strict=True)))


def feature_table(price: Price | None = None) -> Table:
    """Return the columns of filament and time by feature.

    Args:
        price: Price of filament; None: no column of cost.
    """
    cost = (ReportColumn(title="cost", spec=price.text, value="grams"),) if price else ()
    return (
        ReportColumn("feature", "feature", left=True),
        ReportColumn("grams", "filament", "{:.0f} g".format, 2),
        ReportColumn(title="share", spec=".0%", value="of_grams"),
        *cost,
        ReportColumn("minutes", "time", format_minutes, 1),
        ReportColumn(title="share", spec=".0%", value="of_minutes"),
    )


def start_note(plates: int, printer: Printer) -> str:
    """Return a sentence about the start time of plates: heating, levelling, purging, cooling.

    Args:
        plates: Number of plates.
        printer: Printer with the minutes that a start takes.
    """
    each, all_of_them = printer.start_minutes, format_minutes(plates * printer.start_minutes)
    return f"starting a plate takes {each:g} min more, {plates} of them {all_of_them}"


def format_minutes(minutes: float) -> str:
    """Return minutes as text: `1 h 05 min`, `12 min`."""
    whole = round(minutes)
    return f"{whole // 60} h {whole % 60:02d} min" if whole >= 60 else f"{whole} min"
