"""Where somebody comes to rest that did not move itself."""

from __future__ import annotations

from falldamage_forge.board.surfaces import Surface
from falldamage_forge.values import dataclass


@dataclass(frozen=True, slots=True)
class Fall:
    """Where a unit comes to rest that did not move itself; no `end` when it dies of it."""

    end: Surface | None
    damage: int = 0

    @property
    def dead(self) -> bool:
        """Whether the way down killed it, whatever its health (lava, or nowhere to be)."""
        return self.end is None
