"""What a whole source means: a Board and what its author says about rules, print and stock."""

from __future__ import annotations

from dataclasses import dataclass, field

from falldamage_forge.board import Board
from falldamage_forge.issues import Issue, SourceSpan
from falldamage_forge.lang.ast import Document

DEFAULT_RULES = "fall-damage"
"""The rules of a map that names none."""


@dataclass(frozen=True, slots=True)
class PrintSettings:
    """The `print` block; None where it says nothing."""

    printer: str | None = None
    fit_mm: float | None = None
    seam_mm: float | None = None
    source: SourceSpan | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Option:
    """One option of the `rules` block, its name with underscores."""

    name: str
    value: str | int
    source: SourceSpan | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Owned:
    """One line of the `inventory` block."""

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
    inventory: tuple[Owned, ...] = ()
    expects: tuple[Expectation, ...] = ()
    allows: tuple[Allowance, ...] = ()
    symmetries: tuple[tuple[str, tuple[str, str] | None], ...] = ()
    rules_source: SourceSpan | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Loaded:
    """A source as far as it could be understood; what an error spoils is left out of the layout."""

    document: Document
    layout: Layout
    issues: tuple[Issue, ...]
