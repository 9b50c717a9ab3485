"""Is the map playable? Proofs and warnings for plain units of Jump 1 and Jump 2.

"Without damage" throughout: a way that costs health is not counted as a way.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from falldamage_forge.board import Board, StartZone
from falldamage_forge.issues import Issue, Note, SourceSpan
from falldamage_forge.rules.movement import (
    MoveGraph,
    Profile,
    move_graph,
    safe_reach,
    shortest_path,
)
from falldamage_forge.rules.ruleset import Ruleset
from falldamage_forge.surfaces import Surface, SurfaceGraph, surface_graph


@dataclass(frozen=True, slots=True)
class Proof:
    """What one Jump can do on the map: moves, start numbers by side, surfaces reached by side."""

    jump: int
    moves: MoveGraph
    zones: dict[str, tuple[int, ...]]
    reach: dict[str, frozenset[int]]


def check_board(board: Board, ruleset: Ruleset) -> tuple[Issue, ...]:
    """Errors for sides or treasure cut off (FDF300, 301); warnings for traps, islands (310, 311).

    The board must be legal: start tiles and treasure lie on surfaces.
    """
    graph = surface_graph(board, ruleset.options.terrain)
    proofs = tuple(_proof(graph, board, ruleset, jump) for jump in ruleset.proof_jumps)
    issues = [issue for proof in proofs for issue in _sides(board, proof)]
    issues += _treasures(board, graph, proofs)
    issues += _islands(graph, proofs)
    issues += _traps(graph, proofs)
    return tuple(issues)


def _proof(graph: SurfaceGraph, board: Board, ruleset: Ruleset, jump: int) -> Proof:
    moves = move_graph(graph, Profile(ruleset.proof_move, jump), ruleset.options)
    zones = {
        zone.side: tuple(
            number
            for tile, level in zone.surfaces
            if (number := graph.index.get(Surface(tile, level))) is not None
        )
        for zone in board.starts
    }
    reach = {side: safe_reach(moves, numbers) for side, numbers in zones.items()}
    return Proof(jump, moves, zones, reach)


def _zone(board: Board, side: str) -> StartZone:
    return next(zone for zone in board.starts if zone.side == side)


# -- errors --------------------------------------------------------------------------------------


def _sides(board: Board, proof: Proof) -> Iterator[Issue]:
    """Every start tile of a side reaches every start tile of every other side."""
    graph = proof.moves.graph
    for side, numbers in proof.zones.items():
        for other, goals in proof.zones.items():
            if other == side:
                continue
            stuck = [
                number
                for number in numbers
                if not safe_reach(proof.moves, (number,)).issuperset(goals)
            ]
            if not stuck:
                continue
            first = stuck[0]
            reached = safe_reach(proof.moves, (first,))
            goal = next(goal for goal in goals if goal not in reached)
            zone = _zone(board, side)
            tiles = tuple(graph.surfaces[number].tile for number in stuck)
            yield Issue(
                "FDF300",
                "error",
                f"a unit with Jump {proof.jump} cannot get from {side}'s start "
                f"{graph.surfaces[first].tile} to {other}'s start {graph.surfaces[goal].tile} "
                f"without damage",
                zone.source,
                tiles,
                _wall(proof.moves, reached, _back(proof.moves, goal)),
                _built(graph, goal, "it cannot get here"),
            )


def _treasures(board: Board, graph: SurfaceGraph, proofs: tuple[Proof, ...]) -> Iterator[Issue]:
    """Every treasure can be taken by every side."""
    for chest in board.treasures:
        number = graph.index.get(Surface(chest.tile, chest.level))
        if number is None:
            continue
        cut_off = [
            (proof, side)
            for proof in proofs
            for side, reached in proof.reach.items()
            if number not in reached
        ]
        if not cut_off:
            continue
        sides = " and ".join(sorted({side for _, side in cut_off}))
        jumps = " or ".join(dict.fromkeys(str(proof.jump) for proof, _ in cut_off))
        proof, side = cut_off[-1]
        yield Issue(
            "FDF301",
            "error",
            f"{sides} cannot reach the treasure at {chest.tile} with Jump {jumps} without damage",
            chest.source,
            (chest.tile,),
            _wall(proof.moves, proof.reach[side], _back(proof.moves, number)),
            _built(graph, number, "the treasure lies here"),
        )


# -- warnings ------------------------------------------------------------------------------------


def _islands(graph: SurfaceGraph, proofs: tuple[Proof, ...]) -> Iterator[Issue]:
    """Regions that no start reaches, told once for all the Jumps they are islands for."""
    for jumps, region, proof in _regions(graph, proofs, _unreached):
        reached = frozenset().union(*proof.reach.values())
        yield Issue(
            "FDF311",
            "warning",
            f"nobody with Jump {jumps} can reach {_names(graph, region)} without damage",
            _source(graph, region),
            tuple(graph.surfaces[number].tile for number in region),
            _wall(proof.moves, reached, frozenset(region)),
        )


def _traps(graph: SurfaceGraph, proofs: tuple[Proof, ...]) -> Iterator[Issue]:
    """Regions one gets into and not out of, with the way in and the wall that keeps one there."""
    for jumps, region, proof in _regions(graph, proofs, _trapped):
        starts = [number for zone in proof.zones.values() for number in zone]
        way = shortest_path(proof.moves, starts, region)
        steps = [graph.surfaces[edge.link.a].tile for edge in way or ()]
        route = " -> ".join(str(tile) for tile in (*steps, graph.surfaces[region[0]].tile))
        inside = safe_reach(proof.moves, region)
        outside = frozenset(range(len(graph.surfaces))) - inside
        yield Issue(
            "FDF310",
            "warning",
            f"with Jump {jumps} one gets into {_names(graph, region)} but not out without damage",
            _source(graph, region),
            tuple(graph.surfaces[number].tile for number in region),
            f"the way in is {route}; {_wall(proof.moves, inside, outside) or 'no way leads out'}",
        )


def _unreached(proof: Proof) -> frozenset[int]:
    everything = frozenset(range(len(proof.moves.edges)))
    return everything - frozenset().union(*proof.reach.values())


def _trapped(proof: Proof) -> frozenset[int]:
    reached = frozenset().union(*proof.reach.values())
    starts = [number for zone in proof.zones.values() for number in zone]
    home = (
        frozenset().union(*(_back(proof.moves, start) for start in starts)) if starts else reached
    )
    return reached - home


def _regions(
    graph: SurfaceGraph, proofs: tuple[Proof, ...], select: object
) -> Iterator[tuple[str, tuple[int, ...], Proof]]:
    """Connected regions of the selected surfaces, each with the Jumps that share it exactly."""
    assert callable(select)
    found: dict[tuple[int, ...], list[Proof]] = {}
    for proof in proofs:
        for region in _components(graph, select(proof)):
            found.setdefault(region, []).append(proof)
    for region, sharing in sorted(found.items()):
        yield " or ".join(str(proof.jump) for proof in sharing), region, sharing[-1]


def _components(graph: SurfaceGraph, numbers: frozenset[int]) -> list[tuple[int, ...]]:
    """Groups of surfaces joined by level steps, sorted."""
    left, groups = set(numbers), []
    for first in sorted(numbers):
        if first not in left:
            continue
        left.discard(first)
        group, queue = [first], [first]
        while queue:
            for link in graph.links[queue.pop()]:
                if link.b in left and link.kind == "step" and abs(link.rise) <= 1:
                    left.discard(link.b)
                    group.append(link.b)
                    queue.append(link.b)
        groups.append(tuple(sorted(group)))
    return groups


def _back(moves: MoveGraph, goal: int) -> frozenset[int]:
    """Surfaces from which the goal can be reached without damage."""
    into: dict[int, list[int]] = {}
    for edges in moves.edges:
        for edge in edges:
            if edge.damage == 0:
                into.setdefault(edge.to, []).append(edge.link.a)
    seen, queue = {goal}, [goal]
    while queue:
        for before in into.get(queue.pop(), ()):
            if before not in seen:
                seen.add(before)
                queue.append(before)
    return frozenset(seen)


def _wall(moves: MoveGraph, inside: Iterable[int], beyond: frozenset[int]) -> str | None:
    """The lowest obstacle between what is reached and what is not, in words."""
    graph, jump = moves.graph, moves.profile.jump
    best: tuple[int, int, str] | None = None
    for number in sorted(inside):
        for link in graph.links[number]:
            if link.b not in beyond or link.kind != "step":
                continue
            here, there = graph.surfaces[number], graph.surfaces[link.b]
            if link.rise > 0:
                words = f"{there} rises {link.rise} above {here}; Jump {jump} climbs {jump}"
            else:
                words = f"{there} lies {-link.rise} below {here}; Jump {jump} drops {jump} unhurt"
            candidate = (abs(link.rise), number, words)
            best = min(best, candidate) if best else candidate
    return best[2] if best else None


# -- words ---------------------------------------------------------------------------------------


def _names(graph: SurfaceGraph, region: tuple[int, ...]) -> str:
    shown = ", ".join(str(graph.surfaces[number]) for number in region[:6])
    return shown + (f" and {len(region) - 6} more" if len(region) > 6 else "")


def _source(graph: SurfaceGraph, region: tuple[int, ...]) -> SourceSpan | None:
    """The statement that built the region: its deck's or its column's."""
    for number in region:
        tile, level = graph.surfaces[number]
        for deck in graph.board.decks:
            if deck.level == level and tile in deck.tiles and deck.source:
                return deck.source
        column = graph.board.column(tile)
        if column.source:
            return column.source
    return None


def _built(graph: SurfaceGraph, number: int, message: str) -> tuple[Note, ...]:
    source = _source(graph, (number,))
    return (Note(source, message),) if source else ()
