"""Formatter: a source in the one style, with the same meaning and the same comments."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from falldamage_forge.issues import ForgeError, Issue
from falldamage_forge.lang import ast
from falldamage_forge.lang.ast_builder import IssueCollector, split_pairs
from falldamage_forge.lang.block_scanner import LineNode, scan
from falldamage_forge.lang.model_block import entries, entry_text
from falldamage_forge.lang.parser import parse, statements_of
from falldamage_forge.lang.unparse import head_text, row_texts, setting_text, unit_text

MAX_INLINE = 88
INDENT = "  "


def format_text(text: str, file: str) -> str:
    """Return a source in the one style; the result is parsed again and compared.

    Args:
        text: Source text.
        file: Name of the file, for source spans.

    Raises:
        ForgeError: With the syntax issues of the source, or FDF010 if the result differs in
            meaning.
    """
    document, issues = parse(text, file)
    if issues:
        raise ForgeError(issues)
    nodes, _ = scan(text, file)
    collector = IssueCollector(file, [])
    result = "\n".join(_spaced(_block(nodes, collector, ""))) + "\n"
    again, left = parse(result, file)
    comments = sorted(_comments(nodes)) == sorted(_comments(scan(result, file)[0]))
    if again != document or left or not comments:
        message = f"`{file}` was left alone: formatting it would change its meaning"
        raise ForgeError([Issue("FDF010", "error", message, hint="please report the file")])
    return result


def _comments(nodes: Iterable[LineNode]) -> Iterator[str]:
    for node in nodes:
        yield from (text for text in (node.comment, node.end_comment) if text)
        yield from _comments(node.body or ())


def _spaced(lines: Iterable[str]) -> Iterator[str]:
    """Yield lines with at most one blank line in a row, and none at the rim of a block."""
    previous = "{"
    pending = False
    for line in lines:
        if not line.strip():
            pending = True
            continue
        if pending and not _opens(previous) and line.strip()[0] != "}":
            yield ""
        pending = False
        yield line
        previous = line


def _opens(line: str) -> bool:
    return line.partition("#")[0].rstrip().endswith("{")


def _with(line: str, comment: str) -> str:
    return f"{line}  {comment}" if comment else line


def _block(nodes: Iterable[LineNode], collector: IssueCollector, indent: str) -> Iterator[str]:
    for node in nodes:
        if not node.head:
            yield f"{indent}{node.comment}" if node.comment else ""
            continue
        (built,) = statements_of(node, collector)  # a source without syntax issues
        head = indent + head_text(built)
        if node.body is None:
            yield _with(head, node.comment)
        elif isinstance(built, ast.Settings):
            yield from _settings(built, node, head, indent)
        elif isinstance(built, ast.ModelBlock):
            yield from _model(built, node, head, indent)
        else:
            yield _with(f"{head} {{", node.comment)
            if isinstance(built, ast.Map):
                yield from _rows(built, node, indent + INDENT)
            elif isinstance(built, ast.Units):
                yield from _units(built, node, indent + INDENT)
            else:
                yield from _block(node.body, collector, indent + INDENT)
            yield _with(f"{indent}}}", node.end_comment)


def _units(built: ast.Units, node: LineNode, indent: str) -> Iterator[str]:
    units = iter(built.units)
    for line in node.body or ():
        if not line.head:
            yield f"{indent}{line.comment}" if line.comment else ""
            continue
        unit = next(units)
        head = indent + unit_text(unit)
        if line.body is None:
            yield _with(head, line.comment)
        else:
            yield from _settings(unit, line, head, indent)


def _settings(
    built: ast.Settings | ast.OwnUnit, node: LineNode, head: str, indent: str
) -> Iterator[str]:
    """Yield a block on one line if it is short and has no inner comments, else one entry a line."""
    assert node.body is not None
    kind = built.kind if isinstance(built, ast.Settings) else "unit"
    texts = [setting_text(kind, setting) for setting in built.settings]
    inline = f"{head} {{ {'  '.join(texts)} }}" if texts else f"{head} {{ }}"
    bare = not node.comment and not any(_comments(node.body))
    if bare and len(inline) <= MAX_INLINE and (kind != "legend" or len(texts) < 2):
        yield _with(inline, node.end_comment)
        return
    yield _with(f"{head} {{", node.comment)
    entries = iter(texts)
    for line in node.body:
        own = [next(entries) for _ in range(_entries(kind, line))]
        for text in own[:-1]:
            yield f"{indent}{INDENT}{text}"
        if own:
            yield _with(f"{indent}{INDENT}{own[-1]}", line.comment)
        else:
            yield f"{indent}{INDENT}{line.comment}".rstrip()
    yield _with(f"{indent}}}", node.end_comment)


def _model(built: ast.ModelBlock, node: LineNode, head: str, indent: str) -> Iterator[str]:
    """Yield a model's block on one line if it is short and plain, else one setting a line."""
    assert node.body is not None
    texts = [entry_text(setting.key, setting.value) for setting in built.settings]
    inline = f"{head} {{ {'  '.join(texts)} }}" if texts else f"{head} {{ }}"
    rows = any("/" in setting.value for setting in built.settings if setting.key == "levels")
    if (
        not rows
        and not node.comment
        and not any(_comments(node.body))
        and len(inline) <= MAX_INLINE
    ):
        yield _with(inline, node.end_comment)
        return
    yield _with(f"{head} {{", node.comment)
    inner = indent + INDENT
    for line in node.body:
        own = entries(line) if line.head else ()
        for entry in own[: len(own) - 1]:
            yield inner + entry_text(entry.key, entry.value)
        if not own:
            yield f"{inner}{line.comment}".rstrip()
        elif line.body is None:
            yield _with(inner + entry_text(own[-1].key, own[-1].value), line.comment)
        elif "/" not in own[-1].value and not line.comment and not any(_comments(line.body)):
            yield _with(inner + entry_text(own[-1].key, own[-1].value), line.end_comment)
        else:
            yield _with(f"{inner}levels {{", line.comment)
            for row in line.body:
                yield _with(f"{inner}{INDENT}{' '.join(row.head.split())}".rstrip(), row.comment)
            yield _with(f"{inner}}}", line.end_comment)
    yield _with(f"{indent}}}", node.end_comment)


def _entries(kind: str, node: LineNode) -> int:
    """Return the number of settings in one line of a block."""
    if not node.head:
        return 0
    return 1 if kind == "legend" else len(split_pairs(kind, node.head)[0])


def _rows(block: ast.Map, node: LineNode, indent: str) -> Iterator[str]:
    header, rows = row_texts(block)
    texts = iter((header, *rows) if header else rows)
    for line in node.body or ():
        if line.head:
            yield _with(indent + next(texts), line.comment)
        else:
            yield f"{indent}{line.comment}" if line.comment else ""
