"""Parts as a slicer prints them: each layer is the section at its middle, extruded by its height.

Joints are checked on these, not on meshes: a slope prints as steps, and a feature that ends between
the middles of two layers is printed as a whole layer or not at all.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import groupby
from typing import TYPE_CHECKING, Any

from falldamage_forge.geometry.connector_standard import LAYER_MM
from falldamage_forge.geometry.csg import Solid
from falldamage_forge.geometry.design_parameters import DesignParameters
from falldamage_forge.geometry.piece_mesh import build_solid, placement_transform, play_transform
from falldamage_forge.geometry.piece_style import PLAIN, PieceStyle
from falldamage_forge.geometry.slicing import LayerSlices
from falldamage_forge.pieces.piece import Piece, Placement

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Box = Sequence[float]
"""Low x, y, z and high x, y, z in mm."""


@lru_cache(maxsize=256)
def layers_of(piece: Piece, fit: DesignParameters, style: PieceStyle = PLAIN) -> LayerSlices:
    """Return the sections of a piece in print pose; each is cut once.

    Args:
        piece: Piece with its grid and parameters.
        fit: Design parameters of the printer and grid, in mm.
        style: Looks of the kit.
    """
    return LayerSlices(build_solid(piece, fit.on(piece.grid), style), LAYER_MM)


def printed(layers: LayerSlices, box: Box) -> Solid:
    """Return the printed layers of a part inside a box, in print pose; empty if there are none.

    Layers of equal section that lie on each other are one slab.

    Args:
        layers: Sections of the part.
        box: Low and high corner in mm.
    """
    from manifold3d import CrossSection, Manifold

    low, high = box[:3], box[3:]
    size = (high[0] - low[0], high[1] - low[1])
    window = CrossSection.square(size).translate((low[0], low[1]))
    thick = layers.layer_mm
    # A slicer leaves out the last layer of a part that ends below that layer's middle.
    middles = [
        (index + 0.5) * thick
        for index in range(layers.count)
        if (index + 1) * thick > low[2] and index * thick < high[2]
    ]
    slabs = []
    for _, group in groupby((z for z in middles if z < layers.top_mm), layers.outline):
        same = list(group)
        flat: Any = layers.cut(same[0]) ^ window
        if not flat.is_empty():
            slab = Manifold.extrude(flat, thick * len(same))
            slabs.append(slab.translate((0.0, 0.0, same[0] - thick / 2)))
    # Slabs touch and never overlap: to join them would take ten times as long and change nothing.
    return Manifold.compose(slabs)


def printed_standing(
    placement: Placement, fit: DesignParameters, near: Box, style: PieceStyle = PLAIN
) -> Solid:
    """Return the printed layers of a placed part inside a box on the board.

    Args:
        placement: Part and its position.
        fit: Gaps of the printer.
        near: Low and high corner on the board in mm.
        style: Relief of the part.
    """
    import numpy as np

    piece = placement.piece
    matrix = placement_transform(placement) @ play_transform(piece, fit)
    layers = layers_of(piece, fit, style)
    box = moved_box(near, np.linalg.inv(matrix).astype(np.float64))
    return printed(layers, box).transform(matrix[:3].tolist())


def moved_box(box: Box, matrix: NDArray[np.floating[Any]]) -> Box:
    """Return the bounding box of a box that is turned by quarters and moved.

    Args:
        box: Low x, y, z and high x, y, z, in mm.
        matrix: Transform of shape (4, 4) or (3, 4).
    """
    import numpy as np

    corners = np.array([[*box[:3], 1.0], [*box[3:], 1.0]]) @ matrix.T
    return (*corners[:, :3].min(axis=0), *corners[:, :3].max(axis=0))
