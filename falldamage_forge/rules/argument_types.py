"""Types of query arguments with their bounds; `query_registry` reads a text by its type."""

from __future__ import annotations

from typing import Annotated, NamedTuple

UM, WAY = "um", "way"
"""Annotations of a length in whole micrometres, and of an offset given as a direction."""
MOST, MOST_UM = 1000, 10_000_000


class Written(NamedTuple):
    """Annotation of a word: how users write it, such as `B2`."""

    text: str


UnitWord = Annotated[str, Written("UNIT")]
PushWord = Annotated[str, Written("B2")]
TileWord = Annotated[str, Written("E5")]
StandingWord = Annotated[str, Written("[UNIT=]E5")]
EffectWord = Annotated[str, Written("NAME[=VALUE]")]
Um = Annotated[int, UM, range(MOST_UM + 1)]
"""A length in micrometres, 0 to 10 m."""
SignedUm = Annotated[int, UM, range(-MOST_UM, MOST_UM + 1)]
"""A rise in micrometres, negative if it leads down."""
Way = Annotated[tuple[int, int], WAY]
"""An offset (row, col), as a direction in a query."""
Modifier = Annotated[int, range(-100, 101)]
"""A bonus or a penalty of a roll."""
