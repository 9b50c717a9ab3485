"""`fdforge play`: play the game in the terminal."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from falldamage_forge.cli import option
from falldamage_forge.cli.game_input import (
    BOT_ALIASES,
    RULE_OPTIONS,
    open_board,
    parse_options,
    read_json,
)
from falldamage_forge.cli.play_console import PlayConsole, write_record
from falldamage_forge.cli.spoken_language import echo
from falldamage_forge.playtest.bot_names import BOT_NAMES

if TYPE_CHECKING:
    from falldamage_forge.games.fall_damage.play import BoardGame
    from falldamage_forge.playtest.bots import Bot

LINK_OPTIONS = frozenset({"map_name", "link_file", "options", "record_file"})
"""Parameters that a game by link has."""
PLAYERS = ("you", *BOT_NAMES, *BOT_ALIASES)


@option.command
def command(
    map_name: str | None = option.any_map("[MAP]", required=False),
    red: str = option.choice(
        PLAYERS,
        "Player of red: you, or a bot.",
        default="you",
        de="Spieler von Rot: du, oder ein Bot.",
    ),
    blue: str = option.choice(
        PLAYERS,
        "Player of blue; `you` on both sides shares the keyboard.",
        default="greedy",
        de="Spieler von Blau; `you` auf beiden Seiten teilt die Tastatur.",
    ),
    seed: int = option.SEED,
    draw_teams: bool = option.flag(
        "Draw both teams at random and place them in order.",
        de="Lost beide Teams aus und stellt sie der Reihe nach auf.",
    ),
    options: tuple[str, ...] = RULE_OPTIONS,
    link_file: Path | None = option.written(
        "File of your game by link: begin it on MAP, join by a link in place of MAP, or go on.",
        "--link",
        metavar="FILE",
        de="Datei deines Spiels mit Links: beginne es auf MAP, tritt mit einem Link "
        "anstelle von MAP bei, oder fahre fort.",
    ),
    saved: Path | None = option.file("Saved game to continue.", "--resume", metavar="FILE"),
    record_file: Path | None = option.written(
        "File for the game's record, written at the end.",
        "--record",
        metavar="FILE",
        de="Datei für die Aufzeichnung des Spiels, geschrieben am Ende.",
    ),
    as_json: bool = option.JSON.but(
        "Print the state and the legal moves as JSON, and exit.",
        de="Schreibt den Stand und die erlaubten Züge als JSON und endet.",
    ),
    perft: int | None = option.whole(
        1,
        8,
        "Count the continuations to this depth in decisions and outcomes, and exit.",
        metavar="DEPTH",
        de="Zählt die Fortsetzungen bis zu dieser Tiefe an Entscheidungen und Zufällen und endet.",
    ),
    divide: bool = option.flag(
        "With --perft: print the count below each first move.",
        de="Mit --perft: nennt die Zahl unter jedem ersten Zug.",
    ),
    said: tuple[str, ...] = option.many(
        "First move to make; repeatable.", "--say", metavar="MOVE", de="Erster Zug; wiederholbar."
    ),
) -> None:
    """Play the game on MAP: drawn board, legal moves with their effects, undo, save, resume.

    The word `help` lists the commands at the prompt. `--link` plays a friend by links.
    """
    if link_file is not None:
        _play_by_link(click.get_current_context(), map_name, link_file, options, record_file)
        return
    game = _game(map_name, seed, draw_teams, options, saved)
    _follow(game, said)
    players = {"red": _player(red), "blue": _player(blue)}
    if perft is not None:
        _count(game, perft, divide)
    elif as_json:
        click.echo(json.dumps(_told(game), indent=2))
    else:
        name = saved.stem.removesuffix("-saved") if saved else Path(str(map_name)).stem
        PlayConsole(game, players, name).play()
    if record_file is not None:
        write_record(record_file, game)


def _play_by_link(
    ctx: click.Context, map_name: str | None, file: Path, options: tuple[str, ...],
    record_file: Path | None,
) -> None:  # fmt: skip
    from falldamage_forge.cli.link_console import LinkConsole, open_match

    for name in ctx.params.keys() - LINK_OPTIONS:
        if ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            raise click.UsageError("--link goes with MAP or a link, --option and --record alone")
    console = LinkConsole(open_match(map_name, file, options), file)
    console.play()
    if record_file is not None and console.is_over:
        write_record(record_file, console.game)


def _player(name: str) -> Bot | None:
    from falldamage_forge.playtest.bots import BOTS

    return None if name == "you" else BOTS[BOT_ALIASES.get(name, name)]


def _game(
    map_name: str | None, seed: int, draw_teams: bool, options: tuple[str, ...], saved: Path | None
) -> BoardGame:
    from falldamage_forge import presets
    from falldamage_forge.games.fall_damage.play import BoardGame
    from falldamage_forge.games.fall_damage.play.split_mix import SplitMix64
    from falldamage_forge.playtest.game_series import drawn_team

    kit = presets.load_kit()
    if saved is not None:
        return BoardGame.from_record(read_json(saved, "FDF384"), kit)
    if map_name is None:
        raise click.UsageError("name a MAP, or a saved game with --resume")
    board, rules = open_board(map_name)
    wanted = parse_options(options)
    if not draw_teams:
        return BoardGame(board, kit, wanted, rules=rules, seed=seed)
    dice = SplitMix64(seed)
    teams = drawn_team(kit, dice), drawn_team(kit, dice)
    return BoardGame(
        board, kit, {"placement": "listed", **wanted}, rules=rules, teams=teams, seed=seed
    )


def _follow(game: BoardGame, said: tuple[str, ...]) -> None:
    """Make the moves of `--say`; chance nodes before a move are rolled."""
    for text in said:
        if not text.startswith(("coin", "die")):
            while game.turn == "chance" and not game.over:
                game.roll()
        game.push(text)


def _count(game: BoardGame, depth: int, divided: bool) -> None:
    from falldamage_forge.games.fall_damage.play.legal_apply import divide, perft

    if not divided:
        click.echo(str(perft(game.state, depth)))
        return
    counts = divide(game.state, depth)
    for text, count in counts.items():
        echo(f"{text}: {count}")
    echo(f"in all: {sum(counts.values())}")


def _told(game: BoardGame) -> dict[str, Any]:
    return {
        "turn": game.turn,
        "node": game.node,
        "round": game.state.round,
        "result": game.result,
        "hash": game.hash,
        "legal_moves": [str(move) for move in game.legal_moves],
        "state": game.save(),
    }
