"""Before round 1: who begins, who brings what, where everybody stands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from falldamage_forge.games.fall_damage.play.arena import Arena
from falldamage_forge.games.fall_damage.play.kit import PER_CLASS, SKELETON
from falldamage_forge.games.fall_damage.play.moves import COIN, Move
from falldamage_forge.games.fall_damage.play.spots import apart, nearness
from falldamage_forge.games.fall_damage.play.state import BLUE, RED, SIDES, State, Unit
from falldamage_forge.games.fall_damage.play.stats import ground_of
from falldamage_forge.games.fall_damage.play.tasks import question, task
from falldamage_forge.issues import ForgeError, Issue

Teams = tuple[Sequence[str], Sequence[str]]
Places = tuple[Sequence[int], Sequence[int]]
PARTY = 2
"""Source: "Necromancer comes with two skeletons"."""


def new_state(arena: Arena, teams: Teams | None = None, places: Places | None = None) -> State:
    """The state before the first coin. Teams and places that are given are not asked for."""
    state = State(arena, arena.land, chests=arena.chests)
    if arena.readings.win != "elimination" and state.chests:
        state.prize = _prize(arena)
        state.chests = tuple(chest for chest in state.chests if chest != state.prize)
    sizes = [len(zone) for zone in arena.zones]
    if teams is not None:
        _check_teams(arena, teams)
        sizes = [len(team) for team in teams]
        state.picks = (tuple(teams[0]), tuple(teams[1]))
    for side, size in enumerate(sizes):
        state.units += [Unit(side, "") for _ in range(size)]
    fixed = tuple(tuple(side) for side in places) if places is not None else None
    state.owe(("toss",), ("draft_next",), ("place_next", fixed), ("skeletons", RED),
              ("skeletons", BLUE), ("settle_all",), ("start",))  # fmt: skip
    return state


def _check_teams(arena: Arena, teams: Teams) -> None:
    faults = []
    for side, team, zone in zip(SIDES, teams, arena.zones, strict=True):
        unknown = [name for name in team if name not in arena.kit.cards]
        faults += [Issue("FDF341", "error", f"no unit called `{name}`") for name in unknown]
        if len(team) > len(zone):
            message = f"{side} has {len(team)} units and {len(zone)} start tiles"
            faults.append(Issue("FDF381", "error", message))
    if faults:
        raise ForgeError(faults)


def _prize(arena: Arena) -> int:
    """The chest that lies farthest from both start zones."""
    zones = [spot for zone in arena.zones for spot in zone]
    return max(arena.chests, key=lambda chest: (sum(apart(chest, s) for s in zones), -chest))


# -- who begins ------------------------------------------------------------------------------------


def _toss(state: State, move: Move) -> None:
    heads = move.word == "heads"
    if state.arena.readings.side_choice == "random":
        state.first = state.to_act = RED if heads else BLUE
    else:
        state.owe(("choose_side", 0 if heads else 1))


def _side(state: State, move: Move, winner: int) -> None:
    """The winner takes a side; "The loser gets to have the first turn"."""
    side = SIDES.index(move.word)
    state.seats = (winner, 1 - winner) if side == RED else (1 - winner, winner)
    state.first = state.to_act = 1 - side


question("toss", lambda state: list(COIN), _toss, lambda *_: -1)
question(
    "choose_side",
    lambda state, winner: [Move("side", "side", word=side) for side in SIDES],
    _side,
    lambda state, winner: winner,
)

# -- teams -----------------------------------------------------------------------------------------


def _team_size(state: State, side: int) -> int:
    return sum(unit.side == side for unit in state.units)


@task("draft_next")
def _draft_next(state: State) -> None:
    """Who picks next: a side after the other, or card by card (option `draft`)."""
    lacking = [side for side in (RED, BLUE) if len(state.picks[side]) < _team_size(state, side)]
    if not lacking:
        return
    first = state.first
    side = first if first in lacking else 1 - first
    if state.arena.readings.draft == "alternate" and len(lacking) == 2:
        behind = len(state.picks[first]) > len(state.picks[1 - first])
        side = 1 - first if behind else first
    state.owe(("pick", side), ("draft_next",))


def _draft_moves(state: State, side: int) -> list[Move]:
    readings, kit = state.arena.readings, state.arena.kit
    own = state.picks[side]
    taken = set(own) if readings.team_duplicates == "no" else set()
    if readings.shared_cards == "no":
        taken |= set(state.picks[1 - side])
    counts = Counter(kit.cards[name].unit_class for name in own)
    return [
        Move("draft", "draft", word=name)
        for name in kit.team_cards()
        if name not in taken and counts[kit.cards[name].unit_class] < PER_CLASS
    ]


def _draft(state: State, move: Move, side: int) -> None:
    picks = list(state.picks)
    picks[side] = (*picks[side], move.word)
    state.picks = (picks[0], picks[1])


question("pick", _draft_moves, _draft, lambda state, side: side)

# -- places ----------------------------------------------------------------------------------------


@task("place_next")
def _place_next(state: State, fixed: Places | None) -> None:
    """Stand the teams up: as given, as listed, or one decision a unit."""
    for side in (RED, BLUE):
        mine = [unit for unit in state.units if unit.side == side]
        for unit, name in zip(mine, state.picks[side], strict=False):
            if not unit.card:
                unit.card = name
                unit.health = unit.max_health = state.arena.card(name).health
    if fixed is not None or state.arena.readings.placement == "listed":
        spots = fixed if fixed is not None else state.arena.zones
        for side in (RED, BLUE):
            indices = [i for i, unit in enumerate(state.units) if unit.side == side]
            for index, spot in zip(indices, spots[side], strict=False):
                state.put(index, spot)
        return
    lacking = {
        side: [i for i, u in enumerate(state.units) if u.side == side and not u.alive]
        for side in (RED, BLUE)
    }
    first = state.first
    if not lacking[RED] and not lacking[BLUE]:
        return
    side = first if lacking[first] else 1 - first
    if state.arena.readings.draft == "alternate" and lacking[1 - first]:
        side = 1 - first if len(lacking[first]) < len(lacking[1 - first]) else first
    state.owe(("place", lacking[side][0]), ("place_next", None))


def _place_moves(state: State, index: int) -> list[Move]:
    zone = state.arena.zones[state.units[index].side]
    free = [spot for spot in zone if spot not in state.occupied]
    return [Move("place", "place", (index,), (spot,)) for spot in free]


def _place(state: State, move: Move, index: int) -> None:
    state.put(index, move.spots[0])


question("place", _place_moves, _place, lambda state, index: state.units[index].side)


@task("skeletons")
def _skeletons(state: State, side: int) -> None:
    """Each Necromancer's two Skeletons stand near it, outside both start zones."""
    for index in state.living(side):
        if state.units[index].card == "necromancer":
            state.owe(*(("skeleton", index) for _ in range(PARTY)))


@task("skeleton")
def _skeleton(state: State, index: int) -> None:
    spots = _skeleton_spots(state, index)
    if not spots:
        return
    if state.arena.readings.skeleton_place == "choice":
        state.owe(("stand", index))
        return
    owner = state.units[index]
    _stand_up(state, owner.side, min(spots, key=lambda s: nearness(s, owner.spot)))


def _skeleton_spots(state: State, index: int) -> list[int]:
    zones = {spot for zone in state.arena.zones for spot in zone}
    return [s for s in ground_of(state).spots if s not in state.occupied and s not in zones]


def _stand_up(state: State, side: int, spot: int) -> None:
    from falldamage_forge.games.fall_damage.play.raising import new_unit

    new_unit(state, side, SKELETON, spot, 1)


def _stand_moves(state: State, index: int) -> list[Move]:
    spots, owner = _skeleton_spots(state, index), state.units[index].spot
    least = min((apart(spot, owner) for spot in spots), default=0)
    near = [spot for spot in spots if apart(spot, owner) == least]
    return [Move("place", "place skeleton", (index,), (spot,)) for spot in near]


def _stand(state: State, move: Move, index: int) -> None:
    _stand_up(state, state.units[index].side, move.spots[0])


question("stand", _stand_moves, _stand, lambda state, index: state.units[index].side)


@task("settle_all")
def _settle_all(state: State) -> None:
    """First placement counts as coming to rest."""
    state.owe(*(("rest", index, False) for index in state.living()))


@task("start")
def _start(state: State) -> None:
    state.phase, state.to_act, state.left_in_turn = "choose_unit", state.first, 2
    state.owe(("judge",), ("first_turn",))
