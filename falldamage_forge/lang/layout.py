"""Layout: the meaning of a whole source file, with board, rules, print settings and stock."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING

from falldamage_forge.board import Board
from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.issues import Issue, SourceSpan
from falldamage_forge.lang.ast import Document
from falldamage_forge.lang.facts import Fact
from falldamage_forge.lang.tainted_tiles import TaintedTiles
from falldamage_forge.lengths import IN_BLOCKS, PrintGrid, print_grid

if TYPE_CHECKING:
    from falldamage_forge.lang.model_block import ModelBlock

DEFAULT_RULES = "fall-damage"
"""Ruleset of a map without a `rules` block."""


@dataclass(frozen=True, slots=True)
class PrintSettings:
    """The `print` block; None for settings that it leaves out.

    Attributes:
        printer: Name of a printer preset.
        fit_mm: Clearance of joints in mm.
        seam_mm: Clearance of seams in mm.
        rim: True to print the board's rim.
        tile_mm: Edge of a tile in mm.
        rise_mm: Height of a level in mm.
        tops: Key of `PALETTES` for the colours of tops; empty for one colour.
        magnets: Name of the size of the magnets that join the base; empty for ties.
        blocks: True for magnets under studs and blocks too.
    """

    printer: str | None = None
    fit_mm: float | None = None
    seam_mm: float | None = None
    rim: bool = False
    source: SourceSpan | None = field(default=None, compare=False)
    tile_mm: float | None = None
    rise_mm: float | None = None
    tops: str = ""
    magnets: str = ""
    blocks: bool = False

    @property
    def held(self) -> str:
        """Name of the magnets as pieces have it: `6x2`, or `6x2-blocks`; empty for ties."""
        return f"{self.magnets}{IN_BLOCKS}" if self.magnets and self.blocks else self.magnets

    @property
    def sizes(self) -> dict[str, float]:
        """The given sizes of tiles and levels in mm: `tile_mm`, `rise_mm`."""
        given = {"tile_mm": self.tile_mm, "rise_mm": self.rise_mm}
        return {name: size for name, size in given.items() if size is not None}

    @property
    def grid(self) -> PrintGrid:
        """The size of tiles and levels in print and drawings."""
        return print_grid(self.tile_mm, self.rise_mm)


@dataclass(frozen=True, slots=True)
class RuleOption:
    """One option of the `rules` block, its name with underscores."""

    name: str
    value: str | int
    source: SourceSpan | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class CustomUnit:
    """One unit of the `units` block: name, the unit it is like (or empty), and properties."""

    name: str
    like: str = ""
    properties: tuple[RuleOption, ...] = ()
    source: SourceSpan | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class PieceCount:
    """One entry of the `inventory` or the `extras` block."""

    piece: str
    count: int
    source: SourceSpan | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Expectation:
    """One `expect` statement as words."""

    words: tuple[str, ...]
    source: SourceSpan | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Suppression:
    """One `allow` statement."""

    code: str
    reason: str
    span: SourceSpan | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Layout:
    """One map, fully expanded.

    Attributes:
        board: The terrain.
        players: Number of players, 1 to 8.
        rules: Name of the ruleset.
        options: Options of the `rules` block.
        printing: The `print` block.
        inventory: Entries of the `inventory` block.
        extras: Entries of the `extras` block.
        expects: `expect` statements.
        allows: `allow` statements.
        symmetries: Transforms of the `symmetry` statements, each with the two sides that it swaps.
        rules_source: Source span of the `rules` block.
        units: Units of the `units` block.
        license: Terms under which the map may be used, such as `CC-BY-4.0`.
        models: Models of others that the map places, by the names that its board has.
    """

    board: Board
    title: str = ""
    author: str = ""
    players: int = 2
    rules: str = DEFAULT_RULES
    options: tuple[RuleOption, ...] = ()
    printing: PrintSettings = PrintSettings()
    inventory: tuple[PieceCount, ...] = ()
    extras: tuple[PieceCount, ...] = ()
    expects: tuple[Expectation, ...] = ()
    allows: tuple[Suppression, ...] = ()
    symmetries: tuple[tuple[str, tuple[str, str] | None], ...] = ()
    rules_source: SourceSpan | None = field(default=None, compare=False)
    units: tuple[CustomUnit, ...] = ()
    license: str = ""
    models: tuple[ModelBlock, ...] = ()

    @property
    def fair_promise(self) -> tuple[str, ...]:
        """Words of `expect fair`; empty if the map has none."""
        return next((each.words for each in self.expects if each.words[:1] == ("fair",)), ())

    @property
    def owned(self) -> dict[str, int]:
        """Parts of the `inventory` block by key."""
        owned: dict[str, int] = {}
        for entry in self.inventory:
            owned[entry.piece] = owned.get(entry.piece, 0) + entry.count
        return owned


@dataclass(frozen=True, slots=True)
class LoadResult:
    """The layout of a source, without statements that have errors.

    Attributes:
        document: AST of the source.
        layout: The layout.
        issues: Issues in source order.
        facts: Facts with their source spans and expansion steps.
        tainted: Tiles affected by errors, where the board may differ from the author's intent.
    """

    document: Document
    layout: Layout
    issues: tuple[Issue, ...]
    facts: tuple[Fact, ...] = field(default=(), repr=False)
    tainted: TaintedTiles = field(default_factory=TaintedTiles, repr=False)
