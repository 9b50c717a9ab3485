"""Values of messages as JSON: boards, the changes of a preview, issues, metrics."""

from __future__ import annotations

from collections import defaultdict
from itertools import islice
from typing import TYPE_CHECKING, Any

from falldamage_forge.diagnostics.issue_folding import unfolded
from falldamage_forge.diagnostics.machine_formatters import issue_json
from falldamage_forge.infra.visible_text import visible_in
from falldamage_forge.issues.code_tables import codes
from falldamage_forge.metrics.metric_reasons import REASONS
from falldamage_forge.studio.board_solids import solids_table

if TYPE_CHECKING:
    from falldamage_forge.board import Board, Tile
    from falldamage_forge.issues import Issue
    from falldamage_forge.lang.quick_fixes import Trial
    from falldamage_forge.rules.answers import Metric

MAX_LINES = 6
"""Greatest number of changed lines that a preview shows."""
COLUMN = "column"
"""Name of removed levels."""


def board_table(board: Board) -> dict[str, Any]:
    """Return a board as JSON: tiles are [row, col] from 0, columns [level, ground, feature]."""
    return {
        "rows": board.rows,
        "cols": board.cols,
        "columns": [
            [c.level, c.ground.value, c.feature and c.feature.value] for c in board.columns
        ],
        "decks": [
            {"a": d.a, "b": d.b, "level": d.level, "arch": d.arch, "tiles": d.tiles}
            for d in board.decks
        ],
        "ladders": [
            {"foot": x.foot, "low": x.foot_level, "top": x.top, "high": x.top_level}
            for x in board.ladders
        ],
        "chests": [[*chest.tile, chest.level] for chest in board.treasures],
        "starts": [
            {"side": zone.side, "places": [[*tile, level] for tile, level in zone.surfaces]}
            for zone in board.starts
        ],
        "battlements": [{"tile": x.tile, "sides": x.sides} for x in board.battlements],
        "steps": [step.tile for step in board.steps],
        "fittings": [
            {"kind": x.kind, "tile": x.tile, "level": x.level, "sides": x.sides, "name": x.name}
            | {"length": x.length_um, "ends": x.ends}
            for x in board.fittings
        ],
        **solids_table(board),
    }


def changed_tiles(before: Board, after: Board) -> list[list[int]]:
    """Return the tiles where two boards of one size differ: [row, col, level after, before].

    Under a changed bridge both levels are the bridge's: the column stays.

    Args:
        before: First board.
        after: Second board.
    """
    from falldamage_forge.elements.things import things_of
    from falldamage_forge.lang.edit.board_elements import element_tiles, spanned

    if (before.rows, before.cols) != (after.rows, after.cols):
        return []

    changed = things_of(before) ^ things_of(after)
    tiles = {tile for thing in changed for tile in element_tiles(thing)}
    over = {t: x.levels[0] for x in changed if x.kind == "deck" for t in spanned(x)}
    return [
        [
            *tile,
            *(
                [over[tile]] * 2
                if tile in over
                else [x.column(tile).level for x in (after, before)]
            ),
        ]
        for tile in sorted(tiles | over.keys())
    ]


def removed_things(before: Board, after: Board, *, columns: bool) -> list[tuple[str, list[Tile]]]:
    """Return the elements of a board that another one lacks, as names with sorted tiles.

    Args:
        before: The board.
        after: The other board.
        columns: True to count columns of another level, too.
    """
    from falldamage_forge.elements import KINDS, SIDED
    from falldamage_forge.elements.things import things_of
    from falldamage_forge.lang.edit.board_elements import element_tiles

    left = things_of(after)
    gone: dict[str, set[Tile]] = defaultdict(set)
    same = {(x.kind, x.tiles) for x in left if x.kind not in ("ground", "feature")}
    for x in things_of(before) - left:
        moved = (x.kind, x.tiles) in same
        if columns if x.kind == "level" else not moved:
            element = KINDS[x.kind]
            name = x.name if element.valued else element.word
            name = COLUMN if element.form == "column" else name
            gone[f"{name}-{x.name}" if x.kind in SIDED else name] |= {*element_tiles(x)}
    return [(name, sorted(tiles)) for name, tiles in sorted(gone.items())]


def changed_lines(before: str, after: str) -> list[list[str]]:
    """Return the first lines in which two texts differ, as [`-` or `+`, line].

    Args:
        before: First text.
        after: Second text.
    """
    from difflib import unified_diff

    rows = unified_diff(before.splitlines(), after.splitlines(), n=0, lineterm="")
    changed = ([row[0], row[1:]] for row in islice(rows, 2, None) if row[0] in "+-")
    return list(islice(changed, MAX_LINES))


def issues_table(
    issues: tuple[Issue, ...], text: str, name: str, trial: Trial | None = None
) -> list[dict[str, Any]]:
    """Return issues as `check --format json` prints them, each with its rule as `why`.

    Its quick fix is `fix`, or null.

    Args:
        issues: The issues.
        text: The session's text.
        name: Its file name; issues in other files have no quick fix.
        trial: Tries a changed text; None for no fixes.
    """
    from falldamage_forge.lang.quick_fixes import cures_of

    every = each(issues)
    cures = cures_of(every, text, name, trial) if trial else [None] * len(every)
    return [
        {**_told(issue, cause), "why": _why(issue.code), "fix": cure and cure._asdict()}
        for (issue, cause), cure in zip(unfolded(issues), cures, strict=True)
    ]


def each(issues: tuple[Issue, ...]) -> list[Issue]:
    """Return issues one by one, unfolded."""
    return [issue for issue, _ in unfolded(issues)]


def _why(code: str) -> str:
    """Return why a code is a defect; empty for a code without a table."""
    entry = codes().get(code)
    return entry.why if entry else ""


def _told(issue: Issue, cause: int | None) -> dict[str, Any]:
    table = issue_json(issue, cause)
    return {**table, **{key: visible_in(table[key]) for key in ("message", "hint", "notes")}}


def metric_table(metric: Metric) -> dict[str, Any]:
    """Return a metric with its verdict, and the rule behind it, as JSON values."""
    return {
        "name": metric.name,
        "verdict": metric.verdict,
        "text": metric.text,
        "why": REASONS.get(metric.name, ""),
        "tiles": [str(tile) for tile in metric.tiles],
    }
