"""`BoardGame`: one game from its first coin to its end, with moves that can be taken back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from falldamage_forge.board import Board
from falldamage_forge.games.fall_damage.options import FallDamageOptions
from falldamage_forge.games.fall_damage.play import legal_apply, play_options, serialization
from falldamage_forge.games.fall_damage.play.game_data import GameData
from falldamage_forge.games.fall_damage.play.move_value import Move
from falldamage_forge.games.fall_damage.play.play_options import PlayOptions
from falldamage_forge.games.fall_damage.play.split_mix import SplitMix64
from falldamage_forge.games.fall_damage.play.state_value import (
    SIDES,
    MatchContext,
    Places,
    State,
    Teams,
    new_state,
    observation,
)
from falldamage_forge.games.fall_damage.play.surface_number import parse_spot
from falldamage_forge.games.fall_damage.play.vocabulary import move_text
from falldamage_forge.issues import ForgeError, Issue, did_you_mean

if TYPE_CHECKING:
    from typing import Self


def split_options(
    options: Mapping[str, Any], rules: FallDamageOptions | None = None
) -> tuple[FallDamageOptions, PlayOptions]:
    """Return the options of the ruleset and the options of play from one table.

    Args:
        options: Values by name.
        rules: Options of the ruleset to start from; None: the defaults.

    Raises:
        ForgeError (FDF320): If a name or value is unknown.
    """
    own = {name: value for name, value in options.items() if play_options.field_of(name)}
    others = {name: value for name, value in options.items() if name not in own}
    return play_options.read_options(
        FallDamageOptions, rules or FallDamageOptions(), others
    ), play_options.parse_play_options(own)


class Undo(NamedTuple):
    """Moves taken back: `at` moves stayed, the `moves` after them went."""

    at: int
    moves: int


class BoardGame:
    """A game on a board, in which decisions and chance outcomes are both moves.

    Any legal outcome may be pushed for chance; `roll()` draws one. The draw is a function of `seed`
    and of the number of chance outcomes before, so the same position has the same dice: an undo
    gives no others.
    """

    def __init__(
        self,
        board: Board,
        content: GameData,
        options: Mapping[str, Any] | None = None,
        *,
        rules: FallDamageOptions | None = None,
        teams: Teams | None = None,
        places: tuple[Sequence[str], Sequence[str]] | None = None,
        seed: int = 0,
        undos: Iterable[Undo] = (),
    ) -> None:
        """Start a game at its first decision.

        Args:
            board: The map's board.
            content: Game data.
            options: Options of play and of the ruleset by name.
            rules: Options of the ruleset to start from.
            teams: Card names of red and blue; None: they are drafted by moves.
            places: Surfaces of red and blue, such as `E5@0`; None: units are placed by moves.
            seed: Seed of `roll()`.
            undos: Earlier undos of a game that is replayed.
        """
        own_rules, readings = split_options(options or {}, rules)
        self.ctx = MatchContext(board, own_rules, readings, content)
        self.teams, self.places = teams, places
        spots: Places | None = None
        if places is not None:
            red, blue = ([parse_spot(text) for text in side] for side in places)
            spots = (red, blue)
        self.seed = seed
        self._states = [legal_apply.advance_to_first_node(new_state(self.ctx, teams, spots))]
        self._rolls = [0]
        self._moves: list[Move] = []
        self._undos = tuple(undos)

    # -- position ----------------------------------------------------------------------------------

    @property
    def state(self) -> State:
        """The current state; callers must not change it."""
        return self._states[-1]

    @property
    def legal_moves(self) -> tuple[Move, ...]:
        """Every legal move, in the order of the rules; empty when the game is over."""
        return tuple(legal_apply.legal_moves(self.state))

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves so far."""
        return tuple(self._moves)

    @property
    def undos(self) -> tuple[Undo, ...]:
        """The undos so far, in order; undos without a move between them are one."""
        return self._undos

    @property
    def bot_dice(self) -> SplitMix64:
        """Random numbers of a bot that decides here, the same at every visit."""
        return SplitMix64(self.seed + len(self._moves))

    @property
    def turn(self) -> str:
        """The current player: `red`, `blue` or `chance`."""
        side = legal_apply.current_player(self.state)
        return "chance" if side == legal_apply.CHANCE else SIDES[side]

    @property
    def node(self) -> str:
        """Kind of the decision: `unit`, `step`, the name of a pending one, or `over`."""
        return legal_apply.node_kind(self.state)

    @property
    def over(self) -> bool:
        """True if the game has ended."""
        return self.state.over

    @property
    def result(self) -> str:
        """`red`, `blue`, `draw`, `unfinished`; empty while the game goes on."""
        return self.state.result

    @property
    def hash(self) -> str:
        """Hash of the state, 16 hexadecimal digits."""
        return serialization.state_hash(self.state)

    def observation(self, side: str | int) -> State:
        """Return the state as one side sees it.

        Args:
            side: `red` or 0, `blue` or 1.

        Raises:
            ForgeError (FDF346): If the side is none of these.
        """
        if side not in (*SIDES, *range(len(SIDES))) or isinstance(side, bool):
            raise ForgeError([Issue("FDF346", "error", f"`side` is red or blue, not `{side}`")])
        return observation(self.state, SIDES.index(side) if isinstance(side, str) else side)

    # -- playing -----------------------------------------------------------------------------------

    def find(self, text: str) -> Move:
        """Return the legal move of a text.

        Raises:
            ForgeError (FDF383): If no legal move has this text; the hint names the nearest.
        """
        if not isinstance(text, str):
            raise ForgeError([Issue("FDF346", "error", f"a move is a text, not {text!r}")])
        moves = {str(move): move for move in self.legal_moves}
        wanted = move_text(text)
        if wanted in moves:
            return moves[wanted]
        if self.over:
            raise ForgeError([Issue("FDF383", "error", f"`{text}`: the game is over")])
        hint = did_you_mean(wanted, moves) or f"legal: {', '.join(list(moves)[:8])}"
        raise ForgeError([Issue("FDF383", "error", f"`{text}` is not legal here", hint=hint)])

    def push(self, move: Move | str) -> Move:
        """Apply a move, given as a value or as its text.

        Raises:
            ForgeError (FDF383): If it is not legal.
        """
        found = move if isinstance(move, Move) else self.find(move)
        if found not in legal_apply.legal_moves(self.state):
            raise ForgeError([Issue("FDF383", "error", f"`{found}` is not legal here")])
        self._rolls.append(self._rolls[-1] + (self.turn == "chance"))
        self._states.append(legal_apply.apply_move(self.state, found))
        self._moves.append(found)
        return found

    def pop(self) -> Move:
        """Take the last move back and return it; `undos` and the record list it.

        Raises:
            IndexError: If no move was made.
        """
        if not self._moves:
            raise IndexError("there is no move to take back")
        *earlier, last = self._undos or (Undo(-1, 0),)
        if last.at != len(self._moves):
            earlier, last = [*self._undos], Undo(len(self._moves), 0)
        self._undos = (*earlier, Undo(last.at - 1, last.moves + 1))
        self._states.pop()
        self._rolls.pop()
        return self._moves.pop()

    def roll(self) -> Move:
        """Draw the chance outcome of this position and apply it."""
        dice = SplitMix64.after(self.seed, self._rolls[-1])
        return self.push(dice.choice(self.legal_moves))

    # -- saved states and records ------------------------------------------------------------------

    def save(self) -> dict[str, Any]:
        """Return the state as JSON, with the number of chance outcomes before it."""
        return {**serialization.to_json(self.state), serialization.ROLLS: self._rolls[-1]}

    def record(self, *, trace: bool = False) -> dict[str, Any]:
        """Return the whole game as JSON.

        Args:
            trace: True to add the number of legal moves and the hash to each move.
        """
        table = serialization.board_json(self.ctx.board, self.ctx.land)
        moves: list[Any] = [str(move) for move in self._moves]
        if trace:
            moves = [
                {
                    "move": text,
                    "legal": len(legal_apply.legal_moves(state)),
                    "hash": serialization.state_hash(state),
                }
                for text, state in zip(moves, self._states, strict=False)
            ]
        return {
            "game": serialization.RECORD_VERSION,
            "map": serialization.board_digest(table),
            "board": table,
            "options": play_options.changed_options(self.ctx.rules, self.ctx.readings),
            "teams": [list(side) for side in self.teams] if self.teams else None,
            "places": [list(side) for side in self.places] if self.places else None,
            "seed": self.seed,
            "moves": moves,
            "undos": [undo._asdict() for undo in self._undos],
            "result": self.result,
        }

    @classmethod
    def from_record(cls, record: Mapping[str, Any], kit: GameData) -> Self:
        """Return the game of a record after replaying it.

        Args:
            record: The JSON object of a record.
            kit: Cards, abilities and treasure.

        Raises:
            ForgeError (FDF384): For the first entry that is malformed or not legal.
        """
        game = cls.start_of(record, kit)
        for _ in game.replay(record):
            pass
        return game

    @classmethod
    def start_of(cls, record: Mapping[str, Any], kit: GameData) -> Self:
        """Return the game of a record before its first move.

        Args:
            record: The JSON object of a record.
            kit: Cards, abilities and treasure.

        Raises:
            ForgeError (FDF384): If the record is malformed.
        """
        serialization.refuse(
            "FDF384", "the record", serialization.record_problems(record, kit.cards)
        )
        board, options = serialization.read_board(record["board"]), dict(record["options"])
        if record.get("map", digest := serialization.board_digest(record["board"])) != digest:
            raise _broken("the record, `map`: it is not the digest of the record's board")
        given = {key: record[key] for key in ("teams", "places", "seed") if key in record}
        undos = [Undo(**undo) for undo in record.get("undos", ())]
        game = cls.__new__(cls)
        BoardGame.__init__(game, board, kit, options, **given, undos=undos)
        return game

    def replay(self, record: Mapping[str, Any]) -> Iterator[Move]:
        """Apply a record's moves one by one and yield each.

        Raises:
            ForgeError (FDF384): If a move is not legal, or its recorded count or hash differs.
        """
        for number, entry in enumerate(record.get("moves", ()), 1):
            text = entry["move"] if isinstance(entry, Mapping) else str(entry)
            if isinstance(entry, Mapping):
                count, digest = entry.get("legal"), entry.get("hash")
                if count is not None and count != len(self.legal_moves):
                    found = len(self.legal_moves)
                    raise _broken(f"move {number}, `{text}`: {found} legal moves, recorded {count}")
                if digest is not None and digest != self.hash:
                    raise _broken(f"move {number}, `{text}`: the state is not the recorded one")
            try:
                move = self.push(text)
            except ForgeError as error:
                raise _broken(f"move {number}: {error.issues[0].message}") from None
            yield move
        if record.get("result", self.result) != self.result:
            raise _broken(f"the result is `{self.result}`, recorded `{record['result']}`")

    def resume(self, saved: Mapping[str, Any]) -> None:
        """Continue from a saved state of this game's map; the history restarts there.

        The dice are those of the saved state.

        Raises:
            ForgeError (FDF382): If the saved state is malformed or not one of this map.
        """
        self._states, self._moves = [serialization.from_json(self.ctx, saved)], []
        self._rolls, self._undos = [saved.get(serialization.ROLLS, 0)], ()

    def copy(self) -> Self:
        """Return an independent game in the same position with the same history."""
        twin = type(self).__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin._states, twin._moves = list(self._states), list(self._moves)
        twin._rolls = list(self._rolls)
        return twin

    def play(self, move: Move | str) -> State:
        """Return the state after a move, without applying it to the game."""
        if not isinstance(move, Move):
            move = self.find(move)
        return legal_apply.apply_move(self.state, move)


def _broken(message: str) -> ForgeError:
    return ForgeError([Issue("FDF384", "error", message)])


__all__ = ["BoardGame", "split_options"]
