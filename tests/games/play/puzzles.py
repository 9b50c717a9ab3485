"""Drawn tactical puzzles: a position before red's turn, and a result that red can force in it.

`python -m tests.games.play.puzzles search-2 10` counts how many of each family a bot solves.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from falldamage_forge.games.fall_damage.options import FallDamageOptions
from falldamage_forge.games.fall_damage.play import MatchContext, PlayOptions, State, legal_apply
from falldamage_forge.games.fall_damage.play.conformance import board_of, situation
from falldamage_forge.games.fall_damage.play.split_mix import SplitMix64
from falldamage_forge.playtest.bots import BOTS, choose_move
from tests.games.play.tables import KIT

SIZE, FAR = 7, 6
CLIFF, WALL = 5, 12
ROWS, INNER = (0, 1, 2, 4, 5, 6), (1, 2, 4, 5)
Placed = tuple[str, str, list[int]]


@dataclass(frozen=True)
class Puzzle:
    """Heights, units (the second one is the victim), more of the map, and when it is solved."""

    heights: list[list[int]]
    units: list[Placed]
    solved: Callable[[State], bool]
    more: dict[str, Any] = field(default_factory=dict)


def flat(level: int = 0) -> list[list[int]]:
    return [[level] * SIZE for _ in range(SIZE)]


def cliff(columns: int) -> list[list[int]]:
    return [[CLIFF] * columns + [0] * (SIZE - columns) for _ in range(SIZE)]


def towers(heights: list[list[int]]) -> list[Placed]:
    """A unit of each side on a tower, out of reach: the game goes on whatever happens below."""
    heights[0][0] = heights[FAR][FAR] = WALL
    return [("red", "skeleton", [0, 0, WALL]), ("blue", "skeleton", [FAR, FAR, WALL])]


def victim_is_dead(state: State) -> bool:
    return not state.units[1].alive


def chest_is_safe(state: State) -> bool:
    """Red has opened it, or no unit of blue reaches it with its next Move."""
    if not state.chests:
        return sum(unit.side == 0 and unit.alive for unit in state.units) > 0
    (chest,) = state.chests
    for choice in legal_apply.legal_moves(state):
        then = legal_apply.apply_move(state, choice)
        steps = () if then.over else legal_apply.legal_moves(then)
        if any(move.kind == "move" and chest in move.spots for move in steps):
            return False
    return True


def push_off(dice: SplitMix64) -> Puzzle:
    """A Force Mage and a unit at the rim of a cliff."""
    row = dice.choice(ROWS)
    units = [
        ("red", "force-mage", [row, dice.below(3), CLIFF]),
        ("blue", "bandit", [row, 3, CLIFF]),
    ]
    return Puzzle(cliff(4), [*units, ("blue", "knight", [FAR, FAR, 0])], victim_is_dead)


def push_into_lava(dice: SplitMix64) -> Puzzle:
    """A Knight, and lava behind a unit that it cannot kill."""
    row = dice.choice(ROWS)
    units = [("red", "knight", [row, dice.below(3), 0]), ("blue", "bard", [row, 3, 0])]
    units += [("blue", "medic", [FAR - row, FAR, 0])]
    return Puzzle(flat(), units, victim_is_dead, {"lava": [[row, 4]]})


def two_activations(dice: SplitMix64) -> Puzzle:
    """Two units that push by one, and lava two tiles behind a unit that they cannot kill."""
    row, heights = dice.choice(INNER), flat()
    near, far = dice.choice(("knight", "necromancer")), dice.choice(("archer", "knight"))
    units = [("red", near, [row, 1 + dice.below(2), 0]), ("blue", "knight", [row, 3, 0])]
    units += [("red", far, [3, 1, 0]), ("blue", "medic", [FAR - row, 0, 0])]
    units += towers(heights)
    return Puzzle(heights, units, victim_is_dead, {"lava": [[row, 5]]})


def spire_on_a_head(dice: SplitMix64) -> Puzzle:
    """A Spire at the rim of a cliff, and a unit below it that no attack reaches."""
    row, card = dice.choice(ROWS), dice.choice(("knight", "spearman", "bandit"))
    victim = dice.choice(("archer", "medic", "gunner"))
    turned = {"bandit": [row + (1 if row < 3 else -1), 2, CLIFF]}
    at = [row, dice.below(3), CLIFF] if card != "bandit" else turned[card]
    units = [("red", "knight" if card == "bandit" else card, at), ("blue", victim, [row, 4, 0])]
    units += [("blue", "knight", [FAR - row, FAR, 0])]
    return Puzzle(cliff(4), units, victim_is_dead, {"spires": [[row, 3]]})


def bridge_over_lava(dice: SplitMix64) -> Puzzle:
    """A Shield Bearer, which no push moves, on a bridge; one or two that shoot."""
    col = 2 + dice.below(3)
    heights = [[3] * SIZE if row in (0, 1, 5, 6) else [0] * SIZE for row in range(SIZE)]
    deck = {"a": [1, col], "b": [5, col], "level": 3}
    lava = [[row, each] for row in (2, 3, 4) for each in range(SIZE)]
    victim = ("blue", "shield-bearer", [2 + dice.below(2), col, 3])
    one, other = dice.choice((("gunner", "knight"), ("archer", "arbalist"), ("spearman", "archer")))
    units = [("red", one, [0, col - 1, 3]), victim, ("red", other, [0, col + 1, 3])]
    units += [("blue", "medic", [FAR, dice.below(FAR), 3]), *towers(heights)]
    return Puzzle(heights, units, victim_is_dead, {"decks": [deck], "lava": lava})


def chest_to_take(dice: SplitMix64) -> Puzzle:
    """A chest between a Knight and a Shield Bearer, which two attacks do not kill."""
    row, heights = dice.choice(INNER), flat()
    units = [("red", "knight", [row, dice.below(2), 0]), ("blue", "shield-bearer", [row, FAR, 0])]
    units += [("red", "archer", [FAR - row, 0, 0]), ("blue", "brick-mage", [FAR - row, FAR, 0])]
    units += towers(heights)
    return Puzzle(heights, units, chest_is_safe, {"treasures": [[row, 3]]})


def chest_to_block(dice: SplitMix64) -> Puzzle:
    """A chest at the end of a corridor, which a Knight can close before a Bandit walks in."""
    row, gap = dice.choice(INNER), 3 + dice.below(2)
    heights = flat(WALL)
    heights[row] = [0] * SIZE
    side = -1 if row > 3 else 1
    for step in (1, 2):
        heights[row + side * step][gap] = 0
    units = [("red", "knight", [row + side * 2, gap, 0]), ("blue", "bandit", [row, FAR - 1, 0])]
    units += [("blue", "medic", [row, FAR, 0]), *towers(heights)]
    return Puzzle(heights, units, chest_is_safe, {"treasures": [[row, 1]]})


def chest(dice: SplitMix64) -> Puzzle:
    return dice.choice((chest_to_take, chest_to_block))(dice)


FAMILIES: dict[str, Callable[[SplitMix64], Puzzle]] = {
    "push off a cliff": push_off,
    "push into lava": push_into_lava,
    "two activations": two_activations,
    "spire on a head": spire_on_a_head,
    "bridge over lava": bridge_over_lava,
    "chest": chest,
}


def start(puzzle: Puzzle) -> State:
    """The position of a puzzle."""
    given = {"heights": puzzle.heights, **puzzle.more}
    units = [
        {"id": str(n), "side": side, "card": card, "at": at}
        for n, (side, card, at) in enumerate(puzzle.units)
    ]
    ctx = MatchContext(board_of(given)[0], FallDamageOptions(), PlayOptions(), KIT)
    state = situation(ctx, {"map": given, "units": units}, {str(n): n for n in range(len(units))})
    return legal_apply.advance_to_first_node(state)


def after_the_turn(state: State, bot: str, dice: SplitMix64) -> State:
    """The position after red's turn."""
    while not state.over and (state.phase != "choose_unit" or state.to_act == 0 or state.pending):
        if state.round > 1:
            break
        if legal_apply.current_player(state) == legal_apply.CHANCE:
            move = dice.choice(legal_apply.legal_moves(state))
        else:
            move = choose_move(BOTS[bot], state, dice)
        legal_apply.apply_move_in_place(state, move)
    return state


def solved(family: str, bot: str, drawn: int) -> list[bool]:
    """Whether a bot solves each of some drawn puzzles of a family."""
    found = []
    for number in range(drawn):
        dice = SplitMix64(number)
        puzzle = FAMILIES[family](dice)
        found.append(puzzle.solved(after_the_turn(start(puzzle), bot, dice)))
    return found


if __name__ == "__main__":
    for name in sys.argv[3:] or FAMILIES:
        print(f"{name}: {sum(solved(name, sys.argv[1], int(sys.argv[2])))} of {sys.argv[2]}")
