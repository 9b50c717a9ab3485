"""Values of the bots: what an action is worth to them is what it does in the game."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator

import pytest

from falldamage_forge.board import Board
from falldamage_forge.games.fall_damage.engine import codes
from falldamage_forge.games.fall_damage.engine.simulator import simulator_of
from falldamage_forge.games.fall_damage.engine.surface_index import apart
from falldamage_forge.games.fall_damage.options import FallDamageOptions
from falldamage_forge.games.fall_damage.play import Move, PlayOptions, State, legal_moves
from falldamage_forge.games.fall_damage.play.conformance import board_of
from falldamage_forge.games.fall_damage.play.legal_apply import advance_to_first_node
from falldamage_forge.games.fall_damage.play.state_value import SIDES, Unit
from falldamage_forge.games.fall_damage.play.surface_number import NOWHERE, spot_at
from falldamage_forge.playtest.bot_kernels import distances, one_ply, threats
from falldamage_forge.playtest.bot_kernels.batch_runner import BatchRunner
from falldamage_forge.playtest.bot_kernels.bot_columns import Bots
from falldamage_forge.playtest.bot_kernels.one_ply import STYLES
from falldamage_forge.playtest.bot_kernels.playout import run_command
from falldamage_forge.playtest.bots import KILL, OnePlyBot, action_worth, material_difference
from falldamage_forge.playtest.game_series import GameSeries, context_of, setup_of
from falldamage_forge.playtest.text_board import card_lines, unit_lines
from falldamage_forge.presets import load_units
from tests.games.play.columns import surfaces
from tests.games.play.goldens import golden_board
from tests.games.play.situations import after
from tests.games.play.tables import KIT, ctx, preset, small_board

TABLES = (ctx(golden_board()), ctx(small_board()))
FRIENDLY_FIRE = 1.3
AIMED = ("attack", "cannon", "celestial-cannon")
AREAS = ("bomb", "splash", "grenade")


def duel(seed: int, side: int = 0, card: str = "") -> State:
    """Two units close together, in the Activation of the first one; cards are drawn, or given."""
    dice = random.Random(seed)
    table = TABLES[seed % 2]
    state = State(table, land=table.land, round=2, phase="choose_unit")
    state.to_act = side
    spots = surfaces(state)
    own = dice.choice(spots)
    others = (spot for spot in spots if spot >> 4 != own >> 4)
    near = dice.choice(sorted(others, key=lambda spot: (apart(spot, own), spot))[:10])
    for number, spot in enumerate((own, near)):
        name = dice.choice(list(KIT.team_cards()))
        name = card if card and not number else name
        most = KIT.cards[name].health
        health = dice.choice((1, 2, most, most))
        state.units.append(Unit((side, 1 - side)[number], name, health=health, max_health=most))
        state.place_unit(number, spot)
    state.units[0].items = tuple(sorted(dice.sample(("cannon", "celestial-cannon", "grenade"), 2)))
    state = advance_to_first_node(state)
    return after(state, next(move for move in legal_moves(state) if move.kind == "unit"))


def acts(state: State, names: tuple[str, ...]) -> Iterator[tuple[Move, State]]:
    """Actions on units, each with the state after it; those that ask more are left out."""
    for move in legal_moves(state):
        if move.kind == "act" and move.name in names and (move.units or move.name in AREAS):
            then = after(state, move)
            if not then.pending:
                yield move, then


def taken(before: State, then: State, index: int) -> float:
    """Health that a unit lost at once, beyond its last too, and a kill."""
    harm = sum(event[2] for event in then.log if event[0] == "harm" and event[1] == index)
    if then.units[index].alive:
        return harm
    return max(harm, before.units[index].health) + KILL


@pytest.mark.parametrize("card", ["", "splash-mage", "tinkerer", "force-mage"])
def test_worth_of_an_attack_is_the_health_that_it_takes(card: str) -> None:
    """A foe that strikes back makes it worth less; a friend hit makes it worth less still."""
    compared = kills = 0
    for seed in range(90):
        state = duel(seed, card=card)
        counters = "counter" in KIT.cards[state.units[1].card].abilities
        for move, then in acts(state, (*AIMED, *AREAS)):
            ends = {event[1]: event[3] for event in then.log if event[0] == "pushed"}
            others = [
                unit.spot for n, unit in enumerate(then.units) if unit.alive and n not in ends
            ]
            met = any(apart(end, spot) <= 1 for end in ends.values() for spot in others)
            close = apart(*(unit.spot for unit in state.units)) <= 1
            met = met or (move.name in AREAS and close)
            early = any(not unit.alive and n not in ends for n, unit in enumerate(then.units))
            if met or (move.name in AREAS and early) or (move.name in AIMED and counters):
                continue  # what a push meets, or whom it would have pushed, is not looked at
            wanted = taken(state, then, 1) - FRIENDLY_FIRE * taken(state, then, 0)
            assert action_worth(state, 0, move) == pytest.approx(wanted), (seed, str(move))
            compared, kills = compared + 1, kills + (not then.units[1].alive)
    assert compared > 15 and kills > 2, (compared, kills)


@pytest.mark.parametrize("seed", range(40))
def test_bots_value_both_sides_alike(seed: int) -> None:
    """With the sides' names exchanged every action and every plan is worth the same."""
    red, blue = duel(seed), duel(seed, 1)
    assert material_difference(red, 0) == -material_difference(red, 1)
    assert material_difference(red, 0) == material_difference(blue, 1)
    for move in legal_moves(red):
        if move.kind == "act":
            assert action_worth(red, 0, move) == action_worth(blue, 0, move), str(move)
    for style in STYLES:
        bot = OnePlyBot(style)
        assert bot.plan(red, 0) == bot.plan(blue, 0) >= 0


def test_material_counts_health_and_units() -> None:
    state = duel(3)
    own, foe = state.units
    assert material_difference(state, 0) == own.health - foe.health
    foe.spot = NOWHERE
    assert material_difference(state, 0) == own.health + KILL


@pytest.mark.parametrize("card", sorted(KIT.team_cards()))
def test_fresh_unit_has_the_values_of_its_card(card: str) -> None:
    """With its Push, which for some cards is a front and not a length."""
    units, state = load_units(), duel(1, card=card)
    assert unit_lines(state, units, 0)[1] == card_lines(KIT, units, card)[1]
    assert unit_lines(state, units, 0)[-2:] == [
        f"  item {name}: {KIT.called(name).text}" for name in state.units[0].items
    ]


@pytest.mark.parametrize("rows", [3, 1_000])
def test_cached_distances_are_those_of_a_flood(rows: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a board of many surfaces, whatever part of them the cache holds."""
    table = ctx(large_board())
    s, bots = simulator_of(table).columns, Bots()
    assert s.n_surfaces > 256
    monkeypatch.setattr(codes, "DISTANCES", rows * s.n_surfaces)
    spots = [s.surfaces[n] for n in (0, 300, 1, 399, 0, 300, 200)]
    for gait, start in itertools.product((1 << 3, 2 << 3), spots):
        row = distances.ways_from(s, bots, gait, start)
        found = list(bots.distance[row : row + s.n_surfaces])
        distances.distance_field(s, bots, gait, start)
        seen = [bots.flood_seen[spot] == bots.flood_stamp for spot in s.surfaces[: s.n_surfaces]]
        best = [bots.flood_best[spot] for spot in s.surfaces[: s.n_surfaces]]
        assert found == [b if was else codes.FAR for b, was in zip(best, seen, strict=True)]


def test_careful_bot_fears_on_every_surface_of_a_large_board() -> None:
    table = ctx(large_board())
    state = State(table, land=table.land, round=2, phase="choose_unit")
    for number, (side, at) in enumerate(((0, (19, 15)), (1, (19, 19)))):
        state.units.append(Unit(side, "knight", health=8, max_health=8))
        state.place_unit(number, spot_at(*at, 0))
    sim, bots = simulator_of(table), Bots()
    sim.take(state)
    one_ply.update_threats(sim.columns, bots, 0, 0.25)
    danger = [threats.danger_at(sim.columns, bots, 0, spot_at(19, col, 0)) for col in range(20)]
    assert danger[14] == 0 < danger[16]


def large_board() -> Board:
    """A flat board of 400 surfaces."""
    return board_of({"heights": [[0] * 20] * 20})[0]


@pytest.mark.parametrize("win", ["royal_icon", "bomb"])
def test_bots_play_towards_the_goal_of_the_game(win: str) -> None:
    """Some games end by the Icon or the Bomb while both sides still have units."""
    series = GameSeries(
        preset("duel"), FallDamageOptions(), PlayOptions(win=win), KIT, ("careful", "careful"),
        12, 3,
    )  # fmt: skip
    table = context_of(series)
    core = BatchRunner(table, run_command)

    def ends_by_goal(number: int) -> bool:
        core.play(number, setup_of(series, table, number), series.bots)
        s = core.state
        alive = {s.side[i] for i in range(s.n_units) if s.spot[i] >= 0}
        return core.result in SIDES and len(alive) == len(SIDES)

    assert any(ends_by_goal(number) for number in range(series.games))
