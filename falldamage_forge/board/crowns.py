"""Where battlements and steps can stand: both lock into a column's top, which then is taken."""

from __future__ import annotations

from collections.abc import Iterator

from falldamage_forge.board.grid import DIRECTION_NAMES, Tile
from falldamage_forge.board.model import Battlement, Board, Ground, Step
from falldamage_forge.issues import Issue, Note, SourceSpan


def battlements(board: Board, limits: object) -> Iterator[Issue]:
    """A battlement crowns plain terrain, and no bridge or ladder ends on a side that it takes."""
    for crown in board.battlements:
        why, mend = taken(board, crown.tile)
        if not why and board.column(crown.tile).level == 0:
            why, mend = "it is bare board", f"for example `stack {crown.tile} height 1`"
        if not why and arch_above(board, crown.tile):
            why, mend = "the arch above hangs down on to it", "use a plain bridge there"
        if why:
            message = f"no battlement can stand on {crown.tile}: {why}"
            yield _issue("FDF145", message, crown.source, (crown.tile,), mend)
        for what, at, source in ends(board, crown):
            side = DIRECTION_NAMES[at]
            message = f"the battlement's {side} side on {crown.tile} is where {what} ends"
            notes = (Note(source, f"{what} is here"),) if source else ()
            mend = f"leave out {side}: {_other_sides(crown, at)}"
            yield _issue("FDF146", message, crown.source, (crown.tile,), mend, notes)


def arch_above(board: Board, tile: Tile) -> bool:
    """Whether the side walls of an arch hang down on to a column's rim."""
    above = board.column(tile).level + 1
    return any(deck.arch and deck.level == above and tile in deck.tiles for deck in board.decks)


def _other_sides(crown: Battlement, side: tuple[int, int]) -> str:
    left = [DIRECTION_NAMES[other] for other in crown.sides if other != side]
    return f"`battlement at {crown.tile} sides {' '.join(left)}`" if left else "take it away"


def ends(
    board: Board, crown: Battlement
) -> Iterator[tuple[str, tuple[int, int], SourceSpan | None]]:
    """Bridges and ladders that hook into a side of the battlement's top: name, side, source."""
    level = board.column(crown.tile).level
    for side in crown.sides:
        for thing in board.edge_ends.get((crown.tile, level, side), ()):
            yield thing.name, side, thing.source


def steps(board: Board, limits: object) -> Iterator[Issue]:
    """A step fills its tile's top up to half a level: nothing else stands or ends there."""
    for step in board.steps:
        why, mend = taken(board, step.tile)
        other = "" if why else _beside_step(board, step)
        if why or other:
            message = f"no step can stand on {step.tile}: {why or other}"
            yield _issue("FDF147", message, step.source, (step.tile,), mend or "move one of them")


def _beside_step(board: Board, step: Step) -> str:
    """What shares the step's top and cannot; empty if nothing does."""
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
        return "the bridge above leaves no room for it"
    return ""


def taken(board: Board, tile: Tile) -> tuple[str, str]:
    """What takes the column's top already and how to mend it; empty where nothing does."""
    column = board.column(tile)
    if column.feature is not None:
        return f"a {column.feature} stands there", f"move the {column.feature}"
    if column.ground is not Ground.GROUND:
        return f"it is {column.ground}", "choose plain terrain"
    return "", ""


def _issue(
    code: str,
    message: str,
    source: SourceSpan | None,
    tiles: tuple[Tile, ...],
    hint: str,
    notes: tuple[Note, ...] = (),
) -> Issue:
    return Issue(code, "error", message, source, tiles, hint, notes)
