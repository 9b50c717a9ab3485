"""Lead: an advantage of one side over another, with the margin that is still fair."""

from __future__ import annotations

from typing import Any

from falldamage_forge.board import Tile
from falldamage_forge.infra.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Lead:
    """A figure in which the sides differ.

    Attributes:
        what: Name of the figure.
        side: Side in the lead; None if no side gets anything.
        text: Sentence with the numbers of both sides.
        figure: Difference of the sides, in `measure`.
        fair: Greatest fair difference, in `measure`.
        measure: Unit of `figure`; `%` for a share of 1.
        tiles: Tiles concerned.
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
        """True if the difference is greater than fair."""
        return self.figure > self.fair

    @property
    def told(self) -> str:
        """The figure and its threshold, such as `2 turns (fair: up to 1)`."""
        if self.measure == "%":
            return f"{self.figure:.0%} (fair: up to {self.fair:.0%})"
        return f"{self.figure:.3g} {self.measure} (fair: up to {self.fair:g})"

    def json(self) -> dict[str, Any]:
        """Return the lead as JSON."""
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
