"""Voluntary movement: what one activation reaches, at what cost and damage, and how many it takes.

Sources: "Unit Attributes and Game Mechanics: Move, Jump" of the rulebook. Every function works on
surface numbers of one SurfaceGraph. A move that cannot be made costs None.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from falldamage_forge.rules.ruleset import Options
from falldamage_forge.surfaces import Link, SurfaceGraph

UNLIMITED = 1_000_000
"""A Jump of this or more is "Unlimited vertical Move" (Assassin, Beast)."""


@dataclass(frozen=True, slots=True)
class Profile:
    """How a unit moves. `vertical_counts` is the Beast's, `no_fall` the Wrestler's.

    `health` bounds voluntary damage when the option `lethal_step` is `no`; None knows no bound.
    """

    move: int
    jump: int
    vertical_counts: bool = False
    no_fall: bool = False
    pass_enemies: bool = False
    health: int | None = None


@dataclass(frozen=True, slots=True)
class Occupancy:
    """Surfaces taken by others, by number. Nobody stops on them; only friends let one pass."""

    enemies: frozenset[int] = frozenset()
    friends: frozenset[int] = frozenset()
    bodies: frozenset[int] | None = None
    """Where they really stand, when the sets above hold whole tiles (option `occupancy`)."""

    @property
    def taken(self) -> frozenset[int]:
        """Everybody."""
        return self.enemies | self.friends


NOBODY = Occupancy()


class Edge(NamedTuple):
    """One move of a profile: where to, its cost, its damage, levels climbed and dropped."""

    to: int
    cost: int
    damage: int
    link: Link
    climb: int
    drop: int


@dataclass(frozen=True)
class MoveGraph:
    """Every move of one profile on one board. `edges[i]` leave surface i."""

    graph: SurfaceGraph
    profile: Profile
    options: Options
    occupancy: Occupancy
    edges: tuple[tuple[Edge, ...], ...]


def move_graph(
    graph: SurfaceGraph, profile: Profile, options: Options, occupancy: Occupancy = NOBODY
) -> MoveGraph:
    """The moves that the rules leave a profile, each with cost and damage."""
    if options.occupancy == "cell":
        enemies, friends = (
            _whole_cells(graph, side) for side in (occupancy.enemies, occupancy.friends)
        )
        occupancy = Occupancy(enemies, friends, occupancy.taken)
    blocked = frozenset() if profile.pass_enemies else occupancy.enemies
    edges = tuple(
        tuple(
            edge
            for link in links
            if link.b not in blocked
            and (edge := _edge(graph, link, profile, options, occupancy)) is not None
        )
        for links in graph.links
    )
    return MoveGraph(graph, profile, options, occupancy, edges)


def _whole_cells(graph: SurfaceGraph, numbers: frozenset[int]) -> frozenset[int]:
    tiles = {graph.surfaces[number].tile for number in numbers}
    return frozenset(n for n, surface in enumerate(graph.surfaces) if surface.tile in tiles)


def _edge(
    graph: SurfaceGraph, link: Link, profile: Profile, options: Options, occupancy: Occupancy
) -> Edge | None:
    """Cost and damage of one link, or None where the profile may not take it."""
    rise = link.rise
    if link.kind == "ladder":
        return _affordable(
            Edge(link.b, _ladder_cost(graph, link, profile, options), 0, link, 0, 0), profile
        )
    if rise > profile.jump:
        return None
    if link.kind == "leap" and not _leap_allowed(graph, link, options, occupancy):
        return None
    cost = tile_cost(graph, link, options)
    if profile.vertical_counts:
        cost += _vertical(rise, options)
    drop = max(-rise, 0)
    if graph.water(link.b) or profile.no_fall:
        drop = 0
    return _affordable(
        Edge(link.b, cost, fall_damage(drop, profile.jump, options), link, max(rise, 0), drop),
        profile,
    )


def _affordable(edge: Edge, profile: Profile) -> Edge | None:
    return edge if edge.cost <= profile.move else None


def _ladder_cost(graph: SurfaceGraph, link: Link, profile: Profile, options: Options) -> int:
    """A tile, or its height in tiles; never less than the levels cost the Beast anyway."""
    tile = tile_cost(graph, link, options)
    cost = tile
    if options.ladder_cost == "height":
        cost = max(1, abs(link.rise)) + tile - 1
    if profile.vertical_counts:
        cost = max(cost, tile + _vertical(link.rise, options))
    return cost


def _vertical(rise: int, options: Options) -> int:
    """ "any vertical movement counts towards the total Move" (Beast)."""
    return max(rise, 0) if options.beast_down == "free" else abs(rise)


def tile_cost(graph: SurfaceGraph, link: Link, options: Options) -> int:
    """Horizontal cost: a tile each, "double when on Water tile", the leapt tile counted once."""
    wet = link.b if options.water_cost == "enter" else link.a
    return (2 if _charged_as_water(graph, wet, options) else 1) + (link.kind == "leap")


def _charged_as_water(graph: SurfaceGraph, number: int, options: Options) -> bool:
    if graph.water(number):
        return True
    tile, level = graph.surfaces[number]
    column = graph.board.column(tile)
    return options.bridge_cost == "inherit" and column.ground == "water" and level > column.level


def fall_damage(drop: int, jump: int, options: Options) -> int:
    """Voluntary: "only causes Fall Damage after the equivalent of your Jump height"."""
    if drop <= jump:
        return 0
    return drop - jump if options.voluntary_fall == "subtract" else drop


def _leap_allowed(graph: SurfaceGraph, link: Link, options: Options, occupancy: Occupancy) -> bool:
    """A leap crosses an empty tile and lands on nobody."""
    if link.flush and options.gap == "strictly_lower":
        return False
    if options.leap_vertical == "level" and link.rise != 0:
        return False
    if options.leap_vertical == "none_up" and link.rise > 0:
        return False
    if link.b in occupancy.taken:
        return False
    assert link.over is not None
    low = graph.surfaces[link.a].level
    high = max(low, graph.surfaces[link.b].level) + 1
    return not any(
        graph.surfaces[number].tile == link.over and low <= graph.surfaces[number].level < high
        for number in (occupancy.taken if occupancy.bodies is None else occupancy.bodies)
    )


# -- one activation ------------------------------------------------------------------------------


def one_turn(moves: MoveGraph, start: int) -> dict[int, tuple[tuple[int, int], ...]]:
    """Surfaces where one activation can end, each with its Pareto list of (move cost, damage)."""
    taken = moves.occupancy.taken
    found: dict[int, list[tuple[int, int]]] = {}
    for state in search(moves, (start,)):
        if state.at == start or state.at not in taken:
            found.setdefault(state.at, []).append((state.cost, state.damage))
    return {at: _pareto(labels) for at, labels in sorted(found.items())}


class State(NamedTuple):
    """What an activation has spent when it is at a surface."""

    cost: int
    damage: int
    climb: int
    fallen: int
    at: int


Trace = dict[State, tuple[State, Edge]]
"""How each state was come to."""


def search(
    moves: MoveGraph, starts: Iterable[int], *, safe: bool = False, trace: Trace | None = None
) -> Iterator[State]:
    """Every undominated way to spend one activation; `trace` is filled on the way.

    `climb` and `fallen` stay 0 unless an option makes Jump a budget of the whole turn.
    """
    profile, options = moves.profile, moves.options
    budget_up = options.jump_scope == "turn"
    budget_down = options.fall_allowance == "per_turn"
    heap = [State(0, 0, 0, 0, start) for start in starts]
    heapq.heapify(heap)
    best: dict[int, list[State]] = {}
    while heap:
        state = heapq.heappop(heap)
        known = best.setdefault(state.at, [])
        if any(_dominates(other, state) for other in known):
            continue
        known.append(state)
        yield state
        for edge in moves.edges[state.at]:
            cost = state.cost + edge.cost
            climb = state.climb + edge.climb if budget_up else 0
            if cost > profile.move or climb > profile.jump:
                continue
            fallen, added = 0, edge.damage
            if budget_down and edge.drop:
                fallen, added = _fall_on_allowance(state.fallen, edge.drop, moves)
            damage = state.damage + added
            if safe and damage:
                continue
            if (
                options.lethal_step == "no"
                and profile.health is not None
                and damage >= profile.health
            ):
                continue
            if budget_down and not edge.drop:
                fallen = state.fallen
            further = State(cost, damage, climb, fallen, edge.to)
            if trace is not None and further != state:
                trace.setdefault(further, (state, edge))
            heapq.heappush(heap, further)


def _fall_on_allowance(fallen: int, drop: int, moves: MoveGraph) -> tuple[int, int]:
    """Levels fallen so far and the damage of one more drop when Jump is a turn's allowance."""
    left = max(moves.profile.jump - fallen, 0)
    return min(fallen + drop, UNLIMITED), fall_damage(drop, left, moves.options)


def _dominates(one: State, other: State) -> bool:
    return (
        one.cost <= other.cost
        and one.damage <= other.damage
        and one.climb <= other.climb
        and one.fallen <= other.fallen
    )


def _pareto(labels: list[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Labels no other label beats in both cost and damage, by rising cost."""
    kept: list[tuple[int, int]] = []
    for cost, damage in sorted(set(labels)):
        if not kept or damage < kept[-1][1]:
            kept.append((cost, damage))
    return tuple(kept)


# -- many activations ----------------------------------------------------------------------------


def least_turns(moves: MoveGraph, starts: Iterable[int]) -> dict[int, int]:
    """Least activations without damage to end on each surface; starts count 0.

    A turn's unspent Move is lost, so this goes turn by turn: three leaps at Move 3 are three turns.
    """
    taken = moves.occupancy.taken
    turns = dict.fromkeys(starts, 0)
    frontier = tuple(turns)
    while frontier:
        turn = turns[frontier[0]] + 1
        reached = {state.at for state in search(moves, frontier, safe=True)}
        frontier = tuple(sorted(at for at in reached if at not in turns and at not in taken))
        turns |= dict.fromkeys(frontier, turn)
    return turns


def safe_reach(moves: MoveGraph, starts: Iterable[int]) -> frozenset[int]:
    """Surfaces reached by any number of activations without damage."""
    seen = set(starts)
    queue = list(seen)
    while queue:
        for edge in moves.edges[queue.pop()]:
            if edge.damage == 0 and edge.to not in seen:
                seen.add(edge.to)
                queue.append(edge.to)
    return frozenset(seen)


def shortest_path(
    moves: MoveGraph, starts: Iterable[int], goals: Iterable[int], *, safe: bool = True
) -> tuple[Edge, ...] | None:
    """A cheapest way from any start to any goal, by cost, then damage; None when there is none."""
    targets = frozenset(goals)
    best = dict.fromkeys(starts, (0, 0))
    came: dict[int, Edge | None] = dict.fromkeys(best)
    heap = [(0, 0, start) for start in sorted(best)]
    while heap:
        cost, damage, at = heapq.heappop(heap)
        if (cost, damage) > best[at]:
            continue
        if at in targets:
            return _trace(came, at)
        for edge in moves.edges[at]:
            label = (cost + edge.cost, damage + edge.damage)
            if (safe and edge.damage) or (edge.to in best and best[edge.to] <= label):
                continue
            best[edge.to], came[edge.to] = label, edge
            heapq.heappush(heap, (*label, edge.to))
    return None


def _trace(came: dict[int, Edge | None], at: int) -> tuple[Edge, ...]:
    steps: list[Edge] = []
    while (edge := came[at]) is not None:
        steps.append(edge)
        at = edge.link.a
    return tuple(reversed(steps))
