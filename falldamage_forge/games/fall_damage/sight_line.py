"""Lines of sight: "connecting a straight line through space from attacker to target".

The ends of a line are the middles of the units' voxels (option `los_eye`). A solid blocks if the
line meets its inside; touching a face, an edge or a corner does not block. The solid on which an
end stands does not block.
"""

from __future__ import annotations

from importlib.util import find_spec
from itertools import combinations

from falldamage_forge.board import Board, Tile
from falldamage_forge.board.surfaces import Surface, Terrain
from falldamage_forge.games.fall_damage.engine import codes as C
from falldamage_forge.games.fall_damage.engine import empty_state
from falldamage_forge.games.fall_damage.engine.columns import StateColumns
from falldamage_forge.games.fall_damage.engine.line_of_sight import closed_by, open_line
from falldamage_forge.games.fall_damage.engine.surface_index import cols_between, rows_between
from falldamage_forge.games.fall_damage.options import FallDamageOptions
from falldamage_forge.games.fall_damage.play.surface_number import spot_of, tile_number, tile_of
from falldamage_forge.rules.answers import Sight

BY = {C.BY_DECK: "the bridge", C.BY_UNIT: "a unit"}


MANY = 400
"""Number of surfaces from which numpy, if installed, computes all lines of an offset together."""


def visible_sets(board: Board, options: FallDamageOptions) -> tuple[int, ...]:
    """Return, for each surface, a bit mask of the surfaces visible from it, without units.

    Args:
        board: The board.
        options: Options of the rules.
    """
    s = empty_state.copy_of(empty_state.ground_state(board, options))
    if s.n_surfaces >= MANY and find_spec("numpy"):
        from falldamage_forge.games.fall_damage.visibility_matrix import visibility_matrix

        return visibility_matrix(s)
    return seen_one_by_one(s)


def seen_one_by_one(s: StateColumns) -> tuple[int, ...]:
    """Return the masks of `visible_sets`, one line at a time."""
    empty_state.show_lines(s, max(s.rows, s.cols))
    masks = [0] * s.n_surfaces
    for a, b in combinations(range(s.n_surfaces), 2):
        if open_line(s, s.surfaces[a], s.surfaces[b], C.NONE, C.NONE, C.NONE, C.NONE):
            masks[a] |= 1 << b
            masks[b] |= 1 << a
    return tuple(masks)


def has_line_of_sight(
    terrain: Terrain,
    viewer: Surface,
    target: Surface,
    options: FallDamageOptions,
    *,
    taken: frozenset[Surface] = frozenset(),
    fog: frozenset[Tile] = frozenset(),
) -> Sight:
    """Return whether a unit on one surface sees another, and the blocker if not.

    Args:
        terrain: Terrain of the board.
        viewer: First surface.
        target: Second surface.
        options: Options of the ruleset.
        taken: Surfaces of the other units.
        fog: Tiles of fog; they block at any level, the ends included.

    Source: "Fog block LOS Attacks except melee".
    """
    s = empty_state.open_state(terrain.board, options)
    one, other = sorted((spot_of(viewer), spot_of(target)))
    empty_state.show_line(s, rows_between(one, other), cols_between(one, other))
    for n in range(s.way_count[0] if fog else 0):
        tile = tile_of((one >> 4) + s.way_tile[n])
        if tile in fog and s.way_low[n] != s.way_high[n]:
            return Sight(False, f"fog at {tile}")
    with empty_state.crowd(s, taken - {viewer, target}):
        found = closed_by(s, one, other, C.NONE, C.NONE, C.NONE, C.NONE)
    if found < 0:
        return Sight(True)
    tile = tile_of(found >> 2)
    fixed = tile in terrain.board.fixed
    feature = "model" if fixed else terrain.board.column(tile).feature
    ground = f"the {feature}" if s.feature[tile_number(tile)] else "terrain"
    return Sight(False, f"{BY.get(found & 3, ground)} at {tile}")
