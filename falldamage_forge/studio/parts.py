"""Which printed part stands where on the board, and where its mesh is to be had.

Needs neither meshes nor numpy, so that a page without a server can ask the same.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from falldamage_forge.issues import has_errors
from falldamage_forge.lengths import GRID
from falldamage_forge.studio.protocol import message

if TYPE_CHECKING:
    from falldamage_forge.pieces.model import Piece, Placement
    from falldamage_forge.printing.printer import Printer
    from falldamage_forge.studio.session import Session

Address = Callable[["Piece"], str | None]
"""From a piece to where a page finds its mesh; None where there is none."""
BASE = frozenset({"quadrant", "tie", "rim-strip"})
"""Builders of what lies under the whole board."""


def no_address(_: Piece) -> str | None:
    """The page draws a sketch of every piece."""
    return None


def parts(session: Session, address: Address = no_address) -> dict[str, Any]:
    """Every placement of the board, by piece: [x, y, z in mm, clockwise quarter turns, tiles].

    x runs east and y north from the board's north-west corner. The division into blocks is a quick
    one. A board that cannot stand has no parts.
    """
    from falldamage_forge.studio.session import forge, map_of

    issues = forge().legal(map_of(session))
    uses: dict[str, list[Placement]] = {}
    if not has_errors(issues):
        for placement in placements(session):
            uses.setdefault(placement.piece.key, []).append(placement)
    return message(
        "parts",
        revision=session.revision,
        style=session.settings.style,
        parts=[
            {
                "key": key,
                "group": places[0].piece.group,
                "under": places[0].piece.builder in BASE,
                "mesh": address(places[0].piece),
                "places": [_place(one) for one in places],
            }
            for key, places in sorted(uses.items())
        ],
    )


def placements(session: Session) -> tuple[Placement, ...]:
    """The parts of a map that can be built, blocks divided quickly."""
    from falldamage_forge import presets
    from falldamage_forge.pieces.cover import Effort
    from falldamage_forge.pieces.plan import plan
    from falldamage_forge.pieces.variants import dressed
    from falldamage_forge.studio.session import map_of

    layout = map_of(session).layout
    quick = Effort(nodes=20, seconds=1.0, max_spots=1500)
    found = plan(layout.board, presets.load_catalogue(), layout.owned, effort=quick)
    return dressed(found, session.settings.variants).placements


def _place(placement: Placement) -> list[Any]:
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
    """Rows and columns of the footprint after its turns."""
    offsets = placement.tiles() or (placement.tile,)
    rows = max(tile.row for tile in offsets) - min(tile.row for tile in offsets) + 1
    cols = max(tile.col for tile in offsets) - min(tile.col for tile in offsets) + 1
    return rows, cols


def digest(piece: Piece, printer: Printer, style: str) -> str:
    """A name for the mesh of a piece: of all that decides what it becomes."""
    from falldamage_forge import presets
    from falldamage_forge.geometry.build import fit_of
    from falldamage_forge.geometry.kept import code_version, key_of
    from falldamage_forge.render.baked import VERSION

    key = key_of(piece, fit_of(printer), presets.load_style(style))
    return hashlib.sha256(f"{code_version()} {VERSION} {key}".encode()).hexdigest()[:32]
