"""Whom and what a unit can aim at from where it stands: reach, height, sight, fog."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from falldamage_forge.board import Feature
from falldamage_forge.games.fall_damage.play.ground import Ground
from falldamage_forge.games.fall_damage.play.line import Line, line_of, tiles_inside
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


def in_sight(state: State, one: int, other: int) -> bool:
    """Whether a line between two surfaces is open: terrain, everybody else, fog."""
    line = ground_of(state).line(one, other)
    if line is None:
        return False
    occupied = state.occupied
    for spot in line.closers:
        if spot in occupied:
            return False
    return not _fogged(state, one, other)


def _fogged(state: State, one: int, other: int) -> bool:
    if not state.zones:
        return False
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
    if not state.arena.in_reach(unit.spot, spot, reach):
        return False
    return not needs_sight(state, unit, "attack") or in_sight(state, unit.spot, spot)


def aims(state: State, unit: Unit, reach: int, action: str) -> Iterator[int]:
    """Surfaces an area or ability may be aimed at."""
    blind = not needs_sight(state, unit, action)
    for spot in ground_of(state).aims(unit.spot, reach):
        if blind or reach <= 1 or in_sight(state, unit.spot, spot):
            yield spot


def reaches(state: State, unit: Unit, spot: int, reach: int, name: str) -> bool:
    """Whether an ability reaches and sees a surface; at Reach 1 like melee."""
    if reach <= 1:
        return melee_near(state, unit.spot, spot)
    if not state.arena.in_reach(unit.spot, spot, reach):
        return False
    return not needs_sight(state, unit, name) or in_sight(state, unit.spot, spot)


# -- terrain as a target ---------------------------------------------------------------------------


def pieces(state: State, unit: Unit) -> Iterator[Piece]:
    """Trees, spires, bridges and ladders that its plain Attack may hit."""
    ground, reach = ground_of(state), reach_of(state, unit)
    near = _pieces_near(state, ground, unit, reach)
    if not near:
        return
    letter, tiles = push_of(state, unit)
    blind = reach <= 1 or not needs_sight(state, unit, "attack")
    for piece in near:
        if piece.kind == "spire" and (letter not in ("B", "L", "R") or tiles < 1):
            continue
        if blind or _piece_in_sight(state, ground, unit.spot, piece):
            yield piece


def _pieces_near(state: State, ground: Ground, unit: Unit, reach: int) -> tuple[Piece, ...]:
    """Pieces within reach and height of a unit; remembered, as they change with the land alone."""
    spot, diagonal = unit.spot, unit.diagonal
    key = ("pieces near", spot, reach, diagonal)
    found = ground.memo.get(key)
    if found is None:
        found = ground.memo[key] = tuple(
            piece
            for piece in _all_pieces(ground, spot & 15)
            if (
                melee_near(state, spot, piece.spot, diagonal)
                if reach <= 1
                else state.arena.in_reach(spot, piece.spot, reach)
            )
        )
    return found  # type: ignore[return-value]


def _all_pieces(ground: Ground, level: int) -> Iterator[Piece]:
    """Every piece, with the surface nearest in height to a level. Bridges come tile by tile."""
    land = ground.land
    for tile, column in ground.features():
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


def _piece_in_sight(state: State, ground: Ground, spot: int, piece: Piece) -> bool:
    """Whether a line to a piece is open; it and who is on a ladder's foot let by."""
    line = _line_to(state, ground, spot, piece)
    if line is None:
        return False
    foot = piece.spot >> 4 if piece.kind == "ladder" else -1
    if any(closer in state.occupied and closer >> 4 != foot for closer in line.closers):
        return False
    return not _fogged(state, spot, piece.spot)


def _line_to(state: State, ground: Ground, spot: int, piece: Piece) -> Line | None:
    key = ("line", spot, piece)
    if key not in ground.memo:
        terrain = ground.terrain
        if piece.kind in ("tree", "spire"):
            terrain = ground.without(tile=piece.number)
        elif piece.kind == "deck":
            terrain = ground.without(deck=piece.number)
        ground.memo[key] = line_of(terrain, spot, piece.spot, state.arena.rules)
    return ground.memo[key]  # type: ignore[return-value]


def first_of_each(found: Iterator[Piece], spot: int) -> list[Piece]:
    """One aim for each piece: of a bridge the nearest tile."""
    best: dict[tuple[str, int], Piece] = {}
    for piece in found:
        key = (piece.kind, piece.number)
        old = best.get(key)
        if old is None or (apart(spot, piece.spot), piece.spot) < (apart(spot, old.spot), old.spot):
            best[key] = piece
    return list(best.values())
