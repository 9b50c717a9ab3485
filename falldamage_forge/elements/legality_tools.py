"""Questions that the legality of several elements asks of a board, and the build limits."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from falldamage_forge.board import Battlement, Board, Column, Feature, Fitting, Ground, Tile
from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.issues import Issue, Note, SourceSpan, notes_at


@dataclass(frozen=True, slots=True)
class BuildLimits:
    """Limits of catalogue and printer, in tiles and levels.

    Attributes:
        max_span: Most tiles under a bridge.
        max_rise: Most levels of a ladder.
        tree_height: Levels of a tree: those of the rules, at least those of its piece.
        spire_height: Levels of a spire, likewise.
        printed: Features whose piece is higher than the rules say.
    """

    max_span: int = 4
    max_rise: int = 5
    tree_height: int = 2
    spire_height: int = 2
    printed: frozenset[Feature] = frozenset()

    def height(self, feature: Feature | None) -> int:
        """Return the levels of a feature; 0 for None."""
        return {Feature.TREE: self.tree_height, Feature.SPIRE: self.spire_height, None: 0}[feature]


def board_error(
    code: str,
    message: str,
    source: SourceSpan | None,
    tiles: tuple[Tile, ...],
    hint: str | None = None,
    notes: tuple[Note, ...] = (),
) -> Issue:
    """Return an error of the board, at a statement and its tiles."""
    return Issue(code, "error", message, source, tiles, hint, notes)


def level_here(column: Column, message: str) -> tuple[Note, ...]:
    """Return a note at the statement that sets a column's level, if it is plain terrain."""
    plain = column.feature is None and column.ground is Ground.GROUND
    return notes_at((column.source, message)) if plain else ()


def top_occupant(board: Board, tile: Tile) -> str:
    """Return what blocks a column's top; empty if the top is free."""
    column = board.column(tile)
    if column.feature is not None:
        return f"a {column.feature} stands there"
    return f"it is {column.ground}" if column.ground is not Ground.GROUND else ""


def arch_above(board: Board, tile: Tile) -> bool:
    """True if the side walls of an arch hang down on to a column's rim."""
    above = board.column(tile).level + 1
    return any(deck.arch and deck.level == above and tile in deck.tiles for deck in board.decks)


def hooks_into(
    board: Board, crown: Battlement
) -> Iterator[tuple[str, tuple[int, int], SourceSpan | None]]:
    """Yield name, side and source of each bridge and ladder that ends on a battlement's sides."""
    level = board.column(crown.tile).level
    for side in crown.sides:
        for thing in board.edge_ends.get((crown.tile, level, side), ()):
            yield thing.name, side, thing.source


Unfit = Callable[[Board, Fitting], tuple[str, str]]
"""Says why a fitting cannot stand on its tile, and a hint; both empty if it can."""


def fitting_check(kind: str, unfit: Unfit) -> Callable[[Board, BuildLimits], Iterator[Issue]]:
    """Return the check of one kind of fitting (FDF160).

    Args:
        kind: Kind of the fittings.
        unfit: Says why one of them cannot stand on its tile.
    """

    def check(board: Board, limits: BuildLimits) -> Iterator[Issue]:
        for fitting in board.fitted(kind):
            why, hint = unfit(board, fitting)
            if why:
                message = f"no {kind} can stand on {fitting.tile}: {why}"
                yield board_error("FDF160", message, fitting.source, (fitting.tile,), hint)

    return check


def off_top(board: Board, fitting: Fitting) -> tuple[str, str]:
    """Say why a fitting does not stand on a free top; see `Unfit`."""
    column = board.column(fitting.tile)
    if fitting.level != column.level:
        return off_level(fitting, (column.level,))
    why = top_occupant(board, fitting.tile)
    fix = f"move the {column.feature}" if column.feature else "choose plain terrain"
    return why, fix if why else ""


def off_level(fitting: Fitting, known: tuple[int, ...]) -> tuple[str, str]:
    """Say why a fitting is at none of the levels of its tile; see `Unfit`."""
    if fitting.level in known:
        return "", ""
    tops = " or ".join(f"{fitting.tile}@{top}" for top in known)
    return f"there is nothing at level {fitting.level}", f"write {tops}"
