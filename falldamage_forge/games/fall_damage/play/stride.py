"""The Move of an activation, and the free one: which ends are legal, and what walking does."""

from __future__ import annotations

from falldamage_forge.games.fall_damage.play.effects import harm, reap
from falldamage_forge.games.fall_damage.play.gait import Step
from falldamage_forge.games.fall_damage.play.moves import STRIDE, Move, in_order
from falldamage_forge.games.fall_damage.play.spots import apart, nearness
from falldamage_forge.games.fall_damage.play.state import State, Task
from falldamage_forge.games.fall_damage.play.stats import (
    carried,
    effective_move,
    gait_of,
    ground_of,
    has,
    table_of,
)
from falldamage_forge.games.fall_damage.play.tasks import question, task
from falldamage_forge.games.fall_damage.play.walk import (
    Dive,
    Others,
    Walk,
    dives,
    ends,
    path,
    ways,
)

THORNS_STEP = 1
"""Source: Armor of Thorns, "1 self-damage when you Move"."""


def may_move(state: State, index: int) -> bool:
    """Whether the active unit still has its Move, or a rest of it (option `move_split`)."""
    unit = state.units[index]
    if unit.moved == 0:
        return True
    return unit.moved == 1 and unit.acted


def others_of(state: State, index: int) -> Others:
    """Who is in a unit's way."""
    unit = state.units[index]
    side, units = unit.side, state.units
    foes = {spot for spot, other in state.occupied.items() if units[other].side != side}
    taken = set(state.occupied)
    taken.discard(unit.spot)
    if state.arena.rules.occupancy == "cell":
        foes, taken = _whole_tiles(state, foes), _whole_tiles(state, taken)
    through = unit.discorporate or has(state, unit, "agile")
    sand = state.zone_tiles("quicksand") if state.zones else frozenset()
    if unit.discorporate:
        sand = frozenset()
    return Others(frozenset() if through else foes, taken, sand)


def _whole_tiles(state: State, spots: set[int]) -> set[int]:
    levels = ground_of(state).levels
    return spots | {s >> 4 << 4 | level for s in spots for level in levels.get(s >> 4, ())}


def walk_of(state: State, index: int, budget: int) -> Walk:
    """How a unit would walk now with some Move."""
    unit = state.units[index]
    health = unit.health - (THORNS_STEP if unit.thorns else 0)
    return Walk(unit.spot, budget, gait_of(state, unit), health)


def move_ends(state: State, index: int, budget: int) -> dict[int, tuple[int, int]]:
    """Surfaces where a Move may end, with damage and cost; enemies' too for who dives on them."""
    unit = state.units[index]
    if budget < 1 or (unit.thorns and unit.health <= THORNS_STEP and _mortal(state)):
        return {}
    known = state.reach
    if known is not None and known[:2] == (index, budget):
        return known[2]
    walk, others = walk_of(state, index, budget), others_of(state, index)
    found = ends(ground_of(state), walk, others)
    if has(state, unit, "top-ropes") and state.arena.rules.top_ropes_on == "adjacent":
        for spot, dive in _dives(state, index, budget).items():
            if spot in others.taken and _beside(state, index, spot, dive.start) is not None:
                found[spot] = (dive.damage, dive.cost)
    state.reach = (index, budget, found)
    return found


def _mortal(state: State) -> bool:
    return state.arena.rules.lethal_step == "no"


def _dives(state: State, index: int, budget: int) -> dict[int, Dive]:
    unit = state.units[index]
    foes = {o.spot for o in state.units if o.alive and o.side != unit.side}
    walk, others = walk_of(state, index, budget), others_of(state, index)
    return dives(ground_of(state), walk, others, foes)


def _beside(state: State, index: int, spot: int, take_off: int) -> int | None:
    """The free surface nearest to an enemy one comes down on."""
    free = (
        other
        for other in ground_of(state).spots
        if other not in state.occupied and other != take_off
    )
    return min(free, key=lambda other: nearness(other, spot), default=None)


def stride_moves(state: State, index: int, budget: int) -> list[Move]:
    """The moves of a Move in their order: one for each end, or for each way that differs.

    Ways that differ count under the option `path_choice any`.
    """
    found = move_ends(state, index, budget)
    if state.arena.readings.path_choice == "least_damage":
        return list(map(STRIDE.__getitem__, sorted(found)))
    walk, others = walk_of(state, index, budget), others_of(state, index)
    moves = []
    by_end = ways(ground_of(state), walk, others)
    for spot in found:
        labels = by_end.get(spot, ())
        words = sorted({(label.damage, label.cost) for label in labels}) or [found[spot]]
        moves.append(STRIDE[spot])
        moves += [
            Move("move", "move", spots=(spot,), word=f"hurt {damage} cost {cost}")
            for damage, cost in words[1:]
        ]
    return in_order(moves)


def stride(state: State, index: int, move: Move, budget: int) -> int:
    """Walk to the end of a move: damage, Thorns, Top Ropes, entering effects. Gives its cost."""
    unit, goal = state.units[index], move.spots[0]
    start, damage, cost = unit.spot, 0, 0
    drops, passed, damage, cost = _way(state, index, move, budget)
    end, take_off = goal, drops[-1][0] if drops else start
    if goal in state.occupied:
        beside = _beside(state, index, goal, take_off)
        end = beside if beside is not None else start
    state.put(index, end)
    state.note("move", index, start, end, damage)
    harm(state, index, damage, "step", index)
    if unit.thorns:
        harm(state, index, THORNS_STEP, "other", index)
    reap(state)
    owed: list[Task] = []
    if has(state, unit, "top-ropes"):
        owed += [("top_ropes", index, landing, drop) for _, landing, drop in drops if drop > 0]
    if state.arena.rules.treasure_trigger == "pass":
        owed += [("touch", index, spot) for spot in passed if spot != end]
    state.owe(*owed, ("rest", index, True))
    return cost


Drops = list[tuple[int, int, int]]


def _way(
    state: State, index: int, move: Move, budget: int
) -> tuple[Drops, tuple[int, ...], int, int]:
    """What the way does: drops that count for Top Ropes, surfaces passed, damage, cost."""
    unit, goal = state.units[index], move.spots[0]
    diver = has(state, unit, "top-ropes")
    passing = state.arena.rules.treasure_trigger == "pass"
    every = state.arena.readings.top_ropes == "every"
    if not diver and not passing and not move.word:
        damage, cost = move_ends(state, index, budget)[goal]
        return [], (), damage, cost
    ground, walk, others = ground_of(state), walk_of(state, index, budget), others_of(state, index)
    # Onto an enemy there is no other way than the dive.
    if diver and (walk.gait.no_fall or goal in state.occupied) and not move.word:
        dive = _dives(state, index, budget).get(goal)
        if dive is not None:
            first: tuple[Step, ...] = ()
            if every or passing:
                before = ways(ground, walk, others).get(dive.start, ())
                first = path(min(before, key=lambda label: label.cost)) if before else ()
            drops = _drops(walk.start, first) if every else []
            passed = tuple(step.to for step in first)
            return [*drops, (dive.start, goal, dive.drop)], passed, dive.damage, dive.cost
    labels = ways(ground, walk, others).get(goal, ())
    wanted = [x for x in labels if f"hurt {x.damage} cost {x.cost}" == move.word] or labels
    label = min(wanted, key=lambda x: (x.damage, x.cost))
    steps = path(label)
    drops = _drops(walk.start, steps)
    passed = tuple(step.to for step in steps[:-1])
    return (
        (drops if every else drops[-1:] if steps[-1].drop else []),
        passed,
        label.damage,
        label.cost,
    )


def _drops(start: int, steps: tuple[Step, ...]) -> Drops:
    found, at = [], start
    for step in steps:
        found.append((at, step.to, step.drop))
        at = step.to
    return [entry for entry in found if entry[2] > 0]


@task("top_ropes")
def _top_ropes(state: State, index: int, landing: int, drop: int) -> None:
    """Wrestler: enemies on and beside the landing suffer twice the drop."""
    unit, rules = state.units[index], state.arena.rules
    if not unit.alive:
        return
    if rules.top_ropes_damage == "less_jump":
        drop = max(drop - gait_of(state, unit).jump, 0)
    for other, foe in enumerate(state.units):
        if foe.alive and foe.side != unit.side and apart(foe.spot, landing) <= 1:
            near = abs((foe.spot & 15) - (landing & 15)) <= 1
            if near or rules.top_ropes_levels == "any":
                harm(state, other, table_of(state, "top-ropes").amount * drop, "dive", index)
    reap(state)


# -- the free Move of Adrenal Depletion ------------------------------------------------------------


def _free_budget(state: State, index: int, coin: int) -> int:
    unit = state.units[index]
    if coin < 0 and state.active == index:
        return carried(state, unit, unit.move_now)
    return carried(state, unit, effective_move(state, index, coin if coin >= 0 else None))


def _free_moves(state: State, index: int, coin: int) -> list[Move]:
    if not state.units[index].alive:
        return []
    moves = stride_moves(state, index, _free_budget(state, index, coin))
    return [move._replace(kind="free") for move in moves] + [Move("free", "stay")]


def _free(state: State, move: Move, index: int, coin: int) -> None:
    if move.name == "move":
        stride(state, index, move._replace(kind="move"), _free_budget(state, index, coin))


question("free_move", _free_moves, _free, lambda state, index, _: state.units[index].side)
