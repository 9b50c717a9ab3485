"""Kits: one set of parts for several maps, and which maps a stock can build."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from falldamage_forge.board import Board, Tile
from falldamage_forge.pieces.catalogue import Catalogue
from falldamage_forge.pieces.cover import THOROUGH, Costs, Cover, Effort, cover
from falldamage_forge.pieces.model import Piece, Placement
from falldamage_forge.pieces.plan import Plan, nominal_costs, plan_with
from falldamage_forge.pieces.spots import heights_of


@dataclass(frozen=True, slots=True)
class SetTable:
    """A kit as data: what it is for, its maps, and parts that are no map's.

    The maps are built one at a time, or all at once (`together`), as on the tables of a tournament;
    a map may then be named several times.
    """

    title: str
    maps: tuple[str, ...]
    together: bool = False
    extras: Mapping[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not self.maps:
            raise ValueError("`maps` names no map")
        if not all(count > 0 for count in self.extras.values()):
            raise ValueError("`extras` are counts above 0")


@dataclass(frozen=True, slots=True)
class Kit:
    """A plan for each map, the parts that suffice for them, and how good the division is."""

    plans: tuple[Plan, ...]
    parts: Mapping[str, int]
    pieces: Mapping[str, Piece]
    cover: Cover


def kit_for(
    boards: Sequence[Board],
    catalogue: Catalogue,
    owned: Mapping[str, int] | None = None,
    costs: Costs | None = None,
    *,
    together: bool = False,
    extras: Mapping[str, int] | None = None,
    effort: Effort = THOROUGH,
) -> Kit:
    """The set that costs least to print and builds each board, one at a time or all together."""
    blocks = catalogue.blocks()
    costs = costs or nominal_costs(blocks)
    heights = [heights_of(board) for board in boards]
    if together:
        # All tables side by side are one board; islands that are alike are divided only once.
        width = max((board.cols for board in boards), default=0) + 1
        apart = [width * number for number in range(len(boards))]
        one = {
            Tile(tile.row, tile.col + shift): level
            for shift, each in zip(apart, heights, strict=True)
            for tile, level in each.items()
        }
        found = cover([one], blocks, costs, owned, effort=effort)
        laid = _apart(found.boards[0], width, len(boards))
    else:
        found = cover(heights, blocks, costs, owned, effort=effort)
        laid = [list(blocks) for blocks in found.boards]
    plans = tuple(plan_with(board, catalogue, own) for board, own in zip(boards, laid, strict=True))
    parts: Counter[str] = Counter()
    for plan in plans:
        counts = Counter(plan.counts())
        parts = parts + counts if together else parts | counts
    parts += Counter(catalogue.keyed(extras or {}))
    pieces = {key: catalogue[key] for key in sorted(parts)}
    return Kit(plans, {key: parts[key] for key in pieces}, pieces, found)


def _apart(laid: Sequence[Placement], width: int, boards: int) -> list[list[Placement]]:
    """Blocks of boards that lie side by side, back on each board."""
    found: list[list[Placement]] = [[] for _ in range(boards)]
    for block in laid:
        number, col = divmod(block.tile.col, width)
        tile = Tile(block.tile.row, col)
        found[number].append(Placement(block.piece, tile, block.level, block.quarter_turns))
    return found


def lacking(board: Board, catalogue: Catalogue, owned: Mapping[str, int]) -> dict[str, int]:
    """The fewest parts that a stock lacks to build a board, by key; empty when it can be built."""
    kit = kit_for([board], catalogue, owned, {block.key: 1.0 for block in catalogue.blocks()})
    return dict(sorted((Counter(kit.parts) - Counter(owned)).items()))
