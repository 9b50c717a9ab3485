"""One engine for every game: places, edges with what they cost, and labels that say how one came.

A game supplies the model; nothing here knows Jump, inches, squares or dice. Costs are whole numbers
of the model's smallest unit, chances are exact fractions. A label is kept unless another is at
least as good in everything it carries; it is judged against finished labels only, because the best
label pushed so far may be one that the next edge cannot use.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Mapping
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


class Edge(NamedTuple):
    """One way to go on.

    `harm` is the damage it does for sure; `chance` that of passing its check, `risk` what failing
    does, `fall` the levels one falls then. `strain` counts towards the model's limit for one move,
    `drop` are levels fallen on purpose, which count towards its allowance. `inside` is what of the
    way goes where movement is halved: `cost` has it twice, in whole pieces (see `Model`).
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
    the harm that ends the way.
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

    @property
    def plain(self) -> bool:
        """Whether whole-number waves answer for its turns: sure, cheap, and by steps."""
        return (
            self.by_steps
            and not self.exact
            and not self.start_used
            and self.move <= MAX_WAVE_MOVE
            and all(edge.chance == 1 for edges in self.edges for edge in edges)
        )


MAX_WAVE_MOVE = 64


@dataclass(frozen=True, slots=True)
class Label:
    """One way to a place, linked to the label it continues.

    `moves` made, `used` of the last, `strain` and `fallen` levels of it; `harm`, `chance` and
    `spent` of the whole way. `ahead` is what the move has paid for inside and not gone yet.
    """

    place: int
    moves: int
    used: int
    harm: int = 0
    spent: int = 0
    chance: Fraction = SURE
    strain: int = 0
    fallen: int = 0
    edge: Edge | None = None
    back: Label | None = None
    ahead: int = 0


Labels = dict[int, tuple[Label, ...]]


def search(
    model: Model,
    starts: Iterable[int],
    *,
    least: Fraction = Fraction(0),
    max_moves: int | None = None,
    max_harm: int | None = None,
    chances: bool = True,
    thrifty: bool = False,
) -> Labels:
    """All labels no other beats, by place, quickest first.

    `least` drops ways of a smaller chance, `max_moves` ways of more moves, `max_harm` ways that
    hurt more. Without `chances` the likelihood of a way is not asked; `thrifty` asks what it costs
    in all, too.
    """
    kept: dict[int, list[Label]] = {}
    for label in labels(model, starts, least, max_moves, max_harm, chances, thrifty):
        kept.setdefault(label.place, []).append(label)
    return {place: tuple(found) for place, found in sorted(kept.items())}


def labels(
    model: Model,
    starts: Iterable[int],
    least: Fraction = Fraction(0),
    max_moves: int | None = None,
    max_harm: int | None = None,
    chances: bool = True,
    thrifty: bool = False,
) -> Iterator[Label]:
    """The labels of `search` as they are found, in order of moves: one may stop listening."""
    kept: dict[int, list[Label]] = {}
    heap: list[tuple[int, int, int, Fraction | int, int, Label]] = []
    for count, start in enumerate(sorted(set(starts))):
        first = Label(start, 0, model.move)
        if model.start_used:
            first = Label(start, 1, model.start_used)
        heap.append((first.moves, first.used, 0, 0, count, first))
    heapq.heapify(heap)
    count = len(heap)
    while heap:
        label = heapq.heappop(heap)[-1]
        known = kept.setdefault(label.place, [])
        if any(_beats(model, other, label, chances, thrifty) for other in known):
            continue
        known.append(label)
        yield label
        for after in _extend(model, label):
            if (
                (least and after.chance < least)
                or (max_moves is not None and after.moves > max_moves)
                or (max_harm is not None and after.harm > max_harm)
            ):
                continue
            known = kept.setdefault(after.place, [])
            if not any(_beats(model, other, after, chances, thrifty) for other in known):
                count += 1
                unlikely = 0 if not chances or after.chance is SURE else 1 - after.chance
                heapq.heappush(heap, (after.moves, after.used, after.harm, unlikely, count, after))


def stops(model: Model, label: Label) -> bool:
    """Whether a move may end with this label."""
    if model.exact and label.used != model.move:
        return False
    return label.place not in model.no_stop


def _beats(model: Model, one: Label, other: Label, chances: bool, thrifty: bool) -> bool:
    """Whether whoever holds `other` would always rather hold `one`, both of one place.

    Who may stop here with fewer moves made does in a fresh move what the other does in its last;
    with two fewer it is quicker whatever it costs.
    """
    if one.harm > other.harm:
        return False
    if chances and one.chance is not SURE and one.chance < other.chance:
        return False
    if model.exact and one.used != other.used:
        return False
    dearer = thrifty and one.spent > other.spent
    if one.moves < other.moves - dearer and stops(model, one):
        return True
    if dearer:
        return False
    return (
        one.moves <= other.moves
        and one.used <= other.used
        and one.strain <= other.strain
        and one.fallen <= other.fallen
        and (one.ahead >= other.ahead or _buys(model, one, other))
    )


def _extend(model: Model, label: Label) -> Iterator[Label]:
    """Every way to go on: within this move, and with a new one."""
    fresh = stops(model, label) or label.moves == 0
    simple = model.by_steps and not model.no_stop and not model.exact
    for edge in model.edges[label.place]:
        used, strain = label.used + edge.cost, label.strain + edge.strain
        if edge.inside and label.ahead:
            used -= 2 * (_paid(model, edge.inside, 0) - _paid(model, edge.inside, label.ahead))
        if (
            label.moves > 0
            and used <= model.move
            and (model.strain is None or strain <= model.strain)
        ):
            after = _after(model, label, edge, label.moves, used, strain, label.fallen)
            if after is not None:
                yield after
                if simple:
                    continue
        if (
            fresh
            and edge.cost <= model.move
            and (model.strain is None or edge.strain <= model.strain)
        ):
            after = _after(model, label, edge, label.moves + 1, edge.cost, edge.strain, 0)
            if after is not None:
                yield after


def _after(
    model: Model, label: Label, edge: Edge, moves: int, used: int, strain: int, fallen: int
) -> Label | None:
    """The label one step on; None where it would kill."""
    harm = edge.harm
    if model.allowance is not None:
        harm = model.allowance.harm(fallen, edge.drop)
        fallen = min(fallen + edge.drop, model.allowance.levels)
    total = label.harm + harm
    if harm and model.lethal is not None and total >= model.lethal:
        return None
    sure = edge.chance is SURE or edge.chance == 1
    chance = label.chance if sure else label.chance * edge.chance
    if model.strain is None:
        strain = 0
    spent, ahead = label.spent + edge.cost, 0
    if model.halved:
        before, ahead = (label.used, label.ahead) if moves == label.moves else (0, 0)
        spent = label.spent + used - before
        ahead = ahead + _paid(model, edge.inside, ahead) - edge.inside if edge.inside else 0
    return Label(edge.to, moves, used, total, spent, chance, strain, fallen, edge, label, ahead)


def _buys(model: Model, one: Label, other: Label) -> bool:
    """Whether one can pay for what the other is ahead and still has used no more."""
    return one.used + 2 * _paid(model, other.ahead, one.ahead) <= other.used


def _paid(model: Model, inside: int, ahead: int) -> int:
    """What has to be paid for anew, in whole pieces, to go some way where movement is halved."""
    return -(-max(0, inside - ahead) // model.halved) * model.halved


def can_end(model: Model, found: Iterable[Label]) -> tuple[Label, ...]:
    """The labels with which a move may end; the start itself may always be kept."""
    return tuple(
        label
        for label in found
        if label.edge is None or (stops(model, label) and label.place not in model.no_end)
    )


def flood(model: Model, starts: Iterable[int], *, back: bool = False) -> frozenset[int]:
    """Places that are reached unhurt, however long it takes and unlikely it is.

    `back` asks the other way round: places from which one of the starts is reached.
    """
    links = model.behind if back else model.ahead
    seen = set(starts)
    queue = list(seen)
    while queue:
        for to in links[queue.pop()]:
            if to not in seen:
                seen.add(to)
                queue.append(to)
    return frozenset(seen)


def way(label: Label) -> tuple[Label, ...]:
    """The labels from the first step to this one."""
    steps: list[Label] = []
    at: Label | None = label
    while at is not None and at.edge is not None:
        steps.append(at)
        at = at.back
    return tuple(reversed(steps))


def rank(model: Model, label: Label) -> tuple[int, int, Fraction, int, int]:
    """The least harm, of these the fewest turns, the likeliest, the fewest moves, the cheapest."""
    turns = model.clock.turns(label.moves)
    return (label.harm, turns, -label.chance, label.moves, label.spent)


def path(
    model: Model,
    starts: Iterable[int],
    goals: Iterable[Surface],
    *,
    least: Fraction = Fraction(0),
    any_harm: bool = True,
) -> Label | None:
    """The best way by `rank` that ends on one of the surfaces, or None."""
    wanted = frozenset(goals)
    found = search(model, starts, least=least, max_harm=None if any_harm else 0, thrifty=True)
    ends = [
        label
        for place, here in found.items()
        if model.places[place].anchor in wanted
        for label in can_end(model, here)
    ]
    return min(ends, key=lambda label: (*rank(model, label), label.place), default=None)
