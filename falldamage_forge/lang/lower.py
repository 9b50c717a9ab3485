"""Facts to one immutable Board, and the rest of a document to a Layout."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from falldamage_forge.board import (
    BOARD_STEP,
    MAX_BOARD,
    MAX_LEVEL,
    Board,
    Column,
    Deck,
    Feature,
    Ground,
    Ladder,
    StartZone,
    Tile,
    Treasure,
    make_board,
)
from falldamage_forge.issues import Issue, Note, SourceSpan, did_you_mean
from falldamage_forge.lang import ast
from falldamage_forge.lang.expand import Expander, Read, TooMuch
from falldamage_forge.lang.facts import Box, Fact
from falldamage_forge.lang.layout import (
    Allowance,
    Expectation,
    Layout,
    Loaded,
    Option,
    Owned,
    PrintSettings,
)
from falldamage_forge.lang.parse import VERSION, parse
from falldamage_forge.lengths import GAPS_MM, parse_length_mm

PRINT_KEYS = ("printer", "fit", "seam")


def load(text: str, file: str, read: Read | None = None) -> Loaded:
    """Parse and expand a source. Never raises for any text: every fault is an issue."""
    document, syntax = parse(text, file)
    expander = Expander(read)
    issues = expander.issues
    headers = _headers(document, issues)
    box = _box(headers.get("board"), issues)
    facts: tuple[Fact, ...] = ()
    try:
        scope = expander.scope(document)
        facts = expander.body(document.statements, box, scope, background=True)
        for define in scope.definitions.values():
            expander.definition(scope, define, ())
        facts = expander.symmetric(facts, box, document.statements)
    except TooMuch:
        pass
    _check_map_size(document, box, issues)
    facts = tuple(_on_board(facts, box, issues))
    board = _board(facts, box, issues)
    layout = _layout(document, headers, board, issues)
    found = tuple(dict.fromkeys((*syntax, *issues)))
    ordered = tuple(sorted(found, key=_order))
    return Loaded(document, layout, ordered)


def _order(issue: Issue) -> tuple[str, int, int]:
    span = issue.span
    return (span.file, span.line, span.col) if span else ("", 0, 0)


# -- headers and settings ------------------------------------------------------------------------


def _headers(document: ast.Document, issues: list[Issue]) -> dict[str, ast.Header]:
    """What is said once; twice is an error with both places."""
    found: dict[str, ast.Header] = {}
    for statement in document.statements:
        if not isinstance(statement, ast.Header):
            continue
        first = found.setdefault(statement.key, statement)
        if first is not statement:
            message = f"`{statement.key}` is said twice"
            note = (Note(first.span, "the first one is here"),)
            issues.append(
                Issue("FDF107", "error", message, statement.span, (), "keep one of them", note)
            )
    version = found.get("forge")
    if version and version.value != VERSION:
        message = f"this is language version {version.value[:9]}; version {VERSION} is known here"
        issues.append(
            Issue("FDF005", "error", message, version.span, hint=f"write forge {VERSION}")
        )
    return found


def _box(header: ast.Header | None, issues: list[Issue]) -> Box:
    if header is None:
        return Box(10, 10)
    cols, rows = map(int, header.value.split("x"))
    if all(BOARD_STEP <= n <= MAX_BOARD and n % BOARD_STEP == 0 for n in (cols, rows)):
        return Box(rows, cols)
    message = f"a board of {header.value} tiles cannot be made of quadrants"
    hint = f"both numbers are multiples of {BOARD_STEP} from {BOARD_STEP} to {MAX_BOARD}"
    issues.append(Issue("FDF105", "error", message, header.span, hint=hint))
    return Box(10, 10) if max(rows, cols) > MAX_BOARD else Box(max(rows, 5), max(cols, 5))


def _check_map_size(document: ast.Document, box: Box, issues: list[Issue]) -> None:
    """A board's map covers the board; half of it will do where a symmetry makes the rest."""
    half = any(isinstance(statement, ast.Symmetry) for statement in document.statements)
    first: ast.Map | None = None
    for statement in document.statements:
        if not isinstance(statement, ast.Map):
            continue
        if first is not None:
            note = (Note(first.span, "the first one is here"),)
            issues.append(
                Issue("FDF107", "error", "there are two maps", statement.span, (), None, note)
            )
        first = first or statement
        rows = len(statement.rows)
        cols = max((len(row.cells) for row in statement.rows), default=0)
        if (rows, cols) != (box.rows, box.cols) and not (
            half and rows <= box.rows and cols <= box.cols
        ):
            message = f"the map is {cols}x{rows}, the board {box.cols}x{box.rows}"
            hint = "write a row of cells for every row of the board"
            issues.append(Issue("FDF102", "error", message, statement.span, hint=hint))


def _layout(
    document: ast.Document, headers: dict[str, ast.Header], board: Board, issues: list[Issue]
) -> Layout:
    def text(key: str) -> str:
        return headers[key].value if key in headers else ""

    rules, options, rules_source = "fall-damage", [], None
    printing = PrintSettings()
    owned: list[Owned] = []
    expects, allows, symmetries = [], [], []
    for statement in document.statements:
        match statement:
            case ast.Settings(kind="rules", name=name, settings=settings):
                rules, rules_source = name, statement.span
                options = [_option(setting) for setting in settings]
            case ast.Settings(kind="print"):
                printing = _print_settings(statement, issues)
            case ast.Settings(kind="inventory", settings=settings):
                owned += _owned(settings, issues)
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
        tuple(expects),
        tuple(allows),
        tuple(symmetries),
        rules_source,
    )


def _option(setting: ast.Setting) -> Option:
    value: str | int = setting.value
    if setting.value.isdigit() and len(setting.value) < 6:
        value = int(setting.value)
    return Option(setting.key.replace("-", "_"), value, setting.span)


def _print_settings(statement: ast.Settings, issues: list[Issue]) -> PrintSettings:
    values: dict[str, str | float] = {}
    for setting in statement.settings:
        if setting.key not in PRINT_KEYS:
            hint = did_you_mean(setting.key, PRINT_KEYS) or f"known: {', '.join(PRINT_KEYS)}"
            message = f"`print` knows no `{setting.key[:20]}`"
            issues.append(Issue("FDF210", "error", message, setting.span, hint=hint))
        elif setting.key == "printer":
            values["printer"] = setting.value
        else:
            try:
                length_mm = parse_length_mm(setting.value)
                low, high = GAPS_MM[f"{setting.key}_mm"]
                if not low <= length_mm <= high:
                    wanted = f"a {setting.key} is from {low:g} to {high:g}mm"
                    raise ValueError(f"{setting.value} holds no joint; {wanted}")
                values[f"{setting.key}_mm"] = length_mm
            except ValueError as error:
                issues.append(Issue("FDF211", "error", str(error), setting.span))
    return PrintSettings(**values, source=statement.span)  # type: ignore[arg-type]


def _owned(settings: tuple[ast.Setting, ...], issues: list[Issue]) -> Iterator[Owned]:
    for setting in settings:
        if setting.value.isdigit() and len(setting.value) < 6:
            yield Owned(setting.key, int(setting.value), setting.span)
        else:
            message = f"`{setting.value[:20]}` is not a count of `{setting.key[:40]}`"
            issues.append(Issue("FDF211", "error", message, setting.span))


# -- the board -----------------------------------------------------------------------------------


def _on_board(facts: Iterable[Fact], box: Box, issues: list[Issue]) -> Iterator[Fact]:
    """Facts whose tiles lie on the board and whose levels exist; the others are told."""
    for fact in facts:
        place = fact.via or fact.span
        note = (Note(fact.span, "it comes from here"),) if fact.via and fact.span else ()
        off = [tile for tile in fact.tiles if tile not in box]
        if off and not fact.weak:
            where = str(off[0]) if min(off[0]) >= 0 else "a tile north or west of A1"
            message = f"{where} is off the board of {box.cols}x{box.rows} tiles"
            hint = f"the last tile is {Tile(box.rows - 1, box.cols - 1)}"
            issues.append(Issue("FDF100", "error", message, place, (), hint, note))
            continue
        high = [n for n in fact.levels if n is not None and not 0 <= n <= MAX_LEVEL]
        if high:
            message = f"level {high[0]} is out of range; 0 to {MAX_LEVEL} can be built"
            issues.append(Issue("FDF106", "error", message, place, fact.tiles, None, note))
        elif not off:
            yield fact


def _settle(facts: Iterable[Fact], issues: list[Issue]) -> dict[Tile, Fact]:
    """One fact a tile of a kind; two that differ are an error that shows both places."""
    settled: dict[Tile, Fact] = {}
    told: set[tuple[SourceSpan | None, SourceSpan | None]] = set()
    for fact in facts:
        tile = fact.tiles[0]
        other = settled.get(tile)
        if other is None or (other.weak and not fact.weak):
            settled[tile] = fact
        elif not fact.weak and _said(other) != _said(fact):
            places = (other.via or other.span, fact.via or fact.span)
            if places in told:
                continue
            told.add(places)
            message = f"{tile} is {_said(fact)} here and {_said(other)} elsewhere"
            notes = (Note(places[0], f"{tile} is {_said(other)} here"),) if places[0] else ()
            hint = "keep one of them; `_` in a map says nothing about a tile"
            issues.append(Issue("FDF101", "error", message, places[1], (tile,), hint, notes))
    return settled


def _said(fact: Fact) -> str:
    return f"level {fact.levels[0]}" if fact.kind == "level" else fact.name


def _board(facts: tuple[Fact, ...], box: Box, issues: list[Issue]) -> Board:
    def of(kind: str) -> Iterator[Fact]:
        return (fact for fact in facts if fact.kind == kind)

    levels = _settle(of("level"), issues)
    grounds = _settle(of("ground"), issues)
    features = _settle(of("feature"), issues)

    def column(tile: Tile) -> Column:
        level = levels.get(tile)
        ground = grounds.get(tile)
        feature = features.get(tile)
        source = next((fact.span for fact in (feature, ground, level) if fact), None)
        return Column(
            (level.levels[0] or 0) if level else 0,
            Ground(ground.name) if ground else Ground.GROUND,
            Feature(feature.name) if feature else None,
            source,
        )

    tiles = [Tile(row, col) for row in range(box.rows) for col in range(box.cols)]
    columns = {tile: column(tile) for tile in tiles}

    def level(fact: Fact, index: int) -> int:
        given = fact.levels[index]
        return columns[fact.tiles[index]].level if given is None else given

    decks = {
        Deck.between(f.tiles[0], f.tiles[1], f.levels[0] or 0, f.span): None for f in of("deck")
    }
    ladders = {
        Ladder(f.tiles[0], level(f, 0), f.tiles[1], level(f, 1), f.span): None for f in of("ladder")
    }
    treasures = {Treasure(f.tiles[0], level(f, 0), f.span): None for f in of("treasure")}
    zones: dict[str, dict[tuple[Tile, int], Fact]] = {}
    for fact in of("start"):
        zones.setdefault(fact.name, {}).setdefault((fact.tiles[0], level(fact, 0)), fact)
    starts = [
        StartZone(side, tuple(sorted(zone)), next(iter(zone.values())).span)
        for side, zone in zones.items()
    ]
    return make_board(
        box.rows,
        box.cols,
        columns.values(),
        decks=decks,
        ladders=ladders,
        treasures=treasures,
        starts=starts,
    )
