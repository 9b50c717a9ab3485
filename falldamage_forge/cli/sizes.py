"""`--tile` and `--rise`: the size of tiles and levels, where no map tells it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from falldamage_forge.lengths import GRID, Grid, parse_length_mm, printed

if TYPE_CHECKING:
    from falldamage_forge.pieces.catalogue import Catalogue
    from falldamage_forge.pieces.model import Piece

Command = TypeVar("Command", bound=Callable[..., Any])


def _length(ctx: click.Context, param: click.Parameter, value: str | None) -> float | None:
    """The millimetres of an option; none where it is not said."""
    try:
        return None if value is None else parse_length_mm(value)
    except ValueError as error:
        raise click.BadParameter(str(error), ctx, param) from None


def size_options(command: Command) -> Command:
    """`--tile` and `--rise` as a decorator; the command gets `tile_mm` and `rise_mm`."""
    rise = click.option(
        "--rise",
        "rise_mm",
        metavar="LENGTH",
        callback=_length,
        help="Height of a level, such as 1/2in; a MAP says its own.",
    )
    tile = click.option(
        "--tile",
        "tile_mm",
        metavar="LENGTH",
        callback=_length,
        help="Side of a tile, such as 1in; a MAP says its own.",
    )
    return tile(rise(command))


def grid_asked(tile_mm: float | None, rise_mm: float | None) -> Grid:
    """The grid that the options say; ForgeError (FDF437) where nothing can be made on it."""
    if tile_mm is None and rise_mm is None:
        return GRID
    from falldamage_forge.geometry.scale import misfits
    from falldamage_forge.issues import ForgeError, Issue

    grid = printed(tile_mm, rise_mm)
    if faults := [Issue("FDF437", "error", why) for why in misfits(grid)]:
        raise ForgeError(faults)
    return grid


def made(catalogue: Catalogue) -> dict[str, Piece]:
    """The pieces by name that have room in the catalogue's size."""
    from falldamage_forge.geometry.scale import unmade

    return {
        name: piece
        for name, piece in catalogue.pieces.items()
        if unmade(piece.builder, piece.levels, piece.grid) is None
    }
