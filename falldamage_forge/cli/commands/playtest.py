"""`fdforge playtest`: let bots play a map and measure the games."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from falldamage_forge.cli import option
from falldamage_forge.cli.game_input import (
    BOT_ALIASES,
    CLOCK,
    RULE_OPTIONS,
    bots_named,
    is_program,
    open_board,
    parse_options,
    read_json,
    today,
    with_progress,
)
from falldamage_forge.cli.progress_bar import show_progress
from falldamage_forge.cli.spoken_language import echo, echo_columns
from falldamage_forge.infra.progress import track
from falldamage_forge.playtest.score_verdict import BLOCK, LEAST_GAMES

if TYPE_CHECKING:
    from falldamage_forge.playtest.game_series import Runner
    from falldamage_forge.playtest.runner import PlaytestRequest, PlaytestResult

SAVE_EVERY_S, SLOWER = 10.0, 20
"""Least seconds between two saves, and times as long as one save takes."""
FAST_FROM = 1_000
"""Number of games from which compiling the engine saves more time than it takes."""


@option.command
def command(
    maps: tuple[str, ...] = option.maps("MAP...", required=True),
    games: int = option.whole(
        1,
        1000000,
        "Games of each bot against itself; fewer than the default give no verdict.",
        default=LEAST_GAMES,
        de="Spiele jedes Bots gegen sich selbst; weniger als der Standard geben kein Urteil.",
    ),
    seed: int = option.SEED,
    bots: str = option.text(
        "Two or more of random, greedy, careful (cautious), search-1 (rollout), search-2, "
        "search-3; or styles: wary, rusher, hunter, runner.",
        default="greedy,careful",
        metavar="NAMES",
        de="Zwei oder mehr von random, greedy, careful (cautious), search-1 (rollout), "
        "search-2, search-3; oder Stile: wary, rusher, hunter, runner.",
    ),
    red: str | None = option.text(
        "Play a match: bot or command line of a program, such as ./mybot.",
        metavar="BOT",
        de="Spielt ein Match: Bot oder Befehlszeile eines Programms, wie ./mybot.",
    ),
    blue: str | None = option.text(
        "Its opponent (default of a match: careful); sides are exchanged.",
        metavar="BOT",
        de="Sein Gegner (Standard eines Matches: careful); die Seiten werden getauscht.",
    ),
    clock: float = CLOCK,
    workers: int = option.whole(
        1,
        256,
        "Number of processes; the result does not depend on it.",
        default=1,
        de="Zahl der Prozesse; das Ergebnis hängt nicht davon ab.",
    ),
    engine: str = option.choice(
        ("auto", "plain", "fast"),
        "Engine; the result does not depend on it. The compiled engine needs numba.",
        default="auto",
        de="Engine; das Ergebnis hängt nicht davon ab. Die kompilierte Engine braucht numba.",
    ),
    dask: str | None = option.text(
        "Address of a Dask scheduler to play on.",
        metavar="ADDRESS",
        de="Adresse eines Dask-Schedulers, auf dem gespielt wird.",
    ),
    saved: Path | None = option.written(
        "File to save ended games in, and to continue from.",
        "--resume",
        metavar="FILE",
        de="Datei, in der beendete Spiele gespeichert werden und aus der es weitergeht.",
    ),
    teams_file: Path | None = option.file(
        "JSON file with `teams`: pairs of card lists.",
        "--teams",
        metavar="FILE",
        de="JSON-Datei mit `teams`: Paaren von Listen von Karten.",
    ),
    options: tuple[str, ...] = RULE_OPTIONS,
    pieces: bool = option.flag(
        "Play again without each bridge and ladder.",
        de="Spielt noch einmal ohne jede Brücke und jede Leiter.",
    ),
    versus: bool = option.flag(
        "Also play each bot against the previous one.",
        de="Spielt jeden Bot auch gegen den vorigen.",
    ),
    output: Path | None = option.output(
        "Page with heat maps; replays are written beside it.",
        metavar="FILE.html",
        de="Seite mit Wärmekarten; Aufzeichnungen stehen daneben.",
    ),
    as_json: bool = option.JSON,
) -> None:
    """Let bots play MAPs many times and measure the games: sides, falls, lengths, treasure.

    The output does not depend on the number of workers.
    """
    from falldamage_forge.playtest.runner import run_match, run_playtest

    if red or blue:
        if output is not None or pieces or versus:
            raise click.UsageError("a match of --red and --blue has no page, --pieces or --versus")
        order = _order(maps, games, seed, "greedy,careful", teams_file, options)
        order = replace(order, bots=(_opponent(red), _opponent(blue)))
        order = replace(order, fast=is_fast(engine, order))
        with _runner(workers, dask, saved) as runner:
            matches = run_match(order, runner, clock)
        _tell_matches(matches, as_json)
        return
    order = _order(maps, games, seed, bots, teams_file, options)
    order = replace(order, fast=is_fast(engine, order))
    with _runner(workers, dask, saved) as runner:
        outcomes = run_playtest(
            order, runner, pieces=pieces, versus=versus, replays=output is not None
        )
    if not order.teams:
        _remember(order, outcomes)
    if output is not None:
        _write(output, order, outcomes)
    results = [outcome.result for outcome in outcomes]
    if as_json:
        click.echo(json.dumps(results[0] if len(results) == 1 else {"maps": results}, indent=2))
        return
    for result in results:
        _print(result)


def _opponent(name: str | None) -> str:
    """Return a bot's name, or the command line of a program.

    Raises:
        UsageError: If there is neither.
    """
    from falldamage_forge.issues import did_you_mean
    from falldamage_forge.playtest.bots import BOTS

    name = BOT_ALIASES.get(name or "careful", name or "careful")
    if name not in BOTS and not is_program(name):
        hint = did_you_mean(name, BOTS) or f"known: {', '.join(BOTS)}"
        raise click.UsageError(f"neither a bot nor a program: `{name}`; {hint}")
    return name


def _tell_matches(matches: list[dict[str, Any]], as_json: bool) -> None:
    """Print the results of `run_match`."""
    if as_json:
        click.echo(json.dumps(matches[0] if len(matches) == 1 else {"maps": matches}, indent=2))
        return
    for match in matches:
        games, results = match["games"], ("won", "lost", "undecided")
        echo(f"{match['map']}: {match['score']['text']}")
        told = ", ".join(f"{match[result]} {result}" for result in results)
        echo(f"  {games} games: {told}; seed {match['seed']}")
        if rest := games % BLOCK:
            whole = games - rest + BLOCK
            echo(f"  the last {rest} do not balance sides and first moves: play {whole}")
        for lost in match["forfeits"]:
            echo(f"  game {lost['game']}: {lost['bot']} loses by rule: {lost['reason']}")


def is_fast(engine: str, order: PlaytestRequest) -> bool:
    """True if the compiled engine plays a request; see `load_engine`.

    Args:
        engine: `plain`, `fast` or `auto`.
        order: Boards, bots and number of games.
    """
    from falldamage_forge.playtest.bot_kernels.batch_runner import is_usual

    usual = all(is_usual(rules, order.readings) for rules in order.rules.values())
    return load_engine(engine, usual, order.games * len(order.bots) * len(order.boards))


def load_engine(engine: str, usual: bool, games: int) -> bool:
    """Load the compiled engine if it plays, and return whether it does.

    Where it might play next time, a process of its own compiles it meanwhile.

    Args:
        engine: `plain`, `fast`, or `auto`: compiled if it already is or will save time.
        usual: True if all options are at their default.
        games: Number of games to play.
    """
    from falldamage_forge.playtest.bot_kernels.batch_runner import is_compiled, load_kernels

    fast = engine == "fast"
    if engine == "auto":
        pays = games >= FAST_FROM and find_spec("numba") is not None
        fast = pays or is_compiled(usual)
        if not fast and usual:
            compile_ahead()
    if fast:
        load_kernels(usual, lambda done, of: show_progress("compiling", done, of))
    return fast


def compile_ahead() -> None:
    """Compile the engine in the background, or tell how far that is."""
    from falldamage_forge.playtest import compile_ahead as ahead

    if not ahead.is_wanted():
        return
    told = ahead.progress()
    if told is None:
        ahead.begin()
    done, of = told or (0, 0)
    far = f": {done} of {of} functions" if of else ""
    echo(f"note: the fast engine is being compiled for later playtests{far}", err=True)


def _order(
    maps: tuple[str, ...], games: int, seed: int, bots: str, teams_file: Path | None,
    options: tuple[str, ...],
) -> PlaytestRequest:  # fmt: skip
    from falldamage_forge import presets
    from falldamage_forge.games.fall_damage.play import split_options
    from falldamage_forge.playtest.runner import PlaytestRequest

    names = bots_named(bots)
    boards, rules, readings = {}, {}, split_options({})[1]
    for map_name in track(maps, "reading {}", show_progress):
        name = Path(map_name).stem
        boards[name], own = open_board(map_name)
        rules[name], readings = split_options(parse_options(options), own)
    kit = presets.load_kit()
    teams = _teams(teams_file, kit.cards) if teams_file else ()
    return PlaytestRequest(boards, rules, readings, kit, names, games, seed, teams)


def _teams(file: Path, cards: Mapping[str, object]) -> tuple[tuple[list[str], list[str]], ...]:
    from falldamage_forge.issues import refuse

    found = []
    listed = read_json(file, "FDF385").get("teams")
    for pair in listed if isinstance(listed, list) else ():
        if not (
            isinstance(pair, list) and len(pair) == 2 and all(isinstance(t, list) for t in pair)
        ):
            raise refuse("FDF385", f"`{file}`: a pair of teams is two lists of cards")
        unknown = [str(card) for team in pair for card in team if card not in cards]
        if unknown:
            raise refuse("FDF385", f"`{file}`: no card called {', '.join(unknown)}")
        found.append((list(pair[0]), list(pair[1])))
    if not found:
        raise refuse("FDF385", f"`{file}` holds no teams", 'write {"teams": [[[…], […]]]}')
    return tuple(found)


@contextmanager
def _runner(workers: int, dask: str | None, saved: Path | None) -> Iterator[Runner]:
    """Yield the runner of the options; a file of saved games is written now and then."""
    from falldamage_forge.playtest.game_series import run_dask, run_on

    runner = with_progress(run_on(workers) if dask is None else run_dask(dask))
    try:
        if saved is None:
            yield runner
        else:
            with _kept(saved, runner) as keeping:
                yield keeping
    finally:
        show_progress("")


@contextmanager
def _kept(file: Path, runner: Runner) -> Iterator[Runner]:
    """Yield a runner that continues from a file, and save to it now and then and at the end."""
    from falldamage_forge.infra.atomic_write import write_file
    from falldamage_forge.playtest.saved_tallies import read_saved, resumed, saved_json

    chunks = read_saved(read_json(file, "FDF388"), str(file)) if file.exists() else {}
    due = 0.0

    def save() -> None:
        nonlocal due
        begun = time.monotonic()
        write_file(file, json.dumps(saved_json(chunks), separators=(",", ":")).encode())
        due = time.monotonic() + max(SAVE_EVERY_S, SLOWER * (time.monotonic() - begun))

    save()  # a file that cannot be written ends the command at once
    try:
        yield resumed(runner, chunks, lambda: save() if time.monotonic() >= due else None)
    finally:
        save()


def _print(result: dict[str, Any]) -> None:
    from falldamage_forge.playtest.playtest_page import ROWS, format_measure

    bots = result["bots"]
    echo(f"{result['map']}: {result['games']} games a bot, seed {result['seed']}")
    rows = [
        (words, *(format_measure(bot[key]) for bot in bots.values())) for key, words in ROWS.items()
    ]
    echo_columns([("", *bots), *rows], range(len(bots) + 1))
    for line in result["verdicts"]:
        echo(f"- {line}")
    for name, entry in result.get("pieces", {}).items():
        echo(f"- without {name}: {entry['effect']['text']}")
    for entry in result.get("versus", {}).values():
        echo(f"- {entry['text']}")


def _remember(order: PlaytestRequest, outcomes: list[PlaytestResult]) -> None:
    """Store each map's games for `check`, `analyze` and the sheets."""
    from falldamage_forge.playtest.fairness_check import PLAYTEST, PlayedGames, store, table_of

    for outcome in outcomes:
        name = outcome.result["map"]
        table = table_of(order.boards[name], order.rules[name], order.readings)
        store(table, PLAYTEST, PlayedGames(outcome.scores, today()))


def _write(output: Path, order: PlaytestRequest, outcomes: list[PlaytestResult]) -> None:
    from falldamage_forge import presets
    from falldamage_forge.infra.atomic_write import write_file
    from falldamage_forge.playtest.playtest_page import page, replay_page
    from falldamage_forge.render.silhouettes import silhouette_paths

    outlines = silhouette_paths(presets.load_catalogue())
    links = {}
    for outcome in outcomes:
        name = outcome.result["map"]
        for what, record in outcome.replays.items():
            file = f"{output.stem}-{name}-{what.split()[-2]}.html"
            write_file(
                output.with_name(file),
                replay_page(record, order.content, outlines).encode(),
            )
            links[f"{name}: {what}"] = file
    results = [(order.boards[o.result["map"]], o.result) for o in outcomes]
    write_file(output, page(results, links).encode())
