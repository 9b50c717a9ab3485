"""What a whole source means: a Board and what its author says about rules, print and stock."""

from __future__ import annotations

from dataclasses import field

from falldamage_forge.board import Board
from falldamage_forge.issues import Issue, SourceSpan
from falldamage_forge.lang.ast import Document
from falldamage_forge.lang.doubt import Doubt
from falldamage_forge.lang.facts import Fact
from falldamage_forge.lengths import Grid, printed
from falldamage_forge.values import dataclass

DEFAULT_RULES = "fall-damage"
"""The rules of a map that names none."""


@dataclass(frozen=True, slots=True)
class PrintSettings:
    """The `print` block; None where it says nothing."""

    printer: str | None = None
    fit_mm: float | None = None
    seam_mm: float | None = None
    rim: bool = False
    source: SourceSpan | None = field(default=None, compare=False)
    tile_mm: float | None = None
    rise_mm: float | None = None

    @property
    def sizes(self) -> dict[str, float]:
        """How large tiles and levels are, where it is said: `tile_mm`, `rise_mm`."""
        said = {"tile_mm": self.tile_mm, "rise_mm": self.rise_mm}
        return {name: size for name, size in said.items() if size is not None}

    @property
    def grid(self) -> Grid:
        """The size of tiles and levels as they are printed and drawn."""
        return printed(self.tile_mm, self.rise_mm)


@dataclass(frozen=True, slots=True)
class Option:
    """One option of the `rules` block, its name with underscores."""

    name: str
    value: str | int
    source: SourceSpan | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class OwnUnit:
    """One unit of the `units` block: what it is like, and its properties."""

    name: str
    like: str = ""
    properties: tuple[Option, ...] = ()
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
class Allowance:
    """One `allow` statement."""

    code: str
    reason: str
    span: SourceSpan | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Layout:
    """One map, fully expanded."""

    board: Board
    title: str = ""
    author: str = ""
    players: int = 2
    rules: str = DEFAULT_RULES
    options: tuple[Option, ...] = ()
    printing: PrintSettings = PrintSettings()
    inventory: tuple[PieceCount, ...] = ()
    extras: tuple[PieceCount, ...] = ()
    expects: tuple[Expectation, ...] = ()
    allows: tuple[Allowance, ...] = ()
    symmetries: tuple[tuple[str, tuple[str, str] | None], ...] = ()
    rules_source: SourceSpan | None = field(default=None, compare=False)
    units: tuple[OwnUnit, ...] = ()

    @property
    def owned(self) -> dict[str, int]:
        """Parts of the `inventory` block, by key."""
        owned: dict[str, int] = {}
        for entry in self.inventory:
            owned[entry.piece] = owned.get(entry.piece, 0) + entry.count
        return owned


@dataclass(frozen=True, slots=True)
class Loaded:
    """A source as far as it could be understood; what an error spoils is left out of the layout."""

    document: Document
    layout: Layout
    issues: tuple[Issue, ...]
    facts: tuple[Fact, ...] = field(default=(), repr=False)
    """What is said of single tiles, each with where it is written and what brought it there."""
    doubt: Doubt = field(default_factory=Doubt, repr=False)
    """Where the board may be other than meant, because the text has faults."""
