"""What happens to units: harm, healing, death, changes of place."""

from falldamage_forge.games.fall_damage.engine import codes as C
from falldamage_forge.games.fall_damage.engine.columns import State
from falldamage_forge.games.fall_damage.engine.effect_stack import note
from falldamage_forge.games.fall_damage.engine.unit_stats import has


def put(s: State, i: int, spot: int) -> None:
    """Stand a unit on a free surface, or take it off the board."""
    old = s.spot[i]
    if old >= 0 and s.occupant[old] == i:
        s.occupant[old] = -1
    s.spot[i] = spot
    if spot >= 0:
        s.occupant[spot] = i


def exchange(s: State, one: int, other: int) -> None:
    """Two units change places."""
    s.spot[one], s.spot[other] = s.spot[other], s.spot[one]
    s.occupant[s.spot[one]], s.occupant[s.spot[other]] = one, other


def harm(s: State, i: int, amount: int, cause: int, by: int) -> None:
    """Take health away. Song and Promo end with any loss of it."""
    if amount <= 0 or s.spot[i] < 0:
        return
    s.health[i] -= amount
    note(s, C.E_HARM, i, amount, cause, by, s.spot[i])
    if has(s, i, C.SONG):
        s.song_off[i] = 1
    if has(s, i, C.PROMOTE):
        end_promo(s, i)


def heal(s: State, i: int, amount: int) -> None:
    """Give health back, up to the maximum."""
    if s.spot[i] >= 0:
        whole = min(s.health[i] + amount, s.max_health[i])
        s.health[i] = max(s.health[i], whole)


def drink(s: State, i: int, heals: int) -> None:
    """Elixir: more Health in all, or so much healed."""
    amount = s.amounts[C.X_ELIXIR]
    if heals:
        heal(s, i, amount)
        return
    s.max_health[i] += amount
    if not s.health_total:
        s.health[i] += amount


def end_promo(s: State, i: int) -> None:
    """This unit's Promo holds nobody any more."""
    for other in range(s.n_units):
        s.promo[other] &= ~(1 << i)


def drop_chest(s: State, n: int) -> None:
    """A chest is gone."""
    s.n_chests -= 1
    for k in range(n, s.n_chests):
        s.chests[k] = s.chests[k + 1]


def reap(s: State) -> None:
    """Remove everybody without health."""
    for i in range(s.n_units):
        if s.spot[i] >= 0 and s.health[i] <= 0:
            kill(s, i, C.BY_HARM, C.NONE)


def kill(s: State, i: int, cause: int, by: int) -> None:
    """Remove one unit: a body stays where it stood."""
    if s.spot[i] < 0:
        return
    spot = s.spot[i]
    note(s, C.E_DIE, i, spot, cause, by)
    if s.carries[i]:
        s.carries[i], s.prize = 0, spot
    put(s, i, C.NONE)
    s.health[i], s.items[i] = 0, 0
    if s.n_bodies >= C.MOST_BODIES:
        s.lost = C.LOST
        return
    body = s.n_bodies
    s.body_unit[body], s.body_spot[body], s.body_used[body] = i, spot, 0
    s.n_bodies += 1
    end_promo(s, i)
