"""Measures of a board's shape: choke points, heights, and what it hangs on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from falldamage_forge.board import Board
from falldamage_forge.board.surfaces import Surface
from falldamage_forge.board.window import seen_through, window_around
from falldamage_forge.measures.cut import articulation_points, least_cut
from falldamage_forge.measures.grading import grade
from falldamage_forge.measures.lead import FAIR_HEIGHT_TURNS, height_turns
from falldamage_forge.rules.answers import Metric
from falldamage_forge.rules.position import Position
from falldamage_forge.rules.waves import mask_of


def choke_points(p: Position) -> Iterator[Metric]:
    """Least number of surfaces that part the sides when they are blocked."""
    model = p.model(p.plain)
    zones = [mask_of(zone) for zone in p.zones(p.plain).values()]
    if len(zones) < 2 or not zones[0] or not zones[1]:
        yield Metric("choke points", "info", "two sides are needed", {})
        return
    links = model.ahead
    cut = least_cut(links, zones[0], zones[1])
    tiles = tuple(model.places[number].anchor.tile for number in cut)
    text = f"{len(cut)} surfaces can keep the sides apart"
    verdict = grade(len(cut) >= 4, len(cut) >= 2)
    single = [str(model.places[number].anchor) for number in articulation_points(links)]
    yield Metric("choke points", verdict, text, {"cut": len(cut), "articulation": single}, tiles)


NEAR = 6
"""No link depends on what is further away, in tiles, in a game where things can be destroyed."""
TOLD_TURNS = 0.05
"""Turns that are worth a word: less would be told as none."""


def high_ground(p: Position) -> Iterator[Metric]:
    """The highest surfaces: who is first there, how many ways lead up, how much they see."""
    model, surfaces = p.model(p.plain), p.graph.surfaces
    top = max((surface.level for surface in surfaces), default=0)
    peaks = [surface for surface in surfaces if top and surface.level == top]
    ways_to: dict[int, int] = {}
    for links in model.ahead:
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
    """What becomes unreachable for a plain unit when one thing that can be is destroyed."""
    whole = not loses(p, p)
    lost = [
        (name, tile)
        for name, tile, board in p.game.wrecks(p.board)
        if not (whole and holds_near(p, board)) and loses(p, p.on(board))
    ]
    needed = [name for name, _ in lost]
    text = "nothing on the map hangs on a single bridge, ladder or tree"
    if needed:
        text = f"a start or a chest is lost with: {', '.join(needed)}"
    tiles = tuple(tile for _, tile in lost)
    yield Metric("robustness", grade(not needed, True), text, {"needed": needed}, tiles)


def holds_near(p: Position, after: Board) -> bool:
    """Whether what is near a thing taken away shows already that no way is lost by it.

    Every place that stays and had a link that goes must still get, near by, wherever near by it
    got before: then so does everything. False where that is not seen, or little would be saved.
    """
    board = p.board
    gone = {tile for tile in board.tiles() if board.column(tile) != after.column(tile)}
    for deck in set(board.decks) - set(after.decks):
        gone |= {deck.a, deck.b, *deck.tiles}
    for ladder in set(board.ladders) - set(after.ladders):
        gone |= {ladder.foot, ladder.top}
    window = window_around(board, gone, NEAR)
    area = (window.bottom - window.top) * (window.right - window.left)
    starts = {tile for zone in board.starts for tile, _ in zone.surfaces}
    if 2 * area > board.rows * board.cols or gone & starts:
        return False
    was, now = (p.on(seen_through(one, window)) for one in (board, after))
    before, left = was.model(p.plain), now.model(p.plain)
    ahead, still = before.ahead, left.ahead
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


def loses(before: Position, after: Position) -> bool:
    """Whether some side does not reach a start or a chest that is still there."""
    model = after.model(before.plain)
    zones = after.zones(before.plain)
    chests = {Surface(chest.tile, chest.level) for chest in before.board.treasures}
    wanted = {model.index[at] for at in chests if at in model.index}
    wanted.update(*zones.values())
    return any(not wanted <= after.flood(before.plain, zone) for zone in zones.values())
