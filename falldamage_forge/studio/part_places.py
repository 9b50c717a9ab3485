"""Places of parts on the page's table, and the models of a map among them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from falldamage_forge.builds.model_pieces import added, has_file
from falldamage_forge.lang import ast
from falldamage_forge.lang.model_block import ModelBlock, model_of
from falldamage_forge.lang.parser import parse
from falldamage_forge.lengths import GRID
from falldamage_forge.pieces.model_keys import SHOWN_TRIANGLES, model_placements

if TYPE_CHECKING:
    from falldamage_forge.library.forge import Map
    from falldamage_forge.pieces.catalogue import Catalogue
    from falldamage_forge.pieces.piece import Placement


def model_triangles(count: int) -> int:
    """Return the greatest number of triangles of each model on a board.

    It halves when the number of models doubles, so that one more seldom changes every mesh.

    Args:
        count: Number of models on the board.
    """
    return SHOWN_TRIANGLES >> max(count - 1, 0).bit_length()


def with_own_models(map_: Map) -> Catalogue:
    """Return the pieces of a page, with the models of a map whose files lie beside it.

    The page draws tiles of 30 mm; a model is made in the map's own size, for which it was measured,
    and as it stands, even if it is printed in several parts.
    """
    from falldamage_forge import presets

    catalogue = presets.load_catalogue()
    if map_.root is None:
        return catalogue
    return added(catalogue, filter(has_file, models_of(map_)), map_.grid, whole=True)


def models_of(map_: Map) -> tuple[ModelBlock, ...]:
    """Return the models of a map: those on its board, and those that its own text can place.

    Args:
        map_: The map.
    """
    placed = map_.layout.models
    known = {model.name for model in placed}
    document, _ = parse(map_.text, map_.name)
    blocks = (one for one in document.statements if isinstance(one, ast.ModelBlock))
    rest = (model_of(one, one.name, map_.name) for one in blocks if one.name not in known)
    return (*placed, *rest)


def stands(before: Map, after: Map) -> list[list[Any]]:
    """Return the models of a map that another lacks: [piece, x, y, z in mm, quarter turns].

    Args:
        before: The other map.
        after: The map.
    """
    if not after.board.models:
        return []
    catalogue = with_own_models(after)
    old = set(model_placements(before.board, catalogue))
    new = (one for one in model_placements(after.board, catalogue) if one not in old)
    return [[one.piece.key, *place_of(one)[:4]] for one in new]


def place_of(placement: Placement) -> list[Any]:
    """Return a placement as [x, y, z in mm, quarter turns, tiles], for `parts`.

    Args:
        placement: Part with its tile, level and turns.
    """
    x, y = GRID.corner_mm(*placement.tile)
    rows, cols = _size(placement)
    # A turn goes about the corner at the north-west: the footprint is shifted back into place.
    shift = ((0, 0), (cols, 0), (cols, -rows), (0, -rows))[placement.quarter_turns % 4]
    z = GRID.height_mm(placement.level) + placement.raised_mm
    tiles = [[*tile] for tile in placement.tiles() or (placement.tile,)]
    return [
        x + shift[0] * GRID.pitch_mm,
        y + shift[1] * GRID.pitch_mm,
        round(z, 3),
        placement.quarter_turns % 4,
        tiles,
    ]


def _size(placement: Placement) -> tuple[int, int]:
    """Return rows and columns of the footprint after its turns."""
    offsets = placement.tiles() or (placement.tile,)
    rows = max(tile.row for tile in offsets) - min(tile.row for tile in offsets) + 1
    cols = max(tile.col for tile in offsets) - min(tile.col for tile in offsets) + 1
    return rows, cols
