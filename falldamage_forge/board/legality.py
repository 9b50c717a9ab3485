"""Legality of a board: can it be built from the catalogue? No rules of play.

Most issues have no hint here: `remedies` finds the changes that correct them on this board.

Each check is a function from a board and the build limits to issues; `CHECKS` lists them all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations

from falldamage_forge.board.board_model import Board, Column, Deck, Feature, Ground, Ladder
from falldamage_forge.board.coordinates import DIRECTION_NAMES, Tile
from falldamage_forge.board.fittings import check_fittings
from falldamage_forge.board.top_legality import board_error, check_battlements, check_steps
from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.issues import Issue, Note, notes_at


@dataclass(frozen=True, slots=True)
class BuildLimits:
    """Limits of catalogue and printer, in tiles and levels.

    Attributes:
        max_span: Most tiles under a bridge.
        max_rise: Most levels of a ladder.
        tree_height: Levels of a tree: those of the rules, at least those of its piece.
        spire_height: Levels of a spire, likewise.
        printed: Features whose piece is higher than the rules say.
    """

    max_span: int = 4
    max_rise: int = 5
    tree_height: int = 2
    spire_height: int = 2
    printed: frozenset[Feature] = frozenset()

    def height(self, feature: Feature | None) -> int:
        """Return the levels of a feature; 0 for None."""
        return {Feature.TREE: self.tree_height, Feature.SPIRE: self.spire_height, None: 0}[feature]


Check = Callable[[Board, BuildLimits], Iterator[Issue]]


def check_legality(board: Board, limits: BuildLimits) -> tuple[Issue, ...]:
    """Return every issue that prevents the board from being built, in the order of `CHECKS`."""
    return tuple(issue for check in CHECKS for issue in check(board, limits))


def _level_here(column: Column, message: str) -> tuple[Note, ...]:
    """Return a note at the statement that sets a column's level, if it is plain terrain."""
    plain = column.feature is None and column.ground is Ground.GROUND
    return notes_at((column.source, message)) if plain else ()


def check_deck_lines(board: Board, limits: BuildLimits) -> Iterator[Issue]:
    """Report decks that are not straight (FDF130) or span more than `max_span` tiles (FDF131)."""
    for deck in board.decks:
        if not deck.tiles:
            yield board_error(
                "FDF130",
                f"{deck.name} does not cross any tile",
                deck.source,
                (deck.a, deck.b),
            )
        elif deck.span > limits.max_span:
            yield board_error(
                "FDF131",
                f"{deck.name} spans {deck.span} tiles; "
                f"the longest bridge piece spans {limits.max_span}",
                deck.source,
                deck.tiles,
            )


def check_deck_supports(board: Board, limits: BuildLimits) -> Iterator[Issue]:
    """Report deck ends without support at their level (FDF132) or on a bad top (FDF133)."""
    for deck in board.decks:
        ends = (deck.a, deck.b) if deck.tiles else ()
        loose = tuple(end for end in ends if deck.level not in board.tops(end))
        if loose:
            yield _loose_deck(board, deck, loose)
        for end in ends:
            column = board.column(end)
            if column.level == deck.level and column.feature is not None:
                yield board_error(
                    "FDF133",
                    f"a {column.feature} stands on {end}, where the bridge ends",
                    deck.source,
                    (end,),
                    notes=notes_at((column.source, f"the {column.feature} is here")),
                )
            elif column.level == deck.level and column.ground is not Ground.GROUND:
                yield board_error(
                    "FDF133",
                    f"{end}, where the bridge ends, is {column.ground}",
                    deck.source,
                    (end,),
                    notes=notes_at((column.source, f"{end} is {column.ground}")),
                )


def _loose_deck(board: Board, deck: Deck, ends: tuple[Tile, ...]) -> Issue:
    """Return the issue for deck ends at another level than their supports."""
    end = ends[0]
    column, top = board.column(end), board.tops(end)[-1]
    names = " and ".join(map(str, ends))
    if deck.level > top:
        alone = f"where the highest surface is at level {top}"
        low = alone if len(ends) == 1 else "which are lower"
        message = f"the bridge at level {deck.level} has no support at {names}, {low}"
    else:
        message = f"the bridge at level {deck.level} runs into {end}, which is level {column.level}"
    note = _level_here(column, f"{end} is level {column.level}")
    return board_error("FDF132", message, deck.source, ends, notes=note)


def check_deck_clearance(board: Board, limits: BuildLimits) -> Iterator[Issue]:
    """Report decks that pass through terrain or a feature (FDF134) or cross a deck (FDF135)."""
    seen: dict[tuple[Tile, int], Deck] = {}
    for deck in board.decks:
        for tile in deck.tiles:
            column = board.column(tile)
            top = column.level + limits.height(column.feature)
            if top >= deck.level:
                what = f"a {column.feature} reaches" if column.feature else "the terrain reaches"
                if column.feature in limits.printed:
                    what = f"the printed {column.feature}, higher than that of the rules, reaches"
                yield board_error(
                    "FDF134",
                    f"the bridge at level {deck.level} cannot pass {tile}: {what} level {top}",
                    deck.source,
                    (tile,),
                    notes=_level_here(column, f"{tile} is level {column.level}"),
                )
            other = seen.setdefault((tile, deck.level), deck)
            if other is not deck:
                yield board_error(
                    "FDF135",
                    f"two bridges at level {deck.level} cross at {tile}",
                    deck.source,
                    (tile,),
                    notes=notes_at((other.source, "the other bridge is here")),
                )


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
                _level_here(board.column(tile), f"{tile} is built here"),
            )
    if ladder.rise <= 0:
        yield board_error(
            "FDF138",
            f"{name} leans on nothing: {ladder.top} is level {ladder.top_level} "
            f"and the foot stands at level {ladder.foot_level}",
            ladder.source,
            places,
            notes=_level_here(
                board.column(ladder.top), f"{ladder.top} is level {ladder.top_level}"
            ),
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
            notes=_level_here(column, f"{ladder.foot} is built here"),
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


def check_spire_columns(board: Board, limits: BuildLimits) -> Iterator[Issue]:
    """Report spires on the bare base (FDF143) and features in water or lava (FDF144)."""
    for tile in board.tiles():
        column = board.column(tile)
        if column.feature is Feature.SPIRE and column.level == 0:
            yield board_error(
                "FDF143",
                f"the spire at {tile} stands on the bare board",
                column.source,
                (tile,),
            )
        if column.feature is not None and column.ground is not Ground.GROUND:
            yield board_error(
                "FDF144",
                f"the {column.feature} at {tile} stands in {column.ground}",
                column.source,
                (tile,),
            )


CHECKS: tuple[Check, ...] = (
    check_deck_lines,
    check_deck_supports,
    check_deck_clearance,
    check_ladder_support,
    check_ladder_edges,
    check_spire_columns,
    check_battlements,
    check_steps,
    check_fittings,
)
