"""Options `--tile` and `--rise`: size of tiles and levels without a map."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import click

from falldamage_forge.cli import option
from falldamage_forge.lengths import GRID, PrintGrid, parse_length_mm, print_grid

if TYPE_CHECKING:
    from falldamage_forge.pieces.catalogue import Catalogue
    from falldamage_forge.pieces.piece import Piece


def _length(ctx: click.Context, param: click.Parameter, value: str | None) -> float | None:
    """Return the option's length in mm; None if it is not given."""
    try:
        return None if value is None else parse_length_mm(value)
    except ValueError as error:
        raise click.BadParameter(str(error), ctx, param) from None


_length_of = partial(option.text, metavar="LENGTH", callback=_length)
SIZE = option.table(
    tile_mm=_length_of("Side of a tile, such as 1in (default: the map's own).", "--tile"),
    rise_mm=_length_of("Height of a level, such as 1/2in (default: the map's own).", "--rise"),
)
"""Options of the print size, the keywords of `requested_grid`."""


def requested_grid(tile_mm: float | None, rise_mm: float | None) -> PrintGrid:
    """Return the grid of the options; ForgeError (FDF437) if no piece can be made on it.

    Args:
        tile_mm: Side of a tile in mm; None for the usual one.
        rise_mm: Height of a level in mm; None for the usual one.
    """
    if tile_mm is None and rise_mm is None:
        return GRID
    from falldamage_forge.geometry.size_limits import grid_problems
    from falldamage_forge.issues import ForgeError, Issue

    grid = print_grid(tile_mm, rise_mm)
    if faults := [Issue("FDF437", "error", why) for why in grid_problems(grid)]:
        raise ForgeError(faults)
    return grid


def printable_pieces(catalogue: Catalogue) -> dict[str, Piece]:
    """Return the pieces by name that can be printed in the catalogue's size."""
    from falldamage_forge.geometry.size_limits import size_problem

    return {
        name: piece
        for name, piece in catalogue.pieces.items()
        if size_problem(piece.builder, piece.levels, piece.grid) is None
    }
