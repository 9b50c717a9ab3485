"""Reachability on a mutable board, by the default options: enough to prove a map for all classes.

A unit of Move 3 and Jump 1 has the fewest steps without damage of all classes but one: if it
connects all surfaces both ways, they do too. The exception is the Beast on its tails (Move 2,
levels cost Move), which is tested for starts and chests. Both use the engine's steps; `check`
proves the finished map again.
"""

from __future__ import annotations

from falldamage_forge.games.fall_damage.unit_cards import UNLIMITED, MovementProfile
from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.search import adapter
from falldamage_forge.search.board_survey import survey_of, tile_of
from falldamage_forge.search.mutable_board import MutableBoard

PLAIN, TAILS = MovementProfile(3, 1), MovementProfile(2, UNLIMITED, vertical_counts=True)


@dataclass(frozen=True)
class Reachability:
    """Surfaces as (tile, level), and the surfaces one step from each, as bit sets.

    `plain` are the steps of Jump 1 without damage, `tails` those of the Beast on its tails;
    `starts` is the set of start surfaces.
    """

    surfaces: tuple[tuple[int, int], ...]
    plain: tuple[int, ...]
    tails: tuple[int, ...]
    starts: int

    @property
    def everything(self) -> int:
        """All surfaces, as a bit set."""
        return (1 << len(self.surfaces)) - 1

    def home(self, links: tuple[int, ...]) -> int:
        """Return the surfaces that are connected both ways with the first start."""
        first = self.starts & -self.starts
        return reachable_set(links, first) & reachable_set(reverse(links), first)

    def stray(self) -> int:
        """Return the surfaces that a plain unit cannot reach, or not leave."""
        return self.everything & ~self.home(self.plain)


def reachable_set(links: tuple[int, ...] | list[int], first: int) -> int:
    """Return the set that can be reached from a set.

    Args:
        links: Successors of each node as a bit set; node i is entry i.
        first: Nodes at the start, as a bit set.
    """
    seen = fresh = first
    while fresh:
        low = fresh & -fresh
        fresh ^= low
        new = links[low.bit_length() - 1] & ~seen
        seen |= new
        fresh |= new
    return seen


def reverse(links: tuple[int, ...]) -> list[int]:
    """Return the reversed links: for each surface, those that lead to it."""
    back = [0] * len(links)
    for number, ahead in enumerate(links):
        bit, left = 1 << number, ahead
        while left:
            low = left & -left
            left ^= low
            back[low.bit_length() - 1] |= bit
    return back


def compute_reachability(canvas: MutableBoard) -> Reachability:
    """Return the surfaces of a board and their links."""
    rows, cols = canvas.table.rows, canvas.table.cols
    survey = survey_of(rows, cols, adapter.game().options)
    survey.place(canvas)
    spots = survey.spots()
    index = {spot: number for number, spot in enumerate(spots)}
    surfaces = tuple(((spot >> 10) * cols + (spot >> 4 & 63), spot & 15) for spot in spots)
    plain, tails = map(survey.links, (PLAIN, TAILS))
    starts = sum(1 << index[tile_of(at, cols) << 4] for zone in canvas.table.starts for at in zone)
    return Reachability(surfaces, plain, tails, starts)
