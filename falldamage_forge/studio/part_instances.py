"""Instances of printed parts on the board, and the URLs of their meshes.

Uses neither meshes nor numpy, so that the page without a server can run it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from falldamage_forge.builds.model_pieces import BUILDER
from falldamage_forge.issues import has_errors
from falldamage_forge.maps.layout_plan import owned_parts
from falldamage_forge.studio.part_places import model_triangles, place_of, with_own_models
from falldamage_forge.studio.protocol import message

if TYPE_CHECKING:
    from falldamage_forge.pieces.piece import Piece, Placement
    from falldamage_forge.printing.printer import Printer
    from falldamage_forge.studio.session import Session

Address = Callable[["Piece", int], str | None]
"""Returns the URL of the mesh of a piece, with at most a number of triangles (0 for all);
None if there is none.
"""
BASE = frozenset({"quadrant", "tie", "rim-strip"})
"""Builders of pieces that cover the whole board from below."""


def no_mesh_url(_: Piece, __: int) -> str | None:
    """Return None: the page draws a placeholder for every piece."""
    return None


def parts(session: Session, address: Address = no_mesh_url) -> dict[str, Any]:
    """Return every placement by piece as a message: [x, y, z in mm, quarter turns, tiles].

    Turns are clockwise; x runs east and y north from the north-west corner. The block cover is a
    quick one, not the optimum. An illegal board has no parts.

    Args:
        session: The session.
        address: Returns the URL of a piece's mesh.
    """
    from falldamage_forge.studio.session import map_of
    from falldamage_forge.studio.shared_library import forge

    map_ = map_of(session)
    issues = forge().legal(map_)
    uses: dict[str, list[Placement]] = {}
    if not has_errors(issues):
        for placement in placements(session):
            uses.setdefault(placement.piece.key, []).append(placement)
    most = model_triangles(len(map_.board.models))
    return message(
        "parts",
        revision=session.revision,
        style=session.settings.style,
        parts=[
            {
                "key": key,
                "group": places[0].piece.group,
                "under": places[0].piece.builder in BASE,
                "model": _is_model(places[0].piece),
                "mesh": address(places[0].piece, most * _is_model(places[0].piece)),
                "places": [place_of(one) for one in places],
            }
            for key, places in sorted(uses.items())
        ],
        models={
            piece.key: address(piece, most)
            for piece in with_own_models(map_).pieces.values()
            if _is_model(piece)
        },
    )


def _is_model(piece: Piece) -> bool:
    return piece.builder == BUILDER


def placements(session: Session) -> tuple[Placement, ...]:
    """Return the placements of a legal map with a quick block cover."""
    from falldamage_forge import presets
    from falldamage_forge.pieces.exact_cover import SolverEffort
    from falldamage_forge.pieces.piece import size_suffix
    from falldamage_forge.pieces.plan import plan
    from falldamage_forge.pieces.variants import assign_variants
    from falldamage_forge.studio.session import map_of

    map_ = map_of(session)
    layout, owned, suffix = map_.layout, session.settings.owned(), size_suffix(map_.grid)
    if owned is None:
        owned = owned_parts(layout)
    else:  # by plain name, as the pieces here: parts of other sizes fit another table
        owned = {key.removesuffix(suffix): n for key, n in owned.items() if key.endswith(suffix)}
    quick = SolverEffort(nodes=20, seconds=1.0, max_spots=1500)
    found = plan(layout.board, with_own_models(map_), owned, effort=quick)
    broken = presets.load_style(session.settings.style).broken
    return assign_variants(found, session.settings.variants, broken=broken).placements


def digest(piece: Piece, printer: Printer, style: str, most: int = 0) -> str:
    """Return a digest of all inputs of a piece's mesh.

    Args:
        piece: Piece to build.
        printer: Printer whose gaps the mesh has.
        style: Name of the style.
        most: Greatest number of triangles; 0 for no such number.
    """
    from falldamage_forge import presets
    from falldamage_forge.geometry.mesh_cache import cache_key, code_version
    from falldamage_forge.geometry.piece_mesh import fit_of
    from falldamage_forge.render.baked_meshes import VERSION

    key = cache_key(piece, fit_of(printer), presets.load_style(style))
    return hashlib.sha256(f"{code_version()} {VERSION} {most} {key}".encode()).hexdigest()[:32]
