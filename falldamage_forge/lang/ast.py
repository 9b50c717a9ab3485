"""The tree of a layout: one frozen node per statement, each with its place in the text."""

from __future__ import annotations

from dataclasses import field
from typing import Literal

from falldamage_forge.board import Tile
from falldamage_forge.issues import SourceSpan
from falldamage_forge.values import dataclass

ORIGIN = Tile(0, 0)


@dataclass(frozen=True, slots=True)
class Spot:
    """A tile, at a level where one is written (`E5@2`)."""

    tile: Tile
    level: int | None
    span: SourceSpan = field(compare=False)


@dataclass(frozen=True, slots=True)
class Item:
    """One entry of an area: a `box` (or one tile) or `ring` by corners, `row`, `col`, `all`."""

    kind: Literal["box", "ring", "row", "col", "all"]
    span: SourceSpan = field(compare=False)
    a: Tile = ORIGIN
    b: Tile = ORIGIN
    level: int | None = None
    index: int = 0


@dataclass(frozen=True, slots=True)
class Area:
    """Tiles of the items less those of the exceptions."""

    items: tuple[Item, ...]
    excepts: tuple[Item, ...]
    span: SourceSpan = field(compare=False)


@dataclass(frozen=True, slots=True)
class Transform:
    """`rotate` by degrees clockwise or `mirror` along an axis (x swaps west and east)."""

    kind: Literal["rotate", "mirror"]
    amount: int = 0
    axis: str = ""

    @property
    def name(self) -> str:
        """As `expect symmetric` writes it: `rotate-180`, `mirror-x`."""
        return f"rotate-{self.amount}" if self.kind == "rotate" else f"mirror-{self.axis}"


@dataclass(frozen=True, slots=True)
class Statement:
    """What every statement has: its place."""

    span: SourceSpan = field(compare=False)


@dataclass(frozen=True, slots=True)
class Block(Statement):
    """A statement with braces: `span` is its head, `whole` goes on to its closing brace."""

    whole: SourceSpan = field(compare=False)


@dataclass(frozen=True, slots=True)
class Header(Statement):
    """`forge`, `title`, `author`, `players`, `board`: said once."""

    key: Literal["forge", "title", "author", "players", "board"]
    value: str


@dataclass(frozen=True, slots=True)
class Setting:
    """A key and a value inside a block of settings; a flag such as `rim` has no value."""

    key: str
    value: str
    span: SourceSpan = field(compare=False)


@dataclass(frozen=True, slots=True)
class Settings(Block):
    """A block of settings; `name` is the ruleset's for `rules`."""

    kind: Literal["rules", "print", "inventory", "extras", "legend"]
    name: str
    settings: tuple[Setting, ...]


@dataclass(frozen=True, slots=True)
class OwnUnit:
    """A unit of a `units` block: what it is `like`, empty for none, and what is other with it."""

    span: SourceSpan = field(compare=False)
    name: str
    like: str
    settings: tuple[Setting, ...]


@dataclass(frozen=True, slots=True)
class Units(Block):
    """`units { … }`: the map's own units."""

    units: tuple[OwnUnit, ...]


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell of a map block, as written."""

    text: str
    span: SourceSpan = field(compare=False)


@dataclass(frozen=True, slots=True)
class Row:
    """One row: its label's number if there is one, and its cells."""

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
    """`stack AREA height N`; with a length in micrometres its height is not told in levels, 0."""

    area: Area
    height: int
    length_um: int | None = None


@dataclass(frozen=True, slots=True)
class Bridge(Statement):
    """`bridge A -> B level N`, and `arch` for a vaulted one."""

    a: Spot
    b: Spot
    level: int
    arch: bool = False


@dataclass(frozen=True, slots=True)
class LadderStatement(Statement):
    """`ladder FOOT -> TOP`."""

    foot: Spot
    top: Spot


@dataclass(frozen=True, slots=True)
class Put(Statement):
    """`tree at AREA` and its like."""

    kind: Literal["spire", "tree", "lava", "water", "treasure", "step"]
    area: Area


@dataclass(frozen=True, slots=True)
class BattlementStatement(Statement):
    """`battlement at AREA sides SIDE…`; no sides means all four."""

    area: Area
    sides: tuple[Literal["north", "east", "south", "west"], ...]


@dataclass(frozen=True, slots=True)
class FittingStatement(Statement):
    """`railing at AREA …` and its like; a length of None is the kind's usual one."""

    kind: Literal["railing", "obstruction", "field", "pitfall", "gate", "base"]
    name: str
    area: Area
    sides: tuple[Literal["north", "east", "south", "west"], ...]
    length_um: int | None


@dataclass(frozen=True, slots=True)
class Start(Statement):
    """`start SIDE at AREA`."""

    side: str
    area: Area


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
    """A body plus its image; `swap` names the sides that change places in the image."""

    transform: Transform
    swap: tuple[str, str] | None
    body: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Symmetry(Statement):
    """The whole board plus its image."""

    transform: Transform
    swap: tuple[str, str] | None


@dataclass(frozen=True, slots=True)
class Expect(Statement):
    """`expect …`: a property the map must have, as words."""

    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Allow(Statement):
    """`allow CODE "reason"`."""

    code: str
    reason: str


@dataclass(frozen=True, slots=True)
class Broken(Statement):
    """What could not be read, or not for sure; told already.

    `word` is the keyword that it has or probably means, empty where nobody knows. `body` are the
    statements of its block.
    """

    text: str
    word: str
    body: tuple[Statement, ...] = ()


@dataclass(frozen=True, slots=True)
class Document:
    """A whole file."""

    file: str = field(compare=False)
    statements: tuple[Statement, ...]
