"""What every other game is made of: readings of its rules, its units, and its model of a board."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sized
from dataclasses import dataclass, fields, replace
from typing import Any, Self

from falldamage_forge.board import Board
from falldamage_forge.games.engine import Model
from falldamage_forge.issues import ForgeError, Issue, SourceSpan, did_you_mean
from falldamage_forge.surfaces import Surface
from falldamage_forge.tables import read_table

Pairs = Iterable[tuple[str, str | int, SourceSpan | None]]


@dataclass(frozen=True, slots=True)
class Occupants:
    """Who else stands where, by surface."""

    enemies: frozenset[Surface] = frozenset()
    friends: frozenset[Surface] = frozenset()


NOBODY = Occupants()


@dataclass(frozen=True)
class Setting(ABC):
    """One game under one reading of its rules. A game's own class adds `options` and `units`.

    `proof_units` names the units a map is proved for; the first of them stands for a plain one.
    """

    name: str
    title: str
    proof_units: tuple[str, ...]

    @property
    @abstractmethod
    def readings(self) -> Any:
        """The options, a frozen dataclass whose defaults are the first of each choice."""

    @property
    @abstractmethod
    def profiles(self) -> Mapping[str, Any]:
        """The units by name."""

    @abstractmethod
    def model(self, board: Board, unit: str, others: Occupants = NOBODY) -> Model:
        """How a unit moves on a board; ForgeError (FDF364) when there is no such unit."""

    def measures(self, board: Board, unit: str) -> tuple[tuple[str, str], ...]:
        """What only this game measures on a board: names and texts."""
        del board, unit
        return ()

    def profile(self, unit: str) -> Any:
        """A unit's profile; ForgeError (FDF364) with the nearest name when there is none."""
        if unit not in self.profiles:
            hint = did_you_mean(unit, self.profiles) or f"known: {', '.join(self.profiles)}"
            message = f"no unit called `{unit}` in {self.name}"
            raise ForgeError([Issue("FDF364", "error", message, hint=hint)])
        return self.profiles[unit]

    def check_proof_units(self) -> None:
        """ValueError when a proof unit is not in the table, or none is named."""
        if not self.proof_units:
            raise ValueError("`proof_units` names no unit")
        for unit in self.proof_units:
            if unit not in self.profiles:
                raise ValueError(f"`proof_units` names `{unit}`, which `units` has not")

    def under(self, pairs: Pairs) -> Self:
        """The same game under other readings; ForgeError (FDF320) names an unknown one."""
        current = self.readings
        table = {item.name: getattr(current, item.name) for item in fields(current)}
        faults: list[Issue] = []
        for name, value, span in pairs:
            changed = {**table, name.replace("-", "_"): _plain(value)}
            try:
                read_table(type(current), changed, "option")
                table = changed
            except ForgeError as error:
                faults += (
                    Issue("FDF320", "error", issue.message, span, hint=issue.hint)
                    for issue in error.issues
                )
        if faults:
            raise ForgeError(faults)
        changes: dict[str, Any] = {"options": read_table(type(current), table, "option")}
        return replace(self, **changes)


def _plain(value: str | int) -> str | int:
    """Digits as a number, words with underscores."""
    if isinstance(value, int):
        return value
    if value.isdecimal() and len(value) < 6:
        return int(value)
    return value.replace("-", "_")


def counted(things: Sized, noun: str) -> str:
    """`1 ladder`, `2 ladders`."""
    return f"{len(things)} {noun}{'' if len(things) == 1 else 's'}"
