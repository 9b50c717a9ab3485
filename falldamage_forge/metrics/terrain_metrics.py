"""Terrain metrics: choke points, high ground, robustness."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from falldamage_forge.board import Board
from falldamage_forge.board.crop import crop_board, crop_box_around
from falldamage_forge.board.surfaces import Surface
from falldamage_forge.metrics.grading import grade
from falldamage_forge.metrics.min_vertex_cut import articulation_points, min_vertex_cut
from falldamage_forge.metrics.side_leads import FAIR_HEIGHT_TURNS, height_turns
from falldamage_forge.rules.answers import Metric
from falldamage_forge.rules.bitset_bfs import mask_of
from falldamage_forge.rules.position import Position


def choke_points(p: Position) -> Iterator[Metric]:
    """Yield the least number of surfaces that separate the sides when they are blocked."""
    model = p.model(p.plain)
    if not all(_zones(p)):
        yield Metric("choke points", "info", "two sides are needed", {})
        return
    links, cut = model.successors, cut_between_sides(p)
    tiles = tuple(model.places[number].anchor.tile for number in cut)
    text = f"{len(cut)} surfaces can keep the sides apart"
    verdict = grade(len(cut) >= 4, len(cut) >= 2)
    single = [str(model.places[number].anchor) for number in articulation_points(links)]
    yield Metric("choke points", verdict, text, {"cut": len(cut), "articulation": single}, tiles)


def cut_between_sides(p: Position) -> tuple[int, ...]:
    """Return the least nodes that separate the first two sides; none if a side has no start."""
    one, other = _zones(p)
    return min_vertex_cut(p.model(p.plain).successors, one, other) if one and other else ()


def _zones(p: Position) -> tuple[int, int]:
    """Return the start nodes of the first two sides as bit sets."""
    one, other, *_ = *(mask_of(zone) for zone in p.zones(p.plain).values()), 0, 0
    return one, other


NEAR = 6
"""Greatest distance in tiles at which an element affects an edge, in rulesets with destruction."""
TOLD_TURNS = 0.05
"""Least difference in turns that is reported; a smaller one would print as 0.0."""


def high_ground(p: Position) -> Iterator[Metric]:
    """Yield the highest surfaces: first side, number of approaches, share of visible surfaces."""
    model, surfaces = p.model(p.plain), p.graph.surfaces
    top = max((surface.level for surface in surfaces), default=0)
    peaks = [surface for surface in surfaces if top and surface.level == top]
    ways_to: dict[int, int] = {}
    for links in model.successors:
        for to in links:
            ways_to[to] = ways_to.get(to, 0) + 1
    table, contested = {}, True
    for surface in peaks:
        number = model.index.get(surface)
        goal = 0 if number is None else 1 << number
        ways = 0 if number is None else ways_to.get(number, 0)
        row: dict[str, Any] = {
            "turns": {side: p.turns_to(p.plain, side, goal) for side in p.sides},
            "approaches": ways,
        }
        if p.seen is not None:
            seen = p.seen[p.graph.index[surface]].bit_count()
            row["sees"] = round(seen / max(len(surfaces) - 1, 1), 2)
        table[str(surface)] = row
        contested = contested and ways > 1
    text = f"{len(peaks)} surfaces at level {top}" if peaks else "the board is flat"
    mean = height_turns(p)
    sooner = max(mean.values(), default=0) - min(mean.values(), default=0)
    if sooner >= TOLD_TURNS:
        text += f"; {min(mean, key=mean.__getitem__)} holds heights {sooner:.1f} turns sooner"
    tiles = tuple(sorted({surface.tile for surface in peaks}))
    fair = sooner <= FAIR_HEIGHT_TURNS
    verdict = grade(contested and fair, sooner <= 2 * FAIR_HEIGHT_TURNS)
    yield Metric("high ground", verdict, text, table, tiles)


def robustness(p: Position) -> Iterator[Metric]:
    """Yield the elements whose destruction cuts a plain unit off from a start or a chest."""
    whole = not breaks_connection(p, p)
    lost = [
        (name, tile)
        for name, tile, board in p.game.destruction_results(p.board)
        if not (whole and survives_nearby_removal(p, board)) and breaks_connection(p, p.on(board))
    ]
    needed = [name for name, _ in lost]
    text = "no start or chest depends on a single bridge, ladder or tree"
    if needed:
        text = f"a start or a chest is cut off without: {', '.join(needed)}"
    tiles = tuple(tile for _, tile in lost)
    yield Metric("robustness", grade(not needed, True), text, {"needed": needed}, tiles)


def survives_nearby_removal(p: Position, after: Board) -> bool:
    """True if the surroundings of a removed element show that every connection remains.

    Every remaining node that lost an edge must still reach, within a window around the element, the
    nodes that it reached there before. Then all connections of the board remain.

    Args:
        p: The board before the removal.
        after: The board after it.

    Returns:
        False also if the window cannot prove it, or covers more than half of the board.
    """
    board = p.board
    gone = {tile for tile in board.tiles() if board.column(tile) != after.column(tile)}
    for deck in set(board.decks) - set(after.decks):
        gone |= {deck.a, deck.b, *deck.tiles}
    for ladder in set(board.ladders) - set(after.ladders):
        gone |= {ladder.foot, ladder.top}
    window = crop_box_around(board, gone, NEAR)
    area = (window.bottom - window.top) * (window.right - window.left)
    starts = {tile for zone in board.starts for tile, _ in zone.surfaces}
    if 2 * area > board.rows * board.cols or gone & starts:
        return False
    was, now = (p.on(crop_board(each, window)) for each in (board, after))
    before, left = was.model(p.plain), now.model(p.plain)
    ahead, still = before.successors, left.successors
    for at in sorted(left.index.keys() & before.index.keys()):
        old, number = before.index[at], left.index[at]
        links = {before.places[to].anchor for to in ahead[old]}
        if links <= {left.places[to].anchor for to in still[number]}:
            continue
        reached = {before.places[to].anchor for to in was.flood(p.plain, (old,))}
        kept = {left.places[to].anchor for to in now.flood(p.plain, (number,))}
        if not reached & left.index.keys() <= kept:
            return False
    return True


def breaks_connection(before: Position, after: Position) -> bool:
    """True if a side does not reach a start or a remaining chest.

    Args:
        before: The board whose chests count.
        after: The board to test.
    """
    model = after.model(before.plain)
    zones = after.zones(before.plain)
    chests = {Surface(chest.tile, chest.level) for chest in before.board.treasures}
    wanted = {model.index[at] for at in chests if at in model.index}
    wanted.update(*zones.values())
    return any(not wanted <= after.flood(before.plain, zone) for zone in zones.values())
