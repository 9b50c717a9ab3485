"""Ladder: from a surface up the terrain beside it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations

from falldamage_forge.board import (
    DIRECTION_NAMES,
    Board,
    Column,
    Deck,
    Fitting,
    Ground,
    Ladder,
    Tile,
)
from falldamage_forge.elements.element import Element, Placed, Thing, Tool
from falldamage_forge.elements.legality_tools import BuildLimits, board_error, level_here
from falldamage_forge.elements.solids import Bar, Ink, Point, Spot
from falldamage_forge.infra.lazy_dataclass import FrozenDict
from falldamage_forge.issues import Issue, notes_at


def things(board: Board) -> Iterator[Thing]:
    """Yield the ladders of a board."""
    return (thing((x.foot, x.top), (x.foot_level, x.top_level)) for x in board.ladders)


def thing(ends: tuple[Tile, Tile], levels: tuple[int, int]) -> Thing:
    """Return a ladder.

    Args:
        ends: Tiles of its foot and its top.
        levels: Levels of both.
    """
    return Thing("ladder", ends, levels)


def build(placed: Iterable[Placed]) -> Iterator[Ladder]:
    """Yield a board's ladders."""
    for x in placed:
        yield Ladder(x.tiles[0], x.levels[0], x.tiles[1], x.levels[1], x.span)


def check_ladder_support(board: Board, limits: BuildLimits) -> Iterator[Issue]:
    """Report ladders without a surface below or a higher neighbour, or outside the catalogue.

    A foot may stand on water, on lava and on a start; the rules report ladders that no unit can
    climb.

    Yields:
        FDF136 to FDF140.
    """
    for ladder in board.ladders:
        yield from _ladder_issues(board, ladder, limits)


def _ladder_issues(board: Board, ladder: Ladder, limits: BuildLimits) -> Iterator[Issue]:
    name = ladder.name
    places = (ladder.foot, ladder.top)
    if ladder.top not in set(board.neighbours(ladder.foot)):
        yield board_error(
            "FDF136",
            f"{name} does not join two neighbouring tiles",
            ladder.source,
            places,
        )
        return
    for tile, level, end in (
        (ladder.foot, ladder.foot_level, "foot"),
        (ladder.top, ladder.top_level, "top"),
    ):
        if level not in board.tops(tile):
            tops = " or ".join(map(str, board.tops(tile)))
            yield board_error(
                "FDF137",
                f"{name}: there is no surface at level {level} for its {end} on {tile}",
                ladder.source,
                (tile,),
                f"{tile} has level {tops}",
                level_here(board.column(tile), f"{tile} is built here"),
            )
    if ladder.rise <= 0:
        yield board_error(
            "FDF138",
            f"{name} leans on nothing: {ladder.top} is level {ladder.top_level} "
            f"and the foot stands at level {ladder.foot_level}",
            ladder.source,
            places,
            notes=level_here(board.column(ladder.top), f"{ladder.top} is level {ladder.top_level}"),
        )
    elif ladder.rise > limits.max_rise:
        yield board_error(
            "FDF139",
            f"{name} climbs {ladder.rise} levels; the longest piece climbs {limits.max_rise}",
            ladder.source,
            places,
        )
    column = board.column(ladder.foot)
    blocker = _under_foot(board, ladder, column)
    if blocker:
        yield board_error(
            "FDF140",
            f"{name} cannot stand on {ladder.foot}: {blocker}",
            ladder.source,
            (ladder.foot,),
            notes=level_here(column, f"{ladder.foot} is built here"),
        )
    above = board.column(ladder.top)
    if above.feature is not None and above.level == ladder.top_level:
        yield board_error(
            "FDF140",
            f"{name} cannot hang on {ladder.top}: {_all_edges(above)}",
            ladder.source,
            (ladder.top,),
            notes=notes_at((above.source, f"the {above.feature} is here")),
        )


def _all_edges(column: Column) -> str:
    return f"the foot of a {column.feature} takes all four edges"


def _under_foot(board: Board, ladder: Ladder, column: Column) -> str:
    """Return why no ladder can stand at the edge of its foot's tile; empty if one can."""
    on = (deck for deck in board.decks if deck.level == ladder.foot_level)
    if any({ladder.foot, ladder.top} <= {*deck.tiles} for deck in on):
        return "the planks of a bridge run on over that edge"
    if ladder.foot_level != column.level:
        return ""
    if column.feature is not None:
        return _all_edges(column)
    start = any((ladder.foot, column.level) in zone.surfaces for zone in board.starts)
    if start and column.ground is Ground.WATER:
        return "a start marker lies on water there, and no ladder piece has so high a foot"
    return ""


def check_ladder_edges(board: Board, limits: BuildLimits) -> Iterator[Issue]:
    """Report ladders that share space or an edge with a bridge (FDF141) or a ladder (FDF142)."""
    reported: set[frozenset[Deck | Ladder]] = set()
    for ladder in board.ladders:
        for deck in _decks_over(board, ladder):
            reported.add(frozenset((ladder, deck)))
            yield _bridge_in_way(ladder, deck)
    below: dict[tuple[Tile, Tile], Ladder] = {}
    for ladder in board.ladders:
        first = below.get((ladder.foot, ladder.top))
        if first is not None and ladder.foot_level < first.top_level:
            reported.add(frozenset((ladder, first)))
            message = f"two ladders stand at {ladder.foot} against {ladder.top}"
            yield _in_way(ladder, first, message)
        if first is None or first.top_level < ladder.top_level:
            below[ladder.foot, ladder.top] = ladder
    for (tile, level, side), ends in board.edge_ends.items():
        if side not in DIRECTION_NAMES:  # check_ladder_support reports other ladders
            continue
        for earlier, later in combinations(ends, 2):
            if isinstance(later, Ladder) and frozenset((earlier, later)) not in reported:
                reported.add(frozenset((earlier, later)))
                edge = f"the {DIRECTION_NAMES[side]} edge of {tile}@{level}"
                yield _in_way(later, earlier, f"{earlier.name} and {later.name} share {edge}")


def _decks_over(board: Board, ladder: Ladder) -> Iterator[Deck]:
    """Yield the decks over a ladder's foot that the ladder meets, its top included."""
    if any(
        ladder.foot_level < level <= ladder.top_level
        for level in board.deck_levels.get(ladder.foot, ())
    ):
        for deck in board.decks:
            if ladder.foot in deck.tiles and ladder.foot_level < deck.level <= ladder.top_level:
                yield deck


def _bridge_in_way(ladder: Ladder, deck: Deck) -> Issue:
    through = deck.level < ladder.top_level
    does = "passes through" if through else "is in the way of the head of"
    return _in_way(ladder, deck, f"a bridge at level {deck.level} {does} {ladder.name}")


def _in_way(ladder: Ladder, other: Deck | Ladder, message: str) -> Issue:
    """Return the issue for a ladder in the way of a bridge, or of another ladder."""
    code, name = "FDF141", "the bridge"
    if isinstance(other, Ladder):
        code, name = "FDF142", "the other ladder"
    notes = notes_at((other.source, f"{name} is here"))
    return board_error(code, message, ladder.source, (ladder.foot,), notes=notes)


def solids(ladder: Fitting) -> Iterator[Bar]:
    """Yield rungs and rails against the wall."""
    assert ladder.to is not None
    down, right = ladder.to.row - ladder.tile.row, ladder.to.col - ladder.tile.col
    row, col, high = 0.5 + 0.43 * down, 0.5 + 0.43 * right, ladder.to_level - ladder.level + 0.1

    def spot(side: float, level: float) -> Spot:
        return row + side * abs(right), col + side * abs(down), level

    rungs = max(1, round(4 * high))
    for number in range(rungs):
        level = (number + 0.6) * high / rungs
        yield Bar(spot(-0.2, level), spot(0.2, level), 0.056)
    for side in (-0.2, 0.2):
        yield Bar(spot(side, 0.0), spot(side, high), 0.07)


def symbol(ladder: Fitting) -> Iterator[Ink]:
    """Yield an arrow with rungs from the foot up on to the wall."""
    assert ladder.to is not None
    down, right = ladder.to.row - ladder.tile.row, ladder.to.col - ladder.tile.col

    def spot(along: float, side: float) -> Point:
        return 0.5 + down * along + right * side, 0.5 + right * along + down * side

    head = (spot(0.56, -0.2), spot(0.74, 0.0), spot(0.56, 0.2))
    for paint, width in (("gleam", 6.5), ("edge", 2.6)):
        for side in (-0.12, 0.12):
            yield Ink((spot(0.08, side), spot(0.56, side)), paint, width)
        for along in (0.16, 0.29, 0.42):
            yield Ink((spot(along, -0.12), spot(along, 0.12)), paint, width)
        yield Ink(head, paint, width, closed=True)
    yield Ink(head, "edge")


ELEMENT = Element(
    word="ladder",
    means="from a surface up the terrain beside it",
    form="span",
    field="ladders",
    ends=("FOOT", "TOP"),
    node=("LadderStatement", FrozenDict({"foot": "a", "top": "b"})),
    sign="#",
    shown="foot of a ladder",
    described="ladder up to {to}",
    rank=5,
    depth=5,
    usage="ladder FOOT TOP",
    synonyms=("stairs", "climb"),
    things=things,
    build=build,
    checks=(check_ladder_support, check_ladder_edges),
    solids=solids,
    symbol=symbol,
    families=("ladder", "ladder-low", "ladder-lower", "ladder-middle", "ladder-upper"),
    tools=(
        Tool(
            "ladder",
            "ways",
            "d",
            12,
            "ladder {from} {to}",
            {"en": "ladder", "de": "Leiter"},
            beside=True,
            line="M7.5 2.5v19M16.5 2.5v19M7.5 6.5h9M7.5 11h9M7.5 15.5h9M7.5 19.5h9",
        ),
    ),
)
