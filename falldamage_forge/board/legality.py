"""Legality of a board: can this table be built at all? Board in, issues out; no rules of play.

Every check is a small function over one board; `CHECKS` is the whole list.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations

from falldamage_forge.board.crowns import battlements, steps
from falldamage_forge.board.fittings import fittings
from falldamage_forge.board.grid import DIRECTION_NAMES, Tile
from falldamage_forge.board.model import Board, Column, Deck, Feature, Ground, Ladder
from falldamage_forge.issues import Issue, Note, SourceSpan
from falldamage_forge.values import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """What catalogue and printer allow, in tiles and levels.

    Features are as high as the rules say, and no lower than their pieces.
    """

    max_span: int = 4
    max_rise: int = 5
    tree_height: int = 2
    spire_height: int = 2

    def height(self, feature: Feature | None) -> int:
        """Levels of what stands on a column."""
        return {Feature.TREE: self.tree_height, Feature.SPIRE: self.spire_height, None: 0}[feature]


Check = Callable[[Board, Limits], Iterator[Issue]]


def check_legality(board: Board, limits: Limits) -> tuple[Issue, ...]:
    """Every defect that keeps the table from being built, in order of the checks."""
    return tuple(issue for check in CHECKS for issue in check(board, limits))


def _error(
    code: str,
    message: str,
    source: SourceSpan | None,
    tiles: tuple[Tile, ...],
    hint: str | None = None,
    notes: tuple[Note, ...] = (),
) -> Issue:
    return Issue(code, "error", message, source, tiles, hint, notes)


def _placed_here(column: Column, message: str) -> tuple[Note, ...]:
    return (Note(column.source, message),) if column.source else ()


def _level_here(column: Column, message: str) -> tuple[Note, ...]:
    """The statement that gives a column its level; that of a tree or of lava does not."""
    plain = column.feature is None and column.ground is Ground.GROUND
    return _placed_here(column, message) if plain else ()


def deck_lines(board: Board, limits: Limits) -> Iterator[Issue]:
    """A deck runs straight over one to `max_span` tiles."""
    for deck in board.decks:
        if not deck.tiles:
            yield _error(
                "FDF130",
                f"{deck.name} does not cross any tile",
                deck.source,
                (deck.a, deck.b),
                "a bridge joins two supports in one row or one column with tiles between them",
            )
        elif deck.span > limits.max_span:
            yield _error(
                "FDF131",
                f"{deck.name} spans {deck.span} tiles; "
                f"the longest bridge piece spans {limits.max_span}",
                deck.source,
                deck.tiles,
                f"put a support of level {deck.level} between them, or bring the ends closer",
            )


def deck_supports(board: Board, limits: Limits) -> Iterator[Issue]:
    """Both ends of a deck rest on a support at the deck's level: a column's top or another deck."""
    for deck in board.decks:
        ends = (deck.a, deck.b) if deck.tiles else ()
        loose = tuple(end for end in ends if deck.level not in board.tops(end))
        if loose:
            yield _loose_deck(board, deck, loose)
        for end in ends:
            column = board.column(end)
            if column.level == deck.level and column.feature is not None:
                yield _error(
                    "FDF133",
                    f"a {column.feature} stands on {end}, where the bridge ends",
                    deck.source,
                    (end,),
                    f"move the {column.feature} or the bridge",
                    _placed_here(column, f"the {column.feature} is here"),
                )
            elif column.level == deck.level and column.ground is not Ground.GROUND:
                yield _error(
                    "FDF133",
                    f"{end}, where the bridge ends, is {column.ground}",
                    deck.source,
                    (end,),
                    "end the bridge on plain terrain",
                    _placed_here(column, f"{end} is {column.ground}"),
                )


def _loose_deck(board: Board, deck: Deck, ends: tuple[Tile, ...]) -> Issue:
    """One or both ends of a deck at another level than what they should rest on."""
    end = ends[0]
    column, top = board.column(end), board.tops(end)[-1]
    names = " and ".join(map(str, ends))
    if deck.level > top:
        alone = f"where the highest surface is at level {top}"
        low = alone if len(ends) == 1 else "which are lower"
        message = f"the bridge at level {deck.level} has no support at {names}, {low}"
    else:
        message = f"the bridge at level {deck.level} runs into {end}, which is level {column.level}"
    hint = f"make {names} level {deck.level}"
    level = board.column(deck.a).level
    if level == board.column(deck.b).level > max(board.column(t).level for t in deck.tiles):
        hint += f", or give the bridge level {level}"
    note = _level_here(column, f"{end} is level {column.level}")
    return _error("FDF132", message, deck.source, ends, hint, note)


def deck_room(board: Board, limits: Limits) -> Iterator[Issue]:
    """A deck passes above the terrain and its features, and never through another deck."""
    seen: dict[tuple[Tile, int], Deck] = {}
    for deck in board.decks:
        for tile in deck.tiles:
            column = board.column(tile)
            top = column.level + limits.height(column.feature)
            if top >= deck.level:
                what = f"a {column.feature} reaches" if column.feature else "the terrain reaches"
                yield _error(
                    "FDF134",
                    f"the bridge at level {deck.level} cannot pass {tile}: {what} level {top}",
                    deck.source,
                    (tile,),
                    f"raise the bridge above level {top} or clear {tile}",
                    _level_here(column, f"{tile} is level {column.level}"),
                )
            other = seen.setdefault((tile, deck.level), deck)
            if other is not deck:
                notes = (Note(other.source, "the other bridge is here"),) if other.source else ()
                yield _error(
                    "FDF135",
                    f"two bridges at level {deck.level} cross at {tile}",
                    deck.source,
                    (tile,),
                    "put one of them at another level, or end both on a support",
                    notes,
                )


def ladder_lean(board: Board, limits: Limits) -> Iterator[Issue]:
    """A ladder stands on a surface and leans on a higher neighbour, within the catalogue.

    Its foot goes beside a tree, on water, lava and starts; that nobody climbs there is for rules.
    """
    for ladder in board.ladders:
        yield from _ladder_faults(board, ladder, limits)


def _ladder_faults(board: Board, ladder: Ladder, limits: Limits) -> Iterator[Issue]:
    name = ladder.name
    places = (ladder.foot, ladder.top)
    if ladder.top not in set(board.neighbours(ladder.foot)):
        yield _error(
            "FDF136",
            f"{name} does not join two neighbouring tiles",
            ladder.source,
            places,
            "write the foot's tile, then the tile beside it that the ladder leans on",
        )
        return
    for tile, level, end in (
        (ladder.foot, ladder.foot_level, "foot"),
        (ladder.top, ladder.top_level, "top"),
    ):
        if level not in board.tops(tile):
            tops = " or ".join(map(str, board.tops(tile)))
            yield _error(
                "FDF137",
                f"{name}: there is no surface at level {level} for its {end} on {tile}",
                ladder.source,
                (tile,),
                f"{tile} has level {tops}",
                _level_here(board.column(tile), f"{tile} is built here"),
            )
    if ladder.rise <= 0:
        yield _error(
            "FDF138",
            f"{name} leans on nothing: {ladder.top} is level {ladder.top_level} "
            f"and the foot stands at level {ladder.foot_level}",
            ladder.source,
            places,
            "swap the two tiles"
            if ladder.rise < 0
            else f"raise {ladder.top} or take the ladder away",
            _level_here(board.column(ladder.top), f"{ladder.top} is level {ladder.top_level}"),
        )
    elif ladder.rise > limits.max_rise:
        yield _error(
            "FDF139",
            f"{name} climbs {ladder.rise} levels; the longest piece climbs {limits.max_rise}",
            ladder.source,
            places,
            "add a landing half way",
        )
    column = board.column(ladder.foot)
    blocker = _under_foot(board, ladder, column)
    if blocker:
        yield _error(
            "FDF140",
            f"{name} cannot stand on {ladder.foot}: {blocker}",
            ladder.source,
            (ladder.foot,),
            "stand the ladder on another side",
            _level_here(column, f"{ladder.foot} is built here"),
        )


def _under_foot(board: Board, ladder: Ladder, column: Column) -> str:
    """Why no ladder can stand at its edge of its foot's tile; empty where one can."""
    on = (deck for deck in board.decks if deck.level == ladder.foot_level)
    if any({ladder.foot, ladder.top} <= {*deck.tiles} for deck in on):
        return "the planks of a bridge run on over that edge"
    if ladder.foot_level != column.level:
        return ""
    if column.feature is Feature.SPIRE:
        return "the legs of a spire take all four edges"
    start = any((ladder.foot, column.level) in zone.surfaces for zone in board.starts)
    if start and column.ground is Ground.WATER:
        return "the marker of a start lies on water there, and no ladder is made for so high a foot"
    return ""


def ladder_edges(board: Board, limits: Limits) -> Iterator[Issue]:
    """No two ladders share room or a tile's edge, and no deck is in the way of a ladder."""
    told: set[frozenset[Deck | Ladder]] = set()
    for ladder in board.ladders:
        for deck in _decks_over(board, ladder):
            told.add(frozenset((ladder, deck)))
            yield _bridge_in_way(ladder, deck)
    below: dict[tuple[Tile, Tile], Ladder] = {}
    for ladder in board.ladders:
        first = below.get((ladder.foot, ladder.top))
        if first is not None and ladder.foot_level < first.top_level:
            told.add(frozenset((ladder, first)))
            message = f"two ladders stand at {ladder.foot} against {ladder.top}"
            yield _second_ladder(ladder, first, message)
        if first is None or first.top_level < ladder.top_level:
            below[ladder.foot, ladder.top] = ladder
    for (tile, level, side), ends in board.edge_ends.items():
        if side not in DIRECTION_NAMES:  # a ladder that joins no neighbours is told as such
            continue
        for one, other in combinations(ends, 2):
            if isinstance(other, Ladder) and frozenset((one, other)) not in told:
                told.add(frozenset((one, other)))
                edge = f"the {DIRECTION_NAMES[side]} edge of {tile}@{level}"
                yield _edge_taken(other, one, edge)


def _decks_over(board: Board, ladder: Ladder) -> Iterator[Deck]:
    """Decks over a ladder's foot that it meets on its way up, its head included."""
    if any(
        ladder.foot_level < level <= ladder.top_level
        for level in board.deck_levels.get(ladder.foot, ())
    ):
        for deck in board.decks:
            if ladder.foot in deck.tiles and ladder.foot_level < deck.level <= ladder.top_level:
                yield deck


def _bridge_in_way(ladder: Ladder, deck: Deck) -> Issue:
    notes = (Note(deck.source, "the bridge is here"),) if deck.source else ()
    if deck.level < ladder.top_level:
        does = "passes through"
        hint = f"start the ladder on the bridge: {ladder.foot}@{deck.level} -> {ladder.top}"
    else:
        does = "is in the way of the head of"
        hint = f"take the ladder to another side of {ladder.top}, or the bridge off {ladder.foot}"
    message = f"a bridge at level {deck.level} {does} {ladder.name}"
    return _error("FDF141", message, ladder.source, (ladder.foot,), hint, notes)


def _second_ladder(ladder: Ladder, other: Ladder, message: str) -> Issue:
    notes = (Note(other.source, "the other ladder is here"),) if other.source else ()
    return _error("FDF142", message, ladder.source, (ladder.foot,), "keep one of them", notes)


def _edge_taken(ladder: Ladder, other: Deck | Ladder, edge: str) -> Issue:
    """A ladder's foot or head where a bridge or another ladder has its end."""
    if isinstance(other, Ladder):
        return _second_ladder(ladder, other, f"{other.name} and {ladder.name} share {edge}")
    notes = (Note(other.source, "the bridge is here"),) if other.source else ()
    message = f"{other.name} and {ladder.name} share {edge}"
    hint = "stand the ladder on another side"
    return _error("FDF141", message, ladder.source, (ladder.foot,), hint, notes)


def spires_on_columns(board: Board, limits: Limits) -> Iterator[Issue]:
    """A castle spire crowns a tower: it stands on a column of at least one level."""
    for tile in board.tiles():
        column = board.column(tile)
        if column.feature is Feature.SPIRE and column.level == 0:
            yield _error(
                "FDF143",
                f"the spire at {tile} stands on the bare board",
                column.source,
                (tile,),
                f"put it on a column, for example `stack {tile} height 1`",
            )
        if column.feature is not None and column.ground is not Ground.GROUND:
            yield _error(
                "FDF144",
                f"the {column.feature} at {tile} stands in {column.ground}",
                column.source,
                (tile,),
                f"take away the {column.feature} or the {column.ground}",
            )


CHECKS: tuple[Check, ...] = (
    deck_lines,
    deck_supports,
    deck_room,
    ladder_lean,
    ladder_edges,
    spires_on_columns,
    battlements,
    steps,
    fittings,
)
