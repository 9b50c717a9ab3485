"""Measures of a board's shape: choke points, heights, falls, sight, and what it hangs on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TypeGuard

from falldamage_forge.board import DIRECTION_NAMES, DIRECTIONS, Board, Feature, Tile
from falldamage_forge.rules.abilities import without_tree
from falldamage_forge.rules.bitset import bits
from falldamage_forge.rules.cut import articulation_points, least_cut
from falldamage_forge.rules.movement import move_graph, safe_reach
from falldamage_forge.rules.push import Push, push_unit
from falldamage_forge.rules.ruleset import Options
from falldamage_forge.rules.study import Metric, Study, grade
from falldamage_forge.surfaces import Surface, surface_graph


def choke_points(s: Study) -> Iterator[Metric]:
    """Least number of surfaces that part the sides when they are blocked."""
    moves = s.moves[s.plain]
    first, second = (s.zones[side] for side in s.sides[:2]) if len(s.sides) > 1 else (0, 0)
    if not first or not second:
        yield Metric("choke points", "info", "two sides are needed", {})
        return
    links = [[edge.to for edge in out if edge.damage == 0] for out in moves.edges]
    cut = least_cut(links, first, second)
    tiles = tuple(s.graph.surfaces[number].tile for number in cut)
    text = f"{len(cut)} surfaces can keep the sides apart"
    verdict = grade(len(cut) >= 4, len(cut) >= 2)
    single = [str(s.graph.surfaces[number]) for number in articulation_points(links)]
    yield Metric("choke points", verdict, text, {"cut": len(cut), "articulation": single}, tiles)


def high_ground(s: Study) -> Iterator[Metric]:
    """The highest surfaces: who is first there, how many ways lead up, how much they see."""
    top = max((surface.level for surface in s.graph.surfaces), default=0)
    peaks = [n for n, surface in enumerate(s.graph.surfaces) if top and surface.level == top]
    seen = s.seen
    count = max(len(s.graph.surfaces) - 1, 1)
    table, contested = {}, True
    for number in peaks:
        turns = {side: s.turns(s.plain, side, 1 << number) for side in s.sides}
        ways = sum(
            edge.to == number and edge.damage == 0 for out in s.moves[s.plain].edges for edge in out
        )
        table[str(s.graph.surfaces[number])] = {
            "turns": turns,
            "approaches": ways,
            "sees": round(seen[number].bit_count() / count, 2),
        }
        contested = contested and ways > 1
    text = f"{len(peaks)} surfaces at level {top}" if peaks else "the board is flat"
    tiles = tuple(sorted({s.graph.surfaces[number].tile for number in peaks}))
    yield Metric("high ground", "good" if contested else "warn", text, table, tiles)


def push_exposure(s: Study) -> Iterator[Metric]:
    """Surfaces from which a push of one tile makes a unit fall 3 levels or more, or kills it."""
    falls = {way: _falls(s, way, s.ruleset.options) for way in DIRECTIONS}
    high = _exposed(falls.values())
    # What is safest for a map's links is not the most careful reading here.
    careful = replace(s.ruleset.options, edge="void")
    share = len(high) / max(len(s.graph.surfaces), 1)
    worst = [max(column, key=_badness) for column in zip(*falls.values(), strict=True)]
    values = {
        "fall 1 or more": sum(damage >= 1 for damage, _ in worst),
        "fall 3 or more": sum(damage >= 3 for damage, _ in worst),
        "into lava or off": sum(dead for _, dead in worst),
        "by direction": {DIRECTION_NAMES[way]: len(_exposed([row])) for way, row in falls.items()},
        "with edge=void": len(_exposed(_falls(s, way, careful) for way in DIRECTIONS)),
    }
    text = f"{share:.0%} of surfaces are a push away from death or {DEEP} damage"
    tiles = tuple(sorted({s.graph.surfaces[number].tile for number in high}))
    verdict = grade(0.05 <= share <= 0.45, True)
    yield Metric("push exposure", verdict, text, values, tiles)


DEEP = 3
"""A fall of so many levels takes half the health of most cards."""
Fall = tuple[int, bool]
"""Damage, and whether it kills outright."""


def _falls(s: Study, way: tuple[int, int], options: Options) -> list[Fall]:
    """For each surface what a push of one tile in a direction does."""
    found = []
    for tile, level in s.graph.surfaces:
        behind = Surface(tile.step((-way[0], -way[1])), level)
        push = Push("B", 1)
        result = push_unit(s.graph.terrain, behind, Surface(tile, level), push, options, way=way)
        found.append((result.damage, result.dead))
    return found


def _badness(fall: Fall) -> tuple[bool, int]:
    return fall[1], fall[0]


def _exposed(rows: Iterable[list[Fall]]) -> set[int]:
    return {
        number
        for row in rows
        for number, (damage, dead) in enumerate(row)
        if dead or damage >= DEEP
    }


def sight(s: Study) -> Iterator[Metric]:
    """Share of pairs of surfaces that see each other."""
    seen = s.seen
    count = len(seen)
    share = sum(mask.bit_count() for mask in seen) / max(count * (count - 1), 1)
    text = f"{share:.0%} of pairs of surfaces see each other"
    yield Metric("sight", grade(0.25 <= share <= 0.75, True), text, {"share": round(share, 3)})


def robustness(s: Study) -> Iterator[Metric]:
    """What becomes unreachable for a plain unit when one bridge, ladder or tree is destroyed."""
    lost = [(name, tile) for name, tile, board in _wrecks(s.board) if _loses(s, board)]
    needed = [name for name, _ in lost]
    text = "nothing on the map hangs on a single bridge, ladder or tree"
    if needed:
        text = f"a start or a chest is lost with: {', '.join(needed)}"
    tiles = tuple(tile for _, tile in lost)
    yield Metric("robustness", grade(not needed, True), text, {"needed": needed}, tiles)


def _loses(s: Study, board: Board) -> bool:
    """Whether some side does not reach a start or a chest that is still there."""
    graph = surface_graph(board, s.ruleset.options.terrain)
    moves = move_graph(graph, s.moves[s.plain].profile, s.ruleset.options)
    zones = {
        side: {graph.index.get(s.graph.surfaces[number]) for number in bits(zone)} - {None}
        for side, zone in s.zones.items()
    }
    chests = {graph.index.get(Surface(c.tile, c.level)) for c in board.treasures} - {None}
    return any(
        not chests.union(*zones.values()) <= safe_reach(moves, filter(_known, zone))
        for zone in zones.values()
    )


def _known(number: int | None) -> TypeGuard[int]:
    return number is not None


def _wrecks(board: Board) -> Iterator[tuple[str, Tile, Board]]:
    """The board with one thing destroyed, for each thing that can be."""
    for deck in board.decks:
        left = tuple(other for other in board.decks if other is not deck)
        yield f"bridge {deck.a} -> {deck.b}", deck.a, replace(board, decks=left)
    for ladder in board.ladders:
        rest = tuple(other for other in board.ladders if other is not ladder)
        name = f"ladder {ladder.foot} -> {ladder.top}"
        yield name, ladder.foot, replace(board, ladders=rest)
    for tile in board.tiles():
        if board.column(tile).feature is Feature.TREE:
            yield f"tree {tile}", tile, without_tree(board, tile)
