"""Source text to a Document: one lark parse per statement, every fault told once, none fatal."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from falldamage_forge.board import WAYS
from falldamage_forge.issues import Issue, did_you_mean
from falldamage_forge.lang import ast
from falldamage_forge.lang.grammar import grammar
from falldamage_forge.lang.habits import habit, stray
from falldamage_forge.lang.nodes import Faults, StatementBuilder
from falldamage_forge.lang.scan import UNREAD, Node, scan

if TYPE_CHECKING:
    from lark import Token, Tree
    from lark.exceptions import UnexpectedInput

MAX_KEPT = 120
"""Characters of a head whose parse is worth keeping."""
VERSION = "1"
MAX_MENDS = 3
"""How many habits one line may have at once."""
VERY_NEAR = 0.75
"""How alike two words are of which one is nearly for sure the other misspelt."""
MAX_FAULTS = 500
"""A file with more is no layout; telling on would help nobody."""

KEYWORDS = tuple(
    "forge title author players board rules units print inventory extras legend map stack bridge "  # noqa: SIM905
    "ladder spire tree lava water treasure step battlement railing obstruction field pitfall gate "
    "base start define import place mirror rotate symmetry expect allow".split()
)

BLOCKS = {
    ast.Settings: "settings",
    ast.Units: "units",
    ast.Map: "rows",
    ast.Define: "statements",
    ast.TransformBlock: "statements",
}

NESTED = ("define", "mirror", "rotate")
"""Words whose block holds statements."""

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
"""What may follow nearly every tile, and is hardly ever what was forgotten."""


@lru_cache(maxsize=2048)
def _tree(head: str) -> Tree[Token]:
    """The parse of a short head; kept, because edited texts share nearly all their lines."""
    return grammar().parse(head)


def parse(text: str, file: str) -> tuple[ast.Document, tuple[Issue, ...]]:
    """The tree of a source and every fault of its syntax (FDF0xx). Never raises for any text."""
    nodes, outline = scan(text, file)
    faults = Faults(file, list(outline))
    statements = _statements(nodes, faults)
    document = ast.Document(file, statements)
    if not has_version(document) and nodes:
        faults.add(
            "FDF005",
            "the file does not begin with `forge 1`",
            nodes[0].line,
            1,
            1,
            "write `forge 1`, the version of the language, as the first statement",
        )
    return document, tuple(faults.issues)


def has_version(document: ast.Document) -> bool:
    """Whether the first statement is `forge …` (what version is judged when lowering)."""
    first = next(iter(document.statements), None)
    if isinstance(first, ast.Broken):
        return first.word in ("", "forge")
    return isinstance(first, ast.Header) and first.key == "forge"


def _statements(nodes: tuple[Node, ...], faults: Faults) -> tuple[ast.Statement, ...]:
    found: list[ast.Statement] = []
    for node in nodes:
        if len(faults.issues) >= MAX_FAULTS:
            break
        if node.head or node.body is not None or node.broken:
            found += statements_of(node, faults)
        if len(faults.issues) >= MAX_FAULTS:
            message = f"more than {MAX_FAULTS} faults; the rest of the file was not read"
            faults.add("FDF008", message, node.line, node.col, 1, "mend the first ones")
            found.append(_broken(node, faults, ""))
    return tuple(found)


def statements_of(node: Node, faults: Faults) -> Iterator[ast.Statement]:
    """The statement of one node, and behind it what of it is in doubt, as a `Broken` one.

    A fault is told once and the reading goes on behind it, within the block of a statement whose
    head cannot be read too.
    """
    word = meant_word(node.head)
    body = _body(node, word, faults)
    here = Faults(faults.file, [])
    built = _built(node, body, here)
    doubted = node.broken or any(line.broken for line in node.body or ())
    if not (node.broken and built is None):
        faults.issues += here.issues
    if built is not None:
        yield built
    if built is None or here.issues or doubted:
        inner = body if built is None and word in NESTED else None
        yield _broken(node, faults, word, inner or ())
    if node.broken and node.body is not None:  # where it ends is a guess
        lines = node.body if word == "define" else (replace(UNREAD, line=node.line),)
        yield from (
            _broken(line, faults, meant_word(line.head))
            for line in lines
            if line.head or line.broken
        )


def _broken(
    node: Node, faults: Faults, word: str, body: tuple[ast.Statement, ...] = ()
) -> ast.Broken:
    span = faults.span(node.line, node.col, len(node.head))
    return ast.Broken(span, node.head, word, body)


def meant_word(head: str) -> str:
    """The keyword of a statement, or the one that is probably meant; empty where none is near."""
    word = head.split(None, 1)[0] if head else ""
    if word in KEYWORDS or not word:
        return word
    near = re.search(r"did you mean `(\w+)`", stray(head) or did_you_mean(word, KEYWORDS) or "")
    return near[1] if near else ""


def _built(node: Node, body: Any, faults: Faults) -> ast.Statement | None:
    """The statement of one node, or None after telling its fault."""
    from lark.exceptions import UnexpectedInput

    if not node.head:
        faults.add("FDF001", "a block without a name", node.line, node.col, 1)
        return None
    word = node.head.split(None, 1)[0]
    if word not in KEYWORDS:
        hint = _first_word(node.head, word) or "a line begins with a keyword such as `stack`"
        faults.add("FDF002", f"no statement `{word}`", node.line, node.col, len(word), hint)
        return None
    try:
        tree = _tree(node.head) if len(node.head) <= MAX_KEPT else grammar().parse(node.head)
    except UnexpectedInput as error:
        _tell(error, node, faults)
        return None
    built = StatementBuilder(node, faults).build(tree, body)
    if built is not None:
        _judge_block(node, built, word, faults)
    return built


def _body(node: Node, word: str, faults: Faults) -> Any:
    """The parsed body, by what the statement's keyword promises."""
    if node.body is None:
        return None
    if word in NESTED:
        return _statements(node.body, faults)
    return node.body


def _judge_block(node: Node, built: ast.Statement, word: str, faults: Faults) -> None:
    """A block where none belongs, or none where one does."""
    optional = isinstance(built, ast.Settings) and built.kind == "rules"
    wants = type(built) in BLOCKS
    if node.body is not None and not wants:
        faults.add(
            "FDF001", f"`{word}` takes no block", node.line, node.col, len(word), "take `{ }` away"
        )
    if node.body is None and wants and not optional:
        faults.add(
            "FDF001", f"`{word}` needs a block", node.line, node.col, len(word), "add `{ … }`"
        )


def _first_word(head: str, word: str) -> str | None:
    """What to write for a line's first word, or for all of it where that is not enough.

    A word that is not very near must make the line a statement.
    """
    known, near = stray(head), meant_word(head)
    if not near or (known and known != f"did you mean `{near}`?"):
        return known
    meant = _written(head.replace(word, near, 1))
    if meant is not None and meant != head.replace(word, near, 1):
        return f"write `{meant}`"
    alike = difflib.SequenceMatcher(None, word.lower(), near).ratio() >= VERY_NEAR
    return f"did you mean `{near}`?" if meant or known or alike else None


def _written(head: str) -> str | None:
    """A line as a statement, with all of its habits mended; None where it comes to none."""
    from lark.exceptions import UnexpectedInput

    for _ in range(MAX_MENDS):
        try:
            grammar().parse(head)
        except UnexpectedInput:
            proposed = re.search(r"`([a-z]+ [^`…]+)`", habit(head) or "")
            if not proposed:
                return None
            head = proposed[1]
        else:
            return head
    return None


def _tell(error: UnexpectedInput, node: Node, faults: Faults) -> None:
    """One sentence for what stands where something else was expected."""
    from lark.exceptions import UnexpectedCharacters, UnexpectedToken

    wanted: set[str] = set()
    if isinstance(error, UnexpectedToken):
        wanted = set(error.accepts or error.expected or ())
        found = str(error.token)
        at = error.token.start_pos if error.token.type != "$END" else len(node.head)
    else:
        assert isinstance(error, UnexpectedCharacters)
        wanted = set(error.allowed or ())
        at = error.pos_in_stream
        found = node.head[at:].split(None, 1)[0]
    at = at or 0
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
    hint = (None if ends else did_you_mean(found, words)) or habit(node.head)
    faults.add("FDF001", message, node.line, node.col + at, max(len(found), 1), hint)


def _expected(terminals: set[str]) -> list[str]:
    """What may follow, words first; what only makes an area longer is left out beside others."""
    wanted = terminals - LONGER if terminals - LONGER - {"$END"} else terminals
    names = sorted(map(_human, wanted - AREA_WORDS), key=lambda name: (name[0] != "`", name))
    return [*names, "an area such as `row 4`"] if wanted & AREA_WORDS else names


def _human(terminal: str) -> str:
    if terminal in EXPECTED:
        return EXPECTED[terminal]
    pattern = next((t.pattern for t in grammar().terminals if t.name == terminal), None)
    return f"`{pattern.value}`" if pattern is not None else terminal.lower()
