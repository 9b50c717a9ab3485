"""Remedies of starts and chests, by the code of their issue."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from falldamage_forge.board import Board, Chest, Ground, Tile
from falldamage_forge.board.surfaces import Surface
from falldamage_forge.elements import start, treasure
from falldamage_forge.remedies.piece_remedies import deck_away
from falldamage_forge.remedies.remedy import (
    Kind,
    Patient,
    Remedy,
    names,
    painted,
    replaced_all,
)
from falldamage_forge.rules.setup_check import why_not_standable
from falldamage_forge.rules.side_connection import proof_of

MOST_PLACES = 4
"""Most other places that are tried for a start tile or a chest."""
MOST_MOVED = 8
"""Most start tiles that one remedy moves."""
AROUND = 3
"""Distance in tiles within which another place is looked for."""


def _rim(board: Board, tile: Tile) -> int:
    """Return the distance of a tile from the nearest edge of a board."""
    return min(tile.row, tile.col, board.rows - 1 - tile.row, board.cols - 1 - tile.col)


def places_near(board: Board, tile: Tile, taken: set[Tile]) -> list[Tile]:
    """Return free tiles near a tile: those as far from the board's edge first, then the nearest.

    Args:
        board: The board.
        tile: The tile whose neighbourhood is looked at.
        taken: Tiles that are no choice.
    """
    far = {
        at: abs(at.row - tile.row) + abs(at.col - tile.col)
        for at in board.tiles()
        if at not in taken
        and board.column(at).feature is None
        and board.column(at).ground is Ground.GROUND
    }
    edge = _rim(board, tile)
    return sorted(far, key=lambda at: (far[at] > AROUND, _rim(board, at) != edge, far[at], at))


def moved_starts(
    p: Patient, side: str, places: Sequence[Surface], fits: Callable[[Surface], bool]
) -> Iterator[Remedy]:
    """Yield the remedies that take other start tiles in place of some surfaces.

    Args:
        p: The board with its issue.
        side: Side whose start tiles they are.
        places: Surfaces of the start zone, at most `MOST_MOVED`.
        fits: True for a surface on which the side can start.
    """
    taken = {at for zone in p.board.starts for at, _ in zone.surfaces}
    near = [
        [at for tile in places_near(p.board, place.tile, taken) if fits(at := p.top(tile))]
        for place in places[:MOST_MOVED]
    ]
    for skipped in range(MOST_PLACES if len(places) <= MOST_MOVED else 0):
        chosen: list[Surface] = []
        for free in near:
            chosen += [at for at in free[skipped:] if at not in chosen][:1]
        if len(chosen) == len(places):
            old = [start.thing(side, *place) for place in places]
            new = [start.thing(side, *place) for place in chosen]
            others = names(at.tile for at in chosen)
            written = names(at.tile if p.top(at.tile) == at else at for at in places)
            yield Remedy(f"start on {others} instead of {written}", replaced_all(old, new))


def of_bad_start(p: Patient) -> Iterator[Kind]:
    """FDF152: start tiles on which no unit stands."""
    headroom = p.position.game.terrain.headroom

    def fits(at: Surface) -> bool:
        return why_not_standable(p.board, headroom, *at) is None

    for zone in p.board.starts:
        if zone.source == p.issue.span:
            bad = [
                at
                for at in map(Surface._make, zone.surfaces)
                if at.tile in p.issue.tiles and not fits(at)
            ]
            if bad:
                yield Kind(moved_starts(p, zone.side, bad, fits))


def of_tight_start(p: Patient) -> Iterator[Kind]:
    """FDF361: start tiles where a unit of the game has no room."""
    proofs = [proof_of(p.position, unit, unit) for unit in p.position.game.proof_units]

    def fits(at: Surface) -> bool:
        return all(at in proof.model.standing for proof in proofs)

    for zone in p.board.starts:
        if zone.source == p.issue.span:
            bad = [
                at
                for at in map(Surface._make, zone.surfaces)
                if at.tile in p.issue.tiles and not fits(at)
            ]
            yield Kind(moved_starts(p, zone.side, bad, fits))
            for at in bad:
                yield Kind(deck_away(one) for one in p.board.decks if at.tile in one.tiles)
            for at in bad:
                yield Kind(_lowered_beside(p, at))


def _lowered_beside(p: Patient, at: Surface) -> Iterator[Remedy]:
    """Yield the remedy that lowers what is higher than a surface beside it, corners included."""
    beside = [
        tile
        for tile in p.board.tiles()
        if max(abs(tile.row - at.tile.row), abs(tile.col - at.tile.col)) == 1
        and p.board.column(tile).level > at.level
    ]
    if beside:
        yield Remedy(f"make {names(beside)} level {at.level}", painted(beside, at.level))


def of_bad_chest(p: Patient) -> Iterator[Kind]:
    """FDF154: a chest that no unit takes."""
    for chest in chests(p):
        yield carried_chest(p, chest)


def chests(p: Patient) -> Iterator[Chest]:
    """Yield the chests that an issue is about."""
    for chest in p.board.treasures:
        if chest.source == p.issue.span and (chest.tile,) == p.issue.tiles:
            yield chest


def carried_chest(p: Patient, chest: Chest) -> Kind:
    """Return the remedies that put a chest on top of another column.

    Args:
        p: The board with the issue.
        chest: The chest.
    """
    taken = {chest.tile for chest in p.board.treasures}
    places = places_near(p.board, chest.tile, taken)[:MOST_PLACES]
    return Kind(_carried(p, chest, at) for at in places)


def _carried(p: Patient, chest: Chest, at: Tile) -> Remedy:
    old = treasure.thing(chest.tile, chest.level)
    new = treasure.thing(at, p.board.column(at).level)
    words = f"put the chest on {at} instead of {chest.tile}"
    return Remedy(words, replaced_all([old], [new]))
