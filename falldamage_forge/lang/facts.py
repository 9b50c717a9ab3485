"""Facts: statements about tiles after expansion, and their transforms."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import field, replace
from typing import Literal

from falldamage_forge.board import Tile, coordinates
from falldamage_forge.elements import KINDS, SIDED
from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.issues import SourceSpan
from falldamage_forge.lang.ast import Transform


@dataclass(frozen=True, slots=True)
class ExpansionStep:
    """One step that moved a fact: a `place`, a transform block, or the board's `symmetry`.

    Attributes:
        kind: Kind of the step.
        text: The step as written in the source.
        span: Its source span.
        raised: Levels that it adds.
    """

    kind: Literal["place", "block", "symmetry"]
    text: str
    span: SourceSpan
    raised: int = 0


@dataclass(frozen=True, slots=True)
class Fact:
    """One statement about tiles.

    A battlement has one fact for each side: its tile and the tile beyond, which may be off the
    board. A railing has one for each tile, followed by the tiles beyond its sides.

    Attributes:
        kind: Kind of the fact, as `elements.KINDS` has it; `tainted` marks tainted tiles.
        tiles: Tiles after expansion.
        levels: Levels of the tiles, for kinds that have levels; a deck has one for both ends.
        name: Name, such as the ground, feature or side.
        span: Source span of the statement.
        weak: True for a map's background, which any other fact of the tile and kind replaces.
        length_um: Length of a fitting in micrometres.
        tops: Tops of a model's tiles, see `StandingModel.tops`.
        written: Tiles as the source names them; empty if they equal `tiles`.
        chain: Expansion steps from `written` to `tiles`, innermost first.
    """

    kind: str
    tiles: tuple[Tile, ...]
    levels: tuple[int | None, ...] = ()
    name: str = ""
    span: SourceSpan | None = None
    weak: bool = False
    length_um: int = 0
    tops: tuple[tuple[int, bool], ...] = ()
    written: tuple[Tile, ...] = field(default=(), compare=False)
    chain: tuple[ExpansionStep, ...] = field(default=(), compare=False)

    @property
    def source(self) -> tuple[Tile, ...]:
        """The tiles in the coordinates of their statement."""
        return self.written or self.tiles

    @property
    def placed(self) -> SourceSpan | None:
        """Source span of the outermost `place` that moved the fact."""
        return next((via.span for via in reversed(self.chain) if via.kind == "place"), None)

    @property
    def copied(self) -> ExpansionStep | None:
        """The outermost transform of which the fact is an image; None for an original."""
        return next((via for via in reversed(self.chain) if via.kind != "place"), None)


def occupied_tiles(kind: str, tiles: tuple[Tile, ...]) -> tuple[Tile, ...]:
    """Return the tiles that an element stands on; other tiles only give its sides.

    Args:
        kind: Kind of the element, such as `ladder`.
        tiles: Tiles of its statement, the own one first.
    """
    element = KINDS.get(kind)
    if element is None:
        return tiles
    return tiles[:1] if element.edged else tiles[: len(tiles) - element.aims]


@dataclass(frozen=True, slots=True)
class Extent:
    """Rows and columns to which coordinates are relative."""

    rows: int
    cols: int

    def __contains__(self, tile: Tile) -> bool:
        return 0 <= tile.row < self.rows and 0 <= tile.col < self.cols

    def tiles(self) -> Iterator[Tile]:
        """Return all tiles, row by row."""
        return (Tile(row, col) for row in range(self.rows) for col in range(self.cols))


def transformed_extent(box: Extent, transform: Transform) -> Extent:
    """Return the extent after a transform.

    Args:
        box: Extent before the transform.
        transform: The transform.
    """
    return Extent(*coordinates.transformed_size(transform.name, box.rows, box.cols))


def tile_transform(box: Extent, transform: Transform) -> Callable[[Tile], Tile]:
    """Return the function that maps a tile of an extent to its image.

    Args:
        box: Extent before the transform.
        transform: The transform.
    """
    return coordinates.transform_tile(transform.name, box.rows, box.cols)


def transform_fact(
    fact: Fact,
    move: Callable[[Tile], Tile],
    *,
    raised: int = 0,
    swap: tuple[str, str] | None = None,
    via: ExpansionStep | None = None,
) -> Fact:
    """Return a fact at its image.

    Args:
        fact: The fact.
        move: Function from a tile to its image.
        raised: Levels to add.
        swap: Two sides that change places; None for none.
        via: Step to append to the fact's chain; None for none.
    """
    name = fact.name
    if fact.kind in SIDED and swap and name in swap:
        name = swap[1] if name == swap[0] else swap[0]
    levels = tuple(None if level is None else level + raised for level in fact.levels)
    return replace(
        fact,
        tiles=tuple(map(move, fact.tiles)),
        levels=levels,
        name=name,
        written=fact.source,
        chain=(*fact.chain, via) if via else fact.chain,
    )


def images(
    facts: tuple[Fact, ...],
    box: Extent,
    transform: Transform,
    swap: tuple[str, str] | None,
    via: ExpansionStep,
) -> tuple[Fact, ...]:
    """Return facts with all their images, so that the result is symmetric under a transform.

    Args:
        facts: The facts.
        box: Extent of their coordinates.
        transform: A mirror or rotation; its powers are included.
        swap: Two sides that change places in the image; None for none.
        via: Step to append to the images' chains.

    Returns:
        The facts first, then the images, equal facts once.
    """
    move = tile_transform(box, transform)
    order = 4 if transform.name in coordinates.QUARTERS else 2
    result, current = list(facts), facts
    for _ in range(order - 1):
        current = tuple(transform_fact(fact, move, swap=swap, via=via) for fact in current)
        result += current
    return tuple(dict.fromkeys(result))
