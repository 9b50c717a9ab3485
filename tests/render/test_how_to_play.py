"""How to play: each example is a situation that the engine plays, each rule of ours a default."""

import json
import re
from collections import Counter
from dataclasses import fields
from pathlib import Path

import pytest

from falldamage_forge import presets
from falldamage_forge.board import Tile
from falldamage_forge.games.fall_damage.options import FallDamageOptions
from falldamage_forge.games.fall_damage.play.conformance import conform
from falldamage_forge.games.fall_damage.play.play_options import PlayOptions
from falldamage_forge.render.how_to_play import guide, scenes
from tests.cli.running import typed
from tests.render.boards import preset
from tests.render.test_sheets import pages

DOCUMENT = json.loads(presets.load_text("play", "situations.json"))
SITUATIONS = {example["id"]: example for example in DOCUMENT["examples"]}
EXAMPLES = [example for page in guide().page for example in page.examples]


def test_every_situation_agrees_with_the_engine() -> None:
    verdicts = conform(DOCUMENT, FallDamageOptions(), presets.load_kit())
    assert [v for v in verdicts if not v.agrees] == []
    assert all(example["expect"] for example in DOCUMENT["examples"])


def test_pages_show_every_situation_once() -> None:
    assert Counter(example.id for example in EXAMPLES) == Counter(SITUATIONS.keys())


@pytest.mark.parametrize("name", SITUATIONS)
def test_a_situation_has_two_pictures_exactly_if_its_moves_change_something(name: str) -> None:
    moved = any("unit" not in step and "end" not in step for step in SITUATIONS[name]["do"])
    assert len(scenes(SITUATIONS[name], presets.load_kit())) == 1 + moved


def test_a_picture_of_a_wrong_situation_is_refused() -> None:
    wrong = {**SITUATIONS["edge"], "expect": {"units": {"k": {"health": 8}}}}
    with pytest.raises(ValueError, match="situation edge"):
        scenes(wrong, presets.load_kit())


def test_badges_name_their_cards_and_sides() -> None:
    for example in SITUATIONS.values():
        for unit in example["units"]:
            letter = unit["card"][0]
            assert unit["id"] == (letter.upper() if unit["side"] == "red" else letter)


def test_rules_of_ours_are_the_defaults() -> None:
    defaults = {
        item.name: str(item.default)
        for options in (FallDamageOptions, PlayOptions)
        for item in fields(options)
    }
    for _, option, value in guide().silent.lines:
        assert defaults[option] == value


def test_teams_of_the_first_game_are_legal_and_need_nothing_else() -> None:
    first, cards = guide().first, presets.load_units()
    units = [cards[unit.card] for unit in first.units]
    assert set(Counter(unit.unit_class for unit in units).values()) == {2}
    assert len({unit.title for unit in units}) == len(units) == 8
    assert len({unit.title[:2] for unit in units}) == 8, "signs on the map"
    assert not any(ability.hidden for unit in units for ability in unit.abilities)
    assert not any("Skeleton" in ability.text for u in units for ability in u.abilities)
    starts = {
        zone.side: {tile for tile, _ in zone.surfaces} for zone in preset(first.map).board.starts
    }
    for side in ("red", "blue"):
        assert {Tile.parse(getattr(unit, side)) for unit in first.units} == starts[side]


def test_places_of_the_first_game_are_fair() -> None:
    board = preset(guide().first.map).board
    for unit in guide().first.units:
        red, blue = Tile.parse(unit.red), Tile.parse(unit.blue)
        assert (red.row + blue.row, red.col + blue.col) == (board.rows - 1, board.cols - 1)


def test_the_guide_is_five_pages_that_name_the_author(tmp_path: Path) -> None:
    run = typed("guide", cwd=tmp_path)
    assert run.returncode == 0, run.stderr
    text = pages((tmp_path / "how-to-play.pdf").read_bytes())
    assert len(text) == 5
    for page in text:
        assert "Jasper Wentworth" in page and "FallDamage.fun" in page
    whole = re.sub(r"\s+", " ", " ".join(text))
    for example in EXAMPLES:
        first = re.split(r"[{:.,]", example.text)[0]
        assert all(word in whole for word in first.split()), example.id
