"""Remedies of places that units do not reach or do not leave, by the code of their issue."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice

from falldamage_forge.board import Board, Ground, Tile
from falldamage_forge.board.surfaces import Surface
from falldamage_forge.elements.things import Things
from falldamage_forge.lang.edit.board_elements import apply_delta
from falldamage_forge.lang.edit.gestures import LayBridge, LeanLadder
from falldamage_forge.lang.facts import Extent
from falldamage_forge.remedies.place_remedies import carried_chest, chests, moved_starts
from falldamage_forge.remedies.remedy import (
    Change,
    Kind,
    Patient,
    Remedy,
    in_turn,
    names,
    painted,
    without,
)
from falldamage_forge.rules.setup_check import why_not_standable
from falldamage_forge.rules.side_connection import (
    ApartSides,
    Proof,
    all_meet,
    cut_off_starts,
    gap_between_sides,
    proof_of,
)

MOST_LINES = 3
"""Most lines over a barrier, and most ladders, for which remedies are tried."""
LONGEST_LINE = 8
"""Most tiles of a barrier along such a line."""


def of_sides_apart(p: Patient) -> Iterator[Kind]:
    """FDF300: start zones that do not reach each other."""
    gap = gap_between_sides(p.position)
    if gap is not None:
        headroom = p.position.game.terrain.headroom
        for side, place in gap.lone_starts:
            yield Kind(
                moved_starts(
                    p, side, [place], lambda at: not why_not_standable(p.board, headroom, *at)
                )
            )
        yield from _over(p, gap, (_laddered, _bridged, _opened))


def of_cut_off_units(p: Patient) -> Iterator[Kind]:
    """FDF312: units, apart from the plain ones, that do not get from start to start."""
    for group in p.position.classes:
        proof = proof_of(p.position, group.name, group.profile)
        if not all_meet(p.position, proof):
            _, stuck, goal = next(cut_off_starts(p.position, proof))
            ends = tuple(proof.model.places[n].anchor.tile for n in (stuck, goal))
            if ends == p.issue.tiles:
                inside = p.position.flood(proof.profile, (stuck,))
                beyond = p.position.flood(proof.profile, (goal,), back=True)
                yield from _joined(p, _surfaces(proof, inside), _surfaces(proof, beyond))
                return


def of_unreached_chest(p: Patient) -> Iterator[Kind]:
    """FDF301: a chest that a side does not reach."""
    for chest in chests(p):
        at = Surface(chest.tile, chest.level)
        for proof in reversed(_proofs(p)):
            number = proof.model.index.get(at)
            lacking = [one for one in proof.reach.values() if at not in proof.surfaces(one)]
            if lacking and number is not None:
                beyond = p.position.flood(proof.profile, (number,), back=True)
                yield from _joined(p, _surfaces(proof, lacking[-1]), _surfaces(proof, beyond))
                break
        yield carried_chest(p, chest)


def of_unreached_place(p: Patient) -> Iterator[Kind]:
    """FDF311: a region that no start reaches."""
    about = {*p.issue.tiles}
    for proof in reversed(_proofs(p)):
        every = frozenset(place.anchor for place in proof.model.places)
        reached = _surfaces(proof, proof.reached)
        beyond = frozenset(at for at in every - reached if at.tile in about)
        if beyond:
            yield from _joined(p, reached, beyond)
            return


def of_place_without_exit(p: Patient) -> Iterator[Kind]:
    """FDF310: a region that units enter and do not leave."""
    about = {*p.issue.tiles}
    for proof in reversed(_proofs(p)):
        home = p.position.flood(proof.profile, proof.starts, back=True)
        trapped = _surfaces(proof, proof.reached) - _surfaces(proof, home)
        inside = frozenset(at for at in trapped if at.tile in about)
        if inside:
            yield from _joined(p, _surfaces(proof, home), inside)
            return


def _proofs(p: Patient) -> list[Proof]:
    return [proof_of(p.position, unit, unit) for unit in p.position.game.proof_units]


def _surfaces(proof: Proof, nodes: frozenset[int]) -> frozenset[Surface]:
    return frozenset(proof.model.places[n].anchor for n in nodes)


def _joined(p: Patient, inside: frozenset[Surface], beyond: frozenset[Surface]) -> Iterator[Kind]:
    """Yield ways between two parts: a ladder, another level, a bridge, a gap."""
    yield Kind(_leaned(p, inside, beyond))
    yield Kind(_levelled(p, inside, beyond))
    yield from _over(p, ApartSides(inside, beyond, ()), (_bridged, _opened))


def _over(
    p: Patient,
    gap: ApartSides,
    proposals: Sequence[Callable[[Patient, Sequence[Tile]], Iterator[Remedy]]],
) -> Iterator[Kind]:
    """Yield the remedies along the shortest lines between two parts."""
    lines = _lines(p.board, gap.inside, gap.beyond)
    for propose in proposals:
        yield Kind(each for line in lines for each in propose(p, line))


def _borders(
    p: Patient, inside: frozenset[Surface], beyond: frozenset[Surface]
) -> list[tuple[Surface, Surface]]:
    """Return neighbouring surfaces of two parts, the lower first, the smallest rises first."""
    graph = p.position.graph
    pairs = {
        (min(at, there, key=_height), max(at, there, key=_height))
        for at in beyond
        for there in map(graph.surfaces.__getitem__, graph.steps(graph.index[at]))
        if there in inside and there.level != at.level
    }
    return sorted(pairs, key=lambda pair: (pair[1].level - pair[0].level, pair[1], pair[0]))


def _height(at: Surface) -> int:
    return at.level


def _leaned(p: Patient, inside: frozenset[Surface], beyond: frozenset[Surface]) -> Iterator[Remedy]:
    """Yield a ladder between neighbouring surfaces of two parts."""
    borders = _borders(p, inside, beyond)
    fit = (pair for pair in borders if 1 < pair[1].level - pair[0].level <= p.limits.max_rise)
    for low, high in islice(fit, 2 * MOST_LINES):
        foot, top = (at.tile if p.top(at.tile) == at else at for at in (low, high))
        lean = LeanLadder(low.tile, high.tile, low.level, high.level)
        yield Remedy(f"add `ladder {foot} -> {top}`", _done(lean))


def _levelled(
    p: Patient, inside: frozenset[Surface], beyond: frozenset[Surface]
) -> Iterator[Remedy]:
    """Yield other levels for the only tile of a part, the nearest to its own first."""
    if len(beyond) == 1:
        ((tile, own),) = beyond
        for low, high in _borders(p, inside, beyond)[:1]:
            levels = range(low.level, high.level + 1)
            for level in sorted(levels, key=lambda level: abs(level - own))[1 : MOST_LINES + 1]:
                yield Remedy(f"make {tile} level {level}", painted([tile], level))


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
    walls = [line[1:-1]] if len(line) > 2 else [[tile] for tile in line if not _plain(p, tile)]
    for wall in walls:
        beside = (tile for tile in (line[0], line[-1]) if tile not in wall)
        for level in dict.fromkeys(p.board.column(tile).level for tile in beside):
            yield Remedy(
                f"leave a gap: make {names(wall)} plain ground of level {level}",
                in_turn(without("ground", "feature", tiles=wall), painted(wall, level)),
            )


def _plain(p: Patient, tile: Tile) -> bool:
    column = p.board.column(tile)
    return column.ground is Ground.GROUND and column.feature is None


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
