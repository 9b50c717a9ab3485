"""Kits: one set of parts for several maps, and the parts that a stock lacks for a map."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import field

from falldamage_forge.board import Board, Tile
from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.pieces.block_candidates import heights_of
from falldamage_forge.pieces.catalogue import Catalogue
from falldamage_forge.pieces.exact_cover import (
    THOROUGH,
    BlockCover,
    Costs,
    SolverEffort,
    solve_cover,
)
from falldamage_forge.pieces.piece import Piece, Placement
from falldamage_forge.pieces.plan import PiecePlan, nominal_costs, plan_with


@dataclass(frozen=True, slots=True)
class KitTable:
    """A kit as data: a title, its maps, and extra parts of the kit as a whole.

    The maps are built one at a time, or all at once (`together`), as on the tables of a tournament;
    then a map may be listed several times. With `teams`, the cards of each side, the kit holds all
    pieces of the game.
    """

    title: str
    maps: tuple[str, ...]
    together: bool = False
    extras: Mapping[str, int] = field(default_factory=dict)
    teams: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not self.maps:
            raise ValueError("`maps` is empty")
        if not all(count > 0 for count in self.extras.values()):
            raise ValueError("`extras` should be counts above 0")
        if self.teams and set(self.teams) != {"red", "blue"}:
            raise ValueError("`teams` should be of `red` and `blue`")


@dataclass(frozen=True, slots=True)
class MapKit:
    """A plan for each map, the parts that suffice for them, and the quality of the cover."""

    plans: tuple[PiecePlan, ...]
    parts: Mapping[str, int]
    pieces: Mapping[str, Piece]
    cover: BlockCover


def kit_for(
    boards: Sequence[Board],
    catalogue: Catalogue,
    owned: Mapping[str, int] | None = None,
    costs: Costs | None = None,
    *,
    together: bool = False,
    extras: Mapping[str, int] | None = None,
    effort: SolverEffort = THOROUGH,
) -> MapKit:
    """Return the set of parts that costs least to print and builds each board.

    Args:
        boards: Boards of the maps.
        catalogue: Pieces of the boards' grid.
        owned: Parts at hand by key; they cost nothing.
        costs: Cost of a printed part by key; nominal grams if None.
        together: True to build all boards at once, False to build one at a time.
        extras: Further parts by plain name.
        effort: Limits of the search.
    """
    blocks = catalogue.blocks()
    costs = costs or nominal_costs(blocks)
    heights = [heights_of(board) for board in boards]
    if together:
        # All tables side by side are one board; islands that are alike are divided only once.
        width = max((board.cols for board in boards), default=0) + 1
        shifts = [width * number for number in range(len(boards))]
        side_by_side = {
            Tile(tile.row, tile.col + shift): level
            for shift, each in zip(shifts, heights, strict=True)
            for tile, level in each.items()
        }
        cover = solve_cover([side_by_side], blocks, costs, owned, effort=effort)
        laid = _apart(cover.boards[0], width, len(boards))
    else:
        cover = solve_cover(heights, blocks, costs, owned, effort=effort)
        laid = [list(blocks) for blocks in cover.boards]
    plans = tuple(plan_with(board, catalogue, own) for board, own in zip(boards, laid, strict=True))
    parts: Counter[str] = Counter()
    for plan in plans:
        counts = Counter(plan.counts())
        parts = parts + counts if together else parts | counts
    parts += Counter(catalogue.keyed(extras or {}))
    pieces = {key: catalogue[key] for key in sorted(parts)}
    return MapKit(plans, {key: parts[key] for key in pieces}, pieces, cover)


def _apart(laid: Sequence[Placement], width: int, boards: int) -> list[list[Placement]]:
    """Return the blocks of boards that lie side by side, moved back to each board."""
    by_board: list[list[Placement]] = [[] for _ in range(boards)]
    for block in laid:
        number, col = divmod(block.tile.col, width)
        tile = Tile(block.tile.row, col)
        by_board[number].append(Placement(block.piece, tile, block.level, block.quarter_turns))
    return by_board


def missing_from_stock(
    board: Board, catalogue: Catalogue, owned: Mapping[str, int]
) -> dict[str, int]:
    """Return the fewest parts that a stock lacks to build a board, by key.

    Args:
        board: Board to build.
        catalogue: Pieces of the board's grid.
        owned: Parts at hand by key.

    Returns:
        Counts above 0; empty if the board can be built.
    """
    kit = kit_for([board], catalogue, owned, {block.key: 1.0 for block in catalogue.blocks()})
    return dict(sorted((Counter(kit.parts) - Counter(owned)).items()))
