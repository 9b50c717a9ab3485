"""Decisions that treasure asks for: each a list of moves, and what one of them does.

A result that needs two things (two tiles, an enemy and a card) asks twice, one after the other.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

from falldamage_forge.games.fall_damage.moves import UNLIMITED
from falldamage_forge.games.fall_damage.play import terrain
from falldamage_forge.games.fall_damage.play.areas import square
from falldamage_forge.games.fall_damage.play.effects import heal
from falldamage_forge.games.fall_damage.play.hidden import place_trap, trap_moves
from falldamage_forge.games.fall_damage.play.moves import Move
from falldamage_forge.games.fall_damage.play.state import State, Unit, Zone
from falldamage_forge.games.fall_damage.play.stats import (
    card_of,
    ground_of,
    printed,
)
from falldamage_forge.games.fall_damage.play.strike import remove_friend, value
from falldamage_forge.games.fall_damage.play.tasks import question, task

Moves = Callable[..., list[Move]]
Does = Callable[..., None]


def ask(state: State, name: str, index: int, *values: object) -> None:
    """Owe a choice of the finder's side; without anything to choose it falls away."""
    state.owe((f"choose_{name}", index, *values))


def choice(name: str, moves: Moves, does: Does) -> None:
    """Register a choice: its moves, and what one does, called with state, move, finder, values."""

    def listed(state: State, index: int, *values: object) -> list[Move]:
        return moves(state, index, *values) if state.units[index].alive else []

    def who(state: State, index: int, *_: object) -> int:
        return state.units[index].side

    question(f"choose_{name}", listed, does, who)


def pick(name: str, **fields: object) -> Move:
    """A choice's move."""
    return Move("choice", name, **fields)  # type: ignore[arg-type]


# -- Elixir ----------------------------------------------------------------------------------------


def _elixir_moves(state: State, index: int) -> list[Move]:
    unit = state.units[index]
    hurt = unit.health < unit.max_health or state.arena.readings.empty_actions == "yes"
    return [pick("total"), *([pick("heal")] if hurt else [])]


def _elixir(state: State, move: Move, index: int) -> None:
    unit, amount = state.units[index], state.arena.kit.called("elixir").amount
    if move.name == "heal":
        heal(state, index, amount)
        return
    unit.max_health += amount
    if state.arena.readings.health_total == "both":
        unit.health += amount


choice("elixir", _elixir_moves, _elixir)

# -- tiles -----------------------------------------------------------------------------------------


def _zone_moves(state: State, index: int, kind: str) -> list[Move]:
    land = state.land
    inner = kind == "fog"
    return [
        pick("tile", tile=tile)
        for tile in land.tiles()
        if not inner or (0 < tile >> 6 < land.rows - 1 and 0 < tile & 63 < land.cols - 1)
    ]


def _zone(state: State, move: Move, index: int, kind: str) -> None:
    side = state.units[index].side if kind == "rope" else -1
    tiles = square(ground_of(state), move.tile)
    state.zones = (*state.zones, Zone(kind, tiles, side))


choice("zone", _zone_moves, _zone)


def _eruption_moves(state: State, index: int, left: int) -> list[Move]:
    return [pick("tile", tile=t) for t in state.land.tiles() if terrain.burnable(state, t)]


def _eruption(state: State, move: Move, index: int, left: int) -> None:
    terrain.burn(state, move.tile)
    if left > 1:
        ask(state, "eruption", index, left - 1)


choice("eruption", _eruption_moves, _eruption)


def _dam_moves(state: State, index: int) -> list[Move]:
    return [pick("tile", tile=tile) for tile in state.land.tiles()]


def _dam_way_moves(state: State, index: int, tile: int) -> list[Move]:
    return [pick("way", way=way) for way in range(4)]


def _dam_length_moves(state: State, index: int, tile: int, way: int) -> list[Move]:
    most = state.arena.kit.called("dam-break").amount
    room = terrain.run_length(state.land, tile, way, most)
    return [pick("length", word=str(length)) for length in range(1, room + 1)]


choice("dam_tile", _dam_moves, lambda state, move, index: ask(state, "dam_way", index, move.tile))
choice(
    "dam_way",
    _dam_way_moves,
    lambda state, move, index, tile: ask(state, "dam_length", index, tile, move.way),
)
choice(
    "dam_length",
    _dam_length_moves,
    lambda state, move, index, tile, way: terrain.flood(state, tile, way, int(move.word)),
)


def _tectonic_moves(state: State, index: int) -> list[Move]:
    step = state.arena.readings.standard_piece
    return [
        pick(name, tile=tile)
        for tile in state.land.tiles()
        for name, levels in (("raise", step), ("sink", -step))
        if terrain.may_shift(state, tile, levels)
    ]


def _tectonic(state: State, move: Move, index: int) -> None:
    step = state.arena.readings.standard_piece
    terrain.shift(state, move.tile, step if move.name == "raise" else -step)


choice("tectonic", _tectonic_moves, _tectonic)
choice(
    "aid",
    lambda state, index: list(trap_moves(state, index, 0)),
    lambda state, move, index: place_trap(state, index, "aid", move),
)

# -- units and cards -------------------------------------------------------------------------------


def _card_moves(state: State, index: int, victim: int) -> list[Move]:
    return [pick("card", word=name) for name in state.arena.kit.team_cards()]


def _card(state: State, move: Move, index: int, victim: int) -> None:
    become(state, state.units[victim if victim >= 0 else index], move.word)


choice("card", _card_moves, _card)


def become(state: State, unit: Unit, card: str) -> None:
    """Another card: its values and abilities; treasure, statuses and damage taken stay."""
    old, new = printed(state, unit, "H"), state.arena.card(card).health
    lost, full = unit.max_health - unit.health, unit.max_health - old + new
    unit.card, unit.stats, unit.max_health = card, (), full
    reading = state.arena.readings.change_health
    if reading == "full":
        unit.health = full
    elif reading == "keep_health":
        unit.health = min(unit.health, full)
    else:
        unit.health = max(1, full - lost)


def _victim_moves(state: State, index: int) -> list[Move]:
    side = state.units[index].side
    return [pick("unit", units=(other,)) for other in state.living(1 - side)]


choice(
    "victim",
    _victim_moves,
    lambda state, move, index: ask(state, "card", index, move.units[0]),
)


def _gloves_moves(state: State, index: int) -> list[Move]:
    side = state.units[index].side
    found = {
        f"{ability} {state.units[other].card}"
        for other in state.living(1 - side)
        for ability in card_of(state, state.units[other]).abilities
    }
    return [pick("ability", word=word) for word in sorted(found)]


def _gloves(state: State, move: Move, index: int) -> None:
    ability, card = move.word.split()
    state.units[index].extra_ability = (ability, card)


choice("gloves", _gloves_moves, _gloves)


def _friends(state: State, index: int) -> list[Move]:
    side = state.units[index].side
    return [pick("unit", units=(other,)) for other in state.living(side) if other != index]


def _satiate(state: State, move: Move, index: int) -> None:
    friend, unit = state.units[move.units[0]], state.units[index]
    unit.attack_plus += value(state, friend)
    unit.health += friend.health
    unit.max_health += friend.health
    remove_friend(state, move.units[0])


choice("satiate", _friends, _satiate)


def _unholy_moves(state: State, index: int) -> list[Move]:
    side = state.units[index].side
    own = {
        body.unit for body in state.bodies if not body.used and state.units[body.unit].side == side
    }
    return [pick("unit", units=(other,)) for other in sorted(own)]


def _unholy(state: State, move: Move, index: int) -> None:
    state.owe(("revive", move.units[0], index))


choice("unholy", _unholy_moves, _unholy)


def _swappable(state: State, unit: Unit) -> dict[str, int]:
    """Values that can be swapped: printed numbers, nothing unlimited."""
    card = card_of(state, unit)
    found = {}
    for stat in ("M", "J", "H", "A", "R", "P"):
        number = printed(state, unit, stat)
        if number >= UNLIMITED or (stat == "R" and not card.own_reach):
            continue
        if stat == "P" and (card.letter in ("", "F") or number == 0):
            continue
        found[stat] = number
    return found


def _botched_moves(state: State, index: int) -> list[Move]:
    unit = state.units[index]
    values = _swappable(state, unit)
    moves = []
    for one, other in combinations(values, 2):
        if "H" in (one, other):
            new = values[other if one == "H" else one]
            if min(unit.health + new - values["H"], new) < 1:
                continue
        moves.append(pick("stats", word=f"{one} {other}"))
    return moves


def _botched(state: State, move: Move, index: int) -> None:
    unit = state.units[index]
    values = _swappable(state, unit)
    one, other = move.word.split()
    stats = {**dict(unit.stats), one: values[other], other: values[one]}
    unit.stats = tuple(sorted(stats.items()))
    if "H" in (one, other):
        new = stats["H"]
        unit.health = min(unit.health + new - values["H"], new)
        unit.max_health = new


choice("botched", _botched_moves, _botched)

# -- winds -----------------------------------------------------------------------------------------


def _wind_moves(state: State, decider: int, pushed: int, tiles: int) -> list[Move]:
    return [Move("wind", "wind", way=way) for way in range(4)] if state.living(pushed) else []


def _wind(state: State, move: Move, decider: int, pushed: int, tiles: int) -> None:
    """Everybody of a side is pushed, the farthest along the direction first."""
    sign = (-1, 1, 1, -1)[move.way]
    along = 10 if move.way in (0, 2) else 4

    def far(index: int) -> tuple[int, int]:
        spot = state.units[index].spot
        return -sign * (spot >> along & 63), index

    climb = state.arena.rules.wind_climb == "yes"
    state.note("wind", pushed, move.way)
    state.owe(
        *(
            (
                "push",
                index,
                move.way,
                tiles,
                0 if climb else None,
                False,
                state.units[index].spot,
                -1,
            )
            for index in sorted(state.living(pushed), key=far)
        )
    )


question("wind", _wind_moves, _wind, lambda state, decider, *_: decider)


@task("revive")
def _revive(state: State, index: int, finder: int) -> None:
    from falldamage_forge.games.fall_damage.play.raising import revive

    body = next((b for b in state.bodies if b.unit == index and not b.used), None)
    if body is not None:
        revive(state, index, body, state.units[finder].spot)
