"""Playtests: the same bytes whatever the workers, honest intervals, bots that can be told apart."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import falldamage_forge as ff
from falldamage_forge.games.fall_damage.engine.simulator import simulator_of
from falldamage_forge.games.fall_damage.options import FallDamageOptions
from falldamage_forge.games.fall_damage.play import BoardGame, PlayOptions, legal_moves
from falldamage_forge.games.fall_damage.play.legal_apply import apply_move_in_place
from falldamage_forge.games.fall_damage.play.split_mix import SplitMix64
from falldamage_forge.games.fall_damage.play.surface_number import spot_at
from falldamage_forge.playtest import game_series
from falldamage_forge.playtest.bots import BOTS, choose_move
from falldamage_forge.playtest.game_series import (
    GameSeries,
    Plain,
    context_of,
    core_of,
    play_chunk,
    record_of,
    run_here,
    run_on,
    run_series,
    setup_of,
    sum_tallies,
)
from falldamage_forge.playtest.playtest_page import frames, page, replay_page
from falldamage_forge.playtest.runner import PlaytestRequest, run_playtest
from falldamage_forge.playtest.score_verdict import BLOCK, BOT, Tally, match_json
from falldamage_forge.playtest.selfplay_metrics import exact_share, mean, measures, verdicts
from tests.amount import EXHAUSTIVE
from tests.cli.running import run, typed
from tests.games.play.columns import standable
from tests.games.play.goldens import golden_board
from tests.games.play.tables import KIT, preset, small_board

ROOT = Path(__file__).resolve().parents[3]


def series(
    bots: tuple[str, str] = ("greedy", "greedy"), games: int = 4, **other: object
) -> GameSeries:
    values = {"seed": 3, "name": "duel", **other}
    board = values.pop("board", preset("duel"))
    return GameSeries(
        board, FallDamageOptions(), PlayOptions(round_limit=8), KIT, bots, games, **values
    )  # type: ignore[arg-type]


def test_chunks_add_up_to_the_whole_in_any_order() -> None:
    whole = series(games=2 * BLOCK)
    one = play_chunk(whole, 0, 2 * BLOCK)
    parts = [play_chunk(whole, first, BLOCK) for first in (BLOCK, 0)]
    total = sum_tallies(parts)
    total.games.sort()
    assert total == one
    assert one.counts["games"] == 2 * BLOCK == len(one.games)
    assert one.cards and all(sum(scores.values()) <= 2 for scores in one.cards.values())


def test_workers_do_not_change_a_byte() -> None:
    small = series(("random", "random"), games=24)
    (here,), (there,) = run_series([small], run_here), run_series([small], run_on(2))
    spots = standable(simulator_of(context_of(small)).columns)
    assert json.dumps(measures(here, spots)) == json.dumps(measures(there, spots))


def test_games_of_a_series_form_blocks_of_four() -> None:
    """Two teams, both sides, both first moves; places go with the team."""
    table = context_of(series())
    four = [setup_of(series(), table, number) for number in range(4)]
    assert {(s.swapped, s.first) for s in four} == {(a, b) for a in (False, True) for b in (0, 1)}
    plain, swapped = four[0], four[1]
    assert plain.teams == swapped.teams[::-1]
    assert setup_of(series(), table, 4).teams != plain.teams
    for setup in four:
        for side in (0, 1):
            assert sorted(setup.places[side]) == sorted(table.zones[side])
    # Half a turn of the board takes a team to where it stands on the other side.
    turned = [(9 - (s >> 10)) << 10 | (9 - (s >> 4 & 63)) << 4 for s in plain.places[0]]
    assert tuple(turned) == swapped.places[1]


def test_record_of_every_game_in_a_series_replays() -> None:
    for number in (0, 3):
        record = json.loads(json.dumps(record_of(series(("greedy", "random")), number)))
        game = BoardGame.from_record(record, KIT)
        assert game.over and game.result == record["result"]


def test_counters_equal_the_events_of_the_record() -> None:
    """The counts of a series against events of its records, played again move by move."""
    one = replace(
        series(("greedy", "random"), board=golden_board()), readings=PlayOptions(round_limit=4)
    )
    games = 20 if EXHAUSTIVE else 2
    tally, seen = play_chunk(one, 0, games), {kind: Counter[int]() for kind in KINDS.values()}
    opened: Counter[int] = Counter()
    for number in range(games):
        record = record_of(one, number)
        state, visited = BoardGame.start_of(record, KIT).state.copy(), set[int]()
        state.log = []
        for text in record["moves"]:
            apply_move_in_place(
                state, next(move for move in legal_moves(state) if str(move) == text)
            )
            visited |= set() if state.over else set(state.occupied)
        for kind, *values in state.log:
            if kind in KINDS and (kind != "harm" or values[2] == "fall"):
                seen[KINDS[kind]][values[4 if kind == "harm" else 1]] += 1
            if kind == "chest":
                opened[state.units[values[0]].side] += 1
        seen["visits"].update(visited)
        assert tally.counts[record["result"]] >= 1
    assert {kind: Counter(tally.spots.get(kind, {})) for kind in seen} == seen
    assert (tally.counts["opened"], tally.counts["opened_red"]) == (opened.total(), opened[0])


def test_counters_do_not_depend_on_playing_step_by_step() -> None:
    """What plays bots that are not over columns, with bots that are."""
    one = replace(series(("greedy", "careful")), readings=PlayOptions(round_limit=3))
    core, plain = core_of(one), Plain(context_of(one))
    core.tell = True
    for number in range(20 if EXHAUSTIVE else 2):
        setup = setup_of(one, core.ctx, number)
        assert core.play(number, setup, one.bots) == plain.play(number, setup, one.bots)
    core.tell = False
    assert core.tally() == plain.tally()


KINDS = {"die": "deaths", "harm": "falls", "chest": "treasure", "": "visits"}
"""Events by what is counted of their surfaces."""


@pytest.mark.parametrize("bot", list(BOTS))
def test_a_bot_answers_every_question_with_a_legal_move(bot: str) -> None:
    slow = bot.startswith("search-")
    options = {"round_limit": 1 if slow else 4}
    board = small_board() if slow else preset("duel")
    game, dice = BoardGame(board, KIT, options, seed=4), SplitMix64(1)
    while not game.over:
        if game.turn == "chance":
            game.roll()
        else:
            move = choose_move(BOTS[bot], game.state, dice)
            assert move in legal_moves(game.state)
            game.push(move)


def test_interval_of_real_games_of_a_bot_against_itself_holds_a_half() -> None:
    games = 200 if EXHAUSTIVE else 24
    found = match_json("a", "a", play_chunk(series(("greedy", "greedy"), games=games), 0, games))
    assert found["low"] <= 0.5 <= found["high"] and found["games"] == games


def test_greedy_beats_random() -> None:
    tally = play_chunk(series(("greedy", "random"), games=8), 0, 8)
    wins, games, decided = (tally.counts[name] for name in ("a_wins", "games", "decided"))
    assert wins >= 7
    assert sum(tally.points(BOT).values()) == 2 * wins + games - decided


@given(st.integers(0, 5000), st.integers(1, 5000))
def test_a_share_lies_in_its_interval(hits: int, games: int) -> None:
    found = exact_share(min(hits, games), games)
    assert 0 <= found["low"] <= found["share"] <= found["high"] <= 1
    assert found["n"] == games


def test_binomial_intervals_equal_published_values() -> None:
    assert exact_share(0, 0) == {"share": None, "low": 0.0, "high": 1.0, "n": 0}
    found = exact_share(50, 100)
    assert (found["low"], found["high"]) == (0.3983, 0.6017)  # Clopper and Pearson, 95 %
    wide = exact_share(1200, 2401)
    assert wide["high"] - wide["low"] == pytest.approx(0.04, abs=0.001)
    told = mean((4, 20, 120))
    assert told["mean"] == 5 and told["high"] - told["mean"] == pytest.approx(
        1.959964 * 5**0.5 / 2, abs=1e-4
    )


def of_bot(**other: object) -> dict[str, object]:
    even = {"share": 0.5, "low": 0.4, "high": 0.6, "n": 100}
    none = {"share": None, "low": 0.0, "high": 1.0, "n": 0}
    return {
        "undecided": {**even, "low": 0.0}, "rounds": {"mean": 6.0}, "comebacks": even,
        "treasure_wins": none, "treasure_opened": even, **other,
    }  # fmt: skip


SPANS = """forge 1
stack B5, D5 height 2
bridge B5 -> D5 level 2
stack H3 height 2
ladder H4 -> H3
start red at A1..H1
start blue at A10..H10
"""


def test_results_without_pieces_and_between_bots_come_from_their_own_series(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Red wins 5 of 10 games, 2 less without the bridge, 1 more without the ladder.

    C5 is visited 3 times, H3 4 times; B5, visited 9 times, is no tile of the bridge.
    """
    board = ff.loads(SPANS).board
    order = PlaytestRequest(
        {"spans": board}, {"spans": FallDamageOptions(lethal_step="yes")}, PlayOptions(), KIT,
        ("random", "greedy", "careful"), 10, 7, (),
    )  # fmt: skip
    asked: list[GameSeries] = []
    tops = {(4, 2, 2): 3, (4, 1, 2): 9, (2, 7, 2): 4}
    visits = Counter({spot_at(*place): count for place, count in tops.items()})

    def run_series(many: list[GameSeries], runner: object) -> list[Tally]:
        assert runner is run_here
        asked.extend(many)
        return [
            Tally(
                Counter(
                    red=5 - 2 * (not each.board.decks) + (not each.board.ladders),
                    decided=10, a_wins=len(each.bots[0]),
                ),
                spots={"visits": visits}, games=[(0, 7), (1, -9), (2, 3), (3, 9), (4, 5), (5, 8)],
                blocks={0: (4, 4 - 2 * (not each.board.decks) + (not each.board.ladders), 4,
                            len(each.bots[0]))},
            )
            for each in many
        ]  # fmt: skip

    monkeypatch.setattr(game_series, "run_series", run_series)
    monkeypatch.setattr(
        game_series, "record_of", lambda one, number: {"of": one.bots, "number": number}
    )
    (outcome,) = run_playtest(order, run_here, pieces=True, versus=True, replays=True)
    result = outcome.result
    assert (result["map"], result["games"], result["seed"]) == ("spans", 10, 7)
    assert list(result["bots"]) == ["random", "greedy", "careful"]
    found = {
        name: (each["visits"], each["effect"]["score"]) for name, each in result["pieces"].items()
    }
    assert found == {"bridge B5 -> D5": (3, -0.25), "ladder H4 -> H3": (4, 0.125)}
    assert {name: match["score"] for name, match in result["versus"].items()} == {
        "greedy against random": 6 / 8, "careful against greedy": 7 / 8,
    }  # fmt: skip
    last = ("careful", "careful")
    assert outcome.replays == {
        "the shortest game": {"of": last, "number": 2},
        "the longest game": {"of": last, "number": 3},
        "the most typical game": {"of": last, "number": 0},
    }
    own = [(bot, bot) for bot in order.bots]
    pairs = [("greedy", "random"), ("careful", "greedy")]
    assert [each.bots for each in asked] == [*own, *[own[-1]] * 2, *pairs]
    for each in asked:
        given = (each.rules, each.readings, each.content, each.games, each.seed, each.name)
        assert given == (order.rules["spans"], order.readings, KIT, 10, 7, "spans")
        assert (each.teams, each.fast) == (order.teams, order.fast)
    (bare,) = run_playtest(order, run_here)
    assert bare.replays == {} and not {"pieces", "versus"} & {*bare.result}


def test_thresholds_are_shown_only_with_a_verdict() -> None:
    stuck = of_bot(undecided={"share": 0.3, "low": 0.2, "high": 0.4, "n": 100})
    for outcome, most in (("open", 3), ("too few to tell", 2)):
        judged = {key: {"text": outcome, "outcome": outcome} for key in ("side", "first_move")}
        lines = verdicts({"a": stuck, "b": stuck}, judged)
        assert lines[:2] == [f"side: {outcome}", f"first move: {outcome}"]
        assert len(lines) == most
        assert any("cannot reach each other" in line for line in lines) == (most == 3)


def test_the_command_gives_the_same_bytes_and_the_keys_of_the_contract(tmp_path: Path) -> None:
    # The fast core has tests of its own; here nobody waits for it to be compiled.
    words = ("playtest", "duel", "--games", 4, "--seed", 5, "--option", "round-limit=6")
    words += ("--engine", "plain")
    one, other = typed(*words, "--json"), typed(*words, "--json", "--workers", 2)
    assert one.returncode == 0, one.stderr
    assert one.stdout == other.stdout
    told = json.loads(one.stdout)
    assert {"map", "games", "options", "bots", "verdict", "verdicts"} <= set(told)
    outcomes = {key: one["outcome"] for key, one in told["verdict"].items()}
    assert outcomes == {"side": "fair", "first_move": "too few to tell"}
    assert told["exchange"] == {"transform": "rotate-180", "hands": [], "exact": True}
    assert set(told["verdict"]) == {"side", "first_move"}
    assert told["map"] == "duel" and told["games"] == 4
    assert told["options"] == {"round_limit": 6}
    assert len(told["bots"]) == 2
    for bot in told["bots"].values():
        for name in ("red_wins", "first_mover_wins", "undecided"):
            assert set(bot[name]) == {"share", "low", "high", "n"}
        for name in ("rounds", "fall_kills", "lava_kills"):
            assert {"mean", "low", "high", "n"} <= set(bot[name])
        assert set(bot["maps"]) == {"visits", "deaths", "falls", "treasure"}
        assert all("@" in spot for spot in bot["maps"]["visits"])


def test_a_page_with_heat_maps_and_replays(tmp_path: Path) -> None:
    out = tmp_path / "duel.html"
    run = typed(
        "playtest",
        "duel",
        "--games",
        4,
        "--bots",
        "random,greedy",
        "--option",
        "G44=units",
        "-o",
        out,
    )
    assert run.returncode == 0, run.stderr
    text = out.read_text("utf-8")
    assert text.count("<svg") >= 10 and "too few games to tell" in text
    links = list(tmp_path.glob("duel-duel-*.html"))
    assert links and all(path.name in text for path in links)
    assert "http" not in text + links[0].read_text("utf-8")


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (("playtest", "duel", "--bots", "greedy"), 2, "at least two bots"),
        (("playtest", "duel", "--bots", "greedy,gredy"), 2, "did you mean"),
        (("playtest", "nowhere"), 1, "FDF293"),
        (("playtest", "duel", "--option", "edge=nowhere"), 1, "FDF320"),
        (("playtest", "duel", "--option", "nonsense"), 2, "NAME=VALUE"),
        (("playtest", "duel", "--teams", "README.md"), 1, "FDF385"),
        (("replay", "README.md"), 1, "FDF384"),
        (("replay", "tests/data/game.json"), 1, "FDF384"),
        (("play",), 2, "name a MAP"),
        (("play", "duel", "--json", "--say", "coin heads", "--say", "unit 1"), 1, "FDF383"),
    ],
)
def test_wrong_playtest_arguments_are_refused_with_a_message(
    words: tuple[object, ...], code: int, told: str
) -> None:
    run = typed(*words)
    assert run.returncode == code, run.stderr
    assert told in run.stderr and "Traceback" not in run.stderr


@pytest.mark.parametrize("bot", list(BOTS))
@pytest.mark.parametrize("side", [0, 1])
def test_a_team_larger_than_its_start_is_refused(bot: str, side: int, tmp_path: Path) -> None:
    teams = [["knight"] * 8, ["bandit"] * 8]
    teams[side].append("bard")
    file = tmp_path / "teams.json"
    file.write_text(json.dumps({"teams": [teams]}), "utf-8")
    other = "greedy" if bot == "random" else "random"
    run = typed("playtest", "duel", "--games", 4, "--bots", f"{bot},{other}", "--teams", file)
    assert run.returncode == 1, run.stderr
    assert "FDF381" in run.stderr and "9 units and 8 start tiles" in run.stderr


def test_terminal_game_is_saved_resumed_and_replayed(tmp_path: Path) -> None:
    import sys

    saved, record, html = tmp_path / "s.json", tmp_path / "r.json", tmp_path / "g.html"
    start = [sys.executable, "-m", "falldamage_forge"]
    start += ["play", "duel", "--draw-teams", "--seed", "3"]
    keys = f"1\nboard\nunits\nbot\nbot\nundo\nnonsense\nsave {saved}\nquit\n"
    played = run(start, input=keys)
    assert played.returncode == 0, played.stderr
    assert "is not legal here" in played.stdout and "written to" in played.stdout
    told = json.loads(typed("play", "--resume", saved, "--json").stdout)
    assert told["legal_moves"] and told["turn"] == "red"
    ended = typed("play", "--resume", saved, "--red", "greedy", "--record", record)
    assert "the game is over" in ended.stdout
    assert "moves hold" in typed("replay", record, "--check").stdout
    steps = json.loads(typed("replay", record, "--json").stdout)
    assert steps["result"] in ("red", "blue", "draw", "unfinished") and len(steps["steps"]) > 20
    assert typed("replay", record, "-o", html).returncode == 0
    assert html.read_text("utf-8").startswith("<!doctype html>")


def test_option_say_makes_moves() -> None:
    run = typed("play", "duel", "--draw-teams", "--json", "--say", "coin tails", "--say", "unit 8")
    told = json.loads(run.stdout)
    assert told["turn"] in ("blue", "chance") and told["state"]["first"] == "blue"


def test_the_replay_page_shows_what_happened() -> None:
    record = record_of(series(games=4), 0)
    shown = frames(record, KIT)
    assert len(shown) == len(record["moves"]) + 1
    words = " ".join(event for frame in shown for event in frame["events"])
    assert " dies " in words and "the game is over" in words
    assert (
        "</script"
        not in replay_page(record, KIT).split('type="application/json">')[1].split("</script>")[0]
    )
    assert page([], {}).startswith("<!doctype html>")


def test_replay_page_has_the_outlines_of_the_cards_that_play() -> None:
    record = record_of(series(games=1), 0)
    everyone = {card: f"M{n},0 1,1Z" for n, card in enumerate(KIT.cards)}
    text = replay_page(record, KIT, everyone).split('type="application/json">')[1]
    shown = json.loads(text.split("</script>")[0])["figures"]
    played = {unit[4] for frame in frames(record, KIT) for unit in frame["units"]}
    assert shown == {card: everyone[card] for card in played}
    assert 0 < len(shown) < len(everyone)


def test_random_stream_equals_its_reference() -> None:
    dice = SplitMix64(1234567)
    # The first numbers of SplitMix64 from this seed, as published with it.
    assert [dice.draw() for _ in range(3)] == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
    ]
