"""Terrain state: solid, wet and burning tiles, and the surfaces on them.

`survey` derives a tile's values from its column, bricks and decks; `changed` updates them during a
game and `restore` undoes all changes.
"""

from falldamage_forge.games.fall_damage.engine import codes as C
from falldamage_forge.games.fall_damage.engine.columns import StateColumns


def top(s: StateColumns, o: int, tile: int) -> int:
    """Return the top level of a column, including its feature.

    Args:
        s: State of the game; read only.
        o: Start of the tile columns: 0 for the terrain now, `s.base` for the map's own.
        tile: Tile number.
    """
    return s.top[o + tile]


def free(s: StateColumns, o: int, tile: int, low: int, high: int) -> bool:
    """True if no solid lies between two levels over a tile.

    Args:
        s: State of the game; read only.
        o: Start of the tile columns: 0 for the terrain now, `s.base` for the map's own.
        tile: Tile number.
        low: Lower level.
        high: Upper level.
    """
    at = o + tile
    if s.top[at] > low:
        return False
    # A slab fills the level under its top where headroom is more than one.
    over = s.decks[at] >> (low + 1)
    return over & ((1 << (high - low - (s.headroom == 1))) - 1) == 0


def stands(s: StateColumns, o: int, spot: int) -> bool:
    """True if a surface index is a surface on which a unit can stand.

    Args:
        s: State of the game; read only.
        o: Start of the tile columns: 0 for the terrain now, `s.base` for the map's own.
        spot: Surface index.
    """
    return s.stand[o + (spot >> 4)] >> (spot & 15) & 1 == 1


def wet(s: StateColumns, o: int, spot: int) -> bool:
    """True if a surface is the top of bare water.

    Args:
        s: State of the game; read only.
        o: Start of the tile columns: 0 for the terrain now, `s.base` for the map's own.
        spot: Surface index.
    """
    return s.wet[o + (spot >> 4)] >> (spot & 15) & 1 == 1


def lava(s: StateColumns, o: int, spot: int) -> bool:
    """True if a surface is the top of bare lava.

    Args:
        s: State of the game; read only.
        o: Start of the tile columns: 0 for the terrain now, `s.base` for the map's own.
        spot: Surface index.
    """
    return s.lava[o + (spot >> 4)] >> (spot & 15) & 1 == 1


def highest_below(s: StateColumns, o: int, tile: int, level: int) -> int:
    """Return the highest top at or below a level; -1: the level is inside solid ground.

    Args:
        s: State of the game; read only.
        o: Start of the tile columns: 0 for the terrain now, `s.base` for the map's own.
        tile: Tile number.
        level: Level from which the search goes down.
    """
    at = o + tile
    best = s.top[at] if s.top[at] <= level else -1
    decks = s.decks[at]
    for deck in range(level, best, -1):
        if decks >> deck & 1:
            return deck
    return best


def lowest(bits: int) -> int:
    """Return the index of the lowest bit set."""
    place = 0
    while not bits >> place & 1:
        place += 1
    return place


def decks_without(s: StateColumns, tile: int, number: int) -> int:
    """Return the levels of the decks over a tile as bits, without deck `number`.

    Args:
        s: State of the game; read only.
        tile: Tile number.
        number: Number of the bridge that is left out.
    """
    bits = 0
    for n in range(s.n_decks):
        if n == number or s.deck_alive[n] == 0:
            continue
        for k in range(s.deck_count[n]):
            if s.deck_tiles[n * C.DECK_LENGTH + k] == tile:
                bits |= 1 << s.deck_level[n]
    return bits


def survey(s: StateColumns, o: int, tile: int) -> None:
    """Derive a tile's tops and surfaces from its column, bricks and decks.

    Args:
        s: State of the game; changed.
        o: Start of the tile columns: 0 for the terrain now, `s.base` for the map's own.
        tile: Tile number.
    """
    at = o + tile
    level = s.level[at] + s.bricks[at]
    kind = C.DRY if s.bricks[at] > 0 else s.kind[at]
    feature, decks = s.feature[at], s.decks[at]
    rise = s.heights[feature]
    s.top[at] = level + rise
    s.wet[at] = 1 << level if kind == C.WATER and feature == 0 else 0
    s.lava[at] = 1 << level if kind == C.FIRE and feature == 0 else 0
    levels = decks | (1 << level if kind != C.FIRE else 0)
    stand = 0
    room = max(s.headroom - 1, 1 if s.headroom > 1 else 0)
    for z in range(16):
        if levels >> z & 1 and level + rise <= z and not decks >> (z + 1) & ((1 << room) - 1):
            stand |= 1 << z
    s.stand[at] = stand


def forget_links(s: StateColumns, tile: int) -> None:
    """Invalidate the cached links near a tile.

    Args:
        s: State of the game; only work columns change.
        tile: Tile number.
    """
    for k in range(9):
        near = tile
        if k > 0:
            way = (k - 1) & 3
            near = s.near[tile * 4 + way] if k < 5 else s.away[tile * 4 + way]
        if near >= 0:
            for level in range(16):
                s.link[(near << 4 | level) * C.LINKS] = 0


def mark(s: StateColumns, tile: int) -> None:
    """Record that a tile differs from the map's own.

    Args:
        s: State of the game; changed.
        tile: Tile number.
    """
    if s.changed[tile] == 0:
        s.changed[tile] = 1
        s.changes[s.n_changed] = tile
        s.n_changed += 1


def changed(s: StateColumns, tile: int) -> None:
    """Update surfaces and links after a change of a tile, and record the change.

    Args:
        s: State of the game; changed.
        tile: Tile number.
    """
    mark(s, tile)
    survey(s, C.GROUND, tile)
    forget_links(s, tile)


def survey_decks(s: StateColumns, tile: int) -> None:
    """Derive a tile's bridges and ladders after one of them was destroyed.

    Args:
        s: State of the game; changed.
        tile: Tile number.
    """
    decks, under, end, foot, up = 0, 0, 0, 0, 0
    for n in range(s.n_decks):
        if s.deck_alive[n] == 0:
            continue
        if s.deck_a[n] == tile or s.deck_b[n] == tile:
            end = 1
        for k in range(s.deck_count[n]):
            if s.deck_tiles[n * C.DECK_LENGTH + k] == tile:
                decks |= 1 << s.deck_level[n]
                under = 1
    for n in range(s.n_ladders):
        if s.ladder_alive[n]:
            foot |= 1 if s.foot_tile[n] == tile else 0
            up |= 1 if s.head_tile[n] == tile else 0
    s.decks[tile], s.under_deck[tile], s.deck_end[tile] = decks, under, end
    s.ladder_foot[tile], s.ladder_top[tile] = foot, up


def restore(s: StateColumns) -> None:
    """Reset all changed tiles to the map's own."""
    for n in range(s.n_changed):
        tile = s.changes[n]
        base = s.base + tile
        s.level[tile] = s.level[base]
        s.kind[tile] = s.kind[base]
        s.feature[tile] = s.feature[base]
        s.bricks[tile] = s.bricks[base]
        s.top[tile] = s.top[base]
        s.decks[tile] = s.decks[base]
        s.stand[tile] = s.stand[base]
        s.wet[tile] = s.wet[base]
        s.lava[tile] = s.lava[base]
        s.sand[tile] = s.sand[base]
        s.rope[tile] = s.rope[base]
        s.fountain[tile] = s.fountain[base]
        s.fog[tile] = s.fog[base]
        s.under_deck[tile] = s.under_deck[base]
        s.deck_end[tile] = s.deck_end[base]
        s.ladder_foot[tile] = s.ladder_foot[base]
        s.ladder_top[tile] = s.ladder_top[base]
        s.scar[tile] = s.scar[base]
        s.changed[tile] = s.changed[base]
    for n in range(s.n_changed):
        forget_links(s, s.changes[n])
    s.n_changed = 0


def rebuild(s: StateColumns) -> None:
    """Reset bridges and ladders to the map's own."""
    for n in range(s.n_decks):
        s.deck_alive[n], s.deck_scar[n] = 1, 0
    for n in range(s.n_ladders):
        s.ladder_alive[n], s.ladder_scar[n] = 1, 0


def survey_all(s: StateColumns) -> None:
    """Derive the tops and surfaces of every tile; called once per map."""
    for row in range(s.rows):
        for col in range(s.cols):
            survey(s, C.GROUND, row << 6 | col)
            survey(s, s.base, row << 6 | col)
