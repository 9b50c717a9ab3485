"""Movement graphs of Fall Damage; nodes are the surfaces of the board's graph.

Source: "Unit Attributes and Game Mechanics: Move, Jump" of the rulebook.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

from falldamage_forge.board import Board, Tile
from falldamage_forge.board.surfaces import Surface, SurfaceGraph
from falldamage_forge.games.fall_damage.engine import codes as C
from falldamage_forge.games.fall_damage.engine import movement_rules
from falldamage_forge.games.fall_damage.engine.columns import StateColumns
from falldamage_forge.games.fall_damage.engine.empty_state import copy_of, crowd, ground_state
from falldamage_forge.games.fall_damage.engine.reachable import may_end
from falldamage_forge.games.fall_damage.engine.terrain_state import free, lava
from falldamage_forge.games.fall_damage.options import FallDamageOptions
from falldamage_forge.games.fall_damage.play.surface_number import surface_of, tile_number
from falldamage_forge.games.fall_damage.unit_cards import MovementProfile
from falldamage_forge.rules.movement_graph import CostUnit, Edge, GraphNode, MovementGraph, SafeDrop
from falldamage_forge.rules.turn_structure import SURE
from falldamage_forge.rules.unit_values import NOBODY, Occupants

TILES = CostUnit("tiles")


def movement_graph(
    graph: SurfaceGraph,
    name: str,
    profile: MovementProfile,
    options: FallDamageOptions,
    others: Occupants = NOBODY,
) -> MovementGraph:
    """Return the movement graph of a profile, from the engine's single steps.

    Args:
        graph: Surfaces of the board.
        name: Name of the unit.
        profile: Movement profile.
        options: Options of the ruleset.
        others: Other units on the board.
    """
    way = _walk(graph, profile, options, others)
    per_turn = options.fall_allowance == "per_turn"
    return MovementGraph(
        name,
        way.places,
        tuple(tuple(edge for edge in row if edge.cost <= profile.move) for row in way.edges),
        profile.move,
        TILES,
        no_stop=way.taken,
        no_end=way.taken,
        strain=profile.jump if options.jump_scope == "turn" else None,
        allowance=SafeDrop(profile.jump, options.voluntary_fall) if per_turn else None,
        lethal=profile.health if options.lethal_step == "no" else None,
    )


class Walk(NamedTuple):
    """Step rules applied to a board: nodes, edges, and the nodes on which a move may not end."""

    places: tuple[GraphNode, ...]
    edges: tuple[tuple[Edge, ...], ...]
    taken: frozenset[int]


def _walk(
    graph: SurfaceGraph, profile: MovementProfile, options: FallDamageOptions, others: Occupants
) -> Walk:
    """Return the cached walk, shared by profiles that differ only in Move and health."""
    known: dict[object, Walk] = graph.memo.setdefault("walks", {})
    key = _key(profile, options, others)
    if key not in known:
        s = _state(graph.board, options)
        spots = _spots(s, profile.ghost)
        s.discorporate[WALKER] = int(profile.ghost)
        with crowd(s, others.friends), crowd(s, others.enemies, FOE), _sandy(s, profile.slow):
            edges = _edges(s, spots, profile)
            taken = frozenset(n for n, spot in enumerate(spots) if not may_end(s, WALKER, spot))
        known[key] = Walk(_places(spots), edges, taken)
    return known[key]


def _key(profile: MovementProfile, options: FallDamageOptions, others: Occupants) -> object:
    return replace(profile, move=0, health=None), options, others


def remember(
    graph: SurfaceGraph,
    profile: MovementProfile,
    options: FallDamageOptions,
    spots: tuple[int, ...],
    edges: tuple[tuple[Edge, ...], ...],
) -> None:
    """Cache the steps of a profile on a board without units.

    Args:
        graph: Surfaces of the board.
        profile: Movement profile, of a unit that does not walk through terrain.
        options: Options of the ruleset.
        spots: Surface indices of the nodes.
        edges: Edges of each node, of any cost.
    """
    walks = graph.memo.setdefault("walks", {})
    walks[_key(profile, options, NOBODY)] = Walk(_places(spots), edges, frozenset())


WALKER, FOE = 0, 1
"""Indices of the moving unit and of an enemy in the state."""


@lru_cache(maxsize=2)
def _state(board: Board, options: FallDamageOptions) -> StateColumns:
    """Return the cached state of a board; it retains the links that walks have computed."""
    s = copy_of(ground_state(board, options))
    s.link = [0] * (len(s.occupant) * C.LINKS)
    s.spot[WALKER], s.side[FOE], s.n_zones = C.NONE, 1, 1
    return s


def _spots(s: StateColumns, ghost: bool) -> tuple[int, ...]:
    """Return all surfaces; for a ghost also lava and the inside of solids."""
    spots = tuple(s.surfaces[: s.n_surfaces])
    if not ghost:
        return spots
    tiles = (row << 6 | col for row in range(s.rows) for col in range(s.cols))
    others = [tile << 4 | z for tile in tiles for z in range(16) if not s.stand[tile] >> z & 1]
    spots += tuple(spot for spot in others if lava(s, C.GROUND, spot))
    most = max((spot & 15 for spot in spots), default=0)
    return spots + tuple(spot for spot in others if spot & 15 <= most and _is_inside(s, spot))


def _is_inside(s: StateColumns, spot: int) -> bool:
    """True if a surface index that is not a surface lies inside a solid."""
    level = spot & 15
    return not lava(s, C.GROUND, spot) and not free(s, C.GROUND, spot >> 4, level, level + 1)


@contextmanager
def _sandy(s: StateColumns, tiles: Iterable[Tile]) -> Iterator[None]:
    """Place quicksand on tiles while the context lasts; tiles off the board are ignored."""
    numbers = [tile_number(at) for at in tiles if 0 <= at.row < s.rows and 0 <= at.col < s.cols]
    for number in numbers:
        s.sand[number] = 1
    try:
        yield
    finally:
        for number in numbers:
            s.sand[number] = 0


def _edges(
    s: StateColumns, spots: Sequence[int], profile: MovementProfile
) -> tuple[tuple[Edge, ...], ...]:
    """Return the edges of each node, of any cost."""
    index = {spot: number for number, spot in enumerate(spots)}
    jump, through = profile.jump, int(profile.ghost or profile.pass_enemies)
    gait = (jump, int(profile.vertical_counts), int(profile.no_fall), int(profile.ghost), through)
    return tuple(
        tuple(
            Edge(
                index[s.exit_to[n]],
                kind_of(s.exit_link[n]),
                s.exit_cost[n],
                movement_rules.step_damage(s, s.exit_fall[n], jump),
                SURE,
                s.exit_climb[n] if s.jump_scope else 0,
                s.exit_fall[n],
            )
            for n in range(movement_rules.open_exits(s, WALKER, spot, *gait))
        )
        for spot in spots
    )


def kind_of(link: int) -> str:
    """Return the kind of a link as an edge: `step`, `leap` or `ladder`."""
    if link >> 30 & 1:
        return "ladder"
    return "leap" if movement_rules.leapt(link) >= 0 else "step"


@lru_cache(maxsize=64)
def _places(spots: tuple[int, ...]) -> tuple[GraphNode, ...]:
    return tuple(GraphNode(at, (at,)) for at in map(surface_of, spots))


def deepest_drop(graph: SurfaceGraph, surface: Surface) -> int:
    """Return the levels down to the lowest neighbour onto which a unit can be pushed.

    Args:
        graph: Surfaces of the board with the steps between them.
        surface: Surface of the unit.
    """
    return max(_drops(graph, surface), default=0)


def _drops(graph: SurfaceGraph, surface: Surface) -> Iterator[int]:
    for near in graph.board.neighbours(surface.tile):
        if graph.terrain.free(near, surface.level, surface.level + 1):
            below = graph.terrain.highest_below(near, surface.level)
            yield surface.level - (below or 0)
