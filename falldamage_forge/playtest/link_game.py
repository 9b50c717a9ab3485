"""A game of two players who send each other links, without a server and without trust.

A link holds the whole game: map, decisions, and each player's last link of a hash chain. Dice are
not in it: each player computes them from both chains. A player commits to an item that it hides,
and reveals it when a unit springs it, or at the end. `receive` compares a link with the player's
own game, and refuses each difference that the other player could not make.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from falldamage_forge.games.fall_damage.play.state_value import SIDES
from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.issues import refuse
from falldamage_forge.playtest import link_code
from falldamage_forge.playtest.link_code import broken, from_word, word

if TYPE_CHECKING:
    from falldamage_forge.games.fall_damage.play import BoardGame
    from falldamage_forge.games.fall_damage.play.move_value import Move
    from falldamage_forge.games.fall_damage.play.state_value import HiddenItem, Teams

SEALED, OPENED, SKIPPED = "?", "=", "!"
"""First characters of entries that are no plain moves: `?COMMITMENT`, `=NONCE MOVE`, `!ROLL`."""
MOST_ENTRIES = 5000
MOST_ROUNDS = 20
CACHED = 16
_replays: OrderedDict[Seat, _Replay] = OrderedDict()


@dataclass(frozen=True, slots=True)
class Table:
    """Everything that both players of a game know.

    Attributes:
        map: Text of the map, or `@NAME` of a preset with a digest of its text.
        rounds: Rounds until the game ends.
        ends: Ends of red's and blue's chains; blue's is empty until blue has joined.
        shown: Number and value of the last link that each side has revealed.
        entries: The decisions so far: moves, and entries that begin with `SEALED`, `OPENED` or
            `SKIPPED`.
    """

    map: str
    rounds: int
    ends: tuple[bytes, bytes]
    shown: tuple[tuple[int, bytes], tuple[int, bytes]] = ((0, b""), (0, b""))
    entries: tuple[str, ...] = ()

    @property
    def identity(self) -> bytes:
        """Identity of the game: map, rounds and chains."""
        return link_code.digest("game", self.map.encode(), bytes([self.rounds]), *self.ends)


@dataclass(frozen=True, slots=True)
class Seat:
    """A player's place at a table.

    Attributes:
        side: 0 red, 1 blue.
        secret: Start of the player's chain; never sent.
        table: What both players know.
        heard: Number of entries in the last link of the other player.
        notes: Moves that hide the player's items, by the index of their entries; never sent.
    """

    side: int
    secret: bytes
    table: Table
    heard: int = 0
    notes: tuple[tuple[int, str], ...] = ()


Begin = Callable[[Table, "Teams"], "BoardGame"]
"""Returns the game of a table with drawn teams before its first move."""


# -- the game of a table ---------------------------------------------------------------------------


class _Replay:
    """A table's decisions and rolls, applied as one player knows them.

    Attributes:
        game: The game; None until both players have made the first roll possible.
        rolls: Number of the last roll.
        log: The moves and chance outcomes so far, without the places of unknown items.
        sides: The side that made each applied entry; empty for `SKIPPED`.
        items: Entry of each hidden item that the player knows, in the order of the state's.
        sprang: For the entry of each item that sprang: applied entries and last roll at that time.
        own: Entries of the player's sealed items that have just sprung; the replay stops there.
        needs: Number of the next roll if a link of it lacks, else None.
    """

    def __init__(self, seat: Seat, begin: Begin) -> None:
        self.table, self.side, self.notes = seat.table, seat.side, dict(seat.notes)
        self.game: BoardGame | None = None
        self.rolls = 0
        self.log: list[str] = []
        self.sides: list[str] = []
        self.items: list[int] = []
        self.sprang: dict[int, tuple[int, int]] = {}
        self.own: list[int] = []
        self.needs: int | None = None
        self._begin(begin)
        self._continue()

    def _continue(self) -> None:
        for entry in self.table.entries[len(self.sides) :]:
            if self.own:
                break
            self.apply(entry)

    def after(self, seat: Seat) -> _Replay:
        """Return the replay of a seat that has entries or links of rolls more."""
        twin = _Replay.__new__(_Replay)
        twin.__dict__.update(self.__dict__)
        assert self.game is not None
        twin.table, twin.notes, twin.game = seat.table, dict(seat.notes), self.game.copy()
        twin.sides, twin.items, twin.log = [*self.sides], [*self.items], [*self.log]
        twin.sprang = {**self.sprang}
        twin._settle()
        twin._continue()
        return twin

    def _rolled(self) -> Iterator[int] | None:
        """Return the bytes of the next roll; None if a link of it lacks."""
        number = self.rolls + 1
        while f"{SKIPPED}{number}" in self.table.entries:
            number += 1
        links = [self._link(side, number) for side in (0, 1)]
        self.needs = number if None in links else None
        if links[0] is None or links[1] is None:
            return None
        self.rolls = number
        return link_code.roll(self.table.identity, number, links[0], links[1])

    def _link(self, side: int, number: int) -> bytes | None:
        last, link = self.table.shown[side]
        if last < number:
            return None
        for _ in range(last - number):
            link = link_code.digest("chain", link)
        return link

    def _begin(self, begin: Begin) -> None:
        """Draw the teams with the first roll, which tosses the coin, too."""
        from falldamage_forge import presets
        from falldamage_forge.games.fall_damage.play.split_mix import SplitMix64
        from falldamage_forge.playtest.game_series import drawn_team

        rolled = self._rolled()
        if rolled is not None:
            kit = presets.load_kit()
            dice = SplitMix64(int.from_bytes(bytes(next(rolled) for _ in range(8)), "big"))
            self.game = begin(self.table, (drawn_team(kit, dice), drawn_team(kit, dice)))
            self._settle(rolled)

    def _settle(self, rolled: Iterator[int] | None = None) -> None:
        """Roll until a player decides, a link lacks, or an item of the player springs."""
        game = self.game
        while game is not None and game.turn == "chance" and not self.own:
            rolled = rolled or self._rolled()
            if rolled is None:
                return
            moves = game.legal_moves
            self._push(moves[link_code.below(rolled, len(moves))])

    def apply(self, entry: str) -> None:
        """Apply an entry, and the rolls after it.

        Raises:
            ForgeError (FDF384): If it is not legal.
        """
        index = len(self.sides)
        if entry.startswith(SKIPPED):
            self.sides.append("")
            return
        self._settle()
        game, where = self.game, f"move {index + 1}, `{entry}`"
        if game is None or game.turn == "chance" or game.over:
            raise broken(f"{where}: no player decides here")
        turn, text = game.turn, self.notes.get(index, entry)
        hides = [move for move in game.legal_moves if _hides(game, move)]
        if text.startswith(OPENED):
            text = text.partition(" ")[2]
        known = not text.startswith(SEALED)
        found = [move for move in hides if not known or str(move) == text]
        if known and not found:
            found = [move for move in game.legal_moves if str(move) == text and move not in hides]
        if not found or (known and entry == text and found[0] in hides):
            raise broken(f"{where} is not legal")
        self.sides.append(turn)
        self._push(found[0])
        if not known:  # a place where this player's game knows no item
            game.state.hidden = game.state.hidden[:-1]
            self.items.pop()
            self.log[-1] = f"{found[0].name} ?"
        self._settle()

    def _push(self, move: Move) -> None:
        game, index = self.game, len(self.sides) - 1
        assert game is not None
        lays = game.state.active if move.name == "spring trap" else -1  # takes its old trap up
        known = zip(game.state.hidden, self.items, strict=True)
        before = [one for one in known if one[0].kind != "spring" or one[0].unit != lays]
        game.push(move)
        self.log.append(str(move))
        self.items = [_taken(before, item, index) for item in game.state.hidden]
        for _, at in before:
            self.sprang[at] = index + 1, self.rolls
            if self.table.entries[at].startswith(SEALED):
                self.own.append(at)


def _taken(known: list[tuple[HiddenItem, int]], item: HiddenItem, new: int) -> int:
    """Take an item from those before a move, and return its entry; `new` if it was not there."""
    for place, (other, at) in enumerate(known):
        if other == item:
            del known[place]
            return at
    return new


def _hides(game: BoardGame, move: Move) -> bool:
    """True if a move hides an item."""
    return move.name == "spring trap" or game.node == "choose_aid"


def _replayed(seat: Seat, begin: Begin) -> _Replay:
    found = _replays.get(seat)
    if found is None:
        found = _replays[seat] = _Replay(seat, begin)
    _replays.move_to_end(seat)
    while len(_replays) > CACHED:
        _replays.popitem(last=False)
    return found


def _known(seat: Seat, before: _Replay | None, begin: Begin) -> _Replay:
    """Store the replay of a seat, which continues the one before if there is one."""
    ready = before is not None and before.game is not None
    found = _replays[seat] = before.after(seat) if before and ready else _Replay(seat, begin)
    return found


def game_of(seat: Seat, begin: Begin) -> BoardGame | None:
    """Return the game as a player sees it; None before the first roll. Callers copy it.

    Args:
        seat: Seat of the player, with all links so far.
        begin: Makes the game of a table before its first move.
    """
    return _replayed(seat, begin).game


def log_of(seat: Seat, begin: Begin) -> tuple[str, ...]:
    """Return the moves and chance outcomes so far, without the places of unknown items.

    Args:
        seat: Seat of the player, with all links so far.
        begin: Makes the game of a table before its first move.
    """
    return tuple(_replayed(seat, begin).log)


def decides(seat: Seat, begin: Begin) -> bool:
    """True if the player decides now; otherwise the other player needs the link.

    Args:
        seat: Seat of the player, with all links so far.
        begin: Makes the game of a table before its first move.
    """
    game = game_of(seat, begin)
    return game is not None and not game.over and game.turn == SIDES[seat.side]


def is_complete(seat: Seat) -> bool:
    """True if the player knows every hidden item, as a record needs."""
    notes = dict(seat.notes)
    return all(not e.startswith(SEALED) or i in notes for i, e in enumerate(seat.table.entries))


# -- what a player does ----------------------------------------------------------------------------


def offer(map_: str, rounds: int, secret: bytes) -> Seat:
    """Return red's seat at a new table.

    Args:
        map_: See `Table.map`.
        rounds: From 1 to MOST_ROUNDS.
        secret: 16 random bytes.
    """
    return Seat(0, secret, Table(map_, rounds, (link_code.chain_link(secret, 0), b"")))


def join(code: str, secret: bytes, begin: Begin) -> Seat:
    """Return blue's seat at the table of an invitation.

    Args:
        code: Invitation of red.
        secret: 16 random bytes of blue.
        begin: Makes the game of a table before its first move.

    Raises:
        ForgeError (FDF384): If the code is no invitation.
    """
    table = read_table(code)
    if table.ends[1]:
        hint = "open it where you play that game, or ask for an invitation"
        raise broken("its game is not stored here", hint)
    ends = (table.ends[0], link_code.chain_link(secret, 0))
    return _settled(Seat(1, secret, replace(table, ends=ends)), begin)


def make(seat: Seat, text: str, begin: Begin) -> Seat:
    """Return a seat after a decision of its player.

    Args:
        seat: Seat of the player, with all links so far.
        text: Decision in the notation of moves.
        begin: Makes the game of a table before its first move.

    Raises:
        ForgeError (FDF383): If another side decides, or the move is not legal.
    """
    before = _replayed(seat, begin)
    if before.game is None or not decides(seat, begin):
        raise refuse("FDF383", "it is not your turn: send your link, and wait for your friend's")
    move, table, index = before.game.find(text), seat.table, len(seat.table.entries)
    entry, notes = str(move), seat.notes
    if _hides(before.game, move):
        nonce = link_code.digest("nonce", seat.secret, "\n".join(table.entries).encode())
        notes = (*notes, (index, f"{OPENED}{word(nonce)} {move}"))
        entry = SEALED + word(link_code.seal(table.identity, index, nonce, str(move)))
    after = replace(seat, notes=notes, table=replace(table, entries=(*table.entries, entry)))
    _known(after, before, begin)
    return _settled(after, begin)


def _settled(seat: Seat, begin: Begin) -> Seat:
    """Open own items that sprang, and reveal own links of rolls, until neither is left."""
    side, notes = seat.side, dict(seat.notes)
    while True:
        now, table = _replayed(seat, begin), seat.table
        sealed = [i for i in notes if table.entries[i].startswith(SEALED)]
        if now.own:
            kept = table.entries[: len(now.sides)]
            notes = {index: note for index, note in notes.items() if index < len(kept)}
            number = _pending(table, 1 - side)
            skip = (f"{SKIPPED}{number}",) if number else ()
            table = _opened(replace(table, entries=(*kept, *skip)), now.own, notes)
        elif now.needs is not None and table.shown[side][0] < now.needs and table.ends[1]:
            if now.needs > link_code.LINKS:
                raise broken("the game has more rolls than its chains have links")
            link = (now.needs, link_code.chain_link(seat.secret, now.needs))
            shown = (link, table.shown[1]) if side == 0 else (table.shown[0], link)
            table = replace(table, shown=shown)
            _known(seat := replace(seat, table=table), now, begin)
        elif now.game is not None and now.game.over and sealed:
            table = _opened(table, sealed, notes)
        else:
            return seat
        seat = replace(seat, table=table, notes=tuple(notes.items()))


def _opened(table: Table, items: Sequence[int], notes: dict[int, str]) -> Table:
    entries = [notes[i] if i in items else entry for i, entry in enumerate(table.entries)]
    return replace(table, entries=tuple(entries))


def _pending(table: Table, side: int) -> int:
    """Return the number of the roll for which only this side has revealed its link; 0: none."""
    number = table.shown[side][0]
    waits = number > table.shown[1 - side][0] and f"{SKIPPED}{number}" not in table.entries
    return number if waits else 0


def receive(seat: Seat, code: str, begin: Begin) -> Seat:
    """Return a seat after a link of the other player; the same seat if it has nothing new.

    Args:
        seat: Seat of the player, with all links so far.
        code: Link of the other player.
        begin: Makes the game of a table before its first move.

    Raises:
        ForgeError (FDF384): If the link is damaged, belongs to another game, or differs from the
            player's own game where the other player could not change it.
    """
    mine, theirs, other = seat.table, read_table(code), 1 - seat.side
    if theirs.ends[0] != mine.ends[0]:
        raise broken("it belongs to another game")
    if (theirs.map, theirs.rounds) != (mine.map, mine.rounds):
        raise broken("its map or its number of rounds is not the one of this game")
    if theirs.ends[1] != mine.ends[1] and mine.ends[1] and theirs.ends[1]:
        raise broken("another player has joined this game", "start a game for each friend")
    opened, cut = _compared(seat, theirs)
    older = theirs.shown[other][0] <= mine.shown[other][0]
    if (cut == len(theirs.entries) and not opened and older) or _precedes(theirs, seat.table, cut):
        return seat
    if theirs.shown[seat.side] != mine.shown[seat.side]:
        raise broken("it does not follow your last link", "send your last link again")
    if theirs.shown[other][0] < mine.shown[other][0]:
        raise broken("a roll in it is older than the last one")
    if cut < len(mine.entries) and not (opened and cut >= seat.heard):
        new = f"`{theirs.entries[cut]}`" if cut < len(theirs.entries) else "missing"
        raise broken(f"move {cut + 1} is {new} in it, and `{mine.entries[cut]}` in your game")
    notes = tuple(note for note in seat.notes if note[0] < cut)
    after = replace(seat, table=theirs, heard=len(theirs.entries), notes=notes)
    same = cut == len(mine.entries) and not opened
    now = _known(after, _replayed(seat, begin) if same else None, begin)
    if any(side not in ("", SIDES[other]) for side in now.sides[cut:]):
        raise broken("it decides for you")
    _check_opened(seat, theirs, now, opened, cut)
    return _settled(after, begin)


def _compared(seat: Seat, theirs: Table) -> tuple[list[int], int]:
    """Return the entries that are newly opened, and the number of entries that are the same."""
    opened: list[int] = []
    for index, (own, new) in enumerate(zip(seat.table.entries, theirs.entries, strict=False)):
        if own == new:
            continue
        if not own.startswith(SEALED) or index in dict(seat.notes) or not new.startswith(OPENED):
            return opened, index
        if own != _sealed(theirs, index):
            raise broken(f"move {index + 1} does not open the item that was hidden there")
        opened.append(index)
    return opened, min(len(seat.table.entries), len(theirs.entries))


def _sealed(table: Table, index: int) -> str:
    """Return an opened entry as it was while its item was hidden."""
    nonce, _, text = table.entries[index][1:].partition(" ")
    return SEALED + word(link_code.seal(table.identity, index, from_word(nonce), text))


def _precedes(theirs: Table, mine: Table, index: int) -> bool:
    """True if a link was made before the item of an entry was opened here."""
    if index >= min(len(theirs.entries), len(mine.entries)):
        return False
    return mine.entries[index].startswith(OPENED) and theirs.entries[index] == _sealed(mine, index)


def _check_opened(seat: Seat, theirs: Table, now: _Replay, opened: Sequence[int], cut: int) -> None:
    """Refuse items opened at another move than sprang them, and rolls that are skipped."""
    if now.own:  # an item of this player sprang first: the rest is void
        return
    over, notes = now.game is not None and now.game.over, dict(seat.notes)
    sprang = [now.sprang.get(index) for index in opened]
    if any(at[0] < cut if at else not over for at in sprang):
        raise broken("it opens a hidden item at a move that did not spring it")
    here = [at[1] for at in sprang if at and at[0] == cut]
    if cut < len(seat.table.entries) and not here:
        raise broken(f"it takes back move {cut + 1} though no hidden item was sprung")
    number, new = _pending(seat.table, seat.side), theirs.entries[cut:]
    void = [f"{SKIPPED}{number}"] if any(last < number for last in here) else []
    skipped = [entry for entry in new if entry.startswith(SKIPPED)]
    if skipped != void or (void and new[0] != void[0]):
        raise broken("it makes a roll again")
    if over and any(e.startswith(SEALED) and i not in notes for i, e in enumerate(theirs.entries)):
        raise broken("the game is over, and an item in it is still hidden")


# -- links and saved seats -------------------------------------------------------------------------


def link_of(seat: Seat) -> str:
    """Return the code of a seat for the other player: what both may know."""
    return _code(seat.table)


@lru_cache(maxsize=4)
def _code(table: Table) -> str:
    shown = [[number, word(link)] for number, link in table.shown]
    value = [table.map, table.rounds, word(table.ends[1]), shown, "\n".join(table.entries)]
    return link_code.pack(table.ends[0], value)


def read_table(code: str) -> Table:
    """Return the table of a code, with chains that fit their ends.

    Raises:
        ForgeError (FDF384): If it is none.
    """
    first, value = link_code.unpack(code)
    try:
        map_, rounds, second, shown, entries = value
        table = Table(
            map_,
            rounds,
            (first, from_word(second)),
            tuple((number, from_word(link)) for number, link in shown),  # type: ignore[arg-type]
            tuple(entries.split("\n")) if entries else (),
        )
        known = isinstance(map_, str) and type(rounds) is int and 1 <= rounds <= MOST_ROUNDS
        if not known or len(shown) != 2 or len(table.entries) > MOST_ENTRIES:
            raise ValueError("it is no table")
        if not table.ends[1] and (table.shown != ((0, b""), (0, b"")) or table.entries):
            raise ValueError("blue has not joined it")
        map_.encode()
        entries.encode()
        for entry in table.entries:
            if entry.startswith(OPENED):
                from_word(entry[1:].partition(" ")[0])
        fits = all(map(_fits, table.shown, table.ends))
    except (ValueError, TypeError, AttributeError):
        raise broken("its content is no game") from None
    if not fits or table.ends[0] == table.ends[1]:
        raise broken("a roll in it is not the one that its player committed to")
    return table


def _fits(shown: tuple[int, bytes], end: bytes) -> bool:
    number, link = shown
    if type(number) is not int or not 0 <= number <= link_code.LINKS:
        raise ValueError("a link's number is from 0 to LINKS")
    return not link if number == 0 else link_code.is_link(link, number, end)


def seat_json(seat: Seat) -> dict[str, Any]:
    """Return a seat as JSON, to store where only its player reads it."""
    return {
        "side": seat.side,
        "secret": word(seat.secret),
        "heard": seat.heard,
        "notes": [list(note) for note in seat.notes],
        "link": link_of(seat),
    }


def read_seat(saved: Any) -> Seat:
    """Return a stored seat.

    Raises:
        ForgeError (FDF384): If it is none.
    """
    try:
        side, secret, heard, notes, link = (
            saved[key] for key in ("side", "secret", "heard", "notes", "link")
        )
        table, kept = read_table(link), tuple((int(i), str(note)) for i, note in notes)
        if type(side) is not int or side not in (0, 1) or type(heard) is not int:
            raise ValueError("it is no seat")
        if any(not 0 <= i < len(table.entries) for i, _ in kept):
            raise ValueError("a note belongs to no entry")
        seat = Seat(side, from_word(secret), table, heard, kept)
    except (KeyError, TypeError, ValueError, AttributeError):
        raise refuse("FDF384", "the saved game cannot be read", "open your last link") from None
    if link_code.chain_link(seat.secret, 0) != table.ends[side]:
        raise refuse("FDF384", "the saved game belongs to another secret", "open your last link")
    return seat


def record_of(seat: Seat, begin: Begin) -> dict[str, Any]:
    """Return the record of a game that is over, as `fdforge replay` reads it.

    Args:
        seat: Seat of the player, with all links so far.
        begin: Makes the game of a table before its first move.

    Raises:
        ForgeError (FDF383): If it is not over, or an item of the other player is still hidden.
    """
    game = game_of(seat, begin)
    if game is None or not game.over or not is_complete(seat):
        raise refuse("FDF383", "the record needs the end of the game and your friend's last link")
    return game.record()
