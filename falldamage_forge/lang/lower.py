"""Lowering: source text to a Layout, by parsing, expansion to facts, and building the board."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import lru_cache

from falldamage_forge.board import BOARD_STEP, MAX_BOARD, Board
from falldamage_forge.board.tones import PALETTES
from falldamage_forge.issues import Issue, Note, SourceSpan, did_you_mean
from falldamage_forge.lang import ast
from falldamage_forge.lang.board_builder import build_board, drop_off_board
from falldamage_forge.lang.expansion import USUAL_RISE_UM, Expander, ExpansionLimit, Read
from falldamage_forge.lang.facts import Extent, Fact
from falldamage_forge.lang.layout import (
    CustomUnit,
    Expectation,
    Layout,
    LoadResult,
    PieceCount,
    PrintSettings,
    RuleOption,
    Suppression,
)
from falldamage_forge.lang.map_block import label_spans, modal_row_width
from falldamage_forge.lang.parse_cache import parsed
from falldamage_forge.lang.parser import VERSION
from falldamage_forge.lang.tainted_tiles import tainted_tiles
from falldamage_forge.lengths import GAPS_MM, MAGNETS, magnet_problem, parse_length_mm

PRINT_KEYS = ("printer", "fit", "seam", "rim", "tile", "rise", "tops", "magnets", "blocks")
SIZES_MM = (10.0, 60.0)
"""Least and greatest size of tiles and levels in mm."""


WIDE = ("FDF105", "FDF206", "FDF207")
"""Errors after which every tile is tainted."""
MAX_KEPT = 20_000
"""Most characters of a source whose result is cached."""


def load(text: str, file: str, read: Read | None = None) -> LoadResult:
    """Parse and expand a source.

    Results of short sources without imports are cached, because gestures, boards and checks all ask
    for them.

    Args:
        text: Source text; any text gives a result.
        file: Name of the file, for source spans.
        read: Function that reads imports: (importing file, path) to (name, text); None forbids
            imports.

    Returns:
        The layout, with every error as an issue.
    """
    if len(text) > MAX_KEPT or "import" in text:
        return load_uncached(text, file, read)
    return _alone(text, file)


@lru_cache(maxsize=8)
def _alone(text: str, file: str) -> LoadResult:
    return load_uncached(text, file)


def load_uncached(text: str, file: str, read: Read | None = None) -> LoadResult:
    """Parse and expand a source without the cache of `load`.

    Args:
        text: The source.
        file: Name of the source, for issues.
        read: Returns name and text of an import; None if imports are refused.
    """
    document, syntax = parsed(text, file)
    expander = Expander(read)
    expander.rise_um = _rise_um(document)
    issues = expander.issues
    headers = _headers(document, issues)
    box, asked = expander.board = _box(headers.get("board"), issues)
    facts: tuple[Fact, ...] = ()
    too_much = False
    try:
        scope = expander.scope(document)
        facts = expander.body(document.statements, box, scope, background=True)
        for define in scope.definitions.values():
            expander.definition(scope, define, ())
        facts = expander.apply_symmetry(facts, box, document.statements)
    except ExpansionLimit:
        too_much = True
    wide = too_much or not document.statements or any(x.code in WIDE for x in issues)
    misfits = _misfits(document, box, (*syntax, *issues))
    issues += (issue for _, issue in misfits if issue)
    wide = wide or bool(misfits)
    on_map = tuple(
        fact for fact in facts if fact.kind != "tainted" and not _beyond(fact, box, misfits)
    )
    on_board = tuple(drop_off_board(on_map, box, issues, asked))
    tainted_facts = [
        *(fact for fact in facts if fact.kind == "tainted"),
        *_off_board(on_map, issues),
    ]
    board = build_board(on_board, box, issues)
    layout = _layout(document, headers, board, issues)
    layout = replace(layout, models=tuple(expander.models.values()))
    all_issues = tuple(dict.fromkeys((*syntax, *issues)))
    ordered = tuple(sorted(all_issues, key=_order))
    tainted = tainted_tiles(tainted_facts, issues, box, everywhere=wide)
    return LoadResult(document, layout, ordered, on_board, tainted)


def _off_board(facts: Iterable[Fact], issues: Iterable[Issue]) -> Iterator[Fact]:
    """Yield tainted facts for every statement or `place` with a part off the board."""
    reported = {issue.span for issue in issues if issue.code in ("FDF100", "FDF106")}
    if reported:
        for fact in facts:
            if (fact.placed or fact.span) in reported:
                yield Fact("tainted", fact.tiles, span=fact.span)


def _rise_um(document: ast.Document) -> int:
    """Return the height of a level in micrometres; wrong lengths are reported with the settings."""
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
"""Blocks that a map has at most once, with each key at most once; stock blocks add up."""


def _headers(document: ast.Document, issues: list[Issue]) -> dict[str, ast.Header]:
    """Return headers by key; report repeated headers and blocks with both source spans."""
    headers: dict[str, ast.Header] = {}
    once: dict[str, SourceSpan] = {}
    for statement in document.statements:
        if isinstance(statement, ast.Header):
            headers.setdefault(statement.key, statement)
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
    version = headers.get("forge")
    if version and version.value != VERSION:
        message = f"this is language version {version.value[:9]}; version {VERSION} is known here"
        issues.append(
            Issue("FDF005", "error", message, version.span, hint=f"write forge {VERSION}")
        )
    return headers


def _keys_once(settings: Iterable[ast.Setting], issues: list[Issue]) -> None:
    """Report repeated keys of a block; hyphens equal underscores."""
    keys: dict[str, SourceSpan] = {}
    for setting in settings:
        _once(setting.key.replace("-", "_"), setting.span, keys, issues)


def _once(key: str, span: SourceSpan, spans: dict[str, SourceSpan], issues: list[Issue]) -> None:
    """Record the span of a key, or report that it is repeated."""
    first = spans.setdefault(key, span)
    if first is not span:
        note = (Note(first, "the first one is here"),)
        message = f"`{key[:40]}` is given twice"
        issues.append(Issue("FDF107", "error", message, span, (), "keep one of them", note))


def _box(header: ast.Header | None, issues: list[Issue]) -> tuple[Extent, Extent]:
    """Return the extent of the board, and the one that is asked for, which may be too large."""
    if header is None:
        return Extent(10, 10), Extent(10, 10)
    cols, rows = map(int, header.value.split("x"))
    asked = Extent(rows, cols)
    if all(BOARD_STEP <= n <= MAX_BOARD and n % BOARD_STEP == 0 for n in (cols, rows)):
        return asked, asked
    message = f"a board of {header.value} tiles cannot be made of quadrants"
    hint = f"both numbers are multiples of {BOARD_STEP} from {BOARD_STEP} to {MAX_BOARD}"
    issues.append(Issue("FDF105", "error", message, header.span, hint=hint))
    usable = Extent(max(rows, 5), max(cols, 5))
    return Extent(10, 10) if max(rows, cols) > MAX_BOARD else usable, asked


Misfits = tuple[tuple[ast.Map, Issue | None], ...]


def _misfits(document: ast.Document, box: Extent, earlier: Iterable[Issue]) -> Misfits:
    """Return the maps that do not cover the board, each with its issue.

    Half of the board is enough if a symmetry makes the rest. A map has no issue if a wrong label or
    row was already reported.
    """
    earlier = tuple(earlier)
    labels = {issue.span for issue in earlier if issue.code == "FDF104"}
    cut = {issue.span.line for issue in earlier if issue.code == "FDF102" and issue.span}
    half = any(isinstance(statement, ast.Symmetry) for statement in document.statements)
    maps = [statement for statement in document.statements if isinstance(statement, ast.Map)]
    misfits: list[tuple[ast.Map, Issue | None]] = []
    for block in maps:
        rows, cols = len(block.rows), modal_row_width(block)
        if (rows, cols) == (box.rows, box.cols) or (half and rows <= box.rows and cols <= box.cols):
            continue
        message = f"the map is {cols}x{rows}, the board {box.cols}x{box.rows}"
        what = "a row of cells for every row" if rows != box.rows else "a cell for every column"
        hint = f"write {what} of the board"
        issue = Issue("FDF102", "error", message, block.span, hint=hint)
        lines = {line.span.line for line in block.rows}
        many = any(block.span.line < n <= block.whole.end_line and n not in lines for n in cut)
        misfits.append((block, None if many or labels & label_spans(block) else issue))
    for block in maps[1:]:
        note = (Note(maps[0].span, "the first one is here"),)
        misfits.append(
            (block, Issue("FDF107", "error", "there are two maps", block.span, (), None, note))
        )
    return tuple(misfits)


def _beyond(fact: Fact, box: Extent, misfits: Misfits) -> bool:
    """True if a fact is a cell off the board, in a map reported as too large."""
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
    units: dict[str, CustomUnit] = {}
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
                allows.append(Suppression(code, reason, statement.span))
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
        text("license"),
    )


def _own_unit(unit: ast.OwnUnit) -> CustomUnit:
    properties = tuple(map(_option, unit.settings))
    return CustomUnit(unit.name, unit.like, properties, unit.span)


def _option(setting: ast.Setting) -> RuleOption:
    number = _whole(setting.value)
    value = setting.value if number is None else number
    return RuleOption(setting.key.replace("-", "_"), value, setting.span)


def _whole(text: str) -> int | None:
    """Return an integer of at most five plain digits; None for other texts."""
    return int(text) if re.fullmatch("[0-9]{1,5}", text) else None


def _print_settings(statement: ast.Settings, issues: list[Issue]) -> PrintSettings:
    values: dict[str, str | float | bool] = {}
    for setting in statement.settings:
        if setting.key not in PRINT_KEYS:
            hint = did_you_mean(setting.key, PRINT_KEYS) or f"known: {', '.join(PRINT_KEYS)}"
            message = f"`print` has no setting `{setting.key[:20]}`"
            issues.append(Issue("FDF210", "error", message, setting.span, hint=hint))
        elif setting.key == "printer":
            values["printer"] = setting.value
        elif setting.key in ("rim", "blocks"):
            values[setting.key] = True
        elif setting.key == "tops":
            if setting.value in PALETTES:
                values["tops"] = setting.value
                continue
            hint = did_you_mean(setting.value, PALETTES) or f"known: {', '.join(PALETTES)}"
            message = f"`tops` has no colour `{setting.value[:20]}`"
            issues.append(Issue("FDF211", "error", message, setting.span, hint=hint))
        elif setting.key == "magnets":
            why = magnet_problem(setting.value)
            if not why:
                values["magnets"] = setting.value
                continue
            hint = f"known: {', '.join(MAGNETS)}, each diameter x height in mm"
            issues.append(Issue("FDF212", "error", why, setting.span, hint=hint))
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
    if "blocks" in values and not any(one.key == "magnets" for one in statement.settings):
        hint = "write `magnets 6x2 blocks`"
        issues.append(Issue("FDF212", "error", "`blocks` needs magnets", statement.span, hint=hint))
    return PrintSettings(**values, source=statement.span)  # type: ignore[arg-type]


def _counts(settings: tuple[ast.Setting, ...], issues: list[Issue]) -> Iterator[PieceCount]:
    for setting in settings:
        count = _whole(setting.value)
        if count is not None:
            yield PieceCount(setting.key, count, setting.span)
        else:
            message = f"`{setting.value[:20]}` is not a count of `{setting.key[:40]}`"
            issues.append(Issue("FDF211", "error", message, setting.span))
