"""Game data: cards, abilities, treasure table and other numbers of the rulebook."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any, Literal

from falldamage_forge.games.fall_damage.unit_cards import SIDEWAYS, UNLIMITED, Push
from falldamage_forge.games.fall_damage.unit_cards import UnitCard as UnitTable
from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.infra.toml_loader import read_table, slug

BEAST = "beast"
SKELETON = "skeleton"
CLASSES = ("fighter", "ranger", "caster", "specialist")
TREASURE, CATEGORIES = "play/treasure.toml", "categories"


@dataclass(frozen=True, slots=True)
class AbilityParameters:
    """Parameters of one ability; each ability reads its own.

    Attributes:
        uses: `action` if it takes the Action.
        pieces: Parts by piece that a unit with it needs on the table; `{side}` in a name stands for
            the sign of its side.
        reach: Reach in tiles; 0: the card's.
        amount: Damage, healing, levels or another amount.
        radius: Radius in tiles.
        tiles: Number of tiles.
        push: Push in tiles.
        heads: Move on heads (Beast).
        tails: Move on tails (Beast).
        rounds: Round starts that an effect lasts.
        becomes: Card that the unit becomes.
    """

    name: str
    uses: Literal["action", "nothing"]
    pieces: Mapping[str, int]
    reach: int = 0
    amount: int = 0
    radius: int = 0
    tiles: int = 0
    push: int = 0
    heads: int = 0
    tails: int = 0
    rounds: int = 0
    becomes: str = ""


@dataclass(frozen=True, slots=True)
class TreasureEffect:
    """One result of the treasure table.

    Attributes:
        roll: Roll such as `1-1`.
        pieces: Parts by piece that it puts on the table.
        effect: Name of the effect, such as `item`.
        amount: Amount of the effect.
        reach: Reach of an item in tiles.
        attack: Damage of an item.
        radius: Radius in tiles.
        own: Amount for the finder itself.
        most: Greatest result.
        slip: Text on the slip of an item that its owner hides; empty for others.
    """

    name: str
    roll: str
    title: str
    effect: str
    text: str
    pieces: Mapping[str, int]
    stat: str = ""
    flag: str = ""
    zone: str = ""
    who: str = ""
    push: str = ""
    amount: int = 0
    reach: int = 0
    attack: int = 0
    radius: int = 0
    own: int = 0
    most: int = 0
    slip: str = ""

    @property
    def dice(self) -> tuple[int, int]:
        """Category and number in it, as the two dice show them."""
        category, number = self.roll.split("-")
        return int(category), int(number)


@dataclass(frozen=True, slots=True)
class TreasureCategory:
    """A category of treasure; `note` is a rule for all its results."""

    title: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class Numbers:
    """Numbers of the rulebook that are on no card, ability or treasure."""

    turn_units: int
    class_cards: int
    tree_health: int
    bridge_health: int
    ladder_health: int


@dataclass(frozen=True, slots=True)
class CardForm:
    """A unit card as the engine reads it.

    Attributes:
        letter: Direction of its Push: B, R, L, F or empty.
        push: Length of its Push in tiles.
        own_reach: True if the card prints a Reach.
        abilities: Names of its abilities.
    """

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
    copies: int = 1

    @property
    def is_handed(self) -> bool:
        """True if a mirror changes what the card does."""
        return self.letter in SIDEWAYS


@dataclass(frozen=True)
class GameData:
    """Cards and abilities by name, treasure by roll in order, and numbers of the rulebook."""

    cards: Mapping[str, CardForm]
    abilities: Mapping[str, AbilityParameters]
    treasure: Mapping[str, TreasureEffect]
    categories: Mapping[int, TreasureCategory]
    numbers: Numbers

    def team_cards(self) -> tuple[str, ...]:
        """Return the cards that may be drafted, by class and name."""
        return self._team_cards

    @cached_property
    def _team_cards(self) -> tuple[str, ...]:
        playable = [card for card in self.cards.values() if card.unit_class in CLASSES]
        return tuple(
            card.name
            for card in sorted(playable, key=lambda c: (CLASSES.index(c.unit_class), c.name))
        )

    def called(self, name: str) -> TreasureEffect:
        """Return a treasure by name.

        Raises:
            StopIteration: If there is none.
        """
        return next(found for found in self.treasure.values() if found.name == name)

    def category_of(self, found: TreasureEffect) -> TreasureCategory:
        """Return the category of a result."""
        return self.categories[found.dice[0]]

    def amount(self, name: str) -> int:
        """Return the amount of an ability or a treasure."""
        return self.abilities[name].amount if name in self.abilities else self.called(name).amount


def game_data(
    units: Mapping[str, UnitTable],
    abilities: Mapping[str, Any],
    treasure: Mapping[str, Any],
    numbers: Mapping[str, Any],
) -> GameData:
    """Return game data from the units' cards and the tables of `presets/play`.

    Args:
        units: Unit cards by name.
        abilities: Table of abilities.
        treasure: Table of treasure.
        numbers: Table of other numbers.

    Raises:
        ForgeError: If a table is malformed.
    """
    known = {
        name: read_table(AbilityParameters, {"name": name, **entry}, f"play/abilities.toml: {name}")
        for name, entry in abilities.items()
    }
    results = [
        read_table(TreasureEffect, {"name": name, **entry}, f"{TREASURE}: {name}")
        for name, entry in treasure.items()
        if name != CATEGORIES
    ]
    categories = {
        int(number): read_table(TreasureCategory, entry, f"{TREASURE}: {CATEGORIES}.{number}")
        for number, entry in treasure.get(CATEGORIES, {}).items()
    }
    cards = {name: card_of(unit, known) for name, unit in units.items()}
    heads, tails = cards.pop(f"{BEAST}-heads", None), cards.pop(f"{BEAST}-tails", None)
    if heads and tails:
        cards[BEAST] = replace(heads, name=BEAST, title="Beast", move=UNLIMITED)
    by_roll = {result.roll: result for result in sorted(results, key=lambda found: found.dice)}
    rules = read_table(Numbers, numbers, "play/numbers.toml")
    return GameData(dict(sorted(cards.items())), known, by_roll, categories, rules)


def card_of(unit: UnitTable, known: Mapping[str, AbilityParameters]) -> CardForm:
    """Return a unit card as the engine reads it.

    Args:
        unit: Unit card of the ruleset.
        known: Abilities by name; others of the card are ignored.
    """
    push = Push.parse(unit.push) if unit.push else None
    names = [slug(ability.name) for ability in unit.abilities]
    if unit.name == "werewolf":
        names = []
    # Fall damage and mages are flags in a card's table, but abilities in the engine.
    names += [
        name
        for name, flag in (("no-fall", unit.no_fall), ("mage", unit.mage))
        if flag and name not in names
    ]
    abilities = tuple(name for name in names if name in known)
    own = [known[name].reach for name in abilities if known[name].uses == "action"]
    printed = not (own and all(own) and unit.attack == 0 and len(own) > 1)
    return CardForm(
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
        unit.copies,
    )
