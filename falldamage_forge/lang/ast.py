"""AST of a layout: one frozen node for each statement, with its source span."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from typing import Literal

from falldamage_forge.board import Tile
from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.issues import SourceSpan

ORIGIN = Tile(0, 0)


@dataclass(frozen=True, slots=True)
class Spot:
    """A tile, with a level if one is written (`E5@2`)."""

    tile: Tile
    level: int | None
    span: SourceSpan = field(compare=False)


@dataclass(frozen=True, slots=True)
class Item:
    """One entry of an area.

    Attributes:
        kind: `box` (also a single tile) or `ring` by corners, `row`, `col`, or `all`.
        span: Source span.
        a: First corner of a box or ring.
        b: Second corner of a box or ring.
        level: Level written for the tile; None without one.
        index: Row or column from 0.
    """

    kind: Literal["box", "ring", "row", "col", "all"]
    span: SourceSpan = field(compare=False)
    a: Tile = ORIGIN
    b: Tile = ORIGIN
    level: int | None = None
    index: int = 0


@dataclass(frozen=True, slots=True)
class Area:
    """The tiles of the items without those of the exceptions."""

    items: tuple[Item, ...]
    excepts: tuple[Item, ...]
    span: SourceSpan = field(compare=False)


@dataclass(frozen=True, slots=True)
class Transform:
    """A rotation or mirror.

    Attributes:
        kind: `rotate` or `mirror`.
        amount: Degrees clockwise of a rotation.
        axis: `x` (swaps west and east) or `y` of a mirror.
    """

    kind: Literal["rotate", "mirror"]
    amount: int = 0
    axis: str = ""

    @property
    def name(self) -> str:
        """The transform as `expect symmetric` writes it: `rotate-180`, `mirror-x`."""
        return f"rotate-{self.amount}" if self.kind == "rotate" else f"mirror-{self.axis}"


@dataclass(frozen=True, slots=True)
class Statement:
    """Base class of all statements."""

    span: SourceSpan = field(compare=False)


@dataclass(frozen=True, slots=True)
class Block(Statement):
    """A statement with braces: `span` is its head, `whole` ends at its closing brace."""

    whole: SourceSpan = field(compare=False)


@dataclass(frozen=True, slots=True)
class Header(Statement):
    """`forge`, `title`, `author`, `license`, `players` or `board`; each at most once."""

    key: Literal["forge", "title", "author", "license", "players", "board"]
    value: str


@dataclass(frozen=True, slots=True)
class Setting:
    """A key and a value in a block of settings; a flag such as `rim` has an empty value."""

    key: str
    value: str
    span: SourceSpan = field(compare=False)


@dataclass(frozen=True, slots=True)
class Settings(Block):
    """A block of settings; `name` is the ruleset's name in a `rules` block."""

    kind: Literal["rules", "print", "inventory", "extras", "legend"]
    name: str
    settings: tuple[Setting, ...]


@dataclass(frozen=True, slots=True)
class OwnUnit:
    """A unit of a `units` block: its name, the unit it is like (or empty), and properties."""

    span: SourceSpan = field(compare=False)
    name: str
    like: str
    settings: tuple[Setting, ...]


@dataclass(frozen=True, slots=True)
class Units(Block):
    """`units { … }`: the map's custom units."""

    units: tuple[OwnUnit, ...]


@dataclass(frozen=True, slots=True)
class ModelBlock(Block):
    """`model NAME "FILE" { … }`: a model of others; rows of its `levels` are joined by `/`."""

    name: str
    path: str
    path_span: SourceSpan = field(compare=False)
    settings: tuple[Setting, ...]


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell of a map block, as written."""

    text: str
    span: SourceSpan = field(compare=False)


@dataclass(frozen=True, slots=True)
class Row:
    """One row of a map block: its label's number, if there is one, and its cells."""

    label: int | None
    cells: tuple[Cell, ...]
    span: SourceSpan = field(compare=False)


@dataclass(frozen=True, slots=True)
class Map(Block):
    """A map block: column letters of the header (empty without one) and the rows."""

    header: tuple[Cell, ...]
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Stack(Statement):
    """`stack AREA height N`; with a height in micrometres `height` is 0."""

    area: Area
    height: int
    length_um: int | None = None


@dataclass(frozen=True, slots=True)
class Span(Statement):
    """`ladder A -> B` and other elements with two ends.

    Attributes:
        kind: Word of the element.
        a: First end.
        b: Second end.
        level: Level of the whole span, for elements that have one.
        flagged: True if the element's flag is written.
    """

    kind: str
    a: Spot
    b: Spot
    level: int = 0
    flagged: bool = False


@dataclass(frozen=True, slots=True)
class Put(Statement):
    """`tree at AREA` and other elements that are put on tiles.

    Attributes:
        kind: Word of the element.
        area: Its tiles.
        name: Name of an element that has one, such as a side.
        sides: Sides of an edged element; none means all four.
        length_um: Height or radius in micrometres; None is the element's default.
    """

    kind: str
    area: Area
    name: str = ""
    sides: tuple[Literal["north", "east", "south", "west"], ...] = ()
    length_um: int | None = None


@dataclass(frozen=True, slots=True)
class Define(Block):
    """`define NAME { … }`."""

    name: str
    body: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Import(Statement):
    """`import "FILE" as NAME`."""

    path: str
    alias: str


@dataclass(frozen=True, slots=True)
class Place(Statement):
    """`place NAME at TILE` with its modifiers, in the order written."""

    name: str
    name_span: SourceSpan = field(compare=False)
    at: Tile
    at_span: SourceSpan = field(compare=False)
    transforms: tuple[Transform, ...]
    raised: int
    alias: str


@dataclass(frozen=True, slots=True)
class TransformBlock(Block):
    """A body and its image; `swap` names the sides that change places in the image."""

    transform: Transform
    swap: tuple[str, str] | None
    body: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Symmetry(Statement):
    """The whole board and its image."""

    transform: Transform
    swap: tuple[str, str] | None


@dataclass(frozen=True, slots=True)
class Expect(Statement):
    """`expect …`: an expectation, as words."""

    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Allow(Statement):
    """`allow CODE "reason"`."""

    code: str
    reason: str


@dataclass(frozen=True, slots=True)
class Broken(Statement):
    """A statement with a reported syntax error.

    Attributes:
        text: Head of the statement.
        word: Its keyword, or the probable one; empty if none is near.
        body: Statements of its block.
    """

    text: str
    word: str
    body: tuple[Statement, ...] = ()


@dataclass(frozen=True, slots=True)
class Document:
    """The AST of a whole file."""

    file: str = field(compare=False)
    statements: tuple[Statement, ...]


def flat(statements: tuple[Statement, ...]) -> Iterator[Statement]:
    """Yield statements and those of their blocks, in order, without a frame for each block."""
    left = list(reversed(statements))
    while left:
        statement = left.pop()
        yield statement
        if isinstance(statement, TransformBlock | Broken):
            left += reversed(statement.body)
