"""The piece list: one table of rows, written as CSV, JSON, Markdown or text."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from falldamage_forge.export.artifacts import json_bytes
from falldamage_forge.pieces.stock import safe_text
from falldamage_forge.printing.estimate import Figures
from falldamage_forge.printing.price import Price
from falldamage_forge.printing.printer import Printer

COLUMNS = (
    "piece",
    "title",
    "group",
    "required",
    "owned",
    "quantity",
    "grams_each",
    "grams",
    "minutes",
    "plates",
)
FIRST_GROUPS = ("base", "stone", "wood")
"""Colours in the order of printing and of lists; others follow by name."""


@dataclass(frozen=True, slots=True)
class ListRow:
    """One piece of a list: how many the map needs and how many of these are owned.

    `minutes` is the printed parts' share of their plates' printing time, `grams` their filament.
    """

    piece: str
    title: str
    group: str
    required: int
    owned: int
    grams: float
    minutes: float
    plates: tuple[int, ...]

    @property
    def quantity(self) -> int:
        """Parts to print."""
        return self.required - self.owned

    @property
    def grams_each(self) -> float:
        """Of one printed part; 0 when none is printed."""
        return self.grams / self.quantity if self.quantity else 0.0


@dataclass(frozen=True, slots=True)
class Total:
    """Sums over rows."""

    required: int
    owned: int
    quantity: int
    grams: float
    minutes: float


def total(rows: Iterable[ListRow]) -> Total:
    """The sums of some rows."""
    rows = tuple(rows)
    return Total(
        sum(row.required for row in rows),
        sum(row.owned for row in rows),
        sum(row.quantity for row in rows),
        sum(row.grams for row in rows),
        sum(row.minutes for row in rows),
    )


def group_rank(group: str) -> tuple[int, str]:
    """Sorts colours: the ones to print first lead."""
    known = FIRST_GROUPS.index(group) if group in FIRST_GROUPS else len(FIRST_GROUPS)
    return known, group


def by_group(rows: Iterable[ListRow]) -> dict[str, list[ListRow]]:
    """Rows by colour, colours in printing order."""
    groups: dict[str, list[ListRow]] = {}
    for row in sorted(rows, key=lambda row: (group_rank(row.group), row.piece)):
        groups.setdefault(row.group, []).append(row)
    return groups


def _cells(row: ListRow) -> tuple[str, ...]:
    return (
        row.piece,
        safe_text(row.title),
        row.group,
        str(row.required),
        str(row.owned),
        str(row.quantity),
        f"{row.grams_each:.2f}",
        f"{row.grams:.1f}",
        f"{row.minutes:.1f}",
        " ".join(map(str, row.plates)),
    )


def csv_table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> bytes:
    """RFC 4180 with a header row; numbers with a decimal point whatever the locale."""
    stream = io.StringIO(newline="")
    writer = csv.writer(stream, lineterminator="\r\n")
    writer.writerow(head)
    writer.writerows(rows)
    return stream.getvalue().encode()


def csv_bytes(rows: Iterable[ListRow], price: Price | None = None) -> bytes:
    """The piece list as CSV; with a price, what each line costs and in what currency."""
    if price is None:
        return csv_table(COLUMNS, map(_cells, rows))
    head = (*COLUMNS, "cost", "currency")
    costs = ((*_cells(row), f"{price.of(row.grams):.2f}", price.currency) for row in rows)
    return csv_table(head, costs)


def list_json(
    rows: Sequence[ListRow],
    plates: Sequence[Mapping[str, object]],
    price: Price | None = None,
    **about: object,
) -> bytes:
    """The list with its sums by colour and over all, and what stands on each plate.

    With a price, sums say what they cost.
    """
    return json_bytes(
        {
            **about,
            "pieces": [
                {
                    "piece": row.piece,
                    "title": row.title,
                    "group": row.group,
                    "required": row.required,
                    "owned": row.owned,
                    "quantity": row.quantity,
                    "grams_each": round(row.grams_each, 2),
                    "grams": round(row.grams, 1),
                    "minutes": round(row.minutes, 1),
                    "plates": list(row.plates),
                }
                for row in rows
            ],
            "groups": {group: _sums(own, price) for group, own in by_group(rows).items()},
            "plates": list(plates),
            "total": _sums(rows, price),
        }
    )


def _sums(rows: Iterable[ListRow], price: Price | None) -> dict[str, object]:
    sums = total(rows)
    cost = {"cost": round(price.of(sums.grams), 2), "currency": price.currency} if price else {}
    return {
        "required": sums.required,
        "owned": sums.owned,
        "parts": sums.quantity,
        "grams": round(sums.grams, 1),
        "minutes": round(sums.minutes, 1),
        **cost,
    }


Line = tuple[str, ...]


def _lines(
    rows: Sequence[ListRow], price: Price | None = None
) -> tuple[Line, list[tuple[bool, Line]]]:
    """The head, then lines for people: each colour with its sums, its pieces, and the total.

    The columns of owned parts are there only when any are owned, costs only with a price. True
    marks sums.
    """
    owning = any(row.owned for row in rows)

    def line(name: str, sums: ListRow | Total, plates: Iterable[int] = ()) -> Line:
        stock = (str(sums.required), str(sums.owned)) if owning else ()
        filament, time = f"{sums.grams:.0f} g", hours(sums.minutes)
        cost = (price.text(sums.grams),) if price else ()
        return (name, *stock, str(sums.quantity), filament, *cost, time, ranges(plates))

    body: list[tuple[bool, Line]] = []
    for group, own in by_group(rows).items():
        body.append((True, line(group, total(own), sorted({n for row in own for n in row.plates}))))
        body += ((False, line(row.piece, row, row.plates)) for row in own)
    body.append((True, line("total", total(rows))))
    stock = ("required", "owned", "to print") if owning else ("quantity",)
    cost = ("cost",) if price else ()
    return ("piece", *stock, "filament", *cost, "time", "plates"), body


def ranges(numbers: Iterable[int]) -> str:
    """Ascending numbers for people, runs of three and more drawn together: `1-4 6 8`."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    told = (f"{run[0]}-{run[-1]}" if len(run) > 2 else " ".join(map(str, run)) for run in runs)
    return " ".join(told)


def text_table(rows: Sequence[ListRow], price: Price | None = None) -> str:
    """A table for a terminal: pieces by colour, with sums."""
    head, body = _lines(rows, price)
    return columns(
        [head, *((line if sums else (f"  {line[0]}", *line[1:])) for sums, line in body)],
        left=(0, len(head) - 1),
    )


def columns(lines: Sequence[Sequence[str]], left: Sequence[int] = (0,)) -> str:
    """Lines of cells in columns; those in `left` begin together, the others end together."""
    widths = [max(len(line[col]) for line in lines) for col in range(len(lines[0]))]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if col in left else cell.rjust(width)
            for col, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    )


def markdown_table(rows: Sequence[ListRow], price: Price | None = None) -> str:
    """A table for a README or a forum."""
    head, body = _lines(rows, price)
    lines = [head, ("---", *["--:"] * (len(head) - 2), "---")]
    lines += [(f"**{line[0]}**", *line[1:]) if sums else line for sums, line in body]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def feature_table(features: Mapping[str, Figures], price: Price | None = None) -> str:
    """Where plastic and minutes go: a line for each feature, with its share, and the total."""
    weight_g = sum(each.grams for each in features.values())
    minutes = sum(each.minutes for each in features.values())
    rows = [*features.items(), ("total", Figures(weight_g, minutes))]
    lines = [("feature", "filament", "share", *(("cost",) if price else ()), "time", "share")]
    for name, own in rows:
        cost = (price.text(own.grams),) if price else ()
        shares = own.grams / (weight_g or 1), own.minutes / (minutes or 1)
        plastic = (f"{own.grams:.0f} g", f"{shares[0]:.0%}")
        lines.append((name, *plastic, *cost, hours(own.minutes), f"{shares[1]:.0%}"))
    return columns(lines)


def start_note(plates: int, printer: Printer) -> str:
    """What the start routine of plates takes: heating, levelling, purging, cooling."""
    each, all_of_them = printer.start_minutes, hours(plates * printer.start_minutes)
    return f"starting a plate takes {each:g} min more, {plates} of them {all_of_them}"


def hours(minutes: float) -> str:
    """`1 h 05 min`, `12 min`."""
    whole = round(minutes)
    return f"{whole // 60} h {whole % 60:02d} min" if whole >= 60 else f"{whole} min"
