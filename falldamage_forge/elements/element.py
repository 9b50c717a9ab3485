"""Declaration of an element of a board: words, place on the board, part and drawing.

A module of this package holds one `Element` as `ELEMENT`. Every other package reads the registry
(`falldamage_forge.elements`), so a new element is one module.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol

from falldamage_forge.board import Board, Fitting, Tile
from falldamage_forge.elements.solids import Ink, Solid
from falldamage_forge.infra.lazy_dataclass import FrozenDict, dataclass
from falldamage_forge.issues import Issue, SourceSpan

if TYPE_CHECKING:
    from falldamage_forge.elements.legality_tools import BuildLimits

INCH_UM = 25_400
TILE_UM = 30_000
"""Length of a tile, and of a level, in drawings."""
COVERS = ("none", "partial", "full", "no-line-of-sight")
"""Cover words of a railing; without one the cover follows from its height."""
Named = Literal["", "side", "field", "cover"]


class Thing(NamedTuple):
    """One element of a board, with all levels known and without its source.

    Level 0 and plain ground are no things. A battlement has one for each side: its tile and the
    tile beyond. A railing has the tiles beyond all its sides, sorted.

    Attributes:
        kind: Kind of the element, see `Element.kind`.
        tiles: Tiles that it stands on, then the tiles beyond its sides.
        levels: Levels of the tiles, for kinds that have levels; a deck has one for both ends.
        name: Name, such as the ground, feature or side.
        length_um: Height or radius in micrometres.
        tops: Tops of a model's tiles, see `StandingModel.tops`; none for other kinds.
    """

    kind: str
    tiles: tuple[Tile, ...]
    levels: tuple[int, ...] = ()
    name: str = ""
    length_um: int = 0
    tops: tuple[tuple[int, bool], ...] = ()

    @property
    def span(self) -> SourceSpan | None:
        """None: only facts know their statement."""
        return None


class Placed(Protocol):
    """A thing or a fact of which a board's lists are made."""

    @property
    def tiles(self) -> tuple[Tile, ...]:
        """Tiles, see `Thing`."""

    @property
    def levels(self) -> tuple[int, ...]:
        """Levels, see `Thing`."""

    @property
    def name(self) -> str:
        """Name, see `Thing`."""

    @property
    def length_um(self) -> int:
        """Length in micrometres."""

    @property
    def tops(self) -> tuple[tuple[int, bool], ...]:
        """Tops of a model's tiles."""

    @property
    def span(self) -> SourceSpan | None:
        """The statement that made it; None without a source."""


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool of the studio's row.

    Attributes:
        name: Key of its icon and of its texts.
        group: Group of tools: `terrain`, `things`, `ways` or `starts`.
        key: Key on the keyboard, one character.
        order: Place in its group; tools of one place keep the order of the registry.
        words: Gesture, with `{tiles}` for an area, `{place}` for one surface, `{from}` and `{to}`.
        beside: True if the second end of two may be a side of a column.
        side: Side whose start the tool sets; empty for other tools.
        labels: Its name in the row, by language.
        fill: Path of its symbol's tinted area, in SVG, 24 units wide and high.
        line: Path of its symbol's lines.
        outlined: False for a tinted area without an outline.
    """

    name: str
    group: str
    key: str
    order: int
    words: str
    labels: Mapping[str, str]
    beside: bool = False
    side: str = ""
    fill: str = ""
    line: str = ""
    outlined: bool = True


@dataclass(frozen=True, slots=True)
class Part:
    """The printed part of an element that the catalogue's tables do not hold.

    Attributes:
        title: Its title in lists.
        levels: Levels that it adds to the board.
        group: Material or colour group.
    """

    title: str
    levels: int = 0
    group: str = "wood"


Check = Callable[[Board, "BuildLimits"], Iterator[Issue]]


@dataclass(frozen=True, slots=True)
class Element:
    """One element of the language and of the board.

    Attributes:
        word: Keyword of its statement, its gesture and its tool.
        means: What it is, in one line of the reference.
        form: `put` for `WORD [NAME] at AREA …`, `span` for `WORD A -> B …`, `column` for columns,
            `block` for a block that `place` puts on the board.
        kind: Kind of its things and facts; empty for `word`. A tile has at most one thing of each
            of the kinds `level`, `ground` and `feature`.
        field: List of `Board` that holds it.
        named: Kind of name that it takes; empty for none.
        names: Names that a named element takes, for the reference; empty for any.
        edged: True if it stands on sides of a tile.
        split: True if each side is a thing of its own.
        aims: Number of tiles at the end of its things that only give its direction.
        levelled: True if it stands on a surface and moves with the column below.
        length: Name of its length in the source; empty for none.
        usual_um: Default length in micrometres.
        most_um: Greatest length in micrometres.
        standing: True if it stands on a surface and blocks other elements there.
        ends: Names of a span's ends.
        level: True if a span has a level of its own, the same for both ends.
        flag: Word that may follow a span; empty for none.
        node: `json_node`, if its statement has a type of its own there.
        glyph: Its character in map cells; empty for none.
        sign: Its character in terminals.
        shown: Its words in a legend, with `{name}` for its name; empty for `word`.
        described: Its words in the description of a tile, with `{level}` and the tile `{to}` of its
            second end; empty for its word, name and sides.
        rank: Place of its statement in a map, among those of `lang.edit.statement_insertion`.
        depth: The order in which erasing takes what stands on a surface; None for never.
        usage: Form of its gesture; None for that of the statement, empty for that of `tree`.
        synonyms: Other words for it, that people write instead of `word`.
        tools: Its tools in the studio.
        part: Its printed part; None if the catalogue has its pieces, or it has none.
        families: Families of the catalogue's pieces that are it.
        least: Least level of the column on which it stands.
        everywhere: True if every game accepts it, because its rules change none of theirs.
        texts: Its texts in other languages: by code, then by English text.
        things: Function from a board to its things; None for those of `Board.fittings`.
        build: Function from its things or facts to the items of `field`.
        checks: Legality: functions from a board and the build limits to issues.
        solids: Function from a fitting to the solids that draw it, those behind and below first; a
            `part` is made of its boxes. A second end lies to the north of the first in the part.
        symbol: Function from a fitting to the inks that draw it flat; None for its solids' tops.
        contact: Radius in tiles of the soft shadow at its foot; 0 for none.
        paint: Field of the palette for its tile in flat views; empty for the ground's.
    """

    word: str
    means: str
    form: Literal["put", "span", "column", "block"] = "put"
    kind: str = ""
    field: str = "fittings"
    named: Named = ""
    names: tuple[str, ...] = ()
    edged: bool = False
    split: bool = False
    aims: int = 0
    levelled: bool = True
    length: Literal["", "height", "radius"] = ""
    usual_um: int = 0
    most_um: int = 0
    standing: bool = False
    ends: tuple[str, str] = ("A", "B")
    level: bool = False
    flag: str = ""
    node: tuple[str, Mapping[str, str]] = ("", FrozenDict())
    glyph: str = ""
    sign: str = ""
    shown: str = ""
    described: str = ""
    rank: int = 6
    depth: int | None = 1
    usage: str | None = None
    synonyms: tuple[str, ...] = ()
    tools: tuple[Tool, ...] = ()
    part: Part | None = None
    families: tuple[str, ...] = ()
    least: int = 0
    everywhere: bool = False
    texts: Mapping[str, Mapping[str, str]] = FrozenDict()
    things: Callable[[Board], Iterable[Thing]] | None = None
    build: Callable[[Iterable[Placed]], Iterable[Any]] | None = None
    checks: tuple[Check, ...] = ()
    solids: Callable[[Fitting], Iterable[Solid]] | None = None
    symbol: Callable[[Fitting], Iterable[Ink]] | None = None
    contact: float = 0.0
    paint: str = ""

    @property
    def fact(self) -> str:
        """The kind of its things and facts."""
        return self.kind or self.word

    @property
    def printed(self) -> tuple[str, ...]:
        """Families of the pieces that are it; none if it has no piece."""
        return (self.word,) if self.part else self.families

    @property
    def single(self) -> bool:
        """True if a tile has at most one thing of its kind, shared by several elements or not."""
        return self.fact in SINGLE

    @property
    def wants_name(self) -> bool:
        """True if a name stands before its tiles: `base red at AREA`."""
        return self.named in ("side", "field")

    @property
    def around(self) -> bool:
        """True if its length is a reach over the tiles around it."""
        return self.length == "radius"

    @property
    def on_top(self) -> bool:
        """True if it takes the place of all others that lie or stand on the column's top."""
        return self.form == "put" and not self.levelled and not self.edged

    @property
    def valued(self) -> bool:
        """True if its word is the name of its things, since several elements share the kind."""
        return self.fact in ("ground", "feature")

    @property
    def statement(self) -> str:
        """How its statement is written, for the reference: `railing at AREA [sides SIDE …]`."""
        if self.form == "column":
            return f"{self.word} AREA height N|LENGTH"
        if self.form == "block":
            return f'{self.word} NAME "FILE" {{ KEY VALUE … }}'
        if self.form == "span":
            level, flag = " level N" * self.level, f" [{self.flag}]" if self.flag else ""
            return f"{self.word} {self.ends[0]} -> {self.ends[1]}{level}{flag}"
        name = " ".join(self.names) or ("SIDE" if self.named == "side" else "NAME")
        head = f"{self.word} {name}" if self.wants_name else self.word
        tail = " [sides SIDE …]" * self.edged
        tail += f" [{self.length} LENGTH]" if self.length else ""
        tail += " [cover WORD]" * (self.named == "cover")
        return f"{head} at AREA{tail}"

    @property
    def rule(self) -> str:
        """The line of the grammar for its statement, without its alias."""
        if self.form == "column":
            return f'"{self.word}" area "height" (INT | LENGTH)'
        if self.form == "block":
            return f'"{self.word}" NAME STRING'
        if self.form == "span":
            level = ' "level" INT' * self.level
            flag = f" {self.flag.upper()}?" if self.flag else ""
            return f'"{self.word}" spot "->" spot{level}{flag}'
        name = " NAME" * self.wants_name
        tail = " sides?" * self.edged + (f" {self.length}?" if self.length else "")
        return f'"{self.word}"{name} "at" area{tail}{" cover?" * (self.named == "cover")}'

    @property
    def json_node(self) -> tuple[str, Mapping[str, str]]:
        """Type of its statement in the JSON of the syntax tree, and attributes by field there."""
        if self.node[0]:
            return self.node
        if self.form == "span":
            return "Span", {"kind": "kind", "a": "a", "b": "b"}
        if self.field != "fittings":
            return "Put", {"kind": "kind", "area": "area"}
        names = ("kind", "name", "area", "sides", "length_um")
        return "FittingStatement", dict(zip(names, names, strict=True))

    def canonical(self, tiles: tuple[Tile, ...]) -> tuple[Tile, ...]:
        """Return tiles in the order that a thing has: ends of a deck, sides of a railing."""
        if self.level:
            return tuple(sorted(tiles))
        return (tiles[0], *sorted(tiles[1:])) if self.edged else tiles


SINGLE = ("level", "ground", "feature")
"""Kinds of which a tile has at most one."""
