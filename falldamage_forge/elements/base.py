"""Base: the squares of a side's Base in Gatefall."""

from __future__ import annotations

from collections.abc import Iterator

from falldamage_forge.board import Fitting
from falldamage_forge.elements.element import Element, Tool
from falldamage_forge.elements.solids import Ink, square


def symbol(base: Fitting) -> Iterator[Ink]:
    """Yield a dashed border in the side's colour."""
    yield Ink(square(0.47), "side", opacity=0.10)
    yield Ink(square(0.46), "side", 2.2, closed=True, dash=5.0)


ELEMENT = Element(
    word="base",
    means="a side's Base (default: its start tiles); gatefall",
    named="side",
    sign="+",
    shown="{name}'s Base",
    symbol=symbol,
    tools=(
        Tool(
            "base-red",
            "starts",
            "3",
            12,
            "base red {tiles}",
            {"en": "Base red", "de": "Base Rot"},
            fill="M5 5h13l-3 4 3 4H5z",
            outlined=False,
            line="M5 21.5V5h13l-3 4 3 4H5M9 21.5H3",
        ),
        Tool(
            "base-blue",
            "starts",
            "4",
            13,
            "base blue {tiles}",
            {"en": "Base blue", "de": "Base Blau"},
            fill="M5 5h9a4 4 0 0 1 0 8H5z",
            outlined=False,
            line="M5 21.5V5h9a4 4 0 0 1 0 8H5M9 21.5H3",
        ),
    ),
)
