"""Area rewriting: tiles removed from or added to areas and map cells, the rest kept as written."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

from falldamage_forge.board import Tile
from falldamage_forge.lang import ast
from falldamage_forge.lang.edit.text_edits import Patch
from falldamage_forge.lang.facts import Extent
from falldamage_forge.lang.map_block import GLYPHS, Meaning

SIGNS = {meaning: sign for sign, meaning in GLYPHS.items()}
Mark = tuple[str, str]
_CELL = re.compile(r"([0-9]+|[._])?(.*)", re.DOTALL)


class AreaTile(NamedTuple):
    """A tile as an area writes it; a level of None means the top of its column."""

    tile: Tile
    level: int | None = None

    def __str__(self) -> str:
        return str(self.tile) + ("" if self.level is None else f"@{self.level}")


def cover_with_rectangles(spots: Iterable[AreaTile]) -> str:
    """Return rectangles and single tiles that cover exactly some tiles, north-west first."""
    left = dict.fromkeys(sorted(spots, key=lambda spot: (spot.tile, spot.level or 0)))
    parts = []
    while left:
        first = next(iter(left))
        best = _largest(first, left)
        for spot in best:
            del left[spot]
        last = max(best)
        parts.append(f"{first}..{last.tile}" if len(best) > 1 else str(first))
    return ", ".join(parts)


def _largest(first: AreaTile, among: Collection[AreaTile]) -> list[AreaTile]:
    """Return the largest full rectangle whose north-western corner is the first tile."""
    best = [first]
    width = None
    row = first.tile.row
    while width is None or width:
        run = 0
        while (width is None or run < width) and (
            AreaTile(Tile(row, first.tile.col + run), first.level) in among
        ):
            run += 1
        width = run
        rows, cols = range(first.tile.row, row + 1), range(first.tile.col, first.tile.col + run)
        found = [AreaTile(Tile(r, c), first.level) for r in rows for c in cols]
        if len(found) > len(best):
            best = found
        row += 1
    return best


def item_tiles(item: ast.Item, box: Extent) -> set[Tile]:
    """Return the tiles of one entry of an area, within an extent.

    Args:
        item: A tile, rectangle, ring, row, column or `all`.
        box: Extent in which rows, columns and `all` are resolved.
    """
    rows, cols = range(box.rows), range(box.cols)
    if item.kind == "row":
        return {Tile(item.index, col) for col in cols}
    if item.kind == "col":
        return {Tile(row, item.index) for row in rows}
    if item.kind == "all":
        return set(box.tiles())
    low = Tile(min(item.a.row, item.b.row), min(item.a.col, item.b.col))
    high = Tile(max(item.a.row, item.b.row), max(item.a.col, item.b.col))
    tiles = {
        Tile(row, col)
        for row in range(low.row, high.row + 1)
        for col in range(low.col, high.col + 1)
    }
    if item.kind == "ring":
        tiles = {t for t in tiles if t.row in (low.row, high.row) or t.col in (low.col, high.col)}
    return tiles


def rewrite_area(
    patch: Patch, area: ast.Area, box: Extent, drops: set[Tile], adds: list[AreaTile]
) -> str | None:
    """Return an area's text without some tiles and with others.

    Args:
        patch: Source of the area.
        area: The area.
        box: Extent of `row`, `col` and `all`.
        drops: Tiles to remove.
        adds: Tiles to add.

    Returns:
        None if no tile is left.
    """
    texts: list[str] = []
    kept: set[Tile] = set()
    for item in area.items:
        tiles = item_tiles(item, box)
        if tiles <= drops:
            instead = [spot for spot in adds if spot.tile in tiles]
            texts += map(str, instead)
            adds = [spot for spot in adds if spot not in instead]
        else:
            kept |= tiles
            texts.append(patch.source(item.span))
    excepts: list[str] = []
    back = {spot.tile for spot in adds if spot.level is None} & kept
    for item in area.excepts:
        tiles = item_tiles(item, box)
        if tiles <= back:
            adds = [spot for spot in adds if spot.tile not in tiles]
        else:
            excepts.append(patch.source(item.span))
    texts += cover_with_rectangles(adds).split(", ") if adds else []
    out = cover_with_rectangles(AreaTile(tile) for tile in drops & kept)
    excepts += out.split(", ") if out else []
    if not texts:
        return None
    comma = "," if re.search(r",\S", patch.source(area.span)) else ", "
    return comma.join(texts) + (f" except {comma.join(excepts)}" if excepts else "")


def cell_text(
    cell: ast.Cell,
    legend: Mapping[str, Meaning],
    background: bool,
    level: int | None,
    off: Collection[Mark],
    on: Collection[Mark],
) -> str:
    """Return the text of a changed map cell.

    Args:
        cell: The cell as written.
        legend: Meanings of the legend's glyphs.
        background: True in the board's own map, where a bare cell is level 0.
        level: New level; None to keep it.
        off: Elements to remove.
        on: Elements to add.
    """
    base, glyphs = _CELL.fullmatch(cell.text).groups()  # type: ignore[union-attr]
    meant: int | None = int(base) if base and base.isdigit() else None
    kept = ""
    for glyph in glyphs:
        own_level, marks = legend.get(glyph, (None, (GLYPHS[glyph],) if glyph in GLYPHS else ()))
        if not set(marks) & set(off):
            kept += glyph
            continue
        meant = own_level if meant is None else meant
        kept += "".join(SIGNS[mark] for mark in marks if mark not in off)
    kept += "".join(SIGNS[mark] for mark in on)
    if level is None:
        head = base or ("" if meant is None else str(meant))
        if base == "." and kept:
            head = "" if background else "0"
        return head + kept or ("." if background else "_")
    if level:
        return f"{level}{kept}"
    leveled = any(legend.get(glyph, (None, ()))[0] for glyph in kept)
    return ("0" if kept and (leveled or not background) else "") + kept or "."
