"""What is owed, and what is told to those who count."""

from falldamage_forge.games.fall_damage.engine import codes as C
from falldamage_forge.games.fall_damage.engine.columns import State


def owe(
    s: State,
    name: int,
    a: int = 0,
    b: int = 0,
    c: int = 0,
    d: int = 0,
    e: int = 0,
    f: int = 0,
    g: int = 0,
) -> None:
    """Put a task on top of what is owed."""
    if s.n_stack >= C.MOST_STACK:
        s.lost = C.LOST
        return
    at = s.n_stack
    s.task[at], s.task_a[at], s.task_b[at], s.task_c[at], s.task_d[at] = name, a, b, c, d
    s.task_e[at], s.task_f[at], s.task_g[at] = e, f, g
    s.n_stack += 1


def note(s: State, kind: int, a: int = 0, b: int = 0, c: int = 0, d: int = 0, e: int = 0) -> None:
    """Tell who counts what happened."""
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
