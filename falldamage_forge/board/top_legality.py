"""Legality of battlements and half steps, which lock into a column's top."""

from __future__ import annotations

from collections.abc import Iterator

from falldamage_forge.board.board_model import Battlement, Board, Ground, HalfStep
from falldamage_forge.board.coordinates import DIRECTION_NAMES, Tile
from falldamage_forge.issues import Issue, Note, SourceSpan, notes_at


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


def check_battlements(board: Board, limits: object) -> Iterator[Issue]:
    """Report battlements off plain terrain (FDF145) or where a bridge or ladder ends (FDF146).

    Args:
        board: The board to check.
        limits: Unused; every check takes the build limits.
    """
    for crown in board.battlements:
        why = top_occupant(board, crown.tile)
        if not why and board.column(crown.tile).level == 0:
            why = "it is bare board"
        if not why and arch_above(board, crown.tile):
            why = "the arch above hangs down on to it"
        if why:
            message = f"no battlement can stand on {crown.tile}: {why}"
            yield board_error("FDF145", message, crown.source, (crown.tile,))
        for what, at, source in hooks_into(board, crown):
            side = DIRECTION_NAMES[at]
            message = f"the battlement's {side} side on {crown.tile} is where {what} ends"
            notes = notes_at((source, f"{what} is here"))
            yield board_error("FDF146", message, crown.source, (crown.tile,), notes=notes)


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


def check_steps(board: Board, limits: object) -> Iterator[Issue]:
    """Report half steps on tops that are not free (FDF147).

    Args:
        board: The board to check.
        limits: Unused; every check takes the build limits.
    """
    for step in board.steps:
        why = top_occupant(board, step.tile) or _beside_step(board, step)
        if why:
            message = f"no step can stand on {step.tile}: {why}"
            yield board_error("FDF147", message, step.source, (step.tile,))


def _beside_step(board: Board, step: HalfStep) -> str:
    """Return what blocks a half step on its top; empty if it is free."""
    tile, level = step.tile, board.column(step.tile).level
    if any(crown.tile == tile for crown in board.battlements):
        return "a battlement stands there"
    if any((chest.tile, chest.level) == (tile, level) for chest in board.treasures):
        return "treasure lies there"
    if any(deck.level == level and tile in (deck.a, deck.b) for deck in board.decks):
        return "a bridge ends there"
    ends = [(x.foot, x.foot_level) for x in board.ladders]
    ends += [(x.top, x.top_level) for x in board.ladders]
    if (tile, level) in ends:
        return "a ladder ends there"
    if level + 1 in board.deck_levels.get(tile, ()):
        return "the bridge above leaves no space for it"
    return ""


def top_occupant(board: Board, tile: Tile) -> str:
    """Return what blocks a column's top; empty if the top is free."""
    column = board.column(tile)
    if column.feature is not None:
        return f"a {column.feature} stands there"
    return f"it is {column.ground}" if column.ground is not Ground.GROUND else ""
