"""Base: the squares of a side's Base in Gatefall."""

from __future__ import annotations

from falldamage_forge.elements.element import Element, Tool
from falldamage_forge.infra.lazy_dataclass import FrozenDict

ELEMENT = Element(
    word="base",
    means="a side's Base (default: its start tiles); gatefall",
    named="side",
    sign="+",
    shown="{name}'s Base",
    tools=(
        Tool(
            name="base-red",
            group="starts",
            key="3",
            order=12,
            words="base red {tiles}",
            icon=(
                '<path fill="currentColor" fill-opacity=".18" stroke="none" d="M5 5h13l-3 4 3 '
                '4H5z"/>'
                '<path d="M5 21.5V5h13l-3 4 3 4H5M9 21.5H3"/>'
            ),
            label="Base red",
            labels=FrozenDict({"de": "Base Rot"}),
        ),
        Tool(
            name="base-blue",
            group="starts",
            key="4",
            order=13,
            words="base blue {tiles}",
            icon=(
                '<path fill="currentColor" fill-opacity=".18" stroke="none" d="M5 5h9a4 4 0 0 1 '
                '0 8H5z"/>'
                '<path d="M5 21.5V5h9a4 4 0 0 1 0 8H5M9 21.5H3"/>'
            ),
            label="Base blue",
            labels=FrozenDict({"de": "Base Blau"}),
        ),
    ),
)
