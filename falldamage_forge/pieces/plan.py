"""Piece plan: a placement for every piece, so that the placements together are exactly the board.

Placements are listed by kind; `building_order` gives the order in which they are placed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field, replace

from falldamage_forge.board import (
    BOARD_STEP,
    DIRECTIONS,
    Board,
    Ground,
    Ladder,
    Tile,
)
from falldamage_forge.elements import battlement, railing, step
from falldamage_forge.elements.railing import PRINTED_UM, printed_um, railings
from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.lengths import CAP_MM, GRID
from falldamage_forge.pieces.block_candidates import heights_of
from falldamage_forge.pieces.catalogue import Catalogue
from falldamage_forge.pieces.element_parts import parts_of
from falldamage_forge.pieces.exact_cover import (
    QUICK,
    THOROUGH,
    BlockCover,
    Costs,
    SolverEffort,
    solve_cover,
)
from falldamage_forge.pieces.model_keys import model_placements, seam_ties
from falldamage_forge.pieces.piece import Piece, Placement


@dataclass(frozen=True, slots=True)
class PiecePlan:
    """All placements of a board by kind, and the quality of its cover."""

    placements: tuple[Placement, ...]
    cover: BlockCover | None = field(default=None, compare=False)

    def counts(self) -> dict[str, int]:
        """Return the number of parts of each piece, by key, sorted."""
        return dict(sorted(Counter(p.piece.key for p in self.placements).items()))

    def pieces(self) -> dict[str, Piece]:
        """Return each unique piece by key, sorted."""
        pieces = {placement.piece.key: placement.piece for placement in self.placements}
        return dict(sorted(pieces.items()))


def nominal_costs(blocks: Iterable[Piece]) -> dict[str, float]:
    """Return the approximate grams of blocks by key, from tiles and sides alone, without meshes.

    The model is fitted to the default blocks with an error of at most 3 %: 0.90 g a tile for skins,
    0.78 g a tile side and level for walls, 0.14 g a tile and level for stiffening. On other grids
    skins scale with the tile's area, walls with its side and the level's rise.
    """
    costs = {}
    for block in blocks:
        tiles = set(block.footprint)
        around = ((row + y, col + x) for row, col in tiles for y, x in DIRECTIONS)
        sides = sum(place not in tiles for place in around)
        levels = block.levels
        wide = block.grid.pitch_mm / GRID.pitch_mm
        walls = levels * wide * block.grid.rise_mm / GRID.rise_mm
        skins = wide * wide * len(tiles)
        costs[block.key] = 0.90 * skins + walls * (0.78 * sides + 0.14 * len(tiles))
    return costs


def plan(
    board: Board,
    catalogue: Catalogue,
    owned: Mapping[str, int] | None = None,
    costs: Costs | None = None,
    *,
    bond: float = 0.0,
    effort: SolverEffort | None = None,
) -> PiecePlan:
    """Return the plan of a legal board that costs least to print.

    Only blocks can be chosen; everything else on a board has one piece.

    Args:
        board: Board to build.
        catalogue: Pieces of the board's grid.
        owned: Parts at hand by key; they cost nothing.
        costs: Cost of a printed block by key; nominal grams if None.
        bond: Extra cost of a seam through two levels, in the unit of `costs`.
        effort: Limits of the search; None for a quick one, or a thorough one if parts are owned.
    """
    blocks = catalogue.blocks()
    costs = costs or nominal_costs(blocks)
    effort = effort or (THOROUGH if owned else QUICK)
    cover = solve_cover((heights_of(board),), blocks, costs, owned, bond=bond, effort=effort)
    return plan_with(board, catalogue, cover.boards[0], cover)


def plan_with(
    board: Board, catalogue: Catalogue, blocks: Iterable[Placement], found: BlockCover | None = None
) -> PiecePlan:
    """Return the plan of a legal board from given blocks, which must fill its columns.

    Args:
        board: Legal board.
        catalogue: Catalogue of all pieces.
        blocks: Blocks at their places.
        found: Cover with the proof that belongs to the blocks; None: without.
    """
    caps = caps_of(board)
    parts = [
        *_base(board, catalogue),
        *sorted(blocks, key=lambda block: (block.level, block.tile)),
        *_grounds(board, catalogue),
        *(
            _raised(catalogue[name], x.tile, board.column(x.tile).level, caps)
            for x in board.steps
            for name in step.ELEMENT.families
        ),
        *_bridges(board, catalogue),
        *(part for ladder in board.ladders for part in _ladder(ladder, catalogue, caps)),
        *_battlements(board, catalogue, caps),
        *_railings(board, catalogue, caps),
        *(
            replace(_raised(piece, x.tile, x.level, caps), quarter_turns=turns)
            for x, piece, turns in parts_of(board, catalogue.grid)
        ),
        *_features(board, catalogue, caps),
        *model_placements(board, catalogue),
        *seam_ties(board, catalogue),
        *(_raised(catalogue.chest, chest.tile, chest.level, caps) for chest in board.treasures),
        *_markers(board, catalogue, caps),
    ]
    return PiecePlan(tuple(parts), found)


(MERLONS,), RAILS = battlement.ELEMENT.families, railing.ELEMENT.families
"""Pieces of a railing, in the order of `PRINTED_UM`."""
Caps = Mapping[tuple[Tile, int], int]
"""Number of caps on a tile at a level; absent if 0."""


def caps_of(board: Board) -> Caps:
    """Return the caps on surfaces: water and lava on columns, and start markers above them."""
    counts: Counter[tuple[Tile, int]] = Counter()
    for tile in board.tiles():
        column = board.column(tile)
        if column.ground is not Ground.GROUND:
            counts[tile, column.level] = 1
    for zone in board.starts:
        counts.update(zone.surfaces)
    return counts


def _raised(piece: Piece, tile: Tile, level: int, caps: Caps, under: int = 0) -> Placement:
    """Return a piece on top of all caps of a tile except the uppermost `under`."""
    count = max(0, caps.get((tile, level), 0) - under)
    return Placement(piece, tile, level, raised_mm=CAP_MM * count)


def _base(board: Board, catalogue: Catalogue) -> Iterator[Placement]:
    """Yield the quadrants, and the ties across every seam of two of them, unless magnets join."""
    rows, cols = range(0, board.rows, BOARD_STEP), range(0, board.cols, BOARD_STEP)
    for row in rows:
        for col in cols:
            yield Placement(catalogue.quadrant, Tile(row, col), 0)
    if catalogue.magnets:
        return
    end = catalogue.grid.tie_tile
    ends = (end, BOARD_STEP - 1 - end)
    for row in rows:
        for col in cols:
            if row:
                yield from (Placement(catalogue.tie, Tile(row, col + end), 0) for end in ends)
            if col:
                yield from (Placement(catalogue.tie, Tile(row + end, col), 0, 3) for end in ends)


def seam_of(tie: Placement) -> tuple[Tile, Tile]:
    """Return the tiles on both sides of the seam that a tie crosses, the northern or western first.

    Args:
        tie: Placement of a tie, as the plan has it.
    """
    across = (0, -1) if tie.quarter_turns % 2 else (-1, 0)
    return tie.tile.step(across), tie.tile


def _grounds(board: Board, catalogue: Catalogue) -> Iterator[Placement]:
    for tile in board.tiles():
        column = board.column(tile)
        if column.ground is not Ground.GROUND:
            yield Placement(catalogue[column.ground], tile, column.level)


def _bridges(board: Board, catalogue: Catalogue) -> Iterator[Placement]:
    """Yield the bridges: unturned west to east, with one quarter turn north to south."""
    for deck in sorted(board.decks, key=lambda deck: (deck.level, deck.a)):
        turns = 0 if deck.a.row == deck.b.row else 1
        piece = catalogue[f"arch-{deck.span}"] if deck.arch else catalogue.bridge(deck.span)
        yield Placement(piece, deck.tiles[0], deck.level, turns)


def _ladder(ladder: Ladder, catalogue: Catalogue, caps: Caps) -> Iterator[Placement]:
    """Yield the sections of a ladder from the foot up.

    Unturned, a ladder leans north; clockwise turns make it lean east, south and west.
    """
    offset = (ladder.top.row - ladder.foot.row, ladder.top.col - ladder.foot.col)
    turns = DIRECTIONS.index(offset)
    low = caps.get((ladder.foot, ladder.foot_level), 0) > 0
    level = ladder.foot_level
    for section in catalogue.ladders(ladder.rise, low=low):
        yield Placement(section, ladder.foot, level, turns)
        level += section.levels


def _battlements(board: Board, catalogue: Catalogue, caps: Caps) -> Iterator[Placement]:
    for crown in board.battlements:
        level = board.column(crown.tile).level
        for key, turns in parapets(tuple(DIRECTIONS.index(side) for side in crown.sides)):
            stood = _raised(catalogue[key], crown.tile, level, caps)
            yield replace(stood, quarter_turns=turns)


def _railings(board: Board, catalogue: Catalogue, caps: Caps) -> Iterator[Placement]:
    laid: dict[tuple[Tile, int, str], list[int]] = {}
    for rail, side, why in railings(board):
        if not why:
            name = RAILS[PRINTED_UM.index(printed_um(rail))]
            laid.setdefault((rail.tile, rail.level, name), []).append(DIRECTIONS.index(side))
    for (tile, level, name), sides in sorted(laid.items()):
        for key, turns in parapets(tuple(sides), name):
            yield replace(_raised(catalogue[key], tile, level, caps), quarter_turns=turns)


def parapets(
    sides: tuple[int, ...], name: str = battlement.ELEMENT.word
) -> tuple[tuple[str, int], ...]:
    """Return (piece key, clockwise turns) of the battlements on some sides of a tile.

    Unturned, one side is north, two are north and east, and of three the south is open. Two
    opposite sides are two pieces.

    Args:
        sides: Side indices: 0 north, 1 east, 2 south, 3 west.
        name: Family of the pieces, those of battlements or a railing's.
    """
    closed = sorted(set(sides))
    if len(closed) == 4:
        return ((name, 0),)
    if len(closed) == 3:
        (opened,) = set(range(4)) - set(closed)
        return ((f"{name}-3", (opened - 2) % 4),)
    if len(closed) == 2 and (closed[1] - closed[0]) % 2:
        return ((f"{name}-corner", closed[0] if closed != [0, 3] else 3),)
    return tuple((f"{name}-1", side) for side in closed)


def _features(board: Board, catalogue: Catalogue, caps: Caps) -> Iterator[Placement]:
    for tile in board.tiles():
        column = board.column(tile)
        if column.feature is not None and tile not in board.model_tops:
            piece = catalogue[column.feature]
            for companion, count in catalogue.companions(piece):
                yield from [Placement(companion, tile, column.level)] * count
            yield _raised(piece, tile, column.level, caps)


def _markers(board: Board, catalogue: Catalogue, caps: Caps) -> Iterator[Placement]:
    for zone in board.starts:
        marker = catalogue.start_marker(zone.side)
        parts = (*(piece for piece, _ in catalogue.companions(marker)), marker)
        for tile, level in zone.surfaces:
            yield from (_raised(part, tile, level, caps, under=1) for part in parts)
