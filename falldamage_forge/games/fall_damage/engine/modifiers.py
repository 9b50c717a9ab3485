"""What cards, auras and treasure change in a unit's numbers, and in which order.

Sources: the unit cards, "Treasure" and "Alternate Win Conditions" of the rulebook.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from falldamage_forge.board import Tile
from falldamage_forge.board.surfaces import Surface
from falldamage_forge.games.fall_damage.attack import area, height_bonus, square
from falldamage_forge.games.fall_damage.moves import Profile
from falldamage_forge.games.fall_damage.options import Options
from falldamage_forge.games.fall_damage.push_words import Victim
from falldamage_forge.games.fall_damage.units import Unit
from falldamage_forge.issues import did_you_mean

WEAPON, BOOTS, STONE, QUICKSAND_RADIUS = 3, 2, 2, 2
"""Sources: "+3 Attack", "+ 2 Move", "+2 Push", "in AOE 2"."""


@dataclass(frozen=True, slots=True)
class Modifiers:
    """All that changes a unit for one activation. Numbers count how often it has something.

    `intimidated` counts Shield Bearers next to it; `poison` the round starts suffered in a mist;
    `adrenal` the Adrenal Depletions taken; `carry` is the Royal Icon or Bomb; `unmoved` a turn
    without a Move; `attack_plus` what sacrifices and contracts add. `quicksand` and `rope` are the
    tiles of those zones, a rope's only if it is of the unit's own side.
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


NONE = Modifiers()


def _several(count: int, stacks: str) -> int:
    return count if stacks == "yes" else min(count, 1)


def whole_move(move: int, modifiers: Modifiers, options: Options) -> int:
    """Move after all that adds and takes, at least 0; what a carrier has is half of it."""
    if modifiers.vines:
        return 0
    added = modifiers.knight_first + modifiers.bard + BOOTS * modifiers.boots
    taken = (
        _several(modifiers.intimidated, options.stack)
        + _several(modifiers.poison, options.poison_stack)
        + modifiers.adrenal
    )
    return max(move + added - taken, 0)


def halved(move: int, options: Options) -> int:
    """ "Move speed halved": "If measurement is necessary, always round down" (`carry_round`)."""
    return (move + 1) // 2 if options.carry_round == "up" else move // 2


def effective_move(move: int, modifiers: Modifiers, options: Options) -> int:
    """Move in this order: the sum of all, no less than 0, then half for who carries."""
    total = whole_move(move, modifiers, options)
    return halved(total, options) if modifiers.carry else total


def attack_number(unit: Unit, modifiers: Modifiers, options: Options) -> int:
    """Attack after all that adds and takes, before height; it may be below 0 until then."""
    rooted = sum(
        a.attack_bonus for a in unit.abilities if a.when == "unmoved" and modifiers.unmoved
    )
    drum = modifiers.drum and unit_reach(unit, modifiers) == 1
    return (
        unit.attack
        + WEAPON * modifiers.weapon
        + modifiers.attack_plus
        + modifiers.bard
        + rooted
        + drum
        - modifiers.promo
        - _several(modifiers.poison, options.poison_stack)
    )


def attack_damage(
    unit: Unit,
    modifiers: Modifiers,
    attacker: Surface,
    target: Surface,
    options: Options,
    *,
    reversal: bool = False,
) -> int:
    """What a plain Attack takes: the sum and the number for height, no less than 0 at the end.

    Under a Geomagnetic Reversal "any upward melee and ranged Attacks get +1 damage. Downward -1".
    """
    radius = unit_reach(unit, modifiers)
    height = height_bonus(attacker, target, radius, options)
    if reversal:
        height = (target.level > attacker.level) - (target.level < attacker.level)
    return max(attack_number(unit, modifiers, options) + height, 0)


def unit_reach(unit: Unit, modifiers: Modifiers) -> int:
    """ "+1 Reach" for who has one."""
    return unit.reach + modifiers.ethereal if unit.reach else 0


def unit_under(unit: Unit, modifiers: Modifiers, options: Options) -> Unit:
    """The unit's card as it counts in this activation."""
    push = unit.push
    if push and push[0] != "F":
        push = f"{push[0]}{int(push[1:]) + STONE * modifiers.stone}"
    return replace(
        unit,
        move=effective_move(unit.move, modifiers, options),
        jump=unit.jump + modifiers.crampons,
        attack=max(attack_number(unit, modifiers, options), 0),
        reach=unit_reach(unit, modifiers),
        push=push,
        needs_sight=unit.needs_sight and not modifiers.projector,
        no_push=unit.no_push or modifiers.lead_shoes,
        pass_enemies=unit.pass_enemies or modifiers.discorporate,
    )


def profile_under(unit: Unit, modifiers: Modifiers, options: Options) -> Profile:
    """How the unit moves in this activation."""
    return unit_under(unit, modifiers, options).profile


def victim_under(unit: Unit, modifiers: Modifiers, at: Surface) -> Victim:
    """What of the unit matters when it is pushed from where it stands."""
    return Victim(
        no_fall=unit.no_fall,
        no_push=unit.no_push or modifiers.lead_shoes or at.tile in modifiers.rope,
        no_lava=modifiers.discorporate,
    )


# -- by name -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Effect:
    """One modifier by name: what it does in words, and how. `takes` is what follows `=`."""

    says: str
    apply: Callable[[Modifiers, str, Options], Modifiers]
    takes: str = ""


def _flag(name: str) -> Callable[[Modifiers, str, Options], Modifiers]:
    change: dict[str, Any] = {name: True}
    return lambda modifiers, _, __: replace(modifiers, **change)


def _count(name: str) -> Callable[[Modifiers, str, Options], Modifiers]:
    def apply(modifiers: Modifiers, text: str, _: Options) -> Modifiers:
        if text and not (text.isascii() and text.isdigit() and len(text) <= 2):
            raise ValueError(f"`{text}` is not a count")
        return replace(modifiers, **{name: getattr(modifiers, name) + int(text or 1)})

    return apply


def _quicksand(modifiers: Modifiers, text: str, options: Options) -> Modifiers:
    return replace(
        modifiers, quicksand=modifiers.quicksand | quicksand_zone(Tile.parse(text), options)
    )


def _rope(modifiers: Modifiers, text: str, _: Options) -> Modifiers:
    return replace(modifiers, rope=modifiers.rope | rope_zone(Tile.parse(text)))


def quicksand_zone(tile: Tile, options: Options) -> frozenset[Tile]:
    """Quicksand Urn: "Move costs 2 in AOE 2"; tiles may lie off the board."""
    return area(tile, QUICKSAND_RADIUS, options)


def rope_zone(tile: Tile) -> frozenset[Tile]:
    """Climbing Rope: "AOE 3x3 around tile"."""
    return frozenset(Tile(tile.row + row, tile.col + col) for row, col in square(1)) | {tile}


EFFECTS: Mapping[str, Effect] = {
    "vanguard": Effect("the first of its round to be activated: Move + 1", _flag("knight_first")),
    "song": Effect("a Bard's Song: Move + 1, Attack + 1", _flag("bard")),
    "intimidate": Effect("a Shield Bearer next to it: Move - 1", _count("intimidated"), "count"),
    "mist": Effect(
        "round starts in a Poison Mist: Move - 1, Attack - 1", _count("poison"), "count"
    ),
    "vines": Effect("caught in Vines: no Move", _flag("vines")),
    "boots": Effect("Thief's Boots: Move + 2", _count("boots"), "count"),
    "crampons": Effect("Exotic Crampons: Jump + 1", _count("crampons"), "count"),
    "adrenal": Effect("after an Adrenal Depletion: Move - 1", _count("adrenal"), "count"),
    "carry": Effect("carries the Royal Icon or the Bomb: half the Move", _flag("carry")),
    "quicksand": Effect("tiles of a Quicksand Urn cost 2", _quicksand, "tile"),
    "discorporate": Effect("through trees, terrain and enemies", _flag("discorporate")),
    "rope": Effect("a Climbing Rope of its side: no push in 3x3", _rope, "tile"),
    "lead-shoes": Effect("Lead Shoes: no push", _flag("lead_shoes")),
    "unmoved": Effect("does not move in this turn: Rooted", _flag("unmoved")),
    "promo": Effect("a Wrestler's Promo: Attack - 1", _flag("promo")),
    "drum": Effect("a War Drum of its side: melee Attack + 1", _flag("drum")),
    "weapon": Effect("Magic Weapon: Attack + 3", _count("weapon"), "count"),
    "ethereal": Effect("Ethereal Weapon: Reach + 1", _count("ethereal"), "count"),
    "stone": Effect("Moon Ore Sharpening Stone: Push + 2", _count("stone"), "count"),
    "projector": Effect("Astral Projector: no line of sight needed", _flag("projector")),
    "phase": Effect("Phase Sword: melee on diagonals", _flag("phase")),
}
"""Everything that can be said of a unit in a question: `song`, `boots=2`, `quicksand=E5`."""


def with_effects(texts: Iterable[str], options: Options, start: Modifiers = NONE) -> Modifiers:
    """Modifiers from words such as `song`, `boots=2`, `quicksand=E5`; ValueError for others."""
    modifiers = start
    for text in texts:
        name, _, value = text.partition("=")
        effect = EFFECTS.get(name.strip().replace("_", "-"))
        if effect is None:
            hint = did_you_mean(name, EFFECTS) or f"known: {', '.join(EFFECTS)}"
            raise ValueError(f"there is no effect `{name}`; {hint}")
        if (effect.takes == "tile") != bool(value) and effect.takes != "count":
            wanted = f"{name}=E5" if effect.takes == "tile" else name
            raise ValueError(f"write `{wanted}`, not `{text}`")
        modifiers = effect.apply(modifiers, value.strip(), options)
    return modifiers


def told(modifiers: Modifiers) -> dict[str, object]:
    """What differs from no modifiers at all, by name, for answers in JSON."""
    return {
        item.name: sorted(map(str, value)) if isinstance(value, frozenset) else value
        for item in fields(Modifiers)
        if (value := getattr(modifiers, item.name)) != getattr(NONE, item.name)
    }
