"""Piece plan of a layout: the parts that build it, those of its own stock first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING

from falldamage_forge.pieces.model_keys import SEAM_TIE, model_key, section_ties, sections
from falldamage_forge.pieces.plan import PiecePlan, plan

if TYPE_CHECKING:
    from falldamage_forge.lang import Layout
    from falldamage_forge.pieces.catalogue import Catalogue


def owned_parts(layout: Layout) -> dict[str, int]:
    """Return the parts of a map's stock by plain key; a model that it names is all of its parts.

    Args:
        layout: The map.
    """
    models = {model.name: model for model in layout.models}
    owned: Counter[str] = Counter()
    for name, count in layout.owned.items():
        if name not in models:
            owned[name] += count
            continue
        model = models[name]
        cut = sections(model.cols, model.rows, model.parts)
        ties = sum(len(section_ties(own, model.rows, model.cols)) for own in cut) // 2
        for part in range(len(cut)):
            owned[model_key(name, part=part + 1 if len(cut) > 1 else 0)] += count
        owned[SEAM_TIE] += ties * count
    return dict(+owned)


def plan_layout(
    layout: Layout,
    catalogue: Catalogue,
    owned: Mapping[str, int] | None = None,
    costs: Mapping[str, float] | None = None,
    *,
    bond: float = 0.0,
) -> PiecePlan:
    """Return the piece plan of a legal layout.

    Args:
        layout: The layout.
        catalogue: Pieces of the layout's size.
        owned: Owned parts by piece key; None uses the layout's stock.
        costs: Cost of each block by key; None counts filament.
        bond: Cost of each aligned seam, in the unit of `costs`.
    """
    if owned is None:
        owned = catalogue.keyed(owned_parts(layout))
    return plan(layout.board, catalogue, owned, costs, bond=bond)
