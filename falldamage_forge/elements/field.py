"""Field: a counter with a field around it."""

from __future__ import annotations

from falldamage_forge.elements.element import INCH_UM, Element, Tool

ELEMENT = Element(
    word="field",
    means="a counter on each tile with a field around it (default radius: 2.5in); gang-skirmish",
    named="field",
    names=("heavy-g",),
    length="radius",
    usual_um=5 * INCH_UM // 2,
    most_um=12 * INCH_UM,
    sign="*",
    shown="Heavy-G field",
    synonyms=("force", "aura"),
    tools=(
        Tool(
            "field",
            "things",
            "h",
            15,
            "field heavy-g {tiles}",
            {"en": "Heavy-G", "de": "Heavy-G"},
            line="M12 4.5a7.5 7.5 0 1 1 0 15 7.5 7.5 0 0 1 0-15zM12 8v8M9 13.2l3 2.8 3-2.8",
        ),
    ),
)
