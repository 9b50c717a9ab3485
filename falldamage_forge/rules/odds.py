"""What becomes of one who fails a check: where a plan ends, and the chance when one tries again.

A failed check ends a move where the edge's `ends` say. Whoever is not there yet goes on from where
he lies, by whatever way makes the chance to be there in time the greatest. That is worked out
backwards from the goal, exactly: a way within one move is worth the chances of its checks times
what lies behind them, and of ways that need no more of the move only the best is kept.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from itertools import count
from typing import Any, NamedTuple

from falldamage_forge.board.surfaces import Surface
from falldamage_forge.rules.engine import Label, labels, paid, way
from falldamage_forge.rules.figures import spot
from falldamage_forge.rules.model import Edge, End, Model
from falldamage_forge.values import dataclass

NEVER = Fraction(0)
SURE = Fraction(1)


class Ended(NamedTuple):
    """One end of a plan: whether one is there, where, whether one lies there, how likely.

    `at` is None for one who is out of the game; `fallen` is how far in all, in the game's measure.
    """

    there: bool
    at: Surface | None
    lies: bool
    chance: Fraction
    hits: int
    fallen: int

    def json(self) -> dict[str, Any]:
        """As JSON."""
        at = None if self.at is None else spot(self.at)
        return {**self._asdict(), "at": at, "chance": str(self.chance)}


@dataclass(frozen=True, slots=True)
class Odds:
    """The best chance to be there by the end of turn 1, 2, …, and where one is after the last.

    `ends` are those of the plan for the last turn; none where cards decide.
    """

    by_turn: tuple[Fraction, ...]
    ends: tuple[Ended, ...] = ()

    def json(self) -> dict[str, Any]:
        """As JSON."""
        turns = {str(turn): str(chance) for turn, chance in enumerate(self.by_turn, 1)}
        return {"by_turn": turns, "ends": [end.json() for end in self.ends]}


class Chain(NamedTuple):
    """A way on within one move: what it is worth, what it takes of the move, its first edge."""

    worth: Fraction
    cost: int
    strain: int
    ahead: int
    place: int
    edge: Edge | None
    rest: Chain | None


Chains = list[list[Chain]]
"""By place the ways that no other beats, the cheapest first and the best last."""
Where = tuple[bool, Surface | None, bool, int, int]
"""An end without its chance."""
State = tuple[int | None, int, Surface | None, int, int]
"""A place, moves left, where it lies, hits and how far one has fallen."""


def plan_ends(model: Model, label: Label) -> tuple[Ended, ...]:
    """Every end of a way that is given up where a check is failed."""
    found: dict[Where, Fraction] = {}
    for step in way(label):
        assert step.edge is not None
        assert step.back is not None
        if step.edge.chance != 1:
            missed = step.back.chance * (1 - step.edge.chance)
            for end in ends_of(model, step.back.place, step.edge):
                hits = step.back.harm + end.hits
                key = (False, end.at, end.place in model.lying, hits, sum(end.falls))
                found[key] = found.get(key, NEVER) + missed * end.chance
    there = (True, model.places[label.place].anchor, label.place in model.lying, label.harm, 0)
    found[there] = label.chance
    return _told(found)


def ends_of(model: Model, place: int, edge: Edge) -> tuple[End, ...]:
    """Where failing an edge's check leads that leaves a place."""
    return edge.ends or (End(model.places[place].anchor, place),)


def odds(
    model: Model,
    starts: Iterable[int],
    goals: Iterable[int],
    turns: int,
    *,
    any_harm: bool = False,
    acting: bool = False,
) -> Odds:
    """The best chance to be on one of some places by the end of each turn, trying again.

    From the best of the starts. Without `any_harm` nobody takes a way that hurts for sure; `acting`
    asks that there is time for an attack on arrival.
    """
    wanted = frozenset(goals)
    if not acting:
        wanted -= model.no_end | model.no_stop
    if not model.risky:
        return Odds(_sure(model, starts, wanted, turns, any_harm, acting))
    moves = [model.clock.within(turn) or 0 for turn in range(1, turns + 1)]
    begins = tuple(sorted(set(starts)))
    spare = model.clock.spare(model.move) if acting else 0
    table = _Table(model, wanted, spare, any_harm)
    best = [table.begun(begins, left) for left in moves]
    by_turn = tuple(chain.worth if chain else NEVER for chain in best)
    return Odds(by_turn, table.follow(best[-1], moves[-1], begins))


def _sure(
    model: Model,
    starts: Iterable[int],
    goals: frozenset[int],
    turns: int,
    any_harm: bool,
    acting: bool,
) -> tuple[Fraction, ...]:
    """The chances where nothing is checked: only what the clock leaves to cards."""
    by_turn = [NEVER] * turns
    for label in labels(model, starts, max_harm=None if any_harm else 0, chances=False):
        if label.place not in goals:
            continue
        moves = label.moves if label.edge is not None else 0
        for turn in range(turns):
            if acting:
                chance = model.clock.sure(moves, label.used, turn + 1)
            else:
                spread = model.clock.spread(moves)
                chance = sum((spread[n] for n in spread if n <= turn + 1), NEVER)
            by_turn[turn] = max(by_turn[turn], chance)
        if by_turn[0] == 1 or not acting:
            break
        if model.clock.turns(moves) > turns:
            break
    return tuple(by_turn)


class _Table:
    """What each place is worth with 0, 1, 2, … moves left, worked out as far as it is asked."""

    def __init__(self, model: Model, goals: frozenset[int], spare: int, any_harm: bool) -> None:
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

    def begun(self, starts: Iterable[int], left: int) -> Chain | None:
        """The best way on from one of some places with so many moves, the first one not whole."""
        self._fill(left)
        limit = self.model.move - self.model.start_used
        ways = (c for start in starts for c in self.chains[left][start] if c.cost <= limit)
        return max(ways, key=lambda chain: (chain.worth, -chain.cost), default=None)

    def _fill(self, left: int) -> None:
        while len(self.worth) <= left:
            self.chains.append(self._one_move(len(self.worth)))
            self.worth.append([ways[-1].worth if ways else NEVER for ways in self.chains[-1]])

    def _failing(self, left: int) -> dict[tuple[int, int], Fraction]:
        """What the failed check of an edge is worth, by its place and the edge."""
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
        """The ways on from every place at the beginning of a move, or in the middle of it."""
        model, move = self.model, self.model.move
        missed, stay = self._failing(left), self.worth[left - 1]
        number = count()
        heap: list[tuple[int, int, Chain]] = []

        def push(chain: Chain) -> None:
            heapq.heappush(heap, (chain.cost, next(number), chain))

        hoped = {edge.to for place, edge in self.checked if missed[place, id(edge)]}
        for place, worth in enumerate(stay):
            if (worth or place in hoped) and place not in model.no_stop:
                push(Chain(worth, 0, 0, 0, place, None, None))
        for goal in sorted(self.goals):
            push(Chain(SURE, self.spare, 0, 0, goal, None, None))
        for place, edge in self.desperate:
            if missed[place, id(edge)]:
                push(Chain(missed[place, id(edge)], edge.cost, 0, 0, place, edge, None))
        found: Chains = [[] for _ in model.places]
        while heap:
            chain = heapq.heappop(heap)[-1]
            known = found[chain.place]
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
                if longer.worth and not _beaten(model, found[place], longer):
                    push(longer)
        for ways in found:
            ways.sort(key=lambda chain: (chain.worth, -chain.cost))
        return found

    def follow(self, first: Chain | None, left: int, starts: tuple[int, ...]) -> tuple[Ended, ...]:
        """Where one is after the last turn who goes the best way from turn to turn."""
        model = self.model
        found: dict[Where, Fraction] = {}
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
                    found[key] = found.get(key, NEVER) + chance
                    continue
                for after, share in self._gone(chain, moves, hits, fallen):
                    known = states[after[1]]
                    known[after] = known.get(after, NEVER) + chance * share
        return _told(found)

    def _gone(
        self, chain: Chain, moves: int, hits: int, fallen: int
    ) -> Iterator[tuple[State, Fraction]]:
        """What one move along a way comes to."""
        model, passed = self.model, SURE
        link: Chain | None = chain
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


def _before(model: Model, chain: Chain, place: int, edge: Edge) -> Chain:
    """A way with one edge more in front of it."""
    cost, ahead = chain.cost + edge.cost, 0
    if edge.inside:
        if chain.ahead:
            cost -= 2 * (paid(model, edge.inside, 0) - paid(model, edge.inside, chain.ahead))
        ahead = chain.ahead + paid(model, edge.inside, chain.ahead) - edge.inside
    return Chain(chain.worth, cost, chain.strain + edge.strain, ahead, place, edge, chain)


def _bears(model: Model, chain: Chain) -> bool:
    return model.strain is None or chain.strain <= model.strain


def _beaten(model: Model, known: list[Chain], chain: Chain) -> bool:
    """Whether one of the ways from a place, none dearer, is worth as much and takes no more."""
    if model.by_steps:
        return bool(known) and known[-1].worth >= chain.worth
    return any(
        other.worth >= chain.worth
        and other.cost <= chain.cost
        and (model.strain is None or other.strain <= chain.strain)
        and (
            other.ahead >= chain.ahead
            or other.cost + 2 * paid(model, chain.ahead, other.ahead) <= chain.cost
        )
        for other in known
    )


def _told(found: Mapping[Where, Fraction]) -> tuple[Ended, ...]:
    """Ends in order: those who are there, then the likeliest."""
    listed = [
        Ended(there, at, lies, chance, hits, fallen)
        for (there, at, lies, hits, fallen), chance in found.items()
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
