"""Parts as a slicer lays them down: every layer is the section at its middle, as high as the layer.

Joints are proved with these, not with the mesh: a slope is printed as steps, and what ends between
the middles of two layers is drawn or left out whole.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from falldamage_forge.geometry.build import build_solid, placement_transform, play_transform
from falldamage_forge.geometry.fits import Fit
from falldamage_forge.geometry.layers import Layers
from falldamage_forge.geometry.solids import Solid
from falldamage_forge.geometry.standard import LAYER_MM
from falldamage_forge.geometry.style import PLAIN, Style
from falldamage_forge.pieces.model import Piece, Placement

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Box = Sequence[float]
"""Low x, y, z and high x, y, z in mm."""


@lru_cache(maxsize=256)
def layers_of(piece: Piece, fit: Fit, style: Style = PLAIN) -> Layers:
    """The sections of a piece in print pose, each cut once."""
    return Layers(build_solid(piece, fit.on(piece.grid), style), LAYER_MM)


def printed(layers: Layers, box: Box) -> Solid:
    """What of a part's layers lies in a box, in print pose; empty where nothing does."""
    from manifold3d import CrossSection, Manifold

    low, high = box[:3], box[3:]
    size = (high[0] - low[0], high[1] - low[1])
    window = CrossSection.square(size).translate((low[0], low[1]))
    slabs = []
    for index in range(layers.count):
        bottom, middle = index * layers.layer_mm, (index + 0.5) * layers.layer_mm
        # A slicer leaves out the last layer of a part that ends below that layer's middle.
        if bottom + layers.layer_mm > low[2] and bottom < high[2] and middle < layers.top_mm:
            flat: Any = layers.cut(middle) ^ window
            if not flat.is_empty():
                slab = Manifold.extrude(flat, layers.layer_mm)
                slabs.append(slab.translate((0.0, 0.0, bottom)))
    # Slabs touch and never overlap: to join them would take ten times as long and change nothing.
    return Manifold.compose(slabs)


def printed_standing(placement: Placement, fit: Fit, near: Box, style: Style = PLAIN) -> Solid:
    """What of a printed part lies in a box of the board's mm, standing on the board."""
    import numpy as np

    piece = placement.piece
    matrix = placement_transform(placement) @ play_transform(piece, fit)
    layers = layers_of(piece, fit, style)
    box = _moved_box(near, np.linalg.inv(matrix).astype(np.float64))
    return printed(layers, box).transform(matrix[:3].tolist())


def _moved_box(box: Box, matrix: NDArray[np.floating[Any]]) -> Box:
    """The box of a box that is turned by quarters and moved."""
    import numpy as np

    corners = np.array([[*box[:3], 1.0], [*box[3:], 1.0]]) @ matrix.T
    return (*corners[:, :3].min(axis=0), *corners[:, :3].max(axis=0))
