"""Bridge: a deck over the tiles between two supports."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from falldamage_forge.board import Board, Deck, Fitting, Ground, Tile
from falldamage_forge.elements.element import Element, Placed, Thing, Tool
from falldamage_forge.elements.legality_tools import BuildLimits, board_error, level_here
from falldamage_forge.elements.solids import Box, Ink
from falldamage_forge.infra.lazy_dataclass import FrozenDict
from falldamage_forge.issues import Issue, notes_at

SLAB = 0.16
"""Thickness of a drawn deck in levels."""


def things(board: Board) -> Iterator[Thing]:
    """Yield the decks of a board."""
    return (thing(x.a, x.b, x.level, arch=x.arch) for x in board.decks)


def thing(a: Tile, b: Tile, level: int, *, arch: bool = False) -> Thing:
    """Return a deck, the same for either order of its ends.

    Args:
        a: One support.
        b: The other support.
        level: Level of the slab's top.
        arch: True for side walls of an arch.
    """
    return Thing("deck", (min(a, b), max(a, b)), (level,), "arch" * arch)


def build(placed: Iterable[Placed]) -> Iterator[Deck]:
    """Yield a board's decks."""
    for x in placed:
        a, b = x.tiles
        yield Deck.between(a, b, x.levels[0] or 0, x.span, arch=bool(x.name))


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
    note = level_here(column, f"{end} is level {column.level}")
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
                    notes=level_here(column, f"{tile} is level {column.level}"),
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


def solids(deck: Fitting) -> Iterator[Box]:
    """Yield a slab over each tile, and its two rims."""
    for row, col, along_row in _crossed(deck):
        yield Box((row, col, -SLAB), (row + 1, col + 1, 0.0), "deck")
        for side in (0.02, 0.92):
            low = (row + side, col) if along_row else (row, col + side)
            high = (row + side + 0.06, col + 1) if along_row else (row + 1, col + side + 0.06)
            yield Box((*low, 0.0), (*high, 0.09), "wood_dark")


def symbol(deck: Fitting) -> Iterator[Ink]:
    """Yield a planked band, narrower than its tiles, so that the ground below stays visible."""
    crossed = list(_crossed(deck))
    for row, col, along_row in crossed:
        for number in range(6):
            low, high = number / 6, (number + 1) / 6
            spots = [(0.2, low), (0.2, high), (0.8, high), (0.8, low)]
            turned = spots if along_row else [(along, across) for across, along in spots]
            plank = tuple((row + r, col + c) for r, c in turned)
            yield Ink(plank, "wood", opacity=0.95, shade=1.0 if number % 2 else 1.08)
            yield Ink(plank, "wood_dark", 1.0, 0.8, closed=True)
    if crossed:
        (r0, c0, along_row), (r1, c1, _) = crossed[0], crossed[-1]
        near, far = ((0.2, 0), (0.8, 1)) if along_row else ((0, 0.2), (1, 0.8))
        (up, left), (low, right) = (r0 + near[0], c0 + near[1]), (r1 + far[0], c1 + far[1])
        band = ((up, left), (up, right), (low, right), (low, left))
        yield Ink(band, "edge", 1.8, 0.95, closed=True)


def _crossed(deck: Fitting) -> Iterator[tuple[int, int, bool]]:
    """Yield each tile below a deck from its first support, and true if it runs along a row."""
    assert deck.to is not None
    a, b = deck.tile, deck.to
    for tile in Deck.between(a, b, deck.level).tiles:
        yield tile.row - a.row, tile.col - a.col, a.row == b.row


ELEMENT = Element(
    word="bridge",
    means="a deck over the one to four tiles between two supports",
    form="span",
    kind="deck",
    field="decks",
    level=True,
    flag="arch",
    levelled=False,
    node=("Bridge", FrozenDict({"a": "a", "b": "b", "level": "level", "arch": "flagged"})),
    described="bridge at level {level}",
    rank=4,
    depth=6,
    usage="bridge A B [level N] [arch]",
    synonyms=("deck", "plank"),
    things=things,
    build=build,
    checks=(check_deck_lines, check_deck_supports, check_deck_clearance),
    solids=solids,
    symbol=symbol,
    paint="wood",
    families=("bridge", "arch"),
    tools=(
        Tool(
            "bridge",
            "ways",
            "b",
            10,
            "bridge {from} {to}",
            {"en": "bridge", "de": "Brücke"},
            fill="M2 8.5h20V12H2z",
            line="M4.5 12v8.5M19.5 12v8.5M7 8.5V12M12 8.5V12M17 8.5V12",
        ),
        Tool(
            "arch",
            "ways",
            "a",
            11,
            "bridge {from} {to} arch",
            {"en": "arch", "de": "Bogen"},
            fill="M2.5 20V6.5h19V20h-4.2a5.3 5.3 0 0 0-10.6 0z",
            line="M12 6.5v8.2",
        ),
    ),
)
