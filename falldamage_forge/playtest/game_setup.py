"""Setup of one game of a series: what its players, on columns or on state values, begin with."""

from __future__ import annotations

from falldamage_forge.infra.lazy_dataclass import dataclass

Teams = tuple[list[str], list[str]]
"""Names of red's and of blue's cards."""


@dataclass(frozen=True, slots=True)
class GameSetup:
    """Setup of one game: teams and surface numbers by side, first side, seed.

    `swapped` is true if the block's first team plays blue.
    """

    teams: Teams
    places: tuple[tuple[int, ...], tuple[int, ...]]
    first: int
    swapped: bool
    seed: int
