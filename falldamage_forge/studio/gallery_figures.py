"""Gallery: picture, facts, hours and risk of each preset map, and its parts that are owned."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import Any

from falldamage_forge import presets
from falldamage_forge.languages.translator import language_names, spoken
from falldamage_forge.studio.protocol import message
from falldamage_forge.studio.session import Session, map_of
from falldamage_forge.studio.shared_library import forge

RISK = "push exposure"
"""The metric that the gallery shows as the difficulty of a map; some games have none."""


def picture(name: str) -> str:
    """Return a small drawing of a preset map as SVG."""
    from falldamage_forge.render.isometric import isometric
    from falldamage_forge.render.svg import svg

    map_ = forge().load(name)
    return svg(isometric(map_.board, grid=map_.grid, tops=map_.layout.printing.tops))


@cache
def preset_card(name: str) -> dict[str, Any]:
    """Return the facts that the gallery shows of a preset map."""
    map_ = forge().load(name)
    return {
        "title": map_.title,
        "rows": map_.board.rows,
        "cols": map_.board.cols,
        "game": forge().game(map_)[0].title,
        "pieces": len(forge().plan(map_).placements),
    }


@cache
def outlines() -> dict[str, str]:
    """Return the outline of each unit's figure by card; see `silhouette_paths`."""
    from falldamage_forge.render.silhouettes import silhouette_paths

    return silhouette_paths(presets.load_catalogue())


@cache
def preset_figures(name: str) -> dict[str, Any]:
    """Return the hours to print a preset map on the default printer, and its difficulty in words.

    The difficulty is the sentence of the metric `RISK` by language, empty if the map's game has
    none.
    """
    map_ = forge().load(name)
    built = forge().assemble(forge().check(map_))
    found = (x.text for x in forge().analyze(map_).metrics if x.name == RISK)
    hours = sum(figures.minutes for figures in built.build.figures) / 60
    texts = {name: spoken(name)(risk) for risk in found for name in language_names()}
    return {"hours": round(hours, 1), "difficulty": texts}


def owned_parts(session: Session, name: str) -> dict[str, Any]:
    """Return as a message how many parts of a preset map are owned, and how many are left to print.

    They are of the user's stock, or else of the `inventory` of the session's map. `parts` is 0 if
    there is neither, or the name is not a preset map's.

    Args:
        session: Session of the map.
        name: Name of a preset map.
    """
    mine, inventory = session.settings.owned(), map_of(session).layout.owned
    counts: Counter[str] = Counter()
    missing: Counter[str] = Counter()
    if (inventory or mine is not None) and name in presets.map_names():
        map_ = forge().load(name)
        stock = forge().catalogue(map_).keyed(inventory) if mine is None else mine
        counts = Counter(forge().plan(map_, stock).counts())
        missing = counts - Counter(stock)
    parts, left = counts.total(), missing.total()
    return message("stock", name=name, owned=parts - left, parts=parts, left=left)
