"""Remedies of starts, chests and sides that do not meet, by the code of their issue."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from falldamage_forge.board import Board, Chest, Ground, Tile
from falldamage_forge.board.surfaces import Surface
from falldamage_forge.elements.element import Thing
from falldamage_forge.elements.things import Things
from falldamage_forge.lang.edit.board_elements import apply_delta
from falldamage_forge.lang.edit.gestures import LayBridge, LeanLadder
from falldamage_forge.lang.facts import Extent
from falldamage_forge.remedies.remedy import (
    Change,
    Kind,
    Patient,
    Remedy,
    in_turn,
    names,
    painted,
    replaced,
    without,
)
from falldamage_forge.rules.setup_check import why_not_standable
from falldamage_forge.rules.side_connection import gap_between_sides

MOST_PLACES = 4
"""Most other places that are tried for a start tile or a chest."""
MOST_LINES = 3
"""Most lines over a barrier for which remedies are tried."""
LONGEST_LINE = 8
"""Most tiles of a barrier along such a line."""
AROUND = 3
"""Distance in tiles within which another place is looked for."""


# -- starts and chests -----------------------------------------------------------------------------


def _rim(board: Board, tile: Tile) -> int:
    """Return the distance of a tile from the nearest edge of a board."""
    return min(tile.row, tile.col, board.rows - 1 - tile.row, board.cols - 1 - tile.col)


def _places_near(board: Board, tile: Tile, taken: set[Tile]) -> list[Tile]:
    """Return free tiles near a tile: those as far from the board's edge first, then the nearest."""
    far = {
        at: abs(at.row - tile.row) + abs(at.col - tile.col)
        for at in board.tiles()
        if at not in taken
        and board.column(at).feature is None
        and board.column(at).ground is Ground.GROUND
    }
    edge = _rim(board, tile)
    return sorted(far, key=lambda at: (far[at] > AROUND, _rim(board, at) != edge, far[at], at))


def _instead(p: Patient, side: str, place: Surface) -> Iterator[Remedy]:
    """Yield the remedies that take another start tile in place of a surface."""
    old = Thing("start", (place.tile,), (place.level,), side)
    taken = {at for zone in p.board.starts for at, _ in zone.surfaces}
    written = place.tile if _on_top(p.board, place) else place
    for at in _places_near(p.board, place.tile, taken):
        new = Thing("start", (at,), (p.board.column(at).level,), side)
        yield Remedy(f"start on {at} instead of {written}", replaced(old, new))


def of_bad_start(p: Patient) -> Iterator[Kind]:
    """FDF152: a start tile on which no unit stands."""
    headroom = p.position.game.terrain.headroom
    for zone in p.board.starts:
        if zone.source == p.issue.span and len(p.issue.tiles) == 1:
            for place in map(Surface._make, zone.surfaces):
                bad = why_not_standable(p.board, headroom, *place)
                if (place.tile,) == p.issue.tiles and bad:
                    yield Kind(islice(_instead(p, zone.side, place), MOST_PLACES))


def of_bad_chest(p: Patient) -> Iterator[Kind]:
    """FDF154: a chest that no unit takes."""
    taken = {chest.tile for chest in p.board.treasures}
    for chest in p.board.treasures:
        if chest.source == p.issue.span and (chest.tile,) == p.issue.tiles:
            places = _places_near(p.board, chest.tile, taken)[:MOST_PLACES]
            yield Kind(_carried(p, chest, at) for at in places)


def _carried(p: Patient, chest: Chest, at: Tile) -> Remedy:
    """Return the remedy that puts a chest on top of another column."""
    old = Thing("treasure", (chest.tile,), (chest.level,))
    new = Thing("treasure", (at,), (p.board.column(at).level,))
    return Remedy(f"put the chest on {at} instead of {chest.tile}", replaced(old, new))


# -- sides apart -----------------------------------------------------------------------------------


def of_sides_apart(p: Patient) -> Iterator[Kind]:
    """FDF300: start zones that do not reach each other."""
    gap = gap_between_sides(p.position)
    if gap is None:
        return
    for side, place in gap.lone_starts:
        yield Kind(islice(_instead(p, side, place), MOST_PLACES))
    lines = _lines(p.board, gap.inside, gap.beyond)
    for propose in (_laddered, _bridged, _opened):
        yield Kind(each for line in lines for each in propose(p, line))


def _lines(
    board: Board, inside: frozenset[Surface], beyond: frozenset[Surface]
) -> list[tuple[Tile, ...]]:
    """Return the shortest straight lines of tiles from one part to the other, ends included."""
    near, far = ({at.tile for at in part if _on_top(board, at)} for part in (inside, beyond))
    found = []
    for start in near | far:
        ends = far if start in near else near
        for way in ((0, 1), (1, 0)):
            line = [start]
            while len(line) <= LONGEST_LINE + 1 and (at := line[-1].step(way)) in board:
                line.append(at)
                if at in near | far:
                    if at in ends:
                        found.append(tuple(line))
                    break
    middle = (board.rows - 1, board.cols - 1)

    def order(line: tuple[Tile, ...]) -> tuple[int, int, tuple[Tile, ...]]:
        off = sum(abs(line[0][n] + line[-1][n] - middle[n]) for n in (0, 1))
        return len(line), off, line

    return sorted(found, key=order)[:MOST_LINES]


def _on_top(board: Board, at: Surface) -> bool:
    return board.column(at.tile).level == at.level


def _opened(p: Patient, line: Sequence[Tile]) -> Iterator[Remedy]:
    """Yield gaps through a barrier, at the level of its first and of its last side."""
    wall = line[1:-1]
    for level in dict.fromkeys(p.board.column(tile).level for tile in (line[0], line[-1])):
        if wall:
            yield Remedy(
                f"leave a gap: make {names(wall)} plain ground of level {level}",
                in_turn(without("ground", "feature", tiles=wall), painted(wall, level)),
            )


def _laddered(p: Patient, line: Sequence[Tile]) -> Iterator[Remedy]:
    """Yield ladders up to a barrier from both of its sides."""
    feet = dict.fromkeys(((line[0], line[1]), (line[-1], line[-2])))
    pairs = [
        (foot, top)
        for foot, top in feet
        if 1 < p.board.column(top).level - p.board.column(foot).level <= p.limits.max_rise
    ]
    if pairs:
        written = " and ".join(f"`ladder {foot} -> {top}`" for foot, top in pairs)
        lean = [LeanLadder(foot, top) for foot, top in pairs]
        yield Remedy(f"add {written}", _done(*lean))


def _done(*gestures: LeanLadder | LayBridge) -> Change:
    def change(things: Things) -> Things:
        for each in gestures:
            things = apply_delta(things, each.delta(things, Extent(0, 0)))
        return things

    return change


def _bridged(p: Patient, line: Sequence[Tile]) -> Iterator[Remedy]:
    """Yield a bridge over a barrier, on supports of one level beside it."""
    a, b, wall = line[0], line[-1], line[1:-1]
    if not 0 < len(wall) <= p.limits.max_span:
        return
    supports = [p.board.column(end).level for end in (a, b)]
    level = max(*supports, *(p.reach(tile) + 1 for tile in wall))
    low = tuple(end for end, has in zip((a, b), supports, strict=True) if has != level)
    bridge = f"add `bridge {a} -> {b} level {level}`"
    change = in_turn(painted(low, level), _done(LayBridge(a, b, level)))
    yield Remedy(f"make {names(low)} level {level} and {bridge}" if low else bridge, change)
