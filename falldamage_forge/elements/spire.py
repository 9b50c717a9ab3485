"""Spire: a castle turret on a column."""

from __future__ import annotations

import math
from collections.abc import Iterator

from falldamage_forge.board import Board, Feature, Fitting, Ground
from falldamage_forge.elements.element import Element, Tool
from falldamage_forge.elements.legality_tools import BuildLimits, board_error
from falldamage_forge.elements.solids import Drum, Ink, Panel
from falldamage_forge.issues import Issue


def check_spire_columns(board: Board, limits: BuildLimits) -> Iterator[Issue]:
    """Report spires on the bare base (FDF143) and features in water or lava (FDF144)."""
    for tile in board.tiles():
        column = board.column(tile)
        if tile in board.model_tops:
            continue
        if column.feature is Feature.SPIRE and column.level < ELEMENT.least:
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


def solids(spire: Fitting) -> Iterator[Drum | Panel]:
    """Yield a castle turret of two levels: a drum, a neck with slits and a pointed roof."""

    def drum(paint: str, *profile: tuple[float, float], shade: float = 1.0) -> Drum:
        return Drum(profile, 16, paint, shade, 0.1)

    yield drum("rock", (0.0, 0.38), (0.12, 0.38))
    yield drum("rock", (0.12, 0.30), (0.72, 0.27), shade=1.04)
    slit = ((0.0, 0.32), (0.05, 0.32), (0.05, 0.57), (0.0, 0.57))
    yield Panel(tuple((0.785, 0.5 + along, z) for along, z in slit), "edge", 0.75)
    yield Panel(tuple((0.55 - along, 0.785, z) for along, z in slit), "edge", 0.75)
    yield drum("rock", (0.72, 0.37), (0.84, 0.37))
    yield drum("roof", (0.84, 0.34), (1.12, 0.27), (1.9, 0.03))
    yield drum("gold", (1.88, 0.035), (2.0, 0.03))


def symbol(spire: Fitting) -> Iterator[Ink]:
    """Yield a roof of six facets from above."""
    middle, angles = 0.53, [number * math.pi / 3 for number in range(6)]
    ring = tuple((middle + 0.33 * math.sin(a), middle + 0.33 * math.cos(a)) for a in angles)
    yield Ink(tuple((row + 0.04, col + 0.05) for row, col in ring), "shade", opacity=0.25)
    for number, shade in enumerate((0.7, 0.82, 1.1, 1.22, 1.1, 0.85)):
        facet = ((middle, middle), ring[number], ring[(number + 1) % 6])
        yield Ink(facet, "rock", shade=shade, solid=True)
        yield Ink(facet, "edge", 0.9, 0.5, closed=True)
    yield Ink(ring, "edge", 1.5, 0.9, closed=True)


ELEMENT = Element(
    word="spire",
    means="a castle spire on columns of level 1 or more",
    kind="feature",
    field="columns",
    levelled=False,
    glyph="^",
    depth=4,
    least=1,
    usage="",
    checks=(check_spire_columns,),
    solids=solids,
    symbol=symbol,
    contact=0.42,
    paint="rock",
    families=("spire",),
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
