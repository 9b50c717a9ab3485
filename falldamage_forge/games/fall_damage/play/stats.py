"""A unit's values as they are now: card, what treasure and botched swaps changed, abilities."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from operator import attrgetter

from falldamage_forge.games.fall_damage.moves import UNLIMITED
from falldamage_forge.games.fall_damage.play.gait import Gait
from falldamage_forge.games.fall_damage.play.ground import Ground
from falldamage_forge.games.fall_damage.play.kit import AbilityTable, Card
from falldamage_forge.games.fall_damage.play.spots import NOWHERE, apart, around
from falldamage_forge.games.fall_damage.play.state import State, Unit

_READ: dict[str, Callable[[Card], int]] = {
    "M": attrgetter("move"), "J": attrgetter("jump"), "H": attrgetter("health"),
    "A": attrgetter("attack"), "R": attrgetter("reach"), "P": attrgetter("push"),
}  # fmt: skip


def ground_of(state: State) -> Ground:
    """What the land means right now."""
    return state.arena.ground(state.land)


def card_of(state: State, unit: Unit) -> Card:
    """The unit's card."""
    return state.arena.kit.cards[unit.card]


def printed(state: State, unit: Unit, stat: str) -> int:
    """A value as its card prints it now, a botched swap counted."""
    for name, value in unit.stats:
        if name == stat:
            return value
    return _READ[stat](state.arena.kit.cards[unit.card])


def has(state: State, unit: Unit, ability: str) -> bool:
    """Whether a unit has an ability, by its card or by the Mime's Gloves."""
    if unit.extra_ability is not None and unit.extra_ability[0] == ability:
        return True
    return ability in state.arena.kit.cards[unit.card].abilities


def lender(state: State, unit: Unit, ability: str) -> Card:
    """The card an ability comes from: its own, or the one the gloves copied it from."""
    own = card_of(state, unit)
    if ability not in own.abilities and unit.extra_ability is not None:
        return state.arena.kit.cards[unit.extra_ability[1]]
    return own


def table_of(state: State, ability: str) -> AbilityTable:
    """An ability's numbers."""
    return state.arena.kit.abilities[ability]


def reach_of(state: State, unit: Unit, ability: str = "") -> int:
    """Reach of an Attack, or of an ability: its own, or the card's with what treasure adds."""
    if ability:
        own = table_of(state, ability).reach
        if own:
            return own
        card = lender(state, unit, ability)
        base = printed(state, unit, "R") if card.name == unit.card else card.reach
    else:
        base = printed(state, unit, "R")
    return base + unit.reach_plus


def push_of(state: State, unit: Unit) -> tuple[str, int]:
    """Letter and tiles of its Push; no letter when it has none."""
    letter = card_of(state, unit).letter
    if not letter:
        return "", 0
    return letter, 1 if letter == "F" else printed(state, unit, "P") + unit.push_plus


def gait_of(state: State, unit: Unit) -> Gait:
    """How it walks."""
    jump = printed(state, unit, "J") + unit.jump_plus
    extra = unit.extra_ability[0] if unit.extra_ability else ""
    return _gait(card_of(state, unit).abilities, extra, jump, unit.discorporate)


@lru_cache(maxsize=5_000)
def _gait(abilities: tuple[str, ...], extra: str, jump: int, ghost: bool) -> Gait:
    known = {*abilities, extra}
    crawls = "crawl-or-fly" in known
    free = crawls or "grappling-hook" in known
    return Gait(UNLIMITED if free else min(jump, UNLIMITED), crawls, "no-fall" in known, ghost)


def is_mage(state: State, unit: Unit) -> bool:
    """Whether falls it causes hurt 2 more."""
    return has(state, unit, "mage")


def fixed(state: State, unit: Unit) -> bool:
    """Whether it cannot be pushed: Rooted, Lead Shoes, a friend's Climbing Rope."""
    if unit.lead_shoes or has(state, unit, "rooted"):
        return True
    return bool(state.zones) and unit.spot >> 4 in state.zone_tiles("rope", unit.side)


def melee_near(state: State, one: int, other: int, diagonal: bool = False) -> bool:
    """Melee reach between two surfaces; the Phase Sword's goes diagonally too."""
    if state.arena.reach(one, 1)[other]:
        return True
    if not diagonal or around(one, other) != 1 or apart(one, other) != 2:
        return False
    rise = (other & 15) - (one & 15)
    return rise <= 1 and (rise >= -1 or state.arena.rules.melee_down == "unlimited")


def beside(one: int, other: int, tiles: int = 1) -> bool:
    """Within some tiles (Manhattan) and one level up or down."""
    return apart(one, other) <= tiles and abs((one & 15) - (other & 15)) <= 1


def may_attack(state: State, unit: Unit) -> bool:
    """Who has a plain Attack at all: Attack above 0 or a Push, and a Reach that is printed."""
    card = card_of(state, unit)
    if not card.own_reach or "splash" in card.abilities:
        return False
    if state.arena.readings.zero_attack == "anyone":
        return True
    if printed(state, unit, "A") + unit.attack_plus > 0:
        return True
    return push_of(state, unit)[1] > 0


# -- what others do to it --------------------------------------------------------------------------


def sung_to(state: State, index: int) -> bool:
    """Whether a friend's Song reaches a unit now. Bards do not add, and none sings to itself."""
    unit, singers = state.units[index], state.arena.kit.bearers["song"]
    for bard in state.units:  # asked often: the rarest first
        if (
            (bard.card in singers or bard.extra_ability)
            and bard.side == unit.side
            and bard is not unit
            and bard.spot != NOWHERE
            and not bard.song_off
            and has(state, bard, "song")
            and in_area_reach(state, bard, unit.spot, reach_of(state, bard, "song"))
        ):
            return True
    return False


def in_area_reach(state: State, centre: Unit, spot: int, reach: int) -> bool:
    """Whether a spot lies in an area around a unit (Song, Promo): reach and height, no sight."""
    if not state.arena.reach(centre.spot, max(reach, 1))[spot]:
        return False
    if state.arena.readings.aura_los == "no":
        return True
    from falldamage_forge.games.fall_damage.play.targets import in_sight

    return in_sight(state, centre.spot, spot)


def intimidators(state: State, index: int) -> int:
    """Enemies next to a unit, diagonals counted, that intimidate it."""
    unit, bullies = state.units[index], state.arena.kit.bearers["intimidate"]
    any_level = state.arena.rules.intimidate_levels == "any"
    found = 0
    for foe in state.units:
        found += (
            (foe.card in bullies or bool(foe.extra_ability))
            and foe.side != unit.side
            and foe.spot != NOWHERE
            and around(foe.spot, unit.spot) == 1
            and (any_level or abs((foe.spot & 15) - (unit.spot & 15)) <= 1)
            and has(state, foe, "intimidate")
        )
    return found


def effective_move(
    state: State, index: int, coin: int | None = None, sung: bool | None = None
) -> int:
    """Move at the start of an activation: the sum, at least 0; Vines make it 0.

    `coin` is the Beast's Move as its coin fell; `sung` is `sung_to`, where it is known.
    """
    unit, rules = state.units[index], state.arena.rules
    if unit.vines:
        return 0
    base = printed(state, unit, "M") if coin is None else coin
    if base >= UNLIMITED:
        base = table_of(state, "ungovernable").tails
    if has(state, unit, "vanguard") and _is_first(state, unit):
        base += table_of(state, "vanguard").amount
    if sung_to(state, index) if sung is None else sung:
        base += table_of(state, "song").amount
    several = intimidators(state, index)
    if rules.stack == "no":
        several = min(several, 1)
    poison = unit.mist_rounds if rules.poison_stack == "yes" else min(unit.mist_rounds, 1)
    less = several * table_of(state, "intimidate").amount
    less += poison * table_of(state, "poison-mist").amount
    return max(base + unit.move_plus - less, 0)


def _is_first(state: State, unit: Unit) -> bool:
    if state.arena.readings.vanguard == "round":
        return state.activations_this_round == 0
    return not any(other.activated for other in state.units if other.side == unit.side)


def carried(state: State, unit: Unit, move: int) -> int:
    """Move as far as it goes with the Icon or the Bomb: half."""
    if not unit.carries:
        return move
    return (move + 1) // 2 if state.arena.rules.carry_round == "up" else move // 2


def attack_number(state: State, index: int, melee: bool, rooted: bool = False) -> int:
    """Attack with all that adds and takes but the height; the clamp at 0 comes after that."""
    unit, rules = state.units[index], state.arena.rules
    own = state.active == index and state.arena.readings.aura_when == "start"
    song = unit.song_now if own else sung_to(state, index)
    poison = unit.mist_rounds if rules.poison_stack == "yes" else min(unit.mist_rounds, 1)
    number = printed(state, unit, "A") + unit.attack_plus
    number -= poison * table_of(state, "poison-mist").amount
    number += table_of(state, "song").amount if song else 0
    number += table_of(state, "rooted").amount if rooted else 0
    number -= table_of(state, "promo").amount if unit.promo_by else 0
    if melee and _drummed(state, unit.side):
        number += state.arena.kit.called("war-drum").amount
    return number


def _drummed(state: State, side: int) -> bool:
    """Whether a living unit of a side carries the War Drum."""
    for friend in state.units:  # asked often: a generator is dear
        if friend.drum and friend.side == side and friend.spot != NOWHERE:
            return True
    return False


def height_number(state: State, attacker: int, target: int, melee: bool) -> int:
    """What the height of two surfaces adds to an Attack: the readings, or the Reversal."""
    rise = (target & 15) - (attacker & 15)
    if rise == 0:
        return 0
    if state.reversal_round == state.round:
        return 1 if rise > 0 else -1
    reading: str = state.arena.rules.height_bonus
    if melee or reading == "all":
        return -1 if rise > 0 else 1
    return -1 if reading == "literal" and rise > 0 else 0


def is_melee(state: State, unit: Unit, spot: int) -> bool:
    """Whether its Attack on a surface is melee."""
    reading = state.arena.readings.melee_is
    if reading == "adjacent":
        return melee_near(state, unit.spot, spot, unit.diagonal)
    if reading == "card_reach1":
        return printed(state, unit, "R") == 1
    return reach_of(state, unit) == 1
