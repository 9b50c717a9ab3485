"""Series of games with fixed seeds, in chunks that any number of workers may play.

Games come in blocks of four: the same two teams, on either side, either moving first. So the
strength of the teams does not bias the scores of a side or of the first move.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from dataclasses import field
from threading import Lock
from typing import Any

from falldamage_forge.board import Board
from falldamage_forge.games.fall_damage.engine import codes as C
from falldamage_forge.games.fall_damage.engine.simulator import simulator_of
from falldamage_forge.games.fall_damage.options import FallDamageOptions
from falldamage_forge.games.fall_damage.play import BoardGame, MatchContext, legal_apply
from falldamage_forge.games.fall_damage.play.game_data import CLASSES, GameData
from falldamage_forge.games.fall_damage.play.play_options import PlayOptions, changed_options
from falldamage_forge.games.fall_damage.play.split_mix import SplitMix64, seed_of
from falldamage_forge.games.fall_damage.play.state_value import SIDES, check_teams, new_state
from falldamage_forge.games.fall_damage.play.surface_number import spot_name
from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.playtest.bot_kernels import habits, playout
from falldamage_forge.playtest.bot_kernels.batch_runner import CORE_BOTS, BatchRunner
from falldamage_forge.playtest.bots import BOTS, Bot, choose_move
from falldamage_forge.playtest.external_bot import Forfeit, external_bot
from falldamage_forge.playtest.game_setup import GameSetup, Teams
from falldamage_forge.playtest.score_verdict import BLOCK, Tally

CHUNK = 20
"""Games per chunk."""
CLOCK_S = 5.0
"""Seconds that a program has for a move, by default."""
TOSS = ("coin heads", "coin tails")
"""The moves by which red or blue moves first."""


@dataclass(frozen=True)
class GameSeries:
    """A series: a map under options, the bots of red and blue, the number of games, a seed.

    Attributes:
        games: Number of games.
        teams: Pairs of teams, used in turn; empty: teams are drawn for each block.
        fast: True for compiled kernels; the games are the same.
        clock: Seconds that a program has for a move.
    """

    board: Board
    rules: FallDamageOptions
    readings: PlayOptions
    content: GameData = field(repr=False)
    bots: tuple[str, str]
    games: int
    seed: int
    name: str = ""
    teams: tuple[Teams, ...] = ()
    fast: bool = False
    clock: float = CLOCK_S


def drawn_team(content: GameData, dice: SplitMix64) -> list[str]:
    """Return a random team with the number of cards of each class that the rules want.

    Args:
        content: Cards and rules of the game.
        dice: Random numbers; they move on.
    """
    team: list[str] = []
    for unit_class in CLASSES:
        cards = [
            name for name in content.team_cards() if content.cards[name].unit_class == unit_class
        ]
        team += dice.shuffled(cards)[: content.numbers.class_cards]
    return team


def setup_of(series: GameSeries, ctx: MatchContext, number: int) -> GameSetup:
    """Return the setup of a game.

    Four games in a row share teams and placements, crossed by side and first mover.

    Args:
        series: The series.
        ctx: Match context of the series.
        number: Number of the game, from 0.

    Raises:
        ForgeError (FDF381): If a team has more units than a side has start tiles.
    """
    block, cross = divmod(number, BLOCK)
    dice = SplitMix64(seed_of(series.seed, series.name, "teams", block))
    if series.teams:
        one, other = (list(team) for team in series.teams[block % len(series.teams)])
    else:
        one, other = drawn_team(series.content, dice), drawn_team(series.content, dice)
    check_teams(ctx, (one, other))
    check_teams(ctx, (other, one))
    orders = [dice.shuffled(range(max(map(len, ctx.zones), default=0))) for _ in range(2)]
    swapped, first = bool(cross & 1), cross >> 1
    teams = (other, one) if swapped else (one, other)
    order = (orders[1], orders[0]) if swapped else (orders[0], orders[1])
    # Blue counts its tiles from the far end, so that on a board with half-turn symmetry the same
    # team stands the same way on either side.
    zones = (ctx.zones[0], ctx.zones[1][::-1])
    places = []
    for side in (0, 1):
        spots = [zones[side][at] for at in order[side] if at < len(zones[side])]
        places.append(tuple(spots[: len(teams[side])]))
    seed = seed_of(series.seed, series.name, *series.bots, "game", number)
    return GameSetup(teams, (places[0], places[1]), first, swapped, seed)


class Plain(BatchRunner):
    """Games of programs: on state values, move by move.

    A program that does not start, or does not answer in time with a legal move, loses.
    """

    def __init__(self, ctx: MatchContext, clock: float = CLOCK_S) -> None:
        super().__init__(ctx, playout.run_command)
        self.state, self.clock = simulator_of(ctx).columns, clock
        self.forfeits: list[tuple[int, str, str]] = []

    def play(self, number: int, setup: GameSetup, bots: tuple[str, str]) -> list[tuple[str, int]]:
        """Play one game; return each move's notation and the number of legal moves.

        Args:
            number: Number of the game in its series.
            setup: Teams and places.
            bots: Names of the bots of both sides.
        """
        self.prepare(setup, ("random", "random"))  # the loop below asks the bots themselves
        columns, seen, dice = self.state, self.bots, SplitMix64(setup.seed)
        seen.game += 1
        playout.clear_watch(columns, seen)
        state = legal_apply.advance_to_first_node(new_state(self.ctx, setup.teams, setup.places))
        legal_apply.apply_move_in_place(state, legal_apply.legal_moves(state)[setup.first])
        playout.record_events(columns, seen)
        moves: list[tuple[str, int]] = []
        players, who = [], 0
        try:
            for who, bot in enumerate(bots):
                players.append(self._player(bot, bots[:who].count(bot)))
            while not state.over:
                choices, who = legal_apply.legal_moves(state), legal_apply.current_player(state)
                playout.record_positions(columns, seen)
                move = (
                    dice.choice(choices)
                    if who == legal_apply.CHANCE
                    else choose_move(players[who], state, dice)
                )
                moves.append((str(move), len(choices)))
                habits.record_choice(columns, seen, self.codec.key(move))
                legal_apply.apply_move_in_place(state, move)
                playout.record_events(columns, seen)
        except Forfeit as lost:
            columns.result = C.BLUE_WINS - who
            self.forfeits.append((number, lost.bot, str(lost)))
        playout.count_game(columns, seen)
        rounds = state.round
        self.games.append((number, rounds if self.result in SIDES else -rounds))
        return moves

    def _player(self, name: str, seat: int) -> Bot:
        """Return a bot by name, or the program of a command line, ready for this map."""
        if name in BOTS:
            return BOTS[name]
        program = external_bot(name, self.clock, seat)
        program.begin(self.ctx)
        return program.move

    def tally(self) -> Tally:
        """Return the counts of the games since `clear`."""
        tally = super().tally()
        tally.forfeits = [*self.forfeits]
        return tally

    def clear(self) -> None:
        """Reset the counts and the lists of games."""
        super().clear()
        self.forfeits = []


def context_of(series: GameSeries) -> MatchContext:
    """Return the match context of a series; the last four are cached."""
    key = (series.board, series.rules, series.readings)
    for known, content, ctx in _ARENAS:
        if known == key and content == series.content:
            return ctx
    ctx = MatchContext(series.board, series.rules, series.readings, series.content)
    _ARENAS.append((key, series.content, ctx))
    del _ARENAS[:-4]
    return ctx


_ARENAS: list[tuple[tuple[Board, FallDamageOptions, PlayOptions], GameData, MatchContext]] = []


def play_chunk(series: GameSeries, first: int, count: int) -> Tally:
    """Return the tally of a chunk; it does not depend on the worker.

    Args:
        series: The series.
        first: Number of the first game, the first of a block.
        count: Number of games.
    """
    tally = Tally()
    with _ONE_AT_A_TIME:
        core = core_of(series)
        core.clear()  # of records, and of a chunk that was stopped
        for number in range(first, first + count):
            setup, _ = _played(series, core, number)
            tally.score(number, core.result, setup.first, setup.swapped)
            if number % BLOCK == BLOCK - 1:
                first_team, other = setup.teams[:: -1 if setup.swapped else 1]
                tally.score_cards(number // BLOCK, first_team, other)
        tally.add(core.tally())
    tally.games.sort()
    return tally


_ONE_AT_A_TIME = Lock()
"""Held during a chunk: the threads of a Dask worker share the columns of a map."""


def _played(
    series: GameSeries, core: BatchRunner, number: int
) -> tuple[GameSetup, list[tuple[str, int]]]:
    """Return the setup of a game, and its moves if the runner returns them."""
    setup = setup_of(series, core.ctx, number)
    one, other = series.bots
    return setup, core.play(number, setup, (other, one) if setup.swapped else (one, other))


def core_of(series: GameSeries) -> BatchRunner:
    """Return the runner of a series, compiled if possible; the last two are cached."""
    ctx = context_of(series)
    over_columns = set(series.bots) <= set(CORE_BOTS)
    key = (series.fast, over_columns, series.clock)
    for known, known_key, core in _CORES:
        if known is ctx and known_key == key:
            return core
    made = (
        BatchRunner(ctx, None if series.fast else playout.run_command)
        if over_columns
        else Plain(ctx, series.clock)
    )
    _CORES.append((ctx, key, made))
    del _CORES[:-2]
    return made


_CORES: list[tuple[MatchContext, tuple[bool, bool, float], BatchRunner]] = []


def split_series(series: GameSeries, played: int = 0) -> Iterator[tuple[int, int]]:
    """Yield the chunks of a series: first game and count.

    Args:
        series: The series.
        played: Number of games that were already played.
    """
    for first in range(played, series.games, CHUNK):
        yield first, min(CHUNK, series.games - first)


def sum_tallies(tallies: Iterable[Tally]) -> Tally:
    """Return the sum of tallies."""
    total = Tally()
    for tally in tallies:
        total.add(tally)
    return total


def record_of(series: GameSeries, number: int) -> dict[str, Any]:
    """Return the record of one game of a series, by playing it again.

    Args:
        series: Series of games.
        number: Number of the game in it, from 0.
    """
    core = core_of(series)
    core.tell = True
    setup, moves = _played(series, core, number)
    core.tell = False
    game = new_game(series, setup)
    game.push(TOSS[setup.first])
    for text, _ in moves:
        game.push(text)
    return game.record()


def new_game(series: GameSeries, setup: GameSetup) -> BoardGame:
    """Return a game of a series before its first move.

    Args:
        series: Series of games.
        setup: Teams and places.
    """
    return BoardGame(
        series.board,
        series.content,
        changed_options(series.readings),
        rules=series.rules,
        teams=setup.teams,
        places=tuple([spot_name(spot) for spot in side] for side in setup.places),  # type: ignore[arg-type]
        seed=setup.seed,
    )


Runner = Callable[[list[tuple[GameSeries, int, int]]], Iterator[Tally]]


def run_here(chunks: list[tuple[GameSeries, int, int]]) -> Iterator[Tally]:
    """Play chunks in this process, one after the other."""
    for series, first, count in chunks:
        yield play_chunk(series, first, count)


def run_on(workers: int) -> Runner:
    """Return a runner that plays chunks on `workers` processes of this machine."""
    if workers <= 1:
        return run_here

    def run(work: list[tuple[GameSeries, int, int]]) -> Iterator[Tally]:
        from functools import partial

        from falldamage_forge.infra.process_pool import Pool

        with closing(Pool(workers - 1)) as pool:
            yield from pool.map([partial(play_chunk, *piece) for piece in work])

    return run


def run_dask(address: str) -> Runner:
    """Return a runner that plays chunks on a Dask cluster; programs run on its workers.

    Raises:
        ForgeError (FDF503, FDF505): When the runner starts, as `Cluster`.
    """

    def run(work: list[tuple[GameSeries, int, int]]) -> Iterator[Tally]:
        from falldamage_forge.infra.dask_cluster import Cluster

        hint = "with `--resume FILE` the same command continues from the games that ended"
        with closing(Cluster(address, hint)) as cluster:
            yield from cluster.map(play_chunk, work)

    return run


def run_series(series: list[GameSeries], runner: Runner, before: int = 0) -> list[Tally]:
    """Return the tally of each series.

    Args:
        series: The series.
        runner: Runner of the chunks.
        before: Number of games of each series to skip.
    """
    work = [(series, *piece) for series in series for piece in split_series(series, before)]
    done = iter(runner(work))
    return [sum_tallies(next(done) for _ in split_series(series, before)) for series in series]
