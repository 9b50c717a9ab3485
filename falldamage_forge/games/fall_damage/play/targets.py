"""Whom and what a unit can aim at from where it stands: reach, height, sight, fog."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from typing import NamedTuple

from falldamage_forge.board import Feature
from falldamage_forge.board.surfaces import Terrain
from falldamage_forge.games.fall_damage.play.ground import Ground
from falldamage_forge.games.fall_damage.play.line import Closers, line_of, tiles_inside
from falldamage_forge.games.fall_damage.play.spots import apart, tile_name, tile_number
from falldamage_forge.games.fall_damage.play.state import State, Unit
from falldamage_forge.games.fall_damage.play.stats import (
    ground_of,
    has,
    melee_near,
    push_of,
    reach_of,
)


class Piece(NamedTuple):
    """Terrain that can be attacked: what, its tile or number, and the surface aimed at."""

    kind: str
    number: int
    spot: int

    @property
    def word(self) -> str:
        """`tree E5`, `deck 0`: how a move names it."""
        named = self.kind in ("tree", "spire")
        return f"{self.kind} {tile_name(self.number) if named else self.number}"


def seen(state: State, one: int, spots: Iterable[int]) -> Iterator[int]:
    """Those of some surfaces to which a line from one is open: terrain, everybody else, fog."""
    lines, occupied = ground_of(state).lines(one), state.occupied.keys()
    for spot in spots:
        between = lines[spot]
        if between is None or (between and not occupied.isdisjoint(between)):
            continue
        if not (state.zones and _fogged(state, one, spot)):
            yield spot


def in_sight(state: State, one: int, other: int) -> bool:
    """Whether a line between two surfaces is open."""
    return other in seen(state, one, (other,))


def _fogged(state: State, one: int, other: int) -> bool:
    fog = state.zone_tiles("fog")
    return bool(fog) and not fog.isdisjoint(tiles_inside(one >> 4, other >> 4))


def needs_sight(state: State, unit: Unit, action: str) -> bool:
    """Whether an action needs a line of sight: `los_free` names those that do not."""
    if unit.no_sight_needed:
        return False
    free = state.arena.readings.los_free
    if action == "attack" and "archer" in free and has(state, unit, "arrows-arc"):
        return False
    return action.replace("-", "_") not in free


def strikes(state: State, unit: Unit, spot: int) -> bool:
    """Whether its plain Attack reaches and sees a surface."""
    reach = reach_of(state, unit)
    if reach <= 1:
        return melee_near(state, unit.spot, spot, unit.diagonal)
    if not state.arena.reach(unit.spot, reach)[spot]:
        return False
    return not needs_sight(state, unit, "attack") or in_sight(state, unit.spot, spot)


def struck(state: State, unit: Unit, spots: Iterable[int]) -> Iterable[int]:
    """Those of some surfaces that its plain Attack reaches and sees: `strikes`, faster."""
    reach = reach_of(state, unit)
    if reach <= 1 and unit.diagonal:
        return (spot for spot in spots if melee_near(state, unit.spot, spot, True))
    row = state.arena.reach(unit.spot, max(reach, 1))
    near = [spot for spot in spots if row[spot]]
    if reach <= 1 or not needs_sight(state, unit, "attack"):
        return near
    return seen(state, unit.spot, near)


def aims(
    state: State, unit: Unit, reach: int, action: str, tiles: Container[int] | None = None
) -> Iterable[int]:
    """Surfaces an area or ability may be aimed at; on some tiles only, where they are given."""
    found: Iterable[int] = ground_of(state).aims(unit.spot, reach)
    if tiles is not None:
        found = [spot for spot in found if spot >> 4 in tiles]
    if reach <= 1 or not needs_sight(state, unit, action):
        return found
    return seen(state, unit.spot, found)


def reaches(state: State, unit: Unit, spot: int, reach: int, name: str) -> bool:
    """Whether an ability reaches and sees a surface; at Reach 1 like melee."""
    if reach <= 1:
        return melee_near(state, unit.spot, spot)
    if not state.arena.reach(unit.spot, reach)[spot]:
        return False
    return not needs_sight(state, unit, name) or in_sight(state, unit.spot, spot)


# -- terrain as a target ---------------------------------------------------------------------------


def pieces(state: State, unit: Unit) -> Iterator[Piece]:
    """Trees, spires, bridges and ladders that its plain Attack may hit, each at its nearest."""
    reach = reach_of(state, unit)
    standing = ground_of(state).standing
    near = [aims for aims in _pieces_near(state, unit, reach) if aims[0][:2] in standing]
    if not near:
        return
    letter, tiles = push_of(state, unit)
    pushes = letter in ("B", "L", "R") and tiles > 0
    blind = reach <= 1 or not needs_sight(state, unit, "attack")
    for aims in near:
        if aims[0].kind != "spire" or pushes:
            for piece in aims:
                if blind or _piece_in_sight(state, unit.spot, piece):
                    yield piece
                    break


def _pieces_near(state: State, unit: Unit, reach: int) -> tuple[tuple[Piece, ...], ...]:
    """The map's pieces within reach and height of a unit, each with its aims, the nearest first.

    Some may be gone; none come to be in a game.
    """
    ground, spot, diagonal = state.arena.base, unit.spot, unit.diagonal
    key, memo = ("near", spot, reach, diagonal), state.arena.base.memo
    found = memo.get(key)
    if found is None:
        row = state.arena.reach(spot, reach)
        near = (
            piece
            for piece in all_pieces(ground, spot & 15)
            if (melee_near(state, spot, piece.spot, diagonal) if reach <= 1 else row[piece.spot])
        )
        found = memo[key] = tuple(map(tuple, by_piece(near, spot)))
    return found  # type: ignore[return-value]


def by_piece(found: Iterable[Piece], spot: int) -> Iterable[list[Piece]]:
    """Aims piece by piece, each piece's from the nearest on: bridges have many."""
    groups: dict[tuple[str, int], list[Piece]] = {}
    for piece in sorted(found, key=lambda piece: (apart(spot, piece.spot), piece.spot)):
        groups.setdefault((piece.kind, piece.number), []).append(piece)
    return groups.values()


def all_pieces(ground: Ground, level: int) -> Iterator[Piece]:
    """Every piece, with the surface nearest in height to a level. Bridges come tile by tile."""
    land = ground.land
    for tile, column in ground.features:
        top = ground.feature_top(tile)
        kind = "tree" if column.feature is Feature.TREE else "spire"
        yield Piece(kind, tile, tile << 4 | _between(level, column.level, top - 1))
    for number, deck in enumerate(land.decks):
        for where in deck.tiles if deck else ():
            assert deck is not None
            yield Piece("deck", number, tile_number(where) << 4 | deck.level)
    for number, ladder in enumerate(land.ladders):
        if ladder:
            nearest = _between(level, ladder.foot_level, ladder.top_level - 1)
            yield Piece("ladder", number, tile_number(ladder.foot) << 4 | nearest)


def _between(level: int, low: int, high: int) -> int:
    return max(low, min(level, high))


def _piece_in_sight(state: State, spot: int, piece: Piece) -> bool:
    """Whether a line to a piece is open; it and who is on a ladder's foot let by."""
    line = _line_to(ground_of(state), spot, piece)
    if line is None:
        return False
    foot = piece.spot >> 4 if piece.kind == "ladder" else -1
    if any(closer in state.occupied and closer >> 4 != foot for closer in line):
        return False
    return not (state.zones and _fogged(state, spot, piece.spot))


def _line_to(ground: Ground, spot: int, piece: Piece) -> Closers | None:
    """The line to a piece, as if a tree, spire or bridge were away."""

    def draw() -> Closers | None:
        return line_of(_terrain_without(ground, piece), spot, piece.spot, ground.options)

    return ground.kept_line((spot, piece.spot, piece.kind, piece.number), draw)


def _terrain_without(ground: Ground, piece: Piece) -> Terrain:
    if piece.kind == "ladder":
        return ground.terrain
    key = ("without", piece.kind, piece.number)
    found = ground.memo.get(key)
    if found is None:
        what = {"deck" if piece.kind == "deck" else "tile": piece.number}
        found = ground.memo[key] = ground.without(**what)
    return found  # type: ignore[return-value]
