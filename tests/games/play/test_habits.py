"""Habits: bots avoid what a player would avoid; what they do is counted by card and cause."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from falldamage_forge.board import Board
from falldamage_forge.games.fall_damage.engine import codes, surface_index, unit_stats
from falldamage_forge.games.fall_damage.engine.simulator import simulator_of
from falldamage_forge.games.fall_damage.options import FallDamageOptions
from falldamage_forge.games.fall_damage.play import (
    BoardGame,
    MatchContext,
    PlayOptions,
    State,
    legal_apply,
)
from falldamage_forge.games.fall_damage.play.conformance import board_of, situation
from falldamage_forge.games.fall_damage.play.split_mix import SplitMix64
from falldamage_forge.games.fall_damage.play.surface_number import spot_at
from falldamage_forge.playtest.bot_kernels import (
    distances,
    evaluation,
    habits,
    one_ply,
    threats,
)
from falldamage_forge.playtest.bot_kernels.bot_columns import Bots
from falldamage_forge.playtest.bots import BOTS, choose_move
from falldamage_forge.playtest.game_series import GameSeries, play_chunk, record_of
from falldamage_forge.playtest.selfplay_metrics import OWN_DEATHS, measures
from tests.amount import EXHAUSTIVE
from tests.games.play.goldens import golden_board
from tests.games.play.situations import situation as drawn_situation
from tests.games.play.tables import KIT, ctx, preset

ABOVE_RANDOM = ("greedy", "careful", "search-1")
SIZE = 9
Placed = tuple[str, str, list[int], dict[str, Any]]


def flat() -> list[list[int]]:
    return [[0] * SIZE for _ in range(SIZE)]


def position(heights: list[list[int]], units: list[Placed], **more: Any) -> State:
    """Red to act with units of a side, a card, a place and what differs from the card."""
    given = {"heights": heights, **more}
    placed = [
        {"id": str(n), "side": side, "card": card, "at": at, **own}
        for n, (side, card, at, own) in enumerate(units)
    ]
    table = MatchContext(board_of(given)[0], FallDamageOptions(), PlayOptions(), KIT)
    state = situation(table, {"map": given, "units": placed}, {})
    return legal_apply.advance_to_first_node(state)


def answer(state: State, bot: str, dice: SplitMix64) -> str:
    """Make one move of a bot, or of chance, and return it."""
    moves = legal_apply.legal_moves(state)
    chance = legal_apply.current_player(state) == legal_apply.CHANCE
    move = dice.choice(moves) if chance else choose_move(BOTS[bot], state, dice)
    legal_apply.apply_move_in_place(state, move)
    return str(move)


def make(state: State, text: str) -> None:
    """Make the move with this notation."""
    move = next(move for move in legal_apply.legal_moves(state) if str(move) == text)
    legal_apply.apply_move_in_place(state, move)


def on_own_scaffold(foe: int) -> State:
    """A Brick Mage on the Scaffold that it has laid, at the begin of its next activation."""
    heights = flat()
    heights[4][0] = 1
    state = position(
        heights,
        [("red", "brick-mage", [4, 0, 1], {}), ("blue", "shield-bearer", [4, foe, 0], {})],
    )
    for text in ("unit 0", "scaffold B5@0", "move B5@3", "unit 1", "end", "unit 0"):
        make(state, text)
    assert state.units[0].spot == spot_at(4, 1, 3)
    return state


@pytest.mark.parametrize("bot", ABOVE_RANDOM)
@pytest.mark.parametrize("foe", range(3, SIZE))
def test_mage_on_its_own_scaffold_does_not_cast(bot: str, foe: int) -> None:
    """ "Brick spells crumble with Brick Mage action": a cast up there is a fall of 3 + 2."""
    state, dice = on_own_scaffold(foe), SplitMix64(foe)
    while state.active == 0:
        answer(state, bot, dice)
    assert state.units[0].health == KIT.cards["brick-mage"].health - (state.units[0].spot < 0)


@pytest.mark.parametrize("pusher", ["splash-mage", "force-mage", "spearman"])
def test_edge_in_reach_of_a_pusher_costs(pusher: str) -> None:
    """Fear of a rim is greater than that of a surface of its height inland, not only of Attacks."""
    heights = [[4] * 4 + [0] * (SIZE - 4) for _ in range(SIZE)]
    state = position(heights, [("red", "arbalist", [4, 0, 4], {}), ("blue", pusher, [4, 2, 4], {})])
    sim, bots = simulator_of(state.ctx), Bots()
    sim.take(state)
    one_ply.update_threats(sim.columns, bots, 0, 0.3)
    rim, inland = (threats.danger_at(sim.columns, bots, 0, spot_at(4, col, 4)) for col in (3, 0))
    assert rim > inland + 1


@pytest.mark.parametrize("bot", ABOVE_RANDOM[:2])
def test_ten_units_hunt_a_lone_unit(bot: str) -> None:
    """A Beast of 8 health in the far corner falls within five rounds."""
    cards = ("knight", "bandit", "samurai", "spearman", "archer", "arbalist", "gunner",
             "wrestler", "medic", "assassin")  # fmt: skip
    units: list[Placed] = [("red", card, [n // 5, n % 5, 0], {}) for n, card in enumerate(cards)]
    units.append(("blue", "beast", [SIZE - 1, SIZE - 1, 0], {}))
    state, dice = position(flat(), units), SplitMix64(5)
    while not state.over and state.round <= 5:
        answer(state, bot, dice)
    assert state.result == "red", [unit.health for unit in state.units]


@pytest.mark.parametrize("bot", ABOVE_RANDOM)
def test_healer_leaves_the_last_way_to_a_foe_open(bot: str) -> None:
    """A Medic and a Tinkerer do not stand where alone a Knight can strike."""
    heights = flat()
    for row, col in ((1, 1), (0, 2), (2, 0)):
        heights[row][col] = 3
    heights[0][2] = 0
    units: list[Placed] = [
        ("red", "knight", [0, 4, 0], {}), ("red", "medic", [0, 1, 0], {}),
        ("blue", "medic", [0, 0, 0], {"health": 2}),
    ]  # fmt: skip
    state, dice = position(heights, units), SplitMix64(7)
    while not state.over and state.round <= 4:
        answer(state, bot, dice)
    assert state.result == "red"


@pytest.mark.parametrize("bot", ABOVE_RANDOM)
@pytest.mark.parametrize("card", ["gunner", "archer", "knight"])
def test_bots_do_not_shoot_at_their_own_terrain(bot: str, card: str) -> None:
    """Bridge, ladder and tree stand in reach; the enemy is far away and gains by none."""
    heights = flat()
    heights[3][0] = heights[3][4] = heights[5][2] = 2
    state = position(
        heights,
        [("red", card, [4, 2, 0], {}), ("blue", "knight", [0, SIZE - 1, 0], {})],
        decks=[{"a": [3, 0], "b": [3, 4], "level": 2}],
        ladders=[{"foot": [4, 2], "top": [5, 2]}],
        trees=[[4, 1]],
    )
    dice, made = SplitMix64(3), list[str]()
    while state.to_act == 0 and not state.over:
        made.append(answer(state, bot, dice))
    assert not [text for text in made if text.startswith("attack")], made


@pytest.mark.parametrize("bot", ABOVE_RANDOM[:2])
def test_side_far_ahead_spends_health(bot: str) -> None:
    """A Shield Bearer of 9 health steps down two levels, for 1, to fell a Brick Mage of 2."""
    heights = flat()
    for col in range(3):
        heights[4][col] = 2
    units: list[Placed] = [
        ("red", "shield-bearer", [4, 1, 2], {}), ("red", "medic", [0, 0, 0], {}),
        ("blue", "brick-mage", [3, 1, 0], {"health": 2, "mist": 1, "mist_rounds": 8}),
    ]  # fmt: skip
    state, dice = position(heights, units, ladders=[{"foot": [3, 1], "top": [4, 1]}]), SplitMix64(9)
    while not state.over and state.round <= 5:
        answer(state, bot, dice)
    assert state.result == "red"


def rounds_of(state: State, bot: str, last: int) -> State:
    """Play a position on by a bot to the end of a round."""
    dice = SplitMix64(11)
    while not state.over and state.round <= last:
        answer(state, bot, dice)
    return state


@pytest.mark.parametrize("bot", ABOVE_RANDOM)
def test_side_far_ahead_comes_near_a_foe_without_a_way_to_it(bot: str) -> None:
    """No way leads up to a Medic on a pillar of three levels; a Knight comes to its foot."""
    heights = flat()
    heights[0][4] = 3
    units: list[Placed] = [
        ("red", "knight", [SIZE - 1, 4, 0], {}), ("red", "samurai", [SIZE - 1, 5, 0], {}),
        ("blue", "medic", [0, 4, 3], {"health": 2}),
    ]  # fmt: skip
    state = rounds_of(position(heights, units), bot, 4)
    assert min(surface_index.apart(unit.spot, spot_at(0, 4, 3)) for unit in state.units[:2]) <= 3


def knowledge(state: State, side: int, fear: float = 0.4) -> tuple[Any, Bots]:
    """The columns of a position, and what the careful bot of a side knows of it."""
    sim, bots = simulator_of(state.ctx), Bots()
    sim.take(state)
    bots.style = one_ply.CAREFUL
    one_ply.update_threats(sim.columns, bots, side, fear)
    return sim.columns, bots


@pytest.mark.parametrize("seed", range(200 if EXHAUSTIVE else 40))
def test_attack_that_a_unit_hopes_for_is_legal(seed: int) -> None:
    """No attack from a unit's place is worth more than the best legal one: sight, fog, effects."""
    state = drawn_situation(random.Random(seed), ctx(golden_board(), {"round_limit": 8}))
    if state.over or legal_apply.current_player(state) == legal_apply.CHANCE:
        return
    for choice in legal_apply.legal_moves(state):
        after = state.copy()
        legal_apply.apply_move_in_place(after, choice)
        chance = legal_apply.current_player(after) == legal_apply.CHANCE
        if chance or after.phase != "activation" or after.active != choice.units[0]:
            continue
        columns, bots = knowledge(after, after.units[after.active].side)
        if not unit_stats.may_attack(columns, after.active):
            continue
        codec = simulator_of(after.ctx).codec
        legal = [
            evaluation.action_value(columns, bots, after.active, codec.key(move))
            for move in legal_apply.legal_moves(after)
            if move.name == "attack"
        ]
        hoped = evaluation.best_attack(columns, bots, after.active, columns.spot[after.active])
        assert hoped <= max([0.0, *legal]) + 1e-9, after.units[after.active]


@pytest.mark.parametrize("count", range(1, 5))
def test_units_together_fear_a_foe_once(count: int) -> None:
    """A Spearman strikes one unit a round, however many stand in its reach."""
    units: list[Placed] = [("red", "knight", [4, col, 0], {}) for col in range(count)]
    columns, bots = knowledge(position(flat(), [*units, ("blue", "spearman", [6, 1, 0], {})]), 0)
    felt = [threats.danger_at(columns, bots, i, columns.spot[i]) for i in range(count)]
    assert sum(felt) == pytest.approx(KIT.cards["spearman"].attack)


@pytest.mark.parametrize(("rounds", "feared"), [(0, True), (1, True), (9, False)])
def test_foe_without_attack_is_not_feared(rounds: int, feared: bool) -> None:
    """ "-1 Move, -1 Attack every round start": a Werewolf long in the mist cannot strike."""
    foe = {"mist": 1, "mist_rounds": rounds}
    state = position(
        flat(), [("red", "medic", [4, 4, 0], {}), ("blue", "werewolf", [4, 5, 0], foe)]
    )
    columns, bots = knowledge(state, 0)
    assert (threats.danger_at(columns, bots, 0, columns.spot[0]) > 0) is feared


def test_attack_below_zero_is_worth_nothing_against_an_own_bridge() -> None:
    """An Archer long in the mist cannot harm: friends on a bridge make no target of it."""
    heights = flat()
    heights[3][0] = heights[3][4] = 2
    units: list[Placed] = [
        ("red", "archer", [5, 2, 0], {"mist": 1, "mist_rounds": 9}),
        ("red", "knight", [3, 2, 2], {}), ("blue", "knight", [0, SIZE - 1, 0], {}),
    ]  # fmt: skip
    state = position(heights, units, decks=[{"a": [3, 0], "b": [3, 4], "level": 2}])
    make(state, "unit 0")
    columns, bots = knowledge(state, 0)
    codec = simulator_of(state.ctx).codec
    shots = [move for move in legal_apply.legal_moves(state) if "deck" in str(move)]
    assert shots
    for move in shots:
        assert evaluation.action_value(columns, bots, 0, codec.key(move)) <= 0.05, str(move)


@pytest.mark.parametrize("seed", range(200 if EXHAUSTIVE else 30))
def test_way_to_a_foe_leads_to_the_nearest_surface_that_has_it_in_reach(seed: int) -> None:
    """By a search of every surface; without one the tiles to the nearest foe come after `FAR`."""
    state = drawn_situation(random.Random(seed), ctx(golden_board(), {"round_limit": 8}))
    for side in (0, 1):
        columns, bots = knowledge(state, side, 0.0)
        foes = bots.foe_spot[: bots.n_foes]
        for i, unit in enumerate(state.units):
            if unit.side != side or unit.spot < 0 or not foes:
                continue
            gait, reach = distances.gait_of(columns, bots, i), 1 + (seed + i) % 4
            distances.distance_field(columns, bots, gait, unit.spot)
            costs = [
                bots.flood_best[spot]
                for spot in bots.flood_list[: bots.n_flooded]
                if any(surface_index.in_reach(columns, spot, foe, reach) for foe in foes)
            ]
            apart = min(surface_index.apart(unit.spot, foe) for foe in foes)
            found = distances.nearest_strike(columns, bots, gait, reach, unit.spot)
            assert found == (min(costs) if costs else codes.FAR + apart), unit


# -- counts ----------------------------------------------------------------------------------------


def series(bot: str, name: str = "canyon", rounds: int = 20, board: Board | None = None,
           games: int = 4) -> GameSeries:  # fmt: skip
    return GameSeries(
        board or preset(name), FallDamageOptions(), PlayOptions(round_limit=rounds), KIT,
        (bot, bot), games, 11, name, fast=EXHAUSTIVE,
    )  # fmt: skip


@pytest.mark.parametrize("bot", ["random", "careful"])
def test_habits_equal_the_moves_and_events_of_the_record(bot: str) -> None:
    one = replace(series(bot, "golden", 5, golden_board()), fast=False)
    games = 20 if EXHAUSTIVE else 3
    found: Counter[tuple[str, str]] = Counter()
    for number in range(games):
        record = record_of(one, number)
        state, actor, quiet = BoardGame.start_of(record, KIT).state.copy(), -1, True
        for text in record["moves"]:
            move = next(m for m in legal_apply.legal_moves(state) if str(m) == text)
            if move.kind == "unit":
                actor, quiet = move.units[0], True
                found[state.units[actor].card, "activations"] += 1
            elif move.kind == "end" and quiet:
                found[state.units[actor].card, "idle"] += 1
            elif move.kind in ("move", "act"):
                quiet = False
            cards, state.log = [unit.card for unit in state.units], []
            legal_apply.apply_move_in_place(state, move)
            for kind, *values in state.log:
                actor = -1 if kind == "round" else actor
                if kind == "die" and values[0] == actor:
                    found[cards[actor], "own death"] += 1
    told: Counter[tuple[str, str]] = Counter()
    for card, counts in play_chunk(one, 0, games).habits.items():
        told[card, "activations"] = counts["activations"]
        told[card, "idle"] = counts["idle"]
        told[card, "own death"] = sum(counts[cause] for cause in OWN_DEATHS)
    assert +told == found


def test_causes_of_own_deaths_are_named() -> None:
    """A mage that casts on its own Scaffold dies by its bricks, whatever it does before."""
    state = on_own_scaffold(6)
    table = state.ctx
    core_moves = [str(move) for move in legal_apply.legal_moves(state)]
    cast = next(text for text in core_moves if text.startswith("scaffold"))
    from falldamage_forge.playtest.bot_kernels import playout

    sim, seen = simulator_of(table), Bots()
    sim.take(state)
    playout.clear_watch(sim.columns, seen)
    seen.watch[playout.C.W_ACTOR] = 0
    move = next(m for m in legal_apply.legal_moves(state) if str(m) == cast)
    playout.habits.record_choice(sim.columns, seen, sim.codec.key(move))
    legal_apply.apply_move_in_place(state, move)
    playout.record_events(sim.columns, seen)
    width, card = len(playout.C.HABITS), sim.columns.card[0]
    assert seen.habits[card * width + playout.C.H_BRICKS] == 1
    assert sum(seen.habits) == 1


@pytest.mark.parametrize(
    ("mists", "held"), [((0, 0), False), ((1, 0), False), ((0, 1), False), ((1, 1), True)]
)
def test_side_is_held_by_poison_when_each_of_its_fighters_is(
    mists: tuple[int, int], held: bool
) -> None:
    """A Medic, who has no Attack, frees no side; the weaker side's mist does not matter."""
    units: list[Placed] = [
        ("red", "knight", [1, 1, 0], {"mist": mists[0]}), ("red", "medic", [1, 3, 0], {}),
        ("red", "archer", [1, 5, 0], {"mist": mists[1]}),
        ("blue", "archer", [7, 7, 0], {"health": 2, "mist": 1}),
    ]  # fmt: skip
    assert habits.is_poisoned(*knowledge(position(flat(), units), 0)) is held


# round in which a side was far ahead, last round, result, poison -> far ahead, finished, poisoned
FINISHES = [
    (0, 3, codes.RED_WINS, 0, (0, 0, 0)),
    (4, 5, codes.RED_WINS, 0, (1, 1, 0)),
    (4, 9, codes.BLUE_WINS, 0, (1, 1, 0)),
    (4, 10, codes.BLUE_WINS, 0, (1, 0, 0)),
    (4, 10, codes.BLUE_WINS, 1, (1, 0, 1)),
    (4, 9, codes.BLUE_WINS, 1, (1, 1, 0)),
    (4, 9, codes.DRAW, 0, (1, 0, 0)),
    (4, 9, codes.DRAW, 1, (1, 0, 1)),
    (4, 9, codes.UNFINISHED, 0, (1, 0, 0)),
    (15, 20, codes.RED_WINS, 0, (1, 1, 0)),
    (16, 20, codes.RED_WINS, 0, (0, 0, 0)),
]


@pytest.mark.parametrize(("ahead", "last", "result", "poisoned", "counted"), FINISHES)
def test_game_far_ahead_is_finished_within_five_rounds(
    ahead: int, last: int, result: int, poisoned: int, counted: tuple[int, int, int]
) -> None:
    """Of 20 rounds: a lead without five rounds after it is none; each later one counts one."""
    columns, bots = knowledge(
        position(flat(), [("red", "knight", [1, 1, 0], {}), ("blue", "knight", [7, 7, 0], {})]), 0
    )
    columns.round_limit, columns.round, columns.result = 20, last, result
    bots.watch[codes.W_AHEAD], bots.watch[codes.W_POISONED] = ahead, poisoned
    kept = codes.N_FAR_AHEAD, codes.N_FINISHED, codes.N_POISONED
    for games in (1, 2):
        habits.count_finish(columns, bots)
        assert tuple(bots.counts[count] for count in kept) == tuple(games * n for n in counted)
    assert sum(bots.counts) == 2 * sum(counted)


@pytest.mark.parametrize("bot", ABOVE_RANDOM[:2])
def test_few_units_die_by_their_own_doing(bot: str) -> None:
    """At most one unit in 32 games dies by its own bricks, one in eight by what else it does."""
    games = 1000 if EXHAUSTIVE else 8
    told = measures(play_chunk(series(bot, games=games), 0, games), [])
    deaths: Counter[str] = Counter()
    for counts in told["habits"].values():
        deaths.update({cause: counts.get(cause, 0) for cause in OWN_DEATHS})
    assert deaths["bricks"] <= games / 32, dict(deaths)
    avoidable = ("counter", "thorns", "area", "terrain", "step", "other")
    assert sum(deaths[cause] for cause in avoidable) <= games / 8, dict(deaths)
    assert told["idle"]["share"] < 0.12
    assert told["back_and_forth"]["share"] < 0.05
    assert told["empty_shots"]["share"] < 0.01


@pytest.mark.skipif(not EXHAUSTIVE, reason="a thousand compiled games a bot")
@pytest.mark.parametrize("bot", ABOVE_RANDOM[:2])
def test_won_games_are_finished(bot: str) -> None:
    """Of games with four times the other's health at least 98 % end in five more rounds.

    Left out are games in which poison holds every fighter of the side ahead.
    """
    told = measures(play_chunk(series(bot, "duel", games=1000), 0, 1000), [])
    assert told["finished_unpoisoned"]["share"] >= 0.98
