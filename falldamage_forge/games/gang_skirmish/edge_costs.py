"""Edges of a fighter's movement graph under railings and fields: blocked or more expensive."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from falldamage_forge.board import EAST, SOUTH, WEST, Board, Tile
from falldamage_forge.board.surfaces import Surface
from falldamage_forge.games.base_placement import MIDDLE, Shift
from falldamage_forge.games.gang_skirmish import cover_and_fields
from falldamage_forge.games.gang_skirmish.graph_builder import MovementGraphBuilder
from falldamage_forge.rules.argument_types import Um
from falldamage_forge.rules.movement_graph import Edge, GraphNode

Point = tuple[Um, Um]
"""Position in um south and east of the corner of the board, or of a tile."""
OVER = {"leap": (True, True), "jump down": (True, False), "kip up": (False, True)}
"""By kind of move: true if it crosses the edge at its start, and the edge at its end."""


def edges_of(made: MovementGraphBuilder) -> tuple[tuple[Edge, ...], ...]:
    """Return the edges that railings do not block, with their costs in fields."""
    board = made.terrain.board
    tall = _tall(board)
    if not tall and not board.fitted("field"):
        return tuple(map(tuple, made.edges))
    return tuple(
        tuple(
            _priced(made, place, edge)
            for edge in edges
            if not (tall and _barred(made, tall, place, edge))
        )
        for place, edges in zip(made.places, made.edges, strict=True)
    )


def desperate_of(made: MovementGraphBuilder) -> tuple[tuple[int, Edge], ...]:
    """Return the jumps that are certain to fail and that railings do not block."""
    tall = _tall(made.terrain.board)
    return tuple(
        (number, _priced(made, made.places[number], edge))
        for number, edge in made.desperate
        if not (tall and _barred(made, tall, made.places[number], edge))
    )


def _way(here: Tile, there: Tile) -> tuple[int, int]:
    """Return the direction of a path along a row or a column."""
    rows, cols = there.row - here.row, there.col - here.col
    return (rows > 0) - (rows < 0), (cols > 0) - (cols < 0)


# -- railings that block ---------------------------------------------------------------------------


def _tall(board: Board) -> dict[int, frozenset[tuple[int, int, bool]]]:
    """Return by level the edges with a railing too tall to step over.

    An edge is (row, column, upright): the north side of its tile, or if upright the west side.
    """
    found: dict[int, set[tuple[int, int, bool]]] = {}
    for tile, level, side in board.rails:
        if cover_and_fields.blocks_step(board, Surface(tile, level), side):
            row, col = tile.step(side) if side in (SOUTH, EAST) else tile
            found.setdefault(level, set()).add((row, col, side in (EAST, WEST)))
    return {level: frozenset(edges) for level, edges in found.items()}


def _barred(
    made: MovementGraphBuilder,
    tall: dict[int, frozenset[tuple[int, int, bool]]],
    place: GraphNode,
    edge: Edge,
) -> bool:
    """True if a railing that has to be climbed blocks an edge."""
    here, there = place.anchor, made.places[edge.to].anchor
    board = made.terrain.board
    if edge.kind == "walk":
        edges = tall.get(here.level, frozenset())
        if there.level != here.level:
            edges |= tall.get(there.level, frozenset())
        if not edges or here.tile == there.tile:
            return False
        offset = there.tile.row - here.tile.row, there.tile.col - here.tile.col
        ends = place.shift, made.places[edge.to].shift
        swept = swept_edges(offset, made.half_um, made.tile_um, *ends)
        row, col = here.tile
        return any((row + r, col + c, up) in edges for r, c, up in swept)
    if edge.kind not in OVER:
        return False
    side = _way(here.tile, there.tile)
    leaves, enters = OVER[edge.kind]
    return (leaves and cover_and_fields.blocks_step(board, here, side)) or (
        enters and cover_and_fields.blocks_step(board, there, (-side[0], -side[1]))
    )


@lru_cache(maxsize=4096)
def swept_edges(
    offset: tuple[int, int],
    radius_um: Um,
    tile_um: Um,
    leaves: Shift = MIDDLE,
    goes: Shift = MIDDLE,
) -> tuple[tuple[int, int, bool], ...]:
    """Return the tile edges that a base crosses or touches on a straight path between placements.

    Edges are relative to the first tile. An edge that the base touches at its start or end counts
    only if its centre crosses it: a base wider than its tile extends over the railing beside it.

    Args:
        offset: Offset of the other tile as (rows, columns).
        radius_um: Radius of the base in um.
        tile_um: Width of a tile in um.
        leaves: Placement on the first tile, in um from its middle.
        goes: Placement on the other tile, in um from its middle.
    """
    half = tile_um // 2
    start = (half + leaves[0], half + leaves[1])
    end = (half + offset[0] * tile_um + goes[0], half + offset[1] * tile_um + goes[1])
    rows = range(min(offset[0], 0) - 1, max(offset[0], 0) + 3)
    cols = range(min(offset[1], 0) - 1, max(offset[1], 0) + 3)
    found = []
    for row in rows:
        for col in cols:
            for up in (False, True):
                a = (row * tile_um, col * tile_um)
                b = (a[0] + tile_um, a[1]) if up else (a[0], a[1] + tile_um)
                if _crosses(start, end, a, b) or (
                    _brushes(start, end, a, b, radius_um)
                    and not _brushes(start, start, a, b, radius_um)
                    and not _brushes(end, end, a, b, radius_um)
                ):
                    found.append((row, col, up))
    return tuple(found)


def _turn(a: Point, b: Point, c: Point) -> int:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def _crosses(p: Point, q: Point, a: Point, b: Point) -> bool:
    """True if two segments cross inside."""
    one, two = _turn(p, q, a), _turn(p, q, b)
    return one * two < 0 and _turn(a, b, p) * _turn(a, b, q) < 0


def _brushes(p: Point, q: Point, a: Point, b: Point, radius_um: Um) -> bool:
    """True if two segments are nearer to each other than a radius."""
    if _crosses(p, q, a, b):
        return True
    pairs = ((p, a, b), (q, a, b), (a, p, q), (b, p, q))
    return any(_near(spot, one, two, radius_um) for spot, one, two in pairs)


def _near(spot: Point, a: Point, b: Point, radius_um: Um) -> bool:
    """True if a point is nearer to a segment than a radius."""
    dy, dx = b[0] - a[0], b[1] - a[1]
    sy, sx = spot[0] - a[0], spot[1] - a[1]
    square, along = dy * dy + dx * dx, sy * dy + sx * dx
    if along <= 0:
        return sy * sy + sx * sx < radius_um * radius_um
    if along >= square:
        return (sy - dy) ** 2 + (sx - dx) ** 2 < radius_um * radius_um
    across = sy * dx - sx * dy
    return across * across < radius_um * radius_um * square


# -- costs -----------------------------------------------------------------------------------------


def _priced(made: MovementGraphBuilder, place: GraphNode, edge: Edge) -> Edge:
    """Return an edge with its length inside fields, and the cost of it for a move of its own."""
    board, fighter, options = made.terrain.board, made.fighter, made.options
    if not board.fitted("field"):
        return edge
    goal = made.places[edge.to]
    here = place.anchor.tile
    inside = (
        edge.cost if cover_and_fields.in_fields(board, here, fighter, options, place.shift) else 0
    )
    if edge.kind == "stand up":
        return edge
    start, end = (
        cover_and_fields.middle_um(at.anchor.tile, options, at.shift) for at in (place, goal)
    )
    if edge.kind == "walk" and start != end:
        parts = tuple(_lengths(cover_and_fields.spans(board, start, end, fighter, options)))
        inside = min(edge.cost, sum(parts))
        if parts and options.heavy_g == "whole_action":
            inside = edge.cost
    if not inside:
        return edge
    cost = edge.cost - inside + cover_and_fields.price_um(inside, options)
    return edge._replace(cost=cost, inside=0 if options.heavy_g == "exact" else inside)


def _lengths(parts: tuple[cover_and_fields.Span, ...]) -> Iterator[Um]:
    return (high - low for low, high in parts)
