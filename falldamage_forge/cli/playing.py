"""`fdforge play`: the game itself in the terminal."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from falldamage_forge.cli.table import open_board, option_option, pairs_of, read_json

if TYPE_CHECKING:
    from falldamage_forge.games.fall_damage.play import Game
    from falldamage_forge.playtest.bots import Bot

HELP = """a move's number or its text · `board` · `units` · `undo` · `bot` (let the machine choose)
· `save FILE` · `record FILE` · `quit`"""
PLAYERS = ("you", "random", "greedy", "careful", "searcher")
MOST_SHOWN = 40


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
    """Play the game on MAP: the board drawn, legal moves by name, undo, save, resume."""
    game = _game(map_name, seed, draw_teams, options, saved)
    _follow(game, said)
    players = {"red": _player(red), "blue": _player(blue)}
    if perft is not None:
        _count(game, perft, divide)
    elif as_json:
        click.echo(json.dumps(_told(game), indent=2))
    else:
        Table(game, players, seed).play()
    if record_file is not None:
        _write(record_file, game.record())


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


def _write(file: Path, document: dict[str, Any]) -> None:
    from falldamage_forge.staging import write_file

    write_file(file, (json.dumps(document, indent=1) + "\n").encode())


class Table:
    """One sitting: who plays which side, and the words that are understood."""

    def __init__(self, game: Game, players: dict[str, Bot | None], seed: int) -> None:
        from falldamage_forge.games.fall_damage.play.dice import Dice

        self.game, self.players = game, players
        self.dice = Dice(seed + len(game.moves))
        self.drawn = -1

    def play(self) -> None:
        """Until the game is over or somebody leaves."""
        while not self.game.over:
            turn = self.game.turn
            if turn == "chance":
                click.echo(f"chance: {self.game.roll()}")
                continue
            bot = self.players[turn]
            if bot is not None:
                self._bot(bot)
            elif not self._ask():
                return
        self._board()
        click.echo(f"the game is over after {self.game.state.round} rounds: {self.game.result}")

    def _bot(self, bot: Bot) -> None:
        from falldamage_forge.playtest.bots import decide

        turn, state = self.game.turn, self.game.state
        move = decide(bot, state, self.dice)
        who = state.units[state.active].card if state.active >= 0 else ""
        self.game.push(move)
        click.echo(f"{turn} {who}: {move}".replace("  ", " "))

    def _ask(self) -> bool:
        """One answer from the keyboard; False to leave."""
        from falldamage_forge.issues import ForgeError

        state = self.game.state
        if self.game.node == "unit" and self.drawn != len(self.game.moves):
            self._board()
        moves = self.game.legal_moves
        who = f" with {state.units[state.active].card} {state.active}" if state.active >= 0 else ""
        click.echo(f"round {state.round}, {self.game.turn}{who}:")
        for number, move in enumerate(moves[:MOST_SHOWN], 1):
            click.echo(f"  {number:3}  {self._words(str(move))}")
        if len(moves) > MOST_SHOWN:
            click.echo(
                f"  … and {len(moves) - MOST_SHOWN} more; a number up to {len(moves)} takes one"
            )
        try:
            text = click.prompt("move", prompt_suffix="> ", default="", show_default=False)
        except click.Abort:
            return False
        try:
            return self._obey(text.strip())
        except ForgeError as error:
            for issue in error.issues:
                click.echo(f"{issue.message}{f'; {issue.hint}' if issue.hint else ''}")
            return True

    def _words(self, text: str) -> str:
        """A move with the card behind a unit's number."""
        name, _, rest = text.rpartition(" ")
        units = self.game.state.units
        if (
            rest.isdigit()
            and name
            and int(rest) < len(units)
            and name.split()[0] not in ("die", "length")
        ):
            return f"{text}  ({units[int(rest)].card})"
        return text

    def _obey(self, text: str) -> bool:
        from falldamage_forge.playtest.bots import BOTS
        from falldamage_forge.playtest.terminal import roster

        word, _, rest = text.partition(" ")
        moves = self.game.legal_moves
        if word in ("quit", "exit"):
            return False
        if word in ("help", "?", ""):
            click.echo(HELP)
        elif word == "board":
            self._board()
        elif word == "units":
            click.echo("\n".join(roster(self.game.state)))
        elif word == "undo":
            self._undo()
        elif word == "bot":
            self._bot(BOTS["careful"])
        elif word in ("save", "record") and rest:
            _write(Path(rest), self.game.record())
            click.echo(f"written to {rest}")
        elif text.isdigit():
            if not 1 <= int(text) <= len(moves):
                click.echo(f"there are moves 1 to {len(moves)}")
            else:
                self.game.push(moves[int(text) - 1])
        else:
            self.game.push(text)
        return True

    def _undo(self) -> None:
        """Back to the last decision of somebody at the keyboard."""
        if not self.game.moves:
            click.echo("there is nothing to take back")
            return
        self.game.pop()
        while self.game.moves and self.players.get(self.game.turn, self) is not None:
            self.game.pop()

    def _board(self) -> None:
        from falldamage_forge.playtest.terminal import drawn, roster

        self.drawn = len(self.game.moves)
        click.echo("\n".join(drawn(self.game.state)))
        click.echo("\n".join(roster(self.game.state)))
