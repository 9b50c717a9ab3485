"""Models on a board: their facts with the level below them, and the columns that they make."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from falldamage_forge.board import MAX_LEVEL, Column, Feature, Ground, Tile
from falldamage_forge.issues import Issue
from falldamage_forge.lang.facts import Fact, occupied_tiles


def stand_models(
    facts: Iterable[Fact], columns: Mapping[Tile, Column], issues: list[Issue]
) -> tuple[list[Fact], dict[Tile, Column]]:
    """Return the facts of models that can stand, and the columns with them.

    Args:
        facts: Facts of models on the board.
        columns: Columns without models.
        issues: Gets FDF106 and FDF148 for models that cannot stand.
    """
    made = dict(columns)
    stood: list[Fact] = []
    owner: dict[Tile, str] = {}
    for fact in dict.fromkeys(facts):
        tiles = occupied_tiles(fact.kind, fact.tiles)
        level = columns[tiles[0]].level
        why, where = _obstacle(tiles, columns, owner)
        place = fact.placed or fact.span
        if why:
            message = f"the model `{fact.name}` cannot stand on {where}: {why}"
            hint = "it stands on plain columns of one level, alone"
            issues.append(Issue("FDF148", "error", message, place, (where,), hint))
            continue
        high = max(top for top, _ in fact.tops)
        if level + high > MAX_LEVEL:
            message = f"level {level + high} is out of range; 0 to {MAX_LEVEL} can be built"
            hint = f"the model `{fact.name}` adds {high:+d} to it"
            issues.append(Issue("FDF106", "error", message, place, tiles, hint))
            continue
        owner |= dict.fromkeys(tiles, fact.name)
        stood.append(replace(fact, levels=(level,)))
        for tile, (top, _) in zip(tiles, fact.tops, strict=True):
            spire = Feature.SPIRE if top < 0 else None
            made[tile] = Column(level + max(top, 0), Ground.GROUND, spire, place)
    return stood, made


def _obstacle(
    tiles: tuple[Tile, ...], columns: Mapping[Tile, Column], owner: Mapping[Tile, str]
) -> tuple[str, Tile]:
    """Return why no model can stand on some tiles, and where; empty if one can."""
    level = columns[tiles[0]].level
    for tile in tiles:
        column = columns[tile]
        if tile in owner:
            return f"the model `{owner[tile]}` stands there", tile
        if column.feature is not None:
            return f"a {column.feature} stands there", tile
        if column.ground is not Ground.GROUND:
            return f"it is {column.ground}", tile
        if column.level != level:
            return f"it is level {column.level}, and {tiles[0]} is level {level}", tile
    return "", tiles[0]
