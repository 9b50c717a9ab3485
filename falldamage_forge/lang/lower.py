"""A source to a Layout: its facts to a board, and the rest of what its author says."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from falldamage_forge.board import BOARD_STEP, MAX_BOARD, Board
from falldamage_forge.issues import Issue, Note, SourceSpan, did_you_mean
from falldamage_forge.lang import ast
from falldamage_forge.lang.cells import label_spans, usual_width
from falldamage_forge.lang.doubt import doubt_of
from falldamage_forge.lang.facts import Extent, Fact
from falldamage_forge.lang.layout import (
    Allowance,
    Expectation,
    Layout,
    Loaded,
    Option,
    OwnUnit,
    PieceCount,
    PrintSettings,
)
from falldamage_forge.lang.parse import VERSION, parse
from falldamage_forge.lang.settle import board_of, on_board
from falldamage_forge.lang.unroll import USUAL_RISE_UM, Read, TooMuch, Unroller
from falldamage_forge.lengths import GAPS_MM, parse_length_mm

PRINT_KEYS = ("printer", "fit", "seam", "rim", "tile", "rise")
SIZES_MM = (10.0, 60.0)
"""How large a table's tiles and levels may be."""


WIDE = ("FDF105", "FDF206", "FDF207")
"""Faults that leave open what stands anywhere."""
MAX_KEPT = 20_000
"""Characters of a text whose meaning is kept for a while."""


def load(text: str, file: str, read: Read | None = None) -> Loaded:
    """Parse and expand a source. Never raises for any text: every fault is an issue.

    `read` reads imports. The meaning of a text without any is kept, as gesture, board and verdict
    all ask for it.
    """
    if len(text) > MAX_KEPT or "import" in text:
        return load_anew(text, file, read)
    return _alone(text, file)


@lru_cache(maxsize=8)
def _alone(text: str, file: str) -> Loaded:
    return load_anew(text, file)


def load_anew(text: str, file: str, read: Read | None = None) -> Loaded:
    """As `load`, without a memory."""
    document, syntax = parse(text, file)
    unroller = Unroller(read)
    unroller.rise_um = _rise_um(document)
    issues = unroller.issues
    headers = _headers(document, issues)
    box = _box(headers.get("board"), issues)
    facts: tuple[Fact, ...] = ()
    too_much = False
    try:
        scope = unroller.scope(document)
        facts = unroller.body(document.statements, box, scope, background=True)
        for define in scope.definitions.values():
            unroller.definition(scope, define, ())
        facts = unroller.symmetric(facts, box, document.statements)
    except TooMuch:
        too_much = True
    wide = too_much or not document.statements or any(x.code in WIDE for x in issues)
    misfits = _misfits(document, box, (*syntax, *issues))
    issues += (issue for _, issue in misfits if issue)
    wide = wide or bool(misfits)
    said = tuple(fact for fact in facts if fact.kind != "doubt" and not _beyond(fact, box, misfits))
    kept = tuple(on_board(said, box, issues))
    open_ = [*(fact for fact in facts if fact.kind == "doubt"), *_off_board(said, issues)]
    board = board_of(kept, box, issues)
    layout = _layout(document, headers, board, issues)
    found = tuple(dict.fromkeys((*syntax, *issues)))
    ordered = tuple(sorted(found, key=_order))
    doubt = doubt_of(open_, issues, box, everywhere=wide)
    return Loaded(document, layout, ordered, kept, doubt)


def _off_board(said: Iterable[Fact], issues: Iterable[Issue]) -> Iterator[Fact]:
    """A doubt of all that a `place` or statement says of which a part cannot be on the board."""
    told = {issue.span for issue in issues if issue.code in ("FDF100", "FDF106")}
    if told:
        for fact in said:
            if (fact.placed or fact.span) in told:
                yield Fact("doubt", fact.tiles, span=fact.span)


def _rise_um(document: ast.Document) -> int:
    """How high a level of the table is; what no length can be is told with the other settings."""
    for statement in document.statements:
        if isinstance(statement, ast.Settings) and statement.kind == "print":
            for setting in statement.settings:
                if setting.key == "rise":
                    try:
                        return round(parse_length_mm(setting.value) * 1000) or USUAL_RISE_UM
                    except ValueError:
                        break
    return USUAL_RISE_UM


def _order(issue: Issue) -> tuple[str, int, int]:
    span = issue.span
    return (span.file, span.line, span.col) if span else ("", 0, 0)


# -- headers and settings ------------------------------------------------------------------------


ONCE = ("rules", "units", "print")
"""Blocks that a map has once, with each key once; stock adds up."""


def _headers(document: ast.Document, issues: list[Issue]) -> dict[str, ast.Header]:
    """What is said once, headers and blocks; twice is an error with both places."""
    found: dict[str, ast.Header] = {}
    once: dict[str, SourceSpan] = {}
    for statement in document.statements:
        if isinstance(statement, ast.Header):
            found.setdefault(statement.key, statement)
            _once(statement.key, statement.span, once, issues)
        elif isinstance(statement, ast.Settings) and statement.kind in ONCE:
            _once(statement.kind, statement.span, once, issues)
            _keys_once(statement.settings, issues)
        elif isinstance(statement, ast.Units):
            _once("units", statement.span, once, issues)
            names: dict[str, SourceSpan] = {}
            for unit in statement.units:
                _once(unit.name, unit.span, names, issues)
                _keys_once(unit.settings, issues)
    version = found.get("forge")
    if version and version.value != VERSION:
        message = f"this is language version {version.value[:9]}; version {VERSION} is known here"
        issues.append(
            Issue("FDF005", "error", message, version.span, hint=f"write forge {VERSION}")
        )
    return found


def _keys_once(settings: Iterable[ast.Setting], issues: list[Issue]) -> None:
    """Each key of a block once; hyphens are underscores."""
    keys: dict[str, SourceSpan] = {}
    for setting in settings:
        _once(setting.key.replace("-", "_"), setting.span, keys, issues)


def _once(key: str, span: SourceSpan, said: dict[str, SourceSpan], issues: list[Issue]) -> None:
    """Note where a key is said; told if it was said before."""
    first = said.setdefault(key, span)
    if first is not span:
        note = (Note(first, "the first one is here"),)
        message = f"`{key[:40]}` is said twice"
        issues.append(Issue("FDF107", "error", message, span, (), "keep one of them", note))


def _box(header: ast.Header | None, issues: list[Issue]) -> Extent:
    if header is None:
        return Extent(10, 10)
    cols, rows = map(int, header.value.split("x"))
    if all(BOARD_STEP <= n <= MAX_BOARD and n % BOARD_STEP == 0 for n in (cols, rows)):
        return Extent(rows, cols)
    message = f"a board of {header.value} tiles cannot be made of quadrants"
    hint = f"both numbers are multiples of {BOARD_STEP} from {BOARD_STEP} to {MAX_BOARD}"
    issues.append(Issue("FDF105", "error", message, header.span, hint=hint))
    return Extent(10, 10) if max(rows, cols) > MAX_BOARD else Extent(max(rows, 5), max(cols, 5))


Misfits = tuple[tuple[ast.Map, Issue | None], ...]


def _misfits(document: ast.Document, box: Extent, told: Iterable[Issue]) -> Misfits:
    """Maps that do not cover the board, each with what is to be told of it.

    Half of it will do where a symmetry makes the rest. Where a label tells already that a row or
    column is missing, or that there are too many, the size is not told as well.
    """
    told = tuple(told)
    labels = {issue.span for issue in told if issue.code == "FDF104"}
    cut = {issue.span.line for issue in told if issue.code == "FDF102" and issue.span}
    half = any(isinstance(statement, ast.Symmetry) for statement in document.statements)
    maps = [statement for statement in document.statements if isinstance(statement, ast.Map)]
    found: list[tuple[ast.Map, Issue | None]] = []
    for block in maps:
        rows, cols = len(block.rows), usual_width(block)
        if (rows, cols) == (box.rows, box.cols) or (half and rows <= box.rows and cols <= box.cols):
            continue
        message = f"the map is {cols}x{rows}, the board {box.cols}x{box.rows}"
        what = "a row of cells for every row" if rows != box.rows else "a cell for every column"
        hint = f"write {what} of the board"
        issue = Issue("FDF102", "error", message, block.span, hint=hint)
        lines = {line.span.line for line in block.rows}
        many = any(block.span.line < n <= block.whole.end_line and n not in lines for n in cut)
        found.append((block, None if many or labels & label_spans(block) else issue))
    for block in maps[1:]:
        note = (Note(maps[0].span, "the first one is here"),)
        found.append(
            (block, Issue("FDF107", "error", "there are two maps", block.span, (), None, note))
        )
    return tuple(found)


def _beyond(fact: Fact, box: Extent, misfits: Misfits) -> bool:
    """Whether a fact is that of a cell off the board, of a map that is told to be too large."""
    span = fact.span
    if not misfits or not span or fact.chain or all(tile in box for tile in fact.tiles):
        return False
    return any(
        span.file == block.span.file and block.span.line <= span.line <= block.whole.end_line
        for block, _ in misfits
    )


def _layout(
    document: ast.Document, headers: dict[str, ast.Header], board: Board, issues: list[Issue]
) -> Layout:
    def text(key: str) -> str:
        return headers[key].value if key in headers else ""

    rules, options, rules_source = "fall-damage", [], None
    units: dict[str, OwnUnit] = {}
    printing = PrintSettings()
    owned: list[PieceCount] = []
    extras: list[PieceCount] = []
    expects, allows, symmetries = [], [], []
    for statement in document.statements:
        match statement:
            case ast.Settings(kind="rules", name=name, settings=settings):
                rules, rules_source = name, statement.span
                options = [_option(setting) for setting in settings]
            case ast.Units(units=written):
                for unit in written:
                    units.setdefault(unit.name, _own_unit(unit))
            case ast.Settings(kind="print"):
                printing = _print_settings(statement, issues)
            case ast.Settings(kind="inventory", settings=settings):
                owned += _counts(settings, issues)
            case ast.Settings(kind="extras", settings=settings):
                extras += _counts(settings, issues)
            case ast.Expect(words=words):
                expects.append(Expectation(words, statement.span))
            case ast.Allow(code=code, reason=reason):
                allows.append(Allowance(code, reason, statement.span))
            case ast.Symmetry(transform=transform, swap=swap):
                symmetries.append((transform.name, swap))
    players = int(text("players") or 2) if len(text("players")) < 4 else 99
    if not 1 <= players <= 8:
        issues.append(
            Issue("FDF006", "error", "a table is for 1 to 8 players", headers["players"].span)
        )
    return Layout(
        board,
        text("title"),
        text("author"),
        players,
        rules,
        tuple(options),
        printing,
        tuple(owned),
        tuple(extras),
        tuple(expects),
        tuple(allows),
        tuple(symmetries),
        rules_source,
        tuple(units.values()),
    )


def _own_unit(unit: ast.OwnUnit) -> OwnUnit:
    properties = tuple(map(_option, unit.settings))
    return OwnUnit(unit.name, unit.like, properties, unit.span)


def _option(setting: ast.Setting) -> Option:
    number = _whole(setting.value)
    value = setting.value if number is None else number
    return Option(setting.key.replace("-", "_"), value, setting.span)


def _whole(text: str) -> int | None:
    """A whole number of at most five plain digits; None for anything else."""
    return int(text) if re.fullmatch("[0-9]{1,5}", text) else None


def _print_settings(statement: ast.Settings, issues: list[Issue]) -> PrintSettings:
    values: dict[str, str | float | bool] = {}
    for setting in statement.settings:
        if setting.key not in PRINT_KEYS:
            hint = did_you_mean(setting.key, PRINT_KEYS) or f"known: {', '.join(PRINT_KEYS)}"
            message = f"`print` knows no `{setting.key[:20]}`"
            issues.append(Issue("FDF210", "error", message, setting.span, hint=hint))
        elif setting.key == "printer":
            values["printer"] = setting.value
        elif setting.key == "rim":
            values["rim"] = True
        else:
            try:
                length_mm = parse_length_mm(setting.value)
                low, high = GAPS_MM.get(f"{setting.key}_mm", SIZES_MM)
                if not low <= length_mm <= high:
                    wanted = f"a {setting.key} is from {low:g} to {high:g}mm"
                    why = "holds no joint" if setting.key in ("fit", "seam") else "is no size"
                    raise ValueError(f"{setting.value} {why}; {wanted}")
                values[f"{setting.key}_mm"] = length_mm
            except ValueError as error:
                issues.append(Issue("FDF211", "error", str(error), setting.span))
    return PrintSettings(**values, source=statement.span)  # type: ignore[arg-type]


def _counts(settings: tuple[ast.Setting, ...], issues: list[Issue]) -> Iterator[PieceCount]:
    for setting in settings:
        count = _whole(setting.value)
        if count is not None:
            yield PieceCount(setting.key, count, setting.span)
        else:
            message = f"`{setting.value[:20]}` is not a count of `{setting.key[:40]}`"
            issues.append(Issue("FDF211", "error", message, setting.span))
