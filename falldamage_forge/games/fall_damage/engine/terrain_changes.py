"""Changes of terrain: bricks, lava, floods, shifted columns, effect zones."""

from falldamage_forge.games.fall_damage.engine import codes as C
from falldamage_forge.games.fall_damage.engine.columns import StateColumns
from falldamage_forge.games.fall_damage.engine.effects import emit_event, put
from falldamage_forge.games.fall_damage.engine.falls import owe_rests, settle_land, sort_chests
from falldamage_forge.games.fall_damage.engine.surface_index import within
from falldamage_forge.games.fall_damage.engine.terrain_state import changed, mark
from falldamage_forge.games.fall_damage.engine.unit_stats import number


def takes_bricks(s: StateColumns, tile: int) -> bool:
    """True if bricks may be placed on a tile.

    Args:
        s: State of the game; read only.
        tile: Tile number.
    """
    if s.feature[tile] or s.kind[tile] == C.FIRE or s.bricks[tile]:
        return False
    return not (s.under_deck[tile] or s.deck_end[tile] or s.ladder_foot[tile])


def place_bricks(s: StateColumns, owner: int, ability: int, tile: int, way: int) -> None:
    """Place the bricks of Scaffold or Partition; units and chests on them are lifted.

    Args:
        s: State of the game; changed.
        owner: The mage.
        ability: `codes.SCAFFOLD` or `codes.PARTITION`.
        tile: First tile.
        way: Direction of a Partition; -1 for a Scaffold.

    Source: "Units on effected tile are lifted, receive Fall Damage".
    """
    if s.n_bricks >= C.MOST_BRICKS:
        s.lost = C.LOST
        return
    count, levels = number(s, ability, C.A_TILES), number(s, ability, C.A_AMOUNT)
    row = s.n_bricks
    s.n_bricks += 1
    s.brick_owner[row], s.brick_levels[row] = owner, levels
    s.brick_left[row], s.brick_count[row] = number(s, ability, C.A_ROUNDS), count
    emit_event(s, C.E_BRICKS, owner, s.n_bricks - 1, levels, tile, way)
    lifted = 0
    for k in range(count):
        s.brick_tiles[row * C.BRICK_LENGTH + k] = tile
        lifted |= raise_occupants(s, tile, C.BRICKS, levels)
        tile = s.near[tile * 4 + way] if way >= 0 else -1
    sort_chests(s)
    owe_rests(s, lifted)


def raise_occupants(s: StateColumns, tile: int, what: int, levels: int) -> int:
    """Raise the ground or the bricks of a tile with its unit and chests.

    Args:
        s: State of the game; changed.
        tile: Tile number.
        what: The part that rises: `codes.LEVEL` or `codes.BRICKS`.
        levels: Levels to add; negative to lower.

    Returns:
        The lifted unit as a bit set; 0 if there is none.
    """
    spot = tile << 4 | (s.level[tile] + s.bricks[tile])
    mark(s, tile)
    if what == C.BRICKS:
        s.bricks[tile] += levels
    else:
        s.level[tile] += levels
    changed(s, tile)
    for n in range(s.n_chests):
        if s.chests[n] == spot:
            s.chests[n] = spot + levels
    if s.prize == spot:
        s.prize += levels
    who = s.occupant[spot]
    if who < 0:
        return 0
    put(s, who, spot + levels)
    return 1 << who


def take_bricks(s: StateColumns, n: int) -> None:
    """Remove placement number `n` of bricks.

    Args:
        s: State of the game; changed.
        n: Index in the columns of bricks, below `n_bricks`.
    """
    for k in range(s.brick_count[n]):
        tile = s.brick_tiles[n * C.BRICK_LENGTH + k]
        s.bricks[tile] -= s.brick_levels[n]
        changed(s, tile)
    for k in range(n, s.n_bricks - 1):
        s.brick_owner[k], s.brick_levels[k] = s.brick_owner[k + 1], s.brick_levels[k + 1]
        s.brick_left[k], s.brick_count[k] = s.brick_left[k + 1], s.brick_count[k + 1]
        for tile in range(C.BRICK_LENGTH):
            at = k * C.BRICK_LENGTH + tile
            s.brick_tiles[at] = s.brick_tiles[at + C.BRICK_LENGTH]
    s.n_bricks -= 1


def lays_bricks(s: StateColumns, owner: int) -> bool:
    """True if a unit has bricks on the board.

    Args:
        s: State of the game; read only.
        owner: Index of the unit.
    """
    for n in range(s.n_bricks):
        if s.brick_owner[n] == owner:
            return True
    return False


def remove_bricks(s: StateColumns, owner: int) -> None:
    """Remove all bricks of a unit; units on them fall by the mage's effect.

    Args:
        s: State of the game; changed.
        owner: Index of the unit.
    """
    if not lays_bricks(s, owner):
        return
    for n in range(s.n_bricks - 1, -1, -1):
        if s.brick_owner[n] == owner:
            take_bricks(s, n)
    owe_rests(s, settle_land(s, C.YES, owner))


def count_down(s: StateColumns) -> None:
    """Count a round start for all bricks; those without rounds left crumble.

    Source: "Brick spells crumble with Brick Mage action or after 2 round starts".
    """
    if s.n_bricks == 0:
        return
    by = -1
    for n in range(s.n_bricks - 1, -1, -1):
        s.brick_left[n] -= 1
        if s.brick_left[n] <= 0:
            by = s.brick_owner[n]
            take_bricks(s, n)
    owe_rests(s, settle_land(s, C.YES, by))


def can_become_lava(s: StateColumns, tile: int) -> bool:
    """True if a tile may become lava.

    It has no unit, chest, feature, ladder's foot or bricks, and is not lava.

    Args:
        s: State of the game; read only.
        tile: Tile number.
    """
    if s.feature[tile] or s.kind[tile] == C.FIRE or s.bricks[tile] or s.ladder_foot[tile]:
        return False
    for n in range(s.n_chests):
        if s.chests[n] >> 4 == tile:
            return False
    return s.prize >> 4 != tile and not tile_is_occupied(s, tile)


def tile_is_occupied(s: StateColumns, tile: int) -> bool:
    """True if a unit is on a tile, at any level.

    Args:
        s: State of the game; read only.
        tile: Tile number.
    """
    for level in range(16):
        if s.occupant[tile << 4 | level] >= 0:
            return True
    return False


def turn_into(s: StateColumns, tile: int, kind: int) -> None:
    """Change the ground of a tile to lava or water.

    Args:
        s: State of the game; changed.
        tile: Tile number.
        kind: `codes.FIRE` or `codes.WATER`.
    """
    mark(s, tile)
    s.kind[tile] = kind
    changed(s, tile)


def flood_line(s: StateColumns, tile: int, way: int, length: int) -> None:
    """Turn plain ground along a line into water (Dam Break).

    Args:
        s: State of the game; changed.
        tile: First tile.
        way: Direction: 0 north, 1 east, 2 south, 3 west.
        length: Length in tiles, all on the board.

    Source: "In a straight line of your choosing, place up to 10 tiles worth of Water, 1 wide".
    """
    for _ in range(length):
        if s.kind[tile] == C.DRY and s.feature[tile] == 0 and s.bricks[tile] == 0:
            turn_into(s, tile, C.WATER)
        tile = s.near[tile * 4 + way]


def run_length(s: StateColumns, tile: int, way: int, most: int) -> int:
    """Return the tiles from a tile to the board's edge in a direction, at most `most`.

    Args:
        s: State of the game; read only.
        tile: Tile number at which the run begins; it counts.
        way: Direction: 0 north, 1 east, 2 south, 3 west.
        most: Most tiles that are counted.
    """
    room = 0
    while tile >= 0 and room < most:
        room += 1
        tile = s.near[tile * 4 + way]
    return room


def can_shift_column(s: StateColumns, tile: int, levels: int) -> bool:
    """True if Tectonic Shift may raise or lower a tile by `levels` levels.

    Args:
        s: State of the game; read only.
        tile: Tile number.
        levels: Levels to add; negative to lower.
    """
    if s.kind[tile] != C.DRY or s.ladder_top[tile] or not takes_bricks(s, tile):
        return False
    return 0 <= s.level[tile] + levels <= C.MOST_LEVEL


def shift_column(s: StateColumns, tile: int, levels: int) -> None:
    """Raise a tile with its unit, or lower it, so that the unit falls.

    Args:
        s: State of the game; changed.
        tile: Tile number.
        levels: Levels up, negative for down.
    """
    if levels > 0:
        lifted = raise_occupants(s, tile, C.LEVEL, levels)
        sort_chests(s)
        owe_rests(s, lifted)
        return
    mark(s, tile)
    s.level[tile] += levels
    changed(s, tile)
    owe_rests(s, settle_land(s, C.NO, C.NONE))


def add_zone(s: StateColumns, kind: int, side: int, tile: int) -> None:
    """Create an effect zone around a tile: a square, for quicksand a circle.

    Args:
        s: State of the game; changed.
        kind: Kind of the zone, such as `codes.FOG_ZONE`.
        side: Side that the zone protects (ropes), 0 or 1; -1 for both.
        tile: Tile number of the middle.
    """
    if s.n_zones >= C.MOST_ZONES:
        s.lost = C.LOST
        return
    row = s.n_zones
    s.zone_kind[row], s.zone_side[row], s.zone_tile[row] = kind, side, tile
    s.n_zones += 1
    lay_zone(s, kind, side, tile)


def lay_zone(s: StateColumns, kind: int, side: int, tile: int) -> None:
    """Mark the tiles of an effect zone.

    Args:
        s: State of the game; changed.
        kind: Kind of the zone, such as `codes.FOG_ZONE`.
        side: Side that the zone protects (ropes), 0 or 1; -1 for both.
        tile: Tile number of the middle.
    """
    wide = s.zone_radius[kind]
    for rows in range(-wide, wide + 1):
        for cols in range(-wide, wide + 1):
            row, col = (tile >> 6) + rows, (tile & 63) + cols
            if not (0 <= row < s.rows and 0 <= col < s.cols):
                continue
            if zone_holds(s, kind, rows, cols):
                mark(s, row << 6 | col)
                lay_on(s, kind, side, row << 6 | col)


def zone_holds(s: StateColumns, kind: int, rows: int, cols: int) -> bool:
    """True if an offset within a zone's radius is in the zone.

    Args:
        s: State of the game; read only.
        kind: Kind of the zone, such as `codes.FOG_ZONE`.
        rows: Rows from the middle.
        cols: Columns from the middle.
    """
    return kind != C.SAND_ZONE or within(s, rows, cols, s.zone_radius[kind])


def lay_on(s: StateColumns, kind: int, side: int, tile: int) -> None:
    """Mark a tile as part of an effect zone.

    Args:
        s: State of the game; changed.
        kind: Kind of the zone, such as `codes.FOG_ZONE`.
        side: Side that the zone protects (ropes), 0 or 1; -1 for both.
        tile: Tile number.
    """
    if kind == C.SAND_ZONE:
        s.sand[tile] = 1
    elif kind == C.ROPES_ZONE:
        s.rope[tile] |= 1 << side
    elif kind == C.FOUNTAIN_ZONE:
        s.fountain[tile] = 1
    else:
        s.fog[tile] = 1
