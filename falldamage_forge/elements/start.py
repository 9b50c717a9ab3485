"""Start: the surfaces on which a side deploys."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from falldamage_forge.board import Board, StartZone, Tile
from falldamage_forge.elements.element import Element, Placed, Thing, Tool
from falldamage_forge.infra.lazy_dataclass import FrozenDict


def things(board: Board) -> Iterator[Thing]:
    """Yield each surface of each start zone."""
    return (thing(zone.side, *surface) for zone in board.starts for surface in zone.surfaces)


def thing(side: str, tile: Tile, level: int) -> Thing:
    """Return a surface of a start zone.

    Args:
        side: Name of the side.
        tile: Its tile.
        level: Its level.
    """
    return Thing("start", (tile,), (level,), side)


def build(placed: Iterable[Placed]) -> Iterator[StartZone]:
    """Yield a board's start zones: one a side, with the source of its first surface."""
    zones: dict[str, dict[tuple[Tile, int], Placed]] = {}
    for x in placed:
        zones.setdefault(x.name, {}).setdefault((x.tiles[0], x.levels[0]), x)
    for side, zone in zones.items():
        yield StartZone(side, tuple(sorted(zone)), next(iter(zone.values())).span)


ELEMENT = Element(
    word="start",
    means="a side's start zone, 8 tiles in Fall Damage",
    field="starts",
    named="side",
    node=("Start", FrozenDict({"side": "name", "area": "area"})),
    rank=7,
    depth=None,
    synonyms=("spawn", "zone", "deploy", "deployment"),
    things=things,
    build=build,
    families=("start-marker",),
    tools=(
        Tool(
            "start-red",
            "starts",
            "1",
            10,
            "",
            {"en": "start red", "de": "Start Rot"},
            side="red",
            fill="M12 2.5l9.5 9.5-9.5 9.5L2.5 12z",
            line="M9.5 16v-5.5L12 8l2.5 2.5V16z",
        ),
        Tool(
            "start-blue",
            "starts",
            "2",
            11,
            "",
            {"en": "start blue", "de": "Start Blau"},
            side="blue",
            fill="M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18z",
            line="M15.2 14.6a4.3 4.3 0 1 1-3-7 3.6 3.6 0 0 0 3 7z",
        ),
    ),
)
