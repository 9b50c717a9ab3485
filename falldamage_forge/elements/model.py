"""Model: a mesh of others on a joint of ours, with tops on which units stand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from falldamage_forge.board import Board, StandingModel, Tile
from falldamage_forge.board.board_model import facing_of
from falldamage_forge.elements.element import Element, Placed, Thing
from falldamage_forge.elements.legality_tools import BuildLimits, board_error
from falldamage_forge.issues import Issue, SourceSpan

AIMS = 2
"""The last tiles of a thing: those north and east of its first tile, as its block has them."""


def things(board: Board) -> Iterator[Thing]:
    """Yield the models of a board."""
    for x in board.models:
        yield Thing("model", (*x.tiles, *x.aims), (x.level,), x.name, tops=x.tops)


def build(placed: Iterable[Placed]) -> Iterator[StandingModel]:
    """Yield a board's models."""
    for x in placed:
        facing, mirrored = facing_of(x.tiles[0], *x.tiles[-AIMS:])
        level = x.levels[0] or 0
        yield StandingModel(x.name, x.tiles[:-AIMS], x.tops, level, facing, mirrored, x.span)


def check_model_tops(board: Board, limits: BuildLimits) -> Iterator[Issue]:
    """Report what clicks on to a stud and stands on a model's plain top (FDF149).

    Args:
        board: The board to check.
        limits: Unused; every check takes the build limits.
    """
    if not board.models:
        return
    names = {tile: x.name for x in board.models for tile in x.tiles}
    for what, tile, level, source in _clicked(board):
        if tile in names and level == board.column(tile).level and not board.model_tops[tile][1]:
            message = f"{what} needs a stud on {tile}, and the model `{names[tile]}` has none there"
            hint = "write `studs` in the model's block, or choose another tile"
            yield board_error("FDF149", message, source, (tile,), hint)


def _clicked(board: Board) -> Iterator[tuple[str, Tile, int, SourceSpan | None]]:
    """Yield name, tile, level and source of all that holds on a stud, once a tile."""
    for deck in board.decks:
        yield from ((deck.name, end, deck.level, deck.source) for end in deck.ends)
    for ladder in board.ladders:
        yield ladder.name, ladder.foot, ladder.foot_level, ladder.source
        yield ladder.name, ladder.top, ladder.top_level, ladder.source
    for crown in board.battlements:
        yield "a battlement", crown.tile, board.column(crown.tile).level, crown.source
    for step in board.steps:
        yield "a step", step.tile, board.column(step.tile).level, step.source
    for rail in (x for x in board.fittings if x.sides):
        yield f"a {rail.kind}", rail.tile, rail.level, rail.source
    for zone in board.starts:
        yield from (("a start marker", tile, level, zone.source) for tile, level in zone.surfaces)


ELEMENT = Element(
    word="model",
    means="a model of others, of an STL, OBJ, PLY, 3MF or GLB file, for `place NAME at TILE`",
    form="block",
    field="models",
    aims=AIMS,
    levelled=False,
    rank=1,
    depth=None,
    usage="",
    synonyms=("mesh", "stl", "figure", "statue"),
    things=things,
    build=build,
    checks=(check_model_tops,),
    texts={
        "de": {
            "{what} needs a stud on {tile}, and the model `{name}` has none there": (
                "{what} braucht eine Noppe auf {tile}, und das Modell `{name}` hat dort keine"
            ),
            "write `studs` in the model's block, or choose another tile": (
                "schreibe `studs` in den Block des Modells, oder wähle ein anderes Feld"
            ),
            "a battlement": "eine Zinne",
            "a step": "eine Stufe",
            "a railing": "ein Geländer",
            "a start marker": "eine Startmarke",
        }
    },
)
