"""Situations of the game drawn by a seed: who stands where, hurt, under what, and with what."""

from __future__ import annotations

import random
from collections.abc import Iterator

from falldamage_forge.games.fall_damage.engine.surface_index import apart
from falldamage_forge.games.fall_damage.play import State, legal_moves
from falldamage_forge.games.fall_damage.play.legal_apply import (
    advance_to_first_node,
    apply_move_in_place,
)
from falldamage_forge.games.fall_damage.play.move_value import Move
from falldamage_forge.games.fall_damage.play.state_value import (
    EffectZone,
    FallenUnit,
    HiddenItem,
    MatchContext,
    Unit,
)
from falldamage_forge.games.fall_damage.play.surface_number import NOWHERE
from tests.games.play.columns import surfaces
from tests.games.play.goldens import golden_board
from tests.games.play.tables import KIT, ctx, preset, small_board

Dice = random.Random
FLAGS = ("syringe", "vines", "song_off", "no_sight_needed", "diagonal", "lead_shoes", "thorns",
         "discorporate", "drum")  # fmt: skip
COUNTS = ("attack_plus", "reach_plus", "push_plus", "move_plus", "jump_plus", "mist", "blood")
BEARERS = {
    name: sorted(card.name for card in KIT.cards.values() if name in card.abilities)
    for name in KIT.abilities
}
ITEMS = tuple(table.name for table in KIT.treasure.values() if table.effect == "item")


def table_of(dice: Dice, readings: list[tuple[str, str]]) -> MatchContext:
    """A board, and the game under up to five readings."""
    board = dice.choice((golden_board, golden_board, small_board, lambda: preset("duel")))()
    options = dict(dice.sample([pair for pair in readings if pair[0] != "draft"], 5))
    if dice.random() < 0.3:
        options["win"] = dice.choice(("royal_icon", "bomb"))
    return ctx(board, {"round_limit": 8, **options})


def unit_of(dice: Dice, side: int, others: int) -> Unit:
    """A unit of any card, hurt or not, with some effects and items."""
    name = dice.choice((*KIT.cards, "samurai", "medic", "apothecary", "necromancer", "beast"))
    most = KIT.cards[name].health
    made = Unit(side, name, health=dice.choice((1, 2, most, most)), max_health=most)
    made.health = min(made.health, most)
    for flag in dice.sample(FLAGS, dice.choice((0, 0, 1, 2))):
        setattr(made, flag, True)
    for count in dice.sample(COUNTS, dice.choice((0, 0, 1, 2))):
        setattr(made, count, dice.randint(1, 2))
    if dice.random() < 0.2:
        ability = dice.choice([name for name in KIT.abilities if BEARERS[name]])
        made.extra_ability = (ability, dice.choice(BEARERS[ability]))
    made.items = tuple(sorted(dice.sample(ITEMS, dice.choice((0, 0, 1, 2)))))
    if dice.random() < 0.1:
        made.promo_by = (dice.randrange(others),)
    return made


def situation(dice: Dice, table: MatchContext) -> State:
    """Units of both sides close together in the middle of a game, and what lies about."""
    state = State(table, land=table.land, round=dice.randint(1, 3), phase="choose_unit")
    state.chests, state.to_act = table.chests, dice.randrange(2)
    spots = surfaces(state)
    middle = dice.choice(spots)
    close = sorted(spots, key=lambda spot: (apart(spot, middle), spot))[:18]
    near = dice.sample(close, min(10, len(close)))
    for number, spot in enumerate(near):
        state.units.append(unit_of(dice, number % 2, len(near)))
        state.place_unit(number, spot)
    for side in (0, 1):
        card = dice.choice(list(KIT.team_cards()))
        state.units.append(Unit(side, card, max_health=KIT.cards[card].health))
        state.bodies = (*state.bodies, FallenUnit(len(state.units) - 1, dice.choice(spots)))
    chosen = dice.sample(near, 2)
    state.hidden = tuple(
        HiddenItem(dice.randrange(2), kind, spot >> 4, -1, 0)
        for kind, spot in zip(("spring", "aid"), dice.sample(spots, 2), strict=True)
    )
    if dice.random() < 0.4:
        kind = dice.choice(("quicksand", "rope", "fountain", "fog"))
        tiles = frozenset(spot >> 4 for spot in dice.sample(spots, 9))
        state.zones = (EffectZone(kind, tiles, dice.randrange(2) if kind == "rope" else -1),)
    if dice.random() < 0.2:
        state.reversal_round = state.round
    if table.readings.win in ("royal_icon", "bomb"):
        if dice.random() < 0.5:
            state.units[state.occupied[chosen[0]]].carries = True
        else:
            state.prize = chosen[1]
    return advance_to_first_node(state)


def after(state: State, move: Move) -> State:
    """The state after a move, with what happened."""
    found = state.copy()
    found.log = []
    apply_move_in_place(found, move)
    return found


def one_of_each(dice: Dice, state: State, most: int) -> Iterator[Move]:
    """Moves of a state, one of each name before another, up to so many."""
    moves = list(legal_moves(state))
    dice.shuffle(moves)
    seen: dict[tuple[str, str], int] = {}
    ranked = []
    for move in moves:
        key = (move.kind, move.name)
        seen[key] = seen.get(key, 0) + 1
        ranked.append((seen[key], move))
    yield from (move for _, move in sorted(ranked, key=lambda pair: pair[0])[:most])


def standing(state: State) -> list[int]:
    """Units on the board."""
    return [number for number, unit in enumerate(state.units) if unit.spot != NOWHERE]
