"""One activation from inside: the moves of its `step` node, and what each of them starts."""

from __future__ import annotations

from falldamage_forge.games.fall_damage.play import terrain
from falldamage_forge.games.fall_damage.play.abilities import ABILITIES, abilities_of
from falldamage_forge.games.fall_damage.play.items import item_moves, use_item
from falldamage_forge.games.fall_damage.play.moves import END, Move, in_order
from falldamage_forge.games.fall_damage.play.spots import NOWHERE
from falldamage_forge.games.fall_damage.play.state import State
from falldamage_forge.games.fall_damage.play.stats import carried
from falldamage_forge.games.fall_damage.play.stride import may_move, stride, stride_moves
from falldamage_forge.games.fall_damage.play.strike import (
    attack_moves,
    attack_terrain,
    begin_attack,
)
from falldamage_forge.games.fall_damage.play.tasks import task


def step_moves(state: State) -> list[Move]:
    """Everything the active unit may do next, in order; the last is always to end."""
    index = state.active
    unit = state.units[index]
    moves: list[Move] = []
    if may_move(state, index) and unit.move_now > 0:
        moves += stride_moves(state, index, carried(state, unit, unit.move_now))
    moves += in_order(action_moves(state, index))
    if unit.carries:
        moves.append(Move("drop", "drop"))
    elif state.prize != NOWHERE and state.prize == unit.spot:
        moves.append(Move("take", "take"))
    moves.append(END)
    return moves


def action_moves(state: State, index: int) -> list[Move]:
    """Every action the unit may take now; those an option makes free, once an activation."""
    unit, free = state.units[index], state.arena.readings.action_of
    moves: list[Move] = []
    if not unit.acted:
        moves += attack_moves(state, index)
        if unit.items:
            moves += item_moves(state, index)
        if _may_crumble(state, index):
            moves.append(Move("act", "crumble"))
    for name in abilities_of(state, unit):
        is_free = name.replace("-", "_") in free
        if name in unit.used if is_free else unit.acted:
            continue
        moves += ABILITIES[name].moves(state, index)
    return moves


def _may_crumble(state: State, index: int) -> bool:
    if state.arena.readings.crumble != "own_action":
        return False
    return any(brick[0] == index for brick in state.land.bricks)


def begin_step(state: State, move: Move) -> None:
    """Start what a move of the `step` node says; the agenda does the rest."""
    index = state.active
    unit = state.units[index]
    if move.kind == "move":
        state.owe(("walk", index, tuple(move)), ("judge",))
    elif move.kind == "act":
        name = move.name.replace(" ", "-")
        if name in ABILITIES and name.replace("-", "_") in state.arena.readings.action_of:
            unit.used = (*unit.used, name)
        else:
            unit.acted = True
        laid = any(brick[0] == index for brick in state.land.bricks)
        if laid and state.arena.readings.crumble == "any_action":
            state.owe(("crumble", index), ("act", index, tuple(move), True), ("judge",))
        else:
            state.owe(("act", index, tuple(move), False), ("judge",))
    elif move.kind == "take":
        unit.carries, state.prize = True, NOWHERE
        state.owe(("judge",))
    elif move.kind == "drop":
        unit.carries, state.prize = False, unit.spot
        state.owe(("judge",))


@task("walk")
def _walk(state: State, index: int, values: tuple[object, ...]) -> None:
    unit, move = state.units[index], Move(*values)  # type: ignore[arg-type]
    whole, split = unit.move_now, state.arena.rules.move_split == "around_action"
    again = split and not unit.acted and unit.moved == 0
    cost = stride(state, index, move, carried(state, unit, unit.move_now))
    unit.moved = 1 if again else 2
    if again:
        unit.move_now = max(whole - (2 * cost if unit.carries else cost), 0)


@task("crumble")
def _crumble(state: State, index: int) -> None:
    terrain.crumble(state, index)


@task("act")
def _act(state: State, index: int, values: tuple[object, ...], changed: bool) -> None:
    """Do an action. Where bricks came down just before it, it must still be possible."""
    move, unit = Move(*values), state.units[index]  # type: ignore[arg-type]
    if not unit.alive:
        return
    if changed:
        unit.acted = False
        possible = move in action_moves(state, index)
        unit.acted = True
        if not possible:
            return
    name = move.name.replace(" ", "-")
    if name in ("attack", "attack-rooted"):
        rooted = name == "attack-rooted"
        if rooted:
            unit.moved = 2
        if move.units:
            begin_attack(state, index, move.units[0], rooted=rooted, front=move.way)
        else:
            attack_terrain(state, index, move, rooted)
    elif name == "crumble":
        terrain.crumble(state, index)
    elif name in ABILITIES:
        state.note("ability", index, name, move.units, move.spots)
        ABILITIES[name].do(state, index, move)
    else:
        use_item(state, index, move)
