"""Build steps: a plan in groups to place by hand, with the board after each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from falldamage_forge.board import Board, Column, Tile, make_board
from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.pieces.piece import Piece, Placement


@dataclass(frozen=True, slots=True)
class BuildStep:
    """Placements of one step, in the plan's order, and the board after them."""

    title: str
    placements: tuple[Placement, ...]
    board: Board

    def counts(self) -> dict[str, int]:
        """Return parts by piece key, sorted."""
        return dict(sorted(Counter(p.piece.key for p in self.placements).items()))

    def pieces(self) -> dict[str, Piece]:
        """Return each piece of the step by key, sorted."""
        pieces = {placement.piece.key: placement.piece for placement in self.placements}
        return dict(sorted(pieces.items()))


LADDERS = frozenset({"ladder", "ladder-low", "ladder-lower", "ladder-middle", "ladder-upper"})
"""Families of whole ladders, of ladders whose foot is on a cap, and of ladder sections."""
STAGES: tuple[tuple[str, frozenset[str]], ...] = (
    ("Base", frozenset({"quadrant", "tie"})),
    ("Blocks", frozenset({"block"})),
    ("Water and lava", frozenset({"water", "lava"})),
    ("Bridges", frozenset({"bridge"})),
    ("Ladders", LADDERS),
    ("Trees and spires, without their ears", frozenset({"tree", "spire", "dowel"})),
    ("Other pieces", frozenset()),
    ("Start zones", frozenset({"start-disc", "start-marker"})),
    ("Treasure", frozenset({"chest"})),
)
"""Steps in order with their families; blocks are split by level, start markers by side."""
OF_ONE: Mapping[str, Mapping[str, str]] = {
    "Water and lava": {"water": "Water", "lava": "Lava"},
    "Trees and spires, without their ears": {
        "tree": "Trees, without their ears",
        "spire": "Spires, without their ears",
    },
}
"""Titles of stages of two families, if a map has parts of one of them only."""


def steps(board: Board, placements: Sequence[Placement]) -> tuple[BuildStep, ...]:
    """Return the steps of a plan: every placement in exactly one, without empty steps.

    Args:
        board: Finished board.
        placements: Plan in building order.
    """
    named = frozenset().union(*(families for _, families in STAGES))
    railed = frozenset((p.tile, p.level) for p in placements if p.piece.family == "railing")
    result: list[BuildStep] = []
    done: list[Placement] = []
    for title, families in STAGES:
        own = [
            placement
            for placement in placements
            if placement.piece.family in families
            or (not families and placement.piece.family not in named)
        ]
        for words, group in _split(title, own, board):
            done += group
            result.append(BuildStep(words, tuple(group), _standing(board, done, railed)))
    return tuple(result)


def _split(
    title: str, placements: list[Placement], board: Board
) -> Iterator[tuple[str, list[Placement]]]:
    """Yield blocks by level and start markers by side; all others are one step."""
    if title == "Start zones":
        yield from _by_side(placements, board)
        return
    if title != "Blocks":
        if placements:
            yield _title_of(title, placements), placements
        return
    for level in sorted({placement.level for placement in placements}):
        words = "Blocks on the base" if level == 0 else f"Blocks on level {level}"
        yield words, [placement for placement in placements if placement.level == level]


def _title_of(stage: str, placements: Sequence[Placement]) -> str:
    """Return the title of a stage; it names only what is placed."""
    single = OF_ONE.get(stage, {})
    named = {one.piece.family for one in placements} & single.keys()
    return single[named.pop()] if len(named) == 1 else stage


def _by_side(placements: list[Placement], board: Board) -> Iterator[tuple[str, list[Placement]]]:
    sides = {spot: zone.side for zone in board.starts for spot in zone.surfaces}
    by_side: dict[str, list[Placement]] = {zone.side: [] for zone in board.starts}
    for placement in placements:
        side = sides.get((placement.tile, placement.level), "")
        by_side.setdefault(side, []).append(placement)
    for side, own in by_side.items():
        if own:
            yield f"Start of {side}" if side else "Start zones", own


def _standing(
    board: Board, done: Iterable[Placement], railed: frozenset[tuple[Tile, int]]
) -> Board:
    """Return the part of a board that stands after some placements.

    `railed` are the surfaces whose railings are parts; other fittings appear with their surface.
    """
    levels: dict[Tile, int] = {}
    there: dict[str, set[tuple[Tile, int]]] = {}
    for placement in done:
        family = placement.piece.family
        there.setdefault(family, set()).add((placement.tile, placement.level))
        if family == "block":
            for tile in placement.tiles():
                top = placement.level + placement.piece.levels
                levels[tile] = max(levels.get(tile, 0), top)

    def placed(*families: str) -> Callable[[Tile, int], bool]:
        spots = {spot for family in families for spot in there.get(family, ())}
        return lambda tile, level: (tile, level) in spots

    topper, ladder, chest = placed("water", "lava"), placed(*LADDERS), placed("chest")
    features = there.get("tree", set()) | there.get("spire", set())
    columns = []
    for tile in board.tiles():
        column = board.column(tile)
        level = levels.get(tile, 0)
        new = Column(level)
        if topper(tile, level):
            new = replace(new, ground=column.ground)
        if (tile, level) in features:
            new = replace(new, feature=column.feature)
        columns.append(new)
    bridge, start = placed("bridge", "arch"), placed("start-marker")
    crown, half, rail = placed("battlement"), placed("step"), placed("railing")
    decks = [deck for deck in board.decks if deck.tiles and bridge(deck.tiles[0], deck.level)]
    floors = {(tile, levels.get(tile, 0)) for tile in board.tiles()}
    floors |= {(tile, deck.level) for deck in decks for tile in deck.tiles}

    def fitted(spot: tuple[Tile, int], kind: str) -> bool:
        return rail(*spot) if kind == "railing" and spot in railed else spot in floors

    return make_board(
        board.rows,
        board.cols,
        columns,
        decks=decks,
        ladders=[item for item in board.ladders if ladder(item.foot, item.foot_level)],
        treasures=[item for item in board.treasures if chest(item.tile, item.level)],
        starts=[zone for zone in board.starts if any(start(*spot) for spot in zone.surfaces)],
        battlements=[
            one for one in board.battlements if crown(one.tile, board.column(one.tile).level)
        ],
        steps=[one for one in board.steps if half(one.tile, board.column(one.tile).level)],
        fittings=[one for one in board.fittings if fitted((one.tile, one.level), one.kind)],
    )
