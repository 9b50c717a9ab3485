"""Parts and style grammars, read from layouts and TOML tables."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from functools import cache
from typing import NamedTuple

from falldamage_forge.board import Feature, Ground, Tile
from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.issues import ForgeError, Issue, did_you_mean, has_errors
from falldamage_forge.lang import ast, parse
from falldamage_forge.lang.expansion import Expander, ExpansionLimit
from falldamage_forge.lang.facts import Fact
from falldamage_forge.lang.unparse import head_text, row_texts

GROUND, WATER, LAVA = 0, 1, 2
GROUNDS: Mapping[str, int] = {Ground.WATER: WATER, Ground.LAVA: LAVA}
NOTHING, TREE, SPIRE = 0, 1, 2
FEATURES: Mapping[str, int] = {Feature.TREE: TREE, Feature.SPIRE: SPIRE}
ON_BASE, ON_COLUMNS = (Feature.TREE, Ground.WATER, Ground.LAVA), (Ground.WATER, Feature.SPIRE)
"""Grounds and features that a change adds, on the base and on columns."""
KINDS = ("level", "ground", "feature", "deck", "ladder", "treasure")
"""Kinds of facts that a part may have."""


class PartCell(NamedTuple):
    """One tile of a part: its level, its ground and its feature."""

    row: int
    col: int
    level: int
    ground: int = GROUND
    feature: int = NOTHING

    @property
    def bare(self) -> bool:
        """True if nothing is built here: the part only keeps the tile free."""
        return not (self.level or self.ground or self.feature)


class OrientedPart(NamedTuple):
    """A part in one orientation: cells, ladders, decks and chests, relative to (0, 0).

    Ladders are (foot row, foot col, top row, top col), decks (row, col, row, col, level).
    """

    rows: int
    cols: int
    cells: tuple[PartCell, ...]
    ladders: tuple[tuple[int, int, int, int], ...] = ()
    decks: tuple[tuple[int, int, int, int, int], ...] = ()
    chests: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class MapPart:
    """A definition of a layout: its shape, and the lines that define it."""

    name: str
    shape: OrientedPart
    lines: tuple[str, ...] = field(compare=False)

    @property
    def heights(self) -> tuple[tuple[int, int, int], ...]:
        """(row, col, level) of the cells that need blocks."""
        return tuple((c.row, c.col, c.level) for c in self.shape.cells if c.level)


@dataclass(frozen=True, slots=True)
class CompositionTarget:
    """Proportions of a style: share of the board in use, level of the highest column."""

    fill: tuple[float, float] = (0.38, 0.62)
    levels: tuple[int, int] = (2, 4)


RANGES = (
    "kinds", "copies", "bridges", "trees", "water", "lava",
    "ladders", "arches", "battlements", "steps",
)  # fmt: skip
"""Fields of a grammar that are a least and a most number."""


@dataclass(frozen=True)
class Grammar:
    """Grammar of a map style; the comments in `presets/grammars` explain the fields."""

    name: str
    title: str
    about: str
    first: tuple[str, ...]
    last: tuple[str, ...]
    hearts: Mapping[str, int]
    parts: Mapping[str, int]
    bare: int = 0
    kinds: tuple[int, int] = (2, 4)
    copies: tuple[int, int] = (3, 6)
    touch: float = 0.2
    bridges: tuple[int, int] = (0, 2)
    trees: tuple[int, int] = (0, 2)
    water: tuple[int, int] = (0, 2)
    lava: tuple[int, int] = (0, 2)
    ladders: tuple[int, int] = (0, 1)
    arches: tuple[int, int] = (0, 1)
    battlements: tuple[int, int] = (0, 1)
    steps: tuple[int, int] = (0, 1)
    proportions: CompositionTarget = CompositionTarget()

    def __post_init__(self) -> None:
        for name in RANGES:
            least, most = getattr(self, name)
            if not 0 <= least <= most:
                raise ValueError(f"`{name}` is a least and a most number, found {least}, {most}")
        if not self.parts or not self.first or not self.last:
            raise ValueError("`parts`, `first` and `last` name one thing at least")
        weights = (*self.hearts.values(), *self.parts.values(), self.bare)
        if not all(isinstance(weight, int) and weight >= 0 for weight in weights):
            raise ValueError("weights are whole numbers from 0")


@dataclass(frozen=True)
class MapStyle:
    """A grammar and its parts by name."""

    grammar: Grammar
    parts: Mapping[str, MapPart]

    def __post_init__(self) -> None:
        for name in (*self.grammar.hearts, *self.grammar.parts):
            if name not in self.parts:
                hint = did_you_mean(name, self.parts)
                message = f"the style {self.grammar.name} has no part called `{name}`"
                raise ForgeError([Issue("FDF500", "error", message, hint=hint)])

    def with_parts(self, own: Mapping[str, MapPart], weight: int = 3) -> MapStyle:
        """Return the style with a user's parts, which replace parts of the same name.

        Args:
            own: Parts by name.
            weight: Weight of each.
        """
        from dataclasses import replace

        weights = {**self.grammar.parts, **dict.fromkeys(own, weight)}
        return MapStyle(replace(self.grammar, parts=weights), {**self.parts, **own})


def read_parts(text: str, file: str) -> dict[str, MapPart]:
    """Return every `define` of a layout as a part.

    Args:
        text: The layout.
        file: Name of the file, for messages.

    Raises:
        ForgeError: If the layout has errors; FDF500 if it defines no part, or one that cannot be
            used in another map.
    """
    document, issues = parse(text, file)
    unroller = Expander(None)
    scope = unroller.scope(document)
    found: dict[str, MapPart] = {}
    for define in scope.definitions.values():
        try:
            facts, box = unroller.definition(scope, define, ())
        except ExpansionLimit:
            break
        odd = next((fact for fact in facts if fact.kind not in KINDS), None)
        if odd is not None:
            message = f"`{define.name}` has a {odd.kind}, which a part cannot have"
            raise ForgeError([Issue("FDF500", "error", message, odd.span)])
        shape = _shape(facts, box.rows, box.cols)
        if not shape.cells:
            message = f"`{define.name}` says of no tile how high it is"
            hint = "draw it with a `map { … }`"
            raise ForgeError([Issue("FDF500", "error", message, define.span, hint=hint)])
        found[define.name] = MapPart(define.name, shape, tuple(_lines(define)))
    faults = (*issues, *unroller.issues)
    if has_errors(faults):
        raise ForgeError(faults)
    if not found:
        hint = "write `define NAME { map { … } }`"
        raise ForgeError([Issue("FDF500", "error", f"`{file}` defines no part", hint=hint)])
    return found


def _shape(facts: tuple[Fact, ...], rows: int, cols: int) -> OrientedPart:
    levels: dict[Tile, int] = {}
    grounds: dict[Tile, int] = {}
    features: dict[Tile, int] = {}
    ladders, decks, chests = [], [], []
    for fact in facts:
        tile = fact.tiles[0]
        match fact.kind:
            case "level":
                levels[tile] = fact.levels[0] or 0
            case "ground":
                grounds[tile] = GROUNDS[fact.name]
            case "feature":
                features[tile] = FEATURES[fact.name]
            case "ladder":
                ladders.append((*tile, *fact.tiles[1]))
            case "deck":
                decks.append((*tile, *fact.tiles[1], fact.levels[0] or 0))
            case "treasure":
                chests.append((tile.row, tile.col))
    cells = tuple(
        PartCell(*tile, levels.get(tile, 0), grounds.get(tile, 0), features.get(tile, 0))
        for tile in sorted({*levels, *grounds, *features})
    )
    return OrientedPart(rows, cols, cells, tuple(ladders), tuple(decks), tuple(chests))


def _lines(statement: ast.Statement, indent: str = "") -> list[str]:
    """Return a statement as the formatter writes it, without comments."""
    head = f"{indent}{head_text(statement)}"
    if isinstance(statement, ast.Map):
        header, rows = row_texts(statement)
        texts = [f"{indent}  {row}" for row in ((header, *rows) if header else rows)]
        return [f"{head} {{", *texts, f"{indent}}}"]
    if isinstance(statement, ast.Define | ast.TransformBlock):
        inner = [line for each in statement.body for line in _lines(each, indent + "  ")]
        return [f"{head} {{", *inner, f"{indent}}}"]
    return [head]


@cache
def orient_shape(shape: OrientedPart, mirrored: bool, turns: int) -> OrientedPart:
    """Return a shape mirrored along x, then turned clockwise by quarters, as `place` does.

    Args:
        shape: The part as written.
        mirrored: True to mirror it along x first.
        turns: Quarter turns clockwise, from 0 to 3.
    """
    if turns:
        once = orient_shape(shape, mirrored, turns - 1)
        return _moved(once, lambda row, col: (col, once.rows - 1 - row), once.cols, once.rows)
    if mirrored:
        return _moved(shape, lambda row, col: (row, shape.cols - 1 - col), shape.rows, shape.cols)
    return shape


def _moved(
    shape: OrientedPart, to: Callable[[int, int], tuple[int, int]], rows: int, cols: int
) -> OrientedPart:
    return OrientedPart(
        rows,
        cols,
        tuple(
            sorted(PartCell(*to(c.row, c.col), c.level, c.ground, c.feature) for c in shape.cells)
        ),
        tuple((*to(a, b), *to(c, d)) for a, b, c, d in shape.ladders),
        tuple((*to(a, b), *to(c, d), level) for a, b, c, d, level in shape.decks),
        tuple(to(*chest) for chest in shape.chests),
    )


@cache
def orientations(shape: OrientedPart) -> tuple[tuple[bool, int, OrientedPart], ...]:
    """Return the distinct orientations of a shape: (mirrored, turns, shape)."""
    found: dict[OrientedPart, tuple[bool, int]] = {}
    for mirrored in (False, True):
        for turns in range(4):
            found.setdefault(orient_shape(shape, mirrored, turns), (mirrored, turns))
    return tuple((*how, each) for each, how in found.items())
