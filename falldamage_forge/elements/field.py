"""Field: a counter with a field around it."""

from __future__ import annotations

from falldamage_forge.elements.element import INCH_UM, Element, Tool
from falldamage_forge.infra.lazy_dataclass import FrozenDict

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
    tools=(
        Tool(
            name="field",
            group="things",
            key="h",
            order=15,
            words="field heavy-g {tiles}",
            icon=(
                '<path d="M12 4.5a7.5 7.5 0 1 1 0 15 7.5 7.5 0 0 1 0-15zM12 8v8M9 13.2l3 2.8 '
                '3-2.8"/>'
            ),
            label="Heavy-G",
            labels=FrozenDict({"de": "Heavy-G"}),
        ),
    ),
)
