"""Language service: completion, hover and definition at a position of a source.

Lines and columns count from 0, as in the Language Server Protocol. The language server and the
studio call it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib import resources
from typing import NamedTuple

from falldamage_forge.board import DIRECTION_NAMES, WAYS, Board, Deck, Fitting, Tile
from falldamage_forge.board.coordinates import TURNS, parse_place
from falldamage_forge.elements import BLOCK, ELEMENTS, SIDED
from falldamage_forge.elements.element import COVERS, Element
from falldamage_forge.elements.scene import scene
from falldamage_forge.infra.toml_loader import parse_toml
from falldamage_forge.issues import SourceSpan
from falldamage_forge.lang import ast
from falldamage_forge.lang.fitting_syntax import head_of, length_text
from falldamage_forge.lang.layout import DEFAULT_RULES
from falldamage_forge.lang.lower import load
from falldamage_forge.lang.model_block import KEYS as MODEL_KEYS
from falldamage_forge.lang.model_block import POSES, SCALES, SUPPORTS, UNITS
from falldamage_forge.lang.parser import parse

AREA_WORDS = ("all", "row", "col", "ring", "except")


def _next_words(element: Element) -> tuple[str, ...]:
    """Return the words that may follow an element's word in its statement."""
    if element.form == "column":
        return "height", *AREA_WORDS
    if element.form == "block":
        return ()
    if element.form == "span":
        return "->", *("level",) * element.level, *filter(None, (element.flag,))
    sides = ("sides", *WAYS) if element.edged else ()
    cover = ("cover", *COVERS) if element.named == "cover" else ()
    length = filter(None, (element.length,))
    return *element.names, "at", *sides, *length, *cover, *AREA_WORDS


NEXT_WORDS: Mapping[str, Sequence[str]] = {
    **{word: _next_words(element) for word, element in ELEMENTS.items()},
    "place": ("at", "rotate", "mirror", "raise", "as"),
    "mirror": ("x", "y", "swap"),
    "rotate": ("90", "180", "270", "swap"),
    "symmetry": ("rotate", "mirror", "90", "180", "270", "x", "y", "swap"),
    "import": ("as",),
    "expect": ("reachable", "treasure", "connected", "no", "islands", "traps", "symmetric", "fair"),
}
MODEL_VALUES: Mapping[str, Sequence[str]] = {
    "scale": SCALES,
    "unit": UNITS,
    "turn": ("90", "180", "270"),
    "print": (*POSES, SUPPORTS),
}
TILED = frozenset((*ELEMENTS, "place"))
"""Statements with tiles."""
_WORD = re.compile(r"[A-Za-z0-9_.@-]+")


class Completion(NamedTuple):
    """A word that fits at a position, its kind, and its meaning if known."""

    word: str
    kind: str
    detail: str = ""


class KeywordHelp(NamedTuple):
    """Reference entry of a keyword: its form and its meaning."""

    form: str
    means: str


@cache
def reference() -> Mapping[str, KeywordHelp]:
    """Return the reference entry of each keyword."""
    text = resources.files("falldamage_forge.lang").joinpath("reference.toml").read_text("utf-8")
    table = parse_toml(text, "reference.toml")
    known = {word: KeywordHelp(entry["form"], entry["means"]) for word, entry in table.items()}
    own = {word: KeywordHelp(x.statement, x.means) for word, x in ELEMENTS.items()}
    words = list(known)
    after = words.index("map") + 1
    return {word: {**known, **own}[word] for word in (*words[:after], *own, *words[after:])}


def word_at(text: str, line: int, col: int) -> tuple[str, int, int]:
    """Return the word at a position.

    Args:
        text: Source text.
        line: Line from 0.
        col: Column from 0.

    Returns:
        The word with its first column and the column after it; empty between words.
    """
    lines = text.splitlines()
    row = lines[line] if 0 <= line < len(lines) else ""
    for match in _WORD.finditer(row):
        if match.start() <= col <= match.end():
            return match[0], match.start(), match.end()
    return "", col, col


def definitions(document: ast.Document) -> dict[str, ast.Define | ast.ModelBlock]:
    """Return the definitions and models of a file by name."""
    named = (ast.Define, ast.ModelBlock)
    return {item.name: item for item in document.statements if isinstance(item, named)}


def complete(
    text: str, line: int, col: int, vocabularies: Mapping[str, Sequence[str]]
) -> tuple[Completion, ...]:
    """Return the words that fit at a position.

    Args:
        text: Source text.
        line: Line from 0.
        col: Column from 0.
        vocabularies: Words that the language does not know. Keys are `rules`, `options`, `print`,
            `printers`, `tops`, `magnets`, `pieces`, `codes`, `units` and `expects`;
            `options.NAME` for the values of an option; `units.RULES` and `properties.RULES` for
            the units of a ruleset and their properties; `lists.RULES.PROPERTY` for the values of a
            list.
    """
    lines = text.splitlines()
    before = lines[line][:col] if 0 <= line < len(lines) else ""
    if "#" in before:
        return ()
    statement = re.split(r"[{}]", before)[-1].lstrip()
    blocks = _open_blocks(lines[:line], before)
    block = blocks[-1] if blocks else ""
    if block == BLOCK:
        return _in_model(statement)
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
    """Return the keys of a block, or the values of its last key."""
    written = statement.split()
    if statement and not statement.endswith(" "):
        written = written[:-1]
    key = written[-1] if written else ""
    if block == "rules":
        values = vocabularies.get(f"options.{key}", ())
        return _words(values or vocabularies.get("options", ()), "value" if values else "options")
    if block == "print":
        kind = {"printer": "printers"}.get(key, key if key in ("tops", "magnets") else "print")
        return _words(vocabularies.get(kind, ()), kind)
    return (
        ()
        if key in vocabularies.get("pieces", ())
        else _words(vocabularies.get("pieces", ()), "pieces")
    )


def _in_model(statement: str) -> tuple[Completion, ...]:
    """Return the keys of a model's block, or the values of its last key."""
    written = statement.split()
    if statement and not statement.endswith(" "):
        written = written[:-1]
    values = MODEL_VALUES.get(written[-1] if written else "", ())
    return _words(values or MODEL_KEYS, "value" if values else "keyword")


def _in_units(
    text: str, block: str, statement: str, vocabularies: Mapping[str, Sequence[str]]
) -> tuple[Completion, ...]:
    """Return `like`, the units that follow it, or the properties and list values of a unit."""
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
    """Return the words that continue a statement: names, sides, tiles and its own words."""
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
    """Return the sides of a map, and the usual names of sides."""
    puts = (item for item in document.statements if isinstance(item, ast.Put))
    named = (item.name for item in puts if item.kind in SIDED)
    return tuple(dict.fromkeys((*named, "red", "blue")))


def _tiles(text: str, typed: str) -> tuple[Completion, ...]:
    """Return the tiles whose names begin as typed, each with its description."""
    board = load(text, "x").layout.board
    names = (str(tile) for tile in board.tiles() if str(tile).startswith(typed.upper()))
    return tuple(Completion(name, "tile", describe_tile(board, name) or "") for name in names)


def describe_word(
    word: str, board: Board, explain: Callable[[str], str | None] = lambda code: None
) -> str | None:
    """Return the meaning of a word: a tile's description, or a keyword's reference entry.

    Args:
        word: The word.
        board: Board of the source.
        explain: Function from a diagnostic's code to its explanation.

    Returns:
        None for other words.
    """
    if re.fullmatch(r"FDF[0-9]{3}", word):
        return explain(word)
    entry = reference().get(word)
    if entry is not None:
        return f"{entry.form}\n{entry.means}"
    return describe_tile(board, word)


def _open_blocks(lines: Sequence[str], before: str) -> list[str]:
    """Return the keywords of the blocks open at a position, the innermost last."""
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
    """Return the span where the name at a position is defined in this file; None if it is not.

    Args:
        text: Text of the editor.
        file: Name of its file, for the span.
        line: Line, from 1.
        col: Column, from 1.
    """
    word, _, _ = word_at(text, line, col)
    document, _ = parse(text, file)
    define = definitions(document).get(word)
    if define is not None:
        return define.span
    alias = word.partition(".")[0]
    for item in document.statements:
        if isinstance(item, ast.Import) and item.alias == alias:
            return item.span
    return None


def describe_tile(board: Board, name: str) -> str | None:
    """Return a tile's description in one line; None if the name is no tile of the board.

    Args:
        board: The board.
        name: A tile or surface, such as `D4` or `D4@2`.
    """
    try:
        tile, _ = parse_place(name)
    except ValueError:
        return None
    if tile not in board:
        return None
    level = board.column(tile).level
    parts = [f"column of level {level}" if level else "bare board"]
    parts += [f"model {x.name}" for x in board.models if tile in x.tiles]
    things = (x for x in scene(board) if tile in _under(x))
    for x in sorted(things, key=lambda x: -(ELEMENTS[x.kind].depth or 0)):
        parts += _parts(x)
    parts += [
        f"start of {zone.side}"
        for zone in board.starts
        if any(tile == place for place, _ in zone.surfaces)
    ]
    return f"{tile}: {', '.join(parts)}"


def _sides_text(sides: Sequence[tuple[int, int]]) -> str:
    return f" to {', '.join(DIRECTION_NAMES[side] for side in sides)}" if sides else ""


def _under(x: Fitting) -> tuple[Tile, ...]:
    """Return the tiles in whose description an element is: below a deck, else where it stands."""
    if x.to is None or not ELEMENTS[x.kind].level:
        return (x.tile,)
    return Deck.between(x.tile, x.to, x.level).tiles


def _parts(fitting: Fitting) -> Iterator[str]:
    """Yield an element's description: what it is, its length if unusual, and its cover."""
    kind = ELEMENTS[fitting.kind]
    if kind.described:
        yield kind.described.format(level=fitting.level, to=fitting.to)
        return
    yield head_of(fitting.kind, fitting.name) + _sides_text(fitting.sides)
    if kind.length and fitting.length_um != kind.usual_um:
        yield f"{kind.length} {length_text(fitting.length_um)}"
    if kind.named == "cover" and fitting.name:
        yield f"cover {fitting.name}"
