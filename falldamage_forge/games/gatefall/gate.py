"""The Gate and the Bases of a board: from the map's statements, the option or the start zones."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal, NamedTuple

from falldamage_forge.board import Board, Fitting, Tile, column_name
from falldamage_forge.games.gatefall.options import GatefallOptions
from falldamage_forge.issues import Issue, Note


class Gate(NamedTuple):
    """Squares of one line, "Just 1" deep; `at` is the row or column number from 0.

    `whole` is true if the Gate spans the board.
    """

    tiles: frozenset[Tile]
    line: Literal["row", "column"]
    at: int
    whole: bool

    def of(self, tile: Tile) -> int:
        """Return the row or column of a tile, across the Gate's line."""
        return tile.row if self.line == "row" else tile.col

    @property
    def text(self) -> str:
        """`row 8`, `column E`, or `D8..G8 of row 8`."""
        name = str(self.at + 1) if self.line == "row" else column_name(self.at)
        line = f"{self.line} {name}"
        if self.whole:
            return line
        first, last = min(self.tiles), max(self.tiles)
        return f"{first}..{last} of {line}" if first != last else f"{first} of {line}"

    def side(self, tiles: Iterable[Tile]) -> str:
        """Return the side of the Gate on which a character is.

        It is `gate` in it with any square, and `beside` in its line but not in it, or on both
        sides.

        Source: "completely out of it on either side".
        """
        listed = tuple(tiles)
        if self.tiles.intersection(listed):
            return "gate"
        before, after = ("north", "south") if self.line == "row" else ("west", "east")
        if all(self.of(tile) < self.at for tile in listed):
            return before
        return after if all(self.of(tile) > self.at for tile in listed) else "beside"


def gate_of(board: Board, options: GatefallOptions) -> Gate | None:
    """Return the Gate of a map's `gate` statements, else that of the option; None if there is none.

    A single square counts as part of a row.

    Args:
        board: Board of the map.
        options: Options of the ruleset.
    """
    squares = frozenset(fitting.tile for fitting in board.fitted("gate"))
    if squares:
        rows, cols = ({tile.row for tile in squares}, {tile.col for tile in squares})
        if len(rows) == 1:
            return Gate(squares, "row", min(rows), len(squares) == board.cols)
        return Gate(squares, "column", min(cols), len(squares) == board.rows)
    row = gate_row(board, options)
    if row is None:
        return None
    return Gate(frozenset(Tile(row, col) for col in range(board.cols)), "row", row, True)


def gate_row(board: Board, options: GatefallOptions) -> int | None:
    """Return the row of the Gate from 0; None without a Gate, or if it runs along a column.

    With an even number of rows, `middle` is the northern of the middle two.

    Args:
        board: Board of the map.
        options: Options of the ruleset.
    """
    if board.fitted("gate"):
        gate = gate_of(board, options)
        return gate.at if gate and gate.line == "row" else None
    if isinstance(options.gate, int):
        return options.gate - 1 if options.gate <= board.rows else None
    return (board.rows - 1) // 2 if options.gate == "middle" else None


def bases(board: Board) -> dict[str, frozenset[Tile]]:
    """Return the Base of each side: the map's `base` statements, else its start zone."""
    found = {zone.side: frozenset(tile for tile, _ in zone.surfaces) for zone in board.starts}
    said: dict[str, set[Tile]] = {}
    for fitting in board.fitted("base"):
        said.setdefault(fitting.name, set()).add(fitting.tile)
    return {**found, **{side: frozenset(tiles) for side, tiles in said.items()}}


def base_tiles(board: Board) -> frozenset[Tile]:
    """Return the squares of both Bases."""
    return frozenset().union(*bases(board).values())


def misfits(board: Board, options: GatefallOptions) -> Iterator[Issue]:
    """Yield issues for a Gate off the board, two Gates, and a square in two Bases.

    Args:
        board: Board of the map.
        options: Options of the ruleset.
    """
    gate = options.gate
    if isinstance(gate, int) and gate > board.rows:
        message = f"the Gate is row {gate}, and the board has {board.rows} rows"
        hint = f"write `gate` and a row from 1 to {board.rows}, `middle` or `none`"
        yield Issue("FDF368", "error", message, hint=hint)
    yield from _two_gates(board, options)
    yield from _two_bases(board)


def _two_gates(board: Board, options: GatefallOptions) -> Iterator[Issue]:
    squares = board.fitted("gate")
    if not squares:
        return
    first = squares[0]
    aside = [one for one in squares if one.tile.row != first.tile.row]
    if len({one.tile.row for one in squares}) > 1 and len({one.tile.col for one in squares}) > 1:
        message = "there are two Gates: the squares lie neither in one row nor in one column"
        yield _clash(message, max(aside, key=_written), first, "keep one row or one column of them")
        return
    if options.gate == "middle":
        return
    found = gate_of(board, options)
    if found is None or (found.line, found.at + 1) != ("row", options.gate):
        ruled = "there is none" if options.gate == "none" else f"it is row {options.gate}"
        where = found.text if found else "none"
        message = f"the Gate is {where} here, and by the rules {ruled}"
        yield Issue("FDF373", "error", message, first.source, (), "take one of them away")


def _two_bases(board: Board) -> Iterator[Issue]:
    seen: dict[Tile, Fitting] = {}
    for square in board.fitted("base"):
        other = seen.setdefault(square.tile, square)
        if other.name != square.name:
            message = f"{square.tile} is in {other.name}'s Base and in {square.name}'s"
            yield _clash(message, square, other, "give it to one side")
            return


def _written(fitting: Fitting) -> tuple[int, Tile]:
    return (fitting.source.line if fitting.source else 0, fitting.tile)


def _clash(message: str, one: Fitting, other: Fitting, hint: str) -> Issue:
    note = (Note(other.source, "the other is here"),) if other.source else ()
    return Issue("FDF373", "error", message, one.source, (one.tile, other.tile), hint, note)
