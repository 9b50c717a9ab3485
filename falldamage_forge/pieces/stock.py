"""A stock of printed parts: a plain CSV file that is read strictly and only ever appended to.

One line says how many parts of a piece came in (or went, with a minus); lines add up, so the file
is its own history. Spreadsheets may write it: commas or semicolons, columns in any order.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from falldamage_forge.issues import ForgeError, Issue, SourceSpan, did_you_mean
from falldamage_forge.pieces.model import SIZED

COLUMNS = ("piece", "count", "from")
MAX_LINES = 20_000
MAX_COUNT = 100_000
_COUNT_NAMES = ("count", "quantity")


@dataclass(frozen=True, slots=True)
class Entry:
    """One line: parts of a piece that came (or went) and where from. `line` counts from 1."""

    piece: str
    count: int
    source: str = ""
    line: int = 0


def safe_text(text: str) -> str:
    """Text that no spreadsheet takes for a formula: such beginnings get an apostrophe."""
    text = " ".join("".join(each if each.isprintable() else " " for each in text).split())
    return f"'{text}" if text[:1] in ("=", "+", "-", "@", "|") else text


def write_entries(entries: Collection[Entry], header: bool = True) -> str:
    """The file's lines, each ending in a line feed."""
    stream = io.StringIO(newline="")
    writer = csv.writer(stream, lineterminator="\n")
    if header:
        writer.writerow(COLUMNS)
    for entry in entries:
        writer.writerow((safe_text(entry.piece), entry.count, safe_text(entry.source)))
    return stream.getvalue()


def appended(text: str, entries: Collection[Entry]) -> str:
    """The text of a stock file with entries after its last line; begins one if it is empty.

    The entries' columns follow the header that is there.
    """
    if not text.strip():
        return write_entries(entries)
    if not text.endswith("\n"):
        text += "\n"
    names, delimiter = _header(text.splitlines()[0])
    stream = io.StringIO(newline="")
    writer = csv.writer(stream, lineterminator="\n", delimiter=delimiter)
    for entry in entries:
        cells = {"piece": entry.piece, "from": safe_text(entry.source)}
        cells |= dict.fromkeys(_COUNT_NAMES, str(entry.count))
        writer.writerow([cells.get(name, "") for name in names])
    return text + stream.getvalue()


VARIANT_LETTERS = "bcdefgh"


def read_stock(text: str, file: str, known: Collection[str]) -> dict[str, int]:
    """Parts owned by piece, sorted; see `read_entries`. Pieces that all went are left out.

    Raises ForgeError (FDF403) when more parts went than there were.
    """
    return stock_of(read_entries(text, file, known), file)


def stock_of(entries: Collection[Entry], file: str) -> dict[str, int]:
    """The sum of all lines by piece."""
    totals: dict[str, int] = {}
    for entry in entries:
        totals[entry.piece] = totals.get(entry.piece, 0) + entry.count
    faults = [
        _fault("FDF403", f"{-count} more `{piece}` went than there were", _span(file, 1))
        for piece, count in sorted(totals.items())
        if count < 0
    ]
    if faults:
        raise ForgeError(faults)
    return {piece: count for piece, count in sorted(totals.items()) if count}


def read_entries(text: str, file: str, known: Collection[str]) -> tuple[Entry, ...]:
    """Every line of a stock file. ForgeError names each fault with its line.

    FDF402: no CSV with the columns `piece` and `count`, or too long; FDF403: a count that is none;
    FDF400: a piece that is not among `known`.
    """
    if text.count("\n") > MAX_LINES:
        raise ForgeError([_fault("FDF402", f"{file} has more than {MAX_LINES} lines")])
    rows = _rows(text, file)
    head = next(rows, None)
    if head is None:
        raise ForgeError([_fault("FDF402", f"{file} is empty", hint="begin with `piece,count`")])
    names = [name.strip().lower() for name in head[1]]
    _check_header(names, file)
    faults: list[Issue] = []
    entries = []
    for line, cells in rows:
        if not any(cell.strip() for cell in cells):
            continue
        fields = dict(zip(names, (cell.strip() for cell in cells), strict=False))
        try:
            entries.append(_entry(fields, line, file, known))
        except ForgeError as error:
            faults += error.issues
    if faults:
        raise ForgeError(faults)
    return tuple(entries)


def _rows(text: str, file: str) -> Iterator[tuple[int, list[str]]]:
    """(line, cells) of every row; FDF402 for a quote that is never closed and the like."""
    if "\0" in text:
        raise ForgeError([_fault("FDF402", f"{file} holds a NUL; it is no text")])
    first = text.splitlines()[0] if text.strip() else ""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=_header(first)[1], strict=True)
    while True:
        line = reader.line_num + 1
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            hint = "check the quotes of this line"
            raise ForgeError(
                [_fault("FDF402", f"line {line} is no CSV: {error}", _span(file, line), hint)]
            ) from None
        yield line, cells


def _header(line: str) -> tuple[list[str], str]:
    """Names and delimiter of a header line."""
    delimiter = ";" if ";" in line and "," not in line else ","
    return [name.strip().strip('"').lower() for name in line.split(delimiter)], delimiter


def _check_header(names: list[str], file: str) -> None:
    faults = []
    for wanted in (("piece",), _COUNT_NAMES):
        if not set(wanted) & set(names):
            hint = did_you_mean(wanted[0], [name for name in names if name])
            hint = f"you wrote {hint.split('`')[1]!r}" if hint else "the first line names columns"
            message = f"{file} has no column `{wanted[0]}`"
            faults.append(_fault("FDF402", message, _span(file, 1), hint))
    if len(names) != len(set(names)) and not faults:
        faults.append(_fault("FDF402", "two columns have one name", _span(file, 1)))
    if faults:
        raise ForgeError(faults)


def design_of(key: str, known: Collection[str]) -> str:
    """The design of a part's key: variants such as `block-1x1x1-b` count as the piece itself."""
    design, _, letter = key.rpartition("-")
    if len(letter) == 1 and letter in VARIANT_LETTERS:
        return design if is_piece(design, known) and not is_piece(key, known) else key
    return key


_SIZE = re.compile(r"\d{2}(\.\d{1,3})?(x\d{2}(\.\d{1,3})?)?")


def is_piece(key: str, known: Collection[str]) -> bool:
    """Whether a key is that of a known piece, in our size or another: `block-1x1x1@25.4`."""
    name, sized, size = key.partition(SIZED)
    return name in known and (not sized or _SIZE.fullmatch(size) is not None)


def _entry(fields: Mapping[str, str], line: int, file: str, known: Collection[str]) -> Entry:
    piece = fields.get("piece", "")
    count = next((fields[name] for name in _COUNT_NAMES if name in fields), "")
    span = _span(file, line)
    faults = []
    piece = design_of(piece, known)
    if not is_piece(piece, known):
        hint = did_you_mean(piece, known) or "`fdforge pieces MAP` lists pieces by their keys"
        faults.append(_fault("FDF400", f"no piece called `{piece[:60]}`", span, hint))
    digits = count.removeprefix("-")
    if not (digits.isascii() and digits.isdigit() and len(digits) <= 9) or int(digits) > MAX_COUNT:
        hint = f"write a whole number up to {MAX_COUNT}; a minus for parts that went"
        faults.append(_fault("FDF403", f"`{count[:40]}` is not a count of parts", span, hint))
    if faults:
        raise ForgeError(faults)
    return Entry(piece, int(count), fields.get("from", ""), line)


def _span(file: str, line: int) -> SourceSpan:
    return SourceSpan(file, line, 1, line, 1)


def _fault(
    code: str, message: str, span: SourceSpan | None = None, hint: str | None = None
) -> Issue:
    return Issue(code, "error", message, span, hint=hint)
