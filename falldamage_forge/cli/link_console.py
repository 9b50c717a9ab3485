"""The prompt of a game by link: asks for moves, prints the link to send, reads the answer."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import click

from falldamage_forge.cli.game_input import parse_options
from falldamage_forge.cli.map_argument import checked_map
from falldamage_forge.cli.play_console import WORDS, PlayConsole
from falldamage_forge.cli.spoken_language import echo
from falldamage_forge.games.fall_damage.play.play_options import canonical_option_name
from falldamage_forge.games.fall_damage.play.state_value import SIDES
from falldamage_forge.infra.atomic_write import write_file
from falldamage_forge.infra.source_loader import read_text
from falldamage_forge.issues import ForgeError, refuse
from falldamage_forge.playtest import link_game
from falldamage_forge.studio import link_play
from falldamage_forge.studio.match_value import PlayMatch
from falldamage_forge.studio.session import Session

LINK = re.compile(r"(?:(.*[#&])?game=)?(\d{1,6}-[\w-]{22}-[\w-]+)", re.ASCII)
"""A link of a game, its part behind the address, or its code alone."""
ROUNDS = "round_limit"
ALWAYS = frozenset({"help", "?", "quit", "exit"})
WAITING = ALWAYS | {"look", "card", "board", "units", "save", "record"}
"""Command words while the friend decides."""
PRIVATE = 0o600
"""Mode of the file, which holds the player's secret."""


class LinkConsole(PlayConsole):
    """One run of `fdforge play --link`: a match by link, and the file that stores it."""

    def __init__(self, match: PlayMatch, file: Path) -> None:
        self.file, self.name, self.listed = file, file.stem, -1
        self.players = dict.fromkeys(SIDES)
        self.address, self.sent = "#", ""
        self._store(match)
        echo(
            f"you play {SIDES[self.seat.side]}; {file} has your secret: show it to no other player"
        )

    def _store(self, match: PlayMatch) -> None:
        assert match.seat is not None
        self.match, self.seat = match, match.seat
        write_file(self.file, link_play.saved_text(match).encode(), PRIVATE)
        self.begun = link_play.has_begun(self.seat)
        if self.begun:
            self.game = link_play.game_of(self.seat).copy()

    @property
    def decides(self) -> bool:
        """True if the player decides now."""
        return self.begun and not self.game.over and self.game.turn == SIDES[self.seat.side]

    @property
    def is_over(self) -> bool:
        """True if the game is over, and no item is hidden."""
        return self.begun and self.game.over and link_game.is_complete(self.seat)

    def play(self) -> None:
        """Play until the game is over and nothing is hidden, or the user leaves."""
        while not self.is_over:
            if not self.decides:
                self._show_link("send this link to your friend, and paste the answer:")
            if not (self._ask() if self.decides else self._read("link")):
                return
        self._show_link("send this last link to your friend:")
        self._show_end()

    def _show_link(self, words: str) -> None:
        link = link_game.link_of(self.seat)
        if link != self.sent:
            echo(words)
            click.echo(f"{self.address}game={link}")
        self.sent = link

    def _run(self, text: str) -> bool:
        found = LINK.fullmatch(text)
        if found:
            self.address = found[1] or self.address
            self._receive(found[2])
            return True
        if self.decides:
            return super()._run(text)
        word, _, rest = text.partition(" ")
        if word not in (WAITING if self.begun else ALWAYS):
            hint = "paste your friend's link; `quit` leaves, and the file keeps the game"
            raise refuse("FDF383", "you do not decide now", hint)
        return self._do(WORDS[word], rest)

    def _receive(self, code: str) -> None:
        before = link_play.moves_of(self.seat)
        match = link_play.received(code, link_play.saved_text(self.match))
        if match.seat == self.seat:
            echo("this link has nothing new")
            return
        self._store(match)
        self.listed = -1
        log = link_play.moves_of(self.seat)
        same = next((i for i, (a, b) in enumerate(zip(before, log, strict=False)) if a != b), None)
        first = min(len(before), len(log)) if same is None else same
        for move in log[first:]:
            echo(f"  {self._named(move)}")

    def push(self, move: str) -> None:
        """Make a decision of the player."""
        self._store(replace(self.match, seat=link_play.moved(self.seat, move)))

    def undo(self, rest: str = "") -> None:
        """Refuse: the other player may know the decision.

        Raises:
            ForgeError: FDF383.
        """
        raise refuse("FDF383", "no decision of a game by link is taken back")

    def save(self, rest: str) -> None:
        """Write the game to another file; its own has each decision already."""
        file = Path(rest) if rest else self.file
        write_file(file, link_play.saved_text(self.match).encode(), PRIVATE)
        echo(f"written to {file}; go on with `fdforge play --link {file}`")

    def record(self, rest: str) -> None:
        """Write the record of a game that is over; ForgeError (FDF383) before."""
        link_play.record_of(self.seat)
        super().record(rest)


def open_match(map_name: str | None, file: Path, options: Iterable[str]) -> PlayMatch:
    """Return the match of `fdforge play --link`.

    Args:
        map_name: A map to begin a game on, a link, or None to go on.
        file: The file that stores the game.
        options: Options of a new game: its number of rounds.

    Raises:
        ForgeError: FDF383, FDF384 or FDF366 if it cannot be played.
    """
    link = LINK.fullmatch(map_name or "")
    if file.exists():
        match = _stored(file)
        if map_name is None:
            return match
        if link is None:
            hint = "go on without MAP, or name another file"
            raise refuse("FDF384", f"`{file}` has a game by link already", hint)
        return link_play.received(link[2], link_play.saved_text(match))
    if link is not None:
        return link_play.received(link[2], None)
    if map_name is None:
        raise click.UsageError(f"there is no `{file}`: name a MAP, or a friend's link")
    wanted = {canonical_option_name(name): value for name, value in parse_options(options).items()}
    rounds = wanted.pop(ROUNDS, str(link_game.MOST_ROUNDS))
    if wanted:
        raise click.UsageError(f"a game by link has one --option, `{ROUNDS}`")
    session = Session(checked_map(map_name).map.text, link_play.NAME)
    return link_play.offered(session, int(rounds) if rounds.isdecimal() else rounds)


def _stored(file: Path) -> PlayMatch:
    """Return the match of a file; ForgeError (FDF384) if it is no game by link."""
    text = read_text(file, str(file))
    try:
        match = link_play.read_match(text)
    except ForgeError as error:
        issue = error.issues[0]
        raise refuse("FDF384", f"`{file}`: {issue.message}", issue.hint) from None
    if match.seat is None:
        raise refuse(
            "FDF384", f"`{file}` is not a game by link", "name the file of one, or a new file"
        )
    return match
