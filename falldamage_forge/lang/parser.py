"""Parser: source text to an AST, with one lark parse for each statement.

An error in one statement is reported once and never stops the others.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from falldamage_forge.board import WAYS
from falldamage_forge.elements import ELEMENTS
from falldamage_forge.infra.look_alikes import look_alike_hint
from falldamage_forge.issues import Issue, did_you_mean
from falldamage_forge.lang import ast
from falldamage_forge.lang.ast_builder import IssueCollector, StatementBuilder
from falldamage_forge.lang.block_scanner import UNREAD, LineNode, scan
from falldamage_forge.lang.common_mistakes import mistake_hint, unknown_word_hint
from falldamage_forge.lang.grammar import grammar

if TYPE_CHECKING:
    from lark import Token, Tree
    from lark.exceptions import UnexpectedInput

MAX_KEPT = 120
"""Most characters of a head whose parse tree is cached."""
VERSION = "1"
MAX_FIXES = 3
"""Most common mistakes that are corrected in one line."""
WRITTEN_OUT = re.compile(r"`([a-z]+ [^`…]+)`")
"""Words between backticks that may be a whole statement."""
VERY_NEAR = 0.75
"""Similarity, 0 to 1, above which a word is taken for a misspelt keyword."""
MAX_ISSUES = 500
"""Errors after which the rest of a file is skipped."""

KEYWORDS = (
    *("forge", "title", "author", "license", "players", "board", "rules", "units", "print"),
    *("inventory", "extras", "legend", "map", *ELEMENTS, "define", "import", "place"),
    *("mirror", "rotate", "symmetry", "expect", "allow"),
)

BLOCKS = {
    ast.Settings: "settings",
    ast.Units: "units",
    ast.Map: "rows",
    ast.ModelBlock: "settings",
    ast.Define: "statements",
    ast.TransformBlock: "statements",
}

NESTED = ("define", "mirror", "rotate")
"""Keywords whose block holds statements."""

EXPECTED = {
    "TILE": "a tile such as `E5`",
    "INT": "a whole number",
    "SIZE": "a size such as `10x10`",
    "STRING": 'a text in "quotes"',
    "NAME": "a name",
    "QNAME": "a piece's name",
    "AXIS": "`x` or `y`",
    "SIGNED": "a signed number such as `+1`",
    "LETTERS": "column letters",
    "CODE": "a code such as `FDF310`",
    "WORD": "a word",
    "$END": "the end of the line",
    "COMMA": "`,`",
    "__ANON_0": "`->`",
    "__ANON_1": "`..`",
    "__ANON_2": "`@` and a level",
    "AT": "`at`",
    "SIDE": "a side such as `north`",
    "LENGTH": "a length such as `1/2in`",
    "SHELTER": "`none`, `partial`, `full` or `no-line-of-sight`",
}
AREA_WORDS = {"ALL", "ROW", "COL", "RING"}
LONGER = {"COMMA", "__ANON_1", "__ANON_2", "EXCEPT"}
"""Terminals that may follow nearly every tile and are rarely the missing word."""


@lru_cache(maxsize=2048)
def _tree(head: str) -> Tree[Token]:
    """Return the parse tree of a short head, cached because edited texts share most lines."""
    return grammar().parse(head)


def parse(text: str, file: str) -> tuple[ast.Document, tuple[Issue, ...]]:
    """Parse a source.

    Args:
        text: Source text; any text gives a result.
        file: Name of the file, for source spans.

    Returns:
        The AST, and all syntax errors (FDF0xx).
    """
    nodes, outline = scan(text, file)
    collector = IssueCollector(file, list(outline))
    statements = _statements(nodes, collector)
    document = ast.Document(file, statements)
    if not has_version(document) and nodes:
        hint = "write `forge 1`, the version of the language, as the first statement"
        message = "the file does not begin with `forge 1`"
        collector.add("FDF005", message, nodes[0].line, 1, 1, hint)
    return document, tuple(collector.issues)


def has_version(document: ast.Document) -> bool:
    """True if the first statement is `forge …`; lowering checks the version number."""
    first = next(iter(document.statements), None)
    if isinstance(first, ast.Broken):
        return first.word in ("", "forge")
    return isinstance(first, ast.Header) and first.key == "forge"


def _statements(
    nodes: tuple[LineNode, ...], collector: IssueCollector
) -> tuple[ast.Statement, ...]:
    statements: list[ast.Statement] = []
    for node in nodes:
        if len(collector.issues) >= MAX_ISSUES:
            break
        if node.head or node.body is not None or node.broken:
            statements += statements_of(node, collector)
        if len(collector.issues) >= MAX_ISSUES:
            message = f"more than {MAX_ISSUES} errors; the rest of the file was not read"
            collector.add("FDF008", message, node.line, node.col, 1, "correct the first ones")
            statements.append(_broken(node, collector, ""))
    return tuple(statements)


def statements_of(node: LineNode, collector: IssueCollector) -> Iterator[ast.Statement]:
    """Yield the statement of one node, and a `Broken` node for the parts with errors.

    Each error is reported once. The block of a statement is read even if its head has an error.

    Args:
        node: A statement of the scanner's tree.
        collector: Gets the errors.
    """
    word = meant_word(node.head)
    body: Any = node.body
    if word in NESTED and node.body is not None:
        body = _statements(node.body, collector)
    here = IssueCollector(collector.file, [])
    built = _built(node, body, here)
    doubted = node.broken or any(line.broken for line in node.body or ())
    if not (node.broken and built is None):
        collector.issues += here.issues
    if built is not None:
        yield built
    if built is None or here.issues or doubted:
        inner = body if built is None and word in NESTED else None
        yield _broken(node, collector, word, inner or ())
    if node.broken and node.body is not None:  # where it ends is a guess
        lines = node.body if word == "define" else (replace(UNREAD, line=node.line),)
        yield from (
            _broken(line, collector, meant_word(line.head))
            for line in lines
            if line.head or line.broken
        )


def _broken(
    node: LineNode, collector: IssueCollector, word: str, body: tuple[ast.Statement, ...] = ()
) -> ast.Broken:
    span = collector.span(node.line, node.col, len(node.head))
    return ast.Broken(span, node.head, word, body)


def meant_word(head: str) -> str:
    """Return the keyword of a statement, or the probable one; empty if none is near."""
    word = head.split(None, 1)[0] if head else ""
    if word in KEYWORDS or not word:
        return word
    near = re.search(
        r"did you mean `(\w+)`", unknown_word_hint(head) or did_you_mean(word, KEYWORDS) or ""
    )
    return near[1] if near else ""


def _built(node: LineNode, body: Any, collector: IssueCollector) -> ast.Statement | None:
    """Return the statement of one node; None after an error."""
    from lark.exceptions import UnexpectedInput

    if not node.head:
        collector.add("FDF001", "a block without a name", node.line, node.col, 1)
        return None
    word = node.head.split(None, 1)[0]
    if word not in KEYWORDS:
        hint = (
            look_alike_hint(node.head, node.col)
            or _first_word(node.head, word)
            or "a line begins with a keyword such as `stack`"
        )
        collector.add_at(node, "FDF002", f"no statement `{word}`", hint, word)
        return None
    try:
        tree = _tree(node.head) if len(node.head) <= MAX_KEPT else grammar().parse(node.head)
    except UnexpectedInput as error:
        _report(error, node, collector)
        return None
    built = StatementBuilder(node, collector).build(tree, body)
    if built is not None:
        _check_block(node, built, word, collector)
    return built


def _check_block(
    node: LineNode, built: ast.Statement, word: str, collector: IssueCollector
) -> None:
    """Report a block where none belongs, and a missing block."""
    optional = isinstance(built, ast.Settings) and built.kind == "rules"
    wants = type(built) in BLOCKS
    if node.body is not None and not wants:
        collector.add_at(node, "FDF001", f"`{word}` takes no block", "take `{ }` away", word)
    if node.body is None and wants and not optional:
        collector.add_at(node, "FDF001", f"`{word}` needs a block", "add `{ … }`", word)


def _first_word(head: str, word: str) -> str | None:
    """Return the hint for a line's unknown first word, or for the whole line.

    A word that is not very near a keyword must make the line a statement.
    """
    known, near = unknown_word_hint(head), meant_word(head)
    if not near or (known and known != f"did you mean `{near}`?"):
        return known
    meant = _written(head.replace(word, near, 1))
    if meant is not None and meant != head.replace(word, near, 1):
        return f"write `{meant}`"
    alike = difflib.SequenceMatcher(None, word.lower(), near).ratio() >= VERY_NEAR
    return f"did you mean `{near}`?" if meant or known or alike else None


def _written(head: str) -> str | None:
    """Return a line with its common mistakes corrected; None if it is still no statement."""
    from lark.exceptions import UnexpectedInput

    for _ in range(MAX_FIXES):
        try:
            grammar().parse(head)
        except UnexpectedInput:
            proposed = WRITTEN_OUT.search(mistake_hint(head) or "")
            if not proposed:
                return None
            head = proposed[1]
        else:
            return head
    return None


def _tried_hint(head: str) -> str | None:
    """Return the hint of a common mistake; a statement that it writes out is one.

    What would be refused again is corrected in its turn, or else cut off where it fails.
    """
    hint = mistake_hint(head)
    quoted = WRITTEN_OUT.search(hint or "")
    if hint is None or quoted is None or quoted[1].split()[0] not in KEYWORDS:
        return hint
    fails_at = _failure(re.sub(r" N$", " 1", quoted[1].split(" {")[0]))
    if fails_at is None:
        return hint
    if meant := _written(quoted[1]):
        return f"write `{meant}`"
    kept = quoted[1][:fails_at].rstrip()
    return None if head.startswith(kept) else hint.replace(quoted[0], f"`{kept} …`")


def _failure(head: str) -> int | None:
    """Return the place of the first character that makes a line no statement; None for none."""
    from lark.exceptions import UnexpectedInput

    try:
        grammar().parse(head)
    except UnexpectedInput as error:
        return _place(error, head)
    return None


def _place(error: UnexpectedInput, head: str) -> int:
    """Return the place of a syntax error in a line; the end of the line if it is too short."""
    token = getattr(error, "token", None)
    at = error.pos_in_stream if token is None else token.start_pos
    return len(head) if token is not None and token.type == "$END" else at or 0


def _report(error: UnexpectedInput, node: LineNode, collector: IssueCollector) -> None:
    """Report one syntax error."""
    from lark.exceptions import UnexpectedCharacters, UnexpectedToken

    wanted: set[str] = set()
    at = _place(error, node.head)
    if isinstance(error, UnexpectedToken):
        wanted = set(error.accepts or error.expected or ())
        found = str(error.token)
    else:
        assert isinstance(error, UnexpectedCharacters)
        wanted = set(error.allowed or ())
        found = node.head[at:].split(None, 1)[0]
    names = _expected(wanted - {"WS_INLINE"})
    listing = ", ".join(names[:5]) if names else "something else"
    listing = " or ".join(listing.rsplit(", ", 1))
    ends = not found or at >= len(node.head)
    if ends:
        message = f"the line ends where {listing} is expected"
    else:
        message = f"expected {listing}, found `{found[:40]}`"
    words = [name.strip("`") for name in names if name.startswith("`")]
    words += [word.lower() for word in AREA_WORDS & wanted]
    words += WAYS if "SIDE" in wanted else []
    hint = (
        look_alike_hint(node.head, node.col)
        or (None if ends else did_you_mean(found, words))
        or _tried_hint(node.head)
    )
    collector.add("FDF001", message, node.line, node.col + at, max(len(found), 1), hint)


def _expected(terminals: set[str]) -> list[str]:
    """Return the names of the expected terminals, words first."""
    wanted = terminals - LONGER if terminals - LONGER - {"$END"} else terminals
    names = sorted(map(_human, wanted - AREA_WORDS), key=lambda name: (name[0] != "`", name))
    return [*names, "an area such as `row 4`"] if wanted & AREA_WORDS else names


def _human(terminal: str) -> str:
    if terminal in EXPECTED:
        return EXPECTED[terminal]
    pattern = next((t.pattern for t in grammar().terminals if t.name == terminal), None)
    return f"`{pattern.value}`" if pattern is not None else terminal.lower()
