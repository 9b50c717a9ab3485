"""Tabletop Simulator save: the table of built-in blocks, with figures, dice and snap points.

Nothing in it needs a URL. Its units are inches with y up, left-handed: x, y and z of the table
become x, z and y.

Source: Tabletop Simulator Knowledge Base, "Save File Format", and public saves.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import count
from typing import TYPE_CHECKING, Any

from falldamage_forge.board import Board, Tile
from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.lengths import PrintGrid
from falldamage_forge.render.scenes.table_scene import PartInstance, TableScene, bounds, srgb

if TYPE_CHECKING:
    from falldamage_forge.pieces.piece import Placement

INCH_MM = 25.4
_TABLE_TOP = 0.96
"""Height of the surface of the built-in tables in inches, read off public saves."""
_APART = 0.02
"""Height of snap points above their surface in inches."""
_FIGURE = 0.8
_BESIDE = 1.0
"""Distance of rows of figures in inches, from the board and from each other."""
_DICE = 4
_ROW = 12
"""Most figures in a row."""

Box = tuple[tuple[float, float, float], tuple[float, float, float]]
"""Middle and size in inches: x east, y up, z north."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure beside the board: its side, its colour as `#rrggbb`, its name and its card."""

    side: str
    colour: str
    name: str
    text: str


def write_tts(
    scene: TableScene,
    placements: Sequence[Placement],
    board: Board,
    grid: PrintGrid,
    figures: Iterable[Figure],
    rules: str,
) -> bytes:
    """Return a save as JSON.

    Args:
        scene: The table.
        placements: The placements of the scene's instances, in their order.
        board: Board, for the surfaces that figures snap to.
        grid: Grid of the table.
        figures: Figures of all sides.
        rules: Text of the notebook's tab on the rules.
    """
    names = _names(scene.title)
    inch = 1 / INCH_MM
    objects = [
        _block(next(names), box, one, scene, placement.piece.title)
        for one, placement in zip(scene.instances, placements, strict=True)
        for box in _boxes(scene, one, placement, grid)
    ]
    east, north = (size * inch for size in scene.size_mm()[:2])
    objects += _figures(figures, names, east, north)
    objects += [
        _object(
            next(names),
            "Die_6_Rounded",
            ((east / 2 + 2 * _BESIDE, _TABLE_TOP + 1, number - _DICE / 2), (0.7, 0.7, 0.7)),
            "Die",
            locked=False,
        )
        for number in range(_DICE)
    ]
    save = {
        "SaveName": scene.title,
        "GameMode": scene.title,
        "Date": "",
        "VersionNumber": "",
        "Gravity": 0.5,
        "PlayArea": 0.5,
        "Table": "Table_RPG",
        "Sky": "Sky_Museum",
        "Note": "",
        "Rules": "",
        "TabStates": {"0": _tab(rules)},
        "Grid": {
            "Type": 0,
            "Lines": False,
            "Snapping": False,
            "Offset": False,
            "BothSnapping": False,
            "xSize": round(grid.pitch_mm * inch, 4),
            "ySize": round(grid.pitch_mm * inch, 4),
        },
        "SnapPoints": [{"Position": spot} for spot in _snap_points(scene, board, grid)],
        "XmlUI": "",
        "LuaScript": "",
        "LuaScriptState": "",
        "ObjectStates": objects,
    }
    return (json.dumps(save, indent=1, ensure_ascii=False) + "\n").encode()


def _tab(text: str) -> dict[str, Any]:
    grey = {"r": 0.5, "g": 0.5, "b": 0.5}
    return {"title": "Rules", "body": text, "color": "Grey", "visibleColor": grey, "id": 0}


def _names(title: str) -> Iterator[str]:
    """Yield GUIDs of six hexadecimal digits, no two alike and the same for the same title."""
    used = set()
    for number in count():
        name = hashlib.sha256(f"{title}/{number}".encode()).hexdigest()[:6]
        if name not in used:
            used.add(name)
            yield name


def _boxes(
    scene: TableScene, one: PartInstance, placement: Placement, grid: PrintGrid
) -> Iterator[Box]:
    """Yield the boxes of a part: its bounds, or for an L those of each rectangle of its tiles."""
    low, high = bounds(scene.models, (one,))
    rectangles = tile_rectangles(placement.tiles())
    for north_west, south_east in rectangles:
        west, east, south, north = low[0], high[0], low[1], high[1]
        if len(rectangles) > 1:
            x, y = grid.corner_mm(*north_west)
            x_far, y_far = grid.corner_mm(south_east.row + 1, south_east.col + 1)
            west, east = x + scene.shift_mm[0], x_far + scene.shift_mm[0]
            south, north = y_far + scene.shift_mm[1], y + scene.shift_mm[1]
        yield _box((west, low[2], south), (east, high[2], north))


def tile_rectangles(tiles: Sequence[Tile]) -> tuple[tuple[Tile, Tile], ...]:
    """Return disjoint rectangles that cover tiles, as north-west and south-east tiles.

    A part without tiles has one rectangle, whose tiles mean nothing.
    """
    if not tiles:
        return ((Tile(0, 0), Tile(0, 0)),)
    runs: list[tuple[Tile, Tile]] = []
    for tile in sorted(tiles):
        if runs and runs[-1][1] == Tile(tile.row, tile.col - 1):
            runs[-1] = (runs[-1][0], tile)
        else:
            runs.append((tile, tile))
    merged: list[tuple[Tile, Tile]] = []
    for first, last in runs:
        above = next(
            (
                index
                for index, (top, bottom) in enumerate(merged)
                if (top.col, bottom.col, bottom.row) == (first.col, last.col, first.row - 1)
            ),
            None,
        )
        if above is None:
            merged.append((first, last))
        else:
            merged[above] = (merged[above][0], last)
    return tuple(merged)


def _box(low_mm: Sequence[float], high_mm: Sequence[float]) -> Box:
    """Return a box of x, z (up), y (north) in mm as inches on the table."""
    middle = [(a + b) / 2 / INCH_MM for a, b in zip(low_mm, high_mm, strict=True)]
    size = [(b - a) / INCH_MM for a, b in zip(low_mm, high_mm, strict=True)]
    return (middle[0], _TABLE_TOP + middle[1], middle[2]), (size[0], size[1], size[2])


def _block(guid: str, box: Box, one: PartInstance, scene: TableScene, title: str) -> dict[str, Any]:
    return _object(guid, "BlockSquare", box, title, one.key, scene.models[one.key][-1].colour)


def _figures(
    figures: Iterable[Figure], names: Iterator[str], east: float, north: float
) -> list[dict[str, Any]]:
    """Return the figures of each side in rows beside the board, the first side in the north."""
    sides: dict[str, list[Figure]] = {}
    for figure in figures:
        sides.setdefault(figure.side, []).append(figure)
    objects = []
    for place, own in enumerate(sides.values()):
        sign, shift = (1, -1)[place % 2], place // 2
        for number, figure in enumerate(own):
            row, at = divmod(number, _ROW)
            x = (at - (min(len(own), _ROW) - 1) / 2) * _BESIDE
            z = sign * (north / 2 + (1 + row + 3 * shift) * _BESIDE)
            box = (x, _TABLE_TOP + 1, z), (_FIGURE, _FIGURE, _FIGURE)
            more = {"MaterialIndex": 0}
            objects.append(
                _object(
                    next(names),
                    "PlayerPawn",
                    box,
                    f"{figure.name} ({figure.side})",
                    figure.text,
                    figure.colour,
                    locked=False,
                    more=more,
                )
            )
    return objects


def _snap_points(scene: TableScene, board: Board, grid: PrintGrid) -> Iterator[dict[str, float]]:
    """Yield the middle of each surface, columns and decks alike."""
    for tile in board.tiles():
        x, y = grid.centre_mm(*tile)
        for level in board.tops(tile):
            z = grid.height_mm(level) + scene.shift_mm[2]
            yield {
                "x": round((x + scene.shift_mm[0]) / INCH_MM, 4),
                "y": round(_TABLE_TOP + z / INCH_MM + _APART, 4),
                "z": round((y + scene.shift_mm[1]) / INCH_MM, 4),
            }


def _object(
    guid: str,
    kind: str,
    box: Box,
    name: str,
    text: str = "",
    colour: str = "#ffffff",
    *,
    locked: bool = True,
    more: dict[str, Any] | None = None,
) -> dict[str, Any]:
    """Return an object of the save; a locked one stays where it is and nothing snaps it."""
    (x, y, z), (wide, high, deep) = box
    places = {"posX": x, "posY": y, "posZ": z, "rotX": 0, "rotY": 0, "rotZ": 0}
    places |= {"scaleX": wide, "scaleY": high, "scaleZ": deep}
    return {
        "GUID": guid,
        "Name": kind,
        "Transform": {key: round(float(value), 4) + 0.0 for key, value in places.items()},
        "Nickname": name,
        "Description": text,
        "ColorDiffuse": {
            key: round(part, 4) for key, part in zip("rgb", srgb(colour), strict=True)
        },
        "Locked": locked,
        "Grid": False,
        "Snap": not locked,
        "Autoraise": True,
        "Sticky": False,
        "Tooltip": True,
        "DragSelectable": not locked,
        "LuaScript": "",
        "LuaScriptState": "",
        "XmlUI": "",
        **(more or {}),
    }
