"""Effects on units (damage, healing, death, placement), the effect stack, and the event log.

The stack is last in, first out.
"""

from falldamage_forge.games.fall_damage.engine import codes as C
from falldamage_forge.games.fall_damage.engine.columns import StateColumns
from falldamage_forge.games.fall_damage.engine.unit_stats import has_ability


def push_task(
    s: StateColumns,
    name: int,
    a: int = 0,
    b: int = 0,
    c: int = 0,
    d: int = 0,
    e: int = 0,
    f: int = 0,
    g: int = 0,
) -> None:
    """Push a task or a decision on the effect stack.

    Args:
        s: State of the game; changed; `lost` is set if the stack is full.
        name: The task, such as `codes.REST`.
        a: First value of the task; `name_tables.TASKS` describes the values of each task.
        b: Second value.
        c: Third value.
        d: Fourth value.
        e: Fifth value.
        f: Sixth value.
        g: Seventh value.
    """
    if s.n_stack >= C.MOST_STACK:
        s.lost = C.LOST
        return
    at = s.n_stack
    s.task[at], s.task_a[at], s.task_b[at], s.task_c[at], s.task_d[at] = name, a, b, c, d
    s.task_e[at], s.task_f[at], s.task_g[at] = e, f, g
    s.n_stack += 1


def emit_event(
    s: StateColumns, kind: int, a: int = 0, b: int = 0, c: int = 0, d: int = 0, e: int = 0
) -> None:
    """Append an event to the log for statistics, replays and queries.

    Args:
        s: State of the game; only work columns change.
        kind: Kind of the event, such as `codes.E_HARM`.
        a: First value of the event, mostly the unit.
        b: Second value.
        c: Third value.
        d: Fourth value.
        e: Fifth value.
    """
    if s.n_events >= C.MOST_EVENTS:
        s.lost = C.LOST
        return
    at = s.n_events
    s.event[at], s.event_a[at], s.event_b[at], s.event_c[at], s.event_d[at], s.event_e[at] = (
        kind,
        a,
        b,
        c,
        d,
        e,
    )
    s.n_events += 1


def put(s: StateColumns, i: int, spot: int) -> None:
    """Place a unit on a free surface, or take it off the board (`spot` -1).

    Args:
        s: State of the game; changed.
        i: Index of the unit.
        spot: Surface index that is free; -1 for off the board.
    """
    old = s.spot[i]
    if old >= 0 and s.occupant[old] == i:
        s.occupant[old] = -1
    s.spot[i] = spot
    if spot >= 0:
        s.occupant[spot] = i


def exchange(s: StateColumns, one: int, other: int) -> None:
    """Swap two units.

    Args:
        s: State of the game; changed.
        one: Index of a unit on the board.
        other: Index of another unit on the board.
    """
    s.spot[one], s.spot[other] = s.spot[other], s.spot[one]
    s.occupant[s.spot[one]], s.occupant[s.spot[other]] = one, other


def deal_damage(s: StateColumns, i: int, amount: int, cause: int, by: int) -> None:
    """Reduce a unit's health; its Song and its Promo end with any damage.

    Args:
        s: State of the game; changed.
        i: The unit; nothing happens if it is off the board.
        amount: Damage; 0 and less do nothing.
        cause: Cause for the event log, such as `codes.BY_FALL`.
        by: The unit that causes it, -1 for none.

    Source: "Damage interrupts Song".
    """
    if amount <= 0 or s.spot[i] < 0:
        return
    s.health[i] -= amount
    emit_event(s, C.E_HARM, i, amount, cause, by, s.spot[i])
    if has_ability(s, i, C.SONG):
        s.song_off[i] = 1
    if has_ability(s, i, C.PROMOTE):
        end_promo(s, i)


def heal(s: StateColumns, i: int, amount: int) -> None:
    """Increase a unit's health, up to its maximum.

    Args:
        s: State of the game; changed.
        i: Index of the unit; nothing happens if it is off the board.
        amount: Health to add.
    """
    if s.spot[i] >= 0:
        whole = min(s.health[i] + amount, s.max_health[i])
        s.health[i] = max(s.health[i], whole)


def gain_max_health(s: StateColumns, i: int, heals: int) -> None:
    """Resolve an Elixir: raise the maximum health, or heal if `heals` is 1.

    Args:
        s: State of the game; changed.
        i: Index of the unit.
        heals: 1 to heal; 0 to raise the maximum.
    """
    amount = s.amounts[C.X_ELIXIR]
    if heals:
        heal(s, i, amount)
        return
    s.max_health[i] += amount
    if not s.health_total:
        s.health[i] += amount


def end_promo(s: StateColumns, i: int) -> None:
    """End a unit's Promo on all enemies.

    Args:
        s: State of the game; changed.
        i: Index of the Wrestler.
    """
    for other in range(s.n_units):
        s.promo[other] &= ~(1 << i)


def drop_chest(s: StateColumns, n: int) -> None:
    """Remove chest number `n`.

    Args:
        s: State of the game; changed.
        n: Index in `chests`, below `n_chests`.
    """
    s.n_chests -= 1
    for k in range(n, s.n_chests):
        s.chests[k] = s.chests[k + 1]


def remove_dead(s: StateColumns) -> None:
    """Remove every unit without health."""
    for i in range(s.n_units):
        if s.spot[i] >= 0 and s.health[i] <= 0:
            kill(s, i, C.BY_HARM, C.NONE)


def kill(s: StateColumns, i: int, cause: int, by: int, place: int = C.NONE) -> None:
    """Remove a unit; its body stays on its surface.

    Args:
        s: State of the game; changed.
        i: Index of the unit.
        cause: Cause for the event log, such as `codes.BY_LAVA`.
        by: The unit that causes it, -1 for none.
        place: Surface on which it dies, for the event log; `codes.OVER_EDGE` for the void beside
            its surface; -1 for its surface.

    Source: "At zero a unit is removed from game."
    """
    if s.spot[i] < 0:
        return
    spot = s.spot[i]
    emit_event(s, C.E_DIE, i, spot, cause, by, spot if place == C.NONE else place)
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
