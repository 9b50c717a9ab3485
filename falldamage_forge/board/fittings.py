"""Fittings: what a map says that some games know and others do not. One table for all of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal

from falldamage_forge.board.crowns import arch_above, ends, taken
from falldamage_forge.board.grid import DIRECTION_NAMES, Tile
from falldamage_forge.board.model import Battlement, Board, Fitting, Ground
from falldamage_forge.issues import Issue, Note
from falldamage_forge.values import dataclass

INCH_UM = 25_400
Named = Literal["", "side", "field", "cover"]


@dataclass(frozen=True, slots=True)
class FittingKind:
    """How one kind of fitting is written.

    `edged` ones stand on the sides of a tile. `named` says what its name is, `length` what its
    length is called; that is `usual_um` where none is written, and at most `most_um`. `standing`
    ones stand on a surface, and are in the way of what stands there already.
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
"""Heights up to which there are pieces of a railing."""
COVERS = ("none", "partial", "full", "no-line-of-sight")
"""What a railing may be said to give; without a word its height tells."""


def fittings(board: Board, limits: object) -> Iterator[Issue]:
    """A railing stands on an edge of a surface, an obstruction on a free top, a pit in the ground.

    Two different railings on one edge, seen from one level, are one too many.
    """
    for fitting in board.fittings:
        why, mend = _unfit(board, fitting)
        if why:
            message = f"no {fitting.kind} can stand on {fitting.tile}: {why}"
            tiles = (fitting.tile,)
            yield Issue("FDF160", "error", message, fitting.source, tiles, mend)
    yield from _doubled(board)
    for fitting, side, why in railings(board):
        if why:
            message = (
                f"the railing on the {DIRECTION_NAMES[side]} side of {fitting.tile} is not printed"
            )
            hint = f"{why}; it is judged and drawn all the same"
            tiles = (fitting.tile,)
            yield Issue("FDF162", "warning", message, fitting.source, tiles, hint)


def railings(board: Board) -> Iterator[tuple[Fitting, tuple[int, int], str]]:
    """Every side of every railing, the tallest first, and why no piece stands there, if none does.

    A piece locks into a column's rim as a battlement does; two heights cannot meet at a corner.
    What is said from both sides of an edge comes once.
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
    """The height that a railing is printed in, or 0 if it is taller than all of them."""
    return next((high for high in PRINTED_UM if fitting.length_um <= high), 0)


def _unlaid(board: Board, fitting: Fitting, side: tuple[int, int]) -> str:
    tile, level = fitting.tile, fitting.level
    if not printed_um(fitting):
        return "the tallest piece is an inch high"
    if level != board.column(tile).level:
        return "a bridge has no rim to hold it"
    if level == 0:
        return "bare board has no rim to hold it"
    why, _ = taken(board, tile)
    if why:
        return why
    if any(crown.tile == tile for crown in board.battlements):
        return "a battlement stands there"
    if any(step.tile == tile for step in board.steps):
        return "a step stands there"
    if arch_above(board, tile):
        return "the arch above hangs down on to it"
    return next((f"{what} ends there" for what, _, _ in ends(board, Battlement(tile, (side,)))), "")


def _unfit(board: Board, fitting: Fitting) -> tuple[str, str]:
    """What keeps a fitting from standing where it is said to, and how to mend it."""
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
    """Railings that stand on one edge with another; the same said from both sides is one."""
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
            note = (Note(other.source, "the other is here"),) if other.source else ()
            tiles = (fitting.tile, other.tile)
            hint = "keep one of them: it counts for both tiles"
            yield Issue("FDF161", "error", message, fitting.source, tiles, hint, note)
