"""Remedies: changes of a board, as functions over its elements, with their words."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from falldamage_forge.board import Board, Tile
from falldamage_forge.board.surfaces import Surface
from falldamage_forge.elements.element import Thing
from falldamage_forge.elements.legality_tools import BuildLimits
from falldamage_forge.elements.things import Things
from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.issues import Issue
from falldamage_forge.lang.edit.board_elements import Delta, apply_delta
from falldamage_forge.lang.edit.gestures import Paint
from falldamage_forge.lang.facts import Extent
from falldamage_forge.rules.position import Position

Change = Callable[[Things], Things]


@dataclass(frozen=True, slots=True)
class Remedy:
    """A change of a board and its words, an imperative without a full stop.

    Attributes:
        words: The change, for a hint.
        change: Function from the elements of the board to those after the change.
    """

    words: str
    change: Change


class Kind(NamedTuple):
    """Remedies of one kind, the likeliest first; a hint names one of them.

    `last` marks a kind that is named only if no other corrects the issue.
    """

    remedies: Iterable[Remedy]
    last: bool = False


@dataclass(frozen=True, slots=True)
class Patient:
    """A board with an issue.

    Attributes:
        position: The board under its rules.
        limits: Limits of catalogue and printer.
        issue: The issue.
    """

    position: Position
    limits: BuildLimits
    issue: Issue

    @property
    def board(self) -> Board:
        """The board."""
        return self.position.board

    def top(self, tile: Tile) -> Surface:
        """Return the surface on top of a column."""
        return Surface(tile, self.board.column(tile).level)

    def reach(self, tile: Tile) -> int:
        """Return the level up to which a column is filled, with what stands on it."""
        column = self.board.column(tile)
        return column.level + self.limits.height(column.feature)


def painted(tiles: Iterable[Tile], level: int) -> Change:
    """Return the change of columns to a level, with what stands on them.

    Args:
        tiles: Tiles of the columns.
        level: New level.
    """
    return lambda things: apply_delta(things, Paint((*tiles,), level).delta(things, Extent(0, 0)))


def without(*kinds: str, tiles: Iterable[Tile]) -> Change:
    """Return the change that takes elements of some kinds off some tiles.

    Args:
        *kinds: Kinds of elements, such as `ladder`.
        tiles: Tiles on which they stand.
    """
    at = {*tiles}
    return lambda things: frozenset(
        x for x in things if x.kind not in kinds or x.tiles[0] not in at
    )


def in_turn(*changes: Change) -> Change:
    """Return several changes as one, made in their order."""

    def change(things: Things) -> Things:
        for each in changes:
            things = each(things)
        return things

    return change


def replaced(gone: Thing, *new: Thing) -> Change:
    """Return the change of one element to others.

    Args:
        gone: Element that is taken away.
        *new: Elements that take its place.
    """
    return replaced_all([gone], new)


def replaced_all(gone: Iterable[Thing], new: Iterable[Thing]) -> Change:
    """Return the change of some elements to others.

    Args:
        gone: Elements that are taken away.
        new: Elements that take their place.
    """
    delta = Delta(frozenset(gone), frozenset(new))
    return lambda things: apply_delta(things, delta)


def names(tiles: Iterable[object]) -> str:
    """Return `D4`, `D4 and D6`, or `D4, D5 and D6`."""
    return " and ".join(filter(None, ", ".join(map(str, tiles)).rsplit(", ", 1)))
