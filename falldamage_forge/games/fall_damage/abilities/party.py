"""Who comes along: "Necromancer comes with two skeletons units … party total to 10"."""

from __future__ import annotations

from collections.abc import Iterable

from falldamage_forge.board.surfaces import Surface, SurfaceGraph
from falldamage_forge.games.fall_damage.attack import tiles_apart

SKELETONS = 2


def skeleton_places(
    graph: SurfaceGraph,
    necromancer: Surface,
    taken: Iterable[Surface],
    zones: Iterable[Surface],
    count: int = SKELETONS,
) -> tuple[Surface, ...]:
    """Where its skeletons start, as a start zone holds the eight cards only.

    The free surfaces nearest to the Necromancer outside all start zones: by tiles, then difference
    in level, level, row and column. Fewer than `count` when the board is full.
    """
    held = {*taken, *zones, necromancer}
    free = [surface for surface in graph.surfaces if surface not in held]
    free.sort(
        key=lambda at: (
            tiles_apart(necromancer, at),
            abs(at.level - necromancer.level),
            at.level,
            at.tile,
        )
    )
    return tuple(free[:count])
