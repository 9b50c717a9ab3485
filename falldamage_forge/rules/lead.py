"""What one side has before another: how much, and how much is still fair."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from falldamage_forge.board import Tile


@dataclass(frozen=True, slots=True)
class Lead:
    """A figure in which the sides differ. `side` is None where nobody gets something at all.

    `figure` is fair up to `fair`, both in `measure`; `text` tells it with the numbers of both
    sides, `tiles` are where it shows.
    """

    what: str
    side: str | None
    text: str
    figure: float
    fair: float
    measure: str
    tiles: tuple[Tile, ...] = ()

    @property
    def unfair(self) -> bool:
        """Whether it is more than is fair."""
        return self.figure > self.fair

    @property
    def told(self) -> str:
        """The figure and its threshold, such as `2 turns (fair: up to 1)`."""
        if self.measure == "%":
            return f"{self.figure:.0%} (fair: up to {self.fair:.0%})"
        return f"{self.figure:.3g} {self.measure} (fair: up to {self.fair:g})"

    def json(self) -> dict[str, Any]:
        """As JSON."""
        return {
            "what": self.what,
            "side": self.side,
            "text": self.text,
            "figure": round(self.figure, 3),
            "fair": self.fair,
            "measure": self.measure,
            "unfair": self.unfair,
            "tiles": [str(tile) for tile in self.tiles],
        }
