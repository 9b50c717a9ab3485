"""Step: a block of half a level on a column's top."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from falldamage_forge.board import Board, Fitting, HalfStep, Tile
from falldamage_forge.elements.element import Element, Placed, Thing, Tool
from falldamage_forge.elements.legality_tools import board_error, top_occupant
from falldamage_forge.elements.solids import Box, Ink, square
from falldamage_forge.issues import Issue


def things(board: Board) -> Iterator[Thing]:
    """Yield the half steps of a board."""
    return (thing(step.tile) for step in board.steps)


def thing(tile: Tile) -> Thing:
    """Return a half step on the top of a tile's column.

    Args:
        tile: Its tile.
    """
    return Thing("step", (tile,))


def build(placed: Iterable[Placed]) -> Iterator[HalfStep]:
    """Yield a board's half steps."""
    return (HalfStep(x.tiles[0], x.span) for x in placed)


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


def solids(step: Fitting) -> tuple[Box]:
    """Return half a level of stone."""
    return (Box((0.01, 0.01, 0.0), (0.99, 0.99, 0.5), "cliff", 1.08, "ground"),)


def symbol(step: Fitting) -> tuple[Ink, ...]:
    """Return a lighter square, below which the number of the level stays visible."""
    top = square(0.44)
    return Ink(top, "gleam", opacity=0.4), Ink(top, "edge", 1.8, 0.9, closed=True)


ELEMENT = Element(
    word="step",
    means="a block of half a level on top of each tile",
    field="steps",
    levelled=False,
    depth=3,
    usage="",
    things=things,
    build=build,
    checks=(check_steps,),
    solids=solids,
    symbol=symbol,
    families=("step",),
    tools=(
        Tool(
            "step",
            "terrain",
            "x",
            11,
            "step {tiles}",
            {"en": "step", "de": "Stufe"},
            fill="M3.5 20v-4.5h5.7V11h5.6V6.5h5.7V20z",
        ),
    ),
)
