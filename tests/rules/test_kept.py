"""What is answered of crowded boards under every game, whole: each answer is as it was kept."""

from itertools import pairwise
from typing import Any

import pytest

from falldamage_forge.board import (
    DIRECTIONS,
    Board,
    Column,
    Fitting,
    StartZone,
    Tile,
    Treasure,
    make_board,
)
from falldamage_forge.games.fall_damage.abilities import ABILITIES
from falldamage_forge.measures.survey import survey
from falldamage_forge.measures.table import analyze
from falldamage_forge.presets import load_rules
from falldamage_forge.rules.game import Game
from falldamage_forge.rules.position import Position
from falldamage_forge.rules.proofs import check_play
from falldamage_forge.rules.questions import questions_of
from falldamage_forge.rules.setup import check_setup
from tests.kept import is_kept, row, said
from tests.rules.asking import fall_damage
from tests.rules.randomboards import random_board
from tests.rules.test_readings import READINGS

FITTINGS = (
    ("railing", Tile(1, 1), (DIRECTIONS[0], DIRECTIONS[1]), "", 12_700),
    ("railing", Tile(2, 3), (DIRECTIONS[1],), "", 25_400),
    ("field", Tile(3, 2), (), "heavy-g", 12_700),
)
GAMES = ("fall-damage", "gang-skirmish", "falchion", "gatefall")


def crowded(seed: int) -> Board:
    """A random board of 5x6 with two starts and two chests; every third has fittings, too."""
    board = random_board(seed, 5, 6)
    zones = [
        StartZone(side, tuple((Tile(row, col), board.column(Tile(row, col)).level) for col in cols))
        for side, row, cols in (("red", 0, (0, 1, 3)), ("blue", 4, (2, 4, 5)))
    ]
    chests = [Treasure(tile, board.column(tile).level) for tile in (Tile(2, 1), Tile(1, 4))]
    fittings = [
        Fitting(kind, tile, board.column(tile).level, sides, name, um)
        for kind, tile, sides, name, um in FITTINGS if seed % 3 == 0
    ]  # fmt: skip
    return make_board(
        5, 6, board.columns, decks=board.decks, ladders=board.ladders,
        starts=zones, treasures=chests, fittings=fittings,
    )  # fmt: skip


def moved(p: Position) -> list[Any]:
    """Reach and ways of some units from some places, alone and among others."""
    found: list[Any] = []
    spots = p.graph.surfaces
    for name in list(dict.fromkeys((p.plain, *p.game.units)))[:4]:
        unit = p.unit(name)
        for start in spots[::9]:
            others = {
                "friends": [at for at in spots[1:3] if at != start],
                "enemies": [at for at in spots[4:6] if at != start],
            }
            found.append(said(unit.reach, start))
            found.append(said(unit.reach, start, **others))
            for goal in spots[::7]:
                found.append(said(unit.path, start, goal, **others, any_damage=True, turns=2))
    return found


def judged(p: Position) -> list[Any]:
    """What the checks and measures say of a board."""
    found: list[Any] = [said(survey, p, p.plain, p.plain, chances=True)]
    found += [said(analyze, p, "x"), analyze(p).title]
    found += [row(issue) for issue in (*check_play(p), *check_setup(p, 2), *check_setup(p, 5))]
    return found


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("rules", GAMES)
def test_ways_and_verdicts_are_as_kept(rules: str, seed: int) -> None:
    p = Position(crowded(seed), load_rules(rules))
    assert is_kept(f"ways {rules} {seed}", moved(p))
    assert is_kept(f"verdicts {rules} {seed}", judged(p))


@pytest.mark.parametrize("rules", GAMES)
def test_refusals_and_questions_are_as_kept(rules: str) -> None:
    p = Position(crowded(1), load_rules(rules))
    asked: list[Any] = [[name, q.text] for name, q in questions_of(p).items()]
    for wrong in ("", "Z9", "A1@9", "A0", "C3"):
        asked.append(said(p.reach, p.plain, wrong))
        asked.append(said(p.sees, "A1", wrong))
        asked.append(said(p.push, "A1", wrong, "B2"))
        asked.append(said(p.targets, p.plain, wrong))
        asked.append(said(p.unit, wrong))
        asked.append(said(p.ask, wrong))
    assert is_kept(f"refusals {rules}", asked)


FLAT = make_board(5, 6, [Column()] * 30)
OTHERS = {"enemies": ("bard=C2", "knight=D4", "B3"), "friends": ("medic=A3", "wrestler=E1")}


@pytest.mark.parametrize("seed", [0, 1, 2, -1])
def test_pushes_sight_and_targets_are_as_kept(seed: int) -> None:
    p = Position(crowded(seed) if seed >= 0 else FLAT, load_rules("fall-damage"))
    spots = p.graph.surfaces
    found: list[Any] = []
    for number, target in enumerate(spots):
        attacker = spots[(number * 7 + 3) % len(spots)]
        push = ("B2", "F1", "L3", "R1")[number % 4]
        for wish in (
            {}, {"mage": True, "occupied": spots[::5]}, {"unit": "beast"}, {"effects": ["boots"]},
            {"way": "east", "unit": "knight", "effects": ["song", "promo"]},
        ):  # fmt: skip
            found.append(said(p.push, attacker, target, push, **wish))
        found.append(said(p.sees, attacker, target, spots[::6]))
    for unit in ("archer", "bard", "splash-mage", "knight"):
        found += [said(p.targets, unit, at, occupied=spots[::4]) for at in spots[::5]]
    assert is_kept(f"pushes {seed}", found)


@pytest.mark.parametrize("name", ABILITIES)
def test_abilities_are_as_kept(name: str) -> None:
    """Asked as the command asks: whom it may aim at, and what each aim does."""
    found: list[Any] = []
    for board in (FLAT, crowded(1)):
        p = Position(board, load_rules("fall-damage"))
        cards = ABILITIES[name].of
        unit = next((card for card in cards if card in p.game.units), "knight")
        wish: dict[str, Any] = {"ability": name, "occupied": ("E5",), **OTHERS}
        found.append(said(p.targets, unit, "C3", **wish))
        for number, aim in enumerate(p.graph.surfaces[::2]):
            more = {
                "aim": aim, "second": p.graph.surfaces[(number * 5) % len(p.graph.surfaces)],
                "way": ("north", "east", "south", "west")[number % 4], "count": 1 + number % 3,
                "effects": [["boots"], ["song"], []][number % 3],
            }  # fmt: skip
            found.append(said(p.targets, unit, "C3", **wish, **more))
    assert any(isinstance(answer, dict) for answer in found)
    assert is_kept(f"ability {name}", found)


def under(key: str, value: Any) -> Game:
    return fall_damage({key: value})


@pytest.mark.parametrize(("key", "value"), READINGS)
def test_a_reading_is_answered_as_kept(key: str, value: Any) -> None:
    p = Position(crowded(len(key)), under(key, value))
    spots = p.graph.surfaces
    found: list[Any] = [said(p.reach, unit, at) for unit in ("archer", "beast-heads", "M3 J1")
                        for at in spots[::8]]  # fmt: skip
    found += [said(p.sees, a, b) for a, b in zip(spots, spots[4:], strict=False)]
    found += [said(p.push, a, b, "B2") for a, b in pairwise(spots)]
    assert is_kept(f"reading {key} {value}", found)
