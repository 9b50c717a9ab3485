"""Success odds: the best probability to reach a goal in time when failed checks are tried again.

A failed check ends a move with an outcome of its edge, from which the unit goes on. The optimal
plan is computed backwards from the goal by dynamic programming over moves left, with exact
fractions (a Markov decision process). Within a move a chain of edges has the value of its checks
times the value of what follows; of chains that need no more of the move only the best is kept.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from itertools import count
from typing import Any, NamedTuple

from falldamage_forge.board.surfaces import Surface
from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.rules.json_values import surface_json
from falldamage_forge.rules.movement_graph import Edge, FailureOutcome, MovementGraph
from falldamage_forge.rules.pathfinding import Label, label_path, labels, reserved_cost

NEVER = Fraction(0)
SURE = Fraction(1)


class PlanOutcome(NamedTuple):
    """One outcome of a plan.

    Attributes:
        there: True if the unit is at the goal.
        at: Surface of the unit; None if it is out of the game.
        lies: True if it lies there.
        chance: Probability of the outcome.
        hits: Damage.
        fallen: Total length of its falls, in the ruleset's measure.
    """

    there: bool
    at: Surface | None
    lies: bool
    chance: Fraction
    hits: int
    fallen: int

    def json(self) -> dict[str, Any]:
        """Return the outcome as JSON."""
        at = None if self.at is None else surface_json(self.at)
        return {**self._asdict(), "at": at, "chance": str(self.chance)}


@dataclass(frozen=True, slots=True)
class SuccessOdds:
    """The best probability to be at the goal by each turn.

    Attributes:
        by_turn: Probabilities for turn 1, 2, …
        ends: Outcomes of the plan for the last turn; empty if cards decide the turns.
    """

    by_turn: tuple[Fraction, ...]
    ends: tuple[PlanOutcome, ...] = ()

    def json(self) -> dict[str, Any]:
        """Return the odds as JSON."""
        turns = {str(turn): str(chance) for turn, chance in enumerate(self.by_turn, 1)}
        return {"by_turn": turns, "ends": [end.json() for end in self.ends]}


class MoveChain(NamedTuple):
    """A chain of edges within one move.

    Attributes:
        worth: Probability to reach the goal with it.
        cost: Budget of the move that it needs.
        strain: Strain of the chain.
        ahead: Halved movement that it has paid for and not used.
        place: First node.
        edge: First edge; None at the end of the chain.
        rest: Chain after the first edge; None at the end.
    """

    worth: Fraction
    cost: int
    strain: int
    ahead: int
    place: int
    edge: Edge | None
    rest: MoveChain | None


Chains = list[list[MoveChain]]
"""By node the Pareto-optimal chains, the cheapest first and the best last."""
Where = tuple[bool, Surface | None, bool, int, int]
"""An outcome without its probability."""
State = tuple[int | None, int, Surface | None, int, int]
"""Node, moves left, surface, damage, and length fallen."""


def plan_outcomes(model: MovementGraph, label: Label) -> tuple[PlanOutcome, ...]:
    """Return every outcome of a path that the unit gives up at the first failed check.

    Args:
        model: Movement graph of the unit.
        label: Label at the end of the path.
    """
    chances: dict[Where, Fraction] = {}
    for step in label_path(label):
        assert step.edge is not None
        assert step.back is not None
        if step.edge.chance != 1:
            missed = step.back.chance * (1 - step.edge.chance)
            for end in ends_of(model, step.back.place, step.edge):
                hits = step.back.harm + end.hits
                key = (False, end.at, end.place in model.lying, hits, sum(end.falls))
                chances[key] = chances.get(key, NEVER) + missed * end.chance
    there = (True, model.places[label.place].anchor, label.place in model.lying, label.harm, 0)
    chances[there] = label.chance
    return _sorted_outcomes(chances)


def ends_of(model: MovementGraph, place: int, edge: Edge) -> tuple[FailureOutcome, ...]:
    """Return the outcomes of a failed check on an edge that leaves a node.

    Args:
        model: Movement graph of the unit.
        place: Number of the node that the edge leaves.
        edge: Edge with a check.
    """
    return edge.ends or (FailureOutcome(model.places[place].anchor, place),)


def odds(
    model: MovementGraph,
    starts: Iterable[int],
    goals: Iterable[int],
    turns: int,
    *,
    any_harm: bool = False,
    acting: bool = False,
) -> SuccessOdds:
    """Return the best probability to be at a goal by the end of each turn.

    Args:
        model: Movement graph.
        starts: Start nodes; the best of them is used.
        goals: Goal nodes.
        turns: Number of turns.
        any_harm: True to allow edges with certain damage.
        acting: True if the unit also needs budget for an attack on arrival.
    """
    wanted = frozenset(goals)
    if not acting:
        wanted -= model.no_end | model.no_stop
    if not model.has_checks:
        return SuccessOdds(_sure(model, starts, wanted, turns, any_harm, acting))
    moves = [model.clock.moves_within(turn) or 0 for turn in range(1, turns + 1)]
    begins = tuple(sorted(set(starts)))
    spare = model.clock.attack_reserve(model.move) if acting else 0
    table = _ValueTable(model, wanted, spare, any_harm)
    best = [table.begun(begins, left) for left in moves]
    by_turn = tuple(chain.worth if chain else NEVER for chain in best)
    return SuccessOdds(by_turn, table.follow(best[-1], moves[-1], begins))


def _sure(
    model: MovementGraph,
    starts: Iterable[int],
    goals: frozenset[int],
    turns: int,
    any_harm: bool,
    acting: bool,
) -> tuple[Fraction, ...]:
    """Return the probabilities without checks: only the turn structure leaves a chance."""
    by_turn = [NEVER] * turns
    for label in labels(model, starts, max_harm=None if any_harm else 0, chances=False):
        if label.place not in goals:
            continue
        moves = label.moves if label.edge is not None else 0
        for turn in range(turns):
            if acting:
                chance = model.clock.chance_to_attack_by(moves, label.used, turn + 1)
            else:
                spread = model.clock.turn_distribution(moves)
                chance = sum((spread[n] for n in spread if n <= turn + 1), NEVER)
            by_turn[turn] = max(by_turn[turn], chance)
        if by_turn[0] == 1 or not acting:
            break
        if model.clock.turns(moves) > turns:
            break
    return tuple(by_turn)


class _ValueTable:
    """Values of all nodes for 0, 1, 2, … moves left, computed on demand."""

    def __init__(
        self, model: MovementGraph, goals: frozenset[int], spare: int, any_harm: bool
    ) -> None:
        self.model, self.goals, self.spare = model, goals, spare
        self.into: list[list[tuple[int, Edge]]] = [[] for _ in model.places]
        self.checked: list[tuple[int, Edge]] = []
        for place, edges in enumerate(model.edges):
            for edge in edges:
                if edge.cost <= model.move and (any_harm or not edge.harm):
                    self.into[edge.to].append((place, edge))
                    if edge.chance != 1:
                        self.checked.append((place, edge))
        self.desperate = [
            (place, edge) for place, edge in model.desperate if any_harm and edge.cost <= model.move
        ]
        first = [SURE if n in goals and not spare else NEVER for n in range(len(model.places))]
        self.worth = [first]
        self.chains: list[Chains] = [[[] for _ in model.places]]

    def begun(self, starts: Iterable[int], left: int) -> MoveChain | None:
        """Return the best chain from a start with `left` moves, the first less `start_used`."""
        self._fill(left)
        limit = self.model.move - self.model.start_used
        ways = (c for start in starts for c in self.chains[left][start] if c.cost <= limit)
        return max(ways, key=lambda chain: (chain.worth, -chain.cost), default=None)

    def _fill(self, left: int) -> None:
        while len(self.worth) <= left:
            self.chains.append(self._one_move(len(self.worth)))
            self.worth.append([ways[-1].worth if ways else NEVER for ways in self.chains[-1]])

    def _failing(self, left: int) -> dict[tuple[int, int], Fraction]:
        """Return the value of each edge's failed check, by its node and edge."""
        after = self.worth[self.model.clock.after_failing(left)]
        return {
            (place, id(edge)): sum(
                (
                    end.chance * after[end.place]
                    for end in ends_of(self.model, place, edge)
                    if end.place is not None
                ),
                NEVER,
            )
            for place, edge in (*self.checked, *self.desperate)
        }

    def _one_move(self, left: int) -> Chains:
        """Return the chains from every node at the beginning of a move or within it."""
        model, move = self.model, self.model.move
        missed, stay = self._failing(left), self.worth[left - 1]
        number = count()
        heap: list[tuple[int, int, MoveChain]] = []

        def push(chain: MoveChain) -> None:
            heapq.heappush(heap, (chain.cost, next(number), chain))

        hoped = {edge.to for place, edge in self.checked if missed[place, id(edge)]}
        for place, worth in enumerate(stay):
            if (worth or place in hoped) and place not in model.no_stop:
                push(MoveChain(worth, 0, 0, 0, place, None, None))
        for goal in sorted(self.goals):
            push(MoveChain(SURE, self.spare, 0, 0, goal, None, None))
        for place, edge in self.desperate:
            if missed[place, id(edge)]:
                push(MoveChain(missed[place, id(edge)], edge.cost, 0, 0, place, edge, None))
        chains: Chains = [[] for _ in model.places]
        while heap:
            chain = heapq.heappop(heap)[-1]
            known = chains[chain.place]
            if _beaten(model, known, chain):
                continue
            known.append(chain)
            for place, edge in self.into[chain.place]:
                longer = _before(model, chain, place, edge)
                if longer.cost > move or not _bears(model, longer):
                    continue
                if edge.chance != 1:
                    worth = edge.chance * chain.worth
                    worth += (1 - edge.chance) * missed[place, id(edge)]
                    longer = longer._replace(worth=worth)
                if longer.worth and not _beaten(model, chains[place], longer):
                    push(longer)
        for ways in chains:
            ways.sort(key=lambda chain: (chain.worth, -chain.cost))
        return chains

    def follow(
        self, first: MoveChain | None, left: int, starts: tuple[int, ...]
    ) -> tuple[PlanOutcome, ...]:
        """Return the outcomes after the last turn for a unit that follows the best chains."""
        model = self.model
        chances: dict[Where, Fraction] = {}
        start = first.place if first else starts[0]
        states: dict[int, dict[State, Fraction]] = {n: {} for n in range(left + 1)}
        states[left][start, left, model.places[start].anchor, 0, 0] = SURE
        for moves in range(left, -1, -1):
            for state, chance in states[moves].items():
                place, _, at, hits, fallen = state
                chain = None
                if place is not None and moves:
                    ways = self.chains[moves][place]
                    chain = first if moves == left else (ways[-1] if ways else None)
                if chain is None:
                    key = (place in self.goals, at, place in model.lying, hits, fallen)
                    chances[key] = chances.get(key, NEVER) + chance
                    continue
                for after, share in self._gone(chain, moves, hits, fallen):
                    known = states[after[1]]
                    known[after] = known.get(after, NEVER) + chance * share
        return _sorted_outcomes(chances)

    def _gone(
        self, chain: MoveChain, moves: int, hits: int, fallen: int
    ) -> Iterator[tuple[State, Fraction]]:
        """Yield the states after one move along a chain, with their probabilities."""
        model, passed = self.model, SURE
        link: MoveChain | None = chain
        place = chain.place
        while link is not None and link.edge is not None:
            edge = link.edge
            chance = NEVER if link.rest is None else edge.chance
            if chance != 1:
                left = model.clock.after_failing(moves)
                for end in ends_of(model, link.place, edge):
                    after = (end.place, left, end.at, hits + end.hits, fallen + sum(end.falls))
                    yield after, passed * (1 - chance) * end.chance
            passed, hits, place, link = passed * chance, hits + edge.harm, edge.to, link.rest
        if passed:
            yield (place, moves - 1, model.places[place].anchor, hits, fallen), passed


def _before(model: MovementGraph, chain: MoveChain, place: int, edge: Edge) -> MoveChain:
    """Return a chain with one more edge in front."""
    cost, ahead = chain.cost + edge.cost, 0
    if edge.inside:
        if chain.ahead:
            cost -= 2 * (
                reserved_cost(model, edge.inside, 0)
                - reserved_cost(model, edge.inside, chain.ahead)
            )
        ahead = chain.ahead + reserved_cost(model, edge.inside, chain.ahead) - edge.inside
    return MoveChain(chain.worth, cost, chain.strain + edge.strain, ahead, place, edge, chain)


def _bears(model: MovementGraph, chain: MoveChain) -> bool:
    return model.strain is None or chain.strain <= model.strain


def _beaten(model: MovementGraph, known: list[MoveChain], chain: MoveChain) -> bool:
    """True if a known chain of the node has at least this value and needs no more of the move."""
    if model.by_steps:
        return bool(known) and known[-1].worth >= chain.worth
    return any(
        other.worth >= chain.worth
        and other.cost <= chain.cost
        and (model.strain is None or other.strain <= chain.strain)
        and (
            other.ahead >= chain.ahead
            or other.cost + 2 * reserved_cost(model, chain.ahead, other.ahead) <= chain.cost
        )
        for other in known
    )


def _sorted_outcomes(chances: Mapping[Where, Fraction]) -> tuple[PlanOutcome, ...]:
    """Return outcomes in order: those at the goal, then the likeliest."""
    listed = [
        PlanOutcome(there, at, lies, chance, hits, fallen)
        for (there, at, lies, hits, fallen), chance in chances.items()
        if chance
    ]
    return tuple(
        sorted(
            listed,
            key=lambda end: (
                not end.there,
                -end.chance,
                str(end.at),
                end.lies,
                end.hits,
                end.fallen,
            ),
        )
    )
