"""Piece styles as data: patterns of walls and tops, kinds of trees, spires and chests.

A style names patterns for each material group of pieces. It never changes an outline, a height or a
connector, so pieces of different styles mate.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import field, replace
from typing import Any

from falldamage_forge.geometry.relief.broken_parapets import BROKEN
from falldamage_forge.geometry.relief.chests import CHESTS
from falldamage_forge.geometry.relief.spires import SPIRES
from falldamage_forge.geometry.relief.top_patterns import TOPS
from falldamage_forge.geometry.relief.trees import BARE_TREES, TREES
from falldamage_forge.geometry.relief.wall_patterns import WALLS
from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.infra.toml_loader import read_table
from falldamage_forge.issues import did_you_mean


@dataclass(frozen=True, slots=True)
class SurfaceFinish:
    """Patterns of one material group, by the names in WALLS, TOPS and KINDS.

    Each variant of a piece takes the next entry of `trees`, `spires` or `chests`. `arch` is the top
    of arches; empty for that of other pieces.
    """

    wall: str = "plain"
    top: str = "bare"
    arch: str = ""
    trees: tuple[str, ...] = ("fir", "oak", "dead", "bush")
    spires: tuple[str, ...] = ("slate", "round", "broken", "crown")
    chests: tuple[str, ...] = ("chest", "crate", "casket", "keg")

    def __post_init__(self) -> None:
        _known("wall", self.wall, WALLS)
        _known("top", self.top, TOPS)
        if self.arch:
            _known("arch", self.arch, TOPS)
        for key, kinds in KINDS.items():
            names: tuple[str, ...] = getattr(self, key)
            for name in names:
                _known(key, name, kinds)
            if not names:
                raise ValueError(f"`{key}` should name at least one")


KINDS: Mapping[str, Collection[str]] = {"trees": TREES, "spires": SPIRES, "chests": CHESTS}
"""Names of kinds by the key that lists them."""


def _known(key: str, name: str, names: Collection[str]) -> None:
    if name not in names:
        hint = did_you_mean(name, names) or f"known: {', '.join(names)}"
        raise ValueError(f"`{key}` has no pattern `{name}`; {hint}")


def _in_leaf(finish: SurfaceFinish) -> SurfaceFinish:
    living = tuple(tree for tree in finish.trees if tree not in BARE_TREES)
    return replace(finish, trees=living or finish.trees)


@dataclass(frozen=True, slots=True)
class PieceStyle:
    """A style: a finish for each group of pieces, and one for all other groups."""

    name: str = "plain"
    title: str = "Plain"
    finishes: tuple[tuple[str, SurfaceFinish], ...] = ()
    other: SurfaceFinish = field(default_factory=SurfaceFinish)

    def finish(self, group: str) -> SurfaceFinish:
        """Return the finish of a material group."""
        return dict(self.finishes).get(group, self.other)

    def in_leaf(self) -> PieceStyle:
        """Return the style with no dead trees, unless all of its trees are dead.

        Trees whose crowns have a colour of their own look right with leaves alone.
        """
        finishes = tuple((group, _in_leaf(finish)) for group, finish in self.finishes)
        return replace(self, finishes=finishes, other=_in_leaf(self.other))

    @property
    def broken(self) -> bool:
        """True if tops of blocks are broken where they carry nothing."""
        return self.other.wall in BROKEN


PLAIN = PieceStyle()


@dataclass(frozen=True, slots=True)
class _StyleTable:
    title: str
    other: SurfaceFinish = field(default_factory=SurfaceFinish)
    groups: Mapping[str, SurfaceFinish] = field(default_factory=dict)


def style_from_table(table: Mapping[str, Any], name: str) -> PieceStyle:
    """Return a style from its TOML table.

    Args:
        table: Table as read from TOML.
        name: Name of the style, for errors.

    Raises:
        ForgeError: (FDF291) Lists every unknown or invalid key.
    """
    read = read_table(_StyleTable, table, f"style {name}")
    return PieceStyle(name, read.title, tuple(sorted(read.groups.items())), read.other)
