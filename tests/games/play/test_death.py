"""A death names its cause and its place, in pushes, abilities, forecasts and replays."""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import falldamage_forge as ff
from falldamage_forge.board import DIRECTIONS, Board, Ground
from falldamage_forge.board.surfaces import Terrain, surface_graph
from falldamage_forge.games.fall_damage.options import FallDamageOptions
from falldamage_forge.games.fall_damage.play.death import WORDS, death_in, death_words
from falldamage_forge.games.fall_damage.play.surface_number import surface_of
from falldamage_forge.games.fall_damage.push_result import slide_unit
from falldamage_forge.languages.translator import spoken
from falldamage_forge.playtest.playtest_page import describe_event
from falldamage_forge.presets import load_text
from tests.amount import EXHAUSTIVE
from tests.cli.running import typed
from tests.games.play.goldens import play
from tests.strategies import boards

OPTIONS = [
    FallDamageOptions(edge=edge, push_fall=falls)
    for edge in ("wall", "void")
    for falls in ("immediate", "hover")
]
PUSHES = """forge 1
board 10x10
players 2
start red at B1..I1
start blue at B10..I10
lava at C2
stack D4 height 6
"""


@settings(max_examples=400 if EXHAUSTIVE else 60, deadline=None)
@given(boards(), st.sampled_from(OPTIONS), st.randoms(use_true_random=False))
def test_push_names_cause_and_place_of_a_death(
    board: Board, options: FallDamageOptions, dice: random.Random
) -> None:
    terrain = Terrain(board, options.terrain)
    spots = surface_graph(board, options.terrain).surfaces
    for target in dice.sample(spots, min(len(spots), 25)):
        way = dice.choice(DIRECTIONS)
        found = slide_unit(terrain, target, way, 3, options, attacker_level=target.level)
        assert found.dead == (found.cause is not None) == (found.at is not None)
        if found.at is None:
            continue
        assert found.end is None
        column = board.column(found.at.tile)
        if found.cause == "lava":
            assert column.ground is Ground.LAVA and found.at.level == column.level
            assert found.path[-1] == found.at
        else:
            assert found.cause == "void" and options.edge == "void"
            assert found.at == (found.path[-1] if found.path else target)


@pytest.mark.parametrize(
    ("words", "cause", "at", "text"),
    [
        (("A2", "B2", "B1"), "lava", "C2@0", "dies in lava on C2@0, 0 fall damage"),
        (("C4", "D4", "B1", "archer"), "fall", "E4@0", "dies of the fall on E4@0, 6 fall damage"),
        (("B4", "A4", "B1"), "void", "A4@0", "dies in the void at A4@0, 0 fall damage"),
        (("A6", "B6", "B1"), None, None, "ends on C6@0, 0 fall damage"),
    ],
)
def test_push_tells_the_death_in_text_and_json(
    words: tuple[str, ...], cause: str | None, at: str | None, text: str, tmp_path: Path
) -> None:
    attacker, target, push, *unit = words
    file = tmp_path / "pushes.forge"
    file.write_text(PUSHES, "utf-8")
    asked = ["push", file, "--attacker", attacker, "--target", target, "--push", push]
    asked += ["--option", "edge=void", *(["--unit", *unit] if unit else [])]
    run = typed(*asked)
    assert text in run.stdout, run.stdout + run.stderr
    told = json.loads(typed(*asked, "--json").stdout)
    place = told["at"] and f"{told['at']['tile']}@{told['at']['level']}"
    assert (told["cause"], place, told["dead"]) == (cause, at, cause is not None)
    german = spoken("de")(run.stdout.splitlines()[0])
    assert german.startswith("die Einheit auf ") and german.endswith("Fallschaden"), german


def test_every_death_of_random_games_has_its_cause_and_place() -> None:
    from falldamage_forge.games.fall_damage.play.legal_apply import apply_move_in_place

    causes = Counter[str]()
    for seed in range(40 if EXHAUSTIVE else 12):
        game, _ = play(seed)
        for state, move in zip(game._states, game.moves, strict=False):
            after = state.copy()
            after.log = []
            apply_move_in_place(after, move)
            for n, event in enumerate(after.log):
                if event[0] != "die":
                    continue
                death = death_in(after.log, n)
                causes[death.cause] += 1
                place = surface_of(death.spot)
                column = after.land.column(death.spot >> 4)
                assert describe_event(after, n).endswith(death_words(death.cause, place))
                if death.cause == "lava":
                    assert column.ground is Ground.LAVA and column.level == place.level
                assert death.cause != "harm", "damage has a cause"
    assert causes["lava"] and causes["fall"] and causes["attack"], causes


def test_targets_name_cause_and_place_of_each_death() -> None:
    found = ff.position(ff.loads(PUSHES)).targets(
        "splash-mage", "C6", ability="splash", aim="C4", enemies=["archer=C3", "B4"]
    )
    rows = found.json()["outcome"]["units"]
    assert all(row["dead"] == (row["cause"] is not None) == (row["at"] is not None) for row in rows)
    assert {(row["cause"], row["at"] and row["at"]["tile"]) for row in rows} >= {("lava", "C2")}


def test_change_of_the_board_names_the_death_of_a_unit() -> None:
    text = PUSHES + "stack B5 height 2\nstack D5 height 2\nbridge B5 -> D5 level 2\nlava at C5\n"
    changed = ff.position(ff.loads(text), what_if=["without C5"])
    with pytest.raises(ff.ForgeError) as caught:
        changed.place("C5@2")
    (issue,) = caught.value.issues
    words = "after without C5, the unit that stood on C5@2 dies in lava on C5@0"
    assert (issue.code, issue.message) == ("FDF343", words)
    assert spoken("de")(words) == (
        "nach without C5: die Einheit, die auf C5@2 stand, stirbt in der Lava auf C5@0"
    )


@pytest.mark.parametrize("cause", [*WORDS, "harm"])
def test_death_words_have_german(cause: str) -> None:
    words = death_words(cause, "C2@0")
    say = spoken("de")
    assert say(words) != words and say(f"red knight 3 {words}") != f"red knight 3 {words}"


@pytest.mark.parametrize("cause", [*WORDS, "harm"])
def test_replay_page_marks_each_death(cause: str) -> None:
    page = load_text("play", "replay.html")
    pattern = page.partition('item.className = "dead"')[0].rpartition("if (/")[2]
    assert re.search(pattern.partition("/.test")[0], f"red knight 3 {death_words(cause, 'C2@0')}")
