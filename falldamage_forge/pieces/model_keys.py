"""Keys of the pieces of models, and their placements on a board."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePath
from typing import TYPE_CHECKING

from falldamage_forge.board import DIRECTIONS, Board, Tile
from falldamage_forge.pieces.piece import Piece, Placement

if TYPE_CHECKING:
    from falldamage_forge.pieces.catalogue import Catalogue

MODEL_KEY = "model-"
"""Beginning of the keys of models' pieces."""


def model_key(name: str, *, mirrored: bool = False) -> str:
    """Return the key of a model's piece.

    Args:
        name: Name of the model on a board.
        mirrored: True for its mirror image.
    """
    plain = name.replace(".", "-").replace("_", "-").lower()
    return f"{MODEL_KEY}{plain}-mirrored" if mirrored else f"{MODEL_KEY}{plain}"


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
    """Yield a placement for each model of a board whose piece the catalogue has.

    A mirrored piece swaps its west and east; its turns count from there.

    Args:
        board: Legal board.
        catalogue: Catalogue with the pieces of the map's models.
    """
    for x in board.models:
        key = model_key(x.name, mirrored=x.mirrored)
        if key in catalogue:
            corner = Tile(min(t.row for t in x.tiles), min(t.col for t in x.tiles))
            yield Placement(catalogue[key], corner, x.level, DIRECTIONS.index(x.facing))
