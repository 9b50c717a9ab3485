"""Start: the surfaces on which a side deploys."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from falldamage_forge.board import Board, StartZone, Tile
from falldamage_forge.elements.element import Element, Placed, Thing
from falldamage_forge.infra.lazy_dataclass import FrozenDict


def things(board: Board) -> Iterator[Thing]:
    """Yield each surface of each start zone."""
    for zone in board.starts:
        yield from (Thing("start", (tile,), (level,), zone.side) for tile, level in zone.surfaces)


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
    synonyms=(
        "spawn",
        "zone",
        "deploy",
        "deployment",
    ),
    things=things,
    build=build,
)
