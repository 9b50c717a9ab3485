"""Railing: a rail on a tile's sides, printed where a rim holds it."""

from __future__ import annotations

from collections.abc import Iterator

from falldamage_forge.board import DIRECTION_NAMES, Battlement, Board, Fitting, Tile
from falldamage_forge.elements.element import INCH_UM, TILE_UM, Element, Tool
from falldamage_forge.elements.legality_tools import (
    BuildLimits,
    arch_above,
    fitting_check,
    hooks_into,
    off_level,
    top_occupant,
)
from falldamage_forge.elements.solids import Bar, Ink, Point, Spot, edge, square
from falldamage_forge.issues import Issue, notes_at

PRINTED_UM = (INCH_UM // 2, INCH_UM)
"""Heights in micrometres for which the catalogue has railing pieces."""


def railings(board: Board) -> Iterator[tuple[Fitting, tuple[int, int], str]]:
    """Yield every railing edge once, the tallest first, with the reason why it is not printed.

    A railing locks into a column's rim as a battlement does; two heights cannot meet at a corner.

    Yields:
        Fitting, (d_row, d_col) side, and the reason; the reason is empty if a piece stands there.
    """
    seen: set[tuple[frozenset[Tile], int]] = set()
    laid: dict[Tile, dict[tuple[int, int], int]] = {}
    for fitting in sorted(board.fitted("railing"), key=lambda rail: -rail.length_um):
        for side in fitting.sides:
            edge = (frozenset((fitting.tile, fitting.tile.step(side))), fitting.level)
            if edge in seen:
                continue
            seen.add(edge)
            why = _unlaid(board, fitting, side)
            for other, high_um in laid.get(fitting.tile, {}).items():
                beside = other[0] * side[0] + other[1] * side[1] == 0
                if not why and beside and printed_um(fitting) != high_um:
                    why = "a railing of another height stands round the corner"
            if not why:
                laid.setdefault(fitting.tile, {})[side] = printed_um(fitting)
            yield fitting, side, why


def printed_um(fitting: Fitting) -> int:
    """Return the printed height of a railing in micrometres; 0 if it is taller than every piece."""
    return next((high for high in PRINTED_UM if fitting.length_um <= high), 0)


def _unlaid(board: Board, fitting: Fitting, side: tuple[int, int]) -> str:
    tile, level = fitting.tile, fitting.level
    if not printed_um(fitting):
        return "the tallest piece is an inch high"
    if level != board.column(tile).level:
        return "a bridge has no rim to hold it"
    if level == 0:
        return "bare board has no rim to hold it"
    why = top_occupant(board, tile)
    if why:
        return why
    if any(crown.tile == tile for crown in board.battlements):
        return "a battlement stands there"
    if any(step.tile == tile for step in board.steps):
        return "a step stands there"
    if arch_above(board, tile):
        return "the arch above hangs down on to it"
    return next(
        (f"{what} ends there" for what, _, _ in hooks_into(board, Battlement(tile, (side,)))), ""
    )


def _unfit(board: Board, rail: Fitting) -> tuple[str, str]:
    return off_level(rail, board.tops(rail.tile))


def check_doubled(board: Board, limits: BuildLimits) -> Iterator[Issue]:
    """Report each second railing on an edge (FDF161); equal ones from both sides are one."""
    seen: dict[tuple[object, ...], Fitting] = {}
    for fitting in board.fittings:
        for side in fitting.sides:
            near = fitting.tile.step(side)
            edge = (frozenset((fitting.tile, near)), fitting.level)
            other = seen.setdefault(edge, fitting)
            if (other.name, other.length_um) == (fitting.name, fitting.length_um):
                continue
            name = DIRECTION_NAMES[side]
            message = f"two railings stand on the {name} side of {fitting.tile}"
            note = notes_at((other.source, "the other is here"))
            tiles = (fitting.tile, other.tile)
            hint = "keep one of them: it counts for both tiles"
            yield Issue("FDF161", "error", message, fitting.source, tiles, hint, note)


def check_unprinted(board: Board, limits: BuildLimits) -> Iterator[Issue]:
    """Warn of railings without a piece (FDF162)."""
    for fitting, side, why in railings(board):
        if why:
            message = (
                f"the railing on the {DIRECTION_NAMES[side]} side of {fitting.tile} is not printed"
            )
            hint = f"{why}; the rules and the drawings still use it"
            tiles = (fitting.tile,)
            yield Issue("FDF162", "warning", message, fitting.source, tiles, hint)


def solids(rail: Fitting) -> Iterator[Bar]:
    """Yield posts, and a bar at the top and in the middle of each side."""
    high = rail.length_um / TILE_UM
    for side in rail.sides:
        (r0, c0), (r1, c1) = edge(side, 0.04)

        def spot(share: float, level: float, one: Point = (r0, c0), two: Point = (r1, c1)) -> Spot:
            row, col = (a + (b - a) * share for a, b in zip(one, two, strict=True))
            return row, col, level

        for share in (0.0, 0.25, 0.5, 0.75, 1.0):
            yield Bar(spot(share, 0.0), spot(share, high), 0.055)
        for level in (high / 2, high):
            yield Bar(spot(0.0, level), spot(1.0, level), 0.055)


def symbol(rail: Fitting) -> Iterator[Ink]:
    """Yield a rail with three posts a side; a taller railing is broader."""
    width = 2.2 + min(3.0, 1.2 * rail.length_um / 12_700)
    for side in rail.sides:
        line = edge(side, 0.06)
        yield Ink(line, "gleam", width + 2.4)
        yield Ink(line, "edge", width)
        for share in (0.0, 0.5, 1.0):
            row, col = (a + (b - a) * share for a, b in zip(*line, strict=True))
            yield Ink(square(0.055, row, col), "edge")


ELEMENT = Element(
    word="railing",
    means="a rail on a tile's sides (default height: 1/2in); gang-skirmish",
    edged=True,
    named="cover",
    length="height",
    usual_um=INCH_UM // 2,
    most_um=4 * INCH_UM,
    standing=True,
    sign="|",
    synonyms=("rail", "fence", "handrail", "balustrade"),
    checks=(fitting_check("railing", _unfit), check_doubled, check_unprinted),
    solids=solids,
    symbol=symbol,
    families=("railing", "railing-tall"),
    tools=(
        Tool(
            "railing",
            "things",
            "y",
            13,
            "railing {tiles}",
            {"en": "railing", "de": "Geländer"},
            line="M3 21V8M9 21V8M15 21V8M21 21V8M2 8h20M2 14h20",
        ),
    ),
)
