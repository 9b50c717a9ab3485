"""Series of games with fixed seeds, in chunks that any number of workers may play.

Games come in fours: the same two teams, on either side, either moving first. So what a side or the
first move is worth does not hang on who drew the better cards.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from falldamage_forge.board import Board
from falldamage_forge.games.fall_damage.options import Options
from falldamage_forge.games.fall_damage.play import Arena, Game
from falldamage_forge.games.fall_damage.play.dice import Dice, seed_of
from falldamage_forge.games.fall_damage.play.engine import CHANCE, advance, begin, chooser, legal
from falldamage_forge.games.fall_damage.play.kit import CLASSES, PER_CLASS, Kit
from falldamage_forge.games.fall_damage.play.moves import Move
from falldamage_forge.games.fall_damage.play.options import Readings
from falldamage_forge.games.fall_damage.play.setup import new_state
from falldamage_forge.games.fall_damage.play.spots import spot_name
from falldamage_forge.games.fall_damage.play.state import State
from falldamage_forge.playtest.bots import BOTS, decide
from falldamage_forge.playtest.tally import Tally, Watch, finish
from falldamage_forge.playtest.verdict import BLOCK

if TYPE_CHECKING:
    from falldamage_forge.playtest.core.drive import Core

CHUNK = 20
"""Games in one piece of work."""
Teams = tuple[list[str], list[str]]


@dataclass(frozen=True)
class Series:
    """What is played: a map under rules, which bots (red's, blue's), how many games, which seed.

    `teams` are pairs of teams to take turns; without them teams are drawn for each four games.
    """

    board: Board
    rules: Options
    readings: Readings
    kit: Kit = field(repr=False)
    bots: tuple[str, str]
    games: int
    seed: int
    name: str = ""
    teams: tuple[Teams, ...] = ()
    fast: bool = False
    """Whether they are compiled; the games are the same."""


@dataclass(frozen=True, slots=True)
class Setup:
    """One game's beginning: teams by side, their places, who moves first, the dice's seed."""

    teams: Teams
    places: tuple[tuple[int, ...], tuple[int, ...]]
    first: int
    swapped: bool
    seed: int


def drawn_team(kit: Kit, dice: Dice) -> list[str]:
    """Two cards of each class, as the rules want."""
    team: list[str] = []
    for unit_class in CLASSES:
        cards = [name for name in kit.team_cards() if kit.cards[name].unit_class == unit_class]
        team += dice.shuffled(cards)[:PER_CLASS]
    return team


def setup_of(series: Series, arena: Arena, number: int) -> Setup:
    """How a game begins: four in a row share teams and places, crossed by side and first mover."""
    block, cross = divmod(number, BLOCK)
    dice = Dice(seed_of(series.seed, series.name, "teams", block))
    if series.teams:
        one, other = (list(team) for team in series.teams[block % len(series.teams)])
    else:
        one, other = drawn_team(series.kit, dice), drawn_team(series.kit, dice)
    orders = [dice.shuffled(range(max(map(len, arena.zones), default=0))) for _ in range(2)]
    swapped, first = bool(cross & 1), cross >> 1
    teams = (other, one) if swapped else (one, other)
    order = (orders[1], orders[0]) if swapped else (orders[0], orders[1])
    # Blue counts its tiles from the far end, so that on a board turned by half a turn the same
    # team stands the same way on either side.
    zones = (arena.zones[0], arena.zones[1][::-1])
    places = []
    for side in (0, 1):
        spots = [zones[side][at] for at in order[side] if at < len(zones[side])]
        places.append(tuple(spots[: len(teams[side])]))
    seed = seed_of(series.seed, series.name, *series.bots, "game", number)
    return Setup(teams, (places[0], places[1]), first, swapped, seed)


def play(series: Series, arena: Arena, number: int, tally: Tally) -> tuple[State, list[Move]]:
    """Play one game of a series and count it."""
    setup = setup_of(series, arena, number)
    state = begin(new_state(arena, setup.teams, setup.places))
    bots = tuple(BOTS[name] for name in _seated(series, setup))
    dice, watch, moves = Dice(setup.seed), Watch(), []
    state.log = []
    toss = legal(state)[setup.first]
    moves.append(toss)
    advance(state, toss)
    while not state.over:
        watch.visited.update(state.occupied)
        who = chooser(state)
        move = dice.choice(legal(state)) if who == CHANCE else decide(bots[who], state, dice)
        moves.append(move)
        advance(state, move)
        if state.log:
            watch.read(state, state.log, tally)
            state.log.clear()
    finish(state, watch, setup.teams, tally)
    tally.counts["first_wins"] += state.result == ("red", "blue")[setup.first]
    tally.counts["a_wins"] += state.result == ("blue" if setup.swapped else "red")
    tally.score(number, state.result, setup.first)
    tally.games.append((number, state.round if state.result in ("red", "blue") else -state.round))
    return state, moves


def arena_of(series: Series) -> Arena:
    """The series' map, ready to be played on; kept, because what it knows of its land is dear."""
    key = (series.board, series.rules, series.readings)
    for kept, kit, arena in _ARENAS:
        if kept == key and kit is series.kit:
            return arena
    arena = Arena(series.board, series.rules, series.readings, series.kit)
    _ARENAS.append((key, series.kit, arena))
    del _ARENAS[:-4]
    return arena


_ARENAS: list[tuple[tuple[Board, Options, Readings], Kit, Arena]] = []


def chunk(series: Series, first: int, count: int) -> Tally:
    """A piece of a series; the same whoever plays it."""
    arena, tally = arena_of(series), Tally()
    core = core_of(series)
    for number in range(first, first + count):
        if core is None:
            play(series, arena, number, tally)
            continue
        setup = setup_of(series, arena, number)
        core.play(number, setup, _seated(series, setup))
        tally.score(number, core.result, setup.first)
    if core is not None:
        tally.add(core.tally())
        tally.games.sort()
    return tally


def _seated(series: Series, setup: Setup) -> tuple[str, str]:
    """The bots by side."""
    one, other = series.bots
    return (other, one) if setup.swapped else (one, other)


def core_of(series: Series) -> Core | None:
    """The columns for a series, compiled where it may be; None for bots that are not over them."""
    if not set(series.bots) <= {"random", "greedy", "careful"}:
        return None
    from falldamage_forge.playtest.core.drive import Core
    from falldamage_forge.playtest.core.play import do

    arena = arena_of(series)
    for kept, core in _CORES:
        if kept is arena and core.fast == series.fast:
            return core
    _CORES.append((arena, Core(arena) if series.fast else Core(arena, do)))
    del _CORES[:-2]
    return _CORES[-1][1]


_CORES: list[tuple[Arena, Core]] = []


def pieces(series: Series, played: int = 0) -> Iterator[tuple[int, int]]:
    """The chunks of a series, from the first game not played yet: first game and count."""
    for first in range(played, series.games, CHUNK):
        yield first, min(CHUNK, series.games - first)


def merged(tallies: Iterable[Tally]) -> Tally:
    """The sum of tallies."""
    total = Tally()
    for tally in tallies:
        total.add(tally)
    return total


def record_of(series: Series, number: int) -> dict[str, Any]:
    """The record of one game of a series, played again."""
    arena = arena_of(series)
    setup = setup_of(series, arena, number)
    _, moves = play(series, arena, number, Tally())
    game = new_game(series, setup)
    for move in moves:
        game.push(move)
    return game.record()


def new_game(series: Series, setup: Setup) -> Game:
    """A game of a series before its first move."""
    options: dict[str, Any] = dict(series.readings.changed())
    return Game(
        series.board,
        series.kit,
        options,
        rules=series.rules,
        teams=setup.teams,
        places=tuple([spot_name(spot) for spot in side] for side in setup.places),  # type: ignore[arg-type]
        seed=setup.seed,
    )


Runner = Callable[[list[tuple[Series, int, int]]], Iterator[Tally]]


def run_here(work: list[tuple[Series, int, int]]) -> Iterator[Tally]:
    """Play chunks one after the other, each series on one arena."""
    for series, first, count in work:
        yield chunk(series, first, count)


def run_on(workers: int) -> Runner:
    """Play chunks on so many processes of this machine."""
    if workers <= 1:
        return run_here

    def run(work: list[tuple[Series, int, int]]) -> Iterator[Tally]:
        from concurrent.futures import ProcessPoolExecutor

        with ProcessPoolExecutor(workers) as pool:
            yield from pool.map(_one, work)

    return run


def _one(work: tuple[Series, int, int]) -> Tally:
    return chunk(*work)


def run_dask(address: str) -> Runner:
    """Play chunks on a Dask cluster; ForgeError (FDF503, FDF505) as `cluster.connected`."""

    def run(work: list[tuple[Series, int, int]]) -> Iterator[Tally]:
        from falldamage_forge.playtest.cluster import connected

        with connected(address) as client:
            yield from client.gather(client.map(_one, work, pure=False))

    return run


def played(all_series: list[Series], runner: Runner, before: int = 0) -> list[Tally]:
    """The tally of each series, its chunks played by a runner; the games `before` are left out."""
    work = [(series, *piece) for series in all_series for piece in pieces(series, before)]
    done = iter(runner(work))
    return [merged(next(done) for _ in pieces(series, before)) for series in all_series]


def without(series: Series, **changes: Any) -> Series:
    """The same series with something changed."""
    return replace(series, **changes)


__all__ = ["Series", "played", "record_of", "run_dask", "run_here", "run_on", "without"]
