"""`fdforge playtest`: bots play a map, and what they find is measured."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from falldamage_forge.cli import complete
from falldamage_forge.cli.table import open_board, option_option, pairs_of, read_json
from falldamage_forge.cli.waiting import show_progress
from falldamage_forge.playtest.verdict import LEAST_GAMES

if TYPE_CHECKING:
    from falldamage_forge.playtest.run import Order, Outcome
    from falldamage_forge.playtest.series import Runner, Series
    from falldamage_forge.playtest.tally import Tally

FAST_FROM = 1_000
"""Games from which on compiling the fast core costs less time than it saves."""


@click.command()
@click.argument("maps", metavar="MAP...", nargs=-1, required=True, shell_complete=complete.maps)
@click.option(
    "--games",
    type=click.IntRange(1, 1_000_000),
    default=LEAST_GAMES,
    show_default=True,
    help="Games of each bot against itself; fewer than the default give no verdict.",
)
@click.option(
    "--seed", type=click.IntRange(0), default=1, show_default=True, help="Where chance begins."
)
@click.option(
    "--bots",
    default="greedy,careful",
    show_default=True,
    metavar="NAMES",
    help="Two or more of random, greedy, careful, searcher.",
)
@click.option(
    "--workers",
    type=click.IntRange(1, 256),
    default=1,
    show_default=True,
    help="Processes; the result is the same whatever their number.",
)
@click.option(
    "--engine",
    type=click.Choice(("auto", "plain", "fast")),
    default="auto",
    show_default=True,
    help="Who plays, with the same result. The fast core needs numba; it compiles once.",
)
@click.option("--dask", metavar="ADDRESS", help="A Dask scheduler to play on instead.")
@click.option(
    "--teams",
    "teams_file",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="JSON with `teams`: pairs of card lists to play with.",
)
@option_option
@click.option("--pieces", is_flag=True, help="Play again without each bridge and ladder.")
@click.option("--versus", is_flag=True, help="Also play each bot against the one named before it.")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    metavar="FILE.html",
    help="Write a page with heat maps, and replays beside it.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def command(
    maps: tuple[str, ...], games: int, seed: int, bots: str, workers: int, engine: str,
    dask: str | None, teams_file: Path | None, options: tuple[str, ...], pieces: bool, versus: bool,
    output: Path | None, as_json: bool,
) -> None:  # fmt: skip
    """Let bots play MAPs many times and measure what comes of it: sides, falls, lengths, treasure.

    The same command gives the same bytes, whatever the workers.
    """
    from falldamage_forge.playtest.run import playtest

    order = _order(maps, games, seed, bots, teams_file, options)
    order = replace(order, fast=is_fast(engine, games * len(order.bots) * len(order.boards)))
    runner = _runner(workers, dask)
    outcomes = playtest(
        order, _told(runner), pieces=pieces, versus=versus, replays=output is not None
    )
    show_progress("")
    if output is not None:
        _write(output, order, outcomes)
    results = [outcome.result for outcome in outcomes]
    if as_json:
        click.echo(json.dumps(results[0] if len(results) == 1 else {"maps": results}, indent=2))
        return
    for result in results:
        _print(result)


def is_fast(engine: str, games: int) -> bool:
    """Whether the fast core may play; by itself only where it is compiled or soon pays."""
    from falldamage_forge.playtest.core.drive import compiled, is_compiled

    if engine == "fast":
        compiled()
    if engine != "auto":
        return engine == "fast"
    return is_compiled() or (find_spec("numba") is not None and games >= FAST_FROM)


def _order(
    maps: tuple[str, ...], games: int, seed: int, bots: str, teams_file: Path | None,
    options: tuple[str, ...],
) -> Order:  # fmt: skip
    from falldamage_forge import presets
    from falldamage_forge.games.fall_damage.play import split_options
    from falldamage_forge.issues import did_you_mean
    from falldamage_forge.playtest.bots import BOTS
    from falldamage_forge.playtest.run import Order

    names = tuple(name.strip() for name in bots.split(",") if name.strip())
    for name in names:
        if name not in BOTS:
            hint = did_you_mean(name, BOTS) or f"known: {', '.join(BOTS)}"
            raise click.UsageError(f"no bot called `{name}`; {hint}")
    if len(set(names)) < 2:
        raise click.UsageError("name at least two bots: what only one finds may be its own doing")
    boards, rules, readings = {}, {}, split_options({})[1]
    for map_name in maps:
        name = Path(map_name).stem
        boards[name], own = open_board(map_name)
        rules[name], readings = split_options(pairs_of(options), own)
    kit = presets.load_kit()
    teams = _teams(teams_file, kit.cards) if teams_file else ()
    return Order(boards, rules, readings, kit, tuple(dict.fromkeys(names)), games, seed, teams)


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


def _runner(workers: int, dask: str | None) -> Runner:
    from falldamage_forge.playtest.series import run_dask, run_on

    if dask is None:
        return run_on(workers)
    return run_dask(dask)


def _told(runner: Runner) -> Runner:
    """A runner that tells how far it is."""

    def run(work: list[tuple[Series, int, int]]) -> Iterator[Tally]:
        show_progress("playing", 0, len(work))
        for done, tally in enumerate(runner(work), start=1):
            show_progress("playing", done, len(work))
            yield tally

    return run


def _print(result: dict[str, Any]) -> None:
    from falldamage_forge.playtest.page import ROWS, shown

    bots = result["bots"]
    click.echo(f"{result['map']}: {result['games']} games a bot, seed {result['seed']}")
    wide = max(map(len, ROWS.values()))
    click.echo(" " * wide + "".join(f"  {name:24}" for name in bots).rstrip())
    for key, words in ROWS.items():
        cells = "".join(f"  {shown(bot[key]):24}" for bot in bots.values())
        click.echo(f"{words:{wide}}{cells}".rstrip())
    for line in result["verdicts"]:
        click.echo(f"- {line}")
    for name, entry in result.get("pieces", {}).items():
        click.echo(
            f"- without {name}: red wins {shown(entry['red_wins'])} ({entry['change']:+.3f})"
        )
    for name, measure in result.get("versus", {}).items():
        click.echo(f"- {name}: {shown(measure)}")


def _write(output: Path, order: Order, outcomes: list[Outcome]) -> None:
    from falldamage_forge.playtest.page import page
    from falldamage_forge.playtest.replay import replay_page
    from falldamage_forge.staging import write_file

    links = {}
    for outcome in outcomes:
        name = outcome.result["map"]
        for what, record in outcome.replays.items():
            file = f"{output.stem}-{name}-{what.split()[-2]}.html"
            write_file(output.with_name(file), replay_page(record, order.kit).encode())
            links[f"{name}: {what}"] = file
    results = [(order.boards[o.result["map"]], o.result) for o in outcomes]
    write_file(output, page(results, links).encode())
