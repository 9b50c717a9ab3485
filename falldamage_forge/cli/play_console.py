"""The game's prompt: reads moves and command words, prints the board, moves and forecasts."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from falldamage_forge.cli.spoken_language import echo, echo_named, wished_say
from falldamage_forge.issues import ForgeError, did_you_mean, refuse

if TYPE_CHECKING:
    from falldamage_forge.games.fall_damage.play import BoardGame, State
    from falldamage_forge.playtest.bots import Bot

MOST_SHOWN = 40
"""Moves per list; each is shown with its forecast."""
HELPER = "careful"
"""The bot behind the word `bot`."""


class CommandWord(NamedTuple):
    """A command word: its method gets the rest of the line and returns False to leave."""

    do: Callable[[PlayConsole, str], object]
    form: str
    text: str


def write_record(file: Path, game: BoardGame) -> None:
    """Write the record of a game, which is also a saved game.

    Args:
        file: Path to write to; an existing file is replaced.
        game: The game, over or not.
    """
    from falldamage_forge.infra.atomic_write import write_file

    write_file(file, (json.dumps(game.record(), indent=1) + "\n").encode())


class PlayConsole:
    """One run of `fdforge play`: a game, its players by side (None: the keyboard), a file name."""

    def __init__(self, game: BoardGame, players: dict[str, Bot | None], name: str = "game") -> None:
        self.game, self.players, self.name = game, players, name
        self.listed = -1

    def play(self) -> None:
        """Play until the game is over or the user leaves."""
        while not self.game.over:
            turn = self.game.turn
            if turn == "chance":
                echo(f"chance: {self.game.roll()}")
                continue
            bot = self.players[turn]
            if bot is not None:
                self._bot(bot)
            elif not self._ask():
                return
        self._show_end()

    def push(self, move: str) -> None:
        """Make a legal move."""
        self.game.push(move)

    def _show_end(self) -> None:
        self.board()
        echo(f"the game is over after {self.game.state.round} rounds: {self.game.result}")

    def _bot(self, bot: Bot) -> None:
        from falldamage_forge.playtest.bots import choose_move

        turn, state = self.game.turn, self.game.state
        move = choose_move(bot, state, self.game.bot_dice)
        who = f" {state.units[state.active].card}" if state.active >= 0 else ""
        self.push(str(move))
        echo_named(f"{wished_say()(turn)}{who}", str(move))

    def _ask(self) -> bool:
        """Show the moves, read and run one line; False to leave."""
        if self.listed != len(self.game.moves):
            self.listed = len(self.game.moves)
            if self.game.node == "unit":
                self.board()
            self.moves()
        return self._read("move")

    def _read(self, what: str) -> bool:
        """Read and run one line of the keyboard; False to leave."""
        try:
            text = click.prompt(what, prompt_suffix="> ", default="", show_default=False)
        except click.Abort:
            return False
        return self.obey(text.strip())

    def obey(self, text: str) -> bool:
        """Run a line: a move's text or number, or a command word; False to leave."""
        try:
            return self._run(text)
        except ForgeError as error:
            for issue in error.issues:
                echo("; ".join(map(wished_say(), filter(None, (issue.message, issue.hint)))))
        return True

    def _run(self, text: str) -> bool:
        word, _, rest = text.partition(" ")
        known = WORDS.get(word or "help")
        is_move = " ".join(text.split()) in map(str, self.game.legal_moves)
        if known is not None and not is_move:
            return self._do(known, rest)
        self.push(self._move(text))
        return True

    def _do(self, word: CommandWord, rest: str) -> bool:
        """Run a command word, which a game by link may override; False to leave."""
        return getattr(self, word.do.__name__)(rest.strip()) is not False

    def _move(self, text: str) -> str:
        """Return a legal move's text by its number or its text."""
        moves = self.game.legal_moves
        if not text.isdecimal():
            try:
                return str(self.game.find(text))
            except ForgeError:
                word = text.partition(" ")[0]
                near = did_you_mean(word, WORDS)
                if near is None or any(str(move).split()[0] == word for move in moves):
                    raise
                raise refuse("FDF383", f"`{text}` is neither a move nor a word", near) from None
        if not 1 <= int(text[:9]) <= len(moves):
            raise refuse("FDF383", f"there are moves 1 to {len(moves)}, and no `{text}`")
        return str(moves[int(text) - 1])

    # -- what is shown ------------------------------------------------------------------------

    def moves(self, rest: str = "") -> None:
        """Print the legal moves, each with its forecast."""
        state, moves = self.game.state, self.game.legal_moves
        who = f" with {state.units[state.active].card} {state.active}" if state.active >= 0 else ""
        echo(f"round {state.round}, {self.game.turn}{who}:")
        for number, move in enumerate(moves[:MOST_SHOWN], 1):
            forecast = "; ".join(self._forecast(str(move)))
            echo(f"  {number:3}  {self._named(str(move))}" + f": {forecast}" * bool(forecast))
        if len(moves) > MOST_SHOWN:
            echo(f"  … and {len(moves) - MOST_SHOWN} more; a number up to {len(moves)} takes one")

    def _named(self, text: str) -> str:
        """Return a move's text with the card of each unit number."""
        name, _, rest = text.rpartition(" ")
        units = self.game.state.units
        is_unit = rest.isdigit() and name and name.split()[0] not in ("die", "length")
        return f"{text}  ({units[int(rest)].card})" if is_unit and int(rest) < len(units) else text

    def _forecast(self, text: str) -> list[str]:
        from falldamage_forge.games.fall_damage.play.state_value import SIDES
        from falldamage_forge.playtest.forecast import forecast

        game = self.game
        found = forecast(game.state, game.find(text), SIDES.index(game.turn))
        return [*map(wished_say(), found.words)]

    def forecast(self, rest: str) -> None:
        """Print the effects of a move without making it."""
        if not rest:
            raise refuse("FDF383", "`forecast` of which move?", "write its number or its text")
        text = self._move(rest)
        forecast = self._forecast(text) or ["nobody is hurt or pushed"]
        echo("\n".join([f"{text}:", *(f"  {line}" for line in forecast)]))

    @property
    def seen(self) -> State:
        """Return the state as observed by the side to move."""
        game = self.game
        return game.state if game.turn == "chance" else game.observation(game.turn)

    def look(self, rest: str) -> None:
        """Print a unit by its number, a card by its name, or the active unit."""
        from falldamage_forge import presets
        from falldamage_forge.playtest.text_board import card_lines, unit_lines

        state, units = self.seen, presets.load_units()
        index = self._index(rest.lstrip("rb") if rest[1:].isdecimal() else rest)
        if index is not None and state.units[index].card:
            echo("\n".join(unit_lines(state, units, index)))
            return
        cards = state.ctx.content.cards
        name = rest.lower().replace(" ", "-")
        if name not in cards:
            hint = did_you_mean(name, cards) or "write a unit's number, its tile, or a card's name"
            raise refuse("FDF383", f"no unit or card `{rest}`" if rest else "which card?", hint)
        echo("\n".join(card_lines(state.ctx.content, units, name)))

    def _index(self, text: str) -> int | None:
        """Return the unit of a number or tile; the active one for an empty text."""
        from falldamage_forge.games.fall_damage.play.surface_number import spot_name

        state = self.game.state
        if not text:
            return state.active if state.active >= 0 else None
        if text.isdecimal() and int(text[:9]) < len(state.units):
            return int(text)
        names = {spot_name(spot): i for spot, i in sorted(state.occupied.items())}
        tiles = {name.partition("@")[0]: i for name, i in names.items()}
        return names.get(text.upper(), tiles.get(text.upper()))

    def units(self, rest: str = "") -> None:
        """Print the units."""
        from falldamage_forge.playtest.text_board import roster

        echo("\n".join(roster(self.seen, wished_say())) or "no unit stands on the board yet")

    def board(self, rest: str = "") -> None:
        """Print the board and the units."""
        from falldamage_forge.playtest.text_board import board_text

        echo("\n".join(board_text(self.seen)))
        self.units()

    def help(self, rest: str = "") -> None:
        """Print the command words and the glyphs of the board."""
        from falldamage_forge.playtest.text_board import LEGEND

        shown: dict[str, CommandWord] = {word.form: word for word in WORDS.values()}
        wide = max(map(len, shown))
        say = wished_say()
        echo(f"{'NUMBER or TEXT':{wide}}  {say('make a move of the list')}")
        for form, word in shown.items():
            echo(f"{form:{wide}}  {say(word.text)}")
        echo(f"the board: {LEGEND}")

    # -- what is done -------------------------------------------------------------------------

    def undo(self, rest: str = "") -> None:
        """Return to the last decision at the keyboard; the dice stay; the record has it."""
        if not self.game.moves:
            echo("there is nothing to take back")
            return
        self.game.pop()
        while self.game.moves and self.players.get(self.game.turn, self) is not None:
            self.game.pop()

    def bot(self, rest: str = "") -> None:
        """Let a bot make this decision."""
        from falldamage_forge.playtest.bots import BOTS

        self._bot(BOTS[HELPER])

    def hint(self, rest: str = "") -> None:
        """Print the move of the strongest bot that answers in time, without making it."""
        from falldamage_forge.playtest.bots import hint

        if self.game.over or self.game.turn == "chance":
            raise refuse("FDF383", "there is nothing to decide here")
        name, move = hint(self.game.state, len(self.game.moves))
        echo(f"{name} would play:")
        self.forecast(str(move))

    def save(self, rest: str) -> None:
        """Write the game to a file (default: `NAME-saved.json`)."""
        file = Path(rest or f"{self.name}-saved.json")
        write_record(file, self.game)
        echo(f"written to {file}; go on with `fdforge play --resume {file}`")

    def record(self, rest: str) -> None:
        """Write the game's record to a file (default: `NAME-record.json`)."""
        file = Path(rest or f"{self.name}-record.json")
        write_record(file, self.game)
        echo(f"written to {file}; show it with `fdforge replay {file}`")

    def quit(self, rest: str = "") -> bool:
        """Leave the game."""
        return False


_LOOK = CommandWord(
    PlayConsole.look, "look [UNIT]", "a unit by its number or tile, or a card by its name"
)
_QUIT = CommandWord(PlayConsole.quit, "quit", "leave; nothing is saved by itself")
_HELP = CommandWord(PlayConsole.help, "help", "these words")
WORDS: Mapping[str, CommandWord] = {
    "moves": CommandWord(PlayConsole.moves, "moves", "the legal moves, each with what it does"),
    "forecast": CommandWord(
        PlayConsole.forecast, "forecast MOVE", "what a move does, without making it"
    ),
    "look": _LOOK,
    "card": _LOOK,
    "board": CommandWord(PlayConsole.board, "board", "the board and the units"),
    "units": CommandWord(
        PlayConsole.units, "units", "who lives, health, place, and what is on them"
    ),
    "undo": CommandWord(
        PlayConsole.undo, "undo", "back to your last decision; the dice stay the same"
    ),
    "bot": CommandWord(PlayConsole.bot, "bot", f"let the bot `{HELPER}` decide"),
    "hint": CommandWord(
        PlayConsole.hint, "hint", "a move of the strongest bot that answers within seconds"
    ),
    "save": CommandWord(PlayConsole.save, "save [FILE]", "write the game, to go on with later"),
    "record": CommandWord(
        PlayConsole.record, "record [FILE]", "write the game's record, to replay"
    ),
    "help": _HELP,
    "?": _HELP,
    "quit": _QUIT,
    "exit": _QUIT,
}
