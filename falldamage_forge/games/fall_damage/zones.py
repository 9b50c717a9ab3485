"""Start zones as the rulebook has them: "Agree on which sides or corners" (Setup)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from falldamage_forge.board import Board, StartZone, Tile
from falldamage_forge.board.surfaces import SurfaceGraph
from falldamage_forge.games.fall_damage.options import Options
from falldamage_forge.issues import Issue

Distance = Callable[[Board, Tile], int]
"""From a side or a corner of a board, in tiles."""

SIDES: Mapping[str, Distance] = {
    "north": lambda board, tile: tile.row,
    "east": lambda board, tile: board.cols - 1 - tile.col,
    "south": lambda board, tile: board.rows - 1 - tile.row,
    "west": lambda board, tile: tile.col,
}
CORNERS: Mapping[str, Distance] = {
    f"{one}-{other}": lambda board, tile, one=one, other=other: (  # type: ignore[misc]
        SIDES[one](board, tile) + SIDES[other](board, tile)
    )
    for one in ("north", "south")
    for other in ("east", "west")
}
OPPOSITE = {"north": "south", "south": "north", "east": "west", "west": "east"}
CHOICES: Mapping[str, tuple[Mapping[str, Distance], str]] = {
    "side": (SIDES, "along one side"),
    "corner": (CORNERS, "in one corner"),
}


def opposite(where: str) -> str:
    """The other end: `north` of `south`, `north-east` of `south-west`."""
    return "-".join(OPPOSITE[word] for word in where.split("-"))


def lies(graph: SurfaceGraph, tiles: frozenset[Tile], distance: Distance) -> bool:
    """Whether a zone is the standable tiles nearest to something; equal distances are free."""
    board = graph.board
    known = {at.tile: distance(board, at.tile) for at in graph.surfaces}
    if not tiles <= known.keys():
        return False
    order = sorted(known.values())
    limit = order[len(tiles) - 1] if tiles else 0
    nearer = {tile for tile, far in known.items() if far < limit}
    return nearer <= tiles and all(known[tile] <= limit for tile in tiles)


def faults(graph: SurfaceGraph, options: Options) -> Iterator[Issue]:
    """FDF155 for zones that are not where the option `start` wants them; `list` takes any."""
    if options.start not in CHOICES:
        return
    places, words = CHOICES[options.start]
    zones = graph.board.starts
    found = {zone.side: _where(graph, zone, places) for zone in zones}
    for zone in zones:
        if not found[zone.side]:
            yield _fault(zone, f"{zone.side} does not start {words}")
            return
    if len(zones) == 2:
        first, second = zones
        facing = {opposite(where) for where in found[first.side]}
        if not facing & found[second.side]:
            yield _fault(second, f"{first.side} and {second.side} do not start opposite each other")


def _where(graph: SurfaceGraph, zone: StartZone, places: Mapping[str, Distance]) -> set[str]:
    tiles = frozenset(tile for tile, _ in zone.surfaces)
    return {name for name, distance in places.items() if lies(graph, tiles, distance)}


def _fault(zone: StartZone, message: str) -> Issue:
    hint = (
        "the rulebook's zones are sides or corners: take the tiles nearest to one, or say "
        "`rules fall-damage { start corner }`, or for a house rule "
        "`rules fall-damage { start list }`"
    )
    tiles = tuple(tile for tile, _ in zone.surfaces)
    return Issue("FDF155", "warning", message, zone.source, tiles, hint)
