"""Legality of a layout: can this table be built at all? Board in, issues out; no rules of play.

Every check is a small function over one board; `CHECKS` is the whole list.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from falldamage_forge.board import Board, Column, Deck, Feature, Ground, Ladder, Tile
from falldamage_forge.issues import Issue, Note, SourceSpan


@dataclass(frozen=True, slots=True)
class Limits:
    """What the catalogue, the printer and the ruleset allow. `start_tiles` is per side."""

    max_span: int = 4
    max_rise: int = 5
    start_tiles: int = 8
    players: int = 2
    headroom: int = 2


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


def deck_lines(board: Board, limits: Limits) -> Iterator[Issue]:
    """A deck runs straight over one to `max_span` tiles."""
    for deck in board.decks:
        if not deck.tiles:
            yield _error(
                "FDF130",
                f"the bridge {deck.a} -> {deck.b} does not cross any tile",
                deck.source,
                (deck.a, deck.b),
                "a bridge joins two supports in one row or one column with tiles between them",
            )
        elif deck.span > limits.max_span:
            yield _error(
                "FDF131",
                f"the bridge {deck.a} -> {deck.b} spans {deck.span} tiles; "
                f"the longest bridge piece spans {limits.max_span}",
                deck.source,
                deck.tiles,
                f"put a support of level {deck.level} between them, or bring the ends closer",
            )


def deck_supports(board: Board, limits: Limits) -> Iterator[Issue]:
    """Both ends of a deck rest on a support at the deck's level: a column's top or another deck."""
    for deck in board.decks:
        for end in (deck.a, deck.b) if deck.tiles else ():
            column = board.column(end)
            tops = board.tops(end)
            if deck.level not in tops:
                yield _error(
                    "FDF132",
                    f"the bridge at level {deck.level} has no support at {end}, "
                    f"where the highest surface is at level {tops[-1]}"
                    if deck.level > tops[-1]
                    else f"the bridge at level {deck.level} runs into {end}, which is "
                    f"level {column.level} there",
                    deck.source,
                    (end,),
                    f"make {end} level {deck.level}, or give the bridge level {column.level}",
                    _placed_here(column, f"{end} is level {column.level}"),
                )
            elif column.level == deck.level and column.feature is not None:
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


def deck_room(board: Board, limits: Limits) -> Iterator[Issue]:
    """A deck passes above the terrain and its features, and never through another deck."""
    feature_levels = 2
    seen: dict[tuple[Tile, int], Deck] = {}
    for deck in board.decks:
        for tile in deck.tiles:
            column = board.column(tile)
            top = column.level + (feature_levels if column.feature else 0)
            if top >= deck.level:
                what = f"a {column.feature} reaches" if column.feature else "the terrain reaches"
                yield _error(
                    "FDF134",
                    f"the bridge at level {deck.level} cannot pass {tile}: {what} level {top}",
                    deck.source,
                    (tile,),
                    f"raise the bridge above level {top} or clear {tile}",
                    _placed_here(column, f"{tile} is level {column.level}"),
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
    """A ladder stands on a surface and leans on a higher neighbour, within the catalogue."""
    for ladder in board.ladders:
        yield from _ladder_faults(board, ladder, limits)


def _ladder_faults(board: Board, ladder: Ladder, limits: Limits) -> Iterator[Issue]:
    name = f"the ladder {ladder.foot} -> {ladder.top}"
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
                _placed_here(board.column(tile), f"{tile} is built here"),
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
            _placed_here(board.column(ladder.top), f"{ladder.top} is level {ladder.top_level}"),
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
    on_ground = ladder.foot_level == column.level
    if on_ground and (column.feature or column.ground is Ground.LAVA):
        blocker = f"a {column.feature}" if column.feature else "lava"
        yield _error(
            "FDF140",
            f"{name} cannot stand on {ladder.foot}, where there is {blocker}",
            ladder.source,
            (ladder.foot,),
            "stand the ladder on another side",
            _placed_here(column, f"{blocker} is here"),
        )


def ladder_edges(board: Board, limits: Limits) -> Iterator[Issue]:
    """No two ladders share one tile edge, and no deck passes through a ladder."""
    seen: dict[tuple[Tile, Tile], Ladder] = {}
    for ladder in board.ladders:
        for level in board.deck_levels.get(ladder.foot, ()):
            if ladder.foot_level < level < ladder.top_level:
                yield _error(
                    "FDF141",
                    f"a bridge at level {level} passes through the ladder "
                    f"{ladder.foot} -> {ladder.top}",
                    ladder.source,
                    (ladder.foot,),
                    f"start the ladder on the bridge: {ladder.foot}@{level} -> {ladder.top}",
                )
        other = seen.setdefault((ladder.foot, ladder.top), ladder)
        overlap = other is not ladder and ladder.foot_level < other.top_level
        if overlap:
            notes = (Note(other.source, "the other ladder is here"),) if other.source else ()
            yield _error(
                "FDF142",
                f"two ladders stand at {ladder.foot} against {ladder.top}",
                ladder.source,
                (ladder.foot,),
                "keep one of them",
                notes,
            )


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


def start_zones(board: Board, limits: Limits) -> Iterator[Issue]:
    """Each side has its start tiles, on surfaces that carry a unit, not shared with the other.

    Source: "Starting positions are 8 tiles" and "their team of 8 units" (rulebook, Setup).
    """
    if len(board.starts) != limits.players:
        yield _error(
            "FDF150",
            f"{len(board.starts)} start zones for {limits.players} players",
            board.starts[0].source if board.starts else None,
            (),
            "write for example `start red at B1..I1` and `start blue at B10..I10`",
        )
    owner: dict[tuple[Tile, int], str] = {}
    for zone in board.starts:
        places = tuple(tile for tile, _ in zone.surfaces)
        if len(zone.surfaces) != limits.start_tiles:
            yield _error(
                "FDF151",
                f"{zone.side} starts on {len(zone.surfaces)} tiles, not {limits.start_tiles}",
                zone.source,
                places,
                f"name {limits.start_tiles} tiles for {zone.side}",
            )
        for tile, level in zone.surfaces:
            why = _not_standable(board, tile, level, limits)
            if why:
                yield _error(
                    "FDF152",
                    f"{zone.side} cannot start on {tile}: {why}",
                    zone.source,
                    (tile,),
                    "choose another tile",
                    _placed_here(board.column(tile), f"{tile} is built here"),
                )
            other = owner.setdefault((tile, level), zone.side)
            if other != zone.side:
                yield _error(
                    "FDF153",
                    f"{tile} is a start tile of both {other} and {zone.side}",
                    zone.source,
                    (tile,),
                    "give it to one side",
                )


def treasures(board: Board, limits: Limits) -> Iterator[Issue]:
    """Treasure lies where a unit can stand: it acts "When a unit occupies the tile"."""
    for chest in board.treasures:
        why = _not_standable(board, chest.tile, chest.level, limits)
        if why:
            yield _error(
                "FDF154",
                f"the treasure at {chest.tile} cannot be taken: {why}",
                chest.source,
                (chest.tile,),
                "put it where a unit can stand",
                _placed_here(board.column(chest.tile), f"{chest.tile} is built here"),
            )


def _not_standable(board: Board, tile: Tile, level: int, limits: Limits) -> str | None:
    """Why no unit can stand there, or None."""
    column = board.column(tile)
    if level not in board.tops(tile):
        return f"nothing is at level {level} there"
    if level == column.level and column.feature:
        return f"a {column.feature} stands there"
    if level == column.level and column.ground is Ground.LAVA:
        return "it is lava"
    for deck_level in board.deck_levels.get(tile, ()):
        if level < deck_level < level + limits.headroom:
            return f"a bridge at level {deck_level} leaves no headroom"
    return None


CHECKS: tuple[Check, ...] = (
    deck_lines,
    deck_supports,
    deck_room,
    ladder_lean,
    ladder_edges,
    spires_on_columns,
    start_zones,
    treasures,
)
