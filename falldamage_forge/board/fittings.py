"""Fittings: elements that only some rulesets read. `FITTINGS` is the table of all kinds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal

from falldamage_forge.board.board_model import Battlement, Board, Fitting, Ground
from falldamage_forge.board.coordinates import DIRECTION_NAMES, Tile
from falldamage_forge.board.top_legality import arch_above, hooks_into, top_occupant
from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.issues import Issue, notes_at

INCH_UM = 25_400
Named = Literal["", "side", "field", "cover"]


@dataclass(frozen=True, slots=True)
class FittingKind:
    """The syntax of one kind of fitting.

    Attributes:
        edged: True if it stands on sides of a tile.
        named: Kind of name that it takes; empty for none.
        length: Name of its length in the source; empty for none.
        usual_um: Default length in micrometres.
        most_um: Greatest length in micrometres.
        standing: True if it stands on a surface and blocks other elements there.
    """

    edged: bool = False
    named: Named = ""
    length: Literal["", "height", "radius"] = ""
    usual_um: int = 0
    most_um: int = 0
    standing: bool = False


FITTINGS: Mapping[str, FittingKind] = {
    "railing": FittingKind(True, "cover", "height", INCH_UM // 2, 4 * INCH_UM, True),
    "obstruction": FittingKind(False, "", "height", INCH_UM, 4 * INCH_UM, True),
    "field": FittingKind(False, "field", "radius", 5 * INCH_UM // 2, 12 * INCH_UM),
    "pitfall": FittingKind(),
    "gate": FittingKind(),
    "base": FittingKind(named="side"),
}
PRINTED_UM = (INCH_UM // 2, INCH_UM)
"""Heights in micrometres for which the catalogue has railing pieces."""
COVERS = ("none", "partial", "full", "no-line-of-sight")
"""Cover words of a railing; without one the cover follows from its height."""


def check_fittings(board: Board, limits: object) -> Iterator[Issue]:
    """Report fittings that cannot stand where the map puts them.

    A railing stands on an edge of a surface, an obstruction on a free top, a pit in the ground. An
    edge holds one railing.

    Args:
        board: The board to check.
        limits: Unused; every check takes the build limits.

    Yields:
        FDF160 for a misplaced fitting, FDF161 for two railings on one edge, FDF162 (a warning) for
        a railing without a piece.
    """
    for fitting in board.fittings:
        why, fix = _unfit(board, fitting)
        if why:
            message = f"no {fitting.kind} can stand on {fitting.tile}: {why}"
            tiles = (fitting.tile,)
            yield Issue("FDF160", "error", message, fitting.source, tiles, fix)
    yield from _doubled(board)
    for fitting, side, why in railings(board):
        if why:
            message = (
                f"the railing on the {DIRECTION_NAMES[side]} side of {fitting.tile} is not printed"
            )
            hint = f"{why}; the rules and the drawings still use it"
            tiles = (fitting.tile,)
            yield Issue("FDF162", "warning", message, fitting.source, tiles, hint)


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


def _unfit(board: Board, fitting: Fitting) -> tuple[str, str]:
    """Return why a fitting cannot stand on its tile, and a hint; both empty if it can."""
    tile, level = fitting.tile, fitting.level
    column = board.column(tile)
    if fitting.kind == "pitfall" and level and level == column.level:
        return f"it is a tower of level {level}", "a pit is a hole in the bare board"
    if fitting.kind in ("pitfall", "obstruction") and level == column.level:
        if column.feature is not None:
            return f"a {column.feature} stands there", f"move the {column.feature}"
        if column.ground is not Ground.GROUND:
            return f"it is {column.ground}", "choose plain terrain"
        if fitting.kind == "obstruction" and (tile, level) in board.pits:
            return "it is a pit", "choose plain terrain"
        return "", ""
    if not FITTINGS[fitting.kind].standing and fitting.kind != "pitfall":
        return "", ""
    known = board.tops(tile) if fitting.kind == "railing" else (column.level,)
    if level not in known:
        tops = " or ".join(f"{tile}@{top}" for top in known)
        return f"there is nothing at level {level}", f"write {tops}"
    return "", ""


def _doubled(board: Board) -> Iterator[Issue]:
    """Yield an issue for each second railing on an edge; equal railings from both sides are one."""
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
