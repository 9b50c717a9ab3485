"""The fast core beside the plain engine, move by move: equal states, equal legal lists, the same
choices of the bots. Run where nothing is compiled (`NUMBA_DISABLE_JIT=1`), as a program:

    python -m tests.games.play.core_check lockstep MAP BOT FIRST COUNT
    python -m tests.games.play.core_check perft DEPTH
    python -m tests.games.play.core_check tally MAP BOT COUNT
"""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from typing import Any

from falldamage_forge.board import Board
from falldamage_forge.games.fall_damage.engine import codes as C
from falldamage_forge.games.fall_damage.engine import decisions, setup, transition
from falldamage_forge.games.fall_damage.engine.exchange import dump
from falldamage_forge.games.fall_damage.options import Options
from falldamage_forge.games.fall_damage.play import Arena, Readings, State
from falldamage_forge.games.fall_damage.play.dice import Dice
from falldamage_forge.games.fall_damage.play.engine import advance, begin, chooser, legal
from falldamage_forge.games.fall_damage.play.moves import Move
from falldamage_forge.games.fall_damage.play.setup import new_state
from falldamage_forge.playtest import series as playing
from falldamage_forge.playtest.bots import BOTS, decide
from falldamage_forge.playtest.core import count, drive, planner, play
from tests.games.play.goldens import golden_board
from tests.games.play.tables import KIT, preset, small_board

FEARS = {"greedy": 0.0, "careful": 0.25}


def board_of(name: str) -> Board:
    boards = {"golden": golden_board, "small": small_board}
    return boards[name]() if name in boards else preset(name)


def core_on(arena: Arena) -> drive.Core:
    return drive.Core(arena, play.do)


def setup_engine(core: drive.Core) -> None:
    """Bring the core's columns to the first decision."""
    core.bots.game += 1
    count.clear_watch(core.state, core.bots)
    setup.open_game(core.state, core.bots.first_seat)


class Pair:
    """One game on both engines."""

    def __init__(self, core: drive.Core, start: playing.Setup, bot: str) -> None:
        self.core, self.s, self.bot = core, core.state, bot
        self.state = begin(new_state(core.arena, start.teams, start.places))
        advance(self.state, legal(self.state)[start.first])
        random = ("random", "random")
        core.prepare(start, random)
        core.tongue.fixed = tuple(map(tuple, start.places))
        setup_engine(core)
        self.dice = Dice(start.seed)
        self.moves: list[str] = []

    def keys(self) -> list[int]:
        """The core's legal moves in order; AssertionError where anything differs."""
        s, state = self.s, self.state
        where = f"after {self.moves[-4:]}"
        assert dump(s, self.core.tongue) == state, f"states differ {where}"
        if state.over:
            return []
        keys = sorted(s.moves[: s.n_moves])
        assert [self.core.tongue.move(key) for key in keys] == legal(state), f"lists differ {where}"
        assert decisions.chooser(s) == chooser(state), where
        return keys

    def chosen(self, keys: list[int]) -> Move:
        """A bot's move, the same from both engines, or any."""
        who, moves = chooser(self.state), legal(self.state)
        if self.bot == "random" or who < 0 or len(moves) == 1 or self.state.phase == "setup":
            return self.dice.choice(moves)
        key = planner.plan_move(self.s, self.core.bots, FEARS[self.bot])
        move = decide(BOTS[self.bot], self.state, Dice(self.dice.state))
        if key < 0:
            return self.dice.choice(moves)
        assert self.core.tongue.move(key) == move, (
            f"bots differ after {self.moves[-4:]}: {self.core.tongue.move(key)} and {move}"
        )
        return move

    def step(self, move: Move) -> None:
        """Make a move on both."""
        self.moves.append(str(move))
        self.s.n_events = 0
        transition.advance(self.s, self.core.tongue.key(move))
        advance(self.state, move)


def series_of(name: str, bot: str, games: int) -> playing.Series:
    board = board_of(name)
    return playing.Series(board, Options(), Readings(), KIT, (bot, bot), games, 7, name, fast=True)


def lockstep(name: str, bot: str, first: int, count: int) -> dict[str, Any]:
    series = series_of(name, bot, first + count)
    core, moves, seen = core_on(playing.arena_of(series)), 0, set()
    for number in range(first, first + count):
        pair = Pair(core, playing.setup_of(series, core.arena, number), bot)
        while not pair.state.over:
            move = pair.chosen(pair.keys())
            if pair.s.lost:
                break
            pair.step(move)
            if pair.s.lost:
                break
        else:
            pair.keys()
        moves += len(pair.moves)
        seen |= {text.split()[0] for text in pair.moves}
    return {"moves": moves, "seen": sorted(seen)}


def tally(name: str, bot: str, count: int) -> dict[str, Any]:
    """Whether a chunk on the core leaves behind what the plain engine's does."""
    series = series_of(name, bot, count)
    arena = playing.arena_of(series)
    playing._CORES.append((arena, core_on(arena)))
    fast = playing.merged([playing.chunk(series, 0, count)])
    plain = playing.merged([playing.chunk(replace(series, fast=False), 0, count)])
    return {"same": fast == plain, "games": fast.counts["games"]}


def perft(depth: int) -> dict[str, list[int]]:
    """Ways to play on, counted by the core: each is played again from the beginning."""
    from tests.games.play.test_perft import TEAMS

    arena = Arena(small_board(), Options(), Readings(), KIT)
    core, found = core_on(arena), {}
    for name, teams in TEAMS.items():
        zones = [sorted(zone) for zone in arena.zones]
        places = tuple(tuple(z[: len(t)]) for z, t in zip(zones, teams, strict=True))
        found[name] = [
            sum(_ways(core, teams, places, first, [], at - 1) for first in (0, 1)) if at > 1 else 2
            for at in range(1, depth + 1)
        ]
    return found


def _ways(
    core: drive.Core, teams: Any, places: Any, first: int, path: list[int], depth: int
) -> int:
    core.prepare(playing.Setup(teams, places, first, False, 1), ("random", "random"))
    setup_engine(core)
    for key in path:
        transition.advance(core.state, key)
    if core.state.phase == C.OVER:
        return 0
    keys = core.state.moves[: core.state.n_moves]
    if depth == 1:
        return len(keys)
    return sum(_ways(core, teams, places, first, [*path, key], depth - 1) for key in keys)


def main(words: list[str]) -> None:
    name, *rest = words
    found: State | Any
    if name == "lockstep":
        found = lockstep(rest[0], rest[1], int(rest[2]), int(rest[3]))
    elif name == "tally":
        found = tally(rest[0], rest[1], int(rest[2]))
    else:
        found = perft(int(rest[0]))
    print(json.dumps(found))


if __name__ == "__main__":
    main(sys.argv[1:])
