"""`fdforge stock`: record owned parts in a CSV file with its history."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from falldamage_forge.cli import option
from falldamage_forge.cli.spoken_language import echo, wished_say
from falldamage_forge.infra.plain_text import parse_json
from falldamage_forge.infra.report_table import ReportColumn, row_json, text_lines
from falldamage_forge.infra.source_loader import read_text
from falldamage_forge.infra.user_paths import resolved
from falldamage_forge.issues import refuse

if TYPE_CHECKING:
    from falldamage_forge.infra.text_style import TextStyle
    from falldamage_forge.pieces.stock import StockEntry

_PLATE = re.compile(r"plate-(\d{1,4})(-[a-z0-9-]+)?(\.stl|\.3mf)?")

ENTRIES = (
    ReportColumn("piece", "piece"),
    ReportColumn("count", "parts"),
    ReportColumn("from", "from", value="source"),
)
STOCK = option.file("Stock file.", "--stock", default=Path("stock.csv"), de="Bestandsdatei.")


@option.group_command
def command() -> None:
    """Record the parts that you own in a CSV file, the input of `--own`."""


@option.under(command)
def add(
    what: str = option.argument(),
    count: int | None = option.argument(type=click.IntRange(-100000, 100000), required=False),
    again: bool = option.flag(
        "Add a plate that the stock contains already.",
        de="Fügt eine Platte hinzu, die der Bestand schon enthält.",
    ),
    stock_file: Path = STOCK.written(),
) -> None:
    """Add parts: WHAT is a plate of an export (exports/duel/plate-03), an export, or a piece.

    A piece takes a COUNT; a negative one, written after `--`, removes parts.
    """
    from falldamage_forge.infra.atomic_write import write_file
    from falldamage_forge.pieces.stock import StockEntry, append_entries, read_entries, stock_of

    known, text, entries, style = _read(stock_file)
    if count is not None:
        added = read_entries(f"piece,count\n{what},{count}\n", "the command line", known)
        added = (StockEntry(added[0].piece, count, "by hand"),)
    else:
        added = parts_of_export(Path(what), known)
        if not again:
            added = _new_plates(entries, added, stock_file)
    stock_of((*entries, *added), str(stock_file))
    write_file(stock_file, style.encode(append_entries(text, added)))
    parts = sum(entry.count for entry in added)
    echo(f"{parts:+d} part{'s' * (abs(parts) != 1)} in {stock_file}")


@option.under(command)
def show(
    form: str = option.form("table", "csv", "json"),
    history: bool = option.flag(
        "Print every line instead of the sums.", de="Zeigt jede Zeile statt der Summen."
    ),
    stock_file: Path = STOCK,
) -> None:
    """Print the owned parts, as sums or as history."""
    from falldamage_forge.export.piece_list import columns
    from falldamage_forge.pieces.stock import StockEntry, stock_of, write_entries

    _, _, entries, _ = _read(stock_file, must=True)
    if not history:
        entries = tuple(StockEntry(*item) for item in stock_of(entries, str(stock_file)).items())
    if form == "csv":
        click.echo(write_entries(entries), nl=False)
    elif form == "json":
        click.echo(json.dumps([row_json(ENTRIES, entry) for entry in entries], indent=2))
    else:
        total = StockEntry("total", sum(entry.count for entry in entries), "")
        lines = text_lines(ENTRIES if history else ENTRIES[:2], (*entries, total))
        click.echo(columns([tuple(map(wished_say(), line)) for line in lines], left=(0, 2)))


def _read(path: Path, must: bool = False) -> tuple[Any, str, tuple[StockEntry, ...], TextStyle]:
    """Return known pieces, text, entries and style of a stock file; empty if it does not exist."""
    from falldamage_forge.cli.build_options import read_stock_text
    from falldamage_forge.infra.text_style import TextStyle
    from falldamage_forge.pieces.stock import read_entries
    from falldamage_forge.presets import load_catalogue

    known = load_catalogue().every
    if not must and not path.exists():
        return known, "", (), TextStyle()
    _, text, style = read_stock_text(path)
    return known, text, read_entries(text, str(path), known) if text.strip() else (), style


def parts_of_export(path: Path, known: Any) -> tuple[StockEntry, ...]:
    """Return the parts of one plate or of all plates of an export as stock entries.

    Args:
        path: Folder of an export, or a file of one of its plates.
        known: Pieces by key, which resolve names of older exports.
    """
    from falldamage_forge.pieces.stock import StockEntry, design_of, is_piece, stock_key

    match = _PLATE.fullmatch(path.name)
    folder = path.parent if match else path
    if match and folder.name == "plates":
        folder = folder.parent
    found = []
    for plate in _plates(folder, str(path)):
        if match is None or plate["plate"] == int(match[1]):
            counts: Counter[str] = Counter()
            for key, number in plate["pieces"].items():
                counts[stock_key(str(key), known)] += int(number)
            source = f"{plate['name']} of {resolved(folder).name} ({_content(plate)})"
            found += [StockEntry(key, count, source) for key, count in sorted(counts.items())]
    unknown = sorted(
        {each.piece for each in found if not is_piece(design_of(each.piece, known), known)}
    )
    if unknown:
        raise refuse("FDF404", f"`{path}` holds `{unknown[0]}`, which is not in the catalogue")
    if not found:
        raise _no_plates(str(path), "there is no such plate")
    return tuple(found)


def _content(plate: Mapping[str, Any]) -> str:
    """Return a digest of a plate's parts: a plate built with other parts is another one."""
    return sha256(json.dumps(plate["pieces"], sort_keys=True).encode()).hexdigest()[:8]


def _plates(folder: Path, name: str) -> list[dict[str, Any]]:
    """Return the plates of an export's piece list; ForgeError (FDF404) if it has none."""
    table = folder / "pieces.json"
    if not table.is_file():
        raise _no_plates(name, f"there is no `{table}`")
    try:
        plates = parse_json(read_text(table, str(table)), str(table))["plates"]
        for plate in plates:
            ok = isinstance(plate["plate"], int) and isinstance(plate["name"], str)
            if not ok or any(
                not isinstance(n, int) or not 0 < n < 100_000 for n in plate["pieces"].values()
            ):
                raise TypeError
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise _no_plates(name, f"`{table}` is no piece list of an export") from None
    return list(plates)


def _no_plates(name: str, why: str) -> Exception:
    hint = "name a plate, as in `exports/duel/plate-03`, or a piece and a count"
    return refuse("FDF404", f"`{name}`: {why}", hint)


def _new_plates(
    before: tuple[StockEntry, ...], added: tuple[StockEntry, ...], stock_file: Path
) -> tuple[StockEntry, ...]:
    """Return the plates that the stock does not contain; FDF405 if it contains all."""
    known = {entry.source for entry in before}
    new = tuple(entry for entry in added if entry.source not in known)
    if not new:
        hint = "say `--again` if you printed it again"
        raise refuse("FDF405", f"{added[0].source} is in {stock_file} already", hint)
    return new
