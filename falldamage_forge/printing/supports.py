"""Supports of single parts: which need them, and the settings that switch them on in a slicer.

Our own parts need none. Supports go below slopes that we do not print without, and not into the
cavities of joints, whose slopes are steeper and whose ceilings are bridges.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from falldamage_forge.infra.lazy_dataclass import FrozenDict

if TYPE_CHECKING:
    from falldamage_forge.pieces.piece import Piece

SUPPORT_DEG = 40
"""Slopes from the horizontal below which supports are laid; those of joints are steeper."""
PRUSA_SUPPORTS: Mapping[str, str] = FrozenDict(
    support_material="1",
    support_material_auto="1",
    support_material_buildplate_only="0",
    support_material_threshold=f"{SUPPORT_DEG}",
    dont_support_bridges="1",
)
"""Settings of an object in PrusaSlicer."""
STUDIO_SUPPORTS: Mapping[str, str] = FrozenDict(
    enable_support="1",
    support_type="tree(auto)",
    support_on_build_plate_only="0",
    support_threshold_angle=f"{SUPPORT_DEG}",
    bridge_no_support="1",
)
"""Settings of an object in Bambu Studio and OrcaSlicer."""


def is_supported(piece: Piece) -> bool:
    """True for a model of others whose block asks for supports."""
    return bool(dict(piece.params).get("supports"))


def supported_keys(pieces: Mapping[str, Piece]) -> frozenset[str]:
    """Return the keys of the pieces that are printed with supports.

    Args:
        pieces: Pieces by key.
    """
    return frozenset(key for key, piece in pieces.items() if is_supported(piece))
