"""All pieces of a game: every card, ability and treasure says its own, and a kit holds them all."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from random import Random

import pytest

from falldamage_forge import presets
from falldamage_forge.games.fall_damage.play.game_data import (
    CLASSES,
    AbilityParameters,
    TreasureEffect,
    game_data,
)
from falldamage_forge.games.fall_damage.whole_game import ALL, pieces_of_game, read_teams
from falldamage_forge.issues import ForgeError
from tests.cli.running import ROOT, typed
from tests.pieces.maps import board_of

KIT, THINGS = presets.load_kit(), presets.load_things()
CATALOGUE = presets.load_catalogue()
SIDES = ("red", "blue")
SOURCES: tuple[AbilityParameters | TreasureEffect, ...] = (
    *KIT.abilities.values(),
    *KIT.treasure.values(),
)
EVERY = read_teams(dict.fromkeys(SIDES, (ALL,)), KIT)
LOOSE = ("token", "counter", "sheet", "carried", "die", "unit", "stand", "wheel", "tray")
"""Families of pieces that only the game asks for."""
PAGE = (ROOT / "docs" / "kits.md").read_text("utf-8")


def needed(teams: Mapping[str, tuple[str, ...]], name: str = "duel") -> Counter[str]:
    return Counter(pieces_of_game(teams, board_of(name), KIT, THINGS))


def drawn_team(dice: Random) -> tuple[str, ...]:
    team: list[str] = []
    for unit_class in CLASSES:
        cards = [card for card in KIT.team_cards() if KIT.cards[card].unit_class == unit_class]
        team += dice.sample(cards, KIT.numbers.class_cards)
    return tuple(team)


def named() -> set[str]:
    """Pieces that any card, ability, treasure or game may ask for."""
    signs = [THINGS.names.sign(side) for side in SIDES]
    tables = [own.pieces for own in SOURCES]
    tables += [THINGS.game, THINGS.unit, THINGS.tree, THINGS.spire]
    names = [name for table in tables for name in table]
    names += [THINGS.names.figure.format(card=card) for card in KIT.cards]
    names += [THINGS.names.stand.format(side="{side}", unit_class=own) for own in CLASSES]
    return {name.format(side=sign) for name in names for sign in signs}


def test_every_card_ability_and_treasure_names_pieces_of_the_catalogue() -> None:
    assert named() <= CATALOGUE.pieces.keys()


def test_every_loose_piece_is_asked_for() -> None:
    loose = {piece.key for family in LOOSE for piece in CATALOGUE.family(family)}
    assert loose == {key for key in named() if CATALOGUE[key].family in LOOSE}


@pytest.mark.parametrize(("table", "name"), [("abilities", "vines"), ("treasure", "fog")])
def test_an_ability_or_treasure_that_does_not_say_its_pieces_is_refused(
    table: str, name: str
) -> None:
    tables = {kind: dict(own) for kind, own in presets.load_play().items()}
    tables[table][name] = {k: v for k, v in tables[table][name].items() if k != "pieces"}
    with pytest.raises(ForgeError, match=f"{name}: `pieces` is missing"):
        game_data(presets.load_units(), **tables)


def test_shared_pieces_suffice_for_what_asks_for_them() -> None:
    for own in SOURCES:
        for piece in own.pieces.keys() & THINGS.game.keys():
            assert own.pieces[piece] <= THINGS.game[piece], f"{own.name} needs more `{piece}`"


@pytest.mark.parametrize("seed", range(20))
def test_all_cards_hold_the_pieces_of_every_draft(seed: int) -> None:
    dice = Random(seed)
    teams = {side: drawn_team(dice) for side in SIDES}
    assert read_teams(teams, KIT) == teams
    assert needed(teams) <= needed(EVERY)


def test_all_cards_need_no_more_marks_than_some_draft_does() -> None:
    """The two cards of each class that need most of a piece are a team."""
    every = needed(EVERY)
    for piece in ("vines", "poison", "song", "promo", "block-1x1x3", "unit-skeleton"):
        owners = [
            card
            for card in KIT.team_cards()
            if any(piece in KIT.abilities[name].pieces for name in KIT.cards[card].abilities)
        ]
        assert len(owners) == 1
        team = tuple(dict.fromkeys((*owners, *drawn_team(Random(piece)))))
        assert needed(dict.fromkeys(SIDES, team))[piece] == every[piece] > 0


def test_a_game_has_a_figure_for_each_card_and_a_stand_for_each_unit() -> None:
    figures = {key: n for key, n in needed(EVERY).items() if key.startswith("unit-")}
    assert sum(figures.values()) == 2 * 21 + 2 * 4 + 2
    teams = dict.fromkeys(SIDES, drawn_team(Random(1)))
    stands = sum(n for key, n in needed(teams).items() if key.startswith("stand-"))
    assert stands >= 16 == needed(teams)["body"]
    assert needed(teams)["health-wheel"] == stands


def test_chests_add_the_pieces_of_different_treasure() -> None:
    none, two = needed(EVERY, "causeway"), needed(EVERY, "duel")
    chests = [len(board_of(name).treasures) for name in ("causeway", "duel")]
    assert chests[0] < chests[1] == 2
    assert two["zone-corner"] == 8 and two["water"] == 10
    assert none["zone-corner"] == 4 * min(chests[0], 3)


# -- the command -----------------------------------------------------------------------------------

FIRST = "knight,spearman,archer,gunner,force-mage,brick-mage,assassin,medic"


def parts(*words: str) -> Counter[str]:
    run = typed("kit", *words, "--variants", "1", "--format", "json")
    assert run.returncode == 0, run.stderr
    return Counter({row["piece"]: row["required"] for row in json.loads(run.stdout)["pieces"]})


def test_night_is_the_table_with_its_rim_and_the_whole_game() -> None:
    night, table = parts("night", "--map", "duel"), parts("duel")
    game = needed({side: tuple(FIRST.split(",")) for side in SIDES})
    rim = Counter({key: 1 for key in night if key.startswith("rim-")})
    assert len(rim) == 4
    assert night == table + game + rim + Counter(tie=night["tie"] - table["tie"])


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (("--red", "knigt"), 1, "FDF341"),
        (("--red", "knight,archer"), 1, "FDF387"),
        (("--red", FIRST.replace("spearman", "knight")), 1, "FDF387"),
        (("--red", FIRST.replace("spearman", "skeleton")), 1, "FDF341"),
        (("--red", ""), 1, "FDF387"),
        (("--map", "stairwell"), 1, "FDF366"),
        (("--map", "no-such-map"), 1, "FDF293"),
        (("--printer", "no-such-printer"), 1, "FDF293"),
        (("--all", "--red", FIRST), 2, "--all"),
    ],
)
def test_wrong_input_is_refused_with_a_remedy(words: tuple[str, ...], code: int, told: str) -> None:
    run = typed("kit", "night", *words)
    assert (run.returncode, told in run.stderr) == (code, True), run.stderr
    assert "Traceback" not in run.stderr


def test_a_map_with_one_team_is_bad_usage() -> None:
    run = typed("kit", "duel", "--red", FIRST)
    assert run.returncode == 2
    assert "--blue" in run.stderr


def test_teams_of_a_set_file_are_refused_with_its_name(tmp_path: Path) -> None:
    own = tmp_path / "club.toml"
    own.write_text('title = "Club"\nmaps = ["duel"]\nteams = { red = ["knigt"], blue = ["all"] }\n')
    run = typed("kit", str(own))
    assert run.returncode == 1
    assert "club.toml: red: no card called `knigt`" in run.stderr
    own.write_text('title = "Club"\nmaps = ["duel"]\nteams = { red = ["all"] }\n')
    assert "`red` and `blue`" in typed("kit", str(own)).stderr


def test_inventory_names_pieces_of_the_catalogue_in_every_row() -> None:
    table = PAGE.partition("| thing | rule | pieces |\n")[2].partition("\n\n")[0]
    rows = table.splitlines()[1:]
    assert len(rows) > 20
    told = {key for row in rows for key in re.findall(r"`([a-z0-9-]+)`", row.split("|")[3])}
    for row in rows:
        assert re.findall(r"`([a-z0-9-]+)`", row.split("|")[3]), row
    assert told <= CATALOGUE.every.keys()
    shown = {key for key in named() if not key.startswith(("unit-", "stand-"))}
    assert shown <= told | {"spring-trap"}
