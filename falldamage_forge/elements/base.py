"""Base: the squares of a side's Base in Gatefall."""

from __future__ import annotations

from falldamage_forge.elements.element import Element

ELEMENT = Element(
    word="base",
    means="a side's Base (default: its start tiles); gatefall",
    named="side",
    sign="+",
)
