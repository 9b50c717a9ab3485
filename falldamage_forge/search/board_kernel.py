"""Steps, lines of sight and pushes on all surfaces of a board without units, by the engine.

Only loops: the rules are the engine's functions. `board_survey` calls `look`, interpreted or
compiled (`engine/jit.py`).
"""

from typing import Annotated

from falldamage_forge.games.fall_damage.engine import codes as C
from falldamage_forge.games.fall_damage.engine.columns import StateColumns
from falldamage_forge.games.fall_damage.engine.line_of_sight import open_line
from falldamage_forge.games.fall_damage.engine.movement_rules import list_exits, step_damage
from falldamage_forge.games.fall_damage.engine.push import slide
from falldamage_forge.games.fall_damage.engine.records import BY_ROWS, Columns
from falldamage_forge.games.fall_damage.engine.terrain_state import survey

GROUND, LINKS, STEPS, SIGHT, PUSHES = range(5)
"""Kinds of answers; `GROUND` comes first for each board."""
WORD = 32
"""Surfaces in one number of a bit set."""

Column = list[int]
Surfaces = Annotated[Column, C.MOST_SURFACES, BY_ROWS]
Pushes = Annotated[Column, 4 * C.MOST_SURFACES, BY_ROWS]
Sets = Annotated[Column, C.MOST_SURFACES * (C.MOST_SURFACES // WORD + 1), BY_ROWS]
Steps = Annotated[Column, C.MOST_SURFACES * C.LINKS, BY_ROWS]


class Findings(Columns):
    """Answers for a board; surfaces are numbered as in `StateColumns.surfaces`."""

    move: int  # values of the unit whose steps are listed
    jump: int
    counts: int
    light: int  # 1: no fall damage
    first: Surfaces  # where the steps of each surface begin; they end where the next begin
    n_steps: int
    to: Steps
    cost: Steps
    harm: Steps
    climb: Steps
    fall: Steps
    link: Steps
    words: int  # numbers of a set of surfaces
    sets: Sets  # by surface those one step away, or those in sight
    damage: Pushes  # of a push of 1 tile, by surface and direction
    end: Pushes


def look(s: StateColumns, b: Findings, what: int) -> int:
    """Compute the answers of one kind; return `s.lost`.

    Args:
        s: State of the game; read only.
        b: Answers; changed.
        what: Kind of the answers, such as `SIGHT`.
    """
    if what == GROUND:
        list_surfaces(s)
    elif what == LINKS:
        list_links(s, b)
    elif what == STEPS:
        list_steps(s, b)
    elif what == SIGHT:
        list_seen(s, b)
    else:
        list_pushes(s, b)
    return s.lost


def list_surfaces(s: StateColumns) -> None:
    """Derive and number the surfaces of a board whose tiles are written."""
    s.n_surfaces, s.lost = 0, 0
    for row in range(s.rows):
        for col in range(s.cols):
            tile = row << 6 | col
            survey(s, C.GROUND, tile)
            for level in range(16):
                if s.stand[tile] >> level & 1:
                    if s.n_surfaces == C.MOST_SURFACES:
                        s.lost = C.LOST
                        return
                    spot = tile << 4 | level
                    s.surface_of[spot], s.surfaces[s.n_surfaces] = s.n_surfaces, spot
                    s.link[spot * C.LINKS] = 0
                    s.n_surfaces += 1


def clear_sets(s: StateColumns, b: Findings) -> None:
    """Empty the set of each surface.

    Args:
        s: State of the game; read only.
        b: Answers; changed.
    """
    b.words = s.n_surfaces // WORD + 1
    for at in range(s.n_surfaces * b.words):
        b.sets[at] = 0


def add(b: Findings, n: int, m: int) -> None:
    """Add surface m to the set of surface n.

    Args:
        b: Answers; changed.
        n: Number of the surface whose set grows.
        m: Number of the added surface.
    """
    b.sets[n * b.words + m // WORD] |= 1 << m % WORD


def list_links(s: StateColumns, b: Findings) -> None:
    """List the surfaces that a unit reaches by one step, without damage and within its Move.

    Args:
        s: State of the game; read only.
        b: Answers; changed.
    """
    clear_sets(s, b)
    for n in range(s.n_surfaces):
        for k in range(list_exits(s, s.surfaces[n], b.jump, b.counts, b.light, C.NO)):
            if s.exit_cost[k] <= b.move and step_damage(s, s.exit_fall[k], b.jump) == 0:
                add(b, n, s.surface_of[s.exit_to[k]])


def list_steps(s: StateColumns, b: Findings) -> None:
    """List every step of a unit, surface by surface.

    Args:
        s: State of the game; only work columns change.
        b: Answers; changed.
    """
    b.n_steps = 0
    for n in range(s.n_surfaces):
        b.first[n] = b.n_steps
        for k in range(list_exits(s, s.surfaces[n], b.jump, b.counts, b.light, C.NO)):
            at = b.n_steps
            b.to[at], b.cost[at] = s.surface_of[s.exit_to[k]], s.exit_cost[k]
            b.harm[at] = step_damage(s, s.exit_fall[k], b.jump)
            b.climb[at] = s.exit_climb[k] if s.jump_scope else 0
            b.fall[at], b.link[at] = s.exit_fall[k], s.exit_link[k]
            b.n_steps += 1


def list_seen(s: StateColumns, b: Findings) -> None:
    """List the surfaces visible from each surface, as bits.

    Args:
        s: State of the game; read only.
        b: Answers; changed.
    """
    clear_sets(s, b)
    for n in range(s.n_surfaces):
        for m in range(n):
            if open_line(s, s.surfaces[m], s.surfaces[n], C.NONE, C.NONE, C.NONE, C.NONE):
                add(b, n, m)
                add(b, m, n)


def list_pushes(s: StateColumns, b: Findings) -> None:
    """List the result of a push of 1 tile from each surface, by an attacker on its level.

    Args:
        s: State of the game; read only.
        b: Answers; changed.
    """
    for n in range(s.n_surfaces):
        spot = s.surfaces[n]
        for way in range(4):
            _, damage, end = slide(
                s, C.GROUND, spot, way, 1, spot & 15, 0, C.NO, C.NO, C.YES
            )  # fmt: skip
            b.damage[4 * n + way], b.end[4 * n + way] = damage, end
