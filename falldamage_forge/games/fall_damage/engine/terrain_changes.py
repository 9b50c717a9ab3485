"""Bricks, lava, floods, shifts of the ground, and zones."""

from falldamage_forge.games.fall_damage.engine import codes as C
from falldamage_forge.games.fall_damage.engine.columns import State
from falldamage_forge.games.fall_damage.engine.effect_stack import note
from falldamage_forge.games.fall_damage.engine.effects import put
from falldamage_forge.games.fall_damage.engine.falls import owe_rests, settle_land, sort_chests
from falldamage_forge.games.fall_damage.engine.surface_index import within
from falldamage_forge.games.fall_damage.engine.terrain_state import changed, mark


def takes_bricks(s: State, tile: int) -> bool:
    """Whether bricks may be laid on a tile."""
    if s.feature[tile] or s.kind[tile] == C.FIRE or s.bricks[tile]:
        return False
    return not (s.under_deck[tile] or s.deck_end[tile] or s.ladder_foot[tile])


def lay(s: State, owner: int, tile: int, way: int, count: int, levels: int) -> None:
    """Bricks rise under whoever stands there, chests too."""
    if s.n_bricks >= C.MOST_BRICKS:
        s.lost = C.LOST
        return
    row = s.n_bricks
    s.n_bricks += 1
    s.brick_owner[row], s.brick_levels[row] = owner, levels
    s.brick_left[row], s.brick_count[row] = 2, count
    note(s, C.E_BRICKS, owner, s.n_bricks - 1, levels, tile, way)
    lifted = 0
    for k in range(count):
        s.brick_tiles[row * C.BRICK_LENGTH + k] = tile
        lifted |= lift(s, tile, C.BRICKS, levels)
        tile = s.near[tile * 4 + way] if way >= 0 else -1
    sort_chests(s)
    owe_rests(s, lifted)


def lift(s: State, tile: int, what: int, levels: int) -> int:
    """The ground or the bricks of a tile rise with who and what is on it; gives whom, as a bit."""
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


def take_bricks(s: State, n: int) -> None:
    """Take one laying of bricks away."""
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


def lays_bricks(s: State, owner: int) -> bool:
    """Whether a unit's bricks lie somewhere."""
    for n in range(s.n_bricks):
        if s.brick_owner[n] == owner:
            return True
    return False


def crumble(s: State, owner: int) -> None:
    """All bricks of a unit go, and who stands on them falls, 2 further by the Mage's doing."""
    if not lays_bricks(s, owner):
        return
    for n in range(s.n_bricks - 1, -1, -1):
        if s.brick_owner[n] == owner:
            take_bricks(s, n)
    owe_rests(s, settle_land(s, C.YES, owner))


def count_down(s: State) -> None:
    """A round starts: bricks have one round start less, and crumble at the second."""
    if s.n_bricks == 0:
        return
    by = -1
    for n in range(s.n_bricks - 1, -1, -1):
        s.brick_left[n] -= 1
        if s.brick_left[n] <= 0:
            by = s.brick_owner[n]
            take_bricks(s, n)
    owe_rests(s, settle_land(s, C.YES, by))


def burnable(s: State, tile: int) -> bool:
    """No unit, chest, feature, ladder's foot, bricks or lava there."""
    if s.feature[tile] or s.kind[tile] == C.FIRE or s.bricks[tile] or s.ladder_foot[tile]:
        return False
    for n in range(s.n_chests):
        if s.chests[n] >> 4 == tile:
            return False
    return s.prize >> 4 != tile and not crowded(s, tile)


def crowded(s: State, tile: int) -> bool:
    """Whether anybody stands on a tile, at any level."""
    for level in range(16):
        if s.occupant[tile << 4 | level] >= 0:
            return True
    return False


def turn_into(s: State, tile: int, kind: int) -> None:
    """The ground of a tile becomes lava or water."""
    mark(s, tile)
    s.kind[tile] = kind
    changed(s, tile)


def flood_line(s: State, tile: int, way: int, length: int) -> None:
    """Dam Break: plain ground along a line becomes water."""
    for _ in range(length):
        if s.kind[tile] == C.DRY and s.feature[tile] == 0 and s.bricks[tile] == 0:
            turn_into(s, tile, C.WATER)
        tile = s.near[tile * 4 + way]


def run_length(s: State, tile: int, way: int, most: int) -> int:
    """Tiles from one on in a direction, itself included, as far as the board goes."""
    room = 0
    while tile >= 0 and room < most:
        room += 1
        tile = s.near[tile * 4 + way]
    return room


def may_shift(s: State, tile: int, levels: int) -> bool:
    """Whether Tectonic Shift may move a tile by so many levels."""
    if s.kind[tile] != C.DRY or s.ladder_top[tile] or not takes_bricks(s, tile):
        return False
    return 0 <= s.level[tile] + levels <= C.MOST_LEVEL


def shift(s: State, tile: int, levels: int) -> None:
    """A tile rises with what stands on it, or sinks and it falls."""
    if levels > 0:
        lifted = lift(s, tile, C.LEVEL, levels)
        sort_chests(s)
        owe_rests(s, lifted)
        return
    mark(s, tile)
    s.level[tile] += levels
    changed(s, tile)
    owe_rests(s, settle_land(s, C.NO, C.NONE))


def add_zone(s: State, kind: int, side: int, tile: int) -> None:
    """Tiles around one come under a lasting effect: a square, for quicksand a circle of 2."""
    if s.n_zones >= C.MOST_ZONES:
        s.lost = C.LOST
        return
    row = s.n_zones
    s.zone_kind[row], s.zone_side[row], s.zone_tile[row] = kind, side, tile
    s.n_zones += 1
    lay_zone(s, kind, side, tile)


def lay_zone(s: State, kind: int, side: int, tile: int) -> None:
    """Mark the tiles of a zone."""
    wide = 2 if kind == C.SAND_ZONE else 1
    for rows in range(-wide, wide + 1):
        for cols in range(-wide, wide + 1):
            row, col = (tile >> 6) + rows, (tile & 63) + cols
            if not (0 <= row < s.rows and 0 <= col < s.cols):
                continue
            if kind != C.SAND_ZONE or within(s, rows, cols, s.item_radius[C.URN]):
                mark(s, row << 6 | col)
                lay_on(s, kind, side, row << 6 | col)


def lay_on(s: State, kind: int, side: int, tile: int) -> None:
    """A tile comes under a lasting effect."""
    if kind == C.SAND_ZONE:
        s.sand[tile] = 1
    elif kind == C.ROPES_ZONE:
        s.rope[tile] |= 1 << side
    elif kind == C.FOUNTAIN_ZONE:
        s.fountain[tile] = 1
    else:
        s.fog[tile] = 1
