"""Costs of blocks: what a cover by blocks minimises, in the style that is printed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Literal

from falldamage_forge.builds.part_features import features_by_key
from falldamage_forge.printing.estimate import grams, part_seconds, rates_of

if TYPE_CHECKING:
    from falldamage_forge.geometry.piece_style import PieceStyle
    from falldamage_forge.pieces.piece import Piece
    from falldamage_forge.printing.printer import Printer

Minimise = Literal["grams", "hours", "pieces"]


def block_costs(
    blocks: Iterable[Piece],
    printer: Printer,
    minimise: Minimise | None,
    style: PieceStyle | Literal["plain"],
) -> dict[str, float] | None:
    """Return the cost of each block by key: grams, minutes or 1; None leaves it to the planner.

    Args:
        blocks: Blocks that the planner may use.
        printer: The printer.
        minimise: What is minimised: `pieces`, `grams`, `hours`, or None.
        style: Style of the parts, whose relief takes time.
    """
    from falldamage_forge.geometry.piece_mesh import printed_sizes

    pieces = {block.key: block for block in blocks}
    if minimise is None:
        return None
    if minimise == "pieces":
        return dict.fromkeys(pieces, 1.0)
    shapes = features_by_key(pieces, printed_sizes(pieces, printer, style), printer)
    rates = rates_of(printer)
    if minimise == "grams":
        return {key: grams(shape, rates) for key, shape in shapes.items()}
    return {key: part_seconds(shape, rates) / 60 for key, shape in shapes.items()}


def seam_cost(costs: Mapping[str, float] | None) -> float:
    """Return the cost of an aligned seam: a tenth of the cheapest block's.

    Args:
        costs: Costs of blocks; None for the planner's own.
    """
    return 0.1 * min(costs.values()) if costs else 0.5
