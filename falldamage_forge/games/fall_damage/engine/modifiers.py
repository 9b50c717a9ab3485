"""Modifiers of a unit by card, aura and treasure, as words such as `boots=2`.

Source: the unit cards, "Treasure" and "Alternate Win Conditions" of the rulebook.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields, replace
from typing import Any

from falldamage_forge.board import Tile
from falldamage_forge.board.surfaces import Surface
from falldamage_forge.games.fall_damage.attack_area import area, square
from falldamage_forge.games.fall_damage.options import FallDamageOptions
from falldamage_forge.games.fall_damage.play.game_data import GameData
from falldamage_forge.games.fall_damage.unit_cards import PushTarget, UnitCard
from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.issues import did_you_mean


@dataclass(frozen=True, slots=True)
class Modifiers:
    """Everything that changes a unit for one activation; an integer counts repetitions.

    Attributes:
        intimidated: Shield Bearers next to the unit.
        poison: Round starts that the unit has spent with a Poison Mist.
        adrenal: Adrenal Depletions taken.
        carry: True if it carries the Royal Icon or the Bomb.
        quicksand: Tiles of quicksand zones, on or off the board.
        rope: Tiles of its own side's rope zones.
        unmoved: True for a turn without a Move.
        attack_plus: Attack from sacrifices and contracts.
    """

    knight_first: bool = False
    bard: bool = False
    intimidated: int = 0
    poison: int = 0
    boots: int = 0
    adrenal: int = 0
    vines: bool = False
    carry: bool = False
    crampons: int = 0
    discorporate: bool = False
    quicksand: frozenset[Tile] = frozenset()
    lead_shoes: bool = False
    rope: frozenset[Tile] = frozenset()
    unmoved: bool = False
    promo: bool = False
    drum: bool = False
    weapon: int = 0
    attack_plus: int = 0
    ethereal: int = 0
    stone: int = 0
    projector: bool = False
    phase: bool = False


@dataclass(frozen=True, slots=True)
class EffectiveUnit:
    """A card with the modifiers that apply to it, such as a Song or boots."""

    unit: UnitCard
    effects: Modifiers


NONE = Modifiers()
SOURCES = {
    "boots": "thiefs-boots", "adrenal": "adrenal-depletion", "crampons": "exotic-crampons",
    "weapon": "magic-weapon", "ethereal": "ethereal-weapon", "stone": "sharpening-stone",
}  # fmt: skip
"""Treasure in `presets/play` that holds the amount of a modifier."""


def worth(modifiers: Modifiers, content: GameData, name: str) -> int:
    """Return a modifier's count times the number of its treasure.

    Args:
        modifiers: Counts of the treasure that a unit has.
        content: Treasure results with their amounts.
        name: Field of the modifiers, a key of `SOURCES`.
    """
    count: int = getattr(modifiers, name)
    return count * content.amount(SOURCES[name])


def victim_under(unit: UnitCard, modifiers: Modifiers, at: Surface) -> PushTarget:
    """Return the properties of a unit that matter when it is pushed from a surface.

    Args:
        unit: Unit card.
        modifiers: Modifiers of the unit.
        at: Surface on which it stands.
    """
    return PushTarget(
        no_fall=unit.no_fall,
        no_push=unit.no_push or modifiers.lead_shoes or at.tile in modifiers.rope,
        no_lava=modifiers.discorporate,
    )


# -- by name ---------------------------------------------------------------------------------------


Change = Callable[[Modifiers, str, FallDamageOptions, GameData], Modifiers]


@dataclass(frozen=True, slots=True)
class ModifierRule:
    """One modifier by name: its change of the others, and `takes`, the type of its value."""

    apply: Change
    takes: str = ""


def _flag(name: str) -> Change:
    change: dict[str, Any] = {name: True}
    return lambda modifiers, *_: replace(modifiers, **change)


def _count(name: str) -> Change:
    def apply(modifiers: Modifiers, text: str, *_: Any) -> Modifiers:
        if text and not (text.isascii() and text.isdigit() and len(text) <= 2):
            raise ValueError(f"`{text}` is not a count")
        return replace(modifiers, **{name: getattr(modifiers, name) + int(text or 1)})

    return apply


def _quicksand(
    modifiers: Modifiers, text: str, options: FallDamageOptions, content: GameData
) -> Modifiers:
    """Add a quicksand zone; its tiles may be off the board.

    Source: "Move costs 2 in AOE 2".
    """
    zone = area(Tile.parse(text), content.called("quicksand").radius, options)
    return replace(modifiers, quicksand=modifiers.quicksand | zone)


def _rope(modifiers: Modifiers, text: str, _: FallDamageOptions, content: GameData) -> Modifiers:
    """Add a rope zone.

    Source: "AOE 3x3 around tile".
    """
    tile, radius = Tile.parse(text), content.called("climbing-rope").radius
    zone = {Tile(tile.row + row, tile.col + col) for row, col in square(radius)} | {tile}
    return replace(modifiers, rope=modifiers.rope | zone)


EFFECTS: Mapping[str, ModifierRule] = {
    "vanguard": ModifierRule(_flag("knight_first")),
    "song": ModifierRule(_flag("bard")),
    "intimidate": ModifierRule(_count("intimidated"), "count"),
    "mist": ModifierRule(_count("poison"), "count"),
    "vines": ModifierRule(_flag("vines")),
    "boots": ModifierRule(_count("boots"), "count"),
    "crampons": ModifierRule(_count("crampons"), "count"),
    "adrenal": ModifierRule(_count("adrenal"), "count"),
    "carry": ModifierRule(_flag("carry")),
    "quicksand": ModifierRule(_quicksand, "tile"),
    "discorporate": ModifierRule(_flag("discorporate")),
    "rope": ModifierRule(_rope, "tile"),
    "lead-shoes": ModifierRule(_flag("lead_shoes")),
    "unmoved": ModifierRule(_flag("unmoved")),
    "promo": ModifierRule(_flag("promo")),
    "drum": ModifierRule(_flag("drum")),
    "weapon": ModifierRule(_count("weapon"), "count"),
    "ethereal": ModifierRule(_count("ethereal"), "count"),
    "stone": ModifierRule(_count("stone"), "count"),
    "projector": ModifierRule(_flag("projector")),
    "phase": ModifierRule(_flag("phase")),
}
"""Modifiers by the name that queries use: `song`, `boots=2`, `quicksand=E5`."""


def parse_modifiers(
    texts: Iterable[str], options: FallDamageOptions, content: GameData
) -> Modifiers:
    """Return the modifiers of words such as `song`, `boots=2`, `quicksand=E5`.

    Args:
        texts: The words.
        options: Options of the ruleset, which give the shape of zones.
        content: Game data, which gives their radius.

    Raises:
        ValueError: If a name is unknown, or a value is missing or wrong.
    """
    modifiers = NONE
    for text in texts:
        name, _, value = text.partition("=")
        effect = EFFECTS.get(name.strip().replace("_", "-"))
        if effect is None:
            hint = did_you_mean(name, EFFECTS) or f"known: {', '.join(EFFECTS)}"
            raise ValueError(f"there is no effect `{name}`; {hint}")
        if (effect.takes == "tile") != bool(value) and effect.takes != "count":
            wanted = f"{name}=E5" if effect.takes == "tile" else name
            raise ValueError(f"write `{wanted}`, not `{text}`")
        modifiers = effect.apply(modifiers, value.strip(), options, content)
    return modifiers


def modifiers_json(modifiers: Modifiers) -> dict[str, object]:
    """Return the modifiers that differ from the default, by name, for JSON."""
    return {
        item.name: sorted(map(str, value)) if isinstance(value, frozenset) else value
        for item in fields(Modifiers)
        if (value := getattr(modifiers, item.name)) != getattr(NONE, item.name)
    }
