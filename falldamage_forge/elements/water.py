"""Water: ground that slows."""

from __future__ import annotations

from falldamage_forge.elements.element import Element, Tool
from falldamage_forge.infra.lazy_dataclass import FrozenDict

ELEMENT = Element(
    word="water",
    means="tops of water",
    kind="ground",
    field="columns",
    levelled=False,
    glyph="~",
    depth=7,
    usage="",
    synonyms=(
        "river",
        "pond",
        "lake",
        "pool",
    ),
    tools=(
        Tool(
            name="water",
            group="terrain",
            key="w",
            order=12,
            words="water {tiles}",
            icon=(
                '<path fill="currentColor" fill-opacity=".18" stroke="none" d="M3 13c2.2-2.4 '
                '4.5-2.4 6.7 0s4.5 2.4 6.7 0 3.3-2 4.6-1.3V20H3z"/>'
                '<path d="M3 8c2.2-2.4 4.5-2.4 6.7 0s4.5 2.4 6.7 0S19.7 6 21 6.7M3 13c2.2-2.4 '
                "4.5-2.4 6.7 0s4.5 2.4 6.7 0 3.3-2 4.6-1.3M3 18c2.2-2.4 4.5-2.4 6.7 0s4.5 2.4 "
                '6.7 0 3.3-2 4.6-1.3"/>'
            ),
            label="water",
            labels=FrozenDict({"de": "Wasser"}),
        ),
    ),
)
