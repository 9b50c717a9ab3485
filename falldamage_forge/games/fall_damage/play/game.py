"""`Game`: one game from its first coin to its end, with a history that can be taken back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from typing import Any

from falldamage_forge.board import Board
from falldamage_forge.games.fall_damage.options import Options
from falldamage_forge.games.fall_damage.play.arena import Arena
from falldamage_forge.games.fall_damage.play.dice import Dice
from falldamage_forge.games.fall_damage.play.engine import (
    CHANCE,
    apply,
    begin,
    chooser,
    legal,
    node,
)
from falldamage_forge.games.fall_damage.play.kit import Kit
from falldamage_forge.games.fall_damage.play.moves import Move
from falldamage_forge.games.fall_damage.play.observe import observation
from falldamage_forge.games.fall_damage.play.options import (
    Readings,
    field_of,
    read_options,
    readings_of,
)
from falldamage_forge.games.fall_damage.play.save import (
    board_digest,
    board_json,
    load,
    read_board,
    save,
    state_hash,
)
from falldamage_forge.games.fall_damage.play.setup import Places, Teams, new_state
from falldamage_forge.games.fall_damage.play.spots import parse_spot
from falldamage_forge.games.fall_damage.play.state import SIDES, State
from falldamage_forge.games.fall_damage.play.stored import (
    RECORD_VERSION,
    record_problems,
    refuse,
)
from falldamage_forge.issues import ForgeError, Issue, did_you_mean


def split_options(
    options: Mapping[str, Any], rules: Options | None = None
) -> tuple[Options, Readings]:
    """The ruleset's options and play's own readings out of one list of names and values.

    ForgeError (FDF320) names what nobody knows.
    """
    own = {name: value for name, value in options.items() if field_of(name)}
    others = {name: value for name, value in options.items() if name not in own}
    return read_options(Options, rules or Options(), others), readings_of(own)


class Game:
    """A game on a board. Decisions and chance outcomes are moves alike.

    `teams` are card names for red and blue, `places` their surfaces (`E5@0`); what is not given is
    drafted and placed by moves. Chance is whatever is pushed; `roll()` draws it from `seed`.
    """

    def __init__(
        self,
        board: Board,
        kit: Kit,
        options: Mapping[str, Any] | None = None,
        *,
        rules: Options | None = None,
        teams: Teams | None = None,
        places: tuple[Sequence[str], Sequence[str]] | None = None,
        seed: int = 0,
    ) -> None:
        own_rules, readings = split_options(options or {}, rules)
        self.arena = Arena(board, own_rules, readings, kit)
        self.teams, self.places = teams, places
        spots: Places | None = None
        if places is not None:
            red, blue = ([parse_spot(text) for text in side] for side in places)
            spots = (red, blue)
        self.seed = seed
        self._dice = Dice(seed)
        self._states = [begin(new_state(self.arena, teams, spots))]
        self._moves: list[Move] = []

    # -- where the game is --------------------------------------------------------------------

    @property
    def state(self) -> State:
        """The state now; not to be changed."""
        return self._states[-1]

    @property
    def legal_moves(self) -> tuple[Move, ...]:
        """Every move there is, in the order of the rules; empty when the game is over."""
        return tuple(legal(self.state))

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves made so far."""
        return tuple(self._moves)

    @property
    def turn(self) -> str:
        """`red`, `blue`, or `chance`."""
        side = chooser(self.state)
        return "chance" if side == CHANCE else SIDES[side]

    @property
    def node(self) -> str:
        """What is asked: `unit`, `step`, the name of a question, or `over`."""
        return node(self.state)

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.state.over

    @property
    def result(self) -> str:
        """`red`, `blue`, `draw`, `unfinished`, or empty while the game goes on."""
        return self.state.result

    @property
    def hash(self) -> str:
        """16 hexadecimal digits of the state."""
        return state_hash(self.state)

    def observation(self, side: str | int) -> State:
        """The state as one side sees it: `red` or 0, `blue` or 1."""
        if side not in (*SIDES, *range(len(SIDES))) or isinstance(side, bool):
            raise ForgeError([Issue("FDF346", "error", f"`side` is red or blue, not `{side}`")])
        return observation(self.state, SIDES.index(side) if isinstance(side, str) else side)

    # -- playing ------------------------------------------------------------------------------

    def find(self, text: str) -> Move:
        """The legal move of a text; ForgeError (FDF383) names the nearest when there is none."""
        if not isinstance(text, str):
            raise ForgeError([Issue("FDF346", "error", f"a move is a text, not {text!r}")])
        moves = {str(move): move for move in self.legal_moves}
        wanted = " ".join(text.split())
        if wanted in moves:
            return moves[wanted]
        if self.over:
            raise ForgeError([Issue("FDF383", "error", f"`{text}`: the game is over")])
        hint = did_you_mean(wanted, moves) or f"legal: {', '.join(list(moves)[:8])}"
        raise ForgeError([Issue("FDF383", "error", f"`{text}` is not legal here", hint=hint)])

    def push(self, move: Move | str) -> Move:
        """Make a move, given as itself or as its text; ForgeError (FDF383) when not legal."""
        found = move if isinstance(move, Move) else self.find(move)
        if found not in legal(self.state):
            raise ForgeError([Issue("FDF383", "error", f"`{found}` is not legal here")])
        self._states.append(apply(self.state, found))
        self._moves.append(found)
        return found

    def pop(self) -> Move:
        """Take the last move back; IndexError at the start."""
        if not self._moves:
            raise IndexError("there is no move to take back")
        self._states.pop()
        return self._moves.pop()

    def roll(self) -> Move:
        """Let chance decide: draw an outcome and push it."""
        return self.push(self._dice.choice(self.legal_moves))

    # -- kept ---------------------------------------------------------------------------------

    def save(self) -> dict[str, Any]:
        """The state now, as JSON."""
        return save(self.state)

    def record(self, *, trace: bool = False) -> dict[str, Any]:
        """The whole game as JSON; `trace` adds legal moves and hash to each entry."""
        table = board_json(self.arena.board, self.arena.land)
        changed = self.arena.readings.changed()
        standard = Options()
        for item in fields(Options):
            value = getattr(self.arena.rules, item.name)
            if value != getattr(standard, item.name):
                changed[item.name] = value
        moves: list[Any] = [str(move) for move in self._moves]
        if trace:
            moves = [
                {"move": text, "legal": len(legal(state)), "hash": state_hash(state)}
                for text, state in zip(moves, self._states, strict=False)
            ]
        return {
            "game": RECORD_VERSION,
            "map": board_digest(table),
            "board": table,
            "options": dict(sorted(changed.items())),
            "teams": [list(side) for side in self.teams] if self.teams else None,
            "places": [list(side) for side in self.places] if self.places else None,
            "seed": self.seed,
            "moves": moves,
            "result": self.result,
        }

    @classmethod
    def from_record(cls, record: Mapping[str, Any], kit: Kit) -> Game:
        """Play a record again. ForgeError (FDF384) tells the first entry that does not hold."""
        game = cls.start_of(record, kit)
        for _ in game.replay(record):
            pass
        return game

    @classmethod
    def start_of(cls, record: Mapping[str, Any], kit: Kit) -> Game:
        """The game of a record before its first move."""
        refuse("FDF384", "the record", record_problems(record, kit.cards))
        board, options = read_board(record["board"]), dict(record["options"])
        if record.get("map", digest := board_digest(record["board"])) != digest:
            raise _broken("the record, `map`: it is not the digest of the record's board")
        given, seed = (record.get("teams"), record.get("places")), record.get("seed", 0)
        return cls(board, kit, options, teams=given[0], places=given[1], seed=seed)

    def replay(self, record: Mapping[str, Any]) -> Iterator[Move]:
        """Make a record's moves one by one, checked against count and hash where it has them."""
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
        """Go on from a saved state of this game's map; its history begins there."""
        self._states, self._moves = [load(self.arena, saved)], []

    def copy(self) -> Game:
        """Another game at the same point, with the same history."""
        twin = Game.__new__(Game)
        twin.__dict__.update(self.__dict__)
        twin._states, twin._moves = list(self._states), list(self._moves)
        twin._dice = Dice(self._dice.state)
        return twin

    def play(self, move: Move | str) -> State:
        """The state after a move, without making it."""
        if not isinstance(move, Move):
            move = self.find(move)
        return apply(self.state, move)


def _broken(message: str) -> ForgeError:
    return ForgeError([Issue("FDF384", "error", message)])


__all__ = ["Game", "split_options"]
