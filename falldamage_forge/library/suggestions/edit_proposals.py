"""Edit proposals: gestures that may make a map fairer, the most promising first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest

from falldamage_forge.board import DIRECTIONS, Board, Ground, Tile
from falldamage_forge.board.symmetry import transform_board
from falldamage_forge.metrics.side_leads import turns_by_place
from falldamage_forge.rules.lead_margin import Lead
from falldamage_forge.rules.position import Position

AROUND = 2
"""Distance in tiles from a lead's tiles within which columns are raised and lowered."""
FAR = 99
"""Turns or tiles counted for tiles that are not reached."""
MOST_CHESTS = 10
MOST_LADDERS = 24
MIRRORS = {"rotate-180": "rotate 180", "mirror-x": "mirror x", "mirror-y": "mirror y"}


def propose_edits(
    p: Position, leads: Iterable[Lead], max_rise: int, *, whole: bool = True
) -> tuple[str, ...]:
    """Return gestures for the leads that are not fair, each once, alternating between kinds.

    Args:
        p: The board under its rules.
        leads: Leads of its sides.
        max_rise: Most levels of a ladder.
        whole: True to include gestures that change the whole board or a whole start zone.
    """
    kinds: list[Iterator[str]] = []
    for lead in leads:
        if not lead.unfair:
            continue
        late = _late(p, lead.side)
        targets = lead.tiles or tuple(sorted(late, key=lambda tile: (-late[tile], tile))[:3])
        if lead.what == "treasure":
            kinds += (_chests(p, chest, late) for chest in lead.tiles)
        kinds.append(_ladders(p, targets, late, max_rise))
        kinds.append(_levels(p.board, targets))
        if whole and lead.side is not None:
            kinds.append(_whole(p.board, lead.side, p.sides))
    taking_turns = (words for row in zip_longest(*kinds) for words in row if words)
    return tuple(dict.fromkeys(taking_turns))


def _late(p: Position, ahead: str | None) -> dict[Tile, int]:
    """Return by tile the turns by which the slowest other side is later than the side ahead."""
    if ahead is None:
        return {}
    rows = {side: turns_by_place(p, side) for side in p.sides}
    late = {}
    for number, place in enumerate(p.model(p.plain).places):
        at = place.anchor
        first = rows[ahead][number]
        others = [row[number] for side, row in rows.items() if side != ahead]
        if at.level != p.board.column(at.tile).level or first is None:
            continue
        late[at.tile] = max(FAR if turn is None else turn for turn in others) - first
    return late


def _plain(board: Board, tile: Tile) -> bool:
    """True if a tile has plain ground, no feature, no start and no chest."""
    column = board.column(tile)
    starts = any(tile == at for zone in board.starts for at, _ in zone.surfaces)
    chest = any(tile == chest.tile for chest in board.treasures)
    return column.ground is Ground.GROUND and column.feature is None and not starts and not chest


def _apart(a: Tile, b: Tile) -> int:
    return max(abs(a.row - b.row), abs(a.col - b.col))


def _chests(p: Position, chest: Tile, late: dict[Tile, int]) -> Iterator[str]:
    """Yield moves of a chest to tiles that the sides reach at more equal times."""
    board = p.board
    level = board.column(chest).level
    if chest not in late:
        return
    fair = [t for t in late if abs(late[t]) < abs(late[chest]) and _plain(board, t)]
    fair.sort(
        key=lambda t: (_apart(t, chest) + abs(board.column(t).level - level), abs(late[t]), t)
    )
    for tile in fair[:MOST_CHESTS]:
        yield f"move treasure {chest} to {tile}"


def _near(board: Board, targets: Sequence[Tile], far: int) -> list[Tile]:
    """Return tiles at most `far` from one of several, the nearest first."""
    away = {t: min((_apart(t, goal) for goal in targets), default=FAR) for t in board.tiles()}
    return sorted((t for t in away if away[t] <= far), key=lambda t: (away[t], t))


def _ladders(
    p: Position, targets: Sequence[Tile], late: dict[Tile, int], max_rise: int
) -> Iterator[str]:
    """Yield ladders, near the targets, that shorten the way of the later side."""
    board, count = p.board, 0
    standing = {(ladder.foot, ladder.top) for ladder in board.ladders}
    for top in _near(board, targets, AROUND):
        for foot in map(top.step, DIRECTIONS):
            if foot not in board or (foot, top) in standing:
                continue
            rise = board.column(top).level - board.column(foot).level
            if 2 <= rise <= max_rise and late.get(foot, 0) <= late.get(top, FAR):
                yield f"ladder {foot} {top}"
                count += 1
                if count == MOST_LADDERS:
                    return


def _levels(board: Board, targets: Sequence[Tile]) -> Iterator[str]:
    """Yield columns one level higher or lower around the targets."""
    starts = {tile for zone in board.starts for tile, _ in zone.surfaces}
    for tile in _near(board, targets, AROUND):
        if tile in starts:
            continue
        if board.column(tile).level:
            yield f"lower {tile}"
        yield f"raise {tile}"


def _whole(board: Board, ahead: str, sides: Sequence[str]) -> Iterator[str]:
    """Yield a symmetry of the whole board, or the other start zone as an image of the first."""
    if len(sides) != 2:
        return
    other = next(side for side in sides if side != ahead)
    zones = {zone.side: {tile for tile, _ in zone.surfaces} for zone in board.starts}
    for name, words in MIRRORS.items():
        mirrored = {
            zone.side: {tile for tile, _ in zone.surfaces}
            for zone in transform_board(board, name).starts
        }[ahead]
        if mirrored == zones[other]:
            yield f"symmetry {words} swap {ahead} {other}"
        elif not mirrored & zones[ahead]:
            yield f"start {other} {', '.join(map(str, sorted(mirrored)))}"
