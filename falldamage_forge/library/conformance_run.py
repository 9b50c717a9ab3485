"""`ff.game_test`: the conformance run of a bot or an engine, by the protocol of docs/bots.md.

The run plays drawn games on preset maps. A bot must answer each of its decisions with a legal move
within its clock. An engine must answer every position of a game: whose turn it is, the legal moves,
the units and the result. The same seed gives the same games.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from itertools import chain
from time import monotonic
from typing import Any

from falldamage_forge.games.fall_damage.play import BoardGame
from falldamage_forge.games.fall_damage.play.move_value import Move
from falldamage_forge.games.fall_damage.play.split_mix import SplitMix64, seed_of
from falldamage_forge.games.fall_damage.play.state_value import SIDES, State
from falldamage_forge.infra import arguments
from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.library.forge import Forge
from falldamage_forge.library.map_game import Game
from falldamage_forge.playtest.bots import BOTS, Bot, choose_move
from falldamage_forge.playtest.external_bot import (
    MOST_TAIL,
    ExternalBot,
    Forfeit,
    position_json,
)
from falldamage_forge.playtest.game_series import CLOCK_S

CASES: tuple[tuple[str, Mapping[str, Any]], ...] = (
    ("duel", {}),
    ("ashkeep", {"win": "royal_icon"}),
    ("arena", {"edge": "void"}),
    ("canyon", {"win": "bomb"}),
)
"""Maps and options of the games, in turn."""
DRIVERS = ("random", "greedy")
"""Bots that move where the program does not, by rounds of CASES."""
GAMES = 2 * len(CASES)
ROUND_LIMIT = 8
MOST_SHOWN = 6
"""Greatest number of differences in a failure."""


@dataclass(frozen=True)
class GameTestFailure:
    """The first position of a game in which a program failed.

    Attributes:
        game: Number of the game, from 0.
        map: Name of its map.
        record: Record of the game up to the position.
        problems: Differences from the expected answer, in words.
    """

    game: int
    map: str
    record: Mapping[str, Any]
    problems: tuple[str, ...]

    def __str__(self) -> str:
        moves = self.record["moves"]
        after = f" (… {', '.join(f'`{move}`' for move in moves[-3:])})" if moves else ""
        where = f"game {self.game} on {self.map}, after {len(moves)} moves{after}"
        return f"{where}: {'; '.join(self.problems)}"


@dataclass(frozen=True)
class GameTestResult:
    """Result of a conformance run.

    Attributes:
        program: Command line of the program.
        role: `bot` or `engine`.
        games: Number of games.
        answers: Number of right answers.
        slowest_ms: Time of the slowest right answer in milliseconds.
        failures: At most one per game.
    """

    program: str
    role: str
    games: int
    answers: int
    slowest_ms: int
    failures: tuple[GameTestFailure, ...]

    @property
    def ok(self) -> bool:
        """True if the program passed every game."""
        return not self.failures


def game_test(
    program: str,
    role: str = "bot",
    *,
    games: int = GAMES,
    clock: float = CLOCK_S,
    seed: int = 0,
) -> GameTestResult:
    """Play drawn games with a program and compare its answers with the game.

    Args:
        program: Command line of the program.
        role: `bot` for a program that plays, `engine` for one that knows the rules.
        games: Number of games, 1 to 10,000.
        clock: Seconds for an answer, 0.01 to 3600.
        seed: Seed of the games.

    Raises:
        ForgeError (FDF346): If an argument is out of its bounds.
    """
    arguments.text("program", program)
    ask = ASKED[arguments.one_of("role", role, ASKED)]
    arguments.whole("games", games, 1, 10_000)
    if isinstance(clock, bool) or not isinstance(clock, int | float) or not 0.01 <= clock <= 3600:
        raise arguments.wrong("clock", clock, "a number of seconds from 0.01 to 3600")
    arguments.whole("seed", seed, 0, 2**64 - 1)
    asked = ExternalBot(program, clock)
    answers, slowest, failures = 0, 0.0, []
    try:
        for number in range(games):
            name, options = CASES[number % len(CASES)]
            draw = seed_of(seed, "game_test", number)
            game = Game(Forge().load(name), {"round_limit": ROUND_LIMIT, **options}, seed=draw)
            problems: tuple[str, ...] = ()
            try:
                asked.new(game)
                for problems, seconds in ask(asked, game, number):
                    if problems:
                        break
                    answers, slowest = answers + 1, max(slowest, seconds)
            except Forfeit as lost:
                problems = (str(lost),)
            if problems:
                failures.append(GameTestFailure(number, name, game.record(), problems))
    finally:
        asked.close()
    return GameTestResult(program, role, games, answers, round(1000 * slowest), tuple(failures))


Answers = Iterator[tuple[tuple[str, ...], float]]
"""The problems of each answer, and its time in seconds."""


def _ask_bot(program: ExternalBot, game: BoardGame, number: int) -> Answers:
    """Let the program play a side, red and blue in turn, and yield its answers."""
    seconds = 0.0

    def timed(state: State, dice: SplitMix64) -> Move:
        nonlocal seconds
        begun = monotonic()
        move = program.move(state, dice)
        seconds = monotonic() - begun
        return move

    for turn in _moves(game, number, {SIDES[number % 2]: timed}):
        if turn == SIDES[number % 2]:
            yield (), seconds


def _ask_engine(program: ExternalBot, game: BoardGame, number: int) -> Answers:
    """Let the program follow the game, and yield its answers about each position."""
    for _ in chain(("",), _moves(game, number, {})):
        begun = monotonic()
        answer = program.position([str(move) for move in game.moves[-1:]])
        seconds = monotonic() - begun
        yield tuple(differences(position_json(game), answer)), seconds


ASKED = {"bot": _ask_bot, "engine": _ask_engine}
"""Questions of a run, by role."""


def _moves(game: BoardGame, number: int, players: Mapping[str, Bot]) -> Iterator[str]:
    """Play a game to its end; yield whose turn it was after each move."""
    driver = BOTS[DRIVERS[number // len(CASES) % len(DRIVERS)]]
    dice = SplitMix64(game.seed)
    while not game.over:
        turn = game.turn
        if turn == "chance":
            game.roll()
        else:
            game.push(choose_move(players.get(turn, driver), game.state, dice))
        yield turn


def differences(expected: Mapping[str, Any], found: Any) -> list[str]:
    """Return the differences of a position from the expected one, in words.

    Args:
        expected: Position by `position_json`.
        found: Answer of a program, of any form. The order of `legal` is free.
    """
    if not isinstance(found, Mapping):
        return [f"the position is {_shown(found)}, expected an object"]
    said = [
        f"`{key}` is {_shown(found.get(key))}, expected {_shown(expected[key])}"
        for key in ("turn", "result")
        if found.get(key) != expected[key]
    ]
    legal, units = found.get("legal"), found.get("units")
    if not isinstance(legal, list) or not all(isinstance(move, str) for move in legal):
        said.append(f"`legal` is {_shown(legal)}, expected a list of texts")
    else:
        right = expected["legal"]
        said += [f"`{move}` is legal, and missing" for move in right if move not in {*legal}]
        said += [f"`{move}` is not legal" for move in legal if move not in {*right}]
    if not isinstance(units, list) or len(units) != len(expected["units"]):
        said.append(f"`units` is {_shown(units)}, expected a list of {len(expected['units'])}")
    else:
        said += [
            f"unit {n} is {_shown(unit)}, expected {_shown(right)}"
            for n, (unit, right) in enumerate(zip(units, expected["units"], strict=True))
            if unit != right
        ]
    more = len(said) - MOST_SHOWN
    return said if more <= 0 else [*said[:MOST_SHOWN], f"and {more} more"]


def _shown(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= MOST_TAIL else f"{text[:MOST_TAIL]}…"
