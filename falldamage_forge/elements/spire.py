"""Spire: a castle turret on a column."""

from __future__ import annotations

from collections.abc import Iterator

from falldamage_forge.board import Board, Feature, Ground
from falldamage_forge.elements.element import Element, Tool
from falldamage_forge.elements.legality_tools import BuildLimits, board_error
from falldamage_forge.issues import Issue


def check_spire_columns(board: Board, limits: BuildLimits) -> Iterator[Issue]:
    """Report spires on the bare base (FDF143) and features in water or lava (FDF144)."""
    for tile in board.tiles():
        column = board.column(tile)
        if tile in board.model_tops:
            continue
        if column.feature is Feature.SPIRE and column.level == 0:
            yield board_error(
                "FDF143",
                f"the spire at {tile} stands on the bare board",
                column.source,
                (tile,),
            )
        if column.feature is not None and column.ground is not Ground.GROUND:
            yield board_error(
                "FDF144",
                f"the {column.feature} at {tile} stands in {column.ground}",
                column.source,
                (tile,),
            )


ELEMENT = Element(
    word="spire",
    means="a castle spire on columns of level 1 or more",
    kind="feature",
    field="columns",
    levelled=False,
    glyph="^",
    depth=4,
    usage="",
    checks=(check_spire_columns,),
    tools=(
        Tool(
            "spire",
            "things",
            "s",
            11,
            "spire {tiles}",
            {"en": "spire", "de": "Spitze"},
            fill="M12 2.5L16.5 11h-9z",
            line="M8.8 11v10h6.4V11M12 14.5v3M6 21h12",
        ),
    ),
)
