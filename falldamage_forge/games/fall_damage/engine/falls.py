"""Who lost the floor falls: damage, and where one comes down."""

from falldamage_forge.games.fall_damage.engine import codes as C
from falldamage_forge.games.fall_damage.engine.columns import State
from falldamage_forge.games.fall_damage.engine.effect_stack import owe
from falldamage_forge.games.fall_damage.engine.effects import drop_chest, harm, kill, put, reap
from falldamage_forge.games.fall_damage.engine.surface_index import apart
from falldamage_forge.games.fall_damage.engine.terrain_state import highest_below, lava, stands, wet
from falldamage_forge.games.fall_damage.engine.unit_stats import has


def fall_number(s: State, i: int, drop: int, into_water: int, mage: int) -> int:
    """Damage of an involuntary fall."""
    if drop <= 0 or into_water or has(s, i, C.NO_FALL):
        return 0
    return drop + (2 if mage else 0)


def rest_spot(s: State, tile: int, level: int) -> int:
    """Where one comes down when the place below is taken; -1: nowhere."""
    found, corner = -1, tile << 4
    for row in range(s.rows):
        for col in range(s.cols):
            stand = s.stand[row << 6 | col]
            for z in range(min(level, 15), -1, -1):
                spot = row << 10 | col << 4 | z
                if not stand >> z & 1 or s.occupant[spot] >= 0:
                    continue
                if found < 0 or apart(spot, corner) < apart(found, corner):
                    found = spot
                elif apart(spot, corner) == apart(found, corner) and z > found & 15:
                    found = spot
    return found


def fall(s: State, i: int, mage: int, by: int) -> bool:
    """A unit whose floor went falls; gives whether it lives and still has to come to rest."""
    if s.spot[i] < 0:
        return False
    o = C.GROUND
    tile, level = s.spot[i] >> 4, s.spot[i] & 15
    below = highest_below(s, o, tile, level)
    end = tile << 4 | below if below >= 0 else -1
    if end >= 0 and lava(s, o, end) and not s.discorporate[i]:
        kill(s, i, C.BY_LAVA, by)
        return False
    good = end >= 0 and (stands(s, o, end) or lava(s, o, end))
    if not good or (end != s.spot[i] and s.occupant[end] >= 0):
        end = rest_spot(s, tile, level)
        if end < 0:
            kill(s, i, C.BY_FALL, by)
            return False
    damage = fall_number(s, i, level - (end & 15), wet(s, o, end), mage)
    put(s, i, end)
    harm(s, i, damage, C.BY_FALL, by)
    reap(s)
    return s.spot[i] >= 0


def floorless(s: State, spot: int) -> bool:
    """Whether nothing is under a spot any more."""
    return highest_below(s, C.GROUND, spot >> 4, spot & 15) != spot & 15


def sort_chests(s: State) -> None:
    """Chests in the board's order."""
    for n in range(1, s.n_chests):
        spot, k = s.chests[n], n
        while k > 0 and s.chests[k - 1] > spot:
            s.chests[k] = s.chests[k - 1]
            k -= 1
        s.chests[k] = spot


def settle_land(s: State, mage: int, by: int) -> int:
    """Who lost the floor falls; gives those who live, as a set of bits."""
    o = C.GROUND
    for n in range(s.n_chests - 1, -1, -1):
        spot = s.chests[n]
        if not floorless(s, spot):
            continue
        below = highest_below(s, o, spot >> 4, spot & 15)
        end = spot >> 4 << 4 | below
        if below < 0 or lava(s, o, end):
            drop_chest(s, n)
        else:
            s.chests[n] = end
    sort_chests(s)
    if s.prize >= 0 and floorless(s, s.prize):
        below = highest_below(s, o, s.prize >> 4, s.prize & 15)
        end = s.prize >> 4 << 4 | below
        if below >= 0 and not lava(s, o, end):
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


def owe_rests(s: State, living: int) -> None:
    """Those who fell meet what lies where they are, by index."""
    for i in range(s.n_units - 1, -1, -1):
        if living >> i & 1:
            owe(s, C.REST, i, 0)
