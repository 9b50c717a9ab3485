"""Map blocks: rows of cells to facts, with checks of labels and widths."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace

from falldamage_forge.board import MAX_LEVEL, Tile, column_name
from falldamage_forge.elements import ELEMENTS, FOLLOW
from falldamage_forge.infra.look_alikes import look_alike_hint
from falldamage_forge.infra.visible_text import clipped
from falldamage_forge.issues import Issue, SourceSpan, did_you_mean
from falldamage_forge.lang.ast import Cell, Map, Settings
from falldamage_forge.lang.ast_builder import MOST_SHOWN
from falldamage_forge.lang.facts import Fact

GLYPHS: dict[str, tuple[str, str]] = {
    x.glyph: (x.fact, x.word if x.valued else "") for x in ELEMENTS.values() if x.glyph
}
"""Kind and name of the facts of each glyph."""
WORDS = {x.word: GLYPHS[x.glyph] for x in ELEMENTS.values() if x.glyph}
_CELL = re.compile(r"([0-9]+|[._])?(.*)", re.DOTALL)

Meaning = tuple[int | None, tuple[tuple[str, str], ...]]


def read_legend(settings: Settings, issues: list[Issue]) -> dict[str, Meaning]:
    """Return the meanings of a `legend` block's glyphs, such as `K = 2 spire`.

    Args:
        settings: The block.
        issues: Gets FDF103 for unknown words and glyphs that are already defined.

    Returns:
        By glyph an optional level and its elements.
    """
    legend: dict[str, Meaning] = {}
    for entry in settings.settings:
        level: int | None = None
        features: list[tuple[str, str]] = []
        for word in entry.value.split():
            if re.fullmatch("[0-9]{1,2}", word):
                level = int(word)
            elif word in WORDS:
                features.append(WORDS[word])
            else:
                hint = did_you_mean(word, WORDS) or f"known: {', '.join(sorted(WORDS))}"
                message = f"a legend has no element `{word[:20]}`"
                issues.append(Issue("FDF103", "error", message, entry.span, hint=hint))
                features.append(("tainted", ""))
        if not entry.value:  # the AST builder reported it
            features.append(("tainted", ""))
        if entry.key in GLYPHS or entry.key in "0123456789._|":
            message = f"the glyph `{entry.key}` has a meaning already"
            issues.append(
                Issue("FDF103", "error", message, entry.span, hint="choose another character")
            )
        else:
            legend[entry.key] = (level, tuple(features))
    return legend


def map_facts(
    block: Map, legend: Mapping[str, Meaning], issues: list[Issue], *, background: bool
) -> tuple[Fact, ...]:
    """Return the facts of a map block.

    Args:
        block: The block.
        legend: Meanings of the legend's glyphs.
        issues: Gets errors of labels (FDF104), widths (FDF102), glyphs (FDF103) and levels
            (FDF106).
        background: True if bare cells set level 0 weakly, so that other statements replace them.
    """
    _check_labels(block, issues)
    facts: list[Fact] = []
    cell_issues: list[Issue] = []
    width = modal_row_width(block)
    for row, line in enumerate(block.rows):
        if len(line.cells) != width:
            message = f"this row has {len(line.cells)} cells, the others have {width}"
            hint = "write `_` for a tile that the map leaves open"
            issues.append(Issue("FDF102", "error", message, line.span, hint=hint))
        for col, cell in enumerate(line.cells):
            facts += _cell_facts(cell, Tile(row, col), legend, cell_issues, background)
    issues += _each_once(cell_issues)
    return tuple(facts)


def modal_row_width(block: Map) -> int:
    """Return the number of cells of most rows; the header decides between equal counts."""
    counts = Counter(len(line.cells) for line in block.rows)
    counts[len(block.header)] += bool(block.header)
    return max(counts, key=lambda width: (counts[width], width == len(block.header), width))


def label_spans(block: Map) -> set[SourceSpan]:
    """Return the source spans where wrong labels of a map are reported."""
    return {cell.span for cell in block.header} | {line.span for line in block.rows}


def _each_once(cell_issues: list[Issue]) -> Iterator[Issue]:
    """Yield each error that several cells share once, at the first cell."""
    alike: dict[str, list[Issue]] = {}
    for issue in cell_issues:
        alike.setdefault(issue.message, []).append(issue)
    for message, group in alike.items():
        more = f", as in {len(group) - 1} more" if len(group) > 1 else ""
        tiles = tuple(tile for issue in group for tile in issue.tiles)
        yield replace(group[0], message=message + more, tiles=tiles)


def _near_glyph(glyph: str, legend: Mapping[str, Meaning]) -> str | None:
    """Return the hint for a glyph that is often confused with another."""
    if glyph in ",;|":
        return "cells are separated by blanks alone"
    if glyph == "-":
        return "bare board is `.`, and `_` leaves a tile open"
    other = glyph.swapcase()
    return f"did you mean `{other}`?" if other in GLYPHS or other in legend else None


def _check_labels(block: Map, issues: list[Issue]) -> None:
    for col, cell in enumerate(block.header):
        if cell.text != column_name(col):
            message = f"column label `{cell.text}` stands over column {column_name(col)}"
            hint = "columns are A, B, C … from the left, without gaps"
            issues.append(Issue("FDF104", "error", message, cell.span, hint=hint))
            return
    labelled = [line for line in block.rows if line.label is not None]
    for row, line in enumerate(block.rows):
        if line.label not in (None, row + 1) or (labelled and line.label is None):
            label = line.label or "missing"
            message = f"the label of row {row + 1} is {label}"
            hint = "rows are counted from 1, without gaps"
            issues.append(Issue("FDF104", "error", message, line.span, hint=hint))
            return


def _cell_facts(
    cell: Cell, tile: Tile, legend: Mapping[str, Meaning], issues: list[Issue], background: bool
) -> Iterator[Fact]:
    base, glyphs = _CELL.fullmatch(cell.text).groups()  # type: ignore[union-attr]
    level: int | None = int(base) if base and base.isdigit() and len(base) <= 3 else None
    if base and base.isdigit() and (level is None or level > MAX_LEVEL):
        message = f"level {clipped(base, MOST_SHOWN)} is too high; {MAX_LEVEL} is the highest"
        issues.append(Issue("FDF106", "error", message, cell.span, (tile,)))
        return
    features: list[tuple[str, str]] = []
    for glyph in glyphs:
        if glyph in GLYPHS:
            features.append(GLYPHS[glyph])
        elif glyph in legend:
            meant, more = legend[glyph]
            level = meant if level is None else level
            features += more
        else:
            known = ", ".join(f"`{g}`" for g in ("digits", ".", "_", *GLYPHS, *legend))
            message = f"unknown glyph `{glyph}` in the cell `{cell.text[:20]}`"
            hint = (
                look_alike_hint(cell.text, cell.span.col)
                or _near_glyph(glyph, legend)
                or f"known: {known}"
            )
            issues.append(Issue("FDF103", "error", message, cell.span, (tile,), hint=hint))
            return
    if level is not None:
        yield Fact("level", (tile,), (level,), span=cell.span)
    elif background and base != "_":
        yield Fact("level", (tile,), (0,), span=cell.span, weak=True)
    elif base == ".":
        yield Fact("level", (tile,), (0,), span=cell.span)
    for kind, name in features:
        levels = (None,) if kind in FOLLOW else ()
        yield Fact(kind, (tile,), levels, name, cell.span)
