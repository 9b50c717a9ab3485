"""Pathfinding: Pareto-optimal label search on the movement graph of any ruleset.

Costs are integers in smallest units, probabilities exact fractions. A label is kept unless another
label of its node is at least as good in every component. It is compared with settled labels only,
because the next edge may not be able to use the best label in the queue.

Source: Martins 1984, multi-criteria label setting.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator
from fractions import Fraction

from falldamage_forge.board.surfaces import Surface
from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.rules.movement_graph import Edge, MovementGraph
from falldamage_forge.rules.turn_structure import SURE


@dataclass(frozen=True, slots=True)
class Label:
    """One way to a node, linked to the label that it continues.

    Attributes:
        place: Node number.
        moves: Moves begun.
        used: Budget used of the last move.
        harm: Damage of the whole way.
        spent: Cost of the whole way.
        chance: Probability of the whole way.
        strain: Strain of the last move.
        fallen: Levels dropped in the last move, at most the allowance.
        edge: Last edge; None at the start.
        back: Label before the last edge; None at the start.
        ahead: Halved movement that the move has paid for and not used.
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


def pareto_labels(
    model: MovementGraph,
    starts: Iterable[int],
    *,
    least: Fraction = Fraction(0),
    max_moves: int | None = None,
    max_harm: int | None = None,
    chances: bool = True,
    thrifty: bool = False,
) -> Labels:
    """Return all Pareto-optimal labels by node, quickest first.

    Args:
        model: Movement graph.
        starts: Start nodes.
        least: Least probability of a way.
        max_moves: Most moves; None for no limit.
        max_harm: Most damage; None for no limit.
        chances: False to ignore probabilities.
        thrifty: True to compare the total cost, too.
    """
    kept: dict[int, list[Label]] = {}
    for label in labels(model, starts, least, max_moves, max_harm, chances, thrifty):
        kept.setdefault(label.place, []).append(label)
    return {place: tuple(found) for place, found in sorted(kept.items())}


def labels(
    model: MovementGraph,
    starts: Iterable[int],
    least: Fraction = Fraction(0),
    max_moves: int | None = None,
    max_harm: int | None = None,
    chances: bool = True,
    thrifty: bool = False,
) -> Iterator[Label]:
    """Yield the labels of `pareto_labels` as they are settled, in order of moves.

    Args:
        model: Movement graph.
        starts: Start nodes.
        least: Least probability of a way.
        max_moves: Most moves; None for no limit.
        max_harm: Most damage; None for no limit.
        chances: False to ignore probabilities.
        thrifty: True to compare the total cost, too.
    """
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


def can_end_with(model: MovementGraph, label: Label) -> bool:
    """True if a move may end with this label.

    Args:
        model: Movement graph of the unit.
        label: Label at the end of a move.
    """
    if model.exact and label.used != model.move:
        return False
    return label.place not in model.no_stop


def _beats(model: MovementGraph, one: Label, other: Label, chances: bool, thrifty: bool) -> bool:
    """True if `one` is at least as good as `other` of the same node for every continuation.

    A label with fewer moves that may stop here does in a new move what the other does in its last.
    With two moves fewer it is quicker at any cost.
    """
    if one.harm > other.harm:
        return False
    if chances and one.chance is not SURE and one.chance < other.chance:
        return False
    if model.exact and one.used != other.used:
        return False
    dearer = thrifty and one.spent > other.spent
    if one.moves < other.moves - dearer and can_end_with(model, one):
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


def _extend(model: MovementGraph, label: Label) -> Iterator[Label]:
    """Yield every continuation of a label: within its move, and with a new move."""
    fresh = can_end_with(model, label) or label.moves == 0
    simple = model.by_steps and not model.no_stop and not model.exact
    for edge in model.edges[label.place]:
        used, strain = label.used + edge.cost, label.strain + edge.strain
        if edge.inside and label.ahead:
            used -= 2 * (
                reserved_cost(model, edge.inside, 0)
                - reserved_cost(model, edge.inside, label.ahead)
            )
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
    model: MovementGraph, label: Label, edge: Edge, moves: int, used: int, strain: int, fallen: int
) -> Label | None:
    """Return the label one edge further; None if the damage kills."""
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
        ahead = ahead + reserved_cost(model, edge.inside, ahead) - edge.inside if edge.inside else 0
    return Label(edge.to, moves, used, total, spent, chance, strain, fallen, edge, label, ahead)


def _buys(model: MovementGraph, one: Label, other: Label) -> bool:
    """True if `one` can pay for what `other` has ahead and still has used no more."""
    return one.used + 2 * reserved_cost(model, other.ahead, one.ahead) <= other.used


def reserved_cost(model: MovementGraph, inside: int, ahead: int) -> int:
    """Return the cost, in whole pieces, of halved movement that is not yet paid.

    Args:
        model: Movement graph with `halved` greater than 0.
        inside: Length to go where movement is halved.
        ahead: Length already paid for.
    """
    return -(-max(0, inside - ahead) // model.halved) * model.halved


def can_end(model: MovementGraph, labels: Iterable[Label]) -> tuple[Label, ...]:
    """Return the labels with which the last move may end; a start always may.

    Args:
        model: Movement graph of the unit.
        labels: Labels at one node.
    """
    return tuple(
        label
        for label in labels
        if label.edge is None or (can_end_with(model, label) and label.place not in model.no_end)
    )


def reachable_places(
    model: MovementGraph, starts: Iterable[int], *, reverse: bool = False
) -> frozenset[int]:
    """Return the nodes reached without damage, in any number of moves and at any probability.

    Args:
        model: Movement graph.
        starts: Start nodes.
        reverse: True for the nodes from which a start node is reached.
    """
    links = model.predecessors if reverse else model.successors
    seen = set(starts)
    queue = list(seen)
    while queue:
        for to in links[queue.pop()]:
            if to not in seen:
                seen.add(to)
                queue.append(to)
    return frozenset(seen)


def label_path(label: Label) -> tuple[Label, ...]:
    """Return the labels from the first step to this one."""
    steps: list[Label] = []
    at: Label | None = label
    while at is not None and at.edge is not None:
        steps.append(at)
        at = at.back
    return tuple(reversed(steps))


def rank(model: MovementGraph, label: Label) -> tuple[int, int, Fraction, int, int]:
    """Return the order of paths: least damage, fewest turns, likeliest, fewest moves, cheapest.

    Args:
        model: Movement graph of the unit; its clock counts turns.
        label: Label at the end of a path.
    """
    turns = model.clock.turns(label.moves)
    return (label.harm, turns, -label.chance, label.moves, label.spent)


def path(
    model: MovementGraph,
    starts: Iterable[int],
    goals: Iterable[Surface],
    *,
    least: Fraction = Fraction(0),
    any_harm: bool = True,
) -> Label | None:
    """Return the best path, in the order of `rank`, to one of some surfaces.

    Args:
        model: Movement graph.
        starts: Start nodes.
        goals: Surfaces on which the path may end.
        least: Least probability of the path.
        any_harm: False to exclude paths with certain damage.

    Returns:
        The last label of the path; None if there is no path.
    """
    wanted = frozenset(goals)
    labels_by_place = pareto_labels(
        model, starts, least=least, max_harm=None if any_harm else 0, thrifty=True
    )
    ends = [
        label
        for place, here in labels_by_place.items()
        if model.places[place].anchor in wanted
        for label in can_end(model, here)
    ]
    return min(ends, key=lambda label: (*rank(model, label), label.place), default=None)
