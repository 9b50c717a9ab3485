"""Overlays from the rules' results: what a unit reaches, when, and where it is dangerous."""

from __future__ import annotations

from collections.abc import Iterable

from falldamage_forge.board import DIRECTIONS, Board, StartZone
from falldamage_forge.render.overlay import Mark, Overlay
from falldamage_forge.rules.movement import (
    MoveGraph,
    Profile,
    least_turns,
    move_graph,
    one_turn,
    safe_reach,
)
from falldamage_forge.rules.push import Push, push_unit
from falldamage_forge.rules.ruleset import Options, Ruleset
from falldamage_forge.rules.sight import sees
from falldamage_forge.surfaces import Surface, SurfaceGraph, surface_graph

CONTESTED = 6
"""The tint of what no side reaches first."""
_SIDE_TINTS = {"blue": 0, "red": 1}


def moves_for(board: Board, ruleset: Ruleset, profile: Profile) -> MoveGraph:
    """The moves of a profile on an otherwise empty board."""
    options = ruleset.options
    return move_graph(surface_graph(board, options.terrain), profile, options)


def reach(moves: MoveGraph, start: Surface, who: str) -> Overlay:
    """Where one activation can end: the least cost, and after `!` its damage if there is any.

    Raises KeyError when nobody can stand on `start`.
    """
    graph = moves.graph
    number = graph.index[start]
    marks = []
    for at, labels in one_turn(moves, number).items():
        tile, level = graph.surfaces[at]
        cost, damage = labels[0]
        text = "" if at == number else str(cost) + (f"!{damage}" if damage else "")
        marks.append(Mark(tile, level, cost, text))
    legend = [(cost, f"{cost} Move") for cost in range(moves.profile.move + 1)]
    return Overlay("reach", f"{who} from {start.tile} in one turn", tuple(marks), tuple(legend))


def turns(moves: MoveGraph, starts: Iterable[StartZone]) -> Overlay:
    """Least turns without damage from the nearest start zone."""
    graph = moves.graph
    numbers = [number for zone in starts for number in _numbers(graph, zone)]
    found = least_turns(moves, numbers)
    marks = [_mark(graph, at, count, str(count)) for at, count in found.items()]
    most = min(max(found.values(), default=0), 5)
    legend = tuple((n, f"{n} turn{'s' * (n != 1)}{' or more' * (n == 5)}") for n in range(most + 1))
    title = f"turns from the starts, {_who(moves.profile)}"
    return Overlay("turns", title, _sorted(marks), legend)


def control(moves: MoveGraph, starts: Iterable[StartZone]) -> Overlay:
    """Which side gets there first, and in how many turns; `=` where several do at once."""
    graph = moves.graph
    zones = list(starts)
    found = {zone.side: least_turns(moves, _numbers(graph, zone)) for zone in zones}
    tints = {zone.side: _SIDE_TINTS.get(zone.side, 2 + number) for number, zone in enumerate(zones)}
    marks = []
    for at in range(len(graph.surfaces)):
        best = min((by[at] for by in found.values() if at in by), default=None)
        if best is None:
            continue
        first = [side for side, by in found.items() if by.get(at) == best]
        alone = len(first) == 1
        text = (first[0][:1].upper() if alone else "=") + str(best)
        marks.append(_mark(graph, at, tints[first[0]] if alone else CONTESTED, text))
    legend = [(tints[zone.side], f"{zone.side} first") for zone in zones]
    legend.append((CONTESTED, "at the same time"))
    title = f"who is there first, {_who(moves.profile)}"
    return Overlay("control", title, _sorted(marks), tuple(legend), "marks")


def islands(moves: MoveGraph, starts: Iterable[StartZone]) -> Overlay:
    """Surfaces that no start reaches without damage, each connected group with a letter."""
    graph = moves.graph
    reached = safe_reach(moves, [n for zone in starts for n in _numbers(graph, zone)])
    left = [number for number in range(len(graph.surfaces)) if number not in reached]
    marks: list[Mark] = []
    legend: list[tuple[int, str]] = []
    while left:
        group = safe_reach(moves, [left[0]]) - reached
        letter = chr(65 + len(legend) % 26)
        tint = len(legend) % CONTESTED
        marks += [_mark(graph, at, tint, letter) for at in group if at in left]
        size = sum(at in group for at in left)
        legend.append((tint, f"island {letter}, {size} surface{'s' * (size != 1)}"))
        left = [at for at in left if at not in group]
    title = f"out of reach without damage, {_who(moves.profile)}"
    if not marks:
        title = f"nothing is out of reach, {_who(moves.profile)}"
    return Overlay("islands", title, _sorted(marks), tuple(legend), "marks")


def hazard(graph: SurfaceGraph, options: Options) -> Overlay:
    """The worst that one tile of push does to a unit on each surface; `X` where it dies.

    The attacker stands beside the unit, level with it, on whichever side is worst.
    """
    marks = []
    for number, target in enumerate(graph.surfaces):
        worst, dead = 0, False
        for way in DIRECTIONS:
            behind = target.tile.step((-way[0], -way[1]))
            attacker = Surface(behind, target.level)
            pushed = push_unit(graph.terrain, attacker, target, Push("B", 1), options, way=way)
            worst, dead = max(worst, pushed.damage), dead or pushed.dead
        if dead or worst:
            tint = 5 if dead else min(worst, 4)
            marks.append(_mark(graph, number, tint, "X" if dead else str(worst)))
    legend = [(n, f"{n} damage{' or more' * (n == 4)}") for n in range(1, 5)]
    title = "hazard: the worst of a push by one tile"
    return Overlay("hazard", title, tuple(marks), (*legend, (5, "X deadly")))


def sight(graph: SurfaceGraph, viewer: Surface, options: Options) -> Overlay:
    """What a unit on a surface sees on an otherwise empty board; `V` is the viewer."""
    marks = []
    seen = 0
    for number, target in enumerate(graph.surfaces):
        if target == viewer:
            marks.append(_mark(graph, number, 4, "V"))
            continue
        visible = sees(graph.terrain, viewer, target, options).visible
        seen += visible
        marks.append(_mark(graph, number, 5 if visible else CONTESTED, "" if visible else "×"))
    others = len(graph.surfaces) - 1
    title = f"sight from {viewer.tile}: {seen} of {others} surfaces"
    legend = ((4, "V viewer"), (5, "seen"), (CONTESTED, "× not seen"))
    return Overlay("sight", title, tuple(marks), legend, "marks")


def _numbers(graph: SurfaceGraph, zone: StartZone) -> list[int]:
    """Numbers of a zone's surfaces that can be stood on."""
    spots = (Surface(tile, level) for tile, level in zone.surfaces)
    return [graph.index[spot] for spot in spots if spot in graph.index]


def _mark(graph: SurfaceGraph, number: int, tint: int, text: str) -> Mark:
    tile, level = graph.surfaces[number]
    return Mark(tile, level, tint, text)


def _sorted(marks: list[Mark]) -> tuple[Mark, ...]:
    return tuple(sorted(marks, key=lambda mark: (mark.tile, mark.level)))


def _who(profile: Profile) -> str:
    return f"Move {profile.move}, Jump {profile.jump}"
