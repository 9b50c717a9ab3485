"""Line of sight: "connecting a straight line through space from attacker to target".

A unit's eye and heart are the middle of its voxel (option `los_eye`); a solid blocks when the line
meets its inside in any tile crossed, so grazing a face, an edge or a corner leaves the line open.
What each end stands on never blocks: that alone is looked through, not what lies further down in
the same tile.
"""

from __future__ import annotations

from falldamage_forge.board import Tile
from falldamage_forge.board.surfaces import Surface, Terrain
from falldamage_forge.games.fall_damage.engine import codes as C
from falldamage_forge.games.fall_damage.engine.ground_state import crowd, open_state, show_line
from falldamage_forge.games.fall_damage.engine.line_of_sight import closed_by
from falldamage_forge.games.fall_damage.engine.surface_index import cols_between, rows_between
from falldamage_forge.games.fall_damage.options import Options
from falldamage_forge.games.fall_damage.play.spots import spot_of, tile_number, tile_of
from falldamage_forge.rules.answers import Sight

BY = {C.BY_DECK: "the bridge", C.BY_UNIT: "a unit"}


def sees(
    terrain: Terrain,
    viewer: Surface,
    target: Surface,
    options: Options,
    *,
    taken: frozenset[Surface] = frozenset(),
    fog: frozenset[Tile] = frozenset(),
) -> Sight:
    """Whether one surface's unit sees another's; `taken` are the other units' surfaces.

    A line that meets the inside of a tile of `fog` is closed at any height, its ends included
    ("Fog block LOS Attacks except melee": melee does not ask this).
    """
    s = open_state(terrain.board, options)
    one, other = sorted((spot_of(viewer), spot_of(target)))
    show_line(s, rows_between(one, other), cols_between(one, other))
    for n in range(s.way_count[0] if fog else 0):
        tile = tile_of((one >> 4) + s.way_tile[n])
        if tile in fog and s.way_low[n] != s.way_high[n]:
            return Sight(False, f"fog at {tile}")
    with crowd(s, taken - {viewer, target}):
        found = closed_by(s, one, other, C.NONE, C.NONE, C.NONE, C.NONE)
    if found < 0:
        return Sight(True)
    tile = tile_of(found >> 2)
    feature = terrain.board.column(tile).feature
    ground = f"the {feature}" if s.feature[tile_number(tile)] else "terrain"
    return Sight(False, f"{BY.get(found & 3, ground)} at {tile}")
