"""Unit cards as data: the rulebook's, those of a user's TOML table, and pushes such as `B2`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Literal

from falldamage_forge.board import Tile
from falldamage_forge.games.fall_damage.engine import codes as C
from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.infra.toml_loader import read_table
from falldamage_forge.issues import ForgeError, Issue

Direction = Literal["B", "R", "L", "F"]


@dataclass(frozen=True, slots=True)
class PushTarget:
    """Properties of a pushed unit.

    Attributes:
        no_fall: True if it takes no fall damage (Wrestler).
        no_push: True if it cannot be pushed (Shield Bearer).
        no_lava: True if lava does not harm it (Discorporate).
    """

    no_fall: bool = False
    no_push: bool = False
    no_lava: bool = False


ANYBODY = PushTarget()
"""A unit without special properties."""


@dataclass(frozen=True, slots=True)
class Push:
    """A push as printed on a card: `B2`.

    Attributes:
        direction: Back, right, left or forward (swap).
        tiles: Length in tiles.
        extra: Additional damage of each fall (mages).
    """

    direction: Direction
    tiles: int
    extra: int = 0

    @classmethod
    def parse(cls, text: str, *, extra: int = 0) -> Push:
        """Parse `B2`, `L1` or `F1`; a bare number is a push back.

        Args:
            text: The push as on a card.
            extra: Damage that a mage adds to a fall.

        Raises:
            ValueError: If the text is not a push.
        """
        letter, digits = (text[:1], text[1:]) if text[:1].isalpha() else ("B", text)
        letter = letter.upper()
        number = digits.isascii() and digits.isdigit() and len(digits) <= 2
        if letter not in "BRLF" or not number:
            raise ValueError(f"`{text}` is not a push; write B, R, L or F and a count, such as B2")
        return cls(letter, int(digits), extra)  # type: ignore[arg-type]


_NAME = re.compile(r"M([0-9]{1,2}) J([0-9]{1,2}|any)")
_SPECIAL = {
    "levels count": "vertical_counts",
    "no fall damage": "no_fall",
    "passes enemies": "pass_enemies",
}


@dataclass(frozen=True, slots=True)
class MovementProfile:
    """How a unit moves.

    Attributes:
        move: Move in tiles.
        jump: Jump in levels, at most `UNLIMITED`.
        vertical_counts: True if levels cost Move (Beast).
        no_fall: True if it takes no fall damage (Wrestler).
        pass_enemies: True if it passes enemies.
        health: Bound of voluntary damage under the option `lethal_step` = `no`; None for no bound.
        slow: Tiles that cost 2 (Quicksand).
        ghost: True if it passes through terrain (Discorporate).
    """

    move: int
    jump: int
    vertical_counts: bool = False
    no_fall: bool = False
    pass_enemies: bool = False
    health: int | None = None
    slow: frozenset[Tile] = frozenset()
    ghost: bool = False

    def __post_init__(self) -> None:
        for name, least in (("move", 0), ("jump", 0), ("health", 1)):
            value = getattr(self, name)
            if value is not None and value < least:
                raise ValueError(f"`{name}` is at least {least}")

    @property
    def name(self) -> str:
        """`M3 J1` with the special properties, without health."""
        jump = "any" if self.jump >= UNLIMITED else str(self.jump)
        special = "".join(f", {words}" for words, key in _SPECIAL.items() if getattr(self, key))
        return f"M{self.move} J{jump}{special}"

    @classmethod
    def parse(cls, text: str) -> MovementProfile | None:
        """Parse a name such as `M3 J1` or `M2 Jany, levels count`; None for others."""
        head, *special = text.split(", ")
        match = _NAME.fullmatch(head)
        if match is None or not all(words in _SPECIAL for words in special):
            return None
        jump = UNLIMITED if match[2] == "any" else int(match[2])
        return replace(
            cls(int(match[1]), jump),
            **{_SPECIAL[words]: True for words in special},  # type: ignore[arg-type]
        )


UNLIMITED = C.UNLIMITED
UnitClass = Literal["fighter", "ranger", "caster", "specialist", "summoned"]


@dataclass(frozen=True, slots=True)
class Ability:
    """One ability of a card.

    Attributes:
        name: Name on the card.
        text: Effect in our words.
        move_bonus: Tiles added to a Move when `when` applies.
        attack_bonus: Damage added to an Attack when `when` applies.
        when: Condition of the bonuses.
        action: True if it takes the Action.
        tip: True for advice that is not a rule.
        hidden: True if it places a hidden item.
        blast: Radius in tiles of its damage; 0 for none.
    """

    name: str
    text: str
    move_bonus: int = 0
    attack_bonus: int = 0
    when: Literal["", "first_in_round", "friends_in_reach", "adjacent_enemies", "unmoved"] = ""
    action: bool = False
    tip: bool = False
    hidden: bool = False
    blast: int = 0


@dataclass(frozen=True, slots=True)
class UnitCard:
    """One unit card.

    Attributes:
        move: Move in tiles.
        reach: Reach in tiles.
        jump: Jump in levels; `UNLIMITED` for an unlimited vertical move.
        push: Direction (B, R, L, F) and length in tiles, or empty.
        needs_sight: False for cards with the "no LOS" sign.
        mage: True if falls caused by its spells have 2 more damage.
        vertical_counts: True if levels cost Move (Beast).
        no_fall: True if it takes no fall damage.
        no_push: True if it cannot be pushed.
        pass_enemies: True if it passes enemies.
        reach_varies: True if each of its abilities has a reach of its own.
        copies: Cards of this unit in the box.
    """

    name: str
    title: str
    unit_class: UnitClass
    move: int
    health: int
    attack: int
    reach: int
    jump: int = UNLIMITED
    push: str = ""
    needs_sight: bool = True
    mage: bool = False
    vertical_counts: bool = False
    no_fall: bool = False
    no_push: bool = False
    pass_enemies: bool = False
    reach_varies: bool = False
    copies: int = 1
    abilities: tuple[Ability, ...] = ()

    def __post_init__(self) -> None:
        if self.push and (self.push[0] not in "BRLF" or not self.push[1:].isdigit()):
            raise ValueError(f"`push` is a letter of B, R, L, F and a count, found {self.push!r}")
        for name, least in (("move", 0), ("jump", 0), ("health", 1), ("attack", 0), ("reach", 0)):
            if getattr(self, name) < least:
                raise ValueError(f"`{name}` is at least {least}")

    @property
    def is_handed(self) -> bool:
        """True if a mirror changes what the card does."""
        return self.push[:1] in SIDEWAYS

    @property
    def profile(self) -> MovementProfile:
        """The unit's movement profile."""
        return MovementProfile(
            self.move,
            self.jump,
            self.vertical_counts,
            self.no_fall,
            self.pass_enemies,
            self.health,
        )


SIDEWAYS = ("L", "R")
"""Directions of a Push that a mirror exchanges."""


def units_from_tables(tables: Mapping[str, Mapping[str, Any]], where: str) -> dict[str, UnitCard]:
    """Return the units of TOML tables by name.

    Args:
        tables: Table of each file, by the file's name without suffix.
        where: Folder, for messages.

    Raises:
        ForgeError (FDF291): If a table is malformed or a name is used twice; all issues are
            reported.
    """
    units: dict[str, UnitCard] = {}
    faults: list[Issue] = []
    for file, table in sorted(tables.items()):
        for name, entry in table.items():
            place = f"{where}/{file}.toml: {name}"
            try:
                if not isinstance(entry, Mapping):
                    raise ForgeError([Issue("FDF291", "error", f"{place}: expected a table")])
                unit = read_table(UnitCard, {"name": name, **entry}, place)
            except ForgeError as error:
                faults += error.issues
                continue
            if units.setdefault(name, unit) is not unit:
                faults.append(Issue("FDF291", "error", f"{place}: there are two units `{name}`"))
    if faults:
        raise ForgeError(faults)
    return units
