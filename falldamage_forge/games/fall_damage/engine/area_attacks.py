"""Areas of effect: damage, then pushes."""

from falldamage_forge.games.fall_damage.engine import codes as C
from falldamage_forge.games.fall_damage.engine.columns import State
from falldamage_forge.games.fall_damage.engine.effect_stack import note, owe
from falldamage_forge.games.fall_damage.engine.effects import harm, reap
from falldamage_forge.games.fall_damage.engine.push import way_between
from falldamage_forge.games.fall_damage.engine.surface_index import cols_between, rows_between
from falldamage_forge.games.fall_damage.engine.targeting import in_area
from falldamage_forge.games.fall_damage.engine.unit_stats import (
    attack_number,
    has,
    lends,
    number,
    tiles_of,
)


def burst(s: State, doer: int, aim: int, radius: int, damage: int, tiles: int, mage: int) -> None:
    """All damage together, deaths, then pushes from the outside in."""
    level = s.spot[doer] & 15
    note(s, C.E_STRIKE, doer, C.NONE)
    count = 0
    for i in range(s.n_units):
        if in_area(s, i, aim, radius):
            s.members[count] = i
            count += 1
    for k in range(count):
        harm(s, s.members[k], damage, C.BY_ATTACK, doer)
    reap(s)
    if tiles <= 0:
        return
    # Owed from the inside out, as the last owed is done first.
    for far in range(0, 2 * 64):
        for k in range(count - 1, -1, -1):
            i = s.members[k]
            spot = s.spot[i]
            if spot < 0:
                continue
            rows, cols = rows_between(aim, spot), cols_between(aim, spot)
            if rows * rows + cols * cols != far:
                continue
            way = way_between(aim, spot, C.BACK) if spot != aim else -1
            owe(s, C.PUSH, i, way, tiles, level, mage, spot, doer)
        if far > radius * radius:
            break


def splash(s: State, i: int, aim: int) -> None:
    """The Splash Mage's area attack."""
    card = lends(s, i, C.SPLASH)
    tiles = tiles_of(s, i)
    if card >= 0:
        tiles = s.printed[card * C.STATS + C.P] + s.push_plus[i]
    damage = max(attack_number(s, i, C.NO, C.NO), 0)
    burst(s, i, aim, number(s, C.SPLASH, C.A_RADIUS), damage, tiles, has(s, i, C.MAGE))
