"""`fdforge play`: the game itself in the terminal."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from falldamage_forge.cli.sitting import Table, write_record
from falldamage_forge.cli.table import open_board, option_option, pairs_of, read_json

if TYPE_CHECKING:
    from falldamage_forge.games.fall_damage.play import Game
    from falldamage_forge.playtest.bots import Bot

PLAYERS = ("you", "random", "greedy", "careful", "searcher")


@click.command()
@click.argument("map_name", metavar="[MAP]", required=False)
@click.option(
    "--red", type=click.Choice(PLAYERS), default="you", show_default=True, help="Who plays red."
)
@click.option(
    "--blue",
    type=click.Choice(PLAYERS),
    default="greedy",
    show_default=True,
    help="Who plays blue; `you` on both sides shares the keyboard.",
)
@click.option(
    "--seed", type=click.IntRange(0), default=1, show_default=True, help="Where chance begins."
)
@click.option("--draw-teams", is_flag=True, help="Draw both teams and stand them up as listed.")
@option_option
@click.option(
    "--resume",
    "saved",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Go on with a saved game.",
)
@click.option(
    "--record",
    "record_file",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write the game's record when it stops.",
)
@click.option(
    "--json",
    "as_json",
    is_flag=True,
    help="Ask nobody: print the state and the legal moves as JSON.",
)
@click.option(
    "--perft",
    type=click.IntRange(1, 8),
    metavar="DEPTH",
    help="Ask nobody: count the ways to play on, so many decisions and outcomes deep.",
)
@click.option("--divide", is_flag=True, help="With --perft: the count under each first move.")
@click.option(
    "--say", "said", multiple=True, metavar="MOVE", help="Make this move first; repeatable."
)
def command(
    map_name: str | None, red: str, blue: str, seed: int, draw_teams: bool,
    options: tuple[str, ...], saved: Path | None, record_file: Path | None, as_json: bool,
    said: tuple[str, ...],
    perft: int | None,
    divide: bool,
) -> None:  # fmt: skip
    """Play the game on MAP: the board drawn, legal moves with what they do, undo, save, resume.

    The word `help` lists the words that are understood at the table.
    """
    game = _game(map_name, seed, draw_teams, options, saved)
    _follow(game, said)
    players = {"red": _player(red), "blue": _player(blue)}
    if perft is not None:
        _count(game, perft, divide)
    elif as_json:
        click.echo(json.dumps(_told(game), indent=2))
    else:
        name = saved.stem.removesuffix("-saved") if saved else Path(str(map_name)).stem
        Table(game, players, seed, name).play()
    if record_file is not None:
        write_record(record_file, game)


def _player(name: str) -> Bot | None:
    from falldamage_forge.playtest.bots import BOTS

    return None if name == "you" else BOTS[name]


def _game(
    map_name: str | None, seed: int, draw_teams: bool, options: tuple[str, ...], saved: Path | None
) -> Game:
    from falldamage_forge import presets
    from falldamage_forge.games.fall_damage.play import Game
    from falldamage_forge.games.fall_damage.play.dice import Dice
    from falldamage_forge.playtest.series import drawn_team

    kit = presets.load_kit()
    if saved is not None:
        return Game.from_record(read_json(saved, "FDF384"), kit)
    if map_name is None:
        raise click.UsageError("name a MAP, or a saved game with --resume")
    board, rules = open_board(map_name)
    wanted = pairs_of(options)
    if not draw_teams:
        return Game(board, kit, wanted, rules=rules, seed=seed)
    dice = Dice(seed)
    teams = drawn_team(kit, dice), drawn_team(kit, dice)
    return Game(board, kit, {"placement": "listed", **wanted}, rules=rules, teams=teams, seed=seed)


def _follow(game: Game, said: tuple[str, ...]) -> None:
    """Make the moves of the command line; chance that stands before one is rolled."""
    for text in said:
        if not text.startswith(("coin", "die")):
            while game.turn == "chance" and not game.over:
                game.roll()
        game.push(text)


def _count(game: Game, depth: int, divided: bool) -> None:
    from falldamage_forge.games.fall_damage.play.engine import divide, perft

    if not divided:
        click.echo(str(perft(game.state, depth)))
        return
    counts = divide(game.state, depth)
    for text, count in counts.items():
        click.echo(f"{text}: {count}")
    click.echo(f"in all: {sum(counts.values())}")


def _told(game: Game) -> dict[str, Any]:
    return {
        "turn": game.turn,
        "node": game.node,
        "round": game.state.round,
        "result": game.result,
        "hash": game.hash,
        "legal_moves": [str(move) for move in game.legal_moves],
        "state": game.save(),
    }
