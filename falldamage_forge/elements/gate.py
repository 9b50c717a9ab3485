"""Gate: the squares of Gatefall's Gate."""

from __future__ import annotations

from falldamage_forge.elements.element import Element

ELEMENT = Element(
    word="gate",
    means="the squares of the Gate, in one row or one column; gatefall",
    sign=":",
    shown="the Gate",
)
