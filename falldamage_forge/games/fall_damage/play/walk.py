"""Where one Move can end on a board with others on it, fast and exact.

A label (cost, damage) at a spot is judged against labels already *settled* only, never against
those that merely wait: a cheap way that hurts must not hide a dearer one that does not.
`tests/games/play/test_walk.py` compares the result with the reference of `moves.py`.
"""

from __future__ import annotations

import heapq
from collections.abc import Container, Iterable, Set
from typing import NamedTuple

from falldamage_forge.games.fall_damage.play.gait import Exits, Gait, Step, exits_of, fall_damage
from falldamage_forge.games.fall_damage.play.ground import Ground
from falldamage_forge.games.fall_damage.play.kept import Row

FAR = 1 << 30
"""More Move than any way costs."""
CLOSED = (0, -1)
"""The label of where nobody gets: cheaper than any, so that no other is followed there."""


class Walk(NamedTuple):
    """Who walks: from where, how far, how, and what it may suffer (`health` bounds damage)."""

    start: int
    move: int
    gait: Gait
    health: int | None = None


class Others(NamedTuple):
    """Who is in the way: surfaces nobody enters, surfaces nobody stops on, tiles of quicksand."""

    closed: Set[int]
    taken: Set[int]
    sand: frozenset[int] = frozenset()


def _exits(ground: Ground, gait: Gait, sand: frozenset[int]) -> Row[Exits]:
    """A ground's exits, quicksand counted; of that only the last is kept, as it hardly returns."""
    exits = ground.exits(gait)
    if not sand:
        return exits
    known = ground.memo.get(("sand", gait))
    if known is None or known[0] != sand:  # type: ignore[index]
        sandy = Row(lambda spot: exits_of(exits[spot].steps, sand))
        known = ground.memo["sand", gait] = (sand, sandy)
    return known[1]  # type: ignore[index,no-any-return]


def ends(ground: Ground, walk: Walk, others: Others) -> dict[int, tuple[int, int]]:
    """Surfaces where the Move can end, each with the least damage and the least cost for it."""
    options = ground.options
    if options.jump_scope == "turn" or options.fall_allowance == "per_turn":
        found: dict[int, tuple[int, int]] = {}
        for label in _labels(ground, walk, others):
            better = (label.damage, label.cost)
            if label.at not in found or better < found[label.at]:
                found[label.at] = better
    else:
        found = _plain_ends(ground, walk, others)
    found.pop(walk.start, None)
    for spot in others.taken & found.keys():
        del found[spot]
    if walk.gait.ghost:
        return {s: label for s, label in found.items() if s in ground.stand or s in ground.lava}
    return found


def _plain_ends(ground: Ground, walk: Walk, others: Others) -> dict[int, tuple[int, int]]:
    """The search without allowances of a whole turn: damage by damage, cost by cost.

    The first label that settles on a surface is the one looked for. Later ones hurt more and are
    followed only where they are cheaper than all before.
    """
    move, (closed, taken, sand) = walk.move, others
    mortal = walk.health is not None and ground.options.lethal_step == "no"
    limit = walk.health if mortal and walk.health is not None else FAR
    exits = _exits(ground, walk.gait, sand)
    best = dict.fromkeys(closed, CLOSED)
    best.pop(walk.start, None)
    cheapest: dict[int, int] = {}
    waiting: dict[int, list[set[int]]] = {0: [{walk.start}, *[set() for _ in range(move)]]}
    while waiting:
        damage = min(waiting)
        waves = waiting.pop(damage)
        if damage and not cheapest:
            cheapest = {spot: cost for spot, (_, cost) in best.items()}
        for cost, wave in enumerate(waves):
            fresh = wave.difference(best)
            best.update(dict.fromkeys(fresh, (damage, cost)))
            if damage:
                fresh = {spot for spot in wave if cost < cheapest.get(spot, FAR)}
                cheapest.update(dict.fromkeys(fresh, cost))
            if cost == move:
                break
            following = waves[cost + 1]
            for spot in fresh:
                plain, rest, _ = exits[spot]
                following |= plain
                for to, price, harm, empty in rest:
                    further, hurt = cost + price, damage + harm
                    if further > move or hurt >= limit or to in closed:
                        continue
                    if empty and not taken.isdisjoint(empty):
                        continue
                    if hurt not in waiting and harm:
                        waiting[hurt] = [set() for _ in range(move + 1)]
                    (waiting[hurt] if harm else waves)[further].add(to)
    return {spot: label for spot, label in best.items() if label is not CLOSED}


class Label(NamedTuple):
    """A way to a spot: what it cost and did, levels climbed and fallen, and how it came there."""

    cost: int
    damage: int
    climb: int
    fallen: int
    at: int
    back: Label | None = None
    step: Step | None = None


def _labels(ground: Ground, walk: Walk, others: Others) -> Iterable[Label]:
    """Every undominated way, for readings that count a whole turn, and for the walked path."""
    options, jump = ground.options, walk.gait.jump
    up, down = options.jump_scope == "turn", options.fall_allowance == "per_turn"
    count = 0
    heap: list[tuple[int, int, int, int, int, int, Label]] = []

    def push(label: Label) -> None:
        nonlocal count
        heapq.heappush(heap, (*label[:5], count, label))
        count += 1

    push(Label(0, 0, 0, 0, walk.start))
    kept: dict[int, list[Label]] = {}
    while heap:
        label = heapq.heappop(heap)[-1]
        known = kept.setdefault(label.at, [])
        if any(all(a <= b for a, b in zip(other[:4], label[:4], strict=True)) for other in known):
            continue
        known.append(label)
        yield label
        for step in ground.steps_from(label.at, walk.gait):
            cost = label.cost + price_of(step, others)
            climb = label.climb + step.climb if up else 0
            if cost > walk.move or climb > jump or not open_to(step, others):
                continue
            fallen, harm = label.fallen, step.damage
            if down and step.fall:
                harm = fall_damage(step.fall, max(jump - fallen, 0), options)
                fallen += step.fall
            damage = label.damage + harm
            if options.lethal_step == "no" and walk.health is not None and damage >= walk.health:
                continue
            push(Label(cost, damage, climb, fallen, step.to, label, step))


def price_of(step: Step, others: Others) -> int:
    """What a step costs, quicksand counted."""
    return step.cost + (1 if step.dry and step.to >> 4 in others.sand else 0)


def open_to(step: Step, others: Others) -> bool:
    """Whether nobody stands in the way of a step."""
    if step.to in others.closed:
        return False
    return others.taken.isdisjoint(step.empty)


def ways(ground: Ground, walk: Walk, others: Others) -> dict[int, tuple[Label, ...]]:
    """Every undominated way by its end; used where the way itself matters."""
    found: dict[int, list[Label]] = {}
    for label in _labels(ground, walk, others):
        if label.step is not None and label.at != walk.start and label.at not in others.taken:
            if walk.gait.ghost and label.at not in ground.stand and label.at not in ground.lava:
                continue
            found.setdefault(label.at, []).append(label)
    return {spot: tuple(labels) for spot, labels in found.items()}


def path(label: Label) -> tuple[Step, ...]:
    """The steps of a way, first to last."""
    steps: list[Step] = []
    at: Label | None = label
    while at is not None and at.step is not None:
        steps.append(at.step)
        at = at.back
    return tuple(reversed(steps))


class Dive(NamedTuple):
    """The last step of a Move that drops: from where, how far, what the way cost and did."""

    start: int
    drop: int
    cost: int
    damage: int = 0


def dives(ground: Ground, walk: Walk, others: Others, enemies: Container[int]) -> dict[int, Dive]:
    """For each surface, on enemies' too, the greatest last drop one can come down with."""
    reached = _plain_ends(ground, walk, others)
    found: dict[int, Dive] = {}
    limit = walk.health if ground.options.lethal_step == "no" else None
    for spot, (hurt, cost) in reached.items():
        for step in ground.steps_from(spot, walk.gait):
            if step.drop < 1:
                continue
            further = cost + price_of(step, others)
            free = step.to not in others.taken and open_to(step, others)
            on_enemy = step.to in enemies and not step.empty
            if further > walk.move or not (free or on_enemy):
                continue
            dive = Dive(spot, step.drop, further, hurt + step.damage)
            if limit is not None and dive.damage >= limit:
                continue
            old = found.get(step.to)
            if old is None or (-dive.drop, dive.cost, spot) < (-old.drop, old.cost, old.start):
                found[step.to] = dive
    found.pop(walk.start, None)
    return found
