"""Fall Damage seen like the other games: the same few figures, from its own movement."""

from __future__ import annotations

from falldamage_forge.board import DIRECTIONS, Board
from falldamage_forge.games.setting import Setting
from falldamage_forge.games.survey import Contact, Drop, Survey, contact_of, survey_model
from falldamage_forge.rules.movement import (
    MoveGraph,
    Profile,
    least_turns,
    move_graph,
    safe_reach,
)
from falldamage_forge.rules.reach import can_attack
from falldamage_forge.rules.ruleset import Ruleset
from falldamage_forge.surfaces import Surface, SurfaceGraph, surface_graph


def survey(board: Board, rules: Ruleset | Setting) -> Survey:
    """The figures of a board under any game, for the first unit it is proved for."""
    if isinstance(rules, Ruleset):
        return survey_fall_damage(board, rules)
    return survey_model(board, rules, rules.proof_units[0])


def survey_fall_damage(board: Board, ruleset: Ruleset) -> Survey:
    """The figures of a board under Fall Damage, for its plain unit with the least Jump."""
    graph = surface_graph(board, ruleset.options.terrain)
    jump = min(ruleset.proof_jumps)
    moves = move_graph(graph, Profile(ruleset.proof_move, jump), ruleset.options)
    zones = {
        zone.side: [
            graph.index[at] for at in map(Surface._make, zone.surfaces) if at in graph.index
        ]
        for zone in board.starts
    }
    reached = safe_reach(moves, [number for zone in zones.values() for number in zone])
    drops = {at: depth for at in graph.surfaces if (depth := drop_at(graph, at)) > jump}
    return Survey(
        ruleset.name,
        ruleset.title,
        f"move {ruleset.proof_move} jump {jump}",
        len(graph.surfaces),
        len(reached),
        tuple(_contact(moves, zones, side) for side in zones),
        tuple(Drop(at, levels) for at, levels in drops.items()),
        (),
        tuple(at for number, at in enumerate(graph.surfaces) if number not in reached),
    )


def _contact(moves: MoveGraph, zones: dict[str, list[int]], side: str) -> Contact:
    """Turns until a melee attack on an enemy's start tile."""
    graph, options = moves.graph, moves.options
    enemies = [graph.surfaces[n] for other, zone in zones.items() if other != side for n in zone]
    strikes = [
        number
        for number, at in enumerate(graph.surfaces)
        if any(can_attack(at, enemy, 1, options) for enemy in enemies)
    ]
    found = []
    for start in zones[side]:
        turns = least_turns(moves, (start,))
        found.append(min((max(1, turns[n]) for n in strikes if n in turns), default=None))
    return contact_of(side, found)


def drop_at(graph: SurfaceGraph, surface: Surface) -> int:
    """Levels down to the lowest neighbour one can be pushed to."""
    found = 0
    for side in DIRECTIONS:
        near = surface.tile.step(side)
        if near in graph.board and graph.terrain.free(near, surface.level, surface.level + 1):
            below = graph.terrain.highest_below(near, surface.level)
            found = max(found, surface.level - (below or 0))
    return found
