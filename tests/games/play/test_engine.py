"""The engine under itself: random games step by step, under every value of every option.

After the tests of OpenSpiel (`basic_tests.h`) and Ludii: legal lists without doubles, states that
survive being saved, moves that can be taken back, invariants after every step.
"""

from __future__ import annotations

import json
from dataclasses import fields, replace
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

import pytest

from falldamage_forge.games.fall_damage.engine import codes as C
from falldamage_forge.games.fall_damage.engine import terrain_state
from falldamage_forge.games.fall_damage.options import FallDamageOptions
from falldamage_forge.games.fall_damage.play import BoardGame, State, legal_moves
from falldamage_forge.games.fall_damage.play.legal_apply import (
    CHANCE,
    apply_move,
    apply_move_in_place,
    current_player,
)
from falldamage_forge.games.fall_damage.play.play_options import (
    NAMES,
    PlayOptions,
    canonical_option_name,
    field_of,
)
from falldamage_forge.games.fall_damage.play.serialization import from_json, state_hash, to_json
from falldamage_forge.games.fall_damage.play.split_mix import SplitMix64
from falldamage_forge.games.fall_damage.play.state_value import HiddenItem, observation
from falldamage_forge.issues import ForgeError
from tests import schemas
from tests.amount import EXHAUSTIVE
from tests.games.play.columns import in_simulator, move_ends
from tests.games.play.goldens import golden_board, teams_of
from tests.games.play.tables import KIT, ctx, new_game, played, preset, small_board

ROOT = Path(__file__).resolve().parents[3]


def values() -> list[tuple[str, str]]:
    """Every option with each of its values but the default; numbers with one other."""
    found = []
    for table in (PlayOptions, FallDamageOptions):
        hints = get_type_hints(table)
        for item in fields(table):
            if get_origin(hints[item.name]) is Literal:
                others = [v for v in get_args(hints[item.name]) if v != item.default]
                found += [(item.name.rstrip("_"), value) for value in others]
    found += [("standard_piece", "2"), ("spire_damage", "2"), ("los_free", "splash,bomb")]
    return [*found, ("action_of", "vines,syringe"), ("round_limit", "3"), ("headroom", "1")]


def check(state: State) -> None:
    """What must hold after every step of every game."""
    s = in_simulator(state).columns
    standing = {unit.spot: i for i, unit in enumerate(state.units) if unit.alive}
    assert standing == state.occupied
    assert len(standing) == sum(unit.alive for unit in state.units)
    for unit in state.units:
        if unit.alive:
            assert 0 < unit.health <= unit.max_health
            on_lava = unit.discorporate and terrain_state.lava(s, C.GROUND, unit.spot)
            assert terrain_state.stands(s, C.GROUND, unit.spot) or on_lava
        elif state.phase != "setup":
            assert unit.health == 0
    if state.phase == "setup":
        return
    fallen = [body.unit for body in state.bodies if not body.used]
    assert len(fallen) == len(set(fallen))
    assert all(not state.units[index].alive for index in fallen)
    assert sum(unit.carries for unit in state.units) <= 1
    moves = legal_moves(state)
    assert bool(moves) != state.over
    assert len(set(moves)) == len(moves) == len({str(move) for move in moves})
    assert moves == sorted(moves, key=lambda move: move.order)


def round_trip(state: State) -> None:
    """Saved and loaded, a state is the same state."""
    again = from_json(state.ctx, json.loads(json.dumps(to_json(state))))
    assert again == state and state_hash(again) == state_hash(state)
    assert legal_moves(again) == legal_moves(state)


def played_under(name: str, value: str, seed: int) -> list[State]:
    """The states of a random game of a few rounds under one reading."""
    options: dict[str, Any] = {"round_limit": 3 if EXHAUSTIVE else 2, name: value}
    drafting = name in ("draft", "team_duplicates", "shared_cards", "side_choice")
    table = ctx(golden_board(), options if value != "3" else {name: value})
    teams = None if drafting or value == "fixed" else teams_of(seed)
    return played(new_game(table, teams), seed)


@pytest.mark.parametrize(("name", "value"), values())
def test_random_games_keep_invariants_under_every_option(name: str, value: str) -> None:
    first = values().index((name, value))
    for seed in range(first, first + (6 if EXHAUSTIVE else 1)):
        states = played_under(name, value, seed)
        for number, state in enumerate(states):
            if EXHAUSTIVE or number % 3 == seed % 3 or state is states[-1]:
                check(state)
            if number % 11 == seed % 11:
                round_trip(state)


@pytest.mark.parametrize("win", ["royal_icon", "bomb"])
def test_the_icon_can_be_carried_home(win: str) -> None:
    table = ctx(small_board(), {"win": win, "round_limit": 30, "at_limit": "health"})
    results = set()
    for seed in range(8):
        states = played(new_game(table, (["samurai", "bard"], ["bandit", "beast"])), seed)
        for state in states:
            check(state)
        results.add(states[-1].result)
    assert results <= {"red", "blue", "draw"} and len(results) > 1


def test_state_is_unchanged_by_later_moves() -> None:
    table = ctx(golden_board(), {"round_limit": 3})
    for seed in range(3):
        state = new_game(table, teams_of(seed))
        dice = SplitMix64(seed)
        while not state.over:
            before, digest = list(legal_moves(state)), state_hash(state)
            for move in before[:3]:
                apply_move(state, move)
            after = apply_move(state, dice.choice(before))
            assert state_hash(state) == digest and legal_moves(state) == before
            state = after


def test_moves_can_be_taken_back() -> None:
    game = BoardGame(preset("duel"), KIT, {"round_limit": 2}, teams=teams_of(1))
    dice, hashes = SplitMix64(4), [game.hash]
    while not game.over:
        game.push(dice.choice(game.legal_moves))
        hashes.append(game.hash)
    for digest in reversed(hashes[:-1]):
        game.pop()
        assert game.hash == digest
    with pytest.raises(IndexError, match="no move"):
        game.pop()


def test_chance_node_lists_outcomes_and_has_no_player() -> None:
    game = BoardGame(preset("duel"), KIT, teams=teams_of(1))
    assert game.turn == "chance"
    assert list(map(str, game.legal_moves)) == ["coin heads", "coin tails"]
    game.push("coin tails")
    assert game.turn == "blue" and game.state.first == 1


def test_an_illegal_move_is_refused_with_a_hint() -> None:
    game = BoardGame(preset("duel"), KIT, teams=teams_of(1))
    with pytest.raises(ForgeError, match="not legal") as caught:
        game.push("coin head")
    assert "coin heads" in str(caught.value.issues[0].hint)


def test_move_after_the_end_is_refused_with_a_message() -> None:
    game, dice = (
        BoardGame(preset("duel"), KIT, {"round_limit": 1}, teams=teams_of(1)),
        SplitMix64(1),
    )
    while not game.over:
        game.push(dice.choice(game.legal_moves))
    with pytest.raises(ForgeError, match=r"error\[FDF383\]: `end`: the game is over"):
        game.find("end")


def test_draft_has_as_many_units_as_start_tiles() -> None:
    board = small_board()
    one, other = board.starts
    fewer = replace(board, starts=(one, replace(other, surfaces=other.surfaces[:2])))
    room = {zone.side: len(zone.surfaces) for zone in fewer.starts}
    state, dice = new_game(ctx(fewer, {"team_duplicates": "yes"})), SplitMix64(1)
    while state.phase == "setup":
        state = apply_move(state, dice.choice(legal_moves(state)))
    assert sorted(room.values()) == [2, 3]
    assert [len(picks) for picks in state.picks] == [room["red"], room["blue"]]


def test_observation_hides_the_enemys_items() -> None:
    table = ctx(golden_board(), {"round_limit": 3})
    for state in played(new_game(table, teams_of(9)), 2)[::9]:
        for side in (0, 1):
            other = state.copy()
            other.hidden = (*state.hidden, HiddenItem(1 - side, "spring", 3 << 6 | 4, -1, 0))
            assert observation(other, side) == observation(state, side)
            assert all(item.side == side for item in observation(state, side).hidden)


def test_blind_draft_hides_cards_and_placement() -> None:
    table = ctx(small_board())
    state = new_game(table)
    dice, seen = SplitMix64(1), 0
    while state.phase == "setup":
        for side in (0, 1):
            view = observation(state, side)
            hidden = [unit for unit in view.units if unit.side != side]
            assert all(not unit.card and not unit.alive for unit in hidden)
            assert view.picks[1 - side] == ()
            seen += 1
        state = apply_move(state, dice.choice(legal_moves(state)))
    assert seen > 10 and all(unit.card for unit in observation(state, 0).units)


def test_options_are_known_by_number_hyphen_and_underscore() -> None:
    assert canonical_option_name("G19") == "area_push" and canonical_option_name(
        "g07"
    ) == "turn_size" == canonical_option_name("turn-size")
    assert len(NAMES) == len(set(NAMES)) == 50
    known = {item.name for item in fields(FallDamageOptions)}
    assert all(field_of(name) or name in known for name in NAMES)
    for bad in ({"turn_size": "three"}, {"nonsense": "1"}, {"round_limit": "x"}, {"win": "luck"}):
        with pytest.raises(ForgeError):
            ctx(small_board(), bad)


def test_record_replays_and_reports_a_difference() -> None:
    game = BoardGame(preset("duel"), KIT, {"round_limit": 2, "edge": "void"}, teams=teams_of(3))
    dice = SplitMix64(1)
    while not game.over:
        game.push(dice.choice(game.legal_moves))
    record = json.loads(json.dumps(game.record(trace=True)))
    assert record["options"] == {"edge": "void", "round_limit": 2}
    again = BoardGame.from_record(record, KIT)
    assert again.hash == game.hash and again.record(trace=True) == record
    for key, value in (("legal", 99), ("hash", "0" * 16), ("move", "unit 99")):
        broken = json.loads(json.dumps(record))
        broken["moves"][40][key] = value
        with pytest.raises(ForgeError, match="move 41"):
            BoardGame.from_record(broken, KIT)
    with pytest.raises(ForgeError, match=r"error\[FDF384\]: the record, `board.treasures\[0\]`"):
        BoardGame.from_record({**record, "board": {**record["board"], "treasures": ["Z"]}}, KIT)
    for key in ("board", "game", "options"):
        broken = {k: v for k, v in record.items() if k != key}
        with pytest.raises(ForgeError, match="FDF384|record"):
            BoardGame.from_record(broken, KIT)


def test_records_and_states_match_their_schema() -> None:
    import jsonschema

    game, dice = (
        BoardGame(golden_board(), KIT, {"round_limit": 3}, teams=teams_of(12)),
        SplitMix64(2),
    )
    while not game.over:
        if len(game.moves) % 9 == 0:
            schemas.of("game", "state").validate(game.save())
        game.push(dice.choice(game.legal_moves))
    schemas.of("game").validate(game.record(trace=True))
    with pytest.raises(jsonschema.ValidationError):
        schemas.of("game").validate({**game.record(), "result": "maybe"})


def test_the_page_of_the_game_names_every_option() -> None:
    text = (ROOT / "docs/game.md").read_text("utf-8")
    for number, name in enumerate(NAMES, 1):
        assert f"| G{number:02d} | `{name}`" in text
    for item in fields(PlayOptions):
        assert f"`{item.name.rstrip('_')}`" in text
    for value in (v for name, v in values() if field_of(name) and not v.isdigit() and "," not in v):
        assert f"`{value}`" in text


def test_every_activation_is_counted_once() -> None:
    """A unit acts at most once a round, and a round ends when nobody is ready."""
    table = ctx(golden_board(), {"round_limit": 5})
    state = new_game(table, teams_of(6))
    dice, acted = SplitMix64(8), set[int]()
    while not state.over:
        move = dice.choice(legal_moves(state))
        number = state.round
        if move.kind == "unit":
            assert move.units[0] not in acted
            acted.add(move.units[0])
        after = state.copy()
        after.log = []
        apply_move_in_place(after, move)
        if after.round != number:
            acted.clear()
        state = after


def test_unit_with_gloves_may_dive_onto_an_enemy() -> None:
    """Also who is hurt by it: what the dive does stands in the list of ends, and is suffered."""
    table, dives = ctx(golden_board(), {"round_limit": 3}), 0
    for seed in range(2):
        state, dice = new_game(table, teams_of(6)), SplitMix64(seed)
        for unit in state.units:
            unit.extra_ability = ("top-ropes", "wrestler")
        while not state.over:
            moves = legal_moves(state)
            onto = [m for m in moves if m.kind == "move" and m.spots[0] in state.occupied]
            dives += len(onto)
            move = onto[0] if onto else dice.choice(moves)
            index, before = state.active, state.units[state.active].health
            hurt = move_ends(state, index, state.units[index].move_now) if onto else {}
            state.log = []
            apply_move_in_place(state, move)
            if onto:
                lost = [e[2] for e in state.log if e[:2] == ("harm", index) and e[3] == "step"]
                assert sum(lost) == hurt[move.spots[0]][0] < before
    assert dives > 3


def test_health_rises_only_by_healing_and_elixirs() -> None:
    healing = {"heal", "total", "die", "unit", "card", "stats", "end", "end turn"}
    table = ctx(golden_board(), {"round_limit": 4})
    for seed in range(3):
        states = played(new_game(table, teams_of(seed)), seed + 40)
        for before, after in pairwise(states):
            if before.phase == "setup" or current_player(before) == CHANCE or before.pending:
                continue
            names = {str(m).split(" ")[0] for m in legal_moves(before)}
            gained = [
                i
                for i, (a, b) in enumerate(zip(before.units, after.units, strict=False))
                if a.alive and b.alive and b.health > a.health
            ]
            if gained:
                assert names & (healing | {"throw", "bandage", "elixir", "attack", "unit"})
