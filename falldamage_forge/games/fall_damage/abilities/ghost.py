"""Discorporate: "Unit is able to pass through Trees, Terrain and Enemy units, Unimpacted by
Lava/Water".
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from falldamage_forge.board import DIRECTIONS, Board, Ground
from falldamage_forge.board.surfaces import Link, Surface, SurfaceGraph, Terrain, surface_graph


@dataclass(frozen=True)
class Ghostly:
    """The surfaces of one who passes through things, and the numbers of those inside things, where
    it may pass and not stop.
    """

    graph: SurfaceGraph
    inside: frozenset[int]


def ghost_graph(graph: SurfaceGraph) -> Ghostly:
    """The graph of a board for a discorporate unit.

    Lava and water are ground to it. From every place it steps on to any surface of a neighbouring
    tile, whatever is in the way, and straight on at its level into solid things, of which it has to
    come out again. Its Jump still limits each step up; leaps and ladders are as for others.
    """
    board = _dry(graph.board)
    plain = surface_graph(board, graph.terrain.options)
    terrain = plain.terrain
    inside = _inside(terrain, plain.surfaces)
    surfaces = (*plain.surfaces, *inside)
    index = {surface: number for number, surface in enumerate(surfaces)}
    links = []
    for number, surface in enumerate(surfaces):
        kept = plain.links[number] if number < len(plain.surfaces) else ()
        others = [link for link in kept if link.kind != "step"]
        links.append((*_steps(terrain, surface, number, index), *others))
    first = len(plain.surfaces)
    through = frozenset(range(first, len(surfaces)))
    return Ghostly(SurfaceGraph.linked(terrain, surfaces, index, tuple(links)), through)


def _dry(board: Board) -> Board:
    columns = tuple(replace(column, ground=Ground.GROUND) for column in board.columns)
    return replace(board, columns=columns)


def _inside(terrain: Terrain, surfaces: tuple[Surface, ...]) -> tuple[Surface, ...]:
    """Every level of every tile that something solid fills, as high as anybody can stand."""
    levels = range(max((at.level for at in surfaces), default=0) + 1)
    known = frozenset(surfaces)
    return tuple(
        Surface(tile, level)
        for tile in terrain.board.tiles()
        for level in levels
        if not terrain.free(tile, level, level + 1) and Surface(tile, level) not in known
    )


def _steps(
    terrain: Terrain, surface: Surface, number: int, index: dict[Surface, int]
) -> list[Link]:
    """Steps to each neighbour: its surfaces, and the inside of it at the same level."""
    found = []
    for way in DIRECTIONS:
        near = surface.tile.step(way)
        if near not in terrain.board:
            continue
        levels = {*terrain.standable(near), surface.level}
        for level in sorted(levels):
            goal = index.get(Surface(near, level))
            if goal is not None:
                found.append(Link(number, goal, "step", level - surface.level))
    return found
