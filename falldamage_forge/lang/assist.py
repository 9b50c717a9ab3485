"""What an editor asks about a source at a place: completions, the meaning of a tile, definitions.

Lines and columns count from 0 here, as in the language server protocol.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from importlib import resources
from typing import NamedTuple

from falldamage_forge.board import DIRECTION_NAMES, WAYS, Board, Ground
from falldamage_forge.board.fittings import COVERS
from falldamage_forge.board.grid import TURNS, parse_place
from falldamage_forge.issues import SourceSpan
from falldamage_forge.lang import ast
from falldamage_forge.lang.facts import SIDED
from falldamage_forge.lang.fittings import said
from falldamage_forge.lang.layout import DEFAULT_RULES
from falldamage_forge.lang.lower import load
from falldamage_forge.lang.parse import parse
from falldamage_forge.tables import parse_toml

AREA_WORDS = ("all", "row", "col", "ring", "except")
NEXT_WORDS: Mapping[str, Sequence[str]] = {
    "stack": ("height", *AREA_WORDS),
    "bridge": ("->", "level", "arch"),
    "ladder": ("->",),
    "place": ("at", "rotate", "mirror", "raise", "as"),
    "mirror": ("x", "y", "swap"),
    "rotate": ("90", "180", "270", "swap"),
    "symmetry": ("rotate", "mirror", "90", "180", "270", "x", "y", "swap"),
    "import": ("as",),
    "start": ("at", *AREA_WORDS),
    "battlement": ("at", "sides", *WAYS, *AREA_WORDS),
    "railing": ("at", "sides", *WAYS, "height", "cover", *COVERS, *AREA_WORDS),
    "obstruction": ("at", "height", *AREA_WORDS),
    "field": ("heavy-g", "at", "radius", *AREA_WORDS),
    **dict.fromkeys(("pitfall", "gate", "base"), ("at", *AREA_WORDS)),
    **dict.fromkeys(("spire", "tree", "lava", "water", "treasure", "step"), ("at", *AREA_WORDS)),
    "expect": ("reachable", "treasure", "connected", "no", "islands", "traps", "symmetric", "fair"),
}
TILED = frozenset(
    "stack bridge ladder place start battlement spire tree lava water treasure step "  # noqa: SIM905
    "railing obstruction field pitfall gate base".split()
)
"""Statements that name tiles."""
_WORD = re.compile(r"[A-Za-z0-9_.@-]+")


class Completion(NamedTuple):
    """A word that fits here, what it is, and what it means where that is known."""

    word: str
    kind: str
    detail: str = ""


class Entry(NamedTuple):
    """One statement of the reference: how it is written and what it means."""

    form: str
    means: str


@cache
def reference() -> Mapping[str, Entry]:
    """The line of the reference for each keyword."""
    text = resources.files("falldamage_forge.lang").joinpath("reference.toml").read_text("utf-8")
    table = parse_toml(text, "reference.toml")
    return {word: Entry(entry["form"], entry["means"]) for word, entry in table.items()}


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
    `codes`, `units`, `expects`, as `options.NAME` the values of an option, and as `units.RULES` and
    `properties.RULES` the units of a ruleset and what is said of one, and what stands in a list as
    `lists.RULES.PROPERTY`.
    """
    lines = text.splitlines()
    before = lines[line][:col] if 0 <= line < len(lines) else ""
    if "#" in before:
        return ()
    statement = re.split(r"[{}]", before)[-1].lstrip()
    blocks = _open_blocks(lines[:line], before)
    block = blocks[-1] if blocks else ""
    if block in ("rules", "print", "inventory", "extras"):
        return _in_block(block, statement, vocabularies)
    if "units" in blocks:
        return _in_units(text, block, statement, vocabularies)
    head, _, rest = statement.partition(" ")
    if not rest and not before.endswith(" "):
        return tuple(
            Completion(word, "keyword", f"{entry.form}: {entry.means}")
            for word, entry in reference().items()
        )
    return _in_statement(text, head, rest, vocabularies)


def _words(words: Iterable[str], kind: str) -> tuple[Completion, ...]:
    return tuple(Completion(word, kind) for word in dict.fromkeys(words))


def _in_block(
    block: str, statement: str, vocabularies: Mapping[str, Sequence[str]]
) -> tuple[Completion, ...]:
    """Keys of a block, or the values of the key that was written last."""
    written = statement.split()
    if statement and not statement.endswith(" "):
        written = written[:-1]
    key = written[-1] if written else ""
    if block == "rules":
        values = vocabularies.get(f"options.{key}", ())
        return _words(values or vocabularies.get("options", ()), "value" if values else "options")
    if block == "print":
        kind = "printers" if key == "printer" else "print"
        return _words(vocabularies.get(kind, ()), kind)
    return (
        ()
        if key in vocabularies.get("pieces", ())
        else _words(vocabularies.get("pieces", ()), "pieces")
    )


def _in_units(
    text: str, block: str, statement: str, vocabularies: Mapping[str, Sequence[str]]
) -> tuple[Completion, ...]:
    """`like`, the units it may be followed by, or inside a unit its properties and their lists."""
    document, _ = parse(text, "x")
    named = (item for item in document.statements if isinstance(item, ast.Settings))
    rules = next((item.name for item in named if item.kind == "rules"), DEFAULT_RULES)
    if block != "units":
        listing = re.search(r"([\w-]+)\s+(?:[^\s,]+\s*,\s*)*[^\s,]*$", statement)
        words = vocabularies.get(f"lists.{rules}.{listing[1]}") if listing else None
        if words:
            return _words(words, "value")
        return _words(vocabularies.get(f"properties.{rules}", ()), "property")
    if " like " in f"{statement} ":
        own = (item for item in document.statements if isinstance(item, ast.Units))
        mine = [unit.name for item in own for unit in item.units]
        return _words((*vocabularies.get(f"units.{rules}", ()), *mine), "units")
    return _words(("like",) if " " in statement else (), "keyword")


def _in_statement(
    text: str, head: str, rest: str, vocabularies: Mapping[str, Sequence[str]]
) -> tuple[Completion, ...]:
    """What can go on a statement: names, sides, tiles, and the words of its own."""
    document, _ = parse(text, "x")
    words = _words(NEXT_WORDS.get(head, ()), "keyword")
    typed = rest.rsplit(" ", maxsplit=1)[-1]
    if head == "place" and " at" not in f" {rest}":
        return (*_words(definitions(document), "definition"), Completion("at", "keyword"))
    if head in ("rules", "allow"):
        kind = "rules" if head == "rules" else "codes"
        return _words(vocabularies.get(kind, ()), kind)
    if head == "expect":
        known = [word for entry in vocabularies.get("expects", ()) for word in entry.split()]
        known += TURNS
        units = _words(vocabularies.get("units", ()), "units")
        return (*_words((*NEXT_WORDS["expect"], *known), "keyword"), *units)
    if (head in SIDED and " " not in rest) or rest.split(" swap ")[1:]:
        words = (*_words(_sides(document), "side"), *words)
    if head in TILED and re.search(r"[A-Za-z]{1,2}[0-9]{0,2}$", typed):
        words = (*_tiles(text, re.split(r"[.,>@]", typed)[-1]), *words)
    return words


def _sides(document: ast.Document) -> tuple[str, ...]:
    """The sides that a map names, and those that most maps have."""
    named = (item.side for item in document.statements if isinstance(item, ast.Start))
    return tuple(dict.fromkeys((*named, "red", "blue")))


def _tiles(text: str, typed: str) -> tuple[Completion, ...]:
    """The tiles of the board whose names begin as typed, each with what stands there."""
    board = load(text, "x").layout.board
    found = (str(tile) for tile in board.tiles() if str(tile).startswith(typed.upper()))
    return tuple(Completion(name, "tile", describe_tile(board, name) or "") for name in found)


class Fix(NamedTuple):
    """What a hint proposes: `text` instead of the columns from `first` to `last`, from 0."""

    first: int
    last: int
    text: str


def fix_of(line: str, first: int, last: int, message: str) -> Fix | None:
    """The change that a diagnostic's words propose for its line; None where they only explain.

    A near word replaces what is marked, or of several words the one that it is nearest to; a whole
    statement replaces the line up to its comment.
    """
    near = re.search(r"did you mean `([^`]+)`", message)
    if near:
        words = {word[0]: word for word in re.finditer(r"[^\s{}]+", line[first:last])}
        nearest = difflib.get_close_matches(near[1], words, n=1, cutoff=0.5)
        if len(words) > 1 and nearest:
            place = words[nearest[0]]
            return Fix(first + place.start(), first + place.end(), near[1])
        return Fix(first, last, near[1])
    whole = re.search(r"\bwrite `([a-z]+ [^`…]+)`", message)
    start = len(line) - len(line.lstrip())
    code = line.partition("#")[0].rstrip()
    word = code.strip().split(" ")[0]
    if whole and (word == whole[1].split(" ")[0] or f"no statement `{word}`" in message):
        return Fix(start, len(code), whole[1])
    return None


def describe_word(
    word: str, board: Board, explain: Callable[[str], str | None] = lambda code: None
) -> str | None:
    """What a word means: a tile by what stands there, a keyword by its line of the reference.

    `explain` tells of a diagnostic's code. None for words of one's own.
    """
    if re.fullmatch(r"FDF[0-9]{3}", word):
        return explain(word)
    entry = reference().get(word)
    if entry is not None:
        return f"{entry.form}\n{entry.means}"
    return describe_tile(board, word)


def _open_blocks(lines: Sequence[str], before: str) -> list[str]:
    """The first words of the blocks that are open at a place, the innermost last."""
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
    return stack


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
    try:
        tile, _ = parse_place(name)
    except ValueError:
        return None
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
    parts += ["step" for step in board.steps if step.tile == tile]
    parts += [
        f"battlement to {', '.join(DIRECTION_NAMES[side] for side in crown.sides)}"
        for crown in board.battlements
        if crown.tile == tile
    ]
    parts += [said(fitting) for fitting in board.fittings if fitting.tile == tile]
    parts += [f"treasure at level {c.level}" for c in board.treasures if c.tile == tile]
    parts += [
        f"start of {zone.side}"
        for zone in board.starts
        if any(tile == place for place, _ in zone.surfaces)
    ]
    return f"{tile}: {', '.join(parts)}"
