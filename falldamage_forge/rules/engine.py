"""One engine for every game: places, edges with what they cost, and labels that say how one came.

A game supplies the model; nothing here knows Jump, inches, squares or dice. Costs are whole numbers
of the model's smallest unit, chances are exact fractions. A label is kept unless another is at
least as good in everything it carries; it is judged against finished labels only, because the best
label pushed so far may be one that the next edge cannot use.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator
from fractions import Fraction

from falldamage_forge.board.surfaces import Surface
from falldamage_forge.rules.clocks import SURE
from falldamage_forge.rules.model import Edge, Model
from falldamage_forge.values import dataclass


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
            used -= 2 * (paid(model, edge.inside, 0) - paid(model, edge.inside, label.ahead))
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
        ahead = ahead + paid(model, edge.inside, ahead) - edge.inside if edge.inside else 0
    return Label(edge.to, moves, used, total, spent, chance, strain, fallen, edge, label, ahead)


def _buys(model: Model, one: Label, other: Label) -> bool:
    """Whether one can pay for what the other is ahead and still has used no more."""
    return one.used + 2 * paid(model, other.ahead, one.ahead) <= other.used


def paid(model: Model, inside: int, ahead: int) -> int:
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
