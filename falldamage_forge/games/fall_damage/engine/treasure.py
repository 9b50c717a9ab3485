"""What chests hold, and what it does."""

from falldamage_forge.games.fall_damage.engine import codes as C
from falldamage_forge.games.fall_damage.engine.columns import State
from falldamage_forge.games.fall_damage.engine.effect_stack import owe
from falldamage_forge.games.fall_damage.engine.surface_index import nearer
from falldamage_forge.games.fall_damage.engine.unit_stats import (
    alive,
    has,
    jump_of,
    letter_of,
    may_attack,
    number,
    tiles_of,
)


def result_row(roll: int) -> int:
    """Where a result of the table is, `roll` being 11 to 66."""
    return (roll // 10 - 1) * 6 + roll % 10 - 1


def applicable(s: State, i: int, row: int) -> bool:
    """Whether a Hero's item is of use to a unit; everything else always is."""
    if s.result_effect[row] != C.GAIN_PLUS:
        return True
    what = s.result_what[row]
    if what == C.A:
        return may_attack(s, i) or has(s, i, C.SPLASH)
    if what == C.R:
        return uses_reach(s, i)
    if what == C.P:
        letter = letter_of(s, i)
        return letter != C.NO_LETTER and letter != C.FRONT and tiles_of(s, i) > 0
    if what == C.J:
        return jump_of(s, i) < C.UNLIMITED
    return True


def uses_reach(s: State, i: int) -> bool:
    """Who names its own reaches only has no use for more."""
    if not s.card_own_reach[s.card[i]]:
        return False
    if may_attack(s, i):
        return True
    mask = s.card_abilities[s.card[i]] & s.action_abilities
    if mask == 0:
        return True
    for ability in range(len(C.ABILITIES)):
        if mask >> ability & 1 and ability != C.POISON and number(s, ability, C.A_REACH) == 0:
            return True
    return False


def heir(s: State, i: int, row: int) -> int:
    """The nearest friend to whom an item is of use; -1: none."""
    found, own = -1, s.spot[i]
    for other in range(s.n_units):
        if s.spot[other] < 0 or other == i or s.side[other] != s.side[i]:
            continue
        if not applicable(s, other, row):
            continue
        if found < 0 or nearer(s.spot[other], s.spot[found], own):
            found = other
    return found


def gain(s: State, i: int, roll: int) -> None:
    """The result takes hold of the finder, or a Hero's item goes where it is of use."""
    row = result_row(roll)
    if not alive(s, i):
        return
    if applicable(s, i, row):
        take_effect(s, i, row)
    elif s.active == i and not s.acted[i] and heir(s, i, row) >= 0:
        owe(s, C.HAND_ON, i, roll)


def take_effect(s: State, i: int, row: int) -> None:
    """What a result does."""
    effect, what, amount = s.result_effect[row], s.result_what[row], s.result_amount[row]
    if effect == C.GAIN_ASK:
        owe(s, what, i, amount)
    elif effect == C.GAIN_PLUS:
        give_plus(s, i, what, amount)
    elif effect == C.GAIN_ELIXIR and not s.elixir:
        owe(s, C.ELIXIR, i)
    elif effect == C.GAIN_ITEM or effect == C.GAIN_ELIXIR:
        shift = 0
        while s.items[i] >> shift:
            shift += 4
        if shift > 56:
            s.lost = C.LOST
        s.items[i] |= (C.ELIXIR_ITEM if effect == C.GAIN_ELIXIR else what) << shift
    elif effect == C.GAIN_FLAG:
        give_flag(s, i, what)
    elif effect == C.GAIN_ZONE:
        owe(s, C.ZONE, i, what)
    elif effect == C.GAIN_REVERSAL:
        s.reversal_round = s.round + 1
    elif effect == C.GAIN_BLOOD:
        s.attack_plus[i] += amount
        s.blood[i] += 1
    elif effect == C.GAIN_WIND:
        pushed = s.side[i] if what else 1 - s.side[i]
        owe(s, C.WIND, 1 - pushed, pushed, amount)
    elif effect == C.GAIN_PUZZLE:
        owe(s, C.BOX, i, amount)
    else:
        adrenal(s, i, amount)


def give_plus(s: State, i: int, stat: int, amount: int) -> None:
    """A Hero's item adds to a value for good."""
    if stat == C.A:
        s.attack_plus[i] += amount
    elif stat == C.R:
        s.reach_plus[i] += amount
    elif stat == C.P:
        s.push_plus[i] += amount
    elif stat == C.M:
        s.move_plus[i] += amount
    else:
        s.jump_plus[i] += amount


def give_flag(s: State, i: int, flag: int) -> None:
    """A Hero's item that one has or has not."""
    if flag == C.DRUM:
        s.drum[i] = 1
    elif flag == C.NO_SIGHT:
        s.no_sight_needed[i] = 1
    elif flag == C.DIAGONAL:
        s.diagonal[i] = 1
    elif flag == C.LEAD:
        s.lead_shoes[i] = 1
    elif flag == C.THORNS:
        s.thorns[i] = 1
    else:
        s.discorporate[i] = 1


def adrenal(s: State, i: int, amount: int) -> None:
    """A free Move at once, then less for good."""
    owe(s, C.TIRE, i, amount)
    beast = s.card[i] == s.beast_card
    if s.vines[i]:
        s.vines[i] = 0
    elif has(s, i, C.UNGOVERNABLE) and (s.active != i or not beast):
        owe(s, C.FREE_COIN, i)
    else:
        owe(s, C.FREE_MOVE, i, C.NONE)


def blow_wind(s: State, side: int, way: int, tiles: int) -> None:
    """Everybody of a side is pushed, the farthest along the direction first."""
    shift = 10 if way == 0 or way == 2 else 4
    outward = way == 1 or way == 2
    # Owed from the nearest on, as the last owed is done first.
    for k in range(64):
        place = k if outward else 63 - k
        for i in range(s.n_units - 1, -1, -1):
            spot = s.spot[i]
            if spot >= 0 and s.side[i] == side and spot >> shift & 63 == place:
                level = 0 if s.wind_climb else C.NO_LEVEL
                owe(s, C.PUSH, i, way, tiles, level, 0, spot, C.NONE)
