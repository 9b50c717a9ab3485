"""Field: a counter with a field around it."""

from __future__ import annotations

from falldamage_forge.elements.element import INCH_UM, Element

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
    synonyms=(
        "force",
        "aura",
    ),
)
