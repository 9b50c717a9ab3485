"""Falls: units, chests and prizes that lose their floor, and the destruction of terrain targets."""

from falldamage_forge.games.fall_damage.engine import codes as C
from falldamage_forge.games.fall_damage.engine import effects, terrain_state
from falldamage_forge.games.fall_damage.engine.columns import StateColumns
from falldamage_forge.games.fall_damage.engine.surface_index import apart, earlier
from falldamage_forge.games.fall_damage.engine.unit_stats import has_ability, number


def fall_damage(s: StateColumns, i: int, drop: int, into_water: int, mage: int) -> int:
    """Return the damage of an involuntary fall.

    Args:
        s: State of the game; read only.
        i: The unit that falls.
        drop: Levels.
        into_water: 1 if it lands in water.
        mage: 1 if a mage causes the fall.

    Source: "Water prevents Fall Damage.", "Mages give bonus 2 damage for Fall Damage".
    """
    if drop <= 0 or into_water or has_ability(s, i, C.NO_FALL):
        return 0
    return drop + (number(s, C.MAGE, C.A_AMOUNT) if mage else 0)


def rest_spot(s: StateColumns, tile: int, level: int, side: int) -> int:
    """Return the nearest free surface for a side's unit whose landing is taken; -1: none.

    Args:
        s: State of the game; read only.
        tile: Tile number of the taken landing.
        level: Highest level that counts.
        side: 0 red, 1 blue; decides between surfaces that are equally near.
    """
    found, corner = -1, tile << 4
    for row in range(s.rows):
        for col in range(s.cols):
            stand = s.stand[row << 6 | col]
            for z in range(min(level, 15), -1, -1):
                spot = row << 10 | col << 4 | z
                if not stand >> z & 1 or s.occupant[spot] >= 0:
                    continue
                far = apart(spot, corner)
                best = apart(found, corner) if found >= 0 else far + 1
                higher = z > found & 15 or (z == found & 15 and earlier(side, spot, found))
                if far < best or (far == best and higher):
                    found = spot
    return found


def fall(s: StateColumns, i: int, mage: int, by: int) -> bool:
    """Drop a unit whose floor is gone; true if it survives and its landing is pending.

    Args:
        s: State of the game; changed.
        i: Index of the unit; nothing happens if it is off the board.
        mage: 1 if a mage causes the fall.
        by: Index of the unit that causes it; -1 for none.
    """
    if s.spot[i] < 0:
        return False
    o = C.GROUND
    tile, level = s.spot[i] >> 4, s.spot[i] & 15
    below = terrain_state.highest_below(s, o, tile, level)
    end = tile << 4 | below if below >= 0 else -1
    if end >= 0 and terrain_state.lava(s, o, end) and not s.discorporate[i]:
        effects.kill(s, i, C.BY_LAVA, by, end)
        return False
    good = end >= 0 and (terrain_state.stands(s, o, end) or terrain_state.lava(s, o, end))
    if not good or (end != s.spot[i] and s.occupant[end] >= 0):
        end = rest_spot(s, tile, level, s.side[i])
        if end < 0:
            effects.kill(s, i, C.BY_FALL, by)
            return False
    damage = fall_damage(s, i, level - (end & 15), terrain_state.wet(s, o, end), mage)
    effects.put(s, i, end)
    effects.deal_damage(s, i, damage, C.BY_FALL, by)
    effects.remove_dead(s)
    return s.spot[i] >= 0


def floorless(s: StateColumns, spot: int) -> bool:
    """True if nothing solid supports a surface.

    Args:
        s: State of the game; read only.
        spot: Surface index.
    """
    return terrain_state.highest_below(s, C.GROUND, spot >> 4, spot & 15) != spot & 15


def sort_chests(s: StateColumns) -> None:
    """Sort the chests by surface index."""
    for n in range(1, s.n_chests):
        spot, k = s.chests[n], n
        while k > 0 and s.chests[k - 1] > spot:
            s.chests[k] = s.chests[k - 1]
            k -= 1
        s.chests[k] = spot


def settle_land(s: StateColumns, mage: int, by: int) -> int:
    """Resolve every fall after a change of terrain: chests, prize, units.

    Args:
        s: State of the game; changed.
        mage: 1 if a mage causes the falls, which adds to their damage.
        by: The unit that causes them, -1 for none.

    Returns:
        The surviving units as a bit set; their landings are still to be stacked.
    """
    o = C.GROUND
    for n in range(s.n_chests - 1, -1, -1):
        spot = s.chests[n]
        if not floorless(s, spot):
            continue
        below = terrain_state.highest_below(s, o, spot >> 4, spot & 15)
        end = spot >> 4 << 4 | below
        if below < 0 or terrain_state.lava(s, o, end):
            effects.drop_chest(s, n)
        else:
            s.chests[n] = end
    sort_chests(s)
    if s.prize >= 0 and floorless(s, s.prize):
        below = terrain_state.highest_below(s, o, s.prize >> 4, s.prize & 15)
        end = s.prize >> 4 << 4 | below
        if below >= 0 and not terrain_state.lava(s, o, end):
            s.prize = end
    falling, living = 0, 0
    for i in range(s.n_units):
        spot = s.spot[i]
        if spot >= 0 and floorless(s, spot):
            falling |= 1 << i
    for i in range(s.n_units):
        if falling >> i & 1 and fall(s, i, mage, by):
            living |= 1 << i
    return living


def owe_rests(s: StateColumns, living: int) -> None:
    """Stack the landings of units that fell, so that they resolve by index.

    Args:
        s: State of the game; changed.
        living: Units that survived their falls, as a bit set.
    """
    for i in range(s.n_units - 1, -1, -1):
        if living >> i & 1:
            effects.push_task(s, C.REST, i, 0)


def destroy(s: StateColumns, kind: int, name: int) -> None:
    """Remove a tree, a bridge or a ladder from the terrain.

    Args:
        s: State of the game; changed.
        kind: Kind of the target, such as `codes.W_TREE`.
        name: Tile of a tree; number of a bridge or a ladder.
    """
    if kind == C.W_TREE:
        terrain_state.mark(s, name)
        s.feature[name] = 0
        terrain_state.changed(s, name)
    elif kind == C.W_DECK:
        s.deck_alive[name] = 0
        for k in range(s.deck_count[name]):
            terrain_state.mark(s, s.deck_tiles[name * C.DECK_LENGTH + k])
            terrain_state.survey_decks(s, s.deck_tiles[name * C.DECK_LENGTH + k])
            terrain_state.changed(s, s.deck_tiles[name * C.DECK_LENGTH + k])
        for end in range(2):
            tile = s.deck_a[name] if end == 0 else s.deck_b[name]
            terrain_state.mark(s, tile)
            terrain_state.survey_decks(s, tile)
    else:
        s.ladder_alive[name] = 0
        for tile in (s.foot_tile[name], s.head_tile[name]):
            terrain_state.mark(s, tile)
            terrain_state.survey_decks(s, tile)
            terrain_state.forget_links(s, tile)


def pool_of(s: StateColumns, kind: int) -> int:
    """Return the damage that destroys a terrain target of a kind.

    Args:
        s: State of the game; read only.
        kind: Kind of the target: `codes.W_TREE`, `codes.W_DECK` or `codes.W_LADDER`.

    Source: "Trees can be targeted & destroyed. Remove after being dealt 6 damage."
    """
    if kind == C.W_TREE:
        return s.tree_health
    return s.bridge_health if kind == C.W_DECK else s.ladder_health


def damage_structure(
    s: StateColumns, kind: int, name: int, number: int, mage: int, by: int
) -> None:
    """Add damage to a terrain target, and destroy it when the sum reaches its health.

    Args:
        s: State of the game; changed.
        kind: Kind of the target, such as `codes.W_TREE`.
        name: Tile of a tree; number of a bridge or a ladder.
        number: Damage.
        mage: 1 if a mage causes it, which adds to the fall damage of units on the target.
        by: The attacker.

    Source: "Bridges & Ladders can be targeted & destroyed. Remove after being dealt 5 damage."
    """
    if kind == C.W_TREE:
        terrain_state.mark(s, name)
        s.scar[name] += number
        if s.scar[name] < pool_of(s, kind):
            return
        s.scar[name] = 0
    elif kind == C.W_DECK:
        s.deck_scar[name] += number
        if s.deck_scar[name] < pool_of(s, kind):
            return
        s.deck_scar[name] = 0
    else:
        s.ladder_scar[name] += number
        if s.ladder_scar[name] < pool_of(s, kind):
            return
        s.ladder_scar[name] = 0
    effects.emit_event(s, C.E_DESTROYED, kind, name, by)
    destroy(s, kind, name)
    owe_rests(s, settle_land(s, mage, by))
