"""What a game is played with, as data: cards, abilities and the treasure table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

from falldamage_forge.games.fall_damage.moves import UNLIMITED
from falldamage_forge.games.fall_damage.push_words import Push
from falldamage_forge.games.fall_damage.units import Unit as UnitTable
from falldamage_forge.tables import read_table, slug

BEAST = "beast"
SKELETON = "skeleton"
CLASSES = ("fighter", "ranger", "caster", "specialist")
PER_CLASS = 2
"""A team is two cards of each class."""


@dataclass(frozen=True, slots=True)
class AbilityTable:
    """One ability's numbers; which of them mean something is the ability's own affair."""

    name: str
    uses: Literal["action", "nothing"]
    reach: int = 0
    amount: int = 0
    radius: int = 0
    tiles: int = 0
    push: int = 0
    heads: int = 0
    tails: int = 0
    becomes: str = ""


@dataclass(frozen=True, slots=True)
class Treasure:
    """One result of the treasure table."""

    name: str
    roll: str
    title: str
    effect: str
    text: str
    stat: str = ""
    flag: str = ""
    zone: str = ""
    who: str = ""
    push: str = ""
    amount: int = 0
    reach: int = 0
    attack: int = 0
    radius: int = 0


@dataclass(frozen=True, slots=True)
class Card:
    """One form of a unit. `letter` and `push` are its Push; `own_reach` says Reach is printed."""

    name: str
    title: str
    unit_class: str
    move: int
    jump: int
    health: int
    attack: int
    reach: int
    letter: str = ""
    push: int = 0
    own_reach: bool = True
    abilities: tuple[str, ...] = ()


@dataclass(frozen=True)
class Kit:
    """Cards by name, abilities by name, treasure by roll (`1-1`)."""

    cards: Mapping[str, Card]
    abilities: Mapping[str, AbilityTable]
    treasure: Mapping[str, Treasure]

    def team_cards(self) -> tuple[str, ...]:
        """The cards one may draft, by class and name."""
        return self._team_cards

    @cached_property
    def _team_cards(self) -> tuple[str, ...]:
        playable = [card for card in self.cards.values() if card.unit_class in CLASSES]
        return tuple(
            card.name
            for card in sorted(playable, key=lambda c: (CLASSES.index(c.unit_class), c.name))
        )

    @cached_property
    def bearers(self) -> Mapping[str, frozenset[str]]:
        """The cards that have an ability, by the ability's name."""
        return {
            name: frozenset(card.name for card in self.cards.values() if name in card.abilities)
            for name in self.abilities
        }

    def called(self, name: str) -> Treasure:
        """A treasure by name."""
        return next(found for found in self.treasure.values() if found.name == name)


def kit_of(
    units: Mapping[str, UnitTable],
    abilities: Mapping[str, Any],
    treasure: Mapping[str, Any],
) -> Kit:
    """The kit of the units' cards and the two tables of play; ForgeError names every fault."""
    known = {
        name: read_table(AbilityTable, {"name": name, **entry}, f"play/abilities.toml: {name}")
        for name, entry in abilities.items()
    }
    results = [
        read_table(Treasure, {"name": name, **entry}, f"play/treasure.toml: {name}")
        for name, entry in treasure.items()
        if name != "categories"
    ]
    cards = {name: card_of(unit, known) for name, unit in units.items()}
    heads, tails = cards.pop(f"{BEAST}-heads", None), cards.pop(f"{BEAST}-tails", None)
    if heads and tails:
        cards[BEAST] = replace(heads, name=BEAST, title="Beast", move=UNLIMITED)
    return Kit(dict(sorted(cards.items())), known, {result.roll: result for result in results})


def card_of(unit: UnitTable, known: Mapping[str, AbilityTable]) -> Card:
    """A unit's card as play knows it."""
    push = Push.parse(unit.push) if unit.push else None
    names = [slug(ability.name) for ability in unit.abilities]
    if unit.name == "werewolf":
        names = []
    # What a card says of falls and mages stands in its table as a flag, not as an ability.
    names += [
        name
        for name, flag in (("no-fall", unit.no_fall), ("mage", unit.mage))
        if flag and name not in names
    ]
    abilities = tuple(name for name in names if name in known)
    own = [known[name].reach for name in abilities if known[name].uses == "action"]
    printed = not (own and all(own) and unit.attack == 0 and len(own) > 1)
    return Card(
        unit.name,
        unit.title,
        unit.unit_class,
        unit.move,
        unit.jump,
        unit.health,
        unit.attack,
        unit.reach,
        push.direction if push else "",
        push.tiles if push else 0,
        printed,
        abilities,
    )
