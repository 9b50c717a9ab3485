"""Where plain states are played on: one map's columns, and the words for what is in them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from falldamage_forge.games.fall_damage.engine import codes as C
from falldamage_forge.games.fall_damage.engine import columns, decisions
from falldamage_forge.games.fall_damage.engine.exchange import dump, events
from falldamage_forge.games.fall_damage.engine.intake import take_over
from falldamage_forge.games.fall_damage.engine.match_context import limits, new_match
from falldamage_forge.games.fall_damage.engine.setup import new_game
from falldamage_forge.games.fall_damage.engine.tongue import Tongue
from falldamage_forge.games.fall_damage.engine.transition import advance, list_moves, settle
from falldamage_forge.games.fall_damage.play.arena import Arena
from falldamage_forge.games.fall_damage.play.moves import Move
from falldamage_forge.games.fall_damage.play.state import State
from falldamage_forge.issues import ForgeError, Issue

Teams = tuple[Sequence[str], Sequence[str]]
Places = tuple[Sequence[int], Sequence[int]]
Moves = list[Move]
Events = list[tuple[Any, ...]]


class Desk:
    """The columns of one arena. A plain state is written into them, played on, and read back."""

    def __init__(self, arena: Arena) -> None:
        found = limits(arena)
        if found:
            message = f"no game can be played here: {', '.join(found)}"
            raise ForgeError([Issue("FDF386", "error", message)])
        self.arena, self.tongue = arena, Tongue(arena)
        self.columns: columns.State = new_match(arena)
        self._held: State | None = None
        self._listed = False

    def start(self, teams: Teams | None, places: Places | None) -> State:
        """The state at a game's first question; what is given is not asked for."""
        s, names = self.columns, self.tongue.cards
        s.n_team[:] = [len(zone) for zone in self.arena.zones]
        s.n_teams = s.n_spots = s.placed = 0
        for side in (0, 1):
            if teams is not None:
                s.n_team[side] = len(teams[side])
            for card in teams[side] if teams is not None else ():
                s.team_side[s.n_teams], s.team_card[s.n_teams] = side, names.index(card)
                s.n_teams += 1
            for spot in places[side] if places is not None else ():
                s.spot_side[s.n_spots], s.team_spot[s.n_spots] = side, spot
                s.n_spots += 1
        if places is not None:
            s.placed = 1
            self.tongue.fixed = tuple(tuple(side) for side in places)
        new_game(s)
        self._listed = True
        return self.read()

    def take(self, state: State) -> None:
        """Write a state into the columns, if it is not what they hold."""
        if self._held is None or self._held != state:
            self._held, self._listed = None, False
            try:
                take_over(self.columns, self.tongue, state)
            except (KeyError, ValueError, TypeError, IndexError, StopIteration) as error:
                message = f"the state is not one of this map: {error!r}"
                raise ForgeError([Issue("FDF382", "error", message)]) from None

    def read(self) -> State:
        """The columns as a plain state; ForgeError (FDF385) when a list was too short for it."""
        if self.columns.lost:
            message = "the game has more in it than there is room for"
            raise ForgeError([Issue("FDF386", "error", message)])
        found = dump(self.columns, self.tongue)
        self._held = found.copy()
        return found

    def list(self) -> None:
        """List the legal moves in the columns."""
        if not self._listed or self.columns.phase == C.OVER:
            list_moves(self.columns)
            self._listed = True

    def moves(self) -> Moves:
        """Every legal move, in order."""
        s = self.columns
        self.list()
        found = [self.tongue.move(key) for key in sorted(s.moves[: s.n_moves])]
        if s.path_choice:
            # Ways are numbers in a key and words in a list.
            found.sort(key=lambda move: move.order)
        return found

    def advance(self, move: Move) -> None:
        """Make a legal move."""
        self._held, self.columns.n_events = None, 0
        advance(self.columns, self.tongue.key(move))
        self._listed = True

    def settle(self) -> None:
        """Bring the columns to the next decision."""
        self._held = None
        settle(self.columns)
        self._listed = True

    def chooser(self) -> int:
        """Who decides next: a side, or -1 for chance."""
        return decisions.chooser(self.columns)

    def events(self) -> Events:
        """What was noted since it was last asked."""
        return events(self.columns, self.tongue)


def desk_of(arena: Arena) -> Desk:
    """An arena's desk, made when it is first asked for."""
    found: Desk | None = vars(arena).get("_desk")
    if found is None:
        found = arena.__dict__["_desk"] = Desk(arena)
    return found


__all__ = ["C", "Desk", "desk_of"]
