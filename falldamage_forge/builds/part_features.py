"""Features of parts: the input of the estimate, from meshes or from sizes that are known."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from falldamage_forge.printing.estimate_model import PartFeatures
from falldamage_forge.printing.layer_ranges import with_ranges

if TYPE_CHECKING:
    from falldamage_forge.geometry.mesh import Mesh
    from falldamage_forge.geometry.part_size import PartSize
    from falldamage_forge.pieces.piece import Piece
    from falldamage_forge.printing.printer import Printer


def features_of_mesh(mesh: Mesh) -> PartFeatures:
    """Return the input of the estimate for a mesh in print pose whose layers are alike."""
    from falldamage_forge.geometry.print_bands import print_bands

    return PartFeatures(print_bands(mesh))


def features_by_key(
    pieces: Mapping[str, Piece], sizes: Mapping[str, PartSize], printer: Printer
) -> dict[str, PartFeatures]:
    """Return the features of pieces of known sizes, with their ranges of layers.

    Args:
        pieces: Pieces by key.
        sizes: Size of each.
        printer: Printer with its process.
    """
    return {
        key: with_ranges(PartFeatures(sizes[key].bands), piece, printer)
        for key, piece in pieces.items()
    }
