"""Text to a tree of lines: cuts a source into statements, blocks and comments, without meaning.

Braces open and close blocks wherever they stand outside strings and comments, so every later step
sees one statement at a time and an error in one line cannot spill into the next.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from falldamage_forge.issues import Issue, SourceSpan

MAX_DEPTH = 24
MAX_LINE = 2_000
MAX_TEXT = 1_000_000
MAX_LINES = 12_000

_PIECES = re.compile(r'"[^"]*"|"[^"]*$|#.*|[{}]|[^"#{}]+')


@dataclass(frozen=True, slots=True)
class Node:
    """One statement head, a lone comment, or a blank line (`head` and `comment` both empty).

    `body` is None for plain lines. `line` and `col` count from 1. `inline` marks a body that was
    written on the head's own line; `end_comment` stands behind the closing brace.
    """

    head: str
    line: int
    col: int
    comment: str = ""
    body: tuple[Node, ...] | None = None
    end_line: int = 0
    end_comment: str = ""


@dataclass(slots=True)
class _Open:
    head: str
    line: int
    col: int
    comment: str = ""
    body: list[Node] = field(default_factory=list)

    def close(self, end_line: int) -> Node:
        return Node(
            self.head, self.line, self.col, self.comment, tuple(self.body), end_line or self.line
        )


def scan(text: str, file: str) -> tuple[tuple[Node, ...], tuple[Issue, ...]]:
    """The tree of a source and the faults in its outline (FDF003, 004, 007, 008, 009)."""
    issues: list[Issue] = []

    def fault(code: str, message: str, line: int, col: int, width: int, hint: str = "") -> None:
        span = SourceSpan(file, line, col, line, col + max(width, 1))
        issues.append(Issue(code, "error", message, span, hint=hint or None))

    if len(text) > MAX_TEXT:
        fault("FDF008", "the file is larger than 1 MB", 1, 1, 1, "split it and use `import`")
        return (), tuple(issues)
    lines = text.replace("\r\n", "\n").split("\n")
    if len(lines) > MAX_LINES:
        fault("FDF008", f"the file has more than {MAX_LINES} lines", 1, 1, 1, "use `import`")
        return (), tuple(issues)
    stack = [_Open("", 0, 0)]
    for number, raw in enumerate(lines, start=1):
        if len(raw) > MAX_LINE:
            fault("FDF008", f"the line is longer than {MAX_LINE} characters", number, 1, 1)
            continue
        bad = next((i for i, c in enumerate(raw) if c < " " and c not in "\t\r"), None)
        if bad is not None:
            fault("FDF007", f"control character U+{ord(raw[bad]):04X}", number, bad + 1, 1)
            continue
        if not _scan_line(raw.rstrip(), number, stack, fault):
            return (), tuple(issues)
    while len(stack) > 1:
        block = stack.pop()
        fault(
            "FDF003",
            f"the block of `{block.head.split()[0]}` is never closed"
            if block.head
            else "this `{` is never closed",
            block.line,
            block.col,
            len(block.head),
            "add a `}` where it ends",
        )
        stack[-1].body.append(block.close(0))
    return tuple(stack[0].body), tuple(issues)


def _scan_line(raw: str, number: int, stack: list[_Open], fault: object) -> bool:
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
            block = _Open(head.strip(), number, col or at)
            stack.append(block)
            opened_here.append(block)
            head, col = "", 0
        elif text == "}":
            _flush(head, col, number, "", stack)
            head, col = "", 0
            if len(stack) == 1:
                fault("FDF003", "this `}` closes nothing", number, at, 1, "take it away")
            else:
                block = stack.pop()
                stack[-1].body.append(block.close(number))
                closed = True
        else:
            if text.startswith('"') and not (len(text) > 1 and text.endswith('"')):
                fault("FDF004", "the text is not closed", number, at, len(text), 'add a `"`')
                head, col = "", 0
                break
            if not head.strip():
                col = at + len(text) - len(text.lstrip())
                head = text.lstrip()
            else:
                head += text
    if head.strip():
        _flush(head, col, number, comment, stack)
    elif comment:
        _attach(comment, number, stack, opened_here, closed)
    return True


def _flush(head: str, col: int, number: int, comment: str, stack: list[_Open]) -> None:
    if head.strip():
        stack[-1].body.append(Node(head.strip(), number, col, comment))


def _attach(
    comment: str, number: int, stack: list[_Open], opened: list[_Open], closed: bool
) -> None:
    """A comment without a statement before it belongs to the brace before it, or to itself."""
    if opened and stack[-1] is opened[-1]:
        opened[-1].comment = comment
    elif closed:
        last = stack[-1].body.pop()
        stack[-1].body.append(
            Node(last.head, last.line, last.col, last.comment, last.body, last.end_line, comment)
        )
    else:
        stack[-1].body.append(Node("", number, 1, comment))
