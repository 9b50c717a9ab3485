"""Issue formatter for terminals: code, message, place, underlined line, notes, hint."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace

from falldamage_forge.diagnostics.issue_folding import following, unfolded
from falldamage_forge.infra.visible_text import clipped, one_line, visible
from falldamage_forge.issues import Issue, SourceSpan

LONGEST = 800
"""Greatest number of characters of a message, hint or note; longer ones hold text of the user."""
SHOWN = 160
"""Greatest number of characters of a quoted source line."""

COLOURS = {"error": "\033[1;31m", "warning": "\033[1;33m", "info": "\033[1;36m"}
BOLD, BLUE, RESET = "\033[1m", "\033[34m", "\033[0m"


def render_text(
    issues: Iterable[Issue],
    sources: Mapping[str, str] | None = None,
    *,
    colour: bool = False,
    whole: bool = False,
    say: Callable[[str], str] = str,
) -> str:
    """Return issues as text, separated by blank lines.

    Args:
        issues: The issues.
        sources: Texts to quote, by the file names in the issues' spans.
        colour: True for ANSI colours.
        whole: True to print followers; otherwise they are counted.
        say: Translates the words around the issues' own texts.
    """
    lines = {name: text.split("\n") for name, text in (sources or {}).items()}
    if whole:
        issues = (replace(issue, followers=(), count=1) for issue, _ in unfolded(issues))
    blocks = ("\n".join(_block(issue, lines, colour, say)) for issue in issues)
    return "\n\n".join(blocks)


def _told(text: str) -> str:
    return visible(clipped(text, LONGEST))


def _place(span: SourceSpan) -> str:
    return f"{one_line(span.file)}:{span.line}:{span.col}"


def _paint(text: str, code: str, colour: bool) -> str:
    return f"{code}{text}{RESET}" if colour else text


def _block(
    issue: Issue, sources: Mapping[str, list[str]], colour: bool, say: Callable[[str], str]
) -> Iterator[str]:
    tag = _paint(f"{say(issue.severity)}[{issue.code}]", COLOURS[issue.severity], colour)
    yield f"{tag}{_paint(':', BOLD, colour)} {_paint(_told(issue.message), BOLD, colour)}"
    marks: list[tuple[SourceSpan, str, str]] = []
    elsewhere: list[tuple[SourceSpan, str]] = []
    if issue.span:
        marks.append((issue.span, "^", ""))
        for note in issue.notes:
            if note.span.file == issue.span.file:
                marks.append((note.span, "-", note.message))
            else:
                elsewhere.append((note.span, note.message))
    else:
        elsewhere = [(note.span, note.message) for note in issue.notes]
    width = max((len(str(span.line)) for span, _, _ in marks), default=1)
    if issue.span:
        yield from _quote(issue.span, marks, sources, width, colour)
    for span, message in elsewhere:
        yield f"{' ' * width} = {say('note')}: {_told(message)} ({_place(span)})"
    if more := following(issue):
        follow = "1 more follows" if more == 1 else f"{more} more follow"
        yield f"{' ' * width} = {say(f'note: {follow} from it; `fdforge check --all` tells them')}"
    if issue.hint:
        yield f"{' ' * width} = {say('help')}: {_told(issue.hint)}"


def _quote(
    span: SourceSpan,
    marks: list[tuple[SourceSpan, str, str]],
    sources: Mapping[str, list[str]],
    width: int,
    colour: bool,
) -> Iterator[str]:
    gutter = _paint(" " * width + " |", BLUE, colour)
    yield f"{' ' * width}{_paint('-->', BLUE, colour)} {_place(span)}"
    lines = sources.get(span.file)
    if not lines:
        return
    yield gutter
    for place, sign, message in sorted(marks, key=lambda mark: (mark[0].line, mark[0].col)):
        if not 1 <= place.line <= len(lines):
            continue
        text = lines[place.line - 1].replace("\t", " ").rstrip("\r")
        before, marked = text[: place.col - 1], text[place.col - 1 : place.end_col - 1]
        yield f"{_paint(f'{place.line:>{width}} |', BLUE, colour)} {visible(text[:SHOWN])}"
        underline = " " * len(visible(before)) + sign * max(len(visible(marked)), 1)
        underline += f" {_told(message)}" if message else ""
        yield f"{gutter} {_paint(underline, BLUE if message else COLOURS['error'], colour)}"
