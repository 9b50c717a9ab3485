"""Bought parts: the magnets of a base, which lists, prices and sheets name and no plate prints."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from falldamage_forge.lengths import MAGNETS, magnet_size
from falldamage_forge.pieces.piece import MAGNET_PARAM, Piece

MAGNET = "magnet"
"""Builder and family of the magnets in pictures."""
BOUGHT = "bought"
"""Group of parts that no plate prints."""


def magnet_piece(name: str) -> Piece:
    """Return a magnet as a piece, for pictures and lists.

    Args:
        name: Name of its size, such as `6x2`.
    """
    size = MAGNETS[name]
    title = f"Disc magnet, {size.diameter_mm:g} x {size.height_mm:g} mm, bought"
    return Piece(
        f"{MAGNET}-{name}", MAGNET, title, MAGNET, ((MAGNET_PARAM, name),), (), group=BOUGHT
    )


def magnets_in(pieces: Mapping[str, Piece]) -> dict[str, Piece]:
    """Return the magnets that some pieces hold, as pieces by key.

    Args:
        pieces: The pieces by key.
    """
    names = sorted({size.name for piece in pieces.values() if (size := magnet_size(piece.magnets))})
    return {one.key: one for one in map(magnet_piece, names)}


def magnets_of(counts: Mapping[str, int], pieces: Mapping[str, Piece]) -> dict[str, int]:
    """Return the number of magnets that some parts hold, by the name of their size, sorted.

    Args:
        counts: Number of parts by key.
        pieces: The pieces by key.
    """
    held: Counter[str] = Counter()
    for key, count in counts.items():
        size = magnet_size(pieces[key].magnets)
        if count and size:
            held[size.name] += count * (pieces[key].edge_magnets + pieces[key].lying_magnets)
    return dict(sorted(held.items()))
