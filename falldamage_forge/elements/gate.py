"""Gate: the squares of Gatefall's Gate."""

from __future__ import annotations

from falldamage_forge.elements.element import Element, Tool

ELEMENT = Element(
    word="gate",
    means="the squares of the Gate, in one row or one column; gatefall",
    sign=":",
    shown="the Gate",
    tools=(
        Tool(
            "gate",
            "things",
            "k",
            17,
            "gate {tiles}",
            {"en": "Gate", "de": "Tor"},
            line="M4 21V10a8 8 0 0 1 16 0v11M8 21v-8M12 21V10M16 21v-8M4 16h16",
        ),
    ),
)
