"""Catalogue: every printable design, expanded from TOML families.

A family is a table: a builder, a pose, a group, and `sizes`, whose lists are expanded in every
combination. Footprints come from the registered shapes below, meshes from the builders that
`falldamage_forge.geometry` registers.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Mapping
from dataclasses import field, replace
from types import MappingProxyType
from typing import Any, cast

from falldamage_forge.board import BOARD_STEP, MAX_BOARD, MAX_LEVEL, column_name
from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.infra.toml_loader import read_table
from falldamage_forge.issues import ForgeError, Issue, did_you_mean
from falldamage_forge.lengths import GRID, PrintGrid
from falldamage_forge.pieces.piece import (
    MAGNETIC,
    MAX_VARIANTS,
    SIZED,
    Piece,
    Pose,
    Value,
    size_suffix,
)

Footprint = tuple[tuple[int, int], ...]
Params = Mapping[str, Value]


def _count(params: Params, name: str) -> int:
    value = params[name]
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= 50:
        raise ValueError(f"`{name}` should be a whole number from 1 to 50, found {value!r}")
    return value


def _rectangle(params: Params) -> Footprint:
    """Return `depth` rows of `width` columns."""
    width, depth = _count(params, "width"), _count(params, "depth")
    return tuple((row, col) for row in range(depth) for col in range(width))


def _corner(params: Params) -> Footprint:
    """Return the L of three tiles: two below one another and one beside the lower."""
    return ((0, 0), (1, 0), (1, 1))


def _line(params: Params) -> Footprint:
    """Return `span` tiles in a row, west to east."""
    return tuple((0, col) for col in range(_count(params, "span")))


SHAPES: Mapping[str, Callable[[Params], Footprint]] = {
    "rectangle": _rectangle,
    "corner": _corner,
    "line": _line,
    "tile": lambda params: ((0, 0),),
    "none": lambda params: (),
}
"""Function from a size's parameters to a footprint, by the name of the shape."""


@dataclass(frozen=True, slots=True)
class Family:
    """One table of `presets/pieces`.

    Templates `key` and `title` hold `{name}` of any size's entry. `levels` is the height that a
    piece adds to the board. A piece has `variants`, at most `MAX_VARIANTS`. `needs` counts the
    other pieces that each part requires, such as the wheel of a stand; its keys are templates too.
    """

    name: str
    title: str
    key: str
    builder: str
    shape: str = "tile"
    pose: Pose = "upright"
    group: str = "stone"
    levels: int = 0
    variants: int = 1
    sizes: tuple[Mapping[str, Any], ...] = ()
    needs: Mapping[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not 1 <= self.variants <= MAX_VARIANTS:
            raise ValueError(f"`variants` should be from 1 to {MAX_VARIANTS}")
        if self.shape not in SHAPES:
            hint = did_you_mean(self.shape, SHAPES)
            known = ", ".join(SHAPES)
            raise ValueError(f"no shape called `{self.shape}`; {hint or f'known: {known}'}")


def rim_signs(first: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the letters and the numbers of five columns and rows.

    Args:
        first: Index of the first column or row, from 0.
    """
    places = range(first, first + BOARD_STEP)
    return tuple(map(column_name, places)), tuple(str(place + 1) for place in places)


def rim_keys(first: int) -> tuple[str, str]:
    """Return the keys of the strips that show `rim_signs(first)`: letters, then numbers."""
    letters, numbers = rim_signs(first)
    return f"rim-letters-{letters[0].lower()}", f"rim-numbers-{numbers[0]}"


def _strip(like: Piece, name: str, text: str) -> Piece:
    """Return a copy of a strip with another text."""
    params = tuple(sorted({**dict(like.params), "text": text}.items()))
    key = name + like.key.removeprefix(like.name)
    return replace(like, key=key, title=like.title.replace(str(like["text"]), text), params=params)


@dataclass(frozen=True, slots=True)
class Catalogue:
    """All pieces by key and by family, in the order of the tables.

    Keys are file names. `needs` counts the pieces to print with each part of a piece; `grid` is the
    size of tiles and levels that the pieces are made for. `magnets` is the size of the magnets that
    join the base, such as `6x2`, or `6x2-blocks`; empty if ties join it.
    """

    pieces: Mapping[str, Piece]
    families: Mapping[str, tuple[Piece, ...]]
    needs: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    grid: PrintGrid = GRID
    magnets: str = ""

    def on(self, grid: PrintGrid) -> Catalogue:
        """Return the same designs for another grid, found by plain names and by keys.

        Args:
            grid: Tile pitch and level rise in mm.
        """
        if grid == self.grid:
            return self
        return replace(self._changed(lambda piece: piece.on(grid)), grid=grid)

    def holding(self, magnets: str) -> Catalogue:
        """Return the same designs with a base that magnets join, found by plain names and by keys.

        Args:
            magnets: Name of the magnets' size, one of `MAGNETS`, with `-blocks` if they hold blocks
                too; empty for a base with ties.
        """
        if magnets == self.magnets:
            return self
        return replace(self._changed(lambda piece: piece.holding(magnets)), magnets=magnets)

    def _changed(self, change: Callable[[Piece], Piece]) -> Catalogue:
        """Return the catalogue with every piece changed, under the same names."""
        pieces = {name: change(piece) for name, piece in self.pieces.items()}
        families = {name: tuple(map(change, own)) for name, own in self.families.items()}
        return replace(self, pieces=MappingProxyType(pieces), families=MappingProxyType(families))

    def keyed(self, counts: Mapping[str, int]) -> dict[str, int]:
        """Return counts by key from counts by plain name; unknown names are copied."""
        return {self[name].key if name in self else name: n for name, n in counts.items()}

    def _name(self, key: str) -> str:
        """Return the plain name of a key."""
        name = key.removesuffix(size_suffix(self.grid)) if SIZED in key else key
        return name.removesuffix(f"{MAGNETIC}{self.magnets}") if self.magnets else name

    def __getitem__(self, key: str) -> Piece:
        """Return the piece of a key or plain name.

        Raises:
            ForgeError: (FDF400) If the catalogue has no such piece; names the nearest key.
        """
        name = self._name(key)
        piece = self.pieces.get(name) or self.strips.get(name)
        if piece is None:
            hint = did_you_mean(key, self.pieces) or "`fdforge pieces` lists what a map needs"
            message = f"no piece called `{key}` in the catalogue"
            raise ForgeError([Issue("FDF400", "error", message, hint=hint)])
        return piece

    def __contains__(self, key: object) -> bool:
        """True if a key is that of a piece of the tables or of a rim strip."""
        if not isinstance(key, str):
            return False
        name = self._name(key)
        return name in self.pieces or name in self.strips

    @property
    def every(self) -> Mapping[str, Piece]:
        """All pieces of the tables, and the rim strips of larger boards."""
        return {**self.strips, **self.pieces}

    @property
    def strips(self) -> Mapping[str, Piece]:
        """Rim strips of the largest board: copies of the tables' first strips with other texts."""
        strips = {}
        for first in range(0, MAX_BOARD, BOARD_STEP):
            matching = zip(rim_keys(first), rim_keys(0), rim_signs(first), strict=True)
            for key, template, signs in matching:
                if template in self.pieces:
                    strips[key] = _strip(self.pieces[template], key, " ".join(signs))
        return strips

    def family(self, name: str) -> tuple[Piece, ...]:
        """Return the pieces of a family; empty if the catalogue has no such family."""
        return self.families.get(name, ())

    def companions(self, piece: Piece) -> tuple[tuple[Piece, int], ...]:
        """Return the pieces printed along with each part of `piece`, and their counts."""
        return tuple((self[key], count) for key, count in self.needs.get(piece.name, {}).items())

    def blocks(self) -> tuple[Piece, ...]:
        """Return the pieces that fill columns, whole levels only."""
        return self.family("block")

    def bridge(self, span: int) -> Piece:
        """Return the plank bridge over `span` tiles; KeyError if none is long enough."""
        return self.pieces[f"bridge-{span}"]

    def ladder(self, rise: int) -> Piece:
        """Return the ladder that climbs `rise` levels; KeyError if none is long enough."""
        return self.pieces[f"ladder-{rise}"]

    def ladders(self, rise: int, *, low: bool = False) -> tuple[Piece, ...]:
        """Return the sections of a ladder from the foot up; one if a single piece is long enough.

        Args:
            rise: Levels to climb.
            low: True for a foot that stands on a cap.

        Raises:
            KeyError: If the catalogue has no such ladder.
        """
        end = "-low" if low else ""
        whole = self.pieces.get(f"ladder-{rise}{end}")
        if whole is not None:
            return (whole,)
        lower, middle = self.family("ladder-lower"), self.family("ladder-middle")
        if not lower or not middle:
            raise KeyError(f"ladder-{rise}")
        first = self.pieces[f"ladder-lower-{lower[0].levels}{end}"]
        count, last = divmod(rise - first.levels - 1, middle[0].levels)
        return (first, *[middle[0]] * count, self.pieces[f"ladder-upper-{last + 1}"])

    @property
    def max_span(self) -> int:
        """Longest bridge, in tiles."""
        return max((len(piece.footprint) for piece in self.family("bridge")), default=0)

    @property
    def max_rise(self) -> int:
        """Longest ladder, in levels; the board's limit if ladders can be joined from sections."""
        if self.family("ladder-lower") and self.family("ladder-middle"):
            return MAX_LEVEL
        return max((piece.levels for piece in self.family("ladder")), default=0)

    @property
    def quadrant(self) -> Piece:
        """Quadrant of the baseplate."""
        return self["quadrant"]

    @property
    def chest(self) -> Piece:
        """Treasure chest."""
        return self["chest"]

    def start_marker(self, side: str) -> Piece:
        """Return the marker of a side's start tile; red's marker for a side without its own."""
        return self.pieces.get(f"start-{side}") or self["start-red"]

    @property
    def tie(self) -> Piece:
        """Bow tie that joins two quadrants from below."""
        return self["tie"]


def catalogue_from_tables(tables: Mapping[str, Mapping[str, Any]], where: str) -> Catalogue:
    """Return the catalogue of TOML tables; every table in a file is one family.

    Args:
        tables: Parsed tables by file name without suffix.
        where: Folder of the files, for messages.

    Raises:
        ForgeError: (FDF291, FDF401) Lists every unknown key or shape, bad size, duplicate key and
            missing companion.
    """
    pieces: dict[str, Piece] = {}
    families: dict[str, tuple[Piece, ...]] = {}
    needs: dict[str, Mapping[str, int]] = {}
    issues: list[Issue] = []
    for file, table in tables.items():
        for name, entry in table.items():
            place = f"{where}/{file}.toml: {name}"
            try:
                family = read_table(Family, {"name": name, **_table_of(entry, place)}, place)
                made = expand(family, place)
            except ForgeError as error:
                issues += error.issues
                continue
            for piece in made:
                if pieces.setdefault(piece.key, piece) is not piece:
                    issues.append(_issue(f"{place}: there are two pieces called `{piece.key}`"))
                if family.needs:
                    own = {_fill(key, dict(piece.params)): n for key, n in family.needs.items()}
                    needs[piece.key] = MappingProxyType(own)
            families[name] = families.get(name, ()) + made
    for key, wanted in needs.items():
        for other in wanted:
            if other not in pieces:
                hint = did_you_mean(other, pieces)
                issues.append(_issue(f"{where}: `{key}` needs unknown piece `{other}`", hint))
    if issues:
        raise ForgeError(issues)
    return Catalogue(MappingProxyType(pieces), MappingProxyType(families), MappingProxyType(needs))


def _table_of(entry: Any, place: str) -> Mapping[str, Any]:
    if not isinstance(entry, Mapping):
        raise ForgeError([_issue(f"{place}: expected a table, found {entry!r}")])
    return entry


def _issue(message: str, hint: str | None = None) -> Issue:
    return Issue("FDF401", "error", message, hint=hint)


def expand(family: Family, place: str) -> tuple[Piece, ...]:
    """Return the pieces of a family: one for every combination of the lists in each of its sizes.

    Args:
        family: Family with its sizes and lists.
        place: File of the catalogue, for errors.

    Raises:
        ForgeError: (FDF401) If a size lacks a parameter or a parameter is out of range.
    """
    pieces: list[Piece] = []
    for size in family.sizes or ({},):
        names = list(size)
        choices = [value if isinstance(value, list) else [value] for value in size.values()]
        for values in itertools.product(*choices):
            pieces.append(_piece(family, dict(zip(names, values, strict=True)), place))
    return tuple(pieces)


def _piece(family: Family, params: dict[str, Any], place: str) -> Piece:
    for name, value in params.items():
        if not isinstance(value, int | float | str):
            raise ForgeError([_issue(f"{place}: `{name}` should be a number or a text")])
    own = cast(dict[str, Value], params)
    try:
        footprint = SHAPES[family.shape](own)
        levels = _count(own, "levels") if "levels" in own else family.levels
        key, title = _fill(family.key, own), _fill(family.title, own)
    except KeyError as error:
        raise ForgeError([_issue(f"{place}: a size lacks {error}")]) from None
    except ValueError as error:
        raise ForgeError([_issue(f"{place}: {error}")]) from None
    if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", key):
        raise ForgeError([_issue(f"{place}: `{key}` cannot be a key; use a-z, 0-9 and -")])
    return Piece(
        key,
        family.name,
        title,
        family.builder,
        tuple(sorted(own.items())),
        footprint,
        levels,
        family.pose,
        family.group if "group" not in own else str(own["group"]),
        family.variants,
    )


def _fill(template: str, params: Params) -> str:
    """Return the template with each `{name}` replaced by the parameter's text."""
    return re.sub(r"\{([a-z_]+)\}", lambda match: str(params[match[1]]), template)
