"""Readings that a random game seldom comes to, each in a situation where it decides.

A situation says what is done and what must be so under the default and under the reading.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from falldamage_forge.games.fall_damage.options import FallDamageOptions
from falldamage_forge.games.fall_damage.play import BoardGame, legal_moves
from falldamage_forge.games.fall_damage.play.conformance import ConformanceCase, conform
from falldamage_forge.games.fall_damage.play.legal_apply import (
    advance_to_first_node,
    apply_move_in_place,
    current_player,
)
from falldamage_forge.games.fall_damage.play.serialization import from_json
from falldamage_forge.games.fall_damage.play.state_value import (
    EffectZone,
    FallenUnit,
    State,
    new_state,
)
from falldamage_forge.issues import ForgeError
from tests.games.play.columns import become, raise_moves, revive
from tests.games.play.goldens import teams_of
from tests.games.play.tables import KIT, ctx, preset, small_board

FLAT = [[0] * 7 for _ in range(3)]
Json = dict[str, Any]


def unit(name: str, side: str, card: str, row: int, col: int, level: int = 0, **more: Any) -> Json:
    return {"id": name, "side": side, "card": card, "at": [row, col, level], **more}


def situation(units: list[Json], options: Json | None = None, **more: Any) -> Json:
    return {"map": {"heights": FLAT}, "units": units, "options": options or {}, **more}


def state_of(example: Json) -> State:
    case = ConformanceCase(example, FallDamageOptions(), KIT)
    advance_to_first_node(case.state)
    return case.state


def after(state: State, *moves: str) -> State:
    """The state after moves by their words."""
    for words in moves:
        state = state.copy()
        apply_move_in_place(state, next(move for move in legal_moves(state) if str(move) == words))
    return state


KNIGHT = unit("k", "red", "knight", 1, 1)
FOE = unit("x", "blue", "archer", 1, 2, activated=True)
NECROMANCER = unit("n", "red", "necromancer", 1, 1)
FAR = unit("x", "blue", "knight", 0, 6, activated=True)
BODIES = {"bodies": [[0, 1, 0], [1, 2, 0]]}


@pytest.mark.parametrize(("word", "col"), [("push", 3), ("no push", 2)])
def test_a_push_may_be_left_out(word: str, col: int) -> None:
    example = situation([KNIGHT, FOE], {"push_optional": "yes"})
    example["do"] = [{"unit": "k"}, {"action": "attack", "target": "x"}, {"say": word}]
    example["expect"] = {"units": {"x": {"at": [1, col, 0], "health": 3}}}
    (verdict,) = conform({"examples": [example]}, FallDamageOptions(), KIT)
    assert verdict.differences == ()
    asked = [*example["do"][:2], {"say": "may be"}]
    (verdict,) = conform({"examples": [{**example, "do": asked}]}, FallDamageOptions(), KIT)
    assert verdict.differences == ("say may be is not legal",)


def test_raise_has_a_limit_a_use_or_a_game() -> None:
    for reading, left in (("per_use", 2), ("per_game", 1)):
        state = state_of(situation([NECROMANCER, FAR], {"raise_limit": reading}, state=BODIES))
        state.raised = (1, 0)
        assert max(len(move.spots) for move in raise_moves(state, 0)) == left
        state.raised = (2, 0)
        assert bool(list(raise_moves(state, 0))) == (reading == "per_use")


def test_a_skeleton_rises_on_its_body_or_beside_its_master() -> None:
    """Beside, a body that somebody stands on rises too, as long as there is a tile left."""
    busy = unit("f", "red", "knight", 1, 2)
    for reading, bodies in (("body", 1), ("adjacent", 2)):
        told = situation([NECROMANCER, busy, FAR], {"raise_where": reading}, state=BODIES)
        state = state_of(told)
        moves = list(raise_moves(state, 0))
        assert len({spot for move in moves for spot in move.spots}) == bodies
        raised = after(state, "unit 0", next(str(m) for m in moves if len(m.spots) == bodies))
        new = [one for one in raised.units if one.card == "skeleton"]
        assert len(new) == bodies
        for one in new:
            rows, cols = (one.spot >> 10) - 1, (one.spot >> 4 & 63) - 1
            assert abs(rows) + abs(cols) == 1
    walls = [unit(f"w{n}", "red", "knight", *at) for n, at in enumerate([(0, 1), (2, 1), (1, 0)])]
    shut = situation([NECROMANCER, busy, *walls, FAR], {"raise_where": "adjacent"}, state=BODIES)
    assert not list(raise_moves(state_of(shut), 0))


def test_bodies_that_may_be_raised() -> None:
    counts = {}
    for reading in ("all", "own", "not_skeletons"):
        state = state_of(situation([NECROMANCER, FAR], {"raise_bodies": reading}, state=BODIES))
        fallen = [state.units[body.unit] for body in state.bodies]
        fallen[0].card, fallen[1].side = "skeleton", 1
        spots = {spot for move in raise_moves(state, 0) for spot in move.spots}
        counts[reading] = [body.spot in spots for body in state.bodies]
    assert counts == {"all": [True, True], "own": [True, False], "not_skeletons": [False, True]}


def test_revived_unit_is_placed_by_the_option() -> None:
    ends = {}
    for reading in ("body", "start", "finder"):
        table = ctx(small_board(), {"revive_at": reading, "placement": "listed"})
        state = advance_to_first_node(new_state(table, (["samurai", "bard"], ["bandit", "beast"])))
        while state.phase == "setup" or current_player(state) < 0:
            apply_move_in_place(state, legal_moves(state)[0])
        fell = state.units[0].spot
        del state.occupied[fell]
        state.units[0].spot, state.units[0].health = -1, 0
        state.bodies = (FallenUnit(0, 3 << 10 | 0 << 4),)
        revive(state, 0, 2 << 10 | 0 << 4)
        assert state.units[0].alive and 2 * state.units[0].health >= state.units[0].max_health
        assert state.units[0].ready_from == state.round + 1, "it waits for the next round"
        assert state.bodies[0].used and state.occupied[state.units[0].spot] == 0
        ends[reading] = (state.units[0].spot >> 10, state.units[0].spot >> 4 & 63)
    zone = {(0, 1), (0, 2), (0, 3)}
    assert ends["body"] == (3, 0) and ends["finder"] == (2, 0) and ends["start"] in zone


@pytest.mark.parametrize("reading", ["nearest", "choice"])
def test_skeletons_at_the_start_stand_near_their_master(reading: str) -> None:
    table = ctx(small_board(7), {"skeleton_place": reading, "placement": "listed"})
    state = advance_to_first_node(new_state(table, (["necromancer", "bard"], ["bandit", "beast"])))
    asked = 0
    while state.phase == "setup":
        moves = legal_moves(state)
        asked += all(move.name == "place skeleton" for move in moves) and len(moves) > 1
        apply_move_in_place(state, moves[-1])
    zones = {spot for zone in table.zones for spot in zone}
    spots = [one.spot for one in state.units if one.card == "skeleton"]
    assert len(spots) == 2 == len(set(spots)) and not zones & set(spots)
    assert bool(asked) == (reading == "choice")


def test_option_decides_health_under_a_new_card() -> None:
    found = {}
    for reading in ("keep_damage", "full", "keep_health"):
        state = state_of(situation([unit("s", "red", "samurai", 1, 1), FAR],
                                   {"change_health": reading}))  # fmt: skip
        state.units[0].health = 2
        become(state, 0, "knight")
        found[reading] = (state.units[0].health, state.units[0].max_health)
    assert found == {"keep_damage": (4, 8), "full": (8, 8), "keep_health": (2, 8)}


def test_swap_may_include_the_mage() -> None:
    mage = unit("m", "red", "space-mage", 1, 1)
    for reading in ("no", "yes"):
        state = after(state_of(situation([mage, FOE, FAR | {"id": "y"}], {"swap_self": reading})),
                      "unit 0")  # fmt: skip
        swaps = [move for move in legal_moves(state) if move.name == "swap"]
        assert any(0 in move.units for move in swaps) == (reading == "yes")
        if reading == "yes":
            own = next(move for move in swaps if move.units == (0, 1))
            ended = after(state, str(own))
            assert (ended.units[0].spot, ended.units[1].spot) == (
                state.units[1].spot,
                state.units[0].spot,
            )


def test_option_decides_the_push_of_a_thrown_knife() -> None:
    knives = [item for item in KIT.treasure.values() if item.attack and 0 < item.reach <= 1]
    knives = [item for item in knives if not item.push and not item.radius]
    assert knives
    for knife in knives:
        for reading, col in (("no", 2), ("own", 3)):
            armed = {**KNIGHT, "items": [knife.name]}
            foe = unit("x", "blue", "shield-bearer", 0, 6, activated=True)
            state = state_of(situation([armed, {**FOE, "card": "archer", "health": 9}, foe],
                                       {"knife_push": reading}))  # fmt: skip
            state = after(state, "unit 0")
            use = next(move for move in legal_moves(state) if move.name == knife.name)
            ended = after(state, str(use))
            assert ended.units[1].spot >> 4 & 63 == col
            assert knife.name not in ended.units[0].items


def test_an_elixir_is_kept_and_drunk_as_an_action() -> None:
    armed = {**KNIGHT, "items": ["elixir"], "health": 3}
    state = after(state_of(situation([armed, FAR], {"elixir": "action"})), "unit 0")
    drinks = [move for move in legal_moves(state) if move.name == "elixir"]
    assert {move.word for move in drinks} == {"total", "heal"}
    for word, most in (("total", 12), ("heal", 8)):
        ended = after(state, str(next(move for move in drinks if move.word == word)))
        assert (ended.units[0].health, ended.units[0].max_health) == (7, most)
        assert ended.units[0].items == () and ended.units[0].acted


SPIRE = {"heights": [[0] * 7, [0, 0, 2, 0, 0, 0, 0], [0] * 7], "spires": [[1, 2]]}


def spire_gone(example: Json, *options: Any) -> State:
    state = state_of({**example, "options": dict(options)})
    state = after(state, "unit 0")
    move = next(move for move in legal_moves(state) if move.word.startswith("spire"))
    return after(state, str(move))


def test_falling_spire_hits_the_unit_below() -> None:
    strong = unit("g", "red", "knight", 1, 1, 2)
    table = {**SPIRE, "heights": [[0] * 7, [0, 2, 2, 0, 0, 0, 0], [0] * 7]}
    below = unit("x", "blue", "shield-bearer", 1, 3, activated=True)
    example = situation([strong, below]) | {"map": table}
    ended = spire_gone(example)
    assert ended.units[1].health == 9 - FallDamageOptions().spire_damage
    assert all(column.feature is None for column in map(ended.land.column, [1 << 6 | 2]))
    level = unit("x", "blue", "shield-bearer", 1, 3, 2, activated=True)
    row = {**SPIRE, "heights": [[0] * 7, [0, 2, 2, 2, 0, 0, 0], [0] * 7]}
    for reading, lost in (("stop", 0), ("hit", FallDamageOptions().spire_damage)):
        both = situation([strong, level]) | {"map": row}
        ended = spire_gone(both, ("spire_level", reading))
        assert ended.units[1].health == 9 - lost


def test_unreadable_situation_is_refused() -> None:
    good = situation([KNIGHT, FOE])
    broken: list[Any] = [
        {}, {"examples": 3}, {"examples": [3]}, {"examples": [{}]},
        {"examples": [{**good, "units": [{**KNIGHT, "wings": 2}]}]},
        {"examples": [{**good, "chance": [{"coin": "edge"}], "state": {"force_treasure": "k"}}]},
    ]  # fmt: skip
    for document in broken[:2]:
        with pytest.raises(ForgeError) as caught:
            conform(document, FallDamageOptions(), KIT)
        assert {issue.code for issue in caught.value.issues} == {"FDF380"}
    for document in broken[2:]:
        (verdict,) = conform(document, FallDamageOptions(), KIT)
        assert {issue.code for issue in verdict.issues} == {"FDF380"}
    table = ctx(small_board())
    for saved in ({}, {"units": 3}, {"round": "x"}):
        with pytest.raises(ForgeError):
            from_json(table, saved)


def test_ladders_of_a_situation_are_climbed() -> None:
    heights = [[0, 0, 0, 0, 0, 0, 0], [0, 0, 3, 0, 0, 0, 0], [0] * 7]
    table = {"heights": heights, "ladders": [{"foot": [1, 1], "top": [1, 2]}]}
    example = situation([KNIGHT, FAR]) | {"map": table, "do": [{"unit": "k"}],
        "expect": {"legal": [{"move": [1, 2, 3]}]}}  # fmt: skip
    assert conform({"examples": [example]}, FallDamageOptions(), KIT)[0].differences == ()
    bare = example | {"map": {"heights": heights}}
    assert conform({"examples": [bare]}, FallDamageOptions(), KIT)[0].differences


def test_game_is_copied_observed_and_resumed() -> None:
    game = BoardGame(preset("duel"), KIT, {"round_limit": 2}, teams=teams_of(1))
    game.push("coin tails")
    twin = game.copy()
    twin.push(twin.legal_moves[0])
    assert len(game.moves) == 1 and twin.hash != game.hash
    assert game.play(game.legal_moves[0]) == twin.state
    assert game.observation("red") == game.observation(0)
    other = BoardGame(preset("duel"), KIT, {"round_limit": 2}, teams=teams_of(1))
    other.resume(json.loads(json.dumps(game.save())))
    assert other.hash == game.hash and not other.moves
    with pytest.raises(ForgeError, match="not legal"):
        game.push(legal_moves(new_state(ctx(small_board()), None))[0])
    while not twin.over:
        twin.roll() if twin.turn == "chance" else twin.push(twin.legal_moves[-1])
    assert twin.node == "over" and not twin.legal_moves
    with pytest.raises(ForgeError, match="the game is over"):
        twin.push("unit 1")
    record = twin.record()
    for key, value in (("game", 99), ("result", "blue and red")):
        with pytest.raises(ForgeError):
            BoardGame.from_record({**record, key: value}, KIT)


def test_numbers_of_readings_have_bounds() -> None:
    for bad in ({"round_limit": "0"}, {"standard_piece": "4"}, {"round_limit": "1001"}):
        with pytest.raises(ForgeError) as caught:
            ctx(small_board(), bad)
        assert [issue.code for issue in caught.value.issues] == ["FDF320"]
    assert ctx(small_board(), {"round_limit": "1000"}).readings.round_limit == 1000
    crowd = (["samurai"] * 4, ["bandit"])
    with pytest.raises(ForgeError, match="4 units and 3 start tiles"):
        new_state(ctx(small_board(), {"team_duplicates": "yes"}), crowd)


def attacks(state: State, target: int) -> bool:
    """True if unit 0 may attack a unit."""
    chosen = after(state, "unit 0")
    return any(move.name == "attack" and move.units == (target,) for move in legal_moves(chosen))


def test_fog_on_a_line_or_at_its_end_closes_it_except_for_melee() -> None:
    """ "Fog block LOS Attacks except melee"; an attack that needs no sight goes on."""
    gunner, far = unit("g", "red", "gunner", 1, 0), unit("x", "blue", "knight", 1, 3)
    state = state_of(situation([gunner, far]))
    assert attacks(state, 1)
    for tile in ((1, 1), (1, 3), (1, 0)):
        foggy = state.copy()
        foggy.legal, foggy.zones = None, (EffectZone("fog", frozenset({tile[0] << 6 | tile[1]})),)
        assert not attacks(foggy, 1), tile
    for card, col in (("archer", 3), ("knight", 1)):
        units = [unit("a", "red", card, 1, 0), unit("x", "blue", "knight", 1, col)]
        free = state_of(situation(units))
        free.zones = (EffectZone("fog", frozenset({1 << 6, 1 << 6 | 1})),)
        assert attacks(free, 1), "an archer needs no sight, and melee goes on"


@pytest.mark.parametrize(("own", "its", "more"), [(0, 1, 1), (1, 0, -1), (0, 0, 0)])
def test_in_a_reversed_round_every_attack_has_one_more_upward(
    own: int, its: int, more: int
) -> None:
    """ "Any upward melee and ranged Attacks get +1 damage. Downward get -1." """
    for card, col in (("knight", 2), ("archer", 3)):
        lost = {}
        for reversed_now in (False, True):
            heights = [[0] * 7, [0, own, *[its] * 5], [0] * 7]
            units = [unit("k", "red", card, 1, 1, own), unit("x", "blue", "beast", 1, col, its)]
            example = situation(units, {"auto_end": "no"}) | {"map": {"heights": heights}}
            state = state_of(example)
            state.reversal_round = state.round if reversed_now else 0
            hit = after(state, "unit 0", "attack 1")
            lost[reversed_now] = state.units[1].health - hit.units[1].health
        melee = card == "knight"
        assert lost[True] - lost[False] == (2 * more if melee else more)
