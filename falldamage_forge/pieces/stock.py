"""Stock of printed parts: a CSV file that is read strictly and only ever appended to.

One line says how many parts of a piece were added (or removed, with a minus). Lines add up, so the
file is its own history. Files from spreadsheets are accepted: commas, semicolons or tabs, a first
line such as `sep=;`, counts such as `4.0`, columns in any order.
"""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from string import ascii_lowercase

from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.infra.plain_text import require_plain
from falldamage_forge.issues import ForgeError, Issue, SourceSpan, did_you_mean
from falldamage_forge.lengths import IN_BLOCKS, MAGNETS
from falldamage_forge.pieces.lost_corners import WHOLE
from falldamage_forge.pieces.piece import MAGNET_PARAM, MAX_VARIANTS, SIZED

COLUMNS = ("piece", "count", "from")
MAX_LINES = 20_000
MAX_COUNT = 100_000
MAX_ISSUES = 50
"""Issues after which reading stops: each compares its word with every piece."""
_COUNT_NAMES = ("count", "quantity")
_COUNT = re.compile(r"(-?[0-9]{1,9})(?:[.,]0{1,9})?")
"""A whole number, as a spreadsheet may write it: `4`, `4.0`, `4,0`."""


@dataclass(frozen=True, slots=True)
class StockEntry:
    """One line: the number of parts of a piece added (or removed) and their source.

    `line` counts from 1; 0 if the entry is not from a file.
    """

    piece: str
    count: int
    source: str = ""
    line: int = 0


def safe_text(text: str) -> str:
    """Return text that no spreadsheet takes for a formula: an apostrophe is put before `=+-@|`."""
    text = " ".join("".join(each if each.isprintable() else " " for each in text).split())
    return f"'{text}" if text[:1] in ("=", "+", "-", "@", "|") else text


def write_entries(entries: Collection[StockEntry], header: bool = True) -> str:
    """Return the lines of a stock file, each ending in a line feed.

    Args:
        entries: Lines to write.
        header: True to begin with the header row.
    """
    stream = io.StringIO(newline="")
    writer = csv.writer(stream, lineterminator="\n")
    if header:
        writer.writerow(COLUMNS)
    for entry in entries:
        writer.writerow((safe_text(entry.piece), entry.count, safe_text(entry.source)))
    return stream.getvalue()


def append_entries(text: str, entries: Collection[StockEntry]) -> str:
    """Return the text of a stock file with entries added at its end.

    The entries' columns follow the existing header. An empty text gets a header first.

    Args:
        text: Text of the stock file, CSV.
        entries: Entries to add.
    """
    if not text.strip():
        return write_entries(entries)
    if not text.endswith("\n"):
        text += "\n"
    lines = text.splitlines()
    names, delimiter = _header(lines[_SEPARATOR.fullmatch(lines[0]) is not None], lines[0])
    stream = io.StringIO(newline="")
    writer = csv.writer(stream, lineterminator="\n", delimiter=delimiter)
    for entry in entries:
        cells = {"piece": entry.piece, "from": safe_text(entry.source)}
        cells |= dict.fromkeys(_COUNT_NAMES, str(entry.count))
        writer.writerow([cells.get(name, "") for name in names])
    return text + stream.getvalue()


VARIANT_LETTERS = ascii_lowercase[1:MAX_VARIANTS]


def read_stock(text: str, file: str, known: Collection[str]) -> dict[str, int]:
    """Return the parts owned by piece, sorted, without pieces of 0 parts.

    Args:
        text: Content of the file.
        file: File name for messages.
        known: Plain names of all pieces.

    Raises:
        ForgeError: (FDF400, FDF402) If the file is invalid; (FDF403) if a count is invalid or more
            parts were removed than added.
    """
    return stock_of(read_entries(text, file, known), file)


def stock_of(entries: Collection[StockEntry], file: str) -> dict[str, int]:
    """Return the sum of all lines by piece, without pieces of 0 parts.

    Args:
        entries: Lines of a stock file.
        file: Name of the file, for errors.

    Raises:
        ForgeError: (FDF403) If more parts of a piece were removed than added.
    """
    totals: dict[str, int] = {}
    for entry in entries:
        totals[entry.piece] = totals.get(entry.piece, 0) + entry.count
    issues = [
        _issue("FDF403", f"{-count} more `{piece}` went than there were", _span(file, 1))
        for piece, count in sorted(totals.items())
        if count < 0
    ]
    if issues:
        raise ForgeError(issues)
    return {piece: count for piece, count in sorted(totals.items()) if count}


def read_entries(text: str, file: str, known: Collection[str]) -> tuple[StockEntry, ...]:
    """Return every line of a stock file.

    Args:
        text: Content of the file.
        file: File name for messages.
        known: Plain names of all pieces.

    Raises:
        ForgeError: Lists the first problems, each with its line. FDF402: not a CSV with the columns
            `piece` and `count`, or too long; FDF403: an invalid count; FDF400: a piece that is not
            in `known`.
    """
    if text.count("\n") > MAX_LINES:
        raise ForgeError([_issue("FDF402", f"{file} has more than {MAX_LINES} lines")])
    rows = table_rows(text, file)
    head = next(rows, None)
    if head is None:
        raise ForgeError([_issue("FDF402", f"{file} is empty", hint="begin with `piece,count`")])
    names = [name.strip().lower() for name in head[1]]
    _check_header(names, file)
    issues: list[Issue] = []
    entries = []
    for line, cells in rows:
        if not any(cell.strip() for cell in cells):
            continue
        fields = dict(zip(names, (cell.strip() for cell in cells), strict=False))
        try:
            entries.append(_entry(fields, line, file, known))
        except ForgeError as error:
            issues += error.issues
        if len(issues) >= MAX_ISSUES:
            break
    if issues:
        raise ForgeError(issues)
    return tuple(entries)


def table_rows(text: str, file: str) -> Iterator[tuple[int, list[str]]]:
    """Yield line and cells of every row of a spreadsheet's CSV file, the header first.

    Args:
        text: Content of the file.
        file: File name for messages.

    Raises:
        ForgeError: (FDF402) For an unclosed quote and the like; (FDF007) for a character that no
            format carries.
    """
    require_plain(text, file)
    first = text.splitlines()[0] if text.strip() else ""
    _, delimiter = _header(first, first)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    while True:
        line = reader.line_num + 1
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            hint = "check the quotes of this line"
            raise ForgeError(
                [_issue("FDF402", f"line {line} is no CSV: {error}", _span(file, line), hint)]
            ) from None
        if line > 1 or not _SEPARATOR.fullmatch(first):
            yield line, cells


_SEPARATOR = re.compile(r'"?sep=(.)"?', re.IGNORECASE)
"""First line by which Excel knows the delimiter."""


def _header(line: str, first: str) -> tuple[list[str], str]:
    """Return names and delimiter of a header line; the file's first line may name the delimiter."""
    if named := _SEPARATOR.fullmatch(first):
        delimiter = named[1]
    else:
        found = [each for each in ("\t", ";") if each in line and "," not in line]
        delimiter = found[0] if found else ","
    return [name.strip().strip('"').lower() for name in line.split(delimiter)], delimiter


def _check_header(names: list[str], file: str) -> None:
    issues = []
    for wanted in (("piece",), _COUNT_NAMES):
        if not set(wanted) & set(names):
            hint = did_you_mean(wanted[0], [name for name in names if name])
            hint = f"you wrote {hint.split('`')[1]!r}" if hint else "the first line names columns"
            message = f"{file} has no column `{wanted[0]}`"
            issues.append(_issue("FDF402", message, _span(file, 1), hint))
    if len(names) != len(set(names)) and not issues:
        issues.append(_issue("FDF402", "two columns have one name", _span(file, 1)))
    if issues:
        raise ForgeError(issues)


def design_of(key: str, known: Collection[str]) -> str:
    """Return the design of a part's key: `block-1x1x1` for `block-1x1x1-b`.

    Args:
        key: Key of a part.
        known: Keys of all designs.
    """
    design, _, letter = key.rpartition("-")
    if len(letter) == 1 and letter in VARIANT_LETTERS:
        return design if is_piece(design, known) and not is_piece(key, known) else key
    return key


def has_broken_top(key: str) -> bool:
    """True if a part's key is that of a variant with a broken top: `block-1x1x1-e`."""
    design, _, letter = key.rpartition("-")
    whole = WHOLE.get(design.partition("-")[0], MAX_VARIANTS)
    return len(letter) == 1 and letter in ascii_lowercase[whole:MAX_VARIANTS]


def stock_key(key: str, known: Collection[str]) -> str:
    """Return the name that a stock counts a part by: its design, or its key if its top is broken.

    A broken top carries nothing, so the part replaces no other variant.

    Args:
        key: Key of a part.
        known: Keys of all designs.
    """
    return key if has_broken_top(key) else design_of(key, known)


def by_design(counts: Mapping[str, int], known: Collection[str]) -> dict[str, int]:
    """Return the parts of a stock by design, those with broken tops among them.

    Args:
        counts: Number of parts by key.
        known: Keys of all designs.
    """
    totals: Counter[str] = Counter()
    for key, count in counts.items():
        totals[design_of(key, known)] += count
    return dict(totals)


_SIZE = re.compile(r"\d{2}(\.\d{1,3})?(x\d{2}(\.\d{1,3})?)?")
_HELD = tuple(f"{MAGNET_PARAM}-{name}{more}" for name in MAGNETS for more in ("", IN_BLOCKS))
"""Words of a key before its size, if its part holds magnets."""


def is_piece(key: str, known: Collection[str]) -> bool:
    """True if a key is that of a known piece, on any grid: `block-1x1x1@25.4`.

    Args:
        key: Key of a part.
        known: Keys of all designs.
    """
    name, *sizes = key.split(SIZED)
    if sizes and sizes[0] in _HELD:
        del sizes[0]
    return name in known and all(map(_SIZE.fullmatch, sizes)) and len(sizes) <= 1


def _entry(fields: Mapping[str, str], line: int, file: str, known: Collection[str]) -> StockEntry:
    piece = fields.get("piece", "")
    count = next((fields[name] for name in _COUNT_NAMES if name in fields), "")
    span = _span(file, line)
    issues = []
    piece = stock_key(piece, known)
    if not is_piece(design_of(piece, known), known):
        hint = did_you_mean(piece, known) or "`fdforge pieces MAP` lists pieces by their keys"
        issues.append(_issue("FDF400", f"no piece called `{piece[:60]}`", span, hint))
    written = _COUNT.fullmatch(count)
    if written is None or abs(int(written[1])) > MAX_COUNT:
        hint = f"write a whole number up to {MAX_COUNT} (below 0 for parts that went)"
        issues.append(_issue("FDF403", f"`{count[:40]}` is not a count of parts", span, hint))
    if issues or written is None:
        raise ForgeError(issues)
    return StockEntry(piece, int(written[1]), fields.get("from", ""), line)


def _span(file: str, line: int) -> SourceSpan:
    return SourceSpan(file, line, 1, line, 1)


def _issue(
    code: str, message: str, span: SourceSpan | None = None, hint: str | None = None
) -> Issue:
    return Issue(code, "error", message, span, hint=hint)
