"""Expansion notes: a note on each issue in copied terrain for the step that copied it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from falldamage_forge.issues import Issue, Note, SourceSpan
from falldamage_forge.lang.board_builder import EXPAND
from falldamage_forge.lang.facts import Fact


def with_expansion_notes(issues: Iterable[Issue], facts: Iterable[Fact]) -> tuple[Issue, ...]:
    """Return issues with expansion notes; of copies with one issue only the least moved stays.

    Args:
        issues: Issues of the board.
        facts: Facts of the source, with their expansion steps.
    """
    by_span: dict[SourceSpan, list[Fact]] = {}
    for fact in facts:
        if fact.span:
            by_span.setdefault(fact.span, []).append(fact)
    best: dict[object, tuple[int, Issue]] = {}
    for number, issue in enumerate(issues):
        nearest = _nearest(issue, by_span)
        if nearest is None:
            best[number] = (0, issue)
            continue
        key, depth = (issue.code, issue.span, nearest.source), len(nearest.chain)
        if key not in best or depth < best[key][0]:
            best[key] = (depth, _noted(issue, nearest))
    return tuple(issue for _, issue in best.values())


def _nearest(issue: Issue, by_span: dict[SourceSpan, list[Fact]]) -> Fact | None:
    """Return the least moved fact of an issue's statement and tiles."""
    facts = _of_statement(issue, by_span)
    return min(facts, key=lambda fact: len(fact.chain), default=None)


def _of_statement(issue: Issue, by_span: dict[SourceSpan, list[Fact]]) -> Iterator[Fact]:
    for fact in by_span.get(issue.span, ()) if issue.span else ():
        if set(issue.tiles) & set(fact.tiles):
            yield fact


def _noted(issue: Issue, fact: Fact) -> Issue:
    if not fact.chain:
        return issue
    via = fact.chain[-1]
    note = Note(via.span, f"`{via.text}` brings it to {fact.tiles[0]}")
    hint = f"{issue.hint}; {EXPAND}" if issue.hint else EXPAND
    return replace(issue, notes=(*issue.notes, note), hint=hint)
