"""How moves make turns: each game has a clock of its own."""

from __future__ import annotations

from fractions import Fraction
from typing import Protocol

from falldamage_forge.values import dataclass

SURE = Fraction(1)


class Clock(Protocol):
    """How moves make turns. A value: it compares, hashes and pickles."""

    def turns(self, moves: int) -> int:
        """Turns in which so many moves are made."""
        ...

    def strike(self, moves: int, used: int) -> int:
        """The turn in which one not only arrives but can attack, `used` of the last move spent."""
        ...

    def sure(self, moves: int, used: int, turn: int) -> Fraction:
        """Chance that one can attack by a turn, whose way is passed."""
        ...

    def spread(self, moves: int) -> dict[int, Fraction]:
        """Chance of each number of turns in which so many moves are first made."""
        ...

    def within(self, turns: int) -> int | None:
        """Moves in so many turns; None where chance decides."""
        ...

    def after_failing(self, left: int) -> int:
        """Moves left of so many after the first of them has ended with a failed check."""
        ...

    def spare(self, move: int) -> int:
        """What must be left of a move for an attack on arrival, a move being so much."""
        ...

    @property
    def move_name(self) -> str:
        """What a move is called where it is the currency of a turn, else empty."""
        ...


@dataclass(frozen=True, slots=True)
class Rounds:
    """A clock of so many moves a turn, after any of which one may attack."""

    moves: int = 1

    def turns(self, moves: int) -> int:
        """Turns in which so many moves are made."""
        return -(-moves // self.moves)

    def strike(self, moves: int, used: int) -> int:
        """The turn of the last move, the first at least."""
        del used
        return max(1, self.turns(moves))

    def sure(self, moves: int, used: int, turn: int) -> Fraction:
        """Whether one can attack by a turn."""
        return Fraction(self.strike(moves, used) <= turn)

    def spread(self, moves: int) -> dict[int, Fraction]:
        """Turns for sure."""
        return {self.turns(moves): SURE}

    def within(self, turns: int) -> int:
        """Moves in so many turns."""
        return turns * self.moves

    def after_failing(self, left: int) -> int:
        """The turn is over."""
        return (left - 1) // self.moves * self.moves

    def spare(self, move: int) -> int:
        """Nothing: one may attack after any move."""
        del move
        return 0

    @property
    def move_name(self) -> str:
        """A turn is told in turns."""
        return ""


ONE_MOVE = Rounds()
"""The clock of a game in which a turn is a move."""
