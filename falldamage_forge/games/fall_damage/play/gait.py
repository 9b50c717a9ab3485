"""How units walk, and what they can do from a surface: links, steps, exits."""

from __future__ import annotations

from collections.abc import Iterable, Set
from typing import NamedTuple

from falldamage_forge.games.fall_damage.options import Options


class Gait(NamedTuple):
    """How a unit walks: its Jump, the Beast's counting, the Wrestler's, Discorporate's."""

    jump: int
    vertical_counts: bool = False
    no_fall: bool = False
    ghost: bool = False


class Link(NamedTuple):
    """A step, leap or ladder the terrain allows, by spots; `over` is the tile leapt."""

    to: int
    kind: str
    rise: int
    over: int = -1
    flush: bool = False


class Step(NamedTuple):
    """A link as a gait takes it. `empty` are spots where nobody may stand for it.

    `dry` is 1 where the tile entered costs a single Move, which quicksand makes two; `fall` is the
    drop that counts for damage, `drop` the whole.
    """

    to: int
    cost: int
    damage: int
    empty: tuple[int, ...]
    dry: int
    climb: int
    fall: int
    drop: int


def fall_damage(drop: int, jump: int, options: Options) -> int:
    """Voluntary: "only causes Fall Damage after the equivalent of your Jump height"."""
    if drop <= jump:
        return 0
    return drop - jump if options.voluntary_fall == "subtract" else drop


class Exits(NamedTuple):
    """The steps out of a surface, sorted for searches that ask for damage and cost alone.

    `plain` is where those of one Move lead that do no damage and need nothing empty; the others
    are `rest`, as (to, cost, damage, empty). `steps` are all of them.
    """

    plain: frozenset[int]
    rest: tuple[tuple[int, int, int, tuple[int, ...]], ...]
    steps: tuple[Step, ...]


def exits_of(steps: Iterable[Step], sand: Set[int] = frozenset()) -> Exits:
    """Exits of steps; those that enter a dry tile of quicksand cost one more."""
    every = tuple(steps)
    plain, rest = set(), []
    for to, cost, damage, empty, dry, *_ in every:
        dear = cost + (dry if to >> 4 in sand else 0)
        if dear == 1 and not damage and not empty:
            plain.add(to)
        else:
            rest.append((to, dear, damage, empty))
    return Exits(frozenset(plain), tuple(rest), every)
