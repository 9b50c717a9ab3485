"""What `reach` tells is what may be moved: at moments of random games the ends of one turn, with
damage and cost, are those of the game's Move, and a unit's Move in words is the game's.

Every reading of walking and of Move is drawn, and marks that games seldom give: Quicksand,
Crampons, Discorporate. FORGE_EXHAUSTIVE=1 asks at 4,000 moments.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import fields, replace
from typing import get_args, get_type_hints

import pytest

from falldamage_forge.games.fall_damage.engine import codes as C
from falldamage_forge.games.fall_damage.engine.modifiers import EffectiveUnit, Modifiers
from falldamage_forge.games.fall_damage.engine.unit_stats import (
    halve_if_carrying,
    has_ability,
    is_first,
)
from falldamage_forge.games.fall_damage.options import FallDamageOptions
from falldamage_forge.games.fall_damage.play import State, legal_moves
from falldamage_forge.games.fall_damage.play.legal_apply import apply_move_in_place
from falldamage_forge.games.fall_damage.play.split_mix import SplitMix64
from falldamage_forge.games.fall_damage.play.state_value import EffectZone
from falldamage_forge.games.fall_damage.play.surface_number import spot_of, surface_of, tile_of
from falldamage_forge.games.fall_damage.ruleset import FallDamage
from falldamage_forge.presets import load_rules
from falldamage_forge.rules.position import Position
from falldamage_forge.rules.unit_on_board import BoardUnit
from tests.amount import EXHAUSTIVE
from tests.games.play.columns import in_simulator, move_ends
from tests.games.play.goldens import teams_of
from tests.games.play.tables import ctx, new_game
from tests.games.play.test_asked import UNITS, boards, changes_of

MOMENTS = 4_000 if EXHAUSTIVE else 100
GROUPS = 4
WALKING = (
    "jump_scope", "voluntary_fall", "fall_allowance", "lethal_step", "leap_vertical", "gap",
    "leap_over", "leap_pass", "water_cost", "bridge_cost", "ladder_cost", "beast_down",
    "occupancy", "treasure_trigger", "move_split", "carry_round", "stack", "poison_stack",
)  # fmt: skip
HINTS = get_type_hints(FallDamageOptions)
READINGS = [
    (item.name, value)
    for item in fields(FallDamageOptions)
    if item.name in WALKING
    for value in get_args(HINTS[item.name])[1:]
] + [("headroom", 1), ("headroom", 3), ("tree_height", 1), ("spire_height", 3)]


def moments(seed: int) -> Iterator[tuple[State, dict[str, str | int]]]:
    """States of a random game in which the active unit may move, and the readings drawn."""
    dice = SplitMix64(seed)
    options = dict(dice.shuffled(READINGS)[:4])
    table = ctx(
        boards()[seed % 2],
        {**options, "auto_end": "no", "round_limit": 5, "placement": "listed"},
    )  # fmt: skip
    state = new_game(table, teams_of(seed))
    while not state.over:
        moves = legal_moves(state)
        walks = [move for move in moves if move.kind == "move"]
        if walks and state.phase == "activation" and not state.pending and dice.below(3) == 0:
            yield marked(state.copy(), dice), options
        state = state.copy()
        apply_move_in_place(state, dice.choice(moves))


def marked(state: State, dice: SplitMix64) -> State:
    """At some moments Quicksand lies about, and the active unit has Crampons or is a ghost."""
    unit = state.units[state.active]
    unit.jump_plus += dice.below(3) == 0
    unit.discorporate = dice.below(5) == 0
    if dice.below(2):
        tiles = [tile for tile in state.land.tiles() if dice.below(4) == 0]
        state.zones = (*state.zones, EffectZone("quicksand", frozenset(tiles)))
    state.legal = None
    return state


class Walker:
    """The active unit of a moment, and the same in words."""

    def __init__(self, state: State, options: dict[str, str | int]) -> None:
        self.state, self.unit = state, state.units[state.active]
        game = load_rules("fall-damage").with_options((k, v, None) for k, v in options.items())
        assert isinstance(game, FallDamage)
        self.game, board = game, state.ctx.board
        words = tuple(changes_of(state))
        self.position = Position(game.what_if(board, words).board if words else board, game)
        sand = {tile for zone in state.zones if zone.kind == "quicksand" for tile in zone.tiles}
        self.effects = Modifiers(
            bard=self.unit.song_now, poison=self.unit.mist_rounds, vines=self.unit.vines,
            crampons=self.unit.jump_plus, adrenal=-self.unit.move_plus, carry=self.unit.carries,
            discorporate=self.unit.discorporate, quicksand=frozenset(map(tile_of, sand)),
        )  # fmt: skip
        heads = self.unit.move_now >= C.UNLIMITED or self.unit.move_now > 3
        card = UNITS.get(self.unit.card) or UNITS["beast-heads" if heads else "beast-tails"]
        self.fielded = EffectiveUnit(replace(card, health=self.unit.health), self.effects)

    def others(self, *, friends: bool, cards: bool = False) -> list[str]:
        """The others of its side, or of the other side, as places; with cards where these tell."""
        told = {"beast": "beast-heads"}
        return [
            f"{told.get(other.card, other.card)}={surface_of(other.spot)}"
            if cards and not other.song_off
            else str(surface_of(other.spot))
            for n, other in enumerate(self.state.units)
            if other.alive and n != self.state.active and (other.side == self.unit.side) == friends
        ]

    def asked(self) -> dict[int, tuple[int, int]]:
        """Where `reach` says that one turn leads, with the least damage and its cost."""
        profile = replace(self.game.profile(self.fielded), move=self.budget)
        found = BoardUnit(self.position, "walker", profile).reach(
            str(surface_of(self.unit.spot)),
            enemies=self.others(friends=False), friends=self.others(friends=True),
        )  # fmt: skip
        return {
            spot_of(row.surface): min((way.harm, int(way.cost)) for way in row.now)
            for row in found.surfaces
            if row.now and row.surface != surface_of(self.unit.spot)
        }

    def move(self) -> int:
        """The Move that its words give it among the cards around it."""
        s = in_simulator(self.state).columns
        among = self.position.others(
            self.others(friends=False, cards=True), self.others(friends=True, cards=True)
        )
        first = has_ability(s, self.state.active, C.VANGUARD) and is_first(s, self.state.active)
        told = replace(self.effects, bard=False, knight_first=first)
        start = surface_of(self.unit.spot)
        unit = self.game.with_neighbours(
            self.position, replace(self.fielded, effects=told), start, among
        )
        return self.game.profile(unit).move

    @property
    def budget(self) -> int:
        """The Move that the game leaves it now."""
        s = in_simulator(self.state).columns
        return halve_if_carrying(s, self.state.active, s.move_now[self.state.active])

    @property
    def is_fresh(self) -> bool:
        """Whether its Move is as its activation began; a Beast's is tossed for."""
        return not (self.unit.moved or self.unit.acted or self.unit.card == "beast")

    def played(self) -> dict[int, tuple[int, int]]:
        """Where the game lets it move, dives on to enemies left out."""
        ends = move_ends(self.state, self.state.active, self.budget)
        walks = {move.spots[0] for move in legal_moves(self.state) if move.kind == "move"}
        assert walks == set(ends)
        held = {unit.spot for unit in self.state.units if unit.alive}
        return {spot: best for spot, best in ends.items() if spot not in held}


@pytest.mark.parametrize("group", range(GROUPS))
def test_reach_lists_the_ends_of_the_games_moves(group: int) -> None:
    seen: Counter[str] = Counter()
    seed = group
    while seen["moments"] < MOMENTS // GROUPS:
        for state, options in moments(seed):
            walker = Walker(state, options)
            where = f"seed {seed}, {options}, {walker.fielded}, {changes_of(state)}"
            assert walker.asked() == walker.played(), where
            if walker.is_fresh:
                assert walker.move() == walker.budget, where
                seen["fresh"] += 1
            seen["moments"] += 1
            seen["ghosts"] += walker.unit.discorporate
            seen["sand"] += bool(walker.effects.quicksand)
        seed += GROUPS
    assert seen["ghosts"] and seen["sand"] and seen["fresh"]
