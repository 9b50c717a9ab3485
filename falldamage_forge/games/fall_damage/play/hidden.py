"""Hidden items: Spring Traps and Ancestral Aid, where they may lie and what they do."""

from __future__ import annotations

from collections.abc import Iterator

from falldamage_forge.games.fall_damage.attack import within
from falldamage_forge.games.fall_damage.play.effects import fall_number, harm, kill, reap
from falldamage_forge.games.fall_damage.play.kept import Row
from falldamage_forge.games.fall_damage.play.moves import Move
from falldamage_forge.games.fall_damage.play.spots import surface_of, tile_of
from falldamage_forge.games.fall_damage.play.state import Hidden, State
from falldamage_forge.games.fall_damage.play.stats import ground_of
from falldamage_forge.games.fall_damage.play.tasks import question
from falldamage_forge.games.fall_damage.sight import crossed

SPRING_RISE, SPRING_TILES = 2, 4
"""Source: "thrown up 2 tiles vertically, and up to 4 tiles away"."""


def trap_moves(state: State, index: int, reach: int) -> Iterator[Move]:
    """Tiles (or surfaces, option `hidden_scope`) where a unit may hide an item; reach 0: any."""
    tiles = hiding_tiles(state)
    if reach:
        tiles &= state.arena.circle(state.units[index].spot >> 4, reach)
    if state.arena.readings.hidden_scope == "tile":
        yield from (HIDE[tile] for tile in tiles)
    else:
        for tile in tiles:
            for level in ground_of(state).levels[tile]:
                yield Move("choice", "tile", spots=(tile << 4 | level,))


HIDE = Row(lambda tile: Move("choice", "tile", tile=tile))


def hiding_tiles(state: State) -> frozenset[int]:
    """Tiles with a surface and without lava; occupied ones by option alone."""
    if state.arena.readings.trap_under_unit == "yes":
        return ground_of(state).dry
    return ground_of(state).dry.difference([spot >> 4 for spot in state.occupied])


def place_trap(state: State, index: int, kind: str, move: Move) -> None:
    """Hide an item; a Tinkerer's new trap takes the place of its last (option `trap_limit`)."""
    tile = move.tile if move.tile >= 0 else move.spots[0] >> 4
    level = -1 if move.tile >= 0 else move.spots[0] & 15
    side = state.units[index].side
    if kind == "spring" and state.arena.readings.trap_limit == "1":
        state.hidden = tuple(h for h in state.hidden if h.kind != "spring" or h.unit != index)
    state.hidden = (*state.hidden, Hidden(side, kind, tile, level, index))
    on_it = [unit for spot, unit in state.occupied.items() if spot >> 4 == tile]
    state.owe(*(("rest", unit, True) for unit in sorted(on_it)))


# -- the throw -------------------------------------------------------------------------------------


def landings(state: State, index: int, spot: int) -> list[int]:
    """Surfaces a Spring Trap on a spot may throw a unit to, sorted."""
    ground, rules = ground_of(state), state.arena.rules
    trap, apex = surface_of(spot), (spot & 15) + SPRING_RISE
    if not ground.terrain.free(trap.tile, trap.level, apex + 1):
        return []
    spots = set(ground.spots)
    if state.arena.rules.spring_lava == "yes" or state.units[index].discorporate:
        spots |= ground.lava
    found = []
    for goal in spots:
        rows, cols = (goal >> 10) - (spot >> 10), (goal >> 4 & 63) - (spot >> 4 & 63)
        near = (rows, cols) == (0, 0) or within(rows, cols, SPRING_TILES, rules)
        if (goal & 15) > apex or not near or state.occupied.get(goal, index) != index:
            continue
        if not ground.terrain.free(tile_of(goal >> 4), goal & 15, apex + 1):
            continue
        if rules.spring_arc == "clear" and not all(
            ground.terrain.free(tile, apex, apex + 1)
            for tile, _, _ in crossed(trap.tile, tile_of(goal >> 4))
        ):
            continue
        found.append(goal)
    return sorted(found)


def _landing_moves(state: State, index: int, side: int, spot: int, owner: int) -> list[Move]:
    if not state.units[index].alive:
        return []
    return [Move("land", "land", spots=(goal,)) for goal in landings(state, index, spot)]


def _land(state: State, move: Move, index: int, side: int, spot: int, owner: int) -> None:
    goal, unit, ground = move.spots[0], state.units[index], ground_of(state)
    drop = (spot & 15) + SPRING_RISE - (goal & 15)
    state.put(index, goal)
    state.note("thrown", index, spot, goal)
    if goal in ground.lava and not unit.discorporate:
        kill(state, index, "lava", owner)
        return
    harm(state, index, fall_number(state, index, drop, goal in ground.wet, False), "fall", owner)
    reap(state)
    state.owe(("rest", index, False))


question("land", _landing_moves, _land, lambda state, index, side, *_: side)
