"""Stamps: the map's own definitions, and a library of parts, to place as a whole.

A part of the library is called `castle.keep`. Its first use copies its definition into the map, so
that the map stays one file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

from falldamage_forge import presets
from falldamage_forge.board import Board, Tile
from falldamage_forge.elements import BLOCK
from falldamage_forge.lang.block_scanner import LineNode, scan
from falldamage_forge.studio.protocol import message
from falldamage_forge.studio.shared_library import forge

ROOM = 12
"""Size in tiles of the empty board on which a definition is drawn."""
WITH_DOT = re.compile(r"^stamp\s+([a-z][\w-]*)\.([A-Za-z_][\w-]*)(?=\s)")


def stamps(text: str) -> dict[str, Any]:
    """Return every stamp of a map with its picture: name, library or "", and levels by row."""
    own = [table for name in stamped(text) if (table := _look(text, name, ""))]
    return message("stamps", stamps=[*own, *library()])


@cache
def library() -> tuple[dict[str, Any], ...]:
    """Return the parts of the library."""
    found = []
    for book in presets.names("parts"):
        text = presets.load_text("parts", f"{book}.forge")
        found += [table for name in defines(text) if (table := _look(text, name, book))]
    return tuple(found)


def defines(text: str) -> dict[str, LineNode]:
    """Return the definitions of a text by name."""
    nodes, _ = scan(text, "x")
    found = {}
    for node in nodes:
        words = node.head.split()
        if len(words) == 2 and words[0] == "define" and node.body is not None:
            found[words[1]] = node
    return found


def stamped(text: str) -> dict[str, LineNode]:
    """Return the definitions of a text, and its models, by name."""
    heads = ((node.head.split(maxsplit=2), node) for node in scan(text, "x")[0])
    models = {words[1]: node for words, node in heads if words[:1] == [BLOCK] and words[2:]}
    return {**defines(text), **models}


def define_stamped_part(text: str, words: str) -> tuple[str, str]:
    """Return a text and a gesture's words; the text defines a stamped part of the library.

    If the map has a definition of that name, it is used instead.

    Args:
        text: Text of the map.
        words: Gesture in words: `place tower at C3`.
    """
    match = WITH_DOT.match(words)
    if match is None or match[1] not in presets.names("parts"):
        return text, words
    book, name = match[1], match[2]
    source = presets.load_text("parts", f"{book}.forge")
    node = defines(source).get(name)
    if node is None:
        return text, words
    said = WITH_DOT.sub(f"stamp {name}", words, count=1)
    if name in defines(text):
        return text, said
    lines = source.splitlines()[node.line - 1 : node.end_line]
    return _inserted(text, lines), said


def _inserted(text: str, lines: list[str]) -> str:
    """Return a text with a definition before its first placement, or before maps, or at its end."""
    nodes, _ = scan(text, "x")
    heads = (
        "forge",
        "title",
        "author",
        "license",
        "players",
        "board",
        "rules",
        "import",
        "print",
        "",
    )
    first = next((x for x in nodes if (x.head.split() or [""])[0] not in heads), None)
    old = text.splitlines()
    at = first.line - 1 if first else len(old)
    while at > 0 and old[at - 1].lstrip().startswith("#"):
        at -= 1  # a comment belongs to what follows it
    return "\n".join([*old[:at], *lines, "", *old[at:]]) + "\n"


def _look(text: str, name: str, book: str) -> dict[str, Any] | None:
    """Return a definition drawn alone; None if it cannot be parsed alone."""
    own = stamped(text)
    rows = text.splitlines()
    alone = not any(node.head.startswith("place") for node in _within(own[name]))
    needed = [own[name]] if alone else list(own.values())
    kept = "\n".join(row for node in needed for row in rows[node.line - 1 : node.end_line])
    source = f"forge 1\nboard {ROOM}x{ROOM}\n{kept}\nplace {name} at A1\n"
    board = forge().loads(source, "stamp").board
    tiles = [tile for tile in board.tiles() if not _bare(board, tile)]
    if not tiles:
        return None
    deep, wide = (max(tile[axis] for tile in tiles) + 1 for axis in (0, 1))
    box = [row[:wide] for row in board_cells(board)[:deep]]
    model = own[name].head.startswith("model ")
    return {"name": name, "book": book, "cells": box, "model": model}


def board_cells(board: Board) -> list[list[list[Any]]]:
    """Return the cells of a board by rows: [level, ground, feature]; a chest is a feature."""
    return [
        [_cell(board, Tile(row, col)) for col in range(board.cols)] for row in range(board.rows)
    ]


def _within(node: LineNode) -> Iterator[LineNode]:
    for each in node.body or ():
        yield each
        yield from _within(each)


def _bare(board: Board, tile: Tile) -> bool:
    return _cell(board, tile) == [0, "ground", None] and not board.deck_levels.get(tile)


def _cell(board: Board, tile: Tile) -> list[Any]:
    column = board.column(tile)
    feature = column.feature.value if column.feature else None
    if any(chest.tile == tile for chest in board.treasures):
        feature = "treasure"
    return [column.level, column.ground.value, feature]
