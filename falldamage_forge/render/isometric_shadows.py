"""Shadows of a sun in the west: they follow each row, so that they are exact and cheap.

A column, deck or tree higher than a surface darkens an interval of the surface's tile.
"""

from __future__ import annotations

from falldamage_forge.board import Board, Feature, Tile

REACH = 0.58
"""Tiles of shadow for each level of height."""
DECK = 0.18
"""Thickness of a drawn deck in levels."""
Interval = tuple[float, float]


def shadow_intervals(board: Board, tile: Tile, level: float) -> tuple[Interval, ...]:
    """Return the intervals of a surface in shadow, west to east, as shares of the tile."""
    intervals = []
    for col in range(tile.col + 1):
        here = Tile(tile.row, col)
        column = board.column(here)
        if col < tile.col and column.level > level:
            intervals.append((0.0, col + 1 + (column.level - level) * REACH - tile.col))
        for deck in board.deck_levels.get(here, ()):
            if deck - DECK > level:
                low = col + (deck - DECK - level) * REACH - tile.col
                intervals.append((low, low + 1 + DECK * REACH))
    return _merged(intervals)


def _merged(intervals: list[Interval]) -> tuple[Interval, ...]:
    merged: list[Interval] = []
    for low, high in sorted(intervals):
        low, high = max(low, 0.0), min(high, 1.0)  # noqa: PLW2901 - clipped to the tile
        if low >= high:
            continue
        if merged and low <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(merged[-1][1], high))
        else:
            merged.append((low, high))
    return tuple(merged)


def feature_shadow(board: Board, tile: Tile, level: float) -> tuple[tuple[float, float], ...]:
    """Return the shadow of the nearest tree or spire to the west on a surface: (row, col) corners.

    The outline is a tapering tongue, clipped to the tile; empty if there is none.
    """
    for back in range(3):
        here = Tile(tile.row, tile.col - back)
        if here not in board or board.column(here).feature is None:
            continue
        feature = board.column(here).feature
        foot = board.column(here).level
        if foot < level:
            continue
        middle = here.col + 0.5
        wide = 0.30 if feature is Feature.TREE else 0.27
        low = middle + (foot - level) * REACH
        tip = middle + (foot + 2 - level) * REACH
        row = here.row + 0.5
        tongue = [
            (row - wide, low),
            (row - wide * 0.75, low + (tip - low) * 0.45),
            (row - 0.03, tip),
            (row + 0.03, tip),
            (row + wide * 0.75, low + (tip - low) * 0.45),
            (row + wide, low),
            (row, low - wide),
        ]
        return _clip(_clip(tongue, tile.col, 1), tile.col + 1, -1)
    return ()


def clip_west(
    points: tuple[tuple[float, float], ...], col: float
) -> tuple[tuple[float, float], ...]:
    """Return the part of an outline east of a column line, so that shadows do not overlap."""
    return _clip(points, col, 1)


def _clip(
    points: list[tuple[float, float]] | tuple[tuple[float, float], ...], limit: float, sign: int
) -> tuple[tuple[float, float], ...]:
    """Return the part of a polygon with `sign * (col - limit) >= 0`."""
    kept: list[tuple[float, float]] = []
    for one, two in zip(points, (*points[1:], *points[:1]), strict=True):
        inside_one, inside_two = sign * (one[1] - limit) >= 0, sign * (two[1] - limit) >= 0
        if inside_one:
            kept.append(one)
        if inside_one != inside_two:
            share = (limit - one[1]) / (two[1] - one[1])
            kept.append((one[0] + (two[0] - one[0]) * share, limit))
    return tuple(kept)
