"""One engine for every game: places, edges with a cost and a chance, and a clock of turns.

A game supplies the model; nothing here knows inches, squares or dice. Costs are whole numbers of
the model's smallest unit, chances are exact fractions. A label says how one gets to a place: in how
many moves, how much of the last one is used, with which chance that every check on the way is
passed. A label is kept unless another is at least as good in all of these.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

from falldamage_forge.board import Tile
from falldamage_forge.surfaces import Surface

SURE = Fraction(1)


class Place(NamedTuple):
    """Where a unit stands: its north-west surface, every surface it covers, and where on them.

    `spot` is empty for the middle; two places of one surface differ by it alone.
    """

    anchor: Surface
    covers: tuple[Surface, ...]
    spot: str = ""

    @property
    def tiles(self) -> tuple[Tile, ...]:
        """The tiles it covers."""
        return tuple(surface.tile for surface in self.covers)


class Edge(NamedTuple):
    """One way to go on. `chance` is that of passing its check; `risk` says what failing does.

    `fall` is the levels one falls by failing, `strain` counts towards the model's limit per move.
    """

    to: int
    kind: str
    cost: int
    chance: Fraction = SURE
    risk: str = ""
    fall: int = 0
    strain: int = 0


class Hazard(NamedTuple):
    """A place from which one may fall: levels, chance that a shove from nearby does it, words."""

    place: int
    levels: int
    chance: Fraction
    text: str


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


@dataclass(frozen=True, slots=True)
class Clock:
    """How moves make turns. `turns` takes moves made; `strike` moves made and used of the last.

    `strike` is the turn in which one not only arrives but can attack.
    """

    turns: Callable[[int], int]
    strike: Callable[[int, int], int]


@dataclass(frozen=True)
class Model:
    """One unit of one game on one board. `edges[i]` leave place i; `move` is one move's budget.

    Nobody ends a move on a place of `no_stop`, nor the last one on a place of `no_end`; with
    `exact` a move is used up before the next. `strain` limits the edges' strain within one move.
    `start_used` is gone from the first move before it begins. `targets` tells which places to
    attack when an enemy starts on some surfaces; without it they are these surfaces. `hazards`
    are worked out when they are asked for.
    """

    unit: str
    places: tuple[Place, ...]
    edges: tuple[tuple[Edge, ...], ...]
    move: int
    scale: Scale
    clock: Clock
    contact: Callable[[Place, Place], bool]
    no_stop: frozenset[int] = frozenset()
    no_end: frozenset[int] = frozenset()
    start_used: int = 0
    exact: bool = False
    strain: int | None = None
    hazards: Callable[[], Iterable[Hazard]] = tuple
    notes: tuple[str, ...] = ()
    targets: Callable[[Iterable[Surface]], Iterable[int]] | None = None
    index: dict[Surface, int] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        index: dict[Surface, int] = {}
        for number, place in enumerate(self.places):
            if not place.spot:
                index[place.anchor] = number
        object.__setattr__(self, "index", index)


@dataclass(frozen=True, slots=True)
class Label:
    """One way to a place, linked to the label it continues."""

    place: int
    moves: int
    used: int
    chance: Fraction
    strain: int = 0
    edge: Edge | None = None
    back: Label | None = None


Labels = dict[int, tuple[Label, ...]]


def search(
    model: Model,
    starts: Iterable[int],
    *,
    least: Fraction = Fraction(0),
    max_moves: int | None = None,
    chances: bool = True,
) -> Labels:
    """All labels no other beats, by place, quickest first.

    `least` drops ways of a smaller chance, `max_moves` ways of more moves. Without `chances` only
    the quickest ways are kept, which is all that turns and coverage need.
    """
    kept: dict[int, list[Label]] = {}
    heap: list[tuple[int, int, Fraction, int, Label]] = []
    count = 0
    for start in sorted(set(starts)):
        first = Label(start, 0, model.move, SURE)
        if model.start_used:
            first = Label(start, 1, model.start_used, SURE)
        heapq.heappush(heap, (first.moves, first.used, -SURE, count, first))
        count += 1
    while heap:
        label = heapq.heappop(heap)[-1]
        known = kept.setdefault(label.place, [])
        if any(_beats(model, other, label, chances) for other in known):
            continue
        known.append(label)
        for after in _extend(model, label):
            if after.chance < least or (max_moves is not None and after.moves > max_moves):
                continue
            known = kept.get(after.place, [])
            if not any(_beats(model, other, after, chances) for other in known):
                heapq.heappush(heap, (after.moves, after.used, -after.chance, count, after))
                count += 1
    return {place: tuple(labels) for place, labels in sorted(kept.items())}


def _stops(model: Model, label: Label) -> bool:
    """Whether a move may end with this label."""
    if model.exact and label.used != model.move:
        return False
    return label.place not in model.no_stop


def _beats(model: Model, one: Label, other: Label, chances: bool) -> bool:
    """Whether whoever holds `other` would always rather hold `one`, both of one place."""
    if chances and one.chance < other.chance:
        return False
    if model.exact and one.used != other.used:
        return False
    if one.moves < other.moves and _stops(model, one):
        return True
    return one.moves <= other.moves and one.used <= other.used and one.strain <= other.strain


def _extend(model: Model, label: Label) -> Iterator[Label]:
    """Every way to go on: within this move, and with a new one."""
    fresh = _stops(model, label) or label.moves == 0
    for edge in model.edges[label.place]:
        chance = label.chance if edge.chance == 1 else label.chance * edge.chance
        used, strain = label.used + edge.cost, label.strain + edge.strain
        limit = model.strain
        within = label.moves > 0 and used <= model.move and (limit is None or strain <= limit)
        if within:
            yield Label(edge.to, label.moves, used, chance, strain, edge, label)
        simple = limit is None and not model.no_stop and not model.exact
        if within and simple:
            continue
        if fresh and edge.cost <= model.move and (limit is None or edge.strain <= limit):
            yield Label(edge.to, label.moves + 1, edge.cost, chance, edge.strain, edge, label)


def can_end(model: Model, labels: Iterable[Label]) -> tuple[Label, ...]:
    """The labels with which a move may end; the start itself may always be kept."""
    return tuple(
        label
        for label in labels
        if label.edge is None or (_stops(model, label) and label.place not in model.no_end)
    )


def connected(model: Model, starts: Iterable[int]) -> frozenset[int]:
    """Places that can be reached at all, however long it takes and unlikely it is."""
    seen = set(starts)
    queue = list(seen)
    while queue:
        for edge in model.edges[queue.pop()]:
            if edge.to not in seen and edge.cost <= model.move:
                seen.add(edge.to)
                queue.append(edge.to)
    return frozenset(seen)


def sources(model: Model, goals: Iterable[int]) -> frozenset[int]:
    """Places from which one of the goals can be reached at all."""
    into: dict[int, list[int]] = {}
    for place, edges in enumerate(model.edges):
        for edge in edges:
            if edge.cost <= model.move:
                into.setdefault(edge.to, []).append(place)
    seen = set(goals)
    queue = list(seen)
    while queue:
        for before in into.get(queue.pop(), ()):
            if before not in seen:
                seen.add(before)
                queue.append(before)
    return frozenset(seen)


class Found(NamedTuple):
    """What is known of a surface: the ways of one turn, and the quickest way that is good enough.

    `now` holds (cost, chance) pairs no other beats; `turns` and `chance` are those of the
    likeliest way of the fewest turns.
    """

    surface: Surface
    turns: int
    chance: Fraction
    now: tuple[tuple[int, Fraction], ...]


def reach(model: Model, start: int, least: Fraction = Fraction(0)) -> tuple[Found, ...]:
    """Every surface a unit gets to from a place, in order of the board."""
    by_surface: dict[Surface, list[Label]] = {}
    for place, labels in search(model, (start,), least=least).items():
        ends = can_end(model, labels)
        by_surface.setdefault(model.places[place].anchor, []).extend(ends)
    found = []
    for surface, labels_here in sorted(by_surface.items()):
        if labels_here:
            best = min(labels_here, key=lambda label: _rank(model, label))
            turns = model.clock.turns(best.moves)
            found.append(Found(surface, turns, best.chance, _now(model, labels_here)))
    return tuple(found)


def _rank(model: Model, label: Label) -> tuple[int, Fraction, int, int]:
    """The fewest turns, of these the likeliest, of these the cheapest."""
    return (model.clock.turns(label.moves), -label.chance, label.moves, label.used)


def _now(model: Model, labels: Iterable[Label]) -> tuple[tuple[int, Fraction], ...]:
    """Cost and chance of the ways within one turn that no other beats."""
    pairs = sorted(
        (spent(model, label), -label.chance)
        for label in labels
        if model.clock.turns(label.moves) <= 1
    )
    front: list[tuple[int, Fraction]] = []
    for cost, minus in pairs:
        if not front or -minus > front[-1][1]:
            front.append((cost, -minus))
    return tuple(front)


def spent(model: Model, label: Label) -> int:
    """What the way of a label costs in all."""
    return sum(step.edge.cost for step in way(label) if step.edge)


def way(label: Label) -> tuple[Label, ...]:
    """The labels from the first step to this one."""
    steps: list[Label] = []
    at: Label | None = label
    while at is not None and at.edge is not None:
        steps.append(at)
        at = at.back
    return tuple(reversed(steps))


def path(
    model: Model, starts: Iterable[int], goals: Iterable[Surface], least: Fraction = Fraction(0)
) -> Label | None:
    """The likeliest way of the fewest turns that ends on one of the surfaces, or None."""
    wanted = frozenset(goals)
    labels = search(model, starts, least=least)
    ends = [
        label
        for place, here in labels.items()
        if model.places[place].anchor in wanted
        for label in can_end(model, here)
    ]
    return min(ends, key=lambda label: (*_rank(model, label), label.place), default=None)
