"""Block scanner: source text to a tree of lines, with statements, blocks and comments.

Braces outside strings and comments open and close blocks. Every later step sees one statement at a
time, so an error in one line cannot affect the next.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import field, replace

from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.infra.plain_text import unseen_issue
from falldamage_forge.infra.visible_text import seen, unseen_at
from falldamage_forge.issues import Issue, SourceSpan

MAX_DEPTH = 24
MAX_LINE = 2_000
MAX_TEXT = 1_000_000
MAX_LINES = 12_000

_PIECES = re.compile(r'"[^"]*"|"[^"]*$|#.*|[{}]|[^"#{}]+')


@dataclass(frozen=True, slots=True)
class LineNode:
    """One statement head, a lone comment, or a blank line (`head` and `comment` both empty).

    Attributes:
        head: Text of the statement without its block.
        line: Line from 1.
        col: Column from 1.
        comment: Comment after the head.
        body: Lines of the block; None for plain lines.
        end_line: Line of the closing brace.
        end_col: Column after the closing brace.
        end_comment: Comment after the closing brace.
        broken: True if an outline error was reported and the node may be incomplete.
    """

    head: str
    line: int
    col: int
    comment: str = ""
    body: tuple[LineNode, ...] | None = None
    end_line: int = 0
    end_col: int = 0
    end_comment: str = ""
    broken: bool = False


UNREAD = LineNode("", 1, 1, broken=True)
"""Node for a text, or a part of one, that was not read."""


@dataclass(slots=True)
class _OpenBlock:
    head: str
    line: int
    col: int
    comment: str = ""
    body: list[LineNode] = field(default_factory=list)
    broken: bool = False

    def close(self, end_line: int, end_col: int) -> LineNode:
        body, broken = tuple(self.body), self.broken
        place = (self.head, self.line, self.col)
        return LineNode(*place, self.comment, body, end_line, end_col, broken=broken)


def scan(text: str, file: str) -> tuple[tuple[LineNode, ...], tuple[Issue, ...]]:
    """Cut a source into a tree of lines.

    Args:
        text: Source text.
        file: Name of the file, for source spans.

    Returns:
        The lines, and issues of the outline (FDF003, FDF004, FDF007, FDF008, FDF009).
    """
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
    tree, issues, whole = _outline(lines, {}, file)
    if not whole:
        again = _outline(lines, missing_braces(lines), file)
        if again[2]:
            tree, issues, _ = again
    return tree, issues


def _outline(
    lines: Sequence[str], closings: Mapping[int, int], file: str
) -> tuple[tuple[LineNode, ...], tuple[Issue, ...], bool]:
    """Return the tree, its issues, and True if every brace has its partner.

    `closings` holds the number of missing `}` before each line.
    """
    issues: list[Issue] = []

    def report(code: str, message: str, line: int, col: int, width: int, hint: str = "") -> None:
        span = SourceSpan(file, line, col, line, col + max(width, 1))
        issues.append(Issue(code, "error", message, span, hint=hint or None))

    def unclosed(block: _OpenBlock, hint: str) -> None:
        word = block.head.split(None, 1)[:1]
        message = f"the block of `{word[0]}` is never closed" if word else "`{` is never closed"
        report("FDF003", message, block.line, block.col, len(block.head), hint)

    stack = [_OpenBlock("", 0, 0)]
    whole = True
    for number, raw in enumerate(lines, start=1):
        for _ in range(min(closings.get(number, 0), len(stack) - 1)):
            unclosed(stack[-1], f"add a `}}` before line {number}")
            block = stack.pop()
            stack[-1].body.append(block.close(number - 1, len(lines[number - 2]) + 1))
        if len(raw) > MAX_LINE:
            report("FDF008", f"the line is longer than {MAX_LINE} characters", number, 1, 1)
            stack[-1].body.append(replace(UNREAD, line=number))
            continue
        bad = unseen_at(raw)
        if bad is not None:
            issues.append(unseen_issue(raw, bad, file, number, bad + 1))
        line = raw if bad is None else seen(raw)
        if not _scan_line(line.rstrip(), number, stack, report, broken=bad is not None):
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
    "forge title author license players board rules units print inventory extras legend model "  # noqa: SIM905
    "start define import symmetry expect allow".split()
)
"""Keywords of statements that never stand inside a block."""


def _cut(block: _OpenBlock) -> tuple[list[LineNode], list[LineNode]]:
    """Return the body of an unclosed block up to its probable end, and the rest."""
    kind, *names = (*block.head.split(), "")
    for index, node in enumerate(block.body):
        word, *rest = (*node.head.split(), "")
        itself = kind == "define" and word == "place" and rest[:1] == names[:1]
        if word in TOP or itself or (kind == "map" and len(word) > 3 and word.isalpha()):
            return block.body[:index], block.body[index:]
    return block.body, []


def missing_braces(lines: Sequence[str]) -> dict[int, int]:
    """Return the number of missing `}` before each line, estimated from the indentation.

    Indentation has no meaning in the language; it is used only if braces do not match.
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
    """True if a line is indented too little to belong to the block whose head is at `head`."""
    return indent < head if text.startswith("}") else indent <= head


def _scan_line(
    raw: str, number: int, stack: list[_OpenBlock], report: object, *, broken: bool = False
) -> bool:
    """Cut one line; return False if the nesting is too deep to continue."""
    assert callable(report)
    if not raw.strip():
        stack[-1].body.append(LineNode("", number, 1))
        return True
    head, col, comment, closed = "", 0, "", False
    opened_here: list[_OpenBlock] = []
    for piece in _PIECES.finditer(raw):
        text, at = piece[0], piece.start() + 1
        if text.startswith("#"):
            comment = text
        elif text == "{":
            if len(stack) > MAX_DEPTH:
                report("FDF009", f"blocks are nested deeper than {MAX_DEPTH}", number, at, 1)
                return False
            block = _OpenBlock(head.strip(), number, col or at, broken=broken)
            stack.append(block)
            opened_here.append(block)
            head, col = "", 0
        elif text == "}":
            _flush(head, col, number, "", stack, broken)
            head, col = "", 0
            if len(stack) == 1:
                report("FDF003", "this `}` closes nothing", number, at, 1, "take it away")
            else:
                block = stack.pop()
                stack[-1].body.append(block.close(number, at + 1))
                closed = True
        else:
            if text.startswith('"') and not (len(text) > 1 and text.endswith('"')):
                report("FDF004", "the text is not closed", number, at, len(text), 'add a `"`')
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
    head: str, col: int, number: int, comment: str, stack: list[_OpenBlock], broken: bool
) -> None:
    if head.strip():
        stack[-1].body.append(LineNode(head.strip(), number, col, comment, broken=broken))


def _attach(
    comment: str, number: int, stack: list[_OpenBlock], opened: list[_OpenBlock], closed: bool
) -> None:
    """Attach a comment without a statement to the brace before it, or make it a line."""
    if opened and stack[-1] is opened[-1]:
        opened[-1].comment = comment
    elif closed:
        last = stack[-1].body.pop()
        stack[-1].body.append(replace(last, end_comment=comment))
    else:
        stack[-1].body.append(LineNode("", number, 1, comment))
