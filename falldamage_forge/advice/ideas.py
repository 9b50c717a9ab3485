"""Gestures that may make a map fairer, the likeliest first; each has to be tried."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest

from falldamage_forge.board import DIRECTIONS, Board, Ground, Tile
from falldamage_forge.board.symmetry import image
from falldamage_forge.measures.lead import turns_by_place
from falldamage_forge.rules.lead import Lead
from falldamage_forge.rules.position import Position

AROUND = 2
"""Tiles so far from where a lead shows are raised and lowered."""
FAR = 99
MOST_CHESTS = 10
MOST_LADDERS = 24
MIRRORS = {"rotate-180": "rotate 180", "mirror-x": "mirror x", "mirror-y": "mirror y"}


def ideas(
    p: Position, found: Iterable[Lead], max_rise: int, *, whole: bool = True
) -> tuple[str, ...]:
    """Gestures in words for the leads that are not fair, each once, kinds taking turns.

    With `whole` also what changes the whole board, or a whole start.
    """
    kinds: list[Iterator[str]] = []
    for lead in found:
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
    """How many turns later than the side ahead the slowest other is on the top of each tile."""
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
    """Whether nothing but a column is on a tile."""
    column = board.column(tile)
    starts = any(tile == at for zone in board.starts for at, _ in zone.surfaces)
    chest = any(tile == chest.tile for chest in board.treasures)
    return column.ground is Ground.GROUND and column.feature is None and not starts and not chest


def _apart(a: Tile, b: Tile) -> int:
    return max(abs(a.row - b.row), abs(a.col - b.col))


def _chests(p: Position, chest: Tile, late: dict[Tile, int]) -> Iterator[str]:
    """A chest carried to where the sides get at the same time, near first, high first."""
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
    """Tiles by how near they are to one of several."""
    away = {t: min((_apart(t, goal) for goal in targets), default=FAR) for t in board.tiles()}
    return sorted((t for t in away if away[t] <= far), key=lambda t: (away[t], t))


def _ladders(
    p: Position, targets: Sequence[Tile], late: dict[Tile, int], max_rise: int
) -> Iterator[str]:
    """Ladders by which who is late gets up sooner, near to where it shows."""
    board, found = p.board, 0
    standing = {(ladder.foot, ladder.top) for ladder in board.ladders}
    for top in _near(board, targets, AROUND):
        for foot in map(top.step, DIRECTIONS):
            if foot not in board or (foot, top) in standing:
                continue
            rise = board.column(top).level - board.column(foot).level
            if 2 <= rise <= max_rise and late.get(foot, 0) <= late.get(top, FAR):
                yield f"ladder {foot} {top}"
                found += 1
                if found == MOST_LADDERS:
                    return


def _levels(board: Board, targets: Sequence[Tile]) -> Iterator[str]:
    """Columns one level higher or lower around where it shows."""
    starts = {tile for zone in board.starts for tile, _ in zone.surfaces}
    for tile in _near(board, targets, AROUND):
        if tile in starts:
            continue
        if board.column(tile).level:
            yield f"lower {tile}"
        yield f"raise {tile}"


def _whole(board: Board, ahead: str, sides: Sequence[str]) -> Iterator[str]:
    """The whole board made symmetric, or the other start put where it mirrors the first."""
    if len(sides) != 2:
        return
    other = next(side for side in sides if side != ahead)
    zones = {zone.side: {tile for tile, _ in zone.surfaces} for zone in board.starts}
    for name, words in MIRRORS.items():
        mirrored = {
            zone.side: {tile for tile, _ in zone.surfaces} for zone in image(board, name).starts
        }[ahead]
        if mirrored == zones[other]:
            yield f"symmetry {words} swap {ahead} {other}"
        elif not mirrored & zones[ahead]:
            yield f"start {other} {', '.join(map(str, sorted(mirrored)))}"
