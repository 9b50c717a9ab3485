"""Names of a file: where a definition, a model, an import or a unit is named, and where it is used.

The language server asks for uses of a name, gives it another one, and lists what a file has.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from falldamage_forge.elements import BLOCK
from falldamage_forge.issues import SourceSpan
from falldamage_forge.lang import ast
from falldamage_forge.lang.parser import parse

NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")
"""A name, as the grammar has it."""
PLACED = ("definition", BLOCK)
"""Kinds of names that are placed."""
STOCK_BLOCKS = ("inventory", "extras")
"""Blocks whose keys are pieces; a model is one."""


class NameUse(NamedTuple):
    """A name where it stands: `kind` is `definition`, `model`, `import` or `unit`."""

    name: str
    kind: str
    span: SourceSpan
    defines: bool


class Symbol(NamedTuple):
    """An entry of a file's outline.

    Attributes:
        name: What stands in the outline.
        kind: Word of the statement.
        whole: Lines of the statement with its block.
        head: The place of its name.
        parts: Entries of its block.
    """

    name: str
    kind: str
    whole: SourceSpan
    head: SourceSpan
    parts: tuple[Symbol, ...] = ()


def name_uses(text: str, file: str) -> tuple[NameUse, ...]:
    """Return every name of a file, where it is given and where it is used, in order.

    Args:
        text: Text of the file.
        file: Name of the file, for the spans.
    """
    document, _ = parse(text, file)
    lines = text.splitlines()
    found = list(_given(document.statements, lines))
    known = {(use.kind, use.name) for use in found}
    found += (use for use in _used(document.statements, lines, known) if use)
    return tuple(sorted(set(found), key=lambda use: (use.span.line, use.span.col)))


def uses_at(text: str, file: str, line: int, col: int) -> tuple[NameUse, ...]:
    """Return every use of the name at a place, its definition included; empty without a name.

    Args:
        text: Text of the file.
        file: Name of the file, for the spans.
        line: Line, from 0.
        col: Column, from 0.
    """
    uses = name_uses(text, file)
    here = next((use for use in uses if _covers(use.span, line + 1, col + 1)), None)
    if here is None:
        return ()
    return tuple(use for use in uses if (use.kind, use.name) == (here.kind, here.name))


def refusal_of(text: str, file: str, uses: Iterable[NameUse], name: str) -> str:
    """Return why a name cannot take the place of another one; empty if it can.

    Args:
        text: Text of the file.
        file: Name of the file.
        uses: Uses of the present name.
        name: The new name.
    """
    if not NAME.fullmatch(name):
        return f"`{name}` is no name: letters, digits, `-` and `_`, not a digit first"
    kinds = {use.kind for use in uses}
    shared = kinds | ({*PLACED} if kinds & {*PLACED} else set())
    given = (x for x in name_uses(text, file) if x.defines and x.kind in shared)
    taken = next((x for x in given if x.name == name), None)
    return f"`{name}` is the name of something else in line {taken.span.line}" if taken else ""


def uses_from(text: str, file: str, path: str, name: str) -> tuple[SourceSpan, ...]:
    """Return where a file places a definition of another file that it imports.

    Args:
        text: Text of the importing file.
        file: Name of the importing file, for the spans.
        path: The imported file, as the import writes it.
        name: Name of the definition.
    """
    document, _ = parse(text, file)
    items = tuple(_deep(document.statements))
    aliases = {x.alias for x in items if isinstance(x, ast.Import) and x.path == path}
    found = []
    for item in items:
        if isinstance(item, ast.Place):
            alias, dot, own = item.name.partition(".")
            if dot and alias in aliases and own == name:
                at = item.name_span
                first = at.col + len(alias) + 1
                found.append(SourceSpan(file, at.line, first, at.line, first + len(own)))
    return tuple(found)


def outline(text: str, file: str) -> tuple[Symbol, ...]:
    """Return what a file has, as a tree: its map, definitions, models, settings and starts.

    Args:
        text: Text of the file.
        file: Name of the file, for the spans.
    """
    document, _ = parse(text, file)
    return tuple(_symbols(document.statements, text.splitlines()))


def folds(text: str, file: str) -> tuple[tuple[int, int, bool], ...]:
    """Return what an editor may fold: first and last line from 0, and whether it is a comment.

    Args:
        text: Text of the file.
        file: Name of the file.
    """
    document, _ = parse(text, file)
    blocks = [
        (item.whole.line - 1, item.whole.end_line - 1, False)
        for item in _deep(document.statements)
        if isinstance(item, ast.Block)
    ]
    lines = [line.lstrip().startswith("#") for line in text.splitlines()]
    starts = [n for n, note in enumerate(lines) if note and not (n and lines[n - 1])]
    ends = [n for n, note in enumerate(lines) if note and not any(lines[n + 1 : n + 2])]
    comments = [(first, last, True) for first, last in zip(starts, ends, strict=True)]
    return tuple(sorted(each for each in blocks + comments if each[1] > each[0]))


def _deep(statements: Iterable[ast.Statement]) -> Iterator[ast.Statement]:
    """Yield statements and those of all their blocks, in order."""
    left = list(statements)[::-1]
    while left:
        item = left.pop()
        yield item
        if isinstance(item, ast.Define | ast.TransformBlock | ast.Broken):
            left += item.body[::-1]


def _covers(span: SourceSpan, line: int, col: int) -> bool:
    return span.line == line and span.col <= col <= span.end_col


def _token(lines: list[str], span: SourceSpan, name: str, after: str = "") -> SourceSpan:
    """Return the place of a name in the first line of a span, behind the words `after`."""
    row = lines[span.line - 1] if span.line <= len(lines) else ""
    pattern = rf"{after}(?<![\w.-])({re.escape(name)})(?![\w-])"
    match = re.compile(pattern).search(row, span.col - 1)
    if match is None:
        return span
    return SourceSpan(span.file, span.line, match.start(1) + 1, span.line, match.end(1) + 1)


def _given(statements: Iterable[ast.Statement], lines: list[str]) -> Iterator[NameUse]:
    """Yield the places where names are given."""
    for item in _deep(statements):
        if isinstance(item, ast.Define):
            span = _token(lines, item.span, item.name, r"define\s+")
            yield NameUse(item.name, "definition", span, True)
        elif isinstance(item, ast.ModelBlock):
            yield NameUse(
                item.name, BLOCK, _token(lines, item.span, item.name, BLOCK + r"\s+"), True
            )
        elif isinstance(item, ast.Import):
            yield NameUse(
                item.alias, "import", _token(lines, item.span, item.alias, r"\bas\s+"), True
            )
        elif isinstance(item, ast.Units):
            for unit in item.units:
                yield NameUse(unit.name, "unit", _token(lines, unit.span, unit.name), True)


def _used(
    statements: Iterable[ast.Statement], lines: list[str], known: set[tuple[str, str]]
) -> Iterator[NameUse | None]:
    """Yield the places where known names are used."""

    def use(kind: str, name: str, span: SourceSpan) -> NameUse | None:
        return NameUse(name, kind, span, False) if (kind, name) in known else None

    for item in _deep(statements):
        if isinstance(item, ast.Place):
            alias, dot, _ = item.name.partition(".")
            at = item.name_span
            head = SourceSpan(at.file, at.line, at.col, at.line, at.col + len(alias))
            for kind in ("import",) if dot else PLACED:
                yield use(kind, alias, head)
        elif isinstance(item, ast.Settings) and item.kind in STOCK_BLOCKS:
            for setting in item.settings:
                yield use(BLOCK, setting.key, _token(lines, setting.span, setting.key))
        elif isinstance(item, ast.Units):
            for unit in item.units:
                if unit.like:
                    yield use("unit", unit.like, _token(lines, unit.span, unit.like, r"like\s+"))
        elif isinstance(item, ast.Expect):
            for word in item.words:
                yield use("unit", word, _token(lines, item.span, word))


def _symbols(statements: Iterable[ast.Statement], lines: list[str]) -> Iterator[Symbol]:
    """Yield the outline of statements."""
    for item in statements:
        if isinstance(item, ast.Define):
            head = _token(lines, item.span, item.name, r"define\s+")
            yield Symbol(item.name, "define", item.whole, head, (*_symbols(item.body, lines),))
        elif isinstance(item, ast.ModelBlock):
            head = _token(lines, item.span, item.name, BLOCK + r"\s+")
            yield Symbol(item.name, BLOCK, item.whole, head)
        elif isinstance(item, ast.Units):
            units = (Symbol(unit.name, "unit", unit.span, unit.span) for unit in item.units)
            yield Symbol("units", "units", item.whole, item.span, tuple(units))
        elif isinstance(item, ast.Settings):
            name = f"{item.kind} {item.name}".strip()
            yield Symbol(name, item.kind, item.whole, item.span)
        elif isinstance(item, ast.TransformBlock):
            parts = (*_symbols(item.body, lines),)
            yield Symbol(item.transform.name, item.transform.kind, item.whole, item.span, parts)
        elif isinstance(item, ast.Map):
            yield Symbol("map", "map", item.whole, item.span)
        elif isinstance(item, ast.Import):
            yield Symbol(item.alias, "import", item.span, item.span)
        elif isinstance(item, ast.Header) and item.key == "title":
            yield Symbol(item.value, "title", item.span, item.span)
        elif isinstance(item, ast.Put) and item.name:
            yield Symbol(f"{item.kind} {item.name}", item.kind, item.span, item.span)
        elif isinstance(item, ast.Place):
            yield Symbol(f"{item.name} at {item.at}", "place", item.span, item.span)
