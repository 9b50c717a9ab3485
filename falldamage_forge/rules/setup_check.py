"""Setup check: start zones and chests against the numbers of the ruleset."""

from __future__ import annotations

from collections.abc import Iterator

from falldamage_forge.board import Board, Ground, StartZone, Tile
from falldamage_forge.issues import Issue, Note
from falldamage_forge.rules.position import Position


def check_setup(position: Position, players: int) -> tuple[Issue, ...]:
    """Return errors of start zones (FDF150 to FDF153) and chests (FDF154).

    Args:
        position: The board under its rules.
        players: Number of players of the map.
    """
    return (*_zones(position, players), *_treasures(position))


def _zones(position: Position, players: int) -> Iterator[Issue]:
    """Yield issues for zones of the wrong number or size, shared, or without surfaces."""
    board, wanted = position.board, position.game.start_tiles
    if len(board.starts) != players:
        yield _wrong_number(board, players, wanted)
    owner: dict[tuple[Tile, int], StartZone] = {}
    shared: dict[tuple[str, str], list[Tile]] = {}
    for zone in board.starts:
        count = len(zone.surfaces)
        doubled = len(board.starts) == 1 and count == (wanted or 0) * players
        if wanted is not None and count != wanted and not doubled:
            message = f"{zone.side} starts on {count} tiles, not {wanted}"
            places = tuple(tile for tile, _ in zone.surfaces)
            hint = f"name {wanted} tiles for {zone.side}"
            yield Issue("FDF151", "error", message, zone.source, places, hint)
        yield from _bad_tiles(position, zone)
        for surface in zone.surfaces:
            other = owner.setdefault(surface, zone)
            if other is not zone:
                shared.setdefault((other.side, zone.side), []).append(surface[0])
    sources = {zone.side: zone.source for zone in board.starts}
    for (first, second), tiles in shared.items():
        are = "is a start tile" if len(tiles) == 1 else "are start tiles"
        message = f"{_some(tiles)} {are} of both {first} and {second}"
        hint = "give each tile to one side"
        yield Issue("FDF153", "error", message, sources[second], tuple(tiles), hint)


def _wrong_number(board: Board, players: int, wanted: int | None) -> Issue:
    """Return the issue for too many or too few zones, at the last one written."""
    zones = sorted(board.starts, key=lambda zone: zone.source.line if zone.source else 0)
    last = zones[-1] if zones else None
    hint = "write for example `start red at B1..I1` and `start blue at B10..I10`"
    if last and len(zones) == 1 and len(last.surfaces) == (wanted or 0) * players:
        hint = "if a symmetry makes the other start, name both sides: `… swap red blue`"
    elif last and len(zones) == 1:
        hint = f"write the other one too, for example `{_across(board, last)}`"
    elif last and len(zones) > players:
        hint = f"take one away, or write `players {len(zones)}`"
    message = f"{len(zones)} start zone{'' if len(zones) == 1 else 's'} for {players} players"
    tiles = tuple(tile for tile, _ in last.surfaces) if last else ()
    return Issue("FDF150", "error", message, last.source if last else None, tiles, hint)


def _across(board: Board, zone: StartZone) -> str:
    """Return a statement for a second start zone: the half turn of the first."""
    tiles = sorted(
        Tile(board.rows - 1 - tile.row, board.cols - 1 - tile.col) for tile, _ in zone.surfaces
    )
    a, b = tiles[0], tiles[-1]
    box = (b.row - a.row + 1) * (b.col - a.col + 1) == len(tiles) > 1
    where = f"{a}..{b}" if box else ", ".join(map(str, tiles))
    return f"start {'red' if zone.side == 'blue' else 'blue'} at {where}"


def _bad_tiles(position: Position, zone: StartZone) -> Iterator[Issue]:
    """Yield an issue for each reason why tiles of a zone have no surface."""
    causes: dict[str, list[Tile]] = {}
    for tile, level in zone.surfaces:
        why = why_not_standable(position.board, position.game.terrain.headroom, tile, level)
        if why:
            causes.setdefault(why, []).append(tile)
    for why, tiles in causes.items():
        message = f"{zone.side} cannot start on {_some(tiles)}: {why}"
        note = _built(position.board, tiles[0])
        yield Issue("FDF152", "error", message, zone.source, tuple(tiles), notes=note)


def _some(tiles: list[Tile]) -> str:
    """Return `B1`, `B1 and C1`, or `B1 and 7 more`."""
    if len(tiles) > 2:
        return f"{tiles[0]} and {len(tiles) - 1} more"
    return " and ".join(map(str, tiles))


def _treasures(position: Position) -> Iterator[Issue]:
    """Yield an issue for each chest without a surface: it acts "When a unit occupies the tile"."""
    for chest in position.board.treasures:
        headroom = position.game.terrain.headroom
        why = why_not_standable(position.board, headroom, chest.tile, chest.level)
        if why:
            yield Issue(
                "FDF154",
                "error",
                f"the treasure at {chest.tile} cannot be taken: {why}",
                chest.source,
                (chest.tile,),
                notes=_built(position.board, chest.tile),
            )


def _built(board: Board, tile: Tile) -> tuple[Note, ...]:
    source = board.column(tile).source
    return (Note(source, f"{tile} is built here"),) if source else ()


def why_not_standable(board: Board, headroom: int, tile: Tile, level: int) -> str | None:
    """Return why no unit can stand on a surface, or None.

    Args:
        board: The board.
        headroom: Free levels that a unit needs under a deck.
        tile: Tile of the surface.
        level: Level of the surface.
    """
    column = board.column(tile)
    if level not in board.tops(tile):
        return f"nothing is at level {level} there"
    if level == column.level and column.feature:
        return f"a {column.feature} stands there"
    if level == column.level and column.ground is Ground.LAVA:
        return "it is lava"
    if (tile, level) in board.pits:
        return "it is a pitfall"
    for deck_level in board.deck_levels.get(tile, ()):
        if level < deck_level < level + headroom:
            return f"a bridge at level {deck_level} leaves no headroom"
    return None
