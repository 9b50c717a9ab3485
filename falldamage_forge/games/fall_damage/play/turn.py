"""Rounds, turns and activations: whose turn it is, and what happens at the edges."""

from __future__ import annotations

from falldamage_forge.games.fall_damage.play.effects import end_promo, harm, heal, reap
from falldamage_forge.games.fall_damage.play.moves import COIN, END_TURN, UNIT, Move
from falldamage_forge.games.fall_damage.play.spots import NOWHERE
from falldamage_forge.games.fall_damage.play.state import BLUE, RED, SIDES, State
from falldamage_forge.games.fall_damage.play.stats import effective_move, has, sung_to, table_of
from falldamage_forge.games.fall_damage.play.tasks import question, task

DRAW, UNFINISHED = "draw", "unfinished"


def unit_moves(state: State) -> list[Move]:
    """Whom one may activate, and whether the turn may end; in order."""
    side, readings = state.to_act, state.arena.readings
    moves = [UNIT[index] for index in state.ready(side)]
    begun = state.left_in_turn < 2
    if (begun and readings.turn_size == "up_to_two") or (not begun and readings.pass_ == "yes"):
        moves.append(END_TURN)
    return moves


def choose_unit(state: State, index: int) -> None:
    """An activation begins: the Beast's coin, the end of a Promo, Move and Song settled."""
    unit = state.units[index]
    state.active, state.phase = index, "activation"
    unit.moved, unit.acted, unit.used = 0, False, ()
    state.note("activate", index)
    if has(state, unit, "ungovernable"):
        state.owe(("coin_move", index))
    else:
        state.owe(("begin", index, -1))


@task("begin")
def _begin(state: State, index: int, coin: int) -> None:
    unit = state.units[index]
    if has(state, unit, "promo"):
        end_promo(state, index)
    unit.song_now = sung_to(state, index)
    unit.move_now = effective_move(state, index, coin if coin >= 0 else None, unit.song_now)


def _coin(state: State, move: Move, index: int) -> None:
    table = table_of(state, "ungovernable")
    state.owe(("begin", index, table.heads if move.word == "heads" else table.tails))


question("coin_move", lambda state, index: list(COIN), _coin, lambda *_: -1)


def end_activation(state: State) -> None:
    """The active unit is done, dead or alive; then the turn goes on or passes."""
    unit = state.units[state.active]
    unit.activated, unit.vines = True, False
    unit.moved, unit.acted, unit.used = 0, False, ()
    unit.move_now, unit.song_now = 0, False
    state.last_actor = unit.side
    state.activations_this_round += 1
    state.left_in_turn -= 1
    state.active, state.phase = -1, "choose_unit"
    if state.left_in_turn == 0 or not state.ready(state.to_act):
        next_turn(state)


def next_turn(state: State) -> None:
    """The other side's turn, or the same again when only it has units left, or a new round."""
    for side in (1 - state.to_act, state.to_act):
        if state.ready(side):
            state.to_act, state.left_in_turn = side, 2
            return
    _new_round(state)


def _new_round(state: State) -> None:
    if state.round >= state.arena.readings.round_limit:
        _stop_at_limit(state)
        return
    state.round += 1
    state.first = 1 - state.last_actor
    state.to_act, state.left_in_turn, state.activations_this_round = state.first, 2, 0
    state.note("round", state.round)
    late = ["fountains"]
    harms = ["mist", "bites"]
    middle = harms + late if state.arena.readings.round_start == "harm_first" else late + harms
    names = ["songs", "bricks", *middle, "refresh", "judge", "first_turn"]
    state.owe(*((name,) for name in names))


@task("songs")
def _songs(state: State) -> None:
    for unit in state.units:
        unit.song_off = False


@task("fountains")
def _fountains(state: State) -> None:
    tiles = state.zone_tiles("fountain") if state.zones else frozenset()
    amount = state.arena.kit.called("life-fountain").amount
    for index, unit in enumerate(state.units):
        if unit.spot != NOWHERE and unit.spot >> 4 in tiles:
            heal(state, index, amount)


@task("mist")
def _mist(state: State) -> None:
    for unit in state.units:
        if unit.alive and unit.mist:
            unit.mist_rounds += 1


@task("bites")
def _bites(state: State) -> None:
    """Syringe and Blood Contract, then deaths together."""
    amount = table_of(state, "syringe").amount
    for index, unit in enumerate(state.units):
        if unit.alive:
            harm(state, index, (amount if unit.syringe else 0) + unit.blood, "other")
    reap(state)


@task("refresh")
def _refresh(state: State) -> None:
    for unit in state.units:
        unit.activated = False


@task("first_turn")
def _first_turn(state: State) -> None:
    if state.phase != "over" and not state.ready(state.to_act):
        next_turn(state)


# -- the end ---------------------------------------------------------------------------------------


@task("judge")
def judge(state: State) -> None:
    """Has somebody won? Asked after every complete resolution."""
    if state.phase == "over":
        return
    home = _brought_home(state)
    if home >= 0:
        finish(state, SIDES[home])
        return
    left = {unit.side for unit in state.units if unit.spot != NOWHERE}
    if len(left) > 1:
        return
    if left:
        finish(state, SIDES[left.pop()])
        return
    actor = state.units[state.active].side if state.active >= 0 else state.last_actor
    reading = state.arena.readings.double_end
    if reading == "draw" or actor < 0:
        finish(state, DRAW)
    else:
        finish(state, SIDES[actor if reading == "actor_wins" else 1 - actor])


def _brought_home(state: State) -> int:
    """The side whose carrier rests in the zone that wins; -1: none."""
    win = state.arena.readings.win
    if win == "elimination":
        return -1
    for unit in state.units:
        if unit.alive and unit.carries:
            zone = unit.side if win == "royal_icon" else 1 - unit.side
            if unit.spot in state.arena.zones[zone]:
                return unit.side
    return -1


def finish(state: State, result: str) -> None:
    """The game is over; nothing is owed any more."""
    state.phase, state.result = "over", result
    state.pending.clear()
    state.note("over", result)


def _stop_at_limit(state: State) -> None:
    reading = state.arena.readings.at_limit
    if reading == "unfinished":
        finish(state, UNFINISHED)
        return
    amounts = [
        sum(
            1 if reading == "units" else unit.health
            for unit in state.units
            if unit.alive and unit.side == side
        )
        for side in (RED, BLUE)
    ]
    if amounts[RED] == amounts[BLUE]:
        finish(state, DRAW)
    else:
        finish(state, SIDES[RED] if amounts[RED] > amounts[BLUE] else SIDES[BLUE])
