"""How a unit of a game moves over a board, as plain data: places, and edges with what they cost."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from fractions import Fraction
from functools import cached_property
from typing import Literal, NamedTuple

from falldamage_forge.board import Tile
from falldamage_forge.board.surfaces import Surface
from falldamage_forge.rules.clocks import ONE_MOVE, SURE, Clock
from falldamage_forge.rules.standing import standing_of
from falldamage_forge.values import dataclass


class Place(NamedTuple):
    """Where a unit stands: its surface (of several the north-west one), all it covers, and where.

    `spot` is empty for the middle; two places of one surface differ by it. Who has no room in the
    middle stands beside it: `shift` is how far south and east, in the game's smallest lengths.
    """

    anchor: Surface
    covers: tuple[Surface, ...]
    spot: str = ""
    shift: tuple[int, int] = (0, 0)

    @property
    def tiles(self) -> tuple[Tile, ...]:
        """The tiles it covers."""
        return tuple(surface.tile for surface in self.covers)


class End(NamedTuple):
    """What failing a check may lead to: where one is then, None for out of the game, how likely.

    `place` is the number of that place in the model, None where one cannot go on from there; `hits`
    what it does, `falls` how far each fall goes, in the game's own measure.
    """

    at: Surface | None
    place: int | None
    chance: Fraction = SURE
    hits: int = 0
    falls: tuple[int, ...] = ()


class Edge(NamedTuple):
    """One way to go on.

    `harm` is the damage it does for sure; `chance` that of passing its check, `risk` what failing
    does, `fall` the levels one falls then. `strain` counts towards the model's limit for one move,
    `drop` are levels fallen on purpose, which count towards its allowance. `inside` is what of the
    way goes where movement is halved: `cost` has it twice, in whole pieces (see `Model`). `ends` is
    what failing leads to, with chances that sum to one; without any one stays where one was.
    """

    to: int
    kind: str
    cost: int
    harm: int = 0
    chance: Fraction = SURE
    strain: int = 0
    drop: int = 0
    risk: str = ""
    fall: int = 0
    inside: int = 0
    ends: tuple[End, ...] = ()


@dataclass(frozen=True, slots=True)
class Scale:
    """The measure costs are told in: `per` smallest units make one."""

    name: str
    per: int = 1

    def tell(self, cost: int) -> str:
        """A cost as text, to two decimals, rounded up so that nothing looks cheaper than it is."""
        hundredths = -(-cost * 100 // self.per)
        whole, part = divmod(hundredths, 100)
        return f"{whole}.{part:02d}".rstrip("0").rstrip(".")

    def exact(self, cost: int) -> Fraction:
        """A cost in the measure."""
        return Fraction(cost, self.per)


@dataclass(frozen=True, slots=True)
class Allowance:
    """Levels one may drop in a move before it hurts, and how what is more is counted."""

    levels: int
    count: Literal["subtract", "threshold"] = "subtract"

    def harm(self, fallen: int, drop: int) -> int:
        """Damage of one more drop when so many levels of the allowance are used up."""
        left = max(self.levels - fallen, 0)
        if drop <= left:
            return 0
        return drop - left if self.count == "subtract" else drop


@dataclass(frozen=True)
class Model:
    """One unit of one game on one board, as plain data. `edges[i]` leave place i.

    `move` is one move's budget. Nobody ends a move on a place of `no_stop`, nor the last one on a
    place of `no_end`; with `exact` a move is used up before the next. `strain` limits the edges'
    strain within one move. With an `allowance` drops hurt by what a move has fallen so far, not by
    the edge's `harm`. Where movement is halved it is paid for in pieces of `halved`, of which a
    later edge of the same move uses what is left, unless the way led out in between. `lethal` is
    the harm that ends the way. In places of `lying` one lies, and does nothing before standing up.
    `desperate` are edges, by the place they leave, whose check nobody passes: one goes them for
    where failing ends.
    `start_used` is gone from the first move before it begins, for what `start_kind` says. `index`
    are places by anchor: the middle, or the first of those beside it.
    """

    unit: str
    places: tuple[Place, ...]
    edges: tuple[tuple[Edge, ...], ...]
    move: int
    scale: Scale
    clock: Clock = ONE_MOVE
    no_stop: frozenset[int] = frozenset()
    no_end: frozenset[int] = frozenset()
    start_used: int = 0
    start_kind: str = ""
    exact: bool = False
    strain: int | None = None
    allowance: Allowance | None = None
    lethal: int | None = None
    halved: int = 0
    notes: tuple[str, ...] = ()
    lying: frozenset[int] = frozenset()
    desperate: tuple[tuple[int, Edge], ...] = ()
    index: dict[Surface, int] = field(init=False, repr=False, compare=False, hash=False)

    def __post_init__(self) -> None:
        index: dict[Surface, int] = {}
        for number, place in enumerate(self.places):
            if not place.spot:
                index[place.anchor] = number
            elif place.shift != (0, 0):
                index.setdefault(place.anchor, number)
        object.__setattr__(self, "index", index)

    @cached_property
    def standing(self) -> Mapping[Surface, tuple[int, ...]]:
        """The places in which one stands who stands on a surface; see `standing.py`."""
        return standing_of(self.places, self.index)

    @cached_property
    def walks(self) -> tuple[tuple[tuple[int, int], ...], ...]:
        """For each place where its harmless edges lead and what they cost, if a move can pay."""
        return tuple(
            tuple(
                (edge.to, edge.cost) for edge in edges if not edge.harm and edge.cost <= self.move
            )
            for edges in self.edges
        )

    @cached_property
    def ahead(self) -> tuple[tuple[int, ...], ...]:
        """For each place those one harmless edge away that a move can pay for."""
        return tuple(tuple(to for to, _ in walks) for walks in self.walks)

    @cached_property
    def behind(self) -> tuple[tuple[int, ...], ...]:
        """For each place those from which one such edge leads to it."""
        into: list[list[int]] = [[] for _ in self.edges]
        for place, ahead in enumerate(self.ahead):
            for to in ahead:
                into[to].append(place)
        return tuple(map(tuple, into))

    @property
    def by_steps(self) -> bool:
        """Whether only cost counts within a move: nothing is a budget of the move but it."""
        return self.strain is None and self.allowance is None and not self.halved

    @cached_property
    def risky(self) -> bool:
        """Whether anything is checked on the way."""
        checked = any(edge.chance != 1 for edges in self.edges for edge in edges)
        return checked or bool(self.desperate)

    @property
    def plain(self) -> bool:
        """Whether whole-number waves answer for its turns: sure, cheap, and by steps."""
        return (
            self.by_steps
            and not self.exact
            and not self.start_used
            and self.move <= MAX_WAVE_MOVE
            and not self.risky
        )


MAX_WAVE_MOVE = 64
