"""Text to a tree of lines: cuts a source into statements, blocks and comments, without meaning.

Braces open and close blocks wherever they stand outside strings and comments, so every later step
sees one statement at a time and an error in one line cannot spill into the next.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import field, replace

from falldamage_forge.issues import Issue, SourceSpan
from falldamage_forge.values import dataclass
from falldamage_forge.visible import seen, unseen_at

MAX_DEPTH = 24
MAX_LINE = 2_000
MAX_TEXT = 1_000_000
MAX_LINES = 12_000
MAC_ENDS = "save the file with line feeds (LF) as line ends"

_PIECES = re.compile(r'"[^"]*"|"[^"]*$|#.*|[{}]|[^"#{}]+')


@dataclass(frozen=True, slots=True)
class Node:
    """One statement head, a lone comment, or a blank line (`head` and `comment` both empty).

    `body` is None for plain lines. `line` and `col` count from 1, and `end_line` and `end_col` are
    where a block's closing brace ends; `end_comment` stands behind it. A node is `broken` where a
    fault of its outline is told already and the text is not all that its author means.
    """

    head: str
    line: int
    col: int
    comment: str = ""
    body: tuple[Node, ...] | None = None
    end_line: int = 0
    end_col: int = 0
    end_comment: str = ""
    broken: bool = False


UNREAD = Node("", 1, 1, broken=True)
"""Stands for a text, or a part of one, that was not read at all."""


@dataclass(slots=True)
class _Open:
    head: str
    line: int
    col: int
    comment: str = ""
    body: list[Node] = field(default_factory=list)
    broken: bool = False

    def close(self, end_line: int, end_col: int) -> Node:
        body, broken = tuple(self.body), self.broken
        place = (self.head, self.line, self.col)
        return Node(*place, self.comment, body, end_line, end_col, broken=broken)


def scan(text: str, file: str) -> tuple[tuple[Node, ...], tuple[Issue, ...]]:
    """The tree of a source and the faults in its outline (FDF003, 004, 007, 008, 009)."""
    lines = text.replace("\r\n", "\n").split("\n")
    problem = ""
    if len(text) > MAX_TEXT:
        problem = "the file is larger than 1 MB"
    elif len(lines) > MAX_LINES:
        problem = f"the file has more than {MAX_LINES} lines"
    if problem:
        span = SourceSpan(file, 1, 1, 1, 2)
        issue = Issue("FDF008", "error", problem, span, hint="split it and use `import`")
        return (UNREAD,), (issue,)
    tree, found, whole = _outline(lines, {}, file)
    if not whole:
        again = _outline(lines, missing_braces(lines), file)
        if again[2]:
            tree, found, _ = again
    return tree, found


def _outline(
    lines: Sequence[str], closings: Mapping[int, int], file: str
) -> tuple[tuple[Node, ...], tuple[Issue, ...], bool]:
    """The tree, its faults, and whether every brace has its partner.

    `closings` says before which lines how many `}` are missing.
    """
    issues: list[Issue] = []

    def fault(code: str, message: str, line: int, col: int, width: int, hint: str = "") -> None:
        span = SourceSpan(file, line, col, line, col + max(width, 1))
        issues.append(Issue(code, "error", message, span, hint=hint or None))

    def unclosed(block: _Open, hint: str) -> None:
        word = block.head.split(None, 1)[:1]
        message = f"the block of `{word[0]}` is never closed" if word else "`{` is never closed"
        fault("FDF003", message, block.line, block.col, len(block.head), hint)

    stack = [_Open("", 0, 0)]
    whole = True
    for number, raw in enumerate(lines, start=1):
        for _ in range(min(closings.get(number, 0), len(stack) - 1)):
            unclosed(stack[-1], f"add a `}}` before line {number}")
            block = stack.pop()
            stack[-1].body.append(block.close(number - 1, len(lines[number - 2]) + 1))
        if len(raw) > MAX_LINE:
            fault("FDF008", f"the line is longer than {MAX_LINE} characters", number, 1, 1)
            stack[-1].body.append(replace(UNREAD, line=number))
            continue
        bad = unseen_at(raw)
        if bad is not None:
            hint = MAC_ENDS if raw[bad] == "\r" else "delete it"
            fault("FDF007", f"control character U+{ord(raw[bad]):04X}", number, bad + 1, 1, hint)
        line = raw if bad is None else seen(raw)
        if not _scan_line(line.rstrip(), number, stack, fault, broken=bad is not None):
            return (UNREAD,), tuple(issues), True
    whole = not any(issue.code == "FDF003" for issue in issues) or bool(closings)
    while len(stack) > 1:
        whole = False
        block = stack.pop()
        unclosed(block, "add a `}` where it ends")
        own, rest = _cut(block)
        block.body, block.broken = own, True
        stack[-1].body += [block.close(len(lines), len(lines[-1]) + 1), *rest]
    return tuple(stack[0].body), tuple(issues), whole


TOP = frozenset(
    "forge title author players board rules units print inventory extras legend start define "  # noqa: SIM905
    "import symmetry expect allow".split()
)
"""Words that begin what nobody writes inside a block."""


def _cut(block: _Open) -> tuple[list[Node], list[Node]]:
    """Where the body of a block that is never closed probably ends."""
    kind, *names = (*block.head.split(), "")
    for index, node in enumerate(block.body):
        word, *rest = (*node.head.split(), "")
        itself = kind == "define" and word == "place" and rest[:1] == names[:1]
        if word in TOP or itself or (kind == "map" and len(word) > 3 and word.isalpha()):
            return block.body[:index], block.body[index:]
    return block.body, []


def missing_braces(lines: Sequence[str]) -> dict[int, int]:
    """Before which lines how many `}` are missing, as far as the indentation tells.

    Indentation has no meaning in the language; it is asked only where braces do not match.
    """
    missing: dict[int, int] = {}
    indents: list[int] = []
    indented: list[bool | None] = []
    for number, raw in enumerate(lines, start=1):
        text = raw.expandtabs(4)
        indent = len(text) - len(text.lstrip())
        code = [piece[0] for piece in _PIECES.finditer(text.strip()) if piece[0][0] in "{}"]
        if not text.strip() or text.lstrip().startswith("#"):
            continue
        if indented and indented[-1] is None:
            indented[-1] = indent > indents[-1]
        while indents and indented[-1] and _ends(text.lstrip(), indent, indents[-1]):
            missing[number] = missing.get(number, 0) + 1
            indents.pop()
            indented.pop()
        for brace in code:
            if brace == "{":
                indents.append(indent)
                indented.append(None)
            elif indents:
                indents.pop()
                indented.pop()
    return missing


def _ends(text: str, indent: int, head: int) -> bool:
    """Whether a line stands too far out to belong to the block whose head is at `head`."""
    return indent < head if text.startswith("}") else indent <= head


def _scan_line(
    raw: str, number: int, stack: list[_Open], fault: object, *, broken: bool = False
) -> bool:
    """Cut one line; False when the nesting is too deep to go on."""
    assert callable(fault)
    if not raw.strip():
        stack[-1].body.append(Node("", number, 1))
        return True
    head, col, comment, closed = "", 0, "", False
    opened_here: list[_Open] = []
    for piece in _PIECES.finditer(raw):
        text, at = piece[0], piece.start() + 1
        if text.startswith("#"):
            comment = text
        elif text == "{":
            if len(stack) > MAX_DEPTH:
                fault("FDF009", f"blocks are nested deeper than {MAX_DEPTH}", number, at, 1)
                return False
            block = _Open(head.strip(), number, col or at, broken=broken)
            stack.append(block)
            opened_here.append(block)
            head, col = "", 0
        elif text == "}":
            _flush(head, col, number, "", stack, broken)
            head, col = "", 0
            if len(stack) == 1:
                fault("FDF003", "this `}` closes nothing", number, at, 1, "take it away")
            else:
                block = stack.pop()
                stack[-1].body.append(block.close(number, at + 1))
                closed = True
        else:
            if text.startswith('"') and not (len(text) > 1 and text.endswith('"')):
                fault("FDF004", "the text is not closed", number, at, len(text), 'add a `"`')
                _flush(head + text, col or at, number, "", stack, broken=True)
                head, col = "", 0
                break
            if not head.strip():
                col = at + len(text) - len(text.lstrip())
                head = text.lstrip()
            else:
                head += text
    if head.strip():
        _flush(head, col, number, comment, stack, broken)
    elif comment:
        _attach(comment, number, stack, opened_here, closed)
    return True


def _flush(
    head: str, col: int, number: int, comment: str, stack: list[_Open], broken: bool
) -> None:
    if head.strip():
        stack[-1].body.append(Node(head.strip(), number, col, comment, broken=broken))


def _attach(
    comment: str, number: int, stack: list[_Open], opened: list[_Open], closed: bool
) -> None:
    """A comment without a statement before it belongs to the brace before it, or to itself."""
    if opened and stack[-1] is opened[-1]:
        opened[-1].comment = comment
    elif closed:
        last = stack[-1].body.pop()
        stack[-1].body.append(replace(last, end_comment=comment))
    else:
        stack[-1].body.append(Node("", number, 1, comment))
