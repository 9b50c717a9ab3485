"""Build steps: a plan in groups to place by hand, with the board after each.

The order follows from what stands on, under and in what (`pieces.building_order`); of the orders
that it allows, the steps follow one with the fewest changes of kind.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from falldamage_forge.board import Board, Column, Tile, make_board
from falldamage_forge.elements import FITTINGS
from falldamage_forge.infra.lazy_dataclass import FrozenDict, dataclass
from falldamage_forge.pieces.building_order import (
    LADDERS,
    Group,
    fewest_stages,
    hand_groups,
    in_waves,
    prerequisites,
)
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


STAGES: tuple[tuple[str, frozenset[str]], ...] = (
    ("Base", frozenset({"quadrant", "tie"})),
    ("Blocks", frozenset({"block"})),
    ("Water and lava", frozenset({"water", "lava"})),
    ("Bridges", frozenset({"bridge", "arch"})),
    ("Ladders", LADDERS),
    ("Trees and spires, without their ears", frozenset({"tree", "spire", "dowel"})),
    ("Other pieces", frozenset()),
    ("Start zones", frozenset({"start-disc", "start-marker"})),
    ("Treasure", frozenset({"chest"})),
)
"""Kinds of steps with their families, the preferred order first; no family: all others.

Blocks are split by level, start markers by side, and parts on others of their kind come later.
"""
HAND_WORDS: Mapping[str, str] = {
    "tie": "press it in from below, before the base is turned over",
    "start-disc": "turn it into its marker from below, before the marker is placed",
    "ladder-middle": "push it onto the section below it, before the ladder is placed",
    "ladder-upper": "push it onto the section below it, before the ladder is placed",
}
"""How a part is joined in the hand to the part that is listed before it, by family."""
OF_ONE: Mapping[str, Mapping[str, str]] = {
    "Water and lava": {"water": "Water", "lava": "Lava"},
    "Trees and spires, without their ears": {
        "tree": "Trees, without their ears",
        "spire": "Spires, without their ears",
    },
}
"""Titles of stages of two families, if a map has parts of one of them only."""


Sides = Mapping[tuple[Tile, int], str]
"""Side of each surface of a start."""


def steps(
    board: Board, placements: Sequence[Placement], ways: Mapping[int, str] = FrozenDict()
) -> tuple[BuildStep, ...]:
    """Return the steps of a plan: every placement in exactly one, without empty steps.

    Args:
        board: Finished board.
        placements: Plan of the board.
        ways: Words on the way in of each part that does not go straight down, by its index.
    """
    railed = frozenset((p.tile, p.level) for p in placements if p.piece.family == "railing")
    result: list[BuildStep] = []
    done: list[Placement] = []
    for title, groups in _staged(board, placements):
        own = [index for group in groups for index in group]
        parts = tuple(placements[index] for index in own)
        done += parts
        said = tuple(ways.get(index, "") for index in own)
        result.append(BuildStep(title, parts, _standing(board, done, railed), said))
    return tuple(result)


def _title_of(stage: str, placements: Sequence[Placement]) -> str:
    """Return the title of a stage; it names only what is placed."""
    single = OF_ONE.get(stage, {})
    named = {one.piece.family for one in placements} & single.keys()
    return single[named.pop()] if len(named) == 1 else stage


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
        stage = STAGES[kind][0]
        # Blocks of one level never stand on one another.
        waves = [numbers] if stage == "Blocks" else in_waves(numbers, before)
        for wave in waves:
            title = _title_of(stage, [leads[number] for number in wave])
            titled: dict[str, list[int]] = {}
            for number in sorted(wave, key=ranked):
                titled.setdefault(_titled(title, leads[number], sides), []).append(number)
            for words, own in titled.items():
                yield words, [groups[number] for number in sorted(own, key=listed)]


def _kind(family: str) -> int:
    """Return the index of a family's stage."""
    others = next(kind for kind, (_, families) in enumerate(STAGES) if not families)
    return next((kind for kind, (_, own) in enumerate(STAGES) if family in own), others)


def _rank(lead: Placement, sides: Sides) -> int:
    """Return the order of a part's step among those of its stage: level, or side as in the map."""
    stage = STAGES[_kind(lead.piece.family)][0]
    if stage == "Start zones":
        order, side = list(dict.fromkeys(sides.values())), sides.get((lead.tile, lead.level))
        return len(order) if side is None else order.index(side)
    return lead.level if stage == "Blocks" else 0


def _titled(title: str, lead: Placement, sides: Sides) -> str:
    """Return the title of a part's step: blocks have their level, start markers their side."""
    if title == "Blocks":
        return "Blocks on the base" if lead.level == 0 else f"Blocks on level {lead.level}"
    if title == "Start zones":
        side = sides.get((lead.tile, lead.level), "")
        return f"Start of {side}" if side else title
    return title


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

    zones = [
        replace(zone, surfaces=tuple(spot for spot in zone.surfaces if start(*spot)))
        for zone in board.starts
    ]

    def fitted(spot: tuple[Tile, int], kind: str) -> bool:
        if FITTINGS[kind].part:
            return placed(kind)(*spot)
        return rail(*spot) if kind == "railing" and spot in railed else spot in floors

    return make_board(
        board.rows,
        board.cols,
        columns,
        decks=decks,
        ladders=[item for item in board.ladders if ladder(item.foot, item.foot_level)],
        treasures=[item for item in board.treasures if chest(item.tile, item.level)],
        starts=[zone for zone in zones if zone.surfaces],
        battlements=[
            one for one in board.battlements if crown(one.tile, board.column(one.tile).level)
        ],
        steps=[one for one in board.steps if half(one.tile, board.column(one.tile).level)],
        fittings=[one for one in board.fittings if fitted((one.tile, one.level), one.kind)],
    )
