"""The board of a game in letters: levels, ground, who stands where."""

from __future__ import annotations

from falldamage_forge.board import Feature, column_name
from falldamage_forge.board import Ground as Kind
from falldamage_forge.games.fall_damage.play.spots import spot_name
from falldamage_forge.games.fall_damage.play.state import SIDES, State

GLYPHS = {Kind.WATER: "~", Kind.LAVA: "!", Kind.GROUND: ""}


def drawn(state: State) -> list[str]:
    """The board row by row. Units are `r` or `b` and their number; `$` is a chest, `=` a bridge."""
    land = state.land
    lines = ["    " + "".join(f"{column_name(col):>5}" for col in range(land.cols))]
    for row in range(land.rows):
        cells = [_cell(state, row << 6 | col) for col in range(land.cols)]
        lines.append(f"{row + 1:>3} " + "".join(f"{cell:>5}" for cell in cells))
    return lines


def _cell(state: State, tile: int) -> str:
    column = state.land.column(tile)
    level = column.level + state.land.bricks_on(tile)
    here = [state.units[i] for s, i in sorted(state.occupied.items()) if s >> 4 == tile]
    index = max((i for s, i in state.occupied.items() if s >> 4 == tile), default=-1)
    mark = f"{'rb'[here[-1].side]}{index}" if here else ""
    if not mark and any(chest >> 4 == tile for chest in state.chests):
        mark = "$"
    if not mark and column.feature:
        mark = "T" if column.feature is Feature.TREE else "S"
    deck = "=" if state.land.under_deck(tile) else ""
    ground = GLYPHS[column.ground] if not state.land.bricks_on(tile) else "#"
    return f"{mark}{deck}{ground}{level or '.'}"


def roster(state: State, side: int | None = None) -> list[str]:
    """Who lives, with health, place and what is on them."""
    found = []
    for index, unit in enumerate(state.units):
        if not unit.alive or (side is not None and unit.side != side):
            continue
        marks = [
            name for name in ("vines", "syringe", "thorns", "lead_shoes") if getattr(unit, name)
        ]
        marks += list(unit.items) + (["acted"] if unit.activated else [])
        found.append(
            f"{SIDES[unit.side]:4} {index:2} {unit.card:13} {unit.health}/{unit.max_health} "
            f"{spot_name(unit.spot)} {' '.join(marks)}".rstrip()
        )
    return found
