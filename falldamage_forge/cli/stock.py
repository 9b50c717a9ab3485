"""`fdforge stock`: the parts you own, as a CSV file that keeps its own history."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from falldamage_forge.files import Sources, read_text
from falldamage_forge.issues import refuse
from falldamage_forge.paths import resolved

if TYPE_CHECKING:
    from falldamage_forge.pieces.stock import Entry

_PLATE = re.compile(r"plate-(\d{1,4})(-[a-z0-9-]+)?(\.stl|\.3mf)?")

_stock_option = click.option(
    "--stock",
    "stock_file",
    type=click.Path(path_type=Path),
    default=Path("stock.csv"),
    show_default=True,
    help="The stock's file.",
)


@click.group()
def command() -> None:
    """Keep count of the parts you own, in a CSV file that `--own` reads."""


@command.command()
@click.argument("what")
@click.argument("count", type=click.IntRange(-100_000, 100_000), required=False)
@click.option("--again", is_flag=True, help="Add a plate that was added before.")
@_stock_option
def add(what: str, count: int | None, again: bool, stock_file: Path) -> None:
    """Add parts: WHAT is a plate of an export (exports/duel/plate-03), an export, or a piece.

    A piece takes a COUNT; after `--` a negative one tells of parts that went.
    """
    from falldamage_forge.pieces.stock import Entry, appended, read_entries, stock_of
    from falldamage_forge.staging import write_file

    known, text, entries = _read(stock_file)
    if count is not None:
        added = read_entries(f"piece,count\n{what},{count}\n", "the command line", known)
        added = (Entry(added[0].piece, count, "by hand"),)
    else:
        added = parts_of_export(Path(what), known)
        if not again:
            added = _new_plates(entries, added, stock_file)
    stock_of((*entries, *added), str(stock_file))
    write_file(stock_file, appended(text, added).encode())
    parts = sum(entry.count for entry in added)
    click.echo(f"{parts:+d} part{'s' * (abs(parts) != 1)} in {stock_file}")


@command.command()
@click.option("--format", "form", type=click.Choice(["table", "csv", "json"]), default="table")
@click.option("--history", is_flag=True, help="Every line, in place of the sums.")
@_stock_option
def show(form: str, history: bool, stock_file: Path) -> None:
    """Show the parts you own, with sums, or how they came."""
    from falldamage_forge.export.lists import columns
    from falldamage_forge.pieces.stock import Entry, stock_of, write_entries

    _, _, entries = _read(stock_file, must=True)
    if not history:
        entries = tuple(Entry(*item) for item in stock_of(entries, str(stock_file)).items())
    if form == "csv":
        click.echo(write_entries(entries), nl=False)
    elif form == "json":
        rows = [{"piece": e.piece, "count": e.count, "from": e.source} for e in entries]
        click.echo(json.dumps(rows, indent=2))
    else:
        total = str(sum(entry.count for entry in entries))
        head = ("piece", "parts", *(["from"] if history else []))
        lines = [(e.piece, str(e.count), *([e.source] if history else [])) for e in entries]
        lines += [("total", total, *([""] if history else []))]
        click.echo(columns([head, *lines], left=(0, 2)))


def _read(path: Path, must: bool = False) -> tuple[Any, str, tuple[Entry, ...]]:
    """Known pieces, text and lines of a stock file; nothing if it is not there yet."""
    from falldamage_forge.pieces.stock import read_entries
    from falldamage_forge.presets import load_catalogue

    known = load_catalogue().every
    if not must and not path.exists():
        return known, "", ()
    _, text = Sources().read_main(path)
    return known, text, read_entries(text, str(path), known) if text.strip() else ()


def parts_of_export(path: Path, known: Any) -> tuple[Entry, ...]:
    """What stands on a plate of an export, or on all of its plates, as stock lines."""
    from falldamage_forge.pieces.stock import Entry, design_of, is_piece

    match = _PLATE.fullmatch(path.name)
    folder = path.parent if match else path
    if match and folder.name == "plates":
        folder = folder.parent
    found = []
    for plate in _plates(folder, str(path)):
        if match is None or plate["plate"] == int(match[1]):
            counts: Counter[str] = Counter()
            for key, number in plate["pieces"].items():
                counts[design_of(str(key), known)] += int(number)
            source = f"{plate['name']} of {resolved(folder).name}"
            found += [Entry(key, count, source) for key, count in sorted(counts.items())]
    unknown = sorted({entry.piece for entry in found if not is_piece(entry.piece, known)})
    if unknown:
        raise refuse("FDF404", f"`{path}` holds `{unknown[0]}`, which is no piece any more")
    if not found:
        raise _no_plates(str(path), "there is no such plate")
    return tuple(found)


def _plates(folder: Path, name: str) -> list[dict[str, Any]]:
    """The plates of an export's piece list; FDF404 when it is none."""
    table = folder / "pieces.json"
    if not table.is_file():
        raise _no_plates(name, f"there is no `{table}`")
    try:
        plates = json.loads(read_text(table, str(table)))["plates"]
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
    before: tuple[Entry, ...], added: tuple[Entry, ...], stock_file: Path
) -> tuple[Entry, ...]:
    """Those plates of an export that the stock does not hold; FDF405 when it holds them all."""
    known = {entry.source for entry in before}
    new = tuple(entry for entry in added if entry.source not in known)
    if not new:
        hint = "say `--again` if you printed it again"
        raise refuse("FDF405", f"{added[0].source} is in {stock_file} already", hint)
    return new
