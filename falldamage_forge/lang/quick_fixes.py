"""Quick fixes: small changes of the text that an issue's message proposes, or that its cures need.

A proposal may fail on a given map. `cures_of` therefore applies each to the text, reads it again,
and takes the first after which the issue is gone and no other was added. The studio and the
language server offer it as a button.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple

from falldamage_forge.issues import Cure, Issue
from falldamage_forge.lang.parser import KEYWORDS

REMOVABLE = frozenset(
    "FDF107 FDF138 FDF142 FDF144 FDF160 FDF161 FDF299 FDF313 FDF372 FDF373".split()  # noqa: SIM905
)
"""Codes of statements that say nothing more than another one, or nothing that the map can have."""
_T = r"[A-Z]{1,2}\d+"
_SOME = rf"{_T}(?:(?:, | and ){_T})*"
_END = r"(?=$|, or |\. )"
ADDED: Mapping[str, str] = {
    r"(\S+)@\d+ rises \d+ above (\S+)@\d+;": r"ladder \2 -> \1",
}
"""Statements to add below the line, by the pattern of the hint."""


class Rewriting(NamedTuple):
    """An edit that words of a hint propose: `line` and `added` may use the groups of `hint`.

    Attributes:
        hint: Pattern of the words, up to the end of an alternative.
        old: Pattern in the statement's line; empty if the line stays. `{n}` is group n of `hint`.
        new: Text in its place.
        added: Statement to add below the line; empty for none.
    """

    hint: str
    old: str = ""
    new: str = ""
    added: str = ""


REWRITINGS: tuple[Rewriting, ...] = (
    Rewriting(rf"\bmake ({_SOME}) level (\d+){_END}", added="stack {1} height {2}"),
    Rewriting(
        rf"\bmake ({_SOME}) level (\d+) and write `([^`]+)`", r"\S.*", "{3}", "stack {1} height {2}"
    ),
    Rewriting(
        rf"\braise ({_SOME}) and the bridge to level (\d+)", r"\blevel \d+", "level {2}",
        "stack {1} height {2}",
    ),
    Rewriting(r"\bgive the bridge level (\d+)", r"\blevel \d+", "level {1}"),
    Rewriting(
        rf"\bmake ({_T}) level (\d+) and lay one bridge (\S+ -> \S+) and one (\S+ -> {_T})",
        r"bridge \S+ -> \S+(.*)", r"bridge {3}\1\nbridge {4}\1", "stack {1} height {2}",
    ),
    Rewriting(rf"\blay a plain bridge \S+ -> {_T} in place", r" arch\b", ""),
    Rewriting(rf"\blean the ladder on ({_T}) from ({_T})", r"ladder .*", "ladder {2} -> {1}"),
    Rewriting(r"\bswap the two tiles\b", r"ladder (\S+) -> (\S+)", r"ladder \2 -> \1"),
    Rewriting(
        rf"\b(?:start|put the \w+) on ({_T}) instead of ({_T})\b(?!@)", r"\b{2}\b(?!@)", "{1}"
    ),
    Rewriting(r"\btake the (ladder|step|battlement) (?:away|off)\b", r"{1} .*", ""),
    Rewriting(rf"\btake the (\w+) off ({_T})\b", r"{1} at {2}$", ""),
    Rewriting(r"\btake the bridge (\S+ -> \S+) of level \d+ away", r"bridge {1}\b.*", ""),
)  # fmt: skip
"""Edits by the words of hints that are no statements."""
REPLACED: Mapping[str, tuple[str, str]] = {
    r"\b(\d+) is (?:too high;|out of range; \d+ to) (\d+)": (r"\b{0}\b", "{1}"),
    r"^the label of \S+ (\S+) is (\S+)$": (r"^(\s*){1}\b", r"\g<1>{0}"),
    r"there is no surface at level (\d+) for its foot on (\S+)": (r"{1}@{0}\b", "{1}"),
    r"`(\S+)` is not a length; write for example ([^,\s]+)": (r"\b{0}\b", "{1}"),
}
"""Pattern and text of a replacement in the line, by the pattern of the message with its groups."""
_OPEN = re.compile(r'[A-Z]{4}|"FILE"|^(allow|mirror|rotate)\b|(\{| N)$')
"""Statements with a word to fill in, a reason, or a block."""
MOST_TRIED = 8
"""Greatest number of issues of a text for which fixes are tried."""


class QuickFix(NamedTuple):
    """A proposed change: `text` in place of the columns from `first` to before `last` of a line.

    Lines count from 1, columns from 0. `text` may hold line ends.

    Attributes:
        line: The line.
        first: First column.
        last: Column after the last one, in the line `more` lines below.
        text: The new text.
        more: Further lines of the range.
        words: The change in words; empty if the text says it.
    """

    line: int
    first: int
    last: int
    text: str
    more: int = 0
    words: str = ""

    def applied(self, lines: Sequence[str]) -> str:
        """Return the text of these lines after the change."""
        row, end = self.line - 1, self.line - 1 + self.more
        changed = lines[row][: self.first] + self.text + lines[end][self.last :]
        return "\n".join((*lines[:row], changed, *lines[end + 1 :]))


Read = Callable[[str], Sequence[Issue]]
"""Returns the issues of a text, unfolded."""


class Trial(NamedTuple):
    """How a changed text is tried: `read` finds issues fast, `judge` finds all.

    Attributes:
        read: Finds the issues of a text alone.
        judge: Finds all issues of a text.
        most_judged: Most issues that only `judge` finds and that are tried.
        become: Returns the text whose board has these elements; None if no edit leads there.
    """

    read: Read
    judge: Read
    most_judged: int = MOST_TRIED
    become: Callable[[frozenset[Any]], str | None] = lambda _: None


def cures_of(issues: Sequence[Issue], text: str, name: str, trial: Trial) -> list[QuickFix | None]:
    """Return for each issue a change that was tried and corrects it, or None.

    Args:
        issues: The issues of the text, unfolded.
        text: The text.
        name: Its file name; issues in other files have no cure.
        trial: Tries a changed text.
    """
    lines, left = text.splitlines(), {False: MOST_TRIED, True: trial.most_judged}
    offers = [
        (list(proposals(issue, lines)), issue.cures) if _is_here(issue, lines, name) else ([], ())
        for issue in issues
    ]
    asked = any(proposed or cures for proposed, cures in offers)
    readable = {(one.code, one.message) for one in trial.read(text)} if asked else set()
    found: list[QuickFix | None] = []
    for issue, (proposed, cures) in zip(issues, offers, strict=True):
        judged = (issue.code, issue.message) not in readable
        left[judged] -= bool(proposed or cures)
        read = trial.judge if judged else trial.read
        fixes = chain(proposed, _board_fixes(cures, lines, trial))
        tried = (fix for fix in fixes if _corrects(fix, issue, issues, lines, read))
        found.append(next(tried, None) if left[judged] >= 0 else None)
    return found


def _board_fixes(cures: Sequence[Cure], lines: Sequence[str], trial: Trial) -> Iterator[QuickFix]:
    """Yield changes of the text that change its board as tried cures do."""
    for cure in cures:
        after = trial.become(cure.things)
        if after is not None:
            yield _between("\n".join(lines), after.removesuffix("\n"), cure.words)


def _between(before: str, after: str, words: str) -> QuickFix:
    """Return the change of one range that turns a text into another."""
    start = _alike(before, after)
    same = _alike(before[start:][::-1], after[start:][::-1])
    line, first = _place(before, start)
    end, last = _place(before, len(before) - same)
    return QuickFix(line, first, last, after[start : len(after) - same], end - line, words)


def _alike(one: str, other: str) -> int:
    """Return the number of characters with which both texts begin."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))


def _place(text: str, at: int) -> tuple[int, int]:
    """Return the line and the column of a character."""
    return text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at) - 1


def _is_here(issue: Issue, lines: Sequence[str], name: str) -> bool:
    span = issue.span
    return span is not None and span.file == name and span.line <= len(lines)


def _corrects(
    fix: QuickFix, issue: Issue, issues: Sequence[Issue], lines: Sequence[str], read: Read
) -> bool:
    """True if the issue is gone and the only new code of an error is on the changed line."""
    after = read(fix.applied(lines) + "\n")
    kind = issue.code, issue.message
    left, had = ([(x.code, x.message) for x in found].count(kind) for found in (after, issues))
    stays = any((x.code, x.span) == (issue.code, issue.span) for x in after)
    known = {x.code for x in issues}
    new = (x for x in after if x.severity == "error" and x.code not in known)
    return left < had and not stays and all(x.span and x.span.line == fix.line for x in new)


def proposals(issue: Issue, lines: Sequence[str]) -> Iterator[QuickFix]:
    """Yield the changes that an issue's message and hint propose, the likeliest first.

    Args:
        issue: An issue with a place.
        lines: Lines of its text.
    """
    assert issue.span
    at, hint = issue.span.line, issue.hint or ""
    line = lines[at - 1]
    first = issue.span.col - 1
    last = issue.span.end_col - 1 if issue.span.end_line == at else len(line)
    start, code = len(line) - len(line.lstrip()), line.partition("#")[0].rstrip()
    if near := _near_word(line, first, last, f"{issue.message}\n{hint}"):
        yield QuickFix(at, *near)
    for each in REWRITINGS:
        for match in re.finditer(each.hint, hint):
            yield from _rewritten(each, match, at, line, code)
    if both := re.search(r"\badd `[^`]+` and `[^`]+`", hint):
        added = "".join(f"\n{text}" for text in statements(both[0]))
        yield QuickFix(at, len(line), len(line), added)
    for text in statements(hint):
        if "as the first statement" in hint:
            yield QuickFix(1, 0, 0, f"{text}\n")
            continue
        if code.split()[:1] == text.split()[:1] or "no statement" in issue.message:
            yield QuickFix(at, start, len(code), text)
        yield QuickFix(at, len(line), len(line), f"\n{text}")
    for pattern, added in ADDED.items():
        if said := re.search(pattern, hint):
            yield QuickFix(at, len(line), len(line), f"\n{said.expand(added)}")
    for pattern, (old, new) in REPLACED.items():
        if said := re.search(pattern, issue.message):
            quoted = map(re.escape, said.groups())
            changed = re.sub(old.format(*quoted), new.format(*said.groups()), line, count=1)
            if changed != line:
                yield QuickFix(at, 0, len(line), changed)
    if said := re.match(r"add a `(.)`(?: before line (\d+))?", hint):
        before = min(int(said[2] or 0), len(lines))
        yield (
            QuickFix(before, 0, 0, f"{said[1]}\n")
            if before
            else QuickFix(at, len(code), len(code), said[1])
        )
    if said := re.match(r"this row has (\d+) cells, the others have (\d+)", issue.message):
        yield QuickFix(at, len(code), len(code), " _" * (int(said[2]) - int(said[1])))
    if said := re.match(r"write `[^`{]+\{ ([^`]+) \}`, without `[=:]", hint):
        yield QuickFix(at, first, last, said[1])
    if hint == "delete it":
        yield QuickFix(at, first, last, "")
    if issue.code in REMOVABLE and not code.endswith("{"):
        yield QuickFix(at, start, len(code), "")


def _rewritten(
    each: Rewriting, said: re.Match[str], at: int, line: str, code: str
) -> Iterator[QuickFix]:
    """Yield the edit of a statement's line that words of a hint propose."""
    groups = ("", *said.groups())
    added = each.added.format(*groups).replace(" and ", ", ")
    if not each.old:
        yield QuickFix(at, len(line), len(line), f"\n{added}")
        return
    new = each.new.format(*groups)
    changed = re.sub(each.old.format(*map(re.escape, groups)), new, code, count=1)
    if changed != code:
        first = len(code) - len(code.lstrip())
        yield QuickFix(at, first, len(code), "\n".join(filter(None, (changed[first:], added))))


def statements(hint: str) -> list[str]:
    """Return the whole statements that a hint quotes and that need nothing filled in."""
    quoted = (text for text in re.findall(r"`([^`…]+)`", hint) if " " in text)
    return [text for text in quoted if text.split()[0] in KEYWORDS and not _OPEN.search(text)]


def _near_word(line: str, first: int, last: int, message: str) -> tuple[int, int, str] | None:
    """Return the place of the word that is nearest to a proposed one, and the proposed one."""
    near = re.search(r"did you mean `([^`]+)`", message)
    if not near:
        return None
    words = {word[0]: word for word in re.finditer(r"[^\s{}]+", line[first:last])}
    nearest = difflib.get_close_matches(near[1], words, n=1, cutoff=0.5)
    if len(words) > 1 and nearest:
        place = words[nearest[0]]
        return first + place.start(), first + place.end(), near[1]
    return first, last, near[1]
