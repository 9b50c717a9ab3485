"""Turn structure: how moves make turns. Each ruleset has its own."""

from __future__ import annotations

from fractions import Fraction
from typing import Protocol

from falldamage_forge.infra.lazy_dataclass import dataclass

SURE = Fraction(1)


class TurnStructure(Protocol):
    """How moves make turns. An instance is a value: it compares, hashes and pickles."""

    def turns(self, moves: int) -> int:
        """Return the turns in which `moves` moves are made."""
        ...

    def strike(self, moves: int, used: int) -> int:
        """Return the turn in which a unit can attack on arrival.

        Args:
            moves: Moves of the way.
            used: Budget used of the last move.
        """
        ...

    def chance_to_attack_by(self, moves: int, used: int, turn: int) -> Fraction:
        """Return the probability that a unit can attack by a turn, if it passes all checks.

        Args:
            moves: Moves of the way.
            used: Budget used of the last move.
            turn: The turn, from 1.
        """
        ...

    def turn_distribution(self, moves: int) -> dict[int, Fraction]:
        """Return the probability of each number of turns for `moves` moves."""
        ...

    def moves_within(self, turns: int) -> int | None:
        """Return the moves in `turns` turns; None if chance decides."""
        ...

    def after_failing(self, left: int) -> int:
        """Return the moves left, of `left`, after the first of them ended with a failed check."""
        ...

    def attack_reserve(self, move: int) -> int:
        """Return the budget of a move that an attack on arrival needs.

        Args:
            move: Budget of a whole move.
        """
        ...

    @property
    def move_name(self) -> str:
        """Name of a move in rulesets that count moves, else empty."""
        ...


@dataclass(frozen=True, slots=True)
class FixedMovesTurn:
    """A turn of a fixed number of moves, after any of which the unit may attack."""

    moves: int = 1

    def turns(self, moves: int) -> int:
        """Return the turns in which `moves` moves are made."""
        return -(-moves // self.moves)

    def strike(self, moves: int, used: int) -> int:
        """Return the turn of the last move, at least 1.

        Args:
            moves: Moves made so far.
            used: Cost of the last move; not counted here.
        """
        del used
        return max(1, self.turns(moves))

    def chance_to_attack_by(self, moves: int, used: int, turn: int) -> Fraction:
        """Return 1 if the unit can attack by the turn, else 0.

        Args:
            moves: Moves made so far.
            used: Cost of the last move; not counted here.
            turn: Number of the turn, from 1.
        """
        return Fraction(self.strike(moves, used) <= turn)

    def turn_distribution(self, moves: int) -> dict[int, Fraction]:
        """Return the number of turns with probability 1."""
        return {self.turns(moves): SURE}

    def moves_within(self, turns: int) -> int:
        """Return the moves in `turns` turns."""
        return turns * self.moves

    def after_failing(self, left: int) -> int:
        """Return the moves of the following turns: a failed check ends the turn."""
        return (left - 1) // self.moves * self.moves

    def attack_reserve(self, move: int) -> int:
        """Return 0: the unit may attack after any move."""
        del move
        return 0

    @property
    def move_name(self) -> str:
        """Empty: answers count turns."""
        return ""


ONE_MOVE = FixedMovesTurn()
"""Turn structure of rulesets with one move a turn."""
