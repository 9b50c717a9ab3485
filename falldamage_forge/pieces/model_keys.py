"""Keys of the pieces of models, the parts that a large one is cut into, and their placements.

A model that is larger than a printer's bed is cut at borders of tiles. Ties join its parts from
below, as they join the base.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePath
from typing import TYPE_CHECKING, NamedTuple

from falldamage_forge.board import DIRECTIONS, Board, StandingModel, Tile
from falldamage_forge.pieces.piece import Piece, Placement, turn_cells

if TYPE_CHECKING:
    from falldamage_forge.pieces.catalogue import Catalogue

MODEL_KEY = "model-"
"""Beginning of the keys of models' pieces."""
SHOWN_TRIANGLES = 20_000
"""Most triangles with which the models of a table are shown."""
SEAM_TIE = "seam-tie"
"""Key of the tie between two parts of a model."""


class Section(NamedTuple):
    """A part of a cut model: its first row and column, and how many rows and columns it has."""

    row: int
    col: int
    rows: int
    cols: int

    @property
    def cells(self) -> tuple[tuple[int, int], ...]:
        """Tiles of the model that it covers, row by row."""
        rows = range(self.row, self.row + self.rows)
        return tuple((row, self.col + col) for row in rows for col in range(self.cols))

    @property
    def own_cells(self) -> tuple[tuple[int, int], ...]:
        """The same tiles, counted from the first of its own."""
        return Section(0, 0, self.rows, self.cols).cells


def sections(
    cols: int, rows: int, parts: tuple[int, int], *, mirrored: bool = False
) -> tuple[Section, ...]:
    """Return the parts that a model is cut into, row by row, the larger ones first.

    Args:
        cols: Columns of tiles of the model.
        rows: Its rows of tiles.
        parts: Columns and rows of parts.
        mirrored: True for its mirror image, whose larger parts are those to the east.
    """
    wide, deep = _shares(cols, parts[0]), _shares(rows, parts[1])
    if mirrored:
        wide.reverse()
    return tuple(
        Section(sum(deep[:down]), sum(wide[:along]), own_rows, own_cols)
        for down, own_rows in enumerate(deep)
        for along, own_cols in enumerate(wide)
    )


def _shares(tiles: int, parts: int) -> list[int]:
    each, more = divmod(tiles, parts)
    return [each + (number < more) for number in range(parts)]


def model_key(name: str, *, mirrored: bool = False, part: int = 0) -> str:
    """Return the key of a model's piece.

    Args:
        name: Name of the model on a board.
        mirrored: True for its mirror image.
        part: Number of a part of a cut model, from 1; 0 for a model in one part.
    """
    plain = name.replace(".", "-").replace("_", "-").lower()
    ending = f"-part-{part}" if part else ""
    return f"{MODEL_KEY}{plain}{'-mirrored' if mirrored else ''}{ending}"


def model_origin(piece: Piece) -> tuple[str, str]:
    """Return the name of a model's file and its SHA-256; empty texts for other pieces.

    Args:
        piece: Piece of a map.
    """
    params = dict(piece.params)
    if "sha256" not in params:
        return "", ""
    return PurePath(str(params["file"])).name, str(params["sha256"])


def model_placements(board: Board, catalogue: Catalogue) -> Iterator[Placement]:
    """Yield a placement for each part of a board's models whose piece the catalogue has.

    A mirrored piece swaps its west and east; its turns count from there.

    Args:
        board: Legal board.
        catalogue: Catalogue with the pieces of the map's models.
    """
    for model in board.models:
        yield from _placed(model, catalogue)


def _placed(model: StandingModel, catalogue: Catalogue) -> Iterator[Placement]:
    whole, turns = model_key(model.name, mirrored=model.mirrored), DIRECTIONS.index(model.facing)
    if whole in catalogue:
        yield Placement(catalogue[whole], _corner(model), model.level, turns)
    number = 1
    while (key := model_key(model.name, mirrored=model.mirrored, part=number)) in catalogue:
        tiles = _turned(model, catalogue[key], section_of(catalogue[key]).cells)
        first = Tile(min(tile.row for tile in tiles), min(tile.col for tile in tiles))
        yield Placement(catalogue[key], first, model.level, turns)
        number += 1


def seam_ties(board: Board, catalogue: Catalogue) -> Iterator[Placement]:
    """Yield the ties that join the parts of models, each across a northern or western edge.

    Args:
        board: Legal board.
        catalogue: Catalogue with the pieces of the map's models.
    """
    for model in board.models:
        for placed in _placed(model, catalogue):
            for cell, side in tied_edges(placed.piece):
                if side in (0, 3):  # the part on the other side of the seam has the same tie
                    (tile,) = _turned(model, placed.piece, (cell,))
                    turned = (side + placed.quarter_turns) % 4
                    if turned in (1, 2):  # as the plan has ties: on a northern or western edge
                        tile, turned = tile.step(DIRECTIONS[turned]), (turned + 2) % 4
                    yield Placement(catalogue[SEAM_TIE], tile, model.level, turned)


def section_number(piece: Piece) -> int:
    """Return the number of the part of a cut model that a piece is, from 1; 0 for other pieces.

    Args:
        piece: Any piece.
    """
    return int(dict(piece.params).get("section", 0))


def section_of(piece: Piece) -> Section:
    """Return the part of its model that a piece is: all of it, unless it is cut.

    Args:
        piece: Piece of a model.
    """
    cols, rows, number = int(piece["cols"]), int(piece["rows"]), section_number(piece)
    cut = sections(cols, rows, parts_of(piece), mirrored=bool(piece["mirrored"]))
    return cut[number - 1] if number else Section(0, 0, rows, cols)


def parts_of(piece: Piece) -> tuple[int, int]:
    """Return the columns and rows of parts that a piece's model is cut into.

    Args:
        piece: Piece of a model.
    """
    cols, _, rows = str(dict(piece.params).get("parts", "1x1")).partition("x")
    return int(cols), int(rows)


def tied_edges(piece: Piece) -> tuple[tuple[tuple[int, int], int], ...]:
    """Return the edges of a part's tiles that a tie crosses: (row, column) of the model, and side.

    Every seam has a tie in the tiles at its ends. Sides are numbered from 0 for the north,
    clockwise.

    Args:
        piece: Piece of a model; one in one part has none.
    """
    return section_ties(section_of(piece), int(piece["rows"]), int(piece["cols"]))


def section_ties(own: Section, rows: int, cols: int) -> tuple[tuple[tuple[int, int], int], ...]:
    """Return the same for a section of a model of some rows and columns of tiles.

    Args:
        own: The section.
        rows: Rows of tiles of the model.
        cols: Columns of tiles of the model.
    """
    south, east = own.row + own.rows - 1, own.col + own.cols - 1
    across, along = sorted({own.col, east}), sorted({own.row, south})
    return (
        *(((own.row, col), 0) for col in across if own.row),
        *(((row, east), 1) for row in along if east < cols - 1),
        *(((south, col), 2) for col in across if south < rows - 1),
        *(((row, own.col), 3) for row in along if own.col),
    )


def _turned(
    model: StandingModel, piece: Piece, cells: tuple[tuple[int, int], ...]
) -> tuple[Tile, ...]:
    """Return the tiles of a board on which some cells of a piece's model lie."""
    whole = Section(0, 0, int(piece["rows"]), int(piece["cols"])).cells
    turned = turn_cells(whole, DIRECTIONS.index(model.facing))
    places, corner = dict(zip(whole, turned, strict=True)), _corner(model)
    return tuple(corner.step(places[cell]) for cell in cells)


def _corner(model: StandingModel) -> Tile:
    return Tile(min(tile.row for tile in model.tiles), min(tile.col for tile in model.tiles))
