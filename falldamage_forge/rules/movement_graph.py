"""Movement graph: the nodes and edges of one unit on one board, as plain data.

A ruleset builds the graph; `pathfinding`, `bitset_bfs`, `earliest_arrival` and `success_odds`
search it without knowing the rules.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from fractions import Fraction
from functools import cached_property
from typing import Literal, NamedTuple

from falldamage_forge.board import Tile
from falldamage_forge.board.surfaces import Surface
from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.rules.turn_structure import ONE_MOVE, SURE, TurnStructure


class GraphNode(NamedTuple):
    """A place where a unit can stand.

    Attributes:
        anchor: Surface of the unit; of several the north-western one.
        covers: All surfaces that the unit covers.
        spot: Name of the spot on the anchor; empty for the middle.
        shift: Distance from the middle to the south and east, in the ruleset's smallest lengths,
            for a unit without clearance in the middle.
    """

    anchor: Surface
    covers: tuple[Surface, ...]
    spot: str = ""
    shift: tuple[int, int] = (0, 0)

    @property
    def tiles(self) -> tuple[Tile, ...]:
        """The tiles that the unit covers."""
        return tuple(surface.tile for surface in self.covers)


class FailureOutcome(NamedTuple):
    """One outcome of a failed check.

    Attributes:
        at: Surface on which the unit ends; None if it is out of the game.
        place: Its node number; None if the unit cannot go on from there.
        chance: Probability of this outcome.
        hits: Damage.
        falls: Length of each fall, in the ruleset's own measure.
    """

    at: Surface | None
    place: int | None
    chance: Fraction = SURE
    hits: int = 0
    falls: tuple[int, ...] = ()


class Edge(NamedTuple):
    """A move from one node to another.

    Attributes:
        to: Node number of the end.
        kind: Kind of move, such as `walk` or `climb`.
        cost: Cost in smallest units.
        harm: Certain damage.
        chance: Probability to pass the check; 1 for no check.
        strain: Counts towards the graph's `strain` within one move.
        drop: Levels dropped on purpose, which count towards the graph's `allowance`.
        risk: Result of a failed check, in words.
        fall: Levels of the fall after a failed check.
        inside: Part of the cost where movement is halved; `cost` has it twice, in whole pieces.
        ends: Outcomes of a failed check, with probabilities that sum to 1; empty if the unit stays.
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
    ends: tuple[FailureOutcome, ...] = ()


@dataclass(frozen=True, slots=True)
class CostUnit:
    """The unit in which costs are shown: `per` smallest units make one."""

    name: str
    per: int = 1

    def tell(self, cost: int) -> str:
        """Return a cost as text with at most two decimals, rounded up."""
        hundredths = -(-cost * 100 // self.per)
        whole, part = divmod(hundredths, 100)
        return f"{whole}.{part:02d}".rstrip("0").rstrip(".")

    format = tell

    def exact(self, cost: int) -> Fraction:
        """Return a cost as a fraction of the unit."""
        return Fraction(cost, self.per)


@dataclass(frozen=True, slots=True)
class SafeDrop:
    """Levels that a unit may drop in a move without damage.

    Attributes:
        levels: Number of levels.
        count: Damage of a deeper drop: `subtract` counts the levels beyond, `threshold` all of
            them.
    """

    levels: int
    count: Literal["subtract", "threshold"] = "subtract"

    def harm(self, fallen: int, drop: int) -> int:
        """Return the damage of a drop.

        Args:
            fallen: Levels already dropped in this move.
            drop: Levels of the drop.
        """
        left = max(self.levels - fallen, 0)
        if drop <= left:
            return 0
        return drop - left if self.count == "subtract" else drop


@dataclass(frozen=True)
class MovementGraph:
    """The movement graph of one unit of one ruleset on one board.

    Attributes:
        unit: Name of the unit.
        places: Nodes.
        edges: `edges[i]` are the edges that leave node i.
        move: Budget of one move, in smallest units.
        scale: Unit in which costs are shown.
        clock: Turn structure.
        no_stop: Nodes on which no move may end.
        no_end: Nodes on which the last move may not end.
        start_used: Part of the first move spent before it begins.
        start_kind: Reason for `start_used`.
        exact: True if a move must be used up before the next begins.
        strain: Most strain of one move; None for no limit.
        allowance: Levels that may be dropped in a move; damage then follows from it, not from
            `harm`.
        lethal: Damage that ends a path; None if damage does not kill.
        halved: Pieces in which halved movement is paid; 0 for none. A later edge of the move uses
            what is left of a piece, unless the path left the area in between.
        notes: Sentences about the graph.
        lying: Nodes in which the unit lies and has to stand up first.
        desperate: Edges with their start node whose check always fails: the unit goes them for
            their outcomes.
        index: Node by anchor: the middle, else the first node beside it, else any.
    """

    unit: str
    places: tuple[GraphNode, ...]
    edges: tuple[tuple[Edge, ...], ...]
    move: int
    scale: CostUnit
    clock: TurnStructure = ONE_MOVE
    no_stop: frozenset[int] = frozenset()
    no_end: frozenset[int] = frozenset()
    start_used: int = 0
    start_kind: str = ""
    exact: bool = False
    strain: int | None = None
    allowance: SafeDrop | None = None
    lethal: int | None = None
    halved: int = 0
    notes: tuple[str, ...] = ()
    lying: frozenset[int] = frozenset()
    desperate: tuple[tuple[int, Edge], ...] = ()
    index: dict[Surface, int] = field(init=False, repr=False, compare=False, hash=False)

    def __post_init__(self) -> None:
        index: dict[Surface, int] = {}
        elsewhere: dict[Surface, int] = {}
        for number, place in enumerate(self.places):
            if not place.spot:
                index[place.anchor] = number
            elif place.shift != (0, 0):
                index.setdefault(place.anchor, number)
            else:
                elsewhere.setdefault(place.anchor, number)
        for anchor, number in elsewhere.items():
            index.setdefault(anchor, number)
        object.__setattr__(self, "index", index)

    @cached_property
    def standing(self) -> Mapping[Surface, tuple[int, ...]]:
        """The nodes of a unit on each surface; see `nodes_by_surface`."""
        return nodes_by_surface(self.places, self.index)

    @cached_property
    def walks(self) -> tuple[tuple[tuple[int, int], ...], ...]:
        """For each node the ends and costs of its edges without damage that one move can pay."""
        return tuple(
            tuple(
                (edge.to, edge.cost) for edge in edges if not edge.harm and edge.cost <= self.move
            )
            for edges in self.edges
        )

    @cached_property
    def successors(self) -> tuple[tuple[int, ...], ...]:
        """For each node the ends of its edges without damage that one move can pay."""
        return tuple(tuple(to for to, _ in walks) for walks in self.walks)

    @cached_property
    def predecessors(self) -> tuple[tuple[int, ...], ...]:
        """For each node the nodes of which it is a successor."""
        into: list[list[int]] = [[] for _ in self.edges]
        for place, ahead in enumerate(self.successors):
            for to in ahead:
                into[to].append(place)
        return tuple(map(tuple, into))

    @property
    def by_steps(self) -> bool:
        """True if cost is the only budget of a move."""
        return self.strain is None and self.allowance is None and not self.halved

    @cached_property
    def has_checks(self) -> bool:
        """True if any edge has a check."""
        checked = any(edge.chance != 1 for edges in self.edges for edge in edges)
        return checked or bool(self.desperate)

    @property
    def is_plain(self) -> bool:
        """True if `bitset_bfs` answers for the graph: no checks, and cost the only budget."""
        return (
            self.by_steps
            and not self.exact
            and not self.start_used
            and self.move <= MAX_WAVE_MOVE
            and not self.has_checks
        )


MAX_WAVE_MOVE = 64
"""Greatest budget of a move, in smallest units, for which `bitset_bfs` is faster than a search."""


def nodes_by_surface(
    places: Sequence[GraphNode], index: Mapping[Surface, int]
) -> dict[Surface, tuple[int, ...]]:
    """Return by surface the numbers of the nodes that stand for a unit on it.

    These are the middle of the surface; without clearance there the nearest nodes beside it, else
    its node of `index`; for a unit that can only cover the surface, such as on the rim, the nodes
    with the nearest middle.

    Args:
        places: Nodes of the movement graph.
        index: Node by anchor; see `MovementGraph`.
    """
    if all(len(place.covers) == 1 and place.shift == (0, 0) for place in places):
        return {surface: (number,) for surface, number in index.items()}
    ranked: dict[Surface, dict[tuple[bool, Fraction], list[int]]] = {}
    for number, place in enumerate(places):
        if not place.spot or place.shift != (0, 0) or index[place.anchor] == number:
            for surface in place.covers:
                rank = (surface != place.anchor, _distance(place, surface))
                ranked.setdefault(surface, {}).setdefault(rank, []).append(number)
    return {surface: tuple(ranks[min(ranks)]) for surface, ranks in ranked.items()}


def _distance(place: GraphNode, surface: Surface) -> Fraction:
    """Return the squared distance, for ranking, between a surface and a node that covers it.

    On the node's own surface it is the squared shift from the middle.
    """
    if surface == place.anchor:
        return Fraction(place.shift[0] ** 2 + place.shift[1] ** 2)
    count = len(place.covers)
    row = sum(at.tile.row for at in place.covers) - count * surface.tile.row
    col = sum(at.tile.col for at in place.covers) - count * surface.tile.col
    return Fraction(row * row + col * col, count * count)
