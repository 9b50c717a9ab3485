"""Units as data: the cards of the rulebook, and any that a table of TOML adds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal

from falldamage_forge.games.fall_damage.moves import UNLIMITED, Profile
from falldamage_forge.issues import ForgeError, Issue
from falldamage_forge.tables import read_table
from falldamage_forge.values import dataclass

if TYPE_CHECKING:
    from falldamage_forge.games.fall_damage.engine.modifiers import Modifiers

UnitClass = Literal["fighter", "ranger", "caster", "specialist", "summoned"]


@dataclass(frozen=True, slots=True)
class Ability:
    """One ability of a card: its name, what it does in our words, and numbers the rules use.

    A `tip` helps to understand the card and is no rule. `hidden` abilities put a hidden item on the
    table. `blast` is the radius in which one hurts, 0 for those that hurt nobody by themselves.
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
class Unit:
    """One card. `push` is a direction (B, R, L, F) and a count, or empty; `reach` in tiles.

    `needs_sight` is False for cards with the "no LOS" sign. `mage` adds 2 to the damage of every
    fall that the unit's spells cause. `jump` of `UNLIMITED` is an unlimited vertical move.
    `reach_varies` is for cards whose abilities each have a reach of their own.
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
    def profile(self) -> Profile:
        """How the unit moves."""
        return Profile(
            self.move,
            self.jump,
            self.vertical_counts,
            self.no_fall,
            self.pass_enemies,
            self.health,
        )


@dataclass(frozen=True, slots=True)
class Fielded:
    """A card as it is fielded: under effects such as a Song, boots or Quicksand."""

    unit: Unit
    effects: Modifiers


def units_from_tables(tables: Mapping[str, Mapping[str, Any]], where: str) -> dict[str, Unit]:
    """Units by name from tables of tables; ForgeError names every fault, doubled names too."""
    units: dict[str, Unit] = {}
    faults: list[Issue] = []
    for file, table in sorted(tables.items()):
        for name, entry in table.items():
            place = f"{where}/{file}.toml: {name}"
            try:
                if not isinstance(entry, Mapping):
                    raise ForgeError([Issue("FDF291", "error", f"{place}: expected a table")])
                unit = read_table(Unit, {"name": name, **entry}, place)
            except ForgeError as error:
                faults += error.issues
                continue
            if units.setdefault(name, unit) is not unit:
                faults.append(Issue("FDF291", "error", f"{place}: there are two units `{name}`"))
    if faults:
        raise ForgeError(faults)
    return units
