"""Universal VTT: the plan of the board as a picture with its grid, for flat virtual tables.

The format has no heights: a wall would block sight on every level, so no walls are written.

Source: Arkenforge, "Universal VTT Files", format 0.3.
"""

from __future__ import annotations

import base64
import json

from falldamage_forge.board import Board
from falldamage_forge.lengths import PrintGrid
from falldamage_forge.render.svg import png
from falldamage_forge.render.topdown import topdown

PIXELS_PER_TILE = 100
_FORMAT = 0.3


def write_uvtt(board: Board, grid: PrintGrid) -> bytes:
    """Return the plan of a board as a Universal VTT file.

    Args:
        board: The board.
        grid: Grid of the table, for the reach of fields over tiles.
    """
    picture = png(topdown(board, rim=False, legend=False, tile_px=PIXELS_PER_TILE, grid=grid))
    table = {
        "format": _FORMAT,
        "resolution": {
            "map_origin": {"x": 0, "y": 0},
            "map_size": {"x": board.cols, "y": board.rows},
            "pixels_per_grid": PIXELS_PER_TILE,
        },
        "line_of_sight": [],
        "objects_line_of_sight": [],
        "portals": [],
        "environment": {"baked_lighting": False, "ambient_light": "ffffffff"},
        "lights": [],
        "image": base64.b64encode(picture).decode(),
    }
    return (json.dumps(table, indent=1) + "\n").encode()
