"""Reachability on a mutable board, by the default options: enough to prove a map for all classes.

A unit of Move 3 and Jump 1 has the fewest steps without damage of all classes but one: if it
connects all surfaces both ways, they do too. The exception is the Beast on its tails (Move 2,
levels cost Move), which is tested for starts and chests. Both use the engine's steps; `check`
proves the finished map again.
"""

from __future__ import annotations

from functools import cache

from falldamage_forge.games.fall_damage.engine import codes as C
from falldamage_forge.games.fall_damage.engine.columns import StateColumns
from falldamage_forge.games.fall_damage.engine.empty_state import copy_of, ground_state
from falldamage_forge.games.fall_damage.engine.movement_rules import find_links, take_step
from falldamage_forge.games.fall_damage.engine.terrain_state import survey
from falldamage_forge.games.fall_damage.unit_cards import UNLIMITED, MovementProfile
from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.search import adapter
from falldamage_forge.search.mutable_board import MutableBoard, table

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
    """Return the set that can be reached from a set."""
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
    s, tiles = _ground(canvas)
    surfaces = tuple(
        (number, level)
        for number, tile in enumerate(tiles)
        for level in range(s.stand[tile].bit_length())
        if s.stand[tile] >> level & 1
    )
    spots = {tiles[at] << 4 | level: number for number, (at, level) in enumerate(surfaces)}
    plain, tails = [0] * len(surfaces), [0] * len(surfaces)
    walkers = ((PLAIN, plain), (TAILS, tails))
    for spot, number in spots.items():
        find_links(s, C.GROUND, spot, 0)
        for link in s.link[1 : s.link[0]]:
            for unit, ahead in walkers:
                to, cost, fall, _ = take_step(s, spot, link, unit.jump, unit.vertical_counts, False)
                if 0 <= cost <= unit.move and fall <= unit.jump:
                    ahead[number] |= 1 << spots[to]
    starts = sum(1 << spots[tiles[at] << 4] for zone in canvas.table.starts for at in zone)
    return Reachability(surfaces, tuple(plain), tuple(tails), starts)


@cache
def _bare(rows: int, cols: int) -> tuple[StateColumns, tuple[int, ...]]:
    """Return state columns for boards of a size, and the engine's tile numbers.

    The columns have room for one surface's links; each call writes its board into them.
    """
    board = MutableBoard.empty(table(rows, cols, "rotate-180")).board()
    s = copy_of(ground_state(board, adapter.game().options))
    s.link = [0] * C.LINKS
    return s, tuple(row << 6 | col for row in range(rows) for col in range(cols))


def _ground(canvas: MutableBoard) -> tuple[StateColumns, tuple[int, ...]]:
    """Return a board in state columns, and the engine's number of each tile."""
    s, tiles = _bare(canvas.table.rows, canvas.table.cols)
    over = canvas.over()
    for number, tile in enumerate(tiles):
        s.level[tile], s.kind[tile] = canvas.level[number], canvas.ground[number]
        s.feature[tile] = canvas.feature[number]
        s.decks[tile] = sum(1 << level for level in over.get(number, ()))
        survey(s, C.GROUND, tile)
    ladders = canvas.ladders
    s.n_ladders, s.ladder_alive = len(ladders), [1] * len(ladders)
    s.foot_tile, s.foot_level = [tiles[x.foot] for x in ladders], [x.foot_level for x in ladders]
    s.head_tile, s.head_level = [tiles[x.top] for x in ladders], [x.top_level for x in ladders]
    return s, tiles
