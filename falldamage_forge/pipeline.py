"""The main road: text to Layout to verdict to files, as pure functions.

`check` stops after the rules; `build` goes on to plan, meshes, plates and artifacts. Neither reads
nor writes a file: sources and presets come in as values, artifacts go out as bytes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from falldamage_forge.issues import Issue, has_errors
from falldamage_forge.legality import Limits, check_legality

if TYPE_CHECKING:
    from falldamage_forge.lang import Layout
    from falldamage_forge.pieces.catalogue import Catalogue
    from falldamage_forge.printing.printer import Printer
    from falldamage_forge.rules.ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class Checked:
    """What `check` found: the layout (None when the text has no meaning) and every issue."""

    layout: Layout | None
    issues: tuple[Issue, ...]

    @property
    def ok(self) -> bool:
        """Whether nothing stands against building it."""
        return self.layout is not None and not has_errors(self.issues)


def limits_for(catalogue: Catalogue, ruleset: Ruleset, players: int) -> Limits:
    """What the catalogue and the rules allow a layout to be."""
    return Limits(
        max_span=catalogue.max_span,
        max_rise=catalogue.max_rise,
        players=players,
    )
