"""Map blocks: rows of cells to facts, with labels and widths checked."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from falldamage_forge.board import MAX_LEVEL, Tile, column_name
from falldamage_forge.issues import Issue, did_you_mean
from falldamage_forge.lang.ast import Cell, Map, Settings
from falldamage_forge.lang.facts import Fact, Kind

GLYPHS: dict[str, tuple[Kind, str]] = {
    "T": ("feature", "tree"),
    "^": ("feature", "spire"),
    "!": ("ground", "lava"),
    "~": ("ground", "water"),
    "$": ("treasure", ""),
}
WORDS = {name: (kind, name) for kind, name in GLYPHS.values() if name} | {
    "treasure": ("treasure", "")
}
_CELL = re.compile(r"(\d+|[._])?(.*)", re.DOTALL)

Meaning = tuple[int | None, tuple[tuple[Kind, str], ...]]


def read_legend(settings: Settings, issues: list[Issue]) -> dict[str, Meaning]:
    """Glyphs of a `legend` block: an optional level and features, such as `K = 2 spire`."""
    legend: dict[str, Meaning] = {}
    for entry in settings.settings:
        level: int | None = None
        features: list[tuple[Kind, str]] = []
        for word in entry.value.split():
            if word.isdigit() and len(word) <= 2:
                level = int(word)
            elif word in WORDS:
                features.append(WORDS[word])
            else:
                hint = did_you_mean(word, WORDS) or f"known: {', '.join(sorted(WORDS))}"
                message = f"a legend cannot say `{word[:20]}`"
                issues.append(Issue("FDF103", "error", message, entry.span, hint=hint))
        if entry.key in GLYPHS or entry.key.isdigit() or entry.key in "._|":
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
    """Facts of a map block. With `background`, bare cells only fill what nobody else claims."""
    _check_labels(block, issues)
    facts: list[Fact] = []
    width = len(block.header) or (len(block.rows[0].cells) if block.rows else 0)
    for row, line in enumerate(block.rows):
        if len(line.cells) != width:
            message = f"this row has {len(line.cells)} cells, the others have {width}"
            hint = "write `_` for a tile the map says nothing about"
            issues.append(Issue("FDF102", "error", message, line.span, hint=hint))
        for col, cell in enumerate(line.cells):
            facts += _cell_facts(cell, Tile(row, col), legend, issues, background)
    return tuple(facts)


def _check_labels(block: Map, issues: list[Issue]) -> None:
    for col, cell in enumerate(block.header):
        if cell.text != column_name(col):
            message = f"column label `{cell.text}` stands over column {column_name(col)}"
            issues.append(Issue("FDF104", "error", message, cell.span))
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
        message = f"level {base[:9]} is too high; {MAX_LEVEL} is the highest"
        issues.append(Issue("FDF106", "error", message, cell.span, (tile,)))
        return
    features: list[tuple[Kind, str]] = []
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
            issues.append(
                Issue("FDF103", "error", message, cell.span, (tile,), hint=f"known: {known}")
            )
            return
    if level is not None:
        yield Fact("level", (tile,), (level,), span=cell.span)
    elif background and base != "_":
        yield Fact("level", (tile,), (0,), span=cell.span, weak=True)
    elif base == ".":
        yield Fact("level", (tile,), (0,), span=cell.span)
    for kind, name in features:
        levels = (None,) if kind == "treasure" else ()
        yield Fact(kind, (tile,), levels, name, cell.span)
