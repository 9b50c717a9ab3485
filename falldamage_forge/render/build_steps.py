"""Build steps: a plan in groups to place by hand, with the board after each.

The order follows from what stands on, under and in what (`pieces.building_order`); of the orders
that it allows, the steps follow one with the fewest changes of kind.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from falldamage_forge.board import Board, Column, Fitting, Tile, make_board
from falldamage_forge.elements import ELEMENTS
from falldamage_forge.elements.scene import WORDS, fitting_of
from falldamage_forge.infra.lazy_dataclass import FrozenDict, dataclass
from falldamage_forge.lengths import GRID, PrintGrid
from falldamage_forge.pieces.building_order import (
    Group,
    fewest_stages,
    hand_groups,
    in_waves,
    prerequisites,
)
from falldamage_forge.pieces.family_roles import OTHERS, STEPS, role_of
from falldamage_forge.pieces.model_keys import SEAM_TIE
from falldamage_forge.pieces.piece import Piece, Placement


@dataclass(frozen=True, slots=True)
class BuildStep:
    """Placements of one step, in any order, and the board after them.

    A part that is joined in the hand follows the one that takes it. `ways` are words on the way in
    of each placement, empty for straight down.
    """

    title: str
    placements: tuple[Placement, ...]
    board: Board
    ways: tuple[str, ...] = ()

    def counts(self) -> dict[str, int]:
        """Return parts by piece key, in the order of the step."""
        return dict(Counter(p.piece.key for p in self.placements))

    def pieces(self) -> dict[str, Piece]:
        """Return each piece of the step by key, sorted."""
        pieces = {placement.piece.key: placement.piece for placement in self.placements}
        return dict(sorted(pieces.items()))


def grid_of(parts: Sequence[BuildStep]) -> PrintGrid:
    """Return the grid of the placed pieces.

    Args:
        parts: Steps of a build.
    """
    return next((one.piece.grid for step in parts for one in step.placements), GRID)


BLOCKS, STARTS = "Blocks", "Start zones"
"""Steps that are split: blocks by level, start markers by side; others of a kind come later."""
HAND_WORDS: Mapping[str, str] = {
    "tie": "press it in from below, before the base is turned over",
    SEAM_TIE: "press it in from below, before the model is placed",
    "start-disc": "turn it into its marker from below, before the marker is placed",
    "ladder-middle": "push it onto the section below it, before the ladder is placed",
    "ladder-upper": "push it onto the section below it, before the ladder is placed",
}
"""How a part is joined in the hand to the part that is listed before it, by family."""
MAGNET_WORDS = (
    "take the magnets from one stack, dot the upper face of each, and press them in from below: "
    "at a + the dot faces out of the edge, at a - it faces in"
)
"""How the magnets of a part of the base are pressed in."""
LYING_WORDS: Mapping[str, str] = {
    "quadrant": "press one under each stone that a block will stand on, the dot first",
    "block": (
        "lay a magnet into each post while the print pauses, and press one into each foot "
        "afterwards, the dot first"
    ),
}
"""How magnets that hold blocks come into a part, by its builder."""


def magnet_words(piece: Piece) -> list[str]:
    """Return how the magnets of a part come into it; empty for a part without.

    Args:
        piece: A part.
    """
    edges = [MAGNET_WORDS] if piece.edge_magnets else []
    lying = [LYING_WORDS[piece.builder]] if piece.lying_magnets else []
    return edges + lying


Sides = Mapping[tuple[Tile, int], str]
"""Side of each surface of a start."""
Spot = tuple[str, Tile, int]
"""Family, tile and level of a part."""


def steps(
    board: Board, placements: Sequence[Placement], ways: Mapping[int, str] = FrozenDict()
) -> tuple[BuildStep, ...]:
    """Return the steps of a plan: every placement in exactly one, without empty steps.

    Args:
        board: Finished board.
        placements: Plan of the board.
        ways: Words on the way in of each part that does not go straight down, by its index.
    """
    planned = frozenset(map(_spot, placements))
    result: list[BuildStep] = []
    done: list[Placement] = []
    for title, groups in _staged(board, placements):
        own = [index for group in groups for index in group]
        parts = tuple(placements[index] for index in own)
        done += parts
        said = tuple(ways.get(index, "") for index in own)
        result.append(BuildStep(title, parts, _standing(board, done, planned), said))
    return tuple(result)


def _title_of(stage: str, placements: Sequence[Placement]) -> str:
    """Return the title of a stage; it names only what is placed."""
    alone = {role_of(one.piece.family).alone for one in placements} - {""}
    return alone.pop() if len(alone) == 1 else stage


def building_order(board: Board, placements: Sequence[Placement]) -> tuple[Group, ...]:
    """Return the groups of parts in the order of the steps, see `hand_groups`.

    Args:
        board: Board that is built.
        placements: All parts at their places.
    """
    return tuple(group for _, groups in _staged(board, placements) for group in groups)


def _staged(board: Board, placements: Sequence[Placement]) -> Iterator[tuple[str, list[Group]]]:
    """Yield the title and the groups of each step, which may be placed in any order."""
    groups = hand_groups(placements)
    before = prerequisites(placements, groups)
    leads = [placements[group[0]] for group in groups]
    sides = {spot: zone.side for zone in board.starts for spot in zone.surfaces}

    def listed(number: int) -> tuple[str, Tile, int]:
        return leads[number].piece.key, leads[number].tile, number

    def ranked(number: int) -> int:
        return _rank(leads[number], sides)

    for kind, numbers in fewest_stages([_kind(lead.piece.family) for lead in leads], before):
        stage = STEPS[kind]
        # Blocks of one level never stand on one another.
        waves = [numbers] if stage == BLOCKS else in_waves(numbers, before)
        for wave in waves:
            title = _title_of(stage, [leads[number] for number in wave])
            titled: dict[str, list[int]] = {}
            for number in sorted(wave, key=ranked):
                titled.setdefault(_titled(title, leads[number], sides), []).append(number)
            for words, own in titled.items():
                yield words, [groups[number] for number in sorted(own, key=listed)]


def _kind(family: str) -> int:
    """Return the index of a family's stage."""
    return STEPS.index(role_of(family).step or OTHERS)


def _rank(lead: Placement, sides: Sides) -> int:
    """Return the order of a part's step among those of its stage: level, or side as in the map."""
    stage = role_of(lead.piece.family).step
    if stage == STARTS:
        order, side = list(dict.fromkeys(sides.values())), sides.get((lead.tile, lead.level))
        return len(order) if side is None else order.index(side)
    return lead.level if stage == BLOCKS else 0


def _titled(title: str, lead: Placement, sides: Sides) -> str:
    """Return the title of a part's step: blocks have their level, start markers their side."""
    if title == BLOCKS:
        return "Blocks on the base" if lead.level == 0 else f"Blocks on level {lead.level}"
    if title == STARTS:
        side = sides.get((lead.tile, lead.level), "")
        return f"Start of {side}" if side else title
    return title


def _standing(board: Board, done: Iterable[Placement], planned: frozenset[Spot]) -> Board:
    """Return the part of a board that stands after some placements.

    `planned` are the spots of all parts; fittings without one there appear with their surface.
    """
    levels: dict[Tile, int] = {}
    there: set[Spot] = set()
    for placement in done:
        there.add(_spot(placement))
        if role_of(placement.piece.family).step == BLOCKS:
            for tile in placement.tiles():
                top = placement.level + placement.piece.levels
                levels[tile] = max(levels.get(tile, 0), top)

    def placed(field: str) -> set[tuple[Tile, int]]:
        """Return the tiles and levels of the parts that are elements of a list of the board."""
        own = {name for x in ELEMENTS.values() if x.field == field for name in x.printed}
        return {(tile, level) for name, tile, level in there if name in own}

    columns, tops = [], placed("columns")
    for tile in board.tiles():
        level = levels.get(tile, 0)
        whole = (tile, level) in tops
        columns.append(replace(board.column(tile), level=level) if whole else Column(level))
    bridges, starts = placed("decks"), placed("starts")
    decks = [deck for deck in board.decks if deck.tiles and (deck.tiles[0], deck.level) in bridges]
    floors = {(tile, levels.get(tile, 0)) for tile in board.tiles()}
    floors |= {(tile, deck.level) for deck in decks for tile in deck.tiles}
    zones = [
        replace(zone, surfaces=tuple(spot for spot in zone.surfaces if spot in starts))
        for zone in board.starts
    ]

    def fitted(x: Fitting) -> bool:
        own = {(name, x.tile, x.level) for name in ELEMENTS[x.kind].printed}
        return bool(own & there) if own & planned else (x.tile, x.level) in floors

    def stands(field: str) -> list[Any]:
        spots, word = placed(field), WORDS[field]
        return [
            x for x in board.items(field) if (x.ends[0], fitting_of(board, word, x).level) in spots
        ]

    return make_board(
        board.rows,
        board.cols,
        columns,
        decks=decks,
        starts=[zone for zone in zones if zone.surfaces],
        fittings=filter(fitted, board.fittings),
        **{field: stands(field) for field in ("ladders", "treasures", "battlements", "steps")},
    )


def _spot(placement: Placement) -> Spot:
    return placement.piece.family, placement.tile, placement.level
