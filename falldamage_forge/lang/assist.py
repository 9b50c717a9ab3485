"""What an editor asks about a source at a place: completions, the meaning of a tile, definitions.

Lines and columns count from 0 here, as in the language server protocol.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from falldamage_forge.board import Board, Ground, Tile
from falldamage_forge.issues import SourceSpan
from falldamage_forge.lang import ast
from falldamage_forge.lang.parse import KEYWORDS, parse

AREA_WORDS = ("all", "row", "col", "ring", "except")
NEXT_WORDS: Mapping[str, Sequence[str]] = {
    "stack": ("height", *AREA_WORDS),
    "bridge": ("->", "level"),
    "ladder": ("->",),
    "place": ("at", "rotate", "mirror", "raise", "as"),
    "mirror": ("x", "y", "swap"),
    "rotate": ("90", "180", "270", "swap"),
    "symmetry": ("rotate", "mirror", "90", "180", "270", "x", "y", "swap"),
    "import": ("as",),
    "start": ("at", *AREA_WORDS),
    **dict.fromkeys(("spire", "tree", "lava", "water", "treasure"), ("at", *AREA_WORDS)),
    "expect": ("reachable", "treasure", "connected", "no", "islands", "traps", "symmetric"),
}
_WORD = re.compile(r"[A-Za-z0-9_.@-]+")
_TILE = re.compile(r"([A-Za-z]{1,2}[1-9][0-9]{0,2})(?:@[0-9]+)?")


class Completion(NamedTuple):
    """A word that fits here and what it is."""

    word: str
    kind: str


def word_at(text: str, line: int, col: int) -> tuple[str, int, int]:
    """The word around a place with its first and last column; empty between words."""
    lines = text.splitlines()
    row = lines[line] if 0 <= line < len(lines) else ""
    for match in _WORD.finditer(row):
        if match.start() <= col <= match.end():
            return match[0], match.start(), match.end()
    return "", col, col


def definitions(document: ast.Document) -> dict[str, ast.Define]:
    """Definitions of a file by name."""
    return {item.name: item for item in document.statements if isinstance(item, ast.Define)}


def complete(
    text: str, line: int, col: int, vocabularies: Mapping[str, Sequence[str]]
) -> tuple[Completion, ...]:
    """Words that can stand at a place.

    `vocabularies` brings what other rooms know: `rules`, `options`, `print`, `printers`, `pieces`,
    `codes`.
    """
    lines = text.splitlines()
    before = lines[line][:col] if 0 <= line < len(lines) else ""
    statement = re.split(r"[{}]", before)[-1].strip()
    block = _open_block(lines[:line], before)
    if block in ("rules", "print", "inventory"):
        kind = {"rules": "options", "print": "print", "inventory": "pieces"}[block]
        if block == "print" and before.rstrip().endswith("printer"):
            kind = "printers"
        return tuple(Completion(word, kind) for word in vocabularies.get(kind, ()))
    head, _, rest = statement.partition(" ")
    if not rest and not before.endswith(" "):
        return tuple(Completion(word, "keyword") for word in KEYWORDS)
    if head == "place" and " at" not in f" {rest}":
        document, _ = parse(text, "x")
        own = tuple(Completion(name, "definition") for name in definitions(document))
        return (*own, Completion("at", "keyword"))
    if head in ("rules", "allow"):
        kind = "rules" if head == "rules" else "codes"
        return tuple(Completion(word, kind) for word in vocabularies.get(kind, ()))
    return tuple(Completion(word, "keyword") for word in NEXT_WORDS.get(head, ()))


def _open_block(lines: Sequence[str], before: str) -> str:
    """The first word of the innermost block that is open at a place."""
    stack: list[str] = []
    for row in (*lines, before):
        code = row.partition("#")[0]
        head = ""
        for piece in re.findall(r"[{}]|[^{}]+", code):
            if piece == "{":
                stack.append((head.split() or [""])[0])
            elif piece == "}":
                stack[-1:] = []
            else:
                head = piece
    return stack[-1] if stack else ""


def definition_at(text: str, file: str, line: int, col: int) -> SourceSpan | None:
    """Where the name under the cursor is defined, in this file."""
    word, _, _ = word_at(text, line, col)
    document, _ = parse(text, file)
    found = definitions(document).get(word)
    if found is not None:
        return found.span
    alias = word.partition(".")[0]
    for item in document.statements:
        if isinstance(item, ast.Import) and item.alias == alias:
            return item.span
    return None


def describe_tile(board: Board, name: str) -> str | None:
    """What stands on a tile, in one line; None for a tile that is not there."""
    match = _TILE.fullmatch(name)
    if match is None:
        return None
    tile = Tile.parse(match[1])
    if tile not in board:
        return None
    column = board.column(tile)
    parts = [f"column of level {column.level}" if column.level else "bare board"]
    if column.ground is not Ground.GROUND:
        parts.append(str(column.ground))
    if column.feature:
        parts.append(str(column.feature))
    parts += [f"bridge at level {level}" for level in board.deck_levels.get(tile, ())]
    parts += [f"ladder up to {x.top}" for x in board.ladders if x.foot == tile]
    parts += [f"treasure at level {c.level}" for c in board.treasures if c.tile == tile]
    parts += [
        f"start of {zone.side}"
        for zone in board.starts
        if any(tile == place for place, _ in zone.surfaces)
    ]
    return f"{tile}: {', '.join(parts)}"
