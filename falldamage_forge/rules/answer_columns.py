"""Columns of answers about movement and targets, for people and for JSON.

A row is a value of `rules/answers.py`; a title is empty if all rows are plain in that respect.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from falldamage_forge.infra.report_table import ReportColumn, Table, row_json, text_lines
from falldamage_forge.rules.json_values import fraction_json, when_json
from falldamage_forge.rules.movement_graph import CostUnit

SURFACE: Table = (
    ReportColumn("tile", value=lambda row: str(row.surface.tile)),
    ReportColumn("level", value="surface.level"),
)
"""Columns of a row's surface in JSON."""


def cost_columns(scale: CostUnit, title: str = "") -> Table:
    """Return the columns of a row's cost, of which people see the text.

    Args:
        scale: Unit of costs of the game.
        title: Head for people; empty for JSON alone.
    """
    return (
        ReportColumn("cost", value=lambda row: fraction_json(scale.exact(row.cost))),
        ReportColumn("told", title, value=lambda row: scale.tell(row.cost)),
        ReportColumn("exact", value=lambda row: str(scale.exact(row.cost))),
    )


TARGETS: Table = (
    *SURFACE,
    ReportColumn(title="surface", value="surface"),
    ReportColumn("bonus", "bonus", "+d"),
)


KINDS = {"step": "walk"}
"""Kinds of steps for people: `step` alone is the piece of half a level."""


def format_turn_chances(when: Mapping[int, Fraction]) -> str:
    """Return `1 turn 1/2, 2 turns 1/2`, or `1 turn`.

    Args:
        when: Chance of each number of turns.
    """
    rows = ((f"{turns} turn{'' if turns == 1 else 's'}", chance) for turns, chance in when.items())
    return ", ".join(name if chance == 1 else f"{name} {chance}" for name, chance in rows)


def _turn_chances(when: Mapping[int, Fraction]) -> str:
    return format_turn_chances(when) or "-"


def _chance(row: Any) -> str:
    return str(row.chance)


def _way_table(scale: CostUnit, checks: bool) -> Table:
    damage = ReportColumn("damage", "damage", value="harm")
    chance = ReportColumn("chance", "chance" if checks else "", value=_chance)
    return (*cost_columns(scale, scale.name), damage, chance)


def reach_table(scale: CostUnit, rows: Sequence[Any]) -> Table:
    """Return the columns of the surfaces that a unit reaches.

    Args:
        scale: Unit of costs of the game.
        rows: The surfaces, each a `ReachedSurface`.
    """
    checks = any(way.chance != 1 for row in rows for way in (row, *row.now))
    spread = any(len(row.when) > 1 for row in rows)
    acts = any(row.acts and row.acts > max(row.turns or 1, 1) for row in rows)
    table = _way_table(scale, checks)

    def told(ways: Iterable[Any]) -> str:
        return "  ".join(",".join(line) for line in text_lines(table, ways)[1:]) or "-"

    def spent(row: Any) -> list[list[int | float]]:
        return [[fraction_json(scale.exact(way.cost)), way.harm] for way in row.now]

    heads = ", ".join(column.title for column in table if column.title)
    return (
        *SURFACE,
        ReportColumn(title="surface", value="surface"),
        ReportColumn("turns", "turns", spec=lambda turns: "-" if turns is None else f"{turns}"),
        ReportColumn("chance", "chance" if checks else "", value=_chance),
        ReportColumn("moves"),
        ReportColumn(title="with chance" if spread else "", spec=_turn_chances, value="when"),
        ReportColumn("acts", "action in turn" if acts else "", lambda turn: str(turn or "-")),
        ReportColumn("when", value=lambda row: when_json(row.when)),
        ReportColumn("one_turn", value=spent),
        ReportColumn("ways", value=lambda row: [row_json(table, way) for way in row.now]),
        ReportColumn(title=f"one turn ({heads})", spec=told, value="now"),
    )


def step_table(scale: CostUnit, move_name: str, steps: Sequence[Any]) -> Table:
    """Return the columns of a path's steps.

    Args:
        scale: Unit of costs of the game.
        move_name: Name of a move; empty in rulesets that do not count moves.
        steps: The steps, each a `PathStep`.
    """
    checks = any(step.chance != 1 for step in steps)
    spots = any(step.spot for step in steps)
    return (
        ReportColumn("turn", "turn"),
        ReportColumn("move", move_name),
        *SURFACE,
        ReportColumn(title="to", value="surface"),
        ReportColumn("spot", "spot" if spots else "", lambda spot: spot or "middle"),
        ReportColumn("kind", "kind", lambda kind: KINDS.get(kind, kind)),
        *cost_columns(scale, scale.name),
        ReportColumn("damage", "damage", value="harm"),
        ReportColumn("chance", "chance" if checks else "", value=_chance),
        ReportColumn("risk", "else" if checks else ""),
    )
